//! ThreadGroup.

use asterism_object::space::WellKnown;
use asterism_object::{Value, array, ivars, ownership};
use asterism_vm::thread::{Slot, of_object};
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};

use super::classes::thread_of;

static GROUP: &[NativeDef] = &[
    NativeDef::new("list", list, 0, 0).leaf(),
    NativeDef::new("add", add, 1, 1),
    NativeDef::new("enclose", enclose, 0, 0).leaf(),
    NativeDef::new("enclosed?", is_enclosed, 0, 0).leaf(),
];

static THREAD: &[NativeDef] = &[NativeDef::new("group", group, 0, 0).leaf()];

/// Defines the class, and the group of the main thread.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(object, "ThreadGroup", object)?;
    ec.define_natives(class, GROUP)?;
    let thread = ec.known(WellKnown::Thread);
    ec.define_natives(thread, THREAD)?;
    let default = ec.new_object(class.0)?;
    ec.set_constant(class, asterism_symbol::intern("Default"), default)?;
    ec.thread.handle.set(Slot::Group, default);
    Ok(())
}

fn group(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(thread_of(ec, this)?.get(Slot::Group))
}

fn list(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let all = ec.living_threads()?;
    let members = ec.array(&[])?;
    for i in 0..array::len(all) {
        let object = array::get(all, i as i64);
        if of_object(&object).is_some_and(|thread| thread.get(Slot::Group) == this) {
            ec.array_push(members, object)?;
        }
    }
    Ok(members)
}

fn enclosed(ec: &mut Ec, group: Value) -> bool {
    ivars::get(ec, group, asterism_symbol::intern("__enclosed")).is_some_and(Value::truthy)
}

fn enclose(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.ivar_put(this, asterism_symbol::intern("__enclosed"), Value::TRUE)?;
    Ok(this)
}

fn is_enclosed(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(enclosed(ec, this)))
}

fn add(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let thread = thread_of(ec, args[0])?;
    let from = thread.get(Slot::Group);
    let problem = if ownership::is_frozen(this) {
        "can't move to the frozen thread group"
    } else if enclosed(ec, this) {
        "can't move to the enclosed thread group"
    } else if ownership::is_frozen(from) && !from.is_nil() {
        "can't move from the frozen thread group"
    } else if enclosed(ec, from) {
        "can't move from the enclosed thread group"
    } else {
        thread.set(Slot::Group, this);
        return Ok(this);
    };
    Err(ec.raise(Exc::ThreadError, problem))
}
