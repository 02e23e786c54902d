//! Character-set arguments: `tr`, `tr_s`, `delete`, `squeeze`, `count`.

use crate::encoding::Encoding;
use crate::encoding::chars::{code_point, push_code_point};
use crate::error::{Error, Result};

#[cfg(test)]
mod tests;

fn broken(enc: Encoding) -> Error {
    Error::argument(format!("invalid byte sequence in {}", enc.name()))
}

/// Is `byte` a character below 128, in an encoding that is compatible with ASCII if `ascii`?
#[inline(always)]
fn is_low(ascii: bool, byte: u8) -> bool {
    ascii && byte < 0x80
}

fn decode(enc: Encoding, s: &[u8], pos: usize) -> Result<(u32, usize)> {
    if enc.is_ascii_compatible() && s[pos] < 0x80 {
        return Ok((u32::from(s[pos]), 1));
    }
    match code_point(enc, &s[pos..]) {
        Some(found) => Ok(found),
        // ASCII's high bytes are tolerated here as CRuby does for single-byte strings.
        None if enc.is_single_byte() => Ok((u32::from(s[pos]), 1)),
        None => Err(broken(enc)),
    }
}

/// One parsed argument: ranges of code points in the order written.
#[derive(Clone, Debug)]
struct Spec {
    negated: bool,
    ranges: Vec<(u32, u32)>,
}

fn parse_spec(enc: Encoding, s: &[u8], allow_negation: bool) -> Result<Spec> {
    if let &[only] = s
        && is_low(enc.is_ascii_compatible(), only)
    {
        return Ok(Spec { negated: false, ranges: vec![(only.into(), only.into())] });
    }
    let mut codes = Vec::with_capacity(s.len());
    let mut pos = 0;
    while pos < s.len() {
        let (c, n) = decode(enc, s, pos)?;
        codes.push(c);
        pos += n;
    }
    let negated = allow_negation && codes.len() > 1 && codes[0] == u32::from(b'^');
    let mut i = usize::from(negated);
    let mut ranges = Vec::new();
    // One character, a backslash taking the next one literally.
    let take = |i: &mut usize| {
        if codes[*i] == u32::from(b'\\') && *i + 1 < codes.len() {
            *i += 1;
        }
        *i += 1;
        codes[*i - 1]
    };
    while i < codes.len() {
        let low = take(&mut i);
        if i + 1 < codes.len() && codes[i] == u32::from(b'-') {
            i += 1;
            let high = take(&mut i);
            if low > high {
                let mut message = b"invalid range \"".to_vec();
                push_code_point(enc, low, &mut message)?;
                message.push(b'-');
                push_code_point(enc, high, &mut message)?;
                message.extend_from_slice(b"\" in string transliteration");
                return Err(Error::argument(message));
            }
            ranges.push((low, high));
        } else {
            ranges.push((low, low));
        }
    }
    Ok(Spec { negated, ranges })
}

impl Spec {
    /// The code points below 128 that it has, a bit each.
    fn low(&self) -> u128 {
        let bits = |&(from, to): &(u32, u32)| match from {
            0..128 => u128::MAX << from & u128::MAX >> (127 - to.min(127)),
            _ => 0,
        };
        let low = self.ranges.iter().map(bits).fold(0, |low, bits| low | bits);
        if self.negated { !low } else { low }
    }

    fn contains(&self, c: u32) -> bool {
        self.ranges.iter().any(|&(a, b)| (a..=b).contains(&c)) != self.negated
    }

    /// Where a character stands in the written-out list; the last place if it is there twice.
    fn position(&self, c: u32) -> Option<u64> {
        let mut found = None;
        let mut before = 0;
        for &(a, b) in &self.ranges {
            if (a..=b).contains(&c) {
                found = Some(before + u64::from(c - a));
            }
            before += u64::from(b - a) + 1;
        }
        found
    }

    /// The character at a place of the written-out list.
    fn nth(&self, n: u64) -> Option<u32> {
        let mut before = 0;
        for &(a, b) in &self.ranges {
            let len = u64::from(b - a) + 1;
            if n - before < len {
                return Some(a + (n - before) as u32);
            }
            before += len;
        }
        None
    }
}

/// The intersection of the set arguments of `delete`, `squeeze` and `count`.
#[derive(Clone, Debug)]
pub struct CharSet {
    enc: Encoding,
    specs: Vec<Spec>,
    /// Does one byte below 128 stand for that code point?
    ascii: bool,
    /// A bit for each code point below 128.
    low: [u64; 2],
}

