;; SRFI 62: datum comments #;. The reader has them; there is nothing to bind.
(define-library (srfi 62))
