#ifndef RUBY_INTERN_H
#define RUBY_INTERN_H 1
#include "ruby/ruby.h"
#endif
