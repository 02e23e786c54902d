//! Tests of when which collection is due.

use std::time::{Duration, Instant};

use crate::generations::{Bytes, Generations};
use crate::heap::Config;
use crate::profile::{Kind, Live};

const MB: usize = 1 << 20;

/// So many bytes allocated in small cells.
fn small(bytes: usize) -> Bytes {
    Bytes { small: bytes, all: bytes }
}

/// So many bytes in no cells, as where large objects are all there is.
fn bytes(bytes: usize) -> Live {
    Live { bytes, cells: 0 }
}

#[test]
fn the_first_collection_is_a_major_one() {
    assert_eq!(Generations::new(&Config::default()).due(), Kind::Major);
}

#[test]
fn a_heap_never_holds_more_than_the_growth_it_is_allowed() {
    for live in [MB, 10 * MB, 100 * MB, 1000 * MB] {
        for survivors in [0, 1, 10, 50, 100] {
            let config = Config::default();
            let mut generations = Generations::new(&config);
            let mut threshold = generations.collected(Kind::Major, bytes(live), small(0), 1, &config).all;
            let growth = (live / 2).max(config.initial_threshold);
            // A major collection waits for a quarter of a nursery at least.
            let allowed = live + growth + growth / 16 + config.initial_threshold;
            let (mut old, mut collections) = (live, 0);
            while generations.due() == Kind::Minor && collections < 10_000 {
                assert!(old + threshold <= allowed, "{live} {survivors} {old} {threshold}");
                old += threshold / 100 * survivors;
                threshold = generations.collected(Kind::Minor, bytes(old), small(threshold), 1, &config).all;
                collections += 1;
            }
            assert!(old + threshold <= allowed, "{live} {survivors} {old} {threshold}");
            assert_eq!(survivors == 0, collections == 10_000, "{live} {survivors}");
        }
    }
}

#[test]
fn stress_takes_both_by_turns() {
    let mut generations = Generations::new(&Config::default());
    let kinds = [generations.stress(), generations.stress(), generations.stress()];
    assert_eq!(kinds, [Kind::Minor, Kind::Major, Kind::Minor]);
}

#[test]
fn several_threads_may_allocate_more_when_pauses_take_much_of_the_time() {
    let config = Config::default();
    let mut generations = Generations::new(&config);
    let mut now = Instant::now();
    let mut windows = |generations: &mut Generations, pause: Duration, count: usize| {
        (0..count * 9)
            .map(|_| {
                let threshold = generations.collected(Kind::Minor, bytes(MB), small(MB), 4, &config).all;
                now += Duration::from_millis(100);
                generations.paused(pause, now);
                threshold
            })
            .last()
    };
    let (few, most) = (Some(config.initial_threshold), Some(16 * config.initial_threshold));
    generations.collected(Kind::Major, bytes(MB), small(MB), 4, &config);
    assert_eq!(windows(&mut generations, Duration::from_micros(100), 10), few);
    assert_eq!(windows(&mut generations, Duration::from_millis(10), 10), most);
    // In between it stays as it is.
    assert_eq!(windows(&mut generations, Duration::from_millis(4), 10), most);
    assert_eq!(windows(&mut generations, Duration::from_micros(100), 10), few);
    // However long it goes on.
    assert_eq!(windows(&mut generations, Duration::from_millis(10), 200), most);
    let mut alone = Generations::new(&config);
    for _ in 0..2000 {
        now += Duration::from_millis(1);
        alone.paused(Duration::from_millis(1), now);
    }
    alone.collected(Kind::Major, bytes(MB), small(MB), 4, &config);
    assert_eq!(alone.collected(Kind::Minor, bytes(MB), small(MB), 4, &config).all, 16 * config.initial_threshold);
}

#[test]
fn one_thread_may_allocate_more_where_collections_mark_much() {
    let config = Config::default();
    let mut generations = Generations::new(&config);
    let mut collect = |cells: usize, allocated: usize, count: usize| {
        let live = Live { bytes: MB, cells };
        (0..count).map(|_| generations.collected(Kind::Major, live, small(allocated), 1, &config).all).last()
    };
    let (least, most) = (Some(config.initial_threshold), Some(2 * config.initial_threshold));
    assert_eq!(collect(20_000, 2 * MB, 3), least);
    assert_eq!(collect(20_000, 2 * MB, 8), most);
    // In between it stays as it is.
    assert_eq!(collect(20_000, 8 * MB, 100), most);
    assert_eq!(collect(1_000, 8 * MB, 12), least);
}

