//! Sending messages to ports, and receiving them.

use std::sync::Arc;
use std::time::Instant;

use asterism_object::{Value, data, ownership};

use super::handle::Ractor;
use super::port::{Port, PortObject, Sent, Taken};
use crate::ec::{Ec, Res};
use crate::fiber::parked::Parked;
use crate::thread::{Sleep, Wake};

/// A new Port object of `ractor`.
///
/// # Errors
/// NoMemoryError.
pub fn make(ec: &mut Ec, ractor: &Arc<Ractor>) -> Res {
    let class = ec.ractor_class("Port");
    let port = Port::new(ec.new_charge(), ractor);
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
            let thread = self.thread.handle.clone();
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
    /// As [`Ec::check_blocking`]; what the scheduler's `block` raises; NoMemoryError.
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
                    let thread = self.thread.handle.clone();
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
