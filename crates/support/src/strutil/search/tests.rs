//! Tests of search and trimming; expectations from CRuby 3.1.

use super::{find, lstrip_len, rindex, rstrip_len, split_awk, sum};
use crate::encoding::Encoding;
use crate::int::Int;

const U: Encoding = Encoding::UTF_8;

#[test]
fn searching() {
    assert_eq!(find(U, b"hello", b"l", 0), Some(2));
    assert_eq!(find(U, b"hello", b"l", 4), None);
    assert_eq!(find(U, b"hello", b"", 5), Some(5));
    assert_eq!(find(U, b"hello", b"", 6), None);
    assert_eq!(rindex(U, b"hello", b"l", 5), Some(3));
    assert_eq!(rindex(U, b"hello", b"l", 2), Some(2));
    assert_eq!(rindex(U, b"hello", b"", 5), Some(5));
    assert_eq!(rindex(U, b"hello", b"hellox", 5), None);
    // The second byte of the first character is a backslash's.
    assert_eq!(find(Encoding::SHIFT_JIS, b"\x83\x5c\x5c", b"\\", 0), Some(2));
    assert_eq!(rindex(Encoding::SHIFT_JIS, b"\x83\x5c", b"\\", 2), None);
}

#[test]
fn trimming() {
    assert_eq!(lstrip_len(U, b"\0 \t\n x"), 5);
    assert_eq!(rstrip_len(U, b"x \0\n"), 1);
    assert_eq!(rstrip_len(Encoding::UTF_16LE, b"x\0 \0\n\0"), 2);
    let split = |s: &str, limit| split_awk(U, s.as_bytes(), limit).map(|r| s[r].to_string()).collect::<Vec<_>>();
    assert_eq!(split(" a  b c ", 0), ["a", "b", "c"]);
    assert_eq!(split(" a  b c ", 2), ["a", "b c "]);
    assert_eq!(split("a b ", 5), ["a", "b", ""]);
    assert_eq!(split("a\0b c", 0), ["a\0b", "c"]);
    assert_eq!(split("  ", 2), [""]);
    assert_eq!(split("", 2), [""; 0]);
    assert_eq!(split(" ab ", 1), [" ab "]);
    assert_eq!(sum(b"abc", 16), Int::Small(294));
    assert_eq!(sum(b"abc", 8), Int::Small(38));
}
