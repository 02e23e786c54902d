//! Searching: which engine fits a subject, how long a search may take, what becomes of `$~`.

use asterism_object::string::{CodeRange, StrRef};
use asterism_object::{Value, string};
use asterism_support::encoding::Encoding;
use asterism_support::{Error, ErrorKind};
use asterism_vm::{Ec, Raised, Res};

use super::engine::{self, Ended, Engine, Lent, Outcome, Region, Search};
use super::pattern::{self, NOENCODING, Pattern};
use super::show;
use crate::support_error;

/// Subjects with more bytes to go are searched as a blocking region: a collection need not wait.
pub const SHORT: usize = 16 << 10;

/// The encoding of an index.
pub fn encoding_of(index: u8) -> Encoding {
    Encoding::from_index(usize::from(index)).unwrap_or(Encoding::BINARY)
}

/// The engine of `pattern` for a subject.
///
/// # Errors
/// Encoding::CompatibilityError if they do not fit; ArgumentError if the subject is broken; RegexpError if the pattern
/// is wrong in that encoding, NotImplementedError if that cannot be searched; NoMemoryError; what `Warning.warn`
/// raises.
#[inline]
pub fn engine<'a>(
    ec: &mut Ec,
    regexp: Value,
    pattern: &'a Pattern,
    encoding: u8,
    range: CodeRange,
    subject: Value,
) -> Res<&'a Engine> {
    match pattern.ready(encoding, range) {
        Some(engine) => Ok(engine),
        None => engine_made(ec, regexp, pattern, encoding, range, subject),
    }
}

#[inline(never)]
fn engine_made<'a>(
    ec: &mut Ec,
    regexp: Value,
    pattern: &'a Pattern,
    encoding: u8,
    range: CodeRange,
    subject: Value,
) -> Res<&'a Engine> {
    let encoding = encoding_of(encoding);
    let seven_bit = range == CodeRange::SevenBit;
    if range == CodeRange::Broken
        || encoding != pattern.encoding
            && (!encoding.is_ascii_compatible()
                || pattern.is_fixed() && (!seven_bit || !pattern.encoding.is_ascii_compatible())
                || pattern.options & NOENCODING != 0 && !seven_bit)
    {
        unfit(ec, regexp, pattern, encoding, range)?;
    }
    match pattern.engine(encoding, seven_bit) {
        Ok(engine) => Ok(engine),
        Err(error) => {
            let source = ec.str_enc(&pattern.source, pattern.encoding.index())?;
            asterism_heap::keep_alive(subject.bits());
            Err(pattern::raise(ec, error, source, pattern.options))
        }
    }
}

/// Says why a pattern and a subject do not go together, or warns of it: a pattern without an encoding (`/n`) that
/// meets text is searched for in its encoding, which is told unless the last text it met was in that.
#[cold]
fn unfit(ec: &mut Ec, regexp: Value, pattern: &Pattern, encoding: Encoding, range: CodeRange) -> Res<()> {
    if range == CodeRange::Broken {
        return Err(ec.arg_error(format!("invalid byte sequence in {}", encoding.name())));
    }
    if encoding.is_ascii_compatible() && !pattern.is_fixed() {
        if encoding == Encoding::BINARY || !pattern::meets(regexp, encoding) {
            return Ok(());
        }
        let message = format!("historical binary regexp match /.../n against {} string", encoding.name());
        return asterism_vm::load::warn(ec, &message);
    }
    let message = format!(
        "incompatible encoding regexp match ({} regexp with {} string)",
        show::name(pattern.encoding),
        show::name(encoding)
    );
    Err(support_error::raise(ec, &Error::new(ErrorKind::EncodingCompatibility, message)))
}

/// Searches bytes that stay as they are. True if it matched: the region says where.
///
/// # Errors
/// Regexp::TimeoutError; RegexpError for a recursion that is too deep; NotImplementedError for a subject of more than 4
/// GiB; NoMemoryError; what is raised into the thread.
#[inline]
pub fn run(
    ec: &mut Ec,
    regexp: Value,
    engine: &Engine,
    subject: &StrRef,
    at: usize,
    how: Search,
    region: &mut Region,
) -> Res<bool> {
    if !engine.may_match(subject.as_bytes(), at, how) {
        return Ok(false);
    }
    let to_go = if how == Search::Backward { at } else { subject.as_bytes().len().saturating_sub(at) };
    let mut scratch = Lent::take(ec);
    let outcome = if to_go <= SHORT || how == Search::At {
        scratch.quick(engine, subject.as_bytes(), at, how, region)
    } else {
        ec.computing(|| scratch.quick(engine, subject.as_bytes(), at, how, region))
    };
    scratch.give_back(ec);
    match outcome {
        Outcome::Match => Ok(true),
        Outcome::NoMatch => Ok(false),
        Outcome::OutOfSteps => {
            let limit = pattern::time_limit(ec, regexp);
            match engine::watched(ec, engine, subject.as_bytes(), at, how, limit, region)? {
                Ended::Outcome(Outcome::Match) => Ok(true),
                Ended::Outcome(Outcome::NoMatch) => Ok(false),
                Ended::Outcome(other) => Err(failed(ec, regexp, other)),
                Ended::TimedOut => Err(timed_out(ec)),
            }
        }
        other => Err(failed(ec, regexp, other)),
    }
}

