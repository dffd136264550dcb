;; Too short for a sample.
;; A right profile: valid files with no samples, a word that there are none and why, no NaN.
(import (scheme base) (scheme write))
(display 1)
