//! `--race-report` and `RubyVM.races`: finds accesses to one variable, element or key that nothing orders, by vector clocks.
//!
//! While it is on, threads run by a table of handlers that note accesses before they execute them (`access.rs`), and what orders
//! threads takes part by [`Ec::race_release`], before others can go on, and [`Ec::race_acquire`], after the wait. While it is off, a
//! wait costs the load of a word, and nothing else is different.
//!
//! What is remembered is forgotten when its object dies (`Vm`'s `clear_weak`), or when it becomes too much: then a race
//! may not be told, but none is told that is none.

mod access;
mod clock;
mod methods;
mod objects;
mod report;
mod shadow;
#[cfg(test)]
mod shadow_tests;
mod stacks;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use asterism_heap::{Liveness, POLL_INTERRUPT};
use asterism_lock::Mutex;
use asterism_object::Value;

use crate::ec::Ec;
use clock::Clock;
use objects::Objects;
pub use report::{Report, Side};
use shadow::{Kind, Part, WordMap, mix};
use stacks::Stacks;

pub(crate) use access::{is_noted, may_access, note};

/// Tables are divided so that threads mostly take different locks.
const SHARDS: usize = 64;
/// So many synchronisation objects a shard remembers. What is forgotten of them would be an order: then everything else is too.
const MOST_SYNCS: usize = 1 << 14;
/// So many threads are told from each other at once; accesses of others are not noted.
const MOST_THREADS: usize = 1 << 13;
/// So many accesses of its own a thread remembers at first, so as not to note one twice; twice as many when that has been too few.
const RECENT: usize = 512;
/// And so many at most.
const MOST_RECENT: usize = 1 << 14;

/// Stands for the definitions of the VM in the table of what orders threads. No address is odd.
const DEFINITIONS: u64 = 1;

/// Stands for what all sockets carry: which of them are two ends of one connection nobody says.
const CONNECTIONS: u64 = 3;

/// What a VM has of the detector.
#[derive(Default)]
pub struct Races {
    /// Counts what was begun and ended: odd while a detector is on. Written while the world is stopped.
    generation: AtomicU64,
    /// The detector that is on, or was. No safepoint under the lock.
    current: Mutex<Option<Arc<Detector>>>,
    /// `--race-report`, and the VM has had one thread only: what that does comes before all that others do, so nothing is noted.
    awaits_threads: AtomicBool,
}

impl Races {
    #[inline(always)]
    fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Is a detector on?
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.generation() & 1 != 0
    }

    fn detector(&self) -> Option<Arc<Detector>> {
        self.current.lock().clone()
    }

    /// Forgets what is remembered of objects that have died (world stopped).
    pub(crate) fn clear_weak(&self, liveness: &Liveness<'_>) {
        let Some(detector) = self.detector() else { return };
        for shard in &detector.objects {
            shard.lock().clear_weak(liveness);
        }
        for shard in &detector.syncs {
            shard.lock().retain(|object, _| liveness.is_live_word(*object));
        }
    }
}

/// Finds races from its beginning to its end.
pub struct Detector {
    /// By address. Each shard is protected by its lock; no safepoint under it. So it is with the other locks here.
    objects: [Mutex<Objects>; SHARDS],
    /// What those knew that have released an object, by address.
    syncs: [Mutex<WordMap<u64, Clock>>; SHARDS],
    /// Changes when something is defined.
    definitions: AtomicU64,
    threads: Mutex<Vec<ThreadEntry>>,
    stacks: Stacks,
    found: Mutex<report::Found>,
    /// Reports are written when they are found.
    prints: bool,
    /// Counts how often everything was forgotten.
    forgotten: AtomicU64,
}

/// A number that a thread is known by, and later another one.
struct ThreadEntry {
    /// Its last time, once it has ended: a thread that knows of that may have the number.
    ended: Option<u32>,
    /// The threads that had it: from which time on, and how they are shown.
    names: Vec<(u32, Arc<str>)>,
}

/// An access that a thread has noted.
#[derive(Clone, Copy)]
struct Noted {
    /// The variable, element or key.
    of: u64,
    /// The time that the thread was at.
    time: u32,
    kind: Kind,
}

/// One that was not noted: no time is 0.
const NOT_NOTED: Noted = Noted { of: 0, time: 0, kind: Kind::Read };

/// Accesses that a thread has noted. What lies side by side has its places side by side.
struct Recent {
    table: Vec<Noted>,
    /// How many more are noted before the table grows.
    left: usize,
}

impl Recent {
    fn new() -> Recent {
        Recent { table: vec![NOT_NOTED; RECENT], left: 4 * RECENT }
    }

