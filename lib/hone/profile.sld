;; The profiler, from inside a program. Sampling costs next to nothing; instrumenting counts
;; every execution of every line and makes the program slower. Both give their results in
;; the same shapes: association lists with the keys
;;
;;   name file line              the procedure (sample-counts) or the line; file may be #f
;;   self-ms total-ms samples    time by samples; CPU time, in milliseconds
;;   count                       executions
;;   objects bytes total-bytes live-objects live-bytes   allocation-counts; estimates
(define-library (hone profile)
  (export
   sample! stop-sampling! reset-samples! sampling? with-sampling
   sample-sources with-profile-labels
   sample-allocations! stop-sampling-allocations! reset-allocations! sampling-allocations?
   allocation-counts allocation-report write-allocations
   record-tail-calls!
   sample-report sample-counts sample-lines samples
   write-profile write-folded write-pprof
   profile-serve stop-profile-serve
   instrument! stop-instrumenting! line-counts reset-counts!)
  (import (scheme base)
          (scheme case-lambda)
          (hone prim))
  (begin
    ;; (sample! [interval-ms [depth [source]]]): samples all threads from here on. #f: the
    ;; default, a sample for each millisecond of CPU time, with the innermost 64 frames of the
    ;; stack. SOURCE is one of (sample-sources): safepoint (the default), signal, perf, wall.
    (define sample!
      (case-lambda
        (() (sample! #f #f #f))
        ((interval-ms) (sample! interval-ms #f #f))
        ((interval-ms depth) (sample! interval-ms depth #f))
        ((interval-ms depth source) (%sample-start interval-ms depth source))))

    ;; Which there are; sample! raises a condition of the kind `unsupported` where one is not to
    ;; be had on this machine.
    (define (sample-sources) (%sample-sources))

    (define (stop-sampling!) (%sample-stop))
    (define (reset-samples!) (%sample-reset))
    (define (sampling?) (%sample-running?))

    ;; (with-sampling (interval-ms depth source) body ...), with all, some or none of the three:
    ;; the values of the body, and behind them the sample-counts of its run alone. Sampling
    ;; stops however the body is left.
    (define-syntax with-sampling
      (syntax-rules ()
        ((_ (option ...) body1 body2 ...)
         (call-with-sampling (lambda () body1 body2 ...) option ...))))

    (define (call-with-sampling thunk . options)
      (call-with-values
       (lambda ()
         ;; While samples are taken, sample! refuses, and theirs are to stay.
         (if (not (sampling?)) (reset-samples!))
         (dynamic-wind
          (lambda () (apply sample! options))
          thunk
          stop-sampling!))
       (lambda results
         (apply values (append results (list (sample-counts)))))))

    ;; (with-profile-labels (("request" . "GET /x") ...) body ...): the values of the body,
    ;; whose samples carry these labels beside those around it, also in threads and fibers that
    ;; start inside. Keys and values are expressions that give strings; a value "" takes a label
    ;; off.
    (define-syntax with-profile-labels
      (syntax-rules ()
        ((_ ((key . value) ...) body1 body2 ...)
         (call-with-profile-labels (list (cons key value) ...) (lambda () body1 body2 ...)))))

    (define (call-with-profile-labels labels thunk)
      (let ((outside #f)
            (inside (let loop ((set (%current-labels)) (l labels))
                      (if (null? l)
                          set
                          (loop (%profile-labels set (caar l) (cdar l)) (cdr l))))))
        (dynamic-wind
         (lambda ()
           (set! outside (%current-labels))
           (%set-current-labels! inside))
         thunk
         (lambda () (%set-current-labels! outside)))))

    ;; The report as `hone run --profile` prints it, as a string, with so many rows.
    (define sample-report
      (case-lambda
        (() (%sample-report #f))
        ((rows) (%sample-report rows))))

    ;; ROWS are vectors; KEYS names their elements.
    (define (rows->alists keys rows)
      (map (lambda (row) (map cons keys (vector->list row))) rows))

    (define (sample-counts)
      (rows->alists '(name file line self-ms total-ms samples) (%sample-counts)))
    (define (sample-lines)
      (rows->alists '(name file line self-ms samples) (%sample-lines)))
    (define (line-counts)
      (rows->alists '(name file line count) (%line-counts)))

    ;; Each distinct stack: its samples, self-ms, thread, and frames, innermost first.
    (define (samples)
      (map (lambda (row)
             (list (cons 'samples (car row))
                   (cons 'self-ms (cadr row))
                   (cons 'thread (list-ref row 2))
                   (cons 'frames (rows->alists '(name file line) (list-tail row 3)))))
           (%samples)))

    ;; By the extension of the file's name: .folded or .ticks, .pb.gz, .json, .csv, .scm, .txt.
    (define (write-profile file) (%sample-write file #f))
    (define (write-folded file) (%sample-write file 'folded))
    (define (write-pprof file) (%sample-write file 'pprof))

    ;; Serves profiles over HTTP, for `go tool pprof`, `hone top` and stores that scrape: at a
    ;; port of this machine alone, 0 for any that is free, or at an address as text, "HOST:PORT".
    ;; Returns the port.
    (define (profile-serve port) (%profile-serve port))
    (define (stop-profile-serve) (%profile-serve-stop))

    ;; (sample-allocations! [interval [depth]]): from here on one allocated object for each
    ;; INTERVAL bytes in the mean (#f: 512 KiB) is a sample. Independent of sample!.
    (define sample-allocations!
      (case-lambda
        (() (sample-allocations! #f #f))
        ((interval) (sample-allocations! interval #f))
        ((interval depth) (%alloc-start interval depth))))

    (define (stop-sampling-allocations!) (%alloc-stop))
    (define (reset-allocations!) (%alloc-reset))
    (define (sampling-allocations?) (%alloc-running?))

    ;; What each procedure has allocated itself, and (total-bytes) with what it called.
    (define (allocation-counts)
      (rows->alists '(name file line objects bytes total-bytes live-objects live-bytes samples)
                    (%alloc-counts)))

    ;; As `hone run --profile=alloc` prints it. (allocation-report rows live?): ROWS may be #f;
    ;; LIVE?: of what is still alive, by where it was allocated.
    (define allocation-report
      (case-lambda
        (() (%alloc-report #f #f))
        ((rows) (%alloc-report rows #f))
        ((rows live?) (%alloc-report rows live?))))

    ;; By the extension of the file's name, as write-profile.
    (define write-allocations
      (case-lambda
        ((file) (%alloc-write file #f))
        ((file live?) (%alloc-write file live?))))

    ;; Whether samples and backtraces show, from here on, procedures that have left by a recent
    ;; tail call, marked (tail). Gives what held before.
    (define (record-tail-calls! on?) (%record-tail-calls on?))

    (define (instrument!) (%count-start))
    (define (stop-instrumenting!) (%count-stop))
    (define (reset-counts!) (%count-reset))))
