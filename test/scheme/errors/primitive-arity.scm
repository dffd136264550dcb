(import (scheme base))
(define f cons)
(+ 1 (f 1 2 3))
