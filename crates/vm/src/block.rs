//! Blocks, Procs and the heap form of a scope.
//!
//! A block that is only yielded to is the address of the frame that created it: nothing is allocated.
//! It becomes a [`Proc`] when somebody keeps it; then the locals of the creating frame, and of the frames
//! around it, move to [`Env`] cells.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use asterism_compiler::Code;
use asterism_heap::{Cell, Marker};
use asterism_object::space::WellKnown;
use asterism_object::types::{Type, type_of};
use asterism_object::{Sym, Value};

use crate::ec::{Ec, Res};
pub use crate::frame::Block;
use crate::frame::{self, Frame, NewFrame};
use crate::iseq::Iseq;
use crate::keep::SymbolProcs;
use crate::native::Args;
use crate::vm::Root;
pub use env::Env;
use env::{ISOLATED_ENV, SHOWN, env_word};

mod env;

/// A native block body: the data it was made with, and the arguments.
pub type NativeBlockFn = fn(&mut Ec, Value, Args<'_>) -> Res;

/// Payload words of a Proc.
pub(crate) mod word {
    pub const CODE: usize = 0;
    pub const ENV: usize = 1;
    pub const SELF: usize = 2;
    pub const BLOCK: usize = 3;
    pub const METHOD: usize = 4;
    pub const CREF: usize = 5;
    pub const IVARS: usize = 6;
    pub const FLAGS: usize = 7;
}
const PROC_WORDS: usize = 8;

/// The Proc is a lambda.
pub const LAMBDA: u64 = 1;
/// It is implemented in Rust: the code word is a `NativeBlockFn | 1`, env its data.
pub const NATIVE: u64 = 2;
/// It came from `Symbol#to_proc`: the code word is the Symbol.
pub const SYMBOL: u64 = 4;
/// It came from a Method: env is the Method object.
pub const METHOD: u64 = 8;
/// `ruby2_keywords`
pub const RUBY2_KEYWORDS: u64 = 16;
/// It is native, and suspends the fiber that calls it (`Ec::hand_over`): the code word is no function, env a `fiber::walk::Walk`.
pub const HANDS_OVER: u64 = 32;
/// It refers to nothing around it that may change: see `ractor::isolate`.
pub const ISOLATED: u64 = 64;

/// A view of a Proc cell. Its words are set before it is visible and never change.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Proc(pub Value);

impl Proc {
    /// The view of `v`, if it is a Proc.
    #[inline]
    pub fn from_value(v: Value) -> Option<Proc> {
        (v.is_heap() && type_of(v.cell()?) == Type::Proc).then_some(Proc(v))
    }

    #[inline(always)]
    fn at(&self, index: usize) -> &AtomicU64 {
        // SAFETY: a `Proc` is only made of Proc cells, which have `PROC_WORDS` payload words.
        unsafe { (*self.0.ptr::<Cell>()).word(index) }
    }

    #[inline(always)]
    fn get(&self, index: usize) -> Value {
        // SAFETY: all words but CODE and FLAGS, which `at` reads, hold values.
        unsafe { Value::from_bits(self.at(index).load(Ordering::Relaxed)) }
    }

    /// A Proc of class `class` with these words, in the order of `word`.
    #[inline(always)]
    fn with_words(ec: &mut Ec, class: Value, words: [u64; PROC_WORDS]) -> Res<Proc> {
        let cell = ec.alloc_cell(Type::Proc, PROC_WORDS, class, false)?;
        let proc = Proc(cell);
        for (i, word) in words[..word::FLAGS].iter().enumerate() {
            proc.at(i).store(*word, Ordering::Relaxed);
        }
        // The flags last: who reads them first sees the rest.
        proc.at(word::FLAGS).store(words[word::FLAGS], Ordering::Release);
        Ok(proc)
    }

    /// A bare Proc of class `class`; all words nil.
    fn alloc(ec: &mut Ec, class: Value) -> Res<Proc> {
        let mut words = [Value::NIL.bits(); PROC_WORDS];
        words[word::FLAGS] = 0;
        Proc::with_words(ec, class, words)
    }

    /// A Proc of `iseq` closed over `parent` (an Env or nil).
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    fn closure(
        ec: &mut Ec,
        class: Value,
        iseq: Value,
        parent: Value,
        self_val: Value,
        block: Block,
        method: Value,
        cref: Value,
        flags: u64,
    ) -> Res<Proc> {
        let words = [
            iseq.bits(),
            parent.bits(),
            self_val.bits(),
            block.0,
            method.bits(),
            cref.bits(),
            Value::NIL.bits(),
            flags,
        ];
        Proc::with_words(ec, class, words)
    }

    /// A Proc implemented in Rust; `data` is handed to it at each call.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn native(ec: &mut Ec, body: NativeBlockFn, data: Value, lambda: bool) -> Res<Proc> {
        let class = ec.class(WellKnown::Proc);
        let proc = Proc::alloc(ec, class)?;
        proc.at(word::CODE).store(body as usize as u64 | 1, Ordering::Relaxed);
        proc.at(word::ENV).store(data.bits(), Ordering::Relaxed);
        let flags = NATIVE | if lambda { LAMBDA } else { 0 };
        proc.at(word::FLAGS).store(flags, Ordering::Release);
        Ok(proc)
    }

    /// The block of an external iteration.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn handing_over(ec: &mut Ec, walk: Value) -> Res<Proc> {
        let class = ec.class(WellKnown::Proc);
        let proc = Proc::alloc(ec, class)?;
        proc.at(word::ENV).store(walk.bits(), Ordering::Relaxed);
        proc.at(word::FLAGS).store(HANDS_OVER, Ordering::Release);
        Ok(proc)
    }

    /// A Proc of code that refers to nothing around it, as at top level.
    ///
    /// # Errors
    /// NoMemoryError; RegexpError for a regexp literal the engine refuses.
    pub fn isolated(ec: &mut Ec, code: &Arc<Code>, lambda: bool) -> Res<Proc> {
        let iseq = Iseq::instantiate(ec, code)?;
        let class = ec.class(WellKnown::Proc);
        let (main, cref) = (ec.vm().root(Root::MainObject), ec.vm().root(Root::TopCref));
        let flags = if lambda { LAMBDA } else { 0 };
        Proc::closure(ec, class, iseq, Value::NIL, main, Block::NONE, Value::NIL, cref, flags)
    }

    /// The Proc of a Symbol.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn of_symbol(ec: &mut Ec, sym: Sym) -> Res<Proc> {
        let slot = ec.vm().part::<SymbolProcs>().slot(sym);
        let known = slot.load(Ordering::Acquire);
        if let Some(proc) = Proc::from_value(known).filter(|p| p.symbol() == Some(sym)) {
            return Ok(proc);
        }
        let made = Proc::of_symbol_in(ec, sym, Value::NIL)?;
        ec.vm().part::<SymbolProcs>().slot(sym).store(made.0, Ordering::Release);
        Ok(made)
    }

    /// The Proc of a Symbol that calls methods as refined in `cref`.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn of_symbol_in(ec: &mut Ec, sym: Sym, cref: Value) -> Res<Proc> {
        let class = ec.class(WellKnown::Proc);
        let proc = Proc::alloc(ec, class)?;
        proc.at(word::CREF).store(cref.bits(), Ordering::Relaxed);
        proc.at(word::CODE).store(Value::sym(sym).bits(), Ordering::Relaxed);
        proc.at(word::FLAGS).store(SYMBOL | LAMBDA, Ordering::Release);
        Ok(proc)
    }

    /// A copy with other flags, self, method or class (`lambda(&proc)`, `define_method`, `Proc#dup`).
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn copy(&self, ec: &mut Ec, class: Value, flags: u64) -> Res<Proc> {
        let copy = Proc::alloc(ec, class)?;
        for i in 0..PROC_WORDS {
            copy.at(i).store(self.at(i).load(Ordering::Relaxed), Ordering::Relaxed);
        }
        copy.at(word::FLAGS).store(flags, Ordering::Release);
        Ok(copy)
    }

    /// The flags.
    #[inline(always)]
    pub fn flags(&self) -> u64 {
        self.at(word::FLAGS).load(Ordering::Acquire)
    }

    /// Marks it (`Proc#ruby2_keywords`): the one change a Proc sees, a flag that is only ever set.
    pub fn set_ruby2_keywords(&self) {
        self.at(word::FLAGS).fetch_or(RUBY2_KEYWORDS, Ordering::AcqRel);
    }

    /// Does it refer to nothing around it that may change?
    pub fn is_isolated(&self) -> bool {
        self.flags() & ISOLATED != 0
    }

    /// It refers to nothing around it.
    pub(crate) fn set_isolated(&self) {
        self.at(word::FLAGS).fetch_or(ISOLATED, Ordering::AcqRel);
    }

    /// A copy with the scopes `env` around it, which are isolated, without a block, and with another self.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(crate) fn isolated_in(&self, ec: &mut Ec, env: Value, self_val: Value) -> Res<Proc> {
        let class = ec.class(WellKnown::Proc);
        let flags = self.flags() | ISOLATED;
        let (code, method, cref) = (self.get(word::CODE), self.method(), self.cref());
        Proc::closure(ec, class, code, env, self_val, Block::NONE, method, cref, flags)
    }

    /// The scopes `env`, which are isolated, take the place of those around it. A call under way keeps those it has.
    pub(crate) fn isolate_in_place(&self, ec: &Ec, env: Value) {
        self.at(word::ENV).store(env.bits(), Ordering::Release);
        self.at(word::BLOCK).store(Value::NIL.bits(), Ordering::Release);
        ec.remember_target(env.bits());
        self.set_isolated();
    }

    /// Is it a lambda?
    pub fn is_lambda(&self) -> bool {
        self.flags() & LAMBDA != 0
    }

    /// The code, if it is written in Ruby.
    #[inline(always)]
    pub fn iseq(&self) -> Option<*const Iseq> {
        if self.flags() & (NATIVE | SYMBOL | METHOD | HANDS_OVER) != 0 {
            return None;
        }
        Iseq::from_value(self.get(word::CODE))
    }

    /// The Proc in `v`, and its code, if it is a block written in Ruby, and no lambda.
    #[inline(always)]
    pub fn plain_block(v: Value) -> Option<(Proc, *const Iseq)> {
        let proc = Proc::from_value(v)?;
        if proc.flags() & !ISOLATED != 0 {
            return None;
        }
        // SAFETY: without other flags the code word is an Iseq cell's.
        Some((proc, unsafe { Iseq::of_cell(proc.get(word::CODE)) }))
    }

    /// The Rust function and its data, if it is native.
    pub fn native_body(&self) -> Option<(NativeBlockFn, Value)> {
        if self.flags() & NATIVE == 0 {
            return None;
        }
        let address = self.at(word::CODE).load(Ordering::Relaxed) & !1;
        // SAFETY: a native Proc's code word was made from a `NativeBlockFn` in `native`; functions are
        // at least 2-aligned on every target we build for, so bit 0 was free.
        Some((unsafe { std::mem::transmute::<usize, NativeBlockFn>(address as usize) }, self.get(word::ENV)))
    }

    /// The Symbol it was made of.
    pub fn symbol(&self) -> Option<Sym> {
        if self.flags() & SYMBOL != 0 { self.get(word::CODE).as_sym() } else { None }
    }

    /// The scope around it: an Env or nil. Of a native one: its data.
    #[inline(always)]
    pub fn env(&self) -> Value {
        self.get(word::ENV)
    }

    /// `self` in it.
    #[inline(always)]
    pub fn self_val(&self) -> Value {
        self.get(word::SELF)
    }

    /// The block of its home method.
    #[inline(always)]
    pub fn block(&self) -> Block {
        Block(self.get(word::BLOCK).bits())
    }

    /// Its home method.
    #[inline(always)]
    pub fn method(&self) -> Value {
        self.get(word::METHOD)
    }

    /// The frame of this plain block, to be called by `prev`; its registers are the caller's business.
    ///
    /// # Safety
    /// `iseq` is this Proc's code, which somebody keeps alive.
    #[inline(always)]
    pub(crate) unsafe fn frame(&self, prev: *mut Frame, iseq: *const Iseq, state: u64) -> Frame {
        let new = NewFrame {
            iseq,
            self_val: self.self_val(),
            method: self.method(),
            block: self.block().0,
            cref: self.cref(),
            around: self.env().bits(),
            state,
        };
        // SAFETY: the caller's contract.
        Frame::new(prev, unsafe { (*iseq).entry() }, new)
    }

    /// Its lexical nesting.
    #[inline(always)]
    pub fn cref(&self) -> Value {
        self.get(word::CREF)
    }

    /// Marks the references.
    pub fn trace(cell: &Cell, marker: &mut Marker) {
        // SAFETY: a Proc cell has `PROC_WORDS` payload words.
        unsafe {
            for i in [word::CODE, word::ENV, word::SELF, word::BLOCK, word::METHOD, word::CREF, word::IVARS] {
                marker.mark(cell.word(i).load(Ordering::Relaxed));
            }
        }
    }
}

