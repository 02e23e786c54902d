//! Frames: what one activation of a method, block or class body needs, on the fiber's VM stack.
//!
//! ```text
//!   | Frame | r0 r1 … | Frame | r0 r1 … |  free … | ◄─ stack_end
//!     caller             callee (ec.fiber.frame)
//! ```
//!
//! The stack of a fiber is made of chunks (`stack.rs`); the first frame in a later one carries `CHUNKED`, and
//! ending it goes back to the chunk before.
//!
//! A frame is never moved, so its address names it for as long as it is active. A block that is only
//! yielded to refers to its creator by that address; when a Proc is made, the creator's locals move
//! to a heap `Env` and the frame's `scope` leads there: everybody who reaches the locals through
//! the frame sees the new place at once.
//!
//! Frames belong to the thread that runs the fiber; the collector reads them while it is stopped.

use std::mem::MaybeUninit;

use asterism_object::{Sym, Value};

use crate::block::Env;
use crate::iseq::Iseq;
use crate::method::Method;

/// One activation. Registers follow it directly in memory. [`Frame::new`] is the only place where one is filled in.
#[repr(C)]
pub struct Frame {
    /// The caller's frame; null at the bottom.
    pub prev: *mut Frame,
    /// The word after the instruction under way (saved when something is called or may raise).
    pub pc: *const u64,
    /// The code, or null in a native frame.
    pub iseq: *const Iseq,
    /// `self`
    pub self_val: Value,
    /// The method cell (for a block that of its home method), or nil at top level.
    pub method: Value,
    /// The lexical class nesting: a Cref cell.
    pub cref: Value,
    /// The block given to the (home) method; see [`Block`]. Compiled code writes this word and the next one, and the
    /// two behind them, at once.
    pub block: u64,
    /// With `CAPTURED` the heap Env that holds this frame's locals, which leads to the scope around it. Else the scope around a
    /// block: creator frame address | 1, an Env cell, or nil. See [`Frame::env`] and [`Frame::around`].
    scope: u64,
    /// The literal block of the call under way, or null.
    pub block_code: *const Iseq,
    /// Destination register (16 bits), `Cont` (8), flags from bit 24.
    pub state: u64,
    /// `$~` of a method-level frame, with `LINED` an Array of that and `$_`; unset without `MATCHED`.
    backref: MaybeUninit<Value>,
}

/// A block as a call passes it.
///
/// ```text
/// nil              none
/// frame | 1        the literal block of that frame's call under way (`frame.block_code`)
/// a Proc           itself
/// a Symbol         `&:name`, calls the method on the first argument
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Block(pub u64);

impl Block {
    /// No block.
    pub const NONE: Block = Block(Value::NIL.bits());

    /// No block?
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0 == Value::NIL.bits()
    }

    /// The literal block of `frame`'s call under way.
    #[inline(always)]
    pub fn of_frame(frame: *mut Frame) -> Block {
        Block(frame as u64 | 1)
    }

    /// The creating frame, if it is a literal block still on the stack.
    #[inline(always)]
    pub fn frame(self) -> Option<*mut Frame> {
        (self.0 & 1 != 0).then_some(self.0.wrapping_sub(1) as *mut Frame)
    }

    /// A Proc or Symbol as a block.
    pub fn of_value(v: Value) -> Block {
        Block(v.bits())
    }

    /// The Proc or Symbol, if it is one.
    pub fn value(self) -> Option<Value> {
        // SAFETY: a word without bit 0 is a Proc, a Symbol or nil.
        (self.0 & 1 == 0 && !self.is_none()).then_some(unsafe { Value::from_bits(self.0) })
    }
}

/// What a new frame is made of.
pub struct NewFrame {
    /// Code, or null.
    pub iseq: *const Iseq,
    /// `self`
    pub self_val: Value,
    /// The method cell.
    pub method: Value,
    /// The block.
    pub block: u64,
    /// The lexical nesting.
    pub cref: Value,
    /// The scope around: creator frame address | 1, an Env cell, or nil.
    pub around: u64,
    /// See [`state`].
    pub state: u64,
}

/// Words a frame header takes.
pub const HEADER_WORDS: usize = size_of::<Frame>() / 8;

/// Words that may be written behind a frame's registers: less than what a stack keeps free for a native frame.
pub const SPARE: usize = 8;
const _: () = assert!(SPARE + 1 < HEADER_WORDS);

/// A register, whether it has a value or not.
type Register = MaybeUninit<u64>;

