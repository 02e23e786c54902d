//! Ports: queues into which any Ractor puts messages, and out of which the threads of one take them.
//!
//! A port's objects share one [`Port`]; the messages in it are marked through them. What is put in belongs to the receiver
//! from then on: the sender has copied or moved it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use asterism_heap::patience::Patience;
use asterism_heap::queue::Queue;
use asterism_heap::{Charge, Marker};
use asterism_lock::{Mutex, MutexGuard};
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::{Value, ownership};

use super::Ractor;
use crate::ec::{Ec, Res};
use crate::fiber::scheduler::{Parked, tell_first};
use crate::thread::{Sleep, Wake};

/// See the module.
pub struct Port {
    /// Whose threads may receive.
    pub ractor: Arc<Ractor>,
    /// Tells it from the Ractor's others.
    pub id: u64,
    /// No safepoint under the lock.
    inner: Mutex<Inner>,
    /// `MESSAGE` and `CLOSED`. Written under the lock.
    ready: Line,
    /// Whether a receiver that finds nothing is to spin.
    patience: Patience,
}

/// On a cache line of its own, since those who spin look at nothing else.
#[repr(align(128))]
struct Line(AtomicU8);

/// A message is there.
const MESSAGE: u8 = 1;
/// The port is closed.
const CLOSED: u8 = 2;

