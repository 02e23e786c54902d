//! Formatting one argument of `Kernel#format` by its directive.

use num_bigint::BigInt;
use num_traits::Signed;

use super::{Conv, Flags};
use crate::encoding::Encoding;
use crate::encoding::scan::{char_count, char_offset};
use crate::error::{Error, ErrorKind, Result};
use crate::float_fmt::frexp;
use crate::int::{Int, Rounding};

/// A directive whose width and precision are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The flags.
    pub flags: Flags,
    /// The least number of characters.
    pub width: Option<usize>,
    /// Digits or characters, by the kind.
    pub precision: Option<usize>,
    /// The kind.
    pub conv: Conv,
}

/// Longer results than this are refused as CRuby refuses strings it cannot allocate.
const MAX_LEN: usize = 1 << 31;

impl Spec {
    fn check_size(&self) -> Result<()> {
        if self.width.unwrap_or(0) >= MAX_LEN || self.precision.unwrap_or(0) >= MAX_LEN {
            return Err(Error::new(ErrorKind::NoMemory, "failed to allocate memory"));
        }
        Ok(())
    }

    fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.flags.plus, self.flags.space) {
            (true, _, _) => b"-",
            (_, true, _) => b"+",
            (_, _, true) => b" ",
            _ => b"",
        }
    }

    /// Pads `text`, which counts as `len` characters, with spaces to the width.
    fn pad(&self, text: &[u8], len: usize, out: &mut Vec<u8>) {
        let fill = self.width.unwrap_or(0).saturating_sub(len);
        if !self.flags.minus {
            out.resize(out.len() + fill, b' ');
        }
        out.extend_from_slice(text);
        if self.flags.minus {
            out.resize(out.len() + fill, b' ');
        }
    }

    /// Sign, prefix and digits, padded with zeros after the prefix or with spaces outside.
    fn pad_number(&self, sign: &[u8], prefix: &[u8], body: &[u8], out: &mut Vec<u8>) {
        let len = sign.len() + prefix.len() + body.len();
        if self.flags.zero && !self.flags.minus {
            out.extend_from_slice(sign);
            out.extend_from_slice(prefix);
            let fill = self.width.unwrap_or(0).saturating_sub(len);
            out.resize(out.len() + fill, b'0');
            out.extend_from_slice(body);
        } else {
            self.pad(&[sign, prefix, body].concat(), len, out);
        }
    }
}

/// `%d %b %o %x`: an Integer.
pub fn format_int(spec: &Spec, n: &Int, out: &mut Vec<u8>) -> Result<()> {
    format_int_as(spec, n, None, out)
}

