//! Marking: the `Marker` that hooks report references to, the mark stack, and sharing work among threads.
//!
//! A mark bit is set when a cell is first reached, and its address goes on the marker's stack; the cell is traced when it
//! comes off. When other markers have run dry, a marker gives the older half of its stack away, in chunks.
//! In a minor collection the marks of the old are set already; those of them that are to be traced go on the stack at its
//! beginning.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

use asterism_lock::Mutex;
use crossbeam_deque::{Injector, Steal};

use crate::block::{cell_at, find_cell};
use crate::header::{Cell, OLD, SYMBOL_SHIFT, is_dynamic_symbol, is_heap_pointer, type_of};
use crate::heap::Heap;
use crate::machine;
use crate::remember::{Stores, entry};
use crate::space::BLOCK_SHIFT;

/// Slices longer than this are marked piece by piece, so that other threads can have the rest.
const PIECE: usize = 2048;
/// Cells traced between two looks at whether others are idle.
const BETWEEN_LOOKS: u32 = 64;
/// A stack shorter than this is not worth sharing. Small: marking a tree depth first needs only a few entries, and the
/// oldest of them lead to most of it.
const WORTH_SHARING: usize = 8;
/// At most so many cells are given away at once.
const CHUNK: usize = 1024;
/// Cells between the prefetch of a header and its use.
const AHEAD: usize = 8;
/// Lines of the cache that are asked for of what a remembered cell leads to.
const BODY_LINES: usize = 4;
const LINE: usize = 64;
/// With more cells on the stack than this, remembered cells are not gone through further before some of these are traced.
const MOST_WAITING: usize = 64 << 10;
/// Tag on the mark stack: the cell is old and has been traced by an earlier collection.
const AGAIN: u64 = 1;
/// Tag on the mark stack: what the cell is a part of has been traced.
const PART: u64 = 2;
const TAGS: u64 = AGAIN | PART;

/// A slice of references not marked yet: address of the first word, and how many.
#[derive(Clone, Copy, Debug)]
struct Rest {
    start: usize,
    words: usize,
}

/// What the markers of one collection share.
#[derive(Debug)]
pub(crate) struct Shared {
    chunks: Injector<Vec<u64>>,
    rests: Injector<Rest>,
    /// What mutators have remembered, in chunks, as far as no marker has taken it.
    remembered: Injector<Vec<u64>>,
    /// Markers that have work.
    active: AtomicUsize,
    /// Markers that look for work.
    idle: AtomicUsize,
    live_malloc: AtomicUsize,
    looked_through: AtomicUsize,
    /// Cells found alive that every minor collection has to trace from now on.
    anywhere: Mutex<Vec<Vec<u64>>>,
}

impl Shared {
    pub(crate) fn new() -> Self {
        Self {
            chunks: Injector::new(),
            rests: Injector::new(),
            remembered: Injector::new(),
            active: AtomicUsize::new(0),
            idle: AtomicUsize::new(0),
            live_malloc: AtomicUsize::new(0),
            looked_through: AtomicUsize::new(0),
            anywhere: Mutex::default(),
        }
    }

    /// Has nobody left anything for them?
    pub(crate) fn is_empty(&self) -> bool {
        self.chunks.is_empty() && self.rests.is_empty() && self.remembered.is_empty()
    }

    /// Takes the cells that every minor collection has to trace from now on, in chunks: no piece of memory is larger.
    pub(crate) fn take_anywhere(&self) -> Vec<Vec<u64>> {
        std::mem::take(&mut *self.anywhere.lock())
    }

    /// Malloc'ed bytes that live cells hold, as far as they reported them.
    pub(crate) fn live_malloc(&self) -> usize {
        self.live_malloc.load(Ordering::Relaxed)
    }

    /// Words of slices in cells that an earlier collection had traced.
    pub(crate) fn looked_through(&self) -> usize {
        self.looked_through.load(Ordering::Relaxed)
    }
}

/// What a marker does when it meets a cell that is not marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Mark it.
    Alone,
    /// Mark it; others mark at the same time.
    Parallel,
    /// Mark it if there is a cell: what is traced may have outlived what it refers to.
    Doubtful,
    /// Complain: marking is over.
    Verify,
    /// Note it, whether it is marked or not.
    Look,
}

