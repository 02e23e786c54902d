//! Images: cells of one heap as the pattern that new heaps are filled from.
//!
//! An image holds the words of its cells block by block, and for every word that refers to another cell of the image
//! where that lies: the number of its block and the offset in it. Filling a heap is a copy of each block and one
//! addition for each reference.
//!
//! Cells that only references lead to which may be followed later (`Recorder::refer_later`) are not in the blocks. Such a
//! reference becomes a mark with the cell's number, and whoever comes upon it makes the cell then, with all it needs
//! (`Mutator::make`).

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use asterism_lock::Mutex;

use crate::block::{cell_at, find_cell};
use crate::header::{Cell, OLD, OWNER_MASK, OWNER_SHIFT, is_heap_pointer};
use crate::heap::Heap;
use crate::mark::Marker;
use crate::mutator::Mutator;
use crate::size_class::{GRANULE, SIZES, class_for};
use crate::space::{BLOCK, BLOCK_SHIFT};

/// Owner bits of the cells of an image: those of the first thread that attaches to a heap.
const FIRST_OWNER: u64 = 1 << OWNER_SHIFT;
/// The words of a cell in front of its payload.
const HEADER_WORDS: usize = 2;
/// Bit of a place: that of a cell which is made later, by number.
const LATER: u32 = 1 << 31;

/// A cell of an image, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part(u32);

/// A cell while an image is being made.
struct Recorded {
    address: u64,
    class: usize,
    hooked: bool,
    words: Vec<u64>,
    /// Indices of words that refer to a cell, the cell, and how far into it.
    references: Vec<(usize, Part, u32)>,
    /// Indices of words that may become marks, and the cells they refer to.
    later: Vec<(usize, Part)>,
}

/// Makes an image of what can be reached in a heap with one thread.
pub struct Recorder<'a> {
    heap: &'a Heap,
    owner: u64,
    numbers: HashMap<u64, Part>,
    cells: Vec<Recorded>,
    /// The cell under way.
    current: usize,
}

impl<'a> Recorder<'a> {
    /// Begins an image of the heap of `m`, whose only thread is the caller: nothing changes while it is made.
    #[must_use]
    pub fn new(m: &'a Mutator) -> Self {
        let owner = m.owner_bits() & OWNER_MASK;
        Self { heap: m.heap(), owner, numbers: HashMap::new(), cells: Vec::new(), current: usize::MAX }
    }

    /// The part that a word refers to, and how far into it; new parts are given out by `visit` later. `None`: the word
    /// does not lead to a cell of this heap.
    pub fn part(&mut self, word: u64) -> Option<(Part, u32)> {
        if !is_heap_pointer(word) {
            return None;
        }
        let cell = find_cell(self.heap.space(), self.heap.id(), word as usize)?;
        let address = cell.address();
        let delta = (word - address) as u32;
        if let Some(&part) = self.numbers.get(&address) {
            return Some((part, delta));
        }
        let size = self.heap.cell_size(cell);
        let class = SIZES.iter().position(|&s| usize::from(s) == size)?;
        let hooked = self.heap.is_hooked(cell);
        // SAFETY: the cell has `size` bytes.
        let words = (0..size / 8).map(|i| unsafe { word_of(address, i) }.load(Ordering::Relaxed)).collect();
        let part = Part(u32::try_from(self.cells.len()).ok()?);
        self.cells.push(Recorded { address, class, hooked, words, references: Vec::new(), later: Vec::new() });
        self.numbers.insert(address, part);
        Some((part, delta))
    }

    /// The next cell to look at: say with `refer` and `put` what its words are. Its number, the cell, and how many words
    /// its payload has.
    pub fn visit(&mut self) -> Option<(Part, &'a Cell, usize)> {
        self.current = self.current.wrapping_add(1);
        let cell = self.cells.get_mut(self.current)?;
        let header = cell.words[0];
        let owner = if header & OWNER_MASK == self.owner { FIRST_OWNER } else { 0 };
        // In a new heap all are young.
        cell.words[0] = header & !(OWNER_MASK | OLD) | owner;
        // SAFETY: the address is that of an allocated cell; nothing is collected while the image is made.
        Some((Part(self.current as u32), unsafe { cell_at(cell.address as usize) }, cell.words.len() - HEADER_WORDS))
    }

