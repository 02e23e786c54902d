//! The process's allocator, C's (`c_heap`) as well as Rust's: mimalloc, and before it a nursery for each VM that another one has made.
//!
//! mimalloc has pages of its own for each thread and size of block, as suits threads that allocate much. The thread of a new
//! VM allocates a few hundred pieces of forty sizes, and perhaps nothing afterwards: half of the memory it would touch is
//! the unused rest of forty pages. Instead it takes its first pieces one behind the other from a nursery, a range of
//! addresses of its own. Nothing is allocated twice there: when the thread has left, each page of the nursery goes back to
//! the system as soon as all pieces on it have been freed, by whatever thread, and after the last one the nursery is ready
//! for another VM.
//!
//! Each call of mimalloc is made by `briefly`: it has locks, and counts on every thread to finish what it has begun, so no `fork` may
//! come in the middle of one.
//!
//! A nursery is also where small pieces come from when the system refuses memory. Most of Rust's allocations, and C's, cannot be refused
//! without ending the process; the heaps can: they look whether there is a shortage, and the program gets a NoMemoryError.
//!
//! What a thread allocates for the VMs that it makes lies in a nursery too, its creation nursery, one VM's behind the other's. It
//! lives about as long as they do: between what lives longer it would leave holes all over mimalloc's pages.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::ffi::{c_int, c_long};
use std::sync::atomic::{AtomicBool, AtomicI16, AtomicU8, AtomicU64, AtomicUsize, Ordering};

use asterism::{Memory, Shortage};
use asterism_lock::gate::briefly;
use mimalloc::MiMalloc;
use rustix::mm::{Advice, MapFlags, ProtFlags};
use rustix::process::{Resource, getrlimit};

/// Bytes of a nursery. What a VM allocates beyond them comes from mimalloc.
const NURSERY: usize = 64 << 10;
/// How many nurseries there are; further VMs go without.
const COUNT: usize = 64 << 10;
/// Bytes of a page, of which a nursery has `PAGES`.
const PAGE: usize = 4 << 10;
const PAGES: usize = NURSERY / PAGE;
/// Bytes of them all, of which only what is touched takes memory.
const SPAN: usize = NURSERY * COUNT;
/// Bytes of those that a word of `USED` tells of.
const GROUP: usize = NURSERY * 64;
/// Larger pieces fit mimalloc's pages well.
const LARGEST: usize = NURSERY / 4;
/// Where VMs have limits of memory, the pages of pieces of so many bytes or more go back when they are freed: several threads that free
/// them and take others would hold as much again otherwise before `PURGE_DELAY` is over. That the pages which are needed next are new
/// ones takes a piece's first use three to six times as long, and so it is not done elsewhere.
const GIVEN_BACK: usize = 512 << 10;
/// When so much can be had in one piece, a shortage is over.
const ENOUGH: usize = 1 << 20;
/// How long a thread that waits for memory does so before it asks again.
const PATIENCE: std::time::Duration = std::time::Duration::from_millis(20);
/// With less than this left nobody looks any more.
const LEAST: usize = 64;
/// With less than this left a creation nursery has no room for what is allocated for one more VM.
const ONE: usize = 2 << 10;
/// The number of mimalloc's option that says after how many milliseconds free pages go back to the system, and what it is set to. It
/// is 1000 otherwise, in which time a program that starts has its largest files parsed and its hottest code compiled, and holds the
/// memory for all of it; the shorter, the more often pages are given back that are needed again.
const PURGE_DELAY: c_int = 15;
const MILLISECONDS: c_long = 100;
/// What the balance of a page is ahead of its pieces while its thread may take more: more than it has room for.
const OPEN: i16 = 1 << 14;

/// No address is less than `SPAN` behind this one.
const UNSET: usize = 1 << 63;

/// mimalloc with nurseries.
pub struct Allocator;

/// What the native threads of VMs call.
pub static MEMORY: Memory =
    Memory { enter, leave, aside, back, release, limited, shortage: Shortage { noticed: &SHORT, is_over } };

/// There is a VM with a limit of memory, or was one.
static LIMITED: AtomicBool = AtomicBool::new(false);

