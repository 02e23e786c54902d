//! `Baton`: with it, one thread of a heap runs at a time (`--no-parallel`).
//!
//! A thread takes the baton before it leaves a blocking region, and gives it up when it enters one: so whatever a thread waits for, and
//! whoever stops the world, finds it free. It goes to those who wait in their order. Who has waited for a slice of time asks the
//! holder to give it up at its next safepoint.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use asterism_lock::{Condvar, Mutex};

use crate::thread::{POLL_YIELD, ThreadState};

/// How long a thread runs while others wait: CRuby's.
const SLICE: Duration = Duration::from_millis(100);

/// A thread that waits.
struct Waiting {
    thread: *const ThreadState,
    given: Arc<Condvar>,
}

/// What is protected by the baton's lock.
struct Turn {
    /// Null: nobody has it. Else a thread that gives it up before its state goes away.
    holder: *const ThreadState,
    waiting: VecDeque<Waiting>,
}

// SAFETY: the pointers name states that threads share; they are followed under the lock only, while they are there.
unsafe impl Send for Turn {}

/// The right to run.
pub(crate) struct Baton {
    turn: Mutex<Turn>,
}

impl std::fmt::Debug for Baton {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Baton").finish_non_exhaustive()
    }
}

impl Default for Baton {
    fn default() -> Self {
        Self { turn: Mutex::new(Turn { holder: std::ptr::null(), waiting: VecDeque::new() }) }
    }
}

impl Baton {
    /// Waits until the calling thread, which is `me` and Blocked or not attached yet, may run.
    pub(crate) fn take(&self, me: &ThreadState) {
        let me = std::ptr::from_ref(me);
        let mut turn = self.turn.lock();
        if turn.holder.is_null() {
            turn.holder = me;
            return;
        }
        let given = Arc::new(Condvar::new());
        turn.waiting.push_back(Waiting { thread: me, given: Arc::clone(&given) });
        while turn.holder != me {
            if given.wait_for(&mut turn, SLICE).timed_out() && turn.holder != me {
                // SAFETY: the holder gives the baton up, for which it needs the lock, before its state goes away.
                unsafe { (*turn.holder).set_poll(POLL_YIELD) };
            }
        }
    }

    /// In a process that was forked: nobody has it, and nobody waits. The calling thread is Blocked.
    pub(crate) fn forget_all(&self) {
        let mut turn = self.turn.lock();
        turn.holder = std::ptr::null();
        turn.waiting.clear();
    }

    /// The calling thread, which has it, does not run any more.
    pub(crate) fn give(&self) {
        let mut turn = self.turn.lock();
        match turn.waiting.pop_front() {
            Some(next) => {
                turn.holder = next.thread;
                next.given.notify_one();
            }
            None => turn.holder = std::ptr::null(),
        }
    }
}
