;; A program that ends by running off its end succeeds, its output complete.
(import (scheme base) (scheme write))
(do ((i 0 (+ i 1))) ((= i 20000)) (write i) (newline))
(write-string "end")
