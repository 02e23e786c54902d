//! `Channel`: the protocol of a queue of messages with any number of senders and receivers. What a message is, and how a
//! thread or fiber waits, is not its business.
//!
//! Everything is decided under one lock, which is held for a few instructions. A waiter is taken out of its list and told
//! (`Waits::announce`) under the lock; what then remains to be done, waking a sleeping thread, is the caller's when it has
//! left it: a woken thread does not run into the lock of the one that woke it. Being out of the list is being told, so
//! one that was told and goes away instead tells the next.
//!
//! A receiver that finds nothing may look at `is_ready` for a while before it sleeps (`spin`); a sender then has nobody to
//! wake. Whether that pays is learnt from how it went before (`Patience`).

use crate::patience::Patience;
use crate::queue::Queue;
use crate::sync::{AtomicU32, Mutex, MutexGuard, Ordering};

/// Who waits, as a channel knows it.
pub trait Waits: Clone {
    /// Its wait is over, or the one that it is about to begin. Called with the channel locked; must not block. Whether
    /// the caller has to wake it afterwards; doing that late is harmless.
    fn announce(&self) -> bool;
    /// Is it the same waiter?
    fn is(&self, other: &Self) -> bool;
    /// Was it left behind by a fork, so that telling it would tell nobody?
    fn is_gone(&self) -> bool {
        false
    }
}

/// What is protected by a channel's lock.
#[derive(Debug)]
struct Inner<T, W> {
    messages: Queue<T>,
    /// Who waits for a message, the longest first. One that selects is in several channels' lists.
    receivers: Queue<W>,
    /// Who waits for room.
    senders: Queue<W>,
    closed: bool,
}

/// See the module.
#[derive(Debug)]
pub struct Channel<T, W> {
    inner: Mutex<Inner<T, W>>,
    /// `MESSAGE` and `CLOSED`. Written under the lock. On a cache line of its own, since
    /// those who spin look at nothing else.
    ready: Line,
    /// Whether a receiver that finds nothing is to spin.
    pub patience: Patience,
    capacity: usize,
}

/// A message is there.
const MESSAGE: u32 = 1;
/// The channel is closed.
const CLOSED: u32 = 2;

#[derive(Debug)]
#[repr(align(128))]
struct Line(AtomicU32);

/// How a send ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Sent<T> {
    /// It is in the channel.
    Done,
    /// There is no room; the sender is in the list if it named itself.
    Full(T),
    /// The channel is closed.
    Closed(T),
    /// There is no memory.
    NoMemory(T),
}

/// How looking for a message ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Received<T> {
    /// The oldest one.
    Message(T),
    /// There is none now.
    Empty,
    /// There is none and never will be.
    Closed,
}

/// Somebody who is to be woken by the caller.
pub type Woken<W> = Option<W>;

impl<T, W: Waits> Inner<T, W> {
    fn put_out(&self, ready: &Line) {
        let now = if self.messages.is_empty() { 0 } else { MESSAGE } | if self.closed { CLOSED } else { 0 };
        if ready.0.load(Ordering::Relaxed) != now {
            ready.0.store(now, Ordering::Release);
        }
    }

    /// Takes the oldest message.
    fn take(&mut self, ready: &Line) -> (Received<T>, Woken<W>) {
        match self.messages.pop() {
            Some(message) => {
                self.put_out(ready);
                (Received::Message(message), tell(&mut self.senders))
            }
            None if self.closed => (Received::Closed, None),
            None => (Received::Empty, None),
        }
    }
}

/// Tells the first of a list.
fn tell<W: Waits>(list: &mut Queue<W>) -> Woken<W> {
    let next = std::iter::from_fn(|| list.pop()).find(|waiter| !waiter.is_gone())?;
    next.announce().then_some(next)
}

/// Takes a waiter out of a list; whether it was there.
fn leave<W: Waits>(list: &mut Queue<W>, me: &W) -> bool {
    list.remove(|other| other.is(me))
}

