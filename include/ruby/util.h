#ifndef RUBY_UTIL_H
#define RUBY_UTIL_H 1
#include "ruby/ruby.h"
#define DECIMAL_SIZE_OF_BITS(n) (((n) * 3010 + 9998) / 9999)
#define scan_hex(s, l, e) ((int)ruby_scan_hex((s), (l), (e)))
#define scan_oct(s, l, e) ((int)ruby_scan_oct((s), (l), (e)))
#define strtod(s, e) ruby_strtod((s), (e))
#endif
