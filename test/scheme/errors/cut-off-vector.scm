(import (scheme base))
(define v #(1 2
  3
