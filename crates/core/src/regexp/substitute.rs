//! `sub` and `gsub` with a replacement String or a Hash: what calls no Ruby code, over batches of matches.

use asterism_object::space::WellKnown;
use asterism_object::string::{CodeRange, StrRef};
use asterism_object::types::Type;
use asterism_object::{Value, hash, string};
use asterism_regexp::template::{Piece, Wrong, template};
use asterism_support::encoding::Encoding;
use asterism_support::strutil;
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Exc, Res};

use super::engine::Region;
use super::match_data;
use super::matches::{ABSENT, Matches, Span, joined_encoding, matches_of, pattern_argument};
use super::{match_methods, search};
use crate::string::util;

/// What a piece that is no text stands for.
fn part_of_match<'s>(piece: &Piece, spans: &[Span], subject: &'s [u8]) -> &'s [u8] {
    let part = |span: Option<&Span>| match span {
        Some(&(b, e)) if (b, e) != ABSENT => subject.get(b as usize..e as usize).unwrap_or(b""),
        _ => b"",
    };
    let whole = spans.first().copied().unwrap_or((0, 0));
    match piece {
        Piece::Text(_) => b"",
        Piece::Group(n) => part(spans.get(*n)),
        Piece::Before => part(Some(&(0, whole.0))),
        Piece::Behind => subject.get(whole.1 as usize..).unwrap_or(b""),
        Piece::LastGroup => part(spans.iter().skip(1).rev().find(|s| **s != ABSENT)),
        Piece::Named(groups) => {
            let taken = groups.iter().rev().find(|g| spans.get(**g).is_some_and(|s| *s != ABSENT));
            part(taken.and_then(|g| spans.get(*g)))
        }
    }
}

fn both_know_ascii(a: Value, b: Value) -> bool {
    [a, b].iter().all(|s| search::encoding_of(string::encoding(*s)).is_ascii_compatible())
}

/// Where the result of a substitution is put together.
enum Out {
    /// In the new String itself: its encoding is that of the subject, whatever matches.
    Made(Value),
    /// Apart: the encoding is known at the end. What is kept of the subject, and whether that is ASCII, decides.
    Apart { bytes: Buffer, kept: usize, kept_ascii: bool },
}

/// A substitution under way.
struct Substitution<'m, 'a> {
    matches: &'m mut Matches<'a>,
    text: StrRef,
    /// Coderange of parts of the replacement.
    text_range: CodeRange,
    pieces: Option<Vec<Piece>>,
    out: Out,
    /// Up to where the subject has been copied.
    copied: usize,
    last: Region,
}

impl Substitution<'_, '_> {
    /// Coderange of parts of the subject.
    fn subject_range(&self) -> CodeRange {
        if self.matches.seven_bit { CodeRange::SevenBit } else { CodeRange::Unknown }
    }

    /// Appends bytes that are not on the heap, or do not change.
    fn append(ec: &mut Ec, out: &mut Out, bytes: &[u8], range: CodeRange) -> Res<()> {
        match out {
            Out::Made(v) => {
                let done = string::append_cr(ec, *v, bytes, range);
                ec.check(*v, done)
            }
            Out::Apart { bytes: buffer, .. } => buffer.append(ec, bytes),
        }
    }

    /// Appends what lies before the match and what takes its place.
    fn replace(&mut self, ec: &mut Ec) -> Res<()> {
        let (begin, end) = self.last.whole();
        let range = self.subject_range();
        let subject = self.matches.subject.as_bytes();
        let before = subject.get(self.copied..begin).unwrap_or(b"");
        if let Out::Apart { kept, kept_ascii, .. } = &mut self.out {
            *kept += before.len();
            *kept_ascii &= before.is_ascii();
        }
        Self::append(ec, &mut self.out, before, range)?;
        match &self.pieces {
            None => Self::append(ec, &mut self.out, &self.text, self.text_range)?,
            Some(pieces) => {
                for piece in pieces {
                    let (bytes, range) = match piece {
                        Piece::Text(text) => (text.as_slice(), self.text_range),
                        other => (part_of_match(other, self.last.spans(), subject), range),
                    };
                    Self::append(ec, &mut self.out, bytes, range)?;
                }
            }
        }
        self.copied = end;
        Ok(())
    }

