//! Ruby's Mutex: a lock owned by a fiber.

use std::sync::Arc;
use std::time::Instant;

use asterism_heap::{BargingLock, LockSite, Marker, SpanKind, Stores};
use asterism_lock::restrict::Fight;
use asterism_object::Value;
use asterism_object::data::{self, DataObject};

use super::handle::LockWaiter;
use super::wait::{Sleep, Wake};
use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::fiber::scheduler::Parked;

/// What a Mutex object holds.
#[derive(Default)]
pub struct Mutex {
    /// Where it is counted, if locks are.
    pub site: Option<Arc<LockSite>>,
    /// How much threads fight over it.
    pub fight: Fight,
    /// The lock; its owner is a fiber's id (of a thread's root fiber: the thread's number).
    pub lock: BargingLock<LockWaiter>,
}

impl DataObject for Mutex {
    const NAME: &'static str = "mutex";
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

impl Mutex {
    /// The calling thread has taken it, free as it was.
    #[inline]
    fn took(&self) {
        if let Some(site) = &self.site {
            site.took();
        }
    }
}

/// Looks for the lock this often before going to sleep: locks are mostly held for a few instructions.
const SPINS: u32 = 40;

impl Ec {
    /// Locks `this`, a Mutex object, waiting for it if need be.
    ///
    /// # Errors
    /// ThreadError in a trap handler, and if the fiber, or another one of a thread without a scheduler, has it already;
    /// TypeError if it is no Mutex; what is raised into the thread while it waits.
    #[inline]
    pub fn mutex_lock(&mut self, this: Value) -> Res<()> {
        let number = self.fiber.id;
        if number == self.thread.trap_fiber {
            // The handler may have interrupted whoever holds it.
            return Err(self.raise(Exc::ThreadError, "can't be called from trap context"));
        }
        match data::get::<Mutex>(&this) {
            Some(mutex) if mutex.lock.try_lock(number) => {
                mutex.took();
                self.thread.held.push(this);
                self.race_acquire(this);
                Ok(())
            }
            Some(_) => self.mutex_lock_slow(this, true),
            None => Err(self.type_error("wrong argument type (expected mutex)")),
        }
    }

    /// Locks it; `interruptible`: gives up when something is raised into the thread.
    ///
    /// # Errors
    /// As `mutex_lock`; if not `interruptible`, what a scheduler's `block` has raised meanwhile, or `fatal` if all
    /// threads wait for one another.
    #[cold]
    fn mutex_lock_slow(&mut self, this: Value, interruptible: bool) -> Res<()> {
        let site = data::get::<Mutex>(&this).and_then(|mutex| mutex.site.clone());
        let begun = site.as_ref().map(|_| Instant::now());
        let slept = self.mutex_wait(this, interruptible);
        self.race_acquire(this);
        let slept = slept?;
        if let (Some(site), Some(begun)) = (site, begun) {
            site.waited(slept, begun.elapsed());
        }
        Ok(())
    }

    /// As `mutex_lock_slow`; whether the thread or the fiber has slept.
    fn mutex_wait(&mut self, this: Value, interruptible: bool) -> Res<bool> {
        let Some(mutex) = data::get::<Mutex>(&this) else { return Err(self.fatal("no mutex")) };
        let number = self.fiber.id;
        if mutex.lock.owner() == number {
            return Err(self.raise(Exc::ThreadError, "deadlock; recursive locking"));
        }
        if let Some(scheduler) = self.scheduler() {
            return self.mutex_lock_by_fiber(this, scheduler, interruptible);
        }
        if self.thread.held.contains(&this) && mutex.lock.owner() != 0 {
            let message = "deadlock; lock already owned by another fiber belonging to the same thread";
            return Err(self.raise(Exc::ThreadError, message));
        }
        let alone = mutex.fight.waits();
        let spins = if self.heap().processors() > 1 && !alone { SPINS } else { 0 };
        for _ in 0..spins {
            std::hint::spin_loop();
            if mutex.lock.try_lock(number) {
                self.thread.held.push(this);
                return Ok(false);
            }
        }
        // One span for all the times it sleeps until it has the lock, as `--lock-stats` counts them.
        let span = self.begin_span(SpanKind::Wait, this);
        let slept = self.mutex_sleep(this, mutex, alone, interruptible);
        if let Some(span) = span.filter(|_| !matches!(slept, Ok(false))) {
            self.end_span(span, 0);
        }
        slept
    }