impl CharSet {
    /// Parses the arguments, each in an encoding that is compatible with the string's; the string is read in that of
    /// the last one.
    pub fn new(args: &[(Encoding, &[u8])]) -> Result<CharSet> {
        let enc = args.last().map_or(Encoding::BINARY, |a| a.0);
        let specs = args.iter().map(|&(enc, a)| parse_spec(enc, a, true)).collect::<Result<Vec<Spec>>>()?;
        let low = specs.iter().fold(u128::MAX, |low, spec| low & spec.low());
        Ok(CharSet { enc, specs, ascii: enc.is_ascii_compatible(), low: [low as u64, (low >> 64) as u64] })
    }

    /// Whether a code point is in all the sets.
    pub fn contains(&self, c: u32) -> bool {
        match c {
            0..128 => self.has_low(c as u8),
            _ => self.specs.iter().all(|s| s.contains(c)),
        }
    }

    #[inline(always)]
    fn has_low(&self, byte: u8) -> bool {
        self.low[usize::from(byte >> 6 & 1)] >> (byte & 63) & 1 != 0
    }

    /// Whether the character at `pos` of `s` is in all the sets, and how many bytes it has.
    #[inline(always)]
    fn has(&self, s: &[u8], pos: usize) -> Result<(bool, usize)> {
        if is_low(self.ascii, s[pos]) {
            return Ok((self.has_low(s[pos]), 1));
        }
        let (c, len) = decode(self.enc, s, pos)?;
        Ok((self.contains(c), len))
    }
}

/// Is each byte of `s` a character, and is it so long that a table of all bytes pays?
fn is_bytewise(enc: Encoding, s: &[u8]) -> bool {
    s.len() >= 1024 && (enc.is_single_byte() || enc.is_ascii_compatible() && s.is_ascii())
}

/// What `f` says of each byte.
fn table<T>(f: impl Fn(u32) -> T) -> [T; 256] {
    std::array::from_fn(|byte| f(byte as u32))
}

/// `String#count`.
pub fn count(set: &CharSet, s: &[u8]) -> Result<usize> {
    if is_bytewise(set.enc, s) {
        let counts = table(|c| u8::from(set.contains(c)));
        return Ok(s
            .chunks(255)
            .map(|part| usize::from(part.iter().map(|&b| counts[usize::from(b)]).sum::<u8>()))
            .sum());
    }
    let (mut pos, mut n) = (0, 0);
    while pos < s.len() {
        let (has, len) = set.has(s, pos)?;
        n += usize::from(has);
        pos += len;
    }
    Ok(n)
}

/// Where what is left begins and ends when characters of the set are taken from the ends of `s`.
pub fn trim(set: &CharSet, s: &[u8], left: bool, right: bool) -> Result<(usize, usize)> {
    let (mut start, mut end, mut pos) = (None, 0, 0);
    while pos < s.len() {
        let (has, len) = set.has(s, pos)?;
        if !has {
            start.get_or_insert(pos);
            end = pos + len;
        }
        pos += len;
    }
    let start = start.unwrap_or(if left { s.len() } else { 0 });
    let start = if left { start } else { 0 };
    Ok((start, if right { end.max(start) } else { s.len() }))
}

/// The bytes that `stays`, which gets the one before too, says stay; `None` if all do.
#[inline(always)]
fn kept(s: &[u8], stays: impl Fn(Option<u8>, u8) -> bool) -> Option<Vec<u8>> {
    let (mut out, mut n, mut before) = (vec![0; s.len()], 0, None);
    for &b in s {
        out[n] = b;
        n += usize::from(stays(before, b));
        before = Some(b);
    }
    out.truncate(n);
    (n != s.len()).then_some(out)
}

/// `String#delete`; `None` if nothing was deleted (`delete!` gives nil).
pub fn delete(set: &CharSet, s: &[u8]) -> Result<Option<Vec<u8>>> {
    if is_bytewise(set.enc, s) {
        let goes = table(|c| set.contains(c));
        return Ok(kept(s, |_, b| !goes[usize::from(b)]));
    }
    let mut out = Vec::with_capacity(s.len());
    let mut pos = 0;
    while pos < s.len() {
        let (has, len) = set.has(s, pos)?;
        match len {
            _ if has => {}
            1 => out.push(s[pos]),
            _ => out.extend_from_slice(&s[pos..pos + len]),
        }
        pos += len;
    }
    Ok((out.len() != s.len()).then_some(out))
}

