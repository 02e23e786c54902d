//! `Fiber::Scheduler::Default`: the scheduler that is built in, on epoll. `scheduler.rb` has its loop.
//!
//! A descriptor is registered once, edge-triggered, and stays so until it is closed; from then on a wait costs no
//! system call but its share of `epoll_wait`. Since an edge comes once, the scheduler remembers per descriptor whether
//! there may be something to read or room to write: an operation that has found nothing more clears the mark, an event
//! sets it. What waits is kept by fiber: a fiber waits for one thing at a time.
//!
//! While the loop runs, a fiber that waits hands over to the next one that is ready itself, and asks the system for
//! events when none is; the loop's fiber goes on only for what needs it: a fiber that is new, or an interrupt.
//!
//! Other threads call `unblock` and close descriptors; everything is under one short lock (`interest`), in which nothing
//! is allocated in the Ruby heap and no safepoint is reached.

pub mod interest;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use asterism_heap::{Marker, SpanKind};
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject};
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Value};
use asterism_symbol::sym;
use asterism_vm::fiber::{Status, of_object};
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};
use rustix::event::{PollFlags, Timespec, epoll};
use rustix::io::Errno;

use crate::io::fd::Fd;
use asterism_core::errno;
use interest::{CLOSED, Interest, Next, Wait};

/// Instance methods of the class.
pub static POLLER: &[NativeDef] = &[
    NativeDef::new("__next", next, 0, 0).private(),
    NativeDef::new("__ready", ready, 1, 1).private(),
    NativeDef::new("__wait", wait_for_time, 2, 2).private(),
    NativeDef::new("__loop", set_loop, 2, 2).private(),
    NativeDef::new("unblock", unblock, 2, 2),
];

/// How many fibers run before the system is asked for events again, however many are ready.
const ROUND: u32 = 64;

/// See the module.
pub struct Poller {
    interest: Arc<Interest>,
    /// The fiber that runs the loop, and that waiting fibers give control to.
    home: AtomicValue,
    /// Does that fiber run the loop? Else it is somewhere in the program, and has to go on when another fiber waits.
    looping: AtomicBool,
}

impl DataObject for Poller {
    const NAME: &'static str = "fiber scheduler";

    fn trace(&self, marker: &mut Marker) {
        marker.mark(self.home.load(Ordering::Acquire).bits());
        self.interest.trace(marker);
    }
}

/// `Fiber::Scheduler::Default.allocate`
///
/// # Errors
/// Errno::EMFILE, Errno::ENFILE or Errno::ENOMEM if there is no descriptor for it; NoMemoryError.
pub fn allocate(ec: &mut Ec, class: Class) -> Res {
    let (number, thread) = (ec.vm().threads.next_number(), ec.thread.handle.number);
    let interest = Interest::new(number, thread).map_err(|e| errno::raise(ec, e, ""))?;
    let home = ec.current_fiber()?;
    let looping = AtomicBool::new(false);
    let made = data::new(ec, class.0, Poller { interest: Arc::new(interest), home: AtomicValue::new(home), looping });
    asterism_heap::keep_alive(home.bits());
    ec.check(Value::NIL, made)
}

fn poller<'a>(ec: &mut Ec, this: &'a Value) -> Res<&'a Poller> {
    match data::get::<Poller>(this) {
        Some(poller) => Ok(poller),
        None => Err(ec.type_error("wrong argument type (expected Fiber::Scheduler::Default)")),
    }
}

/// In a process that was forked: nothing waits any more by this scheduler, which is the other process's.
pub fn forget(scheduler: &Value) {
    if let Some(poller) = data::get::<Poller>(scheduler) {
        poller.interest.forget_all();
    }
}

/// `__loop(fiber, runs?)`
fn set_loop(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let poller = poller(ec, &this)?;
    if let Some(cell) = this.cell() {
        asterism_object::store(cell, &poller.home, args[0]);
    }
    poller.looping.store(args[1].truthy(), Ordering::Relaxed);
    Ok(args[0])
}

/// Is the descriptor registered with the scheduler?
pub fn is_registered(scheduler: &Value, fd: &Fd) -> bool {
    data::get::<Poller>(scheduler).is_some_and(|poller| poller.interest.is_registered(fd))
}

/// After a wait to read, where less came of it, or more, than such a wait expects: may there be something left? Then the next
/// one is over at once.
pub fn set_input(scheduler: &Value, fd: &Fd, is_left: bool) {
    if let Some(poller) = data::get::<Poller>(scheduler) {
        poller.interest.set_input(fd, is_left);
    }
}

