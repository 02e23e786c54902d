#ifndef RUBY_DEFINES_H
#define RUBY_DEFINES_H 1
#include "ruby/config.h"
#ifdef RUBY_EXTCONF_H
#include RUBY_EXTCONF_H
#endif
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <inttypes.h>
#include <limits.h>
#include <errno.h>
#include <ctype.h>
#include <math.h>
#include <time.h>
#include <unistd.h>
#include <sys/types.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/select.h>

#ifdef __cplusplus
# define RUBY_SYMBOL_EXPORT_BEGIN extern "C" {
# define RUBY_SYMBOL_EXPORT_END }
#else
# define RUBY_SYMBOL_EXPORT_BEGIN
# define RUBY_SYMBOL_EXPORT_END
# include <stdbool.h>
#endif
#define RUBY_EXTERN extern
#define RUBY_FUNC_EXPORTED __attribute__((__visibility__("default")))
#define RBIMPL_SYMBOL_EXPORT_BEGIN RUBY_SYMBOL_EXPORT_BEGIN
#define RBIMPL_SYMBOL_EXPORT_END RUBY_SYMBOL_EXPORT_END
#define NORETURN(x) __attribute__((__noreturn__)) x
#define DEPRECATED(x) x
#define NOINLINE(x) __attribute__((__noinline__)) x
#define ALWAYS_INLINE(x) __attribute__((__always_inline__)) x
#define ERRORFUNC(mesg, x) x
#define WARNINGFUNC(mesg, x) x
#define PUREFUNC(x) x
#define CONSTFUNC(x) x
#define UNREACHABLE __builtin_unreachable()
#define UNREACHABLE_RETURN(v) __builtin_unreachable()
#ifdef RUBY_DEBUG
# define RUBY_ASSERT(expr) assert(expr)
# define ASSUME(expr) assert(expr)
#else
# define RUBY_ASSERT(expr) ((void)0)
# define ASSUME(expr) ((void)((expr) ? 0 : (__builtin_unreachable(), 0)))
#endif
#define RUBY_ASSERT_ALWAYS(expr) assert(expr)
#define RUBY_ASSERT_MESG(expr, ...) RUBY_ASSERT(expr)
#define RBIMPL_ASSERT_OR_ASSUME(expr) ASSUME(expr)
#define RBIMPL_ASSERT_NOTHING ((void)0)
#define MAYBE_UNUSED(x) __attribute__((__unused__)) x
#define RB_UNUSED_VAR(x) x __attribute__((__unused__))
#define PRINTF_ARGS(decl, a, b) decl
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RB_LIKELY(x) LIKELY(x)
#define RB_UNLIKELY(x) UNLIKELY(x)
#define RBIMPL_ATTR_NORETURN() __attribute__((__noreturn__))
#define RBIMPL_ATTR_MAYBE_UNUSED() __attribute__((__unused__))
#define ANYARGS_HINT
#ifdef __cplusplus
# define ANYARGS ...
#else
# define ANYARGS
#endif
#ifdef __cplusplus
# define ANYARGS3 ...
#else
# define ANYARGS3
#endif
#define PACKED_STRUCT(x) x __attribute__((packed))
#define STRINGIZE(expr) STRINGIZE0(expr)
#define STRINGIZE0(expr) #expr
#define LONG_LONG long long
#define BDIGIT unsigned int
#define SIZEOF_BDIGIT 4
#define WORDS_LITTLE 1
#define xmalloc ruby_xmalloc
#define xmalloc2 ruby_xmalloc2
#define xcalloc ruby_xcalloc
#define xrealloc ruby_xrealloc
#define xrealloc2 ruby_xrealloc2
#define xfree ruby_xfree
#define HAVE_TRUE_LONG_LONG 1
typedef pid_t rb_pid_t;
/* Around the parameters of prototypes, in older extensions. */
#undef _
#define _(args) args
#undef __
#define __(args) args
#include "ruby/missing.h"
#endif
