//! How characters lie in a subject: one byte each, UTF-8, or anything else. Nothing here can fail: a byte that begins
//! no character is one of its own, with a code that no set has.

use asterism_support::encoding::chars::{code_point, step};
use asterism_support::encoding::{Encoding, Kind};

use crate::program::CharSet;

/// The code of what is no character.
pub const BROKEN: u32 = u32::MAX;

/// The characters of a subject.
pub trait Coding: Copy {
    /// A byte each.
    const SINGLE: bool;
    /// ASCII is one byte, which occurs in no other character.
    const PLAIN_ASCII: bool;
    /// The character before a place is found without looking further back.
    const BACKWARD: bool;

    /// The length of the character at `at`, which lies before the end.
    fn len(self, s: &[u8], at: usize) -> usize;

    /// Its code and length.
    fn code(self, s: &[u8], at: usize) -> (u32, usize);

    /// Where the character before `at` begins, which lies behind the beginning.
    fn before(self, s: &[u8], at: usize) -> usize;

    /// The length of the character at `at` if the set has it. `at` lies before the end.
    #[inline(always)]
    fn matches(self, set: &CharSet, s: &[u8], at: usize) -> Option<usize> {
        let byte = s[at];
        if Self::SINGLE {
            return set.low.contains(byte).then_some(1);
        }
        if Self::PLAIN_ASCII && byte < 0x80 {
            return set.low.contains(byte).then_some(1);
        }
        let (code, len) = self.code(s, at);
        set.has(code).then_some(len)
    }
}

/// One byte each.
#[derive(Clone, Copy, Debug)]
pub struct Single;

impl Coding for Single {
    const SINGLE: bool = true;
    const PLAIN_ASCII: bool = true;
    const BACKWARD: bool = true;

    #[inline(always)]
    fn len(self, _s: &[u8], _at: usize) -> usize {
        1
    }

    #[inline(always)]
    fn code(self, s: &[u8], at: usize) -> (u32, usize) {
        (s[at].into(), 1)
    }

    #[inline(always)]
    fn before(self, _s: &[u8], at: usize) -> usize {
        at - 1
    }
}

/// UTF-8.
#[derive(Clone, Copy, Debug)]
pub struct Utf8;

impl Coding for Utf8 {
    const SINGLE: bool = false;
    const PLAIN_ASCII: bool = true;
    const BACKWARD: bool = true;

    #[inline(always)]
    fn len(self, s: &[u8], at: usize) -> usize {
        let byte = s[at];
        if byte < 0x80 { 1 } else { self.code(s, at).1 }
    }

    #[inline(always)]
    fn code(self, s: &[u8], at: usize) -> (u32, usize) {
        let rest = &s[at..];
        let more = |b: u8| u32::from(b & 0x3f);
        let is_more = |b: u8| b & 0xc0 == 0x80;
        match *rest {
            [a @ 0..0x80, ..] => (a.into(), 1),
            [a @ 0xc2..=0xdf, b, ..] if is_more(b) => (u32::from(a & 0x1f) << 6 | more(b), 2),
            [a @ 0xe0..=0xef, b, c, ..] if is_more(b) && is_more(c) => {
                let code = u32::from(a & 0x0f) << 12 | more(b) << 6 | more(c);
                if code >= 0x800 && !(0xd800..0xe000).contains(&code) { (code, 3) } else { (BROKEN, 1) }
            }
            [a @ 0xf0..=0xf4, b, c, d, ..] if is_more(b) && is_more(c) && is_more(d) => {
                let code = u32::from(a & 0x07) << 18 | more(b) << 12 | more(c) << 6 | more(d);
                if (0x1_0000..0x11_0000).contains(&code) { (code, 4) } else { (BROKEN, 1) }
            }
            _ => (BROKEN, 1),
        }
    }

    #[inline(always)]
    fn before(self, s: &[u8], at: usize) -> usize {
        if s[at - 1] < 0x80 {
            return at - 1;
        }
        let first = (1..=4.min(at)).find(|n| s[at - n] & 0xc0 != 0x80).unwrap_or(1);
        if self.len(s, at - first) == first { at - first } else { at - 1 }
    }
}

/// Any other encoding.
#[derive(Clone, Copy, Debug)]
pub struct Multi(pub Encoding);

impl Coding for Multi {
    const SINGLE: bool = false;
    const PLAIN_ASCII: bool = false;
    const BACKWARD: bool = false;

    fn len(self, s: &[u8], at: usize) -> usize {
        step(self.0, &s[at..])
    }

    fn code(self, s: &[u8], at: usize) -> (u32, usize) {
        code_point(self.0, &s[at..]).unwrap_or_else(|| (BROKEN, step(self.0, &s[at..])))
    }

    fn before(self, s: &[u8], at: usize) -> usize {
        match self.0.kind() {
            Kind::Utf16Be | Kind::Utf16Le => {
                let wide = at >= 4 && at.is_multiple_of(2) && self.len(s, at - 4) == 4;
                at - if wide { 4 } else { 2.min(at) }
            }
            Kind::Utf32Be | Kind::Utf32Le => at - 4.min(at),
            _ => {
                // No character goes on with such a byte: from behind it characters can be counted.
                let sure = s[..at - 1].iter().rposition(|b| *b < 0x30).map_or(0, |n| n + 1);
                let mut begin = sure;
                loop {
                    let next = begin + self.len(s, begin);
                    if next >= at {
                        return begin;
                    }
                    begin = next;
                }
            }
        }
    }
}
