//! Integer as bits: `& | ^ ~ << >> []`, masks, sizes.

use asterism_object::types::Type;
use asterism_object::{Value, bigint, range};
use asterism_support::int::{Int, MAX_BITS};
use asterism_symbol::{Sym, sym};
use asterism_vm::native::Intrinsic;
use asterism_vm::{Args, Ec, NativeDef, Res};
use num_bigint::BigInt;
use num_traits::Signed;

use crate::numeric::operand::{
    Num, bad_receiver, big, check, coerce_failed, int_of, make_int, pair_of, to_int_object, wide, wide_pair,
};

pub(super) static METHODS: &[NativeDef] = &[
    NativeDef::new("&", and, 1, 1),
    NativeDef::new("|", or, 1, 1),
    NativeDef::new("^", xor, 1, 1),
    NativeDef::new("~", not, 0, 0).leaf().intrinsic(Intrinsic::Complement),
    NativeDef::new("<<", shl, 1, 1),
    NativeDef::new(">>", shr, 1, 1),
    NativeDef::new("[]", aref, 1, 2),
    NativeDef::new("bit_length", bit_length, 0, 0).leaf(),
    NativeDef::new("size", size, 0, 0).leaf(),
    NativeDef::new("allbits?", allbits, 1, 1),
    NativeDef::new("anybits?", anybits, 1, 1),
    NativeDef::new("nobits?", nobits, 1, 1),
];

/// Applies a bit operation to two Integers; anything else is coerced.
macro_rules! bit_op {
    ($name:ident, $symbol:expr, $op:tt) => {
        fn $name(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
            let other = args[0];
            let (a, b) = (Num::of(&this), Num::of(&other));
            if let Some((a, b)) = wide_pair(&a, &b) {
                return ec.wide_int(a $op b);
            }
            match (a, b) {
                (Num::Big(a), Num::Fix(b)) | (Num::Fix(b), Num::Big(a)) => {
                    big(ec, a.bits(), || a $op &BigInt::from(b))
                }
                (Num::Big(a), Num::Big(b)) => big(ec, a.bits().max(b.bits()), || a $op b),
                _ => coerce_bits(ec, this, other, $symbol),
            }
        }
    };
}

bit_op!(and, sym::AND, &);
bit_op!(or, sym::OR, |);
bit_op!(xor, sym::XOR, ^);

fn coerce_bits(ec: &mut Ec, x: Value, y: Value, op: Sym) -> Res {
    let Some((a, b)) = pair_of(ec, x, y, true)? else {
        return Err(coerce_failed(ec, x, y));
    };
    if !ec.respond_to(a, op, true)? {
        return Err(coerce_failed(ec, x, y));
    }
    let answer = ec.call(a, op, &[b])?;
    if answer.is_nil() { Err(coerce_failed(ec, x, y)) } else { Ok(answer) }
}

fn not(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match Num::of(&this) {
        Num::Fix(n) => ec.int(!n),
        Num::Big(n) => big(ec, n.bits(), || !n),
        _ => Err(bad_receiver(ec, this)),
    }
}

/// `this << count`, for a count of either sign.
fn shift(ec: &mut Ec, this: Value, count: &Int) -> Res {
    match *count {
        Int::Small(count) => shift_small(ec, this, count),
        Int::Big(_) => {
            let n = int_of(ec, this)?;
            let shifted = check(ec, n.shl(count))?;
            make_int(ec, shifted)
        }
    }
}

/// As `shift`, by so many bits.
fn shift_small(ec: &mut Ec, this: Value, count: i64) -> Res {
    if let Some(n) = wide(&Num::of(&this)) {
        if count <= 0 {
            return ec.wide_int(n >> count.unsigned_abs().min(127));
        }
        if count < 127 && (n << count) >> count == n {
            return ec.wide_int(n << count);
        }
    }
    match Num::of(&this) {
        Num::Fix(0) => Ok(this),
        Num::Big(n) if count <= 0 => {
            let right = count.unsigned_abs();
            if right >= n.bits() {
                return Ok(Value::fixnum(if n.is_negative() { -1 } else { 0 }));
            }
            big(ec, n.bits() - right, || n >> right)
        }
        Num::Fix(_) | Num::Big(_) => {
            let left = count.unsigned_abs();
            let bits = int_of(ec, this)?.bit_length().saturating_add(left);
            if bits > MAX_BITS {
                return Err(ec.range_error("shift width too big"));
            }
            match Num::of(&this) {
                Num::Big(n) => big(ec, bits, || n << left),
                Num::Fix(n) => big(ec, bits, || BigInt::from(n) << left),
                _ => Err(bad_receiver(ec, this)),
            }
        }
        _ => Err(bad_receiver(ec, this)),
    }
}

fn shl(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some(count) = args[0].fixnum_value() {
        return shift_small(ec, this, count);
    }
    let count = to_int_object(ec, args[0])?;
    let count = int_of(ec, count)?;
    shift(ec, this, &count)
}

