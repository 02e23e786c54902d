//! What the tables promise the calls that are made by them.

use std::collections::HashSet;

use super::row::{Arg, Row};
use super::rows::ALL;
use super::work::{MOST, WORDS};

/// How many words an argument is at most.
fn words(arg: Arg) -> usize {
    match arg {
        Arg::Bytes
        | Arg::OptBytes
        | Arg::LengthBytes
        | Arg::Der
        | Arg::Room
        | Arg::Upto(_)
        | Arg::LengthRoom
        | Arg::RoomLength
        | Arg::Password => 2,
        _ => 1,
    }
}

fn count(row: &Row, which: impl Fn(&Arg) -> bool) -> usize {
    row.args.iter().filter(|arg| which(arg)).count()
}

#[test]
fn calls_have_room_for_every_row() {
    for row in ALL.iter().copied().flatten() {
        let name = row.name;
        assert!(row.args.len() <= MOST, "{name}");
        assert!(row.args.iter().map(|&arg| words(arg)).sum::<usize>() <= WORDS, "{name}");
        assert!(count(row, |arg| matches!(arg, Arg::Der)) <= 2, "{name}");
        assert!(count(row, |arg| matches!(arg, Arg::IntOut)) <= 2, "{name}");
        let outs = |arg: &Arg| matches!(arg, Arg::Out(_) | Arg::Lent(_) | Arg::OutStack(_) | Arg::OutSource);
        assert!(count(row, outs) <= 3, "{name}");
        for alone in [
            count(row, |arg| matches!(arg, Arg::Sink)),
            count(row, |arg| matches!(arg, Arg::DerOut)),
            count(row, |arg| matches!(arg, Arg::TextOut)),
            count(row, |arg| matches!(arg, Arg::BnContext)),
            count(row, |arg| matches!(arg, Arg::Progress)),
            count(row, |arg| matches!(arg, Arg::Room | Arg::Upto(_))),
        ] {
            assert!(alone <= 1, "{name}");
        }
    }
}

#[test]
fn names_are_told_once() {
    let mut names = HashSet::new();
    for row in ALL.iter().copied().flatten() {
        assert!(names.insert(row.name), "{}", row.name);
    }
}
