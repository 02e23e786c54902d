//! Operands: where in an instruction's words one lies, what it stands for, and what the interpreter gets when it reads it.
//!
//! What is read carries the lifetime `'i` of the instruction it was read from, which nothing else has: a register's number of
//! one instruction cannot be mistaken for another frame's.

use std::marker::PhantomData;

/// A place in an instruction's words.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Place {
    /// Bits 16..32 of word 1.
    A,
    /// Bits 32..48 of word 1.
    B,
    /// Bits 48..64 of word 1.
    C,
    /// Bits 32..64 of word 1: `B` and `C` as one.
    Bc,
    /// Bits 8..16 of word 1.
    X,
    /// Bits 0..32 of word 2.
    Lo,
    /// Bits 32..64 of word 2.
    Hi,
}

impl Place {
    /// The word, and the bits from where to where.
    const fn bits(self) -> (usize, usize, usize) {
        match self {
            Place::A => (0, 16, 32),
            Place::B => (0, 32, 48),
            Place::C => (0, 48, 64),
            Place::Bc => (0, 32, 64),
            Place::X => (0, 8, 16),
            Place::Lo => (1, 0, 32),
            Place::Hi => (1, 32, 64),
        }
    }

    /// How many bits it has.
    pub const fn width(self) -> u32 {
        let (_, from, to) = self.bits();
        (to - from) as u32
    }

    /// Is it one of the second word?
    pub const fn is_second(self) -> bool {
        self.bits().0 == 1
    }

    /// What lies there in the instruction that begins `words`. A second word that is cut off counts as 0.
    pub fn read(self, words: &[u64]) -> u32 {
        let (word, from, to) = self.bits();
        let part = words.get(word).copied().unwrap_or(0) >> from;
        (part & (u64::MAX >> (64 - (to - from)))) as u32
    }
}

/// `part`, a number of `bits` bits, as a signed one.
pub const fn signed(part: u32, bits: u32) -> i32 {
    ((part << (32 - bits)) as i32) >> (32 - bits)
}

/// Where an instruction lies that is under way.
#[derive(Clone, Copy)]
pub struct Words<'i>(*const u64, PhantomData<fn(&'i ()) -> &'i ()>);

impl<'i> Words<'i> {
    /// The instruction at `pc`.
    ///
    /// # Safety
    /// An instruction of verified code begins there, the code lives as long as `'i`, and no other instruction has that lifetime.
    #[inline(always)]
    pub unsafe fn at(pc: *const u64) -> Words<'i> {
        Words(pc, PhantomData)
    }

    /// Its address.
    #[inline(always)]
    pub fn pc(self) -> *const u64 {
        self.0
    }

    /// The operand of kind `K` at place `P`.
    ///
    /// # Safety
    /// The table gives the instruction such an operand there.
    #[inline(always)]
    pub(crate) unsafe fn operand<P: AtPlace, K: OfKind>(self) -> K::Of<'i> {
        let (word, from, to) = const { P::PLACE.bits() };
        let size = (to - from) / 8;
        let byte = if cfg!(target_endian = "little") { from / 8 } else { 8 - from / 8 - size };
        // SAFETY: the instruction has that word, by the caller's contract, and the part lies in it, aligned to its size. A load
        // of just the part costs less than to take the word apart.
        let part = unsafe {
            let at = self.0.add(word).byte_add(byte);
            match size {
                1 => u32::from(*at.cast::<u8>()),
                2 => u32::from(*at.cast::<u16>()),
                _ => *at.cast::<u32>(),
            }
        };
        K::of(part, const { P::PLACE.width() })
    }
}

/// A place, as a type.
pub trait AtPlace {
    /// The place.
    const PLACE: Place;
}

/// A kind of operand, as a type.
pub trait OfKind {
    /// The kind.
    const KIND: Kind;
    /// What is read.
    type Of<'i>;
    /// What `part`, of `bits` bits, says.
    fn of<'i>(part: u32, bits: u32) -> Self::Of<'i>;
}

