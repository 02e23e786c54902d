/* Small functions of util.h. */
#include "ruby/ruby.h"
#include "ruby/util.h"
#undef strtod

double ruby_strtod(const char *s, char **end) { return strtod(s, end); }

int st_locale_insensitive_strcasecmp(const char *a, const char *b)
{
    for (;; a++, b++) {
        int x = TOLOWER((unsigned char)*a), y = TOLOWER((unsigned char)*b);
        if (x != y) return x < y ? -1 : 1;
        if (!x) return 0;
    }
}

int st_locale_insensitive_strncasecmp(const char *a, const char *b, size_t n)
{
    for (; n; n--, a++, b++) {
        int x = TOLOWER((unsigned char)*a), y = TOLOWER((unsigned char)*b);
        if (x != y) return x < y ? -1 : 1;
        if (!x) return 0;
    }
    return 0;
}

static unsigned long scan(const char *s, size_t len, size_t *used, int shift)
{
    unsigned long v = 0;
    size_t i;
    for (i = 0; i < len && s[i]; i++) {
        int c = (unsigned char)s[i], d;
        if (ISDIGIT(c)) d = c - '0';
        else if (ISXDIGIT(c)) d = (c | 32) - 'a' + 10;
        else break;
        if (d >> shift) break;
        v = v << shift | (unsigned long)d;
    }
    *used = i;
    return v;
}

unsigned long ruby_scan_hex(const char *s, size_t len, size_t *used) { return scan(s, len, used, 4); }
unsigned long ruby_scan_oct(const char *s, size_t len, size_t *used) { return scan(s, len, used, 3); }

static void swap(char *a, char *b, size_t size)
{
    while (size--) { char c = *a; *a++ = *b; *b++ = c; }
}

/* A heap sort: it needs no memory, and the comparison may jump away. */
static void sift(char *base, size_t root, size_t n, size_t size, int (*cmp)(const void *, const void *, void *), void *data)
{
    for (;;) {
        size_t child = 2 * root + 1;
        if (child >= n) return;
        if (child + 1 < n && cmp(base + child * size, base + (child + 1) * size, data) < 0) child++;
        if (cmp(base + root * size, base + child * size, data) >= 0) return;
        swap(base + root * size, base + child * size, size);
        root = child;
    }
}

void ruby_qsort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *, void *), void *data)
{
    size_t i;
    for (i = n / 2; i-- > 0;) sift(base, i, n, size, cmp, data);
    for (i = n; i-- > 1;) {
        swap(base, (char *)base + i * size, size);
        sift(base, 0, i, size, cmp, data);
    }
}

int ruby_vsnprintf(char *str, size_t n, const char *fmt, va_list ap) { return vsnprintf(str, n, fmt, ap); }

int ruby_snprintf(char *str, size_t n, const char *fmt, ...)
{
    va_list ap;
    int r;
    va_start(ap, fmt);
    r = vsnprintf(str, n, fmt, ap);
    va_end(ap);
    return r;
}

unsigned long ruby_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }

size_t ruby_strlcpy(char *to, const char *from, size_t size)
{
    size_t n = strlen(from);
    if (size) {
        size_t part = n < size ? n : size - 1;
        memcpy(to, from, part);
        to[part] = 0;
    }
    return n;
}

size_t ruby_strlcat(char *to, const char *from, size_t size)
{
    size_t n = strnlen(to, size);
    return n + ruby_strlcpy(to + n, from, size - n);
}
