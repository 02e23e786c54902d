//! What String and Symbol hand over to Regexp: each is called when the pattern argument is a Regexp
//! ([`is_regexp`]), with the String (for Symbol methods, its name) and the arguments as they were given.

use asterism_object::string::CodeRange;
use asterism_object::{Value, string};
use asterism_vm::{Args, Ec, Res};

use super::engine::{Region, Search};
use super::{match_data, match_methods, matches, methods, pattern, replace, search};

/// Is it a Regexp?
#[inline]
pub fn is_regexp(_ec: &Ec, v: Value) -> bool {
    pattern::is_regexp(v)
}

/// The pattern of `match` and `match?`: a Regexp, or a String that makes one.
fn regexp_argument(ec: &mut Ec, v: Value) -> Res {
    if pattern::is_regexp(v) {
        return Ok(v);
    }
    match ec.check_string(v)? {
        Some(source) => pattern::make_warning(ec, source, 0),
        None => {
            let name = ec.describe_for_conversion(v);
            Err(ec.type_error(format!("wrong argument type {name} (expected Regexp)")))
        }
    }
}

/// `str[re]`, `str[re, capture]`
///
/// # Errors
/// As a search; IndexError for a name that is none.
pub fn string_aref(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let m = methods::search_set(ec, args[0], this, 0, Search::Forward)?;
    if m.is_nil() {
        return Ok(m);
    }
    match args.get(1) {
        Some(capture) => match_methods::element(ec, m, capture),
        None => super::match_part(ec, m, 0),
    }
}

/// The part of a String that a Regexp matches, and where it lies; sets `$~`.
///
/// # Errors
/// As `search::search`.
pub fn string_take(ec: &mut Ec, this: Value, regexp: Value) -> Res<Option<(Value, usize, usize)>> {
    let m = methods::search_set(ec, regexp, this, 0, Search::Forward)?;
    if m.is_nil() {
        return Ok(None);
    }
    let taken = super::match_part(ec, m, 0)?;
    let (begin, end) = match_data::of(ec, &m)?.whole();
    Ok(Some((taken, begin, end)))
}

/// `str[re] = value`, `str[re, capture] = value`; the value is the last argument
///
/// # Errors
/// IndexError if it does not match; FrozenError.
pub fn string_aset(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (capture, value) = match args.slice() {
        [_, capture, value] => (Some(*capture), *value),
        [_, value] => (None, *value),
        _ => return Err(ec.arity_error(args.len(), 2, Some(3))),
    };
    let m = methods::search_set(ec, args[0], this, 0, Search::Forward)?;
    if m.is_nil() {
        return Err(ec.index_error("regexp not matched"));
    }
    let found = match_data::of(ec, &m)?;
    let group = match capture {
        None => 0,
        Some(v) => match match_methods::name_of(ec, v)? {
            Some(name) => {
                let pattern = pattern::of(ec, &args.slice()[0])?;
                match match_methods::group_of_name(ec, found, pattern, name) {
                    Some(i) => i,
                    None => return Err(match_methods::undefined_name(ec, name)),
                }
            }
            None => {
                let n = ec.to_i64(v)?;
                let count = found.count() as i64;
                let i = if n < 0 { n + count } else { n };
                if n >= count || i < 0 || n < 0 && i == 0 {
                    return Err(ec.index_error(format!("index {n} out of regexp")));
                }
                i as usize
            }
        },
    };
    let Some((begin, end)) = found.span(group) else {
        return Err(ec.index_error(format!("regexp group {group} not matched")));
    };
    let replacement = ec.to_str(value)?;
    ec.check_frozen(this)?;
    let result = matches::joined_encoding(ec, this, replacement)?;
    let bytes = string::read(ec, replacement);
    let done = string::splice(ec, this, begin, end - begin, &bytes);
    ec.check(this, done)?;
    if string::encoding(this) != result {
        let done = string::force_encoding(ec, this, result);
        ec.check(this, done)?;
    }
    Ok(value)
}

