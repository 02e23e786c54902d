//! Searching in a String: `index`, `include?`, `start_with?`, `partition`, `delete_prefix`, and their relatives.

use asterism_object::string::CodeRange;
use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_support::encoding::{self, scan};
use asterism_support::{Encoding, strutil};
use asterism_symbol::sym;
use asterism_vm::{ANY, Args, Arguments, Ec, NativeDef, Res};

use super::index::{check_boundary, find};
use super::{update, util};
use crate::regexp::hooks;

/// Methods.
pub static METHODS: &[NativeDef] = &[
    NativeDef::new("index", index, 1, 2).leaf(),
    NativeDef::new("rindex", rindex, 1, 2).leaf(),
    NativeDef::new("byteindex", byteindex, 1, 2).leaf(),
    NativeDef::new("byterindex", byterindex, 1, 2).leaf(),
    NativeDef::new("include?", include, 1, 1).leaf(),
    NativeDef::new("start_with?", start_with, 0, ANY).leaf(),
    NativeDef::new("end_with?", end_with, 0, ANY).leaf(),
    NativeDef::new("partition", partition, 1, 1).leaf(),
    NativeDef::new("rpartition", rpartition, 1, 1).leaf(),
    NativeDef::new("delete_prefix", delete_prefix, 1, 1).leaf(),
    NativeDef::new("delete_suffix", delete_suffix, 1, 1).leaf(),
    NativeDef::new("delete_prefix!", delete_prefix_bang, 1, 1).leaf(),
    NativeDef::new("delete_suffix!", delete_suffix_bang, 1, 1).leaf(),
    NativeDef::new("=~", match_op, 1, 1).leaf(),
    NativeDef::new("match", match_method, 1, ANY),
    NativeDef::new("match?", match_p, 1, 2).leaf(),
];

/// The last place of `needle` at or before byte `from`.
fn rfind(ec: &mut Ec, this: Value, needle: Value, from: usize) -> Res<Option<usize>> {
    let encoding = util::check_compatible(ec, this, needle)?;
    if !is_text(ec, needle) {
        return Ok(None);
    }
    let encoding = if util::single_byte(ec, this) { Encoding::BINARY } else { encoding };
    let needle = string::read(ec, needle);
    Ok(string::with_bytes(ec, this, |s, _| strutil::rindex(encoding, s, &needle, from)))
}

/// Byte offset to character offset.
fn to_chars(ec: &mut Ec, this: Value, at: usize) -> usize {
    if util::single_byte(ec, this) {
        return at;
    }
    // What is in front of a character in a text is one too.
    let range = util::known(string::coderange(ec, this)).filter(|range| *range == encoding::CodeRange::Valid);
    string::with_bytes(ec, this, |s, e| scan::char_count(util::of_index(e), s.get(..at).unwrap_or(s), range))
}

/// Character offset (from the end if negative) to byte offset; `None` outside.
fn to_bytes(ec: &mut Ec, this: Value, at: i64) -> Option<usize> {
    let range = string::coderange(ec, this);
    string::with_bytes(ec, this, |s, e| util::char_span(util::of_index(e), s, range, at, 0)).map(|found| found.0)
}

fn found(ec: &mut Ec, at: Option<usize>) -> Res {
    match at {
        Some(at) => ec.size(at),
        None => Ok(Value::NIL),
    }
}

fn index(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let this = util::settled(ec, this)?;
    if hooks::is_regexp(ec, args[0]) {
        return util::outcall(ec, |ec| hooks::string_index(ec, this, args));
    }
    let from = match args.get(1) {
        Some(v) => {
            let given = util::to_i64(ec, v)?;
            match to_bytes(ec, this, given) {
                Some(from) => from,
                None => return Ok(Value::NIL),
            }
        }
        None => 0,
    };
    let needle = util::to_str(ec, args[0])?;
    match find(ec, this, needle, from)? {
        Some(at) => {
            let at = to_chars(ec, this, at);
            ec.size(at)
        }
        None => Ok(Value::NIL),
    }
}

/// The answer where a search would have to begin outside of the text; a Regexp has matched nothing then.
fn nowhere(ec: &mut Ec, pattern: Value) -> Res {
    if hooks::is_regexp(ec, pattern) {
        ec.set_backref(Value::NIL);
    }
    Ok(Value::NIL)
}

