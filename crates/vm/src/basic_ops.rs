//! Basic operators: the methods of core classes that fast paths stand for, and which of them a program has redefined.
//!
//! The question is kept for each operator and class, so that one redefinition turns off the fast paths that it concerns and
//! no other ones. A change is judged by what a lookup finds after it: a method that boot did not make, in front of the one
//! that it made, is a redefinition; a module without such a method is none.

use std::sync::atomic::{AtomicU32, Ordering};

use asterism_lock::Mutex;
use asterism_object::Sym;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_symbol::sym;

pub(crate) mod changes;

/// A set of core classes that have fast paths, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Classes(u32);

impl Classes {
    /// Integer.
    pub const INTEGER: Classes = Classes(1);
    /// Float.
    pub const FLOAT: Classes = Classes(1 << 1);
    /// Integer and Float.
    pub const NUMBER: Classes = Classes::INTEGER.and(Classes::FLOAT);
    /// String.
    pub const STRING: Classes = Classes(1 << 2);
    /// Symbol.
    pub const SYMBOL: Classes = Classes(1 << 3);
    /// Array.
    pub const ARRAY: Classes = Classes(1 << 4);
    /// Hash.
    pub const HASH: Classes = Classes(1 << 5);
    /// Range.
    pub const RANGE: Classes = Classes(1 << 6);
    /// NilClass, TrueClass, FalseClass.
    pub const CONSTANT: Classes = Classes(1 << 7);
    /// Class and Module.
    pub const MODULE: Classes = Classes(1 << 8);
    /// All the other ones: noted are `!` and `nil?` only, as soon as any class has a method of that name.
    pub const OTHER: Classes = Classes(1 << 9);
    /// Classes that inherit from BasicObject and not from Object: noted is `nil?` only, which they do not have, as soon as there is one.
    pub const BLANK: Classes = Classes(1 << 10);
    /// What immediates that are no numbers are instances of.
    pub const IDENTICAL: Classes = Classes::CONSTANT.and(Classes::SYMBOL);
    /// What immediates are instances of.
    pub const IMMEDIATE: Classes = Classes::IDENTICAL.and(Classes::NUMBER);
    /// What `==` is answered for without a call.
    pub const COMPARED: Classes = Classes::IMMEDIATE.and(Classes::STRING);
    /// All.
    pub const ALL: Classes = Classes((1 << 10) - 1);
    /// Whatever there is, of the questions that are noted for `OTHER` classes.
    pub const ANY: Classes = Classes::NOT_BLANK.and(Classes::BLANK);
    /// The same without what inherits from BasicObject alone.
    pub const NOT_BLANK: Classes = Classes::IMMEDIATE.and(Classes::OTHER);

    /// No class.
    pub const NONE: Classes = Classes(0);

    /// Is a class in both sets?
    pub const fn meets(self, other: Classes) -> bool {
        self.0 & other.0 != 0
    }

    /// The bits.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Both sets.
    pub const fn and(self, other: Classes) -> Classes {
        Classes(self.0 | other.0)
    }
}

/// The classes with their bits.
const WATCHED: [(WellKnown, Classes); 12] = [
    (WellKnown::Integer, Classes::INTEGER),
    (WellKnown::Float, Classes::FLOAT),
    (WellKnown::String, Classes::STRING),
    (WellKnown::Symbol, Classes::SYMBOL),
    (WellKnown::Array, Classes::ARRAY),
    (WellKnown::Hash, Classes::HASH),
    (WellKnown::Range, Classes::RANGE),
    (WellKnown::NilClass, Classes::CONSTANT),
    (WellKnown::TrueClass, Classes::CONSTANT),
    (WellKnown::FalseClass, Classes::CONSTANT),
    (WellKnown::Class, Classes::MODULE),
    (WellKnown::Module, Classes::MODULE),
];

/// An operator that has fast paths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BasicOp(u8);

/// The names beside those of operators, which are the symbols up to `!~`. Those in one row are one operator.
const NAMED: [&[Sym]; 8] = [
    &[sym::to_s],
    &[sym::inspect],
    &[sym::size, sym::length],
    &[sym::empty_p],
    &[sym::nil_p],
    &[sym::max],
    &[sym::min],
    &[sym::to_proc],
];
const OPERATORS: usize = sym::NMATCH.0 as usize + 1;
const COUNT: usize = OPERATORS + NAMED.len();

