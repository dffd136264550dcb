(import (scheme base) (scheme write))
(display "this was printed before the error")
(newline)
(car (vector))
