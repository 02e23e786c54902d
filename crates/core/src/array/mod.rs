//! Array: the methods without blocks.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array};
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};
use bounds::check_size;

mod bounds;
pub(crate) mod combine;
pub(crate) mod compare;
mod index;
pub(crate) mod quick;
pub(crate) mod show;
pub(crate) mod sort;
mod stack;
pub(crate) mod update;

static ARRAY: &[NativeDef] = &[
    NativeDef::new("length", length, 0, 0).leaf(),
    NativeDef::new("size", length, 0, 0).leaf(),
    NativeDef::new("empty?", empty, 0, 0).leaf(),
    NativeDef::new("to_a", to_a, 0, 0).leaf(),
    NativeDef::new("to_ary", this_itself, 0, 0).leaf(),
    NativeDef::new("deconstruct", this_itself, 0, 0).leaf(),
];

static SINGLETON: &[NativeDef] =
    &[NativeDef::new("[]", literal, 0, ANY), NativeDef::new("try_convert", try_convert, 1, 1)];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Array);
    for list in [ARRAY, index::LIST, stack::LIST, combine::LIST, compare::LIST, sort::LIST, show::LIST] {
        ec.define_natives(class, list)?;
    }
    ec.define_singleton_natives(class, SINGLETON)
}

fn length(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(array::len(this) as i64))
}

fn empty(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(array::is_empty(this)))
}

fn this_itself(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(this)
}

fn to_a(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if ec.real_class_of(this).0 == ec.class(WellKnown::Array) { Ok(this) } else { entries(ec, this, args) }
}

fn entries(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let copy = array::dup(ec, this);
    ec.check(this, copy)
}

fn literal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let made = ec.allocate(Class(this))?;
    if made.is_type(Type::Array) {
        let done = array::extend(ec, made, args.slice());
        ec.check(made, done)?;
    }
    Ok(made)
}

fn try_convert(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    Ok(ec.check_array(args[0])?.unwrap_or(Value::NIL))
}

/// `Primitive.array_fill_new(self, size, value)`: what `Array.new` without a block does.
pub(crate) fn fill_new(ec: &mut Ec, args: &[Value]) -> Res {
    let [this, size, value] = args else {
        return Err(ec.fatal("array_fill_new takes three arguments"));
    };
    ec.check_frozen(*this)?;
    let done = array::clear(ec, *this);
    ec.check(*this, done)?;
    if size.is_undef() {
        return Ok(Value::NIL);
    }
    if value.is_undef()
        && !size.is_fixnum()
        && let Some(other) = ec.check_array(*size)?
    {
        let done = array::replace(ec, *this, other);
        ec.check(*this, done)?;
        return Ok(Value::NIL);
    }
    let n = check_size(ec, *size)?;
    let value = if value.is_undef() { Value::NIL } else { *value };
    let done = array::fill(ec, *this, 0, n, value);
    ec.check(*this, done)?;
    Ok(Value::NIL)
}

/// `Primitive.array_check_size(n)`: a size for `Array.new` as an Integer.
pub(crate) fn checked_size(ec: &mut Ec, args: &[Value]) -> Res {
    let n = check_size(ec, args.first().copied().unwrap_or(Value::NIL))?;
    ec.size(n)
}
