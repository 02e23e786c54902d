//! The one error type of this crate: which Ruby exception class to raise, and its message.
//!
//! Messages are bytes because they may quote a Ruby string of any encoding.

use std::fmt;

/// The Ruby exception class an [`Error`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// `ArgumentError`
    Argument,
    /// `TypeError`
    Type,
    /// `RangeError`
    Range,
    /// `ZeroDivisionError`
    ZeroDivision,
    /// `FloatDomainError`
    FloatDomain,
    /// `Math::DomainError`
    MathDomain,
    /// `KeyError`
    Key,
    /// `RuntimeError`
    Runtime,
    /// `NoMemoryError`
    NoMemory,
    /// `NotImplementedError`
    NotImplemented,
    /// `Encoding::CompatibilityError`
    EncodingCompatibility,
    /// `Encoding::ConverterNotFoundError`
    ConverterNotFound,
}

/// An exception to be raised by the VM: its class and exact message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The exception class.
    pub kind: ErrorKind,
    /// The message, in UTF-8 unless it quotes bytes of another encoding.
    pub message: Vec<u8>,
}

impl Error {
    /// An error of the given class and message.
    pub fn new(kind: ErrorKind, message: impl Into<Vec<u8>>) -> Error {
        Error { kind, message: message.into() }
    }

    /// An `ArgumentError`.
    pub fn argument(message: impl Into<Vec<u8>>) -> Error {
        Error::new(ErrorKind::Argument, message)
    }

    /// A `RangeError`.
    pub fn range(message: impl Into<Vec<u8>>) -> Error {
        Error::new(ErrorKind::Range, message)
    }

    /// A `TypeError`.
    pub fn type_error(message: impl Into<Vec<u8>>) -> Error {
        Error::new(ErrorKind::Type, message)
    }

    /// `ZeroDivisionError: divided by 0`.
    pub fn zero_division() -> Error {
        Error::new(ErrorKind::ZeroDivision, "divided by 0")
    }

    /// The message as text, with invalid UTF-8 replaced.
    pub fn message_lossy(&self) -> String {
        String::from_utf8_lossy(&self.message).into_owned()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message_lossy())
    }
}

impl std::error::Error for Error {}

/// `Result` with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;
