#ifndef RUBY_THREAD_H
#define RUBY_THREAD_H 1
#include "ruby/ruby.h"
#define RB_NOGVL_INTR_FAIL 0x1
#define RB_NOGVL_UBF_ASYNC_SAFE 0x2
#define RB_NOGVL_OFFLOAD_SAFE 0x4
#endif
