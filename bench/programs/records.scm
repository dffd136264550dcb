;; records: makes, reads and changes records: accounts between which money moves.
;; Result: the sum of all that moved, the total of the balances, the count of changes.
;; Expected: n(n+1)/2; nothing is made or lost; two changes and one fee entry for each move.
(import (scheme base) (scheme write) (scheme process-context))

(define-record-type <account>
  (make-account owner balance)
  account?
  (owner account-owner)
  (balance account-balance set-account-balance!)
  (changes account-changes set-account-changes!))

(define-record-type <transfer>
  (make-transfer from to amount)
  transfer?
  (from transfer-from)
  (to transfer-to)
  (amount transfer-amount))

(define (new-account owner)
  (let ((a (make-account owner 0)))
    (set-account-changes! a 0)
    a))

(define (change! a amount)
  (set-account-balance! a (+ (account-balance a) amount))
  (set-account-changes! a (+ (account-changes a) 1)))

(define (run-transfer! t fees)
  (change! (transfer-from t) (- (transfer-amount t)))
  (change! (transfer-to t) (transfer-amount t))
  (change! fees 0)
  (transfer-amount t))

(define (main n)
  (let* ((a (new-account 'a)) (b (new-account 'b)) (c (new-account 'c)) (fees (new-account 'bank)))
    (let loop ((i 1) (moved 0) (from a) (to b) (next c))
      (if (> i n)
          (list moved
                (+ (account-balance a) (account-balance b) (account-balance c)
                   (account-balance fees))
                (+ (account-changes a) (account-changes b) (account-changes c)
                   (account-changes fees)))
          (loop (+ i 1)
                (+ moved (run-transfer! (make-transfer from to i) fees))
                to next from)))))

(let ((got (main 1500000)) (want '(1125000750000 0 4500000)))
  (cond ((equal? got want) (display "records ok") (newline))
        (else (display "records: wrong result: ") (write got) (newline) (exit 1))))