    fn forget(&mut self) {
        self.table.fill(NOT_NOTED);
    }

    /// Is it there, or a write, if one says what the access says? If not, it is from now on.
    #[inline(always)]
    fn enter(&mut self, place: u64, new: Noted, write_is_enough: bool) -> bool {
        let at = place as usize & (self.table.len() - 1);
        let old = &mut self.table[at];
        if old.of == new.of
            && old.time == new.time
            && (old.kind == new.kind || write_is_enough && old.kind == Kind::Write)
        {
            return true;
        }
        *old = new;
        self.left -= 1;
        if self.left == 0 {
            self.grow();
        }
        false
    }

    #[cold]
    fn grow(&mut self) {
        if self.table.len() < MOST_RECENT {
            self.table = vec![NOT_NOTED; 2 * self.table.len()];
        }
        self.left = 4 * self.table.len();
    }
}

/// What a thread has of the detector.
pub struct OfThread {
    generation: u64,
    detector: Arc<Detector>,
    /// Its number; `None`: there are too many.
    number: Option<u32>,
    /// What it knows. Its own time goes on when it releases something.
    clock: Clock,
    /// The accesses noted last: it need not note them again.
    recent: Recent,
    /// What calls do, by the serial of the receiver's class and the name.
    actions: methods::Actions,
    /// Numbers of stacks.
    stacks: WordMap<u64, u32>,
    /// The definitions that it knows of.
    definitions: u64,
    /// Nothing is noted while this is not 0: a finalizer runs.
    muted: u32,
    /// How often everything had been forgotten when it last looked: what it noted before has to be noted again.
    forgotten: u64,
    /// The object that an atomic step was begun on: once that is done, what comes is behind the steps of others.
    updating: Option<u64>,
}

impl OfThread {
    #[inline]
    fn time(&self) -> u32 {
        self.number.map_or(0, |number| self.clock.of(number))
    }

    /// Is an access to be noted? It is not if it is among those noted last, or everything that would race with it races with one of
    /// them.
    #[inline(always)]
    fn is_news(&mut self, object: u64, part: Part, kind: Kind) -> bool {
        let forgotten = self.detector.forgotten.load(Ordering::Relaxed);
        if self.forgotten != forgotten {
            self.forgotten = forgotten;
            self.forget_addresses();
        }
        let time = self.time();
        // A thread without a number is always at the time 0, at which nothing is noted.
        time != 0 && {
            let write_is_enough = kind == Kind::Read && part.is_one_place();
            !self.recent.enter(part.near(object), Noted { of: part.word(object), time, kind }, write_is_enough)
        }
    }

    /// The atomic step that was under way is done.
    #[inline]
    fn end_update(&mut self) {
        if let Some(object) = self.updating.take() {
            self.detector.acquire(object, &mut self.clock);
        }
    }

    /// Time goes on: what comes now is not ordered by what was released.
    fn tick(&mut self) {
        let Some(number) = self.number else { return };
        match self.clock.of(number).checked_add(1) {
            Some(time) => self.clock.set(number, time),
            // Four thousand million releases: its accesses are not told from each other any more, so they are not noted.
            None => self.number = None,
        }
    }

    /// Forgets what goes by addresses that a collection may give to others.
    pub(crate) fn forget_addresses(&mut self) {
        self.recent.forget();
    }
}

impl Detector {
    fn new(prints: bool) -> Arc<Detector> {
        Arc::new(Detector {
            objects: std::array::from_fn(|_| Mutex::default()),
            syncs: std::array::from_fn(|_| Mutex::default()),
            definitions: AtomicU64::new(0),
            threads: Mutex::default(),
            stacks: Stacks::default(),
            found: Mutex::default(),
            prints,
            forgotten: AtomicU64::new(0),
        })
    }

    /// A number for a thread that knows this much, and its first time.
    fn enter(&self, clock: &Clock, name: &str) -> Option<(u32, u32)> {
        let mut threads = self.threads.lock();
        let free = |(at, entry): (usize, &ThreadEntry)| entry.ended.is_some_and(|last| last <= clock.of(at as u32));
        let at = match threads.iter().enumerate().position(free) {
            Some(at) => at,
            None if threads.len() < MOST_THREADS => {
                threads.push(ThreadEntry { ended: None, names: Vec::new() });
                threads.len() - 1
            }
            None => return None,
        };
        let entry = &mut threads[at];
        let from = entry.ended.take().map_or(1, |last| last.saturating_add(1));
        if entry.names.len() >= 256 {
            entry.names.remove(0);
        }
        entry.names.push((from, name.into()));
        Some((at as u32, from))
    }

