//! StringScanner, the library `strscan`: matches along a String without making substrings of it. What is not on the
//! way of every token is Ruby (`strscan.rb`).

use std::sync::atomic::{AtomicBool, Ordering};

use asterism_heap::Marker;
use asterism_lock::Mutex;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::string::StrRef;
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Value, string};
use asterism_support::encoding::Encoding;
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, NativeDef, Res};

use asterism_core::allocators::set_allocator;
use asterism_core::regexp::engine::{Lent, Outcome, Region, Search};
use asterism_core::regexp::match_data::char_index;
use asterism_core::regexp::match_methods::{name_of, undefined_name};
use asterism_core::regexp::matches::joined_encoding;
use asterism_core::regexp::{pattern, search};

static METHODS: &[NativeDef] = &[
    NativeDef::new("__setup", setup, 2, 2).private(),
    NativeDef::new("initialize_copy", copy, 1, 1).private(),
    NativeDef::new("string", get_string, 0, 0).leaf(),
    NativeDef::new("string=", set_string, 1, 1),
    NativeDef::new("fixed_anchor?", fixed_anchor, 0, 0).leaf(),
    NativeDef::new("pos", pos, 0, 0).leaf(),
    NativeDef::new("pointer", pos, 0, 0).leaf(),
    NativeDef::new("pos=", set_pos, 1, 1),
    NativeDef::new("pointer=", set_pos, 1, 1),
    NativeDef::new("reset", reset, 0, 0).leaf(),
    NativeDef::new("terminate", terminate, 0, 0).leaf(),
    NativeDef::new("clear", terminate, 0, 0).leaf(),
    NativeDef::new("scan", scan, 1, 1).leaf(),
    NativeDef::new("match?", match_p, 1, 1).leaf(),
    NativeDef::new("skip", skip, 1, 1).leaf(),
    NativeDef::new("check", check, 1, 1).leaf(),
    NativeDef::new("scan_full", scan_full, 3, 3).leaf(),
    NativeDef::new("scan_until", scan_until, 1, 1).leaf(),
    NativeDef::new("exist?", exist_p, 1, 1).leaf(),
    NativeDef::new("skip_until", skip_until, 1, 1).leaf(),
    NativeDef::new("check_until", check_until, 1, 1).leaf(),
    NativeDef::new("search_full", search_full, 3, 3).leaf(),
    NativeDef::new("getch", getch, 0, 0).leaf(),
    NativeDef::new("get_byte", get_byte, 0, 0).leaf(),
    NativeDef::new("scan_byte", scan_byte, 0, 0).leaf(),
    NativeDef::new("peek_byte", peek_byte, 0, 0).leaf(),
    NativeDef::new("peek", peek, 1, 1),
    NativeDef::new("unscan", unscan, 0, 0),
    NativeDef::new("beginning_of_line?", bol, 0, 0).leaf(),
    NativeDef::new("bol?", bol, 0, 0).leaf(),
    NativeDef::new("eos?", eos, 0, 0).leaf(),
    NativeDef::new("rest?", rest_p, 0, 0).leaf(),
    NativeDef::new("rest", rest, 0, 0).leaf(),
    NativeDef::new("rest_size", rest_size, 0, 0).leaf(),
    NativeDef::new("matched?", matched_p, 0, 0).leaf(),
    NativeDef::new("matched", matched, 0, 0).leaf(),
    NativeDef::new("matched_size", matched_size, 0, 0).leaf(),
    NativeDef::new("[]", group, 1, 1).leaf(),
    NativeDef::new("size", size, 0, 0).leaf(),
    NativeDef::new("pre_match", pre_match, 0, 0).leaf(),
    NativeDef::new("post_match", post_match, 0, 0).leaf(),
    NativeDef::new("charpos", charpos, 0, 0).leaf(),
    NativeDef::new("__initialized?", is_initialized, 0, 0).leaf().private(),
    NativeDef::new("__regexp", last_regexp, 0, 0).leaf().private(),
];

/// Defines the class and its natives.
///
/// # Errors
/// NoMemoryError.
pub fn define(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(object, "StringScanner", object)?;
    set_allocator(ec, class, allocate);
    ec.define_natives(class, METHODS)
}

