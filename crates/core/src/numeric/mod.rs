//! Numeric, and what all numbers share: see [`operand`]. Rational and Complex are native cells whose methods
//! are in `rational` and, where speed is no concern, in Ruby (`rational.rb`, `complex.rb`).

pub mod long;
pub mod make;
pub mod operand;
mod parse;
mod primitives;
mod rational;
pub mod remainder;

use asterism_object::space::WellKnown;
use asterism_object::{Value, bigint};
use asterism_symbol::sym;
use asterism_vm::{Args, Ec, NativeDef, Res};

pub use make::{new_complex, new_rational};
use operand::{coerce_bin, to_float_strict};
use remainder::generic_remainder;

static NUMERIC: &[NativeDef] = &[
    NativeDef::new("coerce", coerce, 1, 1),
    NativeDef::new("+@", itself, 0, 0).leaf(),
    NativeDef::new("-@", negated, 0, 0),
    NativeDef::new("<=>", cmp, 1, 1).leaf(),
    NativeDef::new("integer?", no, 0, 0).leaf(),
    NativeDef::new("real?", yes, 0, 0).leaf(),
    NativeDef::new("remainder", remainder, 1, 1),
    NativeDef::new("dup", itself, 0, 0).leaf(),
    NativeDef::new("clone", clone, 0, 0).keywords(&["freeze"]),
];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Numeric);
    ec.define_natives(class, NUMERIC)?;
    primitives::init(ec);
    rational::init(ec)
}

fn remainder(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    generic_remainder(ec, this, args[0])
}

fn coerce(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    if ec.class_of(this) == ec.class_of(other) {
        return ec.array(&[other, this]);
    }
    let a = to_float_strict(ec, other)?;
    let b = to_float_strict(ec, this)?;
    let (a, b) = (ec.float(a)?, ec.float(b)?);
    ec.array(&[a, b])
}

fn itself(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(this)
}

fn negated(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    coerce_zero(ec, this)
}

/// `0 - x` as Numeric defines negation, through `coerce`.
fn coerce_zero(ec: &mut Ec, this: Value) -> Res {
    coerce_bin(ec, Value::fixnum(0), this, sym::MINUS)
}

fn cmp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let same =
        this == args[0] || bigint::is_integer(this) && asterism_object::builtin::eql(ec, this, args[0]) == Some(true);
    Ok(if same { Value::fixnum(0) } else { Value::NIL })
}

fn no(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::FALSE)
}

fn yes(_ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::TRUE)
}

fn clone(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if let (_, Some(keywords)) = args.split_keywords() {
        let freeze = ec.hash_get(keywords, Value::sym(sym::freeze))?;
        if freeze == Some(Value::FALSE) {
            let name = ec.class_text_of(this)?;
            return Err(ec.arg_error(format!("can't unfreeze {name}")));
        }
    }
    Ok(this)
}
