#include "ruby/encoding.h"
