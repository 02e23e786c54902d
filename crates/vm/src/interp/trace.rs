//! Traced execution: the loop takes one instruction at a time and tells a [`Tracer`] what happens.
//!
//! The handlers are the same as without: they are given the table that leads back after each instruction. So code that is not
//! traced has nothing to ask for. A thread changes to the other loop at a poll (`RubyThread::set_tracer`).

use std::sync::Arc;

use asterism_compiler::code::Mark;
use asterism_compiler::opcode::Op;
use asterism_compiler::operand::{Kind as OperandKind, Words};
use asterism_compiler::ops::{self, Instruction};
use asterism_compiler::{Code, CodeKind};
use asterism_heap::POLL_INTERRUPT;
use asterism_object::{Sym, Value};
use asterism_symbol::sym;

use super::handler::{End, opcode};
pub(crate) use super::tracer::Tracing;
use super::tracer::Untold;
pub use super::tracer::{Event, Moment, NativeMethod, Tracer};
use crate::ec::{Ec, Raised, Res};
use crate::error::Pending;
use crate::frame::{self, Frame};
use crate::iseq::Iseq;
use crate::method::{Body, Method};
use crate::native::Special;
use crate::thread::interrupt::TRACE;
use crate::thread::{RubyThread, RunningThread};
use crate::vm::Vm;

/// Tells the tracer.
///
/// # Errors
/// What the tracer raises.
fn tell(ec: &mut Ec, event: Event) -> Res<()> {
    let frame = ec.fiber.frame;
    let Some(tracing) = ec.thread.tracing.as_mut().filter(|tracing| tracing.is_on()) else { return Ok(()) };
    let Some(tracer) = tracing.tracer.clone() else { return Ok(()) };
    let outer = tracing.moment.replace(Moment { event, frame });
    let reentered = std::mem::replace(&mut tracing.reentered, false);
    // What is told has no say in what runs next.
    let (leaf, returned) = (std::mem::replace(&mut ec.fiber.leaf, Value::NULL), ec.worker.returned);
    let errinfo = ec.fiber.errinfo;
    let told = tracer.event(ec, event);
    (ec.fiber.leaf, ec.worker.returned) = (leaf, returned);
    if told.is_ok() {
        ec.fiber.errinfo = errinfo;
    }
    let raised = if told.is_err() { ec.pending_exception() } else { None };
    // It may have been replaced meanwhile.
    if let Some(tracing) = &mut ec.thread.tracing {
        if let Some(raised) = raised {
            // Nobody is told of what a tracer raises.
            tracing.raised = raised.bits();
        }
        tracing.moment = outer;
        tracing.reentered = reentered;
        if tracing.tracer.is_none() && outer.is_none() {
            ec.thread.tracing = None;
        }
    }
    told
}

/// As `tell`, while something unwinds: that goes on afterwards.
///
/// # Errors
/// What the tracer raises: it unwinds instead.
fn tell_unwinding(ec: &mut Ec, event: Event) -> Res<()> {
    let pending = ec.take_pending();
    tell(ec, event)?;
    ec.thread.pending = pending;
    Ok(())
}

/// What a frame begins or ends with.
enum Kind {
    Method(Sym),
    Native(NativeMethod),
    Block,
    /// A block that is a method's body.
    BlockMethod(Sym),
    Class,
    /// A script, or code of `eval`.
    Other,
}

/// Is it a method of the core of which CRuby too tells that it is written in Ruby?
fn is_ruby_in_cruby(code: &Code) -> bool {
    let names: &[&str] = match &*code.file {
        "<internal:kernel>" => &["loop", "tap", "then", "yield_self"],
        "<internal:integer>" => &["times"],
        "<internal:trace_point>" => &["allow_reentry", "disable", "enable", "enabled?", "new", "stat", "trace"],
        _ => return false,
    };
    names.contains(&&*code.name.text())
}

