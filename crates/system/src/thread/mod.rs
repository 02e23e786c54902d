//! Thread, ThreadGroup, Mutex, Monitor, queues and condition variables: what Ruby programs see of the VM's threads.
//!
//! `new` makes and ends threads, `state` tells about them, `locals` keeps their variables; `mutex`, `monitor`, `queue`
//! and `condition` are what threads wait for one another with; `time` is sleep and timeouts; `group` is ThreadGroup.
//! The protocols behind it lie in the VM's `thread` module. `thread.rb` has what yields.

mod classes;
mod condition;
mod group;
mod locals;
mod monitor;
mod mutex;
mod new;
mod queue;
mod state;
pub mod time;

use asterism_object::Value;
use asterism_object::class::Class;
use asterism_vm::vm::Root;
use asterism_vm::{Ec, Exc, Res};

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let exception = Class(ec.exc_class(Exc::Exception));
    // A class without a constant: nobody is to rescue it by name.
    let fatal = ec.new_class(exception)?;
    fatal.set_name(Value::sym(asterism_symbol::intern("fatal")));
    ec.vm().set_root(Root::Fatal, fatal.0);
    new::init(ec)?;
    state::init(ec)?;
    locals::init(ec)?;
    group::init(ec)?;
    time::init(ec)?;
    mutex::init(ec)?;
    queue::init(ec)?;
    condition::init(ec)?;
    monitor::init(ec)
}
