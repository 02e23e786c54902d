/* Digests in C. The library `digest` asks a digest object's `algorithm` to start a computation, and works with that by the methods
   `update`, `finish` and `copy`; here are an algorithm and a computation that call the functions of a table. */
#include "ruby/ruby.h"
#include "ruby/digest.h"
#include <string.h>

static const rb_data_type_t metadata_type = { "digest/metadata", { 0, 0, 0, 0, { 0 } }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE };

struct computation {
    const rb_digest_metadata_t *table;
    void *context;
};

static void free_computation(void *data)
{
    xfree(((struct computation *)data)->context);
    xfree(data);
}
static size_t size_of_computation(const void *data)
{
    return sizeof(struct computation) + ((const struct computation *)data)->table->ctx_size;
}
static const rb_data_type_t computation_type = { "digest/context", { 0, free_computation, size_of_computation, 0, { 0 } }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY };

static struct computation *computation(VALUE v) { return rb_check_typeddata(v, &computation_type); }

static void begin(const struct computation *c)
{
    if (c->table->init_func(c->context) != 1) rb_raise(rb_eRuntimeError, "Digest initialization failed.");
}

static VALUE make(VALUE klass, const rb_digest_metadata_t *table)
{
    struct computation *c;
    VALUE made = TypedData_Make_Struct(klass, struct computation, &computation_type, c);
    c->table = table;
    c->context = xcalloc(1, table->ctx_size);
    return made;
}

static VALUE update(VALUE self, VALUE text)
{
    const struct computation *c = computation(self);
    StringValue(text);
    c->table->update_func(c->context, (unsigned char *)RSTRING_PTR(text), (size_t)RSTRING_LEN(text));
    RB_GC_GUARD(text);
    return self;
}

static VALUE finish(VALUE self)
{
    const struct computation *c = computation(self);
    VALUE result = rb_str_new(NULL, (long)c->table->digest_len);
    c->table->finish_func(c->context, (unsigned char *)RSTRING_PTR(result));
    begin(c);
    return result;
}

static VALUE copy(VALUE self)
{
    const struct computation *c = computation(self);
    VALUE made = make(rb_obj_class(self), c->table);
    memcpy(computation(made)->context, c->context, c->table->ctx_size);
    return made;
}

/* The table of a digest object's class or of one above it. */
static const rb_digest_metadata_t *table_of(VALUE object)
{
    const rb_digest_metadata_t *table;
    VALUE klass = rb_obj_class(object);
    while (!NIL_P(klass) && !rb_ivar_defined(klass, rb_id_metadata())) klass = rb_class_superclass(klass);
    if (NIL_P(klass)) rb_raise(rb_eRuntimeError, "Digest::Base cannot be directly inherited in Ruby");
    table = rb_check_typeddata(rb_ivar_get(klass, rb_id_metadata()), &metadata_type);
    if (table->api_version != RUBY_DIGEST_API_VERSION) rb_raise(rb_eRuntimeError, "Incompatible digest API version");
    return table;
}

static VALUE start(VALUE object)
{
    VALUE base = rb_path2class("Digest::Base");
    VALUE made = make(rb_ivar_get(base, rb_intern("__computation__")), table_of(object));
    begin(computation(made));
    return made;
}

static VALUE digest_length(VALUE object) { return SIZET2NUM(table_of(object)->digest_len); }
static VALUE block_length(VALUE object) { return SIZET2NUM(table_of(object)->block_len); }

VALUE rb_digest_wrap_metadata(const rb_digest_metadata_t *meta)
{
    VALUE base = rb_const_get(rb_digest_namespace(), rb_intern("Base"));
    if (!rb_ivar_defined(base, rb_intern("__computation__"))) {
        VALUE klass = rb_class_new(rb_cObject);
        rb_undef_alloc_func(klass);
        rb_define_method(klass, "update", update, 1);
        rb_define_method(klass, "finish", finish, 0);
        rb_define_method(klass, "copy", copy, 0);
        rb_ivar_set(base, rb_intern("__computation__"), klass);
        rb_define_private_method(base, "algorithm", start, 0);
        rb_define_method(base, "digest_length", digest_length, 0);
        rb_define_method(base, "block_length", block_length, 0);
    }
    return rb_obj_freeze(TypedData_Wrap_Struct(0, &metadata_type, (void *)meta));
}
