//! A hash function for addresses and numbers of our own, which programs do not choose: no seed, a multiplication each.

use std::hash::{BuildHasherDefault, Hasher};

/// Fibonacci hashing (Knuth, The Art of Computer Programming, vol. 3, 6.4): addresses are multiples of their size, and the
/// table takes its bits from both ends of the word.
#[derive(Clone, Copy, Debug, Default)]
pub struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, n: u64) {
        let spread = (self.0 ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = spread ^ spread >> 32;
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }
}

/// What a map by addresses is built with.
pub type ByAddress = BuildHasherDefault<AddressHasher>;
