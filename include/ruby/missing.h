/* What some C libraries lack. */
#ifndef RUBY_MISSING_H
#define RUBY_MISSING_H 1
#include <stddef.h>
#include <string.h>
#ifdef __cplusplus
extern "C" {
#endif
size_t ruby_strlcpy(char *to, const char *from, size_t size);
size_t ruby_strlcat(char *to, const char *from, size_t size);
#ifdef __cplusplus
}
#endif
#undef strlcpy
#define strlcpy ruby_strlcpy
#undef strlcat
#define strlcat ruby_strlcat
#endif
