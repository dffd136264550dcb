(import (scheme base))
(define x 1)
#| a comment
 #| nested |#
 still open
