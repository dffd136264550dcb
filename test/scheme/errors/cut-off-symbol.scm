(import (scheme base))
(define x |abc
 def)
