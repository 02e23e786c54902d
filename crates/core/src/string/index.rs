//! Parts of a String by position or content: `[]`, `[]=`, `slice!`, `insert`, `byteslice`, `bytesplice`.

use asterism_object::string::CodeRange;
use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_support::encoding::scan;
use asterism_support::{Encoding, strutil};
use asterism_vm::{Args, Arguments, Ec, NativeDef, Res};

use super::update::{self, Once};
use super::util::{self, Span};
use crate::regexp::hooks;

/// Methods.
pub static METHODS: &[NativeDef] = &[
    NativeDef::new("[]", aref, 1, 2).leaf(),
    NativeDef::new("slice", aref, 1, 2).leaf(),
    NativeDef::new("[]=", aset, 2, 3).leaf(),
    NativeDef::new("slice!", slice_bang, 1, 2).leaf(),
    NativeDef::new("insert", insert, 2, 2).leaf(),
    NativeDef::new("byteslice", byteslice, 1, 2).leaf(),
    NativeDef::new("bytesplice", bytesplice, 2, 5).leaf(),
];

/// A part of a String as a new String.
fn part(ec: &mut Ec, this: Value, found: Option<(usize, usize)>) -> Res {
    match found {
        Some((start, len)) => {
            let made = string::substr(ec, this, start, len);
            ec.check(this, made)
        }
        None => Ok(Value::NIL),
    }
}

/// The bytes of `len` characters from character `start` on.
#[inline]
fn locate(ec: &mut Ec, this: Value, start: i64, len: i64) -> Option<(usize, usize)> {
    let range = string::coderange(ec, this);
    if range == CodeRange::SevenBit {
        return util::clip(string::len(this), start, usize::try_from(len).ok()?);
    }
    string::with_bytes(ec, this, |s, e| util::char_span(util::of_index(e), s, range, start, len))
}

/// The one character at `i`: nothing at the end.
#[inline]
fn locate_one(ec: &mut Ec, this: Value, i: i64) -> Option<(usize, usize)> {
    locate(ec, this, i, 1).filter(|found| found.1 > 0)
}

/// Where `needle` first stands, in bytes. What is no text stands nowhere.
///
/// # Errors
/// Encoding::CompatibilityError.
pub fn find(ec: &mut Ec, this: Value, needle: Value, from: usize) -> Res<Option<usize>> {
    let encoding = util::check_compatible(ec, this, needle)?;
    if string::coderange(ec, needle) == CodeRange::Broken {
        return Ok(None);
    }
    // In ASCII any place is a character's start.
    let encoding = if util::single_byte(ec, this) { Encoding::BINARY } else { encoding };
    Ok(string::with_both(ec, this, needle, |s, needle| strutil::find(encoding, s, needle, from)))
}

fn aref(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let this = util::settled(ec, this)?;
    let index = args[0];
    if let Some(len) = args.get(1) {
        if hooks::is_regexp(ec, index) {
            return util::outcall(ec, |ec| hooks::string_aref(ec, this, args));
        }
        let (start, len) = (util::to_i64(ec, index)?, util::to_i64(ec, len)?);
        let found = locate(ec, this, start, len);
        return part(ec, this, found);
    }
    if let Some(i) = index.fixnum_value() {
        let found = locate_one(ec, this, i);
        return part(ec, this, found);
    }
    if index.is_type(Type::Range) {
        let total = util::char_len(ec, this);
        return match util::range_span(ec, index, total)? {
            Span::In(start, len) => {
                let found = locate(ec, this, start, len);
                part(ec, this, found)
            }
            Span::Out => Ok(Value::NIL),
        };
    }
    if index.is_type(Type::String) {
        if find(ec, this, index, 0)?.is_none() {
            return Ok(Value::NIL);
        }
        let made = string::dup(ec, index);
        return ec.check(index, made);
    }
    if hooks::is_regexp(ec, index) {
        return util::outcall(ec, |ec| hooks::string_aref(ec, this, args));
    }
    let similar = util::outcall(ec, |ec| crate::range::of_similar(ec, index))?;
    if let Some(range) = similar {
        let total = util::char_len(ec, this);
        return match util::range_span(ec, range, total)? {
            Span::In(start, len) => {
                let found = locate(ec, this, start, len);
                part(ec, this, found)
            }
            Span::Out => Ok(Value::NIL),
        };
    }
    let i = util::to_i64(ec, index)?;
    let found = locate_one(ec, this, i);
    part(ec, this, found)
}

