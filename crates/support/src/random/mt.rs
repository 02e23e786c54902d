//! The Mersenne Twister MT19937 with its state open, which `Marshal` writes and reads as CRuby does.

/// Words of the state.
pub const WORDS: usize = 624;
/// How far apart the words are that are mixed.
const SHIFT: usize = 397;

/// A generator of 32-bit numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mt {
    state: Box<[u32; WORDS]>,
    /// How many numbers are left before the state is made anew, and one.
    left: usize,
}

impl Mt {
    /// Seeded by one word.
    pub fn new(seed: u32) -> Mt {
        let mut state = Box::new([0; WORDS]);
        state[0] = seed;
        for i in 1..WORDS {
            let before = state[i - 1];
            state[i] = 1_812_433_253u32.wrapping_mul(before ^ before >> 30).wrapping_add(i as u32);
        }
        Mt { state, left: 1 }
    }

    /// Seeded by a key of any length but 0.
    pub fn with_key(key: &[u32]) -> Mt {
        let mut mt = Mt::new(19_650_218);
        let state = &mut mt.state;
        let (mut i, mut j) = (1, 0);
        let mixed = |before: u32, by: u32| (before ^ before >> 30).wrapping_mul(by);
        for _ in 0..WORDS.max(key.len()) {
            state[i] = (state[i] ^ mixed(state[i - 1], 1_664_525)).wrapping_add(key[j]).wrapping_add(j as u32);
            (i, j) = (i + 1, (j + 1) % key.len());
            if i == WORDS {
                state[0] = state[WORDS - 1];
                i = 1;
            }
        }
        for _ in 1..WORDS {
            state[i] = (state[i] ^ mixed(state[i - 1], 1_566_083_941)).wrapping_sub(i as u32);
            i += 1;
            if i == WORDS {
                state[0] = state[WORDS - 1];
                i = 1;
            }
        }
        state[0] = 0x8000_0000;
        mt
    }

    /// The generator that `state` and `left` gave; `None` if there can be none.
    pub fn restored(state: &[u32], left: usize) -> Option<Mt> {
        let state = <[u32; WORDS]>::try_from(state).ok()?;
        (1..=WORDS).contains(&left).then(|| Mt { state: Box::new(state), left })
    }

    /// The words of the state.
    pub fn state(&self) -> &[u32; WORDS] {
        &self.state
    }

    /// How many numbers are left before the state is made anew, and one.
    pub fn left(&self) -> usize {
        self.left
    }

    fn renew(&mut self) {
        let state = &mut self.state;
        for i in 0..WORDS {
            let both = state[i] & 0x8000_0000 | state[(i + 1) % WORDS] & 0x7fff_ffff;
            let odd = if state[(i + 1) % WORDS] & 1 == 1 { 0x9908_b0df } else { 0 };
            state[i] = state[(i + SHIFT) % WORDS] ^ both >> 1 ^ odd;
        }
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        self.left -= 1;
        if self.left == 0 {
            self.renew();
            self.left = WORDS;
        }
        let mut y = self.state[WORDS - self.left];
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c_5680;
        y ^= y << 15 & 0xefc6_0000;
        y ^ y >> 18
    }
}
