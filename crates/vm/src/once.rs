//! What is evaluated once (`/…/o`): the thread that comes first evaluates it, and others wait until it has.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_lock::Mutex;
use asterism_object::{AtomicValue, Value};

use crate::ec::{Ec, Res};
use crate::keep::{Keep, Place};
use crate::thread::{RubyThread, Sleep};

/// What is being evaluated in a VM.
#[derive(Default)]
pub struct Onces {
    running: Mutex<Vec<Running>>,
}

impl Keep for Onces {
    const PLACE: Place = Place::Onces;
}

/// An evaluation.
struct Running {
    /// The address of the cell that it sets.
    cell: usize,
    thread: Arc<RubyThread>,
    /// How many times: it may come to itself.
    times: u32,
    waiting: Vec<Arc<RubyThread>>,
}

fn address(cell: &AtomicValue) -> usize {
    std::ptr::from_ref(cell).addr()
}

impl Ec {
    /// The cell's value, once another thread that evaluates it is done. `None`: this thread is to evaluate it, and calls
    /// `leave_once` however that ends.
    ///
    /// # Errors
    /// As [`Ec::check_blocking`], while it waits.
    #[cold]
    pub(crate) fn enter_once(&mut self, cell: &AtomicValue) -> Res<Option<Value>> {
        let me = self.thread.handle.clone();
        let vm = self.vm_arc();
        loop {
            {
                let mut running = vm.part::<Onces>().running.lock();
                let value = cell.load(Ordering::Acquire);
                if !value.is_undef() {
                    return Ok(Some(value));
                }
                match running.iter_mut().find(|one| one.cell == address(cell)) {
                    None => {
                        let (cell, thread) = (address(cell), me);
                        running.push(Running { cell, thread, times: 1, waiting: Vec::new() });
                        return Ok(None);
                    }
                    Some(one) if Arc::ptr_eq(&one.thread, &me) => {
                        one.times += 1;
                        return Ok(None);
                    }
                    // It is another process's, of which this one is a fork.
                    Some(one) if !one.thread.is_alive() => {
                        (one.thread, one.times) = (me, 1);
                        return Ok(None);
                    }
                    Some(one) => {
                        one.waiting.push(me.clone());
                        me.prepare_wait(true);
                    }
                }
            }
            self.park(Sleep::Deadly);
            for one in vm.part::<Onces>().running.lock().iter_mut() {
                one.waiting.retain(|thread| !Arc::ptr_eq(thread, &me));
            }
            self.check_blocking()?;
        }
    }

    /// An evaluation has ended with a value, or `UNDEF`. If it came to itself, the outermost one's counts.
    #[cold]
    pub(crate) fn leave_once(&mut self, cell: &AtomicValue, value: Value) {
        let mut running = self.vm().part::<Onces>().running.lock();
        let Some(at) = running.iter().position(|one| one.cell == address(cell)) else { return };
        running[at].times -= 1;
        if running[at].times > 0 {
            return;
        }
        let _ = cell.compare_exchange(Value::UNDEF, value, Ordering::AcqRel, Ordering::Acquire);
        self.remember_target(value.bits());
        let done = running.swap_remove(at);
        drop(running);
        for thread in done.waiting {
            thread.unpark();
        }
    }
}
