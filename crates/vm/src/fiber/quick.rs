//! The commonest switches, when nothing is in their way: no checks that could fail, no mail, no change of the machine stack.
//! Whatever is different goes the general way (`control`), which also knows the errors.

use std::sync::atomic::Ordering;

use asterism_object::types::Type;
use asterism_object::{Value, data};

use super::{Fiber, Status, of_object};
use crate::block::Proc;
use crate::ec::Ec;
use crate::frame::{self, Cont, Frame};
use crate::stack::{Chunk, FIRST_REGISTERS};

impl Ec {
    /// `resume` with one value (nil: with none) of a fiber that waits in a `Fiber.yield`. `method`: what is shown of the call
    /// while the running fiber is suspended. `false`: nothing was done.
    ///
    /// # Safety
    /// As `switch_fiber`.
    #[inline(never)]
    pub(crate) unsafe fn resume_quickly(&mut self, target: Value, value: Value, dst: u16, method: Value) -> bool {
        let Some(fiber) = of_object(&target) else { return false };
        if self.depth > 0 || fiber.thread.load(Ordering::Relaxed) != self.ruby_thread.number {
            return false;
        }
        match fiber.status() {
            Status::Suspended => {}
            // SAFETY: the caller's contract; the fiber is this thread's.
            Status::Created => return unsafe { self.start_quickly(target, fiber, value, dst, method) },
            Status::Running | Status::Terminated => return false,
        }
        // SAFETY: the fiber is this thread's. At depth 0 the running one has an object.
        unsafe {
            let state = fiber.state.get();
            // Who waits in a yield has no resumer, and has resumed nobody.
            if !(*state).yielding {
                return false;
            }
            let current = self.fiber;
            let own = data::get_unchecked::<Fiber>(current);
            (*state).resumer = current;
            (*state).yielding = false;
            (*own.state.get()).resuming = target;
            (*own.state.get()).yielding = false;
            self.exchange_quickly(own, target, fiber, value, dst, method);
        }
        true
    }

    /// `Fiber.yield` of one value (nil: of none). See `resume_quickly`.
    ///
    /// # Safety
    /// As `switch_fiber`.
    #[inline(never)]
    pub(crate) unsafe fn yield_quickly(&mut self, value: Value, dst: u16, method: Value) -> bool {
        if self.depth > 0 {
            return false;
        }
        // SAFETY: at depth 0 the running fiber has an object. Who has resumed it is of the same thread, and suspended.
        unsafe {
            let own = data::get_unchecked::<Fiber>(self.fiber);
            let resumer = (*own.state.get()).resumer;
            if resumer.is_nil() {
                return false;
            }
            let fiber = data::get_unchecked::<Fiber>(resumer);
            if (*fiber.state.get()).doomed {
                return false;
            }
            (*own.state.get()).resumer = Value::NIL;
            (*own.state.get()).yielding = true;
            (*fiber.state.get()).resuming = Value::NIL;
            self.exchange_quickly(own, resumer, fiber, value, dst, method);
        }
        true
    }

