/* st: hash tables of words that keep the order in which they were filled. Open addressing over a list of entries. In C,
 * because comparisons and callbacks may jump away. */
#include "ruby/ruby.h"
#include "ruby/st.h"

struct entry { st_index_t hash; st_data_t key, value; int live; };
#define ENTRIES(t) ((struct entry *)(t)->entries)
#define NONE (~(st_index_t)0)

int rb_st_numcmp(st_data_t a, st_data_t b) { return a != b; }
st_index_t rb_st_numhash(st_data_t n) { return n * 0x9e3779b97f4a7c15UL ^ n >> 29; }
st_index_t rb_st_hash(const void *ptr, size_t len, st_index_t h)
{
    const unsigned char *p = ptr;
    h ^= 0xcbf29ce484222325UL;
    while (len--) h = (h ^ *p++) * 0x100000001b3UL;
    return h ^ h >> 32;
}
st_index_t rb_st_hash_uint32(st_index_t h, uint32_t i) { return rb_st_hash(&i, sizeof i, h); }
st_index_t rb_st_hash_uint(st_index_t h, st_index_t i) { return rb_st_hash(&i, sizeof i, h); }
st_index_t rb_st_hash_end(st_index_t h) { return rb_st_numhash(h); }
#undef st_hash_start
st_index_t rb_st_hash_start(st_index_t h) { return h; }
static int strcompare(st_data_t a, st_data_t b) { return strcmp((const char *)a, (const char *)b); }
static st_index_t strhash(st_data_t s) { return rb_st_hash((const char *)s, strlen((const char *)s), 0); }
static int strcasecompare(st_data_t a, st_data_t b) { return rb_st_locale_insensitive_strcasecmp((const char *)a, (const char *)b); }
static st_index_t strcasehash(st_data_t s)
{
    const char *p;
    st_index_t h = 0;
    for (p = (const char *)s; *p; p++) h = (h ^ (st_index_t)TOLOWER((unsigned char)*p)) * 0x100000001b3UL;
    return h;
}
static const struct st_hash_type numbers = { rb_st_numcmp, rb_st_numhash };
static const struct st_hash_type strings = { strcompare, strhash };
static const struct st_hash_type cases = { strcasecompare, strcasehash };

st_table *rb_st_init_table_with_size(const struct st_hash_type *type, st_index_t size)
{
    st_table *t = ruby_xcalloc(1, sizeof *t);
    t->type = type;
    (void)size;
    return t;
}
st_table *rb_st_init_table(const struct st_hash_type *type) { return rb_st_init_table_with_size(type, 0); }
st_table *rb_st_init_numtable(void) { return rb_st_init_table(&numbers); }
st_table *rb_st_init_numtable_with_size(st_index_t size) { return rb_st_init_table_with_size(&numbers, size); }
st_table *rb_st_init_strtable(void) { return rb_st_init_table(&strings); }
st_table *rb_st_init_strtable_with_size(st_index_t size) { return rb_st_init_table_with_size(&strings, size); }
st_table *rb_st_init_strcasetable(void) { return rb_st_init_table(&cases); }
st_table *rb_st_init_strcasetable_with_size(st_index_t size) { return rb_st_init_table_with_size(&cases, size); }
size_t rb_st_table_size(const st_table *t) { return t->num_entries; }

void rb_st_clear(st_table *t)
{
    st_index_t i;
    t->num_entries = t->bound = 0;
    for (i = 0; i < t->bin_room; i++) t->bins[i] = NONE;
}

void rb_st_free_table(st_table *t)
{
    ruby_xfree(t->entries);
    ruby_xfree(t->bins);
    ruby_xfree(t);
}

static void put_bin(st_table *t, st_index_t hash, st_index_t at)
{
    st_index_t mask = t->bin_room - 1, i = hash & mask;
    while (t->bins[i] != NONE) i = (i + 1) & mask;
    t->bins[i] = at;
}

