//! The MatchData object: where the groups of a match lie in a frozen copy of its subject.

use std::sync::atomic::Ordering;

use asterism_heap::Marker;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::string::{CodeRange, StrRef};
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Value, ownership, string};
use asterism_support::encoding::scan::char_count;
use asterism_vm::{Ec, Res};

use super::engine::{Region, Search};
use super::search::{Asked, encoding_of};
use super::{pattern, search};
use crate::string::util;

/// Groups (with the whole match) that need no memory of their own.
const INLINE: usize = 6;

/// Offsets of a group; `u32::MAX` twice: it took no part.
type Span = (u32, u32);

const ABSENT: Span = (u32::MAX, u32::MAX);

enum Spans {
    Few(u8, [Span; INLINE]),
    Many(Box<[Span]>),
}

/// A match. Immutable once made.
pub struct MatchBox {
    regexp: AtomicValue,
    string: AtomicValue,
    spans: Spans,
}

impl DataObject for MatchBox {
    const NAME: &'static str = "MatchData";
    const INLINE: bool = true;
    const SHARED: Shared = Shared::Frozen;

    fn trace(&self, marker: &mut Marker<'_>) {
        self.regexp.mark(marker);
        self.string.mark(marker);
    }

    fn each_part(&self, f: &mut dyn FnMut(Value)) {
        f(self.regexp.load(Ordering::Acquire));
        f(self.string.load(Ordering::Acquire));
    }

    fn size(&self) -> usize {
        match &self.spans {
            Spans::Few(..) => 0,
            Spans::Many(spans) => spans.len() * size_of::<Span>(),
        }
    }
}

impl MatchBox {
    fn spans(&self) -> &[Span] {
        match &self.spans {
            Spans::Few(n, spans) => &spans[..usize::from(*n)],
            Spans::Many(spans) => spans,
        }
    }

    /// Groups, counting the whole match.
    pub fn count(&self) -> usize {
        self.spans().len()
    }

    /// Byte offsets of group `i`, if it took part.
    #[inline]
    pub fn span(&self, i: usize) -> Option<(usize, usize)> {
        match self.spans().get(i) {
            None | Some(&ABSENT) => None,
            Some(&(begin, end)) => Some((begin as usize, end as usize)),
        }
    }

    /// Byte offsets of the whole match.
    pub fn whole(&self) -> (usize, usize) {
        self.span(0).unwrap_or((0, 0))
    }

    /// What was searched for: a Regexp, or a String that nobody has asked as a Regexp yet.
    pub fn searched_for(&self) -> Value {
        self.regexp.load(Ordering::Acquire)
    }

    /// The frozen subject.
    pub fn string(&self) -> Value {
        self.string.load(Ordering::Acquire)
    }
}

/// A frozen String with the subject's bytes: itself, if it is one.
///
/// # Errors
/// NoMemoryError.
#[inline]
pub fn frozen_subject(ec: &mut Ec, subject: Value) -> Res {
    if ownership::is_frozen(subject) && ec.class_of(subject).0 == ec.class(WellKnown::String) {
        return Ok(subject);
    }
    let made = string::frozen_copy(ec, subject);
    ec.check(subject, made)
}

/// As [`search::search`], with a frozen String of the text that was searched.
///
/// # Errors
/// As [`search::search`].
#[inline]
pub fn search_frozen(
    ec: &mut Ec,
    regexp: Value,
    subject: Value,
    at: usize,
    how: Search,
) -> Res<Option<(Value, Region)>> {
    let pattern = pattern::of(ec, &regexp)?;
    let subject = if subject.is_type(Type::String) { util::settled(ec, subject)? } else { subject };
    let range = string::coderange(ec, subject);
    let encoding = string::encoding(subject);
    let mut region = Region::new(pattern.groups);
    if string::is_own(ec, subject) {
        let engine = search::engine(ec, regexp, pattern, encoding, range, subject)?;
        match search::run_own(ec, subject, &Asked { engine, encoding, range, at, how }, &mut region) {
            Some(false) => return Ok(None),
            Some(true) => {
                let frozen = frozen_subject(ec, subject)?;
                // It was nobody else's all the time, so that is the text that was searched.
                if string::is_own(ec, subject) {
                    return Ok(Some((frozen, region)));
                }
            }
            None => {}
        }
    }
    let bytes = string::read(ec, subject);
    let engine = search::engine(ec, regexp, pattern, bytes.encoding(), bytes.coderange(), subject)?;
    if !search::run(ec, regexp, engine, &bytes, at, how, &mut region)? {
        return Ok(None);
    }
    let frozen = frozen_subject(ec, subject)?;
    if frozen == subject || is_text_of(ec, frozen, &bytes) {
        return Ok(Some((frozen, region)));
    }
    // Another thread has changed it since it was searched.
    Ok(search::search(ec, regexp, frozen, at, how)?.map(|region| (frozen, region)))
}

/// Is it the text of a frozen String?
fn is_text_of(ec: &mut Ec, frozen: Value, bytes: &StrRef) -> bool {
    let seen = bytes.as_bytes();
    string::with_bytes(ec, frozen, |known, _| {
        known.len() == seen.len() && (known.as_ptr() == seen.as_ptr() || known == seen)
    })
}

