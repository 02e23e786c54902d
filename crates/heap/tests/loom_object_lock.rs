//! Model: the object lock. Mutual exclusion, no lost wakeup, no lost header bit.
#![cfg(loom)]

use std::sync::Arc;

use asterism_heap::ThreadState;
use asterism_heap::header::{LOCKED, PARKED};
use asterism_heap::object_lock::ObjectLock;
use asterism_heap::owner::OwnerTable;
use asterism_heap::safepoint::World;
use asterism_heap::sync::{AtomicU64, Ordering};
use loom::cell::UnsafeCell;
use loom::thread;

struct Shared {
    world: World,
    owners: OwnerTable,
    header: AtomicU64,
    body: UnsafeCell<u32>,
}

fn work(shared: &Shared, state: &ThreadState, bit: u64) {
    assert!(ObjectLock::lock(&shared.header, state, &shared.world, &shared.owners, 0));
    // SAFETY: loom checks that nobody else is here.
    shared.body.with_mut(|body| unsafe { *body += 1 });
    // A change of the header under the lock.
    shared.header.fetch_or(bit, Ordering::Release);
    ObjectLock::unlock(&shared.header);
}

fn run(threads: u64, rounds: u64, bound: usize) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(bound);
    builder.check(move || {
        let shared = Arc::new(Shared {
            world: World::new(),
            owners: OwnerTable::new(),
            header: AtomicU64::new(1),
            body: UnsafeCell::new(0),
        });
        let spawn = |index: u64| {
            let state = Arc::new(ThreadState::new(0, std::ptr::null()));
            shared.world.attach(&state);
            let shared = Arc::clone(&shared);
            move || {
                for round in 0..rounds {
                    work(&shared, &state, 1 << (40 + index * 4 + round));
                }
            }
        };
        let others: Vec<_> = (1..threads).map(|index| thread::spawn(spawn(index))).collect();
        spawn(0)();
        for other in others {
            other.join().unwrap();
        }
        // SAFETY: all threads have been joined.
        assert_eq!(shared.body.with(|body| unsafe { *body }), (threads * rounds) as u32);
        let header = shared.header.load(Ordering::Acquire);
        assert_eq!(header & (LOCKED | PARKED), 0);
        assert_eq!(u64::from((header >> 40).count_ones()), threads * rounds);
    });
}

#[test]
fn two_threads_twice() {
    run(2, 2, 3);
}

#[test]
fn three_threads() {
    run(3, 1, 2);
}