impl Env {
    /// A new scope of `count` nil slots for `iseq`'s locals.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new(ec: &mut Ec, parent: Value, iseq: Value, count: usize) -> Res<Env> {
        let env = Env::bare(ec, parent, iseq, count)?;
        for i in 0..count {
            env.at(env_word::SLOTS + i).store(Value::NIL.bits(), Ordering::Relaxed);
        }
        Ok(env)
    }

    /// As `new`, for the surroundings of an isolated Proc.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(crate) fn isolated(ec: &mut Ec, parent: Value, iseq: Value, count: usize) -> Res<Env> {
        let env = Env::new(ec, parent, iseq, count)?;
        env.at(env_word::FIBER).store(ISOLATED_ENV, Ordering::Relaxed);
        Ok(env)
    }

    /// As `new`, with slots that the caller initialises before anything else.
    #[inline(always)]
    fn bare(ec: &mut Ec, parent: Value, iseq: Value, count: usize) -> Res<Env> {
        let cell = ec.alloc_cell(Type::Env, env_word::SLOTS + count, Value::NULL, false)?;
        let env = Env(cell);
        env.at(env_word::PARENT).store(parent.bits(), Ordering::Relaxed);
        env.at(env_word::FRAME).store(0, Ordering::Relaxed);
        env.at(env_word::ISEQ).store(iseq.bits(), Ordering::Relaxed);
        env.at(env_word::COUNT).store(count as u64, Ordering::Relaxed);
        env.at(env_word::FIBER).store(ec.fiber.id, Ordering::Relaxed);
        Ok(env)
    }

    /// The active frame whose scope it is, if that is on the running fiber's stack.
    pub fn frame_on(&self, ec: &Ec) -> Option<*mut Frame> {
        let frame = self.at(env_word::FRAME).load(Ordering::Acquire);
        let here = self.at(env_word::FIBER).load(Ordering::Relaxed) == ec.fiber.id;
        (frame != 0 && here).then_some(frame as *mut Frame)
    }

    /// Takes over what `frame` has in its registers of the locals that no code of the program can see but through a Binding, if there
    /// has been none.
    ///
    /// # Safety
    /// The scope is that of `frame`, which is active on the current fiber.
    unsafe fn take_registers(&self, frame: *mut Frame) {
        if self.at(env_word::COUNT).load(Ordering::Relaxed) & SHOWN != 0 {
            return;
        }
        // SAFETY: as demanded; the frame has a register, and the scope a slot, for each local of its code.
        unsafe {
            let iseq = &*(*frame).iseq;
            for (i, _) in iseq.code.locals.iter().enumerate().filter(|(_, local)| !local.captured) {
                let value = local_in_register(frame, i);
                self.at(env_word::SLOTS + i).store(value.bits(), Ordering::Relaxed);
            }
        }
    }

    /// A Binding of this scope is made, which shows the locals of those around it too.
    pub fn show(self, ec: &Ec) {
        let mut scope = Some(self);
        while let Some(env) = scope {
            if let Some(frame) = env.frame_on(ec) {
                // SAFETY: `frame_on` says so.
                unsafe { env.take_registers(frame) };
            }
            env.at(env_word::COUNT).fetch_or(SHOWN, Ordering::Relaxed);
            scope = Env::from_value(env.parent());
        }
    }
}

