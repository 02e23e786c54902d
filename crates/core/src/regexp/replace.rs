//! `scan`, `split`, `sub` and `gsub`: what needs no block runs here, over batches of matches; the primitives with
//! which `regexp.rb` does the rest.

use asterism_object::string::{CodeRange, StrRef};
use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_support::encoding::Encoding;
use asterism_support::encoding::chars::step;
use asterism_support::{Error, ErrorKind, strutil};
use asterism_vm::memory::Buffer;
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Exc, Res};

use super::engine::{Region, Search};
use super::matches::{ABSENT, Matches, Span, regexp_of};
use super::pattern::{self, Pattern};
use super::template::{Piece, Wrong, template};
use super::{match_data, match_methods, search, show};
use crate::string::update;
use crate::support_error;

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("string_scan", scan),
    ("string_gsub", gsub),
    ("string_sub", sub),
    ("regexp_of", |ec, args| regexp_of(ec, args[0])),
    ("pattern_for", pattern_for),
    ("regexp_find", find),
    ("regexp_next", next),
    ("set_backref", set_backref),
    ("match_text", |ec, args| super::match_part(ec, args[0], 0)),
    ("match_end", match_end),
    ("match_groups", match_groups),
    ("string_frozen", |ec, args| match_data::frozen_subject(ec, args[0])),
    ("string_copy", copy),
    ("gsub_append", append),
    ("gsub_finish", finish),
    ("gsub_replacement", replacement),
    ("string_gsub_bang", |ec, args| substitute_bang(ec, args, true)),
    ("string_sub_bang", |ec, args| substitute_bang(ec, args, false)),
    ("string_own", is_own),
    ("string_become", take_over),
];

/// Registers the primitives.
///
/// # Errors
/// None so far.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}

/// The encoding of what is made of two Strings.
///
/// # Errors
/// Encoding::CompatibilityError.
pub fn joined_encoding(ec: &mut Ec, a: Value, b: Value) -> Res<u8> {
    let (left, right) = (string::encoding(a), string::encoding(b));
    if left == right || string::is_empty(b) {
        return Ok(left);
    }
    let (e, f) = (search::encoding_of(left), search::encoding_of(right));
    if e.is_ascii_compatible() && f.is_ascii_compatible() {
        if string::is_ascii_only(ec, b) {
            return Ok(left);
        }
        if string::is_ascii_only(ec, a) {
            return Ok(right);
        }
    } else if string::is_empty(a) {
        return Ok(right);
    }
    let message = format!("incompatible character encodings: {} and {}", show::name(e), show::name(f));
    Err(support_error::raise(ec, &Error::new(ErrorKind::EncodingCompatibility, message)))
}

fn expand(ec: &mut Ec, pieces: &[Piece], spans: &[Span], subject: &[u8], out: &mut Buffer) -> Res<()> {
    let part = |span: Option<&Span>| match span {
        Some(&(b, e)) if (b, e) != ABSENT => subject.get(b as usize..e as usize).unwrap_or(b""),
        _ => b"",
    };
    let whole = spans.first().copied().unwrap_or((0, 0));
    for piece in pieces {
        let bytes = match piece {
            Piece::Text(text) => text.as_slice(),
            Piece::Group(n) => part(spans.get(*n)),
            Piece::Before => part(Some(&(0, whole.0))),
            Piece::Behind => subject.get(whole.1 as usize..).unwrap_or(b""),
            Piece::LastGroup => part(spans.iter().skip(1).rev().find(|s| **s != ABSENT)),
            Piece::Named(groups) => {
                let taken = groups.iter().rev().find(|g| spans.get(**g).is_some_and(|s| *s != ABSENT));
                part(taken.and_then(|g| spans.get(*g)))
            }
        };
        out.append(ec, bytes)?;
    }
    Ok(())
}

/// A pattern argument: a Regexp, or a String, which stands for itself.
fn pattern_argument(ec: &mut Ec, v: Value) -> Res {
    if pattern::is_regexp(v) {
        return Ok(v);
    }
    let text = if v.is_type(Type::String) { Some(v) } else { ec.check_string(v)? };
    match text {
        // As a Regexp it is refused with the reason.
        Some(s) if string::coderange(ec, s) == CodeRange::Broken => regexp_of(ec, s),
        Some(s) => Ok(s),
        None => regexp_of(ec, v),
    }
}

