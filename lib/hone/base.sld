;; (hone base): the part of the standard that takes procedures or is control. What needs
;; neither is made in C and comes from (hone prim). This library is read at every start, so
;; it is kept small and uses no macros.
;;
;; The expander puts calls of %guard, %parameterize, %make-lazy-promise, %make-forced-promise
;; and error into programs; the virtual machine calls %raise-from-c.
(define-library (hone base)
  (export
   ;; control
   call-with-current-continuation call/cc dynamic-wind %travel call-with-values
   with-exception-handler raise raise-continuable error %raise-condition %raise-from-c
   %set-take-interrupt!
   error-object? error-object-message error-object-irritants
   error-object-kind error-object-who read-error? file-error?
   %guard %parameterize make-parameter
   %make-lazy-promise %make-forced-promise make-promise promise? force
   ;; sequences
   map for-each append-map filter fold-left fold-right reduce delete
   member assoc list-sort sort
   string-map string-for-each vector-map vector-for-each
   ;; ports, evaluation, the process
   current-input-port current-output-port current-error-port
   call-with-port call-with-input-file call-with-output-file
   with-input-from-file with-output-to-file
   call-with-output-string with-output-to-string with-input-from-string
   eval load environment interaction-environment
   scheme-report-environment null-environment
   exit features)
  (import (hone syntax) (hone prim))
  (include "base/control.scm" "base/sequences.scm" "base/system.scm"))