/// The events that end a wait of a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Came {
    /// These, as `IO::READABLE` and so on; 0: the time is over.
    Events(i64),
    /// The stream was closed.
    Closed,
}

/// A descriptor to be waited for.
#[derive(Clone, Copy)]
pub struct Awaited<'a> {
    /// It.
    pub fd: &'a Arc<Fd>,
    /// What for.
    pub flags: PollFlags,
    /// Whether the stream it belongs to was closed: that ends the wait.
    pub closed: Option<&'a AtomicBool>,
    /// It is read next, to its end unless `set_input` says otherwise: the wait is over at once if there may be something.
    pub reads: bool,
}

/// The running fiber waits for a descriptor or, without one, for `unblock`.
///
/// # Errors
/// FiberError in the scheduler's own fiber; TypeError if it is no such scheduler; Errno::ENOMEM or Errno::ENOSPC if the
/// descriptor cannot be registered; what is raised into the thread, or in the fiber when it goes on.
pub fn wait(ec: &mut Ec, scheduler: Value, on: Option<Awaited<'_>>, timeout: Option<Duration>) -> Res<Came> {
    if on.is_none() || ec.heap().traced().generation() == 0 {
        return wait_untraced(ec, scheduler, on, timeout);
    }
    ec.fiber_span(SpanKind::Io, Value::NIL, |ec| wait_untraced(ec, scheduler, on, timeout))
}

fn wait_untraced(ec: &mut Ec, scheduler: Value, on: Option<Awaited<'_>>, timeout: Option<Duration>) -> Res<Came> {
    let poller = poller(ec, &scheduler)?;
    let interest = &poller.interest;
    let fiber = ec.current_fiber()?;
    if fiber.bits() == poller.home.load(Ordering::Acquire).bits() {
        return Err(ec.raise(Exc::FiberError, "the scheduler's own fiber cannot wait"));
    }
    ec.check_blocking()?;
    let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
    let mut wait = Wait::new(deadline);
    if let Some(on) = on {
        match interest.register(on.fd) {
            Ok(true) => wait = wait.on(on.fd.number(), on.flags, on.reads),
            Ok(false) => return Ok(Came::Events(1)),
            Err(e) => return Err(errno::raise(ec, e, "")),
        }
    }
    let round = poller.looping.load(Ordering::Relaxed).then_some(ROUND);
    let next = match interest.begin(fiber, wait, on.and_then(|o| o.closed), round) {
        Ok(next) => next,
        Err(outcome) => return Ok(came(outcome)),
    };
    let switched = hand_over(ec, poller, fiber, next);
    let outcome = interest.finish(fiber, switched.is_ok());
    asterism_heap::keep_alive(fiber.bits());
    asterism_heap::keep_alive(scheduler.bits());
    switched?;
    // Gone on with by somebody else: as if woken.
    Ok(came(outcome.unwrap_or(if on.is_some() { 7 } else { 1 })))
}

fn came(outcome: i64) -> Came {
    if outcome == CLOSED { Came::Closed } else { Came::Events(outcome) }
}

/// Goes on with another fiber, this one at first; returns when the waiting one is gone on with.
fn hand_over(ec: &mut Ec, poller: &Poller, fiber: Value, mut next: Next) -> Res<()> {
    loop {
        match next {
            Next::Fiber(next) if next == fiber => return Ok(()),
            Next::Fiber(next) => return ec.transfer_to(next).map(drop),
            Next::Other => break,
            Next::None(limit) => {
                if poll(ec, poller, limit)? || !poller.looping.load(Ordering::Relaxed) {
                    break;
                }
                next = poller.interest.next_waiting(ROUND);
            }
        }
    }
    let home = poller.home.load(Ordering::Acquire);
    ec.call(home, sym::transfer, &[]).map(drop)
}

