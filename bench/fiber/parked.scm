;; A hundred thousand fibers blocked on channels at once. Usage: /usr/bin/time -v build/hone bench/fiber/parked.scm
(import (scheme base) (scheme write) (hone fiber))

(define n 100000)

(define (spawn-all channels)
  (let loop ((i 0))
    (if (< i n)
        (let ((c (make-channel)))
          (vector-set! channels i c)
          (spawn-fiber (lambda () (get-message c)))
          (loop (+ i 1))))))

(run-fibers
 (lambda ()
   (let ((channels (make-vector n #f)))
     (spawn-all channels)
     (sleep 0.5)
     (vector-for-each (lambda (c) (put-message c 'done)) channels)
     (display n)
     (newline)))
 'drain? #t)
