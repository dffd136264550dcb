;; A fiber that recurses without end takes down itself alone.
(import (scheme base) (scheme write) (hone fiber))
(define (down n) (+ 1 (down (+ n 1))))
(write
 (run-fibers
  (lambda ()
    (let ((c (make-channel)))
      (spawn-fiber (lambda () (down 0)) 'name 'digger)
      (spawn-fiber (lambda () (sleep 0.01) (put-message c 'first)))
      (let ((first (get-message c)))
        (spawn-fiber (lambda () (put-message c (let fill ((i 0) (l '())) (if (< i 100000) (fill (+ i 1) (cons i l)) (length l))))))
        (list first (get-message c)))))
  'parallelism 1 'drain? #t))
(newline)