/// Asks the system for events, and waits for the first so long. Was that interrupted?
fn poll(ec: &mut Ec, poller: &Poller, limit: Option<Duration>) -> Res<bool> {
    let limit = limit.map(|d| Timespec {
        tv_sec: i64::try_from(d.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(d.subsec_nanos()),
    });
    let interest = &*poller.interest;
    let mut room = [const { std::mem::MaybeUninit::<epoll::Event>::uninit() }; 128];
    let waited = ec.wait_outside(&|| interest.wake(), || {
        epoll::wait(interest.epoll(), &mut room, limit.as_ref()).map(|(events, _)| events.len())
    });
    let came = match waited {
        Some(Ok(n)) => n,
        None | Some(Err(Errno::INTR)) => 0,
        Some(Err(e)) => return Err(errno::raise(ec, e, "")),
    };
    let events = room[..came].iter().map(|slot| {
        // SAFETY: the call has filled in that many.
        let event = unsafe { slot.assume_init_ref() };
        (event.data.u64(), event.flags)
    });
    interest.events(events);
    if waited.is_none() {
        interest.reset_wake();
    }
    Ok(waited.is_none_or(|w| w.is_err()) || ec.state().interrupts().pending() != 0)
}

/// The running fiber waits until any of the descriptors is ready or the time is over; `false`: this scheduler does not
/// do that, or one is ready always.
///
/// # Errors
/// As [`wait`]; Errno::EMFILE, Errno::ENFILE or Errno::ENOMEM if there is no descriptor for all of them.
pub fn wait_for_all(
    ec: &mut Ec,
    scheduler: Value,
    all: &[(Arc<Fd>, PollFlags)],
    timeout: Option<Duration>,
) -> Res<bool> {
    if !data::is::<Poller>(scheduler) {
        return Ok(false);
    }
    // One epoll descriptor stands for all of them: it is readable when one of them is ready.
    let made = epoll::create(epoll::CreateFlags::CLOEXEC).and_then(|set| {
        for (i, (fd, _)) in all.iter().enumerate() {
            if all[..i].iter().any(|(before, _)| before.number() == fd.number()) {
                continue;
            }
            let mut flags = epoll::EventFlags::empty();
            for (_, wanted) in all.iter().filter(|(other, _)| other.number() == fd.number()) {
                flags.set(
                    epoll::EventFlags::IN,
                    flags.contains(epoll::EventFlags::IN) || wanted.contains(PollFlags::IN),
                );
                flags.set(
                    epoll::EventFlags::OUT,
                    flags.contains(epoll::EventFlags::OUT) || wanted.contains(PollFlags::OUT),
                );
                flags.set(
                    epoll::EventFlags::PRI,
                    flags.contains(epoll::EventFlags::PRI) || wanted.contains(PollFlags::PRI),
                );
            }
            match epoll::add(&set, fd, epoll::EventData::new_u64(0), flags) {
                Err(Errno::PERM) => return Ok(None),
                other => other?,
            }
        }
        Ok(Some(set))
    });
    let set = match made {
        Ok(Some(set)) => Arc::new(Fd::new(set)),
        Ok(None) => return Ok(false),
        Err(e) => return Err(errno::raise(ec, e, "")),
    };
    wait(ec, scheduler, Some(Awaited { fd: &set, flags: PollFlags::IN, closed: None, reads: false }), timeout)?;
    Ok(true)
}

/// `__wait(timeout or nil, sleep?)`: whether it was woken before the time was over.
fn wait_for_time(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let timeout = match args[0] {
        Value::NIL => None,
        v => Some(crate::thread::time::interval(ec, v)?),
    };
    if args[1].truthy() {
        // A wake that came before was not meant for a sleep.
        let fiber = ec.current_fiber()?;
        let poller = poller(ec, &this)?;
        poller.interest.forget(fiber);
    }
    Ok(Value::bool(wait(ec, this, None, timeout)? != Came::Events(0)))
}

/// `__ready(fiber)`: it is to be gone on with.
fn ready(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let poller = poller(ec, &this)?;
    if !args[0].is_type(Type::Array) && of_object(&args[0]).is_none() {
        return Err(ec.type_error("wrong argument type (expected fiber)"));
    }
    poller.interest.make_ready(args[0]);
    Ok(Value::NIL)
}

/// `unblock(blocker, fiber)`, by any thread.
fn unblock(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let poller = poller(ec, &this)?;
    let fiber = args[1];
    if of_object(&fiber).is_none_or(|f| f.status() == Status::Terminated) {
        return Ok(Value::NIL);
    }
    poller.interest.unblock(fiber, ec.thread.handle.number);
    Ok(Value::NIL)
}

/// `__next`: the next fiber to go on with; waits for one. Nil when no fiber waits any more.
fn next(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let poller = poller(ec, &this)?;
    loop {
        match poller.interest.next(ROUND) {
            Ok(fiber) => return Ok(fiber),
            Err(limit) => {
                poll(ec, poller, limit)?;
                ec.check_blocking()?;
            }
        }
    }
}
