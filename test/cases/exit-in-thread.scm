;; exit from a second thread ends the process with its code.
(import (scheme base) (scheme write) (scheme process-context) (srfi 18))
(write 'before) (newline)
(thread-start! (make-thread (lambda () (exit 11))))
(thread-sleep! 30)
(write 'never) (newline)
