/* What the tests of IO objects, waiting, threads and Ractors from C call. An extension for one VM. */
#include "ruby.h"
#include "ruby/io.h"
#include "ruby/thread.h"
#include "ruby/ractor.h"
#include "ruby/debug.h"
#include "ruby/vm.h"
#include "ruby/st.h"
#include "ruby/encoding.h"

/* A variable of the header as a local one, as eventmachine has it. */
static VALUE shadow(VALUE self)
{
    VALUE rb_mProcess = rb_const_get(rb_cObject, rb_intern("Process"));
    return rb_mProcess;
}

static VALUE *const classes[] = { &rb_eArgError, &rb_cString };
static VALUE static_classes(VALUE self) { return rb_assoc_new(*classes[0], *classes[1]); }

static VALUE io_state(VALUE self, VALUE io)
{
    rb_io_t *fptr;
    GetOpenFile(io, fptr);
    return rb_ary_new_from_args(4, INT2NUM(fptr->fd), INT2NUM(rb_io_mode(io) & (FMODE_READWRITE | FMODE_APPEND)), fptr->pathv,
                                rb_io_closed_p(io));
}

static VALUE io_check(VALUE self, VALUE io, VALUE write)
{
    rb_io_t *fptr;
    GetOpenFile(io, fptr);
    RTEST(write) ? rb_io_check_writable(fptr) : rb_io_check_readable(fptr);
    return Qtrue;
}

static VALUE stdio_line(VALUE self, VALUE io)
{
    rb_io_t *fptr;
    char line[64];
    GetOpenFile(io, fptr);
    return fgets(line, sizeof(line), rb_io_stdio_file(fptr)) ? rb_str_new_cstr(line) : Qnil;
}

static VALUE open_fd(VALUE self, VALUE fd, VALUE mode)
{
    return rb_io_open_descriptor(rb_cIO, NUM2INT(fd), rb_io_modestr_fmode(StringValueCStr(mode)), rb_str_new_cstr("some"), DBL2NUM(2.5),
                                 NULL);
}

static VALUE wait_readable(VALUE self, VALUE io, VALUE error)
{
    return INT2NUM(rb_io_maybe_wait_readable(NUM2INT(error), io, RUBY_IO_TIMEOUT_DEFAULT));
}

static VALUE select_fd(VALUE self, VALUE fd, VALUE seconds)
{
    rb_fdset_t set;
    struct timeval limit = { NIL_P(seconds) ? 0 : NUM2LONG(seconds), 20000 };
    int n, found;
    rb_fd_init(&set);
    rb_fd_set(NUM2INT(fd), &set);
    n = rb_thread_fd_select(NUM2INT(fd) + 1, &set, NULL, NULL, NIL_P(seconds) ? NULL : &limit);
    found = rb_fd_isset(NUM2INT(fd), &set);
    rb_fd_term(&set);
    return rb_assoc_new(INT2NUM(n), INT2NUM(found));
}

/* A system call without the lock, which an interrupt of the thread ends. */
static void *read_one(void *data)
{
    int *fds = data;
    char c;
    ssize_t n = read(fds[0], &c, 1);
    fds[1] = n == 1 ? c : -errno;
    return NULL;
}

static VALUE read_blocked(VALUE self, VALUE fd)
{
    int fds[2] = { NUM2INT(fd), 0 };
    fcntl(fds[0], F_SETFL, fcntl(fds[0], F_GETFL) & ~O_NONBLOCK);
    rb_thread_call_without_gvl(read_one, fds, RUBY_UBF_IO, NULL);
    return INT2NUM(fds[1]);
}

struct outside {
    VALUE block;
    int had_lock[3];
    int returned;
};

static void *inside(void *data)
{
    struct outside *o = data;
    o->had_lock[1] = ruby_thread_has_gvl_p();
    return (void *)rb_funcall(o->block, rb_intern("call"), 1, rb_str_new_cstr("from outside"));
}

static void *outside(void *data)
{
    struct outside *o = data;
    void *v;
    o->had_lock[0] = ruby_thread_has_gvl_p();
    v = rb_thread_call_with_gvl(inside, o);
    o->had_lock[2] = ruby_thread_has_gvl_p();
    o->returned = v != NULL;
    return v;
}

