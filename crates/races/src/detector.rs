//! The detector, and what a thread has of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use asterism_heap::Liveness;
use asterism_lock::Mutex;

use crate::actions::Actions;
use crate::clock::Clock;
use crate::objects::Objects;
use crate::report;
use crate::shadow::{Kind, Part, WordMap, mix};
use crate::stacks::Stacks;

/// Tables are divided so that threads mostly take different locks.
pub const SHARDS: usize = 64;
/// So many synchronisation objects a shard remembers. What is forgotten of them would be an order: then everything else is too.
const MOST_SYNCS: usize = 1 << 14;
/// So many threads are told from each other at once; accesses of others are not noted.
const MOST_THREADS: usize = 1 << 13;
/// So many accesses of its own a thread remembers at first, so as not to note one twice; twice as many when that has been too few.
const RECENT: usize = 512;
/// And so many at most.
const MOST_RECENT: usize = 1 << 14;

/// What a VM has of the detector.
#[derive(Default)]
pub struct Races {
    /// Counts what was begun and ended: odd while a detector is on. Written while the world is stopped.
    pub generation: AtomicU64,
    /// The detector that is on, or was. No safepoint under the lock.
    pub current: Mutex<Option<Arc<Detector>>>,
    /// `--race-report`, and the VM has had one thread only: what that does comes before all that others do, so nothing is noted.
    pub awaits_threads: AtomicBool,
}

impl Races {
    /// See the field.
    #[inline(always)]
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Is a detector on?
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.generation() & 1 != 0
    }

    /// The detector that is on, or was.
    pub fn detector(&self) -> Option<Arc<Detector>> {
        self.current.lock().clone()
    }

    /// Forgets what is remembered of objects that have died (world stopped).
    pub fn clear_weak(&self, liveness: &Liveness<'_>) {
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
    pub objects: [Mutex<Objects>; SHARDS],
    /// What those knew that have released an object, by address.
    pub syncs: [Mutex<WordMap<u64, Clock>>; SHARDS],
    /// Changes when something is defined.
    pub definitions: AtomicU64,
    /// By their numbers.
    pub threads: Mutex<Vec<ThreadEntry>>,
    /// Where accesses were made.
    pub stacks: Stacks,
    /// What was found so far.
    pub found: Mutex<report::Found>,
    /// Reports are written when they are found.
    pub prints: bool,
    /// Counts how often everything was forgotten.
    pub forgotten: AtomicU64,
}

/// A number that a thread is known by, and later another one.
pub struct ThreadEntry {
    /// Its last time, once it has ended: a thread that knows of that may have the number.
    pub ended: Option<u32>,
    /// The threads that had it: from which time on, and how they are shown.
    pub names: Vec<(u32, Arc<str>)>,
}

/// An access that a thread has noted.
#[derive(Clone, Copy)]
pub struct Noted {
    /// The variable, element or key.
    of: u64,
    /// The time that the thread was at.
    time: u32,
    kind: Kind,
}

/// One that was not noted: no time is 0.
const NOT_NOTED: Noted = Noted { of: 0, time: 0, kind: Kind::Read };

/// Accesses that a thread has noted. What lies side by side has its places side by side.
pub struct Recent {
    table: Vec<Noted>,
    /// How many more are noted before the table grows.
    left: usize,
}

impl Default for Recent {
    fn default() -> Recent {
        Recent { table: vec![NOT_NOTED; RECENT], left: 4 * RECENT }
    }
}

impl Recent {
    /// Forgets all of them.
    pub fn forget(&mut self) {
        self.table.fill(NOT_NOTED);
    }

    /// Is it there, or a write, if one says what the access says? If not, it is from now on.
    #[inline(always)]
    pub fn enter(&mut self, place: u64, new: Noted, write_is_enough: bool) -> bool {
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
    /// Which detector it is, by `Races::generation`.
    pub generation: u64,
    /// The detector.
    pub detector: Arc<Detector>,
    /// Its number; `None`: there are too many.
    pub number: Option<u32>,
    /// What it knows. Its own time goes on when it releases something.
    pub clock: Clock,
    /// The accesses noted last: it need not note them again.
    pub recent: Recent,
    /// What calls do, by the serial of the receiver's class and the name.
    pub actions: Actions,
    /// Numbers of stacks.
    pub stacks: WordMap<u64, u32>,
    /// The definitions that it knows of.
    pub definitions: u64,
    /// Nothing is noted while this is not 0: a finalizer runs.
    pub muted: u32,
    /// How often everything had been forgotten when it last looked: what it noted before has to be noted again.
    pub forgotten: u64,
    /// The object that an atomic step was begun on: once that is done, what comes is behind the steps of others.
    pub updating: Option<u64>,
}

impl OfThread {
    /// Its time; 0 of a thread without a number.
    #[inline]
    pub fn time(&self) -> u32 {
        self.number.map_or(0, |number| self.clock.of(number))
    }

    /// Is an access to be noted? It is not if it is among those noted last, or everything that would race with it races with one of
    /// them.
    #[inline(always)]
    pub fn is_news(&mut self, object: u64, part: Part, kind: Kind) -> bool {
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
    pub fn end_update(&mut self) {
        if let Some(object) = self.updating.take() {
            self.detector.acquire(object, &mut self.clock);
        }
    }

    /// Time goes on: what comes now is not ordered by what was released.
    pub fn tick(&mut self) {
        let Some(number) = self.number else { return };
        match self.clock.of(number).checked_add(1) {
            Some(time) => self.clock.set(number, time),
            // Four thousand million releases: its accesses are not told from each other any more, so they are not noted.
            None => self.number = None,
        }
    }

    /// Forgets what goes by addresses that a collection may give to others.
    pub fn forget_addresses(&mut self) {
        self.recent.forget();
    }
}

impl Detector {
    /// One that has seen nothing.
    pub fn new(prints: bool) -> Arc<Detector> {
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
    pub fn enter(&self, clock: &Clock, name: &str) -> Option<(u32, u32)> {
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
    pub fn name(&self, thread: u32, time: u32) -> Arc<str> {
        let threads = self.threads.lock();
        let names = threads.get(thread as usize).map_or(&[][..], |entry| &entry.names);
        names.iter().rev().find(|(from, _)| *from <= time).map_or_else(|| "a thread".into(), |(_, name)| name.clone())
    }

    /// Who acquires `sync` from now on knows what `clock` says.
    pub fn release(&self, sync: u64, clock: &Clock) {
        let mut shard = self.syncs[mix(sync) as usize % SHARDS].lock();
        if shard.len() >= MOST_SYNCS {
            // The orders that are forgotten are those of accesses: no order must be missed, so they are forgotten first.
            self.forget_accesses();
            shard.clear();
        }
        shard.entry(sync).or_default().join(clock);
    }

    /// Forgets all accesses.
    pub fn forget_accesses(&self) {
        self.forgotten.fetch_add(1, Ordering::Relaxed);
        for shard in &self.objects {
            *shard.lock() = Objects::default();
        }
    }

    /// `clock` learns what those knew that have released `sync`.
    pub fn acquire(&self, sync: u64, clock: &mut Clock) {
        if let Some(released) = self.syncs[mix(sync) as usize % SHARDS].lock().get(&sync) {
            clock.join(released);
        }
    }
}
