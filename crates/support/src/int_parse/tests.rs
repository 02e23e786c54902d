//! Tests of Integer parsing; expectations from CRuby 3.1.

use super::{parse_digits, parse_int_opt, parse_int_prefix, parse_int_strict};
use crate::int::Int;

#[test]
fn prefix_by_base() {
    let table: [(&str, [i64; 6]); 12] = [
        ("0x1A", [0, 26, 0, 0, 26, 42814]),
        ("0b11", [0, 2833, 3, 0, 3, 14293]),
        ("0o17", [0, 0, 0, 15, 15, 31147]),
        ("017", [17, 23, 1, 15, 15, 43]),
        ("0d19", [19, 3353, 0, 0, 19, 16893]),
        ("1__0", [1; 6]),
        ("  12  ", [12, 18, 1, 10, 12, 38]),
        ("0_8", [8, 8, 0, 0, 0, 8]),
        ("-0x1f", [0, -31, 0, 0, -31, -42819]),
        ("0x_1", [0, 0, 0, 0, 0, 1189]),
        ("--1", [0; 6]),
        ("z", [0, 0, 0, 0, 0, 35]),
    ];
    for (text, expected) in table {
        for (base, n) in [10, 16, 2, 8, 0, 36].into_iter().zip(expected) {
            assert_eq!(parse_int_prefix(text.as_bytes(), base).unwrap(), Int::Small(n), "{text} {base}");
        }
    }
    assert_eq!(parse_int_prefix(b"1", 1).unwrap_err().message_lossy(), "invalid radix 1");
    assert_eq!(parse_int_prefix(b"1", -2).unwrap_err().message_lossy(), "invalid radix -2");
}

#[test]
fn strict() {
    let table: [(&str, i64, Option<i64>); 17] = [
        ("0x1A", 0, Some(26)),
        ("0x1A", 10, None),
        ("1_000", 0, Some(1000)),
        ("1_", 0, None),
        ("_1", 0, None),
        ("", 0, None),
        ("  12  ", 0, Some(12)),
        ("12a", 0, None),
        ("0x", 0, None),
        ("0", 0, Some(0)),
        ("08", 0, None),
        ("08", 10, Some(8)),
        ("- 1", 0, None),
        ("0x_1", 36, Some(1189)),
        ("0b11", -16, Some(3)),
        ("017", -16, Some(15)),
        ("z", -36, Some(35)),
    ];
    for (text, base, n) in table {
        assert_eq!(parse_int_opt(text.as_bytes(), base).unwrap(), n.map(Int::Small), "{text} {base}");
    }
    let message = parse_int_strict(b"1\0", 0).unwrap_err().message_lossy();
    assert_eq!(message, "invalid value for Integer(): \"1\\u0000\"");
    assert_eq!(parse_int_opt(b"1", 37).unwrap_err().message_lossy(), "invalid radix 37");
}

#[test]
fn big() {
    let n = parse_digits(b"1_267_650_600_228_229_401_496_703_205_376", 10).unwrap();
    assert_eq!(n, Int::Small(2).pow(&Int::Small(100)).unwrap());
    assert_eq!(parse_int_prefix(b"-9223372036854775808", 10).unwrap(), Int::Small(i64::MIN));
}
