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
st_table *rb_st_init_table(const struct st_hash_type *type);
st_table *rb_st_init_table_with_size(const struct st_hash_type *type, st_index_t size);
st_table *rb_st_init_numtable(void);
st_table *rb_st_init_numtable_with_size(st_index_t size);
st_table *rb_st_init_strtable(void);
st_table *rb_st_init_strtable_with_size(st_index_t size);
void rb_st_free_table(st_table *table);
void rb_st_clear(st_table *table);
st_table *rb_st_copy(st_table *table);
int rb_st_insert(st_table *table, st_data_t key, st_data_t value);
void rb_st_add_direct(st_table *table, st_data_t key, st_data_t value);
int rb_st_lookup(st_table *table, st_data_t key, st_data_t *value);
int rb_st_get_key(st_table *table, st_data_t key, st_data_t *result);
int rb_st_delete(st_table *table, st_data_t *key, st_data_t *value);
int rb_st_shift(st_table *table, st_data_t *key, st_data_t *value);
int rb_st_update(st_table *table, st_data_t key, st_update_callback_func *func, st_data_t arg);
int rb_st_foreach(st_table *table, st_foreach_callback_func *func, st_data_t arg);
void rb_st_foreach_safe(st_table *table, st_foreach_callback_func *func, st_data_t arg);
st_index_t rb_st_keys(st_table *table, st_data_t *keys, st_index_t size);
st_index_t rb_st_values(st_table *table, st_data_t *values, st_index_t size);
size_t rb_st_memsize(const st_table *table);
st_index_t rb_st_hash(const void *ptr, size_t len, st_index_t h);
int rb_st_numcmp(st_data_t a, st_data_t b);
st_index_t rb_st_numhash(st_data_t n);
st_table *rb_st_init_strcasetable(void);
st_table *rb_st_init_strcasetable_with_size(st_index_t size);
size_t rb_st_table_size(const st_table *table);
int rb_st_insert2(st_table *table, st_data_t key, st_data_t value, st_data_t (*made)(st_data_t key));
int rb_st_delete_safe(st_table *table, st_data_t *key, st_data_t *value, st_data_t never);
void rb_st_cleanup_safe(st_table *table, st_data_t never);
int rb_st_foreach_check(st_table *table, st_foreach_check_callback_func *func, st_data_t arg, st_data_t never);
int rb_st_foreach_with_replace(st_table *table, st_foreach_check_callback_func *func, st_update_callback_func *replace, st_data_t arg);
st_index_t rb_st_keys_check(st_table *table, st_data_t *keys, st_index_t size, st_data_t never);
st_index_t rb_st_values_check(st_table *table, st_data_t *values, st_index_t size, st_data_t never);
st_index_t rb_st_hash_uint32(st_index_t h, uint32_t i);
st_index_t rb_st_hash_uint(st_index_t h, st_index_t i);
st_index_t rb_st_hash_end(st_index_t h);
st_index_t rb_st_hash_start(st_index_t h);
/* The names by which extensions mostly call them; with those that are exported, an extension may have a table of its own. */
#define st_add_direct rb_st_add_direct
#define st_cleanup_safe rb_st_cleanup_safe
#define st_clear rb_st_clear
#define st_copy rb_st_copy
#define st_delete rb_st_delete
#define st_delete_safe rb_st_delete_safe
#define st_foreach rb_st_foreach
#define st_foreach_check rb_st_foreach_check
#define st_foreach_safe rb_st_foreach_safe
#define st_foreach_with_replace rb_st_foreach_with_replace
#define st_free_table rb_st_free_table
#define st_get_key rb_st_get_key
#define st_hash rb_st_hash
#define st_hash_end rb_st_hash_end
#define st_hash_start(h) ((st_index_t)(h))
#define st_hash_uint rb_st_hash_uint
#define st_hash_uint32 rb_st_hash_uint32
#define st_init_numtable rb_st_init_numtable
#define st_init_numtable_with_size rb_st_init_numtable_with_size
#define st_init_strcasetable rb_st_init_strcasetable
#define st_init_strcasetable_with_size rb_st_init_strcasetable_with_size
#define st_init_strtable rb_st_init_strtable
#define st_init_strtable_with_size rb_st_init_strtable_with_size
#define st_init_table rb_st_init_table
#define st_init_table_with_size rb_st_init_table_with_size
#define st_insert rb_st_insert
#define st_insert2 rb_st_insert2
#define st_keys rb_st_keys
#define st_keys_check rb_st_keys_check
#define st_lookup rb_st_lookup
#define st_memsize rb_st_memsize
#define st_numcmp rb_st_numcmp
#define st_numhash rb_st_numhash
#define st_shift rb_st_shift
#define st_table_size rb_st_table_size
#define st_update rb_st_update
#define st_values rb_st_values
#define st_values_check rb_st_values_check
#define st_strcasecmp st_locale_insensitive_strcasecmp
#define st_strncasecmp st_locale_insensitive_strncasecmp
#define st_is_member(table, key) st_lookup((table), (key), (st_data_t *)0)
#ifdef __cplusplus
}
#endif
#endif
