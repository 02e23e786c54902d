//! What the fibers of a scheduler wait for: the state that is shared with descriptors and other threads.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use asterism_heap::Marker;
use asterism_lock::Mutex;
use asterism_object::Value;
use asterism_object::address_hash::ByAddress;
use asterism_vm::fiber::of_object;
use rustix::event::{PollFlags, epoll};
use rustix::io::Errno;
use rustix::net::sockopt::{socket_domain, socket_type};
use rustix::net::{AddressFamily, SocketType};

use crate::io::fd::{Fd, Wake, Watcher};
use crate::io::reserved::Reserved;

/// The event data of the descriptor that wakes the loop.
pub const WAKE: u64 = u64::MAX;
/// The outcome of a wait whose descriptor was closed.
pub const CLOSED: i64 = -1;

/// No slot.
const NONE: u32 = u32::MAX;

/// A descriptor that is registered.
#[derive(Debug)]
struct Entry {
    /// Tells it from an earlier one of the same number.
    generation: u32,
    /// The first slot of those that wait for it.
    first: u32,
    /// There may be something to read: an event has come since it was last read, or was not read to its end then.
    input: bool,
    /// The other side is gone, so that no further event may come.
    hung_up: bool,
    /// A read of less than was asked for says that there is no more: of TCP without urgent data, not of datagrams, nor of a UNIX
    /// socket, where a read ends behind descriptors.
    is_exact: bool,
}

impl Default for Entry {
    fn default() -> Entry {
        Entry { generation: 0, first: NONE, input: false, hung_up: false, is_exact: false }
    }
}

/// What a fiber waits for.
#[derive(Clone, Copy, Debug)]
pub struct Wait {
    /// The descriptor, -1: none.
    fd: i32,
    flags: PollFlags,
    deadline: Option<Instant>,
    /// The descriptor is read next: the wait is over if there may be something to read.
    reads: bool,
}

impl Wait {
    /// For `unblock`.
    pub fn new(deadline: Option<Instant>) -> Wait {
        Wait { fd: -1, flags: PollFlags::empty(), deadline, reads: false }
    }

    /// For a descriptor.
    pub fn on(self, fd: i32, flags: PollFlags, reads: bool) -> Wait {
        Wait { fd, flags, reads, ..self }
    }
}

/// A place for a fiber's wait; the fiber knows its number.
#[derive(Debug)]
struct Slot {
    /// The fiber, 0: free.
    fiber: Value,
    /// The next one that waits for the same descriptor; of a free one the next free one.
    next: u32,
    wait: Wait,
    /// What has ended the wait: events, 0 for the time, or [`CLOSED`].
    outcome: Option<i64>,
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

/// Something to be gone on with: a fiber that waits in this slot, or what the loop knows.
#[derive(Clone, Copy, Debug)]
struct Task {
    what: Value,
    slot: u32,
}

#[derive(Debug)]
struct Inner {
    slots: Vec<Slot>,
    /// The first free one.
    free: u32,
    /// Waits that nothing has ended.
    waiting: usize,
    /// Fibers whose `unblock` came before they waited.
    early: HashSet<u64, ByAddress>,
    entries: Vec<Entry>,
    /// What is to be gone on with.
    ready: VecDeque<Task>,
    /// With slots.
    timers: BTreeSet<(Instant, u32)>,
    /// Fibers run since the system was asked.
    since: u32,
}

impl Default for Inner {
    fn default() -> Inner {
        Inner {
            slots: Vec::new(),
            free: NONE,
            waiting: 0,
            early: HashSet::default(),
            entries: Vec::new(),
            ready: VecDeque::new(),
            timers: BTreeSet::new(),
            since: 0,
        }
    }
}

/// See the module.
#[derive(Debug)]
pub struct Interest {
    epoll: OwnedFd,
    _reserved: [Reserved; 2],
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

    /// The slot in which a fiber waits.
    fn slot_of(&self, fiber: Value) -> Option<u32> {
        let number = of_object(&fiber)?.wait_slot();
        (self.slots.get(number as usize)?.fiber == fiber).then_some(number)
    }

    /// A slot for a fiber's wait, known to the fiber.
    fn take_slot(&mut self, fiber: Value, wait: Wait) -> u32 {
        let slot = Slot { fiber, next: NONE, wait, outcome: None };
        let number = match self.slots.get_mut(self.free as usize) {
            Some(free) => {
                let number = self.free;
                self.free = free.next;
                *free = slot;
                number
            }
            None => {
                self.slots.push(slot);
                (self.slots.len() - 1) as u32
            }
        };
        if let Some(fiber) = of_object(&fiber) {
            fiber.set_wait_slot(number);
        }
        self.waiting += 1;
        number
    }

    /// Takes a slot out of the list of those that wait for its descriptor, in which it need not be.
    fn unlink(&mut self, fd: i32, number: u32) {
        let next = self.slots[number as usize].next;
        let Some(entry) = self.entry(fd) else { return };
        if entry.first == number {
            entry.first = next;
            return;
        }
        let mut at = entry.first;
        while let Some(slot) = self.slots.get_mut(at as usize) {
            if slot.next == number {
                slot.next = next;
                return;
            }
            at = slot.next;
        }
    }

