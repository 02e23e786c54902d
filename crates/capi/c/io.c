/* IO objects as extensions see them: `rb_io_t`, modes, descriptors. */
#include "ruby/ruby.h"
#include "ruby/io.h"

static void free_pointer(void *data)
{
    rb_io_t *fptr = data;
    if (fptr->stdio_file) fclose(fptr->stdio_file);
    free(fptr);
}

static void mark_pointer(void *data)
{
    rb_io_t *fptr = data;
    rb_gc_mark(fptr->self);
    rb_gc_mark(fptr->pathv);
    rb_gc_mark(fptr->timeout);
}

static const rb_data_type_t pointer_type = { "rb_io_t", { mark_pointer, free_pointer, 0, 0, { 0 } }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY };

/* The struct is made when it is first asked for, and kept by the IO object. */
rb_io_t *rb_asterism_io_pointer(VALUE io)
{
    ID name = rb_intern("__rb_io_t__");
    VALUE holder = rb_attr_get(io, name);
    long state[5];
    rb_io_t *fptr;
    if (NIL_P(holder)) {
        holder = TypedData_Make_Struct(rb_cObject, rb_io_t, &pointer_type, fptr);
        fptr->self = io;
        fptr->fd = -1;
        fptr->pathv = Qnil;
        fptr->timeout = Qnil;
        fptr->encs.ecopts = Qnil;
        rb_ivar_set(io, name, holder);
    }
    fptr = rb_check_typeddata(holder, &pointer_type);
    rb_asterism_io_state(io, state);
    fptr->fd = (int)state[0];
    fptr->mode = (int)state[1];
    fptr->pid = (rb_pid_t)state[2];
    fptr->lineno = (int)state[3];
    fptr->pathv = fptr->fd < 0 || RB_TYPE_P(io, T_DATA) ? Qnil : rb_check_funcall(io, rb_intern("path"), 0, NULL);
    if (fptr->pathv == Qundef) fptr->pathv = Qnil;
    return fptr;
}

VALUE rb_io_taint_check(VALUE io)
{
    rb_check_frozen(io);
    return io;
}

int rb_io_mode(VALUE io)
{
    long state[5];
    rb_asterism_io_state(io, state);
    if (state[0] == -2) rb_raise(rb_eIOError, "uninitialized stream");
    return (int)state[1];
}

VALUE rb_io_closed_p(VALUE io)
{
    long state[5];
    rb_asterism_io_state(io, state);
    return state[0] < 0 ? Qtrue : Qfalse;
}

void rb_io_check_initialized(rb_io_t *fptr)
{
    if (!fptr || fptr->fd == -2) rb_raise(rb_eIOError, "uninitialized stream");
}

void rb_io_check_closed(rb_io_t *fptr)
{
    long state[5];
    rb_io_check_initialized(fptr);
    rb_asterism_io_state(fptr->self, state);
    fptr->fd = (int)state[0];
    if (fptr->fd < 0) rb_raise(rb_eIOError, "closed stream");
}

void rb_io_check_readable(rb_io_t *fptr)
{
    rb_io_check_closed(fptr);
    if (!(fptr->mode & FMODE_READABLE)) rb_raise(rb_eIOError, "not opened for reading");
}

void rb_io_check_char_readable(rb_io_t *fptr) { rb_io_check_readable(fptr); }
void rb_io_check_byte_readable(rb_io_t *fptr) { rb_io_check_readable(fptr); }

void rb_io_check_writable(rb_io_t *fptr)
{
    rb_io_check_closed(fptr);
    if (!(fptr->mode & FMODE_WRITABLE)) rb_raise(rb_eIOError, "not opened for writing");
}

void rb_io_synchronized(rb_io_t *fptr)
{
    rb_io_check_initialized(fptr);
    rb_funcall(fptr->self, rb_intern("sync="), 1, Qtrue);
    fptr->mode |= FMODE_SYNC;
}

int rb_io_read_pending(rb_io_t *fptr)
{
    long state[5];
    rb_asterism_io_state(fptr->self, state);
    return state[4] > 0;
}

void rb_io_read_check(rb_io_t *fptr)
{
    if (!rb_io_read_pending(fptr)) rb_thread_wait_fd(fptr->fd);
}

