//! Integers as words in memory.

use std::ffi::{c_int, c_long};

use asterism_object::Value;
use asterism_vm::{Ec, Res};
use num_bigint::{BigInt, BigUint, Sign};

use super::{big, integer};
use crate::types::{In, Out};

/// How many words a number of so many bytes is packed into, and in which order: `flags` of `rb_integer_pack`.
struct Layout {
    words: usize,
    size: usize,
    nails: usize,
    first_big: bool,
    bytes_big: bool,
}

impl Layout {
    fn new(ec: &mut Ec, words: usize, size: usize, nails: usize, flags: c_int) -> Res<Layout> {
        if flags & 3 == 0 && words > 1 || flags & 3 == 3 {
            return Err(ec.arg_error("unexpected word order"));
        }
        if size == 0 {
            return Err(ec.arg_error("invalid wordsize 0"));
        }
        if flags & 0x70 == 0 && size > 1 {
            return Err(ec.arg_error("unexpected byte order"));
        }
        if nails >= 8 * size {
            return Err(ec.arg_error(format!("too big nails {nails}")));
        }
        Ok(Layout { words, size, nails, first_big: flags & 1 != 0, bytes_big: flags & 0x10 != 0 })
    }

    /// Where byte `b`, counted from the lowest, of word `w` lies.
    fn place(&self, w: usize, b: usize) -> usize {
        let w = if self.first_big { self.words - 1 - w } else { w };
        w * self.size + if self.bytes_big { self.size - 1 - b } else { b }
    }

    fn bits(&self) -> usize {
        8 * self.size - self.nails
    }
}

const TWO_COMP: c_int = 0x80;

fn pack(ec: &mut Ec, v: Value, out: Out<u8>, layout: &Layout, flags: c_int) -> Res<c_int> {
    let n = integer(ec, v)?;
    let sign = match n.sign() {
        Sign::Minus => -1,
        Sign::NoSign => 0,
        Sign::Plus => 1,
    };
    let bits = layout.bits() as u64;
    let total = bits * layout.words as u64;
    let magnitude = n.magnitude();
    let low_zero = magnitude.trailing_zeros() == Some(total) && magnitude.bits() == total + 1;
    let fits = magnitude.bits() <= total;
    let whole = if flags & TWO_COMP != 0 && sign < 0 {
        // Negative: what is missing to the next power of two, in all the words.
        let modulus = BigUint::from(1u8) << total.max(magnitude.bits() + 1);
        modulus - magnitude
    } else {
        magnitude.clone()
    };
    let digits = whole.to_bytes_le();
    let bit = |i: u64| digits.get((i / 8) as usize).is_some_and(|b| b >> (i % 8) & 1 == 1);
    for w in 0..layout.words {
        for b in 0..layout.size {
            let mut byte = 0;
            for i in 0..8 {
                let within = (8 * b + i) as u64;
                if within < bits && bit(w as u64 * bits + within) {
                    byte |= 1 << i;
                }
            }
            out.set_at(layout.place(w, b), byte);
        }
    }
    Ok(if fits || sign < 0 && flags & TWO_COMP != 0 && low_zero { sign } else { 2 * sign })
}

fn unpack(ec: &mut Ec, bytes: In<u8>, layout: &Layout, flags: c_int) -> Res {
    let bytes = bytes.slice((layout.words * layout.size) as i64);
    let bits = layout.bits();
    let total = bits * layout.words;
    let mut digits = vec![0u8; total.div_ceil(8)];
    for w in 0..layout.words {
        for b in 0..layout.size {
            let byte = bytes[layout.place(w, b)];
            for i in 0..8 {
                let within = 8 * b + i;
                if within < bits && byte >> i & 1 == 1 {
                    let at = w * bits + within;
                    digits[at / 8] |= 1 << (at % 8);
                }
            }
        }
    }
    let n = BigUint::from_bytes_le(&digits);
    let negative = flags & 0x200 != 0;
    if flags & TWO_COMP != 0 && total > 0 {
        let top = n.bit(total as u64 - 1);
        if negative {
            let modulus = BigUint::from(1u8) << total;
            let magnitude = if n == BigUint::ZERO { modulus } else { modulus - n };
            return big(ec, BigInt::from_biguint(Sign::Minus, magnitude));
        }
        if top {
            return big(ec, BigInt::from(n) - (BigInt::from(1) << total));
        }
    }
    big(ec, BigInt::from_biguint(if negative { Sign::Minus } else { Sign::Plus }, n))
}

fn absint_size(ec: &mut Ec, v: Value) -> Res<(usize, usize)> {
    let n = integer(ec, v)?;
    let bits = n.magnitude().bits() as usize;
    let bytes = bits.div_ceil(8);
    Ok((bytes, bytes * 8 - bits))
}

api! {
    fn rb_integer_pack(ec, v: Value, words: Out<u8>, count: usize, size: usize, nails: usize, flags: c_int) -> c_int {
        let layout = Layout::new(ec, count, size, nails, flags)?;
        pack(ec, v, words, &layout, flags)
    }

    fn rb_integer_unpack(ec, words: In<u8>, count: usize, size: usize, nails: usize, flags: c_int) -> Value {
        let layout = Layout::new(ec, count, size, nails, flags)?;
        unpack(ec, words, &layout, flags)
    }

    fn rb_absint_size(ec, v: Value, nails: Out<c_int>) -> usize {
        let (bytes, zeros) = absint_size(ec, v)?;
        nails.set(zeros as c_int);
        Ok(bytes)
    }

    fn rb_absint_numwords(ec, v: Value, word_bits: usize, nails: Out<usize>) -> usize {
        let bits = integer(ec, v)?.magnitude().bits() as usize;
        let words = bits.div_ceil(word_bits.max(1));
        nails.set(words * word_bits - bits);
        Ok(words)
    }

    fn rb_absint_singlebit_p(ec, v: Value) -> c_int {
        Ok(c_int::from(integer(ec, v)?.magnitude().count_ones() == 1))
    }

    fn rb_big_pack(ec, v: Value, words: Out<u8>, count: c_long) {
        let layout = Layout::new(ec, count.max(0) as usize, 8, 0, 2 | 0x20)?;
        pack(ec, v, words, &layout, 2 | 0x20 | TWO_COMP)?;
        Ok(())
    }

    fn rb_big_unpack(ec, words: In<u8>, count: c_long) -> Value {
        let layout = Layout::new(ec, count.max(0) as usize, 8, 0, 2 | 0x20)?;
        unpack(ec, words, &layout, 2 | 0x20 | TWO_COMP)
    }
}
