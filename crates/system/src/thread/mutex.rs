//! `Thread::Mutex`.

use std::time::Instant;

use asterism_heap::LockKind;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, data};
use asterism_vm::native::PrimFn;
use asterism_vm::thread::mutex::Mutex;
use asterism_vm::{Args, Ec, NativeDef, Res};

use super::time;
use asterism_core::allocators::set_allocator;

static MUTEX: &[NativeDef] = &[
    NativeDef::new("lock", lock, 0, 0).leaf(),
    NativeDef::new("unlock", unlock, 0, 0).leaf(),
    NativeDef::new("try_lock", try_lock, 0, 0).leaf(),
    NativeDef::new("locked?", locked, 0, 0).leaf(),
    NativeDef::new("owned?", owned, 0, 0).leaf(),
    NativeDef::new("sleep", sleep, 0, 1),
];

static PRIMITIVES: &[(&str, PrimFn)] =
    &[("mutex_lock", prim_lock), ("mutex_unlock", prim_unlock), ("mutex_leave", prim_leave)];

/// Defines the class.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = super::classes::define_shared(ec, "Mutex", object)?;
    ec.vm().space.classes.set(WellKnown::Mutex, class.0);
    set_allocator(ec, class, allocate);
    ec.vm().add_primitives(PRIMITIVES);
    ec.define_natives(class, MUTEX)
}

fn allocate(ec: &mut Ec, class: Class) -> Res {
    new(ec, class.0)
}

/// A new Mutex.
///
/// # Errors
/// NoMemoryError.
pub fn new(ec: &mut Ec, class: Value) -> Res {
    counted(ec, class, LockKind::Mutex)
}

/// A new Mutex that counts, if locks are counted, as this.
///
/// # Errors
/// NoMemoryError.
pub fn counted(ec: &mut Ec, class: Value, kind: LockKind) -> Res {
    let site = ec.lock_site(kind);
    let made = data::new(ec, class, Mutex { site, ..Mutex::default() });
    ec.check(Value::NIL, made)
}

fn prim_lock(ec: &mut Ec, args: &[Value]) -> Res {
    ec.mutex_lock(args[0])?;
    Ok(args[0])
}

fn prim_unlock(ec: &mut Ec, args: &[Value]) -> Res {
    ec.mutex_unlock(args[0])?;
    Ok(args[0])
}

/// Unlocks it where nothing else is under way: what was raised into the thread while another one had it does not wait any longer.
fn prim_leave(ec: &mut Ec, args: &[Value]) -> Res {
    ec.mutex_unlock(args[0])?;
    ec.deliver_interrupts()?;
    Ok(args[0])
}

fn lock(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.mutex_lock(this)?;
    Ok(this)
}

fn unlock(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.mutex_unlock(this)?;
    Ok(this)
}

fn try_lock(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(ec.mutex_try_lock(this)))
}

fn locked(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(data::get::<Mutex>(&this).is_some_and(|m| m.lock.owner() != 0)))
}

fn owned(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let me = ec.fiber.id;
    Ok(Value::bool(data::get::<Mutex>(&this).is_some_and(|m| m.lock.owner() == me)))
}

fn sleep(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let start = Instant::now();
    let until = match args.get(0) {
        None | Some(Value::NIL) => None,
        Some(v) => asterism_vm::thread::deadline_after(time::interval(ec, v)?),
    };
    if let Some(scheduler) = ec.scheduler() {
        ec.mutex_unlock(this)?;
        let timeout = args.or_nil(0);
        let slept = match until {
            None => ec.block_fiber(scheduler, this, Value::NIL),
            Some(_) => ec.call(scheduler, asterism_symbol::intern("kernel_sleep"), &[timeout]),
        };
        let pending = ec.take_pending();
        ec.mutex_relock(this)?;
        ec.thread.pending = pending;
        slept?;
        return Ok(time::slept(start));
    }
    ec.mutex_unlock(this)?;
    let woken = ec.sleep_until(until, true);
    ec.mutex_relock(this)?;
    Ok(if woken? { time::slept(start) } else { Value::NIL })
}
