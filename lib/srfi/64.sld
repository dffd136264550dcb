;; SRFI 64: test suites.
;;
;; A test form becomes one call with the name, the source form and thunks for what is computed;
;; the runner, a record, holds counts, the stack of groups, the active specifiers and the
;; call-backs that report. A group counts its own tests, and a group inside it as one.
(define-library (srfi 64)
  (export
   test-begin test-end test-group test-group-with-cleanup
   test-assert test-eqv test-eq test-equal test-approximate test-error test-read-eval-string
   test-match-name test-match-nth test-match-any test-match-all test-skip test-expect-fail
   test-apply test-with-runner
   test-result-kind test-passed? test-result-ref test-result-set! test-result-remove
   test-result-clear test-result-alist
   test-runner? test-runner-current test-runner-get test-runner-simple test-runner-null
   test-runner-create test-runner-factory test-runner-reset
   test-runner-pass-count test-runner-fail-count test-runner-xpass-count
   test-runner-xfail-count test-runner-skip-count test-runner-test-name
   test-runner-group-path test-runner-group-stack
   test-runner-aux-value test-runner-aux-value!
   test-runner-on-test-begin test-runner-on-test-begin!
   test-runner-on-test-end test-runner-on-test-end!
   test-runner-on-group-begin test-runner-on-group-begin!
   test-runner-on-group-end test-runner-on-group-end!
   test-runner-on-bad-count test-runner-on-bad-count!
   test-runner-on-bad-end-name test-runner-on-bad-end-name!
   test-runner-on-final test-runner-on-final!
   test-on-test-begin-simple test-on-test-end-simple
   test-on-group-begin-simple test-on-group-end-simple
   test-on-bad-count-simple test-on-bad-end-name-simple test-on-final-simple)
  (import (scheme base) (scheme case-lambda) (scheme eval) (scheme read) (scheme write))
  (include "64/runner.scm" "64/report.scm" "64/forms.scm"))
