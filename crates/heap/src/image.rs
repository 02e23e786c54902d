//! Images: cells of one heap as the pattern that new heaps are filled from.
//!
//! An image holds the words of its cells block by block, and for every word that refers to another cell of the image
//! where that lies: the number of its block and the offset in it. Filling a heap is a copy of each block and one
//! addition for each reference.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::block::{cell_at, find_cell};
use crate::header::{Cell, OWNER_MASK, OWNER_SHIFT, is_heap_pointer};
use crate::heap::Heap;
use crate::mutator::Mutator;
use crate::size_class::{GRANULE, SIZES, class_for};
use crate::space::{BLOCK, BLOCK_SHIFT};

/// Owner bits of the cells of an image: those of the first thread that attaches to a heap.
const FIRST_OWNER: u64 = 1 << OWNER_SHIFT;
/// The words of a cell in front of its payload.
const HEADER_WORDS: usize = 2;

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
        self.cells.push(Recorded { address, class, hooked, words, references: Vec::new() });
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
        cell.words[0] = header & !OWNER_MASK | owner;
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

    /// The image of all cells that were looked at. `None`: it is too big.
    #[must_use]
    pub fn finish(self) -> Option<Image> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut places = vec![0_u32; self.cells.len()];
        for (class, size) in SIZES.iter().enumerate() {
            let size = usize::from(*size);
            let members = self.cells.iter().enumerate().filter(|(_, cell)| cell.class == class);
            for (i, (number, cell)) in members.enumerate() {
                if i % (BLOCK / size) == 0 {
                    blocks.push(Block { class, words: Vec::new(), hooked: Vec::new(), references: Vec::new() });
                }
                let count = blocks.len();
                let block = blocks.last_mut()?;
                let offset = block.words.len() * 8;
                places[number] = u32::try_from((count - 1) << BLOCK_SHIFT | offset).ok()?;
                if cell.hooked {
                    block.hooked.push(offset as u32);
                }
                block.words.extend_from_slice(&cell.words);
            }
        }
        for (number, cell) in self.cells.iter().enumerate() {
            let place = places[number];
            let block = &mut blocks[(place >> BLOCK_SHIFT) as usize];
            for &(index, part, delta) in &cell.references {
                let at = (place as usize % BLOCK) / 8 + index;
                block.words[at] = u64::from(places[part.0 as usize] + delta);
                block.references.push(at as u16);
            }
        }
        Some(Image { blocks: blocks.into_boxed_slice(), places: places.into_boxed_slice() })
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

/// The pattern that heaps are filled from. Immutable.
#[derive(Debug)]
pub struct Image {
    blocks: Box<[Block]>,
    /// Where each part lies.
    places: Box<[u32]>,
}

/// Where the parts of an image lie in a heap that was filled from it.
#[derive(Debug)]
pub struct Filled {
    blocks: Box<[usize]>,
}

impl Image {
    /// The address of a part in a heap that was filled.
    #[must_use]
    pub fn address(&self, filled: &Filled, part: Part) -> u64 {
        filled.at(self.places[part.0 as usize])
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
        let filled = Filled { blocks: blocks.into_boxed_slice() };
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