    /// The class word of the cell under way may refer to a cell.
    pub fn refer_class(&mut self) {
        self.refer_at(1);
    }

    /// Payload word `index` of the cell under way may refer to a cell.
    pub fn refer(&mut self, index: usize) {
        self.refer_at(HEADER_WORDS + index);
    }

    /// As `refer`; the cell need not be there before somebody comes upon the word.
    pub fn refer_later(&mut self, index: usize) {
        let index = HEADER_WORDS + index;
        let word = self.cells[self.current].words[index];
        match self.part(word) {
            Some((part, 0)) => self.cells[self.current].later.push((index, part)),
            _ => self.refer_at(index),
        }
    }

    fn refer_at(&mut self, index: usize) {
        let word = self.cells[self.current].words[index];
        if let Some((part, delta)) = self.part(word) {
            self.cells[self.current].references.push((index, part, delta));
        }
    }

    /// The cell under way needs no more than `words` payload words, and its class word shall be `class`.
    pub fn shrink(&mut self, words: usize, class: u64) {
        let cell = &mut self.cells[self.current];
        let size = 8 * (HEADER_WORDS + words);
        cell.class = class_for(size);
        cell.words.truncate(HEADER_WORDS + words);
        cell.words.resize(usize::from(SIZES[cell.class]) / 8, 0);
        cell.words[1] = class;
    }

    /// Payload word `index` of the cell under way shall be `word`.
    pub fn put(&mut self, index: usize, word: u64) {
        self.cells[self.current].words[HEADER_WORDS + index] = word;
    }

    /// The image of all cells that were looked at. There from the start are those that `roots`, or cells with a drop hook,
    /// lead to; `mark` makes the word that stands for one of the others. `None`: it is too big.
    #[must_use]
    pub fn finish(self, roots: &[Part], mark: impl Fn(u32) -> u64) -> Option<Image> {
        let first = self.first_cells(roots);
        let mut blocks: Vec<Block> = Vec::new();
        let mut places = vec![0_u32; self.cells.len()];
        for (class, size) in SIZES.iter().enumerate() {
            let size = usize::from(*size);
            let members = self.cells.iter().enumerate().filter(|&(number, cell)| first[number] && cell.class == class);
            for (i, (number, cell)) in members.enumerate() {
                if i % (BLOCK / size) == 0 {
                    blocks.push(Block { class, words: Vec::new(), hooked: Vec::new(), references: Vec::new() });
                }
                let count = blocks.len();
                let block = blocks.last_mut()?;
                let offset = block.words.len() * 8;
                places[number] = u32::try_from((count - 1) << BLOCK_SHIFT | offset).ok().filter(|p| p & LATER == 0)?;
                if cell.hooked {
                    block.hooked.push(offset as u32);
                }
                block.words.extend_from_slice(&cell.words);
            }
        }
        let mut later = Vec::new();
        for number in 0..self.cells.len() {
            if !first[number] {
                places[number] = LATER | u32::try_from(later.len()).ok()?;
                later.push(Later { words: Box::default(), references: Box::default() });
            }
        }
        for (number, cell) in self.cells.into_iter().enumerate() {
            let place = places[number];
            let mut words = cell.words;
            let mut references = cell.references;
            for (index, part) in cell.later {
                match places[part.0 as usize] {
                    place if place & LATER == 0 => references.push((index, part, 0)),
                    place => words[index] = mark(place & !LATER),
                }
            }
            let references =
                references.into_iter().map(|(index, part, delta)| (index, places[part.0 as usize] + delta));
            if place & LATER != 0 {
                let references = references.map(|(index, place)| (index as u16, place)).collect();
                later[(place & !LATER) as usize] = Later { words: words.into(), references };
                continue;
            }
            let block = &mut blocks[(place >> BLOCK_SHIFT) as usize];
            let at = place as usize % BLOCK / 8;
            block.words[at..at + words.len()].copy_from_slice(&words);
            for (index, place) in references {
                block.words[at + index] = u64::from(place);
                block.references.push((at + index) as u16);
            }
        }
        let mut needed: Vec<u32> =
            later.iter().flat_map(|cell| cell.references.iter().map(|reference| reference.1)).collect();
        needed.retain(|place| place & LATER == 0);
        needed.sort_unstable();
        needed.dedup();
        Some(Image { blocks: blocks.into(), places: places.into(), later: later.into(), needed: needed.into() })
    }

