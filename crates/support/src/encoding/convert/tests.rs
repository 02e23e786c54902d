//! Tests of conversion; expectations from CRuby 3.1.

use super::{Converter, Decorators, Newline, Stop, path};
use crate::encoding::Encoding;

fn find(name: &str) -> Encoding {
    Encoding::find(name.as_bytes()).unwrap()
}

fn convert(from: &str, to: &str, s: &[u8]) -> Result<Vec<u8>, String> {
    let mut converter = Converter::new(find(from), find(to), Decorators::default()).unwrap();
    let mut out = Vec::new();
    match converter.run(s, &mut out, None, false, false) {
        (_, Stop::Finished) => Ok(out),
        (_, Stop::Failed(failure)) => Err(converter.message(&failure)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn conversions() {
    let ok: [(&str, &str, &[u8], &[u8]); 15] = [
        ("ISO-8859-1", "UTF-8", b"\xe9", "é".as_bytes()),
        ("UTF-8", "UTF-16", "あ".as_bytes(), b"\xfe\xff\x30\x42"),
        ("UTF-8", "UTF-32", "あ".as_bytes(), b"\0\0\xfe\xff\0\0\x30\x42"),
        ("UTF-16", "UTF-8", b"\xff\xfe\x42\x30", "あ".as_bytes()),
        ("UTF-8", "Shift_JIS", "あ".as_bytes(), b"\x82\xa0"),
        ("Shift_JIS", "UTF-8", b"\x82\xa0", "あ".as_bytes()),
        ("UTF-8", "Windows-1252", "é€".as_bytes(), b"\xe9\x80"),
        ("UTF-8", "IBM437", "é".as_bytes(), b"\x82"),
        ("UTF-8", "ISO-8859-15", "€".as_bytes(), b"\xa4"),
        ("UTF-8", "EUC-JP", "あ〜".as_bytes(), b"\xa4\xa2\xa1\xc1"),
        ("UTF-8", "Windows-31J", "～".as_bytes(), b"\x81\x60"),
        ("UTF-16LE", "UTF-8", b"=\xd8\0\xde", "😀".as_bytes()),
        ("UTF-8", "GBK", "中".as_bytes(), b"\xd6\xd0"),
        ("UTF-8", "EUC-KR", "한".as_bytes(), b"\xc7\xd1"),
        ("UTF-8", "Shift_JIS", b"\\~", b"\\~"),
    ];
    for (from, to, s, want) in ok {
        assert_eq!(convert(from, to, s).as_deref(), Ok(want), "{from} {to}");
    }
}

#[test]
fn problems() {
    let bad: [(&str, &str, &[u8], &str); 11] = [
        ("UTF-8", "UTF-16LE", b"\xff", r#""\xFF" on UTF-8"#),
        ("UTF-8", "ISO-8859-1", "あ".as_bytes(), "U+3042 from UTF-8 to ISO-8859-1"),
        ("ASCII-8BIT", "UTF-8", b"\xff", r#""\xFF" from ASCII-8BIT to UTF-8"#),
        ("UTF-8", "UTF-16LE", b"a\xe3\x81", r#"incomplete "\xE3\x81" on UTF-8"#),
        ("UTF-8", "UTF-16LE", b"\xe3b", r#""\xE3" followed by "b" on UTF-8"#),
        ("UTF-8", "EUC-JP", "～".as_bytes(), "U+FF5E from UTF-8 to EUC-JP"),
        ("UTF-16BE", "UTF-8", b"\xd8\0", r#"incomplete "\xD8\x00" on UTF-16BE"#),
        ("ISO-8859-1", "Shift_JIS", b"\xe9", "U+00E9 to Shift_JIS in conversion from ISO-8859-1 to UTF-8 to Shift_JIS"),
        ("ASCII-8BIT", "UTF-16LE", b"\xe9", r#""\xE9" to UTF-8 in conversion from ASCII-8BIT to UTF-8 to UTF-16LE"#),
        ("US-ASCII", "UTF-8", b"\x80", r#""\x80" on US-ASCII"#),
        ("Windows-31J", "UTF-8", b"\xa0", r#""\xA0" on Windows-31J"#),
    ];
    for (from, to, s, want) in bad {
        assert_eq!(convert(from, to, s).unwrap_err(), want, "{from} {to}");
    }
    assert!(path(Encoding::UTF_8, find("UTF-7")).is_none());
}

#[test]
fn states() {
    let ok: [(&str, &str, &[u8], &[u8]); 7] = [
        ("UTF-8", "ISO-2022-JP", "aあb\nい".as_bytes(), b"a\x1b$B$\"\x1b(Bb\n\x1b$B$$\x1b(B"),
        ("ISO-2022-JP", "UTF-8", b"\x1b$B$\"\x1b(B", "あ".as_bytes()),
        ("UTF-8", "CP50221", "ｱﾞ".as_bytes(), b"\x1b(I1^\x1b(B"),
        ("UTF-8", "CP50220", "ｶﾞ".as_bytes(), b"\x1b$B%,\x1b(B"),
        ("UTF-8", "IBM037", "é".as_bytes(), b"Q"),
        ("UTF8-MAC", "UTF-8", "e\u{301}".as_bytes(), "é".as_bytes()),
        ("ISO-8859-1", "EUC-JP", b"\xe9", b"\x8f\xab\xb1"),
    ];
    for (from, to, s, want) in ok {
        assert_eq!(convert(from, to, s).as_deref(), Ok(want), "{from} {to}");
    }
}

#[test]
fn pieces() {
    let mut converter = Converter::new(Encoding::UTF_8, Encoding::UTF_16, Decorators::default()).unwrap();
    let mut made = Vec::new();
    let mut rest = &b"pi"[..];
    for _ in 0..20 {
        let mut out = Vec::new();
        let (taken, stop) = converter.run(rest, &mut out, Some(1), false, false);
        assert!(out.len() <= 1);
        rest = &rest[taken..];
        made.extend(out);
        if stop == Stop::Finished {
            break;
        }
    }
    assert_eq!(made, b"\xfe\xff\0p\0i");

    let mut converter = Converter::new(Encoding::UTF_16LE, Encoding::ISO_8859_1, Decorators::default()).unwrap();
    let Stop::Failed(failure) = converter.run(b"\0\xd8a\0", &mut Vec::new(), None, false, false).1 else {
        panic!("it should fail");
    };
    assert_eq!((&failure.bytes[..], &failure.readagain[..]), (&b"\0\xd8"[..], &b"a\0"[..]));
    assert_eq!(converter.put_back(1), b"\0");
    assert_eq!(converter.put_back(9), b"a");

    let decorators = Decorators { newline: Newline::Universal, ..Decorators::default() };
    let mut converter = Converter::with_path(Vec::new(), decorators);
    let mut out = Vec::new();
    converter.run(b"a\r", &mut out, None, true, false);
    converter.run(b"\nb\rc\r", &mut out, None, false, false);
    assert_eq!(out, b"a\nb\nc\n");
}