/// What `frame` has in the register of local `i`. A parameter whose default has not been evaluated yet is undef there only, but for code
/// of the core library, which has undef in variables.
///
/// # Safety
/// It is an active Ruby frame, and its code has that local.
unsafe fn local_in_register(frame: *mut Frame, i: usize) -> Value {
    // SAFETY: as demanded.
    let (value, internal) = unsafe { (*Frame::regs(frame).add(i), (&*(*frame).iseq).code.internal) };
    if value == Value::UNDEF && !internal { Value::NIL } else { value }
}

impl Ec {
    /// Moves the locals of `frame`, and of the frames around it, to the heap; its Env (nil for a
    /// native frame).
    ///
    /// # Safety
    /// `frame` is active on this Ec.
    ///
    /// # Errors
    /// NoMemoryError.
    pub unsafe fn heap_env(&mut self, frame: *mut Frame) -> Res {
        // SAFETY: as demanded. The parent of a block frame is active as long as
        // the block's own frame is.
        unsafe {
            if (*frame).is_native() {
                return Ok(Value::NIL);
            }
            if let Some(env) = (*frame).env() {
                env.take_registers(frame);
                return Ok(env.0);
            }
            let around = (*frame).plainly_around();
            let parent = match Block(around).frame() {
                Some(outer) => self.heap_env(outer)?,
                None => Value::from_bits(around),
            };
            let iseq = &*(*frame).iseq;
            let count = iseq.code.locals.len();
            let env = Env::bare(self, parent, iseq.value(), count)?;
            for i in 0..count {
                env.at(env_word::SLOTS + i).store(local_in_register(frame, i).bits(), Ordering::Relaxed);
            }
            env.at(env_word::FRAME).store(frame as u64, Ordering::Release);
            (*frame).capture(env);
            Ok(env.0)
        }
    }

