//! Traced execution: the loop takes one instruction at a time and tells a [`Tracer`] what happens.
//!
//! The handlers are the same as without: they are given the table that leads back after each instruction. So code that is not
//! traced has nothing to ask for. A thread changes to the other loop at a poll (`RubyThread::set_tracer`).

use std::sync::Arc;

use asterism_compiler::CodeKind;
use asterism_compiler::opcode::Op;
use asterism_compiler::operand::Words;
use asterism_compiler::ops::{self, Instruction};
use asterism_heap::POLL_INTERRUPT;
use asterism_object::{Sym, Value};

use super::dispatch::{self, End};
use crate::ec::{Ec, Raised, Res};
use crate::frame::{self, Frame};
use crate::iseq::Iseq;
use crate::method::Body;
use crate::native::Special;
use crate::thread::RubyThread;
use crate::thread::interrupt::TRACE;

/// What happens in a traced thread. Methods of the core that are written in Ruby count as native, and their blocks not at all.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// The first instruction of a line is reached.
    Line(u32),
    /// A method begins.
    Call(Sym),
    /// A method ends: with a value, or nil if something unwinds it.
    Return(Sym, Value),
    /// A block begins.
    BlockCall,
    /// A block ends.
    BlockReturn(Value),
    /// The body of a class or module begins.
    Class,
    /// It ends.
    End,
    /// A native method is called.
    NativeCall(Sym),
    /// It has ended.
    NativeReturn(Sym, Value),
    /// An exception unwinds: once for each, however far it comes.
    Raise(Value),
}

/// Who is told.
pub trait Tracer: std::fmt::Debug + Send + Sync {
    /// Called in the traced thread, with the frame that it happens in as the current one. The thread is not traced meanwhile.
    ///
    /// # Errors
    /// What is to be raised there.
    fn event(&self, ec: &mut Ec, event: Event) -> Res<()>;
}

/// What a traced thread keeps.
pub(crate) struct Tracing {
    tracer: Arc<dyn Tracer>,
    /// It is being told.
    telling: bool,
    /// The exception that was told of last; an address only.
    raised: u64,
}

/// Tells the tracer.
///
/// # Errors
/// What it raises.
fn tell(ec: &mut Ec, event: Event) -> Res<()> {
    let Some(tracing) = ec.tracing.as_mut().filter(|tracing| !tracing.telling) else { return Ok(()) };
    tracing.telling = true;
    let tracer = tracing.tracer.clone();
    let told = tracer.event(ec, event);
    // It may have been replaced meanwhile.
    if let Some(tracing) = &mut ec.tracing {
        tracing.telling = false;
    }
    told
}

