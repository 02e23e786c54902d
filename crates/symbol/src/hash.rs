//! The hash of a name: eight bytes a step, each folded by a multiplication of 64 by 64 bits.

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
const END: u64 = 0xd6e8_feb8_6659_fd93;

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The hash of `bytes` for a table with this seed.
pub fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let mut h = seed ^ (bytes.len() as u64).wrapping_mul(END);
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        h = fold(h ^ u64::from_le_bytes(*chunk), STEP).wrapping_add(seed);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    fold(fold(h ^ u64::from_le_bytes(last), STEP) ^ seed, END)
}
