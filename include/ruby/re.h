#ifndef RUBY_RE_H
#define RUBY_RE_H 1
#include "ruby/ruby.h"
#define ONIG_OPTION_NONE 0
#define ONIG_OPTION_IGNORECASE 1
#define ONIG_OPTION_EXTEND 2
#define ONIG_OPTION_MULTILINE 4
#endif