/// What to do with the value a frame returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Cont {
    /// Store it in the caller's destination register.
    Store = 0,
    /// Drop it.
    Discard = 1,
    /// Return it from `execute` to native code.
    Native = 2,
    /// It is `initialize`'s: store the frame's self instead.
    SelfValue = 3,
    /// Jump in the caller if it is truthy (fused compare, x = 1); the offset is in the word before pc.
    JumpIf = 4,
    /// Jump in the caller if it is falsy (fused compare, x = 0).
    JumpUnless = 5,
    /// Store its truth value negated.
    StoreNot = 6,
    /// Store it if it is a String, else the plain form of the receiver (interpolation).
    StoreString = 7,
    /// Return `self` from `execute` (an `initialize` that native code called).
    NativeSelf = 8,
    /// End the fiber with it.
    FiberEnd = 9,
}

/// The frame is the first one in its chunk of the stack: with it the chunk ends. In the byte of the continuation, so
/// that comparing that with `Cont::Store` finds it too.
pub const CHUNKED: u64 = 0x80 << 16;

/// The frame's locals have moved to the heap; in that byte for the same reason.
pub const CAPTURED: u64 = 0x40 << 16;

/// Compiled code has called it, and may go on behind the call; in that byte for the same reason. Registers that are no locals may
/// never have been written.
pub const COMPILED: u64 = 0x20 << 16;

/// The byte of the continuation: a frame that ends in the plainest way has just `Cont::Store` in it.
pub const HOW: u64 = 0xff << 16;

/// A block or lambda body.
pub const BLOCK: u64 = 1 << 24;
/// A lambda's body, or a method defined by a block: `return` returns from it.
pub const LAMBDA: u64 = 1 << 33;
/// A native method.
pub const NATIVE: u64 = 1 << 34;
/// A class body.
pub const CLASS: u64 = 1 << 35;
/// A method defined with `define_method`.
pub const BMETHOD: u64 = 1 << 36;
/// Code of `eval`.
pub const EVAL: u64 = 1 << 37;
/// A top-level frame (script, required file).
pub const TOP: u64 = 1 << 38;
/// The native call passed keyword arguments (last argument is their Hash).
pub const KEYWORDS: u64 = 1 << 39;
/// The default definee and visibility are overridden (`instance_eval`, `class_eval`): see `cref`.
pub const EVAL_CREF: u64 = 1 << 40;
/// Default visibility for `def` in this frame: private.
pub const VIS_PRIVATE: u64 = 1 << 41;
/// Default visibility for `def` in this frame: protected.
pub const VIS_PROTECTED: u64 = 1 << 42;
/// `module_function` without arguments is in force.
pub const VIS_MODULE_FUNCTION: u64 = 1 << 43;
/// A block whose rest parameter marks keywords (`Proc#ruby2_keywords`).
pub const RUBY2_KEYWORDS: u64 = 1 << 44;
/// `$~` was set in this frame.
pub const MATCHED: u64 = 1 << 45;
/// The call of this method of the core was not told to a tracer, and its end is not either.
pub const UNTOLD: u64 = 1 << 46;
/// Compiled code of the frame below executes it in place of a call.
pub const IN_PLACE: u64 = 1 << 47;
/// `$_` was set in this method-level frame.
pub const LINED: u64 = 1 << 48;
/// Code of an `eval` without a Binding: `using` there is for that code alone.
pub const EVAL_ALONE: u64 = 1 << 49;
/// All visibility bits.
pub const VIS_MASK: u64 = VIS_PRIVATE | VIS_PROTECTED | VIS_MODULE_FUNCTION;

impl Frame {
    /// Where the scope lies in it, in bytes, for compiled code.
    pub(crate) const SCOPE: usize = std::mem::offset_of!(Frame, scope);

    /// The first register.
    #[inline(always)]
    pub fn regs(this: *mut Frame) -> *mut Value {
        this.wrapping_add(1).cast()
    }

    /// A frame on top of `prev`; its registers are the caller's business.
    #[inline(always)]
    pub fn new(prev: *mut Frame, pc: *const u64, new: NewFrame) -> Frame {
        Frame {
            prev,
            pc,
            iseq: new.iseq,
            self_val: new.self_val,
            method: new.method,
            block: new.block,
            cref: new.cref,
            scope: new.around,
            block_code: std::ptr::null(),
            state: new.state,
            backref: MaybeUninit::uninit(),
        }
    }

    /// The frame of a method written in Ruby that `prev` calls; its registers are the caller's business.
    #[inline(always)]
    pub fn of_method(prev: *mut Frame, iseq: &Iseq, this: Value, method: Method, block: Block, state: u64) -> Frame {
        let new = NewFrame {
            iseq,
            self_val: this,
            method: method.0,
            block: block.0,
            cref: method.cref(),
            around: Value::NIL.bits(),
            state,
        };
        Frame::new(prev, iseq.entry(), new)
    }

