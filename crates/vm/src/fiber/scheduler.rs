//! Fibers that wait while their thread runs others: the thread's scheduler, and how a fiber that waits for a lock, a
//! queue or a thread is woken.
//!
//! A fiber that waits so stands in the same queues as threads ([`Parked`]). What it needs to be woken by (its scheduler,
//! itself, what it waits for) lies in the VM's table as long as it waits, so that the collector finds it. Whoever takes
//! it out of a queue, under the queue's lock, only notes its number; when no lock is held any more, `wake_fibers` calls
//! `unblock` of its scheduler, on the waking thread, as CRuby does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use asterism_heap::SpanKind;
use asterism_object::Value;

pub use super::parked::{FiberWait, FiberWaits, Parked, tell_first, wake_first};
use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::thread::Slot;

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

impl Ec {
    /// The second half of waking one that was announced, by a thread that holds no lock. A fiber of another VM is woken
    /// by its thread, when that waits: no VM runs code of another one.
    ///
    /// # Errors
    /// As [`Ec::wake_fibers`].
    pub fn rouse(&mut self, parked: &Parked) -> Res<()> {
        match parked {
            Parked::Thread(thread) => {
                thread.rouse();
                Ok(())
            }
            Parked::Fiber(wait) if Arc::ptr_eq(&wait.thread.fibers, &self.thread.handle.fibers) => self.wake_fibers(),
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
        self.thread.pending = pending;
    }

    /// The scheduler that the running fiber waits with; `None` if it blocks its thread.
    #[inline]
    pub fn scheduler(&self) -> Option<Value> {
        if self.fiber.is_blocking() {
            return None;
        }
        let scheduler = self.thread.handle.get(Slot::Scheduler);
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
        let thread = self.thread.handle.clone();
        thread.fibers.table.lock().insert(number, [scheduler, fiber, blocker, message]);
        Ok(Waiting(Arc::new(FiberWait { number, thread, woken: AtomicBool::new(false) })))
    }

    /// The running fiber waits until `unblock` or for so long: `block` of its scheduler.
    ///
    /// # Errors
    /// What the scheduler's `block` raises.
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
    /// What the scheduler's `yield` raises, or `kernel_sleep` if it has none of its own.
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
    /// What the schedulers' `unblock` and `fiber_interrupt` raise; NoMemoryError.
    #[inline]
    pub fn wake_fibers(&mut self) -> Res<()> {
        if !self.thread.handle.fibers.are_owed() {
            return Ok(());
        }
        self.wake_fibers_slow()
    }

    #[cold]
    fn wake_fibers_slow(&mut self) -> Res<()> {
        let thread = self.thread.handle.clone();
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
        self.thread.pending = pending;
    }

    /// Replaces the thread's scheduler. The old one is closed first: its fibers run to their ends.
    ///
    /// # Errors
    /// What `scheduler_close`, or else `close`, of the old one raises; it is no scheduler any more then.
    pub fn set_scheduler(&mut self, scheduler: Value) -> Res<()> {
        let thread = self.thread.handle.clone();
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
    /// What `result` is, if it is an error already, or else what the scheduler's `scheduler_close` or `close` raises.
    pub fn end_scheduler<T>(&mut self, result: Res<T>) -> Res<T> {
        if self.thread.handle.get(Slot::Scheduler).is_nil() {
            return result;
        }
        match result {
            Ok(value) => self.set_scheduler(Value::NIL).map(|()| value),
            Err(raised) => {
                let pending = self.take_pending();
                if self.set_scheduler(Value::NIL).is_err() {
                    self.take_pending();
                }
                self.thread.pending = pending;
                Err(raised)
            }
        }
    }
}