macro_rules! places {
    ($($place:ident)*) => {
        /// The places, as types: what the table's rows name.
        pub mod place {
            $(#[doc = concat!("`Place::", stringify!($place), "`")]
            pub enum $place {}
            impl crate::operand::AtPlace for $place {
                const PLACE: crate::operand::Place = crate::operand::Place::$place;
            })*
        }
    };
}
places!(A B C Bc X Lo Hi);

/// A number of something in the code, or of one of its registers.
macro_rules! numbers {
    ($($(#[$doc:meta])+ $name:ident)*) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy)]
        pub struct $name<'i>(u32, PhantomData<fn(&'i ()) -> &'i ()>);

        impl $name<'_> {
            #[inline(always)]
            fn number(part: u32, _bits: u32) -> Self {
                $name(part, PhantomData)
            }

            /// The number.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

numbers! {
    /// The number of a register that is read.
    Reg
    /// The number of a register that is written.
    Dst
    /// The number of the first of several registers.
    Base
    /// An index into `Code::call_sites`.
    Site
    /// An index into `Code::literals`.
    Lit
    /// An index into `Code::children`.
    Child
    /// An index into `Code::ivar_sites`.
    Ivar
    /// An index into `Code::const_sites`.
    Const
    /// The number of a once-cell.
    Once
}

impl<'i> Dst<'i> {
    /// The register, to be read before it is written.
    #[inline(always)]
    pub fn before(self) -> Reg<'i> {
        Reg(self.0, PhantomData)
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])+ $name:ident => $of:ty, $read:expr;)*) => {
        /// What an operand stands for: what the verifier checks, the disassembler shows, and a handler reads.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Kind {
            $($(#[$doc])+ $name,)*
        }

        /// The kinds, as types: what the table's rows name.
        pub mod kind {
            $(#[doc = concat!("`Kind::", stringify!($name), "`")]
            pub enum $name {})*
        }

        $(impl OfKind for kind::$name {
            const KIND: Kind = Kind::$name;
            type Of<'i> = $of;
            #[inline(always)]
            fn of<'i>(part: u32, bits: u32) -> Self::Of<'i> {
                $read(part, bits)
            }
        })*
    };
}

kinds! {
    /// A register that is written.
    Dst => Dst<'i>, Dst::number;
    /// A register that is read.
    Reg => Reg<'i>, Reg::number;
    /// A parameter's register, which may be captured.
    Param => Reg<'i>, Reg::number;
    /// A register that is read, or 0 where the instruction needs none.
    MaybeReg => Reg<'i>, Reg::number;
    /// The first of as many registers as the instruction's counts say together; of a call, those of its arguments.
    Base => Base<'i>, Base::number;
    /// The first of two registers.
    Pair => Base<'i>, Base::number;
    /// A count.
    Count => usize, |part: u32, _| part as usize;
    /// How many arguments the call site has.
    Argc => usize, |part: u32, _| part as usize;
    /// One more than the call site has arguments, or 0.
    Known => usize, |part: u32, _| part as usize;
    /// A number that means something to the instruction only.
    Raw => u32, |part: u32, _| part;
    /// 1 or 0.
    Flag => bool, |part: u32, _| part != 0;
    /// A signed constant.
    Imm => i64, |part: u32, bits: u32| i64::from(signed(part, bits));
    /// A jump offset in words, relative to the word after the whole instruction.
    Jump => isize, |part: u32, bits: u32| signed(part, bits) as isize;
    /// A local slot of some scope, which is not a register.
    Slot => usize, |part: u32, _| part as usize;
    /// A number of scopes to go outwards.
    Depth => usize, |part: u32, _| part as usize;
    /// An index into `Code::call_sites`.
    Site => Site<'i>, Site::number;
    /// An index into `Code::literals`.
    Lit => Lit<'i>, Lit::number;
    /// An index into `Code::literals`, or a number, or 0 where the instruction needs none.
    MaybeLit => usize, |part: u32, _| part as usize;
    /// An index into `Code::children`.
    Child => Child<'i>, Child::number;
    /// An index into `Code::ivar_sites`.
    Ivar => Ivar<'i>, Ivar::number;
    /// An index into `Code::const_sites`.
    Const => Const<'i>, Const::number;
    /// A once-cell of the code.
    Once => Once<'i>, Once::number;
}

#[cfg(test)]
#[path = "operand_tests.rs"]
mod tests;
