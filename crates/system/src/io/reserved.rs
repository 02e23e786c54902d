//! Descriptors that the runtime keeps for itself: a program that closed one, or read from it, would take the ground from under it.

use std::os::fd::{AsFd, AsRawFd, RawFd};

use asterism_lock::RwLock;

/// The numbers, those of all VMs. Few, and rarely asked for: only when a program names a descriptor by its number.
static NUMBERS: RwLock<Vec<RawFd>> = RwLock::new(Vec::new());

/// Keeps a descriptor reserved until it is dropped.
#[derive(Debug)]
pub struct Reserved(RawFd);

impl Reserved {
    /// Reserves a descriptor.
    pub fn new(fd: &impl AsFd) -> Reserved {
        let number = fd.as_fd().as_raw_fd();
        NUMBERS.write().push(number);
        Reserved(number)
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        let mut numbers = NUMBERS.write();
        if let Some(at) = numbers.iter().position(|&number| number == self.0) {
            numbers.swap_remove(at);
        }
    }
}

/// Is it the runtime's?
pub fn is_reserved(number: RawFd) -> bool {
    NUMBERS.read().contains(&number)
}
