//! All matches of a pattern in a subject, one after the other, found in batches: a long subject is searched as a few
//! blocking regions, not as one for each match.

use asterism_object::string::{CodeRange, StrRef};
use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_support::encoding::Encoding;
use asterism_support::encoding::chars::step;
use asterism_support::{Error, ErrorKind, strutil};
use asterism_vm::{Ec, Res};

use super::engine::{Engine, Lent, Outcome, Region, Search};
use super::pattern::{self, Pattern};
use super::{search, show};
use crate::support_error;

/// Matches found at once.
const BATCH: usize = 1024;

/// Subjects from this many bytes on are searched as blocking regions.
const LONG: usize = 16 << 10;

/// Byte offsets of a group; `u32::MAX` twice if it took no part.
pub type Span = (u32, u32);

/// A group that took no part.
pub const ABSENT: Span = (u32::MAX, u32::MAX);

/// What finds the next one.
enum Finder<'a> {
    Engine(&'a Engine),
    /// A String pattern and the encoding to find it in.
    Text(StrRef, Encoding),
}

/// The matches.
pub struct Matches<'a> {
    regexp: Value,
    finder: Finder<'a>,
    /// The subject as it was.
    pub subject: StrRef,
    /// Is the subject ASCII?
    pub seven_bit: bool,
    width: usize,
    at: usize,
    done: bool,
    /// Only the first match is wanted.
    one: bool,
    region: Region,
    /// The thread's memory for searches, with the matches found; taken by the first search.
    memory: Option<Lent>,
    next: usize,
}

impl<'a> Matches<'a> {
    /// Of `regexp`, whose pattern is given, in the String `subject`.
    ///
    /// # Errors
    /// Encoding::CompatibilityError if they do not fit; ArgumentError if the subject is broken; RegexpError if the
    /// pattern is wrong in the subject's encoding; NoMemoryError; what `Warning.warn` raises.
    #[inline(always)]
    pub fn new(ec: &mut Ec, regexp: Value, pattern: &'a Pattern, subject: Value) -> Res<Matches<'a>> {
        string::coderange(ec, subject);
        let bytes = string::read(ec, subject);
        let range = bytes.coderange();
        let engine = search::engine(ec, regexp, pattern, bytes.encoding(), range, subject)?;
        Ok(Matches {
            regexp,
            finder: Finder::Engine(engine),
            subject: bytes,
            seven_bit: range == string::CodeRange::SevenBit,
            width: pattern.groups + 1,
            at: 0,
            done: false,
            one: false,
            region: Region::new(pattern.groups),
            memory: None,
            next: 0,
        })
    }

    /// Of the String `pattern` in the String `subject`.
    ///
    /// # Errors
    /// Encoding::CompatibilityError.
    #[inline(always)]
    pub fn of_text(ec: &mut Ec, pattern: Value, subject: Value) -> Res<Matches<'static>> {
        let encoding = joined_encoding(ec, subject, pattern)?;
        let seven_bit = string::is_ascii_only(ec, subject);
        let bytes = string::read(ec, subject);
        let needle = string::read(ec, pattern);
        let encoding = if seven_bit { Encoding::BINARY } else { search::encoding_of(encoding) };
        Ok(Matches {
            regexp: pattern,
            finder: Finder::Text(needle, encoding),
            subject: bytes,
            seven_bit,
            width: 1,
            at: 0,
            done: false,
            one: false,
            region: Region::new(0),
            memory: None,
            next: 0,
        })
    }

    /// Only the first one.
    pub fn first_only(&mut self) {
        self.one = true;
    }

    /// The next match: the spans of the whole and of the groups.
    ///
    /// # Errors
    /// Regexp::TimeoutError, RegexpError, NotImplementedError, NoMemoryError; what is raised into the thread.
    #[inline]
    pub fn next(&mut self, ec: &mut Ec) -> Res<Option<&[Span]>> {
        if self.memory.as_ref().is_none_or(|memory| self.next >= memory.spans().len()) {
            if self.done {
                return Ok(None);
            }
            self.fill(ec)?;
        }
        let from = self.next;
        self.next += self.width;
        Ok(self.memory.as_ref().and_then(|memory| memory.spans().get(from..from + self.width)))
    }

    /// Gives the thread its memory back.
    pub fn end(&mut self, ec: &mut Ec) {
        if let Some(memory) = self.memory.take() {
            memory.give_back(ec);
        }
    }