    /// Appends the rest; the new String.
    fn finish(mut self, ec: &mut Ec, this: Value, replacement: Value, all: bool) -> Res {
        let range = self.subject_range();
        let rest = self.matches.subject.as_bytes().get(self.copied..).unwrap_or(b"");
        Self::append(ec, &mut self.out, rest, range)?;
        let (bytes, kept, kept_ascii) = match self.out {
            Out::Made(v) => {
                // Parts of text, cut between characters.
                if self.matches.subject.coderange().is_text() && self.text.coderange().is_text() {
                    string::set_valid(ec, v);
                }
                return Ok(v);
            }
            Out::Apart { bytes, kept, kept_ascii } => (bytes, kept + rest.len(), kept_ascii && rest.is_ascii()),
        };
        let encoding = match joined_encoding(ec, this, replacement) {
            // What is kept need not be all of the subject.
            Err(_) if kept == 0 || kept_ascii && !all => string::encoding(replacement),
            Err(_) if kept_ascii && both_know_ascii(this, replacement) => string::encoding(replacement),
            encoding => encoding?,
        };
        let made = string::from_vec(ec, bytes.into_parts().0, encoding);
        ec.check(Value::NIL, made)
    }
}

/// `sub` of a String by a String, where what is copied needs no look: the new String, or nil if nothing matched; sets `$~`.
/// `None`: not this way.
fn sub_text(ec: &mut Ec, this: Value, pattern: Value, replacement: Value) -> Res<Option<Value>> {
    let encoding = string::encoding(this);
    // A part of characters of several bytes may look like one of them.
    let plain = encoding <= Encoding::US_ASCII.index();
    if !plain
        || !pattern.is_type(Type::String)
        || string::len(this) > search::SHORT
        || [pattern, replacement].iter().any(|s| string::coderange(ec, *s) != CodeRange::SevenBit)
    {
        return Ok(None);
    }
    let this = util::settled(ec, this)?;
    let known = string::coderange(ec, this);
    let range = if known == CodeRange::SevenBit { known } else { CodeRange::Unknown };
    let frozen = match_data::frozen_subject(ec, this)?;
    let (subject, needle, text) = (string::read(ec, frozen), string::read(ec, pattern), string::read(ec, replacement));
    if text.contains(&b'\\') {
        return Ok(None);
    }
    let Some(at) = strutil::find(Encoding::BINARY, &subject, &needle, 0) else {
        ec.set_backref(Value::NIL);
        return Ok(Some(Value::NIL));
    };
    let end = at + needle.len();
    let made = string::with_capacity(ec, subject.len() - needle.len() + text.len(), encoding);
    let made = ec.check(Value::NIL, made)?;
    let (before, behind) = (&subject[..at], &subject[end..]);
    let parts = [(before, range), (text.as_bytes(), CodeRange::SevenBit), (behind, range)];
    for (part, range) in parts {
        let done = string::append_cr(ec, made, part, range);
        ec.check(made, done)?;
    }
    if subject.coderange().is_text() {
        string::set_valid(ec, made);
    }
    let m = match_data::new(ec, pattern, frozen, &Region::of_whole(at, end))?;
    ec.set_backref(m);
    Ok(Some(made))
}

