/* Sets of descriptors of any size; part of ruby/ruby.h. */
typedef struct {
    int maxfd;
    fd_set *fdset;
} rb_fdset_t;
void rb_fd_init(rb_fdset_t *set);
void rb_fd_term(rb_fdset_t *set);
void rb_fd_zero(rb_fdset_t *set);
void rb_fd_set(int fd, rb_fdset_t *set);
void rb_fd_clr(int fd, rb_fdset_t *set);
int rb_fd_isset(int fd, const rb_fdset_t *set);
void rb_fd_copy(rb_fdset_t *to, const fd_set *from, int max);
void rb_fd_dup(rb_fdset_t *to, const rb_fdset_t *from);
void rb_fd_init_copy(rb_fdset_t *to, rb_fdset_t *from);
int rb_fd_select(int n, rb_fdset_t *reading, rb_fdset_t *writing, rb_fdset_t *except, struct timeval *timeout);
int rb_thread_fd_select(int n, rb_fdset_t *reading, rb_fdset_t *writing, rb_fdset_t *except, struct timeval *timeout);
#define rb_fd_ptr(set) ((set)->fdset)
#define rb_fd_max(set) ((set)->maxfd)
#define RB_FD_ZERO rb_fd_zero
