#ifndef RUBY_SUBST_H
#define RUBY_SUBST_H 1
#include "ruby/ruby.h"
#endif