fn shr(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let Some(count) = args[0].fixnum_value() {
        // The negative of a fixnum fits a word.
        return shift_small(ec, this, -count);
    }
    let count = to_int_object(ec, args[0])?;
    let count = int_of(ec, count)?;
    shift(ec, this, &count.neg())
}

fn aref(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.len() == 2 {
        let low = to_int_object(ec, args[0])?;
        let width = to_int_object(ec, args[1])?;
        let low = int_of(ec, low)?;
        let width = int_of(ec, width)?;
        let shifted = shift(ec, this, &low.neg())?;
        if width.is_negative() {
            return Ok(shifted);
        }
        return masked(ec, shifted, &width);
    }
    if args[0].is_type(Type::Range) {
        return bit_range(ec, this, args[0]);
    }
    let index = to_int_object(ec, args[0])?;
    match (Num::of(&this), Num::of(&index)) {
        (Num::Fix(n), Num::Fix(i)) => {
            let bit = if i < 0 { 0 } else { n >> i.min(63) & 1 };
            ec.int(bit)
        }
        (Num::Big(n), Num::Fix(i)) => ec.int(i64::from(i >= 0 && n.bit(i as u64))),
        (_, Num::Big(i)) => {
            let negative = int_of(ec, this)?.is_negative();
            ec.int(i64::from(negative && !i.is_negative()))
        }
        _ => Err(bad_receiver(ec, this)),
    }
}

/// The low `width` bits.
fn masked(ec: &mut Ec, v: Value, width: &Int) -> Res {
    let n = int_of(ec, v)?;
    if !n.is_negative() && *width >= Int::from(n.bit_length()) {
        return Ok(v);
    }
    let one_past = check(ec, Int::Small(1).shl(width))?;
    make_int(ec, n.bit_and(&one_past.sub(&Int::Small(1))))
}

/// `n[low..high]`: the bits from `low`, as many as the range has; a beginless one only says whether they are all 0.
fn bit_range(ec: &mut Ec, this: Value, bounds: Value) -> Res {
    let (low, high) = (range::begin(bounds), range::end(bounds));
    let exclusive = range::exclude_end(bounds);
    if low.is_nil() {
        let high = to_int_object(ec, high)?;
        let mut high = int_of(ec, high)?;
        if high.is_negative() {
            return Ok(Value::fixnum(0));
        }
        if !exclusive {
            high = high.add(&Int::Small(1));
        }
        let rest = masked(ec, this, &high)?;
        if super::division::is_zero(rest) {
            return Ok(Value::fixnum(0));
        }
        return Err(ec.arg_error("The beginless range for Integer#[] results in infinity"));
    }
    let low = to_int_object(ec, low)?;
    let low = int_of(ec, low)?;
    let shifted = shift(ec, this, &low.neg())?;
    if high.is_nil() {
        return Ok(shifted);
    }
    let high = to_int_object(ec, high)?;
    let mut high = int_of(ec, high)?;
    if high < low {
        return Ok(shifted);
    }
    if !exclusive {
        high = high.add(&Int::Small(1));
    }
    masked(ec, shifted, &high.sub(&low))
}

fn bit_length(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match Num::of(&this) {
        Num::Fix(n) => ec.int(i64::from(64 - (if n < 0 { !n } else { n }).leading_zeros())),
        Num::Big(n) if n.is_negative() => ec.int((n + 1i64).bits() as i64),
        Num::Big(n) => ec.int(n.bits() as i64),
        _ => Err(bad_receiver(ec, this)),
    }
}

fn size(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match Num::of(&this) {
        Num::Big(n) => ec.int(n.bits().div_ceil(8) as i64),
        _ => Ok(Value::fixnum(8)),
    }
}

/// The receiver's bits under the mask, and the mask.
fn under_mask(ec: &mut Ec, this: Value, mask: Value) -> Res<(Int, Int)> {
    if let (Some(a), Some(b)) = (this.fixnum_value(), mask.fixnum_value()) {
        return Ok((Int::Small(a & b), Int::Small(b)));
    }
    let mask = to_int_object(ec, mask)?;
    let mask = int_of(ec, mask)?;
    Ok((int_of(ec, this)?.bit_and(&mask), mask))
}

fn allbits(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (bits, mask) = under_mask(ec, this, args[0])?;
    Ok(Value::bool(bits == mask))
}

fn anybits(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (bits, _) = under_mask(ec, this, args[0])?;
    Ok(Value::bool(!bits.is_zero()))
}

fn nobits(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (bits, _) = under_mask(ec, this, args[0])?;
    Ok(Value::bool(bits.is_zero()))
}

/// Is it even? `None` if it is no Integer.
pub(super) fn is_even(v: Value) -> Option<bool> {
    if let Some(n) = v.fixnum_value() {
        return Some(n & 1 == 0);
    }
    v.is_type(Type::BigInt).then(|| !bigint::get(&v).bit(0))
}
