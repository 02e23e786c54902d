//! What a VM knows of its threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use asterism_heap::patience::Patience;
use asterism_heap::{Census, IdleLane, Marker, Pool};
use asterism_lock::Mutex;

use super::handle::RubyThread;
use crate::fiber::parked::FiberWaits;
use crate::stack::Stack;

/// How many native threads without work a VM keeps.
const MOST_IDLE: usize = 64;

/// What a native thread is given to run: a Ruby thread, to its end, with what the native thread keeps and on the machine stack between two
/// addresses. It gives that back; if not, the native thread is not to be used again.
pub(crate) type Job = Box<dyn FnOnce(Kept, (usize, usize)) -> Option<Kept> + Send>;

/// What a native thread keeps from one Ruby thread to the next.
pub(crate) struct Kept {
    /// The VM stack.
    pub(super) stack: Stack,
    /// Where the last one has noted its waits.
    pub(super) lane: IdleLane,
}

/// What a VM knows of its threads.
pub struct Threads {
    /// The living threads, oldest first. Protected by the lock; no safepoint while it is held.
    pub(super) list: Mutex<Vec<Arc<RubyThread>>>,
    /// How many those are; written under the lock.
    pub(super) living: AtomicUsize,
    /// The main thread: a box that is freed with this; null before there is one. A fork by another thread puts that in its place, and
    /// leaves the box before alone, which somebody may be looking at.
    main: AtomicPtr<Arc<RubyThread>>,
    /// This process was forked: it has one VM, and the thread that called fork is the main thread.
    pub(super) forked: AtomicBool,
    numbers: AtomicU64,
    pub(crate) census: Arc<Census>,
    /// Fibers that wait while their threads go on.
    pub(crate) fibers: Arc<FiberWaits>,
    /// Native threads without work.
    pub(crate) pool: Arc<Pool<Job>>,
    /// Signals that the main thread has not handled yet: bit n is signal n.
    pub(crate) signals: AtomicU64,
    /// `Thread.report_on_exception`
    pub report_on_exception: AtomicBool,
    /// `Thread.abort_on_exception`
    pub abort_on_exception: AtomicBool,
    /// `Thread.ignore_deadlock`
    pub ignore_deadlock: AtomicBool,
    /// Whether who waits for the end of a Ractor is to spin.
    pub(crate) joins: Patience,
    /// How many Ractors there are beside the main one.
    pub ractors: AtomicUsize,
    /// The number of the Ractor made last.
    pub last_ractor: AtomicU64,
    /// There has been another Ractor than the main one: constants that are not shareable are not found at their sites any more.
    pub many_ractors: AtomicBool,
}

impl Default for Threads {
    fn default() -> Self {
        Threads {
            list: Mutex::default(),
            living: AtomicUsize::new(0),
            main: AtomicPtr::new(std::ptr::null_mut()),
            forked: AtomicBool::new(false),
            numbers: AtomicU64::new(0),
            census: Arc::default(),
            fibers: Arc::default(),
            pool: Arc::new(Pool::new(MOST_IDLE)),
            signals: AtomicU64::new(0),
            report_on_exception: AtomicBool::new(true),
            abort_on_exception: AtomicBool::new(false),
            ignore_deadlock: AtomicBool::new(false),
            joins: Patience::new(),
            ractors: AtomicUsize::new(0),
            last_ractor: AtomicU64::new(crate::ractor::MAIN),
            many_ractors: AtomicBool::new(false),
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        self.pool.close();
        let main = *self.main.get_mut();
        if !main.is_null() {
            // SAFETY: it came from a box in `set_main`, and nobody else knows this any more.
            drop(unsafe { Box::from_raw(main) });
        }
    }
}

impl Threads {
    /// Marks the living threads (world stopped).
    pub fn trace(&self, marker: &mut Marker) {
        self.fibers.trace(marker);
        for thread in self.list.lock().iter() {
            marker.mark(thread.object().bits());
            // Before the object exists, and so that nothing depends on it: the thread's own values as well.
            thread.trace(marker);
        }
    }

    /// A number for a new thread (or fiber): never 0, never given out before.
    pub fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The first of `count` numbers that follow each other, and were never given out before.
    pub(crate) fn reserve_numbers(&self, count: u64) -> u64 {
        self.numbers.fetch_add(count, Ordering::Relaxed) + 1
    }

    /// The main thread.
    ///
    /// # Panics
    /// Before the VM has one.
    pub fn main(&self) -> &Arc<RubyThread> {
        self.main_if_made().expect("made with the VM")
    }

    /// The main thread, if there is one already.
    pub(crate) fn main_if_made(&self) -> Option<&Arc<RubyThread>> {
        // SAFETY: null, or a box that lives as long as this.
        unsafe { self.main.load(Ordering::Acquire).as_ref() }
    }

    pub(super) fn set_main(&self, thread: Arc<RubyThread>) {
        self.main.store(Box::into_raw(Box::new(thread)), Ordering::Release);
    }

    /// Was this process forked from another one, by this VM?
    pub fn is_forked(&self) -> bool {
        self.forked.load(Ordering::Relaxed)
    }

    /// Is the process to end when this thread has, although that is not the one it has begun with?
    pub(crate) fn ends_process(&self, thread: &Arc<RubyThread>) -> bool {
        self.is_forked() && Arc::ptr_eq(self.main(), thread)
    }

    /// The living threads, oldest first. Handles only: read their objects with `Ec::living_threads`.
    pub fn living(&self) -> Vec<Arc<RubyThread>> {
        self.list.lock().iter().filter(|thread| thread.is_alive()).cloned().collect()
    }

    /// How many threads live.
    pub fn count(&self) -> usize {
        self.list.lock().len()
    }

    /// Is the calling thread, which is one of the VM's, the only one that lives?
    #[inline]
    pub fn is_only_one(&self) -> bool {
        self.living.load(Ordering::Acquire) == 1
    }

    /// A new thread, not living yet.
    pub fn make(&self) -> Arc<RubyThread> {
        Arc::new(RubyThread::new(self.next_number(), self.census.clone(), self.fibers.clone()))
    }

    /// The thread lives from now on.
    pub(crate) fn add(&self, thread: Arc<RubyThread>) {
        let mut list = self.list.lock();
        list.push(thread);
        self.living.store(list.len(), Ordering::Release);
        self.census.add();
    }

    /// The thread does not live any more.
    pub(crate) fn remove(&self, thread: &Arc<RubyThread>) {
        let mut list = self.list.lock();
        list.retain(|other| !Arc::ptr_eq(other, thread));
        self.living.store(list.len(), Ordering::Release);
        self.census.remove();
    }

    pub(crate) fn with_list<R>(&self, body: impl FnOnce(&[Arc<RubyThread>]) -> R) -> R {
        body(&self.list.lock())
    }
}
