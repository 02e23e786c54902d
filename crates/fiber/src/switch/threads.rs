//! Any other processor: a native thread for each stack, of which one runs at a time.
//!
//! What goes for a stack pointer is the address of a [`Baton`]. A switch hands the baton of the stack that goes on to
//! its thread and waits for its own. The thread of a stack that nobody switches to any more waits until the process ends.

use std::sync::{Condvar, Mutex, PoisonError};

use super::Entry;
use crate::slab::{STACK_BYTES, Stack};

/// Whose turn it is: set by whoever switches to its thread, taken by that.
#[derive(Debug, Default)]
struct Baton {
    here: Mutex<bool>,
    arrived: Condvar,
}

impl Baton {
    fn hand_over(&self) {
        *self.here.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.arrived.notify_one();
    }

    fn wait(&self) {
        let mut here = self.here.lock().unwrap_or_else(PoisonError::into_inner);
        while !*here {
            here = self.arrived.wait(here).unwrap_or_else(PoisonError::into_inner);
        }
        *here = false;
    }
}

/// See [`super::prepare`].
pub unsafe fn prepare(_stack: &Stack, entry: Entry, argument: *mut ()) -> usize {
    let baton: &'static Baton = Box::leak(Box::default());
    let argument = argument.expose_provenance();
    let run = move || {
        baton.wait();
        // SAFETY: the caller of `switch` vouches for the entry's turn.
        unsafe { entry(std::ptr::with_exposed_provenance_mut(argument)) }
    };
    if std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run).is_err() {
        // There is no way to say so, and going on would hang.
        std::process::abort();
    }
    std::ptr::from_ref(baton).expose_provenance()
}

/// See [`super::switch`].
pub unsafe fn switch(save: *mut usize, to: usize, _context: *mut ()) {
    let mine: &'static Baton = Box::leak(Box::default());
    // SAFETY: the caller vouches for `save`; `to` is the address of a baton, which is never freed while it is waited for.
    unsafe {
        *save = std::ptr::from_ref(mine).expose_provenance();
        (*std::ptr::with_exposed_provenance::<Baton>(to)).hand_over();
    }
    mine.wait();
    // SAFETY: the baton was leaked above, and whoever handed it over is done with it when the lock is free.
    drop(unsafe { Box::from_raw(std::ptr::from_ref(mine).cast_mut()) });
}