    /// How the thread is shown that had a number at a time.
    fn name(&self, thread: u32, time: u32) -> Arc<str> {
        let threads = self.threads.lock();
        let names = threads.get(thread as usize).map_or(&[][..], |entry| &entry.names);
        names.iter().rev().find(|(from, _)| *from <= time).map_or_else(|| "a thread".into(), |(_, name)| name.clone())
    }

    fn release(&self, sync: u64, clock: &Clock) {
        let mut shard = self.syncs[mix(sync) as usize % SHARDS].lock();
        if shard.len() >= MOST_SYNCS {
            // The orders that are forgotten are those of accesses: no order must be missed, so they are forgotten first.
            self.forget_accesses();
            shard.clear();
        }
        shard.entry(sync).or_default().join(clock);
    }

    fn forget_accesses(&self) {
        self.forgotten.fetch_add(1, Ordering::Relaxed);
        for shard in &self.objects {
            *shard.lock() = Objects::default();
        }
    }

    fn acquire(&self, sync: u64, clock: &mut Clock) {
        if let Some(released) = self.syncs[mix(sync) as usize % SHARDS].lock().get(&sync) {
            clock.join(released);
        }
    }
}

impl Ec {
    /// What the running thread has of the detector that is on.
    #[inline(always)]
    fn races(&mut self) -> Option<&mut OfThread> {
        let generation = self.vm().races.generation();
        if generation & 1 == 0 {
            return None;
        }
        if self.races.as_ref().is_none_or(|races| races.generation != generation) {
            self.take_part_in_races(generation)?;
        }
        self.races.as_deref_mut()
    }

    /// The running thread takes part in the detector that is on.
    #[cold]
    fn take_part_in_races(&mut self, generation: u64) -> Option<()> {
        let detector = self.vm().races.detector()?;
        let thread = self.ruby_thread.clone();
        let name = report::thread_name(self, &thread);
        let mut clock = Clock::default();
        detector.acquire(self.thread.bits(), &mut clock);
        let entered = detector.enter(&clock, &name);
        if let Some((number, from)) = entered {
            clock.set(number, from);
        }
        let number = entered.map(|(number, _)| number);
        self.races = Some(Box::new(OfThread {
            generation,
            detector,
            number,
            clock,
            recent: Recent::new(),
            actions: methods::Actions::default(),
            stacks: WordMap::default(),
            definitions: 0,
            muted: 0,
            forgotten: 0,
            updating: None,
        }));
        Some(())
    }

    /// Says that what this thread has done until now comes before what others do after they acquire `sync`: to be called before they
    /// can go on.
    #[inline]
    pub fn race_release(&mut self, sync: Value) {
        if self.vm().races.is_on() {
            self.race_release_of(sync.bits());
        }
    }

    /// Says that what others have done before they released `sync` comes before what this thread does now.
    #[inline]
    pub fn race_acquire(&mut self, sync: Value) {
        if self.vm().races.is_on() {
            self.race_acquire_of(sync.bits());
        }
    }

    /// As `race_release`, of what is no object: it is known by its address.
    #[inline]
    pub fn race_release_at<T>(&mut self, sync: &T) {
        if self.vm().races.is_on() {
            self.race_release_of(std::ptr::from_ref(sync) as u64 | 1);
        }
    }

    /// As `race_acquire`, of what is no object.
    #[inline]
    pub fn race_acquire_at<T>(&mut self, sync: &T) {
        if self.vm().races.is_on() {
            self.race_acquire_of(std::ptr::from_ref(sync) as u64 | 1);
        }
    }

    /// As `race_release`, of what is written to a pipe that is known by the number of its inode, or to a socket (`None`).
    #[cold]
    pub fn race_release_stream(&mut self, inode: Option<u64>) {
        self.race_release_of(inode.map_or(CONNECTIONS, |inode| inode << 1 | 1));
    }

    /// As `race_acquire`, of what was read.
    #[cold]
    pub fn race_acquire_stream(&mut self, inode: Option<u64>) {
        self.race_acquire_of(inode.map_or(CONNECTIONS, |inode| inode << 1 | 1));
    }

    #[cold]
    fn race_release_of(&mut self, sync: u64) {
        let Some(races) = self.races() else { return };
        races.end_update();
        races.detector.release(sync, &races.clock);
        if sync == DEFINITIONS {
            races.definitions = races.detector.definitions.fetch_add(1, Ordering::AcqRel) + 1;
        }
        races.tick();
    }

    #[cold]
    fn race_acquire_of(&mut self, sync: u64) {
        let Some(races) = self.races() else { return };
        races.detector.acquire(sync, &mut races.clock);
    }

