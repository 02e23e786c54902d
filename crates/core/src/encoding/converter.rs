//! Encoding::Converter.

use asterism_heap::{Marker, Stores, keep_alive};
use asterism_lock::Mutex;
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, hash, string};
use asterism_support::Encoding;
use asterism_support::encoding::convert::{
    self, Converter, Decorators, Failure, Newline, Stop, Trouble, ascii_compatible_twin,
};
use asterism_vm::memory::Buffer;
use asterism_vm::{Args, Ec, NativeDef, Raised, Res};

use crate::allocators::set_allocator;
use crate::string::util;
use crate::support_error;

use super::options::{Options, option};
use super::{errors, find_name, object, of_object};

static METHODS: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 1, 3).private(),
    NativeDef::new("convert", convert_text, 1, 1),
    NativeDef::new("finish", finish, 0, 0),
    NativeDef::new("primitive_convert", primitive_convert, 2, 5),
    NativeDef::new("primitive_errinfo", primitive_errinfo, 0, 0).leaf(),
    NativeDef::new("last_error", last_error, 0, 0),
    NativeDef::new("putback", putback, 0, 1),
    NativeDef::new("insert_output", insert_output, 1, 1),
    NativeDef::new("replacement", replacement, 0, 0).leaf(),
    NativeDef::new("replacement=", set_replacement, 1, 1),
    NativeDef::new("convpath", convpath, 0, 0).leaf(),
    NativeDef::new("source_encoding", source_encoding, 0, 0).leaf(),
    NativeDef::new("destination_encoding", destination_encoding, 0, 0).leaf(),
    NativeDef::new("inspect", inspect, 0, 0).leaf(),
    NativeDef::new("==", equal, 1, 1).leaf(),
];

static SINGLETON: &[NativeDef] = &[
    NativeDef::new("search_convpath", search_convpath, 2, 3),
    NativeDef::new("asciicompat_encoding", asciicompat_encoding, 1, 1),
];

const INVALID_MASK: i64 = 0xf;
const INVALID_REPLACE: i64 = 0x2;
const UNDEF_MASK: i64 = 0xf0;
const UNDEF_REPLACE: i64 = 0x20;
const UNDEF_HEX_CHARREF: i64 = 0x30;
const UNIVERSAL_NEWLINE: i64 = 0x100;
const CRLF_NEWLINE: i64 = 0x1000;
const CR_NEWLINE: i64 = 0x2000;
const LF_NEWLINE: i64 = 0x4000;
const XML_TEXT: i64 = 0x8000;
const XML_ATTR_CONTENT: i64 = 0x1_0000;
const XML_ATTR_QUOTE: i64 = 0x10_0000;
const PARTIAL_INPUT: i64 = 0x2_0000;
const AFTER_OUTPUT: i64 = 0x4_0000;

static CONSTANTS: &[(&str, i64)] = &[
    ("INVALID_MASK", INVALID_MASK),
    ("INVALID_REPLACE", INVALID_REPLACE),
    ("UNDEF_MASK", UNDEF_MASK),
    ("UNDEF_REPLACE", UNDEF_REPLACE),
    ("UNDEF_HEX_CHARREF", UNDEF_HEX_CHARREF),
    ("PARTIAL_INPUT", PARTIAL_INPUT),
    ("AFTER_OUTPUT", AFTER_OUTPUT),
    ("UNIVERSAL_NEWLINE_DECORATOR", UNIVERSAL_NEWLINE),
    ("CRLF_NEWLINE_DECORATOR", CRLF_NEWLINE),
    ("CR_NEWLINE_DECORATOR", CR_NEWLINE),
    ("LF_NEWLINE_DECORATOR", LF_NEWLINE),
    ("XML_TEXT_DECORATOR", XML_TEXT),
    ("XML_ATTR_CONTENT_DECORATOR", XML_ATTR_CONTENT),
    ("XML_ATTR_QUOTE_DECORATOR", XML_ATTR_QUOTE),
];

