//! Tests of generations: what minor collections keep and free.
#![cfg(not(loom))]

mod common;

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::{Config, Mutator, Reason};
use common::{attach, body, cell, elsewhere, heap, list, node, pair, scrub_stack, slot};

fn config() -> Config {
    Config { verify: true, ..Config::default() }
}

/// A chain of `n` nodes from a root on, each with a young pair.
fn chain(mutator: &mut Mutator, root: &AtomicU64, n: u64) {
    for i in 0..n {
        let young = pair(mutator, 4, 4, i);
        root.store(node(mutator, root.load(Ordering::Relaxed), young), Ordering::Relaxed);
    }
}

#[test]
fn what_is_stored_in_an_old_object_survives_minor_collections() {
    let (heap, _) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    chain(&mut mutator, &roots.slots[0], 1000);
    heap.collect(&mut mutator, Reason::Explicit);
    for round in 0..10_u64 {
        let mut at = roots.slots[0].load(Ordering::Relaxed);
        while at > 4 {
            let number = slot(slot(at, 1).load(Ordering::Relaxed), 2).load(Ordering::Relaxed);
            if number % 10 == round {
                assert!(!mutator.owned_and_unfrozen(cell(at).header()), "an old object is not stored in at once");
                let young = pair(&mut mutator, 4, 4, number + 1000);
                let guard = mutator.exclusive(cell(at));
                slot(at, 1).store(young, Ordering::Release);
                drop(guard);
                assert!(mutator.owned_and_unfrozen(cell(at).header()), "it has been remembered");
            }
            at = slot(at, 0).load(Ordering::Relaxed);
        }
        scrub_stack();
        heap.collect(&mut mutator, Reason::ExplicitMinor);
    }
    let (mut at, mut number) = (roots.slots[0].load(Ordering::Relaxed), 1000);
    while at > 4 {
        number -= 1;
        assert_eq!(slot(slot(at, 1).load(Ordering::Relaxed), 2).load(Ordering::Relaxed), number + 1000);
        at = slot(at, 0).load(Ordering::Relaxed);
    }
    let stats = heap.stats();
    assert_eq!((number, stats.minor.count, stats.major.count), (0, 10, 1));
}

#[test]
fn a_minor_collection_frees_the_young_and_keeps_the_old() {
    let (heap, _) = heap(Config { initial_threshold: 64 << 20, ..config() });
    let (mut mutator, roots) = attach(&heap);
    elsewhere(&heap, &mut mutator, |mutator| {
        chain(mutator, &roots.slots[0], 1000);
        heap.collect(mutator, Reason::Explicit);
        // Old garbage, for a major collection to find.
        roots.slots[0].store(4, Ordering::Relaxed);
        chain(mutator, &roots.slots[1], 500);
    });
    heap.collect(&mut mutator, Reason::ExplicitMinor);
    let cells = heap.stats().live_cells;
    assert!((3000..3010).contains(&cells), "{cells}");
    roots.slots[1].store(4, Ordering::Relaxed);
    elsewhere(&heap, &mut mutator, |mutator| chain(mutator, &roots.slots[2], 100));
    roots.slots[2].store(4, Ordering::Relaxed);
    heap.collect(&mut mutator, Reason::ExplicitMinor);
    let cells = heap.stats().live_cells;
    assert!((3000..3010).contains(&cells), "{cells}");
    heap.collect(&mut mutator, Reason::Explicit);
    assert!(heap.stats().live_cells < 10, "{:?}", heap.stats());
}

#[test]
fn a_target_that_was_remembered_survives() {
    let (heap, _) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    let holder = body(&mut mutator, 8);
    roots.slots[0].store(holder, Ordering::Relaxed);
    heap.collect(&mut mutator, Reason::Explicit);
    // Only the remembered set knows of it.
    let young = elsewhere(&heap, &mut mutator, |mutator| {
        let young = pair(mutator, 4, 4, 77);
        mutator.remember_target(young);
        !young
    });
    heap.collect(&mut mutator, Reason::ExplicitMinor);
    elsewhere(&heap, &mut mutator, |_| {
        assert!(heap.is_allocated_cell(!young));
        assert_eq!(slot(!young, 2).load(Ordering::Relaxed), 77);
    });
    scrub_stack();
    heap.collect(&mut mutator, Reason::Explicit);
    assert!(!heap.is_allocated_cell(!young));
}