/* Room for one more: dead entries go, and there are twice as many bins as entries. */
static void grow(st_table *t)
{
    st_index_t i, n = 0, room;
    if (t->bound < t->room) return;
    for (i = 0; i < t->bound; i++) if (ENTRIES(t)[i].live) ENTRIES(t)[n++] = ENTRIES(t)[i];
    t->bound = n;
    room = n * 2 < 8 ? 8 : n * 2;
    if (room > t->room) {
        t->entries = ruby_xrealloc2(t->entries, room, sizeof(struct entry));
        t->room = room;
    }
    for (room = 16; room < t->room * 2; room *= 2);
    if (room != t->bin_room) {
        ruby_xfree(t->bins);
        t->bins = NULL;
        t->bin_room = 0;
        t->bins = ruby_xmalloc2(room, sizeof *t->bins);
        t->bin_room = room;
    }
    for (i = 0; i < t->bin_room; i++) t->bins[i] = NONE;
    for (i = 0; i < n; i++) put_bin(t, ENTRIES(t)[i].hash, i);
}

static st_index_t find(st_table *t, st_data_t key, st_index_t hash)
{
    st_index_t mask, i;
    if (!t->bin_room) return NONE;
    mask = t->bin_room - 1;
    for (i = hash & mask; t->bins[i] != NONE; i = (i + 1) & mask) {
        struct entry *e = &ENTRIES(t)[t->bins[i]];
        if (e->live && e->hash == hash && (e->key == key || t->type->compare(key, e->key) == 0)) return t->bins[i];
        mask = t->bin_room - 1;
    }
    return NONE;
}

static void add(st_table *t, st_data_t key, st_data_t value, st_index_t hash)
{
    struct entry e = { hash, key, value, 1 };
    grow(t);
    ENTRIES(t)[t->bound] = e;
    put_bin(t, hash, t->bound++);
    t->num_entries++;
}

int rb_st_insert(st_table *t, st_data_t key, st_data_t value)
{
    st_index_t hash = t->type->hash(key), at = find(t, key, hash);
    if (at != NONE) {
        ENTRIES(t)[at].value = value;
        return 1;
    }
    add(t, key, value, hash);
    return 0;
}

int rb_st_insert2(st_table *t, st_data_t key, st_data_t value, st_data_t (*made)(st_data_t))
{
    st_index_t hash = t->type->hash(key), at = find(t, key, hash);
    if (at != NONE) {
        ENTRIES(t)[at].value = value;
        return 1;
    }
    add(t, made(key), value, hash);
    return 0;
}

void rb_st_add_direct(st_table *t, st_data_t key, st_data_t value) { add(t, key, value, t->type->hash(key)); }

int rb_st_lookup(st_table *t, st_data_t key, st_data_t *value)
{
    st_index_t at = find(t, key, t->type->hash(key));
    if (at == NONE) return 0;
    if (value) *value = ENTRIES(t)[at].value;
    return 1;
}

int rb_st_get_key(st_table *t, st_data_t key, st_data_t *result)
{
    st_index_t at = find(t, key, t->type->hash(key));
    if (at == NONE) return 0;
    if (result) *result = ENTRIES(t)[at].key;
    return 1;
}

/* Bins keep leading to the dead entry, which no search takes for a live one. */
static void kill(st_table *t, st_index_t at) { ENTRIES(t)[at].live = 0; t->num_entries--; }

int rb_st_delete(st_table *t, st_data_t *key, st_data_t *value)
{
    st_index_t at = find(t, *key, t->type->hash(*key));
    if (at == NONE) {
        if (value) *value = 0;
        return 0;
    }
    *key = ENTRIES(t)[at].key;
    if (value) *value = ENTRIES(t)[at].value;
    kill(t, at);
    return 1;
}

/* Who walks over the table is not disturbed by any of these, so there is nothing to be cleaned up. */
int rb_st_delete_safe(st_table *t, st_data_t *key, st_data_t *value, st_data_t never) { (void)never; return rb_st_delete(t, key, value); }
void rb_st_cleanup_safe(st_table *t, st_data_t never) { (void)t; (void)never; }

int rb_st_shift(st_table *t, st_data_t *key, st_data_t *value)
{
    st_index_t i;
    for (i = 0; i < t->bound; i++) {
        if (!ENTRIES(t)[i].live) continue;
        *key = ENTRIES(t)[i].key;
        if (value) *value = ENTRIES(t)[i].value;
        kill(t, i);
        return 1;
    }
    return 0;
}