/// `sub` and `gsub` with a replacement String: the new String, or nil if nothing matched. Sets `$~`.
///
/// # Errors
/// As a search; Encoding::CompatibilityError.
pub fn substitute(ec: &mut Ec, this: Value, pattern_arg: Value, replacement: Value, all: bool) -> Res {
    if !all && let Some(made) = sub_text(ec, this, pattern_arg, replacement)? {
        return Ok(made);
    }
    let regexp = pattern_argument(ec, pattern_arg)?;
    let (mut matches, pattern) = matches_of(ec, &regexp, this)?;
    if !all {
        matches.first_only();
    }
    let text = string::read(ec, replacement);
    let first = match matches.next(ec)? {
        Some(spans) => Region::of_spans(spans),
        None => {
            matches.end(ec);
            ec.set_backref(Value::NIL);
            return Ok(Value::NIL);
        }
    };
    let pieces = if text.contains(&b'\\') {
        let (has_names, named) = (pattern.is_some_and(|p| !p.names.is_empty()), |name: &[u8]| pattern?.named(name));
        match template(&text, search::encoding_of(text.encoding()), has_names, named) {
            Ok(pieces) => Some(pieces),
            // Only a match makes it an error.
            Err(Wrong::Name(name)) => {
                let name = ec.str_enc(&name, text.encoding())?;
                return Err(match_methods::undefined_name(ec, name));
            }
            Err(Wrong::Format) => return Err(ec.raise(Exc::RuntimeError, "invalid group name reference format")),
        }
    } else {
        None
    };
    let seven_bit = string::coderange(ec, replacement) == CodeRange::SevenBit;
    let encoding = string::encoding(this);
    let fits = encoding == string::encoding(replacement) || seven_bit && encoding <= Encoding::US_ASCII.index();
    let (begin, end) = first.whole();
    let length = matches.subject.as_bytes().len();
    let guess = length.saturating_sub(if all { 0 } else { end - begin }).saturating_add(text.len());
    let out = if fits {
        let made = string::with_capacity(ec, guess, encoding);
        Out::Made(ec.check(Value::NIL, made)?)
    } else {
        let mut bytes = Buffer::new(ec);
        bytes.reserve(ec, guess)?;
        Out::Apart { bytes, kept: 0, kept_ascii: true }
    };
    let text_range = if seven_bit { CodeRange::SevenBit } else { CodeRange::Unknown };
    let mut work = Substitution { matches: &mut matches, text, text_range, pieces, out, copied: 0, last: first };
    loop {
        work.replace(ec)?;
        match work.matches.next(ec)? {
            Some(spans) => work.last.set_spans(spans),
            None => break,
        }
    }
    work.matches.end(ec);
    let m = match_data::new(ec, regexp, this, &work.last)?;
    ec.set_backref(m);
    work.finish(ec, this, replacement, all)
}

/// `string_gsub_hash(str, pattern, hash)`: `gsub` with a Hash whose values are found without Ruby code; the new String, nil if
/// nothing matched, false if they are not. Sets `$~` if there is a result.
///
/// # Errors
/// TypeError for another pattern, RegexpError for a String that is broken; as [`Matches::new`] and [`Matches::next`];
/// NoMemoryError.
pub fn gsub_hash(ec: &mut Ec, args: &[Value]) -> Res {
    let (this, hash) = (args[0], args[2]);
    let (default, is_proc) = hash::default_of(hash);
    let plain = ec.class_of(hash).0 == ec.class(WellKnown::Hash);
    if is_proc
        || !plain
        || !(default.is_nil() || default.is_type(Type::String))
        || !crate::hash::has_own_default(ec, hash)
    {
        return Ok(Value::FALSE);
    }
    let regexp = pattern_argument(ec, args[1])?;
    let (mut matches, _) = matches_of(ec, &regexp, this)?;
    let encoding = string::encoding(this);
    let range = if matches.seven_bit { CodeRange::SevenBit } else { CodeRange::Unknown };
    let length = matches.subject.as_bytes().len();
    let mut out = Value::NIL;
    let mut copied = 0;
    let mut last = Region::new(0);
    while let Some(spans) = matches.next(ec)? {
        let (begin, end) = spans.first().copied().unwrap_or_default();
        last = Region::of_spans(spans);
        let key = matches.text(ec, (begin, end))?;
        let value = ec.hash_get(hash, key)?.unwrap_or(default);
        if !value.is_nil() {
            let fits = value.is_type(Type::String)
                && (string::encoding(value) == encoding
                    || encoding <= Encoding::US_ASCII.index() && string::coderange(ec, value) == CodeRange::SevenBit);
            if !fits {
                matches.end(ec);
                return Ok(Value::FALSE);
            }
        }
        if out.is_nil() {
            let made = string::with_capacity(ec, length + length / 4, encoding);
            out = ec.check(Value::NIL, made)?;
        }
        let before = matches.subject.as_bytes().get(copied..begin as usize).unwrap_or(b"");
        let done = string::append_cr(ec, out, before, range);
        ec.check(out, done)?;
        if !value.is_nil() {
            let done = string::append_str(ec, out, value);
            ec.check(out, done)?;
        }
        copied = end as usize;
    }
    matches.end(ec);
    if out.is_nil() {
        ec.set_backref(Value::NIL);
        return Ok(out);
    }
    let rest = matches.subject.as_bytes().get(copied..).unwrap_or(b"");
    let done = string::append_cr(ec, out, rest, range);
    ec.check(out, done)?;
    let m = match_data::new(ec, regexp, this, &last)?;
    ec.set_backref(m);
    Ok(out)
}
