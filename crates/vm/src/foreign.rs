//! What a thread knows of functions in C that are under way in it. Who calls them is the crate of the C interface; it lies here
//! because the collector looks at it and the `Ec` has it.

use asterism_heap::Marker;
use asterism_object::types::Type;
use asterism_object::{Value, array};

/// A part of the [`RunningThread`](crate::thread::RunningThread).
pub struct Foreign {
    /// The thread has the lock of extensions that do not say that they can do without.
    pub locked: bool,
    /// It has it as the VM's only thread, and the lock does not know.
    pub alone: bool,
    /// What the last protected call ended with, for who raises it again; see `Ec::pending_token`.
    pub caught: Value,
    /// What stands for the innermost call of a method with a block in C.
    pub iteration: Value,
    /// Bodies of Strings and Arrays that C was given pointers into.
    pub views: Vec<Value>,
    /// The thread is in a blocking region that C asked for; whether it had the lock before.
    pub outside: Option<bool>,
    /// What was raised in a part of that region that runs with the lock; nil: nothing. It goes on behind the region.
    pub held: Value,
    /// Where the next one goes when there are too many.
    pub next_view: usize,
}

impl Default for Foreign {
    fn default() -> Foreign {
        Foreign {
            locked: false,
            alone: false,
            caught: Value::NIL,
            iteration: Value::NIL,
            views: Vec::new(),
            outside: None,
            held: Value::NIL,
            next_view: 0,
        }
    }
}

impl Foreign {
    /// Marks what it holds.
    pub(crate) fn trace(&self, marker: &mut Marker) {
        marker.mark(self.caught.bits());
        marker.mark(self.iteration.bits());
        marker.mark(self.held.bits());
        for body in &self.views {
            marker.mark_conservative(body.bits());
            // C may store in an Array that it was shown, which nobody remembers before it has done so.
            if body.is_type(Type::Array) {
                array::private_slice(body).iter().for_each(|x| marker.mark_conservative(x.bits()));
            }
        }
    }
}
