//! Tests of what is counted of locks.

use std::time::Duration;

use crate::lock_stats::{LockKind, LockPlace, LockStats};

#[test]
fn sites_are_one_for_each_place_and_the_worst_comes_first() {
    let stats = LockStats::default();
    let place = |line: &str| LockPlace::Text(line.to_string());
    stats.site(LockKind::Mutex, place("a.rb:1")).took();
    stats.site(LockKind::Mutex, place("a.rb:1")).waited(false, Duration::from_micros(3));
    stats.site(LockKind::Mutex, place("a.rb:1")).waited(true, Duration::from_micros(5));
    stats.site(LockKind::Monitor, place("a.rb:1")).waited(true, Duration::from_micros(9));
    stats.site(LockKind::Mutex, place("never.rb:1"));
    let rows = stats.rows();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0].kind, LockKind::Monitor);
    assert_eq!((rows[1].taken, rows[1].spun, rows[1].parked, rows[1].contended()), (3, 1, 1, 2));
    assert_eq!((rows[1].waited, rows[1].longest), (Duration::from_micros(8), Duration::from_micros(5)));
}

#[test]
fn threads_add_up() {
    let stats = LockStats::default();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1000 {
                    stats.site(LockKind::Object, LockPlace::Class(8, None)).took();
                }
            });
        }
    });
    assert_eq!(stats.rows()[0].taken, 4000);
}
