#include "ruby/ruby.h"
#ifdef __cplusplus
#define RBIMPL_STATIC_ASSERT(name, expr) static_assert(expr, #name ": " #expr)
#else
#define RBIMPL_STATIC_ASSERT(name, expr) _Static_assert(expr, #name ": " #expr)
#endif
