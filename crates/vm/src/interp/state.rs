//! What a handler works on: the instruction under way, its frame and its thread; and where it goes on.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_compiler::operand::{Base, Child, Const, Dst, Ivar, Lit, Once, Reg, Site};
use asterism_compiler::ops::Instruction;
use asterism_object::{AtomicValue, Sym, Value};

use super::handler::{self, Handler, Passed};
use super::machine_stack;
use crate::basic_ops::{BasicOp, Classes};
use crate::cache;
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, Frame, state};
use crate::iseq::Iseq;

/// What executing an instruction means: every opcode has one such implementation, its handler.
///
/// A handler ends with a jump to the next instruction's: its own machine frame is gone then. So what it keeps in memory of its
/// own and gives the address of away (an array of arguments, a `Vec`, an out pointer) belongs in a function of its own that is
/// not inlined, or the handler says that it `RETURNS`.
pub(crate) trait Execute<'i>: Instruction<'i> {
    /// It returns to the loop, which calls the next handler: for what is rare, and free to use memory of its own.
    const RETURNS: bool = false;

    /// Executes it.
    ///
    /// # Errors
    /// Whatever the instruction raises, in the frame that is the current one then, whose pc is saved.
    fn execute(self, at: Interp<'i>) -> Res<Next>;
}

/// What an instruction does for operands that its handler is not made for. Apart from that, so that the handler needs no
/// machine frame and saves no register.
pub(crate) trait Slow<'i>: Instruction<'i> {
    /// Executes it.
    ///
    /// # Errors
    /// As [`Execute::execute`].
    fn slow(self, at: Interp<'i>) -> Res<Next>;
}

/// Where the interpreter goes on.
pub(crate) enum Next {
    /// At an instruction of a frame, the current one.
    At(*mut Frame, *const u64),
    /// At the same instruction, by this handler, which is passed two words.
    By(Handler, Passed, Passed),
    /// At an instruction of the same frame, after a safepoint.
    Poll(*const u64),
    /// At an instruction of the same frame, after a sample of the backward jumps was taken.
    Tick(*const u64),
    /// In the native code that entered the loop, which gets this value.
    Left(Value),
}

/// The interpreter at an instruction.
///
/// `frame` is the current frame, a Ruby frame of verified code, and `pc` lies in its code behind the instruction, whose operands
/// have the lifetime `'i`. A handler that has changed the current frame touches the old one no more: it goes on with
/// [`Interp::reload`].
pub(crate) struct Interp<'i> {
    /// The thread.
    pub ec: &'i mut Ec,
    frame: *mut Frame,
    pc: *const u64,
}

impl<'i> Interp<'i> {
    /// The interpreter at the instruction before `pc`.
    ///
    /// # Safety
    /// As the type says; `ec` is used by nobody else meanwhile.
    #[inline(always)]
    pub unsafe fn at(ec: &'i mut Ec, frame: *mut Frame, pc: *const u64) -> Interp<'i> {
        Interp { ec, frame, pc }
    }

    /// The current frame.
    #[inline(always)]
    pub fn frame(&self) -> *mut Frame {
        self.frame
    }

    /// The word behind the instruction.
    #[inline(always)]
    pub fn pc(&self) -> *const u64 {
        self.pc
    }

    /// The current frame's code.
    #[inline(always)]
    pub fn iseq(&self) -> &'i Iseq {
        // SAFETY: the current frame is active, and keeps its code alive; the instruction, which `'i` is, lies in that.
        unsafe { &*(*self.frame).iseq }
    }

    /// The current `self`.
    #[inline(always)]
    pub fn this(&self) -> Value {
        // SAFETY: the current frame is active.
        unsafe { (*self.frame).self_val }
    }

    /// A register.
    #[inline(always)]
    pub fn get(&self, register: Reg<'i>) -> Value {
        // SAFETY: the verifier has checked that the frame has the registers which its instructions name.
        unsafe { *Frame::regs(self.frame).add(register.index()) }
    }

    /// Sets a register.
    #[inline(always)]
    pub fn set(&mut self, register: Dst<'i>, v: Value) {
        // SAFETY: as for `get`, and nobody else uses the registers of a running frame.
        unsafe { *Frame::regs(self.frame).add(register.index()) = v }
    }

