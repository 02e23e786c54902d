//! The lock of a VM's extensions: who does not say that it can do without runs under it. It keeps C from C, and is released on
//! the way back into Ruby and while C waits.

use std::time::Instant;

use asterism_heap::LockKind;
use asterism_lock::{Condvar, Mutex};
use asterism_vm::{Ec, Res};

use crate::part::Extensions;

/// The lock: who has it knows (`Foreign::locked`).
#[derive(Default)]
pub struct Giant {
    taken: Mutex<bool>,
    given: Condvar,
}

impl Giant {
    fn try_take(&self) -> bool {
        !std::mem::replace(&mut *self.taken.lock(), true)
    }

    fn take(&self) {
        let mut taken = self.taken.lock();
        while *taken {
            self.given.wait(&mut taken);
        }
        *taken = true;
    }

    /// In a process that was forked: whether the calling thread has it, the only one that can.
    pub fn set_taken(&self, taken: bool) {
        *self.taken.lock() = taken;
    }

    fn give(&self) {
        *self.taken.lock() = false;
        self.given.notify_one();
    }
}

/// Takes the lock, unless the thread has it; whether it was taken.
pub fn take(ec: &mut Ec) -> bool {
    if ec.foreign.locked {
        return false;
    }
    let vm = ec.vm_arc();
    let lock = &vm.part::<Extensions>().lock;
    if !lock.try_take() {
        let begun = Instant::now();
        ec.blocking(|| lock.take());
        if let Some(site) = ec.lock_site(LockKind::Extensions) {
            site.waited(true, begun.elapsed());
        }
    } else if let Some(site) = ec.lock_site(LockKind::Extensions) {
        site.took();
    }
    ec.foreign.locked = true;
    true
}

/// Gives it back.
pub fn give(ec: &mut Ec) {
    ec.foreign.locked = false;
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
