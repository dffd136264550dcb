;; What stands inside a paragraph: emphasis, code, links, images, line breaks.
;;
;; The text is cut from left to right into pieces on a stack: finished HTML as strings, and runs of * or _ that may yet
;; turn out to open an emphasis. A run that can close looks down the stack for its opener; what lies between becomes one
;; finished piece. Runs that never find a partner are text.
(define-library (inline)
  (export inline->html link-target normalize-label)
  (import (scheme base) (scheme char) (html))
  (begin

    (define-record-type <run>
      (make-run char count opens? closes?)
      run?
      (char run-char)
      (count run-count)
      (opens? run-opens?)
      (closes? run-closes?))

    (define punctuation (string->list "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))
    (define (punctuation? c) (and (memv c punctuation) #t))

    ;; The index of the first character of TEXT from START that is OK?, or the length of TEXT.
    (define (find text start ok?)
      (let loop ((i start))
        (cond ((>= i (string-length text)) (string-length text))
              ((ok? (string-ref text i)) i)
              (else (loop (+ i 1))))))

    (define (run-end text start)
      (let ((c (string-ref text start)))
        (find text start (lambda (d) (not (char=? c d))))))

    (define (char-at text i)
      (if (< -1 i (string-length text)) (string-ref text i) #\newline))

    ;; LINKS is an association list from labels to (url . title), for links by reference.
    (define (inline->html text links)
      (convert text links #t))

    ;; LINKS-ALLOWED? is #f inside a link, where no other may stand.
    (define (convert text links links-allowed?)
      (let ((n (string-length text)))
        (let loop ((i 0) (stack '()))
          (define (push piece next) (loop next (cons piece stack)))
          (if (= i n)
              (join stack)
              (let ((c (string-ref text i)))
                (case c
                  ((#\\) (backslash text i push))
                  ((#\`) (code-span text i push))
                  ((#\* #\_)
                   (let ((end (run-end text i)))
                     (loop end (add-run (make-run* text i end) stack))))
                  ((#\!)
                   (if (char=? #\[ (char-at text (+ i 1)))
                       (link text (+ i 1) links image push (lambda () (push "!" (+ i 1))))
                       (push "!" (+ i 1))))
                  ((#\[)
                   (if links-allowed?
                       (link text i links anchor push (lambda () (push "[" (+ i 1))))
                       (push "[" (+ i 1))))
                  ((#\<) (autolink text i push))
                  ((#\&) (entity text i push))
                  ((#\newline) (line-break text i stack loop))
                  (else
                   (let ((end (find text (+ i 1) special?)))
                     (push (escape-text (substring text i end)) end)))))))))

    (define (special? c) (memv c '(#\\ #\` #\* #\_ #\! #\[ #\< #\& #\newline)))

    ;; Backslashes, entities, line ends

    (define (backslash text i push)
      (let ((next (char-at text (+ i 1))))
        (cond ((= (+ i 1) (string-length text)) (push "\\" (+ i 1)))
              ((char=? next #\newline) (push "<br />\n" (skip-spaces text (+ i 2))))
              ((punctuation? next) (push (escape-text (string next)) (+ i 2)))
              (else (push "\\" (+ i 1))))))

    (define (entity text i push)
      (let ((end (entity-end text i)))
        (if end
            (push (substring text i end) end)
            (push "&amp;" (+ i 1)))))

    (define (skip-spaces text i)
      (find text i (lambda (c) (not (char=? c #\space)))))

    ;; Two spaces at the end of a line make a break; fewer are dropped.
    (define (line-break text i stack loop)
      (let* ((before (if (and (pair? stack) (string? (car stack))) (car stack) ""))
             (bare (drop-ending-spaces before))
             (dropped (- (string-length before) (string-length bare))))
        (loop (skip-spaces text (+ i 1))
              (cons (if (>= dropped 2) "<br />\n" "\n")
                    (if (> dropped 0) (cons bare (cdr stack)) stack)))))

    (define (drop-ending-spaces text)
      (let loop ((end (string-length text)))
        (if (and (> end 0) (char=? #\space (string-ref text (- end 1))))
            (loop (- end 1))
            (substring text 0 end))))

    ;; Code

    ;; Where a run of COUNT backquotes begins, from I on, or #f.
    (define (closing-quotes text i count)
      (let ((start (find text i (lambda (c) (char=? c #\`)))))
        (cond ((= start (string-length text)) #f)
              ((= count (- (run-end text start) start)) start)
              (else (closing-quotes text (run-end text start) count)))))

    (define (code-span text i push)
      (let* ((start (run-end text i)) (end (closing-quotes text start (- start i))))
        (if end
            (push (tag "code" (escape-text (strip-code (substring text start end))))
                  (+ end (- start i)))
            (push (substring text i start) start))))

    ;; Line ends are spaces; one space is taken from both sides, unless there is nothing else.
    (define (strip-code code)
      (let* ((code (string-map (lambda (c) (if (char=? c #\newline) #\space c)) code))
             (n (string-length code)))
        (if (and (> n 1)
                 (char=? #\space (string-ref code 0))
                 (char=? #\space (string-ref code (- n 1)))
                 (< (skip-spaces code 0) n))
            (substring code 1 (- n 1))
            code)))

    ;; Emphasis

    ;; The run of TEXT from START to END, with what its neighbours let it do.
    (define (make-run* text start end)
      (let* ((c (string-ref text start))
             (before (char-at text (- start 1)))
             (after (char-at text end))
             (space-before? (char-whitespace? before))
             (space-after? (char-whitespace? after))
             (left? (and (not space-after?)
                         (or (not (punctuation? after)) space-before? (punctuation? before))))
             (right? (and (not space-before?)
                          (or (not (punctuation? before)) space-after? (punctuation? after)))))
        (if (char=? c #\*)
            (make-run c (- end start) left? right?)
            (make-run c (- end start)
                      (and left? (or (not right?) (punctuation? before)))
                      (and right? (or (not left?) (punctuation? after)))))))

    (define (opener-for? piece run)
      (and (run? piece)
           (run-opens? piece)
           (char=? (run-char piece) (run-char run))
           ;; The rule of three: **a*b** must not pair two with one.
           (not (and (or (run-closes? piece) (run-opens? run))
                     (= 0 (modulo (+ (run-count piece) (run-count run)) 3))
                     (not (and (= 0 (modulo (run-count piece) 3))
                               (= 0 (modulo (run-count run) 3))))))))

    ;; The stack from the nearest opener for RUN on, or #f.
    (define (find-opener stack run)
      (let loop ((l stack))
        (cond ((null? l) #f)
              ((opener-for? (car l) run) l)
              (else (loop (cdr l))))))

    (define (shorten run by)
      (make-run (run-char run) (- (run-count run) by) (run-opens? run) (run-closes? run)))

    (define (push-run run stack)
      (if (> (run-count run) 0) (cons run stack) stack))

    ;; STACK with RUN on it, after RUN has closed what it can.
    (define (add-run run stack)
      (let ((below (and (run-closes? run) (> (run-count run) 0) (find-opener stack run))))
        (if (not below)
            (push-run run stack)
            (let* ((opener (car below))
                   (used (if (and (>= (run-count opener) 2) (>= (run-count run) 2)) 2 1))
                   (content (join (pieces-above stack below)))
                   (element (tag (if (= used 2) "strong" "em") content)))
              (add-run (shorten run used)
                       (cons element (push-run (shorten opener used) (cdr below))))))))

    ;; The part of STACK above BELOW, as a stack.
    (define (pieces-above stack below)
      (if (eq? stack below)
          '()
          (cons (car stack) (pieces-above (cdr stack) below))))

    (define (join stack)
      (apply string-append
             (map (lambda (piece)
                    (if (run? piece)
                        (make-string (run-count piece) (run-char piece))
                        piece))
                  (reverse stack))))

    ;; Links

    ;; The index of the bracket that closes the one at I; code and escapes are passed over. #f if there is none.
    (define (closing-bracket text i)
      (let ((n (string-length text)))
        (let loop ((i (+ i 1)) (depth 1))
          (if (>= i n)
              #f
              (case (string-ref text i)
                ((#\\) (loop (+ i 2) depth))
                ((#\`)
                 (let* ((start (run-end text i)) (end (closing-quotes text start (- start i))))
                   (loop (if end (+ end (- start i)) start) depth)))
                ((#\[) (loop (+ i 1) (+ depth 1)))
                ((#\]) (if (= depth 1) i (loop (+ i 1) (- depth 1))))
                (else (loop (+ i 1) depth)))))))

    ;; A link or image whose bracket is at I: PUSHes what MAKE makes of its text, URL and title, else calls OTHERWISE.
    (define (link text i links make push otherwise)
      (let ((close (closing-bracket text i)))
        (if (not close)
            (otherwise)
            (let ((label (substring text (+ i 1) close)))
              (define (found target next)
                (if target
                    (push (make label (car target) (cdr target) links) next)
                    (otherwise)))
              (let-values (((target next) (link-target text (+ close 1))))
                (cond (target (found target next))
                      ((char=? #\[ (char-at text (+ close 1)))
                       (let ((end (closing-bracket text (+ close 1))))
                         (if end
                             (let ((name (substring text (+ close 2) end)))
                               (found (lookup (if (string=? name "") label name) links) (+ end 1)))
                             (otherwise))))
                      (else (found (lookup label links) (+ close 1)))))))))

    (define (lookup label links)
      (let ((entry (assoc (normalize-label label) links)))
        (and entry (cdr entry))))

    ;; Labels are the same whatever their letters' case and their spaces.
    (define (normalize-label label)
      (let loop ((chars (string->list (string-foldcase label))) (space? #f) (out '()))
        (cond ((null? chars) (list->string (reverse out)))
              ((char-whitespace? (car chars)) (loop (cdr chars) (pair? out) out))
              (else (loop (cdr chars) #f
                          (cons (car chars) (if space? (cons #\space out) out)))))))

    ;; (url) or (url "title") at I of TEXT: the pair of URL and title (or #f), and where it ends; #f and #f if it is none.
    (define (link-target text i)
      (if (not (char=? #\( (char-at text i)))
          (values #f #f)
          (let* ((start (skip-white text (+ i 1))) (end (url-end text start)))
            (if (not end)
                (values #f #f)
                (let* ((url (plain-url (substring text start end)))
                       (after (skip-white text end))
                       (quote-mark (char-at text after)))
                  (cond ((char=? quote-mark #\)) (values (cons url #f) (+ after 1)))
                        ((and (memv quote-mark '(#\" #\')) (> after end))
                         (with-title text after quote-mark url))
                        (else (values #f #f))))))))

    (define (with-title text start quote-mark url)
      (let* ((end (find text (+ start 1) (lambda (c) (char=? c quote-mark))))
             (after (skip-white text (+ end 1))))
        (if (char=? #\) (char-at text after))
            (values (cons url (unescape (substring text (+ start 1) end))) (+ after 1))
            (values #f #f))))

    (define (skip-white text i)
      (find text i (lambda (c) (not (char-whitespace? c)))))

    ;; Where the URL that begins at I ends: at a space or at a parenthesis that it did not open; after > if it is <...>.
    (define (url-end text i)
      (if (char=? #\< (char-at text i))
          (let ((end (find text i (lambda (c) (memv c '(#\> #\newline))))))
            (and (char=? #\> (char-at text end)) (+ end 1)))
          (let loop ((i i) (depth 0))
            (let ((c (char-at text i)))
              (cond ((>= i (string-length text)) #f)
                    ((char-whitespace? c) i)
                    ((and (char=? c #\\) (punctuation? (char-at text (+ i 1)))) (loop (+ i 2) depth))
                    ((char=? c #\() (loop (+ i 1) (+ depth 1)))
                    ((char=? c #\)) (if (= depth 0) i (loop (+ i 1) (- depth 1))))
                    (else (loop (+ i 1) depth)))))))

    (define (plain-url url)
      (if (and (> (string-length url) 1) (char=? #\< (string-ref url 0)))
          (unescape (substring url 1 (- (string-length url) 1)))
          (unescape url)))

    ;; TEXT without the backslashes before punctuation.
    (define (unescape text)
      (let loop ((chars (string->list text)) (out '()))
        (cond ((null? chars) (list->string (reverse out)))
              ((and (char=? #\\ (car chars)) (pair? (cdr chars)) (punctuation? (cadr chars)))
               (loop (cddr chars) (cons (cadr chars) out)))
              (else (loop (cdr chars) (cons (car chars) out))))))

    (define (title-attribute title)
      (if title (string-append " title=\"" (escape-text title) "\"") ""))

    (define (anchor label url title links)
      (string-append "<a href=\"" (escape-url url) "\"" (title-attribute title) ">"
                     (convert label links #f) "</a>"))

    (define (image label url title links)
      (string-append "<img src=\"" (escape-url url) "\" alt=\""
                     (without-tags (convert label links #t)) "\"" (title-attribute title) " />"))

    ;; HTML's text alone, for where no elements may stand.
    (define (without-tags html)
      (let ((out (open-output-string)))
        (let loop ((chars (string->list html)) (inside? #f))
          (cond ((null? chars) (get-output-string out))
                ((char=? #\< (car chars)) (loop (cdr chars) #t))
                ((char=? #\> (car chars)) (loop (cdr chars) #f))
                (else
                 (unless inside? (write-char (car chars) out))
                 (loop (cdr chars) inside?))))))

    ;; <https://...> and <name@place>; any other < is text.
    (define (autolink text i push)
      (let* ((end (find text (+ i 1) (lambda (c) (or (char-whitespace? c) (memv c '(#\< #\>))))))
             (inside (substring text (+ i 1) end)))
        (define (push-link prefix)
          (push (string-append "<a href=\"" prefix (escape-url inside) "\">" (escape-text inside) "</a>")
                (+ end 1)))
        (cond ((not (char=? #\> (char-at text end))) (push "&lt;" (+ i 1)))
              ((scheme? inside) (push-link ""))
              ((address? inside) (push-link "mailto:"))
              (else (push "&lt;" (+ i 1))))))

    (define (scheme? text)
      (let ((colon (find text 0 (lambda (c) (char=? c #\:)))))
        (and (< 1 colon (string-length text))
             (= colon (find text 0 (lambda (c) (not (char-alphabetic? c))))))))

    (define (address? text)
      (let ((at (find text 0 (lambda (c) (char=? c #\@)))))
        (and (< 0 at (- (string-length text) 1))
             (= (string-length text)
                (find text (+ at 1)
                      (lambda (c) (not (or (char-alphabetic? c) (char-numeric? c) (memv c '(#\. #\-)))))))
             (= at (find text 0 (lambda (c) (memv c '(#\@ #\\ #\:))))))))))
