//! `Fiber::Scheduler::Default`: the scheduler that is built in, on epoll. `scheduler.rb` has its loop.
//!
//! A descriptor is registered once, edge-triggered, and stays so until it is closed; from then on a wait costs no
//! system call but its share of `epoll_wait`. Since an edge comes once, the scheduler remembers per descriptor whether
//! there may be something to read or room to write: an operation that has found nothing more clears the mark, an event
//! sets it. What waits is kept by fiber: a fiber waits for one thing at a time.
//!
//! Only `unblock` is called by other threads; everything is under one short lock, in which nothing is allocated in the
//! Ruby heap and no safepoint is reached.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use asterism_heap::Marker;
use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject};
use asterism_object::types::Type;
use asterism_symbol::intern;
use asterism_vm::fiber::{Status, of_object};
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};
use parking_lot::Mutex;
use rustix::event::{PollFlags, Timespec, epoll};
use rustix::io::Errno;

use crate::io::errno;
use crate::io::fd::{Fd, Wake};

/// Instance methods of the class.
pub static POLLER: &[NativeDef] = &[
    NativeDef::new("__next", next, 0, 0).private(),
    NativeDef::new("__ready", ready, 1, 1).private(),
    NativeDef::new("__wait", wait_for_time, 2, 2).private(),
    NativeDef::new("__loop", set_loop, 1, 1).private(),
    NativeDef::new("unblock", unblock, 2, 2),
    NativeDef::new("io_wait", io_wait, 3, 3),
];

/// The event data of the descriptor that wakes the loop.
const WAKE: u64 = u64::MAX;
/// How many fibers run before the system is asked for events again, however many are ready.
const ROUND: u32 = 64;

/// A descriptor that is registered.
#[derive(Default)]
struct Entry {
    /// Tells it from an earlier one of the same number.
    generation: u32,
    /// What an operation may find: an event has come since one found nothing.
    marks: Marks,
    /// The other side is gone, so that no further event may come.
    hung_up: bool,
    /// The fibers that wait for it.
    fibers: Vec<u64>,
}

/// What a descriptor may be ready for.
#[derive(Clone, Copy, Default)]
struct Marks {
    read: bool,
    write: bool,
}

/// What a fiber waits for.
struct Wait {
    /// The descriptor, -1: none.
    fd: i32,
    flags: PollFlags,
    deadline: Option<Instant>,
    /// What has ended the wait: events, or 0 for the time.
    outcome: Option<i64>,
}

#[derive(Default)]
struct Inner {
    waits: HashMap<u64, Wait>,
    entries: Vec<Entry>,
    /// Fibers to be gone on with.
    ready: VecDeque<Value>,
    timers: BTreeSet<(Instant, u64)>,
    /// Fibers run since the system was asked.
    since: u32,
}

/// See the module.
pub struct Poller {
    epoll: OwnedFd,
    wake: Wake,
    number: u64,
    /// The number of its thread.
    thread: u64,
    /// The fiber that runs the loop, and that waiting fibers give control to.
    home: AtomicU64,
    inner: Mutex<Inner>,
}

impl DataObject for Poller {
    const NAME: &'static str = "fiber scheduler";

    fn trace(&self, marker: &mut Marker) {
        marker.mark(self.home.load(Ordering::Acquire));
        let inner = self.inner.lock();
        for fiber in inner.waits.keys() {
            marker.mark(*fiber);
        }
        for fiber in &inner.ready {
            marker.mark(fiber.0);
        }
    }
}

/// `Fiber::Scheduler::Default.allocate`
///
/// # Errors
/// EMFILE and its like; NoMemoryError.
pub fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = epoll::create(epoll::CreateFlags::CLOEXEC).and_then(|epoll| {
        let wake = Wake::new()?;
        epoll::add(&epoll, &wake, epoll::EventData::new_u64(WAKE), epoll::EventFlags::IN)?;
        Ok((epoll, wake))
    });
    let (epoll, wake) = made.map_err(|e| errno::raise(ec, e, ""))?;
    let home = ec.current_fiber()?;
    let number = ec.vm().threads.next_number();
    let thread = ec.ruby_thread.number;
    let poller = Poller { epoll, wake, number, thread, home: AtomicU64::new(home.0), inner: Mutex::default() };
    let made = data::new(ec, class.0, poller);
    asterism_heap::keep_alive(home.0);
    ec.check(Value::NIL, made)
}