    /// As `heap_env`, of a top-level frame that has run nothing yet: `around` becomes the scope around its own.
    ///
    /// # Safety
    /// `frame` is active on this Ec.
    ///
    /// # Errors
    /// NoMemoryError.
    pub unsafe fn heap_env_in(&mut self, frame: *mut Frame, around: Value) -> Res {
        // SAFETY: as demanded; nothing refers to its scope yet.
        unsafe {
            (*frame).set_around(around);
            self.heap_env(frame)
        }
    }

    /// A Proc of child code `iseq` in the current scope of `frame`.
    ///
    /// # Safety
    /// `frame` is active on this Ec, and `iseq` is alive.
    ///
    /// # Errors
    /// NoMemoryError.
    pub unsafe fn make_proc(&mut self, frame: *mut Frame, iseq: *const Iseq, lambda: bool) -> Res {
        // SAFETY: as demanded.
        let env = unsafe { self.heap_env(frame)? };
        // SAFETY: as demanded; its block, if it has one on the stack, is that of an active caller.
        let (self_val, block, method, cref, code) =
            unsafe { ((*frame).self_val, Block((*frame).block), (*frame).method, (*frame).cref, (*iseq).value()) };
        let block = match block.frame() {
            Some(_) => {
                let proc = self.block_to_proc(block)?;
                // SAFETY: as above; the frame's own view of its block becomes the Proc, so that it is made once.
                unsafe { (*frame).block = proc.bits() };
                Block::of_value(proc)
            }
            None => block,
        };
        let class = self.class(WellKnown::Proc);
        let flags = if lambda { LAMBDA } else { 0 };
        Ok(Proc::closure(self, class, code, env, self_val, block, method, cref, flags)?.0)
    }

