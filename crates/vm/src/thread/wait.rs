//! Waiting: sleep, join, and what locks and queues are made of.
//!
//! A wait goes like this: under the lock of what is waited for, the thread puts its handle into a queue and calls
//! `prepare_wait`; then it parks; whoever makes the condition true takes the handle out, under the same lock, and
//! unparks it. Whatever ended the wait, the thread then looks whether it is still in the queue.

use std::sync::Arc;
use std::time::{Duration, Instant};

use asterism_heap::patience::{Patience, SPIN, glance, watch};
use asterism_heap::{POLL_INTERRUPT, POLL_TIMER, SpanKind, prefetch_to_change};
use asterism_object::{Value, data};

use super::handle::{RubyThread, Status};
use crate::ec::{Ec, Res};
use crate::fiber::scheduler::Parked;

/// What ends a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sleep {
    /// Only another thread (`prepare_wait(true)` was called): the VM looks for a deadlock.
    Deadly,
    /// Another thread, or something outside.
    Forever,
    /// The deadline at the latest.
    Until(Instant),
}

impl Sleep {
    /// A wait for another thread, at most until the deadline.
    pub fn for_thread(deadline: Option<Instant>) -> Sleep {
        deadline.map_or(Sleep::Deadly, Sleep::Until)
    }
}

/// What has ended a wait.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wake {
    /// `unpark`; perhaps one meant for a wait before.
    Unparked,
    /// Time is up.
    TimedOut,
    /// Something is pending: see `check_blocking`.
    Interrupted,
}

impl Ec {
    /// Looks for a moment whether what the thread is about to wait for is `ready`, if that has been of use lately; whether it is.
    /// Nothing is handled meanwhile: the caller has called `check_blocking`, and does so again afterwards.
    pub fn spin(&mut self, patience: &Patience, deadline: Option<Instant>, ready: impl Fn() -> bool) -> bool {
        if self.scheduler().is_some() || self.heap().processors() == 1 || !patience.may_spin() {
            return false;
        }
        // Not worth a blocking region.
        let mut found = glance(&ready);
        if !found {
            let until = Instant::now() + SPIN;
            if deadline.is_some_and(|deadline| deadline < until) {
                return false;
            }
            found = self.blocking(|| watch(until, &ready));
        }
        patience.has_spun(found);
        found
    }

    /// Parks the thread, which has called `prepare_wait`.
    pub fn park(&mut self, sleep: Sleep) -> Wake {
        let thread = self.thread.handle.clone();
        self.park_as(&thread, sleep, || {})
    }

    /// As `park`, for `waits`, which others may be shown meanwhile. The thread spins for a moment first, if that has been of use
    /// to it lately.
    pub fn park_for(&mut self, waits: Value, sleep: Sleep) -> Wake {
        let thread = self.thread.handle.clone();
        let spins = self.heap().processors() > 1 && thread.patience.may_spin();
        self.park_shown(&thread, waits, sleep, spins)
    }

    /// As `park_for`, for whoever has spun already.
    pub(crate) fn park_at_once_for(&mut self, waits: Value, sleep: Sleep) -> Wake {
        let thread = self.thread.handle.clone();
        self.park_shown(&thread, waits, sleep, false)
    }

    fn park_shown(&mut self, thread: &RubyThread, waits: Value, sleep: Sleep, spins: bool) -> Wake {
        let begun = self.vm().heap().lock_stats().map(|_| Instant::now());
        thread.set(super::Slot::Waits, waits);
        let wake = self.park_with(thread, sleep, spins, || {});
        thread.set(super::Slot::Waits, Value::NIL);
        if let Some(begun) = begun {
            self.count_wait(waits, begun);
        }
        wake
    }

    /// As `park`, for whoever has the running thread's handle at hand. `awake` is called as soon as the thread is awake, in
    /// the blocking region still: for prefetches.
    pub fn park_as(&mut self, thread: &RubyThread, sleep: Sleep, awake: impl FnOnce()) -> Wake {
        self.park_with(thread, sleep, false, awake)
    }

