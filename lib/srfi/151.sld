;; SRFI 151: integers as bit strings. The basic operations are Hone's own; the rest is
;; made of them.
(define-library (srfi 151)
  (export
   bitwise-not bitwise-and bitwise-ior bitwise-xor bitwise-eqv bitwise-nand bitwise-nor
   bitwise-andc1 bitwise-andc2 bitwise-orc1 bitwise-orc2
   arithmetic-shift bit-count integer-length bitwise-if
   bit-set? copy-bit bit-swap any-bit-set? every-bit-set? first-set-bit
   bit-field bit-field-any? bit-field-every? bit-field-clear bit-field-set
   bit-field-replace bit-field-replace-same bit-field-rotate bit-field-reverse
   bits->list list->bits bits->vector vector->bits bits
   bitwise-fold bitwise-for-each bitwise-unfold make-bitwise-generator)
  (import (scheme base)
          (scheme case-lambda)
          (only (hone prim) bitwise-not bitwise-and bitwise-ior bitwise-xor arithmetic-shift
                bit-count integer-length first-set-bit bit-set?)
          (srfi checks))
  (begin
    (define (check-field who start end)
      (if (not (and (exact-integer? start) (exact-integer? end) (<= 0 start end)))
          (error (string-append who ": bad field") start end)))

    ;; The word size in which long bit strings are taken apart and put together, so that each
    ;; step on a bit is fixnum arithmetic.
    (define word 48)

    ;; N ones.
    (define (mask n) (bitwise-not (arithmetic-shift -1 n)))

    (define (field-mask start end) (arithmetic-shift (mask (- end start)) start))

    ;; Boolean functions

    (define bitwise-eqv
      (case-lambda
        (() -1)
        ((i) i)
        ((i j) (bitwise-not (bitwise-xor i j)))
        ((i j . rest)
         (let loop ((acc (bitwise-eqv i j)) (rest rest))
           (if (pair? rest)
               (loop (bitwise-eqv acc (car rest)) (cdr rest))
               acc)))))

    (define (bitwise-nand i j) (bitwise-not (bitwise-and i j)))
    (define (bitwise-nor i j) (bitwise-not (bitwise-ior i j)))
    (define (bitwise-andc1 i j) (bitwise-and (bitwise-not i) j))
    (define (bitwise-andc2 i j) (bitwise-and i (bitwise-not j)))
    (define (bitwise-orc1 i j) (bitwise-ior (bitwise-not i) j))
    (define (bitwise-orc2 i j) (bitwise-ior i (bitwise-not j)))

    (define (bitwise-if mask i j)
      (bitwise-xor j (bitwise-and mask (bitwise-xor i j))))

    ;; Single bits

    (define (copy-bit index i boolean)
      (check-natural "copy-bit" index)
      (let ((bit (arithmetic-shift 1 index)))
        (if boolean
            (bitwise-ior i bit)
            (bitwise-and i (bitwise-not bit)))))

    (define (bit-swap index1 index2 i)
      (if (eq? (bit-set? index1 i) (bit-set? index2 i))
          i
          (bitwise-xor i (bitwise-ior (arithmetic-shift 1 index1) (arithmetic-shift 1 index2)))))

    (define (any-bit-set? test-bits i) (not (= 0 (bitwise-and test-bits i))))
    (define (every-bit-set? test-bits i) (= test-bits (bitwise-and test-bits i)))

    ;; Fields

    (define (field i start end)
      (bitwise-and (arithmetic-shift i (- start)) (mask (- end start))))

    (define (bit-field i start end)
      (check-field "bit-field" start end)
      (field i start end))

    (define (bit-field-any? i start end)
      (check-field "bit-field-any?" start end)
      (not (= 0 (field i start end))))

    (define (bit-field-every? i start end)
      (check-field "bit-field-every?" start end)
      (= (mask (- end start)) (field i start end)))

    (define (bit-field-clear i start end)
      (check-field "bit-field-clear" start end)
      (bitwise-and i (bitwise-not (field-mask start end))))

    (define (bit-field-set i start end)
      (check-field "bit-field-set" start end)
      (bitwise-ior i (field-mask start end)))

    (define (bit-field-replace dest source start end)
      (check-field "bit-field-replace" start end)
      (bitwise-if (field-mask start end) (arithmetic-shift source start) dest))

    (define (bit-field-replace-same dest source start end)
      (check-field "bit-field-replace-same" start end)
      (bitwise-if (field-mask start end) source dest))

    (define (bit-field-rotate i count start end)
      (check-field "bit-field-rotate" start end)
      (let ((width (- end start)))
        (if (= width 0)
            i
            (let ((left (modulo count width)) (bits (field i start end)))
              (bit-field-replace i
                                 (bitwise-ior (arithmetic-shift bits left)
                                              (arithmetic-shift bits (- left width)))
                                 start end)))))

    ;; The WIDTH low bits of I in reverse; wide fields by halves.
    (define (reverse-bits i width)
      (if (> width word)
          (let ((half (quotient width 2)))
            (bitwise-ior (arithmetic-shift (reverse-bits (field i 0 half) half) (- width half))
                         (reverse-bits (field i half width) (- width half))))
          (let loop ((i i) (n width) (acc 0))
            (if (= n 0)
                acc
                (loop (arithmetic-shift i -1)
                      (- n 1)
                      (bitwise-ior (arithmetic-shift acc 1) (bitwise-and i 1)))))))

    (define (bit-field-reverse i start end)
      (check-field "bit-field-reverse" start end)
      (bit-field-replace i (reverse-bits (field i start end) (- end start)) start end))

    ;; Conversion

    (define bits->list
      (case-lambda
        ((i) (bits->list i (integer-length i)))
        ((i len)
         (check-natural "bits->list" i)
         (check-natural "bits->list" len)
         (reverse (reversed-bits i len)))))

    (define (reversed-bits i len) (fold-bits cons '() i len))

    (define bits->vector
      (case-lambda
        ((i) (bits->vector i (integer-length i)))
        ((i len) (list->vector (bits->list i len)))))

    ;; Whole words gather in ACC; the present one, so far WORD-BITS with N bits, goes to SHIFT.
    (define (list->bits lis)
      (let loop ((l lis) (acc 0) (shift 0) (word-bits 0) (n 0))
        (cond ((= n word)
               (loop l (bitwise-ior acc (arithmetic-shift word-bits shift)) (+ shift word) 0 0))
              ((pair? l)
               (loop (cdr l) acc shift
                     (if (car l) (bitwise-ior word-bits (arithmetic-shift 1 n)) word-bits)
                     (+ n 1)))
              ((null? l) (bitwise-ior acc (arithmetic-shift word-bits shift)))
              (else (error "list->bits: not a proper list" lis)))))

    (define (vector->bits v) (list->bits (vector->list v)))
    (define (bits . booleans) (list->bits booleans))

    ;; Folds

    ;; Folds over LEN bits of I, as booleans, from bit 0 on.
    (define (fold-bits proc seed i len)
      (let outer ((i i) (len len) (acc seed))
        (let ((n (min len word)))
          (let loop ((bits (bitwise-and i (mask n))) (k n) (acc acc))
            (cond ((> k 0)
                   (loop (arithmetic-shift bits -1) (- k 1) (proc (odd? bits) acc)))
                  ((> len n) (outer (arithmetic-shift i (- n)) (- len n) acc))
                  (else acc))))))

    (define (bitwise-fold proc seed i) (fold-bits proc seed i (integer-length i)))

    (define (bitwise-for-each proc i)
      (fold-bits (lambda (bit acc) (proc bit) acc) #f i (integer-length i)))

    (define (bitwise-unfold stop? mapper successor seed)
      (let loop ((state seed) (acc '()))
        (if (stop? state)
            (list->bits (reverse acc))
            (let ((bit (mapper state)))
              (loop (successor state) (cons bit acc))))))

    (define (make-bitwise-generator i)
      (lambda ()
        (let ((bit (odd? i)))
          (set! i (arithmetic-shift i -1))
          bit)))))
