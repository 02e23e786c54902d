//! Equality, order and hashes of strings.

use std::cmp::Ordering;

use asterism_heap::Mutator;
use asterism_heap::header::FROZEN;

use super::layout::{CodeRange, Str, scan};
use super::make::LONG;
use super::read::{coderange, read, with_bytes};
use crate::builtin::{combine, hash_bytes, mix};
use crate::ownership::readable;
use crate::space::space;
use crate::types::Type;
use crate::value::Value;

/// Calls `f` with the bytes of both strings, `b`'s taken first: as a blocking region if they are many.
pub fn with_both<R>(m: &mut Mutator, a: Value, b: Value, f: impl FnOnce(&[u8], &[u8]) -> R) -> R {
    let (left, right) = (Str::of(a), Str::of(b));
    if left.meta().len().min(right.meta().len()) >= LONG {
        let right = read(m, b);
        let left = read(m, a);
        return m.computing(|| f(&left, &right));
    }
    if readable(m, left.cell().header()) && readable(m, right.cell().header()) {
        // SAFETY: both are frozen or owned, and `f` cannot reach a safepoint or a write.
        return f(unsafe { left.bytes(left.meta()) }, unsafe { right.bytes(right.meta()) });
    }
    let other = read(m, b);
    with_bytes(m, a, |bytes, _| f(bytes, &other))
}

/// Can strings with equal bytes in these encodings be equal?
fn comparable(m: &mut Mutator, a: Value, b: Value) -> bool {
    let (left, right) = (super::layout::encoding(a), super::layout::encoding(b));
    if left == right || super::layout::is_empty(a) || super::layout::is_empty(b) {
        return true;
    }
    // Equal bytes, so both are ASCII or neither is; in encodings that are not ASCII compatible
    // neither is.
    coderange(m, a) == CodeRange::SevenBit && coderange(m, b) == CodeRange::SevenBit
}

/// `a == b` for two strings: the same bytes in encodings that can be compared.
pub fn eq(m: &mut Mutator, a: Value, b: Value) -> bool {
    if a == b {
        return true;
    }
    if super::layout::len(a) != super::layout::len(b) {
        return false;
    }
    if differ_at_ends(m, a, b) {
        return false;
    }
    with_both(m, a, b, |left, right| is_same(left, right) || left == right) && comparable(m, a, b)
}

/// Do two long Strings of the same length differ in their first or last bytes? Else both are shared to be compared, and the next
/// change of one copies it.
fn differ_at_ends(m: &Mutator, a: Value, b: Value) -> bool {
    const SOME: usize = 64;
    let (left, right) = (Str::of(a), Str::of(b));
    if left.meta().len() < LONG || !readable(m, left.cell().header()) || !readable(m, right.cell().header()) {
        return false;
    }
    // SAFETY: both are frozen or owned, and there is no safepoint in here.
    let (left, right) = unsafe { (left.bytes(left.meta()), right.bytes(right.meta())) };
    left.first_chunk::<SOME>() != right.first_chunk() || left.last_chunk::<SOME>() != right.last_chunk()
}

/// Are these the same bytes at the same place, of which two Strings have a share?
#[inline(always)]
fn is_same(left: &[u8], right: &[u8]) -> bool {
    std::ptr::eq(left, right)
}

/// `a <=> b` for two strings: by bytes, then, if they cannot be compared, by encoding.
pub fn cmp(m: &mut Mutator, a: Value, b: Value) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    match with_both(m, a, b, |left, right| if is_same(left, right) { Ordering::Equal } else { left.cmp(right) }) {
        Ordering::Equal if !comparable(m, a, b) => super::layout::encoding(a).cmp(&super::layout::encoding(b)),
        order => order,
    }
}

/// Is `candidate`, a key of a Hash, a String with these bytes? `None`: it is not frozen, and its bytes may change meanwhile.
#[inline]
pub fn frozen_equals(candidate: Value, bytes: &[u8], encoding: u8) -> Option<bool> {
    if !candidate.is_type(Type::String) {
        return Some(false);
    }
    let string = Str::of(candidate);
    if string.cell().header() & FROZEN == 0 {
        return None;
    }
    let meta = string.meta();
    if meta.len() != bytes.len() {
        return Some(false);
    }
    // SAFETY: a frozen string's bytes never change.
    let own = unsafe { string.bytes(meta) };
    Some(own == bytes && (meta.encoding() == encoding || both_ascii(meta.encoding(), encoding, bytes)))
}

#[cold]
fn both_ascii(left: u8, right: u8, bytes: &[u8]) -> bool {
    bytes.is_empty() || scan(left, bytes) == CodeRange::SevenBit && scan(right, bytes) == CodeRange::SevenBit
}

/// The hash of the bytes; with the encoding, where equal bytes in another one would not be equal.
pub fn hash(m: &mut Mutator, v: Value) -> u64 {
    let seed = space(m).hash_seed;
    let known = Str::of(v).meta().range();
    with_bytes(m, v, |bytes, encoding| hash_of(seed, bytes, encoding, known))
}

/// What `hash` gives of a String with these bytes, of which `known` is known.
#[inline]
pub fn hash_as(m: &Mutator, bytes: &[u8], encoding: u8, known: CodeRange) -> u64 {
    hash_of(space(m).hash_seed, bytes, encoding, known)
}

/// The hash of a string with these bytes and what is known of them.
#[inline]
pub(crate) fn hash_of(seed: u64, bytes: &[u8], encoding: u8, known: CodeRange) -> u64 {
    let hash = hash_bytes(seed, bytes);
    let ascii = match known {
        CodeRange::Unknown => scan(encoding, bytes) == CodeRange::SevenBit,
        known => known == CodeRange::SevenBit,
    };
    if ascii || bytes.is_empty() { hash } else { mix(combine(hash, u64::from(encoding))) }
}
