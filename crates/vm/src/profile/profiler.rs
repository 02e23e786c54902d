//! What is kept while a VM is profiled.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use asterism_lock::Mutex;

use super::samples::Sampler;

/// What is seen of one thread.
pub(super) struct Seen {
    pub(super) sampler: Arc<Sampler>,
    pub(super) name: Option<String>,
    pub(super) ended: bool,
    pub(super) lost: u64,
    pub(super) samples: Vec<(u32, u32)>,
}

/// What is kept while a VM is profiled.
#[derive(Default)]
pub(super) struct State {
    pub(super) period: Duration,
    pub(super) begun: Option<Instant>,
    /// By the threads' numbers. A sampler stays here as long as its thread lives, whoever profiles.
    pub(super) threads: BTreeMap<u64, Seen>,
    /// Stacks as they were noted: the interrupted instruction, then the frames.
    pub(super) stacks: Vec<Box<[u64]>>,
    pub(super) numbers: HashMap<Box<[u64]>, u32>,
    /// Cells that the stacks name: the collector keeps them.
    pub(super) cells: HashSet<u64>,
    pub(super) buffer: Vec<u64>,
    pub(super) collector: Option<JoinHandle<()>>,
}

/// The profiler of one VM.
#[derive(Default)]
pub struct Profiler {
    pub(super) on: AtomicBool,
    /// A thread of the VM has had a sampler.
    pub(super) used: AtomicBool,
    /// No safepoint under the lock, which the collector of garbage takes while the world is stopped.
    pub(super) state: Mutex<State>,
}

impl std::fmt::Debug for Profiler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Profiler").field("on", &self.on).finish_non_exhaustive()
    }
}

impl Profiler {
    /// Is the VM profiled?
    pub fn is_on(&self) -> bool {
        self.on.load(Ordering::Acquire)
    }

    /// A thread ends: called by itself, while its context is still there.
    fn ended(&self, number: u64) {
        if let Some(seen) = self.state.lock().threads.get_mut(&number) {
            seen.sampler.end();
            seen.ended = true;
        }
    }
}

/// Ends the samples of a thread, when it is dropped with its context.
pub(crate) struct Watched {
    profiler: Arc<Profiler>,
    number: u64,
}

impl Watched {
    /// For the thread with that number.
    pub(crate) fn new(profiler: Arc<Profiler>, number: u64) -> Watched {
        Watched { profiler, number }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if self.profiler.used.load(Ordering::Acquire) {
            self.profiler.ended(self.number);
        }
    }
}
