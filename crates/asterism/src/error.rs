//! What can go wrong in a call into a VM.

use std::fmt;

use asterism_object::Value;
use asterism_symbol::{intern, sym};
use asterism_vm::{Ec, Exc};

use crate::session::leave;

/// Why a call into a VM gave no value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// An exception that nobody rescued.
    Exception(Box<Exception>),
    /// The program called `exit`.
    Exit(i32),
    /// It took longer than the VM's time limit: the VM takes no call any more.
    TimeLimit,
    /// The main thread was killed by the program.
    Killed,
    /// A value is not what was asked for.
    Conversion(Conversion),
    /// An [`Object`](crate::Object) of another VM was given.
    OtherVm,
}

/// A Ruby exception as a snapshot: it refers to nothing in its VM.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Exception {
    /// The name of its class.
    pub class: String,
    /// Its message.
    pub message: String,
    /// Where it was raised, the innermost frame first.
    pub backtrace: Vec<String>,
    /// The exception that was being handled when it was raised.
    pub cause: Option<Box<Exception>>,
    /// The names of its class and the classes above that.
    pub ancestors: Vec<String>,
}

/// A value is not what was asked for.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// What was asked for.
    pub expected: String,
    /// What is there.
    pub found: String,
    /// Where, in the value that was to be converted: `[3]["name"]`; empty for the value itself.
    pub path: String,
}

impl Exception {
    /// Is it of the class with this name, or of one that inherits from it?
    pub fn is_a(&self, class: &str) -> bool {
        self.ancestors.iter().any(|name| name == class)
    }
}

impl Error {
    /// The exception, if it is one.
    pub fn exception(&self) -> Option<&Exception> {
        match self {
            Error::Exception(e) => Some(e),
            _ => None,
        }
    }

    pub(crate) fn conversion(expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::Conversion(Conversion { expected: expected.into(), found: found.into(), path: String::new() })
    }

    /// The same of a part of what was to be converted.
    pub(crate) fn at(mut self, step: impl FnOnce() -> String) -> Error {
        if let Error::Conversion(conversion) = &mut self {
            conversion.path.insert_str(0, &step());
        }
        self
    }

    /// What unwound to the outside.
    pub(crate) fn pending(ec: &mut Ec) -> Error {
        let error = leave(ec);
        if error.is_nil() {
            return Error::Killed;
        }
        if ec.is_kind_of(error, ec.exc_class(Exc::SystemExit)) {
            let status = ec.call(error, intern("status"), &[]).ok().and_then(Value::fixnum_value);
            return Error::Exit(status.and_then(|n| i32::try_from(n).ok()).unwrap_or(1));
        }
        Error::Exception(Box::new(snapshot(ec, error, CAUSES)))
    }
}

/// How many causes of causes are told.
const CAUSES: usize = 16;

fn snapshot(ec: &mut Ec, error: Value, causes: usize) -> Exception {
    let class = ec.class_name_of(error);
    let message = match ec.call(error, sym::message, &[]).and_then(|m| ec.to_s(m)) {
        Ok(text) => asterism_object::string::to_string_lossy(ec, text),
        Err(_) => {
            // Its own method failed.
            ec.take_pending();
            class.clone()
        }
    };
    let backtrace = asterism_vm::backtrace::of(ec, error);
    let cause = asterism_core::exception::attribute(ec, error, sym::cause_ivar);
    let cause = if cause.is_nil() || causes == 0 { None } else { Some(Box::new(snapshot(ec, cause, causes - 1))) };
    let mut ancestors = Vec::new();
    let mut at = Some(ec.real_class_of(error));
    while let Some(class) = at {
        ancestors.push(ec.class_name(class));
        at = class.superclass();
    }
    Exception { class, message, backtrace, cause, ancestors }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Exception(e) => e.fmt(f),
            Error::Exit(status) => write!(f, "the program ended with status {status}"),
            Error::TimeLimit => f.write_str("the VM ran longer than its time limit"),
            Error::Killed => f.write_str("the VM's main thread was killed"),
            Error::Conversion(conversion) => conversion.fmt(f),
            Error::OtherVm => f.write_str("the object belongs to another VM"),
        }
    }
}

impl fmt::Display for Exception {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.backtrace.first() {
            Some(place) => write!(f, "{place}: {} ({})", self.message, self.class),
            None => write!(f, "{} ({})", self.message, self.class),
        }
    }
}

impl fmt::Display for Conversion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " at {}", self.path) }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.exception().and_then(|e| e.cause.as_deref()).map(|e| e as _)
    }
}

impl std::error::Error for Exception {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.as_deref().map(|e| e as _)
    }
}
