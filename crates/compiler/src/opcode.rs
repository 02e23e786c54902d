//! The instruction set. Its table, [`for_each_op!`], is the only list of opcodes: from it come the enum, the operands as the
//! verifier and the disassembler read them ([`Info`]), their typed accessors (`ops`), and in the interpreter the dispatch,
//! which does not compile as long as an opcode has no handler.
//!
//! # Encoding
//! An instruction is one 64-bit word, or two where it has operands in `Lo` or `Hi`:
//!
//! ```text
//! word 1   63      48 47      32 31      16 15    8 7      0
//!          |    C    |    B    |    A    |   X   |   op   |
//!          |       Bc (32)     |
//! word 2   |      Hi (32)      |       Lo (32)            |
//! ```
//!
//! Registers `0..locals` are the frame's locals (parameters first), the others temporaries.
//! Jump offsets are signed and relative to the word after the whole instruction.
//!
//! A local that a block (or `eval`, `binding` …) of the same method can see is *captured*: it is
//! never an operand, only read and written with `GetUp`/`SetUp`, because its scope may move from
//! the VM stack to the heap at any call. Every other local is a plain register.

use crate::operand::{AtPlace, Kind, OfKind, Place, kind, place};

/// An operand of an opcode.
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Where it lies.
    pub place: Place,
    /// What it stands for.
    pub kind: Kind,
}

/// One row of the opcode table.
pub struct Info {
    /// The opcode's name.
    pub name: &'static str,
    /// Its operands, in the order of their places.
    pub operands: &'static [Field],
    /// How many words an instruction takes.
    pub words: usize,
}

