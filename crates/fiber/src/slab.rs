//! Stacks, carved out of slabs.
//!
//! ```text
//!   slab: one mapping, address space only until it is touched
//!   | stack 0         | stack 1         | …            | stack 63        |
//!   | guard | free ◄──┤ used            |              ^ high
//!   ^ low
//! ```
//!
//! One mapping holds many stacks, because a process has a limit of mappings (65,530 by default on Linux): a mapping each,
//! or a guard page made with `mprotect`, would end it at some 30,000 stacks.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use asterism_lock::Mutex;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

use crate::sanitizer;

/// Bytes of a stack, the guard included.
pub const STACK_BYTES: usize = 1 << 20;
/// Stacks in a slab.
pub const SLAB_STACKS: usize = 64;
/// Bytes at the high end that a stack given back keeps: the pages that its next user touches in any case.
const KEEP: usize = 16 << 10;
const PAGE: usize = 4096;
/// `MADV_GUARD_INSTALL`, since Linux 6.13: a guard inside a mapping.
#[cfg(target_os = "linux")]
const GUARD_INSTALL: i32 = 102;

/// Where stacks come from and go back to. Any thread may use it; what it knows is protected by its lock.
#[derive(Debug, Default)]
pub struct Slabs {
    inner: Mutex<Inner>,
    /// Stacks handed out and not given back.
    live: AtomicUsize,
}

#[derive(Debug, Default)]
struct Inner {
    /// Low ends of the mappings.
    slabs: Vec<usize>,
    /// Low ends of free stacks, the last one used last.
    free: Vec<usize>,
    /// Stacks of the newest slab that were never used.
    fresh: usize,
}

/// A machine stack. It goes back to its slabs when it is dropped; nothing may run on it then.
#[derive(Debug)]
pub struct Stack {
    low: NonZeroUsize,
    slabs: Arc<Slabs>,
}

impl Slabs {
    /// No slabs yet.
    #[must_use]
    pub fn new() -> Arc<Slabs> {
        Arc::default()
    }

    /// A stack; `None` if the address space is exhausted.
    #[must_use]
    pub fn take(self: &Arc<Slabs>) -> Option<Stack> {
        let mut inner = self.inner.lock();
        let low = match inner.free.pop() {
            Some(low) => low,
            None => inner.carve()?,
        };
        drop(inner);
        self.live.fetch_add(1, Ordering::Relaxed);
        Some(Stack { low: NonZeroUsize::new(low)?, slabs: self.clone() })
    }

    /// How many stacks are in use.
    #[must_use]
    pub fn live(&self) -> usize {
        self.live.load(Ordering::Relaxed)
    }

    fn give_back(&self, low: usize) {
        sanitizer::forget(low + PAGE, STACK_BYTES - PAGE);
        // Its memory goes back to the system, but for the pages that every user needs.
        let bytes = STACK_BYTES - KEEP - PAGE;
        // SAFETY: the range lies within the stack, which nobody uses any more. Advice that fails changes nothing.
        let _ = unsafe { madvise(std::ptr::with_exposed_provenance_mut(low + PAGE), bytes, Advice::LinuxDontNeed) };
        self.live.fetch_sub(1, Ordering::Relaxed);
        self.inner.lock().free.push(low);
    }
}

impl Inner {
    fn carve(&mut self) -> Option<usize> {
        if self.fresh == 0 {
            // SAFETY: an anonymous private mapping at an address of the kernel's choice.
            let slab = unsafe {
                mmap_anonymous(
                    std::ptr::null_mut(),
                    STACK_BYTES * SLAB_STACKS,
                    ProtFlags::READ | ProtFlags::WRITE,
                    MapFlags::PRIVATE | MapFlags::NORESERVE,
                )
            }
            .ok()?;
            // A stack touches a few pages; huge ones would cost it two megabytes.
            // SAFETY: advice about the mapping just made; without it memory is wasted, no more.
            let _ = unsafe { madvise(slab, STACK_BYTES * SLAB_STACKS, Advice::LinuxNoHugepage) };
            self.slabs.push(slab.expose_provenance());
            self.fresh = SLAB_STACKS;
        }
        self.fresh -= 1;
        let low = self.slabs.last()? + self.fresh * STACK_BYTES;
        #[cfg(target_os = "linux")]
        // SAFETY: the page belongs to the stack just carved and is not used. Older kernels answer EINVAL: then there is
        // no guard, and the checks of whoever runs on the stack are all there is.
        unsafe {
            libc::madvise(std::ptr::with_exposed_provenance_mut(low), PAGE, GUARD_INSTALL);
        }
        Some(low)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        for &slab in &self.slabs {
            // SAFETY: every stack holds a share of the slabs, so none is in use. Unmapping our own cannot fail.
            let _ = unsafe { munmap(std::ptr::with_exposed_provenance_mut(slab), STACK_BYTES * SLAB_STACKS) };
        }
    }
}

impl Stack {
    /// The lowest address that may be used.
    #[inline]
    #[must_use]
    pub fn low(&self) -> usize {
        self.low.get() + PAGE
    }

    /// The address behind the highest one.
    #[inline]
    #[must_use]
    pub fn high(&self) -> usize {
        self.low.get() + STACK_BYTES
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        self.slabs.give_back(self.low.get());
    }
}
