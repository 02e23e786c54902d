//! A String as a number: `to_i`, `to_f`, `to_r`, `to_c`, `hex`, `oct`.

use asterism_object::{Value, bigint, string};
use asterism_support::int_parse::Read;
use asterism_support::{Int, float_fmt, int_parse};
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};
use num_bigint::BigInt;

use super::util;
use crate::numeric::long;
use crate::support_error;

/// Methods.
pub static METHODS: &[NativeDef] = &[
    NativeDef::new("to_i", to_i, 0, 1).leaf(),
    NativeDef::new("to_f", to_f, 0, 0).leaf(),
    NativeDef::new("to_r", to_r, 0, 0).leaf(),
    NativeDef::new("to_c", to_c, 0, 0).leaf(),
    NativeDef::new("hex", hex, 0, 0).leaf(),
    NativeDef::new("oct", oct, 0, 0).leaf(),
];

/// Decimal digits that cannot overflow, and nothing else.
fn plain_digits(s: &[u8]) -> Option<i64> {
    if s.is_empty() || s.len() > 18 {
        return None;
    }
    let mut n = 0;
    for &b in s {
        if !b.is_ascii_digit() {
            return None;
        }
        n = n * 10 + i64::from(b - b'0');
    }
    Some(n)
}

fn parse(ec: &mut Ec, this: Value, base: i64) -> Res {
    util::check_ascii_compatible(ec, this)?;
    let _digits = ec.charge(string::len(this))?;
    let read = string::with_bytes(ec, this, |s, _| match plain_digits(s) {
        Some(n) if base == 10 => Ok(Read::Number(Int::from(n))),
        _ => int_parse::read_int_prefix(s, base),
    });
    let read = support_error::check(ec, read)?;
    let n = long::of_text(ec, read)?;
    let made = bigint::from_int(ec, n);
    ec.check(this, made)
}

fn to_i(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let base = match args.get(0) {
        Some(v) => util::outcall(ec, |ec| ec.to_i32(v))?.into(),
        None => 10,
    };
    if base < 0 || base == 1 || base > 36 {
        return Err(ec.arg_error(format!("invalid radix {base}")));
    }
    parse(ec, this, base)
}

fn to_f(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let f = string::with_bytes(ec, this, |s, _| float_fmt::parse_float_prefix(s));
    ec.float(f)
}

fn hex(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    parse(ec, this, 16)
}

fn oct(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    // A prefix says otherwise; without one the digits are octal.
    let prefixed = string::with_bytes(ec, this, |s, _| {
        let s = s.trim_ascii_start();
        let s = s.strip_prefix(b"-").or_else(|| s.strip_prefix(b"+")).unwrap_or(s);
        matches!(s, [b'0', b'x' | b'X' | b'b' | b'B' | b'o' | b'O' | b'd' | b'D', ..])
    });
    parse(ec, this, if prefixed { 0 } else { 8 })
}

/// A decimal number at the front of a text.
#[derive(Default)]
struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    /// How many of the digits are behind the point.
    fraction: usize,
    exponent: i64,
    /// Written with a point or an exponent.
    float: bool,
    denominator: Vec<u8>,
    /// The power of ten that the denominator is to be multiplied by.
    denominator_scale: i64,
}

/// Digits with single underscores between them; how many bytes they take.
fn digits(s: &[u8], out: &mut Vec<u8>) -> usize {
    let mut at = 0;
    while let Some(&b) = s.get(at) {
        if b.is_ascii_digit() {
            out.push(b);
            at += 1;
        } else if b == b'_' && at > 0 && s.get(at + 1).is_some_and(u8::is_ascii_digit) {
            at += 1;
        } else {
            break;
        }
    }
    at
}

/// Reads an unsigned decimal with a denominator of digits, as of a Complex; how many bytes it takes, 0 for none.
fn decimal(s: &[u8], number: &mut Decimal) -> usize {
    let mut at = amount(s, number);
    if at > 0 && s.get(at) == Some(&b'/') {
        let n = s.get(at + 1..).map_or(0, |rest| digits(rest, &mut number.denominator));
        if n > 0 {
            at += 1 + n;
        }
    }
    at
}

/// Reads an unsigned decimal whose denominator may be one too, as of a Rational.
fn ratio(s: &[u8], number: &mut Decimal) -> usize {
    let at = amount(s, number);
    if at == 0 || s.get(at) != Some(&b'/') {
        return at;
    }
    let mut below = Decimal::default();
    let n = amount(&s[at + 1..], &mut below);
    if n == 0 {
        return at;
    }
    number.denominator_scale = below.exponent.saturating_sub(below.fraction as i64);
    number.denominator = below.digits;
    at + 1 + n
}

/// Reads an unsigned decimal; how many bytes it takes, 0 for none.
fn amount(s: &[u8], number: &mut Decimal) -> usize {
    let mut at = digits(s, &mut number.digits);
    let has_fraction = s.get(at) == Some(&b'.') && s.get(at + 1).is_some_and(u8::is_ascii_digit);
    if at == 0 && !has_fraction {
        return 0;
    }
    if has_fraction {
        let before = number.digits.len();
        at += 1 + digits(&s[at + 1..], &mut number.digits);
        number.fraction = number.digits.len() - before;
        number.float = true;
    }
    if matches!(s.get(at), Some(b'e' | b'E')) {
        let signed = matches!(s.get(at + 1), Some(b'-' | b'+'));
        let from = at + 1 + usize::from(signed);
        let mut exponent = Vec::new();
        let n = s.get(from..).map_or(0, |rest| digits(rest, &mut exponent));
        if n > 0 {
            let text = String::from_utf8_lossy(&exponent).into_owned();
            let value: i64 = text.parse().unwrap_or(i64::MAX / 2);
            number.exponent = if s.get(at + 1) == Some(&b'-') { -value } else { value };
            number.float = true;
            at = from + n;
        }
    }
    at
}

