//! Tests of the random sequences; expectations from CRuby 3.1.

use std::convert::Infallible;

use super::{Rng, sample_indices, shuffle};
use crate::int::Int;

fn n(text: &str) -> Int {
    crate::int_parse::parse_digits(text.as_bytes(), 10).unwrap()
}

#[test]
fn one_long_sequence() {
    let mut r = Rng::new(&Int::Small(42));
    assert_eq!(r.limited(99), 51);
    assert_eq!(r.next_f64(), 0.9507143064099162);
    assert_eq!(r.bytes(5), b"j\xF4c\xBBG");
    assert_eq!(r.limited_int(&n("999999999999999999999999999999")), n("998025291761336434927119505529"));
    assert_eq!(r.limited(u64::MAX), 2877591057541362902);
    assert_eq!(r.next_f64() * 1.5, 0.08712541825229919);
    assert_eq!(r.limited(4) + 3, 7);
    assert_eq!(r.float_range(1.0, 2.0, false), Some(1.601115011410524));
    assert_eq!(r.float_range(1.0, 2.0, true), Some(1.7080725777960455));
    assert_eq!(r.limited(u64::from(u32::MAX)), 88409749);
    assert_eq!(r.limited((1 << 33) - 1), 4165731073);
    assert_eq!(r.limited(0), 0);
    assert_eq!(r.next_f64(), 0.7219987722668247);
}

#[test]
fn seeds() {
    for (seed, first) in
        [("-5", 867), ("1180591620717411303427", 630), ("0", 684), ("4294967296", 973), ("-18446744073709551616", 757)]
    {
        assert_eq!(Rng::new(&n(seed)).limited(999), first, "{seed}");
    }
}

fn below(seed: i64) -> impl FnMut(usize) -> Result<usize, Infallible> {
    let mut r = Rng::new(&Int::Small(seed));
    move |k| Ok(r.limited(k as u64 - 1) as usize)
}

#[test]
fn shuffle_and_sample() {
    let mut a = [1, 2, 3, 4, 5];
    let Ok(()) = shuffle(5, below(1), |i, j| a.swap(i, j));
    assert_eq!(a, [3, 2, 5, 1, 4]);
    let sample = |len, k| {
        let Ok(v) = sample_indices(len, k, below(3));
        v.into_iter().map(|i| i + 1).collect::<Vec<_>>()
    };
    assert_eq!(sample(20, 3), [11, 4, 10]);
    assert_eq!(sample(20, 10), [11, 4, 10, 1, 8, 19, 6, 17, 20, 16]);
    assert_eq!(sample(20, 11), [11, 5, 1, 4, 10, 19, 2, 18, 20, 6, 9]);
    assert_eq!(sample(1000, 12)[..4], [875, 666, 252, 647]);
    assert_eq!(sample(1000, 5), [875, 665, 250, 645, 957]);
    assert_eq!(sample(3, 0), [0usize; 0]);
}
