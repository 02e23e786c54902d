/* Characters as Onigmo's header has them, and what cannot be done to encodings. */
#include "ruby/ruby.h"
#include "ruby/encoding.h"

int rb_asterism_mbc_case_fold(rb_encoding *enc, const unsigned char **at, const unsigned char *end, unsigned char *to)
{
    int len, n;
    VALUE c, mode;
    len = rb_enc_precise_mbclen((const char *)*at, (const char *)end, enc);
    if (!MBCLEN_CHARFOUND_P(len)) len = 1;
    c = rb_enc_str_new((const char *)*at, len, enc);
    *at += len;
    if (rb_enc_str_coderange(c) != ENC_CODERANGE_BROKEN) {
        mode = ID2SYM(rb_intern(rb_enc_unicode_p(enc) ? "fold" : "ascii"));
        c = rb_funcall(c, rb_intern("downcase"), 1, mode);
    }
    n = RSTRING_LENINT(c);
    memcpy(to, RSTRING_PTR(c), (size_t)n);
    return n;
}

int rb_define_dummy_encoding(const char *name)
{
    rb_raise(rb_eNotImpError, "rb_define_dummy_encoding(\"%s\"): the encodings are a fixed set", name);
}

int rb_enc_alias(const char *alias, const char *name)
{
    rb_raise(rb_eNotImpError, "rb_enc_alias(\"%s\", \"%s\"): the encodings' names are a fixed set", alias, name);
}
