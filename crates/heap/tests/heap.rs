//! The heap with one thread: allocation, collection, sweeping, hooks, ids, limits.

mod common;

use std::sync::atomic::Ordering;

use asterism_heap::{Config, Heap, Reason, header};
use common::{COUNTED, DROPPED, attach, body, cell, elsewhere, heap, list, pair, scrub_stack, slot};

fn config() -> Config {
    Config { verify: true, ..Config::default() }
}

#[inline(never)]
fn build_chain(mutator: &mut asterism_heap::Mutator, roots: &common::Roots, length: u64) {
    roots.slots[0].store(4, Ordering::Relaxed);
    for number in 0..length {
        let next = roots.slots[0].load(Ordering::Relaxed);
        let node = pair(mutator, next, 4, number);
        roots.slots[0].store(node, Ordering::Relaxed);
    }
}

fn check_chain(roots: &common::Roots, length: u64) {
    let mut at = roots.slots[0].load(Ordering::Relaxed);
    for number in (0..length).rev() {
        assert_eq!(slot(at, 2).load(Ordering::Relaxed), number);
        at = slot(at, 0).load(Ordering::Relaxed);
    }
    assert_eq!(at, 4);
}

#[test]
fn keeps_what_is_reachable_and_frees_the_rest() {
    let (heap, vm) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    build_chain(&mut mutator, roots, 10_000);
    for _ in 0..100 {
        for _ in 0..10_000 {
            pair(&mut mutator, 4, 4, 0);
        }
        heap.collect(&mut mutator, Reason::Explicit);
    }
    check_chain(roots, 10_000);
    let stats = heap.stats();
    assert!(stats.collections >= 100);
    assert_eq!(vm.collections.load(Ordering::Relaxed) as u64, stats.collections);
    assert!(stats.live_cells >= 10_000 && stats.live_cells < 10_100, "{stats:?}");
    assert!(stats.bytes_allocated >= 1_000_000 * 40, "{stats:?}");
    assert!(stats.heap_bytes < 4 << 20, "{stats:?}");
    assert_eq!(stats.minor.count + stats.major.count, stats.collections);
}

#[test]
fn collects_by_itself_and_stays_small() {
    let (heap, _) = heap(Config { initial_threshold: 1 << 20, ..config() });
    let (mut mutator, roots) = attach(&heap);
    build_chain(&mut mutator, roots, 1000);
    for _ in 0..1_000_000 {
        pair(&mut mutator, 4, 4, 0);
    }
    check_chain(roots, 1000);
    let stats = heap.stats();
    assert!(stats.collections > 20, "{stats:?}");
    assert!(stats.heap_bytes < 4 << 20, "{stats:?}");
}

#[test]
fn sizes_of_all_kinds() {
    let (heap, _) = heap(Config { initial_threshold: 4 << 20, ..config() });
    let (mut mutator, roots) = attach(&heap);
    let mut length = 1;
    let mut keep = 0;
    while length < 300_000 {
        let word = list(&mut mutator, length);
        assert!(heap.cell_size(cell(word)) >= 24 + 8 * length);
        assert_eq!(word % 16, 0);
        roots.slots[keep % 16].store(word, Ordering::Relaxed);
        keep += 1;
        length += 1 + length / 3;
        for slot in &roots.slots {
            let word = slot.load(Ordering::Relaxed);
            if word != 0 {
                let length = common::slot(word, 0).load(Ordering::Relaxed) as usize;
                assert_eq!(common::slot(word, length).load(Ordering::Relaxed), 4);
            }
        }
    }
    heap.collect(&mut mutator, Reason::Explicit);
    for slot in &roots.slots {
        slot.store(0, Ordering::Relaxed);
    }
    scrub_stack();
    for _ in 0..3 {
        heap.collect(&mut mutator, Reason::Explicit);
    }
    assert!(heap.stats().heap_bytes < 6 << 20, "{:?}", heap.stats());
}

#[test]
fn huge_and_absurd_sizes_are_refused() {
    let (heap, _) = heap(Config { memory_limit: Some(64 << 20), ..config() });
    let (mut mutator, roots) = attach(&heap);
    for size in [100 << 20, 1 << 40, 1 << 50, isize::MAX as usize, usize::MAX] {
        assert!(mutator.alloc(size, common::LIST, 0).is_none(), "{size}");
    }
    // Small cells hit the limit too, and the heap is usable afterwards.
    let made = elsewhere(&heap, &mut mutator, |mutator| fill(mutator, roots));
    assert!(made > 1_000_000, "{made}");
    roots.slots[0].store(4, Ordering::Relaxed);
    scrub_stack();
    assert!(mutator.alloc(40, common::PAIR, 0).is_some());
}

