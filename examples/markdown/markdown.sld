;; Markdown to HTML, after CommonMark: blocks here, what stands inside them in (inline).
;;
;; Not supported: raw HTML (its signs are put as entities) and link definitions over several lines.
;;
;; First the lines become a tree of blocks:
;;   (heading LEVEL TEXT)  (paragraph TEXT)  (code INFO TEXT)  (rule)
;;   (quote BLOCK ...)     (list KIND START TIGHT? ITEM ...), an item being a list of blocks
;; Link definitions are taken out on the way, as a link may stand before its definition. Then the tree is written.
(define-library (markdown)
  (export markdown->html)
  (import (scheme base) (only (srfi 1) every) (html) (inline))
  (begin

    ;; Lines

    (define (text->lines text)
      (let ((in (open-input-string text)))
        (let loop ((lines '()))
          (let ((line (read-line in)))
            (if (eof-object? line)
                (reverse lines)
                (loop (cons (expand-tabs line) lines)))))))

    ;; Tabs stand for spaces up to the next column that 4 divides. A carriage return at the end is dropped.
    (define (expand-tabs line)
      (let loop ((chars (string->list line)) (column 0) (out '()))
        (cond ((null? chars) (list->string (reverse out)))
              ((char=? #\tab (car chars))
               (let ((width (- 4 (modulo column 4))))
                 (loop (cdr chars) (+ column width) (append (make-list width #\space) out))))
              ((char=? #\return (car chars)) (loop (cdr chars) column out))
              (else (loop (cdr chars) (+ column 1) (cons (car chars) out))))))

    ;; How many spaces LINE begins with.
    (define (indent line)
      (let loop ((i 0))
        (if (and (< i (string-length line)) (char=? #\space (string-ref line i)))
            (loop (+ i 1))
            i)))

    (define (blank? line) (= (indent line) (string-length line)))

    (define (drop-chars line n) (substring line (min n (string-length line)) (string-length line)))

    (define (trim line)
      (let loop ((end (string-length line)))
        (if (and (> end 0) (char=? #\space (string-ref line (- end 1))))
            (loop (- end 1))
            (let ((start (min (indent line) end)))
              (substring line start end)))))

    (define (char-at line i)
      (if (< -1 i (string-length line)) (string-ref line i) #\newline))

    ;; Where the run of characters that are C ends, from I on.
    (define (run-end line i c)
      (if (char=? c (char-at line i)) (run-end line (+ i 1) c) i))

    (define (digits-end line i)
      (if (char<=? #\0 (char-at line i) #\9) (digits-end line (+ i 1)) i))

    (define (join-lines lines)
      (if (null? lines)
          ""
          (let ((out (open-output-string)))
            (write-string (car lines) out)
            (for-each (lambda (line)
                        (write-char #\newline out)
                        (write-string line out))
                      (cdr lines))
            (get-output-string out))))

    (define (drop-blanks-at-end lines)
      (let loop ((l (reverse lines)))
        (if (and (pair? l) (blank? (car l))) (loop (cdr l)) (reverse l))))

    ;; What a line begins

    (define (indented? line) (and (>= (indent line) 4) (not (blank? line))))

    ;; The level and text of a heading such as "## Text ##", or #f.
    (define (heading-line line)
      (let* ((start (indent line)) (end (run-end line start #\#)) (level (- end start)))
        (and (< start 4)
             (<= 1 level 6)
             (memv (char-at line end) '(#\space #\newline))
             (list 'heading level (drop-closing-marks (trim (drop-chars line end)))))))

    (define (drop-closing-marks text)
      (let loop ((end (string-length text)))
        (cond ((and (> end 0) (char=? #\# (string-ref text (- end 1)))) (loop (- end 1)))
              ((= end 0) "")
              ((char=? #\space (string-ref text (- end 1))) (trim (substring text 0 end)))
              (else text))))

    ;; Three or more of * - or _, and spaces.
    (define (rule? line)
      (let ((marks (filter-spaces line)))
        (and (< (indent line) 4)
             (>= (length marks) 3)
             (memv (car marks) '(#\* #\- #\_))
             (every (lambda (c) (char=? c (car marks))) marks))))

    (define (filter-spaces line)
      (let loop ((chars (string->list line)) (out '()))
        (cond ((null? chars) (reverse out))
              ((char=? #\space (car chars)) (loop (cdr chars) out))
              (else (loop (cdr chars) (cons (car chars) out))))))

    ;; A fence as (character count indent info), or #f.
    (define (fence-line line)
      (let* ((start (indent line)) (c (char-at line start)) (end (run-end line start c)))
        (and (< start 4)
             (memv c '(#\` #\~))
             (>= (- end start) 3)
             (let ((info (trim (drop-chars line end))))
               (and (not (and (char=? c #\`) (memv #\` (string->list info))))
                    (list c (- end start) start info))))))

    (define (closes-fence? line fence)
      (let* ((start (indent line)) (end (run-end line start (car fence))))
        (and (< start 4)
             (>= (- end start) (cadr fence))
             (blank? (drop-chars line end)))))

    (define (quote-line? line)
      (and (< (indent line) 4) (char=? #\> (char-at line (indent line)))))

    (define (drop-quote-mark line)
      (let ((after (+ 1 (indent line))))
        (drop-chars line (if (char=? #\space (char-at line after)) (+ after 1) after))))

    ;; The head of a list item.
    (define-record-type <marker>
      (make-marker kind start width)
      marker?
      (kind marker-kind)     ; the character that tells lists apart: - + * for bullets, . or ) for numbers
      (start marker-start)   ; the number, or #f
      (width marker-width))  ; the column of the item's content

    (define (marker-line line)
      (let* ((start (indent line)) (c (char-at line start)) (digits (digits-end line start)))
        (cond ((>= start 4) #f)
              ((memv c '(#\- #\+ #\*)) (marker-at line c #f (+ start 1)))
              ((and (<= 1 (- digits start) 9) (memv (char-at line digits) '(#\. #\))))
               (marker-at line (char-at line digits)
                          (string->number (substring line start digits))
                          (+ digits 1)))
              (else #f))))

    ;; The marker that ends at END. Five spaces and more after it are one space and indented code.
    (define (marker-at line kind number end)
      (let* ((rest (drop-chars line end)) (spaces (indent rest)))
        (cond ((blank? rest) (make-marker kind number (+ end 1)))
              ((= spaces 0) #f)
              ((> spaces 4) (make-marker kind number (+ end 1)))
              (else (make-marker kind number (+ end spaces))))))

    (define (ordered? marker) (and (marker-start marker) #t))

    ;; Whether LINE begins a block although a paragraph is not yet at its end. A list does so only if its item is not
    ;; empty and, if numbered, counts from 1: else a year at the start of a line would make one.
    (define (interrupts? line)
      (or (heading-line line)
          (fence-line line)
          (rule? line)
          (quote-line? line)
          (let ((marker (marker-line line)))
            (and marker
                 (memv (marker-start marker) '(#f 1))
                 (not (blank? (drop-chars line (- (marker-width marker) 1))))))))

    ;; Blocks. Each of the take- procedures gets lines of which the first begins its block, and returns the block and
    ;; the lines after it.

    ;; The blocks of LINES, and whether blank lines stand between them. DEFINE! is told of link definitions.
    (define (parse lines define!)
      (let loop ((lines lines) (blocks '()) (blank-before? #f) (apart? #f))
        (cond ((null? lines) (values (reverse blocks) apart?))
              ((blank? (car lines)) (loop (cdr lines) blocks #t apart?))
              (else
               (let-values (((block rest) (take-block lines define!)))
                 (loop rest
                       (if block (cons block blocks) blocks)
                       #f
                       (or apart? (and blank-before? (pair? blocks)))))))))

    (define (take-block lines define!)
      (let ((line (car lines)))
        (cond ((indented? line) (take-indented-code lines))
              ((heading-line line) => (lambda (heading) (values heading (cdr lines))))
              ((fence-line line) => (lambda (fence) (take-fenced-code fence (cdr lines))))
              ((rule? line) (values '(rule) (cdr lines)))
              ((quote-line? line) (take-quote lines define!))
              ((marker-line line) => (lambda (marker) (take-list marker lines define!)))
              ((definition line)
               => (lambda (link)
                    (define! (car link) (cdr link))
                    (values #f (cdr lines))))
              (else (take-paragraph lines)))))

    (define (take-indented-code lines)
      (let loop ((l lines) (code '()))
        (if (and (pair? l) (or (indented? (car l)) (blank? (car l))))
            (loop (cdr l) (cons (drop-chars (car l) 4) code))
            (values (list 'code "" (code-text (drop-blanks-at-end (reverse code)))) l))))

    (define (code-text lines)
      (if (null? lines) "" (string-append (join-lines lines) "\n")))

    (define (take-fenced-code fence lines)
      (let ((margin (list-ref fence 2)))
        (let loop ((l lines) (code '()))
          (if (or (null? l) (closes-fence? (car l) fence))
              (values (list 'code (list-ref fence 3) (code-text (reverse code)))
                      (if (null? l) l (cdr l)))
              (loop (cdr l) (cons (drop-chars (car l) (min margin (indent (car l)))) code))))))

    ;; Whether LINE may go on the paragraph that PREVIOUS (a line inside a quote or an item) leaves open.
    (define (lazy? line previous)
      (and previous
           (not (blank? line))
           (not (interrupts? line))
           (not (blank? previous))
           (paragraph-inside? previous)))

    (define (paragraph-inside? line)
      (cond ((blank? line) #f)
            ((quote-line? line) (paragraph-inside? (drop-quote-mark line)))
            ((or (indented? line) (heading-line line) (fence-line line) (rule? line)) #f)
            ((marker-line line) => (lambda (marker) (paragraph-inside? (drop-chars line (marker-width marker)))))
            (else #t)))

    (define (take-quote lines define!)
      (let loop ((l lines) (inside '()))
        (cond ((and (pair? l) (quote-line? (car l)))
               (loop (cdr l) (cons (drop-quote-mark (car l)) inside)))
              ((and (pair? l) (lazy? (car l) (car inside)))
               (loop (cdr l) (cons (car l) inside)))
              (else
               (let-values (((blocks apart?) (parse (reverse inside) define!)))
                 (values (cons 'quote blocks) l))))))

    ;; The lines of an item whose head is MARKER, without its margin, and the lines after it. Blank lines at its end
    ;; are left to those.
    (define (take-item-lines marker lines)
      (let ((width (marker-width marker)))
        (let loop ((l (cdr lines)) (inside (list (drop-chars (car lines) width))) (blanks '()))
          (define (end) (values (reverse inside) (append blanks l)))
          (cond ((null? l) (end))
                ((blank? (car l))
                 (if (and (null? (cdr inside)) (blank? (car inside)))
                     (end)
                     (loop (cdr l) inside (cons (car l) blanks))))
                ((>= (indent (car l)) width)
                 (loop (cdr l) (cons (drop-chars (car l) width) (append blanks inside)) '()))
                ((and (null? blanks) (not (marker-line (car l))) (lazy? (car l) (car inside)))
                 (loop (cdr l) (cons (trim (car l)) inside) '()))
                (else (end))))))

    (define (skip-blanks lines)
      (if (and (pair? lines) (blank? (car lines))) (skip-blanks (cdr lines)) lines))

    ;; The marker of the next item of a list of KIND, or #f.
    (define (next-marker lines kind)
      (and (pair? lines)
           (not (rule? (car lines)))
           (let ((marker (marker-line (car lines))))
             (and marker (char=? kind (marker-kind marker)) marker))))

    (define (take-list first lines define!)
      (let loop ((marker first) (lines lines) (items '()) (loose? #f))
        (let*-values (((inside rest) (take-item-lines marker lines))
                      ((blocks apart?) (parse inside define!)))
          (let* ((items (cons blocks items))
                 (later (skip-blanks rest))
                 (next (next-marker later (marker-kind first))))
            (if next
                (loop next later items (or loose? apart? (not (eq? later rest))))
                (values `(list ,(if (ordered? first) 'ol 'ul)
                               ,(marker-start first)
                               ,(not (or loose? apart?))
                               ,@(reverse items))
                        rest))))))

    ;; The level of a heading that LINE underlines, or #f.
    (define (underline line)
      (let ((marks (string->list (trim line))))
        (and (< (indent line) 4)
             (pair? marks)
             (memv (car marks) '(#\= #\-))
             (every (lambda (c) (char=? c (car marks))) marks)
             (if (char=? #\= (car marks)) 1 2))))

    (define (take-paragraph lines)
      (define (text taken) (trim (join-lines (reverse taken))))
      (define (start line) (drop-chars line (indent line)))
      (let loop ((l (cdr lines)) (taken (list (start (car lines)))))
        (cond ((or (null? l) (blank? (car l)))
               (values (list 'paragraph (text taken)) l))
              ((underline (car l))
               => (lambda (level) (values (list 'heading level (text taken)) (cdr l))))
              ((interrupts? (car l))
               (values (list 'paragraph (text taken)) l))
              (else (loop (cdr l) (cons (start (car l)) taken))))))

    ;; "[label]: url" or "[label]: url "title"" as (label url . title), or #f.
    (define (definition line)
      (let* ((start (indent line))
             (close (let loop ((i start))
                      (cond ((>= i (string-length line)) #f)
                            ((char=? #\] (string-ref line i)) i)
                            (else (loop (+ i 1)))))))
        (and (char=? #\[ (char-at line start))
             close
             (> close (+ start 1))
             (char=? #\: (char-at line (+ close 1)))
             (let ((target (string-append "(" (trim (drop-chars line (+ close 2))) ")")))
               (let-values (((link end) (link-target target 0)))
                 (and link
                      (= end (string-length target))
                      (not (string=? (car link) ""))
                      (cons (substring line (+ start 1) close) link)))))))

    ;; Writing

    (define (block->html block links)
      (case (car block)
        ((heading)
         (let ((name (string-append "h" (number->string (cadr block)))))
           (string-append (tag name (inline->html (list-ref block 2) links)) "\n")))
        ((paragraph)
         (string-append (tag "p" (inline->html (cadr block) links)) "\n"))
        ((code) (code->html (cadr block) (list-ref block 2)))
        ((rule) "<hr />\n")
        ((quote)
         (string-append "<blockquote>\n" (blocks->html (cdr block) links) "</blockquote>\n"))
        (else (list->html (list-ref block 1) (list-ref block 2) (list-ref block 3) (list-tail block 4) links))))

    (define (blocks->html blocks links)
      (apply string-append (map (lambda (block) (block->html block links)) blocks)))

    (define (code->html info text)
      (let ((language (first-word info)))
        (string-append "<pre><code"
                       (if (string=? language "")
                           ""
                           (string-append " class=\"language-" (escape-text language) "\""))
                       ">" (escape-text text) "</code></pre>\n")))

    (define (first-word text)
      (let loop ((i 0))
        (if (or (= i (string-length text)) (char=? #\space (string-ref text i)))
            (substring text 0 i)
            (loop (+ i 1)))))

    (define (list->html kind start tight? items links)
      (let ((name (symbol->string kind)))
        (string-append "<" name
                       (if (memv start '(#f 1))
                           ""
                           (string-append " start=\"" (number->string start) "\""))
                       ">\n"
                       (apply string-append (map (lambda (item) (item->html item tight? links)) items))
                       "</" name ">\n")))

    (define (item->html blocks tight? links)
      (let loop ((blocks blocks) (html ""))
        (if (null? blocks)
            (string-append "<li>" html "</li>\n")
            (loop (cdr blocks)
                  (if (and tight? (eq? 'paragraph (caar blocks)))
                      (string-append html (inline->html (cadr (car blocks)) links))
                      (string-append html (if (ends-line? html) "" "\n") (block->html (car blocks) links)))))))

    (define (ends-line? html)
      (let ((n (string-length html)))
        (and (> n 0) (char=? #\newline (string-ref html (- n 1))))))

    ;; The HTML of a Markdown TEXT.
    (define (markdown->html text)
      (let ((links '()))
        ;; Of two definitions of one label the first holds.
        (define (define! label link)
          (let ((label (normalize-label label)))
            (unless (assoc label links)
              (set! links (cons (cons label link) links)))))
        (let-values (((blocks apart?) (parse (text->lines text) define!)))
          (blocks->html blocks links))))))
