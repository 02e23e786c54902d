//! Tests of conversion; expectations from CRuby 3.1.

use super::{can_convert, problem_message, transcode};
use crate::encoding::Encoding;

fn convert(from: &str, to: &str, s: &[u8]) -> Result<Vec<u8>, String> {
    let (from, to) = (Encoding::find(from.as_bytes()).unwrap(), Encoding::find(to.as_bytes()).unwrap());
    transcode(from, to, s, |p| Err(problem_message(from, to, s, p)))
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
    assert!(!can_convert(Encoding::UTF_8, Encoding::find(b"UTF-7").unwrap()));
}