/// What kind of frame it is.
///
/// # Safety
/// `frame` is active, a Ruby frame.
unsafe fn kind_of(frame: *mut Frame) -> Kind {
    // SAFETY: the caller's contract; the frame keeps its code alive.
    unsafe {
        let code = &(&*(*frame).iseq).code;
        match code.kind {
            CodeKind::Method if code.internal => match (*frame).prev.as_ref().and_then(|caller| caller.iseq.as_ref()) {
                // What the implementation does to do that is its own business.
                Some(caller) if !caller.code.internal && !(*frame).has(frame::UNTOLD) => {
                    if is_ruby_in_cruby(code) {
                        return Kind::Method(code.name);
                    }
                    Kind::Native(NativeMethod { method: (*frame).method, recv: (*frame).self_val })
                }
                _ => Kind::Other,
            },
            CodeKind::Method => Kind::Method(code.name),
            _ if code.internal => Kind::Other,
            CodeKind::Block if (*frame).has(frame::BMETHOD) => {
                Kind::BlockMethod((*frame).method_name().unwrap_or(code.name))
            }
            CodeKind::Block => Kind::Block,
            _ if (*frame).has(frame::CLASS) => Kind::Class,
            _ => Kind::Other,
        }
    }
}

/// Tells that `frame`, the current one, begins.
///
/// # Safety
/// It is a Ruby frame with its pc saved.
unsafe fn begins(ec: &mut Ec, frame: *mut Frame) -> Res<()> {
    // SAFETY: the current frame is active, a Ruby frame.
    match unsafe { kind_of(frame) } {
        Kind::Method(name) => tell(ec, Event::Call(name)),
        Kind::Native(name) => tell(ec, Event::NativeCall(name)),
        Kind::Block => tell(ec, Event::BlockCall),
        Kind::BlockMethod(name) => {
            tell(ec, Event::Call(name))?;
            tell(ec, Event::BlockCall)
        }
        Kind::Class => tell(ec, Event::Class),
        Kind::Other => Ok(()),
    }
}

/// Tells that `frame`, the current one, ends with `v`.
///
/// # Safety
/// It is a Ruby frame with its pc saved.
pub(super) unsafe fn ends(ec: &mut Ec, frame: *mut Frame, v: Value) -> Res<()> {
    // SAFETY: the current frame is active, a Ruby frame.
    match unsafe { kind_of(frame) } {
        Kind::Method(name) => tell(ec, Event::Return(name, v)),
        Kind::Native(name) => tell(ec, Event::NativeReturn(name, v)),
        Kind::Block => tell(ec, Event::BlockReturn(v)),
        Kind::BlockMethod(name) => {
            tell(ec, Event::BlockReturn(v))?;
            tell(ec, Event::Return(name, v))
        }
        Kind::Class => tell(ec, Event::End),
        Kind::Other => Ok(()),
    }
}

/// Tells that `frame`, the current one, is unwound.
///
/// # Errors
/// What the tracer raises: it unwinds instead.
///
/// # Safety
/// `frame` is the current frame, a Ruby frame with its pc saved.
#[cold]
pub(super) unsafe fn unwinds(ec: &mut Ec, frame: *mut Frame) -> Res<()> {
    let pending = ec.take_pending();
    // A break or a throw has the value with which it leaves what it leaves; CRuby tells nil of all but the block of a `break`.
    let value = match pending {
        // SAFETY: the caller's contract.
        Pending::Break(_, value) if unsafe { (*frame).has(frame::BLOCK) } => value,
        _ => Value::NIL,
    };
    // SAFETY: the caller's contract.
    unsafe { ends(ec, frame, value)? };
    ec.thread.pending = pending;
    Ok(())
}

/// Does another fiber run than when this was last asked?
fn is_other_fiber(ec: &mut Ec) -> bool {
    let fiber = ec.fiber.id;
    let Some(tracing) = ec.thread.tracing.as_mut().filter(|tracing| tracing.fiber != fiber) else { return false };
    tracing.fiber = fiber;
    // What ends a fiber is raised again in the one that goes on.
    tracing.raised = 0;
    true
}

/// Tells of the exception that begins to unwind, if it was not told of yet.
///
/// # Errors
/// What the tracer raises: it unwinds instead.
#[cold]
pub(super) fn raises(ec: &mut Ec, raised: Raised) -> Raised {
    let Some(exception) = ec.pending_exception() else { return raised };
    if is_other_fiber(ec)
        && let Err(instead) = tell_unwinding(ec, Event::FiberSwitch)
    {
        return instead;
    }
    match &mut ec.thread.tracing {
        Some(tracing) if tracing.raised != exception.bits() => tracing.raised = exception.bits(),
        _ => return raised,
    }
    match tell_backtrace(ec, exception).and_then(|()| tell_unwinding(ec, Event::Raise(exception))) {
        Ok(()) => raised,
        Err(instead) => instead,
    }
}

