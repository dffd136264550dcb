(import (scheme base))
(define s "this string
never ends)
