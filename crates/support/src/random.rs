//! Pseudo-random numbers: the same sequences as CRuby's `Random` for the same seed.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::Signed;

use crate::int::Int;
pub use mt::{Mt, WORDS};

mod mt;

#[cfg(test)]
mod tests;

/// A Mersenne Twister seeded as `Random.new(seed)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rng {
    mt: Mt,
}

fn words(n: &BigInt) -> Vec<u32> {
    let mut words = n.magnitude().to_u32_digits();
    if words.is_empty() {
        words.push(0);
    }
    words
}

impl Rng {
    /// `Random.new(seed)`: the words of the seed's absolute value make the key.
    pub fn new(seed: &Int) -> Rng {
        let mut key = words(&seed.to_big());
        if let [only] = key[..] {
            return Rng { mt: Mt::new(only) };
        }
        // CRuby drops a top word of 1, which it uses elsewhere to guard leading zeros.
        if key.last() == Some(&1) {
            key.pop();
        }
        Rng { mt: Mt::with_key(&key) }
    }

    /// A generator in a given state.
    pub fn of(mt: Mt) -> Rng {
        Rng { mt }
    }

    /// The state.
    pub fn mt(&self) -> &Mt {
        &self.mt
    }

    /// The next 32 bits.
    pub fn next_u32(&mut self) -> u32 {
        self.mt.next_u32()
    }

    /// A float in `0.0...1.0` (`Random#rand` without an argument): two draws.
    pub fn next_f64(&mut self) -> f64 {
        let (a, b) = (self.next_u32(), self.next_u32());
        real_exclusive(a, b)
    }

    /// A float in `0.0..1.0`, 1.0 included: two draws.
    pub fn next_f64_inclusive(&mut self) -> f64 {
        let (a, b) = (self.next_u32(), self.next_u32());
        real_inclusive(a, b)
    }

    /// An integer in `0..=limit`; `rand(n)` is `limited(n - 1)`.
    pub fn limited(&mut self, limit: u64) -> u64 {
        limited_u64(limit, || self.next_u32())
    }

    /// An integer in `0..=limit` for any non-negative `limit`.
    pub fn limited_int(&mut self, limit: &Int) -> Int {
        limited_int(limit, || self.next_u32())
    }

    /// `Random#bytes(n)`.
    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(n);
        while out.len() < n {
            let word = self.next_u32().to_le_bytes();
            out.extend_from_slice(&word[..4.min(n - out.len())]);
        }
        out
    }

    /// `rand(low..high)` for floats. `None` when the range is empty or not finite in a way that
    /// CRuby refuses (the caller raises `ArgumentError` or `Errno::EDOM`).
    pub fn float_range(&mut self, low: f64, high: f64, exclusive: bool) -> Option<f64> {
        let mut span = high - low;
        let (mut scale, mut mid) = (1.0, 0.5);
        if !low.is_finite() || !high.is_finite() {
            return None;
        }
        if span.is_infinite() {
            let half_low = low / 2.0;
            span = high / 2.0;
            scale = 2.0;
            mid = span + half_low;
            span -= half_low;
        }
        if span > 0.0 {
            let r = if exclusive { self.next_f64() } else { self.next_f64_inclusive() };
            return Some(if scale > 1.0 { (r - 0.5) * span * scale + mid } else { r * span + low });
        }
        (span == 0.0 && !exclusive).then_some(low)
    }
}

/// Two 32-bit draws as a float below 1.0 with 53 random bits.
pub fn real_exclusive(a: u32, b: u32) -> f64 {
    (f64::from(a >> 5) * 67_108_864.0 + f64::from(b >> 6)) * (1.0 / 9_007_199_254_740_992.0)
}

/// Two 32-bit draws as a float up to and including 1.0.
pub fn real_inclusive(a: u32, b: u32) -> f64 {
    let x = u128::from(a) << 32 | u128::from(b);
    let scaled = (x * ((1u128 << 53) | 1)) >> 64;
    scaled as f64 * (1.0 / 9_007_199_254_740_992.0)
}

