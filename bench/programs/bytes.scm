;; bytes: Adler-32 checksums over bytevectors, and a copy reversed byte by byte.
;; Result: the checksum of "Wikipedia", and bytes that differ after reversing twice.
;; Expected: 0x11E60398 = 300286872 (the known example), 0.
(import (scheme base) (scheme write) (scheme process-context))

(define (adler32 bytes)
  (let loop ((i 0) (a 1) (b 0))
    (if (= i (bytevector-length bytes))
        (+ (* 65536 b) a)
        (let ((a (modulo (+ a (bytevector-u8-ref bytes i)) 65521)))
          (loop (+ i 1) a (modulo (+ a b) 65521))))))

(define (reversed bytes)
  (let* ((n (bytevector-length bytes)) (r (make-bytevector n 0)))
    (do ((i 0 (+ i 1)))
        ((= i n) r)
      (bytevector-u8-set! r (- n i 1) (bytevector-u8-ref bytes i)))))

(define (different a b)
  (let loop ((i 0) (n 0))
    (cond ((= i (bytevector-length a)) n)
          ((= (bytevector-u8-ref a i) (bytevector-u8-ref b i)) (loop (+ i 1) n))
          (else (loop (+ i 1) (+ n 1))))))

(define (counting-bytes n)
  (let ((b (make-bytevector n 0)))
    (do ((i 0 (+ i 1))) ((= i n) b) (bytevector-u8-set! b i (modulo (* i 7) 256)))))

(define (main n)
  (let ((bytes (counting-bytes n)) (name (bytevector 87 105 107 105 112 101 100 105 97)))
    (do ((i 0 (+ i 1))
         (r #f (let ((twice (reversed (reversed bytes))))
                 (list (adler32 name)
                       (+ (different bytes twice)
                          (if (= (adler32 bytes) (adler32 twice)) 0 1))))))
        ((= i 20) r))))

(let ((got (main 200000)) (want '(300286872 0)))
  (cond ((equal? got want) (display "bytes ok") (newline))
        (else (display "bytes: wrong result: ") (write got) (newline) (exit 1))))
