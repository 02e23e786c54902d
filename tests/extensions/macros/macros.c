/* What the header's macros find in objects themselves, without a call; and loops that stay in C. */
#include "ruby.h"
#include "ruby/encoding.h"
#include <string.h>

static VALUE of(VALUE self, VALUE v)
{
    return rb_ary_new_from_args(4, INT2FIX(TYPE(v)), rb_class_of(v), OBJ_FROZEN(v) ? Qtrue : Qfalse, RB_TYPE_P(v, T_DATA) ? Qtrue : Qfalse);
}
static VALUE types(VALUE self) { return rb_ary_new_from_args(6, INT2FIX(T_FIXNUM), INT2FIX(T_FLOAT), INT2FIX(T_SYMBOL), INT2FIX(T_NIL), INT2FIX(T_TRUE), INT2FIX(T_FALSE)); }
static VALUE entries(VALUE self, VALUE list, VALUE from, VALUE to)
{
    VALUE all = rb_ary_new();
    for (long i = NUM2LONG(from); i <= NUM2LONG(to); i++) rb_ary_push(all, rb_ary_entry(list, i));
    return all;
}
static VALUE entry(VALUE self, VALUE v) { return rb_ary_entry(v, 0); }

/* Strings. */
static VALUE text(VALUE self, VALUE v)
{
    const char *bytes = RSTRING_PTR(v);
    if (bytes[RSTRING_LEN(v)] || RSTRING_PTR(v) != bytes) rb_raise(rb_eRuntimeError, "no NUL, or another place");
    return rb_ary_new_from_args(3, rb_str_new(bytes, RSTRING_LEN(v)), INT2FIX(rb_enc_get_index(v)), rb_usascii_str_new_cstr(rb_enc_get(v)->name));
}
static VALUE ended(VALUE self, VALUE v) { return RSTRING_PTR(v)[RSTRING_LEN(v)] ? Qfalse : Qtrue; }
static VALUE twice(VALUE self, VALUE v) { return rb_str_cat(v, RSTRING_PTR(v), RSTRING_LEN(v)); }
static VALUE grows(VALUE self, VALUE part, VALUE times)
{
    VALUE made = rb_str_buf_new(0);
    for (long i = 0; i < NUM2LONG(times); i++) {
        rb_str_cat(made, RSTRING_PTR(part), RSTRING_LEN(part));
        if (RSTRING_PTR(made)[RSTRING_LEN(made)]) rb_raise(rb_eRuntimeError, "no NUL");
    }
    return made;
}
static VALUE behind(VALUE self)
{
    VALUE made = rb_str_buf_new(20);
    strcpy(RSTRING_PTR(made), "written");
    if (strcmp(RSTRING_PTR(made), "written")) rb_raise(rb_eRuntimeError, "what was written is gone");
    rb_str_set_len(made, 5);
    return made;
}
static VALUE interned(VALUE self, VALUE v) { return rb_enc_interned_str(RSTRING_PTR(v), RSTRING_LEN(v), rb_enc_get(v)); }
static VALUE check_frozen(VALUE self, VALUE v) { rb_check_frozen(v); return Qtrue; }
static VALUE encodings(VALUE self)
{
    return rb_ary_new_from_args(4, rb_enc_from_encoding(rb_utf8_encoding()), rb_enc_from_encoding(rb_ascii8bit_encoding()),
        rb_enc_from_encoding(rb_usascii_encoding()), rb_enc_from_index(99999) ? Qtrue : Qfalse);
}

/* Hashes. */
static int visit(VALUE key, VALUE value, VALUE all)
{
    if (value == ID2SYM(rb_intern("raise"))) rb_raise(rb_eArgError, "in a walk");
    rb_ary_push(all, key);
    if (value == ID2SYM(rb_intern("stop"))) return ST_STOP;
    if (value == ID2SYM(rb_intern("delete"))) return ST_DELETE;
    if (RB_TYPE_P(value, T_HASH)) rb_hash_foreach(value, visit, all);
    if (rb_block_given_p()) rb_yield(key);
    return ST_CONTINUE;
}
static VALUE walk(VALUE self, VALUE table)
{
    VALUE all = rb_ary_new();
    rb_hash_foreach(table, visit, all);
    return all;
}

