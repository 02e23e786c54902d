#include "ruby/ruby.h"