impl<T, W: Waits> Channel<T, W> {
    /// An empty channel with room for `capacity` messages.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        let inner =
            Inner { messages: Queue::default(), receivers: Queue::default(), senders: Queue::default(), closed: false };
        Self { inner: Mutex::new(inner), ready: Line(AtomicU32::new(0)), patience: Patience::new(), capacity }
    }

    /// Appends a message. Without room the sender `me` is put into the list.
    pub fn send(&self, message: T, me: Option<&W>) -> (Sent<T>, Woken<W>) {
        let mut inner = self.inner.lock();
        if inner.closed {
            return (Sent::Closed(message), None);
        }
        if inner.messages.len() >= self.capacity {
            if let Some(me) = me {
                inner.senders.push(me.clone());
            }
            return (Sent::Full(message), None);
        }
        if inner.messages.try_reserve_one().is_err() {
            return (Sent::NoMemory(message), None);
        }
        inner.messages.push(message);
        inner.put_out(&self.ready);
        (Sent::Done, tell(&mut inner.receivers))
    }

    /// Takes the oldest message.
    pub fn receive(&self) -> (Received<T>, Woken<W>) {
        self.inner.lock().take(&self.ready)
    }

    /// Puts the receiver `me` into the list; whether there is something to receive already.
    pub fn await_message(&self, me: &W) -> bool {
        let mut inner = self.inner.lock();
        inner.receivers.push(me.clone());
        inner.closed || !inner.messages.is_empty()
    }

    /// `me` waits for a message no more. If it was told of one, the next is.
    pub fn stop_receiving(&self, me: &W) -> Woken<W> {
        let mut inner = self.inner.lock();
        if leave(&mut inner.receivers, me) || inner.messages.is_empty() {
            return None;
        }
        tell(&mut inner.receivers)
    }

    /// `me` waits for a message no more, and takes the oldest.
    pub fn receive_at_last(&self, me: &W) -> (Received<T>, Woken<W>) {
        let mut inner = self.inner.lock();
        leave(&mut inner.receivers, me);
        inner.take(&self.ready)
    }

    /// `me` waits for room no more: if it was told of some, the next is.
    pub fn stop_sending(&self, me: &W) -> Woken<W> {
        let mut inner = self.inner.lock();
        if leave(&mut inner.senders, me) || inner.messages.len() >= self.capacity {
            return None;
        }
        tell(&mut inner.senders)
    }

    /// Ends sending. Who waits is told; all in the result are to be woken.
    pub fn close(&self) -> Vec<W> {
        let mut inner = self.inner.lock();
        inner.closed = true;
        inner.put_out(&self.ready);
        let all = std::mem::take(&mut inner.receivers).into_iter().chain(std::mem::take(&mut inner.senders));
        all.filter(Waits::announce).collect()
    }

    /// Is it closed?
    pub fn is_closed(&self) -> bool {
        self.ready.0.load(Ordering::Acquire) & CLOSED != 0
    }

    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.inner.lock().messages.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Most messages there may be.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// Locks it, for who looks at several channels at once. No other operation locks two.
    pub fn lock(&self) -> Locked<'_, T, W> {
        Locked { inner: self.inner.lock(), ready: &self.ready }
    }

    /// Whether a receiver would not have to wait; out of date at once.
    pub fn is_ready(&self) -> bool {
        self.ready.0.load(Ordering::Acquire) != 0
    }
}

/// A channel that is locked.
#[derive(Debug)]
pub struct Locked<'a, T, W> {
    inner: MutexGuard<'a, Inner<T, W>>,
    ready: &'a Line,
}

impl<T, W: Waits> Locked<'_, T, W> {
    /// The messages, oldest first.
    pub fn messages(&self) -> impl Iterator<Item = &T> {
        self.inner.messages.iter()
    }

    /// Takes all messages out: those of a channel that nobody can reach.
    pub fn take_messages(&mut self) -> impl Iterator<Item = T> + use<T, W> {
        let messages = std::mem::take(&mut self.inner.messages);
        self.inner.put_out(self.ready);
        messages.into_iter()
    }
}
