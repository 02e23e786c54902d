//! `fork`: a process that has the calling thread only.
//!
//! The VM's threads stand still at safepoints or are in blocking regions, as for a collection, and no native thread of the process
//! holds a lock (`Heap::fork`). The new process has the memory of all, and of the threads the one that called. What others had is
//! given back in their place: threads are dead, Mutexes that they held are free, and those that wait in a queue are passed over
//! (`Parked::is_gone`). Other VMs are not there; what they shared with this one is as it was. Each part of the core library does
//! what it has to do by `Keep::after_fork`.

use std::mem::MaybeUninit;
use std::time::Duration;

use asterism_object::Value;
use asterism_object::data;
use rustix::io::Errno;

use crate::ec::{Ec, Res};
use crate::fiber;
use crate::thread::Slot;
use crate::thread::mutex::Mutex;
use crate::vm::{AtFork, Root, Vm};

/// How long other threads may hold a lock before they get time to go on.
const PATIENCE: Duration = Duration::from_millis(5);
/// What they get then.
const TIME: Duration = Duration::from_millis(1);

impl Ec {
    /// Forks the process. The number of the new one, or 0 in that; the system's error.
    ///
    /// # Errors
    /// As [`Ec::check_blocking`], while it waits for locks that others hold.
    pub fn fork(&mut self) -> Res<Result<i32, Errno>> {
        let heap = self.vm().heap().clone();
        let mut before = MaybeUninit::<libc::sigset_t>::uninit();
        loop {
            let mut error = Errno::AGAIN;
            let forked = heap.fork(self, PATIENCE, || {
                let pid = fork_with_signals_blocked(&mut before);
                if pid < 0 {
                    error = Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::AGAIN);
                }
                pid
            });
            let Some(pid) = forked else {
                self.blocking(|| std::thread::sleep(TIME));
                self.check_blocking()?;
                continue;
            };
            if pid == 0 {
                self.begin_in_child();
            }
            // SAFETY: `fork_with_signals_blocked` has filled it in.
            unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), std::ptr::null_mut()) };
            return Ok(if pid < 0 { Err(error) } else { Ok(pid) });
        }
    }

    /// The calling thread is the only one of a new process.
    fn begin_in_child(&mut self) {
        let vm = self.vm_arc();
        let others = vm.threads.forget_others(self);
        for thread in &others {
            // SAFETY: null, or the thread's Ec: the thread stood still, and nothing has been put in the place of its stack yet.
            let held = unsafe { thread.ec().as_ref() }.map(|ec| ec.thread.held.clone()).unwrap_or_default();
            thread.lost_by_fork();
            if let Some(ractor) = thread.ractor() {
                ractor.lost_by_fork();
            }
            for mutex in &held {
                if let Some(mutex) = data::get::<Mutex>(mutex) {
                    mutex.lock.abandon();
                }
            }
        }
        // What was raised into the thread is the other process's business, as are the scheduler and its fibers.
        self.thread.handle.pending.lock().clear();
        self.state().interrupts().take(!0);
        self.thread.handle.set(Slot::Scheduler, Value::NIL);
        if let Some(fiber) = fiber::of_object(&self.fiber.object) {
            fiber.set_blocking(true);
        }
        vm.set_root(Root::MainThread, self.thread.object);
        let running = self.fiber.id;
        vm.autoloads.lock().retain_loading_by(running);
        // The threads that collect samples and write spans are the other process's, as are the files.
        vm.profiler.lost_by_fork(self.thread.handle.number);
        vm.gate.after_fork(self.thread.tracing.is_some());
        self.settle_told_frames();
        self.stop_trace();
        Vm::tell_forked(self);
        AtFork::run(self);
    }
}

/// Calls fork(2) so that no signal reaches the new process before it can handle one; `before` becomes what is to be put back.
fn fork_with_signals_blocked(before: &mut MaybeUninit<libc::sigset_t>) -> i32 {
    let mut all = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: the sets are plain memory that the calls fill in. In the new process the calling thread goes on alone; what it
    // needs of others has been seen to.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        libc::fork()
    }
}