    /// The frame of the literal block of the call under way in `creator`, called by `prev` for a value in `dst`.
    ///
    /// # Safety
    /// `creator` is active, and `iseq` its block's code.
    #[inline(always)]
    pub unsafe fn of_block(prev: *mut Frame, iseq: &Iseq, creator: *mut Frame, dst: u16) -> Frame {
        // SAFETY: the caller's contract.
        let home = unsafe { &*creator };
        let new = NewFrame {
            iseq,
            self_val: home.self_val,
            method: home.method,
            block: home.block,
            cref: home.cref,
            around: Block::of_frame(creator).0,
            state: state(dst, Cont::Store, BLOCK),
        };
        Frame::new(prev, iseq.entry(), new)
    }

    /// Gives a new frame's registers `argc` arguments; those from `from` on, up to `end`, become nil.
    ///
    /// # Safety
    /// The frame is the topmost one, `end` is where its registers end, and that fits into its stack; `args` are registers
    /// of the frame below. There are at most `SPARE` arguments more than registers.
    #[inline(always)]
    pub unsafe fn fill(this: *mut Frame, args: *const Value, argc: usize, from: usize, end: *mut Frame) {
        let regs = Frame::regs(this);
        // SAFETY: behind what fits there is room for a native frame, so that a few words more may be written, and what
        // is read behind the arguments lies below that too: it goes where nil comes, or where no register is.
        unsafe {
            // One by one, which is what `volatile` insists on: the last argument was stored a moment ago, and a wider load
            // over it would have to wait until that store has left the processor's store buffer.
            let (args, to) = (args.cast::<Register>(), regs.cast::<Register>());
            let copy = |i: usize| to.add(i).write_volatile(args.add(i).read_volatile());
            copy(0);
            copy(1);
            for i in 2..argc {
                copy(i);
            }
            let mut nil = regs.add(from);
            while nil < end.cast() {
                nil.cast::<[Value; 4]>().write_unaligned([Value::NIL; 4]);
                nil = nil.add(4);
            }
        }
    }

    /// The continuation.
    #[inline(always)]
    pub fn cont(&self) -> Cont {
        // SAFETY: bits 16..20 of `state` are only ever written from a `Cont`.
        unsafe { std::mem::transmute::<u8, Cont>((self.state >> 16) as u8 & 0x0f) }
    }

    /// The destination register in the caller.
    #[inline(always)]
    pub fn dst(&self) -> usize {
        self.state as u16 as usize
    }

    /// The heap Env that holds this frame's locals, if they are no more in registers.
    #[inline(always)]
    pub fn env(&self) -> Option<Env> {
        // SAFETY: with that flag the word is an Env.
        self.has(CAPTURED).then(|| Env(unsafe { Value::from_bits(self.scope) }))
    }

    /// The scope around this frame's: creator frame address | 1, an Env cell, or nil.
    #[inline(always)]
    pub fn around(&self) -> u64 {
        match self.env() {
            Some(env) => env.parent().bits(),
            None => self.scope,
        }
    }

    /// As `around`, of a frame whose locals have not moved to the heap.
    #[inline(always)]
    pub fn plainly_around(&self) -> u64 {
        debug_assert!(!self.has(CAPTURED));
        self.scope
    }

    /// Says that the frame's locals have moved to `env`.
    pub fn capture(&mut self, env: Env) {
        self.scope = env.0.bits();
        self.state |= CAPTURED;
    }

    /// Gives the frame, whose locals have not moved to the heap, another scope around its own.
    pub fn set_around(&mut self, around: Value) {
        debug_assert!(!self.has(CAPTURED));
        self.scope = around.bits();
    }

    /// `$~` of a method-level frame.
    pub fn backref(&self) -> Value {
        // SAFETY: with that flag it was set.
        if self.has(MATCHED) { unsafe { self.backref.assume_init() } } else { Value::NIL }
    }

    /// Sets that word of a method-level frame.
    pub fn set_backref(&mut self, v: Value) {
        self.backref.write(v);
        self.state |= MATCHED;
    }

    /// Is any of these flags set?
    #[inline(always)]
    pub fn has(&self, flag: u64) -> bool {
        self.state & flag != 0
    }

    /// Is it a native method's frame?
    #[inline(always)]
    pub fn is_native(&self) -> bool {
        self.iseq.is_null()
    }

    /// The code's line at the instruction under way.
    pub fn line(&self) -> u32 {
        // SAFETY: a Ruby frame's `iseq` is kept alive by the frame, and its pc points into its words.
        unsafe {
            let Some(iseq) = self.iseq.as_ref() else { return 0 };
            match iseq.at(self.pc) {
                // Nothing has been executed: the arguments are being bound.
                0 => iseq.code.line,
                at => iseq.code.line_at(at - 1),
            }
        }
    }

    /// The called method's name, if this is a method's frame or a block in one.
    pub fn method_name(&self) -> Option<Sym> {
        Method::from_value(self.method).map(|m| m.name())
    }
}

/// Packs a frame's `state`.
#[inline(always)]
pub const fn state(dst: u16, cont: Cont, flags: u64) -> u64 {
    dst as u64 | (cont as u64) << 16 | flags
}
