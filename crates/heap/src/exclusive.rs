//! `Exclusive`: the right to change an object, by ownership or by its lock.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crate::claim;
use crate::collect::with_stack_pointer;
use crate::header::{Cell, LOCKED, OLD, OWNER_MASK, SHAPE_MASK, WRITER_MASK, with_shape};
use crate::lock_stats::{LockKind, LockPlace, LockStats};
use crate::mutator::Mutator;
use crate::object_lock::ObjectLock;
use crate::remember;
use crate::thread::{POLL_HANDSHAKE, POLL_STOP, ThreadState};
use crate::trace::{Site, SpanKind};

/// As long as it lives, no other thread changes the object (and none that keeps to the rules reads what takes several
/// words to agree). It borrows the mutator mutably, so nothing under it can reach a safepoint (but for its own `blocking`
/// and `pause`), allocate, or take a second object.
#[derive(Debug)]
#[must_use]
pub struct Exclusive<'a> {
    mutator: &'a mut Mutator,
    cell: &'a Cell,
    locked: bool,
    /// The lock was taken in place of the ownership, which comes back with its release.
    lent: bool,
}

impl Mutator {
    /// The right to change an object. May be a safepoint, and may wait, when this thread is not the owner.
    #[inline(always)]
    pub fn exclusive<'a>(&'a mut self, cell: &'a Cell) -> Exclusive<'a> {
        let header = cell.header.load(Ordering::Relaxed);
        // Made in one place, of what lies in registers: a guard that is put together in memory is read before it is written there.
        let locked = header & WRITER_MASK != self.owner_bits() && self.take(cell);
        Exclusive { mutator: self, cell, locked, lent: false }
    }

    /// Takes an object that this thread may not simply write to; whether it had to be locked.
    #[cold]
    #[inline(never)]
    fn take(&mut self, cell: &Cell) -> bool {
        if self.remember_own(cell) {
            return false;
        }
        self.lock(cell);
        self.remember_locked(cell);
        true
    }

    /// Remembers an object that this thread has locked, if it is old.
    fn remember_locked(&self, cell: &Cell) {
        if remember::under_lock(&cell.header) {
            self.note_source(cell);
        }
    }

    /// Remembers an object if it is this thread's own, and old; whether it is its own.
    #[inline]
    pub fn remember_own(&mut self, cell: &Cell) -> bool {
        let header = cell.header.load(Ordering::Relaxed);
        if header & OWNER_MASK != self.owner_bits() {
            return false;
        }
        if header & OLD != 0 {
            remember::by_owner(&cell.header, header);
            self.note_source(cell);
        }
        true
    }

    /// Remembers an object that nobody else knows, if it is old: for who made it, has let collections come between, and has
    /// stored, or is going to store before the next safepoint.
    #[inline]
    pub fn remember_private(&self, cell: &Cell) {
        // SAFETY: as in `note_source`.
        let noted = unsafe { self.inbox.remembered.remember_private(cell) };
        self.noted(noted);
    }

    /// A part is part of its cell no more, but somebody may still look at it: what was stored in it last is kept.
    pub fn remember_part(&self, part: &Cell) {
        self.note_source(part);
    }

    /// Takes the lock of an object this thread does not own; claims it first when another living thread does.
    pub fn lock(&mut self, cell: &Cell) {
        debug_assert!(cell.header() & OWNER_MASK != self.owner_bits(), "the owner locks its object");
        loop {
            // The uncontended case needs no registers spilled.
            match ObjectLock::try_lock(&cell.header, self.heap().owners()) {
                Some(true) => return self.count_lock(cell, LockKind::Object, None, false),
                Some(false) => {
                    let begun = self.begin_wait();
                    let sleeps = self.state().sleeps();
                    let locked = with_stack_pointer(|stack_pointer| {
                        let heap = self.heap();
                        ObjectLock::lock(&cell.header, self.state(), heap.world(), heap.owners(), stack_pointer)
                    });
                    self.resync();
                    if locked {
                        let slept = self.state().sleeps() != sleeps;
                        self.trace_wait("lock of an object", begun);
                        return self.count_lock(cell, LockKind::Object, begun, slept);
                    }
                }
                None => self.claim(cell),
            }
        }
    }

