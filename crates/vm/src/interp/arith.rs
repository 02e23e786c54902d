//! Arithmetic: operators that give a number. The handlers know fixnums and flonums; other Floats come next, and then the
//! operator is sent.

use asterism_compiler::ops;
use asterism_object::Value;
use asterism_object::space::WellKnown;

use super::quick::{both_floats, float_mod, floor_div, floor_mod};
use super::state::{Execute, Interp, Next, Slow};
use super::strings;
use crate::basic_ops::{BasicOp, Classes};
use crate::ec::{Ec, Res};

/// Operators of two registers: for fixnums an integer operation that may not fit, for floats one of floats.
macro_rules! arithmetic {
    ($($op:ident, $basic:ident: $integers:expr, $floats:expr;)*) => {$(
        impl<'i> Execute<'i> for ops::$op<'i> {
            #[inline(always)]
            fn execute(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), at.get(self.right()));
                let result = if !at.fast(BasicOp::$basic, Classes::NUMBER) {
                    None
                } else if a.is_fixnum() && b.is_fixnum() {
                    $integers(a, b)
                } else if a.is_flonum() && b.is_flonum() {
                    Value::try_flonum($floats(a.as_flonum(), b.as_flonum()))
                } else {
                    None
                };
                match result {
                    Some(v) => at.store(self.dst(), v),
                    None => at.slowly::<Self>(),
                }
            }
        }

        impl<'i> Slow<'i> for ops::$op<'i> {
            #[inline(always)]
            fn slow(self, mut at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), at.get(self.right()));
                if at.fast(BasicOp::$basic, Classes::NUMBER)
                    && let Some((x, y)) = both_floats(a, b)
                {
                    at.save();
                    let v = at.ec.float($floats(x, y))?;
                    return at.store(self.dst(), v);
                }
                if at.counts(BasicOp::$basic, a, b)
                    && let Some(v) = $integers(a, b)
                {
                    return at.store(self.dst(), v);
                }
                at.send1(self.site(), a, b, self.dst())
            }
        }
    )*};
}

arithmetic! {
    Add, ADD: add, |x, y| x + y;
    Sub, SUB: sub, |x, y| x - y;
    Mul, MUL: mul, |x, y| x * y;
    Div, DIV: |a: Value, b: Value| floor_div(a.as_fixnum(), b.as_fixnum()), |x, y| x / y;
}

/// A word with a fixnum's tag.
///
/// # Safety
/// Bit 0 is set.
#[inline(always)]
unsafe fn tagged(word: i64) -> Value {
    // SAFETY: a word whose bit 0 is set is a fixnum's, whatever the others are.
    unsafe { Value::from_bits(word as u64) }
}

/// The sum of fixnums, if it is one.
#[inline(always)]
fn add(a: Value, b: Value) -> Option<Value> {
    // SAFETY: one of the words keeps its tag, the other one's is taken off.
    (a.bits() as i64).checked_add((b.bits() - 1) as i64).map(|n| unsafe { tagged(n) })
}

/// The difference of fixnums, if it is one.
#[inline(always)]
fn sub(a: Value, b: Value) -> Option<Value> {
    // SAFETY: the first word keeps its tag, the other one's is taken off.
    (a.bits() as i64).checked_sub((b.bits() - 1) as i64).map(|n| unsafe { tagged(n) })
}

/// The product of fixnums, if it is one.
#[inline(always)]
fn mul(a: Value, b: Value) -> Option<Value> {
    // SAFETY: the tag is set.
    ((a.bits() - 1) as i64).checked_mul(b.as_fixnum()).map(|n| unsafe { tagged(n | 1) })
}

impl<'i> Execute<'i> for ops::Mod<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let (a, b) = (at.get(self.left()), at.get(self.right()));
        if at.fast(BasicOp::MOD, Classes::NUMBER)
            && a.is_fixnum()
            && b.is_fixnum()
            && let Some(v) = floor_mod(a.as_fixnum(), b.as_fixnum())
        {
            return at.store(self.dst(), v);
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::Mod<'i> {
    #[inline(always)]
    fn slow(self, mut at: Interp<'i>) -> Res<Next> {
        let (a, b) = (at.get(self.left()), at.get(self.right()));
        if at.fast(BasicOp::MOD, Classes::NUMBER)
            && let Some((x, y)) = both_floats(a, b)
            && y != 0.0
        {
            at.save();
            let v = at.ec.float(float_mod(x, y))?;
            return at.store(self.dst(), v);
        }
        if at.counts(BasicOp::MOD, a, b)
            && let Some(v) = floor_mod(a.as_fixnum(), b.as_fixnum())
        {
            return at.store(self.dst(), v);
        }
        at.send1(self.site(), a, b, self.dst())
    }
}

/// `+` and `-` of a register and a constant.
macro_rules! with_constant {
    ($($op:ident, $basic:ident: $checked:ident, $floats:expr;)*) => {$(
        impl<'i> Execute<'i> for ops::$op<'i> {
            #[inline(always)]
            fn execute(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), self.imm());
                let result = if !at.fast(BasicOp::$basic, Classes::NUMBER) {
                    None
                } else if a.is_fixnum() {
                    // SAFETY: twice the constant leaves the tag as it is.
                    (a.bits() as i64).$checked(b << 1).map(|n| unsafe { tagged(n) })
                } else if a.is_flonum() {
                    Value::try_flonum($floats(a.as_flonum(), b as f64))
                } else {
                    None
                };
                match result {
                    Some(v) => at.store(self.dst(), v),
                    None => at.slowly::<Self>(),
                }
            }
        }

        impl<'i> Slow<'i> for ops::$op<'i> {
            #[inline(always)]
            fn slow(self, mut at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), Value::fixnum(self.imm()));
                if at.fast(BasicOp::$basic, Classes::NUMBER)
                    && let Some((x, y)) = both_floats(a, b)
                {
                    at.save();
                    let v = at.ec.float($floats(x, y))?;
                    return at.store(self.dst(), v);
                }
                if at.counts(BasicOp::$basic, a, b)
                    && let Some(v) = a.as_fixnum().$checked(self.imm()).and_then(Value::try_fixnum)
                {
                    return at.store(self.dst(), v);
                }
                at.send1(self.site(), a, b, self.dst())
            }
        }
    )*};
}

