;; Hot lines: the work of `hot` is on the line marked HOT, written through a macro.
;; A right profile by lines: that line (line 9) leads, whether the macro's own line is named with it or not.
(import (scheme base) (scheme write))
(define-syntax times (syntax-rules () ((_ n body) (let again ((i 0)) (if (< i n) (begin body (again (+ i 1))))))))
(define total 0)
(define (hot n)
  (times
   n
   (set! total (+ total (remainder (* total 3) 7) (quotient n 1000) (remainder n 13))))   ; HOT
  total)
(write (> (hot 2000000) 0))
(newline)
