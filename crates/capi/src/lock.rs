//! The lock of a VM's extensions: who does not say that it can do without runs under it. It keeps C from C, and is released on
//! the way back into Ruby and while C waits.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

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

/// The lock: who has it knows (`Foreign::locked`). No lock of the runtime: whoever has it may fork.
#[derive(Default)]
pub struct Giant {
    state: AtomicU32,
}

impl Giant {
    #[inline]
    fn try_take(&self) -> bool {
        self.state.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn take(&self) {
        while self.state.swap(AWAITED, Ordering::Acquire) != FREE {
            wait_on(&self.state, AWAITED, None);
        }
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
    if ec.foreign.locked {
        return false;
    }
    if ec.vm().threads.is_only_one() {
        // Before another one begins the lock is told (`take_in_earnest`).
        ec.foreign.alone = true;
        if let Some(site) = ec.lock_site(LockKind::Extensions) {
            site.took();
        }
    } else if !ec.vm().part::<Extensions>().lock.try_take() {
        wait_for(ec);
    } else if let Some(site) = ec.lock_site(LockKind::Extensions) {
        site.took();
    }
    ec.foreign.locked = true;
    true
}

/// The VM's only thread, which has the lock as that, is not the only one any more.
pub fn take_in_earnest(ec: &mut Ec) {
    if std::mem::take(&mut ec.foreign.alone) {
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
    ec.foreign.locked = false;
    if std::mem::take(&mut ec.foreign.alone) {
        return;
    }
    ec.vm().part::<Extensions>().lock.give();
}

/// Runs `body` without the lock, if the thread has it: Ruby code, or a wait.
///
/// # Errors
/// What `body` raises.
pub fn in_ruby<R>(ec: &mut Ec, body: impl FnOnce(&mut Ec) -> Res<R>) -> Res<R> {
    crate::views::release(ec);
    if !ec.foreign.locked {
        return body(ec);
    }
    give(ec);
    // No destructor takes it again: a fiber that is abandoned here unwinds without it.
    let result = body(ec);
    take(ec);
    result
}
