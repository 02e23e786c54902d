//! Ports: queues into which any Ractor puts messages, and out of which the threads of one take them.
//!
//! A port's objects share one [`Port`]; the messages in it are marked through them. What is put in belongs to the receiver
//! from then on: the sender has copied or moved it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

use asterism_heap::patience::Patience;
use asterism_heap::queue::Queue;
use asterism_heap::{Charge, Marker};
use asterism_lock::{Mutex, MutexGuard};
use asterism_object::Value;
use asterism_object::data::{DataObject, Shared};

use super::handle::Ractor;
use crate::fiber::parked::{Parked, tell_first};

/// See the module.
pub struct Port {
    /// Whose threads may receive.
    pub ractor: Arc<Ractor>,
    /// Tells it from the Ractor's others.
    pub id: u64,
    /// No safepoint under the lock.
    pub(super) inner: Mutex<Inner>,
    /// `MESSAGE` and `CLOSED`. Written under the lock.
    ready: Line,
    /// Whether a receiver that finds nothing is to spin.
    pub(super) patience: Patience,
}

/// On a cache line of its own, since those who spin look at nothing else.
#[repr(align(128))]
struct Line(AtomicU8);

/// A message is there.
const MESSAGE: u8 = 1;
/// The port is closed.
const CLOSED: u8 = 2;

pub(super) struct Inner {
    pub(super) messages: Queue<Value>,
    /// Who waits for a message, the longest first.
    pub(super) takers: VecDeque<Parked>,
    pub(super) closed: bool,
    /// Counts what `messages` has room for.
    room: Charge,
}

/// What a Port object holds; nothing until `initialize` has run.
pub struct PortObject(pub OnceLock<Arc<Port>>);

impl DataObject for PortObject {
    const NAME: &'static str = "ractor/port";
    const SHARED: Shared = Shared::Frozen;

    fn trace(&self, marker: &mut Marker) {
        if let Some(port) = self.0.get() {
            for v in port.inner.lock().messages.iter() {
                marker.mark(v.bits());
            }
        }
    }
}

/// What became of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sent {
    /// It is in the port.
    Done,
    /// The port is closed.
    Closed,
    /// There is no memory for it.
    NoRoom,
}

/// What a port has for who asks.
#[derive(Clone, Copy, Debug)]
pub enum Taken {
    /// A message.
    Message(Value),
    /// Nothing yet.
    Nothing,
    /// Nothing any more.
    Closed,
}

impl Port {
    /// A new port of `ractor`; `room` counts what its messages have room for.
    pub fn new(room: Charge, ractor: &Arc<Ractor>) -> Arc<Port> {
        let inner = Inner { messages: Queue::default(), takers: VecDeque::new(), closed: false, room };
        Arc::new(Port {
            ractor: ractor.clone(),
            id: ractor.next_port(),
            inner: Mutex::new(inner),
            ready: Line(AtomicU8::new(0)),
            patience: Patience::new(),
        })
    }

    /// Puts a message in, which the caller has given up. Who calls it owes a `wake_fibers`.
    pub fn offer(&self, message: Value) -> Sent {
        let mut inner = self.inner.lock();
        if inner.closed || self.ractor.is_closed() {
            return Sent::Closed;
        }
        if !inner.put(message) {
            return Sent::NoRoom;
        }
        self.put_out(&inner);
        self.wake_one(inner);
        Sent::Done
    }

    /// Takes a message out.
    pub fn take(&self) -> Taken {
        if !self.is_ready() {
            return Taken::Nothing;
        }
        let mut inner = self.inner.lock();
        match inner.messages.pop() {
            Some(v) => {
                self.put_out(&inner);
                // Somebody who waits for several ports may have been woken for this one and left it alone.
                if !inner.messages.is_empty() {
                    self.wake_one(inner);
                }
                Taken::Message(v)
            }
            None if inner.closed => Taken::Closed,
            None => Taken::Nothing,
        }
    }

    /// Takes nothing any more.
    pub fn close(&self) {
        let mut inner = self.inner.lock();
        inner.closed = true;
        self.put_out(&inner);
        let takers = std::mem::take(&mut inner.takers);
        drop(inner);
        takers.iter().for_each(Parked::unpark);
    }

    /// Does it take nothing any more?
    pub fn is_closed(&self) -> bool {
        self.ready.0.load(Ordering::Acquire) & CLOSED != 0 || self.ractor.is_closed()
    }

    fn put_out(&self, inner: &Inner) {
        let now = if inner.messages.is_empty() { 0 } else { MESSAGE } | if inner.closed { CLOSED } else { 0 };
        if self.ready.0.load(Ordering::Relaxed) != now {
            self.ready.0.store(now, Ordering::Release);
        }
    }

    pub(super) fn is_ready(&self) -> bool {
        self.ready.0.load(Ordering::Acquire) != 0
    }

    pub(super) fn leave(&self, me: &Parked) {
        let mut inner = self.inner.lock();
        if let Some(at) = inner.takers.iter().position(|other| other.is(me)) {
            inner.takers.remove(at);
        }
    }

    /// Who may have been woken for a message does not take it.
    pub(super) fn pass_on(&self) {
        let inner = self.inner.lock();
        if !inner.messages.is_empty() {
            self.wake_one(inner);
        }
    }

    /// Wakes who has waited longest.
    fn wake_one(&self, mut inner: MutexGuard<'_, Inner>) {
        let told = tell_first(&mut inner.takers);
        drop(inner);
        if let Some(taker) = told {
            taker.rouse();
        }
    }
}

impl Inner {
    fn put(&mut self, v: Value) -> bool {
        if self.messages.try_reserve_one().is_err() || !self.room.set(self.messages.room() * size_of::<Value>()) {
            return false;
        }
        self.messages.push(v);
        true
    }

    pub(super) fn is_ready(&self) -> bool {
        !self.messages.is_empty() || self.closed
    }
}
