//! What can be asked of a thread, and its switches.

use std::sync::atomic::{AtomicBool, Ordering};

use asterism_object::space::WellKnown;
use asterism_object::{Value, array, data};
use asterism_vm::backtrace::Backtrace;
use asterism_vm::thread::{Slot, Status, of_object};
use asterism_vm::{Args, Ec, NativeDef, Res};

use super::classes::thread_of;
use asterism_core::exception::backtraces::{locations, stretch};

static THREAD: &[NativeDef] = &[
    NativeDef::new("alive?", alive, 0, 0).leaf(),
    NativeDef::new("status", status, 0, 0).leaf(),
    NativeDef::new("stop?", stopped, 0, 0).leaf(),
    NativeDef::new("inspect", inspect, 0, 0),
    NativeDef::new("to_s", inspect, 0, 0),
    NativeDef::new("backtrace", backtrace, 0, 2),
    NativeDef::new("backtrace_locations", backtrace_locations, 0, 2),
    NativeDef::new("native_thread_id", native_thread_id, 0, 0).leaf(),
    NativeDef::new("name", name, 0, 0).leaf(),
    NativeDef::new("name=", set_name, 1, 1),
    NativeDef::new("priority", priority, 0, 0).leaf(),
    NativeDef::new("priority=", set_priority, 1, 1),
    NativeDef::new("report_on_exception", report, 0, 0).leaf(),
    NativeDef::new("report_on_exception=", set_report, 1, 1).leaf(),
    NativeDef::new("abort_on_exception", abort, 0, 0).leaf(),
    NativeDef::new("abort_on_exception=", set_abort, 1, 1).leaf(),
];

static SINGLETON: &[NativeDef] = &[
    NativeDef::new("current", current, 0, 0).leaf(),
    NativeDef::new("main", main, 0, 0).leaf(),
    NativeDef::new("list", list, 0, 0).leaf(),
    NativeDef::new("report_on_exception", all_report, 0, 0).leaf(),
    NativeDef::new("report_on_exception=", set_all_report, 1, 1).leaf(),
    NativeDef::new("abort_on_exception", all_abort, 0, 0).leaf(),
    NativeDef::new("abort_on_exception=", set_all_abort, 1, 1).leaf(),
    NativeDef::new("ignore_deadlock", ignore, 0, 0).leaf(),
    NativeDef::new("ignore_deadlock=", set_ignore, 1, 1).leaf(),
];

/// Defines the methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Thread);
    ec.define_natives(class, THREAD)?;
    ec.define_singleton_natives(class, SINGLETON)
}

fn current(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(ec.thread.object)
}

fn main(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    match ec.thread.ractor.as_ref().and_then(|ractor| ractor.thread()) {
        Some(first) => Ok(first.object()),
        None => Ok(ec.vm().root(asterism_vm::Root::MainThread)),
    }
}

/// The threads of the running Ractor.
fn list(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let all = ec.living_threads()?;
    let me = ec.ractor_id();
    if !ec.vm().threads.many_ractors.load(Ordering::Acquire) {
        return Ok(all);
    }
    let own = ec.array(&[])?;
    for i in 0..array::len(all) {
        let object = array::get(all, i as i64);
        if of_object(&object).is_some_and(|thread| thread.ractor_id() == me) {
            ec.array_push(own, object)?;
        }
    }
    Ok(own)
}

fn alive(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let alive = thread_of(ec, this)?.is_alive();
    ec.race_acquire(this);
    Ok(Value::bool(alive))
}

fn status(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let thread = thread_of(ec, this)?;
    let status = thread.status();
    ec.race_acquire(this);
    let text = match status {
        Status::Failed => return Ok(Value::NIL),
        Status::Dead => return Ok(Value::FALSE),
        // One that waits in an `ensure` sleeps, killed or not.
        Status::Run if thread.killed.load(Ordering::Acquire) => "aborting",
        Status::Run => "run",
        Status::Sleep | Status::SleepForever => "sleep",
    };
    ec.str(text)
}

