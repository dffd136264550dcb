(define-library (clash one) (export same-name) (import (scheme base)) (begin (define same-name 1)))