    /// As `mutex_wait`, for a thread that has spun in vain, or has no processor beside that of the others: it is `alone` there.
    fn mutex_sleep(&mut self, this: Value, mutex: &Mutex, alone: bool, interruptible: bool) -> Res<bool> {
        let number = self.fiber.id;
        let me = LockWaiter(Parked::Thread(self.thread.handle.clone()));
        let (mut again, mut slept) = (false, false);
        let mut interrupted = false;
        loop {
            if interruptible && !self.puts_interrupts_off() {
                self.check_blocking()?;
            }
            if mutex.lock.lock_or_enqueue(number, &me, again) {
                break;
            }
            again = true;
            slept = true;
            let wake = match alone {
                true => self.park_at_once_for(this, Sleep::Deadly),
                false => self.park_for(this, Sleep::Deadly),
            };
            if wake == Wake::Interrupted {
                mutex.lock.cancel(&me);
                again = false;
                if interruptible {
                    if self.puts_interrupts_off() {
                        self.blocking(std::thread::yield_now);
                    }
                } else {
                    // To be looked at once the lock is there; until then it must not end every wait at once.
                    let bits = self.state().interrupts().take(!0);
                    if bits & super::interrupt::DEADLOCK != 0 {
                        return Err(super::deadlock::raise(self));
                    }
                    interrupted = true;
                }
            }
        }
        self.thread.held.push(this);
        if interrupted {
            self.thread.handle.clone().recheck_all();
        }
        asterism_heap::keep_alive(this.bits());
        Ok(slept)
    }

    /// As `mutex_wait`, while the thread runs other fibers.
    #[cold]
    fn mutex_lock_by_fiber(&mut self, this: Value, scheduler: Value, interruptible: bool) -> Res<bool> {
        let Some(mutex) = data::get::<Mutex>(&this) else { return Err(self.fatal("no mutex")) };
        let number = self.fiber.id;
        let wait = self.begin_fiber_wait(scheduler, this)?;
        let me = LockWaiter(Parked::Fiber(Arc::clone(&wait)));
        let (mut again, mut slept) = (false, false);
        let mut failed = None;
        while !mutex.lock.lock_or_enqueue(number, &me, again) {
            (again, slept) = (true, true);
            if let Err(raised) = self.block_fiber(scheduler, this, Value::NIL) {
                mutex.lock.cancel(&me);
                again = false;
                self.wake_fibers_quietly();
                if interruptible {
                    drop(wait);
                    return Err(raised);
                }
                // It unwinds once the lock is there again.
                let pending = self.take_pending();
                failed.get_or_insert(pending);
            }
        }
        drop(wait);
        self.thread.held.push(this);
        asterism_heap::keep_alive(this.bits());
        match failed {
            Some(pending) => Err(self.unwind_with(pending)),
            None => Ok(slept),
        }
    }

    /// Locks it again after a wait that gave it up: nothing but the lock ends that.
    ///
    /// # Errors
    /// ThreadError if the thread has it already.
    pub fn mutex_relock(&mut self, this: Value) -> Res<()> {
        let number = self.fiber.id;
        match data::get::<Mutex>(&this) {
            Some(mutex) if mutex.lock.try_lock(number) => {
                mutex.took();
                self.thread.held.push(this);
                self.race_acquire(this);
                Ok(())
            }
            _ => self.mutex_lock_slow(this, false),
        }
    }

    /// Locks it if it is free.
    pub fn mutex_try_lock(&mut self, this: Value) -> bool {
        let number = self.fiber.id;
        match data::get::<Mutex>(&this) {
            Some(mutex) if mutex.lock.try_lock(number) => {
                mutex.took();
                self.thread.held.push(this);
                self.race_acquire(this);
                true
            }
            _ => false,
        }
    }

    /// Unlocks it. Not between `prepare_wait(true)` and `park`: it wakes others.
    ///
    /// # Errors
    /// ThreadError if the thread does not have it.
    #[inline]
    pub fn mutex_unlock(&mut self, this: Value) -> Res<()> {
        let number = self.fiber.id;
        let Some(mutex) = data::get::<Mutex>(&this) else {
            return Err(self.type_error("wrong argument type (expected mutex)"));
        };
        if mutex.lock.owner() == number {
            self.race_release(this);
        }
        if !mutex.lock.unlock(number) {
            return Err(self.mutex_unlock_error(mutex.lock.owner()));
        }
        if self.thread.held.last() == Some(&this) {
            self.thread.held.pop();
        } else if let Some(at) = self.thread.held.iter().rposition(|held| *held == this) {
            self.thread.held.remove(at);
        }
        self.wake_fibers()
    }

    /// Unlocks what the running fiber, which ends, still holds.
    #[cold]
    pub(crate) fn release_fiber_locks(&mut self) {
        let id = self.fiber.id;
        for held in self.thread.held.clone() {
            self.race_release(held);
        }
        self.thread.held.retain(|held| !data::get::<Mutex>(held).is_some_and(|mutex| mutex.lock.unlock(id)));
        self.wake_fibers_quietly();
    }

    #[cold]
    fn mutex_unlock_error(&mut self, owner: u64) -> crate::ec::Raised {
        let message = match owner {
            0 => "Attempt to unlock a mutex which is not locked",
            _ => "Attempt to unlock a mutex which is locked by another thread/fiber",
        };
        self.raise(Exc::ThreadError, message)
    }
}
