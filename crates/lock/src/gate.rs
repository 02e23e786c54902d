//! The gate in front of all locks, which is closed for the moment of a `fork`.
//!
//! Each thread counts the locks that it holds, or is about to hold, in a record of its own. Who wants its first one looks
//! whether the gate is closed after having counted itself; who closes the gate looks at the counts afterwards. The
//! compare-exchange that takes a lock orders the one behind the other, so one of them sees the other. A thread that has a lock
//! already takes further ones: whoever waits for the gate holds nothing that it needs.
//!
//! What takes no lock of ours but may not be in the middle of anything, the allocator, counts in the same way ([`briefly`]). It is
//! called too often for a fence each time: who closes the gate has the kernel put one into every thread.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, Ordering, compiler_fence, fence};
use std::time::{Duration, Instant};

use crate::sys;

/// No thread has the record.
const FREE: u32 = 0;
/// A thread has it.
const USED: u32 = 1;
/// Its thread is about to end: it holds what it holds until the kernel knows it no more.
const ENDING: u32 = 2;

/// What is known of a thread. Never freed, used again. On a cache line of its own, since its thread writes it at each lock.
#[repr(align(64))]
struct Record {
    /// Locks it holds or is about to take. Written by the thread itself.
    held: AtomicU32,
    state: AtomicU32,
    /// The kernel's number of the thread.
    thread: AtomicI32,
    /// The record made before. Set before anybody sees it.
    next: *const Record,
}

// SAFETY: the pointer leads to a record, which is never freed, and is not changed once others see it.
unsafe impl Sync for Record {}

impl Record {
    const fn new() -> Record {
        let (held, state, thread) = (AtomicU32::new(0), AtomicU32::new(FREE), AtomicI32::new(0));
        Record { held, state, thread, next: std::ptr::null() }
    }
}

/// Records for the first threads; not allocated, because what a thread allocates first may be meant to go with it.
static POOL: [Record; 2048] = [const { Record::new() }; 2048];
/// How many of these have been used, from the first on.
static POOLED: AtomicU32 = AtomicU32::new(0);
/// The record made last besides.
static RECORDS: AtomicPtr<Record> = AtomicPtr::new(std::ptr::null_mut());
/// 0: open.
static CLOSED: AtomicU32 = AtomicU32::new(0);
/// Threads that have been asked for and do not count yet.
static STARTING: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// The calling thread's record; null before its first lock. Has no destructor, so that it can be used until the very end.
    static MINE: Cell<*const Record> = const { Cell::new(std::ptr::null()) };
    /// Gives the record back.
    static END: End = const { End };
}

struct End;

impl Drop for End {
    fn drop(&mut self) {
        // SAFETY: records are never freed.
        if let Some(record) = unsafe { MINE.get().as_ref() } {
            record.state.store(ENDING, Ordering::Release);
        }
    }
}

/// The calling thread's record.
#[inline]
fn mine() -> &'static Record {
    // SAFETY: records are never freed.
    match unsafe { MINE.get().as_ref() } {
        Some(record) => record,
        None => register(),
    }
}

#[cold]
fn register() -> &'static Record {
    let thread = number();
    let record = take_free(thread).unwrap_or_else(|| add(thread));
    MINE.set(record);
    // The first thread ends with the process, and may be here before the C library is ready for destructors. In a thread whose
    // variables are being destroyed the record stays for good: there is no thread of that number by then.
    if !is_first(thread) {
        let _ = END.try_with(|_| ());
    }
    record
}

/// Is it the thread that the process began with?
#[cfg(target_os = "linux")]
fn is_first(thread: i32) -> bool {
    // SAFETY: the call has no preconditions.
    thread == unsafe { libc::getpid() }
}

#[cfg(not(target_os = "linux"))]
fn is_first(_: i32) -> bool {
    false
}

/// A record that nobody has any more.
fn take_free(thread: i32) -> Option<&'static Record> {
    for record in records() {
        if record.state.load(Ordering::Acquire) == ENDING && is_gone(record) {
            // Another thread may have seen it too.
            let _ = record.state.compare_exchange(ENDING, FREE, Ordering::AcqRel, Ordering::Relaxed);
        }
        if record.state.compare_exchange(FREE, USED, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            record.thread.store(thread, Ordering::Release);
            record.held.store(0, Ordering::Release);
            return Some(record);
        }
    }
    None
}

fn add(thread: i32) -> &'static Record {
    let more = |used: u32| ((used as usize) < POOL.len()).then_some(used + 1);
    if let Ok(used) = POOLED.fetch_update(Ordering::AcqRel, Ordering::Acquire, more) {
        let record = &POOL[used as usize];
        // Another thread may have found it free meanwhile.
        if record.state.compare_exchange(FREE, USED, Ordering::AcqRel, Ordering::Relaxed).is_err() {
            return add(thread);
        }
        record.thread.store(thread, Ordering::Release);
        return record;
    }
    add_page();
    take_free(thread).unwrap_or_else(|| add(thread))
}

