//! The working directory of a VM. Every path that a system call is given starts from that of the calling native thread, and the
//! kernel lets a thread have one of its own, with the file mode creation mask (`unshare(CLONE_FS)`). A VM that another one made
//! does so before it has other threads; those it makes share the directory with their maker, processes it starts get a copy.
//! It is a reference to the directory, not a path: renaming it or one above it changes nothing.

use std::sync::atomic::{AtomicBool, Ordering};

use asterism_vm::{Ec, Keep, Place, Res};

use crate::io::fd::Fd;
use crate::io::path::os;
use asterism_core::errno;

/// What a VM knows of its working directory.
#[derive(Default)]
pub struct Directory {
    /// The system gave it none of its own. Written before its program runs.
    shared: AtomicBool,
}

impl Keep for Directory {
    const PLACE: Place = Place::Directory;
}

/// Gives the calling VM, whose only native thread this is, a working directory and a mask of its own; both start as they are
/// where it was started. A system may refuse that: `change` says so then.
pub fn separate(ec: &Ec) {
    // SAFETY: the flag concerns nothing but what is named above; no memory and no descriptor changes.
    let done = unsafe { libc::unshare(libc::CLONE_FS) };
    ec.vm().part::<Directory>().shared.store(done != 0, Ordering::Relaxed);
}

/// Changes the VM's working directory.
///
/// # Errors
/// NotImplementedError if it has none of its own; SystemCallError.
pub fn change(ec: &mut Ec, dir: &[u8]) -> Res<()> {
    check(ec)?;
    rustix::process::chdir(os(dir)).map_err(|e| errno::raise_at(ec, e, "dir_chdir0", dir))
}

/// Changes it to a directory that is open.
///
/// # Errors
/// As `change`.
pub(super) fn change_to(ec: &mut Ec, dir: &Fd) -> Res<()> {
    check(ec)?;
    rustix::process::fchdir(dir).map_err(|e| errno::raise(ec, e, "fchdir"))
}

fn check(ec: &mut Ec) -> Res<()> {
    if ec.vm().part::<Directory>().shared.load(Ordering::Relaxed) {
        return Err(ec.not_implemented("the system does not let a VM have a working directory of its own"));
    }
    Ok(())
}