fn poller<'a>(ec: &mut Ec, this: &'a Value) -> Res<&'a Poller> {
    match data::get::<Poller>(this) {
        Some(poller) => Ok(poller),
        None => Err(ec.type_error("wrong argument type (expected Fiber::Scheduler::Default)")),
    }
}

fn set_loop(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let poller = poller(ec, &this)?;
    if let Some(cell) = this.cell() {
        asterism_object::store(cell, &poller.home, args[0]);
    }
    Ok(args[0])
}

impl Inner {
    fn entry(&mut self, fd: i32) -> Option<&mut Entry> {
        let i = usize::try_from(fd).ok()?;
        if self.entries.len() <= i {
            self.entries.resize_with(i + 1, Entry::default);
        }
        self.entries.get_mut(i)
    }

    /// Ends a fiber's wait.
    fn end(&mut self, fiber: u64, outcome: i64) {
        if let Some(wait) = self.waits.get_mut(&fiber)
            && wait.outcome.is_none()
        {
            wait.outcome = Some(outcome);
            self.ready.push_back(Value(fiber));
        }
    }

    /// Handles an event of a descriptor.
    fn event(&mut self, data: u64, flags: epoll::EventFlags) {
        let (fd, generation) = (data as u32 as i32, (data >> 32) as u32);
        let gone = flags.intersects(epoll::EventFlags::HUP | epoll::EventFlags::ERR);
        let input = gone || flags.intersects(epoll::EventFlags::IN | epoll::EventFlags::RDHUP);
        let output = gone || flags.contains(epoll::EventFlags::OUT);
        let urgent = flags.contains(epoll::EventFlags::PRI);
        let Some(entry) = self.entry(fd) else { return };
        if entry.generation != generation {
            return;
        }
        entry.marks.read |= input;
        entry.marks.write |= output;
        entry.hung_up |= gone || flags.contains(epoll::EventFlags::RDHUP);
        let fibers = std::mem::take(&mut entry.fibers);
        for fiber in &fibers {
            let Some(wait) = self.waits.get(fiber) else { continue };
            let mut came = 0;
            for (flag, happened, bit) in
                [(PollFlags::IN, input, 1), (PollFlags::PRI, urgent, 2), (PollFlags::OUT, output, 4)]
            {
                if wait.flags.contains(flag) && happened {
                    came |= bit;
                }
            }
            if came != 0 {
                self.end(*fiber, came);
            }
        }
        if let Some(entry) = self.entry(fd) {
            entry.fibers = fibers;
        }
    }

    fn expire(&mut self) {
        if self.timers.is_empty() {
            return;
        }
        let now = Instant::now();
        while let Some(&(at, fiber)) = self.timers.first()
            && at <= now
        {
            self.timers.pop_first();
            self.end(fiber, 0);
        }
    }
}

impl Poller {
    /// Registers a descriptor unless it is; whether it can be waited for.
    fn register(&self, fd: &Fd) -> Result<bool, Errno> {
        if fd.poller.load(Ordering::Relaxed) == self.number {
            return Ok(true);
        }
        let generation = {
            let mut inner = self.inner.lock();
            let Some(entry) = inner.entry(fd.number()) else { return Ok(false) };
            let generation = entry.generation.wrapping_add(1);
            // Whoever waits still, waits for a descriptor of the same number that was closed.
            *entry = Entry { generation, ..Entry::default() };
            generation
        };
        let data = epoll::EventData::new_u64(u64::from(fd.number() as u32) | u64::from(generation) << 32);
        let flags = epoll::EventFlags::IN
            | epoll::EventFlags::OUT
            | epoll::EventFlags::PRI
            | epoll::EventFlags::RDHUP
            | epoll::EventFlags::ET;
        match epoll::add(&self.epoll, fd, data, flags) {
            // A regular file, say: always ready.
            Err(Errno::PERM) => return Ok(false),
            Err(Errno::EXIST) => epoll::modify(&self.epoll, fd, data, flags)?,
            other => other?,
        }
        fd.poller.store(self.number, Ordering::Relaxed);
        Ok(true)
    }
}

