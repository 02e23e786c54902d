//! Which accesses race, and what is remembered of them.

use crate::clock::Clock;
use crate::shadow::{Access, Kind, Part, Shadow};

fn access(thread: u32, time: u32, kind: Kind) -> Access {
    Access { thread, time, stack: 0, kind }
}

fn clock(times: &[u32]) -> Clock {
    let mut clock = Clock::default();
    for (thread, time) in times.iter().enumerate() {
        clock.set(thread as u32, *time);
    }
    clock
}

fn races(first: (Part, Kind), second: (Part, Kind)) -> bool {
    let mut shadow = Shadow::default();
    assert!(shadow.access(first.0, access(0, 1, first.1), &clock(&[1])).0.is_none());
    shadow.access(second.0, access(1, 1, second.1), &clock(&[0, 1])).0.is_some()
}

fn both_ways(a: (Part, Kind), b: (Part, Kind)) -> bool {
    let race = races(a, b);
    assert_eq!(race, races(b, a), "{a:?} {b:?}");
    race
}

#[test]
fn two_reads_and_two_steps_do_not_race() {
    let x = Part::Variable(3);
    for (a, b, race) in [
        (Kind::Read, Kind::Read, false),
        (Kind::Update, Kind::Update, false),
        (Kind::Read, Kind::Update, true),
        (Kind::Read, Kind::Write, true),
        (Kind::Write, Kind::Write, true),
        (Kind::Update, Kind::Write, true),
    ] {
        assert_eq!(both_ways((x, a), (x, b)), race, "{a:?} {b:?}");
    }
}

#[test]
fn what_was_before_does_not_race() {
    let mut shadow = Shadow::default();
    let x = Part::Variable(1);
    shadow.access(x, access(0, 1, Kind::Write), &clock(&[1]));
    // Thread 1 knows of thread 0's first time.
    assert!(shadow.access(x, access(1, 1, Kind::Write), &clock(&[1, 1])).0.is_none());
    assert_eq!(shadow.accesses(), 1);
    // Thread 0 writes again later, of which thread 1 knows nothing; nor does thread 0 of thread 1.
    assert!(shadow.access(x, access(0, 2, Kind::Write), &clock(&[2])).0.is_some());
}

#[test]
fn reads_of_several_threads_are_remembered() {
    let mut shadow = Shadow::default();
    let x = Part::Variable(1);
    shadow.access(x, access(0, 1, Kind::Read), &clock(&[1]));
    shadow.access(x, access(1, 1, Kind::Read), &clock(&[0, 1]));
    // Ordered behind the second read only.
    let race = shadow.access(x, access(2, 1, Kind::Write), &clock(&[0, 1, 1])).0;
    assert_eq!(race.map(|race| race.before.thread), Some(0));
}

#[test]
fn elements_have_to_do_with_the_whole_only() {
    let (read, write, update) = (Kind::Read, Kind::Write, Kind::Update);
    assert!(!both_ways((Part::Element(1), write), (Part::Element(2), write)));
    assert!(both_ways((Part::Element(1), write), (Part::Element(1), read)));
    assert!(both_ways((Part::Element(1), write), (Part::Whole, read)));
    assert!(both_ways((Part::Whole, update), (Part::Element(1), read)));
    assert!(!both_ways((Part::Length, read), (Part::Element(1), write)));
    assert!(both_ways((Part::Length, read), (Part::Beyond(1), write)));
    assert!(both_ways((Part::Length, read), (Part::Next(1), update)));
}

#[test]
fn elements_that_are_added() {
    let (read, write, update) = (Kind::Read, Kind::Write, Kind::Update);
    // Each thread has an element of its own, which is not there yet.
    assert!(!both_ways((Part::Beyond(1), read), (Part::Beyond(2), write)));
    assert!(!both_ways((Part::Beyond(1), write), (Part::Beyond(2), write)));
    assert!(!both_ways((Part::Next(1), update), (Part::Next(1), update)));
    assert!(!both_ways((Part::Next(4), update), (Part::Element(1), read)));
    assert!(both_ways((Part::Next(4), update), (Part::Element(4), read)));
    assert!(both_ways((Part::Next(4), update), (Part::Beyond(9), read)));
    assert!(both_ways((Part::Next(4), update), (Part::Whole, read)));
    assert!(!both_ways((Part::Next(4), update), (Part::Whole, update)));
}

#[test]
fn what_is_known_is_remembered_wherever_others_look() {
    let mut shadow = Shadow::default();
    let (element, from_end) = (Part::Element(1), Part::FromEnd(1));
    let read = access(0, 1, Kind::Read);
    assert!(!shadow.knows(element, &read));
    shadow.access(element, read, &clock(&[1]));
    assert!(shadow.knows(element, &read));
    // Counted from the end it depends on the length too, which is not remembered yet.
    assert!(!shadow.knows(from_end, &read));
    assert!(!shadow.knows(element, &access(0, 2, Kind::Read)));
    assert!(!shadow.knows(element, &access(0, 1, Kind::Write)));
    assert!(!shadow.knows(element, &access(1, 1, Kind::Read)));
    shadow.access(element, access(0, 1, Kind::Write), &clock(&[1]));
    // Whoever races with the read races with the write.
    assert!(shadow.knows(element, &read));
}

#[test]
fn accesses_beyond_the_first_are_kept_and_forgotten() {
    let mut shadow = Shadow::default();
    let x = Part::Variable(1);
    for thread in 0..5 {
        let mut times = [0; 5];
        times[thread as usize] = 1;
        shadow.access(x, access(thread, 1, Kind::Read), &clock(&times));
    }
    assert_eq!(shadow.accesses(), 5);
    // Thread 0 knows of threads 1 and 3: their reads and its own give way to its new one.
    shadow.access(x, access(0, 2, Kind::Read), &clock(&[2, 1, 0, 1]));
    assert_eq!(shadow.accesses(), 3);
    shadow.access(x, access(0, 3, Kind::Write), &clock(&[3, 1, 1, 1, 1]));
    assert_eq!(shadow.accesses(), 1);
}
