/* C++ converts no function to one of another type: overloads for functions of any type, or of type VALUE (...). */
#if defined(__cplusplus) && !defined(RUBY_BACKWARD_CXXANYARGS_HPP)
#define RUBY_BACKWARD_CXXANYARGS_HPP 1
#define RB_METHOD_DEFINITION_DECL 1
typedef VALUE rb_asterism_any_type(...);

template <typename R, typename... A>
inline void rb_define_method(VALUE klass, const char *name, R (*func)(A...), int argc)
{
    rb_define_method(klass, name, reinterpret_cast<rb_asterism_any_type *>(func), argc);
}
template <typename R, typename... A>
inline void rb_define_method_id(VALUE klass, ID name, R (*func)(A...), int argc)
{
    rb_define_method_id(klass, name, reinterpret_cast<rb_asterism_any_type *>(func), argc);
}
template <typename R, typename... A>
inline void rb_define_private_method(VALUE klass, const char *name, R (*func)(A...), int argc)
{
    rb_define_private_method(klass, name, reinterpret_cast<rb_asterism_any_type *>(func), argc);
}
template <typename R, typename... A>
inline void rb_define_protected_method(VALUE klass, const char *name, R (*func)(A...), int argc)
{
    rb_define_protected_method(klass, name, reinterpret_cast<rb_asterism_any_type *>(func), argc);
}
template <typename R, typename... A>
inline void rb_define_singleton_method(VALUE klass, const char *name, R (*func)(A...), int argc)
{
    rb_define_singleton_method(klass, name, reinterpret_cast<rb_asterism_any_type *>(func), argc);
}
template <typename R, typename... A>
inline void rb_define_module_function(VALUE klass, const char *name, R (*func)(A...), int argc)
{
    rb_define_module_function(klass, name, reinterpret_cast<rb_asterism_any_type *>(func), argc);
}
template <typename R, typename... A>
inline void rb_define_global_function(const char *name, R (*func)(A...), int argc)
{
    rb_define_global_function(name, reinterpret_cast<rb_asterism_any_type *>(func), argc);
}
inline VALUE rb_protect(rb_asterism_any_type *func, VALUE data, int *state)
{
    return rb_protect(reinterpret_cast<VALUE (*)(VALUE)>(func), data, state);
}
inline VALUE rb_rescue(rb_asterism_any_type *body, VALUE data1, rb_asterism_any_type *handler, VALUE data2)
{
    return rb_rescue(reinterpret_cast<VALUE (*)(VALUE)>(body), data1, reinterpret_cast<VALUE (*)(VALUE, VALUE)>(handler), data2);
}
inline VALUE rb_ensure(rb_asterism_any_type *body, VALUE data1, rb_asterism_any_type *end, VALUE data2)
{
    return rb_ensure(reinterpret_cast<VALUE (*)(VALUE)>(body), data1, reinterpret_cast<VALUE (*)(VALUE)>(end), data2);
}
inline VALUE rb_block_call(VALUE recv, ID mid, int argc, const VALUE *argv, rb_asterism_any_type *block, VALUE data)
{
    return rb_block_call(recv, mid, argc, argv, reinterpret_cast<rb_block_call_func_t>(block), data);
}
inline VALUE rb_proc_new(rb_asterism_any_type *func, VALUE data)
{
    return rb_proc_new(reinterpret_cast<rb_block_call_func_t>(func), data);
}
inline VALUE rb_thread_create(rb_asterism_any_type *func, void *data)
{
    return rb_thread_create(reinterpret_cast<VALUE (*)(void *)>(func), data);
}
#endif
