//! Process and signals.

mod child;
mod children;
pub mod clock;
mod fork;
mod ids;
mod observe;
pub mod signals;
mod spawn;
pub(crate) mod title;

pub use observe::PREFIX as OBSERVE_PREFIX;
pub use signals::{Receivers, Relay, Traps, die_by_signal, handle_signal, install_signals, run_exit_trap};
pub use spawn::{adopt_child, wait_for_child};
pub use title::make_room as make_room_for_title;

use asterism_object::space::WellKnown;
use asterism_object::{Value, string};
use asterism_vm::{Args, Ec, NativeDef, Res};

static PROCESS: &[NativeDef] = &[NativeDef::new("__title", set_title, 1, 1).private()];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let process = ec.known(WellKnown::Process);
    ec.define_singleton_natives(process, PROCESS)?;
    fork::init(ec)?;
    clock::init(ec)?;
    ids::init(ec)?;
    signals::init(ec)?;
    spawn::init(ec)
}

fn set_title(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    ec.check_process("setproctitle")?;
    title::set(&string::to_vec(ec, args[0]));
    Ok(Value::NIL)
}
