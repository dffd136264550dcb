;; (hone fiber): fibers, channels, operations, under the names of Guile's fibers library.
;;
;; Switching, channels and timers are C (src/fiber): control procedures, which switch stacks, and
;; primitives. Here are what takes procedures: the loop of a carrier, operations as data, errors,
;; interrupts. Options are symbols followed by their values.
(define-library (hone fiber)
  (export
   run-fibers spawn-fiber yield-current-task yield-current-fiber current-fiber fiber? fiber-name
   sleep
   make-channel channel? put-message get-message
   make-condition condition? signal-condition! wait
   perform-operation choice-operation wrap-operation operation?
   put-operation get-operation wait-operation sleep-operation timer-operation
   call-interruptible interrupt! call-with-timeout)
  (import (scheme base)
          (scheme case-lambda)
          (only (hone base) %travel %set-take-interrupt!)
          (hone prim))
  (include "fiber/operations.scm" "fiber/interrupts.scm" "fiber/run.scm"))