/// Takes the references that roots and cells hold.
#[derive(Debug)]
pub struct Marker<'a> {
    base: usize,
    marks: usize,
    youngs: usize,
    /// Bytes of the blocks that are accessible.
    size: usize,
    mode: Mode,
    minor: bool,
    /// One thread is attached: nobody else changes headers.
    single: bool,
    cleaning: bool,
    /// All ones, or 0 for a marker that has no interest in marks.
    heeds: u64,
    /// The cell under way has been traced by an earlier collection.
    again: bool,
    stores: &'static [Stores; 256],
    anywhere: Vec<u64>,
    stack: Vec<u64>,
    rests: Vec<Rest>,
    live_malloc: usize,
    looked_through: usize,
    heap: &'a Heap,
    shared: &'a Shared,
    /// In Verify mode: the cell whose children are checked, and what was found wrong.
    pub(crate) parent: u64,
    pub(crate) complaints: Vec<(u64, u64)>,
    /// In Verify and Look mode: parts that were reported.
    pub(crate) parts: Vec<u64>,
    /// In Look mode: what else was.
    pub(crate) found: Vec<u64>,
}

impl<'a> Marker<'a> {
    pub(crate) fn new(heap: &'a Heap, shared: &'a Shared, minor: bool, cleaning: bool) -> Self {
        Self {
            base: heap.space().base(),
            marks: heap.space().marks_base(),
            youngs: heap.space().youngs_base(),
            size: heap.space().size(),
            mode: Mode::Alone,
            minor,
            single: false,
            cleaning,
            heeds: u64::MAX,
            again: false,
            stores: heap.hooks().stores,
            anywhere: Vec::new(),
            stack: Vec::new(),
            rests: Vec::new(),
            live_malloc: 0,
            looked_through: 0,
            heap,
            shared,
            parent: 0,
            complaints: Vec::new(),
            parts: Vec::new(),
            found: Vec::new(),
        }
    }

    /// The same for a heap with one thread: nobody changes headers meanwhile.
    pub(crate) fn single(mut self) -> Self {
        self.single = true;
        self
    }

    /// A marker that marks nothing and notes every reference to an unmarked cell.
    pub(crate) fn verifier(heap: &'a Heap, shared: &'a Shared) -> Self {
        let mut marker = Self::new(heap, shared, false, false);
        marker.mode = Mode::Verify;
        marker
    }

    /// A marker that marks nothing and notes every reference.
    pub(crate) fn looking(heap: &'a Heap, shared: &'a Shared) -> Self {
        let mut marker = Self::new(heap, shared, false, false);
        marker.mode = Mode::Look;
        marker.heeds = 0;
        marker
    }

    /// Does it mark what it is told of, and not only look?
    #[inline(always)]
    #[must_use]
    pub fn marks(&self) -> bool {
        matches!(self.mode, Mode::Alone | Mode::Parallel | Mode::Doubtful)
    }

    /// Has the cell being traced been traced by an earlier collection? What was not stored in it since is marked then.
    #[inline(always)]
    #[must_use]
    pub fn is_again(&self) -> bool {
        self.again
    }

    /// Malloc'ed bytes that were reported, from now on anew.
    pub(crate) fn take_malloc(&mut self) -> usize {
        std::mem::take(&mut self.live_malloc)
    }

    /// The pointer the heap's hooks get.
    #[must_use]
    pub fn vm_data(&self) -> *const () {
        self.heap.vm_data()
    }

    /// Marks an exact value: a pointer to a cell of this heap, or an immediate.
    #[inline(always)]
    pub fn mark(&mut self, word: u64) {
        if is_heap_pointer(word) {
            self.mark_address(word);
        } else if is_dynamic_symbol(word) {
            self.mark_symbol(word);
        }
    }

    #[inline(never)]
    fn mark_symbol(&mut self, word: u64) {
        let number = (word >> SYMBOL_SHIFT) as u32;
        if self.marks() {
            self.heap.symbols().mark(number);
        }
    }

