//! Tests of character sets; expectations from CRuby 3.1.

use super::{CharSet, count, delete, squeeze, tr};
use crate::encoding::Encoding;

const U: Encoding = Encoding::UTF_8;

fn run_tr(s: &str, from: &str, to: &str, runs: bool) -> String {
    let out = tr(U, s.as_bytes(), from.as_bytes(), to.as_bytes(), runs).unwrap();
    String::from_utf8(out.unwrap_or(s.as_bytes().to_vec())).unwrap()
}

#[test]
fn translation() {
    for (s, from, to, want) in [
        ("hello", "a-y", "b-z", "ifmmp"),
        ("hello", "^l", "*", "**ll*"),
        ("hel-lo", "a\\-z", "XYZ", "helYlo"),
        ("hello", "el", "ip", "hippo"),
        ("hello", "a-e", "", "hllo"),
        ("h\\e", "\\\\", "x", "hxe"),
        ("a-b", "-a", "xy", "yxb"),
        ("a-b", "a-", "xy", "xyb"),
        ("あいう", "あ-う", "a-c", "acc"),
        ("abc", "a-c", "A", "AAA"),
        ("abc", "^b", "xy", "yby"),
        ("a]b", "\\]", "x", "axb"),
        ("abc", "a-c", "^-`", "^_`"),
    ] {
        assert_eq!(run_tr(s, from, to, false), want, "{s} {from} {to}");
    }
    assert_eq!(run_tr("hello", "l", "r", true), "hero");
    let e = tr(U, b"a", b"z-a", b"b", false).unwrap_err();
    assert_eq!(e.message_lossy(), "invalid range \"z-a\" in string transliteration");
}

#[test]
fn sets() {
    let set = |args: &[&[u8]]| {
        let args: Vec<_> = args.iter().map(|a| (U, *a)).collect();
        CharSet::new(&args).unwrap()
    };
    assert_eq!(squeeze(U, None, b"aabbcc").unwrap().unwrap(), b"abc");
    assert_eq!(squeeze(U, Some(&set(&[b"a-b"])), b"aabbcc").unwrap().unwrap(), b"abcc");
    assert_eq!(delete(&set(&[b"l", b"lo"]), b"hello").unwrap().unwrap(), b"heo");
    assert_eq!(count(&set(&[b"lo", b"o"]), b"hello").unwrap(), 1);
    assert_eq!(count(&set(&[b"^"]), b"h^llo").unwrap(), 1);
    assert_eq!(delete(&set(&[b"^l"]), b"h^llo").unwrap().unwrap(), b"ll");
    assert_eq!(delete(&set(&[b"z"]), b"abc").unwrap(), None);
}
