//! Comparisons, and jumps by them.

use asterism_compiler::operand::Site;
use asterism_compiler::ops;
use asterism_object::Value;

use super::quick::{mixed_floats, quick_case_equal, quick_equal};
use super::state::{Execute, Interp, Next, Slow};
use crate::basic_ops::{BasicOp, Classes};
use crate::call::Invoked;
use crate::ec::Res;
use crate::frame::{Cont, state};

/// How two numbers compare, if the handler itself knows: fixnums, whose order is that of their words, and flonums.
#[inline(always)]
fn quick_order(a: Value, b: Value, integers: fn(i64, i64) -> bool, floats: fn(f64, f64) -> bool) -> Option<bool> {
    if a.is_fixnum() && b.is_fixnum() {
        return Some(integers(a.bits() as i64, b.bits() as i64));
    }
    (a.is_flonum() && b.is_flonum()).then(|| floats(a.as_flonum(), b.as_flonum()))
}

/// What a comparison says whose handler did not know the answer: of other Floats, or where the core's is meant though
/// a program has another one.
#[inline(always)]
fn slow_order(
    at: &Interp<'_>,
    op: BasicOp,
    a: Value,
    b: Value,
    integers: fn(i64, i64) -> bool,
    floats: fn(f64, f64) -> bool,
) -> Option<bool> {
    if at.fast(op, Classes::NUMBER)
        && let Some((x, y)) = mixed_floats(a, b)
    {
        return Some(floats(x, y));
    }
    at.counts(op, a, b).then(|| integers(a.as_fixnum(), b.as_fixnum()))
}

/// A jump by what the method says.
#[inline(always)]
fn jump_by_method<'i>(mut at: Interp<'i>, site: Site<'i>, a: Value, b: Value, sense: bool, offset: isize) -> Res<Next> {
    at.save();
    let cont = if sense { Cont::JumpIf } else { Cont::JumpUnless };
    // SAFETY: the current frame is a Ruby frame, whose pc is saved; the site is one of its code.
    let invoked = unsafe { at.ec.send_operator1(at.frame(), site.index(), a, b, state(0, cont, 0))? };
    match invoked {
        Invoked::Done(v) => at.jump_if(v.truthy() == sense, offset),
        Invoked::Pushed => at.reload(),
    }
}

/// `<`, `<=`, `>`, `>=`, and their jumps.
macro_rules! order {
    ($($op:ident, $jump:ident, $jump_imm:ident, $basic:ident: $sign:tt;)*) => {$(
        impl<'i> Execute<'i> for ops::$op<'i> {
            #[inline(always)]
            fn execute(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), at.get(self.right()));
                if at.fast(BasicOp::$basic, Classes::NUMBER)
                    && let Some(answer) = quick_order(a, b, |a, b| a $sign b, |a, b| a $sign b)
                {
                    return at.store(self.dst(), Value::bool(answer));
                }
                at.slowly::<Self>()
            }
        }

        impl<'i> Slow<'i> for ops::$op<'i> {
            #[inline(always)]
            fn slow(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), at.get(self.right()));
                match slow_order(&at, BasicOp::$basic, a, b, |a, b| a $sign b, |a, b| a $sign b) {
                    Some(answer) => at.store(self.dst(), Value::bool(answer)),
                    None => at.send1(self.site(), a, b, self.dst()),
                }
            }
        }

        jump_by_order!($jump: |op: &Self, at: &Interp<'i>| at.get(op.right()), $basic, $sign);
        jump_by_order!($jump_imm: |op: &Self, _: &Interp<'i>| Value::fixnum(op.imm()), $basic, $sign);
    )*};
}

macro_rules! jump_by_order {
    ($jump:ident: $right:expr, $basic:ident, $sign:tt) => {
        impl<'i> Execute<'i> for ops::$jump<'i> {
            #[inline(always)]
            fn execute(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), $right(&self, &at));
                if at.fast(BasicOp::$basic, Classes::NUMBER)
                    && let Some(answer) = quick_order(a, b, |a, b| a $sign b, |a, b| a $sign b)
                {
                    return at.jump_if(answer == self.sense(), self.target());
                }
                at.slowly::<Self>()
            }
        }

        impl<'i> Slow<'i> for ops::$jump<'i> {
            #[inline(always)]
            fn slow(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), $right(&self, &at));
                match slow_order(&at, BasicOp::$basic, a, b, |a, b| a $sign b, |a, b| a $sign b) {
                    Some(answer) => at.jump_if(answer == self.sense(), self.target()),
                    None => jump_by_method(at, self.site(), a, b, self.sense(), self.target()),
                }
            }
        }
    };
}

order! {
    Lt, JmpLt, JmpLtI, LT: <;
    Le, JmpLe, JmpLeI, LE: <=;
    Gt, JmpGt, JmpGtI, GT: >;
    Ge, JmpGe, JmpGeI, GE: >=;
}

/// Equality, which is identity or a number's for what the handler knows.
macro_rules! equality {
    ($($op:ident, $basic:ident: $quick:ident, $wanted:literal;)*) => {$(
        impl<'i> Execute<'i> for ops::$op<'i> {
            #[inline(always)]
            fn execute(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), at.get(self.right()));
                if at.fast(BasicOp::$basic, Classes::INTEGER) && a.is_fixnum() && b.is_fixnum() {
                    return at.store(self.dst(), Value::bool((a == b) == $wanted));
                }
                at.slowly::<Self>()
            }
        }

        impl<'i> Slow<'i> for ops::$op<'i> {
            #[inline(always)]
            fn slow(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), at.get(self.right()));
                if let Some(equal) = $quick(at.ec, BasicOp::$basic, a, b) {
                    return at.store(self.dst(), Value::bool(equal == $wanted));
                }
                if at.counts(BasicOp::$basic, a, b) {
                    return at.store(self.dst(), Value::bool((a == b) == $wanted));
                }
                at.send1(self.site(), a, b, self.dst())
            }
        }
    )*};
}

