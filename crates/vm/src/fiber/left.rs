//! The fibers of a thread that have left machine stacks.

use asterism_object::Value;

use super::machine_stack::Machine;

/// The fibers of a thread that have, or had, machine stacks they left. The thread's, and the collector's in the pause.
#[derive(Default)]
pub(crate) struct Pinned {
    /// Those marked `PINNED`, some of which have none any more. Weak: each collection takes the dead ones out.
    pub(super) fibers: Vec<Value>,
    /// Those to be unwound.
    pub(super) lost: Vec<Lost>,
}

/// A fiber that nobody goes on with.
pub(super) struct Lost {
    pub(super) fiber: Value,
    /// The machine stacks it had left.
    pub(super) machine: Option<Box<Machine>>,
}
