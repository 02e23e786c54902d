//! The commonest switches, when nothing is in their way: no checks that could fail, no mail, no change of the machine stack,
//! nothing rare to be exchanged. Whatever is different goes the general way (`control`), which also knows the errors. What a
//! fiber has to be like for them lies in one word of it.

use std::sync::atomic::Ordering;

use asterism_compiler::operand::{Base, Site};
use asterism_compiler::ops;
use asterism_object::Value;
use asterism_object::types::Type;

use super::switch::{deliver, fiber_of};
use super::{Fiber, RunningFiber, Status, of_object, word};
use crate::block::Proc;
use crate::cache::InlineCache;
use crate::ec::Ec;
use crate::frame::{self, Cont, Frame};
use crate::interp::calls::fibers::{FIBER_YIELD, RESUME};
use crate::interp::calls::kind::Kind;
use crate::iseq::Iseq;
use crate::stack::{Chunk, FIRST_REGISTERS};

/// The word, without the thread, of a fiber that waits for one it has resumed.
const RESUMING: u64 = Status::Suspended as u64 | word::HOOKED;
/// That of a fiber that waits in a `Fiber.yield`: it has no resumer, and has resumed nobody.
const YIELDED: u64 = RESUMING | word::YIELDING;
/// That of one that runs, and has been suspended before.
const RUNNING: u64 = Status::Running as u64 | word::HOOKED;

impl RunningFiber {
    /// Puts what it is gone on with into its state.
    ///
    /// # Safety
    /// It is the fiber `own`, and the caller is its thread.
    #[inline(always)]
    unsafe fn leave_quickly(&mut self, own: &Fiber, word: u64, dst: u16, method: Value) {
        own.set_word(word);
        own.dst.store(dst, Ordering::Relaxed);
        // SAFETY: the caller's contract.
        unsafe {
            let state = own.state.get();
            (*state).frame = self.frame;
            (*state).stack_end = self.stack_end;
            (*state).leaf = method;
        }
    }
}

impl Ec {
    /// `resume` with one value (nil: with none) of a fiber that has not begun, or waits in a `Fiber.yield`. `method`: what is
    /// shown of the call while the running fiber is suspended. `false`: nothing was done.
    ///
    /// # Safety
    /// As `switch_fiber`.
    pub(crate) unsafe fn resume_quickly(&mut self, target: Value, value: Value, dst: u16, method: Value) -> bool {
        let Some(next) = of_object(&target) else { return false };
        // SAFETY: the caller's contract.
        unsafe { self.resume_either(target, next, value, dst, method) }
    }

    /// `Op::Resume` in `frame`: if the method is `Fiber#resume` by what the call site remembers, and nothing is
    /// in the way, the fiber goes on. `false`: nothing was done.
    ///
    /// # Safety
    /// `frame` is the current Ruby frame, `op` the instruction and `pc` behind it, and the caller its interpreter's loop.
    #[inline(always)]
    pub(crate) unsafe fn resume_at(&mut self, frame: *mut Frame, pc: *const u64, op: ops::Resume<'_>) -> bool {
        // SAFETY: see the function's contract. A receiver for which that method was found is a fiber: the class Fiber has it,
        // and instances of that and of its subclasses are made as fibers.
        unsafe {
            let Some((target, value, cache)) = self.switch_site(frame, pc, op.base(), op.site(), op.argc(), RESUME)
            else {
                return false;
            };
            self.resume_either(target, fiber_of(target), value, op.dst().index() as u16, cache.first_method().0)
        }
    }

    /// `Op::FiberYield`, as `resume_at`.
    ///
    /// # Safety
    /// As `resume_at`.
    #[inline(always)]
    pub(crate) unsafe fn yield_at(&mut self, frame: *mut Frame, pc: *const u64, op: ops::FiberYield<'_>) -> bool {
        // SAFETY: see the function's contract.
        unsafe {
            let Some((_, value, cache)) = self.switch_site(frame, pc, op.base(), op.site(), op.argc(), FIBER_YIELD)
            else {
                return false;
            };
            self.yield_quickly(value, op.dst().index() as u16, cache.first_method().0)
        }
    }