/// All matches of such a pattern, and the pattern if it is a Regexp.
fn matches_of<'a>(ec: &mut Ec, given: &'a Value, subject: Value) -> Res<(Matches<'a>, Option<&'a Pattern>)> {
    if given.is_type(Type::String) {
        return Ok((Matches::of_text(ec, *given, subject)?, None));
    }
    let pattern: &Pattern = pattern::of(ec, given)?;
    Ok((Matches::new(ec, *given, pattern, subject)?, Some(pattern)))
}

fn both_know_ascii(a: Value, b: Value) -> bool {
    [a, b].iter().all(|s| search::encoding_of(string::encoding(*s)).is_ascii_compatible())
}

/// `sub` and `gsub` with a replacement String: the new String, or nil if nothing matched. Sets `$~`.
fn substitute(ec: &mut Ec, this: Value, pattern_arg: Value, replacement: Value, all: bool) -> Res {
    let regexp = pattern_argument(ec, pattern_arg)?;
    let (mut matches, pattern) = matches_of(ec, &regexp, this)?;
    let text = string::read(ec, replacement);
    let pieces = if text.contains(&b'\\') {
        match template(&text, search::encoding_of(text.encoding()), pattern) {
            Ok(pieces) => Some(pieces),
            Err(wrong) => {
                // Only a match makes it an error.
                if matches.next(ec)?.is_none() {
                    ec.set_backref(Value::NIL);
                    return Ok(Value::NIL);
                }
                return Err(match wrong {
                    Wrong::Name(name) => {
                        let name = ec.str_enc(&name, text.encoding())?;
                        match_methods::undefined_name(ec, name)
                    }
                    Wrong::Format => ec.raise(Exc::RuntimeError, "invalid group name reference format"),
                });
            }
        }
    } else {
        None
    };
    let mut out = Buffer::new(ec);
    let mut copied = 0;
    let (mut kept, mut kept_ascii) = (0, true);
    let mut last: Vec<Span> = Vec::new();
    loop {
        // The borrow of the spans ends before the subject is read.
        let found = match matches.next(ec)? {
            Some(spans) => {
                last.clear();
                last.extend_from_slice(spans);
                true
            }
            None => false,
        };
        if !found {
            break;
        }
        let (begin, end) = last.first().map_or((0, 0), |s| (s.0 as usize, s.1 as usize));
        let subject = matches.subject.as_bytes();
        if out.capacity() == 0 {
            let guess = subject.len().saturating_add(text.len());
            out.reserve(ec, guess)?;
        }
        out.reserve(ec, begin.saturating_sub(copied).saturating_add(text.len()))?;
        let before = subject.get(copied..begin).unwrap_or(b"");
        kept += before.len();
        kept_ascii &= before.is_ascii();
        out.extend_from_slice(before);
        match &pieces {
            Some(pieces) => expand(ec, pieces, &last, subject, &mut out)?,
            None => out.extend_from_slice(&text),
        }
        copied = end;
        if !all {
            break;
        }
    }
    if last.is_empty() {
        ec.set_backref(Value::NIL);
        return Ok(Value::NIL);
    }
    let rest = matches.subject.as_bytes().get(copied..).unwrap_or(b"");
    kept += rest.len();
    kept_ascii &= rest.is_ascii();
    out.append(ec, rest)?;
    let encoding = match joined_encoding(ec, this, replacement) {
        // What is kept need not be all of the subject.
        Err(_) if kept == 0 || kept_ascii && !all => string::encoding(replacement),
        Err(_) if kept_ascii && both_know_ascii(this, replacement) => string::encoding(replacement),
        encoding => encoding?,
    };
    let m = match_data::new(ec, regexp, this, &Region::of_spans(&last))?;
    ec.set_backref(m);
    let made = string::from_vec(ec, out.into_parts().0, encoding);
    ec.check(Value::NIL, made)
}

fn gsub(ec: &mut Ec, args: &[Value]) -> Res {
    substitute(ec, args[0], args[1], args[2], true)
}

