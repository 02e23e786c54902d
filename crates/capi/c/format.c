/* Formats with arguments of C: what printf knows, and PRIsVALUE. */
#include "ruby/ruby.h"
#include "ruby/encoding.h"

/* One conversion of printf with its argument, appended. */
#define PUT(arg) do { \
        char small[256]; \
        int n = snprintf(small, sizeof small, spec, arg); \
        if (n < 0) break; \
        if ((size_t)n < sizeof small) rb_str_cat(out, small, n); \
        else { \
            VALUE hold = 0; \
            char *big = (char *)rb_alloc_tmp_buffer(&hold, n + 1); \
            snprintf(big, (size_t)n + 1, spec, arg); \
            rb_str_cat(out, big, n); \
            rb_free_tmp_buffer(&hold); \
        } \
    } while (0)

/* What stands between % and the conversion, with stars replaced by their numbers. */
struct spec { int alternate, zero, minus, plus, space, width, precision, size; };

static void write_spec(char *spec, const struct spec *s, const char *length, char conversion)
{
    char *p = spec;
    *p++ = '%';
    if (s->alternate) *p++ = '#';
    if (s->zero) *p++ = '0';
    if (s->minus) *p++ = '-';
    if (s->plus) *p++ = '+';
    if (s->space) *p++ = ' ';
    if (s->width >= 0) p += sprintf(p, "%d", s->width);
    if (s->precision >= 0) p += sprintf(p, ".%d", s->precision);
    while (*length) *p++ = *length++;
    *p++ = conversion;
    *p = 0;
}

static void pad(VALUE out, int n) { while (n-- > 0) rb_str_cat(out, " ", 1); }

static void put_value(VALUE out, VALUE v, const struct spec *s)
{
    VALUE text = s->plus ? rb_inspect(v) : rb_obj_as_string(v);
    long chars;
    if (s->precision >= 0 && rb_str_strlen(text) > s->precision) text = rb_str_substr(text, 0, s->precision);
    chars = rb_str_strlen(text);
    if (!s->minus) pad(out, s->width - (int)chars);
    if (rb_enc_compatible(out, text)) rb_str_append(out, text);
    else rb_str_cat(out, RSTRING_PTR(text), RSTRING_LEN(text));
    if (s->minus) pad(out, s->width - (int)chars);
    RB_GC_GUARD(text);
}

VALUE rb_str_vcatf(VALUE out, const char *fmt, va_list given)
{
    char spec[64];
    va_list ap;
    va_copy(ap, given);
    while (*fmt) {
        struct spec s = { 0, 0, 0, 0, 0, -1, -1, 0 };
        const char *percent = strchr(fmt, '%');
        if (!percent) percent = fmt + strlen(fmt);
        if (percent > fmt) rb_str_cat(out, fmt, percent - fmt);
        fmt = percent;
        if (!*fmt) break;
        fmt++;
        for (;; fmt++) {
            if (*fmt == '#') s.alternate = 1;
            else if (*fmt == '0') s.zero = 1;
            else if (*fmt == '-') s.minus = 1;
            else if (*fmt == '+') s.plus = 1;
            else if (*fmt == ' ') s.space = 1;
            else break;
        }
        if (*fmt == '*') {
            s.width = va_arg(ap, int);
            if (s.width < 0) { s.minus = 1; s.width = -s.width; }
            fmt++;
        }
        else if (ISDIGIT(*fmt)) for (s.width = 0; ISDIGIT(*fmt) && s.width < 100000; fmt++) s.width = s.width * 10 + (*fmt - '0');
        if (*fmt == '.') {
            fmt++;
            s.precision = 0;
            if (*fmt == '*') { s.precision = va_arg(ap, int); fmt++; }
            else for (; ISDIGIT(*fmt) && s.precision < 100000; fmt++) s.precision = s.precision * 10 + (*fmt - '0');
        }
        for (;; fmt++) {
            if (*fmt == 'l' || *fmt == 'q') s.size++;
            else if (*fmt == 'z' || *fmt == 't' || *fmt == 'j') s.size = 1;
            else if (*fmt == 'h') s.size--;
            else break;
        }
        switch (*fmt) {
          case 'd': case 'i':
            if (fmt[1] == '\v' && *fmt == 'i' && s.size > 0) {
                put_value(out, va_arg(ap, VALUE), &s);
                fmt += 2;
                continue;
            }
            /* fall through */
          case 'u': case 'o': case 'x': case 'X':
            if (s.size > 0) { write_spec(spec, &s, "l", *fmt); PUT(va_arg(ap, long)); }
            else { write_spec(spec, &s, s.size == -1 ? "h" : s.size < -1 ? "hh" : "", *fmt); PUT(va_arg(ap, int)); }
            break;
          case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
            write_spec(spec, &s, "", *fmt);
            PUT(va_arg(ap, double));
            break;
          case 'c':
            write_spec(spec, &s, "", 'c');
            PUT(va_arg(ap, int));
            break;
          case 's': {
            const char *text = va_arg(ap, const char *);
            long n;
            if (!text) text = "(null)";
            n = s.precision >= 0 ? (long)strnlen(text, (size_t)s.precision) : (long)strlen(text);
            if (!s.minus) pad(out, s.width - (int)n);
            rb_str_cat(out, text, n);
            if (s.minus) pad(out, s.width - (int)n);
            break;
          }
          case 'p':
            write_spec(spec, &s, "", 'p');
            PUT(va_arg(ap, void *));
            break;
          case '%':
            rb_str_cat(out, "%", 1);
            break;
          case 0:
            rb_raise(rb_eArgError, "malformed format string - %%");
          default:
            rb_raise(rb_eArgError, "malformed format string - %%%c", *fmt);
        }
        fmt++;
    }
    va_end(ap);
    return out;
}