/// Defines the class.
pub(super) fn init(ec: &mut Ec, scope: Class) -> Res<()> {
    let parent = ec.known(WellKnown::Object);
    let class = ec.define_class(scope, "Converter", parent)?;
    set_allocator(ec, class, allocate);
    ec.define_natives(class, METHODS)?;
    ec.define_singleton_natives(class, SINGLETON)?;
    for &(name, value) in CONSTANTS {
        ec.set_constant(class, asterism_symbol::intern(name), Value::fixnum(value))?;
    }
    Ok(())
}

/// A converter and what its last step did.
struct State {
    converter: Converter,
    names: [String; 2],
    ends: [Option<Encoding>; 2],
    invalid: bool,
    undefined: bool,
    hex_charref: bool,
    replacement: Option<(Vec<u8>, Encoding)>,
    last: &'static str,
    failure: Option<Failure>,
}

/// The payload of the object; nothing until it is initialised.
struct ConverterObject(Mutex<Option<Box<State>>>);

impl DataObject for ConverterObject {
    const NAME: &'static str = "encoding converter";
    const SHARED: Shared = Shared::Frozen;
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, ConverterObject(Mutex::new(None)));
    ec.check(Value::NIL, made)
}

/// Runs `f` on the state. It must touch no Ruby object.
fn with<R>(ec: &mut Ec, this: Value, f: impl FnOnce(&mut State) -> R) -> Res<R> {
    let result = data::get::<ConverterObject>(&this).and_then(|o| o.0.lock().as_deref_mut().map(f));
    keep_alive(this.bits());
    match result {
        Some(result) => Ok(result),
        None => Err(ec.type_error("uninitialized encoding converter")),
    }
}

impl State {
    fn destination(&self) -> Encoding {
        self.ends[1].unwrap_or(Encoding::BINARY)
    }

    fn replacement(&self) -> (Vec<u8>, Encoding) {
        self.replacement.clone().unwrap_or_else(|| {
            let (text, enc) = convert::default_replacement(self.destination());
            (text.to_vec(), enc)
        })
    }

    /// Puts what the options say in place of what cannot be converted.
    fn settle(&mut self, failure: &Failure) -> bool {
        let replace = match failure.trouble {
            Trouble::Invalid | Trouble::Incomplete => self.invalid,
            Trouble::Undefined if self.hex_charref => {
                return match failure.code {
                    Some(code) => self.converter.insert(Encoding::US_ASCII, format!("&#x{code:X};").as_bytes()),
                    None => false,
                };
            }
            Trouble::Undefined => self.undefined,
        };
        let (text, enc) = self.replacement();
        replace && self.converter.insert(enc, &text)
    }

    /// Converts as far as it goes; how much of the source it took.
    fn run(&mut self, source: &[u8], out: &mut Vec<u8>, limit: Option<usize>, flags: i64) -> usize {
        let (start, mut pos) = (out.len(), 0);
        self.failure = None;
        loop {
            let room = limit.map(|l| l.saturating_sub(out.len() - start));
            let rest = source.get(pos..).unwrap_or(b"");
            let (partial, after) = (flags & PARTIAL_INPUT != 0, flags & AFTER_OUTPUT != 0);
            let (taken, stop) = self.converter.run(rest, out, room, partial, after);
            pos += taken;
            self.last = match stop {
                Stop::Finished => "finished",
                Stop::SourceEmpty => "source_buffer_empty",
                Stop::Full => "destination_buffer_full",
                Stop::AfterOutput => "after_output",
                Stop::Failed(failure) => {
                    if self.settle(&failure) {
                        continue;
                    }
                    let name = match failure.trouble {
                        Trouble::Invalid => "invalid_byte_sequence",
                        Trouble::Incomplete => "incomplete_input",
                        Trouble::Undefined => "undefined_conversion",
                    };
                    self.failure = Some(failure);
                    name
                }
            };
            return pos;
        }
    }
}

