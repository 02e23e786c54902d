//! Tests of succ; expectations from CRuby 3.1.

use super::succ;
use crate::encoding::Encoding;

#[test]
fn utf8() {
    for (s, want) in [
        ("az", "ba"),
        ("zz", "aaa"),
        ("a9", "b0"),
        ("Az", "Ba"),
        ("Zz", "AAa"),
        ("Z9", "AA0"),
        ("-9", "-10"),
        ("9", "10"),
        ("-z", "-aa"),
        ("1.9", "2.0"),
        ("<<koala>>", "<<koalb>>"),
        ("1999zzz", "2000aaa"),
        ("ZZZ9999", "AAAA0000"),
        ("***", "**+"),
        ("a-9", "a-10"),
        ("a-z", "b-a"),
        ("", ""),
        ("あ", "ぃ"),
        ("Zz9", "AAa0"),
        ("-", "."),
        ("1.9.9", "2.0.0"),
        ("a!", "b!"),
        ("!z", "!aa"),
        ("\u{10ffff}", "\u{1}\u{10000}"),
        ("zあ", "zぃ"),
        ("あz", "ぃa"),
        ("～", "｟"),
        ("ん", "ゔ"),
        ("\x7f", "\u{1}\0"),
        ("-9-", "-10-"),
        ("<9>", "<10>"),
        ("a.9", "a.10"),
        ("9.z", "9.aa"),
        ("z.9", "z.10"),
        ("Ω", "Ϊ"),
        ("é", "ê"),
    ] {
        assert_eq!(String::from_utf8(succ(Encoding::UTF_8, s.as_bytes())).unwrap(), want, "{s}");
    }
}

#[test]
fn bytes() {
    for (s, want) in [(&b"\xff"[..], &b"\x01\0"[..]), (b"a\xff", b"b\xff"), (b"\xff\xff", b"\x01\0\0")] {
        assert_eq!(succ(Encoding::BINARY, s), want);
    }
    assert_eq!(succ(Encoding::ISO_8859_1, b"\xe9"), b"\xea");
    assert_eq!(succ(Encoding::UTF_16LE, b"z\0"), b"a\0a\0");
    succ(Encoding::SHIFT_JIS, b"\x82\xa0");
}