    /// The receiver, the value and the cache of a call in `frame`, if by the cache it is to be made in this way.
    ///
    /// # Safety
    /// As `resume_at`.
    #[inline(always)]
    unsafe fn switch_site(
        &self,
        frame: *mut Frame,
        pc: *const u64,
        base: Base<'_>,
        site: Site<'_>,
        argc: usize,
        kind: &'static Kind,
    ) -> Option<(Value, Value, InlineCache)> {
        // SAFETY: see the function's contract: the site and the registers are those of the frame's code.
        unsafe {
            (*frame).pc = pc;
            let args = Frame::regs(frame).add(base.index());
            let recv = *args;
            if !recv.is_heap() {
                return None;
            }
            let iseq: &Iseq = &*(*frame).iseq;
            let cache = InlineCache::at(iseq.call_caches.get_unchecked(site.index()))?;
            if !cache.leads_to(self.class_of(recv).serial(), kind) {
                return None;
            }
            // The register of the argument, or the receiver's: a choice between two values needs no jump.
            let last = *args.add(argc);
            let value = if argc == 0 { Value::NIL } else { last };
            Some((recv, value, cache))
        }
    }

    /// As `resume_quickly`.
    ///
    /// # Safety
    /// As `switch_fiber`; `next` is the fiber that `target` stands for.
    #[inline(always)]
    unsafe fn resume_either(&mut self, target: Value, next: &Fiber, value: Value, dst: u16, method: Value) -> bool {
        // SAFETY: the caller's contract.
        unsafe {
            self.resume_yielded(target, next, value, dst, method)
                || self.resume_created(target, next, value, dst, method)
        }
    }

    /// As `resume_quickly`, of a fiber that waits in a `Fiber.yield`.
    ///
    /// # Safety
    /// As `switch_fiber`; `next` is the fiber that `target` stands for.
    #[inline(always)]
    unsafe fn resume_yielded(&mut self, target: Value, next: &Fiber, value: Value, dst: u16, method: Value) -> bool {
        if self.worker.depth > 0 || self.has_rare() {
            return false;
        }
        // SAFETY: at depth 0 the running fiber has an object, and it is this thread's; so is the other one, by its word.
        unsafe {
            let (own, mark) = (fiber_of(self.fiber.object), self.thread.fiber_mark);
            if own.word() != mark | RUNNING || next.word() != mark | YIELDED {
                return false;
            }
            (*next.state.get()).resumer = self.fiber.object;
            (*own.state.get()).resuming = target;
            self.fiber.leave_quickly(own, mark | RESUMING, dst, method);
            deliver(target, value);
            self.go_on_quickly(target, next, mark | RUNNING);
        }
        true
    }

    /// As `resume_quickly`, of a fiber that has not begun, whose body is a plain block, on a chunk that a fiber which has ended
    /// left behind.
    ///
    /// # Safety
    /// As `switch_fiber`; `next` is the fiber that `target` stands for.
    #[inline(never)]
    unsafe fn resume_created(&mut self, target: Value, next: &Fiber, value: Value, dst: u16, method: Value) -> bool {
        if self.worker.depth > 0 || self.has_rare() {
            return false;
        }
        // SAFETY: as in `resume_yielded`.
        unsafe {
            let (own, mark) = (fiber_of(self.fiber.object), self.thread.fiber_mark);
            if own.word() != mark | RUNNING || next.word() & !word::HOOKED != mark || !self.begin(next, value) {
                return false;
            }
            (*next.state.get()).resumer = self.fiber.object;
            (*own.state.get()).resuming = target;
            self.fiber.leave_quickly(own, mark | RESUMING, dst, method);
            self.go_on_quickly(target, next, next.word() | Status::Running as u64);
        }
        true
    }

