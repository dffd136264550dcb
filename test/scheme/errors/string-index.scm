(import (scheme base) (scheme write))
(display "before")
(newline)
(write (string-ref "abc" 3))