/// An encoding argument: the encoding, if there is one of that name, and the name.
fn encoding_argument(ec: &mut Ec, v: Value) -> Res<(Option<Encoding>, String)> {
    if let Some(found) = of_object(v) {
        return Ok((Some(found), found.name().to_string()));
    }
    let s = ec.to_str(v)?;
    let name = string::to_vec(ec, s);
    let found = find_name(ec, &name);
    let shown = found.map_or_else(|| String::from_utf8_lossy(&name).into_owned(), |e| e.name().to_string());
    Ok((found, shown))
}

fn decorators_of_flags(flags: i64) -> Decorators {
    let newline = match flags {
        f if f & UNIVERSAL_NEWLINE != 0 => Newline::Universal,
        f if f & CRLF_NEWLINE != 0 => Newline::Crlf,
        f if f & CR_NEWLINE != 0 => Newline::Cr,
        f if f & LF_NEWLINE != 0 => Newline::Lf,
        _ => Newline::Keep,
    };
    Decorators {
        newline,
        amp: false,
        xml_text: flags & XML_TEXT != 0,
        xml_attr: flags & XML_ATTR_CONTENT != 0,
        xml_quote: flags & XML_ATTR_QUOTE != 0,
    }
}

/// The third argument: flags, or a Hash of options.
fn read_options(ec: &mut Ec, v: Value) -> Res<Options> {
    if v.is_nil() {
        return Ok(Options::default());
    }
    if v.is_fixnum() {
        let flags = ec.to_i64(v)?;
        return Ok(Options {
            replace_invalid: flags & INVALID_MASK == INVALID_REPLACE,
            replace_undefined: flags & UNDEF_MASK == UNDEF_REPLACE,
            hex_charref: flags & UNDEF_MASK == UNDEF_HEX_CHARREF,
            decorators: decorators_of_flags(flags),
            ..Options::default()
        });
    }
    let table = ec.to_hash(v)?;
    Options::read(ec, Some(table))
}

/// The converter that two encoding arguments ask for.
fn open(ec: &mut Ec, ends: &[(Option<Encoding>, String); 2], decorators: Decorators) -> Res<Converter> {
    let found = match (&ends[0], &ends[1]) {
        ((None, a), (None, b)) if a.is_empty() && b.is_empty() => Some(Converter::with_path(Vec::new(), decorators)),
        // A decorator may stand in the place of an encoding.
        ((None, a), (None, b)) if a.is_empty() || b.is_empty() => {
            let mut decorators = decorators;
            let name = if a.is_empty() { b } else { a };
            decorators.add(name.as_bytes()).then(|| Converter::with_path(Vec::new(), decorators))
        }
        ((Some(a), _), (Some(b), _)) => Converter::new(*a, *b, decorators),
        _ => None,
    };
    match found {
        Some(converter) => Ok(converter),
        None => {
            let error = convert::not_found(&ends[0].1, &ends[1].1, decorators);
            Err(support_error::raise(ec, &error))
        }
    }
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (argv, keywords) = args.split_keywords();
    let options;
    let converter;
    let names;
    if argv.len() == 1
        && let Some(list) = ec.check_array(argv[0])?
    {
        options = read_options(ec, keywords.unwrap_or(Value::NIL))?;
        converter = from_path(ec, list, options.decorators)?;
        let end = |e: Option<&Encoding>| (e.copied(), e.map_or_else(String::new, |e| e.name().to_string()));
        names = [end(converter.path().first()), end(converter.path().last())];
    } else {
        if !(2..=3).contains(&argv.len()) || argv.len() == 3 && keywords.is_some() {
            return Err(ec.arity_error(argv.len(), 2, Some(3)));
        }
        options = read_options(ec, keywords.or(argv.get(2).copied()).unwrap_or(Value::NIL))?;
        names = [encoding_argument(ec, argv[0])?, encoding_argument(ec, argv[1])?];
        converter = open(ec, &names, options.decorators)?;
    }
    let replacement = match options.replacement {
        Value::NIL => None,
        s => Some((string::to_vec(ec, s), util::encoding(s))),
    };
    let [(source, from), (destination, to)] = names;
    let made = State {
        converter,
        names: [from, to],
        ends: [source, destination],
        invalid: options.replace_invalid,
        undefined: options.replace_undefined,
        hex_charref: options.hex_charref,
        replacement,
        last: "source_buffer_empty",
        failure: None,
    };
    if let Some(object) = data::get::<ConverterObject>(&this) {
        *object.0.lock() = Some(Box::new(made));
    }
    keep_alive(this.bits());
    Ok(this)
}