    /// `Fiber.yield` of one value (nil: of none). See `resume_quickly`.
    ///
    /// # Safety
    /// As `switch_fiber`.
    #[inline(always)]
    pub(crate) unsafe fn yield_quickly(&mut self, value: Value, dst: u16, method: Value) -> bool {
        if self.worker.depth > 0 || self.has_rare() {
            return false;
        }
        // SAFETY: at depth 0 the running fiber has an object. Who has resumed it is of the same thread, and suspended.
        unsafe {
            let (own, mark) = (fiber_of(self.fiber.object), self.thread.fiber_mark);
            let resumer = (*own.state.get()).resumer;
            if own.word() != mark | RUNNING || resumer.is_nil() {
                return false;
            }
            let next = fiber_of(resumer);
            if next.word() != mark | RESUMING {
                return false;
            }
            (*own.state.get()).resumer = Value::NIL;
            (*next.state.get()).resuming = Value::NIL;
            self.fiber.leave_quickly(own, mark | YIELDED, dst, method);
            deliver(resumer, value);
            self.go_on_quickly(resumer, next, mark | RUNNING);
        }
        true
    }

    /// Gives a fiber that has not begun its first frame. `false`: nothing was done.
    ///
    /// # Safety
    /// The fiber is this thread's.
    #[inline(always)]
    unsafe fn begin(&mut self, next: &Fiber, value: Value) -> bool {
        // SAFETY: the caller's contract. The fiber keeps its Proc alive, and that its code; a spare chunk has room for the
        // bottom frame and is nobody else's.
        unsafe {
            let state = next.state.get();
            let Some((proc, iseq)) = Proc::plain_block((*state).body) else { return false };
            let params = (*iseq).simple as usize;
            let registers = (*iseq).registers as usize;
            // What several parameters or keywords are made of goes the general way.
            if params > 1 || (*iseq).auto_splat || value.is_type(Type::Hash) || registers > FIRST_REGISTERS {
                return false;
            }
            let Some(chunk) = self.worker.spare_chunks.take_spare() else { return false };
            let bottom = Chunk::start(chunk).cast::<Frame>();
            (*bottom).cref = proc.cref();
            let frame = Frame::regs(bottom).cast::<Frame>();
            frame.write(proc.frame(bottom, iseq, frame::state(0, Cont::FiberEnd, frame::BLOCK)));
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
            self.account_malloc(Chunk::FIRST as isize);
        }
        true
    }

    /// The running fiber ends with this value, returned by its first frame, which is not captured: who has resumed it goes on.
    /// `false`: nothing was done.
    ///
    /// # Safety
    /// The caller is the interpreter's loop, or called by it with nothing in between that counts on the current frame.
    #[inline(never)]
    pub(crate) unsafe fn end_quickly(&mut self, value: Value) -> bool {
        if self.worker.depth > 0 || !self.thread.held.is_empty() || self.has_rare() {
            return false;
        }
        // SAFETY: at depth 0 the running fiber has an object. Who has resumed it is of the same thread, and suspended. No
        // other frame of it is active but the bottom one.
        unsafe {
            let (own, mark) = (fiber_of(self.fiber.object), self.thread.fiber_mark);
            let from = own.state.get();
            let resumer = (*from).resumer;
            if resumer.is_nil() || own.has(word::THROWS) {
                return false;
            }
            let next = fiber_of(resumer);
            if next.word() != mark | RESUMING {
                return false;
            }
            (*from).resumer = Value::NIL;
            (*next.state.get()).resuming = Value::NIL;
            own.set_status(Status::Terminated);
            let chunk = std::mem::replace(&mut (*from).chunk, std::ptr::null_mut());
            self.fiber.leave_frames(self.thread.stack.bottom());
            let freed = self.worker.spare_chunks.put(chunk);
            self.account_malloc(-(freed as isize));
            deliver(resumer, value);
            self.go_on_quickly(resumer, next, mark | RUNNING);
        }
        true
    }

    #[inline(always)]
    unsafe fn go_on_quickly(&mut self, to: Value, next: &Fiber, word: u64) {
        next.set_word(word);
        self.fiber.object = to;
        // SAFETY: the fiber is this thread's, and ready to go on.
        unsafe {
            let state = next.state.get();
            self.fiber.id = (*state).id;
            self.fiber.stack_end = (*state).stack_end;
            self.fiber.enter_frame((*state).frame);
            self.worker.jit.switches += 1;
        }
    }
}
