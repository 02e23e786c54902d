//! `Thread::Queue` and `Thread::SizedQueue`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use asterism_heap::{Charge, Marker};
use asterism_lock::Mutex as Lock;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::{Value, array, ownership};
use asterism_vm::fiber::scheduler::{Parked, wake_first};
use asterism_vm::thread::{Sleep, Wake};
use asterism_vm::{ANY, Args, Ec, Exc, NativeDef, Raised, Res};

use super::time;
use asterism_core::allocators::set_allocator;

/// What is protected by a queue's lock. No safepoint under it.
struct Inner {
    items: VecDeque<Value>,
    /// Who waits for an item, the longest first.
    takers: VecDeque<Parked>,
    /// Who waits for room.
    givers: VecDeque<Parked>,
    closed: bool,
    /// Counts what `items` has room for.
    room: Charge,
    /// Most items; `usize::MAX` for a plain Queue.
    max: usize,
}

/// What a Queue object holds, and whether it has been initialised.
struct Queue(Lock<Inner>, AtomicBool);

impl DataObject for Queue {
    const NAME: &'static str = "queue";

    fn trace(&self, marker: &mut Marker) {
        for v in &self.0.lock().items {
            marker.mark(v.bits());
        }
    }
}

static QUEUE: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 0, 1).private(),
    NativeDef::new("push", push, 1, 1).leaf(),
    NativeDef::new("<<", push, 1, 1).leaf(),
    NativeDef::new("enq", push, 1, 1).leaf(),
    NativeDef::new("pop", pop, 0, 2),
    NativeDef::new("shift", pop, 0, 2),
    NativeDef::new("deq", pop, 0, 2),
    NativeDef::new("close", close, 0, 0).leaf(),
    NativeDef::new("closed?", closed, 0, 0).leaf(),
    NativeDef::new("empty?", empty, 0, 0).leaf(),
    NativeDef::new("size", size, 0, 0).leaf(),
    NativeDef::new("length", size, 0, 0).leaf(),
    NativeDef::new("clear", clear, 0, 0).leaf(),
    NativeDef::new("num_waiting", num_waiting, 0, 0).leaf(),
    NativeDef::new("freeze", freeze, 0, 0),
    NativeDef::new("marshal_dump", marshal_dump, 0, 0),
];

static SIZED: &[NativeDef] = &[
    NativeDef::new("initialize", sized_initialize, 1, 1).private(),
    NativeDef::new("push", sized_push, 1, ANY),
    NativeDef::new("<<", sized_push, 1, ANY),
    NativeDef::new("enq", sized_push, 1, ANY),
    NativeDef::new("max", max, 0, 0).leaf(),
    NativeDef::new("max=", set_max, 1, 1),
];

/// Defines the classes.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let queue = super::classes::define_shared(ec, "Queue", object)?;
    ec.vm().space.classes.set(WellKnown::Queue, queue.0);
    set_allocator(ec, queue, allocate);
    ec.define_natives(queue, QUEUE)?;
    let sized = super::classes::define_shared(ec, "SizedQueue", queue)?;
    set_allocator(ec, sized, allocate_sized);
    ec.define_natives(sized, SIZED)
}

fn allocate(ec: &mut Ec, class: Class) -> Res {
    new(ec, class, usize::MAX)
}

fn allocate_sized(ec: &mut Ec, class: Class) -> Res {
    new(ec, class, 0)
}

fn new(ec: &mut Ec, class: Class, max: usize) -> Res {
    let room = ec.new_charge();
    let inner =
        Inner { items: VecDeque::new(), takers: VecDeque::new(), givers: VecDeque::new(), closed: false, room, max };
    let made = data::new(ec, class.0, Queue(Lock::new(inner), AtomicBool::new(false)));
    ec.check(Value::NIL, made)
}

fn queue<'a>(ec: &mut Ec, this: &'a Value) -> Res<&'a Queue> {
    match data::get::<Queue>(this) {
        Some(queue) if queue.1.load(Ordering::Relaxed) => Ok(queue),
        _ => Err(not_initialized(ec, *this)),
    }
}

/// As `queue`, whether it has been initialised or not.
fn allocated<'a>(ec: &mut Ec, this: &'a Value) -> Res<&'a Queue> {
    match data::get::<Queue>(this) {
        Some(queue) => Ok(queue),
        None => Err(not_initialized(ec, *this)),
    }
}