fn sub(ec: &mut Ec, args: &[Value]) -> Res {
    substitute(ec, args[0], args[1], args[2], false)
}

/// `sub!` and `gsub!` with a replacement String: the receiver, or nil if nothing matched.
fn substitute_bang(ec: &mut Ec, args: &[Value], all: bool) -> Res {
    let [this, pattern, replacement] = args else {
        return Err(ec.fatal("a substitution takes three arguments"));
    };
    if string::is_own(ec, *this) {
        let made = substitute(ec, *this, *pattern, *replacement, all)?;
        if made.is_nil() {
            return Ok(made);
        }
        let done = string::replace_if_own(ec, *this, made);
        if ec.check(*this, done)? {
            return Ok(*this);
        }
    }
    update::change_seen(ec, *this, |ec, copy| {
        let made = substitute(ec, copy, *pattern, *replacement, all)?;
        Ok((if made.is_nil() { made } else { copy }, made))
    })
}

/// `string_own(str)`: has no other thread the String?
fn is_own(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::bool(string::is_own(ec, args[0])))
}

/// `scan` without a block.
fn scan(ec: &mut Ec, args: &[Value]) -> Res {
    let (this, pattern_arg) = (args[0], args[1]);
    let regexp = pattern_argument(ec, pattern_arg)?;
    if string::coderange(ec, this) == CodeRange::Broken {
        return Err(crate::string::basic::broken(ec, this));
    }
    let (mut matches, _) = matches_of(ec, &regexp, this)?;
    let list = ec.array_with_capacity(0)?;
    let mut last: Vec<Span> = Vec::new();
    while let Some(spans) = matches.next(ec)? {
        last.clear();
        last.extend_from_slice(spans);
        let item = if last.len() == 1 {
            matches.text(ec, last[0])?
        } else {
            let groups = ec.array_with_capacity(last.len() - 1)?;
            for span in &last[1..] {
                let s = matches.text(ec, *span)?;
                ec.array_push(groups, s)?;
            }
            groups
        };
        ec.array_push(list, item)?;
    }
    if last.is_empty() {
        ec.set_backref(Value::NIL);
    } else {
        let m = match_data::new(ec, regexp, this, &Region::of_spans(&last))?;
        ec.set_backref(m);
    }
    Ok(list)
}

/// `str.split(regexp, limit)`
///
/// # Errors
/// As a search.
pub fn split(ec: &mut Ec, this: Value, regexp: Value, limit: i64) -> Res {
    let pattern = pattern::of(ec, &regexp)?;
    let list = ec.array_with_capacity(0)?;
    if string::is_empty(this) {
        return Ok(list);
    }
    if limit == 1 {
        let made = string::substr(ec, this, 0, usize::MAX);
        let whole = ec.check(this, made)?;
        ec.array_push(list, whole)?;
        return Ok(list);
    }
    if pattern.source.windows(2).any(|two| two == b"\\K") {
        split_by_searches(ec, this, regexp, limit, list)?;
        if limit == 0 {
            drop_empty(ec, list)?;
        }
        return Ok(list);
    }
    let mut matches = Matches::new(ec, regexp, pattern, this)?;
    let len = matches.subject.as_bytes().len();
    let mut start = 0u32;
    let mut count = 1;
    let mut spans: Vec<Span> = Vec::new();
    while let Some(found) = matches.next(ec)? {
        spans.clear();
        spans.extend_from_slice(found);
        let (begin, end) = spans[0];
        if begin == end && begin == start {
            continue;
        }
        let field = matches.text(ec, (start, begin))?;
        ec.array_push(list, field)?;
        start = end;
        for span in spans.iter().skip(1).filter(|s| **s != ABSENT) {
            let s = matches.text(ec, *span)?;
            ec.array_push(list, s)?;
        }
        count += 1;
        if limit > 0 && limit <= count {
            break;
        }
    }
    if limit != 0 || len > start as usize {
        let rest = matches.text(ec, (start, len as u32))?;
        ec.array_push(list, rest)?;
    }
    if limit == 0 {
        drop_empty(ec, list)?;
    }
    Ok(list)
}