/// Where the scanner stands and what it matched last.
#[derive(Clone, Default)]
struct Place {
    pos: usize,
    /// Where the last match was tried from.
    before: usize,
    /// Groups of the last match by offsets in the whole String; empty if there is none.
    spans: Vec<Option<(usize, usize)>>,
}

/// A scanner. The lock is held for a few instructions, never across a safepoint.
#[derive(Default)]
struct Scanner {
    /// 0 until it is initialised.
    string: AtomicValue,
    /// The regexp of the last match, 0 if it was a String.
    regexp: AtomicValue,
    fixed: AtomicBool,
    place: Mutex<Place>,
}

impl Scanner {
    /// Stands at `pos` and has matched nothing.
    fn forget(&self, pos: usize) {
        self.regexp.store(Value::NULL, Ordering::Release);
        *self.place.lock() = Place { pos, ..Place::default() };
    }
}

impl DataObject for Scanner {
    const NAME: &'static str = "StringScanner";

    fn trace(&self, marker: &mut Marker) {
        for word in [&self.string, &self.regexp] {
            word.mark(marker);
        }
    }
}

fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, Scanner::default());
    ec.check(Value::NIL, made)
}

/// The scanner and its String.
fn of<'a>(ec: &mut Ec, this: &'a Value) -> Res<(&'a Scanner, Value)> {
    if let Some(scanner) = data::get::<Scanner>(this) {
        let s = scanner.string.load(Ordering::Acquire);
        if s.is_type(Type::String) {
            return Ok((scanner, s));
        }
    }
    Err(ec.arg_error("uninitialized StringScanner object"))
}

fn store(this: Value, word: &AtomicValue, v: Value) {
    if let Some(cell) = this.cell() {
        asterism_object::store(cell, word, v);
    }
}

/// `__setup(string, fixed_anchor)`
fn setup(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let s = ec.to_str(args[0])?;
    let Some(scanner) = data::get::<Scanner>(&this) else {
        return Err(ec.type_error("not a StringScanner"));
    };
    store(this, &scanner.string, s);
    scanner.fixed.store(args[1].truthy(), Ordering::Relaxed);
    *scanner.place.lock() = Place::default();
    Ok(Value::NIL)
}

fn copy(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (from, s) = of(ec, &args[0])?;
    let Some(to) = data::get::<Scanner>(&this) else {
        return Err(ec.type_error("not a StringScanner"));
    };
    store(this, &to.string, s);
    to.fixed.store(from.fixed.load(Ordering::Relaxed), Ordering::Relaxed);
    let place = from.place.lock().clone();
    match from.regexp.load(Ordering::Acquire) {
        Value::NULL => {}
        v => store(this, &to.regexp, v),
    }
    *to.place.lock() = place;
    Ok(this)
}

fn get_string(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(of(ec, &this)?.1)
}

fn set_string(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let s = ec.to_str(args[0])?;
    let Some(scanner) = data::get::<Scanner>(&this) else {
        return Err(ec.type_error("not a StringScanner"));
    };
    store(this, &scanner.string, s);
    scanner.forget(0);
    Ok(args[0])
}

fn fixed_anchor(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(of(ec, &this)?.0.fixed.load(Ordering::Relaxed)))
}

fn pos(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let at = of(ec, &this)?.0.place.lock().pos;
    ec.size(at)
}

fn set_pos(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = ec.to_i64(args[0])?;
    let (scanner, s) = of(ec, &this)?;
    let length = string::len(s) as i64;
    let at = if n < 0 { n + length } else { n };
    if at < 0 || at > length {
        return Err(ec.range_error("index out of range"));
    }
    scanner.place.lock().pos = at as usize;
    Ok(args[0])
}

fn reset(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    of(ec, &this)?.0.forget(0);
    Ok(this)
}

fn terminate(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (scanner, s) = of(ec, &this)?;
    scanner.forget(string::len(s));
    Ok(this)
}

/// What a method of the scanning family does.
#[derive(Clone, Copy)]
struct Mode {
    /// Only where the scanner stands?
    here: bool,
    advance: bool,
    text: bool,
}

