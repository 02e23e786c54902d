//! The locks of handles. A call that runs in another one's callback leaves alone what that has locked.

use asterism_lock::{RwLockReadGuard, RwLockWriteGuard};
use asterism_vm::{Ec, Exc, Res};

use super::callback;
use super::handle::{Handle, read, write};

/// A lock that is held for a call.
pub enum Guard<'a> {
    None,
    Read(#[allow(dead_code, reason = "held")] RwLockReadGuard<'a, ()>),
    Write(#[allow(dead_code, reason = "held")] RwLockWriteGuard<'a, ()>),
}

/// Locks a handle, to write if the call `changes` the object. What a call that this thread is in has locked may be read, and changed
/// if that call has it to write.
///
/// # Errors
/// RuntimeError for a change of what the call that called back reads.
pub fn lock<'a>(ec: &mut Ec, handle: &'a Handle, changes: bool) -> Res<Guard<'a>> {
    Ok(match callback::held_by_this_thread(handle) {
        Some(false) if changes => {
            return Err(ec.raise(Exc::RuntimeError, "the object is in use by the call that called back"));
        }
        Some(_) => Guard::None,
        None if changes => Guard::Write(write(ec, handle)),
        None => Guard::Read(read(ec, handle)),
    })
}
