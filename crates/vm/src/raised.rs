//! That something unwinds.

use asterism_object::Value;

/// Says that something unwinds the stack; what it is lies in the Ec (`ec.thread.pending`). Only the Ec's error
/// functions make one, so a `?` never loses what was raised.
#[derive(Debug)]
pub struct Raised(pub(crate) ());

/// A value, or something unwinds.
pub type Res<T = Value> = Result<T, Raised>;
