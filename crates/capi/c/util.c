/* Small functions of util.h. */
#include "ruby/ruby.h"
#include "ruby/util.h"
#include "ruby/version.h"
#undef strtod

const int ruby_api_version[3] = { RUBY_API_VERSION_MAJOR, RUBY_API_VERSION_MINOR, RUBY_API_VERSION_TEENY };
const char ruby_version[] = "4.0.0";
const char ruby_platform[] = ASTERISM_PLATFORM;
const char ruby_engine[] = "asterism";
const int ruby_patchlevel = 0;

/* Here and not in the header, which may come too late to have `clock_gettime` declared where the standard is that of C alone. */
void rb_timespec_now(struct timespec *now) { clock_gettime(CLOCK_REALTIME, now); }

double ruby_strtod(const char *s, char **end) { return strtod(s, end); }

int rb_st_locale_insensitive_strcasecmp(const char *a, const char *b)
{
    for (;; a++, b++) {
        int x = TOLOWER((unsigned char)*a), y = TOLOWER((unsigned char)*b);
        if (x != y) return x < y ? -1 : 1;
        if (!x) return 0;
    }
}

int rb_st_locale_insensitive_strncasecmp(const char *a, const char *b, size_t n)
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

int rb_memcicmp(const void *a, const void *b, long n)
{
    const unsigned char *x = a, *y = b;
    for (; n > 0; n--, x++, y++) {
        int d = TOLOWER(*x) - TOLOWER(*y);
        if (d) return d;
    }
    return 0;
}

/* UTF-8 as it was once: up to 31 bits, in six bytes. */
int rb_uv_to_utf8(char buf[6], unsigned long code)
{
    static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0, 0xf8, 0xfc };
    int n;
    if (code < 0x80) {
        buf[0] = (char)code;
        return 1;
    }
    if (code > 0x7fffffff) rb_raise(rb_eRangeError, "pack(U): value out of range");
    for (n = 2; n < 6 && code >> (5 * n + 1); n++) continue;
    for (int i = n - 1; i > 0; i--, code >>= 6) buf[i] = (char)(0x80 | (code & 0x3f));
    buf[0] = (char)(first[n] | code);
    return n;
}

static int digit_of(int c)
{
    if (ISDIGIT(c)) return c - '0';
    return ISALPHA(c) ? TOLOWER(c) - 'a' + 10 : 99;
}

VALUE rb_int_parse_cstr(const char *str, ssize_t len, char **endp, size_t *ndigits, int base, int flags)
{
    const char *s = str, *end = len < 0 ? str + strlen(str) : str + len, *begin;
    int negative = 0, underscore = 0;
    size_t digits = 0;
    VALUE text;
    if (endp) *endp = (char *)str;
    if (ndigits) *ndigits = 0;
    if (flags & RB_INT_PARSE_SIGN) {
        while (s < end && ISSPACE((unsigned char)*s)) s++;
        if (s < end && (*s == '+' || *s == '-')) negative = *s++ == '-';
    }
    if (base <= 0 || (flags & RB_INT_PARSE_PREFIX)) {
        int found = 0;
        if (end - s > 1 && *s == '0') {
            switch (s[1]) {
              case 'x': case 'X': found = 16; break;
              case 'b': case 'B': found = 2; break;
              case 'o': case 'O': found = 8; break;
              case 'd': case 'D': found = 10; break;
            }
        }
        if (found && (base <= 0 || base == found)) {
            s += 2;
            base = found;
        } else if (base <= 0) {
            base = s < end && *s == '0' && end - s > 1 ? 8 : base < -1 ? -base : 10;
        }
    }
    if (base < 2 || base > 36) rb_raise(rb_eArgError, "invalid radix %d", base);
    begin = s;
    text = rb_str_new(negative ? "-" : "", negative);
    for (; s < end; s++) {
        if (*s == '_' && (flags & RB_INT_PARSE_UNDERSCORE) && digits && !underscore) {
            underscore = 1;
            continue;
        }
        if (digit_of((unsigned char)*s) >= base) break;
        underscore = 0;
        rb_str_cat(text, s, 1);
        digits++;
    }
    if (underscore) s--;
    if (endp) *endp = (char *)s;
    if (ndigits) *ndigits = digits;
    if (s == begin) return endp ? INT2FIX(0) : Qnil;
    return rb_str_to_inum(text, base, 0);
}

VALUE rb_eval_cmd_kw(VALUE command, VALUE args, int kw_splat)
{
    if (RB_TYPE_P(command, T_STRING)) {
        VALUE arguments[2];
        arguments[0] = command;
        arguments[1] = rb_const_get(rb_cObject, rb_intern("TOPLEVEL_BINDING"));
        return rb_funcallv(rb_mKernel, rb_intern("eval"), 2, arguments);
    }
    return rb_funcallv_kw(command, rb_intern("call"), RARRAY_LENINT(args), RARRAY_CONST_PTR(args), kw_splat);
}