/// A page of free records, from the system: the allocator, which counts its threads here, may be what asks.
#[cold]
fn add_page() {
    use rustix::mm::{MapFlags, ProtFlags};
    const COUNT: usize = 4096 / size_of::<Record>();
    // SAFETY: a new private mapping at an address of the system's choice touches no memory of anybody.
    let page = unsafe {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        rustix::mm::mmap_anonymous(std::ptr::null_mut(), COUNT * size_of::<Record>(), access, MapFlags::PRIVATE)
    };
    let Ok(page) = page else { std::process::abort() };
    for i in 0..COUNT {
        // SAFETY: the page has room for so many, is aligned for them, and nobody else knows it. It is never given back.
        let record = unsafe {
            let place = page.cast::<Record>().add(i);
            place.write(Record::new());
            &mut *place
        };
        record.next = RECORDS.load(Ordering::Acquire);
        loop {
            let before = record.next.cast_mut();
            match RECORDS.compare_exchange(before, record, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(now) => record.next = now,
            }
        }
    }
}

fn records() -> impl Iterator<Item = &'static Record> {
    let pooled = POOLED.load(Ordering::SeqCst) as usize;
    let mut next = RECORDS.load(Ordering::SeqCst).cast_const();
    let others = std::iter::from_fn(move || {
        // SAFETY: records are never freed, and the link is set before the record is seen.
        let record = unsafe { next.as_ref() }?;
        next = record.next;
        Some(record)
    });
    POOL[..pooled].iter().chain(others)
}

/// The kernel's number of the calling thread.
#[cfg(target_os = "linux")]
fn number() -> i32 {
    // SAFETY: the call has no preconditions.
    unsafe { libc::gettid() }
}

/// There is no way to ask whether a thread is gone.
#[cfg(not(target_os = "linux"))]
fn number() -> i32 {
    0
}

/// Has the kernel forgotten the record's thread?
#[cfg(target_os = "linux")]
fn is_gone(record: &Record) -> bool {
    let thread = record.thread.load(Ordering::Acquire);
    // SAFETY: signal 0 only asks whether there is such a thread of this process.
    let asked = unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), thread, 0) };
    // Its number may be another thread's by now; then this one waits for that one's end.
    asked != 0
}

#[cfg(not(target_os = "linux"))]
fn is_gone(_: &Record) -> bool {
    true
}

/// Counts a lock that the thread is about to take; whether it is the first.
#[inline]
fn enter() -> bool {
    let record = mine();
    let held = record.held.load(Ordering::Relaxed);
    record.held.store(held + 1, Ordering::Relaxed);
    compiler_fence(Ordering::SeqCst);
    held == 0
}

/// Having taken a lock, its first: is the gate closed, so that it has to be given back?
#[inline]
fn is_closed() -> bool {
    // The read-modify-write that took the lock orders this behind the count, on processors of this kind by itself.
    if cfg!(target_arch = "x86_64") {
        compiler_fence(Ordering::SeqCst);
    } else {
        fence(Ordering::SeqCst);
    }
    CLOSED.load(Ordering::Relaxed) != 0
}

/// A lock has been given back.
#[inline]
pub(crate) fn leave() {
    let record = mine();
    let held = record.held.load(Ordering::Relaxed);
    debug_assert!(held > 0, "a lock is given back by another thread than took it");
    record.held.store(held.wrapping_sub(1), Ordering::Release);
}

/// Takes a lock by `take`, which says whether it did; whether it was taken. One that is taken while the gate is closed, and by a
/// thread that has no other, is given back by `give` until the gate is open.
#[inline(always)]
pub(crate) fn through(take: impl Fn() -> bool, give: impl Fn()) -> bool {
    loop {
        let first = enter();
        if !take() {
            leave();
            return false;
        }
        if !(first && is_closed()) {
            return true;
        }
        give_way(&give);
    }
}

/// Gives a lock back and sleeps while the gate is closed.
#[cold]
fn give_way(give: impl Fn()) {
    give();
    leave();
    wait();
}

/// Sleeps while the gate is closed.
#[cold]
fn wait() {
    while CLOSED.load(Ordering::Acquire) != 0 {
        sys::wait_on(&CLOSED, 1, None);
    }
}

/// No `fork` comes while this lives: for what is as a lock is and has no such lock, as what is made once a process.
#[derive(Debug)]
#[must_use]
pub struct NoFork(PhantomData<*const ()>);