    /// When a wait begins, if waits are counted.
    fn begin_wait(&self) -> Option<Instant> {
        let heap = self.heap();
        (heap.lock_stats().is_some() || heap.traced().generation() != 0).then(Instant::now)
    }

    /// Where the thread is in Ruby code.
    fn place(&self) -> Option<(Arc<str>, u32)> {
        // SAFETY: the pointer is this thread's.
        unsafe { (self.heap().hooks().place)(self.state().data()) }
    }

    /// Notes a wait for an object's lock or ownership, if the thread is traced.
    fn trace_wait(&mut self, what: &'static str, begun: Option<Instant>) {
        let Some(begun) = begun.filter(|_| self.heap().traced().generation() != 0) else { return };
        let at = self.place();
        if let Some(lane) = self.lane() {
            let (begin, end) = (lane.at(begun), lane.now());
            let site = lane.number(Site { kind: SpanKind::Object, what: what.into(), at });
            lane.add_plain(site, begin, end);
        }
    }

    /// Counts that an object's lock, or its ownership, was taken; `begun`: after a wait.
    #[inline]
    fn count_lock(&self, cell: &Cell, kind: LockKind, begun: Option<Instant>, slept: bool) {
        if let Some(stats) = self.heap().lock_stats() {
            note_lock(stats, cell, kind, self.place(), begun, slept);
        }
    }

    /// Releases the lock of an object.
    #[inline]
    pub fn unlock(&self, cell: &Cell) {
        ObjectLock::unlock(&cell.header);
    }

    /// Takes the object away from another thread that owns it. Afterwards it is unowned, or this thread's own.
    pub fn claim(&mut self, cell: &Cell) {
        let begun = self.begin_wait();
        with_stack_pointer(|stack_pointer| {
            let heap = self.heap();
            claim::claim(self.state(), heap.world(), heap.owners(), &cell.header, stack_pointer);
        });
        self.resync();
        self.trace_wait("an object's owner", begun);
        self.count_lock(cell, LockKind::Ownership, begun, true);
    }

    /// Gives up the ownership of an object that is about to be handed to another thread. Does nothing to others.
    #[inline]
    pub fn release_ownership(&mut self, cell: &Cell) {
        let header = cell.header.load(Ordering::Relaxed);
        if header & OWNER_MASK == self.owner_bits() {
            // Release: who finds it unowned sees what was done to it.
            cell.header.store(header & !OWNER_MASK, Ordering::Release);
        }
    }
}

#[cold]
fn note_lock(
    stats: &LockStats,
    cell: &Cell,
    kind: LockKind,
    place: Option<(Arc<str>, u32)>,
    begun: Option<Instant>,
    slept: bool,
) {
    let class = LockPlace::Class(cell.class.load(Ordering::Relaxed), place);
    let site = stats.site(kind, class);
    match begun {
        Some(begun) => site.waited(slept, begun.elapsed()),
        None => site.took(),
    }
}

