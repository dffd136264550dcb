;; Scenes, and reading their descriptions: a text of forms, in any order.
;;
;;   (camera (from X Y Z) (to X Y Z) (zoom Z))
;;   (sky (below R G B) (above R G B))
;;   (ambient K)
;;   (light (from X Y Z) (color R G B))
;;   (material NAME (color R G B) [(checker R G B SIZE)] [(mirror K)] [(shine K POWER)])
;;   (sphere MATERIAL (center X Y Z) (radius R))
;;   (plane MATERIAL (point X Y Z) (normal X Y Z))
;;
;; Colours run from 0 to 1. A material must come before the shapes that use it.
(define-library (scene)
  (export read-scene
          scene-camera scene-below scene-above scene-ambient scene-lights scene-shapes
          camera-from camera-to camera-zoom
          light-from light-color
          material-color material-checker material-checker-size material-mirror material-shine material-power
          sphere? sphere-center sphere-radius
          plane? plane-point plane-normal
          shape-material)
  (import (scheme base) (scheme cxr) (scheme read) (vec3))
  (begin

    (define-record-type <scene>
      (make-scene camera below above ambient lights shapes)
      scene?
      (camera scene-camera set-scene-camera!)
      (below scene-below set-scene-below!)
      (above scene-above set-scene-above!)
      (ambient scene-ambient set-scene-ambient!)
      (lights scene-lights set-scene-lights!)
      (shapes scene-shapes set-scene-shapes!))

    (define-record-type <camera>
      (make-camera from to zoom)
      camera?
      (from camera-from)
      (to camera-to)
      (zoom camera-zoom))

    (define-record-type <light>
      (make-light from color)
      light?
      (from light-from)
      (color light-color))

    ;; checker is a second colour, or #f; mirror and shine are shares from 0 to 1.
    (define-record-type <material>
      (make-material color checker checker-size mirror shine power)
      material?
      (color material-color)
      (checker material-checker)
      (checker-size material-checker-size)
      (mirror material-mirror)
      (shine material-shine)
      (power material-power))

    (define-record-type <sphere>
      (make-sphere center radius material)
      sphere?
      (center sphere-center)
      (radius sphere-radius)
      (material sphere-material))

    (define-record-type <plane>
      (make-plane point normal material)
      plane?
      (point plane-point)
      (normal plane-normal)
      (material plane-material))

    (define (shape-material shape)
      (if (sphere? shape) (sphere-material shape) (plane-material shape)))

    ;; Reading

    (define (flonum x form)
      (if (real? x) (inexact x) (error "expected a number in" form)))

    (define (numbers->vec3 l form)
      (unless (and (list? l) (= (length l) 3))
        (error "expected three numbers in" form))
      (vec3 (flonum (car l) form) (flonum (cadr l) form) (flonum (caddr l) form)))

    ;; The rest of the part of FORM that begins with NAME, or #f.
    (define (part form name)
      (let loop ((l (cdr form)))
        (cond ((null? l) #f)
              ((and (pair? (car l)) (eq? (caar l) name)) (cdar l))
              (else (loop (cdr l))))))

    (define (needed form name)
      (or (part form name) (error "a part is missing" name form)))

    (define (vec3-part form name) (numbers->vec3 (needed form name) form))

    (define (number-part form name default)
      (let ((l (part form name)))
        (cond (l (flonum (car l) form))
              (default default)
              (else (error "a part is missing" name form)))))

    (define (read-material form)
      (let ((checker (part form 'checker)) (shine (part form 'shine)))
        (make-material (vec3-part form 'color)
                       (and checker
                            (numbers->vec3 (list (car checker) (cadr checker) (caddr checker)) form))
                       (and checker (flonum (cadddr checker) form))
                       (number-part form 'mirror 0.0)
                       (if shine (flonum (car shine) form) 0.0)
                       (if shine (cadr shine) 1))))

    (define (add-form! scene materials form)
      (define (material)
        (let ((entry (assq (cadr form) materials)))
          (if entry (cdr entry) (error "unknown material" (cadr form)))))
      (define (add-shape! shape) (set-scene-shapes! scene (cons shape (scene-shapes scene))))
      (unless (pair? form) (error "expected a form in parentheses" form))
      (case (car form)
        ((camera)
         (set-scene-camera! scene (make-camera (vec3-part form 'from) (vec3-part form 'to)
                                               (number-part form 'zoom 1.0))))
        ((sky)
         (set-scene-below! scene (vec3-part form 'below))
         (set-scene-above! scene (vec3-part form 'above)))
        ((ambient) (set-scene-ambient! scene (flonum (cadr form) form)))
        ((light)
         (set-scene-lights! scene (cons (make-light (vec3-part form 'from) (vec3-part form 'color))
                                        (scene-lights scene))))
        ((sphere)
         (add-shape! (make-sphere (vec3-part form 'center) (number-part form 'radius #f) (material))))
        ((plane)
         (add-shape! (make-plane (vec3-part form 'point) (vec3-unit (vec3-part form 'normal)) (material))))
        (else (error "unknown kind of form" form))))

    ;; The scene that PORT describes; raises an error that names the form at fault.
    (define (read-scene port)
      (let ((scene (make-scene (make-camera (vec3 0.0 0.0 -5.0) (vec3 0.0 0.0 0.0) 1.0)
                               (vec3 1.0 1.0 1.0) (vec3 0.5 0.7 1.0) 0.1 '() '())))
        (let loop ((materials '()))
          (let ((form (read port)))
            (cond ((eof-object? form)
                   (set-scene-lights! scene (reverse (scene-lights scene)))
                   (set-scene-shapes! scene (reverse (scene-shapes scene)))
                   scene)
                  ((and (pair? form) (eq? (car form) 'material))
                   (loop (cons (cons (cadr form) (read-material form)) materials)))
                  (else
                   (add-form! scene materials form)
                   (loop materials)))))))))