#[test]
fn what_is_stored_in_an_old_cell_while_the_world_is_stopped_survives() {
    let (heap, _) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    roots.slots[0].store(node(&mut mutator, 4, 4), Ordering::Relaxed);
    heap.collect(&mut mutator, Reason::Explicit);
    elsewhere(&heap, &mut mutator, |mutator| {
        let (young, held) = (pair(mutator, 4, 4, 7), roots.slots[0].load(Ordering::Relaxed));
        heap.stop_the_world_to_store(mutator, cell(held), |_| slot(held, 0).store(young, Ordering::Relaxed));
    });
    scrub_stack();
    for _ in 0..3 {
        heap.collect(&mut mutator, Reason::ExplicitMinor);
    }
    let held = roots.slots[0].load(Ordering::Relaxed);
    assert_eq!(slot(slot(held, 0).load(Ordering::Relaxed), 2).load(Ordering::Relaxed), 7);
}

#[test]
fn a_verifier_finds_what_was_not_remembered() {
    let (heap, _) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    roots.slots[0].store(node(&mut mutator, 4, 4), Ordering::Relaxed);
    heap.collect(&mut mutator, Reason::Explicit);
    elsewhere(&heap, &mut mutator, |mutator| {
        let young = pair(mutator, 4, 4, 1);
        slot(roots.slots[0].load(Ordering::Relaxed), 0).store(young, Ordering::Relaxed);
    });
    scrub_stack();
    let collected = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        heap.collect(&mut mutator, Reason::ExplicitMinor);
    }));
    let message = *collected.expect_err("the store went around the barrier").downcast::<String>().expect("a message");
    assert!(message.contains("which is not alive"), "{message}");
    slot(roots.slots[0].load(Ordering::Relaxed), 0).store(4, Ordering::Relaxed);
}

#[test]
fn what_is_alive_is_known_of_blocks_that_a_minor_collection_does_not_look_at() {
    let (heap, _) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    for round in 0..12 {
        elsewhere(&heap, &mut mutator, |mutator| {
            chain(mutator, &roots.slots[round % 4], 700);
            roots.slots[8 + round % 4].store(list(mutator, 3000), Ordering::Relaxed);
            if round % 3 == 2 {
                roots.slots[(round + 1) % 4].store(4, Ordering::Relaxed);
            }
        });
        heap.collect(&mut mutator, Reason::ExplicitMinor);
        let minor = heap.stats();
        elsewhere(&heap, &mut mutator, |_| {});
        // Nothing was allocated since: it changes nothing.
        heap.collect(&mut mutator, Reason::ExplicitMinor);
        let again = heap.stats();
        assert_eq!((minor.live_cells, minor.live_bytes), (again.live_cells, again.live_bytes), "round {round}");
        if round % 3 == 1 {
            // All that was dropped went by a major collection; what a minor one has counted is what a major one finds.
            heap.collect(&mut mutator, Reason::Explicit);
            heap.collect(&mut mutator, Reason::ExplicitMinor);
            let (major, minor) = (heap.stats(), heap.last_collection().expect("there was one"));
            assert_eq!(major.live_cells, minor.live_cells);
        }
    }
}

#[test]
fn room_in_blocks_is_kept_through_minor_collections() {
    let (heap, _) = heap(Config { initial_threshold: 256 << 20, ..config() });
    let (mut mutator, roots) = attach(&heap);
    // Blocks of one size with room, which nobody allocates in while another size is used, and another thread's.
    let keep_some = |mutator: &mut Mutator, slots: &AtomicU64| {
        for i in 0..20_000_u64 {
            let cell = pair(mutator, 4, 4, i);
            if i % 50 == 0 {
                slots.store(node(mutator, slots.load(Ordering::Relaxed), cell), Ordering::Relaxed);
            }
        }
    };
    elsewhere(&heap, &mut mutator, |mutator| keep_some(mutator, &roots.slots[0]));
    std::thread::scope(|scope| {
        let (heap, keep_some) = (&heap, &keep_some);
        let roots = &roots;
        scope.spawn(move || {
            let mut other = heap.attach(std::ptr::null());
            keep_some(&mut other, &roots.slots[1]);
        });
        mutator.blocking(|| {});
    });
    heap.collect(&mut mutator, Reason::Explicit);
    let held = heap.stats().heap_bytes;
    for _ in 0..10 {
        elsewhere(&heap, &mut mutator, |mutator| {
            for _ in 0..100 {
                list(mutator, 20);
            }
        });
        heap.collect(&mut mutator, Reason::ExplicitMinor);
    }
    elsewhere(&heap, &mut mutator, |mutator| {
        for i in 0..35_000 {
            pair(mutator, 4, 4, i);
        }
    });
    let now = heap.stats().heap_bytes;
    assert!(now <= held + (2 << 16), "{held} {now}");
}
