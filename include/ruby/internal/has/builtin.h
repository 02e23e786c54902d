#ifdef __has_builtin
#define RBIMPL_HAS_BUILTIN(name) __has_builtin(name)
#else
#define RBIMPL_HAS_BUILTIN(name) 0
#endif