/// Tells of `backtrace`, which CRuby asks an exception for before it unwinds.
///
/// # Errors
/// What the tracer raises: it unwinds instead.
fn tell_backtrace(ec: &mut Ec, exception: Value) -> Res<()> {
    let Some(native) = ec.native_to_tell(exception, sym::backtrace) else { return Ok(()) };
    tell_unwinding(ec, Event::NativeCall(native))?;
    tell_unwinding(ec, Event::NativeReturn(native, Value::NIL))
}

/// The native method that an instruction calls, and where its value goes.
#[derive(Clone, Copy)]
struct Called {
    native: NativeMethod,
    /// The register that gets the value; `None`: a jump depends on its truth.
    dst: Option<usize>,
    /// For a jump: whether it is taken if the value is true, and the address behind the instruction.
    jump: (bool, *const u64),
}

impl Called {
    /// The value, after the instruction.
    ///
    /// # Safety
    /// `frame` is the current frame again, and where it goes on is saved.
    unsafe fn value(&self, frame: *mut Frame) -> Value {
        // SAFETY: the caller's contract; verified code has registers that the frame has.
        unsafe {
            match self.dst {
                Some(dst) => *Frame::regs(frame).add(dst),
                None => Value::bool(((*frame).pc != self.jump.1) == self.jump.0),
            }
        }
    }
}

/// Executes one instruction of a traced thread, at which a frame has begun if `begun`. The answer: whether the next one begins
/// one, and how the instruction ended.
///
/// # Safety
/// The current frame is a Ruby frame with its pc saved, where an instruction begins.
pub(super) unsafe fn step(ec: &mut Ec, begun: bool) -> (bool, End) {
    // SAFETY: the caller's contract; the frame stays the current one while the tracer runs, and keeps its code alive.
    unsafe {
        let frame = ec.fiber.frame;
        let pc = (*frame).pc;
        let called = match before(ec, frame, pc, begun) {
            Ok(called) => called,
            Err(raised) => return (false, End::raised(raised)),
        };
        let end = ec.step_at(frame, pc);
        if let Some(called) = called
            && let Err(raised) = after(ec, frame, called, &end)
        {
            return (false, End::raised(raised));
        }
        let new = ec.fiber.frame;
        let begins = matches!(end, End::Again)
            && new != frame
            && (*new).prev == frame
            && (*new).iseq.as_ref().is_some_and(|iseq| iseq.begins_at((*new).pc));
        (begins, end)
    }
}

/// Tells that the native method that an instruction of `frame` has called has ended, if it has.
///
/// # Errors
/// What the tracer raises.
///
/// # Safety
/// `frame` was the current frame before the instruction, and is active if it is so still.
#[inline(never)]
unsafe fn after(ec: &mut Ec, frame: *mut Frame, called: Called, end: &End) -> Res<()> {
    if ec.fiber.frame != frame || !ec.thread.is_traced() {
        return Ok(());
    }
    match end {
        End::Again => {
            // SAFETY: the caller's contract.
            let v = unsafe { called.value(frame) };
            tell(ec, Event::NativeReturn(called.native, v))
        }
        End::Left => Ok(()),
        End::Raised => {
            // `raise` itself has done what it was called for.
            if &*called.native.original_name().text() != "raise" {
                let pending = ec.pending_exception();
                let _raised = raises(ec, Raised(()));
                if ec.pending_exception() != pending {
                    return Err(Raised(()));
                }
            }
            tell_unwinding(ec, Event::NativeReturn(called.native, Value::NIL))
        }
    }
}

