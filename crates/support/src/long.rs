//! Arithmetic on numbers of many thousand digits, in steps that take about a millisecond each: whoever calculates can be interrupted
//! between two of them. Multiplication is Toom and Cook's with three parts, division Burnikel and Ziegler's, the rest rests on these.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::gcd;

/// Who calculates.
pub trait Steps {
    /// Why the calculation is not finished.
    type Error;

    /// Runs a step.
    ///
    /// # Errors
    /// `Steps::Error`, if the calculation is not to be finished.
    fn step<R>(&mut self, work: impl FnOnce() -> R) -> Result<R, Self::Error>;
}

/// All at once.
#[derive(Debug)]
pub struct AtOnce;

impl Steps for AtOnce {
    type Error = std::convert::Infallible;

    fn step<R>(&mut self, work: impl FnOnce() -> R) -> Result<R, Self::Error> {
        Ok(work())
    }
}

/// Factors of up to so many bits are multiplied in one step.
const PRODUCT: u64 = 1 << 17;
/// Divisors of up to so many bits are divided by in one step.
const QUOTIENT: u64 = 1 << 14;
/// Numbers of up to so many bits become text, or are made of it, in one step.
const TEXT: u64 = 1 << 13;
/// A modular power that takes more multiplications of words than this is taken in steps.
const POWER: u64 = 1 << 26;
/// Rounds of Lehmer's algorithm in a step.
const ROUNDS: usize = 32;

fn mask(n: &BigUint, bits: u64) -> BigUint {
    let mut digits = n.to_u64_digits();
    let (words, rest) = ((bits / 64) as usize, bits % 64);
    if digits.len() > words {
        digits.truncate(words + usize::from(rest != 0));
        if rest != 0
            && let Some(last) = digits.last_mut()
        {
            *last &= (1 << rest) - 1;
        }
    }
    from_words(&digits)
}

fn from_words(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect())
}

/// `a * b`
///
/// # Errors
/// `Steps::Error`, from [`Steps::step`].
pub fn mul<S: Steps>(a: &BigUint, b: &BigUint, steps: &mut S) -> Result<BigUint, S::Error> {
    let (long, short) = if a.bits() < b.bits() { (b, a) } else { (a, b) };
    if short.bits() <= PRODUCT / 64 || long.bits() <= PRODUCT {
        return steps.step(|| long * short);
    }
    if long.bits() > 2 * short.bits() {
        // Piece by piece.
        let size = short.bits().max(PRODUCT);
        let mut sum = BigUint::zero();
        for i in (0..long.bits().div_ceil(size)).rev() {
            let piece = steps.step(|| mask(&(long >> (i * size)), size))?;
            let product = mul(&piece, short, steps)?;
            sum = steps.step(|| (sum << size) + product)?;
        }
        return Ok(sum);
    }
    toom(long, short, steps)
}

/// The product of numbers of about the same length, by that of the polynomials whose values at 2^k they are: which five
/// points say what it is (Bodrato's order of operations).
fn toom<S: Steps>(a: &BigUint, b: &BigUint, steps: &mut S) -> Result<BigUint, S::Error> {
    use num_bigint::BigInt;
    let k = a.bits().div_ceil(3).next_multiple_of(64);
    let values = |n: &BigUint| {
        let [low, middle, high] = [mask(n, k), mask(&(n >> k), k), n >> (2 * k)].map(BigInt::from);
        let outer = &low + &high;
        let one = &outer + &middle;
        let minus = outer - middle;
        let two = ((&minus + &high) << 1) - &low;
        [low, one, minus, two, high]
    };
    let (a, b) = (steps.step(|| values(a))?, steps.step(|| values(b))?);
    let mut products = Vec::with_capacity(5);
    for (a, b) in a.iter().zip(&b) {
        let size = mul(a.magnitude(), b.magnitude(), steps)?;
        let sign = if a.sign() == b.sign() { num_bigint::Sign::Plus } else { num_bigint::Sign::Minus };
        products.push(BigInt::from_biguint(sign, size));
    }
    steps.step(|| {
        let Ok([r0, one, minus, two, r4]) = <[BigInt; 5]>::try_from(products) else { return BigUint::zero() };
        let third: BigInt = (two - &one) / 3;
        let first: BigInt = (one - &minus) >> 1;
        let second = minus - &r0;
        let third: BigInt = ((&second - third) >> 1) + (&r4 << 1);
        let second = second + &first - &r4;
        let first = first - &third;
        let sum: BigInt = r0 + (first << k) + (second << (2 * k)) + (third << (3 * k)) + (r4 << (4 * k));
        sum.into_parts().1
    })
}