    /// The block as a Proc object; nil for none.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn block_to_proc(&mut self, block: Block) -> Res {
        if let Some(frame) = block.frame() {
            // SAFETY: a stack block's frame is active: the block is passed by its call under way.
            let code = unsafe { (*frame).block_code };
            if code.is_null() {
                return Err(self.fatal("block without code"));
            }
            // SAFETY: the same; the frame's code holds that of its blocks.
            return unsafe { self.make_proc(frame, code, false) };
        }
        match block.value() {
            None => Ok(Value::NIL),
            Some(v) => match v.as_sym() {
                Some(sym) => Ok(Proc::of_symbol(self, sym)?.0),
                None => Ok(v),
            },
        }
    }

    /// The home method's frame of `frame` (itself, if it is no block), if it is still active on this Ec.
    ///
    /// # Safety
    /// `frame` is active on this Ec.
    pub unsafe fn home_frame(&self, mut frame: *mut Frame) -> Option<*mut Frame> {
        // SAFETY: as demanded; creators on the stack are too, and an Env names its frame
        // only while that is active.
        unsafe {
            while (*frame).has(frame::BLOCK | frame::EVAL) && !(*frame).has(frame::BMETHOD) {
                match Block((*frame).around()).frame() {
                    Some(outer) => frame = outer,
                    None => {
                        let mut env = Env::from_value(Value::from_bits((*frame).around()))?;
                        loop {
                            let iseq = Iseq::from_value(env.iseq())?;
                            let kind = (&*iseq).code.kind;
                            use asterism_compiler::CodeKind;
                            if !matches!(kind, CodeKind::Block | CodeKind::Eval) {
                                return env.frame_on(self);
                            }
                            if let Some(active) = env.frame_on(self) {
                                frame = active;
                                break;
                            }
                            env = Env::from_value(env.parent())?;
                        }
                    }
                }
            }
        }
        Some(frame)
    }
}
