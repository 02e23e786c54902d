/* Memory views: an object shows another extension its memory as an array of items, without a copy. */
#ifndef RUBY_MEMORY_VIEW_H
#define RUBY_MEMORY_VIEW_H 1
#include "ruby/ruby.h"
#include <stdbool.h>
#include <sys/types.h>
#ifdef __cplusplus
extern "C" {
#endif
enum ruby_memory_view_flags {
    RUBY_MEMORY_VIEW_SIMPLE = 0,
    RUBY_MEMORY_VIEW_WRITABLE = 0x01,
    RUBY_MEMORY_VIEW_FORMAT = 0x02,
    RUBY_MEMORY_VIEW_MULTI_DIMENSIONAL = 0x04,
    RUBY_MEMORY_VIEW_STRIDES = 0x08 | RUBY_MEMORY_VIEW_MULTI_DIMENSIONAL,
    RUBY_MEMORY_VIEW_ROW_MAJOR = 0x10 | RUBY_MEMORY_VIEW_STRIDES,
    RUBY_MEMORY_VIEW_COLUMN_MAJOR = 0x20 | RUBY_MEMORY_VIEW_STRIDES,
    RUBY_MEMORY_VIEW_ANY_CONTIGUOUS = RUBY_MEMORY_VIEW_ROW_MAJOR | RUBY_MEMORY_VIEW_COLUMN_MAJOR,
    RUBY_MEMORY_VIEW_INDIRECT = 0x40 | RUBY_MEMORY_VIEW_STRIDES,
};

/* A part of an item: `repeat` numbers, as `format` writes one. */
typedef struct {
    char format;
    bool native_size_p;
    bool little_endian_p;
    size_t offset;
    size_t size;
    size_t repeat;
} rb_memory_view_item_component_t;

typedef struct {
    VALUE obj;
    void *data;
    ssize_t byte_size;
    bool readonly;
    const char *format; /* NULL: bytes */
    ssize_t item_size;
    struct {
        const rb_memory_view_item_component_t *components; /* freed with the view */
        size_t length;
    } item_desc;
    ssize_t ndim;
    const ssize_t *shape;
    const ssize_t *strides;
    const ssize_t *sub_offsets;
    void *private_data;
    const struct rb_memory_view_entry *_memory_view_entry;
} rb_memory_view_t;

typedef bool (*rb_memory_view_get_func_t)(VALUE obj, rb_memory_view_t *view, int flags);
typedef bool (*rb_memory_view_release_func_t)(VALUE obj, rb_memory_view_t *view);
typedef bool (*rb_memory_view_available_p_func_t)(VALUE obj);

typedef struct rb_memory_view_entry {
    rb_memory_view_get_func_t get_func;
    rb_memory_view_release_func_t release_func;
    rb_memory_view_available_p_func_t available_p_func;
} rb_memory_view_entry_t;

bool rb_memory_view_register(VALUE klass, const rb_memory_view_entry_t *entry);
bool rb_memory_view_available_p(VALUE obj);
bool rb_memory_view_get(VALUE obj, rb_memory_view_t *view, int flags);
bool rb_memory_view_release(rb_memory_view_t *view);
bool rb_memory_view_init_as_byte_array(rb_memory_view_t *view, VALUE obj, void *data, const ssize_t len, const bool readonly);
bool rb_memory_view_is_row_major_contiguous(const rb_memory_view_t *view);
bool rb_memory_view_is_column_major_contiguous(const rb_memory_view_t *view);
void rb_memory_view_fill_contiguous_strides(const ssize_t ndim, const ssize_t item_size, const ssize_t *const shape, const bool row_major_p, ssize_t *const strides);
ssize_t rb_memory_view_parse_item_format(const char *format, rb_memory_view_item_component_t **members, size_t *n_members, const char **err);
ssize_t rb_memory_view_item_size_from_format(const char *format, const char **err);
void *rb_memory_view_get_item_pointer(rb_memory_view_t *view, const ssize_t *indices);
VALUE rb_memory_view_extract_item_members(const void *ptr, const rb_memory_view_item_component_t *members, const size_t n_members);
void rb_memory_view_prepare_item_desc(rb_memory_view_t *view);
VALUE rb_memory_view_get_item(rb_memory_view_t *view, const ssize_t *indices);

static inline bool rb_memory_view_is_contiguous(const rb_memory_view_t *view)
{
    return rb_memory_view_is_row_major_contiguous(view) || rb_memory_view_is_column_major_contiguous(view);
}
#ifdef __cplusplus
}
#endif
#endif