fn not_initialized(ec: &mut Ec, this: Value) -> Raised {
    let shown = ec.any_to_s(this);
    ec.type_error(format!("{shown} not initialized"))
}

fn leave(list: &mut VecDeque<Parked>, me: &Parked) {
    if let Some(at) = list.iter().position(|other| other.is(me)) {
        list.remove(at);
    }
}

fn wake_one(list: &mut VecDeque<Parked>) {
    wake_first(list);
}

impl Inner {
    /// Appends an item; `false`: no memory.
    fn put(&mut self, v: Value) -> bool {
        if self.items.len() == self.items.capacity() {
            let grown = self.items.capacity().saturating_mul(2).max(4);
            let counted = self.room.set(grown.saturating_mul(size_of::<Value>()));
            if !counted || self.items.try_reserve_exact(grown - self.items.len()).is_err() {
                return false;
            }
        }
        self.items.push_back(v);
        wake_one(&mut self.takers);
        true
    }
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    allocated(ec, &this)?.1.store(true, Ordering::Relaxed);
    let Some(given) = args.get(0) else { return Ok(Value::NIL) };
    let items = match ec.check_array(given)? {
        Some(items) => items,
        None => {
            let to_a = asterism_symbol::sym::to_a;
            if !ec.respond_to(given, to_a, true)? {
                let name = ec.class_name_of(given);
                return Err(ec.type_error(format!("can't convert {name} into Array")));
            }
            let made = ec.call(given, to_a, &[])?;
            if !made.is_type(asterism_object::types::Type::Array) {
                let got = ec.class_name_of(made);
                return Err(ec.conversion_mismatch(given, "Array", to_a, &got));
            }
            made
        }
    };
    for i in 0..array::len(items) {
        give(ec, this, array::get(items, i as i64))?;
    }
    Ok(Value::NIL)
}

/// Appends without waiting.
fn give(ec: &mut Ec, this: Value, v: Value) -> Res<()> {
    let queue = queue(ec, &this)?;
    // Whoever takes it need not ask this thread for it.
    ownership::release(ec, v);
    ec.race_release(this);
    let done = {
        let mut inner = queue.0.lock();
        if inner.closed { None } else { Some(inner.put(v)) }
    };
    match done {
        Some(true) => ec.wake_fibers(),
        Some(false) => Err(ec.no_memory()),
        None => Err(closed_error(ec)),
    }
}

fn closed_error(ec: &mut Ec) -> Raised {
    ec.raise(Exc::ClosedQueueError, "queue closed")
}

fn push(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    give(ec, this, args[0])?;
    Ok(this)
}

/// `non_block = false, timeout: nil`: whether not to wait, and until when.
fn options(ec: &mut Ec, args: Args<'_>, from: usize) -> Res<(bool, Option<Instant>, bool)> {
    let (positional, keywords) = args.split_keywords();
    if positional.len() > from + 1 {
        return Err(ec.arity_error(positional.len(), from, Some(from + 1)));
    }
    let non_block = positional.get(from).is_some_and(|v| v.truthy());
    let mut timeout = Value::NIL;
    if let Some(h) = keywords {
        let name = Value::sym(asterism_symbol::intern("timeout"));
        timeout = ec.hash_get(h, name)?.unwrap_or(Value::NIL);
        for i in 0.. {
            let keys = asterism_object::hash::keys(ec, h);
            let keys = ec.check(h, keys)?;
            let Some(key) = array::at(keys, i) else { break };
            if key != name {
                let shown = ec.inspect_for_error(key)?;
                return Err(ec.arg_error([b"unknown keyword: ".as_slice(), &shown].concat()));
            }
        }
    }
    if non_block && !timeout.is_nil() {
        return Err(ec.arg_error("can't set a timeout if non_block is enabled"));
    }
    if timeout.is_type(asterism_object::types::Type::String) || timeout == Value::TRUE || timeout == Value::FALSE {
        let shown = match timeout {
            Value::TRUE => "true".to_owned(),
            Value::FALSE => "false".to_owned(),
            other => ec.class_name_of(other),
        };
        return Err(ec.type_error(format!("no implicit conversion of {shown} into Float")));
    }
    let deadline = time::deadline(ec, timeout)?;
    Ok((non_block, deadline, !timeout.is_nil()))
}

