//! What the fibers of a scheduler wait for: the state that is shared with descriptors and other threads.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use asterism_heap::Marker;
use asterism_object::Value;
use parking_lot::Mutex;
use rustix::event::{PollFlags, epoll};
use rustix::io::Errno;

use crate::address_hash::ByAddress;
use crate::io::fd::{Fd, Wake};
use crate::io::stream::Stream;

/// The event data of the descriptor that wakes the loop.
pub const WAKE: u64 = u64::MAX;
/// The outcome of a wait whose descriptor was closed.
pub const CLOSED: i64 = -1;

/// A descriptor that is registered.
#[derive(Debug, Default)]
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
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    read: bool,
    write: bool,
}

/// What a fiber waits for.
#[derive(Debug)]
pub struct Wait {
    /// The descriptor, -1: none.
    fd: i32,
    flags: PollFlags,
    deadline: Option<Instant>,
    /// What has ended the wait: events, 0 for the time, or [`CLOSED`].
    outcome: Option<i64>,
}

impl Wait {
    /// For `unblock`.
    pub fn new(deadline: Option<Instant>) -> Wait {
        Wait { fd: -1, flags: PollFlags::empty(), deadline, outcome: None }
    }

    /// For a descriptor.
    pub fn on(self, fd: i32, flags: PollFlags) -> Wait {
        Wait { fd, flags, ..self }
    }
}

/// Who goes on next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// This fiber, whose wait is over.
    Fiber(Value),
    /// Something that the loop has to do.
    Other,
    /// The system is to be asked for events first, and may take so long.
    None(Option<Duration>),
}

#[derive(Debug, Default)]
struct Inner {
    waits: HashMap<u64, Wait, ByAddress>,
    /// Fibers whose `unblock` came before they waited.
    early: HashSet<u64, ByAddress>,
    entries: Vec<Entry>,
    /// Fibers to be gone on with.
    ready: VecDeque<Value>,
    timers: BTreeSet<(Instant, u64)>,
    /// Fibers run since the system was asked.
    since: u32,
}

/// See the module.
#[derive(Debug)]
pub struct Interest {
    epoll: OwnedFd,
    wake: Wake,
    number: u64,
    /// The number of its thread.
    thread: u64,
    inner: Mutex<Inner>,
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
            let Some(wait) = self.waits.get_mut(fiber) else { continue };
            let mut came = 0;
            for (flag, happened, bit) in
                [(PollFlags::IN, input, 1), (PollFlags::PRI, urgent, 2), (PollFlags::OUT, output, 4)]
            {
                if wait.flags.contains(flag) && happened {
                    came |= bit;
                }
            }
            if came != 0 && wait.outcome.is_none() {
                wait.outcome = Some(came);
                self.ready.push_back(Value(*fiber));
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

    /// Is it time to ask for events, however many fibers are ready?
    fn is_round_over(&mut self, round: u32) -> bool {
        self.since += 1;
        self.since >= round && !self.ready.is_empty()
    }

    /// How long asking for events may take.
    fn limit(&mut self) -> Option<Duration> {
        self.since = 0;
        if !self.ready.is_empty() {
            return Some(Duration::ZERO);
        }
        self.timers.first().map(|(at, _)| at.saturating_duration_since(Instant::now()))
    }
}

impl Interest {
    /// For the scheduler `number` of a thread.
    ///
    /// # Errors
    /// EMFILE and its like.
    pub fn new(number: u64, thread: u64) -> Result<Interest, Errno> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let wake = Wake::new()?;
        epoll::add(&epoll, &wake, epoll::EventData::new_u64(WAKE), epoll::EventFlags::IN)?;
        Ok(Interest { epoll, wake, number, thread, inner: Mutex::default() })
    }

    /// Marks the fibers that wait or are ready.
    pub fn trace(&self, marker: &mut Marker) {
        let inner = self.inner.lock();
        for fiber in inner.waits.keys().chain(&inner.early) {
            marker.mark(*fiber);
        }
        for fiber in &inner.ready {
            marker.mark(fiber.0);
        }
    }

    /// What to ask the system by.
    pub fn epoll(&self) -> &OwnedFd {
        &self.epoll
    }

    /// Ends the wait for events.
    pub fn wake(&self) {
        self.wake.notify();
    }

    /// After `wake`.
    pub fn reset_wake(&self) {
        self.wake.reset();
    }

    /// Registers a descriptor unless it is; whether it can be waited for.
    ///
    /// # Errors
    /// What epoll_ctl fails with.
    pub fn register(self: &Arc<Self>, fd: &Fd) -> Result<bool, Errno> {
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
        fd.note_interest(self);
        fd.poller.store(self.number, Ordering::Relaxed);
        Ok(true)
    }