int rb_st_update(st_table *t, st_data_t key, st_update_callback_func *func, st_data_t arg)
{
    st_index_t hash = t->type->hash(key), at = find(t, key, hash);
    st_data_t value = 0;
    int known = at != NONE, how;
    if (known) {
        key = ENTRIES(t)[at].key;
        value = ENTRIES(t)[at].value;
    }
    how = func(&key, &value, arg, known);
    at = known ? find(t, key, hash) : NONE;
    if (how == ST_CONTINUE) {
        if (at == NONE) add(t, key, value, hash);
        else { ENTRIES(t)[at].key = key; ENTRIES(t)[at].value = value; }
    }
    else if (how == ST_DELETE && at != NONE) kill(t, at);
    return known;
}

/* Calls the function with each entry, wherever a callback has brought that meanwhile. `check`: the function is told when the
 * list was rebuilt and its entry is in it no longer, and asks for that by ST_CHECK, which otherwise ends the walk. */
static int walk(st_table *t, st_foreach_check_callback_func *func, st_update_callback_func *replace, st_data_t arg, int check)
{
    st_index_t i;
    for (i = 0; i < t->bound; i++) {
        struct entry e = ENTRIES(t)[i];
        int how, here, gone;
        if (!e.live) continue;
        how = func(e.key, e.value, arg, 0);
        here = i < t->bound && ENTRIES(t)[i].key == e.key && ENTRIES(t)[i].hash == e.hash;
        gone = here && !ENTRIES(t)[i].live;
        if (!here) {
            st_index_t at = find(t, e.key, e.hash);
            gone = at == NONE;
            if (!gone) i = at;
            else if (check) {
                func(0, 0, arg, 1);
                return 1;
            }
        }
        if (how == ST_REPLACE && replace && !gone) {
            st_data_t value = ENTRIES(t)[i].value;
            how = replace(&e.key, &value, arg, 1);
            ENTRIES(t)[i].key = e.key;
            ENTRIES(t)[i].value = value;
        }
        if (how == ST_STOP || (how == ST_CHECK && !check)) return 0;
        if (how != ST_DELETE) continue;
        if (gone) rb_st_delete(t, &e.key, NULL);
        else kill(t, i);
    }
    return 0;
}

/* What `walk` calls where the function has three parameters. */
struct plain { st_foreach_callback_func *func; st_data_t arg; };
static int call_plain(st_data_t key, st_data_t value, st_data_t data, int error)
{
    struct plain *plain = (struct plain *)data;
    (void)error;
    return plain->func(key, value, plain->arg);
}

int rb_st_foreach(st_table *t, st_foreach_callback_func *func, st_data_t arg)
{
    struct plain plain = { func, arg };
    return walk(t, call_plain, NULL, (st_data_t)&plain, 0);
}
void rb_st_foreach_safe(st_table *t, st_foreach_callback_func *func, st_data_t arg) { rb_st_foreach(t, func, arg); }
int rb_st_foreach_check(st_table *t, st_foreach_check_callback_func *func, st_data_t arg, st_data_t never)
{
    (void)never;
    return walk(t, func, NULL, arg, 1);
}
int rb_st_foreach_with_replace(st_table *t, st_foreach_check_callback_func *func, st_update_callback_func *replace, st_data_t arg)
{
    return walk(t, func, replace, arg, 1);
}

st_index_t rb_st_keys(st_table *t, st_data_t *keys, st_index_t size)
{
    st_index_t i, n = 0;
    for (i = 0; i < t->bound && n < size; i++) if (ENTRIES(t)[i].live) keys[n++] = ENTRIES(t)[i].key;
    return n;
}
st_index_t rb_st_values(st_table *t, st_data_t *values, st_index_t size)
{
    st_index_t i, n = 0;
    for (i = 0; i < t->bound && n < size; i++) if (ENTRIES(t)[i].live) values[n++] = ENTRIES(t)[i].value;
    return n;
}

st_index_t rb_st_keys_check(st_table *t, st_data_t *keys, st_index_t size, st_data_t never) { (void)never; return rb_st_keys(t, keys, size); }
st_index_t rb_st_values_check(st_table *t, st_data_t *values, st_index_t size, st_data_t never) { (void)never; return rb_st_values(t, values, size); }

st_table *rb_st_copy(st_table *t)
{
    st_table *copy = rb_st_init_table(t->type);
    st_index_t i;
    for (i = 0; i < t->bound; i++) {
        struct entry e = ENTRIES(t)[i];
        if (e.live) add(copy, e.key, e.value, e.hash);
    }
    return copy;
}

size_t rb_st_memsize(const st_table *t) { return sizeof *t + t->room * sizeof(struct entry) + t->bin_room * sizeof *t->bins; }
