//! Malloc'ed memory that cells hold: what a thread counts of it for its heap and the limits.

use std::sync::atomic::Ordering;

use crate::account::Charge;
use crate::heap::Heap;
use crate::mutator::{Mutator, REPORT};
use crate::thread::POLL_GC;

impl Mutator {
    pub(crate) fn report_malloc(&self) {
        let malloc = self.malloc.replace(0);
        self.heap.count_malloc(malloc);
        if malloc > 0 {
            self.heap.malloc_since.fetch_add(malloc.unsigned_abs(), Ordering::Relaxed);
        }
    }

    /// Accounts malloc'ed memory that a cell holds: positive when it is allocated, negative when it is released before
    /// the cell dies. Never a safepoint; when it is time to collect, the next one collects.
    #[inline]
    pub fn account_malloc(&self, bytes: isize) {
        let malloc = self.malloc.get().saturating_add(bytes);
        self.malloc.set(malloc);
        if malloc.unsigned_abs() >= REPORT {
            self.malloc_threshold();
        }
    }

    /// Accounts a block that this heap shares with others from now on, and that a cell holds. As `account_malloc` otherwise.
    pub fn account_share(&self, charge: Charge) {
        self.heap.shared_since.fetch_add(charge.bytes(), Ordering::Relaxed);
        self.heap.count_charged(charge);
        if self.heap.over_share_threshold() || !self.malloc_allowed(0) {
            self.state.set_poll(POLL_GC);
        }
    }

    #[cold]
    fn malloc_threshold(&self) {
        self.report_malloc();
        if self.heap.over_threshold(0) || !self.malloc_allowed(0) {
            self.state.set_poll(POLL_GC);
        }
    }

    /// Whether `bytes` of malloc'ed memory may be added without exceeding the heap's memory limit. Other threads may take them
    /// meanwhile: what is taken then is counted by `charge_malloc`.
    #[must_use]
    pub fn malloc_allowed(&self, bytes: usize) -> bool {
        let fits = |heap: &Heap| heap.account().is_none_or(|account| account.has_room(bytes));
        !self.is_limited() || self.heap.has_memory() && fits(&self.heap)
    }

    /// Counts malloc'ed memory that a cell is to hold, before it is taken; `None` if the limits do not allow it. `account_charged`
    /// makes it the cell's.
    #[must_use]
    pub fn charge_malloc(&self, bytes: usize) -> Option<Charge> {
        // Little is reported together with more, so that what several threads take at once is not exact to so much for each.
        if bytes < REPORT && !self.malloc_allowed(bytes) || self.is_limited() && !self.heap.has_memory() {
            return None;
        }
        let mut charge = if bytes < REPORT { Charge::default() } else { self.new_charge() };
        charge.set(bytes).then_some(charge)
    }

    /// Accounts the malloc'ed memory that a charge stands for as a cell's from now on. As `account_malloc` otherwise.
    pub fn account_charged(&self, charge: Charge) {
        let bytes = charge.bytes();
        if charge.counts() {
            self.heap.count_charged(charge);
            self.heap.malloc_since.fetch_add(bytes, Ordering::Relaxed);
            self.malloc_threshold();
        } else {
            self.account_malloc(bytes.cast_signed());
        }
    }

    /// A charge on the heap's account, for nothing yet. While the limit is suspended it is on none.
    #[must_use]
    pub fn new_charge(&self) -> Charge {
        Charge::new(self.heap.account().filter(|_| self.is_limited()))
    }

    /// The memory limit does not hold for this thread until `resume_limit`: for the few small cells that a program gets without
    /// asking.
    pub fn suspend_limit(&self) {
        self.beyond_limit.set(self.beyond_limit.get() + 1);
    }

    /// See `suspend_limit`.
    pub fn resume_limit(&self) {
        self.beyond_limit.set(self.beyond_limit.get() - 1);
    }

    pub(crate) fn is_limited(&self) -> bool {
        self.beyond_limit.get() == 0
    }
}
