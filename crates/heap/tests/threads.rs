//! The heap with many threads: linked structures under frequent collection, claims, locks, blocking regions, interrupts.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use asterism_heap::{Config, Heap, Interrupted, Mutator, Reason, Waiter, header};
use common::{attach, cell, heap, list, pair, slot};

fn seconds() -> u64 {
    std::env::var("HEAP_STRESS_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2)
}

fn poll(mutator: &mut Mutator) {
    if mutator.poll_bits() != 0 {
        mutator.safepoint();
    }
}

/// Builds trees, drops them, checks them.
fn churn(heap: &Arc<Heap>, stop: &AtomicBool, seed: u64) -> u64 {
    let (mut mutator, roots) = attach(heap);
    let mut random = seed * 2 + 1;
    let mut rounds = 0;
    while !stop.load(Ordering::Relaxed) {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let which = (random >> 60) as usize % 8;
        let depth = (random >> 50) as usize % 10;
        tree(&mut mutator, roots, which, depth as u64);
        let other = roots.slots[(which + 1) % 8].load(Ordering::Relaxed);
        if other != 0 {
            check_tree(other);
        }
        if random >> 59 == 0 {
            let big = list(&mut mutator, 20_000);
            roots.slots[9].store(big, Ordering::Relaxed);
            let small = roots.slots[which].load(Ordering::Relaxed);
            slot(big, 17_000).store(small, Ordering::Relaxed);
        }
        let big = roots.slots[9].load(Ordering::Relaxed);
        if big != 0 && slot(big, 17_000).load(Ordering::Relaxed) != 4 {
            check_tree(slot(big, 17_000).load(Ordering::Relaxed));
        }
        if random >> 58 == 3 {
            mutator.blocking(|| std::thread::sleep(Duration::from_micros(100)));
        }
        poll(&mut mutator);
        rounds += 1;
    }
    rounds
}

/// Leaves a tree in a slot; number in each node is its depth.
fn tree(mutator: &mut Mutator, roots: &common::Roots, which: usize, depth: u64) {
    let node = pair(mutator, 4, 4, depth);
    roots.slots[which].store(node, Ordering::Relaxed);
    grow(mutator, node, depth);
}

fn grow(mutator: &mut Mutator, node: u64, depth: u64) {
    if depth == 0 {
        return;
    }
    for side in 0..2 {
        let child = pair(mutator, 4, 4, depth - 1);
        slot(node, side).store(child, Ordering::Release);
        grow(mutator, child, depth - 1);
    }
}

fn check_tree(node: u64) {
    let depth = slot(node, 2).load(Ordering::Relaxed);
    for side in 0..2 {
        let child = slot(node, side).load(Ordering::Acquire);
        if depth == 0 {
            assert_eq!(child, 4);
        } else if child != 4 {
            assert_eq!(slot(child, 2).load(Ordering::Relaxed), depth - 1);
            check_tree(child);
        }
    }
}

fn run_for(seconds: u64, heap: &Arc<Heap>, work: impl Fn(&Arc<Heap>, &AtomicBool, u64) -> u64 + Sync) {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6_u64)
            .map(|seed| {
                let (heap, stop, work) = (heap, &stop, &work);
                scope.spawn(move || work(heap, stop, seed))
            })
            .collect();
        std::thread::sleep(Duration::from_secs(seconds));
        stop.store(true, Ordering::Relaxed);
        for thread in threads {
            assert!(thread.join().expect("no panic") > 0);
        }
    });
}

#[test]
fn structures_survive_frequent_collections() {
    let (heap, _) = heap(Config {
        initial_threshold: 1 << 20,
        growth_percent: 10,
        verify: true,
        marking_threads: 3,
        ..Config::default()
    });
    run_for(seconds(), &heap, churn);
    let stats = heap.stats();
    assert!(stats.collections > 5, "{stats:?}");
    println!("{stats:?}");
}

#[test]
fn structures_survive_stress() {
    let (heap, _) = heap(Config { gc_stress: true, verify: true, ..Config::default() });
    run_for(seconds(), &heap, churn);
}

#[test]
fn threads_come_and_go() {
    let (heap, _) = heap(Config { initial_threshold: 1 << 20, verify: true, ..Config::default() });
    run_for(seconds(), &heap, |heap, stop, seed| {
        let mut rounds = 0;
        while !stop.load(Ordering::Relaxed) {
            let (mut mutator, roots) = attach(heap);
            tree(&mut mutator, roots, 0, 6 + seed % 3);
            check_tree(roots.slots[0].load(Ordering::Relaxed));
            drop(mutator);
            // The leaked roots must not be traced any more; nothing keeps the tree.
            rounds += 1;
        }
        rounds
    });
    assert_eq!(heap.world().thread_count(), 0);
}

