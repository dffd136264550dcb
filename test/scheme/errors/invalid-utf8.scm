(import (scheme base) (scheme write))
(display "before")
(display "ÿþ")