/// Quotient and remainder. `b` is not zero.
///
/// # Errors
/// `Steps::Error`, from [`Steps::step`].
pub fn div_rem<S: Steps>(a: &BigUint, b: &BigUint, steps: &mut S) -> Result<(BigUint, BigUint), S::Error> {
    if b.bits() <= QUOTIENT || a.bits() <= b.bits().saturating_add(QUOTIENT / 16) {
        return steps.step(|| a.div_rem(b));
    }
    // The divisor as long as a leaf, doubled some times.
    let mut size = b.bits();
    let mut depth = 0;
    while size > QUOTIENT {
        size = size.div_ceil(2);
        depth += 1;
    }
    let n = size.next_multiple_of(64) << depth;
    let shift = n - b.bits();
    let (a, b) = steps.step(|| (a << shift, b << shift))?;
    let mut rest = BigUint::zero();
    let mut quotient = BigUint::zero();
    for i in (0..a.bits().div_ceil(n)).rev() {
        let part = steps.step(|| (&rest << n) | mask(&(&a >> (i * n)), n))?;
        let (digit, left) = two_by_one(part, &b, n, steps)?;
        quotient = steps.step(|| (quotient << n) | digit)?;
        rest = left;
    }
    Ok((quotient, rest >> shift))
}

/// Divides `a` of at most 2n bits, whose upper half is below `b`, by `b` of n bits.
fn two_by_one<S: Steps>(a: BigUint, b: &BigUint, n: u64, steps: &mut S) -> Result<(BigUint, BigUint), S::Error> {
    if n <= QUOTIENT {
        return steps.step(|| a.div_rem(b));
    }
    let half = n / 2;
    let (upper, rest) = three_by_two(&a >> half, b, half, steps)?;
    let a = steps.step(|| (rest << half) | mask(&a, half))?;
    let (lower, rest) = three_by_two(a, b, half, steps)?;
    Ok(((upper << half) | lower, rest))
}

/// Divides `a` of at most 3n bits by `b` of 2n bits; the quotient has n.
fn three_by_two<S: Steps>(a: BigUint, b: &BigUint, n: u64, steps: &mut S) -> Result<(BigUint, BigUint), S::Error> {
    let (upper, b_upper, b_lower) = (&a >> n, b >> n, mask(b, n));
    let (mut quotient, rest) = if &upper >> n < b_upper {
        two_by_one(upper, &b_upper, n, steps)?
    } else {
        let most = (BigUint::one() << n) - 1u32;
        (most, upper - (&b_upper << n) + &b_upper)
    };
    let product = mul(&quotient, &b_lower, steps)?;
    steps.step(|| {
        let mut rest = (rest << n) | mask(&a, n);
        // At most twice.
        while rest < product {
            quotient -= 1u32;
            rest += b;
        }
        (quotient, rest - product)
    })
}

/// `base ** exponent`
///
/// # Errors
/// `Steps::Error`, from [`Steps::step`].
pub fn pow<S: Steps>(base: &BigUint, exponent: u64, steps: &mut S) -> Result<BigUint, S::Error> {
    // Twos are shifted in at the end.
    let twos = base.trailing_zeros().unwrap_or(0);
    let odd = base >> twos;
    let mut power = BigUint::one();
    for i in (0..64 - exponent.leading_zeros()).rev() {
        power = mul(&power, &power, steps)?;
        if exponent >> i & 1 == 1 {
            power = mul(&power, &odd, steps)?;
        }
    }
    steps.step(|| power << (twos * exponent))
}

/// `base ** exponent % modulus`; the modulus is not zero.
///
/// # Errors
/// `Steps::Error`, from [`Steps::step`].
pub fn mod_pow<S: Steps>(
    base: &BigUint,
    exponent: &BigUint,
    modulus: &BigUint,
    steps: &mut S,
) -> Result<BigUint, S::Error> {
    let words = modulus.bits().div_ceil(64);
    let (_, base) = div_rem(base, modulus, steps)?;
    if exponent.bits().saturating_mul(words.saturating_mul(words)) <= POWER {
        return steps.step(|| base.modpow(exponent, modulus));
    }
    let mut power = BigUint::one();
    for i in (0..exponent.bits()).rev() {
        let square = mul(&power, &power, steps)?;
        (_, power) = div_rem(&square, modulus, steps)?;
        if exponent.bit(i) {
            let product = mul(&power, &base, steps)?;
            (_, power) = div_rem(&product, modulus, steps)?;
        }
    }
    Ok(power)
}

/// The greatest common divisor.
///
/// # Errors
/// `Steps::Error`, from [`Steps::step`].
pub fn gcd<S: Steps>(a: &BigUint, b: &BigUint, steps: &mut S) -> Result<BigUint, S::Error> {
    // Of numbers of very different length the first step is a long division.
    let (long, short) = if a < b { (b, a) } else { (a, b) };
    if short.is_zero() {
        return Ok(long.clone());
    }
    let (_, rest) = div_rem(long, short, steps)?;
    let mut state = steps.step(|| gcd::Lehmer::new(short, &rest))?;
    loop {
        if let Some(found) = steps.step(|| state.run(ROUNDS))? {
            return Ok(found);
        }
    }
}

