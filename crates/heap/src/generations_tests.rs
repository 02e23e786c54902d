//! Tests of when which collection is due.

use std::time::{Duration, Instant};

use crate::generations::Generations;
use crate::heap::Config;
use crate::profile::Kind;

const MB: usize = 1 << 20;

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
            let mut threshold = generations.collected(Kind::Major, live, 1, &config);
            let growth = (live / 2).max(config.initial_threshold);
            // A major collection waits for a quarter of a nursery at least.
            let allowed = live + growth + growth / 16 + config.initial_threshold;
            let (mut old, mut collections) = (live, 0);
            while generations.due() == Kind::Minor && collections < 10_000 {
                assert!(old + threshold <= allowed, "{live} {survivors} {old} {threshold}");
                old += threshold / 100 * survivors;
                threshold = generations.collected(Kind::Minor, old, 1, &config);
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
                let threshold = generations.collected(Kind::Minor, MB, 4, &config);
                now += Duration::from_millis(100);
                generations.paused(pause, now);
                threshold
            })
            .last()
    };
    let (few, most) = (Some(2 * config.initial_threshold), Some(16 * config.initial_threshold));
    generations.collected(Kind::Major, MB, 4, &config);
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
    alone.collected(Kind::Major, MB, 4, &config);
    assert_eq!(alone.collected(Kind::Minor, MB, 4, &config), 16 * config.initial_threshold);
}
