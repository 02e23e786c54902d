//! All matches of a pattern in a subject, one after the other, found in batches: a long subject is searched as a few
//! blocking regions, not as one for each match.

use asterism_object::string::StrRef;
use asterism_object::{Value, string};
use asterism_support::encoding::Encoding;
use asterism_support::encoding::chars::step;
use asterism_support::strutil;
use asterism_vm::{Ec, Res};

use super::engine::{Engine, Lent, Outcome, Region, Search};
use super::pattern::{self, Pattern};
use super::search;

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
    region: Region,
    spans: Vec<Span>,
    next: usize,
}

impl<'a> Matches<'a> {
    /// Of `regexp`, whose pattern is given, in the String `subject`.
    ///
    /// # Errors
    /// If they do not fit.
    pub fn new(ec: &mut Ec, regexp: Value, pattern: &'a Pattern, subject: Value) -> Res<Matches<'a>> {
        string::coderange(ec, subject);
        let bytes = string::read(ec, subject);
        let range = bytes.coderange();
        let engine = search::engine(ec, pattern, bytes.encoding(), range, subject)?;
        Ok(Matches {
            regexp,
            finder: Finder::Engine(engine),
            subject: bytes,
            seven_bit: range == string::CodeRange::SevenBit,
            width: pattern.groups + 1,
            at: 0,
            done: false,
            region: Region::new(pattern.groups),
            spans: Vec::new(),
            next: 0,
        })
    }

    /// Of the String `pattern` in the String `subject`.
    ///
    /// # Errors
    /// Encoding::CompatibilityError.
    pub fn of_text(ec: &mut Ec, pattern: Value, subject: Value) -> Res<Matches<'static>> {
        let encoding = super::replace::joined_encoding(ec, subject, pattern)?;
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
            region: Region::new(0),
            spans: Vec::new(),
            next: 0,
        })
    }

    /// The next match: the spans of the whole and of the groups.
    ///
    /// # Errors
    /// As a search.
    #[inline]
    pub fn next(&mut self, ec: &mut Ec) -> Res<Option<&[Span]>> {
        if self.next >= self.spans.len() {
            if self.done {
                return Ok(None);
            }
            self.fill(ec)?;
            if self.spans.is_empty() {
                return Ok(None);
            }
        }
        let from = self.next;
        self.next += self.width;
        Ok(self.spans.get(from..self.next))
    }

    fn fill(&mut self, ec: &mut Ec) -> Res<()> {
        self.spans.clear();
        self.next = 0;
        if self.at > 0 {
            ec.poll()?;
        }
        let long = self.subject.as_bytes().len().saturating_sub(self.at) >= LONG;
        let mut scratch = Lent::take(ec);
        let stopped = if long { ec.computing(|| self.batch(&mut scratch)) } else { self.batch(&mut scratch) };
        scratch.give_back(ec);
        if !stopped || !self.spans.is_empty() {
            return Ok(());
        }
        // A search that takes long, or fails: one match, with all care.
        let Finder::Engine(engine) = &self.finder else { return Ok(()) };
        let found = search::run(ec, self.regexp, engine, &self.subject, self.at, Search::Forward, &mut self.region)?;
        if found {
            self.record();
        } else {
            self.done = true;
        }
        Ok(())
    }

    /// Finds up to a batch of matches. True if a search was not brought to its end.
    fn batch(&mut self, scratch: &mut Lent) -> bool {
        let most = if self.at == 0 && self.subject.as_bytes().len() < LONG { 16 } else { BATCH };
        for _ in 0..most {
            if self.done {
                return false;
            }
            let bytes = self.subject.as_bytes();
            let outcome = match &self.finder {
                Finder::Engine(engine) => scratch.quick(engine, bytes, self.at, Search::Forward, &mut self.region),
                Finder::Text(needle, encoding) => match strutil::find(*encoding, bytes, needle, self.at) {
                    Some(at) => {
                        self.region = Region::of_whole(at, at + needle.as_bytes().len());
                        Outcome::Match
                    }
                    None => Outcome::NoMatch,
                },
            };
            match outcome {
                Outcome::Match => self.record(),
                Outcome::NoMatch => self.done = true,
                _ => return true,
            }
        }
        false
    }

    fn record(&mut self) {
        for i in 0..self.width {
            self.spans.push(self.region.get(i).map_or(ABSENT, |(b, e)| (b as u32, e as u32)));
        }
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