/// May an operation on the descriptor find something? `false`: it would only say that it has to wait.
pub fn may_be_ready(ec: &Ec, fd: &Fd, output: bool) -> bool {
    if fd.poller.load(Ordering::Relaxed) == 0 {
        return true;
    }
    let Some(scheduler) = ec.scheduler() else { return true };
    let Some(poller) = data::get::<Poller>(&scheduler) else { return true };
    if fd.poller.load(Ordering::Relaxed) != poller.number {
        return true;
    }
    let mut inner = poller.inner.lock();
    inner.entry(fd.number()).is_none_or(|e| e.hung_up || if output { e.marks.write } else { e.marks.read })
}

/// An operation on the descriptor has found nothing more: the next one waits for an event first.
pub fn drained(ec: &Ec, fd: &Fd, output: bool) {
    if fd.poller.load(Ordering::Relaxed) == 0 {
        return;
    }
    if let Some(scheduler) = ec.scheduler()
        && let Some(poller) = data::get::<Poller>(&scheduler)
        && fd.poller.load(Ordering::Relaxed) == poller.number
        && let Some(entry) = poller.inner.lock().entry(fd.number())
    {
        if output {
            entry.marks.write = false;
        } else {
            entry.marks.read = false;
        }
    }
}

/// The running fiber waits for a descriptor or, without one, for `unblock`; the events that came, 0 when the time is
/// over.
///
/// # Errors
/// What is raised into the fiber.
pub fn wait(ec: &mut Ec, scheduler: Value, on: Option<(&Arc<Fd>, PollFlags)>, timeout: Option<Duration>) -> Res<i64> {
    let poller = poller(ec, &scheduler)?;
    let fiber = ec.current_fiber()?;
    let home = Value(poller.home.load(Ordering::Acquire));
    if fiber == home {
        return Err(ec.raise(Exc::FiberError, "the scheduler's own fiber cannot wait"));
    }
    ec.check_blocking()?;
    let (mut number, mut flags) = (-1, PollFlags::empty());
    if let Some((fd, wanted)) = on {
        match poller.register(fd) {
            Ok(true) => (number, flags) = (fd.number(), wanted),
            Ok(false) => return Ok(1),
            Err(e) => return Err(errno::raise(ec, e, "")),
        }
    }
    let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
    {
        let mut inner = poller.inner.lock();
        // `unblock` may have come before this: that counts for `block` alone.
        let early = inner.waits.remove(&fiber.0).and_then(|w| w.outcome);
        if on.is_none()
            && let Some(outcome) = early
        {
            return Ok(outcome);
        }
        inner.waits.insert(fiber.0, Wait { fd: number, flags, deadline, outcome: None });
        if number >= 0
            && let Some(entry) = inner.entry(number)
        {
            entry.fibers.push(fiber.0);
        }
        if let Some(at) = deadline {
            inner.timers.insert((at, fiber.0));
        }
    }
    let switched = ec.call(home, intern("transfer"), &[]);
    let outcome = {
        let mut inner = poller.inner.lock();
        let wait = inner.waits.remove(&fiber.0);
        if let Some(wait) = &wait {
            if let Some(at) = wait.deadline {
                inner.timers.remove(&(at, fiber.0));
            }
            if wait.fd >= 0
                && let Some(entry) = inner.entry(wait.fd)
                && let Some(i) = entry.fibers.iter().position(|f| *f == fiber.0)
            {
                entry.fibers.swap_remove(i);
            }
        }
        wait.and_then(|w| w.outcome)
    };
    asterism_heap::keep_alive(fiber.0);
    asterism_heap::keep_alive(scheduler.0);
    switched?;
    // Gone on with by somebody else: as if woken.
    Ok(outcome.unwrap_or(if on.is_some() { 7 } else { 1 }))
}