fn stopped(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stopped = thread_of(ec, this)?.status() != Status::Run;
    ec.race_acquire(this);
    Ok(Value::bool(stopped))
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let thread = thread_of(ec, this)?;
    let text = ec.describe_thread(&thread);
    let plain = thread.get(Slot::Name).is_nil() && text.is_ascii();
    let encoding = if plain { asterism_symbol::BINARY } else { asterism_symbol::UTF_8 };
    ec.str_enc(text.as_bytes(), encoding)
}

fn backtrace(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let thread = thread_of(ec, this)?;
    if !thread.is_alive() {
        return Ok(Value::NIL);
    }
    let lines = ec.thread_backtrace(&thread);
    let Some((from, count)) = stretch(ec, args, lines.len(), 0)? else { return Ok(Value::NIL) };
    let all = ec.array_with_capacity(count)?;
    for line in lines.into_iter().skip(from).take(count) {
        let line = ec.str(line)?;
        ec.array_push(all, line)?;
    }
    Ok(all)
}

fn backtrace_locations(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let thread = thread_of(ec, this)?;
    if !thread.is_alive() {
        return Ok(Value::NIL);
    }
    let held = ec.thread_locations(&thread)?;
    let count = data::get::<Backtrace>(&held).map_or(0, |b| b.locations.len());
    match stretch(ec, args, count, 0)? {
        Some((from, count)) => locations(ec, held, from, count),
        None => Ok(Value::NIL),
    }
}

fn native_thread_id(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match thread_of(ec, this)?.native_id.load(Ordering::Relaxed) {
        0 => Ok(Value::NIL),
        id => ec.int(i64::from(id)),
    }
}

fn name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(thread_of(ec, this)?.get(Slot::Name))
}

fn set_name(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let thread = thread_of(ec, this)?;
    let name = args[0];
    if name.is_nil() {
        thread.set(Slot::Name, name);
        return Ok(name);
    }
    let text = ec.to_str(name)?;
    let bytes = asterism_object::string::to_string_lossy(ec, text);
    if bytes.contains('\0') {
        return Err(ec.arg_error("string contains null byte"));
    }
    let copy = ec.str(bytes)?;
    let copy = ec.freeze(copy)?;
    thread.set(Slot::Name, copy);
    Ok(name)
}

fn priority(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(i64::from(thread_of(ec, this)?.priority.load(Ordering::Relaxed))))
}

fn set_priority(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let thread = thread_of(ec, this)?;
    let wanted = ec.to_i64(args[0])?.clamp(-3, 3);
    thread.priority.store(wanted as i32, Ordering::Relaxed);
    Ok(args[0])
}

fn read(ec: &mut Ec, this: Value, which: fn(&asterism_vm::thread::RubyThread) -> &AtomicBool) -> Res {
    let thread = thread_of(ec, this)?;
    Ok(Value::bool(which(&thread).load(Ordering::Relaxed)))
}

fn report(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    read(ec, this, |t| &t.report_on_exception)
}

fn set_report(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    thread_of(ec, this)?.report_on_exception.store(args[0].truthy(), Ordering::Relaxed);
    Ok(args[0])
}

fn abort(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    read(ec, this, |t| &t.abort_on_exception)
}

fn set_abort(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    thread_of(ec, this)?.abort_on_exception.store(args[0].truthy(), Ordering::Relaxed);
    Ok(args[0])
}

fn all_report(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(ec.vm().threads.report_on_exception.load(Ordering::Relaxed)))
}

fn set_all_report(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    ec.vm().threads.report_on_exception.store(args[0].truthy(), Ordering::Relaxed);
    Ok(args[0])
}

fn all_abort(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(ec.vm().threads.abort_on_exception.load(Ordering::Relaxed)))
}

fn set_all_abort(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    ec.vm().threads.abort_on_exception.store(args[0].truthy(), Ordering::Relaxed);
    Ok(args[0])
}

fn ignore(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(ec.vm().threads.ignore_deadlock.load(Ordering::Relaxed)))
}

fn set_ignore(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    ec.vm().threads.ignore_deadlock.store(args[0].truthy(), Ordering::Relaxed);
    Ok(args[0])
}
