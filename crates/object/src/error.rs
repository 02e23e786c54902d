//! What an operation on an object can fail with. The VM turns it into the Ruby exception.

use std::fmt;

/// Why an operation was refused. Nothing was changed when one is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjError {
    /// The object is frozen: `FrozenError`.
    Frozen,
    /// The heap's limit or the machine's memory is spent: `NoMemoryError`.
    NoMemory,
    /// A size nobody can have: `ArgumentError` with this message.
    TooBig(&'static str),
    /// A new key during iteration: `RuntimeError`.
    Iterating,
    /// The String's bytes were lent out: `RuntimeError`.
    Lent,
    /// A position outside the object: `IndexError`.
    Index,
}

/// The result of an operation on objects.
pub type Result<T> = std::result::Result<T, ObjError>;

impl fmt::Display for ObjError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ObjError::Frozen => "can't modify frozen object",
            ObjError::NoMemory => "failed to allocate memory",
            ObjError::TooBig(message) => message,
            ObjError::Iterating => "can't add a new key into hash during iteration",
            ObjError::Lent => "can't modify string; temporarily locked",
            ObjError::Index => "index out of range",
        })
    }
}

impl std::error::Error for ObjError {}
