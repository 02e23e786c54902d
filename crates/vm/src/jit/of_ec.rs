//! What a native thread has for compiled code.

use std::any::Any;
use std::sync::atomic::AtomicU64;

use asterism_object::AtomicValue;

use super::Gate;
use crate::basic_ops::BasicOps;
use crate::interp::end::End;

/// Random numbers in tests: each is the one before, times the first of these, plus the second.
pub const DICE_FACTOR: u32 = 1_664_525;
/// See `DICE_FACTOR`.
pub const DICE_STEP: u32 = 1_013_904_223;

/// What an `Ec` has for compiled code; the worker's.
#[repr(C)]
pub struct OfEc {
    /// The VM's gate.
    pub(super) gate: *const Gate,
    /// What the VM knows of redefined operators.
    pub(super) basic_ops: *const BasicOps,
    /// The serial of the VM's constants.
    pub(super) const_serial: *const AtomicU64,
    /// The VM's table of well-known classes.
    pub(super) classes: *const AtomicValue,
    /// Backward jumps of the interpreter until the next sample.
    pub(crate) loops: u32,
    /// Instructions whose operands are still to be looked at.
    pub(crate) profile: u32,
    /// How often another fiber or machine stack has gone on: what compiled code holds in registers does not outlive that.
    pub(crate) switches: u64,
    /// The gate's epoch when the innermost compiled code on the machine stack in use was entered; 0 within a loop of the interpreter.
    pub(super) entered: u64,
    /// What the interpreter executes for compiled code is counted.
    pub(super) counts: bool,
    /// So is the instruction that it executes now.
    pub(super) counted: bool,
    /// What is random in tests, see `Jit::stress`.
    pub(super) dice: u32,
    /// How compiled code has left.
    pub(super) left: End,
    /// What unwinds an abandoned machine stack, on its way through compiled code.
    pub(super) panic: Option<Box<dyn Any + Send>>,
}

impl OfEc {
    /// Does the thread's `ec.fiber.frame` name the frame that runs, at this instruction? `profile::sampler` says why.
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
