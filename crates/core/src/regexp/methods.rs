//! The methods of Regexp.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_object::space::WellKnown;
use asterism_object::string::CodeRange;
use asterism_object::types::Type;
use asterism_object::{Value, array, builtin, data, ownership, string};
use asterism_support::encoding::Encoding;
use asterism_symbol::intern;
use asterism_vm::memory::Buffer;
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};

use super::engine::Search;
use super::pattern::{self, EXTENDED, FIXEDENCODING, IGNORECASE, MULTILINE, NOENCODING, Pattern, RegexpObject};
use super::{match_data, search, show};
use crate::allocators::set_allocator;
use crate::string::util;

static INSTANCE: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 1, 2).keywords(&["timeout"]).private(),
    NativeDef::new("initialize_copy", initialize_copy, 1, 1).private(),
    NativeDef::new("source", source, 0, 0).leaf(),
    NativeDef::new("options", options, 0, 0).leaf(),
    NativeDef::new("to_s", to_s, 0, 0).leaf(),
    NativeDef::new("inspect", inspect, 0, 0).leaf(),
    NativeDef::new("==", equal, 1, 1).leaf(),
    NativeDef::new("eql?", equal, 1, 1).leaf(),
    NativeDef::new("hash", hash_code, 0, 0).leaf(),
    NativeDef::new("casefold?", casefold, 0, 0).leaf(),
    NativeDef::new("fixed_encoding?", fixed_encoding, 0, 0).leaf(),
    NativeDef::new("names", names, 0, 0).leaf(),
    NativeDef::new("named_captures", named_captures, 0, 0).leaf(),
    NativeDef::new("encoding", encoding, 0, 0),
    NativeDef::new("timeout", timeout, 0, 0).leaf(),
    NativeDef::new("=~", match_op, 1, 1).leaf(),
    NativeDef::new("===", case_eq, 1, 1).leaf(),
    NativeDef::new("~", match_last_line, 0, 0),
    NativeDef::new("match", match_method, 1, 2),
    NativeDef::new("match?", match_p, 1, 2).leaf(),
];

static SINGLETON: &[NativeDef] = &[
    NativeDef::new("escape", escape, 1, 1).leaf(),
    NativeDef::new("quote", escape, 1, 1).leaf(),
    NativeDef::new("union", union, 0, asterism_vm::ANY),
    NativeDef::new("last_match", last_match, 0, 1),
    NativeDef::new("try_convert", try_convert, 1, 1),
    NativeDef::new("linear_time?", linear_time, 1, 2).keywords(&["timeout"]),
    NativeDef::new("timeout", vm_timeout, 0, 0).leaf(),
    NativeDef::new("timeout=", set_vm_timeout, 1, 1),
];

/// Defines them.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Regexp);
    set_allocator(ec, class, pattern::allocate);
    ec.define_natives(class, INSTANCE)?;
    ec.define_singleton_natives(class, SINGLETON)?;
    let meta = ec.singleton_class(class.0)?;
    ec.alias_method(meta, intern("compile"), intern("new"))?;
    for (name, bit) in [
        ("IGNORECASE", IGNORECASE),
        ("EXTENDED", EXTENDED),
        ("MULTILINE", MULTILINE),
        ("FIXEDENCODING", FIXEDENCODING),
        ("NOENCODING", NOENCODING),
    ] {
        ec.set_constant(class, intern(name), Value::fixnum(i64::from(bit)))?;
    }
    let error = asterism_object::class::Class(ec.exc_class(Exc::RegexpError));
    ec.define_class(class, "TimeoutError", error)?;
    let gvars = &ec.vm().gvars;
    gvars.define(
        intern("$~"),
        Some(|ec, _| Ok(ec.backref())),
        Some(|ec, _, v| {
            if !v.is_nil() && !match_data::is_match(v) {
                let name = ec.class_name_of(v);
                return Err(ec.type_error(format!("wrong argument type {name} (expected MatchData)")));
            }
            ec.set_backref(v);
            Ok(())
        }),
        Value::NIL,
    );
    // Code that names these compiles to reads of the match; an alias of one comes here.
    for (name, getter) in PARTS {
        gvars.define(intern(name), Some(*getter), Some(asterism_vm::gvar::read_only), Value::NIL);
    }
    Ok(())
}

