//! Float to text and text to Float: `Float#to_s`, float literals, `String#to_f`, `Kernel#Float`.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::inspect::inspect_for_message;

#[cfg(test)]
mod tests;

/// The shortest decimal digits of a finite, non-zero float that read back as the same float,
/// without sign, and the position of the decimal point: the value is `0.DIGITS * 10**point`.
pub fn shortest_digits(f: f64) -> (Vec<u8>, i32) {
    let mut buf = zmij::Buffer::new();
    let text = buf.format_finite(f.abs()).as_bytes();
    let (mantissa, exp) = match text.iter().position(|&b| b == b'e') {
        Some(at) => (&text[..at], parse_small_exp(&text[at + 1..])),
        None => (text, 0),
    };
    let mut digits = Vec::with_capacity(20);
    let mut point = None;
    for &b in mantissa {
        if b == b'.' {
            point = Some(digits.len() as i32);
        } else {
            digits.push(b);
        }
    }
    let mut point = point.unwrap_or(digits.len() as i32) + exp;
    let lead = digits.iter().take_while(|&&b| b == b'0').count();
    digits.drain(..lead);
    point -= lead as i32;
    while digits.last() == Some(&b'0') {
        digits.pop();
    }
    if digits.is_empty() {
        return (vec![b'0'], 1);
    }
    (digits, point)
}

fn parse_small_exp(text: &[u8]) -> i32 {
    let (neg, digits) = match text.first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let n = digits.iter().fold(0i32, |n, &b| n * 10 + i32::from(b - b'0'));
    if neg { -n } else { n }
}

/// `Float#to_s`.
pub fn float_to_s(f: f64) -> String {
    if f.is_nan() {
        return "NaN".to_string();
    }
    if f.is_infinite() {
        return if f > 0.0 { "Infinity" } else { "-Infinity" }.to_string();
    }
    if f == 0.0 {
        return if f.is_sign_negative() { "-0.0" } else { "0.0" }.to_string();
    }
    let (digits, point) = shortest_digits(f);
    let mut out = Vec::with_capacity(24);
    if f < 0.0 {
        out.push(b'-');
    }
    // A whole number of 16 digits is written with an exponent, one with a fraction is not.
    if (1..=15).contains(&point) || point == 16 && digits.len() > 16 {
        let point = point as usize;
        if digits.len() <= point {
            out.extend_from_slice(&digits);
            out.resize(out.len() + point - digits.len(), b'0');
            out.extend_from_slice(b".0");
        } else {
            out.extend_from_slice(&digits[..point]);
            out.push(b'.');
            out.extend_from_slice(&digits[point..]);
        }
    } else if (-3..=0).contains(&point) {
        out.extend_from_slice(b"0.");
        out.resize(out.len() + point.unsigned_abs() as usize, b'0');
        out.extend_from_slice(&digits);
    } else {
        out.push(digits[0]);
        out.push(b'.');
        if digits.len() == 1 {
            out.push(b'0');
        } else {
            out.extend_from_slice(&digits[1..]);
        }
        let exp = point - 1;
        let sign = if exp < 0 { '-' } else { '+' };
        out.extend_from_slice(format!("e{sign}{:02}", exp.unsigned_abs()).as_bytes());
    }
    // Only ASCII was pushed.
    String::from_utf8_lossy(&out).into_owned()
}

/// Whether a byte is whitespace to Ruby's number parsers and `String#strip`.
pub(crate) fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

/// How far `digit (_? digit)*` reaches from `start` on.
fn digits_end(s: &[u8], start: usize) -> usize {
    let mut pos = start;
    while let Some(&b) = s.get(pos) {
        if b.is_ascii_digit() || b == b'_' && pos > start && s.get(pos + 1).is_some_and(u8::is_ascii_digit) {
            pos += 1;
        } else {
            break;
        }
    }
    pos
}

