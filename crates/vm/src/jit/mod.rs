//! What compiled code and the interpreter know of each other. The compiler itself is `crates/jit`; here is how code gets hot
//! ([`heat`]), how it is entered and left ([`run`]), what it calls ([`helpers`]), and where it finds things ([`layout`]).
//!
//! Compiled code works on the interpreter's frames. A compiled method calls another one by a native call; what lives across it
//! lies in the VM frame by then, so that all native frames can be given up at any call: each returns [`LEFT`] to the one below,
//! and the interpreter's loop goes on with the current frame at its pc. Nothing of a VM is in compiled code: all VMs that run
//! the same [`Code`] share it, and it finds what is a VM's own through the frame's [`Iseq`](crate::iseq::Iseq), whose inline
//! caches it reads as the interpreter does. So a redefinition has nothing to invalidate but the assumption that operators
//! mean the core's methods, which the [`Gate`] stands for.

use std::any::Any;
use std::fmt;
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize};
use std::sync::{Arc, OnceLock};

use asterism_compiler::Code;
use asterism_heap::Lane;

pub mod calls;
mod gate;
pub mod heat;
pub mod helpers;
pub mod layout;
pub mod operators;
pub mod run;
pub(crate) mod shapes;
pub mod steps;

use crate::cache::InlineCache;
use crate::frame::Frame;
use crate::interp::calls::blocks::{PROC_CALL, PROC_SPREAD};
use crate::interp::calls::{NEW_BOUND, NEW_OBJECT, NEW_STRUCT, plain};
use crate::interp::dispatch::End;
use crate::native::{Intrinsic, NativeDef};
pub use gate::Gate;

/// What a native frame returns that has given up: the interpreter goes on. No value has these bits.
pub const LEFT: u64 = 0x34;

/// What a helper answers that has done nothing: the interpreter is to execute the instruction. No value has these bits.
pub const UNKNOWN: u64 = 0x44;

/// Compiles code; what comes of it is published in the code's `machine`, as a [`Unit`].
pub trait Compiler: Sync {
    /// Compiles what is asked for, later and on another thread, or before it returns if it is `urgent`.
    fn compile(&self, request: Request);

    /// Notes what it compiles in this lane from now on, or no more.
    fn observe(&self, lane: Option<Arc<Lane>>);

    /// Says that compiled code was left at a word of `code`.
    fn note_left(&self, code: &Arc<Code>, at: usize);

    /// Says that the interpreter executed the instruction at a word of `code` for compiled code; `left`: and that was left by it.
    fn note_step(&self, code: &Arc<Code>, at: usize, left: bool);

    /// What was done so far, in this process.
    fn totals(&self) -> Totals;
}

/// What a compiler has done.
#[derive(Clone, Copy, Default, Debug)]
pub struct Totals {
    /// Functions that were compiled.
    pub units: usize,
    /// Bytes of machine code in them.
    pub bytes: usize,
    /// Processor time, in nanoseconds.
    pub time: u64,
    /// Functions that were not compiled.
    pub refused: usize,
    /// How often compiled code was left because of an operand.
    pub left: usize,
    /// What became part of the code that calls it: methods that are called with a literal block, and the blocks where they are
    /// yielded to.
    pub in_place: InPlace,
}

/// Methods and blocks that are part of the machine code of what calls them.
#[derive(Clone, Copy, Default, Debug)]
pub struct InPlace {
    /// Methods that are called with a literal block.
    pub methods: usize,
    /// Such blocks, each once for each `yield` to it.
    pub blocks: usize,
    /// Methods that are inlined without a frame.
    pub inlined: usize,
}

/// How a VM uses the compiler.
#[derive(Clone, Copy)]
pub struct Jit {
    /// The compiler.
    pub compiler: &'static dyn Compiler,
    /// Code is compiled at once and at its first calls, for tests.
    pub always: bool,
    /// What the interpreter executes for compiled code is counted.
    pub counts: bool,
    /// Conditions that compiled code relies on fail at random, and code is thrown away at random, for tests.
    pub stress: bool,
}

impl fmt::Debug for Jit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Jit {{ always: {} }}", self.always)
    }
}

/// What is to be compiled, and what is known of how it runs. There is no `Value` in it.
pub struct Request {
    /// The code.
    pub of: Target,
    /// From the beginning, or from the places behind calls, at loop heads and at handlers.
    pub part: Part,
    /// To be done before `compile` returns.
    pub urgent: bool,
    /// Conditions fail at random; see `Jit::stress`.
    pub stress: bool,
    /// The code is to tell its frames; see [`Gate`].
    pub tells: bool,
}

/// One of the two functions that are made of code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Entered at the beginning.
    Entry,
    /// Entered in the middle.
    Resume,
}

