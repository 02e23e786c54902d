/* What the tests of extensions call: each kind of thing that goes over the border. */
#include "ruby.h"
#include "ruby/encoding.h"
#include "ruby/thread.h"
#include "ruby/re.h"
#include <sched.h>

struct point { double x, y; VALUE label; };
static int freed;
static void point_mark(void *p) { rb_gc_mark(((struct point *)p)->label); }
static void point_free(void *p) { freed++; xfree(p); }
static const rb_data_type_t point_type = { "point", { point_mark, point_free, 0 }, 0, 0, 0 };

static VALUE point_alloc(VALUE klass)
{
    struct point *p;
    VALUE v = TypedData_Make_Struct(klass, struct point, &point_type, p);
    p->label = Qnil;
    return v;
}

static VALUE few0(VALUE self) { return rb_ary_new_from_args(1, self); }
static VALUE few1(VALUE self, VALUE a) { return rb_ary_new_from_args(2, self, a); }
static VALUE few2(VALUE self, VALUE a, VALUE b) { return rb_ary_new_from_args(3, self, a, b); }
static VALUE few3(VALUE self, VALUE a, VALUE b, VALUE c) { return rb_ary_new_from_args(4, self, a, b, c); }
static VALUE few4(VALUE self, VALUE a, VALUE b, VALUE c, VALUE d) { return rb_ary_new_from_args(5, self, a, b, c, d); }
static VALUE like_few1(VALUE self, VALUE a) { return a; }

/* Calls `each_given` with as many arguments. */
static VALUE calls(VALUE self, VALUE object, VALUE n)
{
    ID name = rb_intern("each_given");
    switch (NUM2INT(n)) {
      case 0: return rb_funcall(object, name, 0);
      case 1: return rb_funcall(object, name, 1, INT2FIX(1));
      case 2: return rb_funcall(object, name, 2, INT2FIX(1), INT2FIX(2));
      case 3: return rb_funcall(object, name, 3, INT2FIX(1), INT2FIX(2), INT2FIX(3));
      default: return rb_funcall(object, name, 4, INT2FIX(1), INT2FIX(2), INT2FIX(3), INT2FIX(4));
    }
}

static VALUE point_init(VALUE self, VALUE x, VALUE y)
{
    struct point *p;
    TypedData_Get_Struct(self, struct point, &point_type, p);
    p->x = NUM2DBL(x);
    p->y = NUM2DBL(y);
    p->label = rb_sprintf("(%g, %g) of %"PRIsVALUE, p->x, p->y, rb_obj_class(self));
    return self;
}

static VALUE point_label(VALUE self)
{
    struct point *p;
    TypedData_Get_Struct(self, struct point, &point_type, p);
    return p->label;
}

static VALUE args_c(int argc, VALUE *argv, VALUE self)
{
    VALUE a, b, rest, opts, block;
    rb_scan_args(argc, argv, "11*:&", &a, &b, &rest, &opts, &block);
    return rb_ary_new_from_args(5, a, b, rest, opts, block);
}
static VALUE args_ruby(VALUE self, VALUE args) { return rb_ary_dup(args); }
static VALUE args_ten(VALUE self, VALUE a, VALUE b, VALUE c, VALUE d, VALUE e, VALUE f, VALUE g, VALUE h, VALUE i, VALUE j)
{
    return rb_ary_new_from_args(10, a, b, c, d, e, f, g, h, i, j);
}

