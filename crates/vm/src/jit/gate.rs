//! Compiled code of two kinds: plain code, and code that tells its frames, which keeps `ec.fiber.frame` up to date in calls of compiled code by
//! compiled code too, for the profiler's signal handler. That costs a store or two a call, so that code is used only while its VM is
//! profiled.

use std::mem::offset_of;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use asterism_lock::Mutex;

/// Compiled code of a VM is entered, and gone on with behind calls and at loop heads, only while its gate is open for code of its kind. It
/// is shut while a thread of the VM is traced, and closed for good once an operator was redefined that compiled code takes for the core's.
#[derive(Debug)]
#[repr(C)]
pub struct Gate {
    /// `PLAIN`, `TELLING`, `SHUT` or `CLOSED`. Compiled code compares it with its own kind.
    word: AtomicU32,
    /// Changes whenever the gate opens for code of the other kind, while the world is stopped: odd while that is code that tells its frames.
    /// Never 0.
    epoch: AtomicU64,
    /// How many want it shut. The word changes with the lock held, but to `CLOSED`; no safepoint while it is held.
    shut_by: Mutex<u32>,
}

impl Gate {
    pub(super) const PLAIN: u32 = 0;
    pub(super) const TELLING: u32 = 1;
    const SHUT: u32 = 2;
    const CLOSED: u32 = 3;

    /// Where the words lie in it, in bytes, for compiled code.
    pub(super) const WORD: usize = offset_of!(Gate, word);
    /// See `WORD`.
    pub(super) const EPOCH: usize = offset_of!(Gate, epoch);

    /// One that is open for code that tells its frames, or for plain code.
    pub(crate) fn new(tells: bool) -> Gate {
        let word = if tells { Gate::TELLING } else { Gate::PLAIN };
        Gate { word: AtomicU32::new(word), epoch: AtomicU64::new(2 + u64::from(tells)), shut_by: Mutex::new(0) }
    }

    /// Closes it for good. Threads notice at their next call, return or loop head.
    pub fn close(&self) {
        self.word.store(Gate::CLOSED, Ordering::SeqCst);
    }

    /// Shuts it until `open_again` is called as often. Threads notice at their next call, return or loop head.
    pub(crate) fn shut(&self) {
        let mut shut_by = self.shut_by.lock();
        *shut_by += 1;
        self.leave(|word| word != Gate::CLOSED, Gate::SHUT);
    }

    /// Opens it if nobody else wants it shut.
    pub(crate) fn open_again(&self) {
        let mut shut_by = self.shut_by.lock();
        // Of a thread that a fork left behind it is counted no more.
        *shut_by = shut_by.saturating_sub(1);
        if *shut_by == 0 {
            self.open();
        }
    }

    fn open(&self) {
        self.leave(|word| word == Gate::SHUT, if self.tells() { Gate::TELLING } else { Gate::PLAIN });
    }

    /// Is it open, for code of one kind?
    #[inline(always)]
    pub fn is_open(&self) -> bool {
        self.word.load(Ordering::Relaxed) < Gate::SHUT
    }

    /// Is it closed for good?
    pub(super) fn is_closed(&self) -> bool {
        self.word.load(Ordering::Relaxed) == Gate::CLOSED
    }

    /// The word becomes `to` if it is one to leave.
    fn leave(&self, leaves: impl Fn(u32) -> bool, to: u32) -> bool {
        self.word.fetch_update(Ordering::SeqCst, Ordering::Relaxed, |word| leaves(word).then_some(to)).is_ok()
    }

    /// In the child of a fork, where this thread alone lives on, which wants it shut or not.
    pub(crate) fn after_fork(&self, shut: bool) {
        *self.shut_by.lock() = u32::from(shut);
        if !shut {
            self.open();
        }
    }

    /// Is code used that tells its frames? If the gate is not open: will that be so, or was it so last?
    pub(crate) fn tells(&self) -> bool {
        self.epoch() % 2 == 1
    }

    /// See the field.
    #[inline(always)]
    pub(super) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::Relaxed)
    }

    /// Opens it for code of that kind, if it is open for that of the other one, or will open for that; whether it was or would. The world is
    /// stopped.
    pub(super) fn change(&self, tells: bool) -> bool {
        let _shut_by = self.shut_by.lock();
        let to = if tells { Gate::TELLING } else { Gate::PLAIN };
        let changes = self.tells() != tells && !self.is_closed();
        if changes {
            self.leave(|word| word < Gate::SHUT, to);
            self.epoch.fetch_add(1, Ordering::SeqCst);
        }
        changes
    }
}
