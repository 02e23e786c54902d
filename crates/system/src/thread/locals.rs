//! Variables of a thread: fiber-local ones (`Thread#[]`) and thread-local ones (`Thread#thread_variable_get`).

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, hash, ownership};
use asterism_vm::thread::{RubyThread, Slot};
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};

use super::classes::thread_of;

static THREAD: &[NativeDef] = &[
    NativeDef::new("[]", get, 1, 1),
    NativeDef::new("[]=", set, 2, 2),
    NativeDef::new("key?", has, 1, 1),
    NativeDef::new("keys", keys, 0, 0).leaf(),
    NativeDef::new("fetch", fetch, 1, 2),
    NativeDef::new("thread_variable_get", variable_get, 1, 1),
    NativeDef::new("thread_variable_set", variable_set, 2, 2),
    NativeDef::new("thread_variable?", variable_has, 1, 1),
    NativeDef::new("thread_variables", variable_keys, 0, 0).leaf(),
];

/// Defines the methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class: Class = ec.known(WellKnown::Thread);
    ec.define_natives(class, THREAD)
}

fn key(ec: &mut Ec, v: Value) -> Res {
    Ok(Value::sym(ec.to_sym(v)?))
}

fn read(ec: &mut Ec, thread: &RubyThread, slot: Slot, name: Value) -> Res<Option<Value>> {
    ec.race_acquire(thread.object());
    let table = thread.get(slot);
    if table.is_nil() {
        return Ok(None);
    }
    ec.hash_get(table, name)
}

fn write(ec: &mut Ec, this: Value, slot: Slot, name: Value, value: Value) -> Res {
    if ownership::is_frozen(this) {
        let class = ec.exc_class(Exc::FrozenError);
        return Err(ec.raise_class(class, b"can't modify frozen thread locals"));
    }
    let thread = thread_of(ec, this)?;
    ec.race_release(thread.object());
    let mut table = thread.get(slot);
    if table.is_nil() {
        if value.is_nil() {
            return Ok(value);
        }
        let made = ec.new_hash()?;
        table = thread.set_if_nil(slot, made);
    }
    if value.is_nil() {
        ec.hash_delete(table, name)?;
    } else {
        ec.hash_set(table, name, value)?;
    }
    Ok(value)
}

fn names(ec: &mut Ec, this: Value, slot: Slot) -> Res {
    let table = thread_of(ec, this)?.get(slot);
    if table.is_nil() {
        return ec.array(&[]);
    }
    let keys = hash::keys(ec, table);
    ec.check(table, keys)
}

fn get(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = key(ec, args[0])?;
    let thread = thread_of(ec, this)?;
    Ok(read(ec, &thread, Slot::Locals, name)?.unwrap_or(Value::NIL))
}

fn set(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = key(ec, args[0])?;
    write(ec, this, Slot::Locals, name, args[1])
}

fn has(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = key(ec, args[0])?;
    let thread = thread_of(ec, this)?;
    Ok(Value::bool(read(ec, &thread, Slot::Locals, name)?.is_some()))
}

fn keys(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    names(ec, this, Slot::Locals)
}

fn fetch(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = key(ec, args[0])?;
    let thread = thread_of(ec, this)?;
    if let Some(value) = read(ec, &thread, Slot::Locals, name)? {
        return Ok(value);
    }
    if let Some(block) = args.block() {
        return ec.yield1(block, args[0]);
    }
    if let Some(default) = args.get(1) {
        return Ok(default);
    }
    let shown = ec.inspect_for_error(name)?;
    let message = [b"key not found: ".as_slice(), &shown].concat();
    Err(ec.key_error(message, this, name))
}

fn variable_get(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = key(ec, args[0])?;
    let thread = thread_of(ec, this)?;
    Ok(read(ec, &thread, Slot::Variables, name)?.unwrap_or(Value::NIL))
}

fn variable_set(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = key(ec, args[0])?;
    write(ec, this, Slot::Variables, name, args[1])
}

fn variable_has(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = key(ec, args[0])?;
    let thread = thread_of(ec, this)?;
    Ok(Value::bool(read(ec, &thread, Slot::Variables, name)?.is_some()))
}

fn variable_keys(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    names(ec, this, Slot::Variables)
}
