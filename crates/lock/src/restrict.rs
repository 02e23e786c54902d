//! CPU restriction: threads that fight over one lock are kept on one processor for a while.
//!
//! What a lock protects then stays in one processor's caches, and whoever gives it back need not wake another processor: threads that
//! do little else than to wait for each other are faster on one. A thread notices that it fights when it has to wait, and restricts
//! itself; a thread of its own gives it back all its processors when the time is over. Off unless [`set`] was called.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::{Mutex, gate};

/// So many waits for one lock in a second are a fight; 0: threads are not restricted.
static RATE: AtomicU32 = AtomicU32::new(0);
/// For so many nanoseconds those who fight stay on one processor.
static TIME: AtomicU64 = AtomicU64::new(0);
/// Waits are counted over so many nanoseconds.
const WINDOW: u64 = 10_000_000;
/// The thread that ends restrictions looks at least this often.
const LOOK: Duration = Duration::from_millis(100);

/// Who is restricted.
static LIST: Mutex<List> = Mutex::new(List { process: 0, kept: Vec::new() });

struct List {
    /// The process in which a thread ends restrictions; 0: there is none.
    process: u32,
    kept: Vec<Arc<Kept>>,
}

/// A thread that is restricted, or was.
struct Kept {
    thread: rustix::thread::Pid,
    /// The processors it had.
    all: CpuSet,
    /// The time at which it gets them back.
    until: AtomicU64,
    /// Is it restricted now? The thread's processors change under this lock.
    on: Mutex<bool>,
}

impl Kept {
    /// Gives the thread its processors back, from any thread.
    fn end(&self) {
        let mut on = self.on.lock();
        if std::mem::take(&mut *on) {
            // It fails if the system has taken some of them away since: then the thread stays where it may be.
            let _ = sched_setaffinity(Some(self.thread), &self.all);
        }
    }
}

/// The calling thread's restriction, which ends with the thread: its number may belong to another one then.
struct Own(Arc<Kept>);

impl Drop for Own {
    fn drop(&mut self) {
        self.0.end();
    }
}

thread_local! {
    static OWN: RefCell<Option<Own>> = const { RefCell::new(None) };
}

/// Threads that wait for one lock more than `rate` times a second stay on one processor for `time`. 0: they do not.
pub fn set(rate: u32, time: Duration) {
    TIME.store(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    RATE.store(rate, Ordering::Relaxed);
}

/// The calling thread gets all its processors back: before it makes a thread or a process, which would have what it has.
pub fn release() {
    if RATE.load(Ordering::Relaxed) != 0 {
        // At the very end of a thread there is nothing left to be given back.
        let _ = OWN.try_with(|own| own.borrow_mut().take());
    }
}

/// Nanoseconds of a clock that only goes on.
fn now() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// How much threads fight over one lock.
#[derive(Default, Debug)]
pub struct Fight {
    /// When counting began.
    begun: AtomicU64,
    /// Waits since then.
    count: AtomicU32,
    /// The processor for those who fight.
    processor: AtomicU32,
    /// And until when they stay there.
    until: AtomicU64,
}

impl Fight {
    /// The calling thread has to wait for the lock. Whether it is on one processor with the others: then they get on only if it sleeps.
    #[inline]
    pub fn waits(&self) -> bool {
        let rate = RATE.load(Ordering::Relaxed);
        rate != 0 && self.count(rate)
    }

    #[cold]
    fn count(&self, rate: u32) -> bool {
        let now = now();
        let count = u64::from(self.count.fetch_add(1, Ordering::Relaxed)) + 1;
        let begun = self.begun.load(Ordering::Relaxed);
        let passed = now.saturating_sub(begun);
        // Only one of those who come at the end of a window closes it.
        if passed >= WINDOW && self.begun.compare_exchange(begun, now, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            self.count.store(0, Ordering::Relaxed);
            if count.saturating_mul(1_000_000_000) >= passed.saturating_mul(u64::from(rate)) {
                if self.until.load(Ordering::Relaxed) <= now {
                    self.processor.store(rustix::thread::sched_getcpu() as u32, Ordering::Relaxed);
                }
                self.until.store(now.saturating_add(TIME.load(Ordering::Relaxed)), Ordering::Relaxed);
            }
        }
        let until = self.until.load(Ordering::Relaxed);
        until > now && keep(self.processor.load(Ordering::Relaxed) as usize, until).is_some()
    }
}

/// Keeps the calling thread on a processor until then; `None`: it cannot be.
fn keep(processor: usize, until: u64) -> Option<()> {
    let is_kept = OWN.try_with(|own| {
        let own = own.borrow();
        let Some(Own(kept)) = &*own else { return false };
        let on = kept.on.lock();
        if *on {
            kept.until.fetch_max(until, Ordering::Relaxed);
        }
        *on
    });
    if is_kept.ok()? {
        return Some(());
    }
    let all = sched_getaffinity(None).ok()?;
    if all.count() < 2 || !all.is_set(processor) {
        return None;
    }
    let thread = rustix::thread::gettid();
    let kept = Arc::new(Kept { thread, all, until: AtomicU64::new(until), on: Mutex::new(false) });
    end_in_time(kept.clone())?;
    let mut one = CpuSet::new();
    one.set(processor);
    let mut on = kept.on.lock();
    sched_setaffinity(None, &one).ok()?;
    *on = true;
    drop(on);
    if now() >= until {
        // It may have been too late to be ended by the other thread.
        kept.end();
    }
    OWN.try_with(|own| *own.borrow_mut() = Some(Own(kept))).ok()
}

/// Has a thread end the restriction, which begins now, in time.
fn end_in_time(kept: Arc<Kept>) -> Option<()> {
    let me = std::process::id();
    let is_there = {
        let mut list = LIST.lock();
        if list.process != me {
            // Who was restricted in the process that this one was forked from is not here.
            list.kept.clear();
        }
        list.kept.push(kept);
        std::mem::replace(&mut list.process, me) == me
    };
    if is_there {
        return Some(());
    }
    let starting = gate::starting();
    let made = std::thread::Builder::new().name("restrict".into()).spawn(move || {
        let _running = starting.begin();
        end_all();
    });
    if made.is_err() {
        let mut list = LIST.lock();
        (list.process, list.kept) = (0, Vec::new());
        return None;
    }
    Some(())
}

/// Ends restrictions until there are none.
fn end_all() {
    loop {
        let now = now();
        let (over, next) = {
            let mut list = LIST.lock();
            let is_over = |kept: &Arc<Kept>| kept.until.load(Ordering::Relaxed) <= now;
            let (over, left): (Vec<_>, Vec<_>) = std::mem::take(&mut list.kept).into_iter().partition(is_over);
            list.kept = left;
            if over.is_empty() && list.kept.is_empty() {
                list.process = 0;
                return;
            }
            (over, list.kept.iter().map(|kept| kept.until.load(Ordering::Relaxed)).min())
        };
        over.iter().for_each(|kept| kept.end());
        if let Some(next) = next {
            std::thread::sleep(Duration::from_nanos(next.saturating_sub(now)).clamp(Duration::from_millis(1), LOOK));
        }
    }
}