/// Waits in one of the two lists unless the queue is `ready`; whether the time is over.
fn wait_in(
    ec: &mut Ec,
    this: Value,
    deadline: Option<Instant>,
    list: fn(&mut Inner) -> &mut VecDeque<Parked>,
    ready: impl Fn(&Inner) -> bool,
) -> Res<bool> {
    let queue = queue(ec, &this)?;
    if let Err(raised) = ec.check_blocking() {
        {
            let mut inner = queue.0.lock();
            if ready(&inner) {
                // This thread may have been woken for something it will not take.
                wake_one(list(&mut inner));
            }
        }
        ec.wake_fibers_quietly();
        return Err(raised);
    }
    let Some(scheduler) = ec.scheduler() else {
        let thread = ec.thread.handle.clone();
        let me = Parked::Thread(thread.clone());
        let sleep = Sleep::for_thread(deadline);
        {
            let mut inner = queue.0.lock();
            if ready(&inner) {
                return Ok(false);
            }
            thread.prepare_wait(sleep == Sleep::Deadly);
            list(&mut inner).push_back(me.clone());
        }
        let wake = ec.park_for(this, sleep);
        leave(list(&mut queue.0.lock()), &me);
        return Ok(wake == Wake::TimedOut);
    };
    let left = ec.seconds(deadline.map(|d| d.saturating_duration_since(Instant::now())))?;
    let wait = ec.begin_fiber_wait(scheduler, this)?;
    let me = Parked::Fiber(Arc::clone(&wait));
    let waits = {
        let mut inner = queue.0.lock();
        let waits = !ready(&inner);
        if waits {
            list(&mut inner).push_back(me.clone());
        }
        waits
    };
    let blocked = if waits { ec.block_fiber(scheduler, this, left) } else { Ok(Value::NIL) };
    let woken = wait.is_woken();
    {
        let mut inner = queue.0.lock();
        leave(list(&mut inner), &me);
        if blocked.is_err() && woken {
            wake_one(list(&mut inner));
        }
    }
    drop(wait);
    if blocked.is_err() {
        ec.wake_fibers_quietly();
    }
    blocked?;
    Ok(!woken && deadline.is_some_and(|d| Instant::now() >= d))
}

fn pop(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (non_block, deadline) = if args.is_empty() {
        (false, None)
    } else {
        let (non_block, deadline, _) = options(ec, args, 0)?;
        (non_block, deadline)
    };
    let queue = queue(ec, &this)?;
    if queue.0.lock().max != usize::MAX {
        // Who waits for room comes behind whoever makes it.
        ec.race_release(this);
    }
    let mut timed_out = false;
    let mut woken = false;
    loop {
        // What was raised into the thread comes before what woke it too.
        if woken && let Err(raised) = ec.check_blocking() {
            pass_on(ec, queue);
            return Err(raised);
        }
        enum Next {
            Item(Value),
            Closed,
            Empty,
        }
        let next = {
            let mut inner = queue.0.lock();
            match inner.items.pop_front() {
                Some(v) => {
                    wake_one(&mut inner.givers);
                    Next::Item(v)
                }
                None if inner.closed && !non_block => Next::Closed,
                None => Next::Empty,
            }
        };
        match next {
            Next::Item(v) => {
                ec.race_acquire(this);
                ec.wake_fibers()?;
                asterism_heap::keep_alive(this.bits());
                return Ok(v);
            }
            Next::Closed => {
                ec.race_acquire(this);
                return Ok(Value::NIL);
            }
            Next::Empty if non_block => return Err(ec.raise(Exc::ThreadError, "queue empty")),
            Next::Empty if timed_out => return Ok(Value::NIL),
            Next::Empty => {}
        }
        let ready = |inner: &Inner| !inner.items.is_empty() || inner.closed;
        timed_out = wait_in(ec, this, deadline, |inner| &mut inner.takers, ready)?;
        woken = true;
    }
}

/// A thread that may have been woken for an item does not take it.
fn pass_on(ec: &mut Ec, queue: &Queue) {
    {
        let mut inner = queue.0.lock();
        if !inner.items.is_empty() {
            wake_one(&mut inner.takers);
        }
    }
    ec.wake_fibers_quietly();
}

