//! Model: Ruby's Mutex. It excludes, no waiter is forgotten, also when one that was woken goes away instead.
#![cfg(loom)]

use std::sync::Arc;

use asterism_heap::{BargingLock, Waiter, Waiting};
use loom::cell::UnsafeCell;
use loom::thread;

#[derive(Clone)]
struct Thread(Arc<Waiter>);

impl Waiting for Thread {
    fn prepare(&self) {
        self.0.reset();
    }

    fn wake(&self) {
        self.0.notify();
    }

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

struct Shared {
    lock: BargingLock<Thread>,
    counter: UnsafeCell<u32>,
}

// SAFETY: the counter is accessed with the lock held only, which is what the model checks.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

fn model(f: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(f);
}

fn lock(shared: &Shared, owner: u64) {
    if shared.lock.try_lock(owner) {
        return;
    }
    let me = Thread(Arc::new(Waiter::new()));
    let mut again = false;
    while !shared.lock.lock_or_enqueue(owner, &me, again) {
        me.0.wait(None);
        again = true;
    }
}

fn add(shared: &Shared, owner: u64) {
    lock(shared, owner);
    // SAFETY: the lock is held.
    shared.counter.with_mut(|n| unsafe { *n += 1 });
    assert!(shared.lock.unlock(owner));
}

fn shared() -> Arc<Shared> {
    Arc::new(Shared { lock: BargingLock::new(), counter: UnsafeCell::new(0) })
}

#[test]
fn it_excludes_and_forgets_nobody() {
    model(|| {
        let shared = shared();
        let threads = [1, 2].map(|owner| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || add(&shared, owner))
        });
        add(&shared, 3);
        for thread in threads {
            thread.join().unwrap();
        }
        // SAFETY: the others have ended.
        assert_eq!(shared.counter.with(|n| unsafe { *n }), 3);
        assert_eq!(shared.lock.owner(), 0);
        assert_eq!(shared.lock.waiting(), 0);
    });
}

/// One waiter gives up, perhaps after it was woken: the other one still gets the lock.
#[test]
fn a_wake_that_is_not_used_is_handed_on() {
    model(|| {
        let shared = shared();
        assert!(shared.lock.try_lock(9));
        let waiting = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || add(&shared, 1))
        };
        let leaving = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let me = Thread(Arc::new(Waiter::new()));
                if shared.lock.lock_or_enqueue(2, &me, false) {
                    assert!(shared.lock.unlock(2));
                } else {
                    shared.lock.cancel(&me);
                }
            })
        };
        assert!(shared.lock.unlock(9));
        waiting.join().unwrap();
        leaving.join().unwrap();
        assert_eq!(shared.lock.owner(), 0);
        assert_eq!(shared.lock.waiting(), 0);
    });
}

/// A waiter is woken by something else than the lock: it keeps its place, or gets the lock and leaves it.
#[test]
fn a_stray_wake_does_no_harm() {
    model(|| {
        let shared = shared();
        assert!(shared.lock.try_lock(9));
        let waiter = Arc::new(Waiter::new());
        let waiting = {
            let (shared, waiter) = (Arc::clone(&shared), Arc::clone(&waiter));
            thread::spawn(move || {
                let me = Thread(waiter);
                let mut again = false;
                while !shared.lock.lock_or_enqueue(1, &me, again) {
                    me.0.wait(None);
                    again = true;
                }
                assert!(shared.lock.unlock(1));
            })
        };
        waiter.notify();
        assert!(shared.lock.unlock(9));
        waiting.join().unwrap();
        assert_eq!(shared.lock.owner(), 0);
        assert_eq!(shared.lock.waiting(), 0);
    });
}
