//! Tests of integer arithmetic; expectations from CRuby 3.1.

use super::{Int, Rounding};

fn n(text: &str) -> Int {
    crate::int_parse::parse_digits(text.as_bytes(), 10).unwrap()
}

#[test]
fn division_floors() {
    for (a, b, q, m) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -4, -1), (-7, -2, 3, -1)] {
        assert_eq!(n(&a.to_string()).divmod(&Int::Small(b)).unwrap(), (Int::Small(q), Int::Small(m)));
    }
    let big = n("100000000000000000000000");
    assert_eq!(big.neg().divmod(&Int::Small(7)).unwrap(), (n("-14285714285714285714286"), Int::Small(2)));
    assert_eq!(Int::Small(i64::MIN).div(&Int::Small(-1)).unwrap(), n("9223372036854775808"));
    assert_eq!(Int::Small(1).div(&Int::Small(0)).unwrap_err().message_lossy(), "divided by 0");
    assert_eq!(Int::Small(i64::MIN).remainder(&Int::Small(-1)).unwrap(), Int::Small(0));
}

#[test]
fn bits() {
    let big = n("-1180591620717411303424");
    assert_eq!(big.bit_length(), 70);
    assert_eq!(big.bit_and(&Int::Small(-1)), big);
    assert_eq!(big.shr(&Int::Small(69)).unwrap(), Int::Small(-2));
    assert_eq!(big.shr(&Int::Small(1000)).unwrap(), Int::Small(-1));
    assert_eq!(Int::Small(-1).shl(&Int::Small(70)).unwrap(), big);
    assert_eq!(Int::Small(-1).shl(&Int::Small(63)).unwrap(), Int::Small(i64::MIN));
    assert_eq!(Int::Small(3).shl(&Int::Small(62)).unwrap(), n("13835058055282163712"));
    assert!(big.bit(&Int::Small(70)) && !big.bit(&Int::Small(69)) && big.bit(&n("99999999999999999999")));
    assert_eq!(Int::Small(255).bit_length(), 8);
    assert_eq!(Int::Small(-256).bit_length(), 8);
    assert_eq!(Int::Small(1).shl(&n("99999999999999999999")).unwrap_err().message_lossy(), "shift width too big");
}

#[test]
fn powers_and_roots() {
    assert_eq!(Int::Small(-7).pow_mod(&Int::Small(3), &Int::Small(5)).unwrap(), Int::Small(2));
    assert_eq!(Int::Small(7).pow_mod(&Int::Small(3), &Int::Small(-5)).unwrap(), Int::Small(-2));
    let e = Int::Small(10).pow(&n("10000000000000")).unwrap_err();
    assert_eq!(e.message_lossy(), "exponent is too large");
    assert_eq!(Int::Small(-1).pow(&n("10000000000000000000001")).unwrap(), Int::Small(-1));
    assert_eq!(Int::Small(10).pow(&Int::Small(40)).unwrap().isqrt().unwrap(), n("100000000000000000000"));
    assert_eq!(n("1234").digits(&Int::Small(10)).unwrap(), [4, 3, 2, 1].map(Int::Small));
    assert_eq!(n("100000000000000000000").digits(&Int::Small(100000)).unwrap(), [0, 0, 0, 0, 1].map(Int::Small));
}

#[test]
fn rounding() {
    for (v, d, mode, want) in [
        (15, -1, Rounding::HalfUp, 20),
        (25, -1, Rounding::HalfEven, 20),
        (25, -1, Rounding::HalfDown, 20),
        (-15, -1, Rounding::HalfUp, -20),
        (-11, -1, Rounding::Floor, -20),
        (11, -1, Rounding::Ceil, 20),
        (-19, -1, Rounding::Truncate, -10),
        (5, -3, Rounding::HalfUp, 0),
        (500, -3, Rounding::HalfUp, 1000),
        (1, -2, Rounding::Ceil, 100),
        (0, -2, Rounding::Ceil, 0),
        (4, -40, Rounding::HalfUp, 0),
    ] {
        assert_eq!(Int::Small(v).round_digits(d, mode), Int::Small(want), "{v} {d} {mode:?}");
    }
}

#[test]
fn floats() {
    assert_eq!(n("9007199254740993").to_f64(), 9007199254740992.0);
    assert_eq!(n("36893488147419107329").to_f64(), 36893488147419111424.0);
    assert_eq!(Int::from_f64(1e30), Some(n("1000000000000000019884624838656")));
    assert_eq!(Int::Small(1).cmp_f64(1.5), Some(std::cmp::Ordering::Less));
    assert_eq!(Int::Small(-1).cmp_f64(-1.5), Some(std::cmp::Ordering::Greater));
    let big = Int::Small(10).pow(&Int::Small(400)).unwrap();
    assert_eq!(big.fdiv(&Int::Small(10).pow(&Int::Small(399)).unwrap()), 10.0);
    assert_eq!(Int::Small(255).to_s(16).unwrap(), "ff");
    assert_eq!(Int::Small(i64::MIN).to_s(2).unwrap().len(), 65);
}