/// The running fiber waits until any of the descriptors is ready or the time is over; `false`: this scheduler does not
/// do that, or one is ready always.
///
/// # Errors
/// What is raised into the fiber.
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
    wait(ec, scheduler, Some((&set, PollFlags::IN)), timeout)?;
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
        poller.inner.lock().waits.remove(&fiber.0);
    }
    Ok(Value::bool(wait(ec, this, None, timeout)? != 0))
}

fn io_wait(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let stream = crate::io::object::stream(ec, args[0])?;
    let fd = stream.fd(ec)?;
    let events = ec.to_i64(args[1])?;
    let timeout = match args[2] {
        Value::NIL => None,
        v => Some(crate::thread::time::interval(ec, v)?),
    };
    let mut flags = PollFlags::empty();
    for (bit, flag) in [(1, PollFlags::IN), (2, PollFlags::PRI), (4, PollFlags::OUT)] {
        flags.set(flag, events & bit != 0);
    }
    if crate::io::fd::ready_now(&fd, flags) {
        return Ok(Value::fixnum(events));
    }
    let came = wait(ec, this, Some((&fd, flags)), timeout)?;
    Ok(if came == 0 { Value::FALSE } else { Value::fixnum(came) })
}

/// `__ready(fiber)`: it is to be gone on with.
fn ready(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let poller = poller(ec, &this)?;
    if !args[0].is_type(Type::Array) && of_object(&args[0]).is_none() {
        return Err(ec.type_error("wrong argument type (expected fiber)"));
    }
    poller.inner.lock().ready.push_back(args[0]);
    Ok(Value::NIL)
}

/// `unblock(blocker, fiber)`, by any thread.
fn unblock(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let poller = poller(ec, &this)?;
    let fiber = args[1];
    if of_object(&fiber).is_none_or(|f| f.status() == Status::Terminated) {
        return Ok(Value::NIL);
    }
    {
        let mut inner = poller.inner.lock();
        inner.end(fiber.0, 1);
        // It does not wait yet: its next wait ends at once.
        let early = || Wait { fd: -1, flags: PollFlags::empty(), deadline: None, outcome: Some(1) };
        inner.waits.entry(fiber.0).or_insert_with(early);
    }
    if ec.ruby_thread.number != poller.thread {
        poller.wake.notify();
    }
    Ok(Value::NIL)
}

/// `__next`: the next fiber to go on with; waits for one. Nil when no fiber waits any more.
fn next(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let poller = poller(ec, &this)?;
    loop {
        let limit = {
            let mut inner = poller.inner.lock();
            inner.since += 1;
            if inner.since < ROUND || inner.ready.is_empty() {
                if let Some(fiber) = inner.ready.pop_front() {
                    return Ok(fiber);
                }
                if inner.waits.values().all(|w| w.outcome.is_some()) {
                    return Ok(Value::NIL);
                }
            }
            inner.since = 0;
            if !inner.ready.is_empty() {
                Some(Duration::ZERO)
            } else {
                inner.timers.first().map(|(at, _)| at.saturating_duration_since(Instant::now()))
            }
        };
        let limit = limit.map(|d| Timespec {
            tv_sec: i64::try_from(d.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: i64::from(d.subsec_nanos()),
        });
        let mut room = [const { std::mem::MaybeUninit::<epoll::Event>::uninit() }; 256];
        let waited = ec.wait_outside(&|| poller.wake.notify(), || {
            epoll::wait(&poller.epoll, &mut room, limit.as_ref()).map(|(events, _)| events.len())
        });
        let came = match waited {
            Some(Ok(n)) => n,
            None | Some(Err(Errno::INTR)) => 0,
            Some(Err(e)) => return Err(errno::raise(ec, e, "")),
        };
        let mut woken = waited.is_none();
        {
            let mut inner = poller.inner.lock();
            for slot in &room[..came] {
                // SAFETY: the call has filled in that many.
                let event = unsafe { slot.assume_init_ref() };
                let (flags, data) = (event.flags, event.data.u64());
                if data == WAKE {
                    woken = true;
                } else {
                    inner.event(data, flags);
                }
            }
            inner.expire();
        }
        if woken {
            poller.wake.reset();
        }
        ec.check_blocking()?;
    }
}
