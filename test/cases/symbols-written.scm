;; Symbols that look like something else are written with bars; all read back as themselves.
(import (scheme base) (scheme read) (scheme write))
(define (text x) (let ((p (open-output-string))) (write x p) (get-output-string p)))
(define failures 0)
(for-each
 (lambda (name)
   (let ((sym (string->symbol name)))
     (if (not (guard (e (#t #f)) (eq? sym (read (open-input-string (text sym))))))
         (begin (set! failures (+ failures 1)) (write (list 'not-read-back name)) (newline)))))
 '("plain" "" "." ".." "..." ".5" "+.5" "-.5e1" "-2" "+7" "1/2" "1e5" "+inf.0" "-nan.0" "+i" "-i" "1+i" "1@1" "+" "-"
   "->" "-x" "1+" "two words" "semi;colon" "bar|bar" "back\\slash" "Upper" "quote'd" "#hash" "#t" "#\\a" "x#"
   "(open" "close)" "new\nline" "tab\tbed" "\x7;" "\x0;" "\x7f;" "λόγος" "日本" "\x1F600;" "\xA0;" "\x2028;" "dou\"ble" "#!eof" "`x"
   ",x" ",@x" "{b}" "[b]" "a.b" "a,b"))
(write failures)
(newline)
(for-each (lambda (s) (write s) (newline))
          (map string->symbol '("abc" "ABC" "..." "+" "-" "->x" "<=?" "" "." ".5" "-2" "+inf.0" "+i" "a b" "a;b" "a|b")))