    /// May an operation on the descriptor find something?
    pub fn may_be_ready(&self, fd: &Fd, output: bool) -> bool {
        if fd.poller.load(Ordering::Relaxed) != self.number {
            return true;
        }
        let mut inner = self.inner.lock();
        inner.entry(fd.number()).is_none_or(|e| e.hung_up || if output { e.marks.write } else { e.marks.read })
    }

    /// An operation on the descriptor has found nothing more.
    pub fn drained(&self, fd: &Fd, output: bool) {
        if fd.poller.load(Ordering::Relaxed) != self.number {
            return;
        }
        if let Some(entry) = self.inner.lock().entry(fd.number()) {
            if output {
                entry.marks.write = false;
            } else {
                entry.marks.read = false;
            }
        }
    }

    /// A fiber is going to wait; an outcome if that is over already.
    pub fn begin(&self, fiber: Value, wait: Wait, stream: Option<&Stream>) -> Option<i64> {
        let mut inner = self.inner.lock();
        // `unblock` may have come before this: that counts for `block` alone.
        if !inner.early.is_empty() && inner.early.remove(&fiber.0) && wait.fd < 0 {
            return Some(1);
        }
        // Whoever closes it says so before it looks who waits.
        if stream.is_some_and(Stream::was_closed) {
            return Some(CLOSED);
        }
        if wait.fd >= 0
            && let Some(entry) = inner.entry(wait.fd)
        {
            entry.fibers.push(fiber.0);
        }
        if let Some(at) = wait.deadline {
            inner.timers.insert((at, fiber.0));
        }
        inner.waits.insert(fiber.0, wait);
        None
    }

    /// A fiber waits no more; what has ended its wait.
    pub fn finish(&self, fiber: Value) -> Option<i64> {
        let mut inner = self.inner.lock();
        let wait = inner.waits.remove(&fiber.0)?;
        if let Some(at) = wait.deadline {
            inner.timers.remove(&(at, fiber.0));
        }
        if wait.fd >= 0
            && let Some(entry) = inner.entry(wait.fd)
            && let Some(i) = entry.fibers.iter().position(|f| *f == fiber.0)
        {
            entry.fibers.swap_remove(i);
        }
        wait.outcome
    }

    /// An `unblock` that has come already does not count.
    pub fn forget(&self, fiber: Value) {
        self.inner.lock().early.remove(&fiber.0);
    }

    /// `unblock`, by the thread of this number.
    pub fn unblock(&self, fiber: Value, thread: u64) {
        {
            let mut inner = self.inner.lock();
            if inner.waits.contains_key(&fiber.0) {
                inner.end(fiber.0, 1);
            } else {
                // It does not wait yet: its next wait ends at once.
                inner.early.insert(fiber.0);
            }
        }
        if thread != self.thread {
            self.wake();
        }
    }

    /// A fiber, or what the loop is to raise in one, is to be gone on with.
    pub fn make_ready(&self, task: Value) {
        self.inner.lock().ready.push_back(task);
    }

    /// A descriptor was closed: who waits for it goes on.
    pub fn closed(&self, fd: i32) {
        let mut inner = self.inner.lock();
        let Some(entry) = inner.entry(fd) else { return };
        if entry.fibers.is_empty() {
            return;
        }
        for fiber in entry.fibers.clone() {
            inner.end(fiber, CLOSED);
        }
        drop(inner);
        self.wake();
    }

    /// Handles events.
    pub fn events(&self, events: impl Iterator<Item = (u64, epoll::EventFlags)>) {
        let mut woken = false;
        {
            let mut inner = self.inner.lock();
            for (data, flags) in events {
                if data == WAKE {
                    woken = true;
                } else {
                    inner.event(data, flags);
                }
            }
            inner.expire();
        }
        if woken {
            self.reset_wake();
        }
    }

    /// Who goes on after a fiber that waits.
    pub fn next_waiting(&self, round: u32) -> Next {
        let mut inner = self.inner.lock();
        if !inner.is_round_over(round)
            && let Some(&task) = inner.ready.front()
        {
            let over = inner.waits.get(&task.0).is_some_and(|w| w.outcome.is_some());
            if !over {
                return Next::Other;
            }
            inner.ready.pop_front();
            return Next::Fiber(task);
        }
        Next::None(inner.limit())
    }

    /// What the loop goes on with: nil if nobody waits. `Err`: the system is to be asked first, and may take so long.
    pub fn next(&self, round: u32) -> Result<Value, Option<Duration>> {
        let mut inner = self.inner.lock();
        if !inner.is_round_over(round) {
            if let Some(task) = inner.ready.pop_front() {
                return Ok(task);
            }
            if inner.waits.values().all(|w| w.outcome.is_some()) {
                return Ok(Value::NIL);
            }
        }
        Err(inner.limit())
    }
}