static PARTS: &[(&str, asterism_vm::gvar::Getter)] = &[
    ("$&", |ec, _| part_of_last(ec, 0)),
    ("$`", |ec, _| part_of_last(ec, 1)),
    ("$'", |ec, _| part_of_last(ec, 2)),
    ("$+", |ec, _| part_of_last(ec, 3)),
];

fn part_of_last(ec: &mut Ec, n: u32) -> Res {
    let last = ec.backref();
    if last.is_nil() { Ok(last) } else { super::match_part(ec, last, n) }
}

/// The options argument of `Regexp.new`.
fn option_bits(ec: &mut Ec, v: Value) -> Res<u32> {
    if let Some(n) = v.fixnum_value() {
        return Ok((n as u32) & (IGNORECASE | EXTENDED | MULTILINE | FIXEDENCODING | NOENCODING));
    }
    if v.is_type(Type::String) {
        let letters = string::to_vec(ec, v);
        let mut bits = 0;
        let mut unknown = Vec::new();
        for c in letters {
            match c {
                b'i' => bits |= IGNORECASE,
                b'x' => bits |= EXTENDED,
                b'm' => bits |= MULTILINE,
                c => unknown.push(c),
            }
        }
        if !unknown.is_empty() {
            let s = if unknown.len() > 1 { "s" } else { "" };
            let shown = string::to_string_lossy(ec, v);
            return Err(ec.arg_error(format!("unknown regexp option{s}: {shown}")));
        }
        return Ok(bits);
    }
    if !matches!(v, Value::NIL | Value::FALSE | Value::TRUE) {
        let shown = ec.inspect_for_error(v)?;
        let message = format!("expected true or false as ignorecase: {}", String::from_utf8_lossy(&shown));
        crate::regexp::methods::warn(ec, &message)?;
    }
    Ok(if v.truthy() { IGNORECASE } else { 0 })
}

/// A warning, unless `$VERBOSE` is nil.
///
/// # Errors
/// What `Warning.warn` raises; NoMemoryError.
pub fn warn(ec: &mut Ec, message: &str) -> Res<()> {
    asterism_vm::load::warn(ec, message)
}

/// Pattern and time limit out of the arguments of `Regexp.new`.
fn pattern_of(ec: &mut Ec, args: Args<'_>) -> Res<(Arc<Pattern>, Value)> {
    let (positional, keywords) = args.split_keywords();
    let [limit] = ec.keyword_values(keywords, ["timeout"])?;
    let given = positional[0];
    if pattern::is_regexp(given) {
        if positional.len() > 1 {
            warn(ec, "flags ignored")?;
        }
        return Ok((pattern::of(ec, &given)?.clone(), limit));
    }
    let bits = match positional.get(1) {
        Some(&v) => option_bits(ec, v)?,
        None => 0,
    };
    let source = ec.to_str(given)?;
    let pattern = pattern::get(ec, source, bits)?;
    pattern::warn(ec, &pattern)?;
    Ok((pattern, limit))
}

fn seconds(ec: &mut Ec, v: Value) -> Res<u64> {
    if v.is_nil() {
        return Ok(0);
    }
    let f = ec.to_f64(v)?;
    if f <= 0.0 || f.is_nan() {
        let shown = ec.inspect_for_error(v)?;
        return Err(ec.arg_error(format!("invalid timeout: {}", String::from_utf8_lossy(&shown))));
    }
    // Whole nanoseconds, as many as 64 bits say.
    let nanoseconds = (f * 1e9) as u64;
    Ok((nanoseconds as f64 / 1e9).to_bits())
}