/// What a frame begins or ends with.
enum Kind {
    Method(Sym),
    Native(Sym),
    Block,
    Class,
    /// A script, or code of `eval`.
    Other,
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
            CodeKind::Method if code.internal => Kind::Native(code.name),
            CodeKind::Method => Kind::Method(code.name),
            _ if code.internal => Kind::Other,
            CodeKind::Block if (*frame).has(frame::BMETHOD) => {
                Kind::Method((*frame).method_name().unwrap_or(code.name))
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
    // SAFETY: the caller's contract.
    unsafe { ends(ec, frame, Value::NIL)? };
    ec.pending = pending;
    Ok(())
}

/// Tells of the exception that begins to unwind, if it was not told of yet.
///
/// # Errors
/// What the tracer raises: it unwinds instead.
#[cold]
pub(super) fn raises(ec: &mut Ec, raised: Raised) -> Raised {
    let Some(exception) = ec.pending_exception() else { return raised };
    match &mut ec.tracing {
        Some(tracing) if tracing.raised != exception.bits() => tracing.raised = exception.bits(),
        _ => return raised,
    }
    let pending = ec.take_pending();
    match tell(ec, Event::Raise(exception)) {
        Ok(()) => {
            ec.pending = pending;
            raised
        }
        Err(instead) => instead,
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
        let frame = ec.frame;
        let pc = (*frame).pc;
        let called = match before(ec, frame, pc, begun) {
            Ok(called) => called,
            Err(raised) => return (false, End::raised(raised)),
        };
        let end = dispatch::step(ec, frame, pc);
        if let (Some((name, dst)), End::Again) = (called, &end)
            && ec.frame == frame
        {
            let v = *Frame::regs(frame).add(dst);
            if let Err(raised) = tell(ec, Event::NativeReturn(name, v)) {
                return (false, End::raised(raised));
            }
        }
        let new = ec.frame;
        let begins = matches!(end, End::Again)
            && new != frame
            && (*new).prev == frame
            && (*new).iseq.as_ref().is_some_and(|iseq| iseq.entry == (*new).pc);
        (begins, end)
    }
}

/// Tells what comes before the instruction at `pc`. The native method that it calls, and where its value goes.
///
/// # Safety
/// As for `step`.
unsafe fn before(ec: &mut Ec, frame: *mut Frame, pc: *const u64, begun: bool) -> Res<Option<(Sym, usize)>> {
    // SAFETY: the caller's contract.
    unsafe {
        // What is raised here is raised by this instruction: the saved pc is behind it, and then before it again.
        let op = Op::from_u8(dispatch::opcode(pc)).unwrap_or(Op::Nop);
        (*frame).pc = pc.add(op.words());
        let iseq: &Iseq = &*(*frame).iseq;
        if begun {
            begins(ec, frame)?;
        }
        let at = ((pc as usize - iseq.entry as usize) / 8) as u32;
        if !iseq.code.internal
            && let Some(line) = line_at(iseq, at)
        {
            tell(ec, Event::Line(line))?;
        }
        let words = Words::at(pc);
        let mut called = None;
        match op {
            Op::Return => {
                let value = ops::Return::at(words).value();
                ends(ec, frame, *Frame::regs(frame).add(value.index()))?;
            }
            Op::Call | Op::CallSelf => {
                // The operands of calls lie at the same places.
                let call = ops::Call::at(words);
                let recv =
                    if op == Op::CallSelf { (*frame).self_val } else { *Frame::regs(frame).add(call.base().index()) };
                if !iseq.code.internal
                    && let Some(name) = native(ec, frame, recv, call.site().index())
                {
                    tell(ec, Event::NativeCall(name))?;
                    called = Some((name, call.dst().index()));
                }
            }
            _ => {}
        }
        (*frame).pc = pc;
        Ok(called)
    }
}

/// The line that begins with the word `at`.
fn line_at(iseq: &Iseq, at: u32) -> Option<u32> {
    let lines = &iseq.code.lines;
    match lines.binary_search_by_key(&at, |(start, _)| *start) {
        Ok(found) => Some(lines[found].1),
        Err(0) if at == 0 => Some(iseq.code.line),
        Err(_) => None,
    }
}

/// The name of the native method that a call at `site` of `recv` leads to, if it runs to its end at once.
///
/// # Safety
/// `frame` is the current frame, a Ruby frame with its pc saved, and the site one of its code.
unsafe fn native(ec: &mut Ec, frame: *mut Frame, recv: Value, site: usize) -> Option<Sym> {
    let class = ec.class_of(recv);
    // SAFETY: the caller's contract.
    let found = unsafe {
        let name = (&*(*frame).iseq).code.call_sites[site].name;
        ec.find_method_in_frame(frame, class, name).1?
    };
    match found.method.body() {
        Body::Native(def) if matches!(def.special, Special::None | Special::Initialize) => Some(found.method.name()),
        _ => None,
    }
}

impl Ec {
    /// Lets `tracer` be told of what this thread does from the next poll on, or nobody any more.
    pub fn set_tracer(&mut self, tracer: Option<Arc<dyn Tracer>>) {
        self.tracing = tracer.map(|tracer| Box::new(Tracing { tracer, telling: false, raised: 0 }));
        self.pass_tracer_on();
    }

    /// Is the thread traced?
    #[inline(always)]
    pub(crate) fn is_traced(&self) -> bool {
        self.tracing.as_ref().is_some_and(|tracing| !tracing.telling)
    }

    /// Lets handlers under way that know nothing of the tracer return to their loop at the next poll.
    pub(super) fn pass_tracer_on(&self) {
        if self.is_traced() {
            self.state().set_poll(POLL_INTERRUPT);
        }
    }
}

impl RubyThread {
    /// Lets `tracer` be told of what the thread does from its next poll on, or nobody any more.
    pub fn set_tracer(&self, tracer: Option<Arc<dyn Tracer>>) {
        *self.tracer.lock() = Some(tracer);
        self.interrupt(TRACE);
    }
}

/// The running thread's tracer is another one from now on.
pub(crate) fn change(ec: &mut Ec) {
    let wanted = ec.ruby_thread.tracer.lock().take();
    if let Some(tracer) = wanted {
        ec.set_tracer(tracer);
    }
}
