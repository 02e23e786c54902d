//! Rational and Complex: [hdr][class][numerator or real][denominator or imaginary], immutable.

use asterism_heap::{Mutator, header};

use crate::cells::{self, Obj};
use crate::error::Result;
use crate::space::{WellKnown, class};
use crate::types::Type;
use crate::value::Value;

fn pair(m: &mut Mutator, t: Type, which: WellKnown, a: Value, b: Value) -> Result<Value> {
    let class = class(m, which);
    let object = cells::alloc(m, t, header::FROZEN, class, 2)?;
    cells::store(object.cell(), object.word(0), a);
    cells::store(object.cell(), object.word(1), b);
    Ok(object.0)
}

/// The Rational `num/den`, which the caller has reduced.
pub fn rational(m: &mut Mutator, num: Value, den: Value) -> Result<Value> {
    pair(m, Type::Rational, WellKnown::Rational, num, den)
}

/// The Complex `re+im*i`.
pub fn complex(m: &mut Mutator, re: Value, im: Value) -> Result<Value> {
    pair(m, Type::Complex, WellKnown::Complex, re, im)
}

/// Both parts of a Rational or a Complex.
pub fn parts(v: Value) -> (Value, Value) {
    debug_assert!(v.is_type(Type::Rational) || v.is_type(Type::Complex));
    let object = Obj(v);
    (object.value(0), object.value(1))
}
