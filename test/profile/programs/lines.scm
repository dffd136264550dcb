;; Known numbers of executions: the comment on a line says how often it runs.
(import (scheme base) (scheme write))
(define (work n)
  (let loop ((i 0)
             (a 0))
    (if (= i n)                         ; 12346
        a                               ; 1
        (loop (+ i 1)                   ; 12345
              (if (even? i)
                  (+ a                  ; 6173
                     1)
                  (- a                  ; 6172
                     1))))))
(define (twice f)
  (f 12345)                             ; 1
  0)
(write (twice work))                    ; 1
(newline)
