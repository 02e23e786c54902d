#ifndef RUBY_ENCODING_H
#define RUBY_ENCODING_H 1
#include "ruby/ruby.h"
#define ENCINDEX_ASCII_8BIT 0
#define ENCINDEX_UTF_8 1
#define ENCINDEX_US_ASCII 2
#define RB_ENC_CODERANGE_UNKNOWN 0
#define RB_ENC_CODERANGE_7BIT (1 << 20)
#define RB_ENC_CODERANGE_VALID (2 << 20)
#define RB_ENC_CODERANGE_BROKEN (3 << 20)
#define RB_ENC_CODERANGE_MASK (3 << 20)
#define ENC_CODERANGE_UNKNOWN RB_ENC_CODERANGE_UNKNOWN
#define ENC_CODERANGE_7BIT RB_ENC_CODERANGE_7BIT
#define ENC_CODERANGE_VALID RB_ENC_CODERANGE_VALID
#define ENC_CODERANGE_BROKEN RB_ENC_CODERANGE_BROKEN
#define ENC_CODERANGE_MASK RB_ENC_CODERANGE_MASK
#define RUBY_ENC_CODERANGE_UNKNOWN RB_ENC_CODERANGE_UNKNOWN
#define RUBY_ENC_CODERANGE_7BIT RB_ENC_CODERANGE_7BIT
#define RUBY_ENC_CODERANGE_VALID RB_ENC_CODERANGE_VALID
#define RUBY_ENC_CODERANGE_BROKEN RB_ENC_CODERANGE_BROKEN
#define RB_ENC_CODERANGE(v) rb_asterism_known_coderange(v)
#define ENC_CODERANGE(v) rb_asterism_known_coderange(v)
#define RB_ENC_CODERANGE_CLEAR(v) rb_asterism_coderange_clear(v)
#define ENC_CODERANGE_CLEAR(v) rb_asterism_coderange_clear(v)
#define ENC_CODERANGE_SET(v, r) rb_asterism_coderange_set((v), (r))
#define ENC_CODERANGE_ASCIIONLY(v) (ENC_CODERANGE(v) == ENC_CODERANGE_7BIT)
#define ENC_CODERANGE_CLEAN_P(r) ((r) == ENC_CODERANGE_7BIT || (r) == ENC_CODERANGE_VALID)
#define RUBY_ENCODING_INLINE_MAX 127
#define ENCODING_INLINE_MAX RUBY_ENCODING_INLINE_MAX
#define RB_ENCODING_GET(v) rb_enc_get_index(v)
#define ENCODING_GET(v) rb_enc_get_index(v)
#define RB_ENCODING_SET(v, i) rb_enc_set_index((v), (i))
#define ENCODING_SET(v, i) rb_enc_set_index((v), (i))
#define RB_ENCODING_GET_INLINED RB_ENCODING_GET
#define ENCODING_GET_INLINED RB_ENCODING_GET_INLINED
#define ENCODING_SET_INLINED RB_ENCODING_SET_INLINED
#define RB_ENCODING_SET_INLINED RB_ENCODING_SET
#define ENCODING_IS_ASCII8BIT(v) (rb_enc_get_index(v) == 0)
#define rb_enc_name(e) ((e)->name)
#define rb_enc_mbminlen(e) ((e)->min_enc_len)
#define rb_enc_mbmaxlen(e) ((e)->max_enc_len)
#define rb_enc_asciicompat(e) (((e)->asterism_flags >> 1) & 1)
#define rb_utf8_encindex() ENCINDEX_UTF_8
#define rb_usascii_encindex() ENCINDEX_US_ASCII
#define rb_ascii8bit_encindex() ENCINDEX_ASCII_8BIT
#define rb_enc_str_asciicompat_p(v) rb_enc_asciicompat(rb_enc_get(v))
#define ONIGENC_MBCLEN_CHARFOUND_P(r) (0 < (r))
#define ONIGENC_MBCLEN_CHARFOUND_LEN(r) (r)
#define ONIGENC_MBCLEN_INVALID_P(r) ((r) == -1)
#define ONIGENC_MBCLEN_NEEDMORE_P(r) ((r) < -1)
#define ONIGENC_MBCLEN_NEEDMORE_LEN(r) (-1 - (r))
#define MBCLEN_CHARFOUND_P ONIGENC_MBCLEN_CHARFOUND_P
#define MBCLEN_CHARFOUND_LEN ONIGENC_MBCLEN_CHARFOUND_LEN
#define MBCLEN_INVALID_P ONIGENC_MBCLEN_INVALID_P
#define MBCLEN_NEEDMORE_P ONIGENC_MBCLEN_NEEDMORE_P
#define MBCLEN_NEEDMORE_LEN ONIGENC_MBCLEN_NEEDMORE_LEN
#define rb_enc_isctype(c, t, e) rb_asterism_enc_isctype((c), (t), (e))
#define rb_enc_isalpha(c, e) rb_asterism_enc_isctype((c), 1, (e))
#define rb_enc_islower(c, e) rb_asterism_enc_isctype((c), 6, (e))
#define rb_enc_isupper(c, e) rb_asterism_enc_isctype((c), 10, (e))
#define rb_enc_ispunct(c, e) rb_asterism_enc_isctype((c), 8, (e))
#define rb_enc_isalnum(c, e) rb_asterism_enc_isctype((c), 13, (e))
#define rb_enc_isprint(c, e) rb_asterism_enc_isctype((c), 7, (e))
#define rb_enc_isspace(c, e) rb_asterism_enc_isctype((c), 9, (e))
#define rb_enc_isdigit(c, e) rb_asterism_enc_isctype((c), 4, (e))
#define rb_enc_isascii(c, e) ((c) < 128)
#define ONIGENC_CODE_TO_MBC_MAXLEN 7
#define ONIGENC_MBC_CASE_FOLD_MAXLEN 18
#define ONIGENC_GET_CASE_FOLD_CODES_MAX_NUM 13
#define ONIGENC_CASE_FOLD 0x40000000
#define ONIGENC_IS_UNICODE(e) (((e)->asterism_flags & 5) == 1)
#define ONIGENC_MBC_CASE_FOLD(e, flags, pp, end, to) \
    ((void)(flags), rb_asterism_mbc_case_fold((e), (const unsigned char **)(pp), (const unsigned char *)(end), (to)))
#ifdef __cplusplus
extern "C" {
#endif
static inline int rb_asterism_enc_to_index(rb_encoding *e) { return e ? e->asterism_index : 0; }
static inline rb_encoding *rb_asterism_enc_of(VALUE v)
{
    return rb_asterism_is(v, RUBY_T_STRING) ? rb_enc_from_index(rb_asterism_enc_index(v)) : rb_enc_get(v);
}
#define rb_enc_to_index(e) rb_asterism_enc_to_index(e)
#define rb_enc_get(v) rb_asterism_enc_of((VALUE)(v))
int rb_asterism_mbc_case_fold(rb_encoding *enc, const unsigned char **at, const unsigned char *end, unsigned char *to);
int rb_define_dummy_encoding(const char *name);
int rb_enc_alias(const char *alias, const char *name);
#ifdef __cplusplus
}
#endif
#define ECONV_INVALID_REPLACE 0x02
#define ECONV_UNDEF_REPLACE 0x20
#define ECONV_UNIVERSAL_NEWLINE_DECORATOR 0x100
#define ECONV_CRLF_NEWLINE_DECORATOR 0x1000
#define ECONV_XML_TEXT_DECORATOR 0x4000
#endif
