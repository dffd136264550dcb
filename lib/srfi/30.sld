;; SRFI 30: nested block comments #| |#. The reader has them; there is nothing to bind.
(define-library (srfi 30))
