(import (scheme base))
(define x '(#3#))
