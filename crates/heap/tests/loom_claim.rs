//! Model: claims and handshakes. An owner works on its object with plain memory accesses; claimers take it away.
#![cfg(loom)]

use std::sync::Arc;

use asterism_heap::header::{LOCKED, OWNER_MASK};
use asterism_heap::object_lock::ObjectLock;
use asterism_heap::owner::OwnerTable;
use asterism_heap::safepoint::World;
use asterism_heap::sync::{AtomicU64, Ordering};
use asterism_heap::{POLL_HANDSHAKE, POLL_STOP, ThreadState, claim};
use loom::cell::UnsafeCell;
use loom::thread;

struct Object {
    header: AtomicU64,
    /// What owner or lock holder changes.
    body: UnsafeCell<u32>,
}

struct Shared {
    world: World,
    owners: OwnerTable,
    objects: [Object; 2],
}

fn model(bound: usize, f: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(bound);
    builder.check(f);
}

struct Thread {
    state: Arc<ThreadState>,
    owner: u64,
    shared: Arc<Shared>,
}

impl Thread {
    fn new(shared: &Arc<Shared>) -> Self {
        let state = Arc::new(ThreadState::new(0, std::ptr::null()));
        let owner = shared.owners.issue(&state);
        state.set_owner_for_model(owner);
        shared.world.attach(&state);
        Self { state, owner, shared: Arc::clone(shared) }
    }

    /// `Mutator::exclusive` around one change.
    fn change(&self, index: usize) {
        let object = &self.shared.objects[index];
        let header = &object.header;
        let owner = self.state.owner();
        if owner != 0 && header.load(Ordering::Relaxed) & OWNER_MASK == owner {
            // SAFETY: loom checks that nobody else is here.
            object.body.with_mut(|body| unsafe { *body += 1 });
            return;
        }
        let (state, world, owners) = (&self.state, &self.shared.world, &self.shared.owners);
        while !ObjectLock::lock(header, state, world, owners, 0) {
            claim::claim(state, world, owners, header, 0);
        }
        // SAFETY: loom checks that nobody else is here.
        object.body.with_mut(|body| unsafe { *body += 1 });
        ObjectLock::unlock(header);
    }

    /// `Exclusive::blocking` around one change: the owner takes its object's lock meanwhile.
    fn change_apart(&self, index: usize) {
        let object = &self.shared.objects[index];
        let header = &object.header;
        let (owner, word) = (self.state.owner(), header.load(Ordering::Relaxed));
        if owner == 0 || word & OWNER_MASK != owner {
            return self.change(index);
        }
        header.store(word & !OWNER_MASK | LOCKED, Ordering::Release);
        // SAFETY: loom checks that nobody else is here.
        self.block(|| object.body.with_mut(|body| unsafe { *body += 1 }));
        if !ObjectLock::unlock_to(header, self.state.owner()) {
            ObjectLock::unlock(header);
        }
    }

    fn safepoint(&self) {
        let bits = self.state.poll_bits();
        if bits & POLL_HANDSHAKE != 0 {
            self.state.answer_requests_for_model();
        }
        if bits & POLL_STOP != 0 {
            self.block(|| {});
        }
    }

    fn block<R>(&self, f: impl FnOnce() -> R) -> R {
        self.state.enter_blocked(&self.shared.world, 0);
        let result = f();
        self.state.leave_blocked(&self.shared.world);
        result
    }

    /// As `Mutator::drop`: who still finds the thread has nothing to take from it.
    fn end(self) {
        self.shared.owners.retire(self.state.owner());
        self.state.set_owner_for_model(0);
        self.state.enter_blocked(&self.shared.world, 0);
        self.shared.world.detach(&self.state, || {});
    }
}

/// A claimer takes two objects of a Blocked thread and retires its id with the second (`CLAIMS_BEFORE_RENEWAL` in a model).
#[test]
fn an_id_is_retired_on_behalf() {
    model(3, || {
        let shared = shared();
        let (main, other) = (Thread::new(&shared), Thread::new(&shared));
        own(&shared, 0, &other);
        own(&shared, 1, &other);
        let thread = thread::spawn(move || {
            other.change(0);
            other.block(|| {});
            other.change(1);
            other.change(0);
            other.end();
        });
        main.change(0);
        main.change(1);
        main.block(|| thread.join().unwrap());
        assert_eq!((value(&shared, 0), value(&shared, 1)), (3, 2));
        main.end();
    });
}

/// The owner works on its object in a blocking region; a claimer waits for the lock, and takes what came back.
#[test]
fn an_owner_that_works_apart_keeps_its_object() {
    model(3, || {
        let shared = shared();
        let (main, other) = (Thread::new(&shared), Thread::new(&shared));
        own(&shared, 0, &other);
        let thread = thread::spawn(move || {
            other.change_apart(0);
            other.safepoint();
            other.change(0);
            other.block(|| {});
            other.end();
        });
        main.change(0);
        main.block(|| thread.join().unwrap());
        assert_eq!(value(&shared, 0), 3);
        main.end();
    });
}

