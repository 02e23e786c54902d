/* What looks into a program: sizes, frames, memory that is shown, jobs for later; and digests in C. */
#include "ruby.h"
#include "ruby/debug.h"
#include "ruby/digest.h"
#include "ruby/memory_view.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Sizes. */
struct sized { size_t bytes; };
static size_t sized_size(const void *p) { return sizeof(struct sized) + ((const struct sized *)p)->bytes; }
static const rb_data_type_t sized_type = { "sized", { 0, RUBY_DEFAULT_FREE, sized_size }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY };
static VALUE sized_new(VALUE klass, VALUE bytes)
{
    struct sized *s;
    VALUE v = TypedData_Make_Struct(klass, struct sized, &sized_type, s);
    s->bytes = NUM2SIZET(bytes);
    return v;
}

/* Bytes behind the end of a String: C writes there first, and sets the length when it is done. */
static VALUE builds(VALUE self, VALUE parts)
{
    VALUE text = rb_str_new(NULL, 0);
    char *at = RSTRING_PTR(text);
    for (long i = 0; i < RARRAY_LEN(parts); i++) {
        VALUE part = rb_funcall(rb_ary_entry(parts, i), rb_intern("to_s"), 0);
        size_t used = (size_t)(at - RSTRING_PTR(text));
        if (rb_str_capacity(text) < used + (size_t)RSTRING_LEN(part)) {
            rb_str_set_len(text, (long)used);
            rb_str_modify_expand(text, RSTRING_LEN(part) + 10);
            at = RSTRING_PTR(text) + used;
        }
        memcpy(at, RSTRING_PTR(part), (size_t)RSTRING_LEN(part));
        at += RSTRING_LEN(part);
    }
    rb_str_set_len(text, at - RSTRING_PTR(text));
    return text;
}

static VALUE c_length(VALUE self, VALUE text) { return LONG2NUM((long)strlen(RSTRING_PTR(text))); }

/* What `getenv` finds, and messages. */
static VALUE c_env(VALUE self, VALUE name)
{
    const char *found = getenv(StringValueCStr(name));
    return found ? rb_str_new_cstr(found) : Qnil;
}
static VALUE message(VALUE self, VALUE v)
{
    rb_raise(rb_eArgError, "%s %"PRIsVALUE, "of bytes:", v);
    return Qnil;
}

/* Frames. */
static VALUE all_frames(const rb_debug_inspector_t *dc, void *data)
{
    VALUE places = rb_debug_inspector_backtrace_locations(dc), all = rb_ary_new();
    for (long i = 0; i < RARRAY_LEN(places); i++) {
        VALUE binding = rb_debug_inspector_frame_binding_get(dc, i);
        rb_gc_start();
        rb_ary_push(all, rb_ary_new_from_args(5, rb_debug_inspector_frame_self_get(dc, i), rb_debug_inspector_frame_class_get(dc, i),
            binding, rb_debug_inspector_frame_iseq_get(dc, i), rb_ary_entry(places, i)));
    }
    if (data) rb_debug_inspector_frame_self_get(dc, RARRAY_LEN(places));
    return all;
}
static VALUE frames(VALUE self) { return rb_debug_inspector_open(all_frames, NULL); }
static VALUE too_far(VALUE self) { return rb_debug_inspector_open(&all_frames, (void *)&sized_type); }
static VALUE depth(VALUE self) { return rb_debug_inspector_current_depth(); }

/* Memory views: an object that shows the bytes of a String. */
static bool text_there(VALUE v) { return !NIL_P(rb_iv_get(v, "@text")); }
static bool text_get(VALUE v, rb_memory_view_t *view, int flags)
{
    VALUE text = rb_iv_get(v, "@text"), shape = rb_iv_get(v, "@shape"), format = rb_iv_get(v, "@format");
    ssize_t *sizes, *strides;
    rb_memory_view_init_as_byte_array(view, v, RSTRING_PTR(text), RSTRING_LEN(text), true);
    if (NIL_P(shape)) return true;
    view->format = StringValueCStr(format);
    view->item_size = rb_memory_view_item_size_from_format(view->format, NULL);
    view->ndim = RARRAY_LEN(shape);
    sizes = ALLOC_N(ssize_t, view->ndim * 2);
    strides = sizes + view->ndim;
    for (ssize_t i = 0; i < view->ndim; i++) sizes[i] = NUM2SSIZET(rb_ary_entry(shape, i));
    rb_memory_view_fill_contiguous_strides(view->ndim, view->item_size, sizes, !(flags & 0x20), strides);
    view->shape = sizes;
    view->strides = strides;
    return true;
}
static bool text_release(VALUE v, rb_memory_view_t *view)
{
    xfree((void *)view->shape);
    return true;
}
static const rb_memory_view_entry_t text_entry = { text_get, text_release, text_there };

