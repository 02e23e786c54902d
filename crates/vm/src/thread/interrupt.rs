//! What a thread does when others interrupt it: raise into it, kill it, hand it signals.
//!
//! Whoever interrupts puts what is to be raised into the thread's queue and then sets a bit of its pending word. The
//! thread takes the bits at a poll, or when a wait ends, and then looks into the queue. What a mask of
//! `Thread.handle_interrupt` holds back stays in the queue without a bit; ending the mask sets the bit again.

use std::sync::atomic::Ordering;
use std::time::Duration;

use asterism_heap::{POLL_INTERRUPT, POLL_TIMER};
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Value, array, ivars};

use super::handle::Slot;
use super::{RubyThread, RunningThread};
use crate::ec::{Ec, Raised, Res};
use crate::error::{Exc, Pending};
use crate::frame::Frame;

/// Pending bit: the queue is not empty.
pub(crate) const RAISE: u32 = 1;
/// Pending bit: a signal came in.
pub(crate) const SIGNAL: u32 = 2;
/// Pending bit: all threads wait for one another.
pub(crate) const DEADLOCK: u32 = 4;

/// Pending bit: another VM has told fibers of this thread that their wait is over. They are woken when the thread waits.
pub(crate) const FIBERS: u32 = 8;
/// Pending bit: the thread is to be traced, or no more (`RubyThread::set_tracer`).
pub(crate) const TRACE: u32 = 16;
/// Pending bit: accesses are to be noted, or no more (`Ec::watch_races`).
pub(crate) const RACES: u32 = 32;
/// Pending bit: something waits for `CoreHooks::finalize` to be called by this thread. Set by signal handlers, too.
pub const FINALIZE: u32 = 64;

impl RubyThread {
    /// Raises `exception` into the thread.
    pub fn raise(&self, exception: Value) {
        self.pending.lock().push_back(exception);
        self.interrupt(RAISE);
    }

    /// Kills the thread: it unwinds, running its ensure clauses.
    pub fn kill(&self) {
        self.killed.store(true, Ordering::Release);
        self.pending.lock().push_back(Value::UNDEF);
        self.interrupt(RAISE);
    }

    /// Kills the thread, whatever it has masked. For one that has to end: its time is over.
    pub fn kill_by_force(&self) {
        self.forced.store(true, Ordering::Release);
        // One that was held back is let through now.
        let waits = self.pending.lock().iter().any(|waiting| waiting.is_undef());
        if waits { self.interrupt(RAISE) } else { self.kill() }
    }

    /// Has it been killed by force? It is to do nothing more then: no ensure clause, exit handler or finalizer.
    pub fn is_forced(&self) -> bool {
        self.forced.load(Ordering::Acquire)
    }

    /// The exceptions waiting in the queue; undef stands for a kill.
    pub fn pending_count(&self) -> usize {
        self.pending.lock().len()
    }

    /// The `n`th exception waiting in the queue.
    pub fn pending_at(&self, n: usize) -> Option<Value> {
        self.pending.lock().get(n).copied()
    }

    /// The number of the first one from the `n`th on that is of another class than `class` (undef: that is no kill).
    fn pending_unlike(&self, n: usize, class: Value) -> usize {
        let pending = self.pending.lock();
        pending.iter().skip(n).position(|&waiting| class_word(waiting) != class).map_or(pending.len(), |i| n + i)
    }

    /// Lets the running thread look at everything that may be pending, after it has put it off.
    pub(crate) fn recheck_all(&self) {
        self.interrupt(RAISE | SIGNAL);
    }

    /// Lets the thread look into its queue again.
    pub fn recheck(&self) {
        if !self.pending.lock().is_empty() {
            self.interrupt(RAISE);
        }
    }
}

/// Handles pending interrupts of the running thread.
///
/// # Errors
/// As [`deliver`].
pub fn check_interrupts(ec: &mut Ec) -> Res<()> {
    if ec.poll_bits() & (POLL_INTERRUPT | POLL_TIMER) == 0 {
        return Ok(());
    }
    if ec.puts_interrupts_off() {
        return put_off(ec);
    }
    deliver(ec, false)
}

