//! Operators on numbers, strings and hashes that need no call: what the loop tries before it sends a message.

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, float, hash, range};
use asterism_symbol::sym;

use crate::ec::Ec;
use crate::method::Body;

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

/// `==` where it needs no call: identity of immediates, numbers, strings.
#[inline(always)]
pub fn quick_equal(ec: &mut Ec, a: Value, b: Value) -> Option<bool> {
    if a.is_fixnum() && b.is_fixnum() {
        return Some(a == b);
    }
    if !a.is_heap() && !a.is_fixnum() && !a.is_flonum() {
        // nil, true, false and symbols are equal to themselves only.
        return Some(a == b);
    }
    slower_equal(ec, a, b)
}

#[inline(never)]
pub fn slower_equal(ec: &mut Ec, a: Value, b: Value) -> Option<bool> {
    if let Some((x, y)) = both_floats(a, b) {
        return Some(x == y);
    }
    if a.is_heap() && b.is_heap() {
        let class = ec.class_of(a).0;
        if class == ec.class(WellKnown::String) && b.is_type(Type::String) {
            return Some(asterism_object::string::eq(ec, a, b));
        }
    } else if a.is_heap() && ec.class_of(a).0 == ec.class(WellKnown::String) {
        return Some(false);
    }
    None
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
pub fn quick_case_equal(ec: &mut Ec, pattern: Value, v: Value) -> Option<bool> {
    if pattern.is_heap() {
        if matches!(pattern.heap_type(), Some(Type::Class | Type::Module)) {
            return quick_class_match(ec, pattern, v);
        }
        if pattern.is_type(Type::String) {
            return slower_equal(ec, pattern, v);
        }
        if pattern.is_type(Type::Range) && ec.class_of(pattern).0 == ec.class(WellKnown::Range) {
            return range_covers(pattern, v);
        }
        return None;
    }
    quick_equal(ec, pattern, v)
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
    let meta = ec.class_of(class);
    match ec.find_method(meta, sym::EQQ).1 {
        Some(found) if matches!(found.method.body(), Body::Native(_)) => Some(ec.is_kind_of(v, class)),
        _ => None,
    }
}