/// All threads count up in shared objects under `exclusive`, and claim fresh objects from each other.
#[test]
fn claims_and_locks_lose_nothing() {
    let (heap, vm) = heap(Config { initial_threshold: 1 << 20, verify: true, ..Config::default() });
    let (mut main, _) = attach(&heap);
    for global in &vm.globals {
        global.store(pair(&mut main, 4, 4, 0), Ordering::Release);
    }
    let added = AtomicU64::new(0);
    main.blocking(|| {
        run_for(seconds(), &heap, |heap, stop, seed| {
            let (mut mutator, _) = attach(heap);
            let mut random = seed;
            let mut mine = 0;
            while !stop.load(Ordering::Relaxed) {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let global = &vm.globals[(random >> 61) as usize];
                let word = global.load(Ordering::Acquire);
                {
                    let guard = mutator.exclusive(cell(word));
                    // Not one step: a second thread in here would make it wrong.
                    let number = slot(word, 2).load(Ordering::Relaxed);
                    let shape = header::shape_of(guard.header());
                    assert_eq!(u64::from(shape), number & 0xffff_ffff);
                    slot(word, 2).store(number + 1, Ordering::Relaxed);
                    guard.set_shape((number + 1) as u32);
                }
                mine += 1;
                if random >> 55 == 7 {
                    // A new object, owned by this thread, takes the old one's place.
                    let fresh = pair(&mut mutator, 4, 4, 0);
                    let old = global.swap(fresh, Ordering::AcqRel);
                    let guard = mutator.exclusive(cell(old));
                    added.fetch_add(slot(old, 2).load(Ordering::Relaxed), Ordering::Relaxed);
                    slot(old, 2).store(0, Ordering::Relaxed);
                    guard.set_shape(0);
                    drop(guard);
                    // Late comers may go on counting in it, by the same rule.
                    let guard = mutator.exclusive(cell(old));
                    guard.set_header_bits(header::FROZEN);
                }
                poll(&mut mutator);
            }
            mine
        });
    });
}

/// The same objects all the time: the sum must be exact.
#[test]
fn counting_is_exact() {
    let (heap, vm) = heap(Config { initial_threshold: 1 << 20, verify: true, ..Config::default() });
    let (mut main, _) = attach(&heap);
    for global in &vm.globals {
        global.store(pair(&mut main, 4, 4, 0), Ordering::Release);
    }
    let done = AtomicU64::new(0);
    main.blocking(|| {
        run_for(seconds(), &heap, |heap, stop, seed| {
            let (mut mutator, roots) = attach(heap);
            let mut mine = 0;
            while !stop.load(Ordering::Relaxed) {
                let word = vm.globals[(mine + seed) as usize % 2].load(Ordering::Acquire);
                let guard = mutator.exclusive(cell(word));
                let number = slot(word, 2).load(Ordering::Relaxed);
                slot(word, 2).store(number + 1, Ordering::Relaxed);
                drop(guard);
                mine += 1;
                if mine % 64 == 0 {
                    tree(&mut mutator, roots, 0, 3);
                }
                poll(&mut mutator);
            }
            done.fetch_add(mine, Ordering::Relaxed);
            mine
        });
    });
    let sum: u64 = vm.globals.iter().map(|g| slot(g.load(Ordering::Relaxed), 2).load(Ordering::Relaxed)).sum();
    assert_eq!(sum, done.load(Ordering::Relaxed));
}

/// Threads claim from each other at once.
#[test]
fn mutual_claims_do_not_deadlock() {
    let (heap, _) = heap(Config { initial_threshold: 1 << 20, verify: true, ..Config::default() });
    let offered: Vec<AtomicU64> = (0..6).map(|_| AtomicU64::new(0)).collect();
    let taken = AtomicUsize::new(0);
    run_for(seconds(), &heap, |heap, stop, seed| {
        let (mut mutator, roots) = attach(heap);
        let mut rounds = 0;
        while !stop.load(Ordering::Relaxed) {
            let mine = pair(&mut mutator, 4, 4, seed);
            // A root, so that it lives as long as it is on offer.
            roots.slots[0].store(mine, Ordering::Relaxed);
            offered[seed as usize].store(mine, Ordering::Release);
            for offer in &offered {
                let word = offer.swap(0, Ordering::AcqRel);
                if word != 0 {
                    let guard = mutator.exclusive(cell(word));
                    slot(word, 2).store(100, Ordering::Relaxed);
                    drop(guard);
                    taken.fetch_add(1, Ordering::Relaxed);
                }
            }
            // An object on offer may be taken only while its owner keeps it alive.
            while offered[seed as usize].load(Ordering::Acquire) != 0 {
                offered[seed as usize].swap(0, Ordering::AcqRel);
            }
            poll(&mut mutator);
            rounds += 1;
        }
        rounds
    });
    println!("{} taken", taken.load(Ordering::Relaxed));
}

