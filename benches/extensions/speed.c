/* What a call of the C interface costs: each method does one thing n times. */
#include <ruby.h>

static VALUE empty(VALUE self)
{
    return Qnil;
}

static VALUE one(VALUE self, VALUE argument)
{
    return argument;
}

static VALUE any(int argc, VALUE *argv, VALUE self)
{
    return Qnil;
}

static VALUE str_new(VALUE self, VALUE n)
{
    for (long i = 0, count = NUM2LONG(n); i < count; i++)
        rb_str_new("sixteen letters!", 16);
    return Qnil;
}

static VALUE str_cat(VALUE self, VALUE n)
{
    VALUE text = rb_str_buf_new(0);
    for (long i = 0, count = NUM2LONG(n); i < count; i++) {
        if (i % 1000 == 0)
            text = rb_str_buf_new(0);
        rb_str_cat(text, "sixteen letters!", 16);
    }
    return text;
}

static VALUE str_ptr(VALUE self, VALUE text, VALUE n)
{
    long sum = 0;
    for (long i = 0, count = NUM2LONG(n); i < count; i++)
        sum += RSTRING_PTR(text)[i % RSTRING_LEN(text)];
    return LONG2NUM(sum);
}

static VALUE ary_push(VALUE self, VALUE n)
{
    VALUE list = rb_ary_new();
    for (long i = 0, count = NUM2LONG(n); i < count; i++) {
        if (i % 1000 == 0)
            list = rb_ary_new();
        rb_ary_push(list, LONG2FIX(i));
    }
    return list;
}

static VALUE ary_entry(VALUE self, VALUE list, VALUE n)
{
    long sum = 0;
    for (long i = 0, count = NUM2LONG(n); i < count; i++)
        sum += FIX2LONG(rb_ary_entry(list, i % RARRAY_LEN(list)));
    return LONG2NUM(sum);
}

static VALUE hash_aset(VALUE self, VALUE n)
{
    VALUE table = rb_hash_new();
    for (long i = 0, count = NUM2LONG(n); i < count; i++)
        rb_hash_aset(table, LONG2FIX(i % 1000), LONG2FIX(i));
    return table;
}

static VALUE hash_aref(VALUE self, VALUE table, VALUE n)
{
    VALUE last = Qnil;
    for (long i = 0, count = NUM2LONG(n); i < count; i++)
        last = rb_hash_aref(table, LONG2FIX(i % 1000));
    return last;
}

static VALUE funcall(VALUE self, VALUE receiver, VALUE n)
{
    ID name = rb_intern("ruby_method");
    VALUE last = Qnil;
    for (long i = 0, count = NUM2LONG(n); i < count; i++)
        last = rb_funcall(receiver, name, 1, LONG2FIX(i));
    return last;
}

static VALUE ivar_get(VALUE self, VALUE object, VALUE n)
{
    ID name = rb_intern("@value");
    VALUE last = Qnil;
    for (long i = 0, count = NUM2LONG(n); i < count; i++)
        last = rb_ivar_get(object, name);
    return last;
}

static VALUE ivar_set(VALUE self, VALUE object, VALUE n)
{
    ID name = rb_intern("@value");
    for (long i = 0, count = NUM2LONG(n); i < count; i++)
        rb_ivar_set(object, name, LONG2FIX(i));
    return Qnil;
}

static VALUE yielding(VALUE self, VALUE n)
{
    VALUE last = Qnil;
    for (long i = 0, count = NUM2LONG(n); i < count; i++)
        last = rb_yield(LONG2FIX(i));
    return last;
}

struct point {
    long x;
};

static const rb_data_type_t point_type = {
    "Point", {0, RUBY_DEFAULT_FREE}, .flags = RUBY_TYPED_FREE_IMMEDIATELY,
};

static VALUE point_alloc(VALUE class)
{
    struct point *point;
    return TypedData_Make_Struct(class, struct point, &point_type, point);
}

static VALUE point_next(VALUE self)
{
    struct point *point;
    TypedData_Get_Struct(self, struct point, &point_type, point);
    return LONG2FIX(point->x++);
}

static VALUE data_get(VALUE self, VALUE object, VALUE n)
{
    long sum = 0;
    for (long i = 0, count = NUM2LONG(n); i < count; i++) {
        struct point *point;
        TypedData_Get_Struct(object, struct point, &point_type, point);
        sum += point->x++;
    }
    return LONG2NUM(sum);
}

static VALUE data_new(VALUE self, VALUE class, VALUE n)
{
    for (long i = 0, count = NUM2LONG(n); i < count; i++)
        point_alloc(class);
    return Qnil;
}

static VALUE numbers(VALUE self, VALUE n)
{
    double sum = 0;
    for (long i = 0, count = NUM2LONG(n); i < count; i++)
        sum += NUM2DBL(DBL2NUM((double)i)) + NUM2INT(INT2NUM((int)(i % 1000)));
    return DBL2NUM(sum);
}

void Init_speed(void)
{
    VALUE speed = rb_define_module("Speed");
    rb_define_module_function(speed, "empty", empty, 0);
    rb_define_module_function(speed, "one", one, 1);
    rb_define_module_function(speed, "any", any, -1);
    rb_define_module_function(speed, "str_new", str_new, 1);
    rb_define_module_function(speed, "str_cat", str_cat, 1);
    rb_define_module_function(speed, "str_ptr", str_ptr, 2);
    rb_define_module_function(speed, "ary_push", ary_push, 1);
    rb_define_module_function(speed, "ary_entry", ary_entry, 2);
    rb_define_module_function(speed, "hash_aset", hash_aset, 1);
    rb_define_module_function(speed, "hash_aref", hash_aref, 2);
    rb_define_module_function(speed, "funcall", funcall, 2);
    rb_define_module_function(speed, "ivar_get", ivar_get, 2);
    rb_define_module_function(speed, "ivar_set", ivar_set, 2);
    rb_define_module_function(speed, "yielding", yielding, 1);
    rb_define_module_function(speed, "data_get", data_get, 2);
    rb_define_module_function(speed, "data_new", data_new, 2);
    rb_define_module_function(speed, "numbers", numbers, 1);
    VALUE point = rb_define_class_under(speed, "Point", rb_cObject);
    rb_define_alloc_func(point, point_alloc);
    rb_define_method(point, "next", point_next, 0);
}