    /// Ends a wait.
    fn end(&mut self, number: u32, outcome: i64) {
        if let Some(slot) = self.slots.get_mut(number as usize)
            && slot.outcome.is_none()
        {
            slot.outcome = Some(outcome);
            self.waiting -= 1;
            self.ready.push_back(Task { what: slot.fiber, slot: number });
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
        entry.input |= input;
        entry.hung_up |= gone || flags.contains(epoll::EventFlags::RDHUP);
        entry.is_exact &= !urgent;
        let mut at = entry.first;
        while let Some(slot) = self.slots.get(at as usize) {
            let (number, awaited) = (at, slot.wait.flags);
            at = slot.next;
            let mut came = 0;
            for (flag, happened, bit) in
                [(PollFlags::IN, input, 1), (PollFlags::PRI, urgent, 2), (PollFlags::OUT, output, 4)]
            {
                if awaited.contains(flag) && happened {
                    came |= bit;
                }
            }
            if came != 0 {
                self.end(number, came);
            }
        }
    }

    fn expire(&mut self) {
        if self.timers.is_empty() {
            return;
        }
        let now = Instant::now();
        while let Some(&(at, number)) = self.timers.first()
            && at <= now
        {
            self.timers.pop_first();
            self.end(number, 0);
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

    /// Who goes on after a fiber that waits.
    fn next_waiting(&mut self, round: u32) -> Next {
        if !self.is_round_over(round)
            && let Some(&task) = self.ready.front()
        {
            let slot = self.slots.get(task.slot as usize);
            if slot.is_none_or(|s| s.fiber != task.what || s.outcome.is_none()) {
                return Next::Other;
            }
            self.ready.pop_front();
            return Next::Fiber(task.what);
        }
        Next::None(self.limit())
    }
}

impl Interest {
    /// For the scheduler `number` of a thread.
    ///
    /// # Errors
    /// EMFILE, ENFILE or ENOMEM.
    pub fn new(number: u64, thread: u64) -> Result<Interest, Errno> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let wake = Wake::new()?;
        epoll::add(&epoll, &wake, epoll::EventData::new_u64(WAKE), epoll::EventFlags::IN)?;
        let _reserved = [Reserved::new(&epoll), Reserved::new(&wake)];
        Ok(Interest { epoll, _reserved, wake, number, thread, inner: Mutex::default() })
    }

    /// Marks the fibers that wait or are ready.
    pub fn trace(&self, marker: &mut Marker) {
        let inner = self.inner.lock();
        for slot in inner.slots.iter().filter(|s| s.fiber != Value::NULL) {
            marker.mark(slot.fiber.bits());
        }
        for fiber in &inner.early {
            marker.mark(*fiber);
        }
        for task in &inner.ready {
            marker.mark(task.what.bits());
        }
    }

    /// What to ask the system by.
    pub fn epoll(&self) -> &OwnedFd {
        &self.epoll
    }

    /// In a process that was forked: nobody waits. What the system notes of descriptors is the other process's, and gets another
    /// place here.
    pub fn forget_all(&self) {
        *self.inner.lock() = Inner::default();
        let anew = epoll::create(epoll::CreateFlags::CLOEXEC).and_then(|epoll| Ok((epoll, Wake::new()?)));
        // Without one, whoever asks it is told so.
        let Ok((epoll, wake)) = anew else { return };
        for (new, old) in
            [(epoll.as_raw_fd(), self.epoll.as_raw_fd()), (wake.as_fd().as_raw_fd(), self.wake.as_fd().as_raw_fd())]
        {
            // SAFETY: the old number is this object's own, and names the same kind of thing afterwards.
            unsafe { libc::dup3(new, old, libc::O_CLOEXEC) };
        }
        // It fails where the two could not be exchanged.
        let _ = epoll::add(&self.epoll, &self.wake, epoll::EventData::new_u64(WAKE), epoll::EventFlags::IN);
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
    /// The errno of epoll_ctl(2), but for EPERM and EEXIST: EBADF, ENOMEM, ENOSPC.
    pub fn register(self: &Arc<Self>, fd: &Fd) -> Result<bool, Errno> {
        if fd.poller.load(Ordering::Relaxed) == self.number {
            return Ok(true);
        }
        let generation = {
            let mut inner = self.inner.lock();
            let Some(entry) = inner.entry(fd.number()) else { return Ok(false) };
            let generation = entry.generation.wrapping_add(1);
            // Whoever waits still, waits for a descriptor of the same number that was closed.
            *entry = Entry { generation, is_exact: is_tcp(fd), ..Entry::default() };
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
        let watcher: Weak<Interest> = Arc::downgrade(self);
        fd.note_watcher(watcher);
        fd.poller.store(self.number, Ordering::Relaxed);
        Ok(true)
    }

    /// Is the descriptor registered here?
    pub fn is_registered(&self, fd: &Fd) -> bool {
        fd.poller.load(Ordering::Relaxed) == self.number
    }

    /// Is there something left to read? Then the next read need not wait.
    pub fn set_input(&self, fd: &Fd, is_left: bool) {
        if self.is_registered(fd)
            && let Some(entry) = self.inner.lock().entry(fd.number())
        {
            entry.input = is_left;
        }
    }

    /// A fiber is going to wait: who goes on meanwhile, the loop's fiber without a `round`. `Err`: the wait is over already, with
    /// this outcome.
    pub fn begin(
        &self,
        fiber: Value,
        wait: Wait,
        closed: Option<&AtomicBool>,
        round: Option<u32>,
    ) -> Result<Next, i64> {
        let mut inner = self.inner.lock();
        // `unblock` may have come before this: that counts for `block` alone.
        if !inner.early.is_empty() && inner.early.remove(&fiber.bits()) && wait.fd < 0 {
            return Err(1);
        }
        // Whoever closes it says so before it looks who waits.
        if closed.is_some_and(|closed| closed.load(Ordering::Acquire)) {
            return Err(CLOSED);
        }
        if wait.reads
            && let Some(entry) = inner.entry(wait.fd)
            && (entry.input || entry.hung_up)
        {
            entry.input = !entry.is_exact;
            return Err(1);
        }
        let number = inner.take_slot(fiber, wait);
        if wait.fd >= 0
            && let Some(entry) = inner.entry(wait.fd)
        {
            let next = std::mem::replace(&mut entry.first, number);
            inner.slots[number as usize].next = next;
        }
        if let Some(at) = wait.deadline {
            inner.timers.insert((at, number));
        }
        Ok(round.map_or(Next::Other, |round| inner.next_waiting(round)))
    }

    /// A fiber waits no more; what has ended its wait. `goes_on`: it does now what it has waited for.
    pub fn finish(&self, fiber: Value, goes_on: bool) -> Option<i64> {
        let mut inner = self.inner.lock();
        let number = inner.slot_of(fiber)?;
        let slot = &inner.slots[number as usize];
        let (wait, outcome) = (slot.wait, slot.outcome);
        if outcome.is_none() {
            inner.waiting -= 1;
        }
        if let Some(at) = wait.deadline {
            inner.timers.remove(&(at, number));
        }
        if wait.fd >= 0 {
            inner.unlink(wait.fd, number);
            if wait.reads
                && goes_on
                && let Some(entry) = inner.entry(wait.fd)
            {
                entry.input = !entry.is_exact;
            }
        }
        let next = std::mem::replace(&mut inner.free, number);
        let slot = &mut inner.slots[number as usize];
        slot.fiber = Value::NULL;
        slot.next = next;
        outcome
    }

    /// An `unblock` that has come already does not count.
    pub fn forget(&self, fiber: Value) {
        self.inner.lock().early.remove(&fiber.bits());
    }

    /// `unblock`, by the thread of this number.
    pub fn unblock(&self, fiber: Value, thread: u64) {
        {
            let mut inner = self.inner.lock();
            match inner.slot_of(fiber) {
                Some(number) => inner.end(number, 1),
                // It does not wait yet: its next wait ends at once.
                None => {
                    inner.early.insert(fiber.bits());
                }
            }
        }
        if thread != self.thread {
            self.wake();
        }
    }

    /// A fiber, or what the loop is to raise in one, is to be gone on with.
    pub fn make_ready(&self, task: Value) {
        self.inner.lock().ready.push_back(Task { what: task, slot: NONE });
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
        self.inner.lock().next_waiting(round)
    }

    /// What the loop goes on with: nil if nobody waits. `Err`: the system is to be asked first, and may take so long.
    pub fn next(&self, round: u32) -> Result<Value, Option<Duration>> {
        let mut inner = self.inner.lock();
        if !inner.is_round_over(round) {
            if let Some(task) = inner.ready.pop_front() {
                return Ok(task.what);
            }
            if inner.waiting == 0 {
                return Ok(Value::NIL);
            }
        }
        Err(inner.limit())
    }
}

/// Is it a TCP socket?
fn is_tcp(fd: &Fd) -> bool {
    let is_ip = |domain| domain == AddressFamily::INET || domain == AddressFamily::INET6;
    fd.socket && socket_domain(fd).is_ok_and(is_ip) && socket_type(fd).is_ok_and(|kind| kind == SocketType::STREAM)
}

impl Watcher for Interest {
    fn closed(&self, fd: i32) {
        let mut inner = self.inner.lock();
        let Some(entry) = inner.entry(fd) else { return };
        let mut at = entry.first;
        if at == NONE {
            return;
        }
        while let Some(slot) = inner.slots.get(at as usize) {
            let number = std::mem::replace(&mut at, slot.next);
            inner.end(number, CLOSED);
        }
        drop(inner);
        self.wake();
    }
}