    /// Which cells are there from the start.
    fn first_cells(&self, roots: &[Part]) -> Vec<bool> {
        let mut first = vec![false; self.cells.len()];
        let hooked = self.cells.iter().enumerate().filter(|(_, cell)| cell.hooked).map(|(number, _)| number);
        // A word that leads into a cell is not looked for among those that are made later.
        let inner = self.cells.iter().flat_map(|cell| &cell.references).filter(|reference| reference.2 != 0);
        let mut found: Vec<usize> =
            roots.iter().chain(inner.map(|(_, part, _)| part)).map(|part| part.0 as usize).collect();
        found.extend(hooked);
        while let Some(number) = found.pop() {
            if !std::mem::replace(&mut first[number], true) {
                found.extend(self.cells[number].references.iter().map(|(_, part, _)| part.0 as usize));
            }
        }
        first
    }
}

/// One block of an image.
#[derive(Debug)]
struct Block {
    class: usize,
    words: Vec<u64>,
    /// Offsets of cells with a drop hook.
    hooked: Vec<u32>,
    /// Indices of words that are places: the number of a block above, an offset in it below.
    references: Vec<u16>,
}

/// A cell that is made later.
#[derive(Debug)]
struct Later {
    words: Box<[u64]>,
    /// Indices of words that refer to cells, and the places of those.
    references: Box<[(u16, u32)]>,
}

/// The pattern that heaps are filled from. Immutable.
#[derive(Debug)]
pub struct Image {
    blocks: Box<[Block]>,
    /// Where each part lies.
    places: Box<[u32]>,
    /// The cells that are made later.
    later: Box<[Later]>,
    /// Places of the others that those refer to.
    needed: Box<[u32]>,
}

/// Where the parts of an image lie in a heap that was filled from it.
#[derive(Debug)]
pub struct Filled {
    blocks: Box<[usize]>,
    /// Addresses of cells that were made later, by number. Changed by one thread at a time, which the VM sees to; the lock is
    /// for the collector.
    made: Mutex<HashMap<u32, u64>>,
}

impl Image {
    /// The address of a part in a heap that was filled, if it is one of those that are there from the start; else its number
    /// among the others.
    ///
    /// # Errors
    /// The number, for a part that was not there from the start.
    pub fn address(&self, filled: &Filled, part: Part) -> Result<u64, u32> {
        match self.places[part.0 as usize] {
            place if place & LATER == 0 => Ok(filled.at(place)),
            place => Err(place & !LATER),
        }
    }

    /// How many cells are made later.
    #[must_use]
    pub fn later(&self) -> u32 {
        self.later.len() as u32
    }

    /// The header word of a cell that is made later.
    #[must_use]
    pub fn later_header(&self, number: u32) -> u64 {
        self.later[number as usize].words[0]
    }

    /// The number of a part among those that are made later.
    #[must_use]
    pub fn later_number(&self, part: Part) -> Option<u32> {
        let place = self.places[part.0 as usize];
        (place & LATER != 0).then_some(place & !LATER)
    }

    /// Bytes of its cells.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| block.words.len() * 8).sum()
    }
}

impl Filled {
    #[inline(always)]
    fn at(&self, place: u32) -> u64 {
        (self.blocks[(place >> BLOCK_SHIFT) as usize] + place as usize % BLOCK) as u64
    }

    /// The address of a cell that is made later, if it has been made. While no other thread makes any.
    pub fn made(&self, number: u32) -> Option<u64> {
        self.made.lock().get(&number).copied()
    }

    /// Marks the cells that were made later, and what those need that have not been.
    pub fn trace(&self, image: &Image, marker: &mut Marker<'_>) {
        for &place in &image.needed {
            marker.mark(self.at(place));
        }
        for &address in self.made.lock().values() {
            marker.mark(address);
        }
    }
}