    /// The first of several registers, of which the frame has as many as the verifier checks for the instruction.
    #[inline(always)]
    pub fn from(&self, base: Base<'i>) -> *mut Value {
        // SAFETY: the verifier has checked that the frame has that register.
        unsafe { Frame::regs(self.frame).add(base.index()) }
    }

    /// `count` values in registers.
    ///
    /// # Safety
    /// The instruction has `count` of them. No register is set as long as the slice is used.
    #[inline(always)]
    pub unsafe fn values<'v>(&self, base: Base<'i>, count: usize) -> &'v [Value] {
        // SAFETY: the verifier has checked that the frame has these registers; all are initialised.
        unsafe { std::slice::from_raw_parts(self.from(base), count) }
    }

    /// A literal's object.
    #[inline(always)]
    pub fn literal(&self, literal: Lit<'i>) -> Value {
        // SAFETY: the verifier has checked the index, and an Iseq has an object for each literal of its code.
        unsafe { self.iseq().literals.get_unchecked(literal.index()).load(Ordering::Relaxed) }
    }

    /// A literal's symbol.
    #[inline(always)]
    pub fn symbol(&self, literal: Lit<'i>) -> Sym {
        self.iseq().sym(literal.index())
    }

    /// The two words of an instance variable's site.
    #[inline(always)]
    pub fn ivar_cache(&self, ivar: Ivar<'i>) -> &'i [AtomicU64; 2] {
        // SAFETY: the verifier has checked the index, and an Iseq has two words for each site.
        unsafe { &*self.iseq().ivar_caches.as_ptr().add(ivar.index() * 2).cast() }
    }

    /// The cache of a call site.
    #[inline(always)]
    pub fn call_cache(&self, site: Site<'i>) -> &'i cache::Site {
        // SAFETY: the verifier has checked the index, and an Iseq has a word for each site.
        unsafe { self.iseq().call_caches.get_unchecked(site.index()) }
    }

    /// The cache of a constant's site.
    #[inline(always)]
    pub fn const_cache(&self, constant: Const<'i>) -> &'i AtomicValue {
        // SAFETY: the verifier has checked the index, and an Iseq has a word for each site.
        unsafe { self.iseq().const_caches.get_unchecked(constant.index()) }
    }

    /// A once-cell.
    #[inline(always)]
    pub fn once(&self, cell: Once<'i>) -> &'i AtomicValue {
        &self.iseq().once[cell.index()]
    }

    /// The code of a block or definition.
    ///
    /// # Errors
    /// As [`Iseq::child`].
    pub fn child(&mut self, child: Child<'i>) -> Res<*const Iseq> {
        self.iseq().child(self.ec, child.index())
    }

    /// Saves the pc: before anything that can raise, call or reach a safepoint.
    #[inline(always)]
    pub fn save(&mut self) {
        // SAFETY: the current frame is active, and belongs to this thread.
        unsafe { (*self.frame).pc = self.pc }
    }

    /// Does the fast path stand for what `op` does in all of `classes`?
    #[inline(always)]
    pub fn fast(&self, op: BasicOp, classes: Classes) -> bool {
        self.ec.vm().basic_ops.intact(op, classes)
    }

    /// Are `a` and `b` fixnums, of which the core's `op` is meant? The core library's own code counts with them whatever a
    /// program has made of Integer.
    #[inline(always)]
    pub fn counts(&self, op: BasicOp, a: Value, b: Value) -> bool {
        a.is_fixnum() && b.is_fixnum() && (self.fast(op, Classes::INTEGER) || self.iseq().code.internal)
    }

    /// Is there something to be done at a safepoint?
    #[inline(always)]
    pub fn polled(&self) -> bool {
        // SAFETY: the word lives as long as the thread's mutator, which the Ec owns.
        unsafe { (*self.ec.worker.poll_word).load(Ordering::Relaxed) != 0 }
    }

    /// Has the loop to be begun anew, so that the machine stack is where it was? Handlers go on by calls that the optimiser
    /// makes jumps of. One that it makes a call of instead leaves a frame behind, and a program of many rounds would run off
    /// the stack; wherever a round is that has no end, in loops and in calls, this is asked.
    #[inline(always)]
    fn deep(&self) -> bool {
        cfg!(asterism_threaded) && machine_stack::pointer() < self.ec.worker.loop_limit
    }

    // ---- ways on ----------------------------------------------------------------------------

    /// To the next instruction.
    #[inline(always)]
    pub fn next(self) -> Res<Next> {
        Ok(Next::At(self.frame, self.pc))
    }

    /// Stores the result, and to the next instruction.
    #[inline(always)]
    pub fn store(mut self, register: Dst<'i>, v: Value) -> Res<Next> {
        self.set(register, v);
        self.next()
    }

    /// As `store`, of what native code has given: the thread may have come to be traced in it, and goes on by the other loop then.
    #[inline(always)]
    pub fn store_native(mut self, register: Dst<'i>, v: Value) -> Res<Next> {
        self.set(register, v);
        if self.ec.thread.is_traced() { Ok(Next::Poll(self.pc)) } else { self.next() }
    }

    /// To the instruction `offset` words on.
    #[inline(always)]
    pub fn jump(self, offset: isize) -> Res<Next> {
        // SAFETY: the verifier has checked that jumps lead to instructions of the same code.
        let target = unsafe { self.pc.offset(offset) };
        if offset < 0 {
            if self.polled() || self.deep() {
                return Ok(Next::Poll(target));
            }
            let left = self.ec.worker.jit.loops - 1;
            self.ec.worker.jit.loops = left;
            if left == 0 {
                return Ok(Next::Tick(target));
            }
        }
        Ok(Next::At(self.frame, target))
    }

    /// To the instruction `offset` words on if `met`, else to the next one.
    #[inline(always)]
    pub fn jump_if(self, met: bool, offset: isize) -> Res<Next> {
        if met { self.jump(offset) } else { self.next() }
    }

    /// To where the current frame's pc says: a frame was pushed or popped, or another fiber runs.
    #[inline(always)]
    pub fn reload(self) -> Res<Next> {
        if self.deep() {
            return self.by(handler::again);
        }
        let frame = self.ec.fiber.frame;
        // SAFETY: whoever changes the current frame in a handler makes a Ruby frame current, whose pc is saved.
        Ok(Next::At(frame, unsafe { (*frame).pc }))
    }

    /// To another handler of the same instruction, which is passed nothing.
    #[inline(always)]
    pub fn by(self, handler: Handler) -> Res<Next> {
        Ok(Next::By(handler, Passed::uninit(), Passed::uninit()))
    }

    /// To another handler of the same instruction, which is passed these words.
    #[inline(always)]
    pub fn by_with(self, handler: Handler, first: u64, second: u64) -> Res<Next> {
        Ok(Next::By(handler, Passed::new(first), Passed::new(second)))
    }

    /// Out of the loop.
    #[inline(always)]
    pub fn leave(self, v: Value) -> Res<Next> {
        Ok(Next::Left(v))
    }

    /// Out of the loop with `left`, if that is something, else to where the current frame's pc says.
    #[inline(always)]
    pub fn reload_unless(self, left: Option<Value>) -> Res<Next> {
        match left {
            Some(v) => self.leave(v),
            None => self.reload(),
        }
    }

    /// On after an invocation: with its value, or in the frame that was pushed.
    #[inline(always)]
    pub fn settle(self, invoked: Invoked, register: Dst<'i>) -> Res<Next> {
        match invoked {
            Invoked::Done(v) => self.store_native(register, v),
            Invoked::Pushed => self.reload(),
        }
    }

    /// Sends the operator at `site` without an argument.
    #[inline(always)]
    pub fn send0(mut self, site: Site<'i>, recv: Value, dst: Dst<'i>) -> Res<Next> {
        self.save();
        let st = state(dst.index() as u16, Cont::Store, 0);
        // SAFETY: the current frame is a Ruby frame, whose pc is saved; the site is one of its code.
        let invoked = unsafe { self.ec.send_operator0(self.frame, site.index(), recv, st)? };
        self.settle(invoked, dst)
    }

    /// Sends the operator at `site` with an argument.
    #[inline(always)]
    pub fn send1(mut self, site: Site<'i>, recv: Value, arg: Value, dst: Dst<'i>) -> Res<Next> {
        self.save();
        let st = state(dst.index() as u16, Cont::Store, 0);
        // SAFETY: the current frame is a Ruby frame, whose pc is saved; the site is one of its code.
        let invoked = unsafe { self.ec.send_operator1(self.frame, site.index(), recv, arg, st)? };
        self.settle(invoked, dst)
    }
}