static VALUE deep(VALUE n)
{
    volatile char pad[100];
    pad[0] = 1;
    if (FIX2INT(n) == 0) rb_raise(rb_eArgError, "deep %d %s", 42, "down");
    deep(INT2FIX(FIX2INT(n) - 1));
    return pad[0] ? Qnil : Qtrue;
}
static VALUE raises(VALUE self, VALUE n) { return deep(n); }
static VALUE yields(VALUE n) { return rb_yield(n); }
static VALUE protects(VALUE self, VALUE n)
{
    int state;
    VALUE v = rb_protect(yields, n, &state);
    if (!state) return rb_ary_new_from_args(2, Qtrue, v);
    v = rb_errinfo();
    rb_set_errinfo(Qnil);
    return rb_ary_new_from_args(2, Qfalse, v);
}
/* What rb_errinfo says: at first, after a failure, when that is cleared; and what $! is meanwhile. */
static VALUE errors(VALUE self, VALUE n)
{
    int state;
    VALUE first = rb_errinfo(), second, seen;
    rb_protect(yields, n, &state);
    second = rb_errinfo();
    seen = rb_gv_get("$!");
    rb_set_errinfo(Qnil);
    return rb_ary_new_from_args(5, first, second, seen, rb_errinfo(), rb_gv_get("$!"));
}
static VALUE error_in(VALUE n) { return rb_ary_new_from_args(2, rb_errinfo(), rb_yield(n)); }
static VALUE error_after(VALUE data, VALUE e) { return rb_ary_new_from_args(2, rb_errinfo(), rb_gv_get("$!")); }
static VALUE errors_rescued(VALUE self, VALUE n)
{
    VALUE v = rb_rescue2(error_in, n, error_after, n, rb_eStandardError, (VALUE)0);
    return rb_ary_new_from_args(2, v, rb_errinfo());
}
/* What C finds behind the bytes of a String, twice. */
static VALUE behind(VALUE self, VALUE s)
{
    int first = StringValuePtr(s)[RSTRING_LEN(s)];
    return rb_ary_new_from_args(2, INT2FIX(first), INT2FIX(RSTRING_PTR(s)[RSTRING_LEN(s)]));
}
static VALUE passes_on(VALUE self, VALUE n)
{
    int state;
    VALUE v = rb_protect(yields, n, &state);
    if (state) rb_jump_tag(state);
    return v;
}
static VALUE note(VALUE list) { return rb_ary_push(list, ID2SYM(rb_intern("ensured"))); }
static VALUE ensures(VALUE self, VALUE list) { return rb_ensure(yields, list, note, list); }
static VALUE handle(VALUE data, VALUE e) { return rb_ary_new_from_args(2, data, rb_obj_class(e)); }
static VALUE rescues(VALUE self, VALUE v) { return rb_rescue2(yields, v, handle, v, rb_eTypeError, rb_eArgError, (VALUE)0); }

static VALUE doubles(VALUE v, VALUE data, int argc, const VALUE *argv, VALUE block)
{
    if (v == INT2FIX(99)) rb_iter_break_value(ID2SYM(rb_intern("broken")));
    return rb_funcall(v, '*', 1, data);
}
static VALUE maps(VALUE self, VALUE list) { return rb_block_call(list, rb_intern("map"), 0, 0, doubles, INT2FIX(2)); }

static VALUE strings(VALUE self, VALUE s)
{
    VALUE made = rb_str_new(0, 3);
    memcpy(RSTRING_PTR(made), "abc", 3);
    rb_str_cat(made, RSTRING_PTR(s), RSTRING_LEN(s));
    rb_str_resize(made, RSTRING_LEN(made) + 1);
    RSTRING_PTR(made)[RSTRING_LEN(made) - 1] = '!';
    rb_enc_associate(made, rb_utf8_encoding());
    return rb_ary_new_from_args(3, made, INT2NUM((int)strlen(StringValueCStr(made))), rb_str_new_cstr(rb_enc_name(rb_enc_get(s))));
}
static int sum_pair(VALUE k, VALUE v, VALUE sum)
{
    rb_ary_push(sum, rb_ary_new_from_args(2, k, v));
    return k == ID2SYM(rb_intern("stop")) ? ST_STOP : ST_CONTINUE;
}
static VALUE hashes(VALUE self, VALUE h)
{
    VALUE list = rb_ary_new();
    rb_hash_aset(h, rb_str_new_cstr("key"), INT2FIX(1));
    rb_hash_foreach(h, sum_pair, list);
    return list;
}
static VALUE numbers(VALUE self, VALUE v)
{
    switch (TYPE(v)) {
      case T_FIXNUM: return LONG2NUM(NUM2LONG(v) + 1);
      case T_FLOAT: return DBL2NUM(RFLOAT_VALUE(v) * 2);
      case T_BIGNUM: return ULL2NUM(NUM2ULL(v));
      case T_STRING: return rb_cstr_to_inum(StringValueCStr(v), 10, 0);
      default: return INT2NUM(TYPE(v));
    }
}
static VALUE fills(VALUE self, VALUE n)
{
    long i, len = NUM2LONG(n);
    VALUE list = rb_ary_new_from_values(0, 0), *p;
    rb_ary_store(list, len - 1, Qnil);
    p = RARRAY_PTR(list);
    for (i = 0; i < len; i++) p[i] = rb_sprintf("%ld", i);
    return list;
}
static VALUE match _((VALUE self));
static VALUE match(VALUE self)
{
    VALUE m = rb_backref_get();
    if (!NIL_P(m)) rb_match_busy(m);
    return m;
}
static VALUE sets_match(VALUE self, VALUE m) { rb_backref_set(m); return rb_backref_get(); }
static VALUE ends(VALUE self) { rb_eof_error(); }
static VALUE copies(VALUE self, VALUE v)
{
    char part[6];
    size_t whole = strlcpy(part, StringValueCStr(v), sizeof part), more;
    rb_pid_t pid = getpid();
    char *end;
    VALUE first = rb_str_new_cstr(part);
    unsigned long number = STRTOUL("ff!", &end, 16);
    part[2] = 0;
    more = strlcat(part, "xyzabc", sizeof part);
    return rb_ary_new_from_args(6, first, SIZET2NUM(whole), rb_str_new_cstr(part), SIZET2NUM(more),
                                ULONG2NUM(number), rb_str_new_cstr(pid > 0 ? end : ""));
}
static int race;
static void *sleeps(void *p) { usleep(*(int *)p); return p; }
static VALUE outside(VALUE self)
{
    int us = 50000;
    rb_thread_call_without_gvl(sleeps, &us, RUBY_UBF_IO, 0);
    return Qtrue;
}
static VALUE races(VALUE self, VALUE times)
{
    int n = FIX2INT(times);
    while (n-- > 0) { int seen = *(volatile int *)&race; if (n % 64 == 0) sched_yield(); *(volatile int *)&race = seen + 1; }
    return INT2NUM(race);
}
static VALUE freed_so_far(VALUE self) { return INT2NUM(freed); }
static VALUE over(VALUE self, VALUE v) { return rb_ary_new_from_args(2, v, rb_call_super(1, &v)); }

