(define-library (suite plain)
  (export plain-one plain-two plain-three)
  (import (scheme base))
  (begin
    (define plain-one 1)
    (define (plain-two) (+ plain-one 1)))
  (begin
    (define plain-three (+ (plain-two) 1))))
