//! Options of the sanitizer. In each target itself: out of a library the linker would not take them.

/// What AddressSanitizer's runtime asks for when it starts: the collector looks for addresses on the machine stack, not on
/// copies of its frames.
// SAFETY: the name is the one that the runtime declares for this.
#[unsafe(no_mangle)]
extern "C" fn __asan_default_options() -> *const std::ffi::c_char {
    c"detect_stack_use_after_return=0:detect_leaks=0:allocator_may_return_null=1".as_ptr()
}