/// The definition of a native method.
#[derive(Clone, Copy)]
pub struct Definition(pub &'static NativeDef);

impl PartialEq for Definition {
    fn eq(&self, other: &Definition) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Definition {}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// What a call site has met, by its inline cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Met {
    /// Nothing, or what is not called in a way of its own.
    Other,
    /// Ruby code, called without or with a literal block.
    Ruby,
    /// Ruby code whose parameters get what is written at the site, of which some may be missing.
    Bound,
    /// Ruby code with required parameters only, given an Array of arguments.
    Spread,
    /// As `Bound`, of a method made of a block.
    BlockMethod,
    /// A native method without a frame.
    Leaf,
    /// A native method with a frame.
    Native,
    /// A native method, with a frame or without, that compiled code may execute itself.
    Intrinsic(Definition),
    /// `Class#new` of a plain object, whose `initialize` is Ruby code.
    New,
    /// The same, whose `initialize` gets what is written at the site, of which some may be missing.
    NewBound,
    /// The same of a Struct whose `initialize` is the core's.
    NewStruct,
    /// `Proc#call`
    Proc,
    /// `Proc#call` with an Array of arguments.
    ProcSpread,
    /// An attribute reader.
    Reader,
    /// An attribute writer.
    Writer,
}

impl Met {
    /// What a call site with this cache has met first.
    fn of(cache: InlineCache) -> Met {
        let kind = cache.first_kind();
        if kind.is(plain::RUBY) || kind.is(plain::RUBY_BLOCK) {
            Met::Ruby
        } else if kind.is(plain::BOUND) {
            Met::Bound
        } else if kind.is(plain::SPREAD) {
            Met::Spread
        } else if kind.is(plain::BLOCK_METHOD) {
            Met::BlockMethod
        } else if kind.is(plain::LEAF) || kind.is(plain::NATIVE) {
            // SAFETY: the target of these kinds is a definition, which is static.
            let def: &'static NativeDef = unsafe { &*(cache.first_target() as *const NativeDef) };
            match def.intrinsic {
                Intrinsic::None if kind.is(plain::LEAF) => Met::Leaf,
                Intrinsic::None => Met::Native,
                _ => Met::Intrinsic(Definition(def)),
            }
        } else if kind.is(NEW_OBJECT) {
            Met::New
        } else if kind.is(NEW_BOUND) {
            Met::NewBound
        } else if kind.is(PROC_CALL) {
            Met::Proc
        } else if kind.is(PROC_SPREAD) {
            Met::ProcSpread
        } else if kind.is(NEW_STRUCT) {
            Met::NewStruct
        } else if kind.is(plain::READER) {
            Met::Reader
        } else if kind.is(plain::WRITER) {
            Met::Writer
        } else {
            Met::Other
        }
    }
}

/// Code, and what is known of how it runs.
pub struct Target {
    /// The code.
    pub code: Arc<Code>,
    /// Operand kinds at each of its words (see [`heat::kind`]), or nothing. Of code that cannot become a part of what is compiled:
    /// at its first words ([`heat::BEGINNING`]), and nothing in the lists below.
    pub kinds: Vec<u8>,
    /// What each of its call sites has met; nothing of code that is too far from what is compiled.
    pub calls: Vec<Met>,
    /// The Ruby code that they have met, if any.
    pub targets: Vec<Option<Box<Target>>>,
    /// The other Ruby code that each of those has met which has met several classes, and that is not called as the first is.
    pub others: Vec<Vec<Other>>,
    /// The code of their literal blocks, if that has run often and may become a part together with what is called.
    pub blocks: Vec<Option<Box<Target>>>,
    /// What loops look at in each round may be looked at in front of them.
    pub looks_ahead: bool,
    /// Its sites of instance variables that have met several shapes, and its call sites that have met attributes of several.
    pub shapes: [Vec<bool>; 2],
    /// Its call sites that have written attributes which objects had not yet.
    pub adds: Vec<bool>,
    /// How many classes of receivers each of its call sites remembers.
    pub receivers: Vec<usize>,
    /// What `self` was where it was looked at (see [`heat::of_self`]).
    pub of_self: u8,
}

/// Ruby code that a call site has met besides what it met first.
pub struct Other {
    /// `Met::Ruby` or `Met::Bound`.
    pub met: Met,
    /// The code.
    pub code: Arc<Code>,
}

/// Machine code of a piece of code.
pub struct Unit {
    /// Which part of it.
    pub part: Part,
    /// It tells its frames.
    pub tells: bool,
    /// The function's address; 0 if the part is not to be compiled.
    pub address: usize,
    /// Of the part `Resume`: the number of the entry at each word of the code, 0 if there is none.
    pub entries: Box<[u16]>,
    /// Keeps the machine code.
    pub memory: Box<dyn Any + Send + Sync>,
}

/// What an `Iseq` has for compiled code.
#[derive(Default)]
#[repr(C)]
pub struct OfIseq {
    /// The address of the part `Entry`, or 0.
    native: AtomicUsize,
    /// The part `Resume`, or null; the code keeps it.
    resume: AtomicPtr<Unit>,
    /// Calls that were counted.
    calls: AtomicU32,
    /// Samples of its backward jumps.
    ticks: AtomicU32,
    /// Returns into it that found no place to go on in compiled code.
    missed: AtomicU32,
    /// How often it was left because of an operand.
    left: AtomicU32,
    /// Calls it made where it had called nothing when it was compiled.
    late: AtomicU32,
    /// How often it was left for what the interpreter has to do, and the time of a sample of that, in nanoseconds.
    waits: AtomicU32,
    waited: AtomicU64,
    /// Units of the code that this VM has taken.
    linked: AtomicU32,
    /// Bits of what was asked for.
    asked: AtomicU8,
    /// What `self` was where it was looked at.
    of_self: AtomicU8,
    /// What its sites of instance variables have met besides what their caches say.
    pub(crate) ivars: shapes::Shapes,
    /// The same of attributes.
    pub(crate) attrs: shapes::Shapes,
    /// What was added to objects by attributes.
    pub(crate) additions: shapes::Additions,
    /// Operand kinds, once it is looked at.
    kinds: OnceLock<Box<[AtomicU8]>>,
}

/// What an `Ec` has for compiled code; its thread's own.
#[repr(C)]
pub struct OfEc {
    /// The VM's gate.
    gate: *const Gate,
    /// What the VM knows of redefined operators.
    basic_ops: *const crate::basic_ops::BasicOps,
    /// The serial of the VM's constants.
    const_serial: *const std::sync::atomic::AtomicU64,
    /// The VM's table of well-known classes.
    classes: *const asterism_object::AtomicValue,
    /// Backward jumps of the interpreter until the next sample.
    pub(crate) loops: u32,
    /// Instructions whose operands are still to be looked at.
    pub(crate) profile: u32,
    /// How often another fiber or machine stack has gone on: what compiled code holds in registers does not outlive that.
    pub(crate) switches: u64,
    /// The gate's epoch when the innermost compiled code on the machine stack in use was entered; 0 within a loop of the interpreter.
    entered: u64,
    /// What the interpreter executes for compiled code is counted.
    counts: bool,
    /// So is the instruction that it executes now.
    counted: bool,
    /// The frame whose compiled code waits for what it has called, in the innermost loop of the interpreter within compiled code
    /// (see `run::interpret`), or null; and how many such loops there are.
    awaited: *mut Frame,
    loops_within: u32,
    /// What is random in tests, see `Jit::stress`.
    dice: u32,
    /// How compiled code has left.
    left: End,
    /// What unwinds an abandoned machine stack, on its way through compiled code.
    panic: Option<Box<dyn Any + Send>>,
}

impl OfEc {
    /// That of a thread of `vm`.
    pub(crate) fn new(vm: &crate::vm::Vm) -> OfEc {
        OfEc {
            gate: &raw const vm.gate,
            basic_ops: &raw const vm.basic_ops,
            const_serial: &raw const vm.const_serial,
            classes: vm.space.classes.as_ptr(),
            loops: heat::period(vm.options.jit.as_ref()),
            profile: 0,
            switches: 0,
            entered: 0,
            counts: vm.options.jit.is_some_and(|jit| jit.counts),
            counted: false,
            awaited: std::ptr::null_mut(),
            loops_within: 0,
            dice: 1,
            left: End::Again,
            panic: None,
        }
    }
}

impl OfEc {
    /// Does the thread's `Ec::frame` name the frame that runs, at this instruction? `profile::sampler` says why.
    ///
    /// # Safety
    /// It is that of the calling thread, which may be interrupted at any instruction.
    pub(crate) unsafe fn tells_frame(of: *const OfEc) -> bool {
        // SAFETY: the caller's contract; nobody else writes the word, and the VM outlives the Ec.
        unsafe {
            match (&raw const (*of).entered).read_volatile() {
                0 => true,
                entered => entered % 2 == 1 && entered == (*(*of).gate).epoch(),
            }
        }
    }

    /// Another machine stack is used, where `entered` was that. What it is here.
    pub(crate) fn exchange_entered(&mut self, entered: u64) -> u64 {
        std::mem::replace(&mut self.entered, entered)
    }

    /// A loop of the interpreter begins. What is to be given to `end_loop` when it has ended.
    #[inline(always)]
    pub(crate) fn begin_loop(&mut self) -> u64 {
        std::mem::take(&mut self.entered)
    }

    /// It has ended.
    #[inline(always)]
    pub(crate) fn end_loop(&mut self, around: u64) {
        self.entered = around;
    }
}
