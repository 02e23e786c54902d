//! The divisors agree with those of the binary method, and words with what is known.

use num_bigint::BigUint;
use num_integer::Integer;

use super::{gcd, gcd_u64};

/// Numbers of up to `limbs` limbs, some of them with long runs of ones and zeros.
fn numbers(limbs: usize, count: usize, mut seed: u64) -> Vec<BigUint> {
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        seed >> 16
    };
    (0..count)
        .map(|_| {
            let words = (0..1 + next() as usize % (2 * limbs)).map(|_| match next() % 5 {
                0 => 0,
                1 => u32::MAX,
                _ => next() as u32,
            });
            BigUint::new(words.collect())
        })
        .collect()
}

#[test]
fn agrees_with_the_binary_method() {
    for limbs in [1, 2, 3, 5, 17] {
        let list = numbers(limbs, 60, limbs as u64);
        for pair in list.chunks(3) {
            let (x, y, common) = (&pair[0], &pair[1], &pair[2]);
            assert_eq!(gcd(x, y), x.gcd(y));
            let (x, y) = (x * common, y * common);
            assert_eq!(gcd(&x, &y), x.gcd(&y));
            assert_eq!(gcd(&x, &x), x);
            assert_eq!(gcd(&x, &BigUint::ZERO), x);
        }
    }
}

#[test]
fn neighbours_of_fibonacci_take_most_steps() {
    let (mut a, mut b) = (BigUint::from(1u32), BigUint::from(1u32));
    for _ in 0..900 {
        let next = &a + &b;
        a = std::mem::replace(&mut b, next);
    }
    assert_eq!(gcd(&a, &b), BigUint::from(1u32));
}

#[test]
fn words() {
    assert_eq!(gcd_u64(0, 12), 12);
    assert_eq!(gcd_u64(48, 36), 12);
    assert_eq!(gcd_u64(u64::MAX, u64::MAX - 1), 1);
    assert_eq!(gcd_u64(1 << 63, 1 << 40), 1 << 40);
}
