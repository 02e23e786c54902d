//! What the sanitizers' runtimes ask for when they start. Built with the cfg `asterism_sanitize` only.

use std::ffi::{CStr, c_char};

/// The collector looks for addresses on the machine stack, not on copies of its frames; and a VM that ends with its process
/// is not freed. What is freed stays apart for a short while only, so that memory can be seen to stay flat.
const ADDRESS: &CStr =
    c"detect_stack_use_after_return=0:detect_leaks=0:allocator_may_return_null=1:quarantine_size_mb=16";

/// A process that a program forks may start threads: the one that takes samples of it.
const THREAD: &CStr = c"die_after_fork=0";

const THREAD_SUPPRESSIONS: &[u8] = concat!(include_str!("../../heap/tests/tsan.supp"), "\0").as_bytes();

// SAFETY: the name is the one that AddressSanitizer's runtime declares for this.
#[unsafe(no_mangle)]
extern "C" fn __asan_default_options() -> *const c_char {
    ADDRESS.as_ptr()
}

// SAFETY: the name is the one that ThreadSanitizer's runtime declares for this.
#[unsafe(no_mangle)]
extern "C" fn __tsan_default_options() -> *const c_char {
    THREAD.as_ptr()
}

// SAFETY: the name is the one that ThreadSanitizer's runtime declares for this.
#[unsafe(no_mangle)]
extern "C" fn __tsan_default_suppressions() -> *const c_char {
    THREAD_SUPPRESSIONS.as_ptr().cast()
}
