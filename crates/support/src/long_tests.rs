//! Tests of long arithmetic: against num-bigint's, at lengths around where the algorithms change, and with interruptions.

use num_bigint::BigUint;
use num_integer::Integer;
use num_traits::Pow;

use super::{AtOnce, Steps, div_rem, gcd, mod_pow, mul, of_text, pow, sqrt, to_text};

fn done<T>(result: Result<T, std::convert::Infallible>) -> T {
    let Ok(value) = result;
    value
}

/// Numbers of so many bits: all ones, a power of two, something irregular.
fn numbers(bits: u64) -> [BigUint; 3] {
    let power = BigUint::from(1u32) << (bits - 1);
    let mut words = Vec::new();
    let mut state = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    for _ in 0..bits.div_ceil(32) {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        words.push((state >> 33) as u32 | ((state >> 13) as u32 & 0x8000_0000));
    }
    let noise = (BigUint::new(words) % &power) | &power;
    [(&power << 1u32) - 1u32, power, noise]
}

#[test]
fn products_and_quotients_are_those_of_the_schoolbook() {
    for (long, short) in
        [(200_000, 190_000), (300_000, 5_000), (600_000, 150_000), (270_000, 140_000), (40_000, 17_000)]
    {
        for a in numbers(long) {
            for b in numbers(short) {
                assert_eq!(done(mul(&a, &b, &mut AtOnce)), &a * &b);
                assert_eq!(done(div_rem(&a, &b, &mut AtOnce)), a.div_rem(&b));
            }
        }
    }
}

#[test]
fn text_and_back() {
    for bits in [100, 8_192, 8_193, 50_000, 100_003] {
        for n in numbers(bits) {
            for radix in [2, 3, 10, 16, 36] {
                let text = done(to_text(&n, radix, &mut AtOnce));
                assert_eq!(text, n.to_str_radix(radix));
                assert_eq!(done(of_text(text.as_bytes(), radix, &mut AtOnce)), n);
            }
        }
    }
}

#[test]
fn roots_powers_and_divisors() {
    for bits in [20_000, 40_001, 70_000] {
        for n in numbers(bits) {
            assert_eq!(done(sqrt(&n, &mut AtOnce)), n.sqrt());
            let square = &n * &n;
            assert_eq!(done(sqrt(&square, &mut AtOnce)), n);
            assert_eq!(done(sqrt(&(&square - 1u32), &mut AtOnce)), &n - 1u32);
            let [common, _, other] = numbers(9_000);
            let (a, b) = (&n * &common, &other * &common);
            assert_eq!(done(gcd(&a, &b, &mut AtOnce)), a.gcd(&b));
        }
    }
    let base = BigUint::from(12u32);
    assert_eq!(done(pow(&base, 50_001, &mut AtOnce)), Pow::pow(&base, 50_001u32));
    assert_eq!(done(pow(&base, 0, &mut AtOnce)), BigUint::from(1u32));
    let [a, _, b] = numbers(20_000);
    let exponent = BigUint::from(1_000_003u32);
    assert_eq!(done(mod_pow(&b, &exponent, &a, &mut AtOnce)), b.modpow(&exponent, &a));
}

/// Gives up after some steps.
struct Limited(usize);

impl Steps for Limited {
    type Error = ();

    fn step<R>(&mut self, work: impl FnOnce() -> R) -> Result<R, ()> {
        self.0 = self.0.checked_sub(1).ok_or(())?;
        Ok(work())
    }
}

#[test]
fn all_of_them_can_be_given_up() {
    let [a, _, b] = numbers(1_000_000);
    let text = b.to_str_radix(36);
    let few = || Limited(3);
    assert!(mul(&a, &b, &mut few()).is_err());
    assert!(div_rem(&(&a << 1_000_000), &b, &mut few()).is_err());
    assert!(gcd(&a, &b, &mut few()).is_err());
    assert!(sqrt(&a, &mut few()).is_err());
    assert!(to_text(&a, 10, &mut few()).is_err());
    assert!(of_text(text.as_bytes(), 35, &mut few()).is_err());
    assert!(pow(&b, 1000, &mut few()).is_err());
    assert!(mod_pow(&b, &a, &b, &mut few()).is_err());
}