static int returned;

static VALUE with_gvl(VALUE self)
{
    struct outside o = { rb_block_proc(), { 0, 0, 0 }, 0 };
    VALUE v;
    returned = -1;
    v = (VALUE)rb_thread_call_without_gvl(outside, &o, NULL, NULL);
    returned = o.returned;
    return rb_ary_new_from_args(4, v, INT2NUM(o.had_lock[0]), INT2NUM(o.had_lock[1]), INT2NUM(o.had_lock[2]));
}

static rb_ractor_local_key_t value_key, pointer_key;

static VALUE ractor_local(VALUE self, VALUE v)
{
    VALUE before = rb_ractor_local_storage_value(value_key);
    long *counter = rb_ractor_local_storage_ptr(pointer_key);
    if (!counter) rb_ractor_local_storage_ptr_set(pointer_key, counter = ALLOC_N(long, 1)), *counter = 0;
    rb_ractor_local_storage_value_set(value_key, v);
    return rb_assoc_new(before, LONG2NUM(++*counter));
}

static long lines;
static void on_line(VALUE tracepoint, void *data) { lines += (long)data * (rb_tracearg_event_flag(rb_tracearg_from_tracepoint(tracepoint)) == RUBY_EVENT_LINE); }

static VALUE count_lines(VALUE self)
{
    VALUE trace = rb_tracepoint_new(Qnil, RUBY_EVENT_LINE, on_line, (void *)1);
    lines = 0;
    rb_tracepoint_enable(trace);
    rb_yield(Qnil);
    rb_tracepoint_disable(trace);
    return rb_assoc_new(lines > 0 ? Qtrue : Qfalse, rb_tracepoint_enabled_p(trace));
}

static VALUE text(VALUE self)
{
    char utf8[6];
    int n = rb_uv_to_utf8(utf8, 0x20ac);
    size_t digits;
    char *end;
    VALUE number = rb_int_parse_cstr("0x1_Fz", -1, &end, &digits, 16, RB_INT_PARSE_ALL);
    return rb_ary_new_from_args(5, rb_utf8_str_new(utf8, n), INT2NUM(rb_memcicmp("aBc", "AbC", 3)), number, rb_str_new_cstr(end),
                                INT2NUM(rb_isdigit('7') && rb_isalpha('z') && !rb_isalpha('1') && rb_tolower('Q') == 'q'));
}

static VALUE made(VALUE klass)
{
    VALUE v = rb_get_alloc_func(rb_class_get_superclass(klass))(klass);
    rb_iv_set(v, "@made", Qtrue);
    return v;
}

static VALUE makes(VALUE self, VALUE klass) { return rb_define_alloc_func(klass, made), klass; }

static const rb_data_type_t flagged_type = { "flagged", { 0, RUBY_DEFAULT_FREE, 0, 0, { 0 } }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY };

static VALUE flags(VALUE self)
{
    char *memory;
    VALUE v = TypedData_Make_Struct(rb_cObject, char, &flagged_type, memory);
    int before = FL_TEST(v, FL_USER3) != 0;
    FL_SET(v, FL_USER3 | FL_USER1);
    FL_UNSET(v, FL_USER1);
    return rb_ary_new_from_args(4, INT2NUM(before), FL_TEST(v, FL_USER3) ? Qtrue : Qfalse, FL_TEST(v, FL_USER1) ? Qtrue : Qfalse,
                                OBJ_FROZEN(v) ? Qtrue : Qfalse);
}

static VALUE fails(VALUE data) { rb_raise(rb_eTypeError, "inner"); }

/* Leaves an exception in $! and raises another one. */
static VALUE protect_and_raise(VALUE self)
{
    int state;
    rb_protect(fails, Qnil, &state);
    rb_raise(rb_eArgError, "outer");
}

/* Calls the method above itself with what it was given, the last argument as keywords. */
static VALUE upwards(int argc, VALUE *argv, VALUE self) { return rb_call_super_kw(argc, argv, argc ? RB_PASS_KEYWORDS : RB_NO_KEYWORDS); }

static VALUE goes_upwards(VALUE self, VALUE klass) { return rb_define_method(klass, "up", upwards, -1), klass; }