/// See [`NoFork`]. Waits for the end of a fork under way.
pub fn no_fork() -> NoFork {
    let take = || {
        // In place of the read-modify-write of a lock.
        fence(Ordering::SeqCst);
        true
    };
    through(take, || {});
    NoFork(PhantomData)
}

impl Drop for NoFork {
    fn drop(&mut self) {
        leave();
    }
}

/// Does `work`, in the middle of which no `fork` comes: as with [`no_fork`], for what is done too often for a fence. `work` waits
/// for nothing but other such work, and does not panic.
#[inline(always)]
pub fn briefly<R>(work: impl FnOnce() -> R) -> R {
    let record = mine();
    let held = record.held.load(Ordering::Relaxed);
    record.held.store(held + 1, Ordering::Relaxed);
    beside_a_barrier();
    if held == 0 && CLOSED.load(Ordering::Relaxed) != 0 {
        come_back(record);
    }
    let result = work();
    record.held.store(held, Ordering::Release);
    result
}

/// Keeps the order of what a thread counts and what it looks at then. Where `barrier` has the kernel do the rest, it is for the
/// compiler only.
#[inline(always)]
fn beside_a_barrier() {
    if cfg!(target_os = "linux") { compiler_fence(Ordering::SeqCst) } else { fence(Ordering::SeqCst) }
}

/// Counts as holding something when the gate is open.
#[cold]
fn come_back(record: &Record) {
    while CLOSED.load(Ordering::Relaxed) != 0 {
        record.held.store(0, Ordering::Release);
        wait();
        record.held.store(1, Ordering::Relaxed);
        beside_a_barrier();
    }
}

/// A thread that is going to be: no `fork` comes before it counts. Made by who starts it; the thread itself calls `begin`.
#[derive(Debug)]
pub struct Starting(());

/// A thread that runs what it was started for. Behind that it ends: the standard library takes a lock of its own then, to forget the
/// thread's stack, so from there on until the kernel knows the thread no more there is no `fork`.
#[derive(Debug)]
#[must_use]
pub struct Running(PhantomData<*const ()>);

impl Starting {
    /// The new thread begins. What this gives lives until the thread's function returns.
    pub fn begin(self) -> Running {
        Running(PhantomData)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // `END` tells the rest.
        std::mem::forget(no_fork());
    }
}

/// Announces a new thread, which is to call `begin` before it does anything else.
#[must_use]
pub fn starting() -> Starting {
    crate::restrict::release();
    let _now = no_fork();
    STARTING.fetch_add(1, Ordering::AcqRel);
    Starting(())
}

impl Drop for Starting {
    fn drop(&mut self) {
        // What the allocator has to do for a thread it does at the first allocation.
        drop(std::hint::black_box(Box::new(0_u64)));
        mine();
        STARTING.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The gate is closed as long as this lives: no other thread of the process holds a lock.
#[derive(Debug)]
#[must_use]
pub struct Closed(PhantomData<*const ()>);

/// Closes the gate for the calling thread, which goes on taking locks. `None`: some thread has held one for too long, perhaps
/// because it waits for something; try again when it has gone on.
pub fn close(patience: Duration) -> Option<Closed> {
    crate::restrict::release();
    let me = mine();
    while CLOSED.compare_exchange(0, 1, Ordering::SeqCst, Ordering::Relaxed).is_err() {
        // Another thread forks.
        wait();
    }
    // From here on this thread's locks are never its first.
    enter();
    let closed = Closed(PhantomData);
    fence(Ordering::SeqCst);
    sys::barrier();
    let give_up = Instant::now() + patience;
    let mut looks = 0_u32;
    while !is_quiet(me) {
        if Instant::now() >= give_up {
            return None;
        }
        looks += 1;
        if looks < 100 {
            std::hint::spin_loop();
        } else {
            std::thread::sleep(Duration::from_micros(20));
        }
    }
    Some(closed)
}

/// Does no thread but `me` hold a lock, begin or end?
fn is_quiet(me: &Record) -> bool {
    if STARTING.load(Ordering::SeqCst) != 0 {
        return false;
    }
    records().filter(|record| !std::ptr::eq(*record, me)).all(|record| match record.state.load(Ordering::Acquire) {
        FREE => true,
        USED => record.held.load(Ordering::SeqCst) == 0,
        _ => is_gone(record),
    })
}

impl Closed {
    /// In the new process: there are no other threads. Everybody who waited somewhere is gone.
    pub fn forget_others(&self) {
        let me = mine();
        me.thread.store(number(), Ordering::Release);
        for record in records() {
            if !std::ptr::eq(record, me) {
                record.held.store(0, Ordering::Relaxed);
                record.state.store(FREE, Ordering::Release);
            }
        }
        crate::lot::forget_all();
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        leave();
        CLOSED.store(0, Ordering::Release);
        sys::wake_all(&CLOSED);
    }
}