struct Inner {
    messages: Queue<Value>,
    /// Who waits for a message, the longest first.
    takers: VecDeque<Parked>,
    closed: bool,
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
    /// A new port of `ractor`.
    pub fn new(ec: &Ec, ractor: &Arc<Ractor>) -> Arc<Port> {
        let inner = Inner { messages: Queue::default(), takers: VecDeque::new(), closed: false, room: ec.new_charge() };
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

    fn is_ready(&self) -> bool {
        self.ready.0.load(Ordering::Acquire) != 0
    }

    fn leave(&self, me: &Parked) {
        let mut inner = self.inner.lock();
        if let Some(at) = inner.takers.iter().position(|other| other.is(me)) {
            inner.takers.remove(at);
        }
    }

    /// Who may have been woken for a message does not take it.
    fn pass_on(&self) {
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

    fn is_ready(&self) -> bool {
        !self.messages.is_empty() || self.closed
    }
}

/// A new Port object of `ractor`.
///
/// # Errors
/// NoMemoryError.
pub fn make(ec: &mut Ec, ractor: &Arc<Ractor>) -> Res {
    let class = ec.ractor_class("Port");
    let port = Port::new(ec, ractor);
    let made = data::new(ec, class, PortObject(port.into()));
    ec.check(Value::NIL, made)
}

impl Ec {
    /// Sends `message`, which nobody else has, to a port.
    ///
    /// # Errors
    /// Ractor::ClosedError, NoMemoryError; what a scheduler raises.
    pub fn port_send(&mut self, port: &Port, message: Value) -> Res<()> {
        ownership::release(self, message);
        self.race_release_at(port);
        match port.offer(message) {
            Sent::Done => self.wake_fibers(),
            Sent::Closed => Err(self.ractor_error("ClosedError", "The port was already closed")),
            Sent::NoRoom => Err(self.no_memory()),
        }
    }

    /// The first message that one of the ports has, and which one; `None`: the deadline came first. `blocker` is the object
    /// that schedulers are told of.
    ///
    /// # Errors
    /// Ractor::ClosedError; what is raised into the thread.
    pub fn port_receive(
        &mut self,
        blocker: Value,
        ports: &[&Port],
        deadline: Option<Instant>,
    ) -> Res<Option<(usize, Value)>> {
        let mut timed_out = false;
        let mut woken = false;
        loop {
            // What was raised into the thread comes before what woke it too.
            if woken && let Err(raised) = self.check_blocking() {
                ports.iter().for_each(|port| port.pass_on());
                self.wake_fibers_quietly();
                return Err(raised);
            }
            for (i, port) in ports.iter().enumerate() {
                match port.take() {
                    Taken::Message(v) => {
                        if woken && ports.len() > 1 {
                            ports.iter().for_each(|port| port.pass_on());
                        }
                        self.wake_fibers()?;
                        return Ok(Some((i, v)));
                    }
                    Taken::Closed => return Err(self.ractor_error("ClosedError", "The port was already closed")),
                    Taken::Nothing => {}
                }
            }
            if timed_out {
                return Ok(None);
            }
            self.check_blocking()?;
            woken = true;
            if !self.spin_at_ports(ports, deadline) {
                timed_out = self.wait_at_ports(blocker, ports, deadline)?;
            }
        }
    }

    fn spin_at_ports(&mut self, ports: &[&Port], deadline: Option<Instant>) -> bool {
        let [first, ..] = ports else { return false };
        self.spin(&first.patience, deadline, || ports.iter().any(|port| port.is_ready()))
    }

    /// Waits until one of the ports may have something; whether the time is over.
    fn wait_at_ports(&mut self, blocker: Value, ports: &[&Port], deadline: Option<Instant>) -> Res<bool> {
        let Some(scheduler) = self.scheduler() else {
            let thread = self.ruby_thread.clone();
            let me = Parked::Thread(thread.clone());
            // Who waits at several ports is in no single queue: it does not take part in the search for deadlocks.
            let sleep = match deadline {
                Some(deadline) => Sleep::Until(deadline),
                None if ports.len() == 1 => Sleep::Deadly,
                None => Sleep::Forever,
            };
            thread.prepare_wait(false);
            let waits = ports.iter().all(|port| {
                let mut inner = port.inner.lock();
                if inner.is_ready() {
                    return false;
                }
                if sleep == Sleep::Deadly {
                    thread.begin_deadly();
                }
                inner.takers.push_back(me.clone());
                true
            });
            let wake = if waits { self.park_at_once_for(blocker, sleep) } else { Wake::Unparked };
            ports.iter().for_each(|port| port.leave(&me));
            return Ok(wake == Wake::TimedOut);
        };
        let left = self.seconds(deadline.map(|d| d.saturating_duration_since(Instant::now())))?;
        let wait = self.begin_fiber_wait(scheduler, blocker)?;
        let me = Parked::Fiber(Arc::clone(&wait));
        let waits = ports.iter().all(|port| {
            let mut inner = port.inner.lock();
            let waits = !inner.is_ready();
            if waits {
                inner.takers.push_back(me.clone());
            }
            waits
        });
        let blocked = if waits { self.block_fiber(scheduler, blocker, left) } else { Ok(Value::NIL) };
        let woken = wait.is_woken();
        ports.iter().for_each(|port| port.leave(&me));
        drop(wait);
        if blocked.is_err() {
            ports.iter().for_each(|port| port.pass_on());
            self.wake_fibers_quietly();
        }
        blocked?;
        Ok(waits && !woken && deadline.is_some_and(|d| Instant::now() >= d))
    }

    fn spin_for_end(&mut self, ractor: &Ractor, deadline: Option<Instant>) -> bool {
        let vm = self.vm_arc();
        self.spin(&vm.threads.joins, deadline, || ractor.is_over())
    }

    /// Waits until the block of `ractor` has ended; whether it has before the deadline.
    ///
    /// # Errors
    /// What is raised into the thread.
    pub fn join_ractor(&mut self, blocker: Value, ractor: &Ractor, deadline: Option<Instant>) -> Res<bool> {
        loop {
            if ractor.is_over() {
                return Ok(true);
            }
            self.check_blocking()?;
            if self.spin_for_end(ractor, deadline) {
                continue;
            }
            let timed_out = match self.scheduler() {
                None => {
                    let thread = self.ruby_thread.clone();
                    let me = Parked::Thread(thread.clone());
                    let sleep = Sleep::for_thread(deadline);
                    if !ractor.enqueue(me.clone(), || thread.prepare_wait(sleep == Sleep::Deadly)) {
                        return Ok(true);
                    }
                    let wake = self.park_at_once_for(blocker, sleep);
                    ractor.dequeue(&me);
                    wake == Wake::TimedOut
                }
                Some(scheduler) => {
                    let left = self.seconds(deadline.map(|d| d.saturating_duration_since(Instant::now())))?;
                    let wait = self.begin_fiber_wait(scheduler, blocker)?;
                    let me = Parked::Fiber(Arc::clone(&wait));
                    if !ractor.enqueue(me.clone(), || ()) {
                        return Ok(true);
                    }
                    let blocked = self.block_fiber(scheduler, blocker, left);
                    ractor.dequeue(&me);
                    blocked?;
                    !wait.is_woken() && deadline.is_some_and(|d| Instant::now() >= d)
                }
            };
            if timed_out {
                return Ok(ractor.is_over());
            }
        }
    }
}