    /// Marks a cell.
    #[inline(always)]
    pub fn mark_cell(&mut self, cell: NonNull<Cell>) {
        self.mark_address(cell.as_ptr().expose_provenance() as u64);
    }

    #[inline(always)]
    fn mark_address(&mut self, address: u64) {
        let offset = (address as usize).wrapping_sub(self.base);
        debug_assert!(self.heap.space().block_of(address as usize).is_some(), "not a heap pointer: {address:#x}");
        // Most of what the young refer to is old, and those bytes stay in the cache where mark bits do not.
        if self.minor && !self.is_young(offset) {
            return;
        }
        let word = std::ptr::with_exposed_provenance::<AtomicU64>(self.marks + (offset >> 9) * 8);
        // SAFETY: an exact reference leads to a cell in a block of a heap, whose mark bits are accessible.
        let word = unsafe { &*word };
        let bit = 1_u64 << ((offset >> 3) & 63);
        let old = word.load(Ordering::Relaxed);
        if old & bit & self.heeds != 0 {
            return;
        }
        match self.mode {
            Mode::Alone => word.store(old | bit, Ordering::Relaxed),
            Mode::Parallel => {
                if word.fetch_or(bit, Ordering::Relaxed) & bit != 0 {
                    return;
                }
            }
            Mode::Doubtful => {
                if self.cell(address).is_none_or(|cell| cell.address() != address) {
                    return;
                }
                word.fetch_or(bit, Ordering::Relaxed);
            }
            Mode::Verify => {
                self.complaints.push((self.parent, address));
                return;
            }
            Mode::Look => {
                self.found.push(address);
                return;
            }
        }
        self.stack.push(address);
    }

    /// Whether a block may have young cells, by an offset in the space that lies in it.
    #[inline(always)]
    fn is_young(&self, offset: usize) -> bool {
        let byte = std::ptr::with_exposed_provenance::<AtomicU8>(self.youngs + (offset >> BLOCK_SHIFT));
        // SAFETY: the caller's offset is of a cell, or less than the size of what was accessible when marking began.
        unsafe { &*byte }.load(Ordering::Relaxed) != 0
    }

    /// Marks a part of the cell being traced: one of a type with [`Stores::Part`], or an immediate. It is traced with
    /// the cell, even if it is marked already: what is stored in it is remembered as stored in the cell. By any other reference
    /// it is marked and not traced.
    #[inline]
    pub fn mark_part(&mut self, word: u64) {
        if !is_heap_pointer(word) {
            return;
        }
        match self.mode {
            Mode::Look => self.parts.push(word),
            Mode::Verify => {
                self.mark_address(word);
                self.parts.push(word);
            }
            Mode::Doubtful => {
                if let Some(part) = self.cell(word).filter(|part| part.address() == word) {
                    self.mark_doubtful(part);
                }
            }
            Mode::Alone | Mode::Parallel => {
                let before = self.stack.len();
                self.mark_address(word);
                let known = self.minor && self.stack.len() == before;
                self.stack.truncate(before);
                self.stack.push(word | PART | if known { AGAIN } else { 0 });
            }
        }
    }