#[cold]
fn timed_out(ec: &mut Ec) -> Raised {
    match support_error::nested_class(ec, asterism_object::WellKnown::Regexp, "TimeoutError") {
        Ok(class) => ec.raise_class(class, b"regexp match timeout"),
        Err(raised) => raised,
    }
}

#[cold]
fn failed(ec: &mut Ec, regexp: Value, outcome: Outcome) -> Raised {
    let what: &[u8] = match outcome {
        Outcome::Memory => return ec.no_memory(),
        Outcome::StackOverflow => b"Stack overflow in regexp matcher",
        _ => return ec.not_implemented("regexp search in a string of more than 4 GiB"),
    };
    let source = match pattern::of(ec, &regexp) {
        Ok(pattern) => ec.str_enc(&pattern.source, pattern.encoding.index()).map(|source| (source, pattern.options)),
        Err(raised) => Err(raised),
    };
    match source {
        Ok((source, options)) => pattern::syntax_error(ec, what, source, options),
        Err(raised) => raised,
    }
}

/// Searches the String `subject` from byte `at` on (or before it). `None`: no match.
///
/// # Errors
/// TypeError if `regexp` is none, or not initialised; Encoding::CompatibilityError, ArgumentError, RegexpError,
/// NotImplementedError as [`engine()`]; Regexp::TimeoutError, RegexpError, NotImplementedError as [`run`]; NoMemoryError;
/// what is raised into the thread, and what `Warning.warn` raises.
#[inline]
pub fn search(ec: &mut Ec, regexp: Value, subject: Value, at: usize, how: Search) -> Res<Option<Region>> {
    let pattern = pattern::of(ec, &regexp)?;
    string::coderange(ec, subject);
    let bytes = string::read(ec, subject);
    let engine = engine(ec, regexp, pattern, bytes.encoding(), bytes.coderange(), subject)?;
    let mut region = Region::new(pattern.groups);
    let found = run(ec, regexp, engine, &bytes, at, how, &mut region)?;
    Ok(found.then_some(region))
}

/// What is searched for, and what is known of the text.
pub struct Asked<'a> {
    /// The pattern's engine for such a text.
    pub engine: &'a Engine,
    /// The text's encoding.
    pub encoding: u8,
    /// Its coderange.
    pub range: CodeRange,
    /// Where the search begins.
    pub at: usize,
    /// Which way it goes.
    pub how: Search,
}

/// Searches the text of a String of this thread's own in its place, so that its bytes are not shared afterwards. `None`: it is not
/// this thread's own, or the search takes long or fails; nothing is known then.
#[inline]
pub fn run_own(ec: &mut Ec, subject: Value, asked: &Asked<'_>, region: &mut Region) -> Option<bool> {
    let &Asked { engine, encoding, range, at, how } = asked;
    let len = string::len(subject);
    if !string::is_own(ec, subject) || at > len {
        return None;
    }
    let may = string::with_own_bytes(ec, subject, |bytes, e, r| {
        (e == encoding && r == range).then(|| engine.may_match(bytes, at, how))
    });
    if !may.flatten()? {
        return Some(false);
    }
    let to_go = if how == Search::Backward { at } else { len - at };
    let mut scratch = Lent::take(ec);
    let outcome = if to_go <= SHORT || how == Search::At {
        string::with_own_bytes(ec, subject, |bytes, _, _| scratch.quick(engine, bytes, at, how, region))
    } else {
        Some(string::with_bytes_apart(ec, subject, |bytes| scratch.quick(engine, bytes, at, how, region)))
    };
    scratch.give_back(ec);
    match outcome? {
        Outcome::Match => Some(true),
        Outcome::NoMatch => Some(false),
        _ => None,
    }
}

/// As `search`, for callers who only want to know whether there is a match: long bodies need not be shared.
///
/// # Errors
/// As [`search`].
pub fn matches(ec: &mut Ec, regexp: Value, subject: Value, at: usize) -> Res<bool> {
    let pattern = pattern::of(ec, &regexp)?;
    let range = string::coderange(ec, subject);
    if string::len(subject) <= SHORT {
        let engine = engine(ec, regexp, pattern, string::encoding(subject), range, subject)?;
        let encoding = string::encoding(subject);
        // Most patterns with an anchor fail at once.
        let glance = |bytes: &[u8], e| e == encoding && !engine.may_match(bytes, at, Search::Forward);
        if string::with_bytes(ec, subject, glance) {
            return Ok(false);
        }
        // Where the groups lie is not asked.
        let mut region = Region::new(0);
        let mut scratch = Lent::take(ec);
        let outcome = string::with_bytes(ec, subject, |bytes, e| {
            // Another thread may have put other bytes here since.
            let same = e == encoding && string::known_coderange(subject) == range && at <= bytes.len();
            same.then(|| scratch.quick(engine, bytes, at, Search::Forward, &mut region))
        });
        scratch.give_back(ec);
        match outcome {
            Some(Outcome::Match) => return Ok(true),
            Some(Outcome::NoMatch) => return Ok(false),
            _ => {}
        }
    }
    if at > string::len(subject) {
        return Ok(false);
    }
    let engine = engine(ec, regexp, pattern, string::encoding(subject), range, subject)?;
    let asked = Asked { engine, encoding: string::encoding(subject), range, at, how: Search::Forward };
    if let Some(found) = run_own(ec, subject, &asked, &mut Region::new(0)) {
        return Ok(found);
    }
    Ok(search(ec, regexp, subject, at, Search::Forward)?.is_some())
}
