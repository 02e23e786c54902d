#ifndef RUBY_IO_H
#define RUBY_IO_H 1
#include "ruby/ruby.h"
#include "ruby/encoding.h"
#define RB_WAITFD_IN 1
#define RB_WAITFD_PRI 2
#define RB_WAITFD_OUT 4
typedef enum { RUBY_IO_READABLE = 1, RUBY_IO_PRIORITY = 2, RUBY_IO_WRITABLE = 4 } rb_io_event_t;
#endif