#[test]
fn nurseries_are_small_where_much_survives() {
    let config = Config::default();
    let mut generations = Generations::new(&config);
    let mut live = Live { bytes: 1000 * MB, cells: 10_000_000 };
    let mut nursery = generations.collected(Kind::Major, live, small(0), 1, &config);
    assert_eq!(nursery, small(16 * MB));
    let mut collect = |allocated: Bytes, survivors: usize| {
        live.cells += survivors;
        generations.collected(Kind::Minor, live, allocated, 1, &config)
    };
    // All of it, in cells of 64 bytes.
    let building = Bytes { small: 5 * MB / 2, all: 16 * MB };
    nursery = collect(nursery, nursery.small / 64);
    assert_eq!(nursery, building);
    nursery = collect(nursery, nursery.small / 64);
    assert_eq!(nursery, building);
    // Tables grow in between: what survives of small cells is as before.
    for _ in 0..20 {
        nursery = collect(Bytes { small: 1024, all: 16 * MB }, 0);
    }
    assert_eq!(nursery.small, building.small + 20 * 256);
    // Hardly anything: it grows again, but one such collection is no reason to allocate several times as much.
    nursery = collect(nursery, 100);
    assert!((5 * MB / 2 + 1..4 * MB).contains(&nursery.small), "{nursery:?}");
    for _ in 0..20 {
        nursery = collect(nursery, 100);
    }
    assert_eq!(nursery, small(16 * MB));
    // Never below the first one.
    assert_eq!(collect(nursery, 10_000_000).small, config.initial_threshold);
}

#[test]
fn nurseries_are_large_where_much_is_looked_through() {
    let config = Config::default();
    let mut generations = Generations::new(&config);
    let live = Live { bytes: 200 * MB, cells: 1000 };
    generations.collected(Kind::Major, live, small(0), 1, &config);
    // An Array of three million elements, and all that is allocated survives in cells of 64 bytes.
    generations.looked_through = 3 << 20;
    let survivors = Live { cells: live.cells + 10_000, ..live };
    assert_eq!(generations.collected(Kind::Minor, survivors, small(640_000), 1, &config), small(24 * MB));
    // Not more than half of what the old may grow by.
    generations.looked_through = 100 << 20;
    assert_eq!(generations.collected(Kind::Minor, survivors, small(640_000), 1, &config), small(50 * MB));
}

#[test]
fn a_major_collection_is_put_off_while_a_program_builds_up_what_it_keeps() {
    let config = Config::default();
    // How much is promoted until the next major one is due, after one before which so much was promoted and so much found dead.
    // Of so many bytes allocated one survives.
    let next = |live: usize, promoted: usize, dead: usize, allocated: usize| {
        let mut generations = Generations::new(&config);
        generations.collected(Kind::Major, bytes(live), small(0), 1, &config);
        generations.collected(Kind::Minor, bytes(live + promoted), small(MB), 1, &config);
        let base = live + promoted - dead;
        generations.collected(Kind::Major, bytes(base), small(MB), 1, &config);
        let mut old = base;
        while generations.due() == Kind::Minor {
            old += MB;
            generations.collected(Kind::Minor, bytes(old), small(allocated * MB), 1, &config);
        }
        (old - base) / MB
    };
    let near = |megabytes: usize| megabytes - megabytes / 3..megabytes + 2;
    assert!(near(1200).contains(&next(200 * MB, 100 * MB, 0, 1)));
    assert!(near(240).contains(&next(40 * MB, 20 * MB, 0, 1)));
    assert!(near(300).contains(&next(200 * MB, 100 * MB, 0, 10)), "the program does not build up any more");
    assert!(near(125).contains(&next(200 * MB, 100 * MB, 50 * MB, 1)), "there was something to find");
    assert!(near(15).contains(&next(20 * MB, 10 * MB, 0, 1)), "a small heap is marked at once");
}
