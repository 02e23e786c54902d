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
mod running;
mod shutdown;
mod spawn;
mod table;
mod view;
mod wait;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_object::Value;
use asterism_object::data;
use asterism_object::space::WellKnown;

use crate::ec::{Ec, Res};

pub use handle::{LockWaiter, RubyThread, Slot, Status, ThreadObject};
pub use interrupt::{FINALIZE, check_interrupts, default_signal, deliver};
pub use running::RunningThread;
pub use shutdown::{at_exit, shutdown};
pub use spawn::{MACHINE_STACK, Start, start};
pub use table::Threads;
pub use view::ThreadView;
pub use wait::{Sleep, Wake, deadline_after};

impl RubyThread {
    /// It runs on this native thread from now on.
    pub(crate) fn started(&self, ec: &Ec) {
        *self.state.lock() = Some(ec.state().clone());
        self.ec.store(std::ptr::from_ref(ec).expose_provenance(), Ordering::Release);
        self.native_id.store(rustix::thread::gettid().as_raw_nonzero().get() as u32, Ordering::Relaxed);
        // What was raised into it before had no state to tell it to.
        if !self.pending.lock().is_empty() {
            ec.state().interrupt(interrupt::RAISE);
        }
    }

    /// The Ec it runs on. To be followed with the world stopped only.
    pub(crate) fn ec(&self) -> *const Ec {
        std::ptr::with_exposed_provenance(self.ec.load(Ordering::Acquire))
    }
}

impl Threads {
    /// In a process that was forked, the other threads: they are not there any more, and the calling one is the main thread.
    pub(crate) fn forget_others(&self, ec: &mut Ec) -> Vec<Arc<RubyThread>> {
        let me = ec.thread.handle.clone();
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

impl RunningThread {
    /// A number that tells this thread from the VM's others; what Mutexes are locked by.
    #[inline(always)]
    pub fn number(&self) -> usize {
        self.handle.number as usize
    }
}

impl Ec {
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
    let thread = ec.thread.handle.clone();
    let class = ec.class(WellKnown::Thread);
    let object = make_object(ec, &thread, class)?;
    install_main(ec, object);
    Ok(())
}

/// Makes the calling thread, the first of its VM, the main thread, which `object` stands for.
pub(crate) fn install_main(ec: &mut Ec, object: Value) {
    let thread = ec.thread.handle.clone();
    thread.set_object(object);
    ec.thread.object = object;
    let vm = ec.vm();
    vm.set_root(crate::vm::Root::MainThread, object);
    thread.started(ec);
    vm.threads.set_main(thread.clone());
    vm.threads.add(thread);
}
