//! The threads of a VM: what the VM knows of each ([`RubyThread`]), how they start and end (`spawn`), wait (`wait`),
//! are interrupted (`interrupt`), how a deadlock is found (`deadlock`) and how a VM ends them (`shutdown`).
//!
//! A Ruby thread runs on a native thread of its own, which goes back to the VM's pool when it ends. Other threads hold
//! it by an `Arc<RubyThread>`; the Ruby values that belong to it are marked through its Thread object, which the VM's
//! list keeps alive as long as the thread lives.

mod deadlock;
mod dump;
mod handle;
pub(crate) mod interrupt;
mod lock_stats;
pub mod mutex;
mod shutdown;
mod spawn;
mod view;
mod wait;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use asterism_heap::patience::Patience;
use asterism_heap::{Census, Marker, Pool};
use asterism_lock::Mutex;
use asterism_object::Value;
use asterism_object::data;
use asterism_object::space::WellKnown;

use crate::ec::{Ec, Res};
use crate::fiber::scheduler::FiberWaits;
use crate::interp::trace::Tracer;

pub use handle::{LockWaiter, RubyThread, Slot, Status, ThreadObject};
pub use interrupt::{FINALIZE, check_interrupts, default_signal, deliver};
pub use shutdown::shutdown;
pub use spawn::{MACHINE_STACK, Start, start};
pub use view::ThreadView;
pub use wait::{Sleep, Wake, deadline_after};

/// How many native threads without work a VM keeps.
const MOST_IDLE: usize = 64;

/// What a VM knows of its threads.
pub struct Threads {
    /// The living threads, oldest first. Protected by the lock; no safepoint while it is held.
    list: Mutex<Vec<Arc<RubyThread>>>,
    /// How many those are; written under the lock.
    living: AtomicUsize,
    /// The main thread: a box that is freed with this; null before there is one. A fork by another thread puts that in its place, and
    /// leaves the box before alone, which somebody may be looking at.
    main: AtomicPtr<Arc<RubyThread>>,
    /// This process was forked: it has one VM, and the thread that called fork is the main thread.
    forked: AtomicBool,
    numbers: AtomicU64,
    pub(crate) census: Arc<Census>,
    /// Fibers that wait while their threads go on.
    pub(crate) fibers: Arc<FiberWaits>,
    /// Native threads without work.
    pub(crate) pool: Arc<Pool<spawn::Job>>,
    /// Signals that the main thread has not handled yet: bit n is signal n.
    pub(crate) signals: AtomicU64,
    /// Who is to be told of what new threads do. No safepoint under the lock.
    tracer: Mutex<Option<Arc<dyn Tracer>>>,
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
            tracer: Mutex::default(),
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

    fn set_main(&self, thread: Arc<RubyThread>) {
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

    /// In a process that was forked, the other threads: they are not there any more, and the calling one is the main thread.
    pub(crate) fn forget_others(&self, ec: &mut Ec) -> Vec<Arc<RubyThread>> {
        let me = ec.ruby_thread.clone();
        let others: Vec<_> = {
            let mut list = self.list.lock();
            let all = std::mem::replace(&mut *list, vec![me.clone()]);
            self.living.store(1, Ordering::Release);
            all.into_iter().filter(|thread| !Arc::ptr_eq(thread, &me)).collect()
        };
        self.census.only_one();
        self.pool.forget_all();
        self.signals.store(0, Ordering::Release);
        self.ractors.store(0, Ordering::Release);
        self.forked.store(true, Ordering::Release);
        me.joiners.lock().waiting.clear();
        if !Arc::ptr_eq(self.main(), &me) {
            self.set_main(me.clone());
        }
        me.native_id.store(rustix::thread::gettid().as_raw_nonzero().get() as u32, Ordering::Relaxed);
        others
    }

    /// The living threads, oldest first. Handles only: read their objects with [`Ec::living_threads`].
    pub fn living(&self) -> Vec<Arc<RubyThread>> {
        self.list.lock().iter().filter(|thread| thread.is_alive()).cloned().collect()
    }

    /// Who is told of what a thread does from its beginning on.
    pub fn tracer(&self) -> Option<Arc<dyn Tracer>> {
        self.tracer.lock().clone()
    }

    /// Lets `tracer` be told of what threads do that begin from now on, or nobody any more.
    pub fn set_tracer(&self, tracer: Option<Arc<dyn Tracer>>) {
        *self.tracer.lock() = tracer;
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

    /// Hands a signal to the main thread, which handles it at its next poll or out of what it waits for. Any native
    /// thread may call it.
    pub fn signal_main(&self, signo: i32) {
        if !(1..64).contains(&signo) {
            return;
        }
        self.signals.fetch_or(1 << signo, Ordering::AcqRel);
        if let Some(main) = self.main_if_made() {
            main.interrupt(interrupt::SIGNAL);
        }
    }
}

impl Ec {
    /// A number that tells this thread from the VM's others; what Mutexes are locked by.
    #[inline(always)]
    pub fn thread_number(&self) -> usize {
        self.ruby_thread.number as usize
    }

    /// The living threads' objects as an Array.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn living_threads(&mut self) -> Res {
        let threads = self.vm().threads.living();
        let array = self.array_with_capacity(threads.len())?;
        for thread in threads {
            // A thread that has ended meanwhile, and whose object may be gone, has none any more.
            let object = self.vm().threads.with_list(|list| {
                list.iter().find(|other| Arc::ptr_eq(other, &thread) && other.is_alive()).map(|t| t.object())
            });
            if let Some(object) = object
                && object.is_heap()
            {
                self.array_push(array, object)?;
            }
        }
        Ok(array)
    }
}

/// The thread a Thread object stands for.
pub fn of_object(object: &Value) -> Option<&Arc<RubyThread>> {
    data::get::<ThreadObject>(object).map(|t| &t.0)
}

/// Gives a thread its Thread object, of `class`.
///
/// # Errors
/// NoMemoryError.
pub fn make_object(ec: &mut Ec, thread: &Arc<RubyThread>, class: Value) -> Res {
    let made = data::new(ec, class, ThreadObject(thread.clone()));
    let object = ec.check(Value::NIL, made)?;
    thread.set_object(object);
    Ok(object)
}

/// Makes the calling thread, the first of its VM, the main thread: after the classes exist.
pub(crate) fn adopt_main(ec: &mut Ec) -> Res<()> {
    let thread = ec.ruby_thread.clone();
    let class = ec.class(WellKnown::Thread);
    let object = make_object(ec, &thread, class)?;
    install_main(ec, object);
    Ok(())
}

/// Makes the calling thread, the first of its VM, the main thread, which `object` stands for.
pub(crate) fn install_main(ec: &mut Ec, object: Value) {
    let thread = ec.ruby_thread.clone();
    thread.set_object(object);
    ec.thread = object;
    let vm = ec.vm();
    vm.set_root(crate::vm::Root::MainThread, object);
    thread.started(ec);
    vm.threads.set_main(thread.clone());
    vm.threads.add(thread);
}