fn show_seconds(ec: &mut Ec, bits: u64) -> Res {
    if bits == 0 { Ok(Value::NIL) } else { ec.float(f64::from_bits(bits)) }
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if ownership::is_frozen(this) {
        return Err(ec.raise(Exc::FrozenError, "can't modify literal regexp"));
    }
    let (pattern, limit) = pattern_of(ec, args)?;
    let limit = seconds(ec, limit)?;
    set_up(ec, this, pattern)?;
    if let Some(object) = data::get::<RegexpObject>(&this) {
        object.timeout.store(limit, Ordering::Relaxed);
    }
    Ok(Value::NIL)
}

fn set_up(ec: &mut Ec, this: Value, pattern: Arc<Pattern>) -> Res<()> {
    if pattern::is_regexp(this) && pattern::set(ec, this, pattern) {
        return Ok(());
    }
    Err(ec.type_error("already initialized regexp"))
}

fn initialize_copy(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if this == args[0] {
        return Ok(this);
    }
    let pattern = pattern::of(ec, &args[0])?.clone();
    set_up(ec, this, pattern)?;
    Ok(this)
}

fn source(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let pattern = pattern::of(ec, &this)?;
    ec.str_enc(&pattern.source, pattern.encoding.index())
}

fn options(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(i64::from(pattern::of(ec, &this)?.options)))
}

fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let pattern = pattern::of(ec, &this)?;
    ec.str_enc(&show::to_s(pattern, true), pattern.encoding.index())
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match data::get::<RegexpObject>(&this) {
        Some(_) => match pattern::of(ec, &this) {
            Ok(pattern) => {
                let encoding =
                    if pattern.encoding.is_ascii_compatible() { pattern.encoding } else { Encoding::US_ASCII };
                let shown = show::inspect(pattern, show::shown_in(ec));
                ec.str_enc(&shown, encoding.index())
            }
            Err(_) => {
                ec.take_pending();
                let shown = ec.any_to_s(this);
                ec.str(shown)
            }
        },
        None => Err(ec.type_error("uninitialized Regexp")),
    }
}

/// The options that tell patterns apart: `/n` does not.
fn mode(pattern: &Pattern) -> u32 {
    pattern.options & !pattern::NOENCODING
}

fn equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if this == args[0] {
        return Ok(Value::TRUE);
    }
    if !pattern::is_regexp(args[0]) {
        return Ok(Value::FALSE);
    }
    let a = pattern::of(ec, &this)?;
    let b = pattern::of(ec, &args[0])?;
    Ok(Value::bool(Arc::ptr_eq(a, b) || a.source == b.source && mode(a) == mode(b) && a.encoding == b.encoding))
}

fn hash_code(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let pattern = pattern::of(ec, &this)?;
    let bytes = [&pattern.source[..], &mode(pattern).to_le_bytes()].concat();
    let h = builtin::hash_bytes(ec.vm().space.hash_seed, &bytes);
    Ok(Value::fixnum((h >> 2) as i64))
}

fn casefold(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(pattern::of(ec, &this)?.options & IGNORECASE != 0))
}

fn fixed_encoding(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(known(&this).is_some_and(|pattern| pattern.is_fixed())))
}

/// The pattern of a Regexp that has one.
fn known(this: &Value) -> Option<&Arc<Pattern>> {
    data::get::<RegexpObject>(this)?.pattern()
}

/// The names of a pattern's groups.
///
/// # Errors
/// NoMemoryError.
pub fn name_list(ec: &mut Ec, pattern: &Pattern) -> Res {
    let list = ec.array_with_capacity(pattern.names.len())?;
    for name in &pattern.names {
        let s = ec.str_enc(&name.name, name.sym.name().encoding)?;
        ec.array_push(list, s)?;
    }
    Ok(list)
}

fn names(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let pattern = pattern::of(ec, &this)?;
    name_list(ec, pattern)
}