fn run(ec: &mut Ec, this: Value, wanted: Value, mode: Mode) -> Res {
    let (scanner, s) = of(ec, &this)?;
    let from = {
        let mut place = scanner.place.lock();
        place.spans.clear();
        place.pos
    };
    scanner.regexp.store(Value::NULL, Ordering::Release);
    if from > string::len(s) {
        return Ok(Value::NIL);
    }
    let (region, base) = if pattern::is_regexp(wanted) {
        // Its names are known from now on, even if it does not match.
        store(this, &scanner.regexp, wanted);
        let Some(region) = find(ec, scanner, s, wanted, from, mode.here)? else {
            return Ok(Value::NIL);
        };
        let base = if scanner.fixed.load(Ordering::Relaxed) { 0 } else { from };
        (region, base)
    } else {
        let needle = ec.to_str(wanted)?;
        if string::encoding(needle) != string::encoding(s) {
            joined_encoding(ec, s, needle)?;
        }
        let needle = string::read(ec, needle);
        let needle = needle.as_bytes();
        let found = string::with_bytes(ec, s, |bytes, encoding| {
            let rest = bytes.get(from..)?;
            if mode.here {
                return rest.starts_with(needle).then_some(0);
            }
            let encoding = Encoding::from_index(usize::from(encoding)).unwrap_or(Encoding::BINARY);
            asterism_support::strutil::find(encoding, rest, needle, 0)
        });
        let Some(at) = found else {
            return Ok(Value::NIL);
        };
        (Region::of_whole(at, at + needle.len()), from)
    };
    let end = base + region.whole().1;
    {
        let mut place = scanner.place.lock();
        place.before = from;
        place.spans.clear();
        place.spans.extend((0..region.count()).map(|i| region.get(i).map(|(b, e)| (b + base, e + base))));
        if mode.advance {
            place.pos = end;
        }
    }
    if mode.text { part(ec, s, from, end) } else { ec.size(end.saturating_sub(from)) }
}

/// The text that a search from `from` on looks at, and where in it: all of it if the anchors are fixed.
fn window(text: &[u8], from: usize, fixed: bool) -> (&[u8], usize) {
    if fixed { (text, from) } else { (text.get(from..).unwrap_or(&[]), 0) }
}

/// Matches the regexp; offsets are relative to `from`, or to the beginning if the anchors are fixed.
fn find(ec: &mut Ec, scanner: &Scanner, s: Value, regexp: Value, from: usize, here: bool) -> Res<Option<Region>> {
    let pattern = pattern::of(ec, &regexp)?;
    let range = string::coderange(ec, s);
    let known = string::encoding(s);
    let engine = search::engine(ec, regexp, pattern, known, range, s)?;
    let how = if here { Search::At } else { Search::Forward };
    let fixed = scanner.fixed.load(Ordering::Relaxed);
    let quick = |bytes: &[u8], scratch: &mut Lent, region: &mut Region| {
        let (bytes, at) = window(bytes, from, fixed);
        scratch.quick(engine, bytes, at, how, region)
    };
    // Most of what a scanner is asked for fails at the first byte.
    let fails = string::with_bytes(ec, s, |bytes, encoding| {
        let (bytes, at) = window(bytes, from, fixed);
        encoding == known && !engine.may_match(bytes, at, how)
    });
    if fails {
        return Ok(None);
    }
    let mut region = Region::new(engine.groups());
    let mut scratch = Lent::take(ec);
    // In place where that can be: what is read otherwise is shared, and the next text that is appended would copy all of it.
    let in_place = string::with_own_bytes(ec, s, |bytes, encoding, now| {
        let same = encoding == known && now == range;
        same.then(|| quick(bytes, &mut scratch, &mut region))
    });
    let outcome = match in_place.flatten() {
        Some(outcome) => outcome,
        None => quick(string::read(ec, s).as_bytes(), &mut scratch, &mut region),
    };
    scratch.give_back(ec);
    let subject: StrRef = match outcome {
        Outcome::Match | Outcome::NoMatch => return Ok((outcome == Outcome::Match).then_some(region)),
        // It takes long or fails: the general way looks at the clock and at interrupts, and says what is wrong.
        _ => string::read(ec, s),
    };
    let (subject, at) = if fixed {
        (subject, from)
    } else {
        let rest = part(ec, s, from, string::len(s))?;
        (string::read(ec, rest), 0)
    };
    let mut region = Region::new(engine.groups());
    let found = search::run(ec, regexp, engine, &subject, at, how, &mut region)?;
    Ok(found.then_some(region))
}

