/* Digests in C: what a class below Digest::Base computes with. Its instance variable `metadata` (no `@`) has this table. */
#ifndef RUBY_DIGEST_H
#define RUBY_DIGEST_H 1
#include "ruby/ruby.h"
#ifdef __cplusplus
extern "C" {
#endif
#define RUBY_DIGEST_API_VERSION 3
/* What `rb_digest_make_metadata` returns is typed data. */
#define DIGEST_USE_RB_EXT_RESOLVE_SYMBOL 1
typedef int (*rb_digest_hash_init_func_t)(void *ctx);
typedef void (*rb_digest_hash_update_func_t)(void *ctx, unsigned char *bytes, size_t length);
typedef int (*rb_digest_hash_finish_func_t)(void *ctx, unsigned char *result);
typedef struct {
    int api_version;
    size_t digest_len;
    size_t block_len;
    size_t ctx_size;
    rb_digest_hash_init_func_t init_func;
    rb_digest_hash_update_func_t update_func;
    rb_digest_hash_finish_func_t finish_func;
} rb_digest_metadata_t;

VALUE rb_digest_wrap_metadata(const rb_digest_metadata_t *meta);

static inline VALUE rb_digest_namespace(void)
{
    rb_require("digest");
    return rb_path2class("Digest");
}
static inline ID rb_id_metadata(void) { return rb_intern("metadata"); }
static inline VALUE rb_digest_make_metadata(const rb_digest_metadata_t *meta) { return rb_digest_wrap_metadata(meta); }

/* A library's functions by its name, as the table wants them: its own take an `unsigned int`, and the result first. */
#define DEFINE_UPDATE_FUNC_FOR_UINT(name) \
    void rb_digest_##name##_update(void *ctx, unsigned char *bytes, size_t length) \
    { \
        while (length > 0) { \
            unsigned int part = length < 0x10000 ? (unsigned int)length : 0x10000; \
            name##_Update(ctx, bytes, part); \
            bytes += part; \
            length -= part; \
        } \
    }
#define DEFINE_FINISH_FUNC_FROM_FINAL(name) \
    int rb_digest_##name##_finish(void *ctx, unsigned char *result) { return name##_Final(result, ctx); }
#ifdef __cplusplus
}
#endif
#endif