/// Searches and sets `$~`; the byte offset.
fn find(ec: &mut Ec, this: Value, regexp: Value, at: usize, how: Search) -> Res<Option<usize>> {
    let m = methods::search_set(ec, regexp, this, at, how)?;
    if m.is_nil() {
        return Ok(None);
    }
    Ok(Some(match_data::of(ec, &m)?.whole().0))
}

fn char_result(ec: &mut Ec, this: Value, found: Option<usize>) -> Res {
    match found {
        Some(at) => {
            let index = match_data::char_index(ec, this, at);
            ec.size(index)
        }
        None => Ok(Value::NIL),
    }
}

fn byte_result(ec: &mut Ec, found: Option<usize>) -> Res {
    match found {
        Some(at) => ec.size(at),
        None => Ok(Value::NIL),
    }
}

fn none(ec: &mut Ec) -> Res {
    ec.set_backref(Value::NIL);
    Ok(Value::NIL)
}

/// `str.index(re, offset)`
///
/// # Errors
/// As `search::search`; TypeError or RangeError for an offset that is no Integer, or a big one.
pub fn string_index(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let at = match args.get(1) {
        Some(v) => methods::position(ec, this, v)?,
        None => Some(0),
    };
    let Some(at) = at else { return none(ec) };
    let found = find(ec, this, args[0], at, Search::Forward)?;
    char_result(ec, this, found)
}

/// A byte offset argument, negative from the end; `None` outside.
fn byte_position(ec: &mut Ec, this: Value, v: Value, clip: bool) -> Res<Option<usize>> {
    let n = ec.to_i64(v)?;
    let len = string::len(this) as i64;
    let n = if n < 0 { n + len } else { n };
    let n = if clip { n.min(len) } else { n };
    let Some(at) = usize::try_from(n).ok().filter(|n| *n as i64 <= len) else { return Ok(None) };
    if !is_boundary(ec, this, at) {
        return Err(ec.index_error(format!("offset {at} does not land on character boundary")));
    }
    Ok(Some(at))
}

fn is_boundary(ec: &mut Ec, this: Value, at: usize) -> bool {
    if string::coderange(ec, this) == CodeRange::SevenBit {
        return true;
    }
    string::with_bytes(ec, this, |bytes, e| {
        let e = search::encoding_of(e);
        let mut i = 0;
        while i < at && i < bytes.len() {
            i += asterism_support::encoding::chars::step(e, &bytes[i..]).max(1);
        }
        i == at
    })
}

/// `str.byteindex(re, offset)`
///
/// # Errors
/// As a search; IndexError inside a character.
pub fn string_byteindex(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let at = match args.get(1) {
        Some(v) => byte_position(ec, this, v, false)?,
        None => Some(0),
    };
    let Some(at) = at else { return none(ec) };
    let found = find(ec, this, args[0], at, Search::Forward)?;
    byte_result(ec, found)
}

/// `str.rindex(re, offset)`
///
/// # Errors
/// As `search::search`; TypeError or RangeError for an offset that is no Integer, or a big one.
pub fn string_rindex(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let at = match args.get(1) {
        Some(v) => {
            let n = ec.to_i64(v)?;
            match methods::position_of(ec, this, n) {
                None if n > 0 => Some(string::len(this)),
                at => at,
            }
        }
        None => Some(string::len(this)),
    };
    let Some(at) = at else { return none(ec) };
    let found = find(ec, this, args[0], at, Search::Backward)?;
    char_result(ec, this, found)
}

/// `str.byterindex(re, offset)`
///
/// # Errors
/// As a search; IndexError inside a character.
pub fn string_byterindex(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let at = match args.get(1) {
        Some(v) => byte_position(ec, this, v, true)?,
        None => Some(string::len(this)),
    };
    let Some(at) = at else { return none(ec) };
    let found = find(ec, this, args[0], at, Search::Backward)?;
    byte_result(ec, found)
}

/// `str.start_with?(re)`: one argument; sets `$~`
///
/// # Errors
/// As `search::search`.
pub fn string_start_with(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let m = methods::search_set(ec, args[0], this, 0, Search::At)?;
    Ok(Value::bool(!m.is_nil()))
}