/// The table: calls the macro `$visit` with a row for each opcode,
///
/// ```text
/// /// what it does
/// Name { operand: Place Kind, … }
/// ```
///
/// with the places and kinds of `operand`. Operands stand in the order of their places.
#[macro_export]
macro_rules! for_each_op {
    ($visit:ident) => {
        $visit! {
            // ---- moves and literals -------------------------------------------------------------
            /// Does nothing.
            Nop {}
            /// A measured line begins (`coverage`).
            CountLine { line: Bc Imm }
            /// A way of a measured condition is taken.
            CountWay { counter: Bc Imm }
            /// A method of which this is the body is called, if it is one.
            CountCall {}
            /// dst = src
            Move { dst: A Dst, src: B Reg }
            /// dst = nil
            LoadNil { dst: A Dst }
            /// dst = true
            LoadTrue { dst: A Dst }
            /// dst = false
            LoadFalse { dst: A Dst }
            /// dst = undef, the internal "no value" (never visible to Ruby code)
            LoadUndef { dst: A Dst }
            /// dst = self
            LoadSelf { dst: A Dst }
            /// dst = the integer
            LoadInt { dst: A Dst, value: Bc Imm }
            /// dst = the literal: an immutable object shared by all executions
            LoadLit { dst: A Dst, literal: Bc Lit }
            /// dst = a new String with the bytes of the literal
            NewStr { dst: A Dst, literal: Bc Lit }
            /// dst = a shallow copy of the Array literal
            DupArray { dst: A Dst, literal: Bc Lit }
            /// dst = the innermost lexical class or module (where `def` and constants go)
            LoadCref { dst: A Dst }
            /// dst = a local slot of the scope `depth` levels out (0 = this frame's own)
            GetUp { dst: A Dst, slot: B Slot, depth: C Depth }
            /// a local slot of the scope `depth` levels out = value
            SetUp { value: A Reg, slot: B Slot, depth: C Depth }
            /// dst = the method's block as a Proc, or nil (made on first use)
            BlockParam { dst: A Dst }

            // ---- variables ----------------------------------------------------------------------
            /// dst = instance variable of self
            GetIvar { dst: A Dst, ivar: B Ivar }
            /// instance variable of self = value
            SetIvar { value: A Reg, ivar: B Ivar }
            /// dst = the global variable; frame-local ones ($~, $_) included
            GetGlobal { dst: A Dst, name: Bc Lit }
            /// the global variable = value
            SetGlobal { value: A Reg, name: Bc Lit }
            /// `alias $new $old`
            AliasGlobal { new_name: A Lit, old_name: B Lit }
            /// dst = the class variable
            GetCvar { dst: A Dst, name: Bc Lit }
            /// the class variable = value
            SetCvar { value: A Reg, name: Bc Lit }
            /// dst = the constant, looked up lexically (cached)
            GetConst { dst: A Dst, constant: Bc Const }
            /// dst = the constant in module `scope`
            GetConstFrom { dst: A Dst, scope: B Reg, name: C Lit }
            /// the constant in module `scope` = value
            SetConst { value: A Reg, scope: B Reg, name: C Lit }
            /// dst = a match variable; part 0 is `$&`, 1 `` $` ``, 2 `$'`, 3 `$+`, 4+n is `$n`
            GetBackref { dst: A Dst, part: B Raw }

            // ---- objects ------------------------------------------------------------------------
            /// dst = [values …]
            NewArray { dst: A Dst, values: B Base, count: C Count }
            /// dst = [values …].max, of Integers or of Floats and while that is the core's; else undef
            MaxOf { dst: A Dst, values: B Base, count: C Count }
            /// dst = [values …].min, likewise
            MinOf { dst: A Dst, values: B Base, count: C Count }
            /// array << values …; an Array the compiler made
            ArrayAppend { array: A Reg, values: B Base, count: C Count }
            /// array << hash, a Hash that only `**` made: not if it is empty
            ArrayAppendHash { array: A Reg, hash: B Reg }
            /// array.concat(*value): appends what `*value` stands for
            ArraySplat { array: A Reg, value: B Reg }
            /// dst = [*value], always a new Array
            SplatArray { dst: A Dst, value: B Reg }
            /// dst = {key => value, …} of `count` registers in all; equal String keys are copied and frozen
            NewHash { dst: A Dst, pairs: B Base, count: C Count }
            /// adds key => value … of `count` registers to the Hash that the compiler made
            HashAppend { hash: A Reg, pairs: B Base, count: C Count }
            /// merges `**value` (nil: nothing) into the Hash that the compiler made
            HashMerge { hash: A Reg, value: B Reg }
            /// dst = low..high
            NewRange { dst: A Dst, low: B Reg, high: C Reg, exclusive: X Flag }
            /// dst = value as a String for interpolation (to_s; any_to_s when that is no String)
            ToS { dst: A Dst, value: B Reg, site: Lo Site }
            /// dst = the Strings, joined
            Concat { dst: A Dst, parts: B Base, count: C Count }
            /// dst = the symbol named by the String
            Intern { dst: A Dst, name: B Reg }
            /// dst = a Regexp from the Strings
            NewRegexp { dst: A Dst, parts: B Base, count: C Count, options: X Raw }
            /// if the once-cell is set: dst = its value, and jump; else go on
            Once { dst: A Dst, cell: B Once, target: C Jump }
            /// once-cell = value, when it is the outermost evaluation of its thread that ends
            OnceSet { value: A Reg, cell: B Once }
            /// the evaluation of what sets the once-cell has ended without a value
            OnceLeave { cell: B Once }
            /// dst = a lambda of the child
            MakeLambda { dst: A Dst, child: B Child }
            /// `defined?`: dst = a String or nil. See `DefinedKind` for which needs a receiver, and what the name is
            Defined { dst: A Dst, recv: B MaybeReg, name: C MaybeLit, kind: X Raw }

            // ---- operators with fast paths --------------------------------------------------------
            /// dst = left + right
            Add { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left - right
            Sub { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left * right
            Mul { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left / right
            Div { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left % right
            Mod { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left + the constant
            AddI { dst: A Dst, left: B Reg, imm: C Imm, site: Lo Site }
            /// dst = left - the constant
            SubI { dst: A Dst, left: B Reg, imm: C Imm, site: Lo Site }
            /// dst = left & right
            And { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left | right
            Or { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left ^ right
            Xor { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left << right
            Shl { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left >> right
            Shr { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left < right
            Lt { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left <= right
            Le { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left > right
            Gt { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left >= right
            Ge { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left == right
            Eq { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left != right
            Ne { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left === right, left the pattern
            CaseEq { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = !recv
            Not { dst: A Dst, recv: B Reg, site: Lo Site }
            /// dst = -recv
            Neg { dst: A Dst, recv: B Reg, site: Lo Site }
            /// dst = left[right]
            Aref { dst: A Dst, left: B Reg, right: C Reg, site: Lo Site }
            /// dst = left[the constant]
            ArefI { dst: A Dst, left: B Reg, imm: C Imm, site: Lo Site }
            /// recv[key] = value; the result of a user's `[]=` is dropped
            Aset { recv: A Reg, key: B Reg, value: C Reg, site: Lo Site }
            /// dst = recv.size or .length (the site says which)
            Size { dst: A Dst, recv: B Reg, site: Lo Site }
            /// dst = recv.empty?
            EmptyP { dst: A Dst, recv: B Reg, site: Lo Site }
            /// dst = recv.nil?
            NilP { dst: A Dst, recv: B Reg, site: Lo Site }

            // ---- jumps ----------------------------------------------------------------------------
            /// jump
            Jmp { target: Bc Jump }
            /// jump backwards; polls
            Loop { target: Bc Jump }
            /// jump if value is truthy
            JmpIf { value: A Reg, target: Bc Jump }
            /// jump if value is nil or false
            JmpUnless { value: A Reg, target: Bc Jump }
            /// jump if value is nil
            JmpNil { value: A Reg, target: Bc Jump }
            /// jump unless value is nil
            JmpNotNil { value: A Reg, target: Bc Jump }
            /// jump unless the parameter is undef: the argument was given
            JmpDef { value: A Param, target: Bc Jump }
            /// jump if (left < right) is as `sense` says (1 truthy, 0 falsy)
            JmpLt { left: A Reg, right: B Reg, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (left <= right) is as `sense` says
            JmpLe { left: A Reg, right: B Reg, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (left > right) is as `sense` says
            JmpGt { left: A Reg, right: B Reg, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (left >= right) is as `sense` says
            JmpGe { left: A Reg, right: B Reg, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (left == right) is as `sense` says
            JmpEq { left: A Reg, right: B Reg, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (left != right) is as `sense` says
            JmpNe { left: A Reg, right: B Reg, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (left < the constant) is as `sense` says
            JmpLtI { left: A Reg, imm: B Imm, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (left <= the constant) is as `sense` says
            JmpLeI { left: A Reg, imm: B Imm, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (left > the constant) is as `sense` says
            JmpGtI { left: A Reg, imm: B Imm, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (left >= the constant) is as `sense` says
            JmpGeI { left: A Reg, imm: B Imm, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (left == the constant) is as `sense` says
            JmpEqI { left: A Reg, imm: B Imm, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (left != the constant) is as `sense` says
            JmpNeI { left: A Reg, imm: B Imm, sense: X Flag, site: Lo Site, target: Hi Jump }
            /// jump if (!value) is as `sense` says
            JmpNot { value: A Reg, sense: X Flag, site: Lo Site, target: Hi Jump }

            // ---- calls ----------------------------------------------------------------------------
            /// dst = receiver.name(args). The receiver lies at `base`, the arguments behind it; see `CallSite` for their order.
            Call { base: A Base, dst: B Dst, site: C Site }
            /// dst = self.name(args), private methods allowed; the register at `base` is left unused
            CallSelf { base: A Base, dst: B Dst, site: C Site }
            /// a `Call` of `resume` with `argc` positional arguments, at most one, and nothing else
            Resume { base: A Base, dst: B Dst, site: C Site, argc: X Argc }
            /// a `Call` of `Fiber.yield` with `argc` positional arguments, at most one, and nothing else
            FiberYield { base: A Base, dst: B Dst, site: C Site, argc: X Argc }
            /// dst = super(args); arguments as for a call, the register at `base` unused
            Super { base: A Base, dst: B Dst, site: C Site }
            /// dst = yield(args); arguments as for a call, the register at `base` unused; known - 1 positional arguments and no
            /// others, if `known` is not 0 (at most `MOST_YIELDED`)
            Yield { base: A Base, dst: B Dst, site: C Site, known: X Known }
            /// dst = the primitive of that name, with the arguments from `args` on (prelude only)
            Prim { args: A Base, dst: B Dst, name: C Lit, count: X Count }
            /// dst = was the method given a block? (prelude only)
            BlockGiven { dst: A Dst }
            /// return value from this frame (from a block: `next`)
            Return { value: A Reg }
            /// `break value` out of the block's method; in a lambda: return
            Break { value: A Reg }
            /// `return value` out of a block's home method, or past `ensure` clauses; in a lambda: return from it
            ReturnFar { value: A Reg }

            // ---- exceptions -------------------------------------------------------------------------
            /// dst = `$!`
            GetErrInfo { dst: A Dst }
            /// `$!` = value
            SetErrInfo { value: A Reg }
            /// dst = class matches exception in a `rescue` list; `splat`: class is an Array of classes
            RescueMatch { dst: A Dst, exception: B Reg, class: C Reg, splat: X Flag }
            /// goes on unwinding with what an Ensure or Rescue handler was entered with
            Rethrow { token: A Reg }

            // ---- definitions --------------------------------------------------------------------------
            /// defines a method with the child in the default definee; dst = its name
            DefMethod { dst: A Dst, name: B Lit, child: C Child }
            /// defines a singleton method with the child on `object`, which becomes its name
            DefSingleton { object: A Dst, name: B Lit, child: C Child }
            /// dst = value of the body of the class in the scope in the first register of `scope`, with the superclass in the second
            /// (undef: none given); runs the child in it. `path`: written `Scope::Name`
            DefClass { dst: A Dst, scope: B Pair, path: C Flag, name: Lo Lit, child: Hi Child }
            /// dst = value of the body of the module in `scope`; runs the child in it
            DefModule { dst: A Dst, scope: B Reg, path: C Flag, name: Lo Lit, child: Hi Child }
            /// dst = value of the child run in the singleton class of `object`
            OpenSingleton { dst: A Dst, object: B Reg, child: C Child }
            /// `alias`: both Symbols
            AliasMethod { new_name: A Reg, old_name: B Reg }
            /// `undef` the method named by the Symbol
            UndefMethod { name: A Reg }
            /// registers the child to run at exit, the first time this is executed (`END {}`)
            PostExe { child: A Child, cell: B Once }

            // ---- assignment and patterns ----------------------------------------------------------------
            /// Multiple assignment of value (to_ary): to `before` registers from `targets` on, then if `rest` is 1 an Array of what is
            /// left over, then to `after` ones
            Destructure { value: A Reg, targets: B Base, before: C Count, rest: X Count, after: Lo Count }
            /// dst = value.deconstruct (checked to be an Array), or undef when it does not respond to it
            Deconstruct { dst: A Dst, value: B Reg }
            /// dst = value.deconstruct_keys(keys) (checked to be a Hash), or undef when it does not respond to it
            DeconstructKeys { dst: A Dst, value: B Reg, keys: C Reg }
            /// dst = has the Hash that key?
            HashHasKey { dst: A Dst, hash: B Reg, key: C Reg }
            /// dst = the Hash without the keys in an Array, a new Hash
            HashExcept { dst: A Dst, hash: B Reg, keys: C Reg }
            /// dst = the Array from an index on, without the `drop` last ones, a new Array
            ArraySlice { dst: A Dst, array: B Reg, from: C Imm, drop: X Raw }
            /// raises NoMatchingPatternError for value; if `known`, `why` is an Array of a `Mismatch` and what it speaks of
            RaiseNoMatch { value: A Reg, known: B Flag, why: C MaybeReg }
        }
    };
}

macro_rules! define_ops {
    ($($(#[$doc:meta])+ $name:ident { $($field:ident: $place:ident $kind:ident),* })*) => {
        /// The operations of the virtual machine.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Op { $($(#[$doc])+ $name,)* }

        /// The table, indexed by opcode number.
        pub static TABLE: &[Info] = &[$(
            Info {
                name: stringify!($name),
                operands: &[$(Field {
                    name: stringify!($field),
                    place: <place::$place as AtPlace>::PLACE,
                    kind: <kind::$kind as OfKind>::KIND,
                }),*],
                words: 1 + (false $(|| <place::$place as AtPlace>::PLACE.is_second())*) as usize,
            },
        )*];

        /// Instructions under way, one type an opcode: what a handler reads its operands from.
        pub mod ops {
            use crate::opcode::Op;
            use crate::operand::{OfKind, Words, kind, place};

            /// An instruction under way.
            pub trait Instruction<'i>: Copy {
                /// Its opcode.
                const OP: Op;

                /// The instruction at `words`.
                ///
                /// # Safety
                /// Its opcode is `OP`.
                unsafe fn at(words: Words<'i>) -> Self;

                /// Where it lies.
                fn words(self) -> Words<'i>;
            }

            $(
                $(#[$doc])+
                #[derive(Clone, Copy)]
                pub struct $name<'i>(Words<'i>);

                impl<'i> Instruction<'i> for $name<'i> {
                    const OP: Op = Op::$name;
                    #[inline(always)]
                    unsafe fn at(words: Words<'i>) -> Self {
                        $name(words)
                    }
                    #[inline(always)]
                    fn words(self) -> Words<'i> {
                        self.0
                    }
                }

                impl<'i> $name<'i> {
                    $(
                        #[doc = concat!("The operand `", stringify!($field), "`.")]
                        #[inline(always)]
                        pub fn $field(self) -> <kind::$kind as OfKind>::Of<'i> {
                            // SAFETY: `at` was given an instruction of this opcode, whose row names this operand.
                            unsafe { self.0.operand::<place::$place, kind::$kind>() }
                        }
                    )*
                }
            )*
        }
    };
}

for_each_op!(define_ops);

/// More arguments than that `Op::Yield` does not count.
pub const MOST_YIELDED: u16 = 8;

/// The kinds of `defined?` that need the frame or an object (`kind` of `Op::Defined`). Expressions
/// whose answer is known at compile time are compiled to a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum DefinedKind {
    /// `@name` of self
    Ivar,
    /// `$name`
    Global,
    /// `@@name`
    Cvar,
    /// the constant, lexically
    Const,
    /// the constant in `recv`
    ConstFrom,
    /// the public method of `recv`
    Method,
    /// the method of self, private too
    Func,
    /// a block was given
    Yield,
    /// a super method exists
    Super,
    /// match variable; the name is the part of `GetBackref`
    Backref,
    /// `@name` of self, where only the truth of the answer counts: that is true, or nil
    HasIvar,
}

impl Op {
    /// The opcode with number `n`, if there is one.
    pub fn from_u8(n: u8) -> Option<Op> {
        // SAFETY: `Op` is `repr(u8)` with the numbers 0..TABLE.len(), one for each row.
        (usize::from(n) < TABLE.len()).then(|| unsafe { std::mem::transmute::<u8, Op>(n) })
    }

    /// The opcode's row in the table.
    pub fn info(self) -> &'static Info {
        &TABLE[self as usize]
    }

    /// How many words an instruction takes.
    pub const fn words(self) -> usize {
        TABLE[self as usize].words
    }

    /// Has it an operand at `place`?
    pub fn has(self, place: Place) -> bool {
        self.info().operands.iter().any(|field| field.place == place)
    }
}

/// Builds word 1 with separate `b` and the name.
pub fn word(op: Op, x: u8, a: u16, b: u16, c: u16) -> u64 {
    op as u64 | u64::from(x) << 8 | u64::from(a) << 16 | u64::from(b) << 32 | u64::from(c) << 48
}

/// Builds word 1 with a 32-bit field.
pub fn word_bc(op: Op, x: u8, a: u16, bc: u32) -> u64 {
    op as u64 | u64::from(x) << 8 | u64::from(a) << 16 | u64::from(bc) << 32
}

/// Builds word 2.
pub fn second(lo: u32, hi: u32) -> u64 {
    u64::from(lo) | u64::from(hi) << 32
}