/// So much processor time at most what was raised into a thread leaves to an `ensure` clause.
const PUT_OFF: Duration = Duration::from_millis(10);
/// In so many frames such a clause is looked for.
const REACH: usize = 256;

/// Does one of the frames from `frame` on execute an `ensure` clause of a program?
///
/// # Safety
/// `frame` is active, and its pc and those of the frames below are saved.
unsafe fn is_in_ensure(mut frame: *const Frame) -> bool {
    for _ in 0..REACH {
        // SAFETY: frames from an active one down to the bottom are active; a Ruby frame keeps its code alive.
        unsafe {
            let Some(at) = frame.as_ref() else { return false };
            if let Some(iseq) = at.iseq.as_ref()
                && !iseq.code.ensures.is_empty()
                && !iseq.code.internal
                && iseq.code.is_in_ensure(iseq.at(at.pc).wrapping_sub(1))
            {
                return true;
            }
            frame = at.prev;
        }
    }
    false
}

/// The processor time that the running thread has used: what it waits for a processor does not count.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Handles what is pending but for what was raised, which stays pending.
#[cold]
fn put_off(ec: &mut Ec) -> Res<()> {
    ec.state().clear_poll(POLL_INTERRUPT | POLL_TIMER);
    let bits = ec.state().interrupts().take(!0);
    let leaf = std::mem::replace(&mut ec.fiber.leaf, Value::NULL);
    ec.end_lost_fibers();
    let result = deliver_bits(ec, bits, false);
    ec.fiber.leaf = leaf;
    if bits & RAISE != 0 {
        ec.thread.handle.clone().recheck();
    }
    result
}

/// Handles pending interrupts; `blocking`: in or before an operation that may wait.
///
/// # Errors
/// What other threads have raised into this one, or that it is killed; in the main thread, what a trap raises,
/// Interrupt or SignalException without one, and `fatal` if all threads wait for one another; if `blocking`, also what
/// a scheduler raises whose fibers are woken.
#[cold]
pub fn deliver(ec: &mut Ec, blocking: bool) -> Res<()> {
    // The bit first: whoever sets it again has set a pending bit before.
    ec.state().clear_poll(POLL_INTERRUPT | POLL_TIMER);
    let bits = ec.state().interrupts().take(!0);
    ec.thread.put_off = None;
    // Called from a leaf native, what runs here is not its doing.
    let leaf = std::mem::replace(&mut ec.fiber.leaf, Value::NULL);
    ec.end_lost_fibers();
    let result = deliver_bits(ec, bits, blocking).and_then(|()| deliver_raised(ec, bits, blocking));
    ec.fiber.leaf = leaf;
    if result.is_err() {
        // The rest comes at the next poll.
        ec.thread.handle.clone().recheck();
        return result;
    }
    // What was put off or handled in the middle of a wait may concern the scheduler's other fibers.
    if blocking && bits & (RAISE | SIGNAL) != 0 {
        ec.yield_to_scheduler()?;
    }
    Ok(())
}

/// What the bits say, but for what was raised.
fn deliver_bits(ec: &mut Ec, bits: u32, blocking: bool) -> Res<()> {
    if bits & SIGNAL != 0 && std::sync::Arc::ptr_eq(&ec.thread.handle, ec.vm().threads.main()) {
        let handled = handle_signals(ec);
        if handled.is_err() {
            ec.thread.interruptions = ec.thread.interruptions.wrapping_add(1);
        }
        handled?;
    }
    let waits = &ec.vm().finalizers_wait;
    if bits & FINALIZE != 0 || waits.load(Ordering::Relaxed) && waits.swap(false, Ordering::AcqRel) {
        let finalize = ec.vm().hooks.finalize;
        ec.race_muted(finalize)?;
    }
    if bits & FIBERS != 0 {
        if blocking {
            ec.wake_fibers()?;
        } else {
            // No poll bit: the scheduler's own code is not to be interrupted, its wait is.
            ec.state().interrupts().set_pending(FIBERS);
        }
    }
    if bits & RACES != 0 {
        ec.watch_races();
    }
    if bits & TRACE != 0 {
        ec.change_tracer();
    }
    if bits & DEADLOCK != 0 {
        return Err(super::deadlock::raise(ec));
    }
    Ok(())
}

