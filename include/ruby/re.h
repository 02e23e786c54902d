#ifndef RUBY_RE_H
#define RUBY_RE_H 1
#include "ruby/ruby.h"
/* A MatchData is never used again for another match, so that there is nothing to mark. */
#define rb_match_busy(m) ((void)(m))
#define ONIG_OPTION_NONE 0
#define ONIG_OPTION_IGNORECASE 1
#define ONIG_OPTION_EXTEND 2
#define ONIG_OPTION_MULTILINE 4
#endif
