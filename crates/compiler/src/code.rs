//! `Code`: what the compiler makes of a method, block, class body or file. Immutable, process-wide,
//! shared by all VMs and threads; there is no Ruby object in it. What belongs to one VM (inline
//! caches, literal objects) is made by the VM when it first runs the code.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

use asterism_symbol::Sym;
use num_bigint::BigInt;

use crate::child::Child;
use crate::coverage::Counted;
use crate::machine::Machine;

/// What a piece of code is the body of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeKind {
    /// The main script.
    Main,
    /// A required or loaded file.
    File,
    /// A method.
    Method,
    /// A block or the body of `->`.
    Block,
    /// A class or module body (singleton class bodies too).
    Class,
    /// A string given to `eval` and its like.
    Eval,
}

/// May a String literal be changed?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Changes {
    /// It is frozen (`# frozen_string_literal: true`).
    Frozen,
    /// It may, with a warning for who wants to know: the file says nothing.
    Warned,
    /// It may (`# frozen_string_literal: false`).
    Free,
}

impl Changes {
    /// What a node's flags say.
    pub(crate) fn of(frozen: bool, mutable: bool) -> Changes {
        match (frozen, mutable) {
            (true, _) => Changes::Frozen,
            (false, true) => Changes::Free,
            (false, false) => Changes::Warned,
        }
    }
}

/// A constant in the code. Small, since there are many: what takes more words, and is rare, lies in a box.
#[derive(Clone, Debug)]
pub enum Literal {
    /// An Integer that fits 64 bits.
    Int(i64),
    /// A larger Integer.
    Big(Box<BigInt>),
    /// A Float.
    Float(f64),
    /// A Rational: numerator and denominator, reduced.
    Rational(Box<(BigInt, BigInt)>),
    /// An imaginary number `0+ni`; the part is Int, Big, Float or Rational.
    Imaginary(Box<Literal>),
    /// A String: bytes, encoding index, and what a program may do to it.
    Str(Box<[u8]>, u8, Changes),
    /// A Symbol.
    Sym(Sym),
    /// A Regexp without interpolation: source bytes, option bits of `Regexp#options` (with FIXEDENCODING
    /// and NOENCODING), encoding index.
    Regexp(Box<[u8]>, u32, u8),
    /// A Range of literals; exclusive or not.
    Range(Box<Literal>, Box<Literal>, bool),
    /// An Array of literals, to be copied (`Op::DupArray`).
    Array(Box<[Literal]>),
    /// nil, true, false inside the composite ones.
    Nil,
    /// See `Nil`.
    True,
    /// See `Nil`.
    False,
}

const _: () = assert!(size_of::<Literal>() == 24);

/// One call in the code. Arguments lie in registers behind the base: positional ones (`argc`), then
/// the values of `keywords`, then the block argument if `BLOCK_ARG` is set.
/// With `SPLAT` there is one positional register, holding an Array of all positional arguments.
/// With `KW_SPLAT` `keywords` is empty and one register holds a Hash (or nil) of all keyword arguments.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The method's name (meaningless for `yield` and `super`).
    pub name: Sym,
    /// Positional registers.
    pub argc: u16,
    /// See the constants of `flags`.
    pub flags: u16,
    /// Names of keyword arguments, in order.
    pub keywords: Box<[Sym]>,
    /// The literal block: index into `Code::children`.
    pub block: Option<u16>,
    /// Of a call with a literal Symbol as its block argument: the site that stands for the calls of the method of that name.
    pub symbol: Option<u16>,
}

/// Why a single pattern did not match, with what is said of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Mismatch {
    /// `pattern === value` is not true: both.
    Value,
    /// A hash lacks a key: both.
    Key,
    /// An Array has not the expected length: it, its length, the expected one.
    Length,
    /// The same, where more would be right too.
    LengthAtLeast,
    /// A value does not respond to `deconstruct`: it.
    Deconstruct,
    /// A value does not respond to `deconstruct_keys`: it.
    DeconstructKeys,
    /// A find pattern is nowhere in an Array: it.
    Find,
    /// What is left of a hash under `**nil` is not empty: it.
    Rest,
    /// A hash under `{}` is not empty: it.
    NotEmpty,
    /// The condition behind the pattern.
    Guard,
}

