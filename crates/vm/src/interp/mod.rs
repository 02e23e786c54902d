//! The interpreter: one loop over the register bytecode of `asterism-compiler`.
//!
//! [`execute`] runs the current frame until it returns to native code. Ruby methods and blocks that the code
//! calls run in the same loop: a call pushes a frame and goes on there. When something raises, the loop is left
//! with `Err`, [`unwind`] finds who handles it, and the loop is entered again.

mod arith;
pub(crate) mod blocks;
pub(crate) mod calls;
pub(crate) mod collections;
mod compare;
mod define;
pub(crate) mod dispatch;
pub(crate) mod end;
mod exceptions;
mod go_on;
pub(crate) mod handler;
mod machine_stack;
mod moves;
mod patterns;
mod poll;
pub(crate) mod quick;
mod rare;
pub(crate) mod scope;
pub(crate) mod slots;
mod state;
pub(crate) mod strings;
pub mod trace;
mod tracer;
pub(crate) mod unwind;
mod vars;

use crate::ec::{Ec, Res};
pub use define::is_always_private;
pub use poll::poll;
pub(crate) use quick::quick_equal;
pub use quick::range_covers;
use unwind::Unwound;

/// Runs the current frame (whose continuation is `Cont::Native` or `NativeSelf`) to its end.
///
/// # Errors
/// What the frame raises, or one above it, and none of them rescues; SystemStackError; FiberError if there is no
/// machine stack to go on.
pub fn execute(ec: &mut Ec) -> Res {
    if ec.is_machine_full() {
        return ec.execute_elsewhere();
    }
    if let Err(raised) = ec.check_stack() {
        let frame = ec.fiber.frame;
        // SAFETY: it is the current frame.
        unsafe { ec.pop_frame(frame) };
        return Err(raised);
    }
    ec.worker.depth += 1;
    let result = loop {
        match dispatch::dispatch(ec) {
            Ok(v) => break Ok(v),
            Err(raised) => match unwind::unwind(ec, raised) {
                Unwound::Resume => {}
                Unwound::Finished(v) => break Ok(v),
                Unwound::Leave(raised) => break Err(raised),
            },
        }
    };
    ec.worker.depth -= 1;
    ec.pass_tracer_on();
    ec.pass_races_on();
    result
}

/// Runs the fibers that come to a machine stack of the pool, one after the other. `raised`: the first one begins with that.
pub(crate) fn run_fibers(ec: &mut Ec, mut arrived: Res<()>) -> ! {
    loop {
        let raised = match arrived {
            Ok(()) => match dispatch::dispatch(ec) {
                Err(raised) => raised,
                // A fiber's first frame returns to no native code.
                Ok(_) => std::process::abort(),
            },
            Err(raised) => raised,
        };
        match unwind::unwind(ec, raised) {
            Unwound::Resume => arrived = Ok(()),
            Unwound::Finished(_) | Unwound::Leave(_) => std::process::abort(),
        }
    }
}
