/* IO objects, descriptors and waiting for them. */
#ifndef RUBY_IO_H
#define RUBY_IO_H 1
#include "ruby/ruby.h"
#include "ruby/encoding.h"
#include <stdio.h>
#include <fcntl.h>
#ifdef __cplusplus
extern "C" {
#endif

#define RB_WAITFD_IN 1
#define RB_WAITFD_PRI 2
#define RB_WAITFD_OUT 4
typedef enum { RUBY_IO_READABLE = 1, RUBY_IO_PRIORITY = 2, RUBY_IO_WRITABLE = 4 } rb_io_event_t;
#define RUBY_IO_TIMEOUT_DEFAULT Qnil

#define FMODE_READABLE 0x00000001
#define FMODE_WRITABLE 0x00000002
#define FMODE_READWRITE (FMODE_READABLE | FMODE_WRITABLE)
#define FMODE_BINMODE 0x00000004
#define FMODE_SYNC 0x00000008
#define FMODE_TTY 0x00000010
#define FMODE_DUPLEX 0x00000020
#define FMODE_APPEND 0x00000040
#define FMODE_CREATE 0x00000080
#define FMODE_EXCL 0x00000400
#define FMODE_TRUNC 0x00000800
#define FMODE_TEXTMODE 0x00001000
#define FMODE_EXTERNAL 0x00010000
#define FMODE_SETENC_BY_BOM 0x00100000

struct rb_io_encoding {
    rb_encoding *enc;
    rb_encoding *enc2;
    int ecflags;
    VALUE ecopts;
};
typedef struct rb_io_encoding rb_io_enc_t;

/* What an IO object is like, as of the last GetOpenFile of it; a change of a field changes nothing. */
struct rb_io {
    VALUE self;
    FILE *stdio_file;
    int fd;
    int mode;
    rb_pid_t pid;
    int lineno;
    VALUE pathv;
    VALUE tied_io_for_writing;
    struct rb_io_encoding encs;
    VALUE timeout;
};
#define HAVE_RB_IO_T 1

#define RB_IO_POINTER(obj, fp) ((fp) = rb_asterism_io_pointer(rb_io_taint_check(obj)), rb_io_check_closed(fp))
#define RB_IO_OPEN_FILE RB_IO_POINTER
#define GetOpenFile RB_IO_POINTER
#define OpenFile rb_io_t
#define rb_io_stdio_file_value rb_io_stdio_file

rb_io_t *rb_asterism_io_pointer(VALUE io);
VALUE rb_io_taint_check(VALUE io);
VALUE rb_io_closed_p(VALUE io);
int rb_io_mode(VALUE io);
void rb_io_check_initialized(rb_io_t *fptr);
void rb_io_check_closed(rb_io_t *fptr);
void rb_io_check_readable(rb_io_t *fptr);
void rb_io_check_char_readable(rb_io_t *fptr);
void rb_io_check_byte_readable(rb_io_t *fptr);
void rb_io_check_writable(rb_io_t *fptr);
void rb_io_synchronized(rb_io_t *fptr);
int rb_io_read_pending(rb_io_t *fptr);
void rb_io_read_check(rb_io_t *fptr);
void rb_io_set_nonblock(rb_io_t *fptr);
FILE *rb_io_stdio_file(rb_io_t *fptr);
VALUE rb_io_get_write_io(VALUE io);
int rb_io_modestr_fmode(const char *mode);
int rb_io_modestr_oflags(const char *mode);
int rb_io_oflags_fmode(int oflags);
void rb_io_extract_modeenc(VALUE *mode, VALUE *permissions, VALUE options, int *oflags, int *fmode, rb_io_enc_t *encodings);
VALUE rb_io_open_descriptor(VALUE klass, int descriptor, int mode, VALUE path, VALUE timeout, struct rb_io_encoding *encoding);
VALUE rb_io_fdopen(int fd, int oflags, const char *path);
ssize_t rb_io_bufwrite(VALUE io, const void *bytes, size_t size);
int rb_pipe(int *pipes);
int rb_cloexec_pipe(int *pipes);
int rb_cloexec_dup2(int from, int to);
int rb_thread_wait_fd(int fd);
int rb_thread_fd_writable(int fd);
int rb_io_wait_readable(int fd);
int rb_io_wait_writable(int fd);
#define RB_RESERVED_FD_P(fd) rb_reserved_fd_p(fd)

#ifdef __cplusplus
}
#endif
#endif