    /// Something is about to be defined: who uses it comes behind this.
    #[inline]
    pub fn race_define(&mut self) {
        if self.vm().races.is_on() {
            self.race_release_of(DEFINITIONS);
        }
    }

    /// Something that was defined is used.
    #[inline]
    pub fn race_use(&mut self) {
        if self.vm().races.is_on() {
            self.race_use_definitions();
        }
    }

    #[cold]
    fn race_use_definitions(&mut self) {
        let Some(races) = self.races() else { return };
        let now = races.detector.definitions.load(Ordering::Acquire);
        if races.definitions != now {
            races.definitions = now;
            self.race_acquire_of(DEFINITIONS);
        }
    }

    /// Runs `body`, whose accesses are not noted: a finalizer's, which nobody orders.
    pub fn race_muted<R>(&mut self, body: impl FnOnce(&mut Ec) -> R) -> R {
        let generation = self.races().map(|races| {
            races.muted += 1;
            races.generation
        });
        let result = body(self);
        if let (Some(generation), Some(races)) = (generation, self.races.as_deref_mut())
            && races.generation == generation
        {
            races.muted -= 1;
        }
        result
    }

    /// A thread has ended. Who has acquired it may have its number.
    pub(crate) fn race_end(&mut self) {
        let thread = self.thread;
        self.race_release(thread);
        let Some(races) = self.races.take() else { return };
        if let Some(number) = races.number
            && let Some(entry) = races.detector.threads.lock().get_mut(number as usize)
        {
            // Its last release was before its last tick.
            entry.ended = Some(races.clock.of(number).saturating_sub(1));
        }
    }

    /// At a poll: runs noting accesses from now on, or not any more.
    pub(crate) fn watch_races(&mut self) {
        let on = self.vm().races.is_on();
        if on != self.notes_races {
            self.notes_races = on;
            // Handlers under way go on by the table they have until they return to their loop.
            self.state().set_poll(POLL_INTERRUPT);
        }
        if !on {
            self.races = None;
        }
    }

    /// `--race-report`: looks for races from the VM's second thread on.
    pub(crate) fn await_threads_for_races(&mut self) {
        self.vm().races.awaits_threads.store(true, Ordering::Relaxed);
        self.awaits_threads = true;
    }

    /// Another thread is about to be made: from now on it makes a difference what comes first.
    #[inline]
    pub(crate) fn races_before_thread(&mut self) {
        if self.vm().races.awaits_threads.load(Ordering::Relaxed) {
            self.begin_race_report();
        }
    }

    #[cold]
    fn begin_race_report(&mut self) {
        let vm = self.vm_arc();
        if vm.races.awaits_threads.swap(false, Ordering::Relaxed) {
            self.awaits_threads = false;
            self.begin_races(true);
        }
    }

    /// Begins to look for races; `false`: it has been begun before.
    pub fn start_races(&mut self) -> bool {
        !self.vm().races.awaits_threads.load(Ordering::Relaxed) && self.begin_races(false)
    }

    /// Begins, with a detector that writes what it finds if it `prints`.
    fn begin_races(&mut self, prints: bool) -> bool {
        let vm = self.vm_arc();
        // What was noted once is not compiled any more.
        vm.gate.close();
        self.change_races(|races| {
            if races.is_on() {
                return false;
            }
            *races.current.lock() = Some(Detector::new(prints));
            races.generation.fetch_add(1, Ordering::Release);
            true
        })
    }

    /// Ends what `start_races` has begun: the races that were found.
    pub fn stop_races(&mut self) -> Vec<Arc<Report>> {
        self.change_races(|races| {
            let Some(detector) = races.current.lock().take() else { return Vec::new() };
            races.generation.fetch_add(1, Ordering::Release);
            detector.found.lock().take()
        })
    }

    /// Changes what is noted while all threads stand still, so that no order is missed; they notice at their next poll.
    fn change_races<R>(&mut self, change: impl FnOnce(&Races) -> R) -> R {
        let vm = self.vm_arc();
        let heap = self.heap().clone();
        let changed = heap.stop_the_world(self, |_| change(&vm.races));
        vm.threads.with_list(|list| {
            for thread in list {
                thread.interrupt(crate::thread::interrupt::RACES);
            }
        });
        self.watch_races();
        changed
    }

    /// Loops around the one that has ended may have begun before accesses were noted: they return at the next poll.
    #[inline(always)]
    pub(crate) fn pass_races_on(&self) {
        if self.notes_races && !self.vm().options.race_report {
            self.state().set_poll(POLL_INTERRUPT);
        }
    }
}