/// A converter along a `convpath`.
fn from_path(ec: &mut Ec, list: Value, decorators: Decorators) -> Res<Converter> {
    let mut decorators = decorators;
    let mut path: Vec<Encoding> = Vec::new();
    let mut i = 0;
    while let Some(v) = array::at(list, i) {
        i += 1;
        if let Some(pair) = ec.check_array(v)? {
            if array::len(pair) != 2 {
                return Err(ec.arg_error("not a 2-element array in convpath"));
            }
            let (a, b) = (array::get(pair, 0), array::get(pair, 1));
            let ends = [encoding_argument(ec, a)?, encoding_argument(ec, b)?];
            let known = match (ends[0].0, ends[1].0) {
                (Some(a), Some(b)) => convert::path(a, b),
                _ => None,
            };
            let joins = |leg: &[Encoding]| path.last().is_none_or(|last| leg.first() == Some(last));
            match known {
                Some(leg) if joins(&leg) => {
                    path.pop();
                    path.extend(leg);
                }
                _ => {
                    let message = format!("adding conversion failed: {} to {}", ends[0].1, ends[1].1);
                    return Err(ec.arg_error(message));
                }
            }
            continue;
        }
        let s = ec.to_str(v)?;
        let name = string::to_vec(ec, s);
        if !decorators.add(&name) {
            let message = format!("decoration failed: {}", String::from_utf8_lossy(&name));
            return Err(ec.arg_error(message));
        }
    }
    Ok(Converter::with_path(path, decorators))
}

fn path_value(ec: &mut Ec, path: &[Encoding], decorators: Decorators) -> Res {
    let list = ec.array_with_capacity(path.len())?;
    let legs = path.len().saturating_sub(1);
    // What is no text for a decorator is only made after it.
    let last_is_wide = path.last().is_some_and(|e| !e.is_ascii_compatible());
    let at = if last_is_wide { legs.saturating_sub(1) } else { legs };
    let names = |ec: &mut Ec| -> Res<()> {
        for name in decorators.names() {
            let s = ec.str(name)?;
            ec.array_push(list, s)?;
        }
        Ok(())
    };
    for (i, leg) in path.windows(2).enumerate() {
        if i == at {
            names(ec)?;
        }
        let (a, b) = (object(ec, leg[0]), object(ec, leg[1]));
        let pair = ec.array(&[a, b])?;
        ec.array_push(list, pair)?;
    }
    if at >= legs {
        names(ec)?;
    }
    Ok(list)
}

fn convpath(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (path, decorators) = with(ec, this, |s| (s.converter.path().to_vec(), s.converter.decorators()))?;
    path_value(ec, &path, decorators)
}

fn search_convpath(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (argv, keywords) = args.split_keywords();
    if argv.len() < 2 {
        return Err(ec.arity_error(argv.len(), 2, Some(3)));
    }
    let options = read_options(ec, keywords.or(argv.get(2).copied()).unwrap_or(Value::NIL))?;
    let ends = [encoding_argument(ec, argv[0])?, encoding_argument(ec, argv[1])?];
    let converter = open(ec, &ends, options.decorators)?;
    path_value(ec, converter.path(), options.decorators)
}

fn asciicompat_encoding(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (found, _) = encoding_argument(ec, args[0])?;
    Ok(match found.and_then(ascii_compatible_twin) {
        Some(twin) => object(ec, twin),
        None => Value::NIL,
    })
}

fn end(ec: &mut Ec, this: Value, i: usize) -> Res {
    Ok(match with(ec, this, |s| s.ends[i])? {
        Some(encoding) => object(ec, encoding),
        None => Value::NIL,
    })
}

fn source_encoding(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    end(ec, this, 0)
}

