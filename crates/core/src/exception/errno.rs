//! SystemCallError and the constructors of the classes under Errno, which `io::errno` defines.

use asterism_object::class::Class;
use asterism_object::{Value, string};
use asterism_symbol::{intern, sym};
use asterism_vm::{ANY, Args, Ec, Exc, NativeDef, Res};

use super::attribute;
use crate::errno;

static SYSTEM_CALL_ERROR: &[NativeDef] =
    &[NativeDef::new("initialize", initialize, 0, ANY).private(), NativeDef::new("errno", get_errno, 0, 0).leaf()];

static SINGLETON: &[NativeDef] = &[NativeDef::new("new", new, 0, ANY), NativeDef::new("===", matches, 1, 1)];

/// Defines the methods of SystemCallError.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let base = Class(ec.exc_class(Exc::SystemCallError));
    ec.define_natives(base, SYSTEM_CALL_ERROR)?;
    ec.define_singleton_natives(base, SINGLETON)?;
    Ok(())
}

fn text(number: Option<i32>, detail: Option<&[u8]>, function: Option<&[u8]>) -> Vec<u8> {
    let mut out = number.map_or_else(|| "unknown error".to_string(), errno::text).into_bytes();
    if let Some(function) = function {
        out.extend_from_slice(b" @ ");
        out.extend_from_slice(function);
    }
    if let Some(detail) = detail {
        out.extend_from_slice(b" - ");
        out.extend_from_slice(detail);
    }
    out
}

/// The number a class under Errno stands for.
fn number_of(ec: &mut Ec, class: Value) -> Res<Option<i32>> {
    let Some(class) = Class::from_value(class) else {
        return Ok(None);
    };
    if class.0 == ec.exc_class(Exc::SystemCallError) {
        return Ok(None);
    }
    let v = ec.constant_in(class, intern("Errno"), false)?;
    Ok(v.and_then(Value::fixnum_value).and_then(|n| i32::try_from(n).ok()))
}

/// `SystemCallError.new(message, number)` gives an instance of the number's class.
fn new(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut class = this;
    if this == ec.exc_class(Exc::SystemCallError) {
        let number = match (args.get(0), args.get(1)) {
            (_, Some(n)) if !n.is_nil() => Some(n),
            (Some(n), None) if n.is_fixnum() => Some(n),
            _ => None,
        };
        if let Some(n) = number {
            let n = ec.to_i64(n)?;
            class = i32::try_from(n).map_or(this, |n| errno::class_of(ec, n));
        }
        let e = ec.new_object(class)?;
        fill(ec, e, number.is_some() && args.len() == 1, args, number)?;
        return Ok(e);
    }
    let Some(class) = Class::from_value(class) else {
        return Err(ec.type_error("not a class"));
    };
    ec.new_instance(class, args)
}

/// `bare`: the only argument is the number.
fn fill(ec: &mut Ec, this: Value, bare: bool, args: Args<'_>, number: Option<Value>) -> Res<()> {
    let number = match number {
        Some(n) => {
            let n = ec.to_i64(n)?;
            Some(i32::try_from(n).unwrap_or(i32::MAX))
        }
        None => None,
    };
    let detail = if bare { Value::NIL } else { args.or_nil(0) };
    let function = args.or_nil(2);
    put(ec, this, number, detail, function)
}

fn bytes(ec: &mut Ec, v: Value) -> Res<Option<Vec<u8>>> {
    if v.is_nil() {
        return Ok(None);
    }
    let s = ec.to_str(v)?;
    Ok(Some(string::to_vec(ec, s)))
}

fn put(ec: &mut Ec, this: Value, number: Option<i32>, detail: Value, function: Value) -> Res<()> {
    let detail = bytes(ec, detail)?;
    let function = bytes(ec, function)?;
    let message = ec.str(text(number, detail.as_deref(), function.as_deref()))?;
    ec.ivar_put(this, sym::message_ivar, message)?;
    ec.ivar_put(this, sym::errno, number.map_or(Value::NIL, |n| Value::fixnum(i64::from(n))))
}

/// `initialize(message = nil, function = nil)` of the classes under Errno; subclasses of SystemCallError itself
/// take a number in between.
fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let class = ec.real_class_of(this);
    match number_of(ec, class.0)? {
        Some(number) => put(ec, this, Some(number), args.or_nil(0), args.or_nil(1))?,
        None => {
            let number = args.get(1).filter(|n| !n.is_nil());
            let bare = number.is_none() && args.get(0).is_some_and(|v| v.is_fixnum());
            let number = if bare { args.get(0) } else { number };
            fill(ec, this, bare, args, number)?;
        }
    }
    Ok(Value::NIL)
}

fn get_errno(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(attribute(ec, this, sym::errno))
}

/// `Errno::X === e` compares numbers.
fn matches(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let e = args[0];
    if ec.is_kind_of(e, this) {
        return Ok(Value::TRUE);
    }
    if !ec.is_kind_of(e, ec.exc_class(Exc::SystemCallError)) {
        return Ok(Value::FALSE);
    }
    let number = number_of(ec, this)?;
    let other = attribute(ec, e, sym::errno).fixnum_value();
    Ok(Value::bool(number.is_some() && number.map(i64::from) == other))
}
