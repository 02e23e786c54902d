//! Programs in C that Ruby is a part of: between its calls of the interface such a program is as a function of an extension is.

use asterism_vm::Ec;

use crate::{entry, lock, views};

/// The calling thread is in C from here on. It has the lock of extensions.
///
/// # Safety
/// `ec` is the calling thread's, stays where it is, and is used by the interface alone until `detach`.
pub unsafe fn attach(ec: &mut Ec) {
    lock::take(ec);
    // SAFETY: the caller's contract.
    unsafe { entry::begin(ec) };
}

/// Ends what `attach` began, on the same thread.
pub fn detach(ec: &mut Ec) {
    entry::end(ec);
    views::release(ec);
    lock::give(ec);
}
