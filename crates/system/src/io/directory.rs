//! The working directory of a VM. Every path that a system call is given starts from that of the calling native thread, and the
//! kernel lets a thread have one of its own, with the file mode creation mask (`unshare(CLONE_FS)`). A VM that another one made
//! does so before it has other threads; those it makes share the directory with their maker, processes it starts get a copy.
//! It is a reference to the directory, not a path: renaming it or one above it changes nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use asterism_lock::Mutex;
use asterism_vm::thread::RubyThread;
use asterism_vm::{Ec, Exc, Keep, Place, Res};

use crate::io::fd::Fd;
use crate::io::path::os;
use asterism_core::errno;

/// What a VM knows of its working directory.
#[derive(Default)]
pub struct Directory {
    /// The blocks of `chdir` that run, if there are any.
    blocks: Mutex<Option<Blocks>>,
    /// The system gave it none of its own. Written before its program runs.
    shared: AtomicBool,
}

/// Blocks of `Dir.chdir` in one another. All are one thread's, since the directory is that of all threads.
struct Blocks {
    thread: Weak<RubyThread>,
    depth: usize,
    /// Where the first of them is, if Ruby code is there.
    place: Option<(Arc<str>, u32)>,
}

impl Keep for Directory {
    const PLACE: Place = Place::Directory;

    fn after_fork(&self, ec: &mut Ec) {
        let mut blocks = self.blocks.lock();
        // Those of a thread that is not there any more do not end.
        if blocks.as_ref().is_some_and(|b| !is_current(ec, b)) {
            *blocks = None;
        }
    }
}

fn is_current(ec: &Ec, blocks: &Blocks) -> bool {
    std::ptr::eq(blocks.thread.as_ptr(), Arc::as_ptr(&ec.thread.handle))
}

/// Warns of a change of the directory within a block of `chdir`.
///
/// # Errors
/// RuntimeError if that is another thread's block; what writing raises.
pub(super) fn check_blocks(ec: &mut Ec) -> Res<()> {
    let message = match &*ec.vm().part::<Directory>().blocks.lock() {
        None => return Ok(()),
        Some(blocks) if !is_current(ec, blocks) => None,
        Some(Blocks { place: Some((file, line)), .. }) => {
            Some(format!("{CONFLICT}\n{file}:{line}: note: previous chdir was here"))
        }
        Some(_) => Some(CONFLICT.to_owned()),
    };
    match message {
        Some(message) => asterism_vm::load::warn(ec, &message),
        None => Err(ec.raise(Exc::RuntimeError, CONFLICT)),
    }
}

const CONFLICT: &str = "conflicting chdir during another chdir block";

/// A block of `chdir` begins.
///
/// # Errors
/// RuntimeError while one of another thread runs.
pub(super) fn begin_block(ec: &mut Ec) -> Res<()> {
    let place = ec.caller_location();
    let mut blocks = ec.vm().part::<Directory>().blocks.lock();
    match &mut *blocks {
        Some(blocks) if is_current(ec, blocks) => blocks.depth += 1,
        Some(_) => {
            drop(blocks);
            return Err(ec.raise(Exc::RuntimeError, CONFLICT));
        }
        none => *none = Some(Blocks { thread: Arc::downgrade(&ec.thread.handle), depth: 1, place }),
    }
    Ok(())
}

/// It ends.
pub(super) fn end_block(ec: &Ec) {
    let mut blocks = ec.vm().part::<Directory>().blocks.lock();
    match &mut *blocks {
        Some(blocks) if blocks.depth > 1 => blocks.depth -= 1,
        blocks => *blocks = None,
    }
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
/// NotImplementedError if it has none of its own; the class of Errno of chdir(2): Errno::ENOENT, Errno::ENOTDIR,
/// Errno::EACCES.
pub fn change(ec: &mut Ec, dir: &[u8]) -> Res<()> {
    check(ec)?;
    rustix::process::chdir(os(dir)).map_err(|e| errno::raise_at(ec, e, "dir_chdir0", dir))
}

/// Changes it to a directory that is open.
///
/// # Errors
/// NotImplementedError if it has none of its own; the class of Errno of fchdir(2): Errno::ENOTDIR, Errno::EACCES.
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