with_constant! {
    AddI, ADD: checked_add, |x, y| x + y;
    SubI, SUB: checked_sub, |x, y| x - y;
}

/// Operators on the bits of fixnums, tag included.
macro_rules! bitwise {
    ($($op:ident, $basic:ident: $bits:expr;)*) => {$(
        impl<'i> Execute<'i> for ops::$op<'i> {
            #[inline(always)]
            fn execute(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), at.get(self.right()));
                if a.is_fixnum() && b.is_fixnum() && at.fast(BasicOp::$basic, Classes::INTEGER) {
                    // SAFETY: the tag is set.
                    let v = unsafe { tagged($bits(a.bits() as i64, b.bits() as i64)) };
                    return at.store(self.dst(), v);
                }
                at.slowly::<Self>()
            }
        }

        impl<'i> Slow<'i> for ops::$op<'i> {
            #[inline(always)]
            fn slow(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), at.get(self.right()));
                if at.counts(BasicOp::$basic, a, b) {
                    // SAFETY: the tag is set.
                    let v = unsafe { tagged($bits(a.bits() as i64, b.bits() as i64)) };
                    return at.store(self.dst(), v);
                }
                at.send1(self.site(), a, b, self.dst())
            }
        }
    )*};
}

bitwise! {
    And, AND: |a, b| a & b;
    Or, OR: |a, b| a | b;
    Xor, XOR: |a, b| (a ^ b) | 1;
}

/// `n << by`, if that is a fixnum and `by` no negative number.
#[inline(always)]
fn shifted_left(n: i64, by: i64) -> Option<Value> {
    if (0..62).contains(&by) && n << by >> by == n { Value::try_fixnum(n << by) } else { None }
}

impl<'i> Execute<'i> for ops::Shl<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let (a, b) = (at.get(self.left()), at.get(self.right()));
        if a.is_fixnum()
            && b.is_fixnum()
            && at.fast(BasicOp::SHL, Classes::INTEGER)
            && let Some(v) = shifted_left(a.as_fixnum(), b.as_fixnum())
        {
            return at.store(self.dst(), v);
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::Shl<'i> {
    #[inline(always)]
    fn slow(self, mut at: Interp<'i>) -> Res<Next> {
        let (a, b) = (at.get(self.left()), at.get(self.right()));
        if at.counts(BasicOp::SHL, a, b)
            && let Some(v) = shifted_left(a.as_fixnum(), b.as_fixnum())
        {
            return at.store(self.dst(), v);
        }
        if a.is_heap() {
            let class = at.ec.class_of(a).0;
            if class == at.ec.class(WellKnown::Array) && at.fast(BasicOp::SHL, Classes::ARRAY) {
                at.save();
                array_push(at.ec, a, b)?;
                return at.store(self.dst(), a);
            }
            if class == at.ec.class(WellKnown::String) && at.fast(BasicOp::SHL, Classes::STRING) {
                at.save();
                if strings::quick_append(at.ec, a, b)? {
                    return at.store(self.dst(), a);
                }
            }
        }
        at.send1(self.site(), a, b, self.dst())
    }
}

/// `array << v`, apart: it needs memory of its own.
#[inline(never)]
fn array_push(ec: &mut Ec, array: Value, v: Value) -> Res<()> {
    ec.array_push(array, v)
}

impl<'i> Execute<'i> for ops::Shr<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let (a, b) = (at.get(self.left()), at.get(self.right()));
        if a.is_fixnum() && b.is_fixnum() && at.fast(BasicOp::SHR, Classes::INTEGER) && b.as_fixnum() >= 0 {
            return at.store(self.dst(), Value::fixnum(a.as_fixnum() >> b.as_fixnum().min(63)));
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::Shr<'i> {
    #[inline(always)]
    fn slow(self, at: Interp<'i>) -> Res<Next> {
        let (a, b) = (at.get(self.left()), at.get(self.right()));
        if at.counts(BasicOp::SHR, a, b) && b.as_fixnum() >= 0 {
            return at.store(self.dst(), Value::fixnum(a.as_fixnum() >> b.as_fixnum().min(63)));
        }
        at.send1(self.site(), a, b, self.dst())
    }
}

impl<'i> Execute<'i> for ops::Neg<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let v = at.get(self.recv());
        let result = if !at.fast(BasicOp::NEG, Classes::NUMBER) {
            None
        } else if let Some(n) = v.fixnum_value() {
            Value::try_fixnum(-n)
        } else if v.is_flonum() {
            Value::try_flonum(-v.as_flonum())
        } else {
            None
        };
        match result {
            Some(v) => at.store(self.dst(), v),
            None => at.slowly::<Self>(),
        }
    }
}

impl<'i> Slow<'i> for ops::Neg<'i> {
    #[inline(always)]
    fn slow(self, at: Interp<'i>) -> Res<Next> {
        let v = at.get(self.recv());
        at.send0(self.site(), v, self.dst())
    }
}
