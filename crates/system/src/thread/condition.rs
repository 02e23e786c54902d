//! `Thread::ConditionVariable`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use asterism_heap::{Marker, Stores};
use asterism_lock::Mutex as Lock;
use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_vm::fiber::scheduler::{Parked, wake_first};
use asterism_vm::thread::mutex::Mutex;
use asterism_vm::thread::{Sleep, Wake, deadline_after};
use asterism_vm::{Args, Ec, NativeDef, Res};

use super::time;
use asterism_core::allocators::set_allocator;

/// What a ConditionVariable holds: who waits, the longest first. No safepoint under the lock.
#[derive(Default)]
struct Condition(Lock<VecDeque<Parked>>);

impl DataObject for Condition {
    const NAME: &'static str = "condvar";
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

static CONDITION: &[NativeDef] = &[
    NativeDef::new("wait", wait, 1, 2),
    NativeDef::new("signal", signal, 0, 0).leaf(),
    NativeDef::new("broadcast", broadcast, 0, 0).leaf(),
    NativeDef::new("marshal_dump", marshal_dump, 0, 0),
];

/// Defines the class.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = super::classes::define_shared(ec, "ConditionVariable", object)?;
    set_allocator(ec, class, allocate);
    ec.define_natives(class, CONDITION)
}

fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, Condition::default());
    ec.check(Value::NIL, made)
}

fn marshal_dump(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let class = ec.class_name_of(this);
    Err(ec.type_error(format!("can't dump {class}")))
}

impl Condition {
    /// Leaves the queue; whether the thread was still in it.
    fn leave(&self, me: &Parked) -> bool {
        let mut waiting = self.0.lock();
        match waiting.iter().position(|other| other.is(me)) {
            Some(at) => waiting.remove(at).is_some(),
            None => false,
        }
    }

    fn signal(&self) {
        let mut waiting = self.0.lock();
        wake_first(&mut waiting);
    }
}

fn wait(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(condition) = data::get::<Condition>(&this) else {
        return Err(ec.type_error("uninitialized condition variable"));
    };
    let (mutex, timeout) = (args[0], args.or_nil(1));
    if let Some(scheduler) = ec.scheduler()
        && data::is::<Mutex>(mutex)
    {
        return wait_by_fiber(ec, this, condition, mutex, timeout, scheduler);
    }
    let thread = ec.thread.handle.clone();
    let me = Parked::Thread(thread.clone());
    if !data::is::<Mutex>(mutex) {
        // Anything that can `sleep` will do.
        condition.0.lock().push_back(me.clone());
        let result = ec.call(mutex, asterism_symbol::intern("sleep"), &[timeout]);
        condition.leave(&me);
        ec.race_acquire(this);
        return result;
    }
    let start = Instant::now();
    let deadline = match timeout {
        Value::NIL => None,
        v => deadline_after(time::interval(ec, v)?),
    };
    let sleep = Sleep::for_thread(deadline);
    ec.check_blocking()?;
    {
        let mut waiting = condition.0.lock();
        thread.prepare_wait(false);
        waiting.push_back(me.clone());
    }
    if let Err(raised) = ec.mutex_unlock(mutex) {
        condition.leave(&me);
        return Err(raised);
    }
    if sleep == Sleep::Deadly {
        // Not before: unlocking may have woken another thread. And not if it was signalled meanwhile.
        let waiting = condition.0.lock();
        if waiting.iter().any(|other| other.is(&me)) {
            thread.begin_deadly();
        }
    }
    let wake = ec.park_for(this, sleep);
    let signalled = !condition.leave(&me);
    ec.race_acquire(this);
    ec.mutex_relock(mutex)?;
    if let Err(raised) = ec.check_blocking() {
        if signalled {
            // This thread makes nothing of the signal.
            condition.signal();
            ec.wake_fibers_quietly();
        }
        return Err(raised);
    }
    asterism_heap::keep_alive(this.bits());
    Ok(if wake == Wake::TimedOut && !signalled { Value::NIL } else { time::slept(start) })
}

/// As `wait`, while the thread runs other fibers.
fn wait_by_fiber(
    ec: &mut Ec,
    this: Value,
    condition: &Condition,
    mutex: Value,
    timeout: Value,
    scheduler: Value,
) -> Res {
    let start = Instant::now();
    let wait = ec.begin_fiber_wait(scheduler, this)?;
    let me = Parked::Fiber(Arc::clone(&wait));
    condition.0.lock().push_back(me.clone());
    let waited = match ec.mutex_unlock(mutex) {
        Ok(()) => ec.block_fiber(scheduler, this, timeout).map(drop),
        Err(raised) => {
            condition.leave(&me);
            drop(wait);
            return Err(raised);
        }
    };
    let signalled = !condition.leave(&me);
    ec.race_acquire(this);
    drop(wait);
    if let Err(raised) = waited {
        let pending = ec.take_pending();
        if signalled {
            // This fiber makes nothing of the signal.
            condition.signal();
        }
        ec.mutex_relock(mutex)?;
        ec.wake_fibers_quietly();
        ec.thread.pending = pending;
        return Err(raised);
    }
    ec.mutex_relock(mutex)?;
    asterism_heap::keep_alive(this.bits());
    Ok(if signalled { time::slept(start) } else { Value::NIL })
}

fn signal(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.race_release(this);
    if let Some(condition) = data::get::<Condition>(&this) {
        condition.signal();
        ec.wake_fibers()?;
    }
    Ok(this)
}

fn broadcast(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.race_release(this);
    if let Some(condition) = data::get::<Condition>(&this) {
        for waiting in condition.0.lock().drain(..) {
            waiting.unpark();
        }
    }
    ec.wake_fibers()?;
    Ok(this)
}
