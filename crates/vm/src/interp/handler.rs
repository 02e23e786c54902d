//! What a handler is, and the table of one for each opcode.

use std::mem::MaybeUninit;

pub(crate) use super::end::End;
use crate::ec::Ec;
use crate::frame::Frame;

/// Executes the instruction at a pc of the current frame, and goes on by a table. Two words are for what one handler of an
/// instruction passes to another one; from instruction to instruction they say nothing.
///
/// Its callers promise: the frame is the current one, a Ruby frame of verified code, in which an instruction of the handler's
/// opcode begins at the pc.
pub(crate) type Handler = unsafe fn(&mut Ec, *mut Frame, *const u64, &'static Handlers, Passed, Passed) -> End;

/// A word that is passed from handler to handler, or no word.
pub(crate) type Passed = MaybeUninit<u64>;

/// No word.
pub(super) const NOTHING: Passed = Passed::uninit();

/// A handler for each opcode's number. The numbers that are none lead back to the loop, which meets them in no verified code.
pub(crate) struct Handlers(pub(super) [Handler; 256]);

/// The number of the opcode of the instruction at `pc`.
///
/// # Safety
/// An instruction begins there.
#[inline(always)]
pub(super) unsafe fn opcode(pc: *const u64) -> u8 {
    // SAFETY: the caller's contract. A load of the byte costs less than to take the word apart.
    unsafe { if cfg!(target_endian = "little") { *pc.cast::<u8>() } else { *pc as u8 } }
}

/// The handler that leads back to the loop, which goes on where the current frame's saved pc says.
///
/// # Safety
/// As `Handler` says.
#[cold]
pub(super) unsafe fn again(
    _ec: &mut Ec,
    _frame: *mut Frame,
    _pc: *const u64,
    _table: &'static Handlers,
    _: Passed,
    _: Passed,
) -> End {
    End::Again
}

impl Handlers {
    /// Executes the instruction at `pc` by this table's handler, which goes on by the table `then`.
    ///
    /// # Safety
    /// As for a handler.
    #[inline(always)]
    pub(crate) unsafe fn go(&self, ec: &mut Ec, frame: *mut Frame, pc: *const u64, then: &'static Handlers) -> End {
        // SAFETY: the caller's contract.
        unsafe { (self.0[usize::from(opcode(pc))])(ec, frame, pc, then, NOTHING, NOTHING) }
    }
}