/// The system has refused memory.
static SHORT: AtomicBool = AtomicBool::new(false);

/// Where the nurseries lie, or `UNSET`.
static BASE: AtomicUsize = AtomicUsize::new(UNSET);
/// Bytes of those there are; whole groups. Changed before there are any.
static ROOM: AtomicUsize = AtomicUsize::new(SPAN);
/// What is known of each nursery.
static HEADS: [Head; COUNT] = [const { Head::new() }; COUNT];
/// A bit for each nursery that is in use.
static USED: [AtomicU64; COUNT / 64] = [const { AtomicU64::new(0) }; COUNT / 64];

thread_local! {
    /// The calling thread's nursery.
    static PLACE: Place = const { Place::new() };
    /// What `PLACE` is to be exchanged with: the thread's creation nursery, or what `PLACE` is otherwise.
    static CREATION_NURSERY: CreationNursery = const { CreationNursery { place: Place::new(), open: Cell::new(false) } };
}

/// See `CREATION_NURSERY`.
struct CreationNursery {
    place: Place,
    /// `PLACE` is the creation nursery.
    open: Cell<bool>,
}

impl Drop for CreationNursery {
    fn drop(&mut self) {
        depart(&self.place);
    }
}

/// A thread's nursery.
struct Place {
    /// The next piece begins here or behind.
    next: Cell<usize>,
    /// Where the room ends; 0 when there is none.
    end: Cell<usize>,
    /// The nursery's number.
    number: Cell<Option<usize>>,
    /// By page: pieces given out that lie on it.
    given: [Cell<i16>; PAGES],
}

impl Place {
    const fn new() -> Place {
        Place { next: Cell::new(0), end: Cell::new(0), number: Cell::new(None), given: [const { Cell::new(0) }; PAGES] }
    }

    fn exchange(&self, other: &Place) {
        self.next.swap(&other.next);
        self.end.swap(&other.end);
        self.number.swap(&other.number);
        self.given.iter().zip(&other.given).for_each(|(mine, theirs)| mine.swap(theirs));
    }
}

/// What is known of a nursery. Small: as many pages of these are touched as there were VMs at once.
struct Head {
    /// By page: `OPEN` less the pieces that were freed; from when the thread has left, the pieces that were not. Who brings it
    /// to 0 gives the page back.
    balance: [AtomicI16; PAGES],
    /// Pages that were not given back.
    left: AtomicU8,
}

impl Head {
    const fn new() -> Head {
        Head { balance: [const { AtomicI16::new(0) }; PAGES], left: AtomicU8::new(0) }
    }
}

unsafe extern "C" {
    /// Frees what the calling thread's part of mimalloc keeps, and what is free of the parts of threads that ended.
    safe fn mi_collect(force: bool);
    /// Sets an option, by its number, that the environment does not.
    safe fn mi_option_set_default(option: c_int, value: c_long);
}

// SAFETY: pieces of nurseries lie in memory of ours, aligned, none over another; everything else is mimalloc's.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match take(layout) {
            Some(piece) => piece,
            // SAFETY: the caller's contract.
            None => or_of_a_nursery(briefly(|| unsafe { MiMalloc.alloc(layout) }), layout),
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match take(layout) {
            // Nothing was there before.
            Some(piece) => piece,
            // SAFETY: the caller's contract. Pieces of nurseries are zero too.
            None => or_of_a_nursery(briefly(|| unsafe { MiMalloc.alloc_zeroed(layout) }), layout),
        }
    }

    #[inline]
    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        match offset_of(piece) {
            Some(offset) => free(offset, layout.size()),
            None => {
                if goes_back(layout) {
                    // SAFETY: the caller's contract: nobody uses the piece any more.
                    unsafe { empty(piece, layout.size()) };
                }
                // SAFETY: the caller's contract.
                briefly(|| unsafe { MiMalloc.dealloc(piece, layout) });
            }
        }
    }

    #[inline]
    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size < layout.size() - layout.size() / 8 || size > layout.size() && goes_back(layout) {
            // Gives back what a vector has too much, of which mimalloc would keep up to half; or what it has grown out of.
            // SAFETY: the caller's contract.
            let new = unsafe { exchange_piece(piece, layout, size) };
            if !new.is_null() {
                return new;
            }
        }
        if offset_of(piece).is_none() {
            // SAFETY: the caller's contract.
            let new = briefly(|| unsafe { MiMalloc.realloc(piece, layout, size) });
            if !new.is_null() {
                return new;
            }
        }
        // SAFETY: the caller's contract.
        unsafe { exchange_piece(piece, layout, size) }
    }
}