/// How many bytes the decimal float at the start of `s` spans; 0 where there is none.
fn decimal_end(s: &[u8]) -> usize {
    let int_start = usize::from(matches!(s.first(), Some(b'+' | b'-')));
    let mut pos = digits_end(s, int_start);
    let has_int = pos > int_start;
    let mut has_fraction = false;
    if s.get(pos) == Some(&b'.') {
        let end = digits_end(s, pos + 1);
        has_fraction = end > pos + 1;
        // Since 3.4 the digits after the point may be missing.
        if has_fraction || has_int && s.get(end) != Some(&b'_') {
            pos = end;
        }
    }
    if !has_int && !has_fraction {
        return 0;
    }
    if let Some(b'e' | b'E') = s.get(pos) {
        let at = pos + 1 + usize::from(matches!(s.get(pos + 1), Some(b'+' | b'-')));
        let end = digits_end(s, at);
        if end > at {
            pos = end;
        }
    }
    pos
}

/// Digits, signs and letters without the underscores between them, as `str::parse` takes them.
fn without_underscores(s: &[u8]) -> Cow<'_, str> {
    if s.contains(&b'_') {
        s.iter().filter(|&&b| b != b'_').map(|&b| char::from(b)).collect()
    } else {
        String::from_utf8_lossy(s)
    }
}

fn text_to_f64(text: &[u8]) -> f64 {
    // The scanner only lets through what `parse` accepts; a huge exponent gives 0 or infinity.
    without_underscores(text).parse::<f64>().unwrap_or(0.0)
}

fn skip_space(s: &[u8]) -> &[u8] {
    let n = s.iter().take_while(|&&b| is_space(b)).count();
    &s[n..]
}

/// `String#to_f`: the longest float at the start, 0.0 if there is none.
pub fn parse_float_prefix(s: &[u8]) -> f64 {
    let s = skip_space(s);
    // Hexadecimal only behind a sign, as CRuby has it.
    if let [b'-' | b'+', b'0', b'x' | b'X', digits @ ..] = s {
        return hex_prefix(s, digits);
    }
    match decimal_end(s) {
        0 => 0.0,
        end => text_to_f64(&s[..end]),
    }
}

