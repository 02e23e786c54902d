//! Huge pages: this process does without them, and the programs that it executes do not inherit that.
//!
//! The kernel zeroes 2 MiB when the first byte of a huge page is touched: a third of what a start costs.

use std::sync::atomic::{AtomicBool, Ordering};

/// This process has switched huge pages off, which it began with.
static SUSPENDED: AtomicBool = AtomicBool::new(false);

/// Switches huge pages off for this process. Makes system calls only, so that it may be called before the allocator is prepared.
/// Where the kernel refuses, only what they cost is lost.
pub fn suspend() {
    // Whoever started the process may have switched them off for all that it starts.
    if matches!(rustix::thread::transparent_huge_pages_are_disabled(), Ok(false)) {
        SUSPENDED.store(rustix::thread::disable_transparent_huge_pages(true).is_ok(), Ordering::Relaxed);
    }
}

/// Takes that back: the process is about to execute a program. Makes system calls only, so that a child may call it between fork and
/// exec.
pub fn resume() {
    if SUSPENDED.swap(false, Ordering::Relaxed) {
        // Where the kernel refuses, they stay off.
        let _ = rustix::thread::disable_transparent_huge_pages(false);
    }
}
