//! Descriptors that a VM has opened and no stream of it closes: their numbers are the program's (`IO.sysopen`), or their streams leave them
//! open (`IO#autoclose = false`). A stream made of the number takes it over; what is left when the VM ends is closed then.
//!
//! There is one table for the process, as its descriptors are one: a number that any VM has closed may be another VM's descriptor by now.

use std::collections::BTreeMap;
use std::os::fd::RawFd;

use asterism_lock::Mutex;

static TABLE: Mutex<Table> = Mutex::new(Table { last: 0, owners: BTreeMap::new() });

struct Table {
    /// The number of the newest VM here.
    last: u64,
    /// By descriptor: the number of the VM.
    owners: BTreeMap<RawFd, u64>,
}

/// A VM; when this is dropped, what it has left open is closed.
pub struct LeftOpen(u64);

impl Default for LeftOpen {
    fn default() -> LeftOpen {
        let mut table = TABLE.lock();
        table.last += 1;
        LeftOpen(table.last)
    }
}

impl LeftOpen {
    /// The VM has opened this one.
    pub fn add(&self, descriptor: RawFd) {
        TABLE.lock().owners.insert(descriptor, self.0);
    }
}

impl Drop for LeftOpen {
    fn drop(&mut self) {
        // Under the lock, so that nobody takes one over meanwhile.
        TABLE.lock().owners.retain(|&descriptor, &mut owner| {
            if owner == self.0 {
                // SAFETY: no `Fd` closes it. The program may have had C code close it: that is EBADF here, or what C code does to itself.
                unsafe { libc::close(descriptor) };
            }
            owner != self.0
        });
    }
}

/// Somebody else closes the descriptor from now on; whether a VM had left it open.
pub fn take_over(descriptor: RawFd) -> bool {
    TABLE.lock().owners.remove(&descriptor).is_some()
}