/// Does a piece's memory go back when it is freed?
#[inline]
fn goes_back(layout: Layout) -> bool {
    layout.size() >= GIVEN_BACK && LIMITED.load(Ordering::Relaxed)
}

/// Gives the pages of a piece back that nothing else lies on: they become zero.
///
/// # Safety
/// The piece has so many bytes, and nobody looks at them any more.
#[cold]
#[inline(never)]
unsafe fn empty(piece: *mut u8, size: usize) {
    let page = rustix::param::page_size();
    let (first, end) = (piece.addr().next_multiple_of(page), (piece.addr() + size) / page * page);
    // SAFETY: the caller's contract. Locked memory stays, as mimalloc's own does.
    let _ = unsafe { rustix::mm::madvise(piece.with_addr(first).cast(), end - first, Advice::LinuxDontNeed) };
}

/// What mimalloc gave; if it gave nothing, a piece of a nursery.
#[inline]
fn or_of_a_nursery(piece: *mut u8, layout: Layout) -> *mut u8 {
    if piece.is_null() { take_in_shortage(layout).unwrap_or(piece) } else { piece }
}

/// A piece of a nursery, all zero, for a thread that was refused memory.
#[cold]
#[inline(never)]
pub fn take_in_shortage(layout: Layout) -> Option<*mut u8> {
    SHORT.store(true, Ordering::Relaxed);
    if layout.size() > NURSERY {
        return asterism::waits_for_memory().then(|| wait_for(layout)).flatten();
    }
    PLACE.with(|place| {
        take_any(place, layout).or_else(|| {
            depart(place);
            enter();
            take_any(place, layout)
        })
    })
}

/// A piece, all zero, for a thread that does nothing without which the program could not go on: as soon as there is one.
fn wait_for(layout: Layout) -> Option<*mut u8> {
    loop {
        std::thread::sleep(PATIENCE);
        // SAFETY: as for `GlobalAlloc::alloc_zeroed`, whose caller's layout this is.
        let piece = briefly(|| unsafe { MiMalloc.alloc_zeroed(layout) });
        if !piece.is_null() {
            return Some(piece);
        }
    }
}

/// Looks whether there is memory again. With most nurseries lent, a piece that can be had proves nothing: others cannot.
fn is_over() -> bool {
    let groups = groups();
    if groups.iter().map(|word| word.load(Ordering::Relaxed).count_ones() as usize).sum::<usize>() > groups.len() * 32 {
        return false;
    }
    const LAYOUT: Layout = match Layout::from_size_align(ENOUGH, 1) {
        Ok(layout) => layout,
        Err(_) => panic!("a small alignment"),
    };
    // What was freed may lie in pages for other sizes.
    briefly(|| mi_collect(true));
    // SAFETY: the size is not 0; what is allocated is freed with the same layout.
    let had = briefly(|| unsafe {
        let piece = MiMalloc.alloc(LAYOUT);
        if piece.is_null() {
            return false;
        }
        MiMalloc.dealloc(piece, LAYOUT);
        true
    });
    if !had {
        return false;
    }
    SHORT.store(false, Ordering::Relaxed);
    true
}

/// Sets mimalloc's options. Where addresses are limited, a part of them is taken for nurseries at once: when they are needed, there may
/// be none left. To be called before there is a second thread.
pub fn prepare() {
    const PART: usize = 16;
    mi_option_set_default(PURGE_DELAY, MILLISECONDS);
    if let Some(limit) = getrlimit(Resource::As).current {
        let part = usize::try_from(limit).unwrap_or(usize::MAX) / PART;
        ROOM.store((part - part % GROUP).min(SPAN), Ordering::Relaxed);
        let _ = base();
    }
}