/// Bytes `begin..end` of the String, as far as they are there.
fn part(ec: &mut Ec, s: Value, begin: usize, end: usize) -> Res {
    let length = string::len(s);
    let begin = begin.min(length);
    let made = string::substr(ec, s, begin, end.clamp(begin, length) - begin);
    ec.check(s, made)
}

macro_rules! scans {
    ($($function:ident => $here:expr, $advance:expr, $text:expr;)*) => {
        $(fn $function(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
            run(ec, this, args[0], Mode { here: $here, advance: $advance, text: $text })
        })*
    };
}

scans! {
    scan => true, true, true;
    match_p => true, false, false;
    skip => true, true, false;
    check => true, false, true;
    scan_until => false, true, true;
    exist_p => false, false, false;
    skip_until => false, true, false;
    check_until => false, false, true;
}

fn scan_full(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    run(ec, this, args[0], Mode { here: true, advance: args[1].truthy(), text: args[2].truthy() })
}

fn search_full(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    run(ec, this, args[0], Mode { here: false, advance: args[1].truthy(), text: args[2].truthy() })
}

/// Moves over `length` bytes as a match of its own; what they were.
fn take(ec: &mut Ec, scanner: &Scanner, s: Value, from: usize, length: usize) -> Res {
    scanner.regexp.store(Value::NULL, Ordering::Release);
    *scanner.place.lock() = Place { pos: from + length, before: from, spans: vec![Some((from, from + length))] };
    part(ec, s, from, from + length)
}

fn at_end(scanner: &Scanner, s: Value) -> Option<usize> {
    scanner.regexp.store(Value::NULL, Ordering::Release);
    let mut place = scanner.place.lock();
    place.spans.clear();
    (place.pos < string::len(s)).then_some(place.pos)
}

fn getch(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (scanner, s) = of(ec, &this)?;
    let Some(from) = at_end(scanner, s) else {
        return Ok(Value::NIL);
    };
    let length = string::with_bytes(ec, s, |bytes, encoding| {
        let encoding = Encoding::from_index(usize::from(encoding)).unwrap_or(Encoding::BINARY);
        let rest = bytes.get(from..).unwrap_or(&[]);
        asterism_support::encoding::scan::chars(encoding, rest.get(..16).unwrap_or(rest))
            .next()
            .map_or(1, |c| c.len().max(1))
    });
    take(ec, scanner, s, from, length)
}

fn get_byte(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (scanner, s) = of(ec, &this)?;
    match at_end(scanner, s) {
        Some(from) => take(ec, scanner, s, from, 1),
        None => Ok(Value::NIL),
    }
}

fn scan_byte(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let byte = peek_byte(ec, this, args)?;
    get_byte(ec, this, args)?;
    Ok(byte)
}

fn peek_byte(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (scanner, s) = of(ec, &this)?;
    let at = scanner.place.lock().pos;
    Ok(string::get_byte(ec, s, at).map_or(Value::NIL, |b| Value::fixnum(i64::from(b))))
}

fn peek(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let n = ec.to_i64(args[0])?;
    let Ok(n) = usize::try_from(n) else {
        return Err(ec.arg_error("negative string size (or size too big)"));
    };
    let (scanner, s) = of(ec, &this)?;
    let at = scanner.place.lock().pos;
    part(ec, s, at, at.saturating_add(n))
}

