(import (scheme base))
(define x #\nosuchname)
