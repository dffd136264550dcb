;; SRFI 106: sockets. In a fiber (hone fiber) whatever would wait parks the fiber instead of blocking
;; its thread. Beyond the SRFI: socket-number, the port number that a socket is bound to (for a
;; server made with the service "0"); a host for make-server-socket as its last argument; and the
;; ports of a socket as textual ones, where their last argument is the symbol textual.
(define-library (srfi 106)
  (export make-client-socket make-server-socket socket? socket-accept socket-send socket-recv
          socket-shutdown socket-close socket-input-port socket-output-port call-with-socket
          socket-number
          address-family socket-domain address-info ip-protocol message-type shutdown-method
          socket-merge-flags socket-purge-flags
          *af-unspec* *af-inet* *af-inet6* *sock-stream* *sock-dgram*
          *ai-canonname* *ai-numerichost* *ai-v4mapped* *ai-all* *ai-addrconfig*
          *ipproto-ip* *ipproto-tcp* *ipproto-udp*
          *msg-none* *msg-peek* *msg-oob* *msg-waitall* *shut-rd* *shut-wr* *shut-rdwr*)
  (import (scheme base)
          (scheme case-lambda)
          (only (srfi 151) bitwise-ior bitwise-and bitwise-not)
          (hone prim))
  (begin
    (define-record-type <socket> (make-socket descriptor open) socket?
      (descriptor socket-descriptor)
      (open socket-open? set-socket-open!))

    (define (descriptor who socket)
      (cond ((not (socket? socket)) (error (string-append who ": not a socket") socket))
            ((not (socket-open? socket)) (error (string-append who ": the socket is closed") socket))
            (else (socket-descriptor socket))))

    ;; ---- the system's numbers ----

    (define-syntax define-numbers
      (syntax-rules ()
        ((_ (variable name) ...)
         (begin (define variable (%socket-constant 'name)) ...))))

    (define-numbers
      (*af-unspec* af-unspec) (*af-inet* af-inet) (*af-inet6* af-inet6)
      (*sock-stream* sock-stream) (*sock-dgram* sock-dgram)
      (*ai-canonname* ai-canonname) (*ai-numerichost* ai-numerichost)
      (*ai-v4mapped* ai-v4mapped) (*ai-all* ai-all) (*ai-addrconfig* ai-addrconfig)
      (*ipproto-ip* ipproto-ip) (*ipproto-tcp* ipproto-tcp) (*ipproto-udp* ipproto-udp)
      (*msg-peek* msg-peek) (*msg-oob* msg-oob) (*msg-waitall* msg-waitall)
      (*shut-rd* shut-rd) (*shut-wr* shut-wr) (*shut-rdwr* shut-rdwr))
    (define *msg-none* 0)

    (define socket-merge-flags bitwise-ior)
    (define (socket-purge-flags base . flags)
      (bitwise-and base (bitwise-not (apply bitwise-ior flags))))

    ;; The names of the SRFI's syntaxes stand for sums of the numbers above.
    (define (sum prefix names)
      (apply socket-merge-flags
             (map (lambda (name)
                    (if (eq? name 'none)
                        0
                        (%socket-constant
                         (string->symbol (string-append prefix (symbol->string name))))))
                  names)))
    (define-syntax address-family
      (syntax-rules () ((_ name) (sum "af-" '(name)))))
    (define-syntax socket-domain
      (syntax-rules ()
        ((_ name) (sum "sock-" (list (if (eq? 'name 'datagram) 'dgram 'name))))))
    (define-syntax address-info
      (syntax-rules () ((_ name ...) (sum "ai-" '(name ...)))))
    (define-syntax ip-protocol
      (syntax-rules () ((_ name) (sum "ipproto-" '(name)))))
    (define-syntax message-type
      (syntax-rules () ((_ name ...) (sum "msg-" (map short '(name ...))))))
    (define (short name) (if (eq? name 'wait-all) 'waitall name))
    (define-syntax shutdown-method
      (syntax-rules ()
        ((_ name) (if (eq? 'name 'read) *shut-rd* *shut-wr*))
        ((_ one other) *shut-rdwr*)))

    ;; ---- making ----

    (define make-client-socket
      (case-lambda
        ((node service) (make-client-socket node service *af-inet*))
        ((node service family) (make-client-socket node service family *sock-stream*))
        ((node service family type)
         (make-client-socket node service family type
                             (socket-merge-flags *ai-v4mapped* *ai-addrconfig*)))
        ((node service family type flags)
         (make-client-socket node service family type flags *ipproto-ip*))
        ((node service family type flags protocol)
         (connect node service family type flags protocol))))

    ;; Tries one address after the other.
    (define (connect node service family type flags protocol)
      (let try ((n 0) (why "no address"))
        (let ((made (%socket-connect node service family type flags protocol n)))
          (cond ((not made)
                 (error (string-append "make-client-socket: " why) node service))
                ((string? made) (try (+ n 1) made))
                (else
                 (let ((result (%socket-connected made)))
                   (if (string? result)
                       (try (+ n 1) result)
                       (make-socket made #t))))))))

    (define make-server-socket
      (case-lambda
        ((service) (make-server-socket service *af-inet*))
        ((service family) (make-server-socket service family *sock-stream*))
        ((service family type) (make-server-socket service family type *ipproto-ip*))
        ((service family type protocol) (make-server-socket service family type protocol #f))
        ((service family type protocol host)
         (make-socket (%socket-listen host service family type 0 protocol) #t))))

    (define (socket-accept socket)
      (make-socket (%socket-accept (descriptor "socket-accept" socket)) #t))
    (define (socket-number socket) (%socket-number (descriptor "socket-number" socket)))

    ;; ---- using ----

    ;; How many bytes were sent: all, unless the other end is gone.
    (define socket-send
      (case-lambda
        ((socket bytes) (socket-send socket bytes 0))
        ((socket bytes flags)
         (let ((to (descriptor "socket-send" socket)) (length (bytevector-length bytes)))
           (let loop ((start 0))
             (if (< start length)
                 (loop (+ start (%socket-send to bytes start flags)))
                 length))))))

    (define socket-recv
      (case-lambda
        ((socket size) (socket-recv socket size 0))
        ((socket size flags) (%socket-recv (descriptor "socket-recv" socket) size flags))))

    (define (socket-shutdown socket how)
      (%socket-shutdown (descriptor "socket-shutdown" socket) how))

    (define (socket-close socket)
      (if (socket-open? socket)
          (begin
            (set-socket-open! socket #f)
            (%socket-close (socket-descriptor socket)))))

    (define socket-input-port
      (case-lambda
        ((socket) (socket-input-port socket 'binary))
        ((socket kind)
         (%socket-port (descriptor "socket-input-port" socket) #t (eq? kind 'textual)))))
    (define socket-output-port
      (case-lambda
        ((socket) (socket-output-port socket 'binary))
        ((socket kind)
         (%socket-port (descriptor "socket-output-port" socket) #f (eq? kind 'textual)))))

    (define (call-with-socket socket procedure)
      (call-with-values (lambda () (procedure socket))
        (lambda results
          (socket-close socket)
          (apply values results))))))
