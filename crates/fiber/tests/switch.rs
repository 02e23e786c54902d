//! Switching between stacks, giving them back, many of them.

use std::sync::Arc;

use asterism_fiber::{STACK_BYTES, Slabs, Stack, prepare, switch};

/// Two sides that pass a number to and fro.
struct Pair {
    here: usize,
    there: usize,
    number: u64,
    depth: usize,
}

unsafe extern "C" fn counter(pair: *mut ()) -> ! {
    let pair: *mut Pair = pair.cast();
    // SAFETY: the pair outlives the stack; one side runs at a time.
    unsafe {
        dig(pair, (*pair).depth);
        loop {
            switch(&raw mut (*pair).there, (*pair).here, pair.cast());
        }
    }
}

/// Switches from the bottom of `depth` frames, with values that the compiler keeps in registers meanwhile.
unsafe fn dig(pair: *mut Pair, depth: usize) {
    if depth > 0 {
        let kept = std::hint::black_box(depth as f64 * 1.5);
        // SAFETY: as in `counter`.
        unsafe { dig(pair, depth - 1) };
        assert!((std::hint::black_box(kept) - depth as f64 * 1.5).abs() < f64::EPSILON);
        return;
    }
    for _ in 0..1000 {
        // SAFETY: as in `counter`.
        unsafe {
            (*pair).number += 1;
            switch(&raw mut (*pair).there, (*pair).here, pair.cast());
        }
    }
}

fn run(stack: &Stack, depth: usize) {
    let mut pair = Box::new(Pair { here: 0, there: 0, number: 0, depth });
    let pair: *mut Pair = &raw mut *pair;
    // SAFETY: the stack is not in use, and the pair lives until the last switch.
    unsafe {
        (*pair).there = prepare(stack, counter, pair.cast());
        for i in 0..1000 {
            assert_eq!((*pair).number, i);
            switch(&raw mut (*pair).here, (*pair).there, pair.cast());
        }
        // Once more, out of the loop and back through all frames.
        switch(&raw mut (*pair).here, (*pair).there, pair.cast());
        assert_eq!((*pair).number, 1000);
    }
}

#[test]
fn switches_to_and_fro_at_any_depth() {
    let slabs = Slabs::new();
    let stack = slabs.take().expect("address space");
    run(&stack, 0);
    run(&stack, 100);
}

#[test]
fn stacks_do_not_overlap_and_come_back() {
    let slabs = Slabs::new();
    let mut stacks: Vec<Stack> = (0..200).map(|_| slabs.take().expect("address space")).collect();
    assert_eq!(slabs.live(), 200);
    let mut lows: Vec<usize> = stacks.iter().map(Stack::low).collect();
    lows.sort_unstable();
    assert!(lows.windows(2).all(|w| w[1] - w[0] >= STACK_BYTES));
    for stack in &stacks {
        // SAFETY: the word belongs to the stack, which is not in use.
        unsafe { std::ptr::with_exposed_provenance_mut::<u64>(stack.low()).write(1) };
    }
    stacks.clear();
    assert_eq!(slabs.live(), 0);
    assert!(slabs.take().is_some());
}

#[test]
fn a_stack_may_outlive_the_slabs_it_came_from() {
    let stack = Slabs::new().take().expect("address space");
    run(&stack, 3);
}

#[test]
#[cfg(not(feature = "threads"))]
fn more_stacks_than_a_process_may_have_mappings() {
    let slabs = Slabs::new();
    let stacks: Vec<Stack> = (0..70_000).map_while(|_| slabs.take()).collect();
    assert_eq!(stacks.len(), 70_000);
}

#[test]
fn threads_share_slabs() {
    let slabs = Slabs::new();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let slabs: Arc<Slabs> = slabs.clone();
            std::thread::spawn(move || {
                for depth in 0..20 {
                    run(&slabs.take().expect("address space"), depth);
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("no panic");
    }
    assert_eq!(slabs.live(), 0);
}