/// What was raised into the thread, as far as it may come now.
fn deliver_raised(ec: &mut Ec, bits: u32, blocking: bool) -> Res<()> {
    let thread = ec.thread.handle.clone();
    if bits & RAISE != 0 {
        let object = ec.thread.object;
        ec.race_acquire(object);
    }
    let mut n = 0;
    while let Some(waiting) = thread.pending_at(n) {
        if !may_deliver(ec, waiting, blocking)? {
            // What is of the same class has to wait as well.
            n = thread.pending_unlike(n + 1, class_word(waiting));
            continue;
        }
        thread.pending.lock().remove(n);
        if waiting.is_undef() {
            return Err(ec.unwind_with(Pending::Kill));
        }
        ec.thread.interruptions = ec.thread.interruptions.wrapping_add(1);
        // It may have been raised before, and then keeps its first backtrace.
        return Err(ec.raise_exception(waiting));
    }
    Ok(())
}

/// The class of what was raised into a thread, a singleton class maybe; undef for a kill.
fn class_word(waiting: Value) -> Value {
    waiting.cell().map_or(Value::UNDEF, asterism_object::class_field)
}

/// Do the masks in force let this through?
fn may_deliver(ec: &mut Ec, waiting: Value, blocking: bool) -> Res<bool> {
    let masks = ec.thread.handle.get(Slot::Masks);
    if masks.is_nil() || waiting.is_undef() && ec.thread.handle.forced.load(Ordering::Acquire) {
        return Ok(true);
    }
    let class = match waiting.is_undef() {
        true => ec.known(WellKnown::Integer),
        false => ec.class_of(waiting),
    };
    let (never, on_blocking) = (asterism_symbol::intern("never"), asterism_symbol::intern("on_blocking"));
    for i in (0..array::len(masks)).rev() {
        let Some(mask) = array::at(masks, i) else { continue };
        for link in class.chain() {
            let Some(timing) = ec.hash_get(mask, link.delegate().0)? else { continue };
            return Ok(match timing.as_sym() {
                Some(s) if s == never => false,
                Some(s) if s == on_blocking => blocking,
                _ => true,
            });
        }
    }
    Ok(true)
}

impl RunningThread {
    /// Is a mask of `Thread.handle_interrupt` in force?
    pub fn masks_interrupts(&self) -> bool {
        !self.handle.get(Slot::Masks).is_nil()
    }
}

impl Ec {
    /// Is the thread to go on a while although something was raised into it? So it is in an `ensure` clause: what that has to put in order
    /// is put in order, unless it waits or takes long. CRuby interrupts such a clause too, but not where it calls a method.
    pub(crate) fn puts_interrupts_off(&mut self) -> bool {
        // The queue and not the bit, which is set a little later.
        let wanted = self.thread.handle.pending_count() != 0 && !self.thread.handle.is_forced();
        // SAFETY: the current frame is active, and who asks has saved the pc.
        if !wanted || !unsafe { is_in_ensure(self.fiber.frame) } {
            return false;
        }
        let now = processor_time();
        now < *self.thread.put_off.get_or_insert(now + PUT_OFF)
    }

    /// Handles what was raised into the thread until now, in an `ensure` clause too: where a lock was given back, under which others raise.
    ///
    /// # Errors
    /// As [`deliver`].
    pub fn deliver_interrupts(&mut self) -> Res<()> {
        if self.poll_bits() & POLL_INTERRUPT == 0 { Ok(()) } else { deliver(self, false) }
    }

    /// Runs a signal's handler: `Mutex#lock` is refused meanwhile in this fiber.
    ///
    /// # Errors
    /// What `handler` raises.
    pub fn in_trap<T>(&mut self, handler: impl FnOnce(&mut Ec) -> Res<T>) -> Res<T> {
        let outer = std::mem::replace(&mut self.thread.trap_fiber, self.fiber.id);
        let result = handler(self);
        self.thread.trap_fiber = outer;
        result
    }
}

