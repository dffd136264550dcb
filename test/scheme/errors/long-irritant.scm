(import (scheme base))
(error "cyclic irritant:" (let ((c (list 1 2))) (set-cdr! (cdr c) c) c))