fn named_captures(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let pattern = pattern::of(ec, &this)?;
    let h = ec.new_hash()?;
    for name in &pattern.names {
        let key = ec.str_enc(&name.name, name.sym.name().encoding)?;
        let numbers = ec.array_with_capacity(name.groups.len())?;
        for group in &name.groups {
            ec.array_push(numbers, Value::fixnum(*group as i64))?;
        }
        ec.hash_set(h, key, numbers)?;
    }
    Ok(h)
}

fn encoding(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let index = known(&this).map_or(Encoding::BINARY, |pattern| pattern.encoding).index();
    let probe = ec.str_enc(b"", index)?;
    ec.call(probe, intern("encoding"), &[])
}

fn timeout(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    pattern::of(ec, &this)?;
    let bits = data::get::<RegexpObject>(&this).map_or(0, |o| o.timeout.load(Ordering::Relaxed));
    show_seconds(ec, bits)
}

fn vm_timeout(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let bits = ec.vm().part::<pattern::Regexps>().timeout.load(Ordering::Relaxed);
    show_seconds(ec, bits)
}

fn set_vm_timeout(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let bits = seconds(ec, args[0])?;
    ec.vm().part::<pattern::Regexps>().timeout.store(bits, Ordering::Relaxed);
    Ok(args[0])
}

/// A match's subject: a String, a Symbol's name, or what converts to a String. nil gives `None`.
fn subject(ec: &mut Ec, v: Value) -> Res<Option<Value>> {
    if v.is_type(Type::String) {
        return Ok(Some(v));
    }
    if v.is_nil() {
        return Ok(None);
    }
    if let Some(s) = v.as_sym() {
        return ec.str_enc(s.bytes(), s.name().encoding).map(Some);
    }
    ec.to_str(v).map(Some)
}

/// Searches and sets `$~`; the MatchData or nil.
///
/// # Errors
/// As [`search::search`].
pub fn search_set(ec: &mut Ec, regexp: Value, subject: Value, at: usize, how: Search) -> Res {
    match match_data::search_frozen(ec, regexp, subject, at, how)? {
        Some((subject, region)) => {
            let m = match_data::new(ec, regexp, subject, &region)?;
            ec.set_backref(m);
            Ok(m)
        }
        None => {
            ec.set_backref(Value::NIL);
            Ok(Value::NIL)
        }
    }
}

/// `regexp =~ subject` of a String.
///
/// # Errors
/// As [`search::search`].
pub fn match_index(ec: &mut Ec, regexp: Value, s: Value) -> Res {
    let m = search_set(ec, regexp, s, 0, Search::Forward)?;
    if m.is_nil() {
        return Ok(m);
    }
    let found = match_data::of(ec, &m)?;
    let begin = found.whole().0;
    let index = match_data::char_index(ec, found.string(), begin);
    ec.size(index)
}

fn match_op(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match subject(ec, args[0])? {
        Some(s) => match_index(ec, this, s),
        None => {
            pattern::of(ec, &this)?;
            ec.set_backref(Value::NIL);
            Ok(Value::NIL)
        }
    }
}

fn case_eq(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let v = args[0];
    let s = if v.is_type(Type::String) {
        Some(v)
    } else if let Some(s) = v.as_sym() {
        Some(ec.str_enc(s.bytes(), s.name().encoding)?)
    } else if v.is_heap() {
        ec.check_string(v)?
    } else {
        None
    };
    match s {
        Some(s) => Ok(Value::bool(!search_set(ec, this, s, 0, Search::Forward)?.is_nil())),
        None => {
            ec.set_backref(Value::NIL);
            Ok(Value::FALSE)
        }
    }
}

fn match_last_line(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let line = ec.last_line();
    if !line.is_type(Type::String) {
        ec.set_backref(Value::NIL);
        return Ok(Value::NIL);
    }
    match_index(ec, this, line)
}

/// A position argument in characters as a byte offset; `None` outside the String.
///
/// # Errors
/// TypeError if it is no Integer, RangeError if it is a big one.
pub fn position(ec: &mut Ec, s: Value, v: Value) -> Res<Option<usize>> {
    let n = ec.to_i64(v)?;
    Ok(position_of(ec, s, n))
}

