(import (scheme base))
(define x (1 . 2 3))
