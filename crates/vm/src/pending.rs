//! What unwinds.

use asterism_heap::Marker;
use asterism_object::Value;

use crate::frame::Frame;

/// What is unwinding while an `Err(Raised)` is on its way.
#[derive(Clone, Copy, Debug, Default)]
pub enum Pending {
    /// Nothing.
    #[default]
    Nothing,
    /// A Ruby exception.
    Exception(Value),
    /// `break` to a frame's call under way, with the value.
    Break(*mut Frame, Value),
    /// `return` from a frame, with the value.
    Return(*mut Frame, Value),
    /// `throw tag, value`.
    Throw(Value, Value),
    /// The thread is being killed.
    Kill,
    /// The fiber has come home to the machine stack of its native frames, and returns this to them.
    Home(Value),
}

impl Pending {
    /// Marks the references.
    pub fn trace(&self, marker: &mut Marker) {
        match *self {
            Pending::Nothing | Pending::Kill => {}
            Pending::Exception(v) | Pending::Break(_, v) | Pending::Return(_, v) | Pending::Home(v) => {
                marker.mark(v.bits())
            }
            Pending::Throw(tag, v) => {
                marker.mark(tag.bits());
                marker.mark(v.bits());
            }
        }
    }
}
