;; Ends a suite of SRFI 64 as the runner of the language tests wants it: with a last line
;; "NAME: P passed, F failed", and the exit code 1 if anything failed.
(define-library (suite)
  (export suite-end)
  (import (scheme base) (scheme process-context) (scheme write) (srfi 64))
  (begin
    (define (suite-end name)
      (let ((runner (test-runner-get)))
        (test-end name)
        (let ((passed (+ (test-runner-pass-count runner) (test-runner-xfail-count runner)))
              (failed (+ (test-runner-fail-count runner) (test-runner-xpass-count runner))))
          (for-each display (list name ": " passed " passed, " failed " failed"))
          (newline)
          (exit (= failed 0)))))))
