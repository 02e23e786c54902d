//! Model: interrupt and unblock. An interrupt is seen before the wait, or ends it; and the waiter may go away.
#![cfg(loom)]

use std::sync::Arc;

use asterism_heap::{Interruptible, Waiter};
use loom::thread;

fn model(f: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(f);
}

/// A deadlock, which loom reports, would be a lost wakeup.
#[test]
fn an_interrupt_is_never_lost() {
    model(|| {
        let state = Arc::new(Interruptible::new());
        let theirs = Arc::clone(&state);
        let thread = thread::spawn(move || theirs.interrupt(1));
        while state.pending() == 0 {
            let waiter = Waiter::new();
            let _ = state.enter(&|| waiter.notify(), || waiter.wait(None));
        }
        assert_eq!(state.take(!0), 1);
        thread.join().unwrap();
    });
}

#[test]
fn nested_waits_and_two_interrupters() {
    model(|| {
        let state = Arc::new(Interruptible::new());
        let threads = [1, 2].map(|bit| {
            let theirs = Arc::clone(&state);
            thread::spawn(move || theirs.interrupt(bit))
        });
        let outer = Waiter::new();
        let mut seen = 0;
        while seen != 3 {
            let inner = Waiter::new();
            let _ = state.enter(&|| outer.notify(), || {
                let _ = state.enter(&|| inner.notify(), || inner.wait(None));
            });
            seen |= state.take(!0);
        }
        for thread in threads {
            thread.join().unwrap();
        }
    });
}
