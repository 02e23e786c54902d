//! The operands of an instruction.

use asterism_compiler::opcode::{Op, TABLE};

/// The first word of the instruction under way. Its parts are read where they are needed: a load costs less than
/// taking a word apart, and than keeping it in a register.
#[derive(Clone, Copy)]
pub struct Operands(*const u64);

impl Operands {
    /// Those of the instruction at `pc`.
    ///
    /// # Safety
    /// An instruction begins there, and its code is kept alive as long as they are used.
    #[inline(always)]
    pub unsafe fn at(pc: *const u64) -> Operands {
        Operands(pc)
    }

    /// The bytes from bit `SHIFT` of the word.
    #[inline(always)]
    fn part<T: Copy, const SHIFT: usize>(self) -> T {
        let at = SHIFT / 8;
        let at = if cfg!(target_endian = "little") { at } else { 8 - at - size_of::<T>() };
        // SAFETY: the address is that of a word of code, and the part lies in it, aligned to its size.
        unsafe { *self.0.byte_add(at).cast::<T>() }
    }

    /// The operation.
    #[inline(always)]
    pub fn op(self) -> Op {
        let op: u8 = self.part::<u8, 0>();
        debug_assert!(usize::from(op) < TABLE.len());
        // SAFETY: the compiler only emits opcodes of the table.
        unsafe { std::mem::transmute::<u8, Op>(op) }
    }

    /// `x`
    #[inline(always)]
    pub fn x(self) -> u8 {
        self.part::<u8, 8>()
    }

    /// `a`
    #[inline(always)]
    pub fn a(self) -> u16 {
        self.part::<u16, 16>()
    }

    /// `b`
    #[inline(always)]
    pub fn b(self) -> u16 {
        self.part::<u16, 32>()
    }

    /// `c`
    #[inline(always)]
    pub fn c(self) -> u16 {
        self.part::<u16, 48>()
    }

    /// `b` and `c` as one.
    #[inline(always)]
    pub fn wide(self) -> u32 {
        self.part::<u32, 32>()
    }

    /// The second word of an instruction that has one.
    #[inline(always)]
    pub fn second(self) -> Operands {
        Operands(self.0.wrapping_add(1))
    }

    /// The lower half of an instruction's second word.
    #[inline(always)]
    pub fn low(self) -> u32 {
        self.part::<u32, 0>()
    }

    /// The word.
    #[inline(always)]
    pub fn word(self) -> u64 {
        self.part::<u64, 0>()
    }
}

#[cfg(test)]
#[path = "operands_tests.rs"]
mod tests;
