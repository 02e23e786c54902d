//! Tests of lanes.

use std::sync::Arc;

use super::{Clock, Entry, Lane, Moment, SiteNumber, Span};

#[test]
fn no_span_is_lost_or_told_twice_while_a_thread_adds_them() {
    const COUNT: u64 = 100_000;
    let lane = Arc::new(Lane::new(Clock::new()));
    let adding = Arc::clone(&lane);
    let thread = std::thread::spawn(move || {
        adding.begin(1, 2);
        for held_by in 0..COUNT {
            adding.add(&Span { site: SiteNumber(3), begin: Moment(held_by), end: Moment(5), held_by, fiber: 7 });
        }
        adding.end();
    });
    let (mut entries, mut next, mut ended) = (Vec::new(), 0, false);
    while !ended {
        lane.take(&mut entries);
        for entry in entries.drain(..) {
            match entry {
                Entry::Begin(group, number, _) => assert_eq!((group, number, next), (1, 2, 0)),
                Entry::Span(span) => {
                    assert_eq!((span.held_by, span.begin, span.fiber), (next, Moment(next), 7));
                    next += 1;
                }
                Entry::End(..) => ended = true,
            }
        }
    }
    assert_eq!(next, COUNT);
    thread.join().expect("no panic");
}
