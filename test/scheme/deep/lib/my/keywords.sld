(define-library (my keywords)
  (export only prefix except (rename export-it export))
  (import (scheme base))
  (begin
    (define (only x) `(only ,x))
    (define (prefix x) `(prefix ,x))
    (define (except x) `(except ,x))
    (define (export-it x) `(export ,x))))