/// A MatchData for a match of `regexp` in `subject`.
///
/// # Errors
/// NoMemoryError.
pub fn new(ec: &mut Ec, regexp: Value, subject: Value, region: &Region) -> Res {
    let subject = frozen_subject(ec, subject)?;
    let regexp = if super::pattern::is_regexp(regexp) { regexp } else { frozen_subject(ec, regexp)? };
    // Another thread may have shortened an unfrozen subject since it was searched.
    let limit = string::len(subject);
    let span = |i| match region.get(i) {
        Some((begin, end)) if begin <= end && end <= limit => (begin as u32, end as u32),
        _ => ABSENT,
    };
    let count = region.count();
    let spans = if count <= INLINE {
        let mut few = [ABSENT; INLINE];
        for (i, place) in few.iter_mut().enumerate().take(count) {
            *place = span(i);
        }
        Spans::Few(count as u8, few)
    } else {
        Spans::Many((0..count).map(span).collect())
    };
    let class = ec.class(WellKnown::MatchData);
    let made = make(ec, class, spans);
    let v = ec.check(Value::NIL, made)?;
    if let (Some(m), Some(cell)) = (data::get::<MatchBox>(&v), v.cell()) {
        asterism_object::store(cell, &m.regexp, regexp);
        asterism_object::store(cell, &m.string, subject);
    }
    Ok(v)
}

/// One that holds no values yet.
#[inline]
fn make(ec: &mut Ec, class: Value, spans: Spans) -> asterism_object::Result<Value> {
    let empty = || AtomicValue::new(Value::NIL);
    match spans {
        // It owns nothing, and need not be dropped.
        Spans::Few(..) => data::new_inline(ec, class, || MatchBox { regexp: empty(), string: empty(), spans }),
        Spans::Many(_) => data::new(ec, class, MatchBox { regexp: empty(), string: empty(), spans }),
    }
}

/// A copy of a MatchData, of the same class; `None` if `v` is none.
///
/// # Errors
/// NoMemoryError.
pub fn copy(ec: &mut Ec, v: Value) -> Res<Option<Value>> {
    let Some(m) = data::get::<MatchBox>(&v) else { return Ok(None) };
    let spans = match &m.spans {
        Spans::Few(count, few) => Spans::Few(*count, *few),
        Spans::Many(many) => Spans::Many(many.clone()),
    };
    let (regexp, string) = (m.regexp.load(Ordering::Acquire), m.string.load(Ordering::Acquire));
    let class = ec.real_class_of(v);
    let made = make(ec, class.0, spans);
    let made = ec.check(v, made)?;
    if let (Some(m), Some(cell)) = (data::get::<MatchBox>(&made), made.cell()) {
        asterism_object::store(cell, &m.regexp, regexp);
        asterism_object::store(cell, &m.string, string);
    }
    Ok(Some(made))
}

/// The match in a MatchData.
///
/// # Errors
/// TypeError if it is none.
#[inline]
pub fn of<'a>(ec: &mut Ec, v: &'a Value) -> Res<&'a MatchBox> {
    match data::get::<MatchBox>(v) {
        Some(m) => Ok(m),
        None => Err(ec.type_error("uninitialized MatchData")),
    }
}

/// The Regexp of a match.
///
/// # Errors
/// NoMemoryError.
pub fn regexp(ec: &mut Ec, v: &Value) -> Res {
    let m = of(ec, v)?;
    let known = m.searched_for();
    if super::pattern::is_regexp(known) {
        return Ok(known);
    }
    let made = super::matches::regexp_of(ec, known)?;
    if let Some(cell) = v.cell() {
        asterism_object::store(cell, &m.regexp, made);
    }
    Ok(made)
}

/// Is it a MatchData?
pub fn is_match(v: Value) -> bool {
    data::is::<MatchBox>(v)
}

/// The bytes `begin..end` of the subject as a String.
///
/// # Errors
/// NoMemoryError.
#[inline]
pub fn part(ec: &mut Ec, subject: Value, begin: usize, end: usize) -> Res {
    let made = string::substr(ec, subject, begin, end.saturating_sub(begin));
    ec.check(subject, made)
}

/// Group `i` as a String, or nil.
///
/// # Errors
/// NoMemoryError.
#[inline]
pub fn group(ec: &mut Ec, m: &MatchBox, i: usize) -> Res {
    match m.span(i) {
        Some((begin, end)) => part(ec, m.string(), begin, end),
        None => Ok(Value::NIL),
    }
}

/// How many characters the subject has before byte `at`.
pub fn char_index(ec: &mut Ec, subject: Value, at: usize) -> usize {
    let range = string::coderange(ec, subject);
    if range == CodeRange::SevenBit {
        return at;
    }
    string::with_bytes(ec, subject, |bytes, e| {
        let head = bytes.get(..at).unwrap_or(bytes);
        // What is in front of a character in a text is one too.
        let range = util::known(range).filter(|_| range == CodeRange::Valid);
        char_count(encoding_of(e), head, range)
    })
}

/// Part `n` of a MatchData: `$&`, `` $` ``, `$'`, `$+`, then `$1` …
///
/// # Errors
/// NoMemoryError.
pub fn match_part(ec: &mut Ec, match_data: Value, n: u32) -> Res {
    let m = of(ec, &match_data)?;
    match n {
        0 => group(ec, m, 0),
        1 => part(ec, m.string(), 0, m.whole().0),
        2 => {
            let subject = m.string();
            part(ec, subject, m.whole().1, string::len(subject))
        }
        3 => match (1..m.count()).rev().find(|i| m.span(*i).is_some()) {
            Some(i) => group(ec, m, i),
            None => Ok(Value::NIL),
        },
        n => group(ec, m, n as usize - 4),
    }
}
