/* serve.h: profiles over HTTP, as Go's servers give them.
 *
 * serve.c has the connections, pages.c what is served, sampling.c whose run of the sampler it is.
 * The server's threads are no threads of Hone: they hold no Value and touch no heap object. */
#ifndef HONE_DRIVER_SERVE_H
#define HONE_DRIVER_SERVE_H

#include "driver/driver.h"
#include "hone/prof.h"

/* ---- serve.c ---- */

/* Begins to serve at ADDRESS, `PORT` (loopback alone) or `HOST:PORT`, port 0 for any free one.
 * Gives the port, or -1 with a sentence in ERROR that says what to do. Any thread; may block. */
int driver_serve_start(const char *address, base_buf *error);
/* Ends the server; answers under way get what there is by then. False: none runs. May block. */
bool driver_serve_stop(void);
/* The process ends: as far as a tenth of a second allows, answers under way are sent. */
void driver_serve_finish(void);

typedef struct ServeRequest ServeRequest;
/* An argument of the query, or NULL. */
const char *driver_serve_argument(const ServeRequest *r, const char *name);
/* Waits so long, or until the server ends. False: the client has gone. */
bool driver_serve_wait(const ServeRequest *r, double seconds);

typedef struct ServeAnswer {
    int status;       /* of HTTP; 0: the client has gone, none is sent */
    const char *type; /* of the content */
    const char *file; /* the name under which to keep it, or NULL */
    base_buf body;
} ServeAnswer;

/* ---- pages.c ---- */

/* Answers the request for PATH. HEAD_ONLY: nothing is measured, no body is made. Never calls into
 * Scheme; any thread but Hone's own. */
void driver_page(const char *path, bool head_only, const ServeRequest *r, ServeAnswer *out);
/* An answer that is a sentence. */
void driver_page_text(ServeAnswer *out, int status, const char *format, ...) BASE_PRINTF(3, 4);

/* ---- sampling.c ---- */

/* A stretch of time that is being sampled, whoever else samples meanwhile. */
typedef struct SamplingWindow SamplingWindow;
/* In the child of a fork. */
void driver_sampling_forked(void);
/* NULL: there are too many at once. Begin and end: any thread. */
SamplingWindow *driver_window_begin(void);
/* Its profile; the caller frees it. */
hone_prof_data *driver_window_end(SamplingWindow *w);

#endif
