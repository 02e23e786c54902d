//! The interpreter: one loop over the register bytecode of `asterism-compiler`.
//!
//! [`execute`] runs the current frame until it returns to native code. Ruby methods and blocks that the code
//! calls run in the same loop: a call pushes a frame and goes on there. When something raises, the loop is left
//! with `Err`, [`unwind`] finds who handles it, and the loop is entered again.

mod define;
mod dispatch;
mod ops;
mod quick;
mod rare;
mod scope;
mod send;
mod unwind;

use crate::ec::{Ec, Res};
use unwind::Unwound;

/// Runs the current frame (whose continuation is `Cont::Native` or `NativeSelf`) to its end.
///
/// # Errors
/// What leaves that frame unhandled.
pub fn execute(ec: &mut Ec) -> Res {
    if let Err(raised) = ec.check_stack() {
        let frame = ec.frame;
        ec.pop_frame(frame);
        return Err(raised);
    }
    loop {
        match dispatch::dispatch(ec) {
            Ok(v) => return Ok(v),
            Err(raised) => match unwind::unwind(ec, raised) {
                Unwound::Resume => {}
                Unwound::Finished(v) => return Ok(v),
                Unwound::Leave(raised) => return Err(raised),
            },
        }
    }
}

/// What a thread does when its poll word asks for attention.
///
/// # Errors
/// What another thread raised into this one, or that it is killed.
#[cold]
#[inline(never)]
pub fn poll(ec: &mut Ec) -> Res<()> {
    ec.safepoint();
    crate::thread::check_interrupts(ec)
}
