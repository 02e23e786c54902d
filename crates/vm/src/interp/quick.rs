//! Operators on numbers, strings and hashes that need no call: what the loop tries before it sends a message.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, float, hash, range};

use crate::basic_ops::{BasicOp, Classes};
use crate::ec::Ec;

/// Both operands as floats, if at least one is a Float and the other a Float or fixnum.
#[inline(always)]
pub fn both_floats(a: Value, b: Value) -> Option<(f64, f64)> {
    if a.is_flonum() && b.is_flonum() {
        return Some((a.as_flonum(), b.as_flonum()));
    }
    mixed_floats(a, b)
}

/// `both_floats` of what are not two flonums.
#[inline(never)]
pub fn mixed_floats(a: Value, b: Value) -> Option<(f64, f64)> {
    let float = |v: Value| float::is_float(v);
    if !(float(a) || float(b)) {
        return None;
    }
    let number = |v: Value| {
        if float(v) { Some(float::get(v)) } else { v.fixnum_value().filter(|n| n.abs() < 1 << 53).map(|n| n as f64) }
    };
    Some((number(a)?, number(b)?))
}

#[inline(always)]
pub fn floor_div(a: i64, b: i64) -> Option<Value> {
    if b == 0 {
        return None;
    }
    let q = a / b;
    Value::try_fixnum(if (a % b != 0) && ((a < 0) != (b < 0)) { q - 1 } else { q })
}

#[inline(always)]
pub fn floor_mod(a: i64, b: i64) -> Option<Value> {
    if b == 0 {
        return None;
    }
    let m = a % b;
    Some(Value::fixnum(if m != 0 && ((m < 0) != (b < 0)) { m + b } else { m }))
}

/// `x % y` of Floats, `y` not 0: the sign is the divisor's, but a zero keeps the dividend's.
pub fn float_mod(x: f64, y: f64) -> f64 {
    let m = if y.is_infinite() && x.is_finite() { x } else { x % y };
    if y * m < 0.0 { m + y } else { m }
}

/// `op`, which is `==` or what the core answers by it, where that needs no call: identity of immediates, numbers, strings.
#[inline(always)]
pub fn quick_equal(ec: &mut Ec, op: BasicOp, a: Value, b: Value) -> Option<bool> {
    if a.is_fixnum() && b.is_fixnum() {
        return ec.vm().basic_ops.intact(op, Classes::INTEGER).then_some(a == b);
    }
    if !a.is_heap() && !a.is_fixnum() && !a.is_flonum() {
        // nil, true, false and symbols are equal to themselves only.
        return ec.vm().basic_ops.intact(op, Classes::IDENTICAL).then_some(a == b);
    }
    slower_equal(ec, op, a, b)
}

#[inline(never)]
pub fn slower_equal(ec: &mut Ec, op: BasicOp, a: Value, b: Value) -> Option<bool> {
    if let Some((x, y)) = both_floats(a, b) {
        return ec.vm().basic_ops.intact(op, Classes::NUMBER).then_some(x == y);
    }
    if !a.is_heap() || ec.class_of(a).0 != ec.class(WellKnown::String) || !ec.vm().basic_ops.intact(op, Classes::STRING)
    {
        return None;
    }
    match b.is_heap() {
        true => b.is_type(Type::String).then(|| asterism_object::string::eq(ec, a, b)),
        false => Some(false),
    }
}

/// Does the Range cover the number `v`? `None` if that takes a call: of ends or a value that are no fixnums or Floats.
#[inline(never)]
pub fn range_covers(range: Value, v: Value) -> Option<bool> {
    let order = |a: Value, b: Value| match (a.fixnum_value(), b.fixnum_value()) {
        (Some(a), Some(b)) => Some(a.cmp(&b)),
        _ => both_floats(a, b).and_then(|(a, b)| a.partial_cmp(&b)),
    };
    let (begin, end) = (range::begin(range), range::end(range));
    let above = begin.is_nil() || order(begin, v)?.is_le();
    if end.is_nil() {
        // An endless Range covers what can be compared with its beginning.
        return (!begin.is_nil()).then_some(above);
    }
    let below = order(v, end)?;
    Some(above && if range::exclude_end(range) { below.is_lt() } else { below.is_le() })
}

/// `===` where it needs no call: what `==` knows, and classes without a `===` of their own.
#[inline(always)]
pub fn quick_case_equal(ec: &mut Ec, op: BasicOp, pattern: Value, v: Value) -> Option<bool> {
    if pattern.is_heap() {
        let intact = |classes| ec.vm().basic_ops.intact(op, classes);
        return match pattern.heap_type() {
            Some(Type::Class | Type::Module) if intact(Classes::MODULE) => quick_class_match(ec, pattern, v),
            Some(Type::String) => slower_equal(ec, op, pattern, v),
            Some(Type::Range)
                if intact(Classes::RANGE)
                    && ec.vm().basic_ops.intact(BasicOp::CMP, Classes::NUMBER)
                    && ec.class_of(pattern).0 == ec.class(WellKnown::Range) =>
            {
                range_covers(pattern, v)
            }
            _ => None,
        };
    }
    quick_equal(ec, op, pattern, v)
}

/// `hash[key]` where neither the key nor a default needs a call.
#[inline(always)]
pub fn quick_hash_aref(ec: &mut Ec, h: Value, key: Value) -> Option<Value> {
    match hash::get(ec, h, key) {
        hash::Lookup::Found(v) => Some(v),
        hash::Lookup::Missing => {
            let (v, is_proc) = hash::default_of(h);
            (!is_proc).then_some(v)
        }
        hash::Lookup::NeedsRuby => None,
    }
}

/// `Class === v` if that is the core's.
#[inline]
pub fn quick_class_match(ec: &mut Ec, class: Value, v: Value) -> Option<bool> {
    Class::from_value(class).and_then(|class| ec.class_match(class, v))
}
