/* Functions that show whether two threads are in C at once. An extension for one VM, half of which can do without the lock. */
#include "ruby.h"
#include <poll.h>
#include <time.h>
#include <unistd.h>

static long count;
static int inside, met;

/* A race, if two threads are here at once: what one adds is lost. */
static VALUE add(VALUE self, VALUE times)
{
    for (long i = 0, n = NUM2LONG(times); i < n; i++) {
        long before = *(volatile long *)&count;
        for (volatile int wait = 0; wait < 20; wait++) { }
        *(volatile long *)&count = before + 1;
    }
    return self;
}

static VALUE total(VALUE self) { return LONG2NUM(count); }

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

/* Have two threads been here at once? */
static int wait_for_another(double seconds)
{
    double limit = now() + seconds;
    if (__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST) > 1) __atomic_store_n(&met, 1, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(&met, __ATOMIC_SEQ_CST) && now() < limit) { }
    __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
    return __atomic_load_n(&met, __ATOMIC_SEQ_CST);
}

static VALUE meet(VALUE self, VALUE seconds) { return wait_for_another(NUM2DBL(seconds)) ? Qtrue : Qfalse; }

static VALUE forget(VALUE self)
{
    met = 0;
    return Qnil;
}

/* Says that it is here, and waits for another that says so, without giving the lock up. */
static VALUE meet_over(VALUE self, VALUE from, VALUE to, VALUE seconds)
{
    char byte = '!';
    struct pollfd waiting = { NUM2INT(from), POLLIN, 0 };
    double limit = now() + NUM2DBL(seconds);
    if (write(NUM2INT(to), &byte, 1) != 1) return Qnil;
    while (now() < limit)
        if (poll(&waiting, 1, 10) == 1) return read(waiting.fd, &byte, 1) == 1 ? Qtrue : Qnil;
    return Qfalse;
}

static VALUE yield(VALUE self) { return rb_yield(Qnil); }

static VALUE fail(VALUE self) { rb_raise(rb_eArgError, "on the way out"); }

static VALUE name_of_string(VALUE self) { return rb_obj_as_string(rb_cString); }

/* Objects that write a byte when they are freed. */
static void note(void *pointer)
{
    int fd = *(int *)pointer;
    if (write(fd, "f", 1) != 1) _exit(3);
    xfree(pointer);
}

static const rb_data_type_t noted = { "noted", { NULL, note, NULL }, NULL, NULL, 0 };

static VALUE make_noted(VALUE class, VALUE fd)
{
    int *pointer;
    VALUE made = TypedData_Make_Struct(class, int, &noted, pointer);
    *pointer = NUM2INT(fd);
    return made;
}

static VALUE allocate(VALUE class)
{
    wait_for_another(NUM2DBL(rb_iv_get(class, "@seconds")));
    return rb_data_typed_object_wrap(class, NULL, &noted);
}

void Init_racing(void)
{
    VALUE racing = rb_define_module("Racing");
    rb_define_singleton_method(racing, "add", add, 1);
    rb_define_singleton_method(racing, "total", total, 0);
    rb_define_singleton_method(racing, "meet", meet, 1);
    rb_define_singleton_method(racing, "meet_over", meet_over, 3);
    rb_define_singleton_method(racing, "yield", yield, 0);
    rb_define_singleton_method(racing, "fail", fail, 0);
    rb_define_singleton_method(racing, "name_of_string", name_of_string, 0);
    rb_define_alloc_func(rb_define_class_under(racing, "Locked", rb_cObject), allocate);
    rb_define_singleton_method(rb_define_class_under(racing, "Noted", rb_cObject), "make", make_noted, 1);

    rb_ext_ractor_safe(true);
    rb_define_singleton_method(racing, "met?", meet, 1);
    rb_define_singleton_method(racing, "forget", forget, 0);
    rb_define_alloc_func(rb_define_class_under(racing, "Free", rb_cObject), allocate);
}
