//! Errors of the support crate as Ruby exceptions.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_support::{Error, ErrorKind};
use asterism_vm::error::Exc;
use asterism_vm::{Ec, Raised, Res};

/// Raises the exception that `error` stands for.
#[cold]
pub fn raise(ec: &mut Ec, error: &Error) -> Raised {
    let class = match error.kind {
        ErrorKind::Argument => Exc::ArgumentError,
        ErrorKind::Type => Exc::TypeError,
        ErrorKind::Range => Exc::RangeError,
        ErrorKind::ZeroDivision => Exc::ZeroDivisionError,
        ErrorKind::FloatDomain => Exc::FloatDomainError,
        ErrorKind::Key => Exc::KeyError,
        ErrorKind::Runtime => Exc::RuntimeError,
        ErrorKind::NoMemory => Exc::NoMemoryError,
        ErrorKind::NotImplemented => Exc::NotImplementedError,
        ErrorKind::MathDomain => {
            return raise_nested(ec, WellKnown::Math, "DomainError", &error.message);
        }
        ErrorKind::EncodingCompatibility => {
            return raise_nested(ec, WellKnown::Encoding, "CompatibilityError", &error.message);
        }
        ErrorKind::ConverterNotFound => {
            return raise_nested(ec, WellKnown::Encoding, "ConverterNotFoundError", &error.message);
        }
    };
    ec.raise(class, &error.message)
}

/// As `raise`, with a message that has text in `encoding`.
#[cold]
pub fn raise_in(ec: &mut Ec, error: &Error, encoding: asterism_support::Encoding) -> Raised {
    if error.kind != ErrorKind::Argument {
        return raise(ec, error);
    }
    let class = ec.exc_class(Exc::ArgumentError);
    let made = ec.str_enc(&error.message, encoding.index()).and_then(|text| ec.new_exception_value(class, text));
    match made {
        Ok(exception) => ec.raise_exception(exception),
        Err(raised) => raised,
    }
}

/// The value, or the exception raised.
///
/// # Errors
/// The exception that [`raise`] makes of the error.
#[inline]
pub fn check<T>(ec: &mut Ec, result: asterism_support::Result<T>) -> Res<T> {
    match result {
        Ok(v) => Ok(v),
        Err(e) => Err(raise(ec, &e)),
    }
}

/// Raises an exception whose class is the constant `name` of a core class or module.
#[cold]
pub fn raise_nested(ec: &mut Ec, scope: WellKnown, name: &str, message: &[u8]) -> Raised {
    match nested_class(ec, scope, name) {
        Ok(class) => ec.raise_class(class, message),
        Err(raised) => raised,
    }
}

/// The class that is the constant `name` of a core class or module.
///
/// # Errors
/// NameError if a program removed the constant, TypeError if it put something else there.
pub fn nested_class(ec: &mut Ec, scope: WellKnown, name: &str) -> Res {
    let scope = ec.known(scope);
    let value = ec.constant_from(scope, asterism_symbol::intern(name))?;
    match Class::from_value(value) {
        Some(class) => Ok(class.0),
        None => Err(ec.type_error("exception class/object expected")),
    }
}