/// The same of a number whose digits in base ten, without a sign, may be known.
pub fn format_int_as(spec: &Spec, n: &Int, decimal: Option<String>, out: &mut Vec<u8>) -> Result<()> {
    spec.check_size()?;
    let (radix, bits, prefix, upper): (i64, u64, &[u8], bool) = match spec.conv {
        Conv::Binary(upper) => (2, 1, if upper { b"0B" } else { b"0b" }, upper),
        Conv::Octal => (8, 3, b"0", false),
        Conv::Hex(upper) => (16, 4, if upper { b"0X" } else { b"0x" }, upper),
        _ => (10, 0, b"", false),
    };
    let negative = n.is_negative();
    let signed = radix == 10 || spec.flags.plus || spec.flags.space;
    let dots = negative && !signed;
    let mut digits = match decimal {
        Some(digits) if radix == 10 => digits,
        _ if dots => twos_complement(n, radix, bits)?,
        _ => n.abs().to_s(radix)?,
    };
    if upper {
        digits.make_ascii_uppercase();
    }
    let mut digits = digits.as_bytes();
    let mut prefix = if spec.flags.alt { prefix } else { b"" };
    let zero = digits == b"0";
    let mut precision = spec.precision;
    if dots {
        precision = precision.map(|p| p.saturating_sub(2));
    }
    if radix == 8 && !prefix.is_empty() {
        if dots || precision.is_some_and(|p| p > digits.len()) {
            prefix = b"";
        } else if zero {
            digits = b"";
            precision = precision.map(|p| p.saturating_sub(1));
        }
    } else if zero {
        prefix = b"";
    }
    let sign = if signed { spec.sign(negative) } else { b"" };
    let mark: &[u8] = if dots { b".." } else { b"" };
    let outer = sign.len() + prefix.len() + mark.len();
    if zero && precision == Some(0) && prefix.is_empty() {
        digits = b"";
    }
    let (inner, spaces) = match precision {
        None if spec.flags.zero && !spec.flags.minus => {
            (spec.width.unwrap_or(0).saturating_sub(outer).max(digits.len()), 0)
        }
        _ => {
            let inner = precision.unwrap_or(0).max(digits.len());
            (inner, spec.width.unwrap_or(0).saturating_sub(outer + inner))
        }
    };
    if !spec.flags.minus {
        out.resize(out.len() + spaces, b' ');
    }
    out.extend_from_slice(&[sign, prefix, mark].concat());
    let fill = match (dots, spec.conv) {
        (true, Conv::Hex(upper)) => {
            if upper {
                b'F'
            } else {
                b'f'
            }
        }
        (true, Conv::Octal) => b'7',
        (true, _) => b'1',
        _ => b'0',
    };
    out.resize(out.len() + inner - digits.len(), fill);
    out.extend_from_slice(digits);
    if spec.flags.minus {
        out.resize(out.len() + spaces, b' ');
    }
    Ok(())
}

/// The digits of a negative number with exactly one of the infinitely many leading ones.
fn twos_complement(n: &Int, radix: i64, bits: u64) -> Result<String> {
    let count = n.bit_length().div_ceil(bits) + 1;
    let modulus = Int::Small(1).shl(&Int::from(count * bits))?;
    let text = modulus.add(n).to_s(radix)?;
    let fill = match radix {
        16 => 'f',
        8 => '7',
        _ => '1',
    };
    let rest = text.trim_start_matches(fill);
    Ok(format!("{fill}{rest}"))
}

/// `%f %e %g %a`: a Float.
pub fn format_float(spec: &Spec, f: f64, out: &mut Vec<u8>) -> Result<()> {
    spec.check_size()?;
    let sign = spec.sign(f.is_sign_negative() && !f.is_nan());
    if !f.is_finite() {
        let text = [sign, if f.is_nan() { b"NaN" } else { b"Inf" }].concat();
        spec.pad(&text, text.len(), out);
        return Ok(());
    }
    let f = f.abs();
    let (mut body, upper) = match spec.conv {
        Conv::Exp(upper) => (exp_text(f, spec.precision.unwrap_or(6), spec.flags.alt), upper),
        Conv::General(upper) => (general_text(f, spec.precision.unwrap_or(6), spec.flags.alt), upper),
        Conv::HexFloat(upper) => (hex_text(f, spec.precision, spec.flags.alt), upper),
        _ => (fixed_text(f, spec.precision.unwrap_or(6), spec.flags.alt), false),
    };
    let prefix: &[u8] = match spec.conv {
        Conv::HexFloat(true) => b"0X",
        Conv::HexFloat(false) => b"0x",
        _ => b"",
    };
    if upper {
        body.make_ascii_uppercase();
    }
    spec.pad_number(sign, prefix, body.as_bytes(), out);
    Ok(())
}

/// No float has more decimal digits than this on either side of the point.
const MAX_DIGITS: usize = 1100;

/// Most digits that CRuby's conversion gets by floating point before it turns to exact arithmetic.
const QUICK_MAX: i64 = 14;

/// Ten to the power of this is less than 2^74.
const MOST_SCALED: usize = 22;