/// A piece of the calling thread's nursery, all zero.
#[inline]
pub fn take(layout: Layout) -> Option<*mut u8> {
    PLACE.with(|place| if place.end.get() == 0 { None } else { take_from(place, layout) })
}

#[cold]
#[inline(never)]
fn take_from(place: &Place, layout: Layout) -> Option<*mut u8> {
    if layout.size() > LARGEST { None } else { take_any(place, layout) }
}

/// As `take_from`, of up to a nursery's size.
fn take_any(place: &Place, layout: Layout) -> Option<*mut u8> {
    let start = place.next.get().next_multiple_of(layout.align().max(8));
    let (size, end) = (layout.size(), place.end.get());
    if start + size > end {
        return None;
    }
    for page in pages(start - BASE.load(Ordering::Relaxed), size) {
        place.given[page].set(place.given[page].get() + 1);
    }
    place.next.set(start + size);
    if end - start - size < LEAST {
        place.end.set(0);
    }
    Some(std::ptr::with_exposed_provenance_mut(start))
}

/// How far behind the base a piece lies, if it lies in a nursery.
#[inline]
fn offset_of(piece: *mut u8) -> Option<usize> {
    let offset = piece.addr().wrapping_sub(BASE.load(Ordering::Relaxed));
    (offset < ROOM.load(Ordering::Relaxed)).then_some(offset)
}

/// Does a piece lie in a nursery?
#[inline]
pub fn lies_in_nursery(piece: *mut u8) -> bool {
    offset_of(piece).is_some()
}

/// Frees a piece of a nursery.
pub fn free_in_nursery(piece: *mut u8, size: usize) {
    if let Some(offset) = offset_of(piece) {
        free(offset, size);
    }
}

/// The pages of its nursery that a piece lies on.
fn pages(offset: usize, size: usize) -> std::ops::RangeInclusive<usize> {
    let within = offset % NURSERY;
    within / PAGE..=(within + size - 1) / PAGE
}

#[cold]
#[inline(never)]
fn free(offset: usize, size: usize) {
    let number = offset / NURSERY;
    for page in pages(offset, size) {
        if HEADS[number].balance[page].fetch_sub(1, Ordering::AcqRel) == 1 {
            // SAFETY: the thread has left, and this was the last piece.
            unsafe { give_back(number, page..page + 1) };
        }
    }
}

/// Another size for a piece of a nursery.
///
/// # Safety
/// As for `GlobalAlloc::realloc`.
#[cold]
#[inline(never)]
unsafe fn exchange_piece(piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
    // SAFETY: the caller's contract: the size is not 0 and does not overflow when rounded up to the alignment; the new piece
    // is another one than the old.
    unsafe {
        let new = Allocator.alloc(Layout::from_size_align_unchecked(size, layout.align()));
        if !new.is_null() {
            std::ptr::copy_nonoverlapping(piece, new, layout.size().min(size));
            Allocator.dealloc(piece, layout);
        }
        new
    }
}

/// Gives pages of a nursery back; with the last of them the nursery.
///
/// # Safety
/// The nursery's thread has left it, no piece lies on the pages, and nobody else gives them back.
unsafe fn give_back(number: usize, pages: std::ops::Range<usize>) {
    let (start, bytes) = (BASE.load(Ordering::Relaxed) + number * NURSERY + pages.start * PAGE, pages.len() * PAGE);
    let range = std::ptr::with_exposed_provenance_mut(start);
    // SAFETY: nobody sees that they become zero.
    if unsafe { rustix::mm::madvise(range, bytes, Advice::LinuxDontNeed) }.is_err() {
        // Locked memory (mlockall) cannot be given back; it has to be zero all the same.
        // SAFETY: the same.
        unsafe { std::ptr::write_bytes(range.cast::<u8>(), 0, bytes) };
    }
    let count = pages.len() as u8;
    if HEADS[number].left.fetch_sub(count, Ordering::AcqRel) == count {
        USED[number / 64].fetch_and(!(1 << (number % 64)), Ordering::Release);
    }
}

/// The words of `USED` that tell of nurseries there are.
fn groups() -> &'static [AtomicU64] {
    &USED[..ROOM.load(Ordering::Relaxed) / GROUP]
}

