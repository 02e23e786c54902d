/* Uses what another extension has, which was loaded before. */
#include "ruby.h"

extern VALUE various_module;
VALUE various_twice(VALUE n);

static VALUE ask(VALUE self, VALUE n) { return rb_assoc_new(various_module, various_twice(n)); }

void Init_beside(void) { rb_define_singleton_method(rb_define_module("Beside"), "ask", ask, 1); }
