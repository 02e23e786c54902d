//! Fibers that wait while their thread runs others: the thread's scheduler, and how a fiber that waits for a lock, a
//! queue or a thread is woken.
//!
//! A fiber that waits so stands in the same queues as threads ([`Parked`]). What it needs to be woken by (its scheduler,
//! itself, what it waits for) lies in the VM's table as long as it waits, so that the collector finds it. Whoever takes
//! it out of a queue, under the queue's lock, only notes its number; when no lock is held any more, `wake_fibers` calls
//! `unblock` of its scheduler, on the waking thread, as CRuby does.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use asterism_heap::{Marker, SpanKind, Waits, Woken};
use asterism_lock::Mutex;
use asterism_object::Value;

use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::thread::{RubyThread, Slot};

/// The waiting fibers of a VM. No safepoint under the locks.
#[derive(Debug, Default)]
pub struct FiberWaits {
    /// Scheduler, fiber, what it waits for, and the message of the error that ends the wait (nil: it ends as asked), by number.
    table: Mutex<HashMap<u64, [Value; 4]>>,
    /// Those to be woken.
    woken: Mutex<Vec<u64>>,
    /// How many those are.
    count: AtomicUsize,
}

impl FiberWaits {
    /// Marks what waits (world stopped).
    pub(crate) fn trace(&self, marker: &mut Marker) {
        for values in self.table.lock().values() {
            for v in values {
                marker.mark(v.bits());
            }
        }
    }

    /// Does somebody owe a `wake_fibers`?
    pub(super) fn are_owed(&self) -> bool {
        self.count.load(Ordering::Acquire) > 0
    }
}

/// A fiber in a queue.
#[derive(Debug)]
pub struct FiberWait {
    number: u64,
    thread: Arc<RubyThread>,
    woken: AtomicBool,
}

impl FiberWait {
    /// It is going to wait (again). Under the lock of the queue it is put into.
    pub fn prepare(&self) {
        self.woken.store(false, Ordering::Release);
    }

    /// Has somebody woken it?
    pub fn is_woken(&self) -> bool {
        self.woken.load(Ordering::Acquire)
    }

    /// Notes that it is to be woken; `wake_fibers` does it.
    pub fn wake(&self) {
        if !self.woken.swap(true, Ordering::AcqRel) {
            let waits = &self.thread.fibers;
            waits.woken.lock().push(self.number);
            waits.count.fetch_add(1, Ordering::Release);
        }
    }
}

/// The wait of a fiber that has begun; it ends when this is dropped, also when the fiber is left for good in the middle of it.
/// By then the fiber should be in no queue.
#[derive(Debug)]
pub struct Waiting(Arc<FiberWait>);

impl std::ops::Deref for Waiting {
    type Target = Arc<FiberWait>;

    fn deref(&self) -> &Arc<FiberWait> {
        &self.0
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.thread.fibers.table.lock().remove(&self.0.number);
    }
}

/// Who waits in a queue.
#[derive(Clone, Debug)]
pub enum Parked {
    /// A thread.
    Thread(Arc<RubyThread>),
    /// A fiber, whose thread does something else meanwhile.
    Fiber(Arc<FiberWait>),
}

impl Parked {
    /// Wakes it: at once, or with the next `wake_fibers`, which the caller owes.
    pub fn unpark(&self) {
        match self {
            Parked::Thread(thread) => thread.unpark(),
            Parked::Fiber(wait) => wait.wake(),
        }
    }

    /// The second half of waking one of this VM that was announced: at once, or with the next `wake_fibers`, which the caller owes.
    pub fn rouse(&self) {
        if let Parked::Thread(thread) = self {
            thread.rouse();
        }
    }

    /// Was it left behind by a fork? Whoever takes waiters out of a queue passes over those.
    pub fn is_gone(&self) -> bool {
        match self {
            Parked::Thread(thread) => !thread.is_alive(),
            Parked::Fiber(wait) => !wait.thread.is_alive(),
        }
    }

