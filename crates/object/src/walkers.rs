//! Which threads walk over Hashes beside others: see `hash::Walk`.

use std::collections::HashMap;

use asterism_heap::{Cell, Liveness};
use asterism_lock::{Mutex, MutexGuard};

/// The threads that walk over Hashes over which another one was walking before them: by the Hash's address, numbers and how
/// often. Protected by the lock, held for a look-up; the dead are forgotten inside the pause.
#[derive(Default)]
pub(crate) struct Walkers(Mutex<HashMap<u64, Vec<(u32, u32)>>>);

impl Walkers {
    /// Takes the lock.
    pub(crate) fn lock(&self) -> MutexGuard<'_, HashMap<u64, Vec<(u32, u32)>>> {
        self.0.lock()
    }

    /// Forgets the dead, in the pause.
    pub(crate) fn clear_dead(&self, liveness: &Liveness) {
        self.0.lock().retain(|&address, _| {
            // SAFETY: the address was a live cell's at the last clearing, and cells are swept only after this one.
            liveness.is_live(unsafe { &*(address as *const Cell) })
        });
    }
}
