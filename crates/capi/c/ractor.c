/* What belongs to a Ractor: its variables have names that begin with `__c_extension_`. */
#include "ruby/ruby.h"
#include "ruby/ractor.h"

struct rb_ractor_local_key_struct {
    unsigned long number;
    const struct rb_ractor_local_storage_type *type;
};

struct held {
    void *pointer;
    const struct rb_ractor_local_storage_type *type;
};

static void free_memory(void *pointer) { ruby_xfree(pointer); }

const struct rb_ractor_local_storage_type rb_ractor_local_storage_type_free = { NULL, free_memory };

static void mark_held(void *data)
{
    struct held *held = data;
    if (held->pointer && held->type && held->type->mark) held->type->mark(held->pointer);
}

static void free_held(void *data)
{
    struct held *held = data;
    if (held->pointer && held->type && held->type->free) held->type->free(held->pointer);
    free(held);
}

static const rb_data_type_t held_type = { "memory of a Ractor", { mark_held, free_held, 0, 0, { 0 } }, 0, 0, 0 };

static rb_ractor_local_key_t new_key(const struct rb_ractor_local_storage_type *type)
{
    static unsigned long last;
    rb_ractor_local_key_t key = malloc(sizeof(*key));
    if (!key) rb_memerror();
    key->number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    key->type = type;
    return key;
}

static VALUE current(void) { return rb_funcall(rb_cRactor, rb_intern("current"), 0); }

static VALUE name_of(rb_ractor_local_key_t key)
{
    char name[48];
    snprintf(name, sizeof(name), "__c_extension_%lu", key->number);
    return ID2SYM(rb_intern(name));
}

static VALUE get(rb_ractor_local_key_t key) { return rb_funcall(current(), rb_intern("[]"), 1, name_of(key)); }
static void set(rb_ractor_local_key_t key, VALUE v) { rb_funcall(current(), rb_intern("[]="), 2, name_of(key), v); }

rb_ractor_local_key_t rb_ractor_local_storage_value_newkey(void) { return new_key(NULL); }

VALUE rb_ractor_local_storage_value(rb_ractor_local_key_t key) { return get(key); }

/* A value of nil is none, as it is for Ractor#[]. */
bool rb_ractor_local_storage_value_lookup(rb_ractor_local_key_t key, VALUE *val)
{
    VALUE v = get(key);
    if (NIL_P(v)) return false;
    *val = v;
    return true;
}

void rb_ractor_local_storage_value_set(rb_ractor_local_key_t key, VALUE val) { set(key, val); }

rb_ractor_local_key_t rb_ractor_local_storage_ptr_newkey(const struct rb_ractor_local_storage_type *type)
{
    return new_key(type);
}

void *rb_ractor_local_storage_ptr(rb_ractor_local_key_t key)
{
    VALUE v = get(key);
    return NIL_P(v) ? NULL : ((struct held *)rb_check_typeddata(v, &held_type))->pointer;
}

void rb_ractor_local_storage_ptr_set(rb_ractor_local_key_t key, void *pointer)
{
    struct held *held;
    VALUE v = get(key);
    if (NIL_P(v)) {
        v = TypedData_Make_Struct(rb_cObject, struct held, &held_type, held);
        held->type = key->type;
        set(key, v);
    } else {
        held = rb_check_typeddata(v, &held_type);
    }
    held->pointer = pointer;
}

VALUE rb_ractor_make_shareable(VALUE v) { return rb_funcall(rb_cRactor, rb_intern("make_shareable"), 1, v); }

VALUE rb_ractor_make_shareable_copy(VALUE v)
{
    VALUE args[2], options = rb_hash_new();
    rb_hash_aset(options, ID2SYM(rb_intern("copy")), Qtrue);
    args[0] = v;
    args[1] = options;
    return rb_funcallv_kw(rb_cRactor, rb_intern("make_shareable"), 2, args, RB_PASS_KEYWORDS);
}

bool rb_ractor_shareable_p(VALUE v)
{
    return RB_SPECIAL_CONST_P(v) || RTEST(rb_funcall(rb_cRactor, rb_intern("shareable?"), 1, v));
}

VALUE rb_ractor_stdin(void) { return rb_gv_get("$stdin"); }
VALUE rb_ractor_stdout(void) { return rb_gv_get("$stdout"); }
VALUE rb_ractor_stderr(void) { return rb_gv_get("$stderr"); }
void rb_ractor_stdin_set(VALUE io) { rb_gv_set("$stdin", io); }
void rb_ractor_stdout_set(VALUE io) { rb_gv_set("$stdout", io); }
void rb_ractor_stderr_set(VALUE io) { rb_gv_set("$stderr", io); }