/// Exponents beyond this make no number that could be held.
const MAX_EXPONENT: i64 = 1 << 22;

/// The number that digits stand for.
fn big(ec: &mut Ec, digits: &[u8]) -> Res<BigInt> {
    if digits.is_empty() {
        return Ok(BigInt::ZERO);
    }
    let _copy = ec.charge(digits.len())?;
    let read = Read::Digits { negative: false, digits: digits.to_vec(), radix: 10 };
    Ok(long::of_text(ec, read)?.to_big())
}

/// `n * 10**exponent`
fn scaled(ec: &mut Ec, n: &BigInt, exponent: u64) -> Res<BigInt> {
    let power = long::power(ec, &Int::Small(10), &Int::from(exponent))?.to_big();
    long::product(ec, n, &power)
}

/// The number as a Rational.
fn rational(ec: &mut Ec, number: &Decimal) -> Res {
    let mut top = big(ec, &number.digits)?;
    let mut bottom = if number.denominator.is_empty() { BigInt::from(1) } else { big(ec, &number.denominator)? };
    let scale = number.exponent.saturating_sub(number.fraction as i64).saturating_sub(number.denominator_scale);
    if top == BigInt::ZERO || scale < -MAX_EXPONENT {
        top = BigInt::ZERO;
    } else if scale > MAX_EXPONENT {
        return Err(ec.raise(Exc::FloatDomainError, "Infinity"));
    } else if scale >= 0 {
        top = scaled(ec, &top, scale.unsigned_abs())?;
    } else {
        bottom = scaled(ec, &bottom, scale.unsigned_abs())?;
    }
    if number.negative {
        top = -top;
    }
    if bottom == BigInt::ZERO {
        return Err(ec.zero_div());
    }
    let top = ec.bigint(top)?;
    let bottom = ec.bigint(bottom)?;
    util::outcall(ec, |ec| (ec.vm().hooks.new_rational)(ec, top, bottom))
}

/// Strips the sign; is it negative?
fn sign(s: &[u8]) -> (bool, &[u8]) {
    match s {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, s),
    }
}

/// Without white space in front, of which the vertical tab is one.
fn without_space(s: &[u8]) -> &[u8] {
    let n = s.iter().take_while(|b| matches!(b, b' ' | b'\t'..=b'\r')).count();
    &s[n..]
}

fn to_r(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    util::check_ascii_compatible(ec, this)?;
    let _digits = ec.charge(string::len(this).saturating_mul(2))?;
    let bytes = string::read(ec, this);
    let (negative, rest) = sign(without_space(&bytes));
    let mut number = Decimal { negative, ..Decimal::default() };
    if ratio(rest, &mut number) == 0 {
        number.digits = vec![b'0'];
    }
    rational(ec, &number)
}

/// The number as what its spelling says: an Integer, a Float or a Rational.
fn real(ec: &mut Ec, number: &Decimal) -> Res {
    if !number.denominator.is_empty() {
        return rational(ec, number);
    }
    if number.float {
        let split = number.digits.len() - number.fraction;
        let mut text = vec![];
        if number.negative {
            text.push(b'-');
        }
        text.extend_from_slice(&number.digits[..split]);
        if number.fraction > 0 {
            text.push(b'.');
            text.extend_from_slice(&number.digits[split..]);
        }
        text.extend_from_slice(format!("e{}", number.exponent).as_bytes());
        return ec.float(float_fmt::parse_float_prefix(&text));
    }
    let n = big(ec, &number.digits)?;
    ec.bigint(if number.negative { -n } else { n })
}

/// A signed number, or a sign alone in front of the imaginary unit, which stands for one.
fn component(s: &[u8]) -> Option<(Decimal, usize)> {
    let (negative, rest) = sign(s);
    let signed = s.len() - rest.len();
    let mut number = Decimal { negative, ..Decimal::default() };
    let n = decimal(rest, &mut number);
    if n > 0 {
        return Some((number, signed + n));
    }
    if matches!(rest.first(), Some(b'i' | b'I' | b'j' | b'J')) {
        number.digits = vec![b'1'];
        return Some((number, signed));
    }
    None
}

fn is_unit(s: &[u8], at: usize) -> bool {
    matches!(s.get(at), Some(b'i' | b'I' | b'j' | b'J'))
}

fn to_c(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    util::check_ascii_compatible(ec, this)?;
    let _digits = ec.charge(string::len(this).saturating_mul(2))?;
    let bytes = string::read(ec, this);
    let s = without_space(&bytes);
    let zero = Value::fixnum(0);
    let (real_part, imaginary) = match component(s) {
        None => (zero, zero),
        Some((first, n)) if is_unit(s, n) => (zero, real(ec, &first)?),
        Some((first, n)) => {
            let value = real(ec, &first)?;
            let rest = &s[n..];
            match rest.first() {
                Some(b'+' | b'-') => match component(rest) {
                    Some((second, n)) if is_unit(rest, n) => (value, real(ec, &second)?),
                    _ => (value, zero),
                },
                Some(b'@') => match component(&rest[1..]) {
                    Some((angle, _)) => {
                        let angle = real(ec, &angle)?;
                        let (r, a) = util::outcall(ec, |ec| Ok((ec.to_f64(value)?, ec.to_f64(angle)?)))?;
                        if a == 0.0 { (value, zero) } else { (ec.float(r * a.cos())?, ec.float(r * a.sin())?) }
                    }
                    None => (value, zero),
                },
                _ => (value, zero),
            }
        }
    };
    util::outcall(ec, |ec| (ec.vm().hooks.new_complex)(ec, real_part, imaginary))
}
