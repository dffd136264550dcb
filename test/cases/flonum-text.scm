;; Reading rounds correctly; writing gives the shortest digits that read back.  Reading is
;; checked against exact arithmetic, since a wrong reader agrees with its own printer.
(import (scheme base) (scheme write))
(define (show x) (write x) (newline))
(define (scaled s k) (* (exact (string->number s)) (expt 2 k)))
(show (exact (string->number "1e23")))
(show (scaled "1e-23" 128))
(show (list (exact (string->number "9007199254740993.0")) (exact (string->number "9007199254740993"))))
(show (exact (string->number "9007199254740995.0")))
(show (scaled "2.2250738585072011e-308" 1074))
(show (scaled "2.2250738585072014e-308" 1074))
(show (scaled "5e-324" 1074))
(show (map string->number '("2.4703282292062327e-324" "1e400" "-1e-400" "1.7976931348623157e308" "1.7976931348623159e308")))
(for-each
 (lambda (x) (show x))
 (list 0.1 (/ 1.0 3) 100.0 -0.0 (+ 0.1 0.2) 4.35 123456.789 (/ 0.0 0.0) (/ -1.0 0.0) 1.448997445238699))
(for-each
 (lambda (x) (show (eqv? x (string->number (number->string x)))))
 (list 5e-324 1e21 1e22 1e23 123456789012345680.0 1.7976931348623157e308 2e-3 1e-7 2.2250738585072014e-308))
(show (list (number->string 255 16) (number->string -5 2)))
