//! What the interpreter asks of the compiler, and what it tells it of the code.

use std::fmt;
use std::sync::Arc;

use asterism_compiler::Code;
use asterism_heap::ExtraLane;

use super::unit::Part;
use crate::native::Intrinsic;

/// Compiles code; what comes of it is published in the code's `machine`, as a [`Unit`](super::Unit).
pub trait Compiler: Sync {
    /// Compiles what is asked for, later and on another thread, or before it returns if it is `urgent`.
    fn compile(&self, request: Request);

    /// Notes what it compiles in this lane from now on, or no more.
    fn observe(&self, lane: Option<ExtraLane>);

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
    /// The code is to tell its frames; see [`Gate`](super::Gate).
    pub tells: bool,
}

/// What compiled code has to know of the definition of a native method.
#[derive(Clone, Copy)]
pub struct Definition {
    /// Where it lies, which tells it from others.
    pub address: usize,
    /// The Ruby name.
    pub name: &'static str,
    /// It runs without a frame.
    pub leaf: bool,
    /// The way that compiled code has for it.
    pub intrinsic: Intrinsic,
}

impl PartialEq for Definition {
    fn eq(&self, other: &Definition) -> bool {
        self.address == other.address
    }
}

impl Eq for Definition {}

impl fmt::Debug for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
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
    /// As `Ruby`, of a protected method.
    ProtectedRuby,
    /// As `Reader`, of a protected method.
    ProtectedReader,
}

/// Code, and what is known of how it runs.
pub struct Target {
    /// The code.
    pub code: Arc<Code>,
    /// Operand kinds at each of its words (see [`heat::kind`](super::heat::kind)), or nothing. Of code that cannot become a part of
    /// what is compiled: at its first words ([`heat::BEGINNING`](super::heat::BEGINNING)), and nothing in the lists below but the first of `shapes`.
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
    /// What `self` was where it was looked at (see [`heat::of_self`](super::heat::of_self)).
    pub of_self: u8,
}

/// Ruby code that a call site has met besides what it met first.
pub struct Other {
    /// `Met::Ruby` or `Met::Bound`.
    pub met: Met,
    /// The code.
    pub code: Arc<Code>,
}
