//! Range: what its Ruby part builds on, and the part of an indexed object that a Range means.

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, range};
use asterism_symbol::sym;
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};

static RANGE: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 2, 3).private(),
    NativeDef::new("initialize_copy", initialize_copy, 1, 1).private(),
    NativeDef::new("begin", begin, 0, 0).leaf(),
    NativeDef::new("end", end, 0, 0).leaf(),
    NativeDef::new("exclude_end?", exclude_end, 0, 0).leaf(),
];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Range);
    ec.define_natives(class, RANGE)
}

/// ArgumentError unless the two can be the ends of a Range.
///
/// # Errors
/// ArgumentError: `bad value for range`.
pub fn check_ends(ec: &mut Ec, low: Value, high: Value) -> Res<()> {
    if low.is_fixnum() && high.is_fixnum() || low.is_nil() || high.is_nil() {
        return Ok(());
    }
    if ec.call(low, sym::CMP, &[high])?.is_nil() {
        return Err(ec.arg_error("bad value for range"));
    }
    Ok(())
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    // An instance of a subclass is not frozen; what it was made with shows that it was.
    if !range::begin(this).is_nil() || !range::end(this).is_nil() {
        let name = asterism_symbol::intern("initialize");
        return Err(ec.name_error(Exc::NameError, "'initialize' called twice", this, name));
    }
    check_ends(ec, args[0], args[1])?;
    range::init(ec, this, args[0], args[1], args.or_nil(2).truthy());
    if ec.class_of(this).0 == ec.class(WellKnown::Range) {
        ec.freeze(this)?;
    }
    Ok(Value::NIL)
}

fn initialize_copy(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let other = args[0];
    if !other.is_type(Type::Range) {
        return Err(ec.type_error("initialize_copy should take same class object"));
    }
    range::init(ec, this, range::begin(other), range::end(other), range::exclude_end(other));
    Ok(this)
}

fn begin(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(range::begin(this))
}

fn end(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(range::end(this))
}

fn exclude_end(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(range::exclude_end(this)))
}

/// How a Range that does not fit is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outside {
    /// `None`; the end is cut to the length (reading).
    None,
    /// RangeError if the beginning lies before the first element; nothing is cut (writing).
    Raise,
}

/// The Range that an object stands for which has `begin`, `end` and `exclude_end?` as a Range has; `None` if it has not.
///
/// # Errors
/// What these three, or a Ruby-level `respond_to?`, raise; NoMemoryError.
pub fn of_similar(ec: &mut Ec, v: Value) -> Res<Option<Value>> {
    if !v.is_type(Type::Object) {
        return Ok(None);
    }
    let names = ["begin", "end", "exclude_end?"].map(asterism_symbol::intern);
    for name in names {
        if !ec.respond_to(v, name, true)? {
            return Ok(None);
        }
    }
    let [low, high, exclusive] = names;
    let (low, high) = (ec.call(v, low, &[])?, ec.call(v, high, &[])?);
    let exclusive = ec.call(v, exclusive, &[])?.truthy();
    let class = ec.known(WellKnown::Range);
    let made = range::new_in(ec, class.0, low, high, exclusive);
    ec.check(v, made).map(Some)
}

/// Start and length of what `r` means in something of `len` elements.
///
/// # Errors
/// RangeError; what conversions of the ends raise.
pub fn bounds(ec: &mut Ec, r: Value, len: usize, outside: Outside) -> Res<Option<(usize, usize)>> {
    let len = len as i64;
    let (low, high) = (range::begin(r), range::end(r));
    let mut first = if low.is_nil() { 0 } else { ec.to_i64(low)? };
    let mut last = if high.is_nil() { -1 } else { ec.to_i64(high)? };
    let exclusive = range::exclude_end(r) && !high.is_nil();
    if first < 0 {
        first = first.saturating_add(len);
    }
    if last < 0 {
        last = last.saturating_add(len);
    }
    if !exclusive {
        last = last.saturating_add(1);
    }
    if first < 0 || outside == Outside::None && first > len {
        if outside == Outside::None {
            return Ok(None);
        }
        let shown = ec.inspect_for_error(r)?;
        return Err(ec.range_error([&shown[..], b" out of range"].concat()));
    }
    if outside == Outside::None {
        last = last.min(len);
    }
    Ok(Some((first as usize, (last - first).max(0) as usize)))
}
