/* CRuby's functions: a program in C that is in a VM, twice. Built and run by crates/embed/tests/embedding.rs. */
#include <stdio.h>
#include "ruby/embed.h"

static VALUE twice(VALUE self, VALUE n) { return INT2NUM(2 * NUM2INT(n)); }
static VALUE raises(VALUE message) { rb_raise(rb_eArgError, "%s", StringValueCStr(message)); }

static int run(int argc, char **argv)
{
    int state;
    VALUE kept = Qnil, result;

    if (ruby_setup()) return 1;
    ruby_init_loadpath();
    ruby_script("thread.c");
    ruby_set_argv(argc, argv);
    rb_define_global_function("twice", twice, 1);
    kept = rb_str_new_cstr("a local variable of C");
    result = rb_eval_string_protect("GC.start; Array.new(1000) { |i| \"s#{i}\" }; [twice(21), $0, ARGV].inspect", &state);
    printf("%s %d\n", StringValueCStr(result), state);
    rb_eval_string_protect("raise IndexError, 'from Ruby'", &state);
    printf("%d %s: %s\n", state != 0, rb_obj_classname(rb_errinfo()), RSTRING_PTR(rb_funcall(rb_errinfo(), rb_intern("message"), 0)));
    rb_set_errinfo(Qnil);
    rb_protect(raises, rb_str_new_cstr("from C"), &state);
    printf("%d %s\n", state != 0, rb_obj_classname(rb_errinfo()));
    rb_set_errinfo(Qnil);
    rb_eval_string("Thread.new { 100.times { GC.start } }.join; at_exit { puts 'at_exit' }; $stdout.sync = true");
    printf("%s\n", StringValueCStr(kept));
    fflush(stdout);
    rb_eval_string_protect("exit 3", &state);
    return ruby_cleanup(state);
}

int main(int argc, char **argv)
{
    int first = run(argc - 1, argv + 1), second = run(0, NULL);
    char *words[] = { "asterism", "-e", "puts \"node #{ARGV}\"; exit 4", "x", "y" };
    printf("%d %d\n", first, second);
    fflush(stdout);
    ruby_sysinit(&argc, &argv);
    {
        RUBY_INIT_STACK
        ruby_init();
        return ruby_run_node(ruby_options(5, words));
    }
}
