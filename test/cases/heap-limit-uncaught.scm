;; Not caught, it is an error like any other: a message with the place, and exit code 1.
(import (scheme base) (scheme write))
(write 'before)
(newline)
(define (endless n)
  (+ 1 (endless (+ n 1))))
(write (endless 0))
