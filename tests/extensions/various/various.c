/* What gems were found to ask for: what their extconf.rb found, tables by all their names, events, flags, coverage. */
#define RUBY_EXTCONF_H "various_extconf.h"
#include "ruby.h"
#include "ruby/debug.h"

static VALUE found(VALUE self) { return INT2FIX(HAVE_VARIOUS); }
static VALUE numbers(VALUE self) { return rb_ary_new_from_args(3, rb_int_new(-3), rb_uint_new(~0ul), rb_int_new(LONG_MAX)); }
static VALUE now(VALUE self)
{
    struct timespec time;
    rb_timespec_now(&time);
    return rb_ary_new_from_args(2, LONG2NUM((long)time.tv_sec), LONG2NUM(time.tv_nsec));
}
static VALUE is_imemo(VALUE self, VALUE v) { return TYPE(v) == T_IMEMO || TYPE(v) == T_NODE ? Qtrue : Qfalse; }
static VALUE singleton_p(VALUE self, VALUE v) { return FL_TEST(v, FL_SINGLETON) ? Qtrue : Qfalse; }
static VALUE stop(VALUE self) { return rb_thread_stop(); }
static VALUE coverages(VALUE self) { return rb_get_coverages(); }

/* Tables. */
struct walk { st_table *table; VALUE seen; int how; };
static int visit(st_data_t key, st_data_t value, st_data_t data)
{
    struct walk *walk = (struct walk *)data;
    rb_ary_push(walk->seen, INT2FIX((int)key));
    if (key == 3) {
        /* So many that the list is made anew without those that are gone. */
        for (st_data_t i = 0; i < 3; i++) rb_st_delete(walk->table, &i, NULL);
        for (st_data_t i = 100; i < 140; i++) rb_st_insert(walk->table, i, i);
    }
    return key >= 100 ? ST_DELETE : walk->how;
}
static VALUE walks(VALUE self)
{
    struct walk walk = { rb_st_init_numtable(), rb_ary_new(), ST_CONTINUE };
    for (st_data_t i = 0; i < 8; i++) st_insert(walk.table, i, i);
    rb_st_foreach(walk.table, visit, (st_data_t)&walk);
    rb_ary_push(walk.seen, SIZET2NUM(st_table_size(walk.table)));
    st_free_table(walk.table);
    return walk.seen;
}
static int checked(st_data_t key, st_data_t value, st_data_t data, int error)
{
    struct walk *walk = (struct walk *)data;
    rb_ary_push(walk->seen, error ? ID2SYM(rb_intern("gone")) : INT2FIX((int)key));
    if (!error && key == 1) {
        st_delete(walk->table, &key, NULL);
        for (st_data_t i = 100; i < 140; i++) st_insert(walk->table, i, i);
    }
    return walk->how;
}
static VALUE checks(VALUE self)
{
    struct walk walk = { st_init_numtable_with_size(3), rb_ary_new(), ST_CHECK };
    int result;
    for (st_data_t i = 0; i < 3; i++) st_insert(walk.table, i, i);
    result = st_foreach_check(walk.table, checked, (st_data_t)&walk, 0);
    rb_ary_push(walk.seen, INT2FIX(result));
    rb_st_free_table(walk.table);
    return walk.seen;
}
static int replace_p(st_data_t key, st_data_t value, st_data_t data, int error) { return key == 1 ? ST_DELETE : ST_REPLACE; }
static int replace(st_data_t *key, st_data_t *value, st_data_t data, int existing) { *value += data; return ST_CONTINUE; }
static st_data_t copied(st_data_t key) { return (st_data_t)"kEY"; }
static VALUE tables(VALUE self)
{
    st_table *numbers = st_init_numtable(), *cases = st_init_strcasetable();
    st_data_t keys[4] = { 0 }, values[4] = { 0 }, key = 0;
    VALUE all;
    for (st_data_t i = 0; i < 3; i++) st_insert(numbers, i, i * 10);
    st_foreach_with_replace(numbers, replace_p, replace, 7);
    st_keys_check(numbers, keys, 4, 0);
    st_values_check(numbers, values, 4, 0);
    all = rb_ary_new_from_args(4, INT2FIX((int)keys[0]), INT2FIX((int)keys[1]), INT2FIX((int)values[0]), INT2FIX((int)values[1]));
    st_insert2(cases, (st_data_t)"Key", 1, copied);
    rb_ary_push(all, st_insert2(cases, (st_data_t)"KEY", 2, copied) ? Qtrue : Qfalse);
    st_get_key(cases, (st_data_t)"key", &key);
    rb_ary_push(all, key ? rb_str_new_cstr((const char *)key) : Qnil);
    rb_ary_push(all, st_lookup(cases, (st_data_t)"keys", NULL) ? Qtrue : Qfalse);
    rb_ary_push(all, st_hash_end(st_hash_uint(st_hash_start(1), 2)) == st_hash_end(st_hash_uint(rb_st_hash_start(1), 2)) ? Qtrue : Qfalse);
    rb_ary_push(all, INT2FIX(rb_st_locale_insensitive_strcasecmp("aB", "Ab") + st_strcasecmp("x", "X")));
    st_free_table(numbers);
    st_free_table(cases);
    return all;
}

/* Events. */
static VALUE events;
static void note(VALUE tracepoint, void *data)
{
    rb_event_flag_t flag = rb_tracearg_event_flag(rb_tracearg_from_tracepoint(tracepoint));
    rb_ary_push(events, flag == RUBY_EVENT_FIBER_SWITCH ? ID2SYM(rb_intern("switch")) : flag == RUBY_EVENT_RESCUE ? ID2SYM(rb_intern("rescue")) : Qnil);
}
static VALUE trace(VALUE self, VALUE target)
{
    VALUE tracepoint = rb_tracepoint_new(target, RUBY_EVENT_FIBER_SWITCH | RUBY_EVENT_RESCUE, note, NULL), all = events;
    rb_tracepoint_enable(tracepoint);
    rb_yield(Qnil);
    rb_tracepoint_disable(tracepoint);
    events = rb_ary_new();
    return all;
}

/* For another extension. */
VALUE various_module;
VALUE various_twice(VALUE n) { return rb_int_new(NUM2LONG(n) * 2); }

void Init_various(void)
{
    VALUE various = various_module = rb_define_module("Various");
    events = rb_ary_new();
    rb_gc_register_address(&events);
    rb_define_singleton_method(various, "found", found, 0);
    rb_define_singleton_method(various, "numbers", numbers, 0);
    rb_define_singleton_method(various, "now", now, 0);
    rb_define_singleton_method(various, "imemo?", is_imemo, 1);
    rb_define_singleton_method(various, "singleton?", singleton_p, 1);
    rb_define_singleton_method(various, "stop", stop, 0);
    rb_define_singleton_method(various, "coverages", coverages, 0);
    rb_define_singleton_method(various, "walks", walks, 0);
    rb_define_singleton_method(various, "checks", checks, 0);
    rb_define_singleton_method(various, "tables", tables, 0);
    rb_define_singleton_method(various, "trace", trace, 1);
}