static VALUE packs_native(VALUE self, VALUE v)
{
    int word = 0;
    rb_integer_pack(v, &word, 1, sizeof(word), 0, INTEGER_PACK_NATIVE_BYTE_ORDER | INTEGER_PACK_2COMP);
    return rb_assoc_new(INT2NUM(word), rb_special_const_p(v));
}

static VALUE members(VALUE self, VALUE v)
{
    VALUE list = rb_ary_new();
    for (long i = 0; i < RSTRUCT_LEN(v); i++) rb_ary_push(list, RSTRUCT_GET(v, (int)i));
    return list;
}

/* Marks what an Array and a Hash hold, one by one, as sqlite3 does. */
struct keeper { VALUE list, table; };
static ID id_none;
static int mark_pair(VALUE k, VALUE v, VALUE unused) { rb_gc_mark(k); rb_gc_mark(v); return ST_CONTINUE; }
static void mark_keeper(void *data)
{
    struct keeper *keeper = data;
    rb_gc_mark(keeper->list);
    rb_gc_mark(keeper->table);
    for (long i = 0; i < RARRAY_LEN(keeper->list); i++) rb_gc_mark(RARRAY_AREF(keeper->list, i));
    rb_hash_foreach(keeper->table, mark_pair, 0);
    rb_gc_mark(rb_iv_get(keeper->table, "@more"));
    rb_gc_mark(rb_ivar_get(keeper->list, id_none));
}
static const rb_data_type_t keeper_type = { "keeper", { mark_keeper, RUBY_DEFAULT_FREE, 0, 0, { 0 } }, 0, 0, 0 };
static VALUE keep(VALUE self, VALUE list, VALUE table)
{
    struct keeper *keeper;
    VALUE v = TypedData_Make_Struct(rb_cObject, struct keeper, &keeper_type, keeper);
    keeper->list = list;
    keeper->table = table;
    return v;
}
static VALUE kept(VALUE self, VALUE v)
{
    struct keeper *keeper = rb_check_typeddata(v, &keeper_type);
    return rb_assoc_new(keeper->list, keeper->table);
}

static VALUE data_of(VALUE self, VALUE v) { return RTYPEDDATA_GET_DATA(v) ? Qtrue : Qfalse; }

static void at_end(ruby_vm_t *vm) { printf("end of the VM%s\n", vm ? "" : " that is none"); fflush(stdout); }

static int woken;
static void *until_woken(void *unused) { while (!__atomic_load_n(&woken, __ATOMIC_ACQUIRE)) usleep(500); return NULL; }
static void wakes(void *unused) { __atomic_store_n(&woken, 1, __ATOMIC_RELEASE); }
static VALUE waits(VALUE self)
{
    rb_thread_call_without_gvl(until_woken, NULL, wakes, NULL);
    return INT2NUM(woken);
}

static const rb_data_type_t plain = { "plain", { 0, RUBY_DEFAULT_FREE, 0 }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY };
static const rb_data_type_t shareable = {
    "shareable", { 0, RUBY_DEFAULT_FREE, 0 }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE
};
static VALUE made_late(VALUE klass) { int *memory; return TypedData_Make_Struct(klass, int, &shareable, memory); }
static VALUE plain_late(VALUE klass) { int *memory; return TypedData_Make_Struct(klass, int, &plain, memory); }
static VALUE kind_late(VALUE self, VALUE v) { return RBOOL(rb_typeddata_is_kind_of(v, &shareable)); }
static VALUE marked_hash;
static void mark_sizes(void *memory)
{
    if (marked_hash && RHASH_SIZE(marked_hash) > 0) *(int *)memory = (int)RHASH_SIZE(marked_hash);
}
static const rb_data_type_t counting = { "counting", { mark_sizes, RUBY_DEFAULT_FREE, 0 }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY };
static VALUE counts(VALUE self, VALUE hash)
{
    int *memory;
    if (!marked_hash) rb_gc_register_address(&marked_hash);
    marked_hash = hash;
    return TypedData_Make_Struct(rb_cObject, int, &counting, memory);
}
static VALUE counted(VALUE self, VALUE v) { return INT2NUM(*(int *)RTYPEDDATA_GET_DATA(v)); }

