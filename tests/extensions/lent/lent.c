/* What extensions know of objects that other libraries made: structs of Enumerators and of Process::Status, blocks of methods in C, modes
   of streams, room behind the bytes of a String. */
#include "ruby.h"
#include "ruby/encoding.h"
#include "ruby/io.h"
#include <string.h>

struct enumerator { VALUE receiver; ID method; VALUE arguments; };
struct status { rb_pid_t pid; int status; int error; };

static VALUE walks(VALUE self, VALUE v)
{
    struct enumerator *e;
    if (!RB_TYPE_P(v, T_DATA)) return Qfalse;
    e = RTYPEDDATA_GET_DATA(v);
    return rb_ary_new_from_args(3, e->receiver, ID2SYM(e->method), e->arguments ? e->arguments : Qnil);
}

static VALUE ended(VALUE self, VALUE pid, VALUE status)
{
    VALUE v = rb_obj_alloc(rb_path2class("Process::Status"));
    struct status *s = RTYPEDDATA_GET_DATA(v);
    s->pid = NUM2PIDT(pid);
    s->status = NUM2INT(status);
    return rb_obj_freeze(v);
}

static VALUE data_of(VALUE self, VALUE v)
{
    RTYPEDDATA_GET_DATA(v);
    return v;
}

static VALUE twice(RB_BLOCK_CALL_FUNC_ARGLIST(v, data))
{
    return rb_block_given_p() ? rb_yield(rb_funcall(v, '*', 1, INT2FIX(2))) : v;
}
static VALUE doubles(VALUE self, VALUE list) { return rb_block_call(list, rb_intern("map"), 0, NULL, twice, Qnil); }
static VALUE each_of(VALUE list) { return rb_funcall_with_block(list, rb_intern("map"), 0, NULL, rb_block_proc()); }
static VALUE doubles_later(VALUE self, VALUE list) { return rb_iterate(each_of, list, twice, Qnil); }

static VALUE mode_of(VALUE self, VALUE mode, VALUE options)
{
    int oflags, fmode;
    rb_io_enc_t encodings;
    rb_io_extract_modeenc(&mode, 0, options, &oflags, &fmode, &encodings);
    return rb_ary_new_from_args(5, mode, INT2NUM(oflags), INT2NUM(fmode & ~0x1000000), rb_enc_from_encoding(encodings.enc),
                                rb_enc_from_encoding(encodings.enc2));
}

static VALUE encoding(VALUE self, VALUE v) { return rb_enc_from_encoding(rb_find_encoding(v)); }

/* Bytes come in pieces, and the length is set at the end. */
static VALUE pieces(VALUE self, VALUE text, VALUE first, VALUE second, VALUE resizes)
{
    long at = RSTRING_LEN(text), one = RSTRING_LEN(first), two = RSTRING_LEN(second);
    rb_str_modify_expand(text, one);
    memcpy(RSTRING_PTR(text) + at, RSTRING_PTR(first), (size_t)one);
    if (RTEST(resizes)) rb_str_resize(text, at + one + two);
    else rb_str_modify_expand(text, one + two);
    memcpy(RSTRING_PTR(text) + at + one, RSTRING_PTR(second), (size_t)two);
    rb_str_set_len(text, at + one + two);
    return text;
}

static VALUE real(VALUE self, VALUE v) { return DBL2NUM(NUM2DBL(v)); }

void Init_lent(void)
{
    VALUE lent = rb_define_module("Lent");
    rb_define_module_function(lent, "walks", walks, 1);
    rb_define_module_function(lent, "ended", ended, 2);
    rb_define_module_function(lent, "data_of", data_of, 1);
    rb_define_module_function(lent, "doubles", doubles, 1);
    rb_define_module_function(lent, "doubles_later", doubles_later, 1);
    rb_define_module_function(lent, "mode_of", mode_of, 2);
    rb_define_module_function(lent, "encoding", encoding, 1);
    rb_define_module_function(lent, "pieces", pieces, 4);
    rb_define_module_function(lent, "real", real, 1);
}