    /// The cell that an address points at or into.
    fn cell(&self, address: u64) -> Option<&'static Cell> {
        find_cell(self.heap.space(), self.heap.id(), address as usize)
    }

    /// Marks and traces a part that was found by a word that may be left over from earlier. It need not be a part of anything any
    /// more, and then what it refers to may be dead since a collection that did not find the part, because it was old.
    fn mark_doubtful(&mut self, part: &Cell) {
        let mode = std::mem::replace(&mut self.mode, Mode::Doubtful);
        let again = std::mem::take(&mut self.again);
        self.mark_address(part.address());
        // SAFETY: the world is stopped, the cell is allocated and so initialised.
        unsafe { (self.heap.hooks().trace)(part, self) };
        self.again = again;
        self.mode = mode;
    }

    /// The cell being traced is one of those that every minor collection has to trace, whatever its type says.
    #[inline]
    pub fn stores_anywhere(&mut self, cell: &Cell) {
        if !self.again && self.marks() {
            self.note_anywhere(cell.address());
        }
    }

    fn note_anywhere(&mut self, address: u64) {
        if self.anywhere.len() == CHUNK {
            self.shared.anywhere.lock().push(std::mem::take(&mut self.anywhere));
        }
        self.anywhere.push(address);
    }

    /// Leaves what mutators have remembered to the markers that work together.
    pub(crate) fn leave_remembered(&self, entries: &[u64]) {
        for chunk in entries.chunks(CHUNK / 4) {
            self.shared.remembered.push(chunk.to_vec());
        }
    }

    /// Takes what mutators have remembered.
    pub(crate) fn mark_remembered(&mut self, entries: &[u64]) {
        for (i, &remembered) in entries.iter().enumerate() {
            prefetch_entry(entries, i);
            prefetch_body(entries, i);
            match entry(remembered) {
                (address, true) => self.mark_address(address),
                (address, false) => self.trace(address | AGAIN),
            }
            self.keep_short();
        }
    }

    /// Traces old cells, wherever references may have been stored in them, once more.
    pub(crate) fn mark_again(&mut self, cells: &[u64]) {
        for (i, &address) in cells.iter().enumerate() {
            prefetch_entry(cells, i);
            self.trace(address | AGAIN);
            self.keep_short();
        }
    }

    /// Traces some of what was reached where there is much: a stack of millions would need memory that the system may refuse.
    fn keep_short(&mut self) {
        if self.stack.len() > MOST_WAITING {
            self.drain_alone(MOST_WAITING / 2);
        }
    }

    /// Marks a slice of exact values. A big one is not looked at now but in pieces, perhaps by several threads; its
    /// memory must stay as it is until the world runs again, as cells do.
    pub fn mark_slice(&mut self, words: &[AtomicU64]) {
        if self.again {
            self.looked_through += words.len();
        }
        if words.len() > PIECE && matches!(self.mode, Mode::Alone | Mode::Parallel) {
            self.rests.push(Rest { start: words.as_ptr().expose_provenance(), words: words.len() });
            return;
        }
        self.mark_words(words);
    }

    #[inline(always)]
    fn mark_words(&mut self, words: &[AtomicU64]) {
        for word in words {
            let word = word.load(Ordering::Relaxed);
            // Most elements of what has been remembered. Of a word that is no reference nothing is to be marked either.
            if !(self.minor && self.is_in_old_block(word)) {
                self.mark(word);
            }
        }
    }

    /// Whether an address lies in a block of the space without young cells.
    #[inline(always)]
    fn is_in_old_block(&self, word: u64) -> bool {
        let offset = (word as usize).wrapping_sub(self.base);
        offset < self.size && !self.is_young(offset)
    }

    /// Marks the cell that a word happens to point at or into, if there is one.
    #[inline]
    pub fn mark_conservative(&mut self, word: u64) {
        if self.mode == Mode::Verify {
            return;
        }
        if is_dynamic_symbol(word) {
            self.mark_symbol(word);
        } else if let Some(cell) = self.cell(word) {
            // A part may be part of nothing yet: whoever makes it knows it by the stack only.
            if self.stores[usize::from(cell.type_id())] != Stores::Part {
                self.mark_address(cell.address());
            } else if self.marks() {
                self.mark_doubtful(cell);
            } else {
                self.mark_part(cell.address());
            }
        }
    }

    /// Marks conservatively from every aligned word of a range of memory.
    ///
    /// # Safety
    /// The range is mapped.
    pub unsafe fn mark_range_conservative(&mut self, low: usize, high: usize) {
        let mut address = low.next_multiple_of(8);
        while address + 8 <= high {
            // SAFETY: aligned, and the caller vouches for the range.
            let word = unsafe { machine::read_stack_word(address) };
            self.mark_conservative(word);
            address += 8;
        }
    }

    /// Reports malloc'ed memory that the cell being traced holds, so that the heap knows what is live.
    #[inline]
    pub fn live_malloc(&mut self, bytes: usize) {
        self.live_malloc += bytes;
    }

    /// Traces everything reached, until nothing is left or `limit` cells are done. Returns whether nothing is left.
    pub(crate) fn drain_alone(&mut self, limit: usize) -> bool {
        let mut looks = limit / BETWEEN_LOOKS as usize;
        self.drain(|_| {
            looks = looks.saturating_sub(1);
            looks > 0
        })
    }

    /// Traces everything reached. `between` is called now and then, and says whether to go on; returns whether nothing is left.
    #[inline(always)]
    fn drain(&mut self, mut between: impl FnMut(&mut Self) -> bool) -> bool {
        // The header of the cell traced `AHEAD` steps later is asked for now.
        let mut ahead = [0_u64; AHEAD];
        let mut slot = 0;
        let mut waiting = 0;
        let mut countdown = BETWEEN_LOOKS;
        loop {
            let next = self.stack.pop();
            if let Some(address) = next {
                machine::prefetch(address as usize);
                waiting += 1;
            } else if waiting == 0 {
                match self.rests.pop() {
                    Some(rest) => self.mark_rest(rest),
                    None => return true,
                }
                continue;
            }
            let address = std::mem::replace(&mut ahead[slot], next.unwrap_or(0));
            slot = (slot + 1) % AHEAD;
            if address != 0 {
                waiting -= 1;
                self.trace(address);
                countdown -= 1;
                if countdown == 0 {
                    countdown = BETWEEN_LOOKS;
                    if !between(self) {
                        self.stack.extend(ahead.into_iter().filter(|&address| address != 0));
                        return false;
                    }
                }
            }
        }
    }

    /// Traces everything reached, one thread.
    pub(crate) fn drain_all(&mut self) {
        self.drain(|_| true);
    }

    #[inline(always)]
    fn trace(&mut self, address: u64) {
        // SAFETY: only addresses of cells are marked.
        let cell = unsafe { cell_at((address & !TAGS) as usize) };
        if self.cleaning {
            self.heap.owners().clean(&cell.header);
        }
        let header = cell.header.load(Ordering::Relaxed);
        debug_assert_ne!(type_of(header), 0, "a free cell was reached: {address:#x}");
        let stores = self.stores[usize::from(type_of(header))];
        if stores == Stores::Guarded && header & OLD == 0 {
            if self.single {
                cell.header.store(header | OLD, Ordering::Relaxed);
            } else {
                // A thread that claims the object, or parks for its lock, counts as stopped and may change the header.
                cell.header.fetch_or(OLD, Ordering::Relaxed);
            }
        }
        if stores == Stores::Part && address & PART == 0 {
            return;
        }
        if address & AGAIN != 0 {
            self.trace_again(cell);
            return;
        }
        if stores == Stores::Anywhere {
            self.note_anywhere(address);
        }
        // SAFETY: the world is stopped, the cell is allocated and so initialised.
        unsafe { (self.heap.hooks().trace)(cell, self) };
    }

    /// Traces a cell that an earlier collection has traced.
    #[inline(never)]
    fn trace_again(&mut self, cell: &Cell) {
        // What it holds outside the heap was counted then.
        let live_malloc = self.live_malloc;
        self.again = true;
        // SAFETY: the world is stopped, the cell is allocated and so initialised.
        unsafe { (self.heap.hooks().trace)(cell, self) };
        self.again = false;
        self.live_malloc = live_malloc;
    }

    fn mark_rest(&mut self, rest: Rest) {
        let now = rest.words.min(PIECE);
        if rest.words > now {
            let left = Rest { start: rest.start + now * 8, words: rest.words - now };
            if self.mode == Mode::Parallel && self.shared.idle.load(Ordering::Relaxed) > 0 {
                self.shared.rests.push(left);
            } else {
                self.rests.push(left);
            }
        }
        let words = std::ptr::with_exposed_provenance::<AtomicU64>(rest.start);
        // SAFETY: these are words of a slice that `mark_slice` was given, whose contract keeps it in place.
        self.mark_words(unsafe { std::slice::from_raw_parts(words, now) });
    }

    /// Puts everything reached where other markers find it.
    pub(crate) fn share_all(&mut self) {
        let chunk = (self.stack.len() / 8).clamp(1, CHUNK);
        while !self.stack.is_empty() {
            let rest = self.stack.split_off(self.stack.len().saturating_sub(chunk));
            self.shared.chunks.push(rest);
        }
        for rest in self.rests.drain(..) {
            self.shared.rests.push(rest);
        }
    }

    /// Works together with other markers until all of them have nothing left.
    pub(crate) fn drain_shared(&mut self) {
        self.mode = Mode::Parallel;
        self.shared.active.fetch_add(1, Ordering::SeqCst);
        loop {
            self.drain(|marker| {
                marker.share_some();
                true
            });
            if !self.find_work() {
                return;
            }
        }
    }

    fn share_some(&mut self) {
        if self.shared.idle.load(Ordering::Relaxed) == 0 {
            return;
        }
        if self.stack.len() >= WORTH_SHARING && self.shared.chunks.is_empty() {
            let give = (self.stack.len() / 2).min(CHUNK);
            // The older half: it tends to lead to the larger parts of the graph.
            self.shared.chunks.push(self.stack.drain(..give).collect());
        }
        if self.rests.len() > 1 {
            self.shared.rests.push(self.rests.swap_remove(0));
        }
    }

    /// Becomes idle until there is work to take; `false` when all markers are idle and there is none.
    fn find_work(&mut self) -> bool {
        let shared = self.shared;
        shared.idle.fetch_add(1, Ordering::Relaxed);
        shared.active.fetch_sub(1, Ordering::SeqCst);
        let mut tries = 0_u32;
        loop {
            if !shared.is_empty() {
                // Active before the work is taken, so that nobody concludes that there is none.
                shared.active.fetch_add(1, Ordering::SeqCst);
                if self.take_work() {
                    shared.idle.fetch_sub(1, Ordering::Relaxed);
                    return true;
                }
                shared.active.fetch_sub(1, Ordering::SeqCst);
            } else if shared.active.load(Ordering::SeqCst) == 0 && shared.is_empty() {
                shared.idle.fetch_sub(1, Ordering::Relaxed);
                return false;
            }
            tries += 1;
            if tries < 256 {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
        }
    }

    fn take_work(&mut self) -> bool {
        let shared = self.shared;
        if let Some(chunk) = steal(&shared.chunks) {
            self.stack = chunk;
        } else if let Some(rest) = steal(&shared.rests) {
            self.rests.push(rest);
        } else if let Some(remembered) = steal(&shared.remembered) {
            self.mark_remembered(&remembered);
        } else {
            return false;
        }
        true
    }
}

