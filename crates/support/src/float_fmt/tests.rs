//! Tests of float text; expectations from CRuby 3.1 (and 3.4's rule for a missing fraction).

use super::{float_to_s, frexp, parse_float_opt, parse_float_prefix, parse_float_strict, scale};

#[test]
fn to_s_matches_cruby() {
    let table = include_str!("../../tests/data/float_to_s.tsv");
    for line in table.lines() {
        let (bits, text) = line.split_once('\t').unwrap();
        let f = f64::from_bits(u64::from_str_radix(bits, 16).unwrap());
        assert_eq!(float_to_s(f), text);
        assert_eq!(parse_float_opt(text.as_bytes()), Some(f));
    }
    for (f, text) in [
        (1e16, "1.0e+16"),
        (1e15, "1.0e+15"),
        (0.0001, "0.0001"),
        (1e-5, "1.0e-05"),
        (-0.0, "-0.0"),
        (5e-324, "5.0e-324"),
        (100.0, "100.0"),
    ] {
        assert_eq!(float_to_s(f), text);
    }
}

#[test]
fn prefix_and_strict() {
    let table: [(&str, f64, Option<f64>); 36] = [
        ("1_000", 1000.0, Some(1000.0)),
        ("1__0", 1.0, None),
        ("_1", 0.0, None),
        ("1_", 1.0, None),
        ("1.5_5", 1.55, Some(1.55)),
        ("1._5", 1.0, None),
        ("1e5", 1e5, Some(1e5)),
        ("1e", 1.0, None),
        ("1e+", 1.0, None),
        (".5", 0.5, Some(0.5)),
        ("5.", 5.0, Some(5.0)),
        ("1.e5", 1e5, Some(1e5)),
        ("0x1A", 0.0, Some(26.0)),
        ("0x1.8p3", 0.0, Some(12.0)),
        ("1e1_0", 1e10, Some(1e10)),
        ("1_e5", 1.0, None),
        ("+1.5", 1.5, Some(1.5)),
        ("--1", 0.0, None),
        ("infinity", 0.0, None),
        ("1e400", f64::INFINITY, Some(f64::INFINITY)),
        ("-.5", -0.5, Some(-0.5)),
        ("1e5_", 1e5, None),
        ("0x_1", 0.0, None),
        ("0x1_1", 0.0, Some(17.0)),
        ("0x", 0.0, None),
        ("1.5abc", 1.5, None),
        (" 1.5 ", 1.5, Some(1.5)),
        ("", 0.0, None),
        ("1 2", 1.0, None),
        ("0x1p-5", 0.0, Some(0.03125)),
        ("0x1.8p1_0", 0.0, Some(1536.0)),
        ("0xp1", 0.0, None),
        ("0x1.8", 0.0, Some(1.5)),
        ("0x1.8_8", 0.0, Some(1.53125)),
        ("0x1._8", 0.0, None),
        (".", 0.0, None),
    ];
    for (text, prefix, strict) in table {
        assert_eq!(parse_float_prefix(text.as_bytes()), prefix, "{text}");
        assert_eq!(parse_float_opt(text.as_bytes()), strict, "{text}");
    }
    let message = |s: &[u8]| parse_float_strict(s).unwrap_err().message_lossy();
    assert_eq!(message(b"x\n"), "invalid value for Float(): \"x\\n\"");
    assert_eq!(message(b"1\0"), "string for Float contains null byte");
}

#[test]
fn frexp_and_scale_invert() {
    for f in [1.0, -3.5, 5e-324, 2.2e-308, 1.7e308, 0.1] {
        let (m, e) = frexp(f);
        assert!((0.5..1.0).contains(&m.abs()));
        assert_eq!(scale(m, e), f);
    }
    assert_eq!(scale(1.0, 5000), f64::INFINITY);
    assert_eq!(scale(1.0, -5000), 0.0);
}
