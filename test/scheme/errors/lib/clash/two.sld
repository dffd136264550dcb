(define-library (clash two) (export same-name) (import (scheme base)) (begin (define same-name 2)))
