//! Tests of case mapping; expectations from CRuby 3.1.

use super::{CaseOp, CaseOptions, casecmp, map_case};
use crate::encoding::Encoding;

#[test]
fn unicode() {
    let map =
        |s: &str, op| String::from_utf8(map_case(Encoding::UTF_8, s.as_bytes(), op, CaseOptions::default())).unwrap();
    for (s, op, want) in [
        ("ΑΣ", CaseOp::Down, "ας".replace('ς', "σ").as_str()),
        ("ß", CaseOp::Up, "SS"),
        ("ßa", CaseOp::Capitalize, "Ssa"),
        ("ǆ", CaseOp::Capitalize, "ǅ"),
        ("ŉ", CaseOp::Up, "ʼN"),
        ("ﬁx", CaseOp::Capitalize, "Fix"),
        ("ß", CaseOp::Fold, "ss"),
        ("ᾳ", CaseOp::Up, "ΑΙ"),
        ("ᾳ", CaseOp::Capitalize, "ᾼ"),
        ("ᾳ", CaseOp::Swap, "ΑΙ"),
        ("ǅ", CaseOp::Swap, "dŽ"),
        ("ა", CaseOp::Up, "Ა"),
        ("ა", CaseOp::Capitalize, "ა"),
        ("Ა", CaseOp::Swap, "ა"),
        ("hELLO wORLD", CaseOp::Swap, "Hello World"),
        ("éÉ", CaseOp::Swap, "Éé"),
        ("ÉCOLE É", CaseOp::Capitalize, "École é"),
    ] {
        assert_eq!(map(s, op), want, "{s}");
    }
    let turkic = CaseOptions { turkic: true, ..CaseOptions::default() };
    assert_eq!(map_case(Encoding::UTF_8, "i".as_bytes(), CaseOp::Up, turkic), "İ".as_bytes());
    assert_eq!(map_case(Encoding::UTF_8, "Iİ".as_bytes(), CaseOp::Down, turkic), "ıi".as_bytes());
    let ascii = CaseOptions { ascii: true, ..CaseOptions::default() };
    assert_eq!(map_case(Encoding::UTF_8, "aé".as_bytes(), CaseOp::Up, ascii), "Aé".as_bytes());
}

#[test]
fn other_encodings() {
    let none = CaseOptions::default();
    assert_eq!(map_case(Encoding::ISO_8859_1, b"a\xe9\xdf", CaseOp::Up, none), b"A\xc9\xdf");
    assert_eq!(map_case(Encoding::UTF_16LE, b"a\0\xe9\0", CaseOp::Up, none), b"A\0\xc9\0");
    assert_eq!(map_case(Encoding::SHIFT_JIS, b"a\x82\xa0b", CaseOp::Up, none), b"A\x82\xa0B");
    assert_eq!(map_case(Encoding::BINARY, b"a\xe9", CaseOp::Up, none), b"A\xe9");
    assert_eq!(map_case(Encoding::UTF_8, b"a\xffb", CaseOp::Capitalize, none), b"A\xffb");
    assert_eq!(casecmp(b"aBc", b"AbD"), std::cmp::Ordering::Less);
}
