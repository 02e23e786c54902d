//! Tests of float rounding against a table made by CRuby 3.1.

use super::{Num, RoundHalf, float_ceil, float_floor, float_round, float_truncate};
use crate::float_fmt::float_to_s;

fn text(n: Num) -> String {
    match n {
        Num::Float(f) => float_to_s(f),
        Num::Int(i) => i.to_s(10).unwrap(),
    }
}

#[test]
fn rounding_matches_cruby() {
    for line in include_str!("../../tests/data/float_round.tsv").lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let f = f64::from_bits(u64::from_str_radix(cells[0], 16).unwrap());
        let n: i64 = cells[1].parse().unwrap();
        let ours = [
            text(float_round(f, n, RoundHalf::Up).unwrap()),
            text(float_round(f, n, RoundHalf::Even).unwrap()),
            text(float_round(f, n, RoundHalf::Down).unwrap()),
            text(float_floor(f, n).unwrap()),
            text(float_ceil(f, n).unwrap()),
            text(float_truncate(f, n).unwrap()),
        ];
        assert_eq!(ours.join("\t"), cells[2..].join("\t"), "{} {n}", float_to_s(f));
    }
}

#[test]
fn not_finite_is_a_domain_error() {
    assert_eq!(float_round(f64::NAN, 0, RoundHalf::Up).unwrap_err().message_lossy(), "NaN");
    assert_eq!(float_floor(f64::NEG_INFINITY, -1).unwrap_err().message_lossy(), "-Infinity");
}
