//! What is made once, where a thread that a `fork` leaves behind may be about to make it: the system's cells are locked meanwhile,
//! and nobody would end that in the new process.

use std::sync::{Once, OnceLock};

use crate::gate::no_fork;

/// The cell's value, made if there is none.
#[inline]
pub fn get_or_init<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    match cell.get() {
        Some(value) => value,
        None => make_in(cell, make),
    }
}

#[cold]
fn make_in<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    let _until_made = no_fork();
    cell.get_or_init(make)
}

/// Does something once in the life of the process.
#[inline]
pub fn call(once: &Once, work: impl FnOnce()) {
    if !once.is_completed() {
        let _until_done = no_fork();
        once.call_once(work);
    }
}