#[test]
fn a_blocked_thread_does_not_hold_up_others() {
    let (heap, _) = heap(Config { verify: true, ..Config::default() });
    let waiter = Waiter::new();
    let blocked = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let sleeper = scope.spawn(|| {
            let (mut mutator, _) = attach(&heap);
            let kept = std::hint::black_box(pair(&mut mutator, 4, 4, 99));
            mutator.blocking(|| {
                blocked.store(true, Ordering::Release);
                waiter.wait(None)
            });
            let number = slot(kept, 2).load(Ordering::Relaxed);
            asterism_heap::keep_alive(kept);
            number
        });
        while !blocked.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
        let (mut mutator, _) = attach(&heap);
        for _ in 0..20 {
            for _ in 0..1000 {
                pair(&mut mutator, 4, 4, 1);
            }
            heap.collect(&mut mutator, Reason::Explicit);
        }
        waiter.notify();
        assert_eq!(mutator.blocking(|| sleeper.join().expect("no panic")), 99);
    });
}

#[test]
fn interrupts_end_waits() {
    let (heap, _) = heap(Config::default());
    let (mut mutator, _) = attach(&heap);
    let state = Arc::clone(mutator.state());
    // Before the wait.
    state.interrupt(2);
    let waiter = Waiter::new();
    let result = state.interrupts().enter(&|| waiter.notify(), || waiter.wait(None));
    assert_eq!(result, Err(Interrupted));
    assert_eq!(state.interrupts().take(!0), 2);
    assert_ne!(mutator.poll_bits() & asterism_heap::POLL_INTERRUPT, 0);
    // During the wait.
    for _ in 0..200 {
        let other = Arc::clone(&state);
        let thread = std::thread::spawn(move || other.interrupt(4));
        let started = Instant::now();
        while state.interrupts().pending() == 0 {
            let waiter = Waiter::new();
            let waited = mutator.blocking(|| {
                state.interrupts().enter(&|| waiter.notify(), || waiter.wait(Some(Duration::from_secs(60))))
            });
            assert!(waited != Ok(false), "the interrupt was lost");
        }
        assert_eq!(state.interrupts().take(!0), 4);
        assert!(started.elapsed() < Duration::from_secs(30));
        mutator.blocking(|| thread.join().expect("no panic"));
    }
}

#[test]
fn vms_are_independent() {
    let heaps: Vec<_> = (0..4).map(|_| heap(Config { initial_threshold: 1 << 20, ..Config::default() }).0).collect();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for heap in &heaps {
            scope.spawn(|| churn(heap, &stop, 5));
        }
        std::thread::sleep(Duration::from_secs(1));
        stop.store(true, Ordering::Relaxed);
    });
    for heap in heaps {
        assert_eq!(Arc::strong_count(&heap), 1);
    }
}

/// Another thread takes many objects of a thread that is Blocked: soon all of them at once.
#[test]
fn many_objects_of_a_blocked_thread() {
    let (heap, vm) = heap(Config { verify: true, ..Config::default() });
    let (mut main, _) = attach(&heap);
    let holder = list(&mut main, 10_000);
    vm.globals[0].store(holder, Ordering::Release);
    for index in 1..=10_000 {
        let object = pair(&mut main, 4, 4, 0);
        slot(holder, index).store(object, Ordering::Release);
    }
    let before = main.owner_bits();
    let started = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let (mut mutator, _) = attach(&heap);
            for index in 1..=10_000 {
                let object = slot(holder, index).load(Ordering::Acquire);
                let guard = mutator.exclusive(cell(object));
                slot(object, 2).store(1, Ordering::Relaxed);
                drop(guard);
            }
        });
        main.blocking(|| thread.join().expect("no panic"));
        main.owner_bits()
    });
    assert_ne!(started, before, "the id was not retired");
    let last = slot(holder, 10_000).load(Ordering::Relaxed);
    assert!(!main.owned_and_unfrozen(cell(last).header()));
    assert!(!main.exclusive(cell(last)).is_owner());
    assert_eq!(slot(last, 2).load(Ordering::Relaxed), 1);
    let fresh = pair(&mut main, 4, 4, 0);
    assert!(main.owned_and_unfrozen(cell(fresh).header()));
}

/// More threads that compute than processors, and one that runs: stops end, and what is computed is right.
#[test]
fn computing_threads_give_way_to_stops() {
    let (heap, _vm) = heap(Config::default());
    let (mut main, _) = attach(&heap);
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let stop = AtomicBool::new(false);
    let computed = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for seed in 0..=processors as u64 {
            let (heap, stop, computed) = (&heap, &stop, &computed);
            scope.spawn(move || {
                let (mut mutator, _) = attach(heap);
                let sum =
                    |from: u64| (from..from + 200_000).fold(0, |sum: u64, i| sum.wrapping_add(std::hint::black_box(i)));
                while !stop.load(Ordering::Relaxed) {
                    assert_eq!(mutator.computing(|| sum(seed)), 200_000 * seed + 199_999 * 100_000);
                    computed.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        scope.spawn(|| {
            let (mut mutator, _) = attach(&heap);
            while !stop.load(Ordering::Relaxed) {
                poll(&mut mutator);
            }
        });
        for _ in 0..200 {
            main.blocking(|| std::thread::sleep(Duration::from_millis(1)));
            heap.collect(&mut main, Reason::Explicit);
        }
        stop.store(true, Ordering::Relaxed);
        drop(main);
    });
    assert!(computed.load(Ordering::Relaxed) > 0);
    assert!(heap.stats().collections >= 200);
}
