//! Integers beyond fixnum: the `BigInt` lies in the cell, its digits in malloc'ed memory that the
//! drop hook frees. Immutable.

use asterism_heap::{Mutator, header};
use asterism_support::int::Int;
use num_bigint::BigInt;

use crate::cells::{self, Obj};
use crate::error::Result;
use crate::space::{WellKnown, class};
use crate::types::Type;
use crate::value::Value;

const WORDS: usize = size_of::<BigInt>().div_ceil(8);
const _: () = assert!(align_of::<BigInt>() <= 8);

/// The Integer `n`: a fixnum if it fits.
pub fn new(m: &mut Mutator, n: BigInt) -> Result<Value> {
    match i64::try_from(&n).ok().and_then(Value::try_fixnum) {
        Some(v) => Ok(v),
        None => new_cell(m, n),
    }
}

fn new_cell(m: &mut Mutator, n: BigInt) -> Result<Value> {
    let class = class(m, WellKnown::Integer);
    let bytes = malloc_bytes(&n);
    let object = cells::alloc_hooked(m, Type::BigInt, header::FROZEN, class, WORDS)?;
    // SAFETY: the cell is fresh, has `WORDS` payload words, 8-byte aligned, and nobody else sees
    // it yet; a `BigInt` is written before the next safepoint.
    unsafe { object.cell().payload::<BigInt>().write(n) };
    m.account_malloc(bytes as isize);
    Ok(object.0)
}

/// Gives an Integer that came from an image, and has no value yet, its own. Before the VM's first safepoint.
pub fn fill(m: &Mutator, v: Value, n: BigInt) {
    let bytes = malloc_bytes(&n);
    // SAFETY: a BigInt cell has room for one, and the caller says that there is none in it.
    unsafe { Obj::of(v, Type::BigInt).cell().payload::<BigInt>().write(n) };
    m.account_malloc(bytes as isize);
}

/// The Integer `n`.
pub fn from_int(m: &mut Mutator, n: Int) -> Result<Value> {
    match n {
        Int::Small(n) => from_i64(m, n),
        Int::Big(n) => new(m, n),
    }
}

/// The Integer `n`.
#[inline]
pub fn from_i64(m: &mut Mutator, n: i64) -> Result<Value> {
    match Value::try_fixnum(n) {
        Some(v) => Ok(v),
        None => new_cell(m, BigInt::from(n)),
    }
}

/// The Integer `n`.
pub fn from_u64(m: &mut Mutator, n: u64) -> Result<Value> {
    match i64::try_from(n) {
        Ok(n) => from_i64(m, n),
        Err(_) => new_cell(m, BigInt::from(n)),
    }
}

/// The Integer `n`.
pub fn from_i128(m: &mut Mutator, n: i128) -> Result<Value> {
    match i64::try_from(n) {
        Ok(n) => from_i64(m, n),
        Err(_) => new_cell(m, BigInt::from(n)),
    }
}

/// The number of a BigInt cell.
#[inline]
pub fn get(v: &Value) -> &BigInt {
    debug_assert!(v.is_type(Type::BigInt));
    // SAFETY: a BigInt cell's payload is an initialised `BigInt` that never changes; the borrow of
    // the value, which lies on a stack, keeps the cell.
    unsafe { &*Obj(*v).cell().payload::<BigInt>() }
}

/// The number of an Integer of either kind.
#[inline]
pub fn to_int(v: Value) -> Option<Int> {
    if v.is_fixnum() {
        Some(Int::Small(v.as_fixnum()))
    } else if v.is_type(Type::BigInt) {
        Some(Int::from_big(get(&v).clone()))
    } else {
        None
    }
}

/// Is it an Integer?
#[inline(always)]
pub fn is_integer(v: Value) -> bool {
    v.is_fixnum() || v.is_type(Type::BigInt)
}

pub(crate) fn malloc_bytes(n: &BigInt) -> usize {
    (n.bits() as usize).div_ceil(64) * 8
}