    fn park_with(&mut self, thread: &RubyThread, sleep: Sleep, spins: bool, awake: impl FnOnce()) -> Wake {
        let deadline = match sleep {
            Sleep::Deadly => {
                self.vm().threads.check_deadlock();
                None
            }
            Sleep::Forever => None,
            Sleep::Until(deadline) => Some(deadline),
        };
        // Who sees that it sleeps knows of what it did before.
        self.race_release(thread.object());
        // As CRuby shows it: a sleep that a signal may end is no sleep for ever.
        thread.set_status(if sleep == Sleep::Deadly { Status::SleepForever } else { Status::Sleep });
        let waits = thread.get(super::Slot::Waits);
        // Who waits for a Mutex may sleep several times for it: `mutex_wait` notes that as one wait.
        let is_noted = data::get::<super::mutex::Mutex>(&waits).is_some();
        let span = if is_noted { None } else { self.begin_span(SpanKind::Wait, waits) };
        let entered = self.interruptible(&|| thread.unpark(), |state| {
            if spins {
                spin_at(thread, deadline);
            }
            thread.waiter().sleep(deadline.map(|d| d.saturating_duration_since(Instant::now())));
            awake();
            prefetch_to_change(thread);
            prefetch_to_change(state);
            thread.waiter().take()
        });
        if let Some(span) = span {
            self.end_span(span, 0);
        }
        thread.end_deadly();
        thread.set_status(Status::Run);
        self.race_acquire(thread.object());
        match entered {
            Err(_) => Wake::Interrupted,
            Ok(_) if self.state().interrupts().pending() != 0 => Wake::Interrupted,
            Ok(true) => Wake::Unparked,
            Ok(false) => Wake::TimedOut,
        }
    }

    /// Runs `body`, a wait outside of Ruby that `unblock` ends (also when it is called before the wait begins).
    /// `None`: it was interrupted before it began. Afterwards call `check_blocking`. The thread's status is `sleep`.
    pub fn wait_outside<R>(&mut self, unblock: &(dyn Fn() + Sync), body: impl FnOnce() -> R) -> Option<R> {
        let thread = self.thread.handle.clone();
        self.race_release(thread.object());
        thread.set_status(Status::Sleep);
        let span = self.begin_span(SpanKind::Io, Value::NIL);
        let result = self.interruptible(unblock, |_| body());
        if let Some(span) = span {
            self.end_span(span, 0);
        }
        thread.set_status(Status::Run);
        result.ok()
    }

    /// Handles what is pending, in or before a blocking operation.
    ///
    /// # Errors
    /// What other threads have raised into this one, or that it is killed; in the main thread, what a trap raises,
    /// Interrupt or SignalException without one, and `fatal` if all threads wait for one another; what a scheduler
    /// raises whose fibers are woken.
    #[inline]
    pub fn check_blocking(&mut self) -> Res<()> {
        let wanted = self.poll_bits() & (POLL_INTERRUPT | POLL_TIMER) != 0;
        let wanted = wanted || self.state().interrupts().pending() & super::interrupt::FIBERS != 0;
        if wanted || !self.thread.handle.get(super::Slot::Masks).is_nil() {
            return super::interrupt::deliver(self, true);
        }
        Ok(())
    }

    /// Handles what a mask of `Thread.handle_interrupt` has kept for the next operation that may block: before one that mostly does not.
    ///
    /// # Errors
    /// As [`Ec::check_blocking`].
    #[inline]
    pub fn check_masked_blocking(&mut self) -> Res<()> {
        if self.thread.masks_interrupts() { self.check_blocking() } else { Ok(()) }
    }

    /// Sleeps until the deadline, or until woken by `Thread#wakeup`. `deadly`: `Thread.stop`. Says whether it was woken.
    ///
    /// # Errors
    /// As [`Ec::check_blocking`].
    pub fn sleep_until(&mut self, deadline: Option<Instant>, deadly: bool) -> Res<bool> {
        let sleep = match deadline {
            Some(deadline) => Sleep::Until(deadline),
            None if deadly => Sleep::Deadly,
            None => Sleep::Forever,
        };
        loop {
            self.check_blocking()?;
            self.thread.handle.prepare_wait(sleep == Sleep::Deadly);
            match self.park(sleep) {
                Wake::Unparked => return Ok(true),
                Wake::TimedOut => return Ok(false),
                Wake::Interrupted => {}
            }
            // A trap handler may have run: CRuby sleeps on after it.
        }
    }

