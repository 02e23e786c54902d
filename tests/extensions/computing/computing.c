/* Functions that stay in C until another thread lets them go on. They call nothing of the interface meanwhile. */
#include "ruby.h"
#include "ruby/thread.h"
#include <unistd.h>

static volatile int go_on, inside;

/* A String that nothing but this function knows. */
static VALUE compute(VALUE self, VALUE text)
{
    VALUE made = rb_str_plus(text, text);
    inside = 1;
    while (!go_on) { }
    inside = 0;
    return made;
}

/* The same in a system call that restarts. */
static VALUE read_alone(VALUE self, VALUE fd)
{
    char byte;
    VALUE made = rb_str_new_cstr("read");
    int n = NUM2INT(fd);
    inside = 1;
    while (read(n, &byte, 1) != 1) { }
    inside = 0;
    return rb_str_cat(made, &byte, 1);
}

static VALUE is_inside(VALUE self) { return inside ? Qtrue : Qfalse; }

static VALUE let_go(VALUE self, VALUE yes)
{
    go_on = RTEST(yes);
    return yes;
}

void Init_computing(void)
{
    VALUE c = rb_define_class("Computing", rb_cObject);
    rb_define_method(c, "compute", compute, 1);
    rb_define_method(c, "read_alone", read_alone, 1);
    rb_define_method_ts(c, "inside?", is_inside, 0);
    rb_define_method_ts(c, "let_go", let_go, 1);
}