fn byteindex(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let this = util::settled(ec, this)?;
    let from = match args.get(1) {
        Some(v) => {
            let given = util::to_i64(ec, v)?;
            match util::clip(string::len(this), given, 0) {
                Some((from, _)) => from,
                None => return nowhere(ec, args[0]),
            }
        }
        None => 0,
    };
    check_boundary(ec, this, from)?;
    if hooks::is_regexp(ec, args[0]) {
        // Whatever was given as the offset is asked once.
        let given = [args[0], Value::fixnum(from as i64)];
        return util::outcall(ec, |ec| hooks::string_byteindex(ec, this, &Arguments::new(&given)));
    }
    let needle = util::to_str(ec, args[0])?;
    let at = find(ec, this, needle, from)?;
    found(ec, at)
}

fn rindex(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let this = util::settled(ec, this)?;
    if hooks::is_regexp(ec, args[0]) {
        return util::outcall(ec, |ec| hooks::string_rindex(ec, this, args));
    }
    let from = match args.get(1) {
        Some(v) => {
            let given = util::to_i64(ec, v)?;
            match to_bytes(ec, this, given) {
                Some(from) => from,
                None if given > 0 => string::len(this),
                None => return Ok(Value::NIL),
            }
        }
        None => string::len(this),
    };
    let needle = util::to_str(ec, args[0])?;
    match rfind(ec, this, needle, from)? {
        Some(at) => {
            let at = to_chars(ec, this, at);
            ec.size(at)
        }
        None => Ok(Value::NIL),
    }
}

fn byterindex(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let this = util::settled(ec, this)?;
    let total = string::len(this);
    let from = match args.get(1) {
        Some(v) => {
            let given = util::to_i64(ec, v)?;
            match util::clip(total, given, 0) {
                Some((from, _)) => from,
                None if given > 0 => total,
                None => return nowhere(ec, args[0]),
            }
        }
        None => total,
    };
    check_boundary(ec, this, from)?;
    if hooks::is_regexp(ec, args[0]) {
        let given = [args[0], Value::fixnum(from as i64)];
        return util::outcall(ec, |ec| hooks::string_byterindex(ec, this, &Arguments::new(&given)));
    }
    let needle = util::to_str(ec, args[0])?;
    let at = rfind(ec, this, needle, from)?;
    found(ec, at)
}

fn include(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let needle = util::to_str(ec, args[0])?;
    Ok(Value::bool(find(ec, this, needle, 0)?.is_some()))
}

/// Does `this` start with `prefix`, at the end of a character?
fn has_prefix(ec: &mut Ec, this: Value, prefix: Value) -> Res<bool> {
    util::check_compatible(ec, this, prefix)?;
    let encoding = util::encoding(this);
    Ok(string::with_both(ec, this, prefix, |s, prefix| {
        s.starts_with(prefix) && scan::char_start(encoding, s, prefix.len()) == prefix.len()
    }))
}

fn has_suffix(ec: &mut Ec, this: Value, suffix: Value) -> Res<bool> {
    util::check_compatible(ec, this, suffix)?;
    let encoding = util::encoding(this);
    Ok(string::with_both(ec, this, suffix, |s, suffix| {
        let at = s.len().wrapping_sub(suffix.len());
        s.ends_with(suffix) && (suffix.is_empty() || scan::char_start(encoding, s, at) == at)
    }))
}

fn start_with(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    for &v in args.slice() {
        if hooks::is_regexp(ec, v) {
            let answer = util::outcall(ec, |ec| hooks::string_start_with(ec, this, &Arguments::new(&[v])))?;
            if answer.truthy() {
                return Ok(Value::TRUE);
            }
            continue;
        }
        let prefix = util::to_str(ec, v)?;
        if has_prefix(ec, this, prefix)? {
            return Ok(Value::TRUE);
        }
    }
    Ok(Value::FALSE)
}

fn end_with(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    for &v in args.slice() {
        let suffix = util::to_str(ec, v)?;
        if has_suffix(ec, this, suffix)? {
            return Ok(Value::TRUE);
        }
    }
    Ok(Value::FALSE)
}

