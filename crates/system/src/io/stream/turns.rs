//! Turns at a stream: one thread or fiber reads it at a time, and one flushes it.

use std::sync::Arc;

use asterism_object::Value;
use asterism_vm::{Ec, Res};

use super::{Fields, Stream, StreamRef};

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turn {
    /// The fiber, by `RunningFiber::id`.
    pub(super) fiber: u64,
    /// Its thread's number.
    thread: u64,
}

impl Turn {
    /// The running fiber's.
    pub(super) fn of(ec: &Ec) -> Turn {
        Turn { fiber: ec.fiber.id, thread: ec.thread.handle.number }
    }
}

impl StreamRef {
    /// Waits for the running fiber's turn: while `busy` holds.
    pub(super) fn wait_while(&self, ec: &mut Ec, busy: impl Fn(&Fields) -> bool) -> Res<()> {
        self.end_lost_turns(ec);
        if let Some(scheduler) = ec.scheduler() {
            return self.wait_turn(ec, scheduler, busy);
        }
        loop {
            if !busy(&self.lock()) {
                return Ok(());
            }
            let state = ec.state().clone();
            let unblock = || {
                let _fields = self.lock();
                self.changed.notify_all();
            };
            ec.wait_outside(&unblock, || {
                let mut fields = self.lock();
                while busy(&fields) && state.interrupts().pending() == 0 {
                    self.changed.wait(&mut fields);
                }
            });
            ec.check_blocking()?;
        }
    }

    /// In a process that was forked: ends the turns of threads that it does not have.
    fn end_lost_turns(&self, ec: &Ec) {
        let threads = &ec.vm().threads;
        if !threads.is_forked() {
            return;
        }
        let living = threads.living();
        let is_lost = |turn: &mut Turn| !living.iter().any(|thread| thread.number == turn.thread);
        let mut fields = self.lock();
        // What they had read, or were writing, is theirs.
        fields.reader.take_if(is_lost);
        fields.flusher.take_if(is_lost);
    }

    /// As `wait_while`, by a fiber: its thread does something else meanwhile.
    fn wait_turn(&self, ec: &mut Ec, scheduler: Value, busy: impl Fn(&Fields) -> bool) -> Res<()> {
        let wait = ec.begin_fiber_wait(scheduler, self.io)?;
        let result = loop {
            {
                let mut fields = self.lock();
                if !busy(&fields) {
                    break Ok(());
                }
                wait.prepare();
                fields.turns.push(Arc::clone(&wait));
            }
            let blocked = ec.block_fiber(scheduler, self.io, Value::NIL);
            self.lock().turns.retain(|w| !Arc::ptr_eq(w, &wait));
            if let Err(raised) = blocked {
                break Err(raised);
            }
        };
        drop(wait);
        result
    }
}

impl Stream {
    /// Lets the next one read or flush.
    pub(super) fn next_turn(&self, fields: &mut Fields) {
        self.changed.notify_all();
        if !fields.turns.is_empty() {
            for wait in fields.turns.drain(..) {
                wait.wake();
            }
        }
    }
}
