;; Procedures whose names hold what formats use for themselves: separators of folded stacks,
;; quotes, markup, entities, controls, other scripts, nothing at all.
;; A right profile: each name comes out of every format as it is here (escaped as that format
;; wants), each folded line has as many frames as its stack, each page and file is well formed.
(import (scheme base) (scheme write))
(define (burn n) (let loop ((i 0) (a 0)) (if (= i n) a (loop (+ i 1) (+ a (remainder i 7))))))
(define-syntax define-odd
  (syntax-rules () ((_ name) (define (name) (let ((v (burn 2000000))) (+ v 1))))))
(define-odd |two words|)
(define-odd |semi;colon|)
(define-odd |trailing 42|)
(define-odd |"double"|)
(define-odd |'single'|)
(define-odd |</script><b>bold</b>|)
(define-odd |&amp; &lt;|)
(define-odd |a,b,c|)
(define-odd |back\\slash|)
(define-odd |tab\tand\nnewline|)
(define-odd |escape\x1b;[31m|)
(define-odd λόγος)
(define-odd 日本語)
(define-odd |\x2028;separator|)
(define-odd ||)
(define-odd |(paren|)
(define-odd |a-name-so-long-that-a-page-has-to-cut-it-somewhere-&amp;-it-had-better-not-be-inside-an-entity-0123456789|)
(define procedures
  (list |two words| |semi;colon| |trailing 42| |"double"| |'single'| |</script><b>bold</b>| |&amp; &lt;|
        |a,b,c| |back\\slash| |tab\tand\nnewline| |escape\x1b;[31m| λόγος 日本語 |\x2028;separator| || |(paren|
        |a-name-so-long-that-a-page-has-to-cut-it-somewhere-&amp;-it-had-better-not-be-inside-an-entity-0123456789|))
(define (run-all l sum) (if (null? l) sum (let ((v ((car l)))) (run-all (cdr l) (+ sum v)))))
(write (run-all procedures 0))
(newline)