/// Replaces `len` characters from character `start` on; the result is `result`.
fn replace_part(ec: &mut Ec, this: Value, start: i64, len: i64, value: Value, result: Value) -> Once {
    let encoding = util::check_compatible(ec, this, value)?;
    match locate(ec, this, start, len) {
        Some(found) => {
            let bytes = string::read(ec, value);
            update::splice_own(ec, this, found, &bytes, encoding, result)
        }
        None => Err(ec.index_error(format!("index {start} out of string"))),
    }
}

fn aset(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if hooks::is_regexp(ec, args[0]) {
        update::change_matching(ec, this, args, aset_once)?;
    } else {
        update::change(ec, this, args, aset_once)?;
    }
    Ok(args[args.len() - 1])
}

/// The result is the String, never nil.
fn aset_once(ec: &mut Ec, this: Value, args: Args<'_>) -> Once {
    let index = args[0];
    if let Some(value) = args.get(2) {
        if hooks::is_regexp(ec, index) {
            return util::outcall(ec, |ec| hooks::string_aset(ec, this, args)).map(|_| Some(this));
        }
        // CRuby converts the length first.
        let len = util::to_i64(ec, args[1])?;
        let start = util::to_i64(ec, index)?;
        if len < 0 {
            return Err(ec.index_error(format!("negative length {len}")));
        }
        let replacement = util::to_str(ec, value)?;
        return replace_part(ec, this, start, len, replacement, this);
    }
    let value = args[1];
    if hooks::is_regexp(ec, index) {
        return util::outcall(ec, |ec| hooks::string_aset(ec, this, args)).map(|_| Some(this));
    }
    if index.is_type(Type::String) {
        let Some(at) = find(ec, this, index, 0)? else {
            return Err(ec.index_error("string not matched"));
        };
        let replacement = util::to_str(ec, value)?;
        let encoding = util::check_compatible(ec, this, replacement)?;
        let bytes = string::read(ec, replacement);
        return update::splice_own(ec, this, (at, string::len(index)), &bytes, encoding, this);
    }
    if index.is_type(Type::Range) {
        let total = util::char_len(ec, this);
        return match util::range_span(ec, index, total)? {
            Span::In(start, len) => {
                let replacement = util::to_str(ec, value)?;
                replace_part(ec, this, start, len, replacement, this)
            }
            Span::Out => Err(util::range_error(ec, index)),
        };
    }
    let i = util::to_i64(ec, index)?;
    let replacement = util::to_str(ec, value)?;
    replace_part(ec, this, i, 1, replacement, this)
}

/// Takes bytes out of a String and gives them as a new one.
fn cut(ec: &mut Ec, this: Value, found: Option<(usize, usize)>) -> Once {
    let Some(place) = found else {
        return Ok(Some(Value::NIL));
    };
    let made = part(ec, this, found)?;
    update::splice_own(ec, this, place, b"", util::encoding(this), made)
}

fn slice_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if hooks::is_regexp(ec, args[0]) {
        return update::change_matching(ec, this, args, slice_once);
    }
    update::change(ec, this, args, slice_once)
}

fn slice_once(ec: &mut Ec, this: Value, args: Args<'_>) -> Once {
    let index = args[0];
    if hooks::is_regexp(ec, index) {
        return util::outcall(ec, |ec| slice_regexp(ec, this, args)).map(Some);
    }
    if let Some(len) = args.get(1) {
        let (start, len) = (util::to_i64(ec, index)?, util::to_i64(ec, len)?);
        let found = locate(ec, this, start, len);
        return cut(ec, this, found);
    }
    if index.is_type(Type::String) {
        let found = find(ec, this, index, 0)?.map(|at| (at, string::len(index)));
        if found.is_none() {
            return cut(ec, this, found);
        }
        let Some(_) = cut(ec, this, found)? else { return Ok(None) };
        let made = string::dup(ec, index);
        return ec.check(index, made).map(Some);
    }
    if index.is_type(Type::Range) {
        let total = util::char_len(ec, this);
        return match util::range_span(ec, index, total)? {
            Span::In(start, len) => {
                let found = locate(ec, this, start, len);
                cut(ec, this, found)
            }
            Span::Out => Ok(Some(Value::NIL)),
        };
    }
    let i = util::to_i64(ec, index)?;
    let found = locate_one(ec, this, i);
    cut(ec, this, found)
}

/// `slice!` of a Regexp: read the part, then assign nothing to it.
fn slice_regexp(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if args.len() == 1 {
        let Some((taken, begin, end)) = hooks::string_take(ec, this, args[0])? else { return Ok(Value::NIL) };
        let done = string::splice(ec, this, begin, end - begin, b"");
        ec.check(this, done)?;
        return Ok(taken);
    }
    let taken = hooks::string_aref(ec, this, args)?;
    if taken.is_nil() {
        return Ok(taken);
    }
    let empty = ec.str_enc(b"", string::encoding(this))?;
    match args.get(1) {
        Some(capture) => hooks::string_aset(ec, this, &Arguments::new(&[args[0], capture, empty]))?,
        None => hooks::string_aset(ec, this, &Arguments::new(&[args[0], empty]))?,
    };
    Ok(taken)
}