fn unscan(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (scanner, _) = of(ec, &this)?;
    let before = {
        let place = scanner.place.lock();
        (!place.spans.is_empty()).then_some(place.before)
    };
    if let Some(before) = before {
        scanner.forget(before);
        return Ok(this);
    }
    let class = ec.class_of(this).real();
    let error = ec.constant_from(class, intern("Error"))?;
    Err(ec.raise_class(error, b"unscan error: previous match record not exist"))
}

fn bol(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (scanner, s) = of(ec, &this)?;
    let at = scanner.place.lock().pos;
    if at > string::len(s) {
        return Ok(Value::NIL);
    }
    Ok(Value::bool(at == 0 || string::get_byte(ec, s, at - 1) == Some(b'\n')))
}

fn left(ec: &mut Ec, this: Value) -> Res<usize> {
    let (scanner, s) = of(ec, &this)?;
    let at = scanner.place.lock().pos;
    Ok(string::len(s).saturating_sub(at))
}

fn eos(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(left(ec, this)? == 0))
}

fn rest_p(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(left(ec, this)? > 0))
}

fn rest_size(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let n = left(ec, this)?;
    ec.size(n)
}

fn rest(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (scanner, s) = of(ec, &this)?;
    let at = scanner.place.lock().pos;
    part(ec, s, at, usize::MAX)
}

/// Group `i` of the last match, counted from the end if it is negative.
fn span(scanner: &Scanner, i: i64) -> Option<(usize, usize)> {
    let place = scanner.place.lock();
    let i = if i < 0 { i + place.spans.len() as i64 } else { i };
    usize::try_from(i).ok().and_then(|i| place.spans.get(i).copied().flatten())
}

fn matched_p(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(span(of(ec, &this)?.0, 0).is_some()))
}

fn matched(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (scanner, s) = of(ec, &this)?;
    match span(scanner, 0) {
        Some((begin, end)) => part(ec, s, begin, end),
        None => Ok(Value::NIL),
    }
}

fn matched_size(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match span(of(ec, &this)?.0, 0) {
        Some((begin, end)) => ec.size(end - begin),
        None => Ok(Value::NIL),
    }
}

fn group(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (scanner, s) = of(ec, &this)?;
    if span(scanner, 0).is_none() {
        return Ok(Value::NIL);
    }
    let name = name_of(ec, args[0])?;
    let found = match name {
        None => {
            let i = ec.to_i64(args[0])?;
            span(scanner, i)
        }
        Some(text) => {
            let name = string::to_vec(ec, text);
            let regexp = scanner.regexp.load(Ordering::Acquire);
            let groups = match regexp.bits() {
                // A String was matched, which has no groups.
                0 => None,
                _ => pattern::of(ec, &regexp)?.named(&name).map(<[usize]>::to_vec),
            };
            let Some(groups) = groups else {
                return Err(undefined_name(ec, text));
            };
            groups.iter().rev().find_map(|&i| span(scanner, i as i64))
        }
    };
    match found {
        Some((begin, end)) => part(ec, s, begin, end),
        None => Ok(Value::NIL),
    }
}

fn size(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match of(ec, &this)?.0.place.lock().spans.len() {
        0 => Ok(Value::NIL),
        n => Ok(Value::fixnum(n as i64)),
    }
}

fn pre_match(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (scanner, s) = of(ec, &this)?;
    match span(scanner, 0) {
        Some((begin, _)) => part(ec, s, 0, begin),
        None => Ok(Value::NIL),
    }
}

fn post_match(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (scanner, s) = of(ec, &this)?;
    match span(scanner, 0) {
        Some((_, end)) => part(ec, s, end, usize::MAX),
        None => Ok(Value::NIL),
    }
}

fn charpos(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (scanner, s) = of(ec, &this)?;
    let at = scanner.place.lock().pos;
    let n = char_index(ec, s, at);
    ec.size(n)
}

fn is_initialized(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let string = data::get::<Scanner>(&this).map(|scanner| scanner.string.load(Ordering::Acquire));
    Ok(Value::bool(string.is_some_and(|s| s.is_type(Type::String))))
}

/// The regexp that was last tried, or nil.
fn last_regexp(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(match of(ec, &this)?.0.regexp.load(Ordering::Acquire) {
        Value::NULL => Value::NIL,
        v => v,
    })
}