static VALUE late(VALUE self, VALUE base, VALUE with)
{
    rb_define_alloc_func(base, FIX2INT(with) ? made_late : plain_late);
    return base;
}
static VALUE wrapped(VALUE self, VALUE shares)
{
    int *memory;
    return TypedData_Make_Struct(rb_cObject, int, RTEST(shares) ? &shareable : &plain, memory);
}

/* Flags where they lie: what is copied from one object to another, the type, and whether it is frozen. */
static VALUE flags_in_place(VALUE self)
{
    VALUE a = wrapped(self, Qfalse), b = wrapped(self, Qfalse);
    FL_SET(a, FL_USER1 | FL_USER5);
    RBASIC(b)->flags |= RBASIC(a)->flags & (FL_USER1 | FL_USER2 | FL_USER5);
    rb_obj_freeze(a);
    return rb_ary_new_from_args(4, RBOOL(FL_TEST(b, FL_USER1) && !FL_TEST(b, FL_USER2) && FL_TEST(b, FL_USER5)),
        RBOOL((RBASIC(b)->flags & T_MASK) == T_DATA), RBOOL(RBASIC(a)->flags & FL_FREEZE), RBOOL(RBASIC(b)->flags & FL_FREEZE));
}
static VALUE flags_of(VALUE self, VALUE v) { return ULONG2NUM(RBASIC(v)->flags); }

static VALUE nameless(VALUE self) { return rb_define_module_id(rb_intern("Unused")); }
static VALUE about(VALUE self)
{
    return rb_ary_new_from_args(4, rb_str_new_cstr(ruby_version), rb_str_new_cstr(ruby_platform),
        INT2NUM(ruby_api_version[0]), INT2NUM(st_strcasecmp("Abc", "aBC") | st_strncasecmp("abX", "ABy", 2)));
}

void Init_pieces(void)
{
    VALUE m = rb_define_module("Pieces");
    value_key = rb_ractor_local_storage_value_newkey();
    pointer_key = rb_ractor_local_storage_ptr_newkey(RB_RACTOR_LOCAL_STORAGE_TYPE_FREE);
    id_none = rb_intern("@none");
    rb_define_module_function(m, "shadow", shadow, 0);
    rb_define_module_function(m, "data_of", data_of, 1);
    rb_define_module_function(m, "static_classes", static_classes, 0);
    rb_define_module_function(m, "io_state", io_state, 1);
    rb_define_module_function(m, "io_check", io_check, 2);
    rb_define_module_function(m, "stdio_line", stdio_line, 1);
    rb_define_module_function(m, "open_fd", open_fd, 2);
    rb_define_module_function(m, "wait_readable", wait_readable, 2);
    rb_define_module_function(m, "select_fd", select_fd, 2);
    rb_define_module_function(m, "read_blocked", read_blocked, 1);
    rb_define_module_function(m, "with_gvl", with_gvl, 0);
    rb_define_module_function(m, "ractor_local", ractor_local, 1);
    rb_define_module_function(m, "count_lines", count_lines, 0);
    rb_define_module_function(m, "text", text, 0);
    rb_define_module_function(m, "makes", makes, 1);
    rb_define_module_function(m, "flags", flags, 0);
    rb_define_module_function(m, "protect_and_raise", protect_and_raise, 0);
    rb_define_module_function(m, "goes_upwards", goes_upwards, 1);
    rb_define_module_function(m, "packs_native", packs_native, 1);
    rb_define_module_function(m, "members", members, 1);
    rb_define_module_function(m, "keep", keep, 2);
    rb_define_module_function(m, "kept", kept, 1);
    ruby_vm_at_exit(at_end);
    rb_define_module_function(m, "waits", waits, 0);
    rb_define_module_function(m, "wrapped", wrapped, 1);
    rb_define_module_function(m, "flags_in_place", flags_in_place, 0);
    rb_define_module_function(m, "flags_of", flags_of, 1);
    rb_define_module_function(m, "counts", counts, 1);
    rb_define_module_function(m, "counted", counted, 1);
    rb_define_module_function(m, "late", late, 2);
    rb_define_module_function(m, "kind_late", kind_late, 1);
    rb_define_module_function(m, "nameless", nameless, 0);
    rb_define_module_function(m, "about", about, 0);
}
