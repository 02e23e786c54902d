/* st: hash tables of words that keep the order in which they were filled. Open addressing over a list of entries. In C,
 * because comparisons and callbacks may jump away. */
#include "ruby/ruby.h"
#include "ruby/st.h"

struct entry { st_index_t hash; st_data_t key, value; int live; };
#define ENTRIES(t) ((struct entry *)(t)->entries)
#define NONE (~(st_index_t)0)

int st_numcmp(st_data_t a, st_data_t b) { return a != b; }
st_index_t st_numhash(st_data_t n) { return n * 0x9e3779b97f4a7c15UL ^ n >> 29; }
st_index_t st_hash(const void *ptr, size_t len, st_index_t h)
{
    const unsigned char *p = ptr;
    h ^= 0xcbf29ce484222325UL;
    while (len--) h = (h ^ *p++) * 0x100000001b3UL;
    return h ^ h >> 32;
}
static int strcompare(st_data_t a, st_data_t b) { return strcmp((const char *)a, (const char *)b); }
static st_index_t strhash(st_data_t s) { return st_hash((const char *)s, strlen((const char *)s), 0); }
static const struct st_hash_type numbers = { st_numcmp, st_numhash };
static const struct st_hash_type strings = { strcompare, strhash };

st_table *st_init_table_with_size(const struct st_hash_type *type, st_index_t size)
{
    st_table *t = ruby_xcalloc(1, sizeof *t);
    t->type = type;
    (void)size;
    return t;
}
st_table *st_init_table(const struct st_hash_type *type) { return st_init_table_with_size(type, 0); }
st_table *st_init_numtable(void) { return st_init_table(&numbers); }
st_table *st_init_numtable_with_size(st_index_t size) { return st_init_table_with_size(&numbers, size); }
st_table *st_init_strtable(void) { return st_init_table(&strings); }
st_table *st_init_strtable_with_size(st_index_t size) { return st_init_table_with_size(&strings, size); }

void st_clear(st_table *t)
{
    st_index_t i;
    t->num_entries = t->bound = 0;
    for (i = 0; i < t->bin_room; i++) t->bins[i] = NONE;
}

void st_free_table(st_table *t)
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

int st_insert(st_table *t, st_data_t key, st_data_t value)
{
    st_index_t hash = t->type->hash(key), at = find(t, key, hash);
    if (at != NONE) {
        ENTRIES(t)[at].value = value;
        return 1;
    }
    add(t, key, value, hash);
    return 0;
}

void st_add_direct(st_table *t, st_data_t key, st_data_t value) { add(t, key, value, t->type->hash(key)); }

int st_lookup(st_table *t, st_data_t key, st_data_t *value)
{
    st_index_t at = find(t, key, t->type->hash(key));
    if (at == NONE) return 0;
    if (value) *value = ENTRIES(t)[at].value;
    return 1;
}

int st_get_key(st_table *t, st_data_t key, st_data_t *result)
{
    st_index_t at = find(t, key, t->type->hash(key));
    if (at == NONE) return 0;
    if (result) *result = ENTRIES(t)[at].key;
    return 1;
}

/* Bins keep leading to the dead entry, which no search takes for a live one. */
static void kill(st_table *t, st_index_t at) { ENTRIES(t)[at].live = 0; t->num_entries--; }

int st_delete(st_table *t, st_data_t *key, st_data_t *value)
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

int st_shift(st_table *t, st_data_t *key, st_data_t *value)
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

int st_update(st_table *t, st_data_t key, st_update_callback_func *func, st_data_t arg)
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

int st_foreach(st_table *t, st_foreach_callback_func *func, st_data_t arg)
{
    st_index_t i;
    for (i = 0; i < t->bound; i++) {
        struct entry e = ENTRIES(t)[i];
        int how;
        if (!e.live) continue;
        how = func(e.key, e.value, arg);
        if (how == ST_STOP) return 0;
        if (how == ST_DELETE) {
            /* The callback may have made the list another one. */
            if (i < t->bound && ENTRIES(t)[i].live && ENTRIES(t)[i].key == e.key) kill(t, i);
            else st_delete(t, &e.key, NULL);
        }
    }
    return 0;
}
int st_foreach_safe(st_table *t, st_foreach_callback_func *func, st_data_t arg) { return st_foreach(t, func, arg); }

st_index_t st_keys(st_table *t, st_data_t *keys, st_index_t size)
{
    st_index_t i, n = 0;
    for (i = 0; i < t->bound && n < size; i++) if (ENTRIES(t)[i].live) keys[n++] = ENTRIES(t)[i].key;
    return n;
}
st_index_t st_values(st_table *t, st_data_t *values, st_index_t size)
{
    st_index_t i, n = 0;
    for (i = 0; i < t->bound && n < size; i++) if (ENTRIES(t)[i].live) values[n++] = ENTRIES(t)[i].value;
    return n;
}

st_table *st_copy(st_table *t)
{
    st_table *copy = st_init_table(t->type);
    st_index_t i;
    for (i = 0; i < t->bound; i++) {
        struct entry e = ENTRIES(t)[i];
        if (e.live) add(copy, e.key, e.value, e.hash);
    }
    return copy;
}

size_t st_memsize(const st_table *t) { return sizeof *t + t->room * sizeof(struct entry) + t->bin_room * sizeof *t->bins; }