fn handle_signals(ec: &mut Ec) -> Res<()> {
    let vm = ec.vm_arc();
    let threads = &vm.threads;
    loop {
        let signals = threads.signals.load(Ordering::Acquire);
        if signals == 0 {
            return Ok(());
        }
        let signo = signals.trailing_zeros();
        threads.signals.fetch_and(!(1 << signo), Ordering::AcqRel);
        let handled = ec.in_trap(|ec| (ec.vm().hooks.signal)(ec, signo as i32));
        if handled.is_err() && threads.signals.load(Ordering::Acquire) != 0 {
            ec.thread.handle.clone().interrupt(SIGNAL);
        }
        handled?;
    }
}

/// What a signal without a trap raises in the main thread.
pub fn default_signal(ec: &mut Ec, signo: i32) -> Raised {
    const NAMES: &[(i32, &str)] =
        &[(1, "SIGHUP"), (2, ""), (3, "SIGQUIT"), (10, "SIGUSR1"), (12, "SIGUSR2"), (14, "SIGALRM"), (15, "SIGTERM")];
    let which = if signo == 2 { Exc::Interrupt } else { Exc::SignalException };
    let name = NAMES.iter().find(|(n, _)| *n == signo).map(|(_, name)| (*name).to_string());
    let message = name.unwrap_or_else(|| format!("SIG{signo}"));
    let class = ec.exc_class(which);
    let made = ec.new_exception(class, message.as_bytes()).and_then(|e| {
        let done = ivars::set(ec, e, asterism_symbol::sym::signo, Value::fixnum(i64::from(signo)));
        ec.check(e, done)?;
        Ok(e)
    });
    match made {
        Ok(e) => ec.raise_exception(e),
        Err(raised) => raised,
    }
}

impl Ec {
    /// Begins a mask of `Thread.handle_interrupt`: a Hash of class to timing.
    ///
    /// # Errors
    /// ArgumentError for a wrong timing; NoMemoryError.
    pub fn push_interrupt_mask(&mut self, mask: Value) -> Res<()> {
        let timings = asterism_object::hash::values(self, mask);
        let timings = self.check(mask, timings)?;
        for i in 0..array::len(timings) {
            let known = array::get(timings, i as i64)
                .as_sym()
                .is_some_and(|s| matches!(&*s.text(), "immediate" | "on_blocking" | "never"));
            if !known {
                return Err(self.arg_error("unknown mask signature"));
            }
        }
        let thread = self.thread.handle.clone();
        let old = thread.get(Slot::Masks);
        // A new Array each time: others may be reading the old one.
        let masks = self.array(&[])?;
        if !old.is_nil() {
            for i in 0..array::len(old) {
                self.array_push(masks, array::get(old, i as i64))?;
            }
        }
        self.array_push(masks, mask)?;
        thread.set(Slot::Masks, masks);
        thread.recheck();
        Ok(())
    }

    /// Ends the innermost mask.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn pop_interrupt_mask(&mut self) -> Res<()> {
        let thread = self.thread.handle.clone();
        let old = thread.get(Slot::Masks);
        if old.is_nil() {
            return Ok(());
        }
        let masks = self.array(&[])?;
        for i in 0..array::len(old).saturating_sub(1) {
            self.array_push(masks, array::get(old, i as i64))?;
        }
        thread.set(Slot::Masks, if array::len(masks) == 0 { Value::NIL } else { masks });
        thread.recheck();
        Ok(())
    }

    /// Would something waiting in `thread`'s queue be of `class`?
    pub fn has_pending_interrupt(&self, thread: &RubyThread, class: Option<Class>) -> bool {
        let mut n = 0;
        while let Some(waiting) = thread.pending_at(n) {
            let of_class = match class {
                None => true,
                Some(class) if waiting.is_undef() => self.known(WellKnown::Integer).inherits_from(class),
                Some(class) => self.class_of(waiting).inherits_from(class),
            };
            if of_class {
                return true;
            }
            n += 1;
        }
        false
    }
}
