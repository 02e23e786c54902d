//! From one handler to the next.

use asterism_compiler::operand::Words;

use super::handler::{End, Handlers, NOTHING, Passed};
use super::state::{Interp, Next, Slow};
use crate::ec::{Ec, Res};
use crate::frame::Frame;

impl<'i> Interp<'i> {
    /// To what `O` does for other operands.
    #[inline(always)]
    pub fn slowly<O: Slow<'i>>(self) -> Res<Next> {
        self.by(slow::<O>)
    }
}

/// The handler of `O` for operands that the other one is not made for.
///
/// # Safety
/// As `Handler` says.
#[inline(never)]
pub(super) unsafe fn slow<'i, O: Slow<'i>>(
    ec: &mut Ec,
    frame: *mut Frame,
    pc: *const u64,
    table: &'static Handlers,
    _: Passed,
    _: Passed,
) -> End {
    // SAFETY: as in `dispatch::run`.
    unsafe {
        let at = Interp::at(&mut *std::ptr::from_mut(ec), frame, pc.add(const { O::OP.words() }));
        let next = O::at(Words::at(pc)).slow(at);
        go_on(ec, frame, pc, next, table)
    }
}

/// Goes on from the instruction of `frame` at `pc`.
///
/// # Safety
/// `next` is what came of that.
#[inline(always)]
pub(super) unsafe fn go_on(
    ec: &mut Ec,
    frame: *mut Frame,
    pc: *const u64,
    next: Res<Next>,
    table: &'static Handlers,
) -> End {
    // SAFETY: the frame and pc that a handler goes on at are the current frame and an instruction of its code.
    unsafe {
        match next {
            Ok(Next::At(frame, pc)) => table.go(ec, frame, pc, table),
            Ok(Next::By(handler, first, second)) => handler(ec, frame, pc, table, first, second),
            Ok(Next::Poll(target)) => poll(ec, frame, target, table, NOTHING, NOTHING),
            Ok(Next::Tick(target)) => ec.tick(frame, target, table, NOTHING, NOTHING),
            Ok(Next::Left(v)) => {
                ec.worker.returned = v;
                End::Left
            }
            Err(raised) => End::raised(raised),
        }
    }
}

/// The handler that leads back to the loop by way of a safepoint.
///
/// # Safety
/// As `Handler` says.
#[cold]
#[inline(never)]
unsafe fn poll(ec: &mut Ec, frame: *mut Frame, pc: *const u64, _table: &'static Handlers, _: Passed, _: Passed) -> End {
    // SAFETY: the frame is the current one.
    unsafe { (*frame).pc = pc };
    match super::poll::poll(ec) {
        Ok(()) => End::Again,
        Err(raised) => End::raised(raised),
    }
}