void rb_io_set_nonblock(rb_io_t *fptr)
{
    int flags = fcntl(fptr->fd, F_GETFL);
    if (flags == -1) rb_sys_fail(0);
    if (!(flags & O_NONBLOCK) && fcntl(fptr->fd, F_SETFL, flags | O_NONBLOCK) == -1) rb_sys_fail(0);
}

/* A stream of the C library over a duplicate of the descriptor: it is closed with the object. */
FILE *rb_io_stdio_file(rb_io_t *fptr)
{
    if (!fptr->stdio_file) {
        int writes = fptr->mode & FMODE_WRITABLE, reads = fptr->mode & FMODE_READABLE;
        const char *mode = writes ? (reads ? "r+" : fptr->mode & FMODE_APPEND ? "a" : "w") : "r";
        int fd = rb_cloexec_dup(fptr->fd);
        if (fd == -1) rb_sys_fail(0);
        fptr->stdio_file = fdopen(fd, mode);
        if (!fptr->stdio_file) {
            int error = errno;
            close(fd);
            rb_syserr_fail(error, 0);
        }
    }
    return fptr->stdio_file;
}

VALUE rb_io_get_write_io(VALUE io) { return io; }

static void bad_mode(const char *mode) { rb_raise(rb_eArgError, "invalid access mode %s", mode); }

int rb_io_modestr_fmode(const char *mode)
{
    const char *at = mode;
    int flags = 0;
    switch (*at++) {
      case 'r': flags = FMODE_READABLE; break;
      case 'w': flags = FMODE_WRITABLE | FMODE_TRUNC | FMODE_CREATE; break;
      case 'a': flags = FMODE_WRITABLE | FMODE_APPEND | FMODE_CREATE; break;
      default: bad_mode(mode);
    }
    for (; *at && *at != ':'; at++) {
        switch (*at) {
          case 'b': flags |= FMODE_BINMODE; break;
          case 't': flags |= FMODE_TEXTMODE; break;
          case '+': flags |= FMODE_READWRITE; break;
          case 'x':
            if (mode[0] != 'w') bad_mode(mode);
            flags |= FMODE_EXCL;
            break;
          default: bad_mode(mode);
        }
    }
    if ((flags & FMODE_BINMODE) && (flags & FMODE_TEXTMODE)) bad_mode(mode);
    if (*at == ':' && strncasecmp(at + 1, "bom|utf", 7) == 0) flags |= FMODE_SETENC_BY_BOM;
    return flags;
}

int rb_io_modestr_oflags(const char *mode)
{
    int given = rb_io_modestr_fmode(mode), flags;
    switch (given & FMODE_READWRITE) {
      case FMODE_READABLE: flags = O_RDONLY; break;
      case FMODE_WRITABLE: flags = O_WRONLY; break;
      default: flags = O_RDWR;
    }
    if (given & FMODE_APPEND) flags |= O_APPEND;
    if (given & FMODE_TRUNC) flags |= O_TRUNC;
    if (given & FMODE_CREATE) flags |= O_CREAT;
    if (given & FMODE_EXCL) flags |= O_EXCL;
    return flags;
}

int rb_io_oflags_fmode(int flags)
{
    int mode = 0;
    switch (flags & O_ACCMODE) {
      case O_RDONLY: mode = FMODE_READABLE; break;
      case O_WRONLY: mode = FMODE_WRITABLE; break;
      default: mode = FMODE_READWRITE;
    }
    if (flags & O_APPEND) mode |= FMODE_APPEND;
    if (flags & O_TRUNC) mode |= FMODE_TRUNC;
    if (flags & O_CREAT) mode |= FMODE_CREATE;
    if (flags & O_EXCL) mode |= FMODE_EXCL;
    return mode;
}

/* The mode as a String for IO#initialize, which truncates nothing. */
static VALUE mode_string(int mode)
{
    const char *text = "r";
    if (mode & FMODE_WRITABLE) text = mode & FMODE_READABLE ? "r+" : mode & FMODE_APPEND ? "a" : "w";
    VALUE v = rb_str_new_cstr(text);
    if (mode & FMODE_BINMODE) rb_str_cat(v, "b", 1);
    else if (mode & FMODE_TEXTMODE) rb_str_cat(v, "t", 1);
    return v;
}

static void set_option(VALUE options, const char *name, VALUE v)
{
    rb_hash_aset(options, ID2SYM(rb_intern(name)), v);
}

