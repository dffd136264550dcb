(import (scheme base))
(define (fail) (raise 'something-went-wrong))
(+ 1 (fail))
