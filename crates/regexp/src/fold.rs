//! Letters whatever their case: which characters are one another's, one by one and as sequences (`ß` and `ss`).
//!
//! The folding of a character is Unicode's full one. It is worked out from the standard library's case mappings:
//! lower case of upper case of lower case, but for the Turkish letters.

use std::sync::OnceLock;

use asterism_support::encoding::transcode::{single_decode, single_encode};
use asterism_support::encoding::{Encoding, Kind};
use icu_properties::{CodePointSetData, props};

use crate::ast::{Node, Repeat, Text, UNBOUNDED};
use crate::set::CodeSet;
use crate::single;

/// What a character becomes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Folded {
    codes: [u32; 3],
    len: u8,
}

impl Folded {
    fn one(code: u32) -> Folded {
        Folded { codes: [code, 0, 0], len: 1 }
    }

    fn of(chars: impl IntoIterator<Item = char>) -> Folded {
        let mut folded = Folded { codes: [0; 3], len: 0 };
        for (c, place) in chars.into_iter().zip(&mut folded.codes) {
            *place = u32::from(c);
            folded.len += 1;
        }
        folded
    }

    /// The folded characters: one to three.
    pub fn codes(&self) -> &[u32] {
        &self.codes[..usize::from(self.len)]
    }
}

/// The tables of Unicode, made at first use.
struct Tables {
    /// A character and what it becomes, by the character, for those that change.
    folds: Vec<(u32, Folded)>,
    /// What they become and the character, by the former.
    unfolds: Vec<(Folded, u32)>,
    /// Characters beyond ASCII that change, and those that are changed to, ascending.
    codes: Vec<u32>,
}

fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    asterism_lock::once::get_or_init(&TABLES, || {
        let mut folds = Vec::new();
        let mut unfolds = Vec::new();
        for range in CodePointSetData::new::<props::ChangesWhenCasemapped>().iter_ranges() {
            for code in range {
                let Some(folded) = char::from_u32(code).map(fold_char) else { continue };
                if folded != Folded::one(code) {
                    folds.push((code, folded));
                    unfolds.push((folded, code));
                }
            }
        }
        unfolds.sort_unstable();
        // Every character that has an equal is one of them.
        let mut codes: Vec<u32> = folds.iter().flat_map(|(code, to): &(u32, Folded)| [*code, to.codes()[0]]).collect();
        codes.retain(|code| *code >= 0x80);
        codes.sort_unstable();
        codes.dedup();
        Tables { folds, unfolds, codes }
    })
}

fn fold_char(c: char) -> Folded {
    if c == 'ı' {
        return Folded::one(u32::from(c));
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(l), None) => Folded::of(l.to_uppercase().flat_map(char::to_lowercase)),
        _ => Folded::of(c.to_lowercase()),
    }
}

/// What a code of Unicode becomes.
pub fn unicode(code: u32) -> Folded {
    if code < 0x80 {
        return Folded::one(u32::from((code as u8).to_ascii_lowercase()));
    }
    let folds = &tables().folds;
    match folds.binary_search_by_key(&code, |f| f.0) {
        Ok(i) => folds[i].1,
        Err(_) => Folded::one(code),
    }
}

fn unicode_unfolded(folded: &Folded) -> impl Iterator<Item = u32> {
    let unfolds = &tables().unfolds;
    let first = unfolds.partition_point(|u| u.0 < *folded);
    unfolds[first..].iter().take_while(move |u| u.0 == *folded).map(|u| u.1)
}

/// The codes that become these, themselves included if they are one.
fn all_that_fold_to(codes: &[u32]) -> Vec<u32> {
    let mut folded = Folded { codes: [0; 3], len: codes.len() as u8 };
    folded.codes[..codes.len()].copy_from_slice(codes);
    let mut all: Vec<u32> = unicode_unfolded(&folded).collect();
    if let [code] = codes {
        all.push(*code);
    }
    all
}

/// Rows of letters in EUC-JP: first and last of the capitals, and how far behind the small ones are.
const EUC: &[(u32, u32, u32)] = &[(0xa3c1, 0xa3da, 0x20), (0xa6a1, 0xa6b8, 0x20), (0xa7a1, 0xa7c1, 0x30)];

/// The same in Shift_JIS; the small Cyrillic letters have a gap.
const SJIS: &[(u32, u32, u32)] =
    &[(0x8260, 0x8279, 0x21), (0x839f, 0x83b6, 0x20), (0x8440, 0x844e, 0x30), (0x844f, 0x8460, 0x31)];

/// How letters fold in an encoding.
#[derive(Clone, Copy, Debug)]
pub struct Folding {
    encoding: Encoding,
    /// Only ASCII occurs.
    ascii: bool,
}

impl Folding {
    /// For an encoding; `ascii`: for subjects that are ASCII.
    pub fn new(encoding: Encoding, ascii: bool) -> Folding {
        let ascii = ascii
            || match encoding.kind() {
                Kind::Binary | Kind::UsAscii => true,
                Kind::Single => !single::has_letters(encoding),
                _ => false,
            };
        Folding { encoding, ascii }
    }