/// `String#squeeze`; without a set every run is squeezed. `None` if nothing changed.
pub fn squeeze(enc: Encoding, set: Option<&CharSet>, s: &[u8]) -> Result<Option<Vec<u8>>> {
    if is_bytewise(set.map_or(enc, |set| set.enc), s) && is_bytewise(enc, s) {
        let squeezes = table(|c| set.is_none_or(|set| set.contains(c)));
        return Ok(kept(s, |before, b| before != Some(b) || !squeezes[usize::from(b)]));
    }
    let mut out = Vec::with_capacity(s.len());
    let ascii = enc.is_ascii_compatible();
    let (mut pos, mut last) = (0, None);
    while pos < s.len() {
        let byte = s[pos];
        let low = is_low(ascii, byte);
        let (c, len) = if low { (u32::from(byte), 1) } else { decode(enc, s, pos)? };
        if last != Some(c) || set.is_some_and(|set| !set.contains(c)) {
            if low {
                out.push(byte);
            } else {
                out.extend_from_slice(&s[pos..pos + len]);
            }
        }
        last = Some(c);
        pos += len;
    }
    Ok((out.len() != s.len()).then_some(out))
}

/// `String#tr` and, with `squeeze_runs`, `#tr_s`. `None` if nothing changed.
pub fn tr(enc: Encoding, s: &[u8], from: &[u8], to: &[u8], squeeze_runs: bool) -> Result<Option<Vec<u8>>> {
    if to.is_empty() {
        return delete(&CharSet::new(&[(enc, from)])?, s);
    }
    let from = parse_spec(enc, from, true)?;
    let to = parse_spec(enc, to, false)?;
    let last = to.ranges.last().map_or(0, |r| r.1);
    let translate = |c: u32| {
        if from.negated {
            return from.contains(c).then_some(last);
        }
        from.position(c).map(|n| to.nth(n).unwrap_or(last))
    };
    if !squeeze_runs && is_bytewise(enc, s) {
        let mapped = table(translate);
        let to_byte =
            |c: u32| u8::try_from(c).ok().filter(|&b| b < 0x80 || enc != Encoding::US_ASCII && enc.is_single_byte());
        if mapped.iter().flatten().all(|&c| to_byte(c).is_some()) {
            // A byte that stays is mapped to itself.
            let bytes = table(|c| mapped[c as usize].and_then(to_byte).unwrap_or(c as u8));
            let changed = s.iter().any(|&b| mapped[usize::from(b)].is_some());
            return Ok(changed.then(|| s.iter().map(|&b| bytes[usize::from(b)]).collect()));
        }
    }
    let mut low = LowTable([UNKNOWN; 128]);
    let ascii = enc.is_ascii_compatible();
    let mut out = Vec::with_capacity(s.len());
    let (mut pos, mut changed, mut run) = (0, false, None);
    while pos < s.len() {
        let byte = s[pos];
        let low_byte = is_low(ascii, byte);
        let (c, len) = if low_byte { (u32::from(byte), 1) } else { decode(enc, s, pos)? };
        let translated = if low_byte { low.get(byte, translate) } else { translate(c) };
        match translated {
            Some(r) => {
                changed = true;
                if squeeze_runs && run == Some(r) {
                    // One of them stands already.
                } else if r == c {
                    // Translated to itself counts as translated.
                    out.extend_from_slice(&s[pos..pos + len]);
                } else if ascii && r < 0x80 {
                    out.push(r as u8);
                } else {
                    push_code_point(enc, r, &mut out)?;
                }
                run = Some(r);
            }
            None if low_byte => {
                out.push(byte);
                run = None;
            }
            None => {
                out.extend_from_slice(&s[pos..pos + len]);
                run = None;
            }
        }
        pos += len;
    }
    Ok(changed.then_some(out))
}

/// What `tr` makes of ASCII characters, as far as the string has had them.
struct LowTable([u32; 128]);

/// Nobody has asked for the character yet.
const UNKNOWN: u32 = u32::MAX;
/// The character stays.
const KEPT: u32 = u32::MAX - 1;

impl LowTable {
    #[inline]
    fn get(&mut self, byte: u8, translate: impl Fn(u32) -> Option<u32>) -> Option<u32> {
        let slot = &mut self.0[usize::from(byte)];
        if *slot == UNKNOWN {
            *slot = translate(u32::from(byte)).unwrap_or(KEPT);
        }
        Some(*slot).filter(|&c| c != KEPT)
    }
}
