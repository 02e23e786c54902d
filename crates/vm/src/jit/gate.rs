//! Compiled code of two kinds: plain code, and code that tells its frames, which keeps `Ec::frame` up to date in calls of compiled code by
//! compiled code too, for the profiler's signal handler. That costs a store or two a call, so that code is used only while its VM is
//! profiled.

use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Compiled code of a VM is entered, and gone on with behind calls and at loop heads, only while its gate is open for code of its kind. It
/// is closed for good once a thread of the VM is traced, or an operator was redefined that compiled code takes for the core's.
#[derive(Debug)]
#[repr(C)]
pub struct Gate {
    /// `PLAIN`, `TELLING` or `CLOSED`. Compiled code compares it with its own kind.
    word: AtomicU32,
    /// Changes whenever the gate opens for code of the other kind, while the world is stopped: odd while that is code that tells its frames.
    /// Never 0.
    epoch: AtomicU64,
}

impl Gate {
    pub(super) const PLAIN: u32 = 0;
    pub(super) const TELLING: u32 = 1;
    const CLOSED: u32 = 2;

    /// Where the words lie in it, in bytes, for compiled code.
    pub(super) const WORD: usize = offset_of!(Gate, word);
    /// See `WORD`.
    pub(super) const EPOCH: usize = offset_of!(Gate, epoch);

    /// One that is open for code that tells its frames, or for plain code.
    pub(crate) fn new(tells: bool) -> Gate {
        let word = if tells { Gate::TELLING } else { Gate::PLAIN };
        Gate { word: AtomicU32::new(word), epoch: AtomicU64::new(2 + u64::from(tells)) }
    }

    /// Closes it. Threads notice at their next call, return or loop head.
    pub fn close(&self) {
        self.word.store(Gate::CLOSED, Ordering::SeqCst);
    }

    /// Is it open, for code of one kind?
    #[inline(always)]
    pub fn is_open(&self) -> bool {
        self.word.load(Ordering::Relaxed) != Gate::CLOSED
    }

    /// Is code used that tells its frames? If the gate is closed: was that so last?
    pub(crate) fn tells(&self) -> bool {
        self.epoch() % 2 == 1
    }

    /// See the field.
    #[inline(always)]
    pub(super) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Relaxed)
    }

    /// Opens it for code of that kind, if it is open for that of the other one; whether it was. The world is stopped.
    pub(super) fn change(&self, tells: bool) -> bool {
        let (from, to) = if tells { (Gate::PLAIN, Gate::TELLING) } else { (Gate::TELLING, Gate::PLAIN) };
        let changes = self.word.compare_exchange(from, to, Ordering::SeqCst, Ordering::Relaxed).is_ok();
        if changes {
            self.epoch.fetch_add(1, Ordering::SeqCst);
        }
        changes
    }
}
