//! A machine stack, as its thread and the fiber that has left it know it.

use asterism_fiber::{Stack, Watched};
use asterism_heap::Marker;

/// Machine stack kept free for native code below the last check, in bytes.
pub const RED_ZONE: usize = 256 << 10;
/// What every native thread may use of its machine stack uncounted.
const FIRST_BYTES: usize = 64 << 10;

/// A machine stack.
#[derive(Debug)]
pub struct Machine {
    /// See `Worker::machine_limit`.
    pub(super) limit: usize,
    /// While nobody runs on it: `Worker::machine_counted` on it.
    pub(crate) counted: usize,
    /// Its high end.
    pub(super) high: usize,
    /// The stack pointer, while nobody runs on it.
    pub(super) sp: usize,
    /// Of one that was left: `Worker::depth` on it.
    pub(super) depth: usize,
    /// While nobody runs on it: `OfEc::entered` on it.
    pub(super) entered: u64,
    /// Of one that was left: the one its fiber had left before.
    pub(super) below: Option<Box<Machine>>,
    /// `None`: the thread's own.
    pub(super) stack: Option<Stack>,
    /// The stack, as a sanitizer knows it.
    pub(super) watched: Watched,
}

impl Machine {
    /// That of the calling thread, between these addresses. Of a thread whose memory is limited what it uses behind its first
    /// [`FIRST_BYTES`] is counted.
    pub(crate) fn of_thread(low: usize, high: usize, counts: bool) -> Machine {
        let watched = Watched::of_thread(low, high);
        let limit = low + RED_ZONE;
        let counted = if counts { limit.max(high.saturating_sub(FIRST_BYTES)) } else { limit };
        Machine { limit, counted, high, sp: 0, depth: 0, entered: 0, below: None, stack: None, watched }
    }

    /// Marks what lies on this stack and those below it, which were left.
    ///
    /// # Safety
    /// The world is stopped, or the fiber they belong to has no way to go on.
    pub(super) unsafe fn trace(first: Option<&Machine>, marker: &mut Marker) {
        for machine in std::iter::successors(first, |machine| machine.below.as_deref()) {
            // SAFETY: nobody runs on a stack that was left.
            unsafe { marker.mark_range_conservative(machine.sp, machine.high) };
        }
    }

    /// One for fibers, to be entered with this stack pointer.
    pub(super) fn new(stack: Stack, sp: usize) -> Machine {
        let watched = Watched::of(&stack);
        let (limit, high) = (stack.low() + RED_ZONE, stack.high());
        Machine { limit, counted: limit, high, sp, depth: 0, entered: 0, below: None, stack: Some(stack), watched }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // One by one: a fiber may have left many.
        let mut below = self.below.take();
        while let Some(mut machine) = below {
            below = machine.below.take();
        }
    }
}
