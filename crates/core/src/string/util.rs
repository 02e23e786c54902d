//! What the String methods share: argument conversion, compatible encodings, character offsets.

use std::ops::Range;

use asterism_object::string::{CodeRange, StrRef};
use asterism_object::types::Type;
use asterism_object::{Value, array, range, string};
use asterism_support::encoding::scan;
use asterism_support::{Encoding, Error, ErrorKind, encoding as encodings};
use asterism_vm::{Ec, Raised, Res};

use crate::support_error;

/// The encoding of a String.
#[inline]
pub fn encoding(v: Value) -> Encoding {
    of_index(string::encoding(v))
}

/// The encoding of an index that came from a String.
#[inline]
pub fn of_index(index: u8) -> Encoding {
    Encoding::from_index(usize::from(index)).unwrap_or(Encoding::BINARY)
}

/// The code range as the support crate names it.
#[inline]
pub fn known(range: CodeRange) -> Option<encodings::CodeRange> {
    match range {
        CodeRange::Unknown => None,
        CodeRange::SevenBit => Some(encodings::CodeRange::SevenBit),
        CodeRange::Valid => Some(encodings::CodeRange::Valid),
        CodeRange::Broken => Some(encodings::CodeRange::Broken),
    }
}

/// Runs something that may call Ruby from a leaf method: meanwhile the method does not count as running.
pub fn outcall<R>(ec: &mut Ec, body: impl FnOnce(&mut Ec) -> R) -> R {
    let leaf = std::mem::replace(&mut ec.fiber.leaf, Value::NULL);
    let result = body(ec);
    ec.fiber.leaf = leaf;
    result
}

/// An argument as a String.
///
/// # Errors
/// TypeError if it has no implicit conversion.
#[inline]
pub fn to_str(ec: &mut Ec, v: Value) -> Res {
    if v.is_type(Type::String) { Ok(v) } else { to_str_slow(ec, v) }
}

#[cold]
fn to_str_slow(ec: &mut Ec, v: Value) -> Res {
    match outcall(ec, |ec| ec.check_string(v))? {
        Some(s) => Ok(s),
        None => Err(ec.no_conversion(v, "String")),
    }
}

/// An argument as a machine integer.
///
/// # Errors
/// TypeError if it has no implicit conversion; RangeError if it is too big.
#[inline]
pub fn to_i64(ec: &mut Ec, v: Value) -> Res<i64> {
    match v.fixnum_value() {
        Some(n) => Ok(n),
        None => outcall(ec, |ec| ec.to_i64(v)),
    }
}

/// A Symbol from a name.
///
/// # Errors
/// RuntimeError when there are too many.
pub fn intern(ec: &mut Ec, name: &str) -> Res {
    match asterism_symbol::try_intern(name.as_bytes(), asterism_symbol::UTF_8) {
        Some(s) => Ok(Value::sym(s)),
        None => Err(ec.raise(asterism_vm::Exc::RuntimeError, "symbol table overflow")),
    }
}

/// The encoding that two strings have together, `None` if they do not fit (`Encoding.compatible?`).
pub fn compatible(ec: &mut Ec, a: Value, b: Value) -> Option<Encoding> {
    let (left, right) = (encoding(a), encoding(b));
    if left == right || string::is_empty(b) {
        return Some(left);
    }
    if string::is_empty(a) {
        let keep = left.is_ascii_compatible() && string::is_ascii_only(ec, b);
        return Some(if keep { left } else { right });
    }
    if !left.is_ascii_compatible() || !right.is_ascii_compatible() {
        return None;
    }
    if string::is_ascii_only(ec, b) {
        Some(left)
    } else if string::is_ascii_only(ec, a) {
        Some(right)
    } else {
        None
    }
}

/// How messages name an encoding.
pub fn shown(encoding: Encoding) -> &'static str {
    if encoding == Encoding::BINARY { "BINARY (ASCII-8BIT)" } else { encoding.name() }
}

/// `Encoding::CompatibilityError: incompatible character encodings: …`
#[cold]
pub fn incompatible(ec: &mut Ec, a: Encoding, b: Encoding) -> Raised {
    let message = format!("incompatible character encodings: {} and {}", shown(a), shown(b));
    support_error::raise(ec, &Error::new(ErrorKind::EncodingCompatibility, message))
}

