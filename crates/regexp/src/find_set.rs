//! Looks for the next byte of a set: a few ranges are compared with many bytes at a time.

use crate::program::ByteSet;

/// Ranges that are compared.
const RANGES: usize = 4;
/// Bytes that are compared at a time.
const CHUNK: usize = 32;
/// Bytes that are looked at one by one first: what is near need not wait for a chunk.
const NEAR: usize = 8;

/// What is looked for.
#[derive(Debug)]
pub struct SetFinder {
    set: ByteSet,
    /// The set as ranges: the first byte of each, and how many follow it. Of sets with more ranges none.
    ranges: [(u8, u8); RANGES],
    count: usize,
}

impl SetFinder {
    /// For a set.
    pub fn new(set: ByteSet) -> SetFinder {
        let mut ranges = [(0, 0); RANGES];
        let mut count = 0;
        let mut last = None;
        for byte in set.iter() {
            if last.is_some_and(|last: u8| last + 1 == byte) {
                ranges[count - 1].1 += 1;
            } else if count == RANGES {
                count = 0;
                break;
            } else {
                ranges[count] = (byte, 0);
                count += 1;
            }
            last = Some(byte);
        }
        SetFinder { set, ranges, count }
    }

    /// Is it a member?
    #[inline]
    pub fn contains(&self, byte: u8) -> bool {
        self.set.contains(byte)
    }

    /// Where the first member is.
    #[inline]
    pub fn find(&self, text: &[u8]) -> Option<usize> {
        let (near, far) = text.split_at(text.len().min(NEAR));
        if let Some(n) = self.one_by_one(near) {
            return Some(n);
        }
        if far.is_empty() { None } else { self.find_far(far).map(|n| near.len() + n) }
    }

    #[inline]
    fn one_by_one(&self, text: &[u8]) -> Option<usize> {
        text.iter().position(|byte| self.set.contains(*byte))
    }

    fn find_far(&self, text: &[u8]) -> Option<usize> {
        let skipped = match self.count {
            1 => self.skip::<1>(text),
            2 => self.skip::<2>(text),
            3 => self.skip::<3>(text),
            4 => self.skip::<4>(text),
            _ => 0,
        };
        self.one_by_one(&text[skipped..]).map(|n| skipped + n)
    }

    /// How many bytes belong to chunks without a member.
    fn skip<const N: usize>(&self, text: &[u8]) -> usize {
        let chunks = text.chunks_exact(CHUNK).position(|chunk| {
            let mut found = 0;
            for byte in chunk {
                for (first, more) in &self.ranges[..N] {
                    found |= u8::from(byte.wrapping_sub(*first) <= *more);
                }
            }
            found != 0
        });
        chunks.unwrap_or(text.len() / CHUNK) * CHUNK
    }
}

#[cfg(test)]
#[path = "find_set_tests.rs"]
mod tests;
