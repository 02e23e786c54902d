//! The mixing of scrypt (RFC 7914, 3 to 5), in steps.

use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Res};

/// The words of a block of Salsa20.
const WORDS: usize = 16;
/// So many blocks take about a millisecond.
const STEP: usize = 10_000;

type Block = [u32; WORDS];

/// Mixes each of `p` parts of `2 * r` blocks, by looking back at `n` states of a part. A part may be large, and so nothing is done to one
/// as a whole.
pub struct Mixer {
    n: usize,
    /// Half the blocks of a part.
    r: usize,
    /// How many bytes all parts have.
    size: usize,
    /// The parts.
    parts: Buffer<u8>,
    /// The states of the part under way.
    states: Buffer<Block>,
    /// The present state, and the next one as far as it is known: each a first and a second half. That of a new part is in `parts`.
    now: [Buffer<Block>; 2],
    next: [Buffer<Block>; 2],
    /// Which part, how many states of it are over, which block comes next, and which state is looked back at.
    part: usize,
    over: usize,
    block: usize,
    back: usize,
    /// The last block that was made.
    last: Block,
}

impl Mixer {
    /// Room for all of it; `None`: the costs are not such as are allowed.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn new(ec: &mut Ec, [n, r, p]: [u64; 3]) -> Res<Option<Mixer>> {
        if !n.is_power_of_two() || n < 2 || r == 0 || p == 0 || p > ((1 << 30) - 1) / r {
            return Ok(None);
        }
        if r < 4 && n >= 1 << (16 * r) {
            return Ok(None);
        }
        let sizes = [p.checked_mul(128 * r), n.checked_mul(128 * r)].map(|size| size.filter(|&size| size < 1 << 46));
        let [Some(size), Some(_)] = sizes else { return Ok(None) };
        if i32::try_from(size).is_err() {
            return Ok(None);
        }
        let (n, r, size) = (n as usize, r as usize, size as usize);
        let mut parts = Buffer::new(ec);
        parts.reserve(ec, size)?;
        let mut states = Buffer::new(ec);
        states.reserve(ec, 2 * n * r)?;
        let mut half = || {
            let mut half = Buffer::new(ec);
            half.reserve(ec, r)?;
            Ok(half)
        };
        let (now, next) = ([half()?, half()?], [half()?, half()?]);
        let last = [0; WORDS];
        Ok(Some(Mixer { n, r, size, parts, states, now, next, part: 0, over: 0, block: 0, back: 0, last }))
    }

    /// What is mixed, and what has come of it; it has room for as many bytes as is told here.
    pub fn mixed(&mut self) -> (&mut Buffer<u8>, usize) {
        (&mut self.parts, self.size)
    }

    /// Some more blocks. Is it done?
    pub fn step(&mut self) -> bool {
        for _ in 0..STEP {
            if self.part * self.r * 128 == self.size {
                return true;
            }
            if self.block == 0 {
                self.begin_state();
            }
            self.make_block();
            self.block += 1;
            if self.block == 2 * self.r {
                self.end_state();
            }
        }
        false
    }

    /// The bytes of a block of the part under way.
    fn bytes(&mut self, i: usize) -> &mut [u8] {
        &mut self.parts[(self.part * 2 * self.r + i) * 64..][..64]
    }

    /// A block of the present state.
    fn block(&mut self, i: usize) -> Block {
        if self.over > 0 {
            return self.now[i / self.r][i % self.r];
        }
        let mut words = [0; WORDS];
        for (word, bytes) in words.iter_mut().zip(self.bytes(i).chunks_exact(4)) {
            *word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        words
    }

    /// What is looked back at is named by the last block.
    fn begin_state(&mut self) {
        let last = 2 * self.r - 1;
        self.last = self.block(last);
        if self.over >= self.n {
            let number = u64::from(self.last[0]) | u64::from(self.last[1]) << 32;
            self.back = (number & (self.n as u64 - 1)) as usize;
            add(&mut self.last, &self.states[self.back * 2 * self.r + last]);
        }
    }

    fn make_block(&mut self) {
        let i = self.block;
        let mut block = self.block(i);
        if self.over < self.n {
            self.states.push(block);
        } else {
            add(&mut block, &self.states[self.back * 2 * self.r + i]);
        }
        add(&mut self.last, &block);
        self.last = salsa(&self.last);
        if self.over + 1 < 2 * self.n {
            self.next[i % 2].push(self.last);
            return;
        }
        // Blocks of the part itself are not read any more.
        let last = self.last;
        let place = self.bytes(i / 2 + (i % 2) * self.r);
        for (word, bytes) in last.iter().zip(place.chunks_exact_mut(4)) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
    }

    fn end_state(&mut self) {
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.iter_mut().for_each(|half| half.clear());
        self.block = 0;
        self.over += 1;
        if self.over == 2 * self.n {
            self.states.clear();
            self.over = 0;
            self.part += 1;
        }
    }
}

/// Exclusive or.
fn add(block: &mut Block, other: &Block) {
    block.iter_mut().zip(other).for_each(|(word, other)| *word ^= other);
}

/// The core of Salsa20 with eight rounds.
fn salsa(input: &Block) -> Block {
    let mut x = *input;
    let mut quarter = |a: usize, b: usize, c: usize, d: usize| {
        x[b] ^= x[a].wrapping_add(x[d]).rotate_left(7);
        x[c] ^= x[b].wrapping_add(x[a]).rotate_left(9);
        x[d] ^= x[c].wrapping_add(x[b]).rotate_left(13);
        x[a] ^= x[d].wrapping_add(x[c]).rotate_left(18);
    };
    for _ in 0..4 {
        quarter(0, 4, 8, 12);
        quarter(5, 9, 13, 1);
        quarter(10, 14, 2, 6);
        quarter(15, 3, 7, 11);
        quarter(0, 1, 2, 3);
        quarter(5, 6, 7, 4);
        quarter(10, 11, 8, 9);
        quarter(15, 12, 13, 14);
    }
    x.iter_mut().zip(input).for_each(|(word, before)| *word = word.wrapping_add(*before));
    x
}