VALUE rb_str_catf(VALUE out, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    rb_str_vcatf(out, fmt, ap);
    va_end(ap);
    return out;
}

VALUE rb_enc_vsprintf(rb_encoding *enc, const char *fmt, va_list ap)
{
    VALUE out = rb_str_buf_new(64);
    if (enc) rb_enc_associate(out, enc);
    return rb_str_vcatf(out, fmt, ap);
}

VALUE rb_vsprintf(const char *fmt, va_list ap) { return rb_enc_vsprintf(NULL, fmt, ap); }

VALUE rb_sprintf(const char *fmt, ...)
{
    VALUE out;
    va_list ap;
    va_start(ap, fmt);
    out = rb_vsprintf(fmt, ap);
    va_end(ap);
    return out;
}

VALUE rb_enc_sprintf(rb_encoding *enc, const char *fmt, ...)
{
    VALUE out;
    va_list ap;
    va_start(ap, fmt);
    out = rb_enc_vsprintf(enc, fmt, ap);
    va_end(ap);
    return out;
}

/* The message of the arguments: bytes, but for what objects in it bring along. */
#define MESSAGE(out, enc) do { va_list ap; va_start(ap, fmt); out = rb_enc_vsprintf((enc), fmt, ap); va_end(ap); } while (0)

void rb_raise(VALUE exc, const char *fmt, ...)
{
    VALUE message;
    MESSAGE(message, NULL);
    rb_asterism_raise(exc, message);
}

void rb_enc_raise(rb_encoding *enc, VALUE exc, const char *fmt, ...)
{
    VALUE message;
    MESSAGE(message, enc);
    rb_asterism_raise(exc, message);
}

void rb_fatal(const char *fmt, ...)
{
    VALUE message;
    MESSAGE(message, NULL);
    rb_asterism_raise(rb_eFatal, message);
}

void rb_loaderror(const char *fmt, ...)
{
    VALUE message;
    MESSAGE(message, NULL);
    rb_asterism_raise(rb_eLoadError, message);
}

void rb_name_error(ID name, const char *fmt, ...)
{
    VALUE message;
    MESSAGE(message, NULL);
    rb_asterism_name_error(rb_eNameError, name, Qnil, message);
}

void rb_frozen_error_raise(VALUE recv, const char *fmt, ...)
{
    VALUE message;
    MESSAGE(message, NULL);
    rb_asterism_frozen_error(recv, message);
}

void rb_bug(const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    rb_bug_string(text);
}

void rb_warn(const char *fmt, ...)
{
    VALUE message;
    MESSAGE(message, NULL);
    rb_asterism_warn(message, 1);
}

void rb_warning(const char *fmt, ...)
{
    VALUE message;
    MESSAGE(message, NULL);
    rb_asterism_warn(message, 2);
}

void rb_sys_warning(const char *fmt, ...)
{
    int number = errno;
    VALUE message;
    MESSAGE(message, NULL);
    rb_str_catf(message, ": %s", strerror(number));
    rb_asterism_warn(message, 2);
}

void rb_category_warn(rb_warning_category_t category, const char *fmt, ...)
{
    VALUE message;
    if (!rb_warning_category_enabled_p((int)category)) return;
    MESSAGE(message, NULL);
    rb_asterism_warn(message, 1);
}
