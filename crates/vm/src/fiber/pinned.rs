//! The end of fibers that have native frames and that nobody goes on with: nothing leads to them any more, or their thread
//! ends. Their native frames have things outside the heap (vectors, descriptors, turns at a stream), which only their
//! destructors give back; so these are run, by unwinding each machine stack as a Rust panic does, from where it was left.
//!
//! It is a panic and not an error of Ruby's, because natives may do anything after an error but nothing stops a panic: no native
//! goes on, no frame of the interpreter looks for a handler, no ensure clause runs (as in CRuby). What destructors look at has
//! to be alive until then: a fiber that is found dead becomes a root of its thread (in the pause), which unwinds it at its next
//! poll and leaves it to the next collection. Only the thread itself can: destructors may refer to its Ec.

use std::any::Any;
use std::panic::resume_unwind;

use asterism_heap::{Liveness, Marker};

use super::left::{Lost, Pinned};
use super::machine_stack::Machine;
use super::switch::fiber_of;
use super::{Fiber, PINNED, Status};
use crate::ec::{Ec, trace_frames};
use crate::thread::interrupt::FIBERS;

/// What unwinds a lost fiber's stacks.
struct Unwinding;

impl Lost {
    /// Runs the destructors of everything on the machine stack in use.
    #[cold]
    pub(super) fn unwind() -> ! {
        resume_unwind(Box::new(Unwinding))
    }

    /// Was it `unwind` that ended here?
    pub(super) fn is_unwound_by(payload: &(dyn Any + Send)) -> bool {
        payload.is::<Unwinding>()
    }
}

impl Pinned {
    /// Marks what the fibers to be unwound hold.
    ///
    /// # Safety
    /// The world is stopped.
    pub(crate) unsafe fn trace(&self, marker: &mut Marker) {
        for lost in &self.lost {
            marker.mark(lost.fiber.bits());
            // SAFETY: the fiber is alive, and neither its frames nor what lies on its machine stacks changes.
            unsafe {
                Machine::trace(lost.machine.as_deref(), marker);
                trace_frames((*fiber_of(lost.fiber).state.get()).frame, marker);
            }
        }
    }
}

impl Ec {
    /// The running fiber is being suspended with native frames.
    #[inline(always)]
    pub(super) fn note_pinned(&mut self, fiber: &Fiber) {
        if !fiber.is_marked(PINNED) {
            fiber.set_mark(PINNED, true);
            self.thread.pinned.fibers.push(self.fiber.object);
        }
    }

    /// Finds the fibers with native frames that nothing leads to; whether there are any. They have ended from here on: a weak
    /// reference may still lead to them.
    ///
    /// # Safety
    /// `data` is the address given to `attach`, the world is stopped, and marking is done.
    pub(crate) unsafe fn abandon_fibers(data: *const (), liveness: &Liveness) -> bool {
        // SAFETY: the thread stands still, and nobody else uses what it has. A fiber of the list was alive at the last
        // collection or is younger, so its cell is still there.
        unsafe {
            let Pinned { fibers, lost } = &mut *std::ptr::addr_of_mut!((*(data as *mut Ec)).thread.pinned);
            let found = lost.len();
            fibers.retain(|&object| {
                let fiber = fiber_of(object);
                let machine = &mut (*fiber.state.get()).machine;
                if machine.is_some() && liveness.is_live_word(object.bits()) {
                    return true;
                }
                fiber.set_mark(PINNED, false);
                if let Some(machine) = machine.take() {
                    fiber.set_status(Status::Terminated);
                    lost.push(Lost { fiber: object, machine: Some(machine) });
                }
                false
            });
            if fibers.len() < fibers.capacity() / 4 {
                fibers.shrink_to(fibers.capacity() / 2);
            }
            lost.len() > found
        }
    }

    /// Unwinds the fibers that were found dead.
    #[inline]
    pub(crate) fn end_lost_fibers(&mut self) {
        if !self.thread.pinned.lost.is_empty() {
            self.unwind_lost_fibers();
        }
    }

    #[cold]
    fn unwind_lost_fibers(&mut self) {
        if cfg!(not(panic = "unwind")) {
            // Without unwinding nothing can be done but to give their stacks back.
            self.thread.pinned.lost.clear();
        }
        while let Some(last) = self.thread.pinned.lost.last_mut() {
            if let Some(mut machine) = last.machine.take() {
                // What lies on the others is alive until they have their turn.
                last.machine = machine.below.take();
                self.unwind_machine(machine);
            } else {
                self.thread.pinned.lost.pop();
                // There may be many: who wants the world to stop does not wait for all of them.
                if self.poll_bits() != 0 {
                    self.safepoint();
                }
            }
        }
        self.thread.pinned.lost.shrink_to(64);
        // Whoever waited for what they had, as a turn at a stream, goes on when the thread next waits.
        if self.thread.handle.fibers.are_owed() {
            self.state().interrupts().set_pending(FIBERS);
        }
    }

    /// Unwinds all fibers with native frames: the thread ends, and none of its fibers can go on after that.
    pub fn end_pinned_fibers(&mut self) {
        for object in std::mem::take(&mut self.thread.pinned.fibers) {
            // SAFETY: fibers of the list are alive or found dead by the next collection, which cannot have been yet, and they
            // are this thread's.
            let machine = unsafe {
                let fiber = fiber_of(object);
                fiber.set_mark(PINNED, false);
                (*fiber.state.get()).machine.take()
            };
            if machine.is_some() {
                self.thread.pinned.lost.push(Lost { fiber: object, machine });
            }
        }
        self.end_lost_fibers();
    }
}