/// Takes the empty Strings away that a list ends with.
fn drop_empty(ec: &mut Ec, list: Value) -> Res<()> {
    while let Some(v) = array::last(list) {
        if !v.is_type(Type::String) || !string::is_empty(v) {
            break;
        }
        let done = array::pop(ec, list);
        ec.check(list, done)?;
    }
    Ok(())
}

/// Splits with a pattern that has `\K`: an empty match may be the end of a longer one, so that it counts from where it
/// was searched whether a match is new, and the next search begins where the match ended.
fn split_by_searches(ec: &mut Ec, this: Value, regexp: Value, limit: i64, list: Value) -> Res<()> {
    let subject = match_data::frozen_subject(ec, this)?;
    let encoding = search::encoding_of(string::encoding(subject));
    let len = string::len(subject);
    let length = |ec: &mut Ec, at: usize| {
        string::with_bytes(ec, subject, |bytes, _| step(encoding, bytes.get(at..).unwrap_or_default()).max(1))
    };
    let (mut begin, mut start, mut empty, mut count) = (0, 0, false, 1);
    while start <= len {
        ec.poll()?;
        let Some(region) = search::search(ec, regexp, subject, start, Search::Forward)? else { break };
        let (b, e) = region.whole();
        if b == e && b == start {
            if !empty {
                start += length(ec, start);
                empty = true;
                continue;
            }
            let end = begin + length(ec, begin);
            push_part(ec, list, subject, begin, end)?;
            begin = start;
        } else {
            push_part(ec, list, subject, begin, b)?;
            (begin, start) = (e, e);
        }
        empty = false;
        for (b, e) in (1..region.count()).filter_map(|i| region.get(i)) {
            push_part(ec, list, subject, b, e)?;
        }
        count += 1;
        if limit > 0 && limit <= count {
            break;
        }
    }
    if limit != 0 || len > begin {
        push_part(ec, list, subject, begin, len)?;
    }
    Ok(())
}

fn push_part(ec: &mut Ec, list: Value, subject: Value, begin: usize, end: usize) -> Res<()> {
    let part = match_data::part(ec, subject, begin, end)?;
    ec.array_push(list, part)
}

/// `pattern_for(pattern, subject)`: what `regexp_find` looks for: a Regexp; a String itself where no Regexp may look, in
/// a subject that is broken or in an encoding that does not know ASCII.
fn pattern_for(ec: &mut Ec, args: &[Value]) -> Res {
    let outside = |ec: &mut Ec, s: Value| {
        string::coderange(ec, s) == CodeRange::Broken || !search::encoding_of(string::encoding(s)).is_ascii_compatible()
    };
    if args[0].is_type(Type::String) && outside(ec, args[1]) {
        return pattern_argument(ec, args[0]);
    }
    regexp_of(ec, args[0])
}

/// `regexp_find(pattern, frozen subject, byte offset)`: a MatchData or nil; leaves `$~` alone.
fn find(ec: &mut Ec, args: &[Value]) -> Res {
    let at = usize::try_from(args[2].as_fixnum()).unwrap_or(0);
    if args[0].is_type(Type::String) {
        let encoding = search::encoding_of(joined_encoding(ec, args[1], args[0])?);
        let (subject, text) = (string::read(ec, args[1]), string::read(ec, args[0]));
        return match strutil::find(encoding, &subject, &text, at) {
            Some(begin) => {
                let span = (begin as u32, (begin + text.len()) as u32);
                match_data::new(ec, args[0], args[1], &Region::of_spans(&[span]))
            }
            None => Ok(Value::NIL),
        };
    }
    match search::search(ec, args[0], args[1], at, Search::Forward)? {
        Some(region) => match_data::new(ec, args[0], args[1], &region),
        None => Ok(Value::NIL),
    }
}

/// `regexp_next(match)`: the match behind this one in the same subject.
fn next(ec: &mut Ec, args: &[Value]) -> Res {
    let m = match_data::of(ec, &args[0])?;
    let (begin, end) = m.whole();
    let s = m.string();
    let mut at = end;
    if begin == end {
        if end >= string::len(s) {
            return Ok(Value::NIL);
        }
        at += string::with_bytes(ec, s, |bytes, e| {
            let encoding: Encoding = search::encoding_of(e);
            bytes.get(end..).map_or(1, |rest| asterism_support::encoding::chars::step(encoding, rest).max(1))
        });
    }
    find(ec, &[m.searched_for(), s, Value::fixnum(at as i64)])
}

