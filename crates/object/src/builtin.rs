//! Equality and hashes of the values that need no Ruby call: immediates, numbers, strings.

use asterism_heap::Mutator;

use crate::cells::class_field;
use crate::space::{WellKnown, class, space};
use crate::types::{Type, type_of};
use crate::value::Value;
use crate::{bigint, float, string};

const K0: u64 = 0x9e37_79b9_7f4a_7c15;
const K1: u64 = 0xd6e8_feb8_6659_fd93;
const K2: u64 = 0xa076_1d64_78bd_642f;

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// A hash as tables have it: its two highest bits are the lowest ones too, so that the number that Ruby code is given for it, of 62
/// bits, says it all.
#[inline(always)]
fn whole(hash: u64) -> u64 {
    hash & !3 | hash >> 62
}

/// Spreads the bits of a word over all of a hash.
#[inline(always)]
pub fn mix(word: u64) -> u64 {
    whole(fold(word ^ K2, K0))
}

/// Adds `word` to the hash so far.
#[inline(always)]
pub fn combine(hash: u64, word: u64) -> u64 {
    fold(hash ^ word, K1) ^ hash.rotate_left(23)
}

/// The hash of bytes under a VM's seed.
pub fn hash_bytes(seed: u64, bytes: &[u8]) -> u64 {
    let mut hash = seed ^ (bytes.len() as u64).wrapping_mul(K0);
    let mut chunks = bytes.chunks_exact(16);
    for chunk in &mut chunks {
        hash = fold(word(&chunk[..8]) ^ hash ^ K1, word(&chunk[8..]) ^ seed ^ K2);
    }
    let rest = chunks.remainder();
    let (a, b) = match rest.len() {
        8.. => (word(&rest[..8]), word(&rest[rest.len() - 8..])),
        4..8 => (half(&rest[..4]), half(&rest[rest.len() - 4..])),
        0 => (0, 0),
        n => {
            let (first, mid, last) = (rest[0], rest[n / 2], rest[n - 1]);
            (u64::from(first) << 16 | u64::from(mid) << 8 | u64::from(last), 0)
        }
    };
    whole(fold(fold(a ^ hash ^ K0, b ^ seed ^ K1) ^ hash, K2))
}

#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

#[inline(always)]
fn half(bytes: &[u8]) -> u64 {
    let mut word = [0; 4];
    word.copy_from_slice(bytes);
    u64::from(u32::from_le_bytes(word))
}

/// The hash of a Float: equal ones (0.0 and -0.0 too) hash alike.
fn hash_float(f: f64) -> u64 {
    let f = if f == 0.0 { 0.0 } else { f };
    mix(f.to_bits() ^ K1)
}

/// `hash` as Hash uses it, for values whose class needs no call; `None` for all others. Strings of
/// subclasses are hashed as strings, like in CRuby.
pub fn hash(m: &mut Mutator, v: Value) -> Option<u64> {
    if v.is_flonum() {
        return Some(hash_float(v.as_flonum()));
    }
    let Some(cell) = v.cell() else {
        return Some(mix(v.bits()));
    };
    Some(match type_of(cell) {
        Type::String => string::hash(m, v),
        Type::Float => hash_float(float::get(v)),
        Type::BigInt => {
            let mut hash = space(m).hash_seed;
            let n = bigint::get(&v);
            for digit in n.iter_u64_digits() {
                hash = combine(hash, digit);
            }
            whole(combine(hash, n.sign() as u64))
        }
        _ => return None,
    })
}

/// What the method `hash` says of what [`hash`] has found: it differs from process to process, so that nobody relies on it or can
/// choose keys by it. In tables immediates go without that, their order there shows nothing.
pub fn number(m: &Mutator, hash: u64) -> Value {
    let mut n = (hash ^ space(m).hash_seed) >> 2;
    n = n.wrapping_mul(SCRAMBLE[0].0) & NUMBER;
    n ^= n >> 31;
    n = n.wrapping_mul(SCRAMBLE[1].0);
    Value::fixnum((n << 2) as i64 >> 2)
}

/// The hash that [`number`] has given this number for: an object whose `hash` is that of another one is found as that is.
pub fn of_number(m: &Mutator, n: i64) -> u64 {
    let mut hash = (n as u64).wrapping_mul(SCRAMBLE[1].1) & NUMBER;
    hash ^= hash >> 31;
    hash = hash.wrapping_mul(SCRAMBLE[0].1) << 2;
    whole(hash ^ space(m).hash_seed)
}

/// The bits of a number that stands for a hash.
const NUMBER: u64 = u64::MAX >> 2;

/// Factors, and what undoes them modulo 2**64.
const SCRAMBLE: [(u64, u64); 2] = [(K0, inverse(K0)), (K1, inverse(K1))];

/// The number with which an odd one makes 1 modulo 2**64, by Newton's iteration.
const fn inverse(n: u64) -> u64 {
    let mut x = n;
    let mut bits = 3;
    while bits < 64 {
        x = x.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(x)));
        bits *= 2;
    }
    x
}

/// `a.eql?(b)` where it needs no call; `None` when Ruby has to be asked.
pub fn eql(m: &mut Mutator, a: Value, b: Value) -> Option<bool> {
    if a == b {
        return Some(true);
    }
    let (Some(left), Some(right)) = (a.cell(), b.cell()) else {
        // An immediate is the same as nothing but itself; a Float is a flonum or a cell, not both.
        return a.is_immediate_or(b);
    };
    match (type_of(left), type_of(right)) {
        (Type::String, _) if !is_of_class_string(m, a) => None,
        (Type::String, Type::String) => Some(string::eq(m, a, b)),
        (Type::Float, Type::Float) => Some(float::get(a) == float::get(b)),
        (Type::BigInt, Type::BigInt) => Some(bigint::get(&a) == bigint::get(&b)),
        (Type::String | Type::Float | Type::BigInt, _) => Some(false),
        _ => None,
    }
}

/// Is it a String whose class is String itself, whose `hash` and `eql?` are known?
#[inline]
pub fn is_of_class_string(m: &Mutator, v: Value) -> bool {
    v.is_type(Type::String) && class_word(v) == class(m, WellKnown::String)
}

impl Value {
    /// `Some(false)` if `self` is an immediate or a number, whose `eql?` is known to
    /// refuse a different immediate.
    fn is_immediate_or(self, other: Value) -> Option<bool> {
        match self.cell() {
            None => Some(self.float_zero_eql(other)),
            Some(cell) => match type_of(cell) {
                Type::Float => Some(self.float_zero_eql(other)),
                Type::BigInt => Some(false),
                _ => None,
            },
        }
    }

    /// -0.0 has a cell and 0.0 has none, but they are `eql?`.
    fn float_zero_eql(self, other: Value) -> bool {
        match (float::to_f64(self), float::to_f64(other)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }
}

/// The class word of a heap value, as a value; nil for immediates.
pub fn class_word(v: Value) -> Value {
    v.cell().map_or(Value::NIL, class_field)
}