/// Where character `n` of `s` begins, in bytes, counted from the end if that is negative; none outside of it.
pub fn position_of(ec: &mut Ec, s: Value, n: i64) -> Option<usize> {
    let range = string::coderange(ec, s);
    if range == CodeRange::SevenBit {
        let len = string::len(s) as i64;
        let n = if n < 0 { n + len } else { n };
        return usize::try_from(n).ok().filter(|n| *n as i64 <= len);
    }
    string::with_bytes(ec, s, |bytes, e| util::char_span(search::encoding_of(e), bytes, range, n, 0).map(|(at, _)| at))
}

/// `regexp.match(str, pos)`, and its block.
///
/// # Errors
/// As [`search::search`]; TypeError if `v` is no text, or `pos` no Integer; RangeError if that is a big one; what the
/// block raises.
pub fn match_from(ec: &mut Ec, regexp: Value, v: Value, pos: Option<Value>, args: Args<'_>) -> Res {
    let Some(s) = subject(ec, v)? else {
        pattern::of(ec, &regexp)?;
        ec.set_backref(Value::NIL);
        return Ok(Value::NIL);
    };
    let at = match pos {
        Some(pos) => position(ec, s, pos)?,
        None => Some(0),
    };
    let Some(at) = at else {
        ec.set_backref(Value::NIL);
        return Ok(Value::NIL);
    };
    let m = search_set(ec, regexp, s, at, Search::Forward)?;
    match args.block() {
        Some(block) if !m.is_nil() => ec.yield_block(block, &[m]),
        _ => Ok(m),
    }
}

fn match_method(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match_from(ec, this, args[0], args.get(1), args)
}

/// `regexp.match?(str, pos)`
///
/// # Errors
/// As [`search::search`]; TypeError if `v` is no text, or `pos` no Integer; RangeError if that is a big one.
pub fn match_p_from(ec: &mut Ec, regexp: Value, v: Value, pos: Option<Value>) -> Res {
    let Some(s) = subject(ec, v)? else {
        pattern::of(ec, &regexp)?;
        return Ok(Value::FALSE);
    };
    let at = match pos {
        Some(pos) => position(ec, s, pos)?,
        None => Some(0),
    };
    match at {
        Some(at) => Ok(Value::bool(search::matches(ec, regexp, s, at)?)),
        None => Ok(Value::FALSE),
    }
}

fn match_p(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    match_p_from(ec, this, args[0], args.get(1))
}

fn escape(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let s = match args[0].as_sym() {
        Some(s) => ec.str_enc(s.bytes(), s.name().encoding)?,
        None => util::to_str(ec, args[0])?,
    };
    quote(ec, s)
}

/// `Regexp.escape` of a String.
///
/// # Errors
/// NoMemoryError.
pub fn quote(ec: &mut Ec, s: Value) -> Res {
    let bytes = string::read(ec, s);
    let ascii = bytes.is_ascii_only();
    let e = search::encoding_of(bytes.encoding());
    let result = if ascii { Encoding::US_ASCII } else { e };
    // Each character may get a backslash.
    let _escaped = ec.charge(bytes.len().saturating_mul(2))?;
    match show::escape(&bytes, e) {
        Some(escaped) => ec.str_enc(&escaped, result.index()),
        None => ec.str_enc(&bytes, result.index()),
    }
}