    /// The running fiber waits until a thread is about to end; whether the deadline came before.
    fn join_thread_by_fiber(
        &mut self,
        scheduler: Value,
        thread: &Arc<RubyThread>,
        deadline: Option<Instant>,
    ) -> Res<bool> {
        let blocker = thread.object();
        let wait = self.begin_fiber_wait(scheduler, blocker)?;
        let me = Parked::Fiber(Arc::clone(&wait));
        let mut result = Ok(false);
        loop {
            {
                let mut joiners = thread.joiners.lock();
                if joiners.ended || joiners.ending {
                    break;
                }
                joiners.waiting.push(me.clone());
            }
            let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
            let blocked = self.seconds(left).and_then(|left| self.block_fiber(scheduler, blocker, left));
            thread.joiners.lock().waiting.retain(|other| !other.is(&me));
            if let Err(raised) = blocked {
                result = Err(raised);
                break;
            }
            if !wait.is_woken() && deadline.is_some_and(|d| Instant::now() >= d) {
                result = Ok(true);
                break;
            }
        }
        drop(wait);
        result
    }

    /// A time as schedulers are told it: a Float, or nil.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn seconds(&mut self, time: Option<Duration>) -> Res {
        match time {
            None => Ok(Value::NIL),
            Some(time) => self.float(time.as_secs_f64()),
        }
    }

    /// Waits for `thread`'s end; whether it came before the deadline.
    ///
    /// # Errors
    /// As [`Ec::check_blocking`]; what the scheduler's `block` raises; NoMemoryError.
    pub fn join_thread(&mut self, thread: &Arc<RubyThread>, deadline: Option<Instant>) -> Res<bool> {
        let joined = self.join_ended(thread, deadline)?;
        if joined {
            self.race_acquire(thread.object());
            // What it raised here before it ended comes now, not when the caller has left what it was meant for.
            self.poll()?;
            self.deliver_interrupts()?;
        }
        Ok(joined)
    }

    fn join_ended(&mut self, thread: &Arc<RubyThread>, deadline: Option<Instant>) -> Res<bool> {
        if let Some(scheduler) = self.scheduler()
            && self.join_thread_by_fiber(scheduler, thread, deadline)?
        {
            return Ok(false);
        }
        let me = self.thread.handle.clone();
        let sleep = Sleep::for_thread(deadline);
        loop {
            if thread.joiners.lock().ended {
                return Ok(true);
            }
            self.check_blocking()?;
            {
                let mut joiners = thread.joiners.lock();
                if joiners.ended {
                    return Ok(true);
                }
                me.prepare_wait(sleep == Sleep::Deadly);
                joiners.waiting.push(Parked::Thread(me.clone()));
            }
            let wake = self.park_for(thread.object(), sleep);
            let ended = {
                let mut joiners = thread.joiners.lock();
                joiners.waiting.retain(|other| !other.is(&Parked::Thread(me.clone())));
                joiners.ended
            };
            if ended {
                // What the thread raised into this one comes first.
                self.check_blocking()?;
                return Ok(true);
            }
            if wake == Wake::TimedOut {
                self.check_blocking()?;
                return Ok(false);
            }
        }
    }
}

/// Looks for a moment whether the wait of the running thread `thread` is over.
fn spin_at(thread: &RubyThread, deadline: Option<Instant>) {
    let until = Instant::now() + SPIN;
    if deadline.is_none_or(|deadline| deadline >= until) {
        let found = watch(until, || thread.waiter().is_notified());
        thread.patience.has_spun(found);
    }
}

/// The moment `timeout` from now; `None` if it is too far away to come.
pub fn deadline_after(timeout: Duration) -> Option<Instant> {
    Instant::now().checked_add(timeout)
}
