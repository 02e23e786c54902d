//! Tests of the encoding table and character functions; expectations from CRuby 3.1.

use super::Encoding;
use super::chars::{CharLen, char_len, code_point, push_code_point};
use super::scan::{CodeRange, broken_ranges, char_count, char_offset, char_start, code_range, graphemes, scrub};

#[test]
fn table() {
    assert_eq!(Encoding::find(b"sjis"), Some(Encoding::WINDOWS_31J));
    assert_eq!(Encoding::find(b"Binary"), Some(Encoding::BINARY));
    for (e, name) in [
        (Encoding::UTF_8, "UTF-8"),
        (Encoding::US_ASCII, "US-ASCII"),
        (Encoding::UTF_16BE, "UTF-16BE"),
        (Encoding::UTF_16LE, "UTF-16LE"),
        (Encoding::UTF_32BE, "UTF-32BE"),
        (Encoding::UTF_32LE, "UTF-32LE"),
        (Encoding::UTF_16, "UTF-16"),
        (Encoding::UTF_32, "UTF-32"),
        (Encoding::EUC_JP, "EUC-JP"),
        (Encoding::WINDOWS_31J, "Windows-31J"),
        (Encoding::ISO_8859_1, "ISO-8859-1"),
        (Encoding::SHIFT_JIS, "Shift_JIS"),
    ] {
        assert_eq!(e.name(), name);
    }
    assert_eq!(Encoding::BINARY.inspect(), "#<Encoding:BINARY (ASCII-8BIT)>");
    assert_eq!(Encoding::UTF_16.inspect(), "#<Encoding:UTF-16 (dummy)>");
    assert!(Encoding::all().all(|e| Encoding::find(e.name().as_bytes()) == Some(e)));
}

#[test]
fn lengths() {
    let u = Encoding::UTF_8;
    assert_eq!(char_len(u, "é".as_bytes()), CharLen::Valid(2));
    assert_eq!(char_len(u, b"\xe3\x81"), CharLen::NeedMore(1));
    assert_eq!(char_len(u, b"\xe3b"), CharLen::Invalid);
    assert_eq!(char_len(u, b"\xed\xa0\x80"), CharLen::Invalid);
    assert_eq!(char_len(Encoding::UTF_16LE, b"\0\xd8"), CharLen::NeedMore(2));
    assert_eq!(char_len(Encoding::SHIFT_JIS, b"\x82\xa0"), CharLen::Valid(2));
    assert_eq!(code_point(Encoding::SHIFT_JIS, b"\x82\xa0"), Some((0x82a0, 2)));
    for e in Encoding::all() {
        for c in [0x41u32, 0x7f] {
            let mut out = Vec::new();
            push_code_point(e, c, &mut out).unwrap();
            assert_eq!(code_point(e, &out), Some((c, out.len())), "{}", e.name());
        }
    }
    let mut out = Vec::new();
    for (e, c, message) in [
        (Encoding::UTF_8, 0xd800, "invalid codepoint 0xD800 in UTF-8"),
        (Encoding::US_ASCII, 0x80, "invalid codepoint 0x80 in US-ASCII"),
        (Encoding::BINARY, 300, "300 out of char range"),
    ] {
        assert_eq!(push_code_point(e, c, &mut out).unwrap_err().message_lossy(), message);
    }
}

#[test]
fn counting() {
    let s = "aあé😀b".repeat(40);
    let s = s.as_bytes();
    let u = Encoding::UTF_8;
    assert_eq!(char_count(u, s, None), 200);
    for n in 0..=200 {
        let slow = char_offset(u, s, n, None);
        assert_eq!(slow, char_offset(u, s, n, Some(CodeRange::Valid)));
    }
    assert_eq!(char_offset(u, s, 201, Some(CodeRange::Valid)), None);
    assert_eq!(char_count(u, b"a\xe3\x81b\xff", None), 5);
    assert_eq!(char_start(u, "aあb".as_bytes(), 3), 1);
    assert_eq!(code_range(u, b"abc"), CodeRange::SevenBit);
    assert_eq!(code_range(u, b"\xff"), CodeRange::Broken);
    assert_eq!(code_range(Encoding::BINARY, b"\xff"), CodeRange::Valid);
    assert_eq!(graphemes(u, "e\u{301}x".as_bytes()).count(), 2);
}

#[test]
fn scrubbing() {
    let u = Encoding::UTF_8;
    assert_eq!(scrub(u, b"abc\xe3\x80", |_| b"?".to_vec()), Some(b"abc?".to_vec()));
    assert_eq!(scrub(u, b"\xff\xffa", |_| b"?".to_vec()), Some(b"??a".to_vec()));
    assert_eq!(scrub(u, b"a\xf0\x9f\x98b", |_| b"?".to_vec()), Some(b"a?b".to_vec()));
    assert_eq!(broken_ranges(u, b"ok").next(), None);
}
