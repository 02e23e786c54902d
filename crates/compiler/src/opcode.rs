//! The instruction set: one table that feeds the enum, the operand checks and the disassembler;
//! the interpreter's dispatch matches on the enum, so a missing opcode does not compile.
//!
//! # Encoding
//! An instruction is one 64-bit word, or two where the table says `wide`:
//!
//! ```text
//! word 1   63      48 47      32 31      16 15    8 7      0
//!          |    c    |    b    |    a    |   x   |   op   |
//!          |       bc (32)     |
//! word 2   |      hi (32)      |       lo (32)            |
//! ```
//!
//! `a`, `b`, `c` name registers of the frame unless the table says otherwise. Registers
//! `0..locals` are the frame's locals (parameters first), the others temporaries.
//! Jump offsets are signed and relative to the word after the whole instruction.
//!
//! A local that a block (or `eval`, `binding` …) of the same method can see is *captured*: it is
//! never an operand, only read and written with `GetUp`/`SetUp`, because its scope may move from
//! the VM stack to the heap at any call. Every other local is a plain register.

/// How an instruction's operand fields are to be read; for the checks and the disassembler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// Unused, zero.
    None,
    /// A register that is written.
    Dst,
    /// A register that is read.
    Reg,
    /// The first of several consecutive registers.
    Base,
    /// A count.
    Count,
    /// A signed 16-bit constant.
    Imm,
    /// An index of a local slot (not a register: the slot of some scope).
    Slot,
    /// A number of scopes to go outwards.
    Depth,
    /// An index into `Code::call_sites`.
    Site,
    /// An index into `Code::literals` (16 bits).
    Lit,
    /// An index into `Code::children`.
    Child,
    /// An index into `Code::ivar_sites`.
    Ivar,
    /// Index of a `Once` cell of this code.
    Once,
}

/// What the upper 32 bits `bc` of word 1 mean when they are one field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wide {
    /// `b` and `c` are separate.
    No,
    /// A signed 32-bit constant.
    Imm32,
    /// A jump offset.
    Jump,
    /// An index into `Code::literals`.
    Lit,
    /// An index into `Code::const_sites`.
    Const,
}

/// What the second word holds, if there is one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Second {
    /// There is no second word.
    No,
    /// `lo` is a call site, used when the fast path does not apply.
    Site,
    /// `lo` is a call site, `hi` a jump offset.
    SiteJump,
    /// `lo` is a literal (a symbol), `hi` a child.
    LitChild,
    /// `lo` is a count.
    Count,
}

/// One row of the opcode table.
pub struct Info {
    /// The opcode's name.
    pub name: &'static str,
    /// Operands `a`, `b`, `c`.
    pub operands: [Operand; 3],
    /// The meaning of `bc`.
    pub wide: Wide,
    /// The second word.
    pub second: Second,
}

