//! Array: what its Ruby part asks first, for arrays of plain numbers or strings. `undef` says: not one of those.

use std::cmp::Ordering;

use asterism_object::types::Type;
use asterism_object::{Value, array, float, ownership, string};
use asterism_vm::basic_ops::{BasicOp, Classes};
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Res};

use super::compare::{order_redefined, redefined};

/// Registered with the other primitives.
pub(crate) static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("array_quick_sum", sum),
    ("array_total", total),
    ("array_sum_step", sum_step),
    ("array_quick_extreme", extreme),
    ("array_zip", zip),
    ("array_settled", |ec, args| settled(ec, args[0])),
    ("array_is_settled", |ec, args| Ok(Value::bool(is_settled(ec, args[0])))),
];

/// A sum of Integers is exact; from the first Float on it is compensated (Kahan and Babuska).
enum Sum {
    Exact(i128),
    Float { sum: f64, lost: f64 },
}

impl Sum {
    /// `None` where the Ruby part has to go on.
    fn add(self, v: Value) -> Option<Sum> {
        let x = match (v.fixnum_value(), &self) {
            (Some(n), Sum::Exact(sum)) => return Some(Sum::Exact(sum.checked_add(i128::from(n))?)),
            (Some(n), Sum::Float { .. }) => n as f64,
            (None, _) if float::is_float(v) => float::get(v),
            _ => return None,
        };
        let (sum, lost) = match self {
            Sum::Exact(n) => (n as f64, 0.0),
            Sum::Float { sum, lost } => (sum, lost),
        };
        if !x.is_finite() || !sum.is_finite() {
            return None;
        }
        let total = sum + x;
        let lost = lost + if sum.abs() >= x.abs() { (sum - total) + x } else { (x - total) + sum };
        Some(Sum::Float { sum: total, lost })
    }
}

/// Can no other thread change the array before this one's next safepoint?
fn is_settled(ec: &Ec, list: Value) -> bool {
    list.cell().is_none_or(|cell| ownership::readable(ec, cell.header()))
}

/// The array itself if no other thread can change it before the next safepoint, else a copy: what several threads
/// change is read as it was at one moment.
pub(crate) fn settled(ec: &mut Ec, list: Value) -> Res {
    match list.cell() {
        Some(cell) if !ownership::readable(ec, cell.header()) => {
            let copy = array::snapshot(ec, list);
            ec.check(list, copy)
        }
        _ => Ok(list),
    }
}

/// `array_quick_sum(array, init)`
fn sum(ec: &mut Ec, args: &[Value]) -> Res {
    if redefined(ec, BasicOp::ADD, Classes::NUMBER) {
        return Ok(Value::UNDEF);
    }
    let Some(mut total) = Sum::Exact(0).add(args[1]) else {
        return Ok(Value::UNDEF);
    };
    let list = args[0];
    let added = array::with_slice_apart(ec, list, array::len(list), |values| {
        for &v in values {
            total = total.add(v)?;
        }
        Some(total)
    });
    let Some(total) = added else {
        return Ok(Value::UNDEF);
    };
    match total {
        Sum::Exact(n) => match i64::try_from(n) {
            Ok(n) => ec.int(n),
            Err(_) => ec.bigint(n.into()),
        },
        Sum::Float { sum, lost } => ec.float(sum + lost),
    }
}

/// What `+` makes of one number after the other.
#[derive(Clone, Copy)]
enum Total {
    Integer(i64),
    Float(f64),
}

impl Total {
    /// `None` where `+` of or to what is not a small Integer or a Float is needed.
    #[inline(always)]
    fn add(self, v: Value) -> Option<Total> {
        match (self, v.fixnum_value()) {
            (Total::Integer(total), Some(n)) => Some(Total::Integer(total.checked_add(n)?)),
            (Total::Float(total), Some(n)) => Some(Total::Float(total + n as f64)),
            (Total::Float(total), None) if float::is_float(v) => Some(Total::Float(total + float::get(v))),
            (Total::Integer(total), None) if float::is_float(v) => Some(Total::Float(total as f64 + float::get(v))),
            _ => None,
        }
    }
}

