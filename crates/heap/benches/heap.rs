//! Times of the heap alone, over the tests' toy VM: `cargo bench -p asterism-heap`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::sync::atomic::Ordering;
use std::time::Instant;

use asterism_heap::{Config, Mutator, Reason};
use common::{Roots, attach, cell, heap, pair, slot};

fn time(name: &str, count: u64, f: impl FnOnce()) {
    let start = Instant::now();
    f();
    let elapsed = start.elapsed();
    println!(
        "{name:40} {:9.2} ns each {:9.1} ms",
        elapsed.as_nanos() as f64 / count as f64,
        elapsed.as_secs_f64() * 1e3
    );
}

fn tree(mutator: &mut Mutator, depth: u64) -> u64 {
    if depth == 0 {
        return pair(mutator, 4, 4, 0);
    }
    let left = tree(mutator, depth - 1);
    let right = tree(mutator, depth - 1);
    let node = pair(mutator, left, right, depth);
    asterism_heap::keep_alive(left);
    asterism_heap::keep_alive(right);
    node
}

fn live(roots: &Roots, mutator: &mut Mutator, depth: u64) {
    roots.slots[0].store(tree(mutator, depth), Ordering::Relaxed);
}

fn rss() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("0").to_owned();
    line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn main() {
    for threads in [1, 2] {
        let (heap, _) = heap(Config { marking_threads: threads, ..Config::default() });
        let (mut mutator, roots) = attach(&heap);
        println!("{threads} marking thread(s)");
        let count = 50_000_000;
        time("short-lived pairs", count, || {
            for number in 0..count {
                std::hint::black_box(pair(&mut mutator, 4, 4, number));
            }
        });
        println!("  {:?}", heap.stats());
        let depth = 20;
        let count = 1 << (depth + 1);
        time("a tree of 2M pairs", count, || live(roots, &mut mutator, depth));
        time("marking it, 10 times", 10 * count, || {
            for _ in 0..10 {
                heap.collect(&mut mutator, Reason::Explicit);
            }
        });
        let count = 50_000_000;
        time("short-lived pairs beside it", count, || {
            for number in 0..count {
                std::hint::black_box(pair(&mut mutator, 4, 4, number));
            }
        });
        println!("  {:?}", heap.stats());
        time("trees of 2K pairs beside it", 2048 * 10_000, || {
            for _ in 0..10_000 {
                std::hint::black_box(tree(&mut mutator, 10));
            }
        });
        println!("  {:?}", heap.stats());
        println!("  peak RSS {} KiB", rss());
        if threads > 1 {
            continue;
        }
        let object = roots.slots[0].load(Ordering::Relaxed);
        let count = 100_000_000;
        time("exclusive, owner", count, || {
            for number in 0..count {
                let guard = mutator.exclusive(cell(std::hint::black_box(object)));
                slot(object, 2).store(number, Ordering::Relaxed);
                drop(guard);
            }
        });
        mutator.renew_owner_id();
        time("exclusive, unowned", count, || {
            for number in 0..count {
                let guard = mutator.exclusive(cell(std::hint::black_box(object)));
                slot(object, 2).store(number, Ordering::Relaxed);
                drop(guard);
            }
        });
        time("blocking region", count, || {
            for _ in 0..count {
                mutator.blocking(|| {});
            }
        });
        std::thread::scope(|scope| {
            let ready = scope.spawn(|| {
                time("attach and detach", 100_000, || {
                    for _ in 0..100_000 {
                        drop(heap.attach(std::ptr::null()));
                    }
                });
            });
            mutator.blocking(|| ready.join().expect("no panic"));
        });
    }
}