fn destination_encoding(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    end(ec, this, 1)
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let text = data::get::<ConverterObject>(&this).and_then(|o| {
        o.0.lock().as_deref().map(|s| convert::description(&s.names[0], &s.names[1], s.converter.decorators()))
    });
    keep_alive(this.bits());
    ec.str(format!("#<Encoding::Converter: {}>", text.as_deref().unwrap_or("uninitialized")))
}

fn equal(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let other = args[0];
    with(ec, this, |_| ())?;
    if !data::is::<ConverterObject>(other) {
        return Ok(Value::FALSE);
    }
    let key = |s: &mut State| {
        let path = s.converter.path().to_vec();
        let ways = (s.invalid, s.undefined, s.hex_charref);
        (s.names.clone(), path, s.converter.decorators(), ways, s.replacement())
    };
    let (a, b) = (with(ec, this, key)?, with(ec, other, key)?);
    Ok(Value::bool(a == b))
}

/// The exception of what stopped the last step, if it was a failure.
fn failure_exception(ec: &mut Ec, this: Value) -> Res<Option<Value>> {
    let found = with(ec, this, |s| s.failure.as_ref().map(|f| (f.clone(), s.converter.message(f))))?;
    match found {
        Some((failure, message)) => errors::exception(ec, &failure, &message).map(Some),
        None => Ok(None),
    }
}

fn last_error(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(failure_exception(ec, this)?.unwrap_or(Value::NIL))
}

/// A whole step of `convert` or `finish`.
fn whole(ec: &mut Ec, this: Value, source: &[u8], flags: i64) -> Res {
    let mut out = Vec::with_capacity(source.len());
    let (last, to) = with(ec, this, |s| {
        // What was not taken when it fails is lost: the caller's text stays as it is.
        s.run(source, &mut out, None, flags);
        (s.last, s.ends[1])
    })?;
    if let Some(exception) = failure_exception(ec, this)? {
        return Err(ec.raise_exception(exception));
    }
    if flags & PARTIAL_INPUT != 0 && last == "finished" {
        return Err(ec.arg_error("converter already finished"));
    }
    util::make(ec, &out, to.unwrap_or(Encoding::BINARY))
}

fn convert_text(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let source = ec.to_str(args[0])?;
    let bytes = ec.bytes_of(source)?;
    whole(ec, this, &bytes, PARTIAL_INPUT)
}

fn finish(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    whole(ec, this, b"", 0)
}

/// An argument that must not be negative; nil is none.
fn size_argument(ec: &mut Ec, v: Value, name: &str) -> Res<Option<usize>> {
    if v.is_nil() {
        return Ok(None);
    }
    let n = ec.to_i64(v)?;
    match usize::try_from(n) {
        Ok(n) => Ok(Some(n)),
        Err(_) => Err(ec.arg_error(format!("negative {name}"))),
    }
}

fn step_flags(ec: &mut Ec, v: Value) -> Res<i64> {
    if v.is_nil() {
        return Ok(0);
    }
    if !v.is_type(Type::Hash) && v.is_fixnum() {
        return ec.to_i64(v);
    }
    let table = ec.to_hash(v)?;
    let mut flags = 0;
    if hash::len(table) > 0 {
        if option(ec, table, "partial_input")?.truthy() {
            flags |= PARTIAL_INPUT;
        }
        if option(ec, table, "after_output")?.truthy() {
            flags |= AFTER_OUTPUT;
        }
    }
    Ok(flags)
}

