//! `scan` and `split`, over batches of matches; the primitives with which `regexp.rb` does what calls blocks.

use asterism_object::string::{CodeRange, StrRef};
use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_support::encoding::Encoding;
use asterism_support::encoding::chars::step;
use asterism_support::strutil;
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Res};

use super::engine::{Region, Search};
use super::matches::{ABSENT, Matches, joined_encoding, matches_of, pattern_argument, regexp_of};
use super::pattern;
use super::substitute::{gsub_hash, substitute};
use super::{match_data, search};
use crate::string::{update, util};

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("string_scan", scan),
    ("string_gsub", gsub),
    ("string_sub", sub),
    ("set_backref", set_backref),
    ("match_source", |ec, args| Ok(match_data::of(ec, &args[0])?.string())),
    ("match_text", |ec, args| super::match_part(ec, args[0], 0)),
    ("match_groups", match_groups),
    ("string_copy", copy),
    ("gsub_append", append),
    ("gsub_finish", finish),
    ("gsub_first", gsub_first),
    ("gsub_begin", gsub_begin),
    ("scan_first", scan_first),
    ("gsub_next", gsub_next),
    ("scan_next", scan_next),
    ("gsub_changed", is_changed),
    ("string_gsub_hash", gsub_hash),
    ("string_gsub_hash_bang", gsub_hash_bang),
    ("gsub_replacement", replacement),
    ("string_gsub_bang", |ec, args| substitute_bang(ec, args, true)),
    ("string_sub_bang", |ec, args| substitute_bang(ec, args, false)),
    ("string_become", take_over),
    ("grep_match", grep_match),
];

/// Registers the primitives.
///
/// # Errors
/// None: the signature is that of all `init`.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}

/// A copy, if there is no result.
fn or_copy(ec: &mut Ec, this: Value, made: Value) -> Res {
    if made.is_nil() { copy(ec, &[this]) } else { Ok(made) }
}

fn gsub(ec: &mut Ec, args: &[Value]) -> Res {
    let made = substitute(ec, args[0], args[1], args[2], true)?;
    or_copy(ec, args[0], made)
}

fn sub(ec: &mut Ec, args: &[Value]) -> Res {
    let made = substitute(ec, args[0], args[1], args[2], false)?;
    or_copy(ec, args[0], made)
}

