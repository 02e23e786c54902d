/* Functions with a variable number of arguments, which come down to those of Rust. */
#include "ruby/ruby.h"

VALUE rb_funcall(VALUE recv, ID mid, int n, ...)
{
    /* Most calls have so few: they need no memory of a size that is not known. */
    if (n <= 2) {
        VALUE few[2] = {0, 0};
        va_list ap;
        va_start(ap, n);
        if (n > 0) few[0] = va_arg(ap, VALUE);
        if (n > 1) few[1] = va_arg(ap, VALUE);
        va_end(ap);
        return rb_funcallv(recv, mid, n, few);
    }
    VALUE args[n];
    va_list ap;
    int i;
    va_start(ap, n);
    for (i = 0; i < n; i++) args[i] = va_arg(ap, VALUE);
    va_end(ap);
    return rb_funcallv(recv, mid, n, args);
}

VALUE rb_yield_values(int n, ...)
{
    VALUE args[n > 0 ? n : 1];
    va_list ap;
    int i;
    va_start(ap, n);
    for (i = 0; i < n; i++) args[i] = va_arg(ap, VALUE);
    va_end(ap);
    return rb_yield_values2(n, args);
}

VALUE rb_ary_new_from_args(long n, ...)
{
    VALUE list = rb_ary_new_capa(n);
    va_list ap;
    long i;
    va_start(ap, n);
    for (i = 0; i < n; i++) rb_ary_push(list, va_arg(ap, VALUE));
    va_end(ap);
    return list;
}

VALUE rb_rescue2(VALUE (*body)(VALUE), VALUE data1, VALUE (*handler)(VALUE, VALUE), VALUE data2, ...)
{
    VALUE classes[32];
    int n = 0;
    va_list ap;
    va_start(ap, data2);
    while (n < 32 && (classes[n] = va_arg(ap, VALUE)) != 0) n++;
    va_end(ap);
    return rb_asterism_rescue(body, data1, handler, data2, classes, n);
}

/* The names of members up to a null pointer, as Symbols. */
#define MEMBERS(last) \
    VALUE members[128]; \
    long n = 0; \
    const char *name_of; \
    va_list ap; \
    va_start(ap, last); \
    while (n < 128 && (name_of = va_arg(ap, const char *)) != NULL) members[n++] = ID2SYM(rb_intern(name_of)); \
    va_end(ap)

VALUE rb_struct_define(const char *name, ...)
{
    MEMBERS(name);
    return rb_asterism_struct_define(Qnil, name, Qnil, members, n);
}

VALUE rb_struct_define_under(VALUE space, const char *name, ...)
{
    MEMBERS(name);
    return rb_asterism_struct_define(Qnil, name, space, members, n);
}

VALUE rb_struct_define_without_accessor(const char *name, VALUE super, rb_alloc_func_t alloc, ...)
{
    VALUE made;
    MEMBERS(alloc);
    made = rb_asterism_struct_define(super, name, rb_cObject, members, n);
    if (alloc) rb_define_alloc_func(made, alloc);
    return made;
}

VALUE rb_data_define(VALUE super, ...)
{
    MEMBERS(super);
    return rb_asterism_data_define(super, members, n);
}

VALUE rb_struct_new(VALUE klass, ...)
{
    VALUE list = rb_struct_s_members(klass);
    long i, n = RARRAY_LEN(list);
    VALUE args[n > 0 ? n : 1];
    va_list ap;
    va_start(ap, klass);
    for (i = 0; i < n; i++) args[i] = va_arg(ap, VALUE);
    va_end(ap);
    return rb_class_new_instance((int)n, args, klass);
}

void rb_deprecate_constant(VALUE mod, const char *name, ...)
{
    va_list ap;
    va_start(ap, name);
    for (; name; name = va_arg(ap, const char *)) rb_deprecate_constant_one(mod, name);
    va_end(ap);
}

VALUE rb_extract_keywords(VALUE *opthash)
{
    VALUE h = *opthash;
    if (NIL_P(h) || RHASH_EMPTY_P(h)) return 0;
    *opthash = 0;
    return rb_hash_dup(h);
}

/* fmt: mandatory, optional, * rest, trailing mandatory, : options, & block. */
static int scan(int kw, int argc, const VALUE *argv, const char *fmt, va_list ap)
{
    int lead = 0, opt = 0, trail = 0, rest = 0, hash = 0, block = 0, i, at = 0, given, n;
    const char *p = fmt;
    VALUE options = Qnil, *var;
    if (ISDIGIT(*p)) {
        lead = *p++ - '0';
        if (ISDIGIT(*p)) opt = *p++ - '0';
    }
    if (*p == '*') { rest = 1; p++; }
    if (ISDIGIT(*p)) trail = *p++ - '0';
    if (*p == ':') { hash = 1; p++; }
    if (*p == '&') { block = 1; p++; }
    if (*p) rb_fatal("bad scan arg format: %s", fmt);
    given = argc;
    if (hash && argc > 0) {
        VALUE last = argv[argc - 1];
        if (kw && RB_TYPE_P(last, RUBY_T_HASH)) {
            options = rb_hash_dup(last);
            argc--;
        }
    }
    n = argc;
    if (n < lead + trail || (!rest && n > lead + opt + trail)) {
        (void)given;
        rb_error_arity(n, lead + trail, rest ? UNLIMITED_ARGUMENTS : lead + opt + trail);
    }
    for (i = 0; i < lead; i++) {
        if ((var = va_arg(ap, VALUE *))) *var = argv[at];
        at++;
    }
    for (i = 0; i < opt; i++) {
        var = va_arg(ap, VALUE *);
        if (at < n - trail) {
            if (var) *var = argv[at];
            at++;
        }
        else if (var) *var = Qnil;
    }
    if (rest) {
        int count = n - at - trail;
        var = va_arg(ap, VALUE *);
        if (count < 0) count = 0;
        if (var) *var = rb_ary_new_from_values(count, argv + at);
        at += count;
    }
    for (i = 0; i < trail; i++) {
        if ((var = va_arg(ap, VALUE *))) *var = argv[at];
        at++;
    }
    if (hash && (var = va_arg(ap, VALUE *))) *var = options;
    if (block && (var = va_arg(ap, VALUE *))) *var = rb_block_given_p() ? rb_block_proc() : Qnil;
    return n;
}

int rb_scan_args(int argc, const VALUE *argv, const char *fmt, ...)
{
    va_list ap;
    int n;
    va_start(ap, fmt);
    n = scan(rb_keyword_given_p(), argc, argv, fmt, ap);
    va_end(ap);
    return n;
}

int rb_scan_args_kw(int kw, int argc, const VALUE *argv, const char *fmt, ...)
{
    va_list ap;
    int n;
    va_start(ap, fmt);
    if (kw == RB_SCAN_ARGS_PASS_CALLED_KEYWORDS) kw = rb_keyword_given_p();
    else if (kw == RB_SCAN_ARGS_LAST_HASH_KEYWORDS) kw = argc > 0 && RB_TYPE_P(argv[argc - 1], RUBY_T_HASH);
    n = scan(kw, argc, argv, fmt, ap);
    va_end(ap);
    return n;
}
