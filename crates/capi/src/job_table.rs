//! The table of postponed jobs, which signal handlers read.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

use asterism_heap::{POLL_INTERRUPT, ThreadState};
use asterism_lock::Mutex;
use asterism_vm::thread::FINALIZE;

/// How many jobs a process has room for.
const MOST: usize = 32;

/// One job. `trigger` reads it without a lock.
pub struct Job {
    /// The thread that does it. It is there as long as the process, since a signal handler may be about to tell it; null: there is no job.
    pub thread: AtomicPtr<ThreadState>,
    /// What is called.
    pub function: AtomicPtr<()>,
    /// What it is given.
    pub data: AtomicPtr<c_void>,
    /// Somebody has asked for it.
    pub asked: AtomicBool,
}

/// The process's jobs.
pub static JOBS: [Job; MOST] = [const {
    Job {
        thread: AtomicPtr::new(null_mut()),
        function: AtomicPtr::new(null_mut()),
        data: AtomicPtr::new(null_mut()),
        asked: AtomicBool::new(false),
    }
}; MOST];

/// Who changes the table has this lock.
pub static CHANGE: Mutex<()> = Mutex::new(());

/// The VM that `owner` is the main thread of ends.
pub fn forget(owner: usize) {
    if owner == 0 {
        return;
    }
    let _change = CHANGE.lock();
    for job in &JOBS {
        if job.thread.load(Ordering::Relaxed).expose_provenance() == owner {
            job.thread.store(null_mut(), Ordering::Release);
            job.asked.store(false, Ordering::Release);
        }
    }
}

/// Lets a thread look at its jobs. Nothing but atomic words: a signal handler may call it.
pub fn tell(thread: usize) {
    let thread: *const ThreadState = std::ptr::with_exposed_provenance(thread);
    // SAFETY: the table keeps it as long as the process lives.
    let state = unsafe { &*thread };
    state.interrupts().set_pending(FINALIZE);
    state.set_poll(POLL_INTERRUPT);
}
