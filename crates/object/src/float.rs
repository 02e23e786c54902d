//! Floats that are no flonum: [hdr][class][bits].

use std::sync::atomic::Ordering;

use asterism_heap::{Mutator, header};

use crate::cells::{self, Obj};
use crate::error::Result;
use crate::space::{WellKnown, class};
use crate::types::Type;
use crate::value::Value;

/// The Float `f`, without a cell if its exponent allows it.
#[inline]
pub fn new(m: &mut Mutator, f: f64) -> Result<Value> {
    match Value::try_flonum(f) {
        Some(v) => Ok(v),
        None => new_cell(m, f),
    }
}

#[cold]
fn new_cell(m: &mut Mutator, f: f64) -> Result<Value> {
    let class = class(m, WellKnown::Float);
    let object = cells::alloc(m, Type::Float, header::FROZEN, class, 1)?;
    object.word(0).store(f.to_bits(), Ordering::Relaxed);
    Ok(object.0)
}

/// The number of a Float, flonum or cell.
#[inline(always)]
pub fn get(v: Value) -> f64 {
    if v.is_flonum() {
        return v.as_flonum();
    }
    f64::from_bits(Obj::of(v, Type::Float).word(0).load(Ordering::Relaxed))
}

/// Is it a Float?
#[inline(always)]
pub fn is_float(v: Value) -> bool {
    v.is_flonum() || v.is_type(Type::Float)
}

/// The number, if it is a Float.
#[inline(always)]
pub fn to_f64(v: Value) -> Option<f64> {
    is_float(v).then(|| get(v))
}
