/* Sets of descriptors of any size, and waiting for them. */
#include "ruby/ruby.h"
#include "ruby/thread.h"

static size_t bytes_for(int n)
{
    size_t words = ((size_t)n + NFDBITS - 1) / NFDBITS * (NFDBITS / 8);
    return words < sizeof(fd_set) ? sizeof(fd_set) : words;
}

void rb_fd_init(rb_fdset_t *set)
{
    set->maxfd = 0;
    set->fdset = calloc(1, sizeof(fd_set));
    if (!set->fdset) rb_memerror();
}

void rb_fd_term(rb_fdset_t *set)
{
    free(set->fdset);
    set->maxfd = 0;
    set->fdset = NULL;
}

void rb_fd_zero(rb_fdset_t *set)
{
    if (set->fdset) memset(set->fdset, 0, bytes_for(set->maxfd));
}

/* Makes room for `n` descriptors. */
static void expand(rb_fdset_t *set, int n)
{
    size_t has = bytes_for(set->maxfd), wants = bytes_for(n);
    if (wants > has) {
        char *memory = realloc(set->fdset, wants);
        if (!memory) rb_memerror();
        memset(memory + has, 0, wants - has);
        set->fdset = (fd_set *)memory;
    }
    if (n > set->maxfd) set->maxfd = n;
}

/* The bits lie as `select` wants them, and FD_SET would check them against FD_SETSIZE. */
void rb_fd_set(int fd, rb_fdset_t *set)
{
    expand(set, fd + 1);
    ((unsigned long *)set->fdset)[fd / NFDBITS] |= 1ul << (fd % NFDBITS);
}

void rb_fd_clr(int fd, rb_fdset_t *set)
{
    if (fd < set->maxfd) ((unsigned long *)set->fdset)[fd / NFDBITS] &= ~(1ul << (fd % NFDBITS));
}

int rb_fd_isset(int fd, const rb_fdset_t *set)
{
    return fd < set->maxfd && (((unsigned long *)set->fdset)[fd / NFDBITS] >> (fd % NFDBITS) & 1);
}

void rb_fd_copy(rb_fdset_t *to, const fd_set *from, int max)
{
    to->maxfd = to->maxfd < max ? to->maxfd : max;
    expand(to, max);
    memcpy(to->fdset, from, bytes_for(max));
}

void rb_fd_dup(rb_fdset_t *to, const rb_fdset_t *from) { rb_fd_copy(to, from->fdset, from->maxfd); }

void rb_fd_init_copy(rb_fdset_t *to, rb_fdset_t *from)
{
    rb_fd_init(to);
    rb_fd_dup(to, from);
}

static fd_set *bits(rb_fdset_t *set, int n)
{
    if (!set) return NULL;
    expand(set, n);
    return set->fdset;
}

int rb_fd_select(int n, rb_fdset_t *r, rb_fdset_t *w, rb_fdset_t *e, struct timeval *timeout)
{
    return select(n, bits(r, n), bits(w, n), bits(e, n), timeout);
}

struct waiting {
    int n, result, error;
    rb_fdset_t *asked[3];
    rb_fdset_t found[3];
    struct timespec end;
    int limited;
};

static void *wait_for_sets(void *data)
{
    struct waiting *w = data;
    struct timeval left, *limit = NULL;
    if (w->limited) {
        struct timespec now;
        long long nanos;
        clock_gettime(CLOCK_MONOTONIC, &now);
        nanos = (w->end.tv_sec - now.tv_sec) * 1000000000LL + (w->end.tv_nsec - now.tv_nsec);
        if (nanos < 0) nanos = 0;
        left.tv_sec = nanos / 1000000000LL;
        left.tv_usec = (nanos % 1000000000LL + 999) / 1000;
        limit = &left;
    }
    w->result = select(w->n, w->asked[0] ? w->found[0].fdset : NULL, w->asked[1] ? w->found[1].fdset : NULL,
                       w->asked[2] ? w->found[2].fdset : NULL, limit);
    w->error = errno;
    return NULL;
}

static VALUE wait_until_ready(VALUE data)
{
    struct waiting *w = (struct waiting *)data;
    do {
        for (int i = 0; i < 3; i++)
            if (w->asked[i]) rb_fd_dup(&w->found[i], w->asked[i]);
        w->result = -1;
        w->error = EINTR;
        rb_thread_call_without_gvl(wait_for_sets, w, RUBY_UBF_IO, NULL);
    } while (w->result < 0 && w->error == EINTR);
    for (int i = 0; i < 3; i++)
        if (w->asked[i] && w->result >= 0) rb_fd_dup(w->asked[i], &w->found[i]);
    return Qnil;
}

static VALUE give_back(VALUE data)
{
    struct waiting *w = (struct waiting *)data;
    for (int i = 0; i < 3; i++)
        if (w->asked[i]) rb_fd_term(&w->found[i]);
    return Qnil;
}

int rb_thread_fd_select(int n, rb_fdset_t *r, rb_fdset_t *wr, rb_fdset_t *e, struct timeval *timeout)
{
    struct waiting w;
    memset(&w, 0, sizeof(w));
    w.n = n;
    w.asked[0] = r;
    w.asked[1] = wr;
    w.asked[2] = e;
    for (int i = 0; i < 3; i++) {
        if (!w.asked[i]) continue;
        expand(w.asked[i], n);
        rb_fd_init(&w.found[i]);
    }
    if (timeout) {
        clock_gettime(CLOCK_MONOTONIC, &w.end);
        w.limited = 1;
        w.end.tv_sec += timeout->tv_sec;
        w.end.tv_nsec += timeout->tv_usec * 1000L;
        if (w.end.tv_nsec >= 1000000000L) {
            w.end.tv_nsec -= 1000000000L;
            w.end.tv_sec++;
        }
    }
    rb_ensure(wait_until_ready, (VALUE)&w, give_back, (VALUE)&w);
    errno = w.error;
    return w.result;
}
