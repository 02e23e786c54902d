//! Tests of inspect and dump; expectations from CRuby 3.1.

use super::{dump, inspect, inspect_symbol, symbol_is_simple, symbol_key_is_simple, undump};
use crate::encoding::Encoding;

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

#[test]
fn inspect_and_dump() {
    let enc = |name: &str| Encoding::find(name.as_bytes()).unwrap();
    let rows: [(&str, &[u8], &str, &str); 15] = [
        (
            "UTF-8",
            b"a\"b\\c\x1b\x07\x08\t\n\x0b\x0c\r\0\x7f\x01",
            r#""a\"b\\c\e\a\b\t\n\v\f\r\u0000\u007F\u0001""#,
            r#""a\"b\\c\e\a\b\t\n\v\f\r\x00\x7F\x01""#,
        ),
        ("UTF-8", b"#{x} #$x #@x #x # #", r##""\#{x} \#$x \#@x #x # #""##, r##""\#{x} \#$x \#@x #x # #""##),
        (
            "UTF-8",
            "あ\u{200b}\u{10ffff}\u{ad}\u{85}\u{a0}\u{e000}".as_bytes(),
            "\"あ\u{200b}\\u{10FFFF}\u{ad}\\u0085\u{a0}\u{e000}\"",
            r#""\u3042\u200B\u{10FFFF}\u00AD\u0085\u00A0\uE000""#,
        ),
        ("UTF-8", b"\xff\xfeab", r#""\xFF\xFEab""#, r#""\xFF\xFEab""#),
        ("UTF-8", b"a\xe3\x81b", r#""a\xE3\x81b""#, r#""a\xE3\x81b""#),
        ("ISO-8859-1", b"\xe9", r#""\xE9""#, r#""\xE9""#),
        ("Shift_JIS", b"\x82\xa0", r#""\x{82A0}""#, r#""\x82\xA0""#),
        ("UTF-16LE", b"B0a\0\n\0", r#""\u3042a\n""#, r#""B0a\x00\n\x00".dup.force_encoding("UTF-16LE")"#),
        ("UTF-16BE", b"\0\0\0a", r#""\u0000a""#, r#""\x00\x00\x00a".dup.force_encoding("UTF-16BE")"#),
        ("Shift_JIS", b"\x82", r#""\x82""#, r#""\x82""#),
        ("US-ASCII", b"\xe9", r#""\xE9""#, r#""\xE9""#),
        (
            "UTF-8",
            "\u{378}\u{2028}\u{feff}\u{fffe}".as_bytes(),
            "\"\\u0378\\u2028\u{feff}\\uFFFE\"",
            r#""\u0378\u2028\uFEFF\uFFFE""#,
        ),
        ("UTF-16LE", b"\0\xd8", r#""\x00\xD8""#, r#""\x00\xD8".dup.force_encoding("UTF-16LE")"#),
        ("UTF-16LE", b"=\xd8\0\xde", r#""\u{1F600}""#, r#""=\xD8\x00\xDE".dup.force_encoding("UTF-16LE")"#),
        ("Windows-31J", b"\x81 ", r#""\x81 ""#, r#""\x81 ""#),
    ];
    for (name, bytes, inspected, dumped) in rows {
        let e = enc(name);
        assert_eq!(text(inspect(e, bytes)), inspected);
        let d = dump(e, bytes);
        assert_eq!(text(d.clone()), dumped);
        if !name.contains("UTF-8") {
            assert_eq!(undump(e, &d).unwrap(), (bytes.to_vec(), e));
        }
    }
}

#[test]
fn symbols() {
    let simple = [
        "foo", "foo?", "foo!", "foo=", "[]", "[]=", "+", "-@", "!", "!~", "=~", "===", "<=>", "@a", "@@a", "$a", "$1",
        "$~", "$-w", "あ", "A", "`", "A=", "$10",
    ];
    let quoted = [
        "", "foo bar", "1a", "@", "@1", "@@", "$", "foo?=", "=", "a-b", "[]?", "&&", "||", "$-", "@a?", "$a=", "$01",
        "!!", "foo!=", "A?=",
    ];
    for s in simple {
        assert!(symbol_is_simple(Encoding::UTF_8, s.as_bytes()), "{s}");
    }
    for s in quoted {
        assert!(!symbol_is_simple(Encoding::UTF_8, s.as_bytes()), "{s}");
    }
    assert_eq!(text(inspect_symbol(Encoding::UTF_8, b"a b")), ":\"a b\"");
    assert!(
        symbol_key_is_simple(Encoding::UTF_8, b"a?")
            && !symbol_key_is_simple(Encoding::UTF_8, b"+")
            && !symbol_key_is_simple(Encoding::UTF_8, b"a=")
    );
}

#[test]
fn undump_escapes() {
    assert_eq!(undump(Encoding::UTF_8, br#""\u{3042 3044}\n\q\#""#).unwrap().0, "あい\n\\q#".as_bytes());
    let message = |s: &[u8]| undump(Encoding::UTF_8, s).unwrap_err().message_lossy();
    assert_eq!(message(b"\"abc"), "unterminated dumped string");
    assert_eq!(message(b"\"\\xzz\""), "invalid hex escape");
    assert_eq!(message(b"\"\\xff\\u3042\""), "hex escape and Unicode escape are mixed");
}
