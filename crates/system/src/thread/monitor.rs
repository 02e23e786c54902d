//! `Monitor`: a lock that its owner can take again. What yields, and MonitorMixin, is in `thread.rb`.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::{LockKind, Marker};
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::{AtomicValue, Value, array};
use asterism_vm::native::PrimFn;
use asterism_vm::thread::mutex::Mutex;
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};

use asterism_core::allocators::set_allocator;

/// What a Monitor holds.
struct Monitor {
    /// The Mutex below.
    mutex: AtomicValue,
    /// How often its owner has entered. Written by the owner only.
    count: AtomicU64,
}

impl DataObject for Monitor {
    const NAME: &'static str = "monitor";
    const SHARED: Shared = Shared::Frozen;

    fn trace(&self, marker: &mut Marker) {
        self.mutex.mark(marker);
    }
}

static MONITOR: &[NativeDef] = &[
    NativeDef::new("enter", enter, 0, 0).leaf(),
    NativeDef::new("mon_enter", enter, 0, 0).leaf(),
    NativeDef::new("exit", exit, 0, 0).leaf(),
    NativeDef::new("mon_exit", exit, 0, 0).leaf(),
    NativeDef::new("try_enter", try_enter, 0, 0).leaf(),
    NativeDef::new("try_mon_enter", try_enter, 0, 0).leaf(),
    NativeDef::new("mon_try_enter", try_enter, 0, 0).leaf(),
    NativeDef::new("mon_locked?", locked, 0, 0).leaf(),
    NativeDef::new("mon_owned?", owned, 0, 0).leaf(),
    NativeDef::new("mon_check_owner", check_owner, 0, 0).leaf(),
    NativeDef::new("wait_for_cond", wait_for_cond, 2, 2),
];

static PRIMITIVES: &[(&str, PrimFn)] = &[("monitor_enter", prim_enter), ("monitor_exit", prim_exit)];

/// Defines the class.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(object, "Monitor", object)?;
    set_allocator(ec, class, allocate);
    ec.vm().add_primitives(PRIMITIVES);
    ec.define_natives(class, MONITOR)
}

fn allocate(ec: &mut Ec, class: Class) -> Res {
    let mutex_class = ec.class(WellKnown::Mutex);
    let mutex = super::mutex::counted(ec, mutex_class, LockKind::Monitor)?;
    let made = data::new(ec, class.0, Monitor { mutex: AtomicValue::new(mutex), count: AtomicU64::new(0) });
    asterism_heap::keep_alive(mutex.bits());
    ec.check(Value::NIL, made)
}

/// The Mutex of a Monitor, and whether the running thread has it.
fn parts<'a>(ec: &mut Ec, this: &'a Value) -> Res<(&'a Monitor, Value, bool)> {
    let Some(monitor) = data::get::<Monitor>(this) else { return Err(ec.type_error("uninitialized monitor")) };
    let mutex = monitor.mutex.load(Ordering::Acquire);
    let me = ec.fiber.id;
    let owned = data::get::<Mutex>(&mutex).is_some_and(|m| m.lock.owner() == me);
    Ok((monitor, mutex, owned))
}

fn enter(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    prim_enter(ec, &[this])
}

fn prim_enter(ec: &mut Ec, args: &[Value]) -> Res {
    let (monitor, mutex, owned) = parts(ec, &args[0])?;
    if owned {
        monitor.count.fetch_add(1, Ordering::Relaxed);
    } else {
        ec.mutex_lock(mutex)?;
        monitor.count.store(1, Ordering::Relaxed);
    }
    Ok(Value::NIL)
}

fn exit(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    prim_exit(ec, &[this])
}

fn prim_exit(ec: &mut Ec, args: &[Value]) -> Res {
    let (monitor, mutex, owned) = parts(ec, &args[0])?;
    if !owned {
        return Err(not_owner(ec));
    }
    let left = monitor.count.load(Ordering::Relaxed).saturating_sub(1);
    monitor.count.store(left, Ordering::Relaxed);
    if left == 0 {
        ec.mutex_unlock(mutex)?;
    }
    Ok(Value::NIL)
}

fn not_owner(ec: &mut Ec) -> asterism_vm::Raised {
    ec.raise(Exc::ThreadError, "current thread not owner")
}

fn try_enter(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (monitor, mutex, owned) = parts(ec, &this)?;
    if owned {
        monitor.count.fetch_add(1, Ordering::Relaxed);
        return Ok(Value::TRUE);
    }
    let got = ec.mutex_try_lock(mutex);
    if got {
        monitor.count.store(1, Ordering::Relaxed);
    }
    Ok(Value::bool(got))
}

fn locked(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (_, mutex, _) = parts(ec, &this)?;
    Ok(Value::bool(data::get::<Mutex>(&mutex).is_some_and(|m| m.lock.owner() != 0)))
}

fn owned(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (_, _, owned) = parts(ec, &this)?;
    Ok(Value::bool(owned))
}

fn check_owner(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (_, _, owned) = parts(ec, &this)?;
    if owned { Ok(Value::NIL) } else { Err(not_owner(ec)) }
}

/// Waits for a ConditionVariable with the Monitor left as often as it was entered.
fn wait_for_cond(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (monitor, mutex, owned) = parts(ec, &this)?;
    if !owned {
        return Err(not_owner(ec));
    }
    let count = monitor.count.load(Ordering::Relaxed);
    monitor.count.store(0, Ordering::Relaxed);
    let pair = ec.array(&[mutex, args[1]]);
    let result = match pair {
        Ok(pair) => ec.call(args[0], asterism_symbol::intern("wait"), array::private_slice(&pair)),
        Err(raised) => Err(raised),
    };
    monitor.count.store(count, Ordering::Relaxed);
    // False when the time is over.
    Ok(Value::bool(result?.truthy()))
}
