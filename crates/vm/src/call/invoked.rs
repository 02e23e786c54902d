//! What a call comes to.

use asterism_object::Value;

/// What came of an invocation.
pub enum Invoked {
    /// It is done; its value.
    Done(Value),
    /// A frame was pushed; the interpreter has to run it.
    Pushed,
}
