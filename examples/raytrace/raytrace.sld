;; Ray tracing: what colour a scene has along a ray, and a picture as a procedure of pixels.
;;
;; Only + - * / and sqrt are used, which IEEE arithmetic rounds exactly, so every system makes the same picture.
(define-library (raytrace)
  (export make-renderer)
  (import (scheme base) (scheme inexact) (vec3) (scene))
  (begin

    ;; A ray that leaves a surface must not meet it again for want of precision.
    (define near 1e-6)
    (define max-bounces 5)

    ;; Where a ray first meets a shape

    (define (hit-sphere sphere origin direction)
      (let* ((to-center (vec3- (sphere-center sphere) origin))
             (along (vec3-dot to-center direction))
             (radius (sphere-radius sphere))
             (inside (- (+ (* along along) (* radius radius)) (vec3-dot to-center to-center))))
        (and (> inside 0.0)
             (let* ((half (sqrt inside)) (first (- along half)) (second (+ along half)))
               (cond ((> first near) first)
                     ((> second near) second)
                     (else #f))))))

    (define (hit-plane plane origin direction)
      (let ((slope (vec3-dot (plane-normal plane) direction)))
        (and (not (= slope 0.0))
             (let ((t (/ (vec3-dot (plane-normal plane) (vec3- (plane-point plane) origin)) slope)))
               (and (> t near) t)))))

    ;; The distance, or #f.
    (define (hit shape origin direction)
      (if (sphere? shape)
          (hit-sphere shape origin direction)
          (hit-plane shape origin direction)))

    ;; The nearest shape and its distance, or #f and #f.
    (define (nearest shapes origin direction)
      (let loop ((l shapes) (best #f) (distance #f))
        (if (null? l)
            (values best distance)
            (let ((t (hit (car l) origin direction)))
              (if (and t (or (not distance) (< t distance)))
                  (loop (cdr l) (car l) t)
                  (loop (cdr l) best distance))))))

    (define (blocked? shapes origin direction distance)
      (let loop ((l shapes))
        (and (pair? l)
             (let ((t (hit (car l) origin direction)))
               (or (and t (< t distance))
                   (loop (cdr l)))))))

    ;; The outward direction at POINT, turned towards where the ray came from.
    (define (normal-at shape point direction)
      (let ((normal (if (sphere? shape)
                        (vec3-unit (vec3- point (sphere-center shape)))
                        (plane-normal shape))))
        (if (> (vec3-dot normal direction) 0.0)
            (vec3-scale normal -1.0)
            normal)))

    (define (reflect direction normal)
      (vec3- direction (vec3-scale normal (* 2.0 (vec3-dot direction normal)))))

    ;; Surfaces

    (define (color-at material point)
      (define (cell x) (exact (floor (/ (+ x near) (material-checker-size material)))))
      (if (and (material-checker material)
               (odd? (+ (cell (vec3-x point)) (cell (vec3-y point)) (cell (vec3-z point)))))
          (material-checker material)
          (material-color material)))

    (define (power x n)
      (if (= n 0) 1.0 (* x (power x (- n 1)))))

    ;; What LIGHT adds: matt light by the angle at which it falls, and a highlight where it is mirrored to the eye.
    (define (lit-by light scene material color point normal direction)
      (let* ((path (vec3- (light-from light) point))
             (distance (vec3-length path))
             (to-light (vec3-scale path (/ 1.0 distance)))
             (facing (vec3-dot normal to-light)))
        (if (or (<= facing 0.0) (blocked? (scene-shapes scene) point to-light distance))
            (vec3 0.0 0.0 0.0)
            (let* ((matt (vec3-scale (vec3* color (light-color light)) facing))
                   (mirrored (vec3-dot (reflect direction normal) to-light)))
              (if (and (> (material-shine material) 0.0) (> mirrored 0.0))
                  (vec3+ matt (vec3-scale (light-color light)
                                          (* (material-shine material)
                                             (power mirrored (material-power material)))))
                  matt)))))

    (define (surface-color scene shape point normal direction)
      (let* ((material (shape-material shape)) (color (color-at material point)))
        (let loop ((lights (scene-lights scene))
                   (sum (vec3-scale color (scene-ambient scene))))
          (if (null? lights)
              sum
              (loop (cdr lights)
                    (vec3+ sum (lit-by (car lights) scene material color point normal direction)))))))

    (define (sky-color scene direction)
      (vec3-mix (scene-below scene) (scene-above scene) (/ (+ 1.0 (vec3-y direction)) 2.0)))

    ;; The colour seen from ORIGIN in DIRECTION (a unit vector) after BOUNCES mirrorings.
    (define (trace scene origin direction bounces)
      (let-values (((shape distance) (nearest (scene-shapes scene) origin direction)))
        (if (not shape)
            (sky-color scene direction)
            (let* ((point (vec3-along origin direction distance))
                   (normal (normal-at shape point direction))
                   (own (surface-color scene shape point normal direction))
                   (mirror (material-mirror (shape-material shape))))
              (if (and (> mirror 0.0) (< bounces max-bounces))
                  (vec3-mix own
                            (trace scene point (vec3-unit (reflect direction normal)) (+ bounces 1))
                            mirror)
                  own)))))

    ;; Pictures

    ;; A procedure from places on the screen, x and y from -1 to 1 over the height, to directions of sight.
    (define (make-view camera)
      (let* ((forward (vec3-unit (vec3- (camera-to camera) (camera-from camera))))
             (right (vec3-unit (vec3-cross (vec3 0.0 1.0 0.0) forward)))
             (up (vec3-cross forward right))
             (ahead (vec3-scale forward (camera-zoom camera))))
        (lambda (x y)
          (vec3-unit (vec3+ ahead (vec3+ (vec3-scale right x) (vec3-scale up y)))))))

    ;; The square root evens out how screens show brightness (a gamma of 2).
    (define (byte-of x)
      (exact (floor (* 255.999 (sqrt (min 1.0 (max 0.0 x)))))))

    ;; A procedure of a pixel's column and row that returns red, green and blue, each from 0 to 255. Each pixel is the
    ;; mean of SAMPLES by SAMPLES rays.
    (define (make-renderer scene width height samples)
      (let ((view (make-view (scene-camera scene)))
            (eye (camera-from (scene-camera scene)))
            (half (/ (inexact height) 2.0))
            (step (/ 1.0 (inexact samples)))
            (share (/ 1.0 (inexact (* samples samples)))))
        (define (place pixel sample middle)
          (/ (- (+ (inexact pixel) (* step (+ 0.5 (inexact sample)))) middle) half))
        (define (sample column row i)
          (trace scene eye
                 (view (place column (remainder i samples) (/ (inexact width) 2.0))
                       (- (place row (quotient i samples) half)))
                 0))
        (lambda (column row)
          (let loop ((i 0) (sum (vec3 0.0 0.0 0.0)))
            (if (= i (* samples samples))
                (let ((mean (vec3-scale sum share)))
                  (values (byte-of (vec3-x mean)) (byte-of (vec3-y mean)) (byte-of (vec3-z mean))))
                (loop (+ i 1) (vec3+ sum (sample column row i))))))))))
