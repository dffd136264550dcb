;; An index: for each word how often it stands in a text, and on which lines.
(define-library (index)
  (export make-index index-add! index-size index-total
          index-most-frequent index-alphabetical
          entry-word entry-count entry-lines
          lines->string)
  (import (scheme base) (only (srfi 1) take) (srfi 69) (srfi 132))
  (begin

    ;; lines is a list of numbers, the last first, each once.
    (define-record-type <entry>
      (make-entry word count lines)
      entry?
      (word entry-word)
      (count entry-count set-entry-count!)
      (lines entry-lines set-entry-lines!))

    (define (make-index) (make-hash-table string=? string-hash))

    (define (index-add! index word line)
      (let ((entry (hash-table-ref index word
                                   (lambda ()
                                     (let ((entry (make-entry word 0 '())))
                                       (hash-table-set! index word entry)
                                       entry)))))
        (set-entry-count! entry (+ 1 (entry-count entry)))
        (unless (and (pair? (entry-lines entry)) (= line (car (entry-lines entry))))
          (set-entry-lines! entry (cons line (entry-lines entry))))))

    ;; How many different words, and how many words in all.
    (define (index-size index) (hash-table-size index))
    (define (index-total index)
      (hash-table-fold index (lambda (word entry sum) (+ sum (entry-count entry))) 0))

    (define (before? a b) (string<? (entry-word a) (entry-word b)))

    (define (more-frequent? a b)
      (or (> (entry-count a) (entry-count b))
          (and (= (entry-count a) (entry-count b))
               (before? a b))))

    ;; The N commonest entries, or all if there are fewer; equals in the order of the alphabet.
    (define (index-most-frequent index n)
      (let ((entries (list-sort more-frequent? (hash-table-values index))))
        (take entries (min n (length entries)))))

    (define (index-alphabetical index)
      (list-sort before? (hash-table-values index)))

    ;; Line numbers (the last first) as text, runs of three and more drawn together: "3, 5-9, 12, 13".
    (define (lines->string lines)
      (let loop ((runs (runs-of lines)) (text ""))
        (if (null? runs)
            text
            (loop (cdr runs)
                  (string-append text
                                 (if (string=? text "") "" ", ")
                                 (run->string (car runs)))))))

    (define (run->string run)
      (let ((low (number->string (car run))) (high (number->string (cdr run))))
        (case (- (cdr run) (car run))
          ((0) low)
          ((1) (string-append low ", " high))
          (else (string-append low "-" high)))))

    ;; Pairs (low . high) in rising order.
    (define (runs-of lines)
      (let loop ((lines lines) (runs '()))
        (cond ((null? lines) runs)
              ((and (pair? runs) (= (car lines) (- (caar runs) 1)))
               (loop (cdr lines) (cons (cons (car lines) (cdar runs)) (cdr runs))))
              (else
               (loop (cdr lines) (cons (cons (car lines) (car lines)) runs))))))))
