;; Ten thousand fibers in a ring: numbers go round from channel to channel.
(import (scheme base) (scheme write) (scheme process-context) (hone fiber))

(define fibers 10000)
(define rounds 40)

(define (link from to)
  (spawn-fiber
   (lambda ()
     (let loop ((i 0))
       (when (< i rounds)
         (put-message to (+ 1 (get-message from)))
         (loop (+ i 1)))))))

(define (main)
  (let ((first (make-channel)))
    (let loop ((k 0) (from first))
      (if (< k fibers)
          (let ((to (make-channel)))
            (link from to)
            (loop (+ k 1) to))
          (let again ((i 0) (s 0))
            (if (= i rounds)
                s
                (begin
                  (put-message first 0)
                  (again (+ i 1) (+ s (get-message from))))))))))

(if (= (run-fibers main) (* rounds fibers))
    (begin (display "fibers ok") (newline))
    (exit 1))