/// Gives the calling thread a nursery, if there is one.
fn enter() {
    let Some(base) = base() else { return };
    let number = groups().iter().enumerate().find_map(|(i, word)| {
        loop {
            let free = word.load(Ordering::Relaxed).trailing_ones();
            if free == 64 {
                return None;
            }
            if word.fetch_or(1 << free, Ordering::Acquire) & (1 << free) == 0 {
                return Some(i * 64 + free as usize);
            }
        }
    });
    let Some(number) = number else { return };
    let head = &HEADS[number];
    for page in 0..PAGES {
        head.balance[page].store(OPEN, Ordering::Relaxed);
    }
    head.left.store(PAGES as u8, Ordering::Relaxed);
    PLACE.with(|place| {
        place.given.iter().for_each(|given| given.set(0));
        place.number.set(Some(number));
        place.next.set(base + number * NURSERY);
        place.end.set(base + (number + 1) * NURSERY);
    });
}

/// The calling thread leaves its nursery.
fn leave() {
    PLACE.with(depart);
}

/// What the calling thread allocates goes into its creation nursery from here on; whether it did not before.
fn aside() -> bool {
    if !turn(true) {
        return false;
    }
    let full = PLACE.with(|place| place.end.get().saturating_sub(place.next.get()) < ONE);
    if full {
        leave();
        enter();
    }
    true
}

/// What the calling thread allocates does not go into its creation nursery any more.
fn back() {
    turn(false);
}

/// Exchanges the thread's place and its creation nursery, if `PLACE` is not the right one of them; whether it was not. A thread that
/// is about to end has no creation nursery.
fn turn(open: bool) -> bool {
    let turned = CREATION_NURSERY.try_with(|nursery| {
        let turns = nursery.open.replace(open) != open;
        if turns {
            PLACE.with(|place| nursery.place.exchange(place));
        }
        turns
    });
    turned.unwrap_or(false)
}

/// The thread whose nursery this is leaves it.
fn depart(place: &Place) {
    place.end.set(0);
    let Some(number) = place.number.take() else { return };
    let head = &HEADS[number];
    // Pages without a piece are given back together: each time costs a system call.
    let mut empty = 0..0;
    for (page, given) in place.given.iter().enumerate() {
        let change = given.get() - OPEN;
        if head.balance[page].fetch_add(change, Ordering::AcqRel) + change != 0 {
            continue;
        }
        if empty.end != page {
            if !empty.is_empty() {
                // SAFETY: this thread has left these pages and found them empty.
                unsafe { give_back(number, empty) };
            }
            empty = page..page;
        }
        empty.end = page + 1;
    }
    if !empty.is_empty() {
        // SAFETY: the same.
        unsafe { give_back(number, empty) };
    }
}

/// Gives back what the allocators keep for later.
fn release() {
    let _ = CREATION_NURSERY.try_with(|nursery| {
        if !nursery.open.get() {
            depart(&nursery.place);
        }
    });
    briefly(|| mi_collect(true));
}

/// A VM has a limit of memory.
fn limited() {
    LIMITED.store(true, Ordering::Relaxed);
}

/// Where the nurseries lie, which are reserved when the first is asked for. `None`: there is no address space, or the system
/// has larger pages, of which one would go with what lies beside ours.
fn base() -> Option<usize> {
    let base = BASE.load(Ordering::Acquire);
    if base != UNSET {
        return Some(base);
    }
    if rustix::param::page_size() > PAGE {
        return None;
    }
    let (access, kind) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
    let room = ROOM.load(Ordering::Relaxed);
    // SAFETY: a new private mapping at an address of the system's choice touches no memory of anybody.
    let made = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), room, access, kind) }.ok()?;
    match BASE.compare_exchange(UNSET, made.expose_provenance(), Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => Some(made.addr()),
        Err(other) => {
            // SAFETY: another thread was quicker; nobody knows this one.
            let _ = unsafe { rustix::mm::munmap(made, room) };
            Some(other)
        }
    }
}

const _: () = assert!(PAGE / 8 < OPEN as usize && PAGES <= u8::MAX as usize);

#[cfg(test)]
#[path = "allocator_tests.rs"]
mod tests;