    fn fill(&mut self, ec: &mut Ec) -> Res<()> {
        self.next = 0;
        if self.at > 0 {
            ec.poll()?;
        }
        let long = self.subject.as_bytes().len().saturating_sub(self.at) >= LONG;
        let mut memory = self.memory.take().unwrap_or_else(|| Lent::take(ec));
        memory.spans_mut().clear();
        let stopped = if long { ec.computing(|| self.batch(&mut memory)) } else { self.batch(&mut memory) };
        if !stopped || !memory.spans().is_empty() {
            self.memory = Some(memory);
            return Ok(());
        }
        memory.give_back(ec);
        // A search that takes long, or fails: one match, with all care.
        let Finder::Engine(engine) = &self.finder else { return Ok(()) };
        let found = search::run(ec, self.regexp, engine, &self.subject, self.at, Search::Forward, &mut self.region)?;
        let mut memory = Lent::take(ec);
        memory.spans_mut().clear();
        if found {
            self.record(&mut memory);
        } else {
            self.done = true;
        }
        self.memory = Some(memory);
        Ok(())
    }

    /// Finds up to a batch of matches. True if a search was not brought to its end.
    fn batch(&mut self, memory: &mut Lent) -> bool {
        let short = self.at == 0 && self.subject.as_bytes().len() < LONG;
        let most = if self.one {
            1
        } else if short {
            16
        } else {
            BATCH
        };
        let needle = match &self.finder {
            Finder::Text(needle, _) if !short && needle.len() > 1 => Some(strutil::Needle::new(needle.as_bytes())),
            _ => None,
        };
        for _ in 0..most {
            if self.done {
                return false;
            }
            let bytes = self.subject.as_bytes();
            let outcome = match &self.finder {
                Finder::Engine(engine) => memory.quick(engine, bytes, self.at, Search::Forward, &mut self.region),
                Finder::Text(text, encoding) => match needle.as_ref().map_or_else(
                    || strutil::find(*encoding, bytes, text, self.at),
                    |needle| needle.find(*encoding, bytes, self.at),
                ) {
                    Some(at) => {
                        self.region.set_whole(at, at + text.as_bytes().len());
                        Outcome::Match
                    }
                    None => Outcome::NoMatch,
                },
            };
            match outcome {
                Outcome::Match => self.record(memory),
                Outcome::NoMatch => self.done = true,
                _ => return true,
            }
        }
        false
    }

    fn record(&mut self, memory: &mut Lent) {
        memory.spans_mut().extend_from_slice(self.region.spans());
        self.done |= self.one;
        let (begin, end) = self.region.whole();
        let bytes = self.subject.as_bytes();
        self.at = if begin < end {
            end
        } else if end < bytes.len() {
            end + self.step(end)
        } else {
            self.done = true;
            end
        };
    }

    fn step(&self, at: usize) -> usize {
        if self.seven_bit {
            return 1;
        }
        let encoding: Encoding = search::encoding_of(self.subject.encoding());
        step(encoding, &self.subject.as_bytes()[at..]).max(1)
    }

    /// The bytes of a span as a new String.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline]
    pub fn text(&self, ec: &mut Ec, span: Span) -> Res {
        if span == ABSENT {
            return Ok(Value::NIL);
        }
        let bytes = self.subject.as_bytes().get(span.0 as usize..span.1 as usize).unwrap_or(b"");
        let made = if self.seven_bit {
            string::new_cr(ec, bytes, self.subject.encoding(), string::CodeRange::SevenBit)
        } else {
            string::new(ec, bytes, self.subject.encoding())
        };
        ec.check(Value::NIL, made)
    }
}

/// The pattern's Regexp of a pattern argument: itself, or the one that matches a String.
///
/// # Errors
/// TypeError: `wrong argument type Integer (expected Regexp)`.
pub fn regexp_of(ec: &mut Ec, v: Value) -> Res {
    if pattern::is_regexp(v) {
        return Ok(v);
    }
    match ec.check_string(v)? {
        Some(s) => {
            let quoted = super::methods::quote(ec, s)?;
            pattern::make(ec, quoted, 0)
        }
        None => {
            let name = ec.describe_for_conversion(v);
            Err(ec.type_error(format!("wrong argument type {name} (expected Regexp)")))
        }
    }
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

/// A pattern argument: a Regexp, or a String, which stands for itself.
///
/// # Errors
/// TypeError; RegexpError for a String that is broken.
pub fn pattern_argument(ec: &mut Ec, v: Value) -> Res {
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
///
/// # Errors
/// TypeError for what is neither a String nor a Regexp; Encoding::CompatibilityError if they do not fit; else as
/// [`Matches::new`].
#[inline(always)]
pub fn matches_of<'a>(ec: &mut Ec, given: &'a Value, subject: Value) -> Res<(Matches<'a>, Option<&'a Pattern>)> {
    if given.is_type(Type::String) {
        return Ok((Matches::of_text(ec, *given, subject)?, None));
    }
    let pattern: &Pattern = pattern::of(ec, given)?;
    Ok((Matches::new(ec, *given, pattern, subject)?, Some(pattern)))
}
