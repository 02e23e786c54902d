/* The VM, and its end. */
#ifndef RUBY_VM_H
#define RUBY_VM_H 1
#include "ruby/ruby.h"
#endif
