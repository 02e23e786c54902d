//! What one fiber leaves for the next.

use asterism_object::Value;

/// What the fiber that is switched to finds. Values in it are not traced: it is taken before the next safepoint.
pub(crate) enum Mail {
    /// Its value lies in its register already.
    Value,
    /// What is pending goes on unwinding in it.
    Raise,
    /// This exception is raised in it.
    Throw(Value),
    /// It begins, with these arguments, which lie on the suspended fiber's stack or in what that holds.
    Start(*const Value, usize),
    /// Nobody goes on with it: its native frames are unwound.
    Unwind,
}