    fn rows(self) -> &'static [(u32, u32, u32)] {
        match self.encoding.kind() {
            Kind::EucJp => EUC,
            Kind::Sjis => SJIS,
            _ => &[],
        }
    }

    /// What a character becomes.
    pub fn fold(self, code: u32) -> Folded {
        if code < 0x80 {
            return Folded::one(u32::from((code as u8).to_ascii_lowercase()));
        }
        if self.ascii {
            return Folded::one(code);
        }
        if self.encoding.is_unicode() {
            return unicode(code);
        }
        if self.encoding.kind() == Kind::Single {
            return self.fold_single(code).unwrap_or(Folded::one(code));
        }
        for &(first, last, distance) in self.rows() {
            if (first..=last).contains(&code) {
                return Folded::one(code + distance);
            }
        }
        Folded::one(code)
    }

    /// Through Unicode, if the result has a place in the encoding.
    fn fold_single(self, code: u32) -> Option<Folded> {
        let folded = unicode(single_decode(self.encoding, u8::try_from(code).ok()?)?);
        let mut result = Folded { codes: [0; 3], len: folded.len };
        for (to, from) in result.codes.iter_mut().zip(folded.codes()) {
            *to = single_encode(self.encoding, *from)?.into();
        }
        Some(result)
    }

    /// The characters that become these, in the encoding.
    pub fn unfold(self, codes: &[u32]) -> Vec<u32> {
        if self.ascii {
            return match codes {
                [code @ 0..0x80] => {
                    let mut both = vec![*code];
                    let upper = u32::from((*code as u8).to_ascii_uppercase());
                    if upper != *code {
                        both.push(upper);
                    }
                    both
                }
                [code] => vec![*code],
                _ => Vec::new(),
            };
        }
        if self.encoding.is_unicode() {
            return all_that_fold_to(codes);
        }
        if self.encoding.kind() == Kind::Single {
            return (0..256).filter(|c| self.fold(*c).codes() == codes).collect();
        }
        let [code] = *codes else { return Vec::new() };
        let mut all = vec![code];
        if code < 0x80 && (code as u8).is_ascii_lowercase() {
            all.push(code - 0x20);
        }
        for &(first, last, distance) in self.rows() {
            if (first + distance..=last + distance).contains(&code) {
                all.push(code - distance);
            }
        }
        all
    }

    /// All pairs of a character of the set and another one that is its equal, and sequences that equal one.
    pub fn close(self, set: &CodeSet, mut pair: impl FnMut(u32, u32), mut sequence: impl FnMut(&[u32])) {
        let mut seen = |code: u32| {
            let folded = self.fold(code);
            if folded.codes().len() > 1 {
                sequence(folded.codes());
            }
            for other in self.unfold(folded.codes()) {
                if other != code {
                    pair(code, other);
                }
            }
        };
        for code in (0..0x80u32).filter(|c| (*c as u8).is_ascii_alphabetic() && set.contains(*c)) {
            seen(code);
        }
        if self.ascii {
            return;
        }
        if self.encoding.is_unicode() {
            let mut codes = &tables().codes[..];
            for &(first, last) in set.ranges().iter().filter(|range| range.1 >= 0x80) {
                codes = &codes[codes.partition_point(|code| *code < first)..];
                codes.iter().take_while(|code| **code <= last).copied().for_each(&mut seen);
            }
        } else if self.encoding.kind() == Kind::Single {
            (0x80..256).filter(|c| set.contains(*c)).for_each(seen);
        } else {
            for &(first, last, distance) in self.rows() {
                (first..=last).flat_map(|c| [c, c + distance]).filter(|c| set.contains(*c)).for_each(&mut seen);
            }
        }
    }
}

/// A text, whatever its case, as often as it has to occur at least, is one text: `ss` stands in `ß` too.
pub fn spell_out(text: &Text, repeat: &mut Repeat, encoding: Encoding) -> Option<Node> {
    const MOST: u32 = 100;
    let doubled = ['s', 'S', 'ſ', 'f', 'F'].map(u32::from);
    if !text.fold || repeat.min < 2 || !encoding.is_unicode() || !text.codes.iter().any(|c| doubled.contains(c)) {
        return None;
    }
    let bytes = u32::try_from(text.codes.len() * encoding.min_len()).ok()?;
    let copies = repeat.min.min((MOST / bytes).max(1));
    let codes = text.codes.repeat(copies as usize);
    let mut parts = vec![Node::Text(Text { codes, fold: true })];
    if repeat.max > copies {
        repeat.min -= copies;
        repeat.max = if repeat.max == UNBOUNDED { UNBOUNDED } else { repeat.max - copies };
        let rest = Repeat { node: Node::Text(text.clone()), ..*repeat };
        parts.push(Node::Repeat(Box::new(rest)));
    }
    Some(Node::Seq(parts))
}
