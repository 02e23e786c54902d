//! One thread's samples, and its timer.

use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use asterism_lock::Mutex;

use super::ring::Ring;

/// One thread's samples. It stays where it is while the thread lives, since a signal that is still on its way names it.
pub(super) struct Sampler {
    /// The address of the thread's `Ec`; null when that is about to go away. Stored by the thread itself, and before the timer is there.
    pub(super) ec: AtomicPtr<()>,
    pub(super) ring: Ring,
    /// Samples for which there was no room, or that fell into plain compiled code.
    pub(super) lost: AtomicU64,
    pub(super) timer: Mutex<Option<Timer>>,
}

impl Sampler {
    /// That of the thread with the context at this address.
    pub(super) fn new(ec: *const ()) -> Sampler {
        Sampler {
            ec: AtomicPtr::new(ec.cast_mut()),
            ring: Ring::new(),
            lost: AtomicU64::new(0),
            timer: Mutex::default(),
        }
    }

    /// Takes no more.
    pub(super) fn stop(&self) {
        *self.timer.lock() = None;
    }

    /// In a process that was forked: there is no timer, and nothing to be done to it.
    pub(super) fn lost_by_fork(&self) {
        std::mem::forget(self.timer.lock().take());
    }

    /// The same as `stop`, by the thread itself, whose context is about to go away.
    pub(super) fn end(&self) {
        self.stop();
        // A signal that was on its way has come when the system call was over.
        self.ec.store(std::ptr::null_mut(), Ordering::SeqCst);
    }

    /// How many samples were lost since the last call.
    pub(super) fn take_lost(&self) -> u64 {
        self.lost.swap(0, Ordering::Relaxed)
    }
}

/// A timer of one thread's processor time.
#[cfg(target_os = "linux")]
pub(super) struct Timer(pub(super) libc::timer_t);

// SAFETY: what it holds is a number of the kernel's.
#[cfg(target_os = "linux")]
unsafe impl Send for Timer {}

#[cfg(target_os = "linux")]
impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: the timer is there; its number is not used again.
        unsafe { libc::timer_delete(self.0) };
    }
}

/// Elsewhere there are none.
#[cfg(not(target_os = "linux"))]
pub(super) struct Timer;
