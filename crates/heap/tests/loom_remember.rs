//! Model: the write barrier beside claims and stops. Whatever was stored in an old object since the last collection, the
//! object is in one remembered set when the world stands still, however it changed hands meanwhile.
#![cfg(loom)]

use std::sync::Arc;

use asterism_heap::header::{LOCKED, OLD, OWNER_MASK, WRITER_MASK};
use asterism_heap::object_lock::ObjectLock;
use asterism_heap::owner::OwnerTable;
use asterism_heap::safepoint::World;
use asterism_heap::sync::{AtomicU64, Ordering};
use asterism_heap::{POLL_HANDSHAKE, POLL_STOP, ThreadState, claim, remember};
use loom::cell::UnsafeCell;
use loom::thread;

struct Shared {
    world: World,
    owners: OwnerTable,
    header: AtomicU64,
    /// References stored in the object, and how many of them a collection has seen. Of its owner or lock holder.
    stored: UnsafeCell<(u32, u32)>,
    /// How often each thread has remembered the object. Of the thread while it runs, else of the collector.
    remembered: [UnsafeCell<u32>; 3],
}

fn model(bound: usize, f: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(bound);
    builder.check(f);
}

struct Thread {
    state: Arc<ThreadState>,
    number: usize,
    shared: Arc<Shared>,
}

impl Thread {
    fn new(shared: &Arc<Shared>, number: usize) -> Self {
        let state = Arc::new(ThreadState::new(0, std::ptr::null()));
        state.set_owner_for_model(shared.owners.issue(&state));
        shared.world.attach(&state);
        Self { state, number, shared: Arc::clone(shared) }
    }

    /// `Mutator::note_source`.
    fn note(&self) {
        // SAFETY: loom checks that nobody else is here.
        self.shared.remembered[self.number].with_mut(|set| unsafe { *set += 1 });
    }

    fn put(&self) {
        // SAFETY: loom checks that nobody else is here.
        self.shared.stored.with_mut(|stored| unsafe { (*stored).0 += 1 });
    }

    /// `Mutator::exclusive` around one store.
    fn store(&self) {
        let header = &self.shared.header;
        let (owner, word) = (self.state.owner(), header.load(Ordering::Relaxed));
        if owner != 0 && word & WRITER_MASK == owner {
            return self.put();
        }
        if owner != 0 && word & OWNER_MASK == owner {
            remember::by_owner(header, word);
            self.note();
            return self.put();
        }
        let (state, world, owners) = (&self.state, &self.shared.world, &self.shared.owners);
        while !ObjectLock::lock(header, state, world, owners, 0) {
            claim::claim(state, world, owners, header, 0);
        }
        if remember::under_lock(header) {
            self.note();
        }
        self.put();
        ObjectLock::unlock(header);
    }

    /// `Exclusive::blocking` of an owner between two stores: a collection may come between.
    fn store_apart(&self) {
        let header = &self.shared.header;
        let (owner, word) = (self.state.owner(), header.load(Ordering::Relaxed));
        if owner == 0 || word & OWNER_MASK != owner {
            return self.store();
        }
        if word & OLD != 0 {
            remember::by_owner(header, word);
            self.note();
        }
        self.put();
        header.store(header.load(Ordering::Relaxed) & !OWNER_MASK | LOCKED, Ordering::Release);
        self.block(|| ());
        if remember::under_lock(header) {
            self.note();
        }
        self.put();
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

    /// A minor collection: what was stored since the last one is found by what was remembered.
    fn collect(&self) {
        self.state.enter_blocked(&self.shared.world, 0);
        let stopped = self.shared.world.stop(&self.state);
        let mut remembered = 0;
        for set in &self.shared.remembered {
            // SAFETY: the world is stopped; loom checks that nobody else is here.
            remembered += set.with_mut(|set| unsafe { std::mem::take(&mut *set) });
        }
        // SAFETY: the same.
        self.shared.stored.with_mut(|stored| unsafe {
            assert!(remembered == 1 || remembered == 0 && (*stored).0 == (*stored).1, "{remembered} {:?}", *stored);
            (*stored).1 = (*stored).0;
        });
        let word = self.shared.header.load(Ordering::Relaxed);
        assert_eq!(word & OLD == 0, remembered == 1);
        self.shared.header.fetch_or(OLD, Ordering::Relaxed);
        drop(stopped);
        self.state.leave_blocked(&self.shared.world);
    }

    fn end(self) {
        self.shared.owners.retire(self.state.owner());
        self.state.set_owner_for_model(0);
        self.state.enter_blocked(&self.shared.world, 0);
        self.shared.world.detach(&self.state, || {});
    }
}

/// An old object of the second of three threads.
fn start() -> (Arc<Shared>, Thread, Thread, Thread) {
    let shared = Arc::new(Shared {
        world: World::new(),
        owners: OwnerTable::new(),
        header: AtomicU64::new(1),
        stored: UnsafeCell::new((0, 0)),
        remembered: std::array::from_fn(|_| UnsafeCell::new(0)),
    });
    let threads = (Thread::new(&shared, 0), Thread::new(&shared, 1), Thread::new(&shared, 2));
    shared.header.store(1 | OLD | threads.1.state.owner(), Ordering::Relaxed);
    (shared, threads.0, threads.1, threads.2)
}

/// The owner remembers its object while another thread claims it and stores in it too.
#[test]
fn a_claim_while_the_owner_remembers() {
    model(3, || {
        let (shared, main, owner, idle) = start();
        idle.end();
        let thread = thread::spawn(move || {
            owner.store();
            owner.safepoint();
            owner.store();
            owner.end();
        });
        main.store();
        main.block(|| thread.join().unwrap());
        main.collect();
        // SAFETY: all threads have been joined; loom checks it.
        assert_eq!(shared.stored.with(|stored| unsafe { *stored }), (3, 3));
        main.end();
    });
}

/// A collection comes between claim, remembering and stores.
#[test]
fn a_collection_while_the_object_changes_hands() {
    model(2, || {
        let (shared, main, owner, third) = start();
        let thread = thread::spawn(move || {
            owner.store();
            owner.safepoint();
            owner.store();
            owner.end();
        });
        let collector = thread::spawn(move || {
            third.collect();
            third.end();
        });
        main.store();
        main.block(|| {
            thread.join().unwrap();
            collector.join().unwrap();
        });
        main.collect();
        // SAFETY: all threads have been joined; loom checks it.
        assert_eq!(shared.stored.with(|stored| unsafe { *stored }), (3, 3));
        main.end();
    });
}

/// A collection comes while the owner has lent its object to itself, and another thread waits for it.
#[test]
fn a_collection_while_the_owner_works_apart() {
    model(2, || {
        let (shared, main, owner, third) = start();
        let thread = thread::spawn(move || {
            owner.store_apart();
            owner.end();
        });
        let collector = thread::spawn(move || {
            third.collect();
            third.end();
        });
        main.store();
        main.block(|| {
            thread.join().unwrap();
            collector.join().unwrap();
        });
        main.collect();
        // SAFETY: all threads have been joined; loom checks it.
        assert_eq!(shared.stored.with(|stored| unsafe { *stored }), (3, 3));
        main.end();
    });
}