    /// The first `resume` of a fiber whose body is a plain block, on a chunk that a fiber which has ended left behind.
    ///
    /// # Safety
    /// As `resume_quickly`; the fiber is this thread's and has not begun.
    #[inline(never)]
    unsafe fn start_quickly(&mut self, target: Value, fiber: &Fiber, value: Value, dst: u16, method: Value) -> bool {
        // SAFETY: the fiber is this thread's. At depth 0 the running one has an object. The fiber keeps its Proc alive, and
        // that its code; a spare chunk has room for the bottom frame and is nobody else's.
        unsafe {
            let state = fiber.state.get();
            let Some(proc) = Proc::from_value((*state).body).filter(|proc| proc.flags() == 0) else { return false };
            let Some(iseq) = proc.iseq() else { return false };
            let params = (*iseq).simple as usize;
            let registers = (*iseq).registers as usize;
            // What several parameters or keywords are made of goes the general way; so does what may be a killed fiber.
            if params > 1 || value.is_type(Type::Hash) || registers > FIRST_REGISTERS || (*state).killed {
                return false;
            }
            let Some(chunk) = self.spare_chunks.take_spare() else { return false };
            let bottom = Chunk::start(chunk).cast::<Frame>();
            let cref = proc.cref();
            (*bottom).cref = cref;
            let frame = Frame::regs(bottom).cast::<Frame>();
            frame.write(Frame {
                prev: bottom,
                pc: (*iseq).entry,
                iseq,
                self_val: proc.self_val(),
                method: proc.method(),
                block: proc.block().0,
                cref,
                parent: proc.env().0,
                env: Value::NIL,
                backref: Value::NIL,
                block_code: std::ptr::null(),
                state: frame::state(0, Cont::FiberEnd, frame::BLOCK),
            });
            let regs = Frame::regs(frame);
            for i in 0..registers {
                *regs.add(i) = Value::NIL;
            }
            if params == 1 {
                *regs = value;
            }
            (*state).id = self.next_fiber_id();
            (*state).frame = frame;
            (*state).stack_end = Chunk::end(chunk);
            (*state).chunk = chunk;
            self.account_malloc(Chunk::size(chunk) as isize);

            let current = self.fiber;
            let own = data::get_unchecked::<Fiber>(current);
            (*state).resumer = current;
            (*own.state.get()).resuming = target;
            (*own.state.get()).yielding = false;
            self.suspend_quickly(own, dst, method);
            self.go_on_quickly(own, target, fiber);
        }
        true
    }

    /// The running fiber has ended with this value, its last frame is popped: who has resumed it goes on. `false`: nothing was
    /// done.
    ///
    /// # Safety
    /// The caller is the interpreter's loop, or called by it with nothing in between that counts on the current frame.
    #[inline(never)]
    pub(crate) unsafe fn end_quickly(&mut self, value: Value) -> bool {
        if self.depth > 0 || !self.held.is_empty() {
            return false;
        }
        // SAFETY: at depth 0 the running fiber has an object. Who has resumed it is of the same thread, and suspended. No
        // frame of it is active but the bottom one.
        unsafe {
            let own = data::get_unchecked::<Fiber>(self.fiber);
            let from = own.state.get();
            let resumer = (*from).resumer;
            if resumer.is_nil() || (*from).throws {
                return false;
            }
            let fiber = data::get_unchecked::<Fiber>(resumer);
            let state = fiber.state.get();
            if (*state).doomed {
                return false;
            }
            (*from).resumer = Value::NIL;
            (*state).resuming = Value::NIL;
            own.set_status(Status::Terminated);
            (*from).chunk = std::ptr::null_mut();
            let freed = self.spare_chunks.put(self.chunk);
            self.account_malloc(-(freed as isize));
            *Frame::regs((*state).frame).add(usize::from((*state).dst)) = value;
            self.go_on_quickly(own, resumer, fiber);
        }
        true
    }

    #[inline(always)]
    unsafe fn exchange_quickly(&mut self, own: &Fiber, to: Value, next: &Fiber, value: Value, dst: u16, method: Value) {
        // SAFETY: both are this thread's. The top frame of a suspended fiber is a Ruby frame, whose register `dst` waits for
        // the value.
        unsafe {
            self.suspend_quickly(own, dst, method);
            let state = next.state.get();
            *Frame::regs((*state).frame).add(usize::from((*state).dst)) = value;
            self.go_on_quickly(own, to, next);
        }
    }

    #[inline(always)]
    unsafe fn suspend_quickly(&mut self, own: &Fiber, dst: u16, method: Value) {
        // SAFETY: the state is the running fiber's.
        unsafe {
            let state = own.state.get();
            (*state).frame = self.frame;
            (*state).stack_end = self.stack_end;
            (*state).chunk = self.chunk;
            (*state).leaf = method;
            (*state).dst = dst;
        }
        own.set_status(Status::Suspended);
    }

    #[inline(always)]
    unsafe fn go_on_quickly(&mut self, own: &Fiber, to: Value, next: &Fiber) {
        next.set_status(Status::Running);
        // SAFETY: both are this thread's, the second one is ready to go on.
        unsafe {
            let state = next.state.get();
            self.exchange_rare(own.state.get(), state);
            self.fiber = to;
            self.fiber_id = (*state).id;
            self.frame = (*state).frame;
            self.stack_end = (*state).stack_end;
            self.chunk = (*state).chunk;
        }
    }
}
