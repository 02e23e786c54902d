//! The lock of a VM's extensions: who does not say that it can do without runs under it. It keeps C from C, and is released on
//! the way back into Ruby and while C waits.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use asterism_heap::LockKind;
use asterism_lock::{wait_on, wake_one};
use asterism_vm::{Ec, Res};

use crate::part::Extensions;

/// Nobody has it.
const FREE: u32 = 0;
/// Somebody has it, and nobody waits.
const TAKEN: u32 = 1;
/// Somebody has it, and somebody may wait.
const AWAITED: u32 = 2;

/// How often a thread looks before it sleeps, some microseconds.
const SPINS: usize = 100;
/// How long it sleeps when nobody is to wake it.
const NAP: Duration = Duration::from_micros(50);
/// How often it does before it asks to be woken.
const PATIENCE: usize = 20;

/// The lock: who has it knows (`Foreign::locked`). No lock of the runtime: whoever has it may fork.
#[derive(Default)]
pub struct Giant {
    state: AtomicU32,
}

impl Giant {
    #[inline]
    fn try_take(&self, as_what: u32) -> bool {
        self.state.compare_exchange(FREE, as_what, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Takes the lock for a thread that found it taken. A function in C mostly takes less than a microsecond, and being put to sleep
    /// and woken for each one costs several: the thread that has the lock keeps it for the length of a nap, as long as nobody has
    /// waited for `PATIENCE`.
    fn take(&self) {
        for _ in 0..PATIENCE {
            if self.spin(TAKEN) {
                return;
            }
            // Whoever gives a lock back that is only taken wakes nobody: the time ends it.
            wait_on(&self.state, TAKEN, Some(Instant::now() + NAP));
        }
        // Once it has slept, others may sleep beside it: `AWAITED` from then on.
        while !self.spin(AWAITED) && self.state.swap(AWAITED, Ordering::Acquire) != FREE {
            wait_on(&self.state, AWAITED, None);
        }
    }

    /// Looks again for a moment; whether the lock was taken.
    fn spin(&self, as_what: u32) -> bool {
        (0..SPINS).any(|_| {
            std::hint::spin_loop();
            self.state.load(Ordering::Relaxed) == FREE && self.try_take(as_what)
        })
    }

    /// Whether the calling thread has it, the only one that can: in a process that was forked, and before a VM's second thread begins.
    pub fn set_taken(&self, taken: bool) {
        self.state.store(if taken { TAKEN } else { FREE }, Ordering::Relaxed);
    }

    #[inline]
    fn give(&self) {
        if self.state.swap(FREE, Ordering::Release) == AWAITED {
            wake_one(&self.state);
        }
    }
}

/// Takes the lock, unless the thread has it; whether it was taken.
#[inline]
pub fn take(ec: &mut Ec) -> bool {
    if ec.thread.foreign.locked {
        return false;
    }
    if ec.vm().threads.is_only_one() {
        // Before another one begins the lock is told (`take_in_earnest`).
        ec.thread.foreign.alone = true;
        if let Some(site) = ec.lock_site(LockKind::Extensions) {
            site.took();
        }
    } else if !ec.vm().part::<Extensions>().lock.try_take(TAKEN) {
        wait_for(ec);
    } else if let Some(site) = ec.lock_site(LockKind::Extensions) {
        site.took();
    }
    ec.thread.foreign.locked = true;
    true
}

/// The VM's only thread, which has the lock as that, is not the only one any more.
pub fn take_in_earnest(ec: &mut Ec) {
    if std::mem::take(&mut ec.thread.foreign.alone) {
        // Nobody else can have it.
        ec.vm().part::<Extensions>().lock.set_taken(true);
    }
}

#[cold]
#[inline(never)]
fn wait_for(ec: &mut Ec) {
    let vm = ec.vm_arc();
    let begun = Instant::now();
    ec.blocking(|| vm.part::<Extensions>().lock.take());
    if let Some(site) = ec.lock_site(LockKind::Extensions) {
        site.waited(true, begun.elapsed());
    }
}

/// Gives it back.
#[inline]
pub fn give(ec: &mut Ec) {
    ec.thread.foreign.locked = false;
    if std::mem::take(&mut ec.thread.foreign.alone) {
        return;
    }
    ec.vm().part::<Extensions>().lock.give();
}

/// Runs `body` without the lock, if the thread has it: Ruby code, or a wait.
///
/// # Errors
/// What `body` raises; the lock is taken again.
pub fn in_ruby<R>(ec: &mut Ec, body: impl FnOnce(&mut Ec) -> Res<R>) -> Res<R> {
    crate::views::release(ec);
    if !ec.thread.foreign.locked {
        return body(ec);
    }
    give(ec);
    // No destructor takes it again: a fiber that is abandoned here unwinds without it.
    let result = body(ec);
    take(ec);
    result
}
