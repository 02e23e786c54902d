//! Tests of the arithmetic of the benchmark tables.

use super::{geometric_mean, median, wall_line};

#[test]
fn takes_medians() {
    assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
    assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
    assert!(median(&mut []).is_nan());
}

#[test]
fn takes_geometric_means() {
    assert!((geometric_mean(&[0.5, 2.0]) - 1.0).abs() < 1e-12);
}

#[test]
fn reads_the_wall_line() {
    assert_eq!(wall_line(b"result: 1\nwall: 1.250000\n"), Some(1.25));
    assert_eq!(wall_line(b"wall 1"), None);
}
