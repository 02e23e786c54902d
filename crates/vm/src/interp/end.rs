//! How a run of handlers ends.

use crate::raised::Raised;

/// How a run of handlers ended. A plain number: only the call of a function that returns one becomes a jump wherever the
/// caller may also return another number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(crate) enum End {
    /// The loop goes on where the current frame's pc says.
    Again,
    /// The frame that the loop was entered with has returned `Worker::returned`.
    Left,
    /// Something was raised.
    Raised,
}

impl End {
    /// Something was raised: the `Raised` is made again by `dispatch`.
    pub(crate) fn raised(_raised: Raised) -> End {
        End::Raised
    }
}