fn insert(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let given = util::to_i64(ec, args[0])?;
    let other = util::to_str(ec, args[1])?;
    update::change(ec, this, &Arguments::new(&[args[0], other]), |ec, this, args| insert_once(ec, this, given, args[1]))
}

fn insert_once(ec: &mut Ec, this: Value, given: i64, other: Value) -> Once {
    let at = match given {
        -1 => util::char_len(ec, this) as i64,
        n if n < 0 => n + 1,
        n => n,
    };
    let encoding = util::check_compatible(ec, this, other)?;
    match locate(ec, this, at, 0) {
        Some((from, _)) => {
            let bytes = string::read(ec, other);
            update::splice_own(ec, this, (from, 0), &bytes, encoding, this)
        }
        None => {
            let shown = if given < 0 { at } else { given };
            Err(ec.index_error(format!("index {shown} out of string")))
        }
    }
}

fn byteslice(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let this = util::settled(ec, this)?;
    let total = string::len(this);
    let found = match args.get(1) {
        Some(len) => {
            let (start, len) = (util::to_i64(ec, args[0])?, util::to_i64(ec, len)?);
            usize::try_from(len).ok().and_then(|len| util::clip(total, start, len))
        }
        None if args[0].is_type(Type::Range) => match util::range_span(ec, args[0], total)? {
            Span::In(start, len) => util::clip(total, start, len as usize),
            Span::Out => None,
        },
        None => {
            let i = util::to_i64(ec, args[0])?;
            util::clip(total, i, 1).filter(|found| found.1 > 0)
        }
    };
    part(ec, this, found)
}

/// Start and length in bytes, which must lie within and fall on characters' starts.
fn byte_part(ec: &mut Ec, s: Value, start: Value, len: Option<Value>) -> Res<(usize, usize)> {
    let total = string::len(s);
    let found = match len {
        Some(len) => {
            let (from, len) = (util::to_i64(ec, start)?, util::to_i64(ec, len)?);
            let Ok(len) = usize::try_from(len) else {
                return Err(ec.index_error(format!("negative length {len}")));
            };
            match util::clip(total, from, len) {
                Some(found) => found,
                None => return Err(ec.index_error(format!("index {from} out of string"))),
            }
        }
        None => {
            if !start.is_type(Type::Range) {
                let name = ec.describe_for_conversion(start);
                return Err(ec.type_error(format!("wrong argument type {name} (expected Range)")));
            }
            match util::range_span(ec, start, total)? {
                Span::In(from, len) => (from as usize, len as usize),
                Span::Out => return Err(util::range_error(ec, start)),
            }
        }
    };
    for at in [found.0, found.0 + found.1] {
        check_boundary(ec, s, at)?;
    }
    Ok(found)
}

/// IndexError unless a character starts at byte `at` (or it is the end).
///
/// # Errors
/// IndexError.
pub fn check_boundary(ec: &mut Ec, s: Value, at: usize) -> Res<()> {
    let start = string::with_bytes(ec, s, |s, e| scan::char_start(util::of_index(e), s, at));
    if start == at {
        return Ok(());
    }
    Err(ec.index_error(format!("offset {at} does not land on character boundary")))
}

fn bytesplice(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    update::change(ec, this, args, bytesplice_once)
}

fn bytesplice_once(ec: &mut Ec, this: Value, args: Args<'_>) -> Once {
    // (range, str), (range, str, range), (start, len, str), (start, len, str, start, len)
    let (place, value, source) = match *args.slice() {
        [r, v] => ((r, None), v, None),
        [start, len, v] if !start.is_type(Type::Range) => ((start, Some(len)), v, None),
        [r, v, from] => ((r, None), v, Some((from, None))),
        [start, len, v, from, n] => ((start, Some(len)), v, Some((from, Some(n)))),
        _ => return Err(ec.arity_error(args.len(), 2, Some(5))),
    };
    let value = util::to_str(ec, value)?;
    let (start, len) = byte_part(ec, this, place.0, place.1)?;
    let (from, n) = match source {
        Some((from, n)) => byte_part(ec, value, from, n)?,
        None => (0, string::len(value)),
    };
    let encoding = util::check_compatible(ec, this, value)?;
    let bytes = string::read(ec, value);
    let bytes = bytes.get(from..from + n).unwrap_or(b"");
    update::splice_own(ec, this, (start, len), bytes, encoding, this)
}