static VALUE shows_p(VALUE self, VALUE v) { return rb_memory_view_available_p(v) ? Qtrue : Qfalse; }
static VALUE items(VALUE self, VALUE v, VALUE flags, VALUE places)
{
    rb_memory_view_t view, again;
    VALUE all = rb_ary_new();
    if (!rb_memory_view_get(v, &view, NUM2INT(flags)) || !rb_memory_view_get(v, &again, 0)) return Qnil;
    rb_memory_view_release(&again);
    rb_gc_start();
    for (long i = 0; i < RARRAY_LEN(places); i++) {
        ssize_t at[4] = { 0 };
        VALUE place = rb_ary_entry(places, i);
        for (long n = 0; n < RARRAY_LEN(place) && n < 4; n++) at[n] = NUM2SSIZET(rb_ary_entry(place, n));
        rb_ary_push(all, rb_memory_view_get_item(&view, at));
    }
    rb_ary_push(all, rb_memory_view_is_row_major_contiguous(&view) ? Qtrue : Qfalse);
    rb_ary_push(all, rb_memory_view_is_contiguous(&view) ? Qtrue : Qfalse);
    rb_memory_view_release(&view);
    return NIL_P(view.obj) ? all : Qnil;
}
static VALUE format(VALUE self, VALUE text)
{
    rb_memory_view_item_component_t *parts = NULL;
    const char *err = NULL, *start = StringValueCStr(text);
    size_t n = 0;
    ssize_t size = rb_memory_view_parse_item_format(start, &parts, &n, &err);
    VALUE all;
    if (size < 0) return rb_ary_new_from_args(2, LONG2NUM(size), LONG2NUM(err - start));
    all = rb_ary_new_from_args(1, LONG2NUM(size));
    for (size_t i = 0; i < n; i++)
        rb_ary_push(all, rb_sprintf("%c%s%s%d@%dx%d", parts[i].format, parts[i].native_size_p ? "!" : "", parts[i].little_endian_p ? "<" : ">",
            (int)parts[i].size, (int)parts[i].offset, (int)parts[i].repeat));
    xfree(parts);
    return all;
}
static VALUE read_items(VALUE self, VALUE bytes, VALUE text)
{
    rb_memory_view_item_component_t *parts = NULL;
    size_t n = 0;
    VALUE all;
    if (rb_memory_view_parse_item_format(StringValueCStr(text), &parts, &n, NULL) < 0) return Qnil;
    all = rb_memory_view_extract_item_members(RSTRING_PTR(bytes), parts, n);
    xfree(parts);
    return all;
}

/* Jobs for later. */
static rb_postponed_job_handle_t job = POSTPONED_JOB_HANDLE_INVALID;
static VALUE done;
static void note(void *data) { rb_ary_push(done, INT2FIX((int)(intptr_t)data)); }
static void fail(void *data) { rb_raise(rb_eRuntimeError, "a job"); }
static void on_signal(int number) { rb_postponed_job_trigger(job); }
static void *on_thread(void *data)
{
    rb_postponed_job_trigger(job);
    return NULL;
}
static VALUE by_signal(VALUE self)
{
    struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESTART }, before;
    sigaction(SIGUSR2, &act, &before);
    raise(SIGUSR2);
    sigaction(SIGUSR2, &before, NULL);
    return LONG2NUM(RARRAY_LEN(done));
}
static VALUE by_thread(VALUE self)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, on_thread, NULL)) return Qnil;
    pthread_join(thread, NULL);
    return LONG2NUM(RARRAY_LEN(done));
}
static VALUE job_now(VALUE self) { return INT2FIX(rb_postponed_job_register_one(0, note, (void *)2)); }
static VALUE failing(VALUE self) { return INT2FIX(rb_postponed_job_register(0, fail, NULL)); }
static VALUE same_job(VALUE self) { return rb_postponed_job_preregister(0, note, (void *)1) == job ? Qtrue : Qfalse; }
static VALUE jobs_done(VALUE self) { return done; }

/* A digest: the sum of all bytes, and how many there were. */
struct sum { unsigned char total, count; };
static int sum_init(void *ctx) { return memset(ctx, 0, sizeof(struct sum)), 1; }
static void sum_update(void *ctx, unsigned char *bytes, size_t length)
{
    struct sum *sum = ctx;
    sum->count += (unsigned char)length;
    while (length-- > 0) sum->total += *bytes++;
}
static int sum_finish(void *ctx, unsigned char *result) { return memcpy(result, ctx, sizeof(struct sum)), 1; }
static const rb_digest_metadata_t sum_table = {
    RUBY_DIGEST_API_VERSION, sizeof(struct sum), 8, sizeof(struct sum), sum_init, sum_update, sum_finish,
};

void Init_looking(void)
{
    VALUE looking = rb_define_module("Looking");
    VALUE sized = rb_define_class_under(looking, "Sized", rb_cObject), text = rb_define_class_under(looking, "Text", rb_cObject);
    VALUE sum = rb_define_class_under(looking, "Sum", rb_const_get(rb_digest_namespace(), rb_intern("Base")));
    rb_undef_alloc_func(sized);
    rb_define_singleton_method(sized, "new", sized_new, 1);
    rb_define_singleton_method(looking, "builds", builds, 1);
    rb_define_singleton_method(looking, "c_length", c_length, 1);
    rb_define_singleton_method(looking, "env", c_env, 1);
    rb_define_singleton_method(looking, "message", message, 1);
    rb_define_singleton_method(looking, "frames", frames, 0);
    rb_define_singleton_method(looking, "too_far", too_far, 0);
    rb_define_singleton_method(looking, "depth", depth, 0);
    rb_define_singleton_method(looking, "shows?", shows_p, 1);
    rb_define_singleton_method(looking, "items", items, 3);
    rb_define_singleton_method(looking, "format", format, 1);
    rb_define_singleton_method(looking, "read", read_items, 2);
    rb_define_singleton_method(looking, "by_signal", by_signal, 0);
    rb_define_singleton_method(looking, "by_thread", by_thread, 0);
    rb_define_singleton_method(looking, "job_now", job_now, 0);
    rb_define_singleton_method(looking, "failing", failing, 0);
    rb_define_singleton_method(looking, "same_job?", same_job, 0);
    rb_define_singleton_method(looking, "done", jobs_done, 0);
    rb_memory_view_register(text, &text_entry);
    if (rb_memory_view_register(text, &text_entry)) rb_raise(rb_eRuntimeError, "registered twice");
    done = rb_ary_new();
    rb_gc_register_address(&done);
    job = rb_postponed_job_preregister(0, note, (void *)1);
    rb_iv_set(sum, "metadata", rb_digest_make_metadata(&sum_table));
}
