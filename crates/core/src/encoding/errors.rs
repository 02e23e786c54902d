//! The exceptions of conversions and what they tell.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, ivars};
use asterism_support::encoding::convert::{Failure, Trouble};
use asterism_vm::error::Exc;
use asterism_vm::{Args, Ec, NativeDef, Raised, Res};

use crate::support_error;

static CONVERSION_ERROR: &[NativeDef] = &[
    NativeDef::new("source_encoding_name", source_name, 0, 0).leaf(),
    NativeDef::new("destination_encoding_name", destination_name, 0, 0).leaf(),
    NativeDef::new("source_encoding", source, 0, 0).leaf(),
    NativeDef::new("destination_encoding", destination, 0, 0).leaf(),
];

static UNDEFINED_CONVERSION: &[NativeDef] = &[NativeDef::new("error_char", error_char, 0, 0).leaf()];

static INVALID_SEQUENCE: &[NativeDef] = &[
    NativeDef::new("error_bytes", error_bytes, 0, 0).leaf(),
    NativeDef::new("readagain_bytes", readagain, 0, 0).leaf(),
    NativeDef::new("incomplete_input?", incomplete, 0, 0).leaf(),
];

/// Defines the classes.
pub(super) fn init(ec: &mut Ec, class: Class) -> Res<()> {
    let error = Class(ec.exc_class(Exc::EncodingError));
    for name in ["CompatibilityError", "ConverterNotFoundError"] {
        ec.define_class(class, name, error)?;
    }
    let undefined = ec.define_class(class, "UndefinedConversionError", error)?;
    ec.define_natives(undefined, CONVERSION_ERROR)?;
    ec.define_natives(undefined, UNDEFINED_CONVERSION)?;
    let invalid = ec.define_class(class, "InvalidByteSequenceError", error)?;
    ec.define_natives(invalid, CONVERSION_ERROR)?;
    ec.define_natives(invalid, INVALID_SEQUENCE)
}

/// Raises the exception of a failed conversion.
#[cold]
pub fn raise(ec: &mut Ec, failure: &Failure, message: &str) -> Raised {
    match exception(ec, failure, message) {
        Ok(exception) => ec.raise_exception(exception),
        Err(raised) => raised,
    }
}

/// Raises one of Encoding's exceptions.
#[cold]
pub fn raise_nested(ec: &mut Ec, name: &str, message: &str) -> Raised {
    support_error::raise_nested(ec, WellKnown::Encoding, name, message.as_bytes())
}

/// The exception of a failed conversion.
///
/// # Errors
/// NoMemoryError.
pub fn exception(ec: &mut Ec, failure: &Failure, message: &str) -> Res {
    let name = match failure.trouble {
        Trouble::Invalid | Trouble::Incomplete => "InvalidByteSequenceError",
        Trouble::Undefined => "UndefinedConversionError",
    };
    let class = support_error::nested_class(ec, WellKnown::Encoding, name)?;
    let exception = ec.new_exception(class, message.as_bytes())?;
    let (from, to) = (super::object(ec, failure.from), super::object(ec, failure.to));
    put(ec, exception, "__source", from)?;
    put(ec, exception, "__destination", to)?;
    if failure.trouble == Trouble::Undefined {
        let s = ec.str_enc(&failure.bytes, failure.from.index())?;
        put(ec, exception, "__char", s)?;
        return Ok(exception);
    }
    let s = ec.str_enc(&failure.bytes, asterism_symbol::BINARY)?;
    put(ec, exception, "__bytes", s)?;
    let s = match &failure.readagain[..] {
        [] => Value::NIL,
        again => ec.str_enc(again, asterism_symbol::BINARY)?,
    };
    put(ec, exception, "__readagain", s)?;
    put(ec, exception, "__incomplete", Value::bool(failure.trouble == Trouble::Incomplete))?;
    Ok(exception)
}

fn put(ec: &mut Ec, exception: Value, name: &str, value: Value) -> Res<()> {
    ec.ivar_put(exception, asterism_symbol::intern(name), value)
}

fn part(ec: &mut Ec, this: Value, name: &str) -> Value {
    ivars::get(ec, this, asterism_symbol::intern(name)).unwrap_or(Value::NIL)
}

fn encoding_name(ec: &mut Ec, this: Value, which: &str) -> Res {
    let v = part(ec, this, which);
    match super::of_object(v) {
        Some(encoding) => ec.str(encoding.name()),
        None => Ok(Value::NIL),
    }
}

fn source_name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    encoding_name(ec, this, "__source")
}

fn destination_name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    encoding_name(ec, this, "__destination")
}

fn source(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(part(ec, this, "__source"))
}

fn destination(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(part(ec, this, "__destination"))
}

fn error_char(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(part(ec, this, "__char"))
}

fn error_bytes(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(part(ec, this, "__bytes"))
}

fn readagain(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(part(ec, this, "__readagain"))
}

fn incomplete(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(part(ec, this, "__incomplete"))
}
