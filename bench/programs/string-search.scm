;; string-search: counts a pattern in a Fibonacci word by three methods: plain, Knuth-Morris-Pratt, Horspool.
;; Expected: the Fibonacci word of length F(n+1) (with F(1) = F(2) = 1) holds "ab" as often as it holds "b",
;; each "b" standing behind an "a": F(n-1) times.
(import (scheme base) (scheme write) (scheme process-context))

;; s(1) = "b", s(2) = "a", s(k) = s(k-1) s(k-2)
(define (fibonacci-word n)
  (let loop ((i 2) (a "a") (b "b"))
    (if (= i n) a (loop (+ i 1) (string-append a b) a))))

(define (matches-at? text pattern at)
  (let loop ((i 0))
    (or (= i (string-length pattern))
        (and (char=? (string-ref pattern i) (string-ref text (+ at i)))
             (loop (+ i 1))))))

(define (count-plain text pattern)
  (let ((last (- (string-length text) (string-length pattern))))
    (let loop ((at 0) (n 0))
      (cond ((> at last) n)
            ((matches-at? text pattern at) (loop (+ at 1) (+ n 1)))
            (else (loop (+ at 1) n))))))

;; border[i]: the length of the longest proper border of the first i characters
(define (borders pattern)
  (let* ((m (string-length pattern)) (border (make-vector (+ m 1) 0)))
    (vector-set! border 0 -1)
    (let loop ((i 0) (k -1))
      (cond ((= i m) border)
            ((and (>= k 0) (not (char=? (string-ref pattern i) (string-ref pattern k))))
             (loop i (vector-ref border k)))
            (else (vector-set! border (+ i 1) (+ k 1))
                  (loop (+ i 1) (+ k 1)))))))

(define (count-kmp text pattern)
  (let ((border (borders pattern)) (m (string-length pattern)))
    (let loop ((i 0) (k 0) (n 0))
      (cond ((= k m) (loop i (vector-ref border k) (+ n 1)))
            ((= i (string-length text)) n)
            ((< k 0) (loop (+ i 1) 0 n))
            ((char=? (string-ref text i) (string-ref pattern k)) (loop (+ i 1) (+ k 1) n))
            (else (loop i (vector-ref border k) n))))))

(define (count-horspool text pattern)
  (let* ((m (string-length pattern)) (shift (make-vector 128 m)))
    (do ((i 0 (+ i 1)))
        ((= i (- m 1)))
      (vector-set! shift (char->integer (string-ref pattern i)) (- m 1 i)))
    (let loop ((at 0) (n 0))
      (if (> (+ at m) (string-length text))
          n
          (loop (+ at (vector-ref shift (char->integer (string-ref text (+ at m -1)))))
                (if (matches-at? text pattern at) (+ n 1) n))))))

(define (main n)
  (let ((text (fibonacci-word n)))
    (do ((i 0 (+ i 1))
         (r #f (list (count-plain text "ab") (count-kmp text "ab") (count-horspool text "ab"))))
        ((= i 60) r))))

(let ((got (main 24)) (want '(17711 17711 17711)))
  (cond ((equal? got want) (display "string-search ok") (newline))
        (else (display "string-search: wrong result: ") (write got) (newline) (exit 1))))