/// The encoding that two strings have together.
///
/// # Errors
/// Encoding::CompatibilityError if they do not fit.
#[inline]
pub fn check_compatible(ec: &mut Ec, a: Value, b: Value) -> Res<Encoding> {
    if string::encoding(a) == string::encoding(b) {
        return Ok(encoding(a));
    }
    match compatible(ec, a, b) {
        Some(encoding) => Ok(encoding),
        None => Err(incompatible(ec, encoding(a), encoding(b))),
    }
}

/// `Encoding::CompatibilityError: incompatible encoding with this operation: …`
#[cold]
pub fn not_with_encoding(ec: &mut Ec, v: Value) -> Raised {
    let message = format!("incompatible encoding with this operation: {}", encoding(v).name());
    support_error::raise(ec, &Error::new(ErrorKind::EncodingCompatibility, message))
}

/// Numbers are read in encodings that know ASCII only.
///
/// # Errors
/// Encoding::CompatibilityError.
pub fn check_ascii_compatible(ec: &mut Ec, v: Value) -> Res<()> {
    let encoding = encoding(v);
    if encoding.is_ascii_compatible() {
        return Ok(());
    }
    let message = format!("ASCII incompatible encoding: {}", encoding.name());
    Err(support_error::raise(ec, &Error::new(ErrorKind::EncodingCompatibility, message)))
}

/// Is every character of the string one byte?
#[inline]
pub fn single_byte(ec: &mut Ec, v: Value) -> bool {
    string::coderange(ec, v) == CodeRange::SevenBit || encoding(v).is_single_byte()
}

/// The number of characters.
#[inline]
pub fn char_len(ec: &mut Ec, v: Value) -> usize {
    let range = string::coderange(ec, v);
    if range == CodeRange::SevenBit {
        return string::len(v);
    }
    string::with_bytes(ec, v, |s, e| scan::char_count(of_index(e), s, known(range)))
}

/// `start` and `len` in characters as an offset and a length in bytes, clipped at the end; `None` if `start` lies
/// outside or `len` is negative.
pub fn char_span(encoding: Encoding, s: &[u8], range: CodeRange, start: i64, len: i64) -> Option<(usize, usize)> {
    let len = usize::try_from(len).ok()?;
    let range = known(range);
    if range == Some(encodings::CodeRange::SevenBit) || encoding.is_single_byte() {
        return clip(s.len(), start, len);
    }
    let from_end = if start < 0 && range == Some(encodings::CodeRange::Valid) {
        usize::try_from(start.unsigned_abs()).ok().and_then(|n| scan::offset_from_end(encoding, s, n))
    } else {
        None
    };
    if let Some(from) = from_end {
        let n = scan::char_offset(encoding, &s[from..], len, range).unwrap_or(s.len() - from);
        return Some((from, n));
    }
    let start = if start < 0 {
        let count = scan::char_count(encoding, s, range);
        usize::try_from(start.checked_add(i64::try_from(count).ok()?)?).ok()?
    } else {
        usize::try_from(start).ok()?
    };
    let from = scan::char_offset(encoding, s, start, range)?;
    let rest = s.get(from..)?;
    let n = scan::char_offset(encoding, rest, len, range).unwrap_or(rest.len());
    Some((from, n))
}

/// `start` and `len` in elements of something `total` long, clipped at the end; `None` if `start` lies outside.
pub fn clip(total: usize, start: i64, len: usize) -> Option<(usize, usize)> {
    let start = if start < 0 { start.checked_add(i64::try_from(total).ok()?)? } else { start };
    let start = usize::try_from(start).ok()?;
    (start <= total).then(|| (start, len.min(total - start)))
}

/// What a Range says of something `total` long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// Start and length.
    In(i64, i64),
    /// It starts outside.
    Out,
}

