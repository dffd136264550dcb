(import (scheme base))
(with-exception-handler
  (lambda (e) 'ignored)
  (lambda () (+ 1 (raise 'needs-an-answer))))