fn primitive_convert(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (argv, keywords) = args.split_keywords();
    if argv.len() < 2 {
        return Err(ec.arity_error(argv.len(), 2, Some(5)));
    }
    let source = if argv[0].is_nil() { Value::NIL } else { ec.to_str(argv[0])? };
    let target = ec.to_str(argv[1])?;
    let offset = size_argument(ec, argv.get(2).copied().unwrap_or(Value::NIL), "output_byteoffset")?;
    let limit = size_argument(ec, argv.get(3).copied().unwrap_or(Value::NIL), "output_bytesize")?;
    let flags = step_flags(ec, keywords.or(argv.get(4).copied()).unwrap_or(Value::NIL))?;
    ec.check_frozen(target)?;
    if !source.is_nil() {
        ec.check_frozen(source)?;
    }
    let mut out = ec.bytes_of(target)?;
    let offset = offset.unwrap_or(out.len());
    if offset > out.len() {
        return Err(ec.arg_error("output_byteoffset too big"));
    }
    out.truncate(offset);
    let bytes = if source.is_nil() { Buffer::new(ec) } else { ec.bytes_of(source)? };
    let (taken, last, to) = with(ec, this, |s| {
        let taken = s.run(&bytes, &mut out, limit, flags);
        (taken, s.last, s.ends[1])
    })?;
    util::assign(ec, target, &out, to.unwrap_or_else(|| util::encoding(target)))?;
    if !source.is_nil() {
        util::assign(ec, source, bytes.get(taken..).unwrap_or(b""), util::encoding(source))?;
    }
    util::intern(ec, last)
}

fn primitive_errinfo(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (last, failure) = with(ec, this, |s| (s.last, s.failure.clone()))?;
    let symbol = util::intern(ec, last)?;
    let Some(failure) = failure else {
        return ec.array(&[symbol, Value::NIL, Value::NIL, Value::NIL, Value::NIL]);
    };
    let from = ec.str(failure.from.name())?;
    let to = ec.str(failure.to.name())?;
    let bytes = ec.str_enc(&failure.bytes, asterism_symbol::BINARY)?;
    let again = ec.str_enc(&failure.readagain, asterism_symbol::BINARY)?;
    ec.array(&[symbol, from, to, bytes, again])
}

fn putback(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let limit = match args.or_nil(0) {
        Value::NIL => usize::MAX,
        v => usize::try_from(ec.to_i64(v)?).unwrap_or(0),
    };
    let (bytes, from) = with(ec, this, |s| (s.converter.put_back(limit), s.ends[0]))?;
    util::make(ec, &bytes, from.unwrap_or(Encoding::BINARY))
}

/// The exception for text that the destination lacks.
#[cold]
fn no_place(ec: &mut Ec, text: &[u8], from: Encoding, to: Encoding) -> Raised {
    let Some(mut converter) = Converter::new(from, to, Decorators::default()) else {
        let error = convert::not_found(from.name(), to.name(), Decorators::default());
        return support_error::raise(ec, &error);
    };
    match converter.run(text, &mut Vec::new(), None, false, false).1 {
        Stop::Failed(failure) => {
            let message = converter.message(&failure);
            errors::raise(ec, &failure, &message)
        }
        _ => errors::raise_nested(ec, "UndefinedConversionError", "replacement character setup failed"),
    }
}

fn insert_output(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let s = ec.to_str(args[0])?;
    let (text, enc) = (ec.bytes_of(s)?, util::encoding(s));
    let (done, to) = with(ec, this, |s| (s.converter.insert(enc, &text), s.destination()))?;
    if done { Ok(Value::NIL) } else { Err(no_place(ec, &text, enc, to)) }
}

fn replacement(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let (text, enc) = with(ec, this, |s| s.replacement())?;
    util::make(ec, &text, enc)
}

fn set_replacement(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let given = ec.to_str(args[0])?;
    let (text, enc) = (string::to_vec(ec, given), util::encoding(given));
    let to = with(ec, this, |s| s.destination())?;
    // It is kept in the ASCII compatible encoding before the destination, if that is none itself.
    let to = ascii_compatible_twin(to).unwrap_or(to);
    let kept = if enc == to || text.is_ascii() && enc.is_ascii_compatible() {
        Some(text)
    } else {
        Converter::new(enc, to, Decorators::default()).and_then(|mut converter| {
            let mut out = Vec::new();
            let (_, stop) = converter.run(&text, &mut out, None, false, false);
            (stop == Stop::Finished).then_some(out)
        })
    };
    let Some(kept) = kept else {
        return Err(errors::raise_nested(ec, "UndefinedConversionError", "replacement character setup failed"));
    };
    with(ec, this, |s| s.replacement = Some((kept, to)))?;
    Ok(args[0])
}