#[inline(never)]
fn fill(mutator: &mut asterism_heap::Mutator, roots: &common::Roots) -> u32 {
    roots.slots[0].store(4, Ordering::Relaxed);
    let mut made = 0;
    while let Some(node) = mutator.alloc(40, common::PAIR, 0) {
        let word = common::word_of(node);
        slot(word, 0).store(roots.slots[0].load(Ordering::Relaxed), Ordering::Relaxed);
        slot(word, 1).store(4, Ordering::Relaxed);
        roots.slots[0].store(word, Ordering::Relaxed);
        made += 1;
    }
    made
}

#[test]
fn hooks_are_called_once_for_each_dead_body() {
    let (heap, _) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    for index in 0..1000 {
        let word = body(&mut mutator, COUNTED);
        roots.slots[index % 16].store(word, Ordering::Relaxed);
        if mutator.poll_bits() != 0 {
            mutator.safepoint();
        }
    }
    assert!(heap.stats().collections > 0, "malloc'ed bytes count as allocation");
    drop(mutator);
    drop(heap);
    assert_eq!(DROPPED.load(Ordering::Relaxed), 1000);
}

#[test]
fn weak_references_are_cleared() {
    let (heap, vm) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    elsewhere(&heap, &mut mutator, |mutator| make_weak(mutator, vm, roots));
    heap.collect(&mut mutator, Reason::Explicit);
    assert!(weak_is_set(vm));
    roots.slots[0].store(4, Ordering::Relaxed);
    scrub_stack();
    heap.collect(&mut mutator, Reason::Explicit);
    assert!(!weak_is_set(vm));
}

// Not inlined, as little as possible that knows the address must be left on the caller's stack.
#[inline(never)]
fn weak_is_set(vm: &common::Vm) -> bool {
    vm.weak.load(Ordering::Relaxed) != 0
}

#[inline(never)]
fn make_weak(mutator: &mut asterism_heap::Mutator, vm: &common::Vm, roots: &common::Roots) {
    let word = pair(mutator, 4, 4, 0);
    vm.weak.store(word, Ordering::Relaxed);
    roots.slots[0].store(word, Ordering::Relaxed);
}

#[test]
fn the_machine_stack_keeps_alive_and_interior_pointers_too() {
    let (heap, _) = heap(Config { gc_stress: true, ..config() });
    let (mut mutator, _) = attach(&heap);
    for _ in 0..50 {
        let first = pair(&mut mutator, 4, 4, 1);
        let second = pair(&mut mutator, first, 4, 2);
        let inside = std::hint::black_box(second + 24);
        let third = pair(&mut mutator, 4, 4, 3);
        let second = inside - 24;
        assert_eq!(slot(second, 2).load(Ordering::Relaxed), 2);
        assert_eq!(slot(slot(second, 0).load(Ordering::Relaxed), 2).load(Ordering::Relaxed), 1);
        assert_eq!(slot(third, 2).load(Ordering::Relaxed), 3);
        asterism_heap::keep_alive(inside);
        let large = list(&mut mutator, 100_000);
        let inside = std::hint::black_box(large + 700_000);
        pair(&mut mutator, 4, 4, 3);
        assert_eq!(slot(inside - 700_000, 0).load(Ordering::Relaxed), 100_000);
        asterism_heap::keep_alive(inside);
    }
    assert!(heap.stats().collections >= 250);
}

#[test]
fn object_ids_stay_and_are_unique() {
    let (heap, _) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    build_chain(&mut mutator, roots, 5000);
    let mut ids = Vec::new();
    let mut at = roots.slots[0].load(Ordering::Relaxed);
    while at != 4 {
        ids.push(mutator.object_id(cell(at)));
        at = slot(at, 0).load(Ordering::Relaxed);
    }
    assert_eq!(ids, (1..=5000).collect::<Vec<_>>());
    for _ in 0..100_000 {
        pair(&mut mutator, 4, 4, 0);
    }
    heap.collect(&mut mutator, Reason::Explicit);
    let mut at = roots.slots[0].load(Ordering::Relaxed);
    for id in ids {
        assert_eq!(mutator.object_id(cell(at)), id);
        assert_eq!(heap.existing_object_id(cell(at)), Some(id));
        at = slot(at, 0).load(Ordering::Relaxed);
    }
    // A new cell where a dead one with an id was has none.
    roots.slots[0].store(4, Ordering::Relaxed);
    scrub_stack();
    heap.collect(&mut mutator, Reason::Explicit);
    for _ in 0..5000 {
        let word = pair(&mut mutator, 4, 4, 0);
        if let Some(id) = heap.existing_object_id(cell(word)) {
            panic!("a new object has the id {id}");
        }
    }
}