/// Tells what comes before the instruction at `pc`. The native method that it calls.
///
/// # Safety
/// As for `step`.
unsafe fn before(ec: &mut Ec, frame: *mut Frame, pc: *const u64, begun: bool) -> Res<Option<Called>> {
    // SAFETY: the caller's contract.
    unsafe {
        // What is raised here is raised by this instruction: the saved pc is behind it, and then before it again.
        let op = Op::from_u8(opcode(pc)).unwrap_or(Op::Nop);
        (*frame).pc = pc.add(op.words());
        let iseq: &Iseq = &*(*frame).iseq;
        if is_other_fiber(ec) {
            tell(ec, Event::FiberSwitch)?;
        }
        if begun {
            begins(ec, frame)?;
        }
        let at = iseq.at(pc) as u32;
        let marks = &iseq.code.marks;
        let first = marks.partition_point(|mark| mark.pc < at);
        for mark in marks[first..].iter().take_while(|mark| mark.pc == at) {
            let event =
                if mark.line == Mark::RESCUED { Event::Rescue(ec.fiber.errinfo) } else { Event::Line(mark.line) };
            tell(ec, event)?;
        }
        let mut called = None;
        if op == Op::Return {
            let value = ops::Return::at(Words::at(pc)).value();
            ends(ec, frame, *Frame::regs(frame).add(value.index()))?;
        } else if op == Op::Break && (*frame).has(frame::LAMBDA) {
            let value = ops::Break::at(Words::at(pc)).value();
            ends(ec, frame, *Frame::regs(frame).add(value.index()))?;
        } else if !iseq.code.internal {
            called = native(ec, frame, op, pc);
            if let Some(called) = called {
                tell(ec, Event::NativeCall(called.native))?;
            }
        }
        (*frame).pc = pc;
        Ok(called)
    }
}

/// The native method that the instruction `op` of `frame` at `pc` leads to, if it runs to its end at once.
///
/// # Safety
/// `frame` is the current frame, a Ruby frame with its pc saved.
unsafe fn native(ec: &mut Ec, frame: *mut Frame, op: Op, pc: *const u64) -> Option<Called> {
    let operands = op.info().operands;
    // SAFETY: the instruction has as many words; its operands are those of verified code.
    unsafe {
        let words = std::slice::from_raw_parts(pc, op.words());
        let of = |name: &str| operands.iter().find(|o| o.name == name).map(|o| o.place.read(words) as usize);
        let of_kind = |kind| operands.iter().find(|o| o.kind == kind).map(|o| o.place.read(words) as usize);
        let site = of_kind(OperandKind::Site)?;
        let recv = match op {
            Op::Yield | Op::Super | Op::ToS | Op::Resume | Op::FiberYield => return None,
            Op::CallSelf => (*frame).self_val,
            _ => *Frame::regs(frame).add(of("base").or_else(|| of("left")).or_else(|| of("recv"))?),
        };
        let class = ec.class_of(recv);
        let name = (&*(*frame).iseq).code.call_sites[site].name;
        let found = ec.find_method_in_frame(frame, class, name).1?;
        let native = NativeMethod { method: found.method.0, recv };
        let dst = of_kind(OperandKind::Dst);
        let sense = of("sense").is_some_and(|sense| sense != 0);
        ends_at_once(found.method).then_some(Called { native, dst, jump: (sense, (*frame).pc) })
    }
}

/// Is it a native method that runs to its end when it is called?
fn ends_at_once(method: Method) -> bool {
    match method.body() {
        Body::Native(def) => matches!(def.special, Special::None | Special::Initialize | Special::StructInitialize),
        Body::AttrReader(_) | Body::AttrWriter(_) => true,
        _ => false,
    }
}

impl RunningThread {
    /// Is the thread traced?
    #[inline(always)]
    pub fn is_traced(&self) -> bool {
        self.tracing.as_ref().is_some_and(|tracing| tracing.is_on())
    }

    /// What a tracer is being told in this thread.
    pub fn traced_moment(&self) -> Option<Moment> {
        self.tracing.as_ref().and_then(|tracing| tracing.moment)
    }
}

impl Ec {
    /// Lets `tracer` be told of what this thread does from the next poll on, or nobody any more.
    pub fn set_tracer(&mut self, tracer: Option<Arc<dyn Tracer>>) {
        let fiber = self.fiber.id;
        let vm = self.vm_arc();
        match &mut self.thread.tracing {
            Some(tracing) if tracer.is_some() || tracing.moment.is_some() => tracing.tracer = tracer,
            tracing => {
                *tracing = tracer.map(|tracer| {
                    let (tracer, untold) = (Some(tracer), Untold::new(vm));
                    Box::new(Tracing { tracer, moment: None, reentered: false, raised: 0, fiber, _untold: untold })
                });
            }
        }
        self.pass_tracer_on();
    }

    /// As `set_tracer`, at once, and in place of what another thread wanted of this one before, which would come at its next poll.
    pub fn replace_tracer(&mut self, tracer: Option<Arc<dyn Tracer>>) {
        *self.thread.handle.tracer.lock() = None;
        self.set_tracer(tracer);
    }

