;; Renders a scene to a picture in the PPM format (text, P3). `hone -A . main.scm --help` tells how.
(import (scheme base) (scheme file) (scheme process-context) (scheme write) (scene) (raytrace))

(define usage
  "usage: main.scm [--width N] [--height N] [--samples N] [--output FILE] SCENE

  --width N      pixels from left to right (default 160)
  --height N     pixels from top to bottom (default 120)
  --samples N    N by N rays for each pixel (default 1)
  --output FILE  where the picture goes (default: standard output)
")

(define (fail code . parts)
  (for-each (lambda (part) (display part (current-error-port))) parts)
  (newline (current-error-port))
  (exit code))

(define (write-ppm port width height pixel)
  (define (put . parts) (for-each (lambda (part) (display part port)) parts))
  (put "P3\n" width " " height "\n255\n")
  (do ((row 0 (+ row 1)))
      ((= row height))
    (do ((column 0 (+ column 1)))
        ((= column width))
      (let-values (((red green blue) (pixel column row)))
        (put red " " green " " blue (if (= column (- width 1)) "\n" "  "))))))

(define (count-of text option)
  (let ((n (string->number text)))
    (if (and n (exact-integer? n) (<= 1 n 10000))
        n
        (fail 2 option " takes a number from 1 to 10000, not " text))))

(define (load-scene file)
  (guard (e ((file-error? e) (fail 1 "cannot read " file))
            ((read-error? e) (fail 1 file ": not a text of forms"))
            ((error-object? e)
             (let ((out (open-output-string)))
               (for-each (lambda (irritant) (display " " out) (write irritant out))
                         (error-object-irritants e))
               (fail 1 file ": " (error-object-message e) (get-output-string out)))))
    (call-with-input-file file read-scene)))

(define (render file width height samples output)
  (let ((pixel (make-renderer (load-scene file) width height samples)))
    (if output
        (call-with-output-file output (lambda (port) (write-ppm port width height pixel)))
        (write-ppm (current-output-port) width height pixel))))

(define (main arguments)
  (let loop ((l arguments) (width 160) (height 120) (samples 1) (output #f) (file #f))
    (cond ((null? l)
           (if file
               (render file width height samples output)
               (fail 2 usage)))
          ((string=? (car l) "--help") (display usage))
          ((and (pair? (cdr l)) (string=? (car l) "--width"))
           (loop (cddr l) (count-of (cadr l) "--width") height samples output file))
          ((and (pair? (cdr l)) (string=? (car l) "--height"))
           (loop (cddr l) width (count-of (cadr l) "--height") samples output file))
          ((and (pair? (cdr l)) (string=? (car l) "--samples"))
           (loop (cddr l) width height (count-of (cadr l) "--samples") output file))
          ((and (pair? (cdr l)) (string=? (car l) "--output"))
           (loop (cddr l) width height samples (cadr l) file))
          (file (fail 2 usage))
          (else (loop (cdr l) width height samples output (car l))))))

(main (cdr (command-line)))