/// The integer part of the square root.
///
/// # Errors
/// `Steps::Error`, from [`Steps::step`].
pub fn sqrt<S: Steps>(n: &BigUint, steps: &mut S) -> Result<BigUint, S::Error> {
    if n.bits() <= QUOTIENT {
        return steps.step(|| n.sqrt());
    }
    // Newton's method, each time with as many bits of `n` as the root is known to.
    let c = (n.bits() - 1) / 2;
    let mut root = BigUint::one();
    let mut done = 0;
    for s in (0..64 - c.leading_zeros()).rev() {
        let before = done;
        done = c >> s;
        let top = steps.step(|| n >> (2 * c - before - done + 1))?;
        let (quotient, _) = div_rem(&top, &root, steps)?;
        root = (root << (done - before - 1)) + quotient;
    }
    let square = mul(&root, &root, steps)?;
    Ok(if square > *n { root - 1u32 } else { root })
}

/// The digits in a radix from 2 to 36.
///
/// # Errors
/// `Steps::Error`, from [`Steps::step`].
pub fn to_text<S: Steps>(n: &BigUint, radix: u32, steps: &mut S) -> Result<String, S::Error> {
    if n.bits() <= TEXT || radix.is_power_of_two() {
        return steps.step(|| n.to_str_radix(radix));
    }
    let powers = powers(radix, n.bits() / 2 + 1, steps)?;
    let mut out = String::new();
    put_text(n, radix, &powers, false, &mut out, steps)?;
    Ok(out)
}

/// How many digits lie in a leaf.
fn leaf(radix: u32) -> usize {
    (TEXT as f64 / f64::from(radix).log2()) as usize
}

/// The powers of the radix with as many digits as a leaf, twice as many, and so on: up to so many bits.
fn powers<S: Steps>(radix: u32, bits: u64, steps: &mut S) -> Result<Vec<BigUint>, S::Error> {
    let mut powers = vec![pow(&BigUint::from(radix), leaf(radix) as u64, steps)?];
    while let Some(last) = powers.last()
        && last.bits() < bits
    {
        let next = mul(last, last, steps)?;
        powers.push(next);
    }
    Ok(powers)
}

/// Appends the digits; all that the number may have if `whole`: leading zeros too.
fn put_text<S: Steps>(
    n: &BigUint,
    radix: u32,
    powers: &[BigUint],
    whole: bool,
    out: &mut String,
    steps: &mut S,
) -> Result<(), S::Error> {
    let Some((power, below)) = powers.split_last() else {
        let text = steps.step(|| n.to_str_radix(radix))?;
        if whole {
            out.extend(std::iter::repeat_n('0', leaf(radix).saturating_sub(text.len())));
        }
        out.push_str(&text);
        return Ok(());
    };
    if !whole && n < power {
        return put_text(n, radix, below, false, out, steps);
    }
    let (upper, lower) = div_rem(n, power, steps)?;
    put_text(&upper, radix, below, whole, out, steps)?;
    put_text(&lower, radix, below, true, out, steps)
}

/// The number that these digits, letters for those above 9, are in a radix from 2 to 36.
///
/// # Errors
/// `Steps::Error`, from [`Steps::step`].
pub fn of_text<S: Steps>(digits: &[u8], radix: u32, steps: &mut S) -> Result<BigUint, S::Error> {
    let size = leaf(radix);
    let parse = |part: &[u8]| BigUint::parse_bytes(part, radix).unwrap_or_default();
    if digits.len() <= size || radix.is_power_of_two() {
        return steps.step(|| parse(digits));
    }
    // The last part comes first.
    let mut parts = Vec::with_capacity(digits.len() / size + 1);
    for part in digits.rchunks(size) {
        parts.push(steps.step(|| parse(part))?);
    }
    let mut power = pow(&BigUint::from(radix), size as u64, steps)?;
    loop {
        let mut joined = Vec::with_capacity(parts.len().div_ceil(2));
        for pair in parts.chunks(2) {
            joined.push(match pair {
                [lower, upper] => {
                    let upper = mul(upper, &power, steps)?;
                    steps.step(|| upper + lower)?
                }
                rest => rest.first().cloned().unwrap_or_default(),
            });
        }
        parts = joined;
        if parts.len() <= 1 {
            return Ok(parts.pop().unwrap_or_default());
        }
        power = mul(&power, &power, steps)?;
    }
}

#[cfg(test)]
#[path = "long_tests.rs"]
mod tests;