impl Mismatch {
    /// All of them, in order.
    pub const ALL: [Mismatch; 10] = [
        Mismatch::Value,
        Mismatch::Key,
        Mismatch::Length,
        Mismatch::LengthAtLeast,
        Mismatch::Deconstruct,
        Mismatch::DeconstructKeys,
        Mismatch::Find,
        Mismatch::Rest,
        Mismatch::NotEmpty,
        Mismatch::Guard,
    ];
}

/// Files of the implementation that CRuby has in Ruby too: what they define is as a program's methods are.
pub const RUBY_IN_CRUBY: &[&str] =
    &["<internal:json>", "<internal:delegate>", "<internal:cgi/escape>", "<internal:socket/servers>"];

/// Bits of `CallSite::flags`.
pub mod flags {
    /// All positional arguments are in one Array.
    pub const SPLAT: u16 = 1;
    /// All keyword arguments are in one Hash.
    pub const KW_SPLAT: u16 = 2;
    /// A block argument (`&x`) is in a register.
    pub const BLOCK_ARG: u16 = 4;
    /// Passes this method's own block on, without making a Proc of it.
    pub const BLOCK_FORWARD: u16 = 8;
    /// The receiver is implicit or `self`: private methods may be called.
    pub const FCALL: u16 = 16;
    /// A bare name: may be meant as a variable (for the NameError).
    pub const VCALL: u16 = 32;
    /// `a.b = v` or `a[i] = v`: the value of the expression is not the method's result.
    pub const ATTR_ASSIGN: u16 = 64;
    /// `super` without an argument list.
    pub const ZSUPER: u16 = 128;
    /// `KW_SPLAT`'s Hash was made by the compiler for this call and need not be copied.
    pub const KW_SPLAT_FRESH: u16 = 256;
}

/// One instance variable access: a name with an inline cache.
#[derive(Clone, Copy, Debug)]
pub struct IvarSite {
    /// `@name`
    pub name: Sym,
}

/// One constant access `A::B::C` with an inline cache.
#[derive(Clone, Debug)]
pub struct ConstSite {
    /// The names, outermost first.
    pub path: Box<[Sym]>,
    /// Starts at `::`, that is in Object.
    pub absolute: bool,
}

/// A keyword parameter.
#[derive(Clone, Copy, Debug)]
pub struct KeywordParam {
    /// Its name.
    pub name: Sym,
    /// Has no default.
    pub required: bool,
}

/// What happens to keyword arguments that no parameter names.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum KeywordRest {
    /// An error if there are keyword parameters; else they become a positional Hash.
    #[default]
    None,
    /// `**rest`: collected into the slot.
    Collect,
    /// `**nil`: an error always.
    Forbidden,
}

/// Parameters. Their local slots come first, in this order: required, optional, rest, post, keywords,
/// keyword rest, block. Optional ones that were not given are set to undef; code at the start of the
/// body computes their defaults (`Op::JmpDef`). The block's slot is left undef (`Op::BlockParam`).
#[derive(Clone, Debug, Default)]
pub struct Params {
    /// Leading required ones.
    pub required: u16,
    /// Optional ones.
    pub optional: u16,
    /// There is a rest parameter (named or not): one slot.
    pub rest: bool,
    /// Required ones behind.
    pub post: u16,
    /// Keyword parameters.
    pub keywords: Box<[KeywordParam]>,
    /// Keyword rest; a slot if `Collect`.
    pub keyword_rest: KeywordRest,
    /// There is a block parameter: one slot.
    pub block: bool,
    /// For blocks, and lambdas that are invoked as one: a single Array argument is spread over the parameters.
    pub auto_splat: bool,
    /// Block parameters written as numbered ones (`_1`, `_2`) or `it`: 0 none, 1.. count, 255 `it`.
    pub numbered: u8,
    /// The parameters are `...`.
    pub forwarding: bool,
    /// For `Method#parameters`: the rest / keyword rest / block parameter has no name.
    pub anonymous_rest: bool,
    /// See `anonymous_rest`.
    pub anonymous_keyword_rest: bool,
    /// See `anonymous_rest`.
    pub anonymous_block: bool,
}

