(define-library (suite expand)
  (cond-expand
    (no-such-feature (import (no such library)))
    (r7rs (import (scheme base)) (export expanded expanded-library)))
  (cond-expand
    ((library (scheme base)) (begin (define expanded-library 'has-base)))
    (else (begin (define expanded-library 'lacks-base))))
  (begin (cond-expand (r7rs (define expanded 'r7rs)) (else (define expanded 'other)))))
