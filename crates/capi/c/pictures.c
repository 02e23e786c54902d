/* Objects that CRuby keeps in structs which extensions know by heart: pictures of these structs, each kept by its object. */
#include "ruby/ruby.h"

struct enumerator_picture {
    VALUE receiver;
    ID method;
    VALUE arguments;
    VALUE others[8];
};

struct status_picture {
    rb_pid_t pid;
    int status;
    int error;
};

static void mark_enumerator(void *data)
{
    struct enumerator_picture *seen = data;
    rb_gc_mark(seen->receiver);
    rb_gc_mark(seen->arguments);
}

static const rb_data_type_t enumerator_type = { "enumerator", { mark_enumerator, RUBY_DEFAULT_FREE, 0, 0, { 0 } }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY };
static const rb_data_type_t status_type = { "status", { 0, RUBY_DEFAULT_FREE, 0, 0, { 0 } }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY };

static VALUE status_class(void) { return rb_path2class("Process::Status"); }

static int is_enumerator(VALUE v)
{
    return RTEST(rb_obj_is_kind_of(v, rb_cEnumerator)) && RB_TYPE_P(rb_attr_get(v, rb_intern("__meth")), RUBY_T_SYMBOL);
}

/* Is it of a class whose objects are of type T_DATA in CRuby, and here when asked for that type only? */
int rb_asterism_pictured_p(VALUE v)
{
    return is_enumerator(v) || RTEST(rb_obj_is_kind_of(v, status_class()));
}

static void *enumerator_picture(VALUE v, ID name)
{
    struct enumerator_picture *seen;
    VALUE holder = TypedData_Make_Struct(rb_cObject, struct enumerator_picture, &enumerator_type, seen);
    for (size_t i = 0; i < sizeof seen->others / sizeof *seen->others; i++) seen->others[i] = Qnil;
    seen->receiver = rb_attr_get(v, rb_intern("__receiver"));
    seen->method = SYM2ID(rb_attr_get(v, rb_intern("__meth")));
    seen->arguments = rb_attr_get(v, rb_intern("__args"));
    /* CRuby has none where there are no arguments. */
    if (RARRAY_LEN(seen->arguments) == 0) seen->arguments = 0;
    rb_ivar_set(v, name, holder);
    return seen;
}

static void *status_picture(VALUE v, ID name)
{
    struct status_picture *seen;
    VALUE holder = TypedData_Make_Struct(rb_cObject, struct status_picture, &status_type, seen);
    VALUE pid = rb_attr_get(v, rb_intern("pid")), status = rb_attr_get(v, rb_intern("status"));
    seen->pid = NIL_P(pid) ? 0 : NUM2PIDT(pid);
    seen->status = NIL_P(status) ? 0 : NUM2INT(status);
    rb_ivar_set(v, name, holder);
    return seen;
}

/* The struct of an object that is no data here. */
void *rb_asterism_picture(VALUE v)
{
    ID name = rb_intern("__picture__");
    VALUE holder;
    if (!rb_asterism_pictured_p(v)) rb_unexpected_type(v, RUBY_T_DATA);
    holder = rb_attr_get(v, name);
    if (is_enumerator(v)) return NIL_P(holder) ? enumerator_picture(v, name) : rb_check_typeddata(holder, &enumerator_type);
    return NIL_P(holder) ? status_picture(v, name) : rb_check_typeddata(holder, &status_type);
}

/* What C has written into the struct of a Process::Status is what the object says as soon as C freezes it. */
VALUE rb_obj_freeze(VALUE v)
{
    if (RB_TYPE_P(v, RUBY_T_OBJECT) && !OBJ_FROZEN(v)) {
        VALUE holder = rb_attr_get(v, rb_intern("__picture__"));
        if (!NIL_P(holder) && rb_typeddata_is_kind_of(holder, &status_type)) {
            struct status_picture *seen = rb_check_typeddata(holder, &status_type);
            rb_ivar_set(v, rb_intern("pid"), PIDT2NUM(seen->pid));
            rb_ivar_set(v, rb_intern("status"), INT2NUM(seen->status));
        }
    }
    return rb_asterism_freeze(v);
}