/// `array_total(array, init, from)`: what `+` makes of `init` and the elements behind the first `from` ones.
fn total(ec: &mut Ec, args: &[Value]) -> Res {
    let (list, init) = (args[0], args[1]);
    let begun = match init.fixnum_value() {
        Some(n) => Total::Integer(n),
        None if float::is_float(init) => Total::Float(float::get(init)),
        None => return Ok(Value::UNDEF),
    };
    if redefined(ec, BasicOp::ADD, Classes::NUMBER) {
        return Ok(Value::UNDEF);
    }
    let from = args[2].fixnum_value().and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
    let total = array::with_slice_apart(ec, list, array::len(list), |values| {
        values.get(from..)?.iter().try_fold(begun, |total, &v| total.add(v))
    });
    match total {
        Some(Total::Integer(n)) => ec.int(n),
        Some(Total::Float(f)) => ec.float(f),
        None => Ok(Value::UNDEF),
    }
}

/// `array_sum_step(state, value)`: is the value, a number, added to a sum of Floats, or the first Float to a sum of Integers? `state` is
/// that of `Asterism::Internal.sum_start`, which nobody else has.
fn sum_step(ec: &mut Ec, args: &[Value]) -> Res {
    let (state, v) = (args[0], args[1]);
    let part = |i: usize| array::at(state, i).unwrap_or(Value::NIL);
    let so_far = match (part(0), part(1), part(2)) {
        (Value::TRUE, sum, lost) if float::is_float(sum) && float::is_float(lost) => {
            Some(Sum::Float { sum: float::get(sum), lost: float::get(lost) })
        }
        (Value::FALSE, sum, _) if float::is_float(v) => sum.fixnum_value().map(|n| Sum::Exact(i128::from(n))),
        _ => None,
    };
    if let Some(Sum::Float { sum, lost }) = so_far.and_then(|sum| sum.add(v)) {
        let (sum, lost) = (ec.float(sum)?, ec.float(lost)?);
        for (i, part) in [(0, Value::TRUE), (1, sum), (2, lost)] {
            let done = array::set(ec, state, i, part);
            ec.check(state, done)?;
        }
        return Ok(Value::TRUE);
    }
    Ok(Value::FALSE)
}

/// `array_quick_extreme(array, largest)`
fn extreme(ec: &mut Ec, args: &[Value]) -> Res {
    let wanted = if args[1].truthy() { Ordering::Greater } else { Ordering::Less };
    let list = settled(ec, args[0])?;
    let Some(mut best) = array::at(list, 0) else {
        return Ok(Value::NIL);
    };
    if order_redefined(ec) {
        return Ok(Value::UNDEF);
    }
    let mut i = 1;
    while let Some(v) = array::at(list, i) {
        let order = if let (Some(x), Some(y)) = (v.fixnum_value(), best.fixnum_value()) {
            x.cmp(&y)
        } else if float::is_float(v) && float::is_float(best) {
            match float::get(v).partial_cmp(&float::get(best)) {
                Some(order) => order,
                None => return Ok(Value::UNDEF),
            }
        } else if v.is_type(Type::String) && best.is_type(Type::String) {
            string::cmp(ec, v, best)
        } else {
            return Ok(Value::UNDEF);
        };
        if order == wanted {
            best = v;
        }
        i += 1;
        ec.poll()?;
    }
    Ok(best)
}

/// `array_zip(array, arrays)`: rows of the elements at the same position.
fn zip(ec: &mut Ec, args: &[Value]) -> Res {
    let (list, others) = (settled(ec, args[0])?, args[1]);
    let out = ec.array_with_capacity(array::len(list))?;
    let mut i = 0;
    while let Some(v) = array::at(list, i) {
        let row = ec.array_with_capacity(1 + array::len(others))?;
        ec.array_push(row, v)?;
        let mut j = 0;
        while let Some(other) = array::at(others, j) {
            let x = if other.is_type(Type::Array) { array::at(other, i) } else { None };
            ec.array_push(row, x.unwrap_or(Value::NIL))?;
            j += 1;
        }
        ec.array_push(out, row)?;
        i += 1;
        ec.poll()?;
    }
    Ok(out)
}
