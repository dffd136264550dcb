(define-record-type box (make-box width height) box? (width box-width) (height box-height))
(define (area b) (* (box-width b) (box-height b)))
(define (sum-of-sides b) (plus (plus (box-width b) (box-height b)) (plus (box-width b) (box-height b))))