fn close(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.race_release(this);
    let queue = allocated(ec, &this)?;
    let mut inner = queue.0.lock();
    inner.closed = true;
    while !inner.takers.is_empty() || !inner.givers.is_empty() {
        wake_one(&mut inner.takers);
        wake_one(&mut inner.givers);
    }
    drop(inner);
    ec.wake_fibers()?;
    Ok(this)
}

fn closed(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let closed = allocated(ec, &this)?.0.lock().closed;
    ec.race_acquire(this);
    Ok(Value::bool(closed))
}

fn empty(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let empty = queue(ec, &this)?.0.lock().items.is_empty();
    ec.race_acquire(this);
    Ok(Value::bool(empty))
}

fn size(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let size = queue(ec, &this)?.0.lock().items.len();
    ec.race_acquire(this);
    ec.size(size)
}

fn clear(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.race_release(this);
    let queue = queue(ec, &this)?;
    let mut inner = queue.0.lock();
    inner.items.clear();
    while !inner.givers.is_empty() {
        wake_one(&mut inner.givers);
    }
    drop(inner);
    ec.wake_fibers()?;
    Ok(this)
}

fn num_waiting(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let waiting = {
        let inner = allocated(ec, &this)?.0.lock();
        inner.takers.iter().chain(&inner.givers).filter(|waiter| !waiter.is_gone()).count()
    };
    ec.race_acquire(this);
    ec.size(waiting)
}

fn freeze(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let shown = ec.inspect_for_error(this)?;
    Err(ec.type_error([b"cannot freeze ".as_slice(), &shown].concat()))
}

fn marshal_dump(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let class = ec.class_name_of(this);
    Err(ec.type_error(format!("can't dump {class}")))
}

fn size_argument(ec: &mut Ec, v: Value) -> Res<usize> {
    let n = ec.to_i64(v)?;
    match usize::try_from(n) {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(ec.arg_error("queue size must be positive")),
    }
}

fn sized_initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = size_argument(ec, args[0])?;
    let queue = allocated(ec, &this)?;
    queue.0.lock().max = n;
    queue.1.store(true, Ordering::Relaxed);
    Ok(Value::NIL)
}

fn max(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let max = allocated(ec, &this)?.0.lock().max;
    ec.size(max)
}

fn set_max(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = size_argument(ec, args[0])?;
    let queue = queue(ec, &this)?;
    let mut inner = queue.0.lock();
    let more = n.saturating_sub(inner.max);
    inner.max = n;
    for _ in 0..more.min(inner.givers.len()) {
        wake_one(&mut inner.givers);
    }
    drop(inner);
    ec.wake_fibers()?;
    Ok(args[0])
}

fn sized_push(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (non_block, deadline) = if args.len() == 1 && !args.has_keywords() {
        (false, None)
    } else {
        if args.split_keywords().0.is_empty() {
            return Err(ec.arity_error(0, 1, Some(2)));
        }
        let (non_block, deadline, _) = options(ec, args, 1)?;
        (non_block, deadline)
    };
    let item = args[0];
    let queue = queue(ec, &this)?;
    ownership::release(ec, item);
    ec.race_release(this);
    let mut timed_out = false;
    loop {
        enum Next {
            Done(bool),
            Closed,
            Full,
        }
        let next = {
            let mut inner = queue.0.lock();
            if inner.closed {
                Next::Closed
            } else if inner.items.len() < inner.max {
                Next::Done(inner.put(item))
            } else {
                Next::Full
            }
        };
        match next {
            Next::Done(true) => {
                // Behind those who have made room.
                ec.race_acquire(this);
                ec.wake_fibers()?;
                return Ok(this);
            }
            Next::Done(false) => return Err(ec.no_memory()),
            Next::Closed => return Err(closed_error(ec)),
            Next::Full if non_block => return Err(ec.raise(Exc::ThreadError, "queue full")),
            Next::Full if timed_out => return Ok(Value::NIL),
            Next::Full => {}
        }
        let ready = |inner: &Inner| inner.items.len() < inner.max || inner.closed;
        timed_out = wait_in(ec, this, deadline, |inner| &mut inner.givers, ready)?;
    }
}