macro_rules! opcodes {
    ($( $(#[doc = $doc:literal])+ $name:ident($a:ident, $b:ident, $c:ident) $($w:ident)? $(+ $s:ident)? ;)*) => {
        /// The operations of the virtual machine.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Op { $( $(#[doc = $doc])+ $name, )* }

        /// The table, indexed by opcode number.
        pub static TABLE: &[Info] = &[$(
            Info {
                name: stringify!($name),
                operands: [Operand::$a, Operand::$b, Operand::$c],
                wide: opcodes!(@wide $($w)?),
                second: opcodes!(@second $($s)?),
            },
        )*];
    };
    (@wide) => { Wide::No };
    (@wide $w:ident) => { Wide::$w };
    (@second) => { Second::No };
    (@second $s:ident) => { Second::$s };
}

opcodes! {
    // ---- moves and literals -------------------------------------------------------------
    /// Does nothing.
    Nop(None, None, None);
    /// r[a] = r[b]
    Move(Dst, Reg, None);
    /// r[a] = nil
    LoadNil(Dst, None, None);
    /// r[a] = true
    LoadTrue(Dst, None, None);
    /// r[a] = false
    LoadFalse(Dst, None, None);
    /// r[a] = undef, the internal "no value" (never visible to Ruby code)
    LoadUndef(Dst, None, None);
    /// r[a] = self
    LoadSelf(Dst, None, None);
    /// r[a] = the integer bc
    LoadInt(Dst, None, None) Imm32;
    /// r[a] = literal bc: an immutable object shared by all executions
    LoadLit(Dst, None, None) Lit;
    /// r[a] = a new String with the bytes of literal bc
    NewStr(Dst, None, None) Lit;
    /// r[a] = a shallow copy of the Array literal bc
    DupArray(Dst, None, None) Lit;
    /// r[a] = the innermost lexical class or module (where `def` and constants go)
    LoadCref(Dst, None, None);
    /// r[a] = local slot b of the scope c levels out (0 = this frame's own)
    GetUp(Dst, Slot, Depth);
    /// local slot b of the scope c levels out = r[a]
    SetUp(Reg, Slot, Depth);
    /// r[a] = the method's block as a Proc, or nil (made on first use)
    BlockParam(Dst, None, None);

    // ---- variables ----------------------------------------------------------------------
    /// r[a] = instance variable of self, ivar site b
    GetIvar(Dst, Ivar, None);
    /// instance variable of self, ivar site b = r[a]
    SetIvar(Reg, Ivar, None);
    /// r[a] = global variable named by literal bc; frame-local ones ($~, $_) included
    GetGlobal(Dst, None, None) Lit;
    /// global variable named by literal bc = r[a]
    SetGlobal(Reg, None, None) Lit;
    /// `alias $new $old`; both literals
    AliasGlobal(Lit, Lit, None);
    /// r[a] = class variable named by literal bc
    GetCvar(Dst, None, None) Lit;
    /// class variable named by literal bc = r[a]
    SetCvar(Reg, None, None) Lit;
    /// r[a] = constant of const site bc, looked up lexically (cached)
    GetConst(Dst, None, None) Const;
    /// r[a] = constant named by literal c in module r[b]
    GetConstFrom(Dst, Reg, Lit);
    /// constant named by literal c in module r[b] = r[a]
    SetConst(Reg, Reg, Lit);
    /// r[a] = a match variable; b: 0 is `$&`, 1 `` $` ``, 2 `$'`, 3 `$+`, 4+n is `$n`
    GetBackref(Dst, Count, None);

    // ---- objects ------------------------------------------------------------------------
    /// r[a] = [r[b], … c values]
    NewArray(Dst, Base, Count);
    /// r[a] << r[b] … c values; r[a] is an Array the compiler made
    ArrayAppend(Reg, Base, Count);
    /// r[a] << r[b], a Hash that only `**` made: not if it is empty
    ArrayAppendHash(Reg, Reg, None);
    /// r[a].concat(*r[b]): appends what `*r[b]` stands for
    ArraySplat(Reg, Reg, None);
    /// r[a] = [*r[b]], always a new Array
    SplatArray(Dst, Reg, None);
    /// r[a] = {r[b] => r[b+1], …}, c registers in all; equal String keys are copied and frozen
    NewHash(Dst, Base, Count);
    /// adds r[b] => r[b+1] … (c registers) to the Hash r[a] that the compiler made
    HashAppend(Reg, Base, Count);
    /// merges `**r[b]` (nil: nothing) into the Hash r[a] that the compiler made
    HashMerge(Reg, Reg, None);
    /// r[a] = r[b]..r[c]; x = 1: exclusive
    NewRange(Dst, Reg, Reg);
    /// r[a] = r[b] as a String for interpolation (to_s; any_to_s when that is no String)
    ToS(Dst, Reg, None) + Site;
    /// r[a] = the c Strings from r[b], joined
    Concat(Dst, Base, Count);
    /// r[a] = the symbol named by the String r[b]
    Intern(Dst, Reg, None);
    /// r[a] = a Regexp from the c Strings at r[b]; x = option bits
    NewRegexp(Dst, Base, Count);
    /// if once-cell b is set: r[a] = its value and jump c (signed 16) words; else go on
    Once(Dst, Once, Imm);
    /// once-cell b = r[a]
    OnceSet(Reg, Once, None);
    /// r[a] = a lambda of child b
    MakeLambda(Dst, Child, None);
    /// `defined?`: r[a] = a String or nil. x = kind (see `DefinedKind`), b = receiver, c = name literal
    Defined(Dst, Reg, Lit);

    // ---- operators with fast paths --------------------------------------------------------
    /// r[a] = r[b] + r[c]
    Add(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] - r[c]
    Sub(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] * r[c]
    Mul(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] / r[c]
    Div(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] % r[c]
    Mod(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] + the constant c
    AddI(Dst, Reg, Imm) + Site;
    /// r[a] = r[b] - the constant c
    SubI(Dst, Reg, Imm) + Site;
    /// r[a] = r[b] & r[c]
    And(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] | r[c]
    Or(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] ^ r[c]
    Xor(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] << r[c]
    Shl(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] >> r[c]
    Shr(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] < r[c]
    Lt(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] <= r[c]
    Le(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] > r[c]
    Gt(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] >= r[c]
    Ge(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] == r[c]
    Eq(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] != r[c]
    Ne(Dst, Reg, Reg) + Site;
    /// r[a] = r[b] === r[c], r[b] the pattern
    CaseEq(Dst, Reg, Reg) + Site;
    /// r[a] = !r[b]
    Not(Dst, Reg, None) + Site;
    /// r[a] = -r[b]
    Neg(Dst, Reg, None) + Site;
    /// r[a] = r[b][r[c]]
    Aref(Dst, Reg, Reg) + Site;
    /// r[a] = r[b][the constant c]
    ArefI(Dst, Reg, Imm) + Site;
    /// r[a][r[b]] = r[c]; the result of a user's `[]=` is dropped
    Aset(Reg, Reg, Reg) + Site;
    /// r[a] = r[b].size or .length (the site says which)
    Size(Dst, Reg, None) + Site;
    /// r[a] = r[b].empty?
    EmptyP(Dst, Reg, None) + Site;
    /// r[a] = r[b].nil?
    NilP(Dst, Reg, None) + Site;

    // ---- jumps ----------------------------------------------------------------------------
    /// jump
    Jmp(None, None, None) Jump;
    /// jump backwards; polls
    Loop(None, None, None) Jump;
    /// jump if r[a] is truthy
    JmpIf(Reg, None, None) Jump;
    /// jump if r[a] is nil or false
    JmpUnless(Reg, None, None) Jump;
    /// jump if r[a] is nil
    JmpNil(Reg, None, None) Jump;
    /// jump unless r[a] is nil
    JmpNotNil(Reg, None, None) Jump;
    /// jump unless r[a] is undef: the argument was given
    JmpDef(Reg, None, None) Jump;
    /// jump if (r[a] < r[b]) is as x says (1 truthy, 0 falsy)
    JmpLt(Reg, Reg, None) + SiteJump;
    /// jump if (r[a] <= r[b]) is as x says
    JmpLe(Reg, Reg, None) + SiteJump;
    /// jump if (r[a] > r[b]) is as x says
    JmpGt(Reg, Reg, None) + SiteJump;
    /// jump if (r[a] >= r[b]) is as x says
    JmpGe(Reg, Reg, None) + SiteJump;
    /// jump if (r[a] == r[b]) is as x says
    JmpEq(Reg, Reg, None) + SiteJump;
    /// jump if (r[a] != r[b]) is as x says
    JmpNe(Reg, Reg, None) + SiteJump;
    /// jump if (r[a] < constant b) is as x says
    JmpLtI(Reg, Imm, None) + SiteJump;
    /// jump if (r[a] <= constant b) is as x says
    JmpLeI(Reg, Imm, None) + SiteJump;
    /// jump if (r[a] > constant b) is as x says
    JmpGtI(Reg, Imm, None) + SiteJump;
    /// jump if (r[a] >= constant b) is as x says
    JmpGeI(Reg, Imm, None) + SiteJump;
    /// jump if (r[a] == constant b) is as x says
    JmpEqI(Reg, Imm, None) + SiteJump;
    /// jump if (r[a] != constant b) is as x says
    JmpNeI(Reg, Imm, None) + SiteJump;

    // ---- calls ----------------------------------------------------------------------------
    /// r[b] = r[a].name(args). Arguments lie at r[a+1]…; see `CallSite` for their order.
    Call(Base, Dst, Site);
    /// r[b] = self.name(args), private methods allowed; r[a] is left unused
    CallSelf(Base, Dst, Site);
    /// a `Call` of `resume` with x positional arguments, at most one, and nothing else
    Resume(Base, Dst, Site);
    /// a `Call` of `Fiber.yield` with x positional arguments, at most one, and nothing else
    FiberYield(Base, Dst, Site);
    /// r[b] = super(args); arguments as for a call, r[a] unused
    Super(Base, Dst, Site);
    /// r[b] = yield(args); arguments as for a call, r[a] unused; x - 1 positional arguments and no others, if x is not 0
    /// (at most `MOST_YIELDED`)
    Yield(Base, Dst, Site);
    /// r[b] = the primitive named by literal c, x arguments at r[a]… (prelude only)
    Prim(Base, Dst, Lit);
    /// r[a] = was the method given a block? (prelude only)
    BlockGiven(Dst, None, None);
    /// return r[a] from this frame (from a block: `next`)
    Return(Reg, None, None);
    /// `break r[a]` out of the block's method; in a lambda: return
    Break(Reg, None, None);
    /// `return r[a]` out of a block's home method, or past `ensure` clauses; in a lambda: return from it
    ReturnFar(Reg, None, None);

    // ---- exceptions -------------------------------------------------------------------------
    /// r[a] = `$!`
    GetErrInfo(Dst, None, None);
    /// `$!` = r[a]
    SetErrInfo(Reg, None, None);
    /// r[a] = r[c] matches exception r[b] in a `rescue` list; x = 1: r[c] is an Array of classes (a splat)
    RescueMatch(Dst, Reg, Reg);
    /// goes on unwinding with what an Ensure or Rescue handler was entered with, r[a]
    Rethrow(Reg, None, None);

    // ---- definitions --------------------------------------------------------------------------
    /// defines method literal b with child c in the default definee; r[a] = its name
    DefMethod(Dst, Lit, Child);
    /// defines singleton method literal b with child c on r[a]; r[a] = its name
    DefSingleton(Reg, Lit, Child);
    /// r[a] = value of the body of class `lo` in scope r[b] with superclass r[b+1] (undef: none given);
    /// runs child `hi` in it
    DefClass(Dst, Base, Count) + LitChild;
    /// r[a] = value of the body of module `lo` in scope r[b]; runs child `hi` in it
    DefModule(Dst, Reg, Count) + LitChild;
    /// r[a] = value of child c run in the singleton class of r[b]
    OpenSingleton(Dst, Reg, Child);
    /// `alias`: r[a] new name, r[b] old name (Symbols)
    AliasMethod(Reg, Reg, None);
    /// `undef` the method named by the Symbol r[a]
    UndefMethod(Reg, None, None);
    /// registers child a to run at exit, the first time this is executed (`END {}`)
    PostExe(Child, Once, None);

    // ---- assignment and patterns ----------------------------------------------------------------
    /// Multiple assignment of r[a] (to_ary) into registers from b: c leading ones, then if x = 1 an Array
    /// of the rest, then `lo` trailing ones
    Destructure(Reg, Base, Count) + Count;
    /// r[a] = r[b].deconstruct (checked to be an Array), or undef when it does not respond to it
    Deconstruct(Dst, Reg, None);
    /// r[a] = r[b].deconstruct_keys(r[c]) (checked to be a Hash), or undef when it does not respond to it
    DeconstructKeys(Dst, Reg, Reg);
    /// r[a] = r[b] (a Hash) has key r[c]
    HashHasKey(Dst, Reg, Reg);
    /// r[a] = r[b] (a Hash) without the keys in the Array r[c], a new Hash
    HashExcept(Dst, Reg, Reg);
    /// r[a] = r[b] (an Array) from index c (signed), without the x last ones, a new Array
    ArraySlice(Dst, Reg, Imm);
    /// raises NoMatchingPatternError for the value r[a]; with b = 1 r[c] is an Array of a `Mismatch` and what it speaks of
    RaiseNoMatch(Reg, Count, Reg);
}

/// More arguments than that `Op::Yield` does not count.
pub const MOST_YIELDED: u16 = 8;

/// The kinds of `defined?` that need the frame or an object (`x` of `Op::Defined`). Expressions
/// whose answer is known at compile time are compiled to a literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum DefinedKind {
    /// `@c` of self
    Ivar,
    /// `$c`
    Global,
    /// `@@c`
    Cvar,
    /// constant `c`, lexically
    Const,
    /// constant `c` in r[b]
    ConstFrom,
    /// public method `c` of r[b]
    Method,
    /// method `c` of self, private too
    Func,
    /// a block was given
    Yield,
    /// a super method exists
    Super,
    /// match variable; the literal field is the number of `GetBackref`
    Backref,
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
    pub fn words(self) -> usize {
        if self.info().second == Second::No { 1 } else { 2 }
    }
}

/// Builds word 1 with separate `b` and `c`.
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