impl BasicOp {
    /// The operator of that name, if it is one.
    pub const fn of(name: Sym) -> Option<BasicOp> {
        if name.0 >= sym::PLUS.0 && name.0 <= sym::NMATCH.0 {
            return Some(BasicOp(name.0 as u8));
        }
        let mut row = 0;
        while row < NAMED.len() {
            let mut i = 0;
            while i < NAMED[row].len() {
                if NAMED[row][i].0 == name.0 {
                    return Some(BasicOp((OPERATORS + row) as u8));
                }
                i += 1;
            }
            row += 1;
        }
        None
    }

    /// The classes whose method of compiled code takes for the core's without a look: what it does in place, and by helpers that know
    /// the core's classes. Elsewhere it goes by what a site remembers, or asks [`BasicOps`].
    fn assumed(self) -> Classes {
        match self {
            BasicOp::NOT | BasicOp::NIL_P | BasicOp::TO_S | BasicOp::INSPECT | BasicOp::MAX | BasicOp::MIN => {
                Classes::NONE
            }
            BasicOp::EQ | BasicOp::NE | BasicOp::CASE_EQ => Classes::IMMEDIATE,
            BasicOp::SHL => Classes::NUMBER.and(Classes::ARRAY).and(Classes::STRING),
            BasicOp::TO_PROC => Classes::SYMBOL,
            BasicOp::AREF | BasicOp::ASET | BasicOp::SIZE | BasicOp::EMPTY_P => Classes::ARRAY.and(Classes::HASH),
            _ => Classes::NUMBER,
        }
    }

    /// The operator of a name that is one.
    const fn known(name: Sym) -> BasicOp {
        match BasicOp::of(name) {
            Some(op) => op,
            None => panic!("no basic operator"),
        }
    }
}

macro_rules! operators {
    ($($id:ident = $name:ident;)*) => {
        impl BasicOp {
            $(#[doc = concat!("`", stringify!($name), "`")] pub const $id: BasicOp = BasicOp::known(sym::$name);)*
        }
    };
}

operators! {
    ADD = PLUS; SUB = MINUS; MUL = MUL; DIV = DIV; MOD = MOD;
    AND = AND; OR = OR; XOR = XOR; SHL = SHL; SHR = SHR; NEG = UMINUS; NOT = NOT;
    LT = LT; LE = LE; GT = GT; GE = GE; EQ = EQ; NE = NE; CASE_EQ = EQQ; CMP = CMP;
    AREF = AREF; ASET = ASET;
    TO_S = to_s; INSPECT = inspect; SIZE = size; EMPTY_P = empty_p; NIL_P = nil_p; MAX = max; MIN = min; TO_PROC = to_proc;
}

/// A VM's record of redefined basic operators.
pub struct BasicOps {
    /// For each operator the classes whose method is not the core's. Bits are only ever set, by whoever has changed a class.
    redefined: [AtomicU32; COUNT],
    /// What warnings have told of: a class's word, a name. The lock is held for a look at it only.
    told: Mutex<Vec<(u64, Sym)>>,
}

impl BasicOps {
    /// Nothing is redefined.
    pub(crate) const fn new() -> BasicOps {
        BasicOps { redefined: [const { AtomicU32::new(0) }; COUNT], told: Mutex::new(Vec::new()) }
    }

    /// Notes that a warning tells of a method; false if one has.
    pub(crate) fn tell(&self, class: Class, name: Sym) -> bool {
        let mut told = self.told.lock();
        let entry = (class.0.bits(), name);
        let new = !told.contains(&entry);
        if new {
            told.push(entry);
        }
        new
    }

    /// Is `op` the core's in all of `classes`?
    #[inline(always)]
    pub fn intact(&self, op: BasicOp, classes: Classes) -> bool {
        self.redefined[usize::from(op.0)].load(Ordering::Relaxed) & classes.0 == 0
    }

    /// Where the word lies that has the bits of `Classes` for which `op` is redefined, from the beginning on.
    pub const fn word(op: BasicOp) -> usize {
        std::mem::offset_of!(BasicOps, redefined) + 4 * op.0 as usize
    }

    /// Takes `op` for redefined in `classes`.
    fn note(&self, op: BasicOp, classes: Classes) {
        self.redefined[usize::from(op.0)].fetch_or(classes.0, Ordering::Release);
        if op == BasicOp::EQ {
            // The core's `!=` and `===` call it.
            self.note(BasicOp::NE, classes);
            self.note(BasicOp::CASE_EQ, classes);
        }
    }
}
