;; Statistics of the virtual machine's instructions: how often each ran, how long it took, and
;; how often each other followed it. They cost nothing while they are off.
(define-library (hone vm)
  (export %vm-dump-stats %vm-reset-stats %vm-collect-stats %with-profile-data %vm-config)
  (import (scheme base)
          (scheme case-lambda)
          (only (hone prim) %vm-dump-stats %vm-reset-stats %vm-stats-switch %vm-stats-on?
                %vm-config))
  (begin
    ;; (%vm-collect-stats) tells whether statistics are collected, (%vm-collect-stats on?)
    ;; switches them, and `parameterize` does so for the time of its body. It is one state for
    ;; all threads.
    (define %vm-collect-stats
      (case-lambda
        (() (%vm-stats-on?))
        ((on?) (%vm-stats-switch on?))))

    ;; The values of the body. The statistics of its run alone go to FILE, in FORMAT, the
    ;; symbol csv or scheme, however the body is left.
    (define-syntax %with-profile-data
      (syntax-rules ()
        ((_ file format body1 body2 ...)
         (call-with-statistics file format (lambda () body1 body2 ...)))))

    (define (call-with-statistics file format thunk)
      (let ((before #f))
        (dynamic-wind
         (lambda ()
           (set! before (%vm-stats-switch #f))
           (%vm-reset-stats)
           (%vm-stats-switch #t))
         thunk
         (lambda ()
           (%vm-stats-switch #f)
           (%vm-dump-stats file format)
           (%vm-stats-switch before)))))))
