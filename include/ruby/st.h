#ifndef RUBY_ST_H
#define RUBY_ST_H 1
#include "ruby/ruby.h"
#ifdef __cplusplus
extern "C" {
#endif
struct st_hash_type { int (*compare)(st_data_t, st_data_t); st_index_t (*hash)(st_data_t); };
struct st_table { const struct st_hash_type *type; st_index_t num_entries; void *entries; st_index_t bound, room; st_index_t *bins; st_index_t bin_room; };
typedef int st_foreach_callback_func(st_data_t, st_data_t, st_data_t);
typedef int st_foreach_check_callback_func(st_data_t, st_data_t, st_data_t, int);
typedef int st_update_callback_func(st_data_t *key, st_data_t *value, st_data_t arg, int existing);
st_table *st_init_table(const struct st_hash_type *type);
st_table *st_init_table_with_size(const struct st_hash_type *type, st_index_t size);
st_table *st_init_numtable(void);
st_table *st_init_numtable_with_size(st_index_t size);
st_table *st_init_strtable(void);
st_table *st_init_strtable_with_size(st_index_t size);
void st_free_table(st_table *table);
void st_clear(st_table *table);
st_table *st_copy(st_table *table);
int st_insert(st_table *table, st_data_t key, st_data_t value);
void st_add_direct(st_table *table, st_data_t key, st_data_t value);
int st_lookup(st_table *table, st_data_t key, st_data_t *value);
int st_get_key(st_table *table, st_data_t key, st_data_t *result);
int st_delete(st_table *table, st_data_t *key, st_data_t *value);
int st_shift(st_table *table, st_data_t *key, st_data_t *value);
int st_update(st_table *table, st_data_t key, st_update_callback_func *func, st_data_t arg);
int st_foreach(st_table *table, st_foreach_callback_func *func, st_data_t arg);
int st_foreach_safe(st_table *table, st_foreach_callback_func *func, st_data_t arg);
st_index_t st_keys(st_table *table, st_data_t *keys, st_index_t size);
st_index_t st_values(st_table *table, st_data_t *values, st_index_t size);
size_t st_memsize(const st_table *table);
st_index_t st_hash(const void *ptr, size_t len, st_index_t h);
int st_numcmp(st_data_t a, st_data_t b);
st_index_t st_numhash(st_data_t n);
#define st_strcasecmp st_locale_insensitive_strcasecmp
#define st_strncasecmp st_locale_insensitive_strncasecmp
#define st_is_member(table, key) st_lookup((table), (key), (st_data_t *)0)
#ifdef __cplusplus
}
#endif
#endif
