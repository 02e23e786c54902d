//! Switches from native code that waits to native code that waits, as a scheduler makes them one after the other.
//!
//! `Fiber#transfer` called by native code enters a loop of the interpreter, which leaves the machine stack for one of the pool,
//! whose loop ends the other fiber's call and goes home. When that fiber waits in such a call as well, all of that comes down
//! to an exchange of the two machine stacks. The fiber that is left looks as it would otherwise, its current frame is that of the
//! prelude's method that switches: whoever goes on with it, in whatever way, finds nothing special.

use std::sync::atomic::Ordering;

use asterism_object::Value;
use asterism_symbol::sym;

use super::switch::fiber_of;
use super::{Mail, Status, of_object, word};
use crate::ec::{Ec, Res};
use crate::error::Pending;
use crate::frame::NewFrame;
use crate::frame::{Cont, state};
use crate::iseq::Iseq;
use crate::method::{Body, Method};
use crate::vm::Root;

impl Ec {
    /// `target.transfer`, called by native code of the running fiber.
    ///
    /// # Errors
    /// FiberError if the fiber may not be transferred to, or there is no machine stack for it; what is raised in the
    /// running fiber when it goes on.
    pub fn transfer_to(&mut self, target: Value) -> Res {
        if let Some(iseq) = self.switch_code()
            && self.waits_in_native(&target, iseq)
        {
            // SAFETY: just checked.
            return unsafe { self.transfer_home(target, iseq) };
        }
        self.call(target, sym::transfer, &[])
    }

    /// The code of the method that switches, once it has run.
    fn switch_code(&self) -> Option<*const Iseq> {
        match Method::from_value(self.vm().root(Root::FiberSwitch))?.body() {
            Body::Ruby(iseq) => Some(iseq),
            _ => None,
        }
    }

    /// May the fiber be transferred to, and does native code of it wait for that?
    fn waits_in_native(&self, target: &Value, switch: *const Iseq) -> bool {
        let Some(fiber) = of_object(target) else { return false };
        if self.fiber.object.is_nil()
            || fiber.thread() != self.thread.handle.number
            || fiber.status() != Status::Suspended
        {
            return false;
        }
        // SAFETY: the fiber is this thread's, and suspended: its current frame is active.
        unsafe {
            let state = &*fiber.state.get();
            let frame = &*state.frame;
            let may = !fiber.has(word::YIELDING | word::DOOMED) && state.resuming.is_nil() && state.machine.is_some();
            may && std::ptr::eq(frame.iseq, switch) && frame.cont() == Cont::Native
        }
    }

    /// The exchange.
    ///
    /// # Safety
    /// `target` waits in native code (`waits_in_native`), called with this code; `self.fiber` is a fiber object.
    unsafe fn transfer_home(&mut self, target: Value, switch: *const Iseq) -> Res {
        // SAFETY: the current frame is active, and the method keeps its code alive. Both fibers are this thread's, and nothing
        // else refers to their states meanwhile. The frame that the target waits in was called by native code, which is
        // on the machine stack that it has left last.
        unsafe {
            let (from_fiber, to_fiber) = (fiber_of(self.fiber.object), fiber_of(target));
            let (from, next) = (from_fiber.state.get(), to_fiber.state.get());
            let frame = self.push_frame(NewFrame {
                iseq: switch,
                self_val: target,
                // `Fiber#transfer`, as of the frame that the target waits in: it was neither resumed from nor yielded in.
                method: (*(*next).frame).method,
                block: Value::NIL.bits(),
                cref: (*self.fiber.frame).cref,
                around: Value::NIL.bits(),
                state: state(0, Cont::Native, 0),
            })?;
            // It waits where that frame does, behind the instruction that switches: the method has only one.
            (*frame).pc = (*(*next).frame).pc;
            from_fiber.dst.store(to_fiber.dst.load(Ordering::Relaxed), Ordering::Relaxed);
            self.suspend(from_fiber);
            self.note_pinned(from_fiber);
            self.exchange_rare(from_fiber, to_fiber, true);
            self.resume_state(target, to_fiber);
            // The other one's call has returned.
            self.pop_frame(self.fiber.frame);
            self.thread.pending = Pending::Home(Value::NIL);
            self.thread.mail = Mail::Raise;
            // As in `execute`: this is where control returns to.
            self.worker.depth += 1;
            self.exchange_machines(from, next);
            // What lies here may be unwound now, which counts from 0 (`unwind_machine`).
            let arrived = self.arrived();
            self.worker.depth -= 1;
            let Err(raised) = arrived else {
                // Whoever comes home has something pending.
                std::process::abort()
            };
            if let Pending::Home(value) = self.thread.pending {
                self.thread.pending = Pending::Nothing;
                return Ok(value);
            }
            self.pop_frame(frame);
            Err(raised)
        }
    }
}