fn shared() -> Arc<Shared> {
    let object = || Object { header: AtomicU64::new(1), body: UnsafeCell::new(0) };
    Arc::new(Shared { world: World::new(), owners: OwnerTable::new(), objects: [object(), object()] })
}

fn own(shared: &Shared, index: usize, thread: &Thread) {
    shared.objects[index].header.store(1 | thread.owner, Ordering::Relaxed);
}

fn value(shared: &Shared, index: usize) -> u32 {
    // SAFETY: all threads have been joined; loom checks it.
    shared.objects[index].body.with(|body| unsafe { *body })
}

#[test]
fn an_owner_that_polls_gives_up() {
    model(3, || {
        let shared = shared();
        let (main, other) = (Thread::new(&shared), Thread::new(&shared));
        own(&shared, 0, &other);
        let thread = thread::spawn(move || {
            other.change(0);
            other.safepoint();
            other.change(0);
            other.end();
        });
        main.change(0);
        main.block(|| thread.join().unwrap());
        assert_eq!(value(&shared, 0), 3);
        main.end();
    });
}

#[test]
fn a_blocked_owner_is_acted_for() {
    model(3, || {
        let shared = shared();
        let (main, other) = (Thread::new(&shared), Thread::new(&shared));
        own(&shared, 0, &other);
        let thread = thread::spawn(move || {
            other.change(0);
            other.block(|| {});
            other.change(0);
            other.end();
        });
        main.change(0);
        main.block(|| thread.join().unwrap());
        assert_eq!(value(&shared, 0), 2 + 1);
        main.end();
    });
}

#[test]
fn two_that_claim_from_each_other() {
    model(2, || {
        let shared = shared();
        let (main, other) = (Thread::new(&shared), Thread::new(&shared));
        own(&shared, 0, &main);
        own(&shared, 1, &other);
        let thread = thread::spawn(move || {
            other.change(0);
            other.change(1);
            other.end();
        });
        main.change(1);
        main.change(0);
        main.block(|| thread.join().unwrap());
        assert_eq!((value(&shared, 0), value(&shared, 1)), (2, 2));
        main.end();
    });
}

#[test]
fn a_new_id_gives_up_all_older_objects() {
    model(3, || {
        let shared = shared();
        let (main, mut other) = (Thread::new(&shared), Thread::new(&shared));
        own(&shared, 0, &other);
        let thread = thread::spawn(move || {
            other.change(0);
            // `Mutator::renew_owner_id`.
            let old = other.owner;
            other.owner = other.shared.owners.issue(&other.state);
            other.state.set_owner_for_model(other.owner);
            other.shared.owners.retire(old);
            other.change(0);
            other.end();
        });
        main.change(0);
        main.block(|| thread.join().unwrap());
        assert_eq!(value(&shared, 0), 3);
        main.end();
    });
}

#[test]
fn a_claim_and_a_stop_at_once() {
    model(2, || {
        let shared = shared();
        let (main, other, third) = (Thread::new(&shared), Thread::new(&shared), Thread::new(&shared));
        own(&shared, 0, &other);
        let owner = thread::spawn(move || {
            other.change(0);
            other.safepoint();
            other.change(0);
            other.end();
        });
        let stopper = thread::spawn(move || {
            third.state.enter_blocked(&third.shared.world, 0);
            let stopped = third.shared.world.stop(&third.state);
            // SAFETY: the world is stopped; loom checks that nobody else is here.
            third.shared.objects[0].body.with(|body| unsafe { assert!(*body <= 3) });
            drop(stopped);
            third.state.leave_blocked(&third.shared.world);
            third.end();
        });
        main.change(0);
        main.block(|| {
            owner.join().unwrap();
            stopper.join().unwrap();
        });
        assert_eq!(value(&shared, 0), 3);
        main.end();
    });
}

/// A claimer, and who stops the world, act for an owner that a signal has suspended in C.
#[test]
fn an_owner_in_c_is_acted_for() {
    model(3, || {
        let shared = shared();
        let (main, other) = (Thread::new(&shared), Thread::new(&shared));
        own(&shared, 0, &other);
        let thread = thread::spawn(move || {
            other.change(0);
            other.state.stand_still(0, || {
                other.state.look_again_for_model();
                other.shared.world.look_again_for_model();
            });
            other.change(0);
            other.end();
        });
        main.change(0);
        main.block(|| drop(shared.world.stop(&main.state)));
        main.block(|| thread.join().unwrap());
        assert_eq!(value(&shared, 0), 3);
        main.end();
    });
}