fn partition(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let this = util::settled(ec, this)?;
    if hooks::is_regexp(ec, args[0]) {
        return util::outcall(ec, |ec| hooks::string_partition(ec, this, args));
    }
    let needle = separator(ec, args[0])?;
    match find(ec, this, needle, 0)? {
        Some(at) => three(ec, this, needle, at),
        None => {
            let encoding = string::encoding(this);
            let whole = string::dup(ec, this);
            let whole = ec.check(this, whole)?;
            let (a, b) = (ec.str_enc(b"", encoding)?, ec.str_enc(b"", encoding)?);
            ec.array(&[whole, a, b])
        }
    }
}

fn separator(ec: &mut Ec, v: Value) -> Res {
    match util::outcall(ec, |ec| ec.check_string(v))? {
        Some(s) => Ok(s),
        None => {
            let name = ec.describe_for_conversion(v);
            Err(ec.type_error(format!("wrong argument type {name} (expected Regexp)")))
        }
    }
}

/// What is before, the separator, and what is behind.
fn three(ec: &mut Ec, this: Value, needle: Value, at: usize) -> Res {
    let before = string::substr(ec, this, 0, at);
    let before = ec.check(this, before)?;
    let middle = string::dup(ec, needle);
    let middle = ec.check(needle, middle)?;
    let behind = string::substr(ec, this, at + string::len(needle), usize::MAX);
    let behind = ec.check(this, behind)?;
    ec.array(&[before, middle, behind])
}

fn rpartition(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let this = util::settled(ec, this)?;
    if hooks::is_regexp(ec, args[0]) {
        return util::outcall(ec, |ec| hooks::string_rpartition(ec, this, args));
    }
    let needle = separator(ec, args[0])?;
    match rfind(ec, this, needle, string::len(this))? {
        Some(at) => three(ec, this, needle, at),
        None => {
            let encoding = string::encoding(this);
            let (a, b) = (ec.str_enc(b"", encoding)?, ec.str_enc(b"", encoding)?);
            let whole = string::dup(ec, this);
            let whole = ec.check(this, whole)?;
            ec.array(&[a, b, whole])
        }
    }
}

/// Are all its bytes characters? What is no text is found nowhere, and not taken away.
fn is_text(ec: &mut Ec, v: Value) -> bool {
    string::coderange(ec, v) != CodeRange::Broken
}

/// A prefix that is no text is deleted only from what is no text either.
fn deletes_prefix(ec: &mut Ec, this: Value, prefix: Value) -> Res<bool> {
    Ok((is_text(ec, prefix) || !is_text(ec, this)) && has_prefix(ec, this, prefix)?)
}

fn delete_prefix(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let this = util::settled(ec, this)?;
    let prefix = util::to_str(ec, args[0])?;
    let from = if deletes_prefix(ec, this, prefix)? { string::len(prefix) } else { 0 };
    let made = string::substr(ec, this, from, usize::MAX);
    ec.check(this, made)
}

fn delete_suffix(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let this = util::settled(ec, this)?;
    let suffix = util::to_str(ec, args[0])?;
    let cut = if is_text(ec, suffix) && has_suffix(ec, this, suffix)? { string::len(suffix) } else { 0 };
    let made = string::substr(ec, this, 0, string::len(this).saturating_sub(cut));
    ec.check(this, made)
}

fn delete_prefix_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    update::change(ec, this, args, |ec, this, args| {
        let prefix = util::to_str(ec, args[0])?;
        if string::is_empty(prefix) || !deletes_prefix(ec, this, prefix)? {
            return Ok(Some(Value::NIL));
        }
        update::splice_own(ec, this, (0, string::len(prefix)), b"", util::encoding(this), this)
    })
}

fn delete_suffix_bang(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    update::change(ec, this, args, |ec, this, args| {
        let suffix = util::to_str(ec, args[0])?;
        if string::is_empty(suffix) || !is_text(ec, suffix) || !has_suffix(ec, this, suffix)? {
            return Ok(Some(Value::NIL));
        }
        let (total, cut) = (string::len(this), string::len(suffix));
        update::splice_own(ec, this, (total.saturating_sub(cut), cut), b"", util::encoding(this), this)
    })
}

fn match_op(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if hooks::is_regexp(ec, args[0]) {
        return hooks::string_match_op(ec, this, args);
    }
    if args[0].is_type(Type::String) {
        return Err(ec.type_error("type mismatch: String given"));
    }
    ec.call(args[0], sym::MATCH, &[this])
}

fn match_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    hooks::string_match(ec, this, args)
}

fn match_p(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    hooks::string_match_p(ec, this, args)
}