    /// Is it the same waiter?
    pub fn is(&self, other: &Parked) -> bool {
        match (self, other) {
            (Parked::Thread(a), Parked::Thread(b)) => Arc::ptr_eq(a, b),
            (Parked::Fiber(a), Parked::Fiber(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl Waits for Parked {
    fn announce(&self) -> bool {
        match self {
            Parked::Thread(thread) => thread.announce(),
            Parked::Fiber(wait) => {
                wait.wake();
                true
            }
        }
    }

    fn is(&self, other: &Parked) -> bool {
        Parked::is(self, other)
    }

    fn is_gone(&self) -> bool {
        Parked::is_gone(self)
    }
}

/// Tells the first of a queue that there still is that its wait is over. Who is returned is to be roused when the lock of the queue
/// is free, so that a woken thread does not run into it.
#[must_use]
pub fn tell_first(queue: &mut std::collections::VecDeque<Parked>) -> Woken<Parked> {
    let next = std::iter::from_fn(|| queue.pop_front()).find(|next| !next.is_gone())?;
    next.announce().then_some(next)
}

/// Wakes the first of a queue that there still is.
pub fn wake_first(queue: &mut std::collections::VecDeque<Parked>) {
    if let Some(next) = std::iter::from_fn(|| queue.pop_front()).find(|next| !next.is_gone()) {
        next.unpark();
    }
}

impl Ec {
    /// The second half of waking one that was announced, by a thread that holds no lock. A fiber of another VM is woken
    /// by its thread, when that waits: no VM runs code of another one.
    ///
    /// # Errors
    /// What a scheduler raises.
    pub fn rouse(&mut self, parked: &Parked) -> Res<()> {
        match parked {
            Parked::Thread(thread) => {
                thread.rouse();
                Ok(())
            }
            Parked::Fiber(wait) if Arc::ptr_eq(&wait.thread.fibers, &self.ruby_thread.fibers) => self.wake_fibers(),
            Parked::Fiber(wait) => {
                wait.thread.interrupt(crate::thread::interrupt::FIBERS);
                Ok(())
            }
        }
    }

    /// As `rouse`, where something unwinds or must not fail: that goes on afterwards.
    pub fn rouse_quietly(&mut self, parked: &Parked) {
        let pending = self.take_pending();
        // What the scheduler raises has nobody to go to.
        if self.rouse(parked).is_err() {
            self.take_pending();
        }
        self.pending = pending;
    }

    /// The scheduler that the running fiber waits with; `None` if it blocks its thread.
    #[inline]
    pub fn scheduler(&self) -> Option<Value> {
        if self.is_fiber_blocking() {
            return None;
        }
        let scheduler = self.ruby_thread.get(Slot::Scheduler);
        (!scheduler.is_nil()).then_some(scheduler)
    }

    /// The running fiber is going to wait for `blocker` in a queue.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn begin_fiber_wait(&mut self, scheduler: Value, blocker: Value) -> Res<Waiting> {
        self.begin_fiber_wait_with(scheduler, blocker, Value::NIL)
    }

    /// The running fiber is going to wait; whoever wakes it interrupts it by an IOError with this message.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn begin_fiber_wait_with(&mut self, scheduler: Value, blocker: Value, message: Value) -> Res<Waiting> {
        let fiber = self.current_fiber()?;
        let number = self.vm().threads.next_number();
        let thread = self.ruby_thread.clone();
        thread.fibers.table.lock().insert(number, [scheduler, fiber, blocker, message]);
        Ok(Waiting(Arc::new(FiberWait { number, thread, woken: AtomicBool::new(false) })))
    }

    /// The running fiber waits until `unblock` or for so long: `block` of its scheduler.
    ///
    /// # Errors
    /// What the scheduler raises.
    pub fn block_fiber(&mut self, scheduler: Value, blocker: Value, timeout: Value) -> Res {
        let begun = self.vm().heap().lock_stats().map(|_| Instant::now());
        let result = self.fiber_span(SpanKind::Wait, blocker, |ec| {
            ec.call(scheduler, asterism_symbol::intern("block"), &[blocker, timeout])
        });
        if let Some(begun) = begun {
            self.count_wait(blocker, begun);
        }
        result
    }

    /// The running fiber, if it has a scheduler, lets the others go on: `yield`, or a sleep of no length.
    ///
    /// # Errors
    /// What the scheduler raises.
    #[cold]
    pub fn yield_to_scheduler(&mut self) -> Res<()> {
        let Some(scheduler) = self.scheduler() else { return Ok(()) };
        let name = asterism_symbol::intern("yield");
        if self.respond_to(scheduler, name, false)? {
            self.call(scheduler, name, &[])?;
        } else {
            self.call(scheduler, asterism_symbol::intern("kernel_sleep"), &[Value::fixnum(0)])?;
        }
        Ok(())
    }

    /// Wakes the fibers that were taken out of queues. Holds no lock.
    ///
    /// # Errors
    /// What a scheduler raises.
    #[inline]
    pub fn wake_fibers(&mut self) -> Res<()> {
        if !self.ruby_thread.fibers.are_owed() {
            return Ok(());
        }
        self.wake_fibers_slow()
    }

    #[cold]
    fn wake_fibers_slow(&mut self) -> Res<()> {
        let thread = self.ruby_thread.clone();
        let waits = &thread.fibers;
        loop {
            let Some(number) = waits.woken.lock().pop() else { return Ok(()) };
            waits.count.fetch_sub(1, Ordering::Release);
            let found = waits.table.lock().get(&number).copied();
            if let Some([scheduler, fiber, blocker, message]) = found {
                let interrupt = asterism_symbol::intern("fiber_interrupt");
                if !message.is_nil() && self.respond_to(scheduler, interrupt, false)? {
                    let class = self.exc_class(Exc::IOError);
                    let error = self.new_exception_value(class, message)?;
                    self.call(scheduler, interrupt, &[fiber, error])?;
                } else {
                    self.call(scheduler, asterism_symbol::intern("unblock"), &[blocker, fiber])?;
                }
            }
        }
    }

    /// As `wake_fibers`, where something unwinds already: that goes on afterwards.
    pub fn wake_fibers_quietly(&mut self) {
        let pending = self.take_pending();
        // What the scheduler raises has nobody to go to.
        if self.wake_fibers().is_err() {
            self.take_pending();
        }
        self.pending = pending;
    }

    /// Replaces the thread's scheduler. The old one is closed first: its fibers run to their ends.
    ///
    /// # Errors
    /// What the old one raises; it is no scheduler any more then.
    pub fn set_scheduler(&mut self, scheduler: Value) -> Res<()> {
        let thread = self.ruby_thread.clone();
        let old = thread.get(Slot::Scheduler);
        if !old.is_nil() {
            let closed = self.close_scheduler(old);
            thread.set(Slot::Scheduler, Value::NIL);
            closed?;
        }
        thread.set(Slot::Scheduler, scheduler);
        Ok(())
    }

    fn close_scheduler(&mut self, scheduler: Value) -> Res<()> {
        let special = asterism_symbol::intern("scheduler_close");
        for name in [special, asterism_symbol::intern("close")] {
            if self.respond_to(scheduler, name, false)? {
                return self.call(scheduler, name, &[]).map(drop);
            }
        }
        Ok(())
    }

    /// At the end of a thread: its scheduler runs what is left. `result` is how the thread has ended so far.
    ///
    /// # Errors
    /// What the thread has ended with, or else what the scheduler raises.
    pub fn end_scheduler<T>(&mut self, result: Res<T>) -> Res<T> {
        if self.ruby_thread.get(Slot::Scheduler).is_nil() {
            return result;
        }
        match result {
            Ok(value) => self.set_scheduler(Value::NIL).map(|()| value),
            Err(raised) => {
                let pending = self.take_pending();
                if self.set_scheduler(Value::NIL).is_err() {
                    self.take_pending();
                }
                self.pending = pending;
                Err(raised)
            }
        }
    }
}