VALUE rb_io_open_descriptor(VALUE klass, int fd, int mode, VALUE path, VALUE timeout, struct rb_io_encoding *encoding)
{
    VALUE args[3], io, options = rb_hash_new();
    args[0] = INT2NUM(fd);
    args[1] = mode_string(mode);
    args[2] = options;
    set_option(options, "autoclose", mode & FMODE_EXTERNAL ? Qfalse : Qtrue);
    if (!NIL_P(path)) set_option(options, "path", path);
    if (encoding) {
        /* With two of them the first one is what is read into. */
        rb_encoding *external = encoding->enc2 ? encoding->enc2 : encoding->enc;
        if (external) set_option(options, "external_encoding", rb_enc_from_encoding(external));
        if (encoding->enc2 && encoding->enc) set_option(options, "internal_encoding", rb_enc_from_encoding(encoding->enc));
    }
    io = rb_obj_alloc(klass);
    rb_funcallv_kw(io, rb_intern("initialize"), 3, args, RB_PASS_KEYWORDS);
    if (mode & FMODE_SYNC) rb_funcall(io, rb_intern("sync="), 1, Qtrue);
    if (!NIL_P(timeout)) rb_io_set_timeout(io, timeout);
    return io;
}

VALUE rb_io_fdopen(int fd, int oflags, const char *path)
{
    VALUE klass = path && strcmp(path, "-") != 0 ? rb_cFile : rb_cIO;
    return rb_io_open_descriptor(klass, fd, rb_io_oflags_fmode(oflags), path ? rb_str_new_cstr(path) : Qnil, Qnil, NULL);
}

ssize_t rb_io_bufwrite(VALUE io, const void *bytes, size_t size)
{
    return (ssize_t)NUM2LONG(rb_io_write(io, rb_str_new(bytes, (long)size)));
}

int rb_cloexec_pipe(int *pipes)
{
    if (pipe(pipes) == -1) return -1;
    rb_fd_fix_cloexec(pipes[0]);
    rb_fd_fix_cloexec(pipes[1]);
    return 0;
}

int rb_pipe(int *pipes) { return rb_cloexec_pipe(pipes); }

int rb_cloexec_dup2(int from, int to)
{
    int fd = from == to ? from : dup2(from, to);
    if (fd > 2) rb_fd_fix_cloexec(fd);
    return fd;
}

int rb_thread_wait_fd(int fd) { return rb_wait_for_single_fd(fd, RB_WAITFD_IN, NULL) >= 0; }

int rb_thread_fd_writable(int fd) { return rb_wait_for_single_fd(fd, RB_WAITFD_OUT, NULL) >= 0; }

static int wait_again(int fd, int events)
{
    switch (errno) {
      case EINTR:
        rb_thread_check_ints();
        return Qtrue;
      case EAGAIN:
#if EWOULDBLOCK != EAGAIN
      case EWOULDBLOCK:
#endif
        rb_wait_for_single_fd(fd, events, NULL);
        return Qtrue;
      default:
        return Qfalse;
    }
}

int rb_io_wait_readable(int fd) { return wait_again(fd, RB_WAITFD_IN); }
int rb_io_wait_writable(int fd) { return wait_again(fd, RB_WAITFD_OUT); }

void rb_io_extract_modeenc(VALUE *mode, VALUE *permissions, VALUE options, int *oflags, int *fmode, rb_io_enc_t *encodings)
{
    long found[4];
    rb_encoding *external, *internal;
    (void)permissions;
    rb_asterism_io_mode(mode ? *mode : Qnil, options, found);
    *fmode = (int)found[0];
    *oflags = (int)found[1];
    if (mode && NIL_P(*mode) && !NIL_P(options)) {
        *mode = rb_hash_lookup2(options, ID2SYM(rb_intern("mode")), Qnil);
    }
    external = found[2] < 0 ? NULL : rb_enc_from_index((int)found[2]);
    internal = found[3] < 0 ? NULL : rb_enc_from_index((int)found[3]);
    /* With two of them the first one is what is read into. */
    encodings->enc = internal && internal != external ? internal : external;
    encodings->enc2 = internal && internal != external ? external : NULL;
    encodings->ecflags = 0;
    encodings->ecopts = Qnil;
}