    /// While a tracer is told: is it told from now on of what happens meanwhile? Whether it was before; `None` if nobody is told
    /// of anything.
    pub fn reenter_tracer(&mut self, allowed: bool) -> Option<bool> {
        let tracing = self.thread.tracing.as_mut().filter(|tracing| tracing.moment.is_some())?;
        let before = std::mem::replace(&mut tracing.reentered, allowed);
        self.pass_tracer_on();
        Some(before)
    }

    /// Tells the thread's tracer, if it has one, what native code has done.
    ///
    /// # Errors
    /// What the tracer raises.
    pub fn tell_tracer(&mut self, event: Event) -> Res<()> {
        if self.thread.is_traced() { tell(self, event) } else { Ok(()) }
    }

    /// Tells the thread's tracer, if it has one, of the call of a native method that was left out because what it does is known.
    ///
    /// # Errors
    /// What the tracer raises.
    #[cold]
    pub(crate) fn tell_left_out(&mut self, recv: Value, method: Method) -> Res<()> {
        let Some(native) = self.told_as_native(recv, method) else { return Ok(()) };
        tell(self, Event::NativeCall(native))?;
        tell(self, Event::NativeReturn(native, Value::NIL))
    }

    /// The native method that a call by its name leads to, if a tracer is to be told of it.
    #[cold]
    pub(crate) fn native_to_tell(&mut self, recv: Value, name: Sym) -> Option<NativeMethod> {
        let class = self.class_of(recv);
        let found = self.find_method(class, name).1?;
        self.told_as_native(recv, found.method)
    }

    /// A native method that native code calls for the program: what the implementation's Ruby code calls is its own business.
    #[cold]
    pub(crate) fn told_as_native(&self, recv: Value, method: Method) -> Option<NativeMethod> {
        // SAFETY: the frame is active.
        let internal = unsafe { (*self.fiber.ruby_frame()).iseq.as_ref().is_some_and(|iseq| iseq.code.internal) };
        (!internal && ends_at_once(method)).then_some(NativeMethod { method: method.0, recv })
    }

    /// Calls a native method by `call`, and tells the tracer that it is called and has ended.
    ///
    /// # Errors
    /// What the method and the tracer raise.
    #[cold]
    pub(crate) fn call_told(&mut self, native: NativeMethod, call: impl FnOnce(&mut Ec) -> Res) -> Res {
        tell(self, Event::NativeCall(native))?;
        match call(self) {
            Ok(v) => {
                tell(self, Event::NativeReturn(native, v))?;
                Ok(v)
            }
            Err(raised) => {
                let pending = self.pending_exception();
                let raised = raises(self, raised);
                if self.pending_exception() == pending {
                    tell_unwinding(self, Event::NativeReturn(native, Value::NIL))?;
                }
                Err(raised)
            }
        }
    }

    /// As `tell_tracer`, of a thread that ends with `result`.
    pub(crate) fn tell_end(&mut self, result: Res) -> Res {
        if self.thread.is_traced() {
            tell_unwinding(self, Event::ThreadEnd)?;
        }
        result
    }

    /// Lets handlers under way that know nothing of the tracer return to their loop at the next poll.
    pub(super) fn pass_tracer_on(&self) {
        if self.thread.is_traced() {
            self.state().set_poll(POLL_INTERRUPT);
        }
    }
}

impl RubyThread {
    /// Lets `tracer` be told of what the thread does from its next poll on, or nobody any more.
    pub fn set_tracer(&self, tracer: Option<Arc<dyn Tracer>>) {
        *self.tracer.lock() = Some(Box::new(tracer));
        self.interrupt(TRACE);
    }
}

impl Ec {
    /// The running thread's tracer is another one from now on.
    pub(crate) fn change_tracer(&mut self) {
        let wanted = self.thread.handle.tracer.lock().take();
        if let Some(tracer) = wanted.and_then(|wanted| wanted.downcast::<Option<Arc<dyn Tracer>>>().ok()) {
            self.set_tracer(*tracer);
        }
    }
}

impl Vm {
    /// Who is told of what a thread does from its beginning on.
    pub fn tracer(&self) -> Option<Arc<dyn Tracer>> {
        self.tracer.lock().clone()
    }

    /// Lets `tracer` be told of what threads do that begin from now on, or nobody any more.
    pub fn set_tracer(&self, tracer: Option<Arc<dyn Tracer>>) {
        *self.tracer.lock() = tracer;
    }
}