/// The part of something `total` long that the Range `r` names.
///
/// # Errors
/// TypeError if its ends are no integers.
pub fn range_span(ec: &mut Ec, r: Value, total: usize) -> Res<Span> {
    let (low, high) = (range::begin(r), range::end(r));
    let begin = if low.is_nil() { 0 } else { to_i64(ec, low)? };
    let end = if high.is_nil() { -1 } else { to_i64(ec, high)? };
    let exclusive = range::exclude_end(r) && !high.is_nil();
    let total = total as i64;
    let start = if begin < 0 { begin.saturating_add(total) } else { begin };
    if start < 0 || start > total {
        return Ok(Span::Out);
    }
    let mut end = if end < 0 { end.saturating_add(total) } else { end };
    if !exclusive {
        end = end.saturating_add(1);
    }
    Ok(Span::In(start, end.min(total).saturating_sub(start).max(0)))
}

/// `RangeError: 5..6 out of range`
#[cold]
pub fn range_error(ec: &mut Ec, r: Value) -> Raised {
    match outcall(ec, |ec| ec.inspect_for_error(r)) {
        Ok(shown) => {
            let message = [&shown[..], b" out of range"].concat();
            ec.range_error(message)
        }
        Err(raised) => raised,
    }
}

/// A new String of bytes of `source`, in its encoding.
///
/// # Errors
/// NoMemoryError.
#[inline]
pub fn piece(ec: &mut Ec, source: &StrRef, seven_bit: bool, part: Range<usize>) -> Res {
    let bytes = source.as_bytes().get(part).unwrap_or(b"");
    let made = if seven_bit {
        string::new_cr(ec, bytes, source.encoding(), CodeRange::SevenBit)
    } else {
        string::new(ec, bytes, source.encoding())
    };
    ec.check(Value::NIL, made)
}

/// So many elements of a list are made between two looks at what asks for the thread's attention.
const BETWEEN_POLLS: usize = 4096;

/// Parts of a String as an Array of new Strings.
///
/// # Errors
/// NoMemoryError.
pub fn pieces(ec: &mut Ec, source: &StrRef, parts: impl Iterator<Item = Range<usize>>) -> Res {
    let expected = parts.size_hint().0;
    let mut list = if expected > PIECES { Some(ec.array_with_capacity(expected)?) } else { None };
    let seven_bit = source.is_ascii_only();
    // The Array of a few is made when it is known how many they are.
    let (mut few, mut count) = ([Value::NIL; PIECES], 0);
    for (i, part) in parts.enumerate() {
        if i % BETWEEN_POLLS == BETWEEN_POLLS - 1 {
            outcall(ec, Ec::poll)?;
        }
        if count == PIECES {
            list = Some(gathered(ec, list, &few)?);
            count = 0;
        }
        few[count] = piece(ec, source, seven_bit, part)?;
        count += 1;
    }
    gathered(ec, list, &few[..count])
}

/// So many pieces become elements of their Array at once.
const PIECES: usize = 16;

/// The Array, or else a new one, with these behind what it has.
fn gathered(ec: &mut Ec, list: Option<Value>, pieces: &[Value]) -> Res {
    let Some(list) = list else { return ec.array(pieces) };
    let done = array::extend(ec, list, pieces);
    ec.check(list, done)?;
    Ok(list)
}

/// A new String of these bytes.
///
/// # Errors
/// NoMemoryError.
#[inline]
pub fn make(ec: &mut Ec, bytes: &[u8], encoding: Encoding) -> Res {
    ec.str_enc(bytes, encoding.index())
}

/// Makes these bytes the String's.
///
/// # Errors
/// FrozenError, NoMemoryError.
pub fn assign(ec: &mut Ec, this: Value, bytes: &[u8], encoding: Encoding) -> Res<()> {
    let done = string::replace_bytes(ec, this, bytes, encoding.index());
    ec.check(this, done)
}

/// The String itself if no other thread can change it before the next safepoint, else a copy: what takes more than one look is
/// read as it was at one moment.
///
/// # Errors
/// NoMemoryError.
#[inline]
pub fn settled(ec: &mut Ec, s: Value) -> Res {
    match s.cell() {
        Some(cell) if !asterism_object::ownership::readable(ec, cell.header()) => {
            let copy = string::dup(ec, s);
            ec.check(s, copy)
        }
        _ => Ok(s),
    }
}