equality! {
    Eq, EQ: quick_equal, true;
    Ne, NE: quick_equal, false;
    CaseEq, CASE_EQ: quick_case_equal, true;
}

macro_rules! jump_by_equality {
    ($($jump:ident, $basic:ident: $right:expr, $wanted:literal;)*) => {$(
        impl<'i> Execute<'i> for ops::$jump<'i> {
            #[inline(always)]
            fn execute(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), $right(&self, &at));
                // nil, true, false and symbols are equal to themselves only, as fixnums are to each other.
                let by_identity = a.is_fixnum() && b.is_fixnum() || !a.is_heap() && !a.is_fixnum() && !a.is_flonum();
                if by_identity && at.fast(BasicOp::$basic, Classes::IMMEDIATE) {
                    return at.jump_if(((a == b) == $wanted) == self.sense(), self.target());
                }
                at.slowly::<Self>()
            }
        }

        impl<'i> Slow<'i> for ops::$jump<'i> {
            #[inline(always)]
            fn slow(self, at: Interp<'i>) -> Res<Next> {
                let (a, b) = (at.get(self.left()), $right(&self, &at));
                if let Some(equal) = quick_equal(at.ec, BasicOp::$basic, a, b) {
                    return at.jump_if((equal == $wanted) == self.sense(), self.target());
                }
                if at.counts(BasicOp::$basic, a, b) {
                    return at.jump_if(((a == b) == $wanted) == self.sense(), self.target());
                }
                jump_by_method(at, self.site(), a, b, self.sense(), self.target())
            }
        }
    )*};
}

jump_by_equality! {
    JmpEq, EQ: |op: &Self, at: &Interp<'i>| at.get(op.right()), true;
    JmpNe, NE: |op: &Self, at: &Interp<'i>| at.get(op.right()), false;
    JmpEqI, EQ: |op: &Self, _: &Interp<'i>| Value::fixnum(op.imm()), true;
    JmpNeI, NE: |op: &Self, _: &Interp<'i>| Value::fixnum(op.imm()), false;
}

/// Questions that are answered without a call while no class has a method of its own for them, and of immediates. `$not_blank` answers for
/// what inherits from Object where there is something else.
macro_rules! of_immediates {
    ($($op:ident, $basic:ident: $answer:expr, $not_blank:expr;)*) => {$(
        impl<'i> Execute<'i> for ops::$op<'i> {
            #[inline(always)]
            fn execute(self, at: Interp<'i>) -> Res<Next> {
                let v = at.get(self.recv());
                if at.fast(BasicOp::$basic, Classes::ANY) || $not_blank(&at, v) {
                    return at.store(self.dst(), Value::bool($answer(v)));
                }
                at.slowly::<Self>()
            }
        }

        impl<'i> Slow<'i> for ops::$op<'i> {
            #[inline(always)]
            fn slow(self, at: Interp<'i>) -> Res<Next> {
                let v = at.get(self.recv());
                if !v.is_heap() && at.fast(BasicOp::$basic, Classes::IMMEDIATE) {
                    return at.store(self.dst(), Value::bool($answer(v)));
                }
                at.send0(self.site(), v, self.dst())
            }
        }
    )*};
}

of_immediates! {
    Not, NOT: |v: Value| !v.truthy(), |_: &Interp<'i>, _: Value| false;
    NilP, NIL_P: |v: Value| v.is_nil(), |at: &Interp<'i>, v: Value| {
        at.fast(BasicOp::NIL_P, Classes::NOT_BLANK) && !(v.is_heap() && at.ec.class_of(v).is_blank())
    };
}

impl<'i> Execute<'i> for ops::JmpNot<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let v = at.get(self.value());
        if at.fast(BasicOp::NOT, Classes::ANY) {
            return at.jump_if(v.truthy() != self.sense(), self.target());
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::JmpNot<'i> {
    #[inline(always)]
    fn slow(self, mut at: Interp<'i>) -> Res<Next> {
        let (v, sense, target) = (at.get(self.value()), self.sense(), self.target());
        if !v.is_heap() && at.fast(BasicOp::NOT, Classes::IMMEDIATE) {
            return at.jump_if(v.truthy() != sense, target);
        }
        at.save();
        let cont = if sense { Cont::JumpIf } else { Cont::JumpUnless };
        // SAFETY: the current frame is a Ruby frame, whose pc is saved; the site is one of its code.
        let invoked = unsafe { at.ec.send_operator0(at.frame(), self.site().index(), v, state(0, cont, 0))? };
        match invoked {
            Invoked::Done(v) => at.jump_if(v.truthy() == sense, target),
            Invoked::Pushed => at.reload(),
        }
    }
}

impl<'i> Execute<'i> for ops::Jmp<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        at.jump(self.target())
    }
}

impl<'i> Execute<'i> for ops::Loop<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        at.jump(self.target())
    }
}

/// Jumps by a value.
macro_rules! jumps {
    ($($op:ident: $met:expr;)*) => {$(
        impl<'i> Execute<'i> for ops::$op<'i> {
            #[inline(always)]
            fn execute(self, at: Interp<'i>) -> Res<Next> {
                let v = at.get(self.value());
                at.jump_if($met(v), self.target())
            }
        }
    )*};
}

jumps! {
    JmpIf: |v: Value| v.truthy();
    JmpUnless: |v: Value| !v.truthy();
    JmpNil: |v: Value| v.is_nil();
    JmpNotNil: |v: Value| !v.is_nil();
    JmpDef: |v: Value| !v.is_undef();
}
