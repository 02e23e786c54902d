//! Greatest common divisors of big numbers, by Lehmer's method: the leading 62 bits of both numbers foretell many
//! steps of Euclid's algorithm, which are then done on the whole numbers at once. Still quadratic, but with one pass
//! over the limbs for about 30 bits instead of one for each bit.

use num_bigint::BigUint;

/// The greatest common divisor.
pub fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    let mut lehmer = Lehmer::new(a, b);
    loop {
        if let Some(found) = lehmer.run(usize::MAX) {
            return found;
        }
    }
}

/// The algorithm, under way.
pub struct Lehmer {
    a: Vec<u64>,
    b: Vec<u64>,
}

impl Lehmer {
    /// At the beginning.
    #[must_use]
    pub fn new(a: &BigUint, b: &BigUint) -> Lehmer {
        let (mut a, mut b) = (limbs(a), limbs(b));
        if less(&a, &b) {
            std::mem::swap(&mut a, &mut b);
        }
        Lehmer { a, b }
    }

    /// Goes on for so many rounds, each of which takes time in proportion to the length; the divisor when it is found.
    pub fn run(&mut self, rounds: usize) -> Option<BigUint> {
        let Lehmer { a, b } = self;
        for _ in 0..rounds {
            if b.len() <= 1 {
                return Some(match b.first() {
                    None => number(a),
                    Some(&small) => {
                        let divide = |rest: u128, &limb: &u64| ((rest << 64) | u128::from(limb)) % u128::from(small);
                        BigUint::from(gcd_u64(small, a.iter().rev().fold(0, divide) as u64))
                    }
                });
            }
            if a.len() == 2 {
                return Some(BigUint::from(gcd_u128(two(a), two(b))));
            }
            let Some([p, q, r, s]) = foretell(a, b) else {
                let rest = limbs(&(number(a) % number(b)));
                *a = std::mem::replace(b, rest);
                continue;
            };
            combine(a, b, [p, q, r, s]);
            if less(a, b) {
                std::mem::swap(a, b);
            }
        }
        None
    }
}

/// The greatest common divisor of two words, by subtracting and shifting.
pub fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << shift
}

/// The same of two numbers of up to 128 bits.
fn gcd_u128(mut a: u128, mut b: u128) -> u128 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_u64(a, b)) << shift;
        }
        if a > b {
            std::mem::swap(&mut a, &mut b);
        }
        b -= a;
    }
    a << shift
}

/// The number of two limbs.
fn two(limbs: &[u64]) -> u128 {
    u128::from(limbs[0]) | u128::from(limbs[1]) << 64
}

fn limbs(n: &BigUint) -> Vec<u64> {
    n.to_u64_digits()
}

fn number(limbs: &[u64]) -> BigUint {
    BigUint::new(limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]).collect())
}

fn less(a: &[u64], b: &[u64]) -> bool {
    if a.len() != b.len() {
        return a.len() < b.len();
    }
    a.iter().rev().lt(b.iter().rev())
}

/// The 62 bits of `n` that lie where the leading 62 bits of a number of `len` limbs whose first limb has `zeros`
/// leading zeros lie.
fn leading(n: &[u64], len: usize, zeros: u32) -> i64 {
    let limb = |i: usize| n.get(i).copied().unwrap_or(0);
    let top = limb(len - 1) << zeros;
    let below = if zeros == 0 || len < 2 { 0 } else { limb(len - 2) >> (64 - zeros) };
    ((top | below) >> 2) as i64
}

/// The factors `[p, q, r, s]` that lead from `a >= b` to `p*a + q*b` and `r*a + s*b`, the pair after some steps of
/// Euclid's algorithm; `None` if the leading bits do not tell even one step.
fn foretell(a: &[u64], b: &[u64]) -> Option<[i64; 4]> {
    let zeros = a.last()?.leading_zeros();
    let mut x = leading(a, a.len(), zeros);
    let mut y = leading(b, a.len(), zeros);
    let (mut p, mut q, mut r, mut s) = (1i64, 0i64, 0i64, 1i64);
    // A quotient counts only if the numbers' unseen bits cannot change it (Knuth, 4.5.2, algorithm L).
    while y + r != 0 && y + s != 0 {
        let quotient = (x + p) / (y + r);
        if quotient != (x + q) / (y + s) {
            break;
        }
        (p, r) = (r, p - quotient * r);
        (q, s) = (s, q - quotient * s);
        (x, y) = (y, x - quotient * y);
    }
    (q != 0).then_some([p, q, r, s])
}

/// Makes `p*a + q*b` of `a` and `r*a + s*b` of `b`, which are not negative and smaller than `a`. The factors are below 2^62, and of
/// each pair one is not positive.
fn combine(a: &mut Vec<u64>, b: &mut Vec<u64>, [p, q, r, s]: [i64; 4]) {
    b.resize(a.len(), 0);
    let (mut first, mut second) = (0i128, 0i128);
    for (x, y) in a.iter_mut().zip(b.iter_mut()) {
        let (own, other) = (i128::from(*x), i128::from(*y));
        first += own * i128::from(p) + other * i128::from(q);
        second += own * i128::from(r) + other * i128::from(s);
        (*x, *y) = (first as u64, second as u64);
        first >>= 64;
        second >>= 64;
    }
    debug_assert_eq!((first, second), (0, 0));
    for number in [a, b] {
        let len = number.iter().rposition(|&limb| limb != 0).map_or(0, |last| last + 1);
        number.truncate(len);
    }
}

#[cfg(test)]
#[path = "gcd_tests.rs"]
mod tests;
