(import (scheme base) (hone fiber))
(define (work) (car 5))
(run-fibers (lambda () (spawn-fiber (lambda () (work) 1) 'name "the worker") (sleep 0.05)))
(run-fibers (lambda () (yield-current-task) (vector-ref (vector 1) 9)))