/* Memory. */
static VALUE too_much(VALUE self) { xfree(ruby_xmalloc2(SIZE_MAX / 2, 4)); return Qnil; }
static VALUE zeros(VALUE self)
{
    char *memory = ruby_xcalloc(10, 10);
    int sum = 0;
    for (int i = 0; i < 100; i++) sum += memory[i];
    memory = ruby_xrealloc2(memory, 100, 100);
    memory[9999] = 1;
    xfree(memory);
    return INT2FIX(sum);
}

/* An object that says what is stored in it. */
struct holder { VALUE held; };
static void holder_mark(void *p) { rb_gc_mark(((struct holder *)p)->held); }
static const rb_data_type_t holder_type = { "holder", { holder_mark, RUBY_DEFAULT_FREE }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED };
static VALUE holder_new(VALUE klass)
{
    struct holder *h;
    VALUE v = TypedData_Make_Struct(klass, struct holder, &holder_type, h);
    h->held = Qnil;
    return v;
}
static VALUE holder_set(VALUE self, VALUE held)
{
    struct holder *h = rb_check_typeddata(self, &holder_type);
    RB_OBJ_WRITE(self, &h->held, held);
    return held;
}
static VALUE holder_get(VALUE self)
{
    struct holder *h = rb_check_typeddata(self, &holder_type);
    return h->held;
}

static VALUE dup_and_clone(VALUE self, VALUE v) { return rb_assoc_new(rb_obj_dup(v), rb_obj_clone(v)); }
static VALUE parts(VALUE self, VALUE h) { return rb_ary_new_from_args(3, rb_hash_dup(h), rb_hash_keys(h), rb_hash_values(h)); }
static VALUE number(VALUE self, VALUE v, VALUE strict)
{
    double whole = rb_str_to_dbl(v, RTEST(strict)), same = rb_cstr_to_dbl(StringValueCStr(v), RTEST(strict));
    return rb_ary_new_from_args(2, DBL2NUM(whole), DBL2NUM(same));
}
static VALUE names(VALUE self, VALUE n)
{
    ID first = rb_intern("a name that only this has"), plus = rb_intern("+"), wide = rb_intern("\xc3\xa9");
    for (long i = 0; i < NUM2LONG(n); i++) {
        const char *again = i % 2 ? "a name that only this has" : "another such name";
        if (rb_intern("a name that only this has") != first || (rb_intern(again) == first) != i % 2) return Qfalse;
    }
    return rb_ary_new_from_args(3, ID2SYM(first), ID2SYM(plus), ID2SYM(wide));
}
static VALUE store(VALUE self, VALUE list, VALUE at, VALUE v)
{
    rb_ary_store(list, NUM2LONG(at), v);
    return list;
}

void Init_macros(void)
{
    VALUE macros = rb_define_module("Macros"), holder = rb_define_class_under(macros, "Holder", rb_cObject);
    rb_undef_alloc_func(holder);
    rb_define_singleton_method(holder, "new", holder_new, 0);
    rb_define_method(holder, "held=", holder_set, 1);
    rb_define_method(holder, "held", holder_get, 0);
    rb_define_singleton_method(macros, "of", of, 1);
    rb_define_singleton_method(macros, "types", types, 0);
    rb_define_singleton_method(macros, "entries", entries, 3);
    rb_define_singleton_method(macros, "entry", entry, 1);
    rb_define_singleton_method(macros, "text", text, 1);
    rb_define_singleton_method(macros, "ended?", ended, 1);
    rb_define_singleton_method(macros, "twice", twice, 1);
    rb_define_singleton_method(macros, "grows", grows, 2);
    rb_define_singleton_method(macros, "behind", behind, 0);
    rb_define_singleton_method(macros, "interned", interned, 1);
    rb_define_singleton_method(macros, "check_frozen", check_frozen, 1);
    rb_define_singleton_method(macros, "encodings", encodings, 0);
    rb_define_singleton_method(macros, "walk", walk, 1);
    rb_define_singleton_method(macros, "too_much", too_much, 0);
    rb_define_singleton_method(macros, "zeros", zeros, 0);
    rb_define_singleton_method(macros, "dup_and_clone", dup_and_clone, 1);
    rb_define_singleton_method(macros, "parts", parts, 1);
    rb_define_singleton_method(macros, "number", number, 2);
    rb_define_singleton_method(macros, "names", names, 1);
    rb_define_singleton_method(macros, "store", store, 3);
}
