//! Why a pattern was not compiled; the messages are CRuby's.

use std::fmt;

/// A pattern that is wrong, or cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// It is wrong: the message, without the pattern.
    Syntax(String),
    /// No memory, or more than may be taken.
    Memory,
    /// Nobody waits for it any more.
    Ended,
    /// Patterns in this encoding are not known.
    Encoding,
}

/// A result of the compiler.
pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Syntax(message) => f.write_str(message),
            Error::Ended => f.write_str("ended"),
            Error::Memory => f.write_str("failed to allocate memory"),
            Error::Encoding => f.write_str("not supported encoding combination"),
        }
    }
}

impl std::error::Error for Error {}

impl From<std::collections::TryReserveError> for Error {
    fn from(_: std::collections::TryReserveError) -> Error {
        Error::Memory
    }
}

/// An error with a message.
pub fn syntax<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::Syntax(message.into()))
}

/// An error that names a part of the pattern.
pub fn named<T>(before: &str, name: &[u8], after: &str) -> Result<T> {
    syntax(format!("{before}{}{after}", String::from_utf8_lossy(name)))
}