/// Takes one, if there is any.
fn steal<T>(from: &Injector<T>) -> Option<T> {
    loop {
        match from.steal() {
            Steal::Success(taken) => return Some(taken),
            Steal::Retry => {}
            Steal::Empty => return None,
        }
    }
}

/// Asks for the header of the cell `AHEAD` entries on.
#[inline]
fn prefetch_entry(entries: &[u64], i: usize) {
    if let Some(&next) = entries.get(i + AHEAD) {
        machine::prefetch(entry(next).0 as usize);
    }
}

/// Asks for what the first word of a cell's payload leads to, nearer by than its header was asked for: the elements of an Array and the
/// table of a Hash, most of what is remembered.
#[inline]
fn prefetch_body(entries: &[u64], i: usize) {
    if let Some(&next) = entries.get(i + AHEAD / 2) {
        // SAFETY: a remembered cell is allocated, and has a word behind the two of its header.
        let body = unsafe { machine::read_stack_word(entry(next).0 as usize + size_of::<Cell>()) } as usize;
        for line in 0..BODY_LINES {
            machine::prefetch(body.wrapping_add(line * LINE));
        }
    }
}

impl Drop for Marker<'_> {
    fn drop(&mut self) {
        if !self.anywhere.is_empty() {
            self.shared.anywhere.lock().push(std::mem::take(&mut self.anywhere));
        }
        self.shared.live_malloc.fetch_add(self.live_malloc, Ordering::Relaxed);
        self.shared.looked_through.fetch_add(self.looked_through, Ordering::Relaxed);
    }
}
