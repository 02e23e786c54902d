//! What ends a thread's wait for a stream costs two system calls to make and to close: those that were used are kept.

use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

use asterism_lock::Mutex;
use rustix::io::Errno;

use crate::io::fd::Wake;
use crate::io::reserved::Reserved;

/// Most that are kept.
const MOST: usize = 8;

/// A VM's wakes that nobody waits with.
#[derive(Default)]
pub struct Wakes(Mutex<Vec<Own>>);

/// One that its user alone has.
pub struct Own {
    /// Closed in front of its number being free for the program.
    wake: Arc<Wake>,
    _reserved: Reserved,
    /// The process that made it: one that was forked shares it, and would take wakes away.
    process: u32,
}

impl Own {
    /// For who ends the wait. To be dropped before it is given back.
    pub fn wake(&self) -> &Arc<Wake> {
        &self.wake
    }
}

impl Wakes {
    /// One that nobody has notified.
    ///
    /// # Errors
    /// EMFILE, ENFILE or ENOMEM.
    pub fn take(&self) -> Result<Own, Errno> {
        if let Some(own) = self.0.lock().pop() {
            return Ok(own);
        }
        let wake = Arc::new(Wake::new()?);
        let _reserved = Reserved::new(&*wake);
        Ok(Own { wake, _reserved, process: std::process::id() })
    }

    /// Keeps it for the next wait.
    pub fn give(&self, own: Own) {
        if Arc::strong_count(&own.wake) != 1 || own.process != std::process::id() {
            return;
        }
        // What others did before they let go of it has happened.
        fence(Ordering::Acquire);
        if own.wake.was_notified() {
            own.wake.reset();
        }
        let mut kept = self.0.lock();
        if kept.len() < MOST {
            kept.push(own);
        }
    }

    /// In a process that was forked: they are the other process's.
    pub fn clear(&self) {
        let kept = std::mem::take(&mut *self.0.lock());
        drop(kept);
    }
}
