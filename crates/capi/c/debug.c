/* TracePoint, from C: what a hook is told comes from the object. And the frames under way. */
#include "ruby/ruby.h"
#include "ruby/debug.h"

static const struct {
    rb_event_flag_t flag;
    const char *name;
} events_known[] = {
    { RUBY_EVENT_LINE, "line" }, { RUBY_EVENT_CLASS, "class" }, { RUBY_EVENT_END, "end" },
    { RUBY_EVENT_CALL, "call" }, { RUBY_EVENT_RETURN, "return" }, { RUBY_EVENT_C_CALL, "c_call" },
    { RUBY_EVENT_C_RETURN, "c_return" }, { RUBY_EVENT_RAISE, "raise" }, { RUBY_EVENT_B_CALL, "b_call" },
    { RUBY_EVENT_B_RETURN, "b_return" }, { RUBY_EVENT_THREAD_BEGIN, "thread_begin" },
    { RUBY_EVENT_THREAD_END, "thread_end" }, { RUBY_EVENT_FIBER_SWITCH, "fiber_switch" },
    { RUBY_EVENT_SCRIPT_COMPILED, "script_compiled" }, { RUBY_EVENT_RESCUE, "rescue" },
};
#define EVENTS_KNOWN (int)(sizeof(events_known) / sizeof(events_known[0]))

struct hook {
    void (*func)(VALUE, void *);
    void *data;
};

static void mark_hook(void *data) { rb_gc_mark_maybe((VALUE)((struct hook *)data)->data); }

static const rb_data_type_t hook_type = { "hook of a TracePoint", { mark_hook, RUBY_DEFAULT_FREE, 0, 0, { 0 } }, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY };

static VALUE run_hook(RB_BLOCK_CALL_FUNC_ARGLIST(tracepoint, data))
{
    struct hook *hook = rb_check_typeddata(data, &hook_type);
    hook->func(tracepoint, hook->data);
    return Qnil;
}

VALUE rb_tracepoint_new(VALUE target, rb_event_flag_t events, void (*func)(VALUE, void *), void *data)
{
    VALUE names[EVENTS_KNOWN], holder;
    struct hook *hook;
    int n = 0;
    /* Extensions pass 0 too for all threads. */
    if (RTEST(target)) rb_raise(rb_eNotImpError, "rb_tracepoint_new for one thread");
    for (int i = 0; i < EVENTS_KNOWN; i++) {
        if (events & events_known[i].flag) names[n++] = ID2SYM(rb_intern(events_known[i].name));
        events &= ~events_known[i].flag;
    }
    if (events) rb_raise(rb_eNotImpError, "rb_tracepoint_new with events of objects or of the interpreter");
    holder = TypedData_Make_Struct(rb_cObject, struct hook, &hook_type, hook);
    hook->func = func;
    hook->data = data;
    return rb_block_call(rb_const_get(rb_cObject, rb_intern("TracePoint")), rb_intern("new"), n, names, run_hook, holder);
}

VALUE rb_tracepoint_enable(VALUE v) { return rb_funcall(v, rb_intern("enable"), 0), Qundef; }
VALUE rb_tracepoint_disable(VALUE v) { return rb_funcall(v, rb_intern("disable"), 0), Qundef; }
VALUE rb_tracepoint_enabled_p(VALUE v) { return rb_funcall(v, rb_intern("enabled?"), 0); }
rb_trace_arg_t *rb_tracearg_from_tracepoint(VALUE v) { return (rb_trace_arg_t *)v; }

rb_event_flag_t rb_tracearg_event_flag(rb_trace_arg_t *arg)
{
    VALUE event = rb_tracearg_event(arg);
    for (int i = 0; i < EVENTS_KNOWN; i++)
        if (event == ID2SYM(rb_intern(events_known[i].name))) return events_known[i].flag;
    return 0;
}

VALUE rb_tracearg_event(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("event"), 0); }
VALUE rb_tracearg_lineno(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("lineno"), 0); }
VALUE rb_tracearg_path(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("path"), 0); }
VALUE rb_tracearg_parameters(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("parameters"), 0); }
VALUE rb_tracearg_method_id(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("method_id"), 0); }
VALUE rb_tracearg_callee_id(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("callee_id"), 0); }
VALUE rb_tracearg_defined_class(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("defined_class"), 0); }
VALUE rb_tracearg_binding(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("binding"), 0); }
VALUE rb_tracearg_self(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("self"), 0); }
VALUE rb_tracearg_return_value(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("return_value"), 0); }
VALUE rb_tracearg_raised_exception(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("raised_exception"), 0); }
VALUE rb_tracearg_eval_script(rb_trace_arg_t *arg) { return rb_funcall((VALUE)arg, rb_intern("eval_script"), 0); }

struct rb_debug_inspector_struct {
    VALUE frames, locations;
};

VALUE rb_debug_inspector_open(rb_debug_inspector_func_t func, void *data)
{
    /* On the machine stack, where the collector sees what it has. */
    volatile VALUE both = rb_asterism_frames();
    rb_debug_inspector_t dc = { rb_ary_entry(both, 0), rb_ary_entry(both, 1) };
    VALUE result = func(&dc, data);
    RB_GC_GUARD(both);
    return result;
}

static VALUE of_frame(const rb_debug_inspector_t *dc, long index, long what)
{
    if (index < 0 || index >= RARRAY_LEN(dc->frames)) rb_raise(rb_eArgError, "no such frame");
    return rb_ary_entry(rb_ary_entry(dc->frames, index), what);
}

VALUE rb_debug_inspector_backtrace_locations(const rb_debug_inspector_t *dc) { return dc->locations; }
VALUE rb_debug_inspector_frame_self_get(const rb_debug_inspector_t *dc, long index) { return of_frame(dc, index, 0); }
VALUE rb_debug_inspector_frame_class_get(const rb_debug_inspector_t *dc, long index) { return of_frame(dc, index, 1); }
VALUE rb_debug_inspector_frame_binding_get(const rb_debug_inspector_t *dc, long index) { return of_frame(dc, index, 2); }
VALUE rb_debug_inspector_frame_iseq_get(const rb_debug_inspector_t *dc, long index) { return of_frame(dc, index, 3); }

VALUE rb_debug_inspector_frame_depth(const rb_debug_inspector_t *dc, long index)
{
    of_frame(dc, index, 0);
    return LONG2NUM(RARRAY_LEN(dc->frames) - index);
}

VALUE rb_debug_inspector_current_depth(void) { return rb_asterism_depth(); }