/// CRuby rounds a float to few digits by floating point first, and takes what is within that arithmetic's error of a
/// half for a half, which goes to the even digit: `2.675` gives `2.68` and `8.345` gives `8.34`. For such a float
/// above zero, its `count(exponent)` leading digits not yet rounded, and the exponent of the first one.
fn near_half(f: f64, count: impl Fn(i64) -> i64) -> Option<(i64, i64)> {
    if !f.is_normal() {
        return None;
    }
    let exponent = decimal_exponent(f)?;
    let guess = guessed_exponent(f).max(exponent);
    let (count, guessed_count) = (count(exponent), count(guess));
    if count < 1 || guessed_count > QUICK_MAX {
        return None;
    }
    // The factors that bring the float to one digit before the point, with what each adds to the error.
    let (mut d, mut error) = (f, 2.0);
    let power = guess.unsigned_abs();
    let factors = [1e16, 1e32, 1e64, 1e128, 1e256].into_iter().enumerate().filter(|(i, _)| power >> (4 + i) & 1 == 1);
    let small = 10f64.powi((power & 15) as i32);
    if guess >= 0 {
        d /= factors.fold(small, |scale, (_, factor)| {
            error += 1.0;
            scale * factor
        });
    } else {
        d = factors.fold(d * small, |d, (_, factor)| {
            error += 1.0;
            d * factor
        });
    }
    if guess > exponent {
        d *= 10.0;
        error += 1.0;
    }
    let tolerance = (error * d + 7.0) * f64::EPSILON * 10f64.powi(count as i32 - 1);
    let mut digits = 0i64;
    for i in 1..=count {
        let digit = d as i64;
        d -= digit as f64;
        digits = digits * 10 + digit;
        if i < count {
            d *= 10.0;
        }
    }
    if (d - 0.5).abs() > tolerance { None } else { Some((digits, exponent)) }
}

/// What CRuby's conversion takes for the exponent at first: below 1, where it does not correct it at once, it may be one too large.
fn guessed_exponent(f: f64) -> i64 {
    // A tangent of the logarithm at 1.5, for the mantissa, and the logarithm of two for each binary digit.
    let (mantissa, exponent) = frexp(f);
    let guess = (mantissa * 2.0 - 1.5) * 0.289_529_654_602_168
        + 0.176_091_259_055_8
        + f64::from(exponent - 1) * std::f64::consts::LOG10_2;
    if guess < 0.0 { guess.floor() as i64 } else { i64::MIN }
}

/// The exponent of the first decimal digit of a float above zero.
fn decimal_exponent(f: f64) -> Option<i64> {
    let logarithm = f.log10();
    let whole = logarithm.floor();
    // Right beside a power of ten the logarithm may lie on the other side.
    if (1e-9..1.0 - 1e-9).contains(&(logarithm - whole)) {
        return Some(whole as i64);
    }
    format!("{f:.17e}").split_once('e')?.1.parse().ok()
}

/// A float that is not negative times a power of ten as an integer, rounded half to even, and whether what was cut off is so near
/// a half that `near_half` has to look. `None` where that takes more than 128 bits.
fn scaled(f: f64, precision: usize) -> Option<(u128, bool)> {
    const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = f.to_bits();
    let biased = (bits >> FRACTION) as u32;
    let fraction = bits & ((1 << FRACTION) - 1);
    // The float is `mantissa` divided by two to the power of `shift`.
    let (mantissa, shift) = match biased {
        0 => return None,
        _ => (fraction | 1 << FRACTION, (1023 + FRACTION).checked_sub(biased)?),
    };
    if precision > MOST_SCALED || !(1..u128::BITS).contains(&shift) {
        return None;
    }
    let product = u128::from(mantissa) * 10_u128.pow(precision as u32);
    let (whole, rest, half) = (product >> shift, product & ((1 << shift) - 1), 1_u128 << (shift - 1));
    let up = rest > half || rest == half && whole & 1 == 1;
    // Nothing that is further away than a tenth is taken for a half.
    Some((whole + u128::from(up), rest.abs_diff(half) <= half / 5))
}

