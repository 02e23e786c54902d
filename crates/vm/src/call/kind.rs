//! How a call is written.

/// How a call is written, for visibility and error messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallKind {
    /// `recv.name`
    Public,
    /// `name(…)`, `self.name`, or a native's own call: private methods too.
    Private,
    /// `public_send`: protected methods neither, whoever calls.
    Sent,
    /// A bare `name`.
    Variable,
    /// `super`
    Super,
}