/* Hooks in C are called as those in Ruby. */
static VALUE included(VALUE self, VALUE target) {
    ID name;
    RUBY_CONST_ID(name, "@included");
    return rb_ivar_set(target, name, self);
}

static VALUE missing(int argc, VALUE *argv, VALUE self) {
    return rb_ary_new_from_values(argc, argv);
}

/* As races, after Ruby code that begins another thread has run in the middle of a function. */
static VALUE races_after(VALUE self, VALUE name, VALUE times) { rb_to_encoding_index(name); return races(self, times); }

/* Locks a String, so many times, while a block runs. */
static VALUE locks(VALUE self, VALUE text, VALUE times) {
    int i, state;
    VALUE result;
    for (i = 0; i < NUM2INT(times); i++) rb_str_locktmp(text);
    result = rb_protect(rb_yield, text, &state);
    rb_str_unlocktmp(text);
    if (state) rb_jump_tag(state);
    return result;
}

void Init_basic(void)
{
    VALUE m = rb_define_module("Basic");
    VALUE point = rb_define_class_under(m, "Point", rb_cObject);
    rb_define_alloc_func(point, point_alloc);
    rb_define_method(point, "initialize", point_init, 2);
    rb_define_method(point, "label", point_label, 0);
    rb_define_module_function(m, "args_c", args_c, -1);
    rb_define_module_function(m, "args_ruby", args_ruby, -2);
    rb_define_module_function(m, "args_ten", args_ten, 10);
    rb_define_module_function(m, "few0", few0, 0);
    rb_define_module_function(m, "few1", few1, 1);
    rb_define_module_function(m, "few2", few2, 2);
    rb_define_module_function(m, "few3", few3, 3);
    rb_define_module_function(m, "few4", few4, 4);
    rb_define_module_function(m, "like_few1", like_few1, 1);
    rb_define_module_function(m, "calls", calls, 2);
    rb_define_module_function(m, "raises", raises, 1);
    rb_define_module_function(m, "protects", protects, 1);
    rb_define_module_function(m, "errors", errors, 1);
    rb_define_module_function(m, "errors_rescued", errors_rescued, 1);
    rb_define_module_function(m, "behind", behind, 1);
    rb_define_module_function(m, "passes_on", passes_on, 1);
    rb_define_module_function(m, "ensures", ensures, 1);
    rb_define_module_function(m, "rescues", rescues, 1);
    rb_define_module_function(m, "maps", maps, 1);
    rb_define_module_function(m, "strings", strings, 1);
    rb_define_module_function(m, "hashes", hashes, 1);
    rb_define_module_function(m, "numbers", numbers, 1);
    rb_define_module_function(m, "fills", fills, 1);
    rb_define_module_function(m, "match", match, 0);
    rb_define_module_function(m, "sets_match", sets_match, 1);
    rb_define_module_function(m, "ends", ends, 0);
    rb_define_module_function(m, "copies", copies, 1);
    rb_define_module_function(m, "outside", outside, 0);
    rb_define_module_function(m, "races", races, 1);
    rb_define_module_function(m, "races_after", races_after, 2);
    rb_define_module_function(m, "freed", freed_so_far, 0);
    rb_define_method(m, "over", over, 1);
    rb_define_singleton_method(rb_define_module_under(m, "Hooks"), "included", included, 1);
    rb_define_method(rb_const_get(m, rb_intern("Hooks")), "method_missing", missing, -1);
    rb_define_module_function(m, "locks", locks, 2);
    rb_define_const(m, "ANSWER", INT2FIX(42));
}
