//! CPU restriction where the system has no call for it: nothing is done.

use std::time::Duration;

/// Threads are never restricted.
pub fn set(_rate: u32, _time: Duration) {}

/// There is nothing to be given back.
pub fn release() {}

/// Nothing is known of fights over a lock.
#[derive(Default, Debug)]
pub struct Fight;

impl Fight {
    /// The calling thread has to wait for the lock. Whether it is on one processor with the others.
    #[inline]
    pub fn waits(&self) -> bool {
        false
    }
}