#[test]
fn walking_finds_all_live_cells() {
    let (heap, _) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    build_chain(&mut mutator, roots, 3000);
    roots.slots[1].store(list(&mut mutator, 50_000), Ordering::Relaxed);
    for round in 0..3 {
        let counted = heap.stop_the_world(&mut mutator, |world| {
            let (mut pairs, mut lists) = (0, 0);
            heap.each_live_cell(world, |cell| {
                pairs += usize::from(u64::from(cell.type_id()) == common::PAIR);
                lists += usize::from(u64::from(cell.type_id()) == common::LIST);
            });
            (pairs, lists)
        });
        assert_eq!(counted, (3000, 1), "round {round}");
        heap.collect(&mut mutator, Reason::Explicit);
    }
    heap.stop_the_world(&mut mutator, |world| heap.verify(world));
}

#[test]
fn new_objects_belong_to_their_thread() {
    let (heap, _) = heap(config());
    let (mut mutator, _) = attach(&heap);
    let word = pair(&mut mutator, 4, 4, 0);
    let object = cell(word);
    assert!(mutator.owned_and_unfrozen(object.header()));
    {
        let guard = mutator.exclusive(object);
        assert!(guard.is_owner());
        guard.set_shape(77);
        guard.set_header_bits(header::FROZEN);
    }
    assert_eq!(header::shape_of(object.header()), 77);
    assert!(!mutator.owned_and_unfrozen(object.header()));
    mutator.renew_owner_id();
    {
        let guard = mutator.exclusive(object);
        assert!(!guard.is_owner());
        guard.clear_header_bits(header::FROZEN);
        guard.set_shape(78);
        assert_ne!(object.header() & header::LOCKED, 0);
    }
    assert_eq!(object.header() & (header::LOCKED | header::OWNER_MASK | header::FROZEN), 0);
    assert_eq!(header::shape_of(object.header()), 78);
}

#[test]
fn owner_ids_are_reissued_after_a_marking() {
    let (heap, _) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    for round in 0..200_000_u64 {
        mutator.renew_owner_id();
        let word = pair(&mut mutator, 4, 4, round);
        roots.slots[(round % 16) as usize].store(word, Ordering::Relaxed);
        if round % 30_000 == 29_999 {
            assert_ne!(mutator.owner_bits(), u64::MAX, "ids have run out in round {round}");
            heap.collect(&mut mutator, Reason::Explicit);
            for slot in &roots.slots {
                let header = cell(slot.load(Ordering::Relaxed)).header();
                let owner = header::owner_of(header);
                assert!(owner == 0 || heap.owner_is_live(owner));
            }
        }
    }
}

#[test]
fn without_owner_ids_objects_are_unowned() {
    let (heap, _) = heap(config());
    let (mut mutator, _) = attach(&heap);
    for _ in 0..70_000 {
        mutator.renew_owner_id();
    }
    let word = pair(&mut mutator, 4, 4, 0);
    assert_eq!(cell(word).header() & header::OWNER_MASK, 0);
    assert!(!mutator.owned_and_unfrozen(cell(word).header()));
    assert!(!mutator.exclusive(cell(word)).is_owner());
}

#[test]
fn collection_can_be_turned_off() {
    let (heap, _) = heap(Config { initial_threshold: 1 << 20, ..config() });
    let (mut mutator, _) = attach(&heap);
    assert!(heap.set_gc_enabled(false));
    for _ in 0..200_000 {
        pair(&mut mutator, 4, 4, 0);
    }
    assert_eq!(heap.stats().collections, 0);
    assert!(!heap.set_gc_enabled(true));
    for _ in 0..200_000 {
        pair(&mut mutator, 4, 4, 0);
    }
    assert!(heap.stats().collections > 0);
    assert_eq!(Heap::rounded_size(40), 40);
}

#[test]
fn free_pages_of_used_blocks_are_given_back() {
    let (heap, _) = heap(config());
    let (mut mutator, roots) = attach(&heap);
    // One in a thousand survives: most pages have none of them.
    roots.slots[0].store(4, Ordering::Relaxed);
    for number in 0..100_000 {
        let kept = roots.slots[0].load(Ordering::Relaxed);
        let node = pair(&mut mutator, kept, 4, number);
        if number % 1000 == 0 {
            roots.slots[0].store(node, Ordering::Relaxed);
        }
    }
    for _ in 0..50 {
        body(&mut mutator, 10);
    }
    heap.collect(&mut mutator, Reason::Explicit);
    scrub_stack();
    for number in 0..3 {
        heap.release_free_pages(&mut mutator);
        let mut at = roots.slots[0].load(Ordering::Relaxed);
        for number in (0..100).rev() {
            assert_eq!(slot(at, 2).load(Ordering::Relaxed), number * 1000);
            at = slot(at, 0).load(Ordering::Relaxed);
        }
        assert_eq!(at, 4);
        // What is given back is allocated from again.
        for _ in 0..20_000 * number {
            pair(&mut mutator, 4, 4, 0);
        }
        heap.collect(&mut mutator, Reason::Threshold);
    }
}
