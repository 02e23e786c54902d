//! `fork`: the heap in a process that has only the calling thread of those that were attached.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use asterism_lock::gate;

use crate::header::{LOCKED, PARKED};
use crate::heap::Heap;
use crate::mutator::Mutator;
use crate::ranks::{self, Rank};
use crate::safepoint::StoppedThreads;
use crate::thread::ThreadState;

impl Heap {
    /// Stops the world, sees to it that no other thread of the process holds a lock, and calls `fork`. Where that returns 0, in the
    /// new process, the other threads are gone: their objects are unowned and what they had to allocate from is everybody's.
    /// `None`, and nothing done: another thread has held a lock for longer than `patience`.
    pub fn fork(&self, mutator: &mut Mutator, patience: Duration, fork: impl FnOnce() -> i32) -> Option<i32> {
        let (state, number) = (Arc::clone(mutator.state()), mutator.number());
        self.with_world_stopped(mutator, |world, _| {
            let closed = gate::close(patience)?;
            let pid = fork();
            if pid == 0 {
                closed.forget_others();
                state.native().renew();
                state.in_c.renew();
                self.forget_others(world.threads, &state, number);
                self.world().forget_others(&state);
            }
            Some(pid)
        })
    }

    /// Does for the threads that this process does not have what they would do when they end; `state` is that of the one that goes
    /// on, `me` its mutator's number.
    fn forget_others(&self, threads: &StoppedThreads<'_>, state: &Arc<ThreadState>, me: u32) {
        // Helpers of the collector are started anew.
        std::mem::take(&mut *self.helpers.lock()).into_iter().for_each(std::mem::forget);
        {
            let _rank = ranks::acquire(Rank::Blocks);
            let mut blocks = self.blocks.lock();
            let (mine, others) = std::mem::take(&mut blocks.inboxes).into_iter().partition(|i| i.mutator == me);
            blocks.inboxes = mine;
            for inbox in others {
                // SAFETY: the thread whose set it is does not exist, and no collector runs.
                self.generations.lock().remembered.append(&mut unsafe { inbox.remembered.take() });
                for (common, list) in blocks.common.iter_mut().zip(inbox.lists.lock().iter_mut()) {
                    common.append(list);
                }
            }
        }
        for thread in threads.threads().iter().filter(|thread| !Arc::ptr_eq(thread, state)) {
            self.owners().retire(thread.owner());
            thread.set_owner(0);
            for address in thread.take_kept() {
                // SAFETY: the thread kept the object, so it was alive when the world was stopped, as it is still; the first
                // word of a cell is its header.
                let header = unsafe { &*std::ptr::with_exposed_provenance::<AtomicU64>(address) };
                header.fetch_and(!(LOCKED | PARKED), Ordering::AcqRel);
            }
        }
    }
}