/// How a block of the library that has nothing but a rest parameter takes what it is given; the parameter's name says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// As any block does: as an Array.
    None,
    /// `|*packed|`: one value comes as it is, none as nil, several as an Array.
    Packed,
    /// `|*passed|`: one value comes as it is, none and several as an Array without a class, which `Primitive.several` knows.
    Passed,
}

/// RubyGems' own `require`, which it names `<internal:…>` too, but only where it knows the name of the engine.
const REQUIRE_OF_RUBYGEMS: &str = "/rubygems/core_ext/kernel_require.rb";

impl Code {
    /// Do backtraces leave its frames out? A program can ask for that by the name of what it evaluates, as in CRuby.
    pub fn is_hidden(&self) -> bool {
        self.internal || self.file.starts_with("<internal:") || self.file.ends_with(REQUIRE_OF_RUBYGEMS)
    }

    /// Is it of the library, and its optional parameter, named `needed_…`, left out in a form of the call that is another one to CRuby?
    /// It counts as required in what is said of a wrong number of arguments.
    pub fn needs_optional(&self) -> bool {
        let first = self.locals.get(usize::from(self.params.required));
        self.internal
            && self.params.optional == 1
            && first.is_some_and(|local| local.name.bytes().starts_with(b"needed_"))
    }

    /// How it takes what it is given as a block.
    pub fn packing(&self) -> Packing {
        let alone = self.internal && self.params.rest && self.params.slots() == 1;
        match self.locals.first().filter(|_| alone).map(|local| local.name.bytes()) {
            Some(b"packed") => Packing::Packed,
            Some(b"passed") => Packing::Passed,
            _ => Packing::None,
        }
    }
}

impl Params {
    /// Only required parameters: the call path that needs no binding.
    pub fn is_simple(&self) -> bool {
        self.optional == 0
            && !self.rest
            && self.post == 0
            && self.keywords.is_empty()
            && self.keyword_rest == KeywordRest::None
            && !self.block
    }

    /// Required and optional parameters, one for the rest and one for the block at most, in this order.
    pub fn is_positional(&self) -> bool {
        self.post == 0 && self.keywords.is_empty() && self.keyword_rest == KeywordRest::None
    }

    /// How many local slots the parameters take.
    pub fn slots(&self) -> usize {
        usize::from(self.required)
            + usize::from(self.optional)
            + usize::from(self.rest)
            + usize::from(self.post)
            + self.keywords.len()
            + usize::from(self.keyword_rest == KeywordRest::Collect)
            + usize::from(self.block)
    }
}

/// What a handler catches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HandlerKind {
    /// Exceptions only. On entry `r[reg]` is the exception, `r[reg+1]` the former `$!`, and `$!` the exception.
    Rescue,
    /// Everything that unwinds. On entry `r[reg]` is a token for it that only `Rethrow` reads;
    /// `r[reg+1]` the former `$!`; `$!` is the exception if it is one.
    Ensure,
}

/// An exception handler. The first handler in the table whose range holds the pc counts, so inner ones come first.
#[derive(Clone, Copy, Debug)]
pub struct Handler {
    /// First word of the range.
    pub start: u32,
    /// Word after the range. The pc of an instruction under way is that of its own first word.
    pub end: u32,
    /// Where to go on.
    pub target: u32,
    /// See `HandlerKind`.
    pub reg: u16,
    /// What is caught.
    pub kind: HandlerKind,
}

/// A local variable of a scope.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// Its name; the empty symbol for hidden ones.
    pub name: Sym,
    /// Seen by a block of this scope, or by an `eval`: only `GetUp`/`SetUp` touch it.
    pub captured: bool,
}

/// What is told of a place in the code to who traces it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The word before which it is told.
    pub pc: u32,
    /// The line of the statement that begins here, or `RESCUED`.
    pub line: u32,
}

impl Mark {
    /// In place of a line: the body of a `rescue` clause begins.
    pub const RESCUED: u32 = u32::MAX;
}