fn mask_of(limit: u64) -> u64 {
    if limit == 0 { 0 } else { u64::MAX >> limit.leading_zeros() }
}

/// [`Rng::limited`] over any source of 32-bit draws: high word first, all drawn again when the
/// value passes the limit.
pub fn limited_u64(limit: u64, mut draw: impl FnMut() -> u32) -> u64 {
    if limit == 0 {
        return 0;
    }
    let mask = mask_of(limit);
    'retry: loop {
        let mut value = 0;
        for shift in [32, 0] {
            if mask >> shift & 0xffff_ffff != 0 {
                value |= u64::from(draw()) << shift;
                value &= mask;
                if limit < value {
                    continue 'retry;
                }
            }
        }
        return value;
    }
}

/// [`Rng::limited_int`] over any source of 32-bit draws.
pub fn limited_int(limit: &Int, mut draw: impl FnMut() -> u32) -> Int {
    let big = match limit {
        Int::Small(n) => return Int::from(limited_u64(u64::try_from(*n).unwrap_or(0), draw)),
        Int::Big(n) if n.is_negative() => return Int::Small(0),
        Int::Big(n) => n,
    };
    let limits = words(big);
    'retry: loop {
        let mut out = vec![0u32; limits.len()];
        let (mut started, mut boundary) = (false, true);
        for i in (0..limits.len()).rev() {
            let lim = limits[i];
            let mask = if started { u32::MAX } else { mask_of(u64::from(lim)) as u32 };
            if mask == 0 {
                continue;
            }
            started = true;
            let r = draw() & mask;
            if boundary {
                if r > lim {
                    continue 'retry;
                }
                boundary = r == lim;
            }
            out[i] = r;
        }
        return Int::from_big(BigInt::from_biguint(Sign::Plus, BigUint::new(out)));
    }
}

/// The order of `Array#shuffle`: for each position from the last down to the first, one draw
/// `below(i)` (a number under `i`, the count of places left) says which element comes there.
/// `swap(i, j)` is called for each. The last draw, `below(1)`, is made too.
pub fn shuffle<E>(
    len: usize,
    mut below: impl FnMut(usize) -> Result<usize, E>,
    mut swap: impl FnMut(usize, usize),
) -> Result<(), E> {
    for i in (1..=len).rev() {
        let j = below(i)?;
        swap(i - 1, j);
    }
    Ok(())
}

/// Up to this many elements `Array#sample(n)` draws all its numbers first.
const SAMPLE_SMALL: usize = 10;

/// The indices `Array#sample(n)` takes from an array of `len` elements, in order.
/// `below(k)` draws a number under `k`; it is called once an element, with `len`, `len - 1` …
pub fn sample_indices<E>(
    len: usize,
    n: usize,
    mut below: impl FnMut(usize) -> Result<usize, E>,
) -> Result<Vec<usize>, E> {
    let n = n.min(len);
    if n <= SAMPLE_SMALL {
        let mut draws = Vec::with_capacity(n);
        for i in 0..n {
            draws.push(below(len - i)?);
        }
        // Each draw is an index among the elements not taken yet.
        let mut sorted: Vec<usize> = Vec::with_capacity(n);
        let mut out = Vec::with_capacity(n);
        for draw in draws {
            let mut index = draw;
            let at = sorted.iter().position(|&taken| {
                if index < taken {
                    return true;
                }
                index += 1;
                false
            });
            sorted.insert(at.unwrap_or(sorted.len()), index);
            out.push(index);
        }
        return Ok(out);
    }
    // The first n steps of a forward shuffle.
    let mut order: Vec<usize> = (0..len).collect();
    for i in 0..n {
        let j = below(len - i)? + i;
        if j < len {
            order.swap(i, j);
        }
    }
    order.truncate(n);
    Ok(order)
}