/// The hexadecimal float at the start of `s`, whose digits begin at `digits`; zero without any.
fn hex_prefix(s: &[u8], digits: &[u8]) -> f64 {
    let run = |s: &[u8], is: fn(&u8) -> bool| s.iter().take_while(|b| is(b)).count();
    let head = s.len() - digits.len();
    let mut len = run(digits, u8::is_ascii_hexdigit);
    if let [b'.', rest @ ..] = &digits[len..] {
        let fraction = run(rest, u8::is_ascii_hexdigit);
        len += if fraction > 0 { 1 + fraction } else { 0 };
    }
    if let [b'p' | b'P', rest @ ..] = &digits[len..] {
        let sign = usize::from(matches!(rest, [b'-' | b'+', ..]));
        let exponent = run(&rest[sign..], u8::is_ascii_digit);
        len += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    parse_hex(&s[..head + len]).flatten().unwrap_or(0.0)
}

/// `Kernel#Float` of a string.
pub fn parse_float_strict(s: &[u8]) -> Result<f64> {
    if s.contains(&0) {
        return Err(Error::argument("string for Float contains null byte"));
    }
    parse_float_opt(s).ok_or_else(|| {
        let mut message = b"invalid value for Float(): ".to_vec();
        message.extend_from_slice(&inspect_for_message(s));
        Error::argument(message)
    })
}

/// `Kernel#Float(s, exception: false)`: `None` where [`parse_float_strict`] fails.
pub fn parse_float_opt(s: &[u8]) -> Option<f64> {
    let mut body = skip_space(s);
    while let [rest @ .., last] = body
        && is_space(*last)
    {
        body = rest;
    }
    if let Some(f) = parse_hex(body) {
        return f;
    }
    parse_float_literal(body)
}

/// A float literal of the source text (`1_000.5e3`), `None` if it is not one.
pub fn parse_float_literal(s: &[u8]) -> Option<f64> {
    let end = decimal_end(s);
    (end > 0 && end == s.len()).then(|| text_to_f64(s))
}

/// Outer `None`: not hexadecimal text at all. Inner `None`: hexadecimal but malformed.
fn parse_hex(s: &[u8]) -> Option<Option<f64>> {
    let (negative, rest) = match s.first() {
        Some(b'-') => (true, &s[1..]),
        Some(b'+') => (false, &s[1..]),
        _ => (false, s),
    };
    let digits = rest.strip_prefix(b"0x").or_else(|| rest.strip_prefix(b"0X"))?;
    Some(parse_hex_body(digits).map(|f| if negative { -f } else { f }))
}

fn parse_hex_body(s: &[u8]) -> Option<f64> {
    // The first 15 significant digits exactly; what follows only matters as "not zero".
    let mut mantissa: u64 = 0;
    let mut exp: i64 = 0;
    let mut sticky = false;
    let mut push = |digit: u32, fraction: bool| {
        if mantissa >> 58 == 0 {
            mantissa = mantissa << 4 | u64::from(digit);
            if fraction {
                exp -= 4;
            }
        } else {
            sticky |= digit != 0;
            if !fraction {
                exp += 4;
            }
        }
    };
    // Digits from a place on, with single underscores between them; where they end.
    let mut digits = |start: usize, fraction: bool| {
        let mut pos = start;
        while let Some(&b) = s.get(pos) {
            if let Some(d) = (b as char).to_digit(16) {
                push(d, fraction);
            } else if !(b == b'_' && pos > start && s.get(pos + 1).is_some_and(u8::is_ascii_hexdigit)) {
                break;
            }
            pos += 1;
        }
        pos
    };
    let mut pos = digits(0, false);
    let is_whole = pos > 0;
    if !is_whole && s.get(pos) != Some(&b'.') {
        return None;
    }
    if s.get(pos) == Some(&b'.') {
        let start = pos + 1;
        pos = digits(start, true);
        if pos == start && !is_whole {
            return None;
        }
    }
    if let Some(b'p' | b'P') = s.get(pos) {
        let at = pos + 1 + usize::from(matches!(s.get(pos + 1), Some(b'+' | b'-')));
        let end = digits_end(s, at);
        if end == at {
            return None;
        }
        let text = without_underscores(&s[pos + 1..end]);
        exp = exp.saturating_add(text.parse::<i64>().unwrap_or(if text.starts_with('-') {
            i64::MIN / 2
        } else {
            i64::MAX / 2
        }));
        pos = end;
    }
    if pos != s.len() {
        return None;
    }
    Some(ldexp(mantissa | u64::from(sticky), exp.clamp(-100_000, 100_000) as i32))
}

/// `mantissa * 2**exp`; `mantissa` is rounded once unless the result is subnormal.
fn ldexp(mantissa: u64, exp: i32) -> f64 {
    scale(mantissa as f64, exp)
}

/// `f * 2**exp` without overflow of the intermediate powers (`Math.ldexp`).
pub fn scale(f: f64, exp: i32) -> f64 {
    // 2**e for e in -1022..=1023.
    let power = |e: i32| f64::from_bits(((e + 1023) as u64) << 52);
    let (mut f, mut exp) = (f, exp.clamp(-3000, 3000));
    for _ in 0..2 {
        if exp > 1023 {
            f *= power(1023);
            exp -= 1023;
        } else if exp < -1022 {
            // Stop 53 bits above the subnormal range, so that only the last step rounds.
            f *= power(-1022 + 53);
            exp += 1022 - 53;
        }
    }
    f * power(exp.clamp(-1022, 1023))
}

/// `Math.frexp`: a fraction with magnitude in 0.5...1 and an exponent.
pub fn frexp(f: f64) -> (f64, i32) {
    if f == 0.0 || !f.is_finite() {
        return (f, 0);
    }
    let bits = f.to_bits();
    let biased = ((bits >> 52) & 0x7ff) as i32;
    if biased == 0 {
        let (m, e) = frexp(f * 2f64.powi(64));
        return (m, e - 64);
    }
    (f64::from_bits(bits & !(0x7ff << 52) | 1022 << 52), biased - 1022)
}
