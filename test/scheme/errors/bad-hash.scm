(import (scheme base))
(define x #<procedure>)