/// The decimal digits of an integer, with a point before so many of them.
fn with_point(scaled: u128, precision: usize) -> String {
    // Short ones are divided faster.
    let mut text = match u64::try_from(scaled) {
        Ok(short) => format!("{short:0width$}", width = precision + 1),
        Err(_) => format!("{scaled:0width$}", width = precision + 1),
    };
    if precision > 0 {
        text.insert(text.len() - precision, '.');
    }
    text
}

fn fixed_text(f: f64, precision: usize, alt: bool) -> String {
    let mut text = if let Some((scaled, false)) = scaled(f, precision) {
        with_point(scaled, precision)
    } else if let Some((digits, _)) = near_half(f, |exponent| precision as i64 + exponent + 1) {
        with_point((digits + (digits & 1)).unsigned_abs().into(), precision)
    } else {
        format!("{f:.*}", precision.min(MAX_DIGITS))
    };
    text.extend(std::iter::repeat_n('0', precision.saturating_sub(MAX_DIGITS)));
    if alt && precision == 0 {
        text.push('.');
    }
    text
}

/// A float's decimal digits, rounded.
struct Digits {
    text: String,
    /// That of the first digit.
    exponent: i32,
    /// Zeros at the end stay in `%g`: CRuby's conversion has rounded down there what is more than half.
    keeps_zeros: bool,
}

/// `f` rounded to `precision` digits after the first.
fn rounded(f: f64, precision: usize) -> Digits {
    let exact = format!("{f:.*e}", precision.min(MAX_DIGITS));
    let (mantissa, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let mut text: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    if let Some((digits, exponent)) = near_half(f, |_| precision as i64 + 1) {
        let keeps_zeros = digits % 10 == 0 && text.ends_with('1');
        let mut text = (digits + (digits & 1)).to_string();
        let carry = text.len() > precision + 1;
        text.truncate(precision + 1);
        return Digits { text, exponent: exponent as i32 + i32::from(carry), keeps_zeros };
    }
    text.extend(std::iter::repeat_n('0', precision.saturating_sub(MAX_DIGITS)));
    Digits { text, exponent: exponent.parse().unwrap_or(0), keeps_zeros: false }
}

fn exp_suffix(exp: i32) -> String {
    format!("e{}{:02}", if exp < 0 { '-' } else { '+' }, exp.unsigned_abs())
}

fn exp_text(f: f64, precision: usize, alt: bool) -> String {
    let Digits { text, exponent, .. } = rounded(f, precision);
    let (first, rest) = text.split_at(1);
    let point = if rest.is_empty() && !alt { "" } else { "." };
    format!("{first}{point}{rest}{}", exp_suffix(exponent))
}

fn general_text(f: f64, precision: usize, alt: bool) -> String {
    let precision = precision.max(1);
    let Digits { mut text, exponent, keeps_zeros } = rounded(f, precision - 1);
    let mut suffix = String::new();
    let mut whole = 1;
    if exponent < -4 || i64::from(exponent) >= precision as i64 {
        suffix = exp_suffix(exponent);
    } else if exponent < 0 {
        text.insert_str(0, &"0".repeat(exponent.unsigned_abs() as usize));
    } else {
        whole += exponent as usize;
    }
    text.insert(whole, '.');
    if !alt && !keeps_zeros {
        text.truncate(text.trim_end_matches('0').len());
    }
    if !alt && text.ends_with('.') {
        text.pop();
    }
    text + &suffix
}

/// `%a` without its `0x`.
fn hex_text(f: f64, precision: Option<usize>, alt: bool) -> String {
    if f == 0.0 {
        let zeros = "0".repeat(precision.unwrap_or(0));
        let point = if zeros.is_empty() && !alt { "" } else { "." };
        return format!("0{point}{zeros}p+0");
    }
    let (m, e) = frexp(f);
    let mut exp = e - 1;
    // 1.52 bits: the leading one and thirteen hexadecimal digits.
    let mut bits = (m * 2f64.powi(53)) as u64;
    let mut digits = match precision {
        Some(p) if p < 13 => {
            let drop = 4 * (13 - p as u32);
            let (half, rest) = (1u64 << (drop - 1), bits & ((1 << drop) - 1));
            bits >>= drop;
            if rest > half || rest == half && bits & 1 == 1 {
                bits += 1;
            }
            if bits >> (53 - drop) != 0 {
                bits >>= 1;
                exp += 1;
            }
            format!("{:0width$x}", bits & ((1u64 << (4 * p)) - 1), width = p)
        }
        _ => format!("{:013x}", bits & ((1 << 52) - 1)),
    };
    match precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(0) => digits.clear(),
        Some(p) => digits.extend(std::iter::repeat_n('0', p.saturating_sub(13))),
    }
    let point = if digits.is_empty() && !alt { "" } else { "." };
    format!("1{point}{digits}p{exp:+}")
}