/// `sub!` and `gsub!` with a replacement String: the receiver, or nil if nothing matched.
fn substitute_bang(ec: &mut Ec, args: &[Value], all: bool) -> Res {
    let [this, pattern, replacement] = args else {
        return Err(ec.fatal("a substitution takes three arguments"));
    };
    if string::is_own(ec, *this) {
        if !all && let Some(done) = sub_own(ec, *this, *pattern, *replacement)? {
            return Ok(done);
        }
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

/// `string_gsub_hash_bang(str, pattern, hash)`: as `string_gsub_hash`, in a String of this thread's own, which is answered if it was
/// changed. False for any other.
fn gsub_hash_bang(ec: &mut Ec, args: &[Value]) -> Res {
    let this = args[0];
    if !string::is_own(ec, this) {
        return Ok(Value::FALSE);
    }
    let made = gsub_hash(ec, args)?;
    if !made.is_heap() {
        return Ok(made);
    }
    let done = string::replace_if_own(ec, this, made);
    Ok(if ec.check(this, done)? { this } else { Value::FALSE })
}

/// `sub!` of a short String of this thread's own with a text that is ASCII: the match alone is replaced. `None`: not this way.
fn sub_own(ec: &mut Ec, this: Value, pattern: Value, replacement: Value) -> Res<Option<Value>> {
    let encoding = string::encoding(this);
    if !pattern::is_regexp(pattern)
        || this == replacement
        || string::len(this) > search::SHORT
        || string::coderange(ec, replacement) != CodeRange::SevenBit
        || encoding != string::encoding(replacement) && encoding > Encoding::US_ASCII.index()
    {
        return Ok(None);
    }
    let text = string::read(ec, replacement);
    if text.contains(&b'\\') {
        return Ok(None);
    }
    let Some((frozen, region)) = match_data::search_frozen(ec, pattern, this, 0, Search::Forward)? else {
        ec.set_backref(Value::NIL);
        return Ok(Some(Value::NIL));
    };
    let found = match_data::new(ec, pattern, frozen, &region)?;
    // A signal's handler may have run while it was searched.
    let (now, then) = (string::read(ec, this), string::read(ec, frozen));
    if now.as_bytes() != then.as_bytes() || string::encoding(this) != encoding {
        return Ok(None);
    }
    let (begin, end) = region.whole();
    let done = string::splice_own(ec, this, begin, end - begin, &text, encoding);
    if !ec.check(this, done)? {
        return Ok(None);
    }
    ec.set_backref(found);
    Ok(Some(this))
}

/// `grep_match(regexp, value)`: `regexp === value` for who does not look at `$~`, which stays as it is.
fn grep_match(ec: &mut Ec, args: &[Value]) -> Res {
    let [regexp, value] = args else {
        return Err(ec.fatal("grep_match takes two arguments"));
    };
    if value.as_symbol().is_some() {
        return ec.call(*regexp, asterism_symbol::intern("match?"), &[*value]);
    }
    match ec.check_string(*value)? {
        Some(subject) => Ok(Value::bool(search::matches(ec, *regexp, subject, 0)?)),
        None => Ok(Value::FALSE),
    }
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
    let mut last: Option<Region> = None;
    while let Some(spans) = matches.next(ec)? {
        let region = match &mut last {
            Some(region) => {
                region.set_spans(spans);
                region
            }
            None => last.insert(Region::of_spans(spans)),
        };
        let item = match region.spans() {
            [span] => matches.text(ec, *span)?,
            spans => {
                let groups = ec.array_with_capacity(spans.len() - 1)?;
                for span in &spans[1..] {
                    let s = matches.text(ec, *span)?;
                    ec.array_push(groups, s)?;
                }
                groups
            }
        };
        ec.array_push(list, item)?;
    }
    matches.end(ec);
    let m = match last {
        None => Value::NIL,
        Some(region) => match_data::new(ec, regexp, this, &region)?,
    };
    ec.set_backref(m);
    Ok(list)
}

/// `str.split(regexp, limit)`
///
/// # Errors
/// As [`Matches::new`] and [`Matches::next`]; TypeError if it is no Regexp.
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
    if searches_from_places(&pattern.source) {
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
    let mut region = Region::new(pattern.groups);
    while let Some(found) = matches.next(ec)? {
        region.set_spans(found);
        let spans = region.spans();
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
    matches.end(ec);
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

/// Does it matter from where a search of the pattern began? It has `\K` or `\G`, in wide characters too.
fn searches_from_places(source: &[u8]) -> bool {
    let mut escaped = false;
    source.iter().filter(|b| **b != 0).any(|b| {
        let found = escaped && matches!(b, b'K' | b'G');
        escaped = *b == b'\\';
        found
    })
}

/// Splits with a pattern that has `\K` or `\G`: an empty match may be the end of a longer one, so that it counts from where it
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

/// What `find` looks for: a Regexp; a String itself where no Regexp may look, in
/// a subject that is broken or in an encoding that does not know ASCII.
fn pattern_for(ec: &mut Ec, args: &[Value]) -> Res {
    if pattern::is_regexp(args[0]) {
        return Ok(args[0]);
    }
    let outside = |ec: &mut Ec, s: Value| {
        string::coderange(ec, s) == CodeRange::Broken || !search::encoding_of(string::encoding(s)).is_ascii_compatible()
    };
    if args[0].is_type(Type::String) && outside(ec, args[1]) {
        return pattern_argument(ec, args[0]);
    }
    regexp_of(ec, args[0])
}

/// Looks for a pattern in a subject from a byte offset on: a MatchData, which has the subject's text in a frozen String, or nil;
/// leaves `$~` alone.
fn find(ec: &mut Ec, args: &[Value]) -> Res {
    let at = usize::try_from(args[2].as_fixnum()).unwrap_or(0);
    if args[0].is_type(Type::String) {
        let frozen = match_data::frozen_subject(ec, args[1])?;
        let encoding = search::encoding_of(joined_encoding(ec, frozen, args[0])?);
        let (subject, text) = (string::read(ec, frozen), string::read(ec, args[0]));
        return match strutil::find(encoding, &subject, &text, at) {
            Some(begin) => {
                let span = (begin as u32, (begin + text.len()) as u32);
                match_data::new(ec, args[0], frozen, &Region::of_spans(&[span]))
            }
            None => Ok(Value::NIL),
        };
    }
    match match_data::search_frozen(ec, args[0], args[1], at, Search::Forward)? {
        Some((frozen, region)) => match_data::new(ec, args[0], frozen, &region),
        None => Ok(Value::NIL),
    }
}

/// The match behind this one in the same subject.
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

/// `gsub_append(out or nil, match before or nil, match, value)`: appends what lies between the matches, and the value; the
/// buffer.
fn append(ec: &mut Ec, args: &[Value]) -> Res {
    let m = match_data::of(ec, &args[2])?;
    let s = m.string();
    let from = if args[1].is_nil() { 0 } else { match_data::of(ec, &args[1])?.whole().1 };
    let source = string::read(ec, s);
    let out = if args[0].is_nil() {
        let length = source.as_bytes().len();
        let made = string::with_capacity(ec, length + length / 4, source.encoding());
        ec.check(s, made)?
    } else {
        args[0]
    };
    append_part(ec, out, &source, from, m.whole().0)?;
    let value = if args[3].is_type(Type::String) { args[3] } else { ec.to_s(args[3])? };
    if string::appends_as_is(out, value) {
        let done = string::append_str(ec, out, value);
        ec.check(out, done)?;
    } else {
        append_string(ec, out, value)?;
    }
    Ok(out)
}

/// `gsub_changed(str, source)`: has a block changed the length of a String of this thread's own?
fn is_changed(ec: &mut Ec, args: &[Value]) -> Res {
    Ok(Value::bool(string::len(args[0]) != string::len(args[1]) && string::is_own(ec, args[0])))
}

/// `gsub_first(pattern, subject)`: the first match, or nil; sets `$~`.
fn gsub_first(ec: &mut Ec, args: &[Value]) -> Res {
    let pattern = pattern_for(ec, args)?;
    let found = find(ec, &[pattern, args[1], Value::fixnum(0)])?;
    ec.set_backref(found);
    Ok(found)
}

/// `scan_first(pattern, subject)`: as `gsub_first`; a String stands for the Regexp that matches it.
fn scan_first(ec: &mut Ec, args: &[Value]) -> Res {
    let regexp = regexp_of(ec, args[0])?;
    gsub_first(ec, &[regexp, args[1]])
}

/// `gsub_begin(pattern, subject)`: the first match, which `$~` is then; or a copy of the text, which has none.
fn gsub_begin(ec: &mut Ec, args: &[Value]) -> Res {
    // While a long text is searched other threads may change it.
    let subject = if string::len(args[1]) > search::SHORT {
        match_data::frozen_subject(ec, args[1])?
    } else {
        util::settled(ec, args[1])?
    };
    let found = gsub_first(ec, &[args[0], subject])?;
    or_copy(ec, subject, found)
}

/// `gsub_next(match)`: the match behind this one, which `$~` is then; or nil.
fn gsub_next(ec: &mut Ec, args: &[Value]) -> Res {
    let found = next(ec, args)?;
    if !found.is_nil() {
        ec.set_backref(found);
    }
    Ok(found)
}

/// `scan_next(match, subject)`: as `gsub_next`.
///
/// # Errors
/// RuntimeError if the block changed the subject.
fn scan_next(ec: &mut Ec, args: &[Value]) -> Res {
    let source = match_data::of(ec, &args[0])?.string();
    if is_changed(ec, &[args[1], source])?.truthy() {
        return Err(ec.raise(asterism_vm::Exc::RuntimeError, "string modified"));
    }
    gsub_next(ec, args)
}

/// `gsub_finish(out, source, last match)`: appends the rest, `$~` is the last match again.
fn finish(ec: &mut Ec, args: &[Value]) -> Res {
    let source = string::read(ec, args[1]);
    ec.set_backref(args[2]);
    let from = match_data::of(ec, &args[2])?.whole().1;
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