fn set_backref(ec: &mut Ec, args: &[Value]) -> Res {
    ec.set_backref(args[0]);
    Ok(args[0])
}

fn match_end(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::fixnum(match_data::of(ec, &args[0])?.whole().1 as i64))
}

/// What `scan` yields for a match: its text, or the Array of its groups.
fn match_groups(ec: &mut Ec, args: &[Value]) -> Res {
    let m = match_data::of(ec, &args[0])?;
    if m.count() == 1 {
        return match_data::group(ec, m, 0);
    }
    let list = ec.array_with_capacity(m.count() - 1)?;
    for i in 1..m.count() {
        let s = match_data::group(ec, m, i)?;
        ec.array_push(list, s)?;
    }
    Ok(list)
}

/// Appends a String, keeping the encodings together.
fn append_string(ec: &mut Ec, out: Value, s: Value) -> Res<()> {
    let encoding = joined_encoding(ec, out, s)?;
    if encoding != string::encoding(out) {
        let done = string::force_encoding(ec, out, encoding);
        ec.check(out, done)?;
    }
    let done = string::append_str(ec, out, s);
    ec.check(out, done)
}

fn append_part(ec: &mut Ec, out: Value, source: &StrRef, from: usize, to: usize) -> Res<()> {
    let bytes = source.as_bytes().get(from..to).unwrap_or(b"");
    if string::encoding(out) == source.encoding() {
        let done = if source.is_ascii_only() {
            string::append_cr(ec, out, bytes, string::CodeRange::SevenBit)
        } else {
            string::append(ec, out, bytes)
        };
        return ec.check(out, done);
    }
    let part = ec.str_enc(bytes, source.encoding())?;
    append_string(ec, out, part)
}

/// `gsub_append(out or nil, match, copied, value)`: appends what lies between and the value; the buffer.
fn append(ec: &mut Ec, args: &[Value]) -> Res {
    let m = match_data::of(ec, &args[1])?;
    let s = m.string();
    let source = string::read(ec, s);
    let out = if args[0].is_nil() { ec.str_enc(b"", source.encoding())? } else { args[0] };
    let from = usize::try_from(args[2].as_fixnum()).unwrap_or(0);
    append_part(ec, out, &source, from, m.whole().0)?;
    let value = ec.to_s(args[3])?;
    append_string(ec, out, value)?;
    Ok(out)
}

/// `gsub_finish(out, source, copied)`: appends the rest.
fn finish(ec: &mut Ec, args: &[Value]) -> Res {
    let source = string::read(ec, args[1]);
    let from = usize::try_from(args[2].as_fixnum()).unwrap_or(0);
    append_part(ec, args[0], &source, from, source.as_bytes().len())?;
    Ok(args[0])
}

/// A replacement argument: a Hash, or a String.
fn replacement(ec: &mut Ec, args: &[Value]) -> Res {
    let v = args[0];
    if v.is_type(Type::String) || v.is_type(Type::Hash) {
        return Ok(v);
    }
    let as_hash = ec.try_convert(v, asterism_symbol::intern("to_hash"), "Hash", |x| x.is_type(Type::Hash))?;
    match as_hash {
        Some(h) => Ok(h),
        None => ec.to_str(v),
    }
}

/// A plain String with the same bytes.
fn copy(ec: &mut Ec, args: &[Value]) -> Res {
    let made = string::substr(ec, args[0], 0, usize::MAX);
    ec.check(args[0], made)
}

/// `string_become(str, seen, other)`: takes over the text of `other`, which was made of that of `seen`; false if other threads
/// have changed the same part of the text meanwhile.
fn take_over(ec: &mut Ec, args: &[Value]) -> Res {
    let [this, seen, other] = args else {
        return Err(ec.fatal("string_become takes three arguments"));
    };
    let done = string::replace_if_own(ec, *this, *other);
    if ec.check(*this, done)? {
        return Ok(Value::TRUE);
    }
    let done = string::replace_seen(ec, *this, *seen, *other, true);
    Ok(Value::bool(ec.check(*this, done)?))
}