/// `%f` of an Integer or Rational, exactly: `num / den` with `den` above zero.
pub fn format_ratio(spec: &Spec, num: &BigInt, den: &BigInt, out: &mut Vec<u8>) -> Result<()> {
    spec.check_size()?;
    let scaled_digits = ratio_digits(spec, den);
    let power =
        u32::try_from(scaled_digits).map_err(|_| Error::new(ErrorKind::NoMemory, "failed to allocate memory"))?;
    let scaled = num.abs() * BigInt::from(10u32).pow(power);
    let digits = Int::divide_rounded(&scaled, den, Rounding::HalfUp).to_string();
    format_ratio_as(spec, num.is_negative(), scaled_digits, digits, out)
}

/// How many digits behind the point of `num / den` are worked out. Beyond some an exact expansion would be as long as the text
/// itself, which is fine; an Integer's are all zeros.
pub fn ratio_digits(spec: &Spec, den: &BigInt) -> usize {
    if *den == BigInt::from(1u32) { 0 } else { spec.precision.unwrap_or(6) }
}

/// The same of a number whose digits are known, of which so many stand behind the point.
pub fn format_ratio_as(
    spec: &Spec,
    negative: bool,
    scaled_digits: usize,
    mut digits: String,
    out: &mut Vec<u8>,
) -> Result<()> {
    spec.check_size()?;
    let precision = spec.precision.unwrap_or(6);
    let sign = spec.sign(negative);
    if digits.len() <= scaled_digits {
        digits.insert_str(0, &"0".repeat(scaled_digits + 1 - digits.len()));
    }
    digits.push_str(&"0".repeat(precision - scaled_digits));
    if precision > 0 || spec.flags.alt {
        digits.insert(digits.len() - precision, '.');
    }
    spec.pad_number(sign, b"", digits.as_bytes(), out);
    Ok(())
}

/// `%s %p %{name}`: a string; width and precision count characters.
pub fn format_str(spec: &Spec, enc: Encoding, s: &[u8], out: &mut Vec<u8>) -> Result<()> {
    spec.check_size()?;
    if spec.width.is_none() && spec.precision.is_none() {
        out.extend_from_slice(s);
        return Ok(());
    }
    let end = spec.precision.and_then(|p| char_offset(enc, s, p, None)).unwrap_or(s.len());
    let s = &s[..end.min(s.len())];
    let len = if spec.width.is_some() { char_count(enc, s, None) } else { 0 };
    spec.pad(s, len, out);
    Ok(())
}

/// `%c`: the bytes of the string argument, or of the one character an Integer argument encodes.
/// Only the first character is used.
pub fn format_char(spec: &Spec, enc: Encoding, s: &[u8], out: &mut Vec<u8>) -> Result<()> {
    format_str(&Spec { precision: Some(1), ..*spec }, enc, s, out)
}