impl Mutator {
    /// Fills the heap from an image. This is the heap's first thread, and has allocated nothing. `None`: out of memory.
    ///
    /// # Panics
    /// If something was allocated before.
    pub fn fill(&mut self, image: &Image) -> Option<Filled> {
        assert!(self.owner_bits() == FIRST_OWNER && self.has_no_blocks(), "a heap is filled before it is used");
        let mut blocks = Vec::with_capacity(image.blocks.len());
        let mut numbers = Vec::with_capacity(image.blocks.len());
        for block in &image.blocks {
            let (number, address) = self.take_for_image(block.class)?;
            numbers.push(number);
            blocks.push(address);
        }
        let filled = Filled { blocks: blocks.into_boxed_slice(), made: Mutex::default() };
        for (i, block) in image.blocks.iter().enumerate() {
            let base = filled.blocks[i];
            // SAFETY: the block is new, at least as long as the words, and nobody else knows it.
            unsafe {
                let to = std::ptr::with_exposed_provenance_mut::<u64>(base);
                std::ptr::copy_nonoverlapping(block.words.as_ptr(), to, block.words.len());
                for &at in &block.references {
                    let word = to.add(usize::from(at));
                    word.write(filled.at(word.read() as u32));
                }
            }
            for &offset in &block.hooked {
                self.heap().set_hook_at(base + offset as usize);
            }
            self.use_from(block.class, numbers[i], base + block.words.len() * 8);
        }
        Some(filled)
    }

    /// Makes a cell of the image that was not there from the start, and those it refers to; the addresses of all that were
    /// made, none if it was there already. One thread at a time. A safepoint; `filler` is the header of a cell without
    /// references. `None`: out of memory.
    pub fn make(&mut self, image: &Image, filled: &Filled, number: u32, filler: u64) -> Option<Vec<u64>> {
        let mut wanted = Vec::new();
        if filled.made(number).is_none() {
            wanted.push(number);
        }
        let mut next = 0;
        while let Some(&number) = wanted.get(next) {
            next += 1;
            for &(_, place) in &image.later[number as usize].references {
                let number = place & !LATER;
                if place & LATER != 0 && !wanted.contains(&number) && filled.made(number).is_none() {
                    wanted.push(number);
                }
            }
        }
        // While there can be a collection they hold nothing.
        let mut made = Vec::with_capacity(wanted.len());
        for &number in &wanted {
            let Some(cell) = self.alloc(image.later[number as usize].words.len() * 8, filler, 0) else {
                let mut known = filled.made.lock();
                known.retain(|number, _| !wanted.contains(number));
                return None;
            };
            let address = cell.as_ptr().expose_provenance() as u64;
            filled.made.lock().insert(number, address);
            made.push(address);
        }
        for (&number, &address) in wanted.iter().zip(&made) {
            let Later { words, references } = &image.later[number as usize];
            // SAFETY: the cell has so many words, and nobody else knows it.
            let word = |index| unsafe { word_of(address, index) };
            for (index, &value) in words.iter().enumerate().skip(1) {
                word(index).store(value, Ordering::Relaxed);
            }
            for &(index, place) in references {
                let target = if place & LATER == 0 { Some(filled.at(place)) } else { filled.made(place & !LATER) };
                word(usize::from(index)).store(target?, Ordering::Relaxed);
            }
            let header = words[0];
            let owner = if header & OWNER_MASK == 0 { 0 } else { self.owner_stamp() };
            word(0).store(header & !OWNER_MASK | owner, Ordering::Release);
        }
        self.heap().note_filled(&made);
        Some(made)
    }
}

/// Word `index` of the cell at an address, the header's included.
///
/// # Safety
/// The cell has so many words.
unsafe fn word_of<'a>(address: u64, index: usize) -> &'a AtomicU64 {
    // SAFETY: the caller's contract; cells are aligned and made of atomics.
    unsafe { &*std::ptr::with_exposed_provenance::<AtomicU64>(address as usize + 8 * index) }
}

const _: () = assert!(GRANULE == 8 && BLOCK / 8 <= 1 << 16);