/// Compiled code.
#[derive(Debug)]
pub struct Code {
    /// What it is the body of.
    pub kind: CodeKind,
    /// The method's or class's name; for blocks that of the method around them. Empty at top level.
    pub name: Sym,
    /// The label in backtraces without its class part: `foo`, `block in foo`, `<main>`, `<class:Foo>`…
    pub label: Box<str>,
    /// The file's path as given.
    pub file: Arc<str>,
    /// Line of the first token.
    pub line: u32,
    /// The instructions.
    pub words: Box<[u64]>,
    /// `(pc, line)` with ascending pc: the line of the words from there on.
    pub lines: Box<[(u32, u32)]>,
    /// What a tracer is told before an instruction, with ascending pc. Empty in code of the implementation.
    pub marks: Box<[Mark]>,
    /// Line of the last token.
    pub end_line: u32,
    /// Parameters.
    pub params: Params,
    /// Locals; parameters first.
    pub locals: Box<[Local]>,
    /// Registers in all: locals and temporaries, the call areas included.
    pub registers: u16,
    /// Constants.
    pub literals: Box<[Literal]>,
    /// Calls.
    pub call_sites: Box<[CallSite]>,
    /// Instance variable accesses.
    pub ivar_sites: Box<[IvarSite]>,
    /// Constant accesses.
    pub const_sites: Box<[ConstSite]>,
    /// Number of once-cells.
    pub once_cells: u16,
    /// Nested code.
    pub children: Box<[Child]>,
    /// Exception handlers.
    pub handlers: Box<[Handler]>,
    /// First word, and word after the end, of each place where an `ensure` clause lies.
    pub ensures: Box<[(u32, u32)]>,
    /// Written in Ruby but part of the implementation: its frames are hidden from backtraces.
    pub internal: bool,
    /// The method may use its block (`yield`, a block parameter, `block_given?`, super …), or may be unable to tell.
    pub uses_block: bool,
    /// The literal is `-> {}` (a lambda by syntax).
    pub lambda: bool,
    /// The source from `__END__` on, for `DATA` (main script only): byte offset into the file.
    pub data_offset: Option<usize>,
    /// What its counting instructions count in, if it is measured.
    pub counted: Option<Box<Counted>>,
    /// What was made of it for the processor.
    pub machine: Machine,
    /// What stands for its memory where that is limited: dropped with it.
    pub held: Held,
}

/// Something that lives as long as a code.
#[derive(Default)]
pub struct Held(OnceLock<Box<dyn Any + Send + Sync>>);

impl Held {
    /// Keeps this, the first time.
    pub fn keep(&self, what: Box<dyn Any + Send + Sync>) {
        // There is one already: it stands for the same.
        let _ = self.0.set(what);
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Held({})", self.0.get().is_some())
    }
}

impl Code {
    /// About how many bytes it takes, without the code nested in it.
    pub fn bytes(&self) -> usize {
        let texts = |literal: &Literal| match literal {
            Literal::Str(bytes, ..) => bytes.len(),
            Literal::Big(_) => size_of::<Literal>(),
            _ => 0,
        };
        size_of::<Code>()
            + self.label.len()
            + size_of_val(&*self.words)
            + size_of_val(&*self.lines)
            + size_of_val(&*self.marks)
            + size_of_val(&*self.locals)
            + size_of_val(&*self.literals)
            + self.literals.iter().map(texts).sum::<usize>()
            + size_of_val(&*self.call_sites)
            + size_of_val(&*self.ivar_sites)
            + size_of_val(&*self.const_sites)
            + size_of_val(&*self.children)
            + size_of_val(&*self.handlers)
            + size_of_val(&*self.ensures)
    }

    /// Is the instruction at `pc` part of an `ensure` clause?
    pub fn is_in_ensure(&self, pc: usize) -> bool {
        self.ensures.iter().any(|&(start, end)| (start as usize..end as usize).contains(&pc))
    }

    /// The line of the instruction at `pc`.
    pub fn line_at(&self, pc: usize) -> u32 {
        match self.lines.partition_point(|&(start, _)| start as usize <= pc) {
            0 => self.line,
            n => self.lines[n - 1].1,
        }
    }
}