impl<'a> Exclusive<'a> {
    /// The object.
    #[inline(always)]
    #[must_use]
    pub fn cell(&self) -> &'a Cell {
        self.cell
    }

    /// The mutator, for what is no safepoint.
    #[inline(always)]
    #[must_use]
    pub fn mutator(&self) -> &Mutator {
        self.mutator
    }

    /// Runs long work as a blocking region and keeps the right meanwhile: an owner takes its object's lock for that time.
    ///
    /// `f` may read what the object holds: nobody changes it, and what it refers to stays alive. The collector may be
    /// reading it too, so `f` stores nothing where the collector looks, but for a reference to something that is alive
    /// otherwise in the place of one that is not needed any more.
    pub fn blocking<R>(&mut self, f: impl FnOnce() -> R) -> R {
        self.lend();
        let address = self.cell.address() as usize;
        self.mutator.state().keeps(address);
        let result = self.mutator.computing(f);
        self.mutator.state().kept_no_more(address);
        self.remember_locked();
        result
    }

    /// Remembers the object, whose lock is held, if it is old: a collection may have come between.
    fn remember_locked(&mut self) {
        self.mutator.remember_locked(self.cell);
    }

    /// An owner takes its object's lock: it is about to enter a blocking region.
    fn lend(&mut self) {
        if !self.locked {
            let header = self.cell.header.load(Ordering::Relaxed);
            // The owner's plain store: nobody else changes the word until it is unowned.
            self.cell.header.store(header & !OWNER_MASK | LOCKED, Ordering::Release);
            self.locked = true;
            self.lent = true;
        }
    }

    /// For the middle of long work that changes the object: lets the world stop here if it wants to. The object has to
    /// hold then what the collector is to find.
    #[inline]
    pub fn pause(&mut self) {
        if self.is_wanted() {
            self.lend();
            let address = self.cell.address() as usize;
            self.mutator.state().keeps(address);
            self.mutator.blocking(|| ());
            self.mutator.state().kept_no_more(address);
            self.remember_locked();
        }
    }

    /// Whether others wait for this thread to stop.
    #[inline]
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.mutator.poll_bits() & (POLL_STOP | POLL_HANDSHAKE) != 0
    }

    /// Whether the right is that of the owner.
    #[inline(always)]
    #[must_use]
    pub fn is_owner(&self) -> bool {
        !self.locked
    }

    /// The header word.
    #[inline(always)]
    #[must_use]
    pub fn header(&self) -> u64 {
        self.cell.header.load(Ordering::Relaxed)
    }

    /// Sets bits of the header.
    #[inline]
    pub fn set_header_bits(&self, bits: u64) {
        debug_assert_eq!(bits & OWNER_MASK, 0);
        self.update_header(|header| header | bits);
    }

    /// Clears bits of the header.
    #[inline]
    pub fn clear_header_bits(&self, bits: u64) {
        debug_assert_eq!(bits & OWNER_MASK, 0);
        self.update_header(|header| header & !bits);
    }

    /// Sets the shape; what the new shape reveals has been stored before.
    #[inline]
    pub fn set_shape(&self, shape: u32) {
        debug_assert_eq!(u64::from(shape) << 32 & !SHAPE_MASK, 0);
        self.update_header(|header| with_shape(header, shape));
    }

    /// Changes the header word; what it reveals has been stored before.
    #[inline]
    pub fn update_header(&self, change: impl Fn(u64) -> u64) {
        let mut header = self.cell.header.load(Ordering::Relaxed);
        if !self.locked {
            self.cell.header.store(change(header), Ordering::Release);
            return;
        }
        // Under the lock others may still set PARKED.
        while let Err(now) =
            self.cell.header.compare_exchange_weak(header, change(header), Ordering::Release, Ordering::Relaxed)
        {
            header = now;
        }
    }
}

/// The lock of an object, kept across safepoints by who has work for which the object is not to change, and which needs the
/// mutator. Nothing of that work may take the same object or run Ruby code: others wait as long. Dropping it releases
/// the lock; an owner has become a sharer then.
#[derive(Debug)]
#[must_use]
pub struct Kept<'a> {
    cell: &'a Cell,
    lent: bool,
    /// Whose it is.
    state: Arc<ThreadState>,
}

impl Mutator {
    /// Takes the lock of an object, an owner too, and keeps it. A safepoint, and may wait.
    pub fn keep<'a>(&mut self, cell: &'a Cell) -> Kept<'a> {
        let mut guard = self.exclusive(cell);
        guard.lend();
        let lent = guard.lent;
        // Its lock is `Kept`'s now.
        std::mem::forget(guard);
        let state = Arc::clone(self.state());
        state.keeps(cell.address() as usize);
        Kept { cell, lent, state }
    }
}

impl<'a> Kept<'a> {
    /// The right to change the object, with which the lock ends.
    pub fn resume(self, mutator: &'a mut Mutator) -> Exclusive<'a> {
        let (cell, lent) = (self.cell, self.lent);
        self.state.kept_no_more(cell.address() as usize);
        let kept = std::mem::ManuallyDrop::new(self);
        // SAFETY: what is left is not dropped, and nobody looks at it again.
        drop(unsafe { std::ptr::read(&raw const kept.state) });
        let mut guard = Exclusive { mutator, cell, locked: true, lent };
        guard.remember_locked();
        guard
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        self.state.kept_no_more(self.cell.address() as usize);
        ObjectLock::unlock(&self.cell.header);
    }
}

impl Exclusive<'_> {
    #[inline]
    fn release(&self) {
        // The id may be another one by now.
        if !self.lent || !ObjectLock::unlock_to(&self.cell.header, self.mutator.owner_stamp()) {
            ObjectLock::unlock(&self.cell.header);
        }
    }
}

impl Drop for Exclusive<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.locked {
            self.release();
        }
    }
}