fn three(ec: &mut Ec, this: Value, m: Value) -> Res {
    let (begin, end) = match_data::of(ec, &m)?.whole();
    let s = match_data::of(ec, &m)?.string();
    let before = match_data::part(ec, s, 0, begin)?;
    let middle = match_data::part(ec, s, begin, end)?;
    let behind = match_data::part(ec, s, end, string::len(s))?;
    asterism_heap::keep_alive(this.bits());
    ec.array(&[before, middle, behind])
}

fn empty_like(ec: &mut Ec, this: Value) -> Res {
    ec.str_enc(b"", string::encoding(this))
}

fn whole_copy(ec: &mut Ec, this: Value) -> Res {
    let made = string::substr(ec, this, 0, usize::MAX);
    ec.check(this, made)
}

/// `str.partition(re)`
///
/// # Errors
/// As `search::search`.
pub fn string_partition(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let m = methods::search_set(ec, args[0], this, 0, Search::Forward)?;
    if !m.is_nil() {
        return three(ec, this, m);
    }
    let (whole, a, b) = (whole_copy(ec, this)?, empty_like(ec, this)?, empty_like(ec, this)?);
    ec.array(&[whole, a, b])
}

/// `str.rpartition(re)`
///
/// # Errors
/// As `search::search`.
pub fn string_rpartition(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let end = string::len(this);
    let m = methods::search_set(ec, args[0], this, end, Search::Backward)?;
    if !m.is_nil() {
        return three(ec, this, m);
    }
    let (whole, a, b) = (whole_copy(ec, this)?, empty_like(ec, this)?, empty_like(ec, this)?);
    ec.array(&[a, b, whole])
}

/// `str.split(re, limit)`: without a block always, the Array of fields
///
/// # Errors
/// As [`replace::split`].
pub fn string_split(ec: &mut Ec, this: Value, separator: Value, limit: i64) -> Res {
    replace::split(ec, this, separator, limit)
}

/// `str =~ re`
///
/// # Errors
/// As `search::search`.
pub fn string_match_op(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    methods::match_index(ec, args[0], this)
}

/// `str.match(pattern, pos)`, with the block; the pattern may be a String
///
/// # Errors
/// TypeError for another pattern, RegexpError for a String that is a wrong one; else as [`methods::match_from`], or
/// what a `match` of a class of its own raises.
pub fn string_match(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let regexp = regexp_argument(ec, args[0])?;
    // A class of its own may have a method of its own, which may take more.
    if args.len() > 2 || ec.class_of(regexp) != ec.known(asterism_object::WellKnown::Regexp) {
        let mut given = args.slice().to_vec();
        given[0] = this;
        let found = ec.call(regexp, asterism_symbol::intern("match"), &given)?;
        return match args.block() {
            Some(block) if found.truthy() => ec.yield1(block, found),
            _ => Ok(found),
        };
    }
    methods::match_from(ec, regexp, this, args.get(1), args)
}

/// `str.match?(pattern, pos)`; the pattern may be a String
///
/// # Errors
/// TypeError for another pattern, RegexpError for a String that is a wrong one; else as [`methods::match_p_from`].
pub fn string_match_p(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let regexp = regexp_argument(ec, args[0])?;
    methods::match_p_from(ec, regexp, this, args.get(1))
}

/// Sets `$~` after a search for a String: `found` are the offset and the length of the match in bytes, `None` when
/// there was none.
///
/// # Errors
/// NoMemoryError.
pub fn set_string_match(ec: &mut Ec, this: Value, found: Option<(usize, usize)>) -> Res<()> {
    let Some((at, len)) = found else {
        ec.set_backref(Value::NIL);
        return Ok(());
    };
    let part = match_data::part(ec, this, at, at + len)?;
    let m = match_data::new(ec, part, this, &Region::of_whole(at, at + len))?;
    ec.set_backref(m);
    Ok(())
}