fn union(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let list = match args.slice() {
        [one] => ec.check_array(*one)?,
        _ => None,
    };
    let list = match list {
        Some(list) => {
            let copy = array::snapshot(ec, list);
            ec.check(list, copy)?
        }
        None => ec.array(args.slice())?,
    };
    let count = array::len(list);
    if count == 0 {
        let never = ec.str("(?!)")?;
        return pattern::make(ec, never, 0);
    }
    // What the Strings take at least is asked for before the first is copied.
    let strings = (0..count).map(|i| array::get(list, i as i64)).filter(|v| v.is_type(Type::String));
    drop(ec.charge(strings.fold(0, |sum: usize, s| sum.saturating_add(string::len(s))))?);
    let mut joined = Buffer::new(ec);
    let mut encodings = Encodings::default();
    for i in 0..count {
        let v = array::get(list, i as i64);
        let (text, encoding, ascii) = match union_regexp(ec, v)? {
            Some(regexp) => {
                if count == 1 {
                    return Ok(regexp);
                }
                let pattern = pattern::of(ec, &regexp)?;
                let (text, encoding, ascii) = (show::to_s(pattern, false), pattern.encoding, !pattern.is_fixed());
                (ec.str_enc(&text, encoding.index())?, encoding, ascii)
            }
            None => {
                let s = match v.as_sym() {
                    // A Symbol may stand alone only.
                    Some(s) if count == 1 => ec.str_enc(s.bytes(), s.name().encoding)?,
                    _ => ec.to_str(v)?,
                };
                let (ascii, encoding) = (string::is_ascii_only(ec, s), search::encoding_of(string::encoding(s)));
                (quote(ec, s)?, encoding, ascii)
            }
        };
        if let Err(message) = encodings.add(encoding, ascii) {
            return Err(ec.arg_error(message));
        }
        if i > 0 {
            show::push_ascii(b"|", encodings.whole(), &mut joined);
        }
        let text = string::read(ec, text);
        joined.append(ec, &text)?;
    }
    let source = ec.str_enc(&joined, encodings.whole().index())?;
    pattern::make_warning(ec, source, 0)
}

/// The encodings of what a union is made of.
#[derive(Default)]
struct Encodings {
    /// Something is ASCII, in an encoding that knows it.
    ascii: bool,
    /// That of something that is not.
    fixed: Option<Encoding>,
    /// One that does not know ASCII.
    wide: Option<Encoding>,
}

impl Encodings {
    /// Adds one, with something that is ASCII; `Err` says why they do not go together.
    fn add(&mut self, encoding: Encoding, ascii: bool) -> Result<(), String> {
        let kind = if !encoding.is_ascii_compatible() {
            &mut self.wide
        } else if ascii {
            self.ascii = true;
            return self.check();
        } else {
            &mut self.fixed
        };
        match *kind {
            Some(known) if known != encoding => Err(Encodings::incompatible(known, encoding)),
            _ => {
                *kind = Some(encoding);
                self.check()
            }
        }
    }

    fn check(&self) -> Result<(), String> {
        match (self.wide, self.fixed) {
            (Some(wide), _) if self.ascii => Err(format!("ASCII incompatible encoding: {}", wide.name())),
            (Some(wide), Some(fixed)) => Err(Encodings::incompatible(wide, fixed)),
            _ => Ok(()),
        }
    }

    fn incompatible(one: Encoding, other: Encoding) -> String {
        format!("incompatible encodings: {} and {}", one.name(), other.name())
    }

    fn whole(&self) -> Encoding {
        self.wide.or(self.fixed).unwrap_or(Encoding::US_ASCII)
    }
}

fn union_regexp(ec: &mut Ec, v: Value) -> Res<Option<Value>> {
    if pattern::is_regexp(v) {
        return Ok(Some(v));
    }
    if !v.is_heap() || v.is_type(Type::String) {
        return Ok(None);
    }
    ec.try_convert(v, intern("to_regexp"), "Regexp", pattern::is_regexp)
}

fn last_match(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let m = ec.backref();
    match args.get(0) {
        Some(index) if !m.is_nil() => super::match_methods::element(ec, m, index),
        Some(_) => Ok(Value::NIL),
        None => Ok(m),
    }
}

fn try_convert(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    if pattern::is_regexp(args[0]) {
        return Ok(args[0]);
    }
    let found = ec.try_convert(args[0], intern("to_regexp"), "Regexp", pattern::is_regexp)?;
    Ok(found.unwrap_or(Value::NIL))
}

fn linear_time(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (pattern, _) = pattern_of(ec, args)?;
    Ok(Value::bool(pattern.linear))
}
