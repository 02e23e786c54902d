//! The encodings of a stream: how they are given, and what is converted when it is read and written.

use std::sync::Arc;

use asterism_object::types::Type;
use asterism_object::{Value, hash, string};
use asterism_support::Encoding;
use asterism_support::encoding::convert::{self, Converter, Decorators, Newline};
use asterism_vm::memory::Buffer;
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};

use crate::io::object::{read_string, stream};
use crate::io::stream::{Fields, Mode, Stream, StreamRef};
use asterism_core::encoding::options::{Options, drive, drive_keeping};
use asterism_core::encoding::{self, of_object};
use asterism_core::string::util;
use asterism_core::support_error;

/// Instance methods of IO.
pub static IO: &[NativeDef] = &[
    NativeDef::new("external_encoding", external_encoding, 0, 0),
    NativeDef::new("internal_encoding", internal_encoding, 0, 0),
    NativeDef::new("set_encoding", set_encoding, 1, 3),
    NativeDef::new("set_encoding_by_bom", set_encoding_by_bom, 0, 0),
];

/// The conversion options a stream was opened with.
#[derive(Clone, Default, Debug)]
pub struct Conversion {
    replace_invalid: bool,
    replace_undefined: bool,
    hex_charref: bool,
    replacement: Option<(Vec<u8>, Encoding)>,
    decorators: Decorators,
}

impl Conversion {
    /// Text mode: CR LF and CR are read as LF.
    pub fn universal() -> Conversion {
        let decorators = Decorators { newline: Newline::Universal, ..Decorators::default() };
        Conversion { decorators, ..Conversion::default() }
    }

    /// The options of `open` and `set_encoding`; `None` if there are none.
    ///
    /// # Errors
    /// ArgumentError for an unknown value, TypeError for a replacement that is no String.
    pub fn read(ec: &mut Ec, keywords: Option<Value>) -> Res<Option<Conversion>> {
        let Some(keywords) = keywords.filter(|&k| k.is_type(Type::Hash) && hash::len(k) > 0) else {
            return Ok(None);
        };
        let options = Options::read(ec, Some(keywords))?;
        let replacement = match options.replacement {
            Value::NIL => None,
            s => Some((string::to_vec(ec, s), util::encoding(s))),
        };
        let made = Conversion {
            replace_invalid: options.replace_invalid,
            replace_undefined: options.replace_undefined,
            hex_charref: options.hex_charref,
            replacement,
            decorators: options.decorators,
        };
        let plain = !made.replace_invalid
            && !made.replace_undefined
            && !made.hex_charref
            && made.decorators == Decorators::default();
        Ok((!plain).then_some(made))
    }

    fn options(&self, ec: &mut Ec, decorators: Decorators) -> Res<Options> {
        let replacement = match &self.replacement {
            Some((text, enc)) => util::make(ec, text, *enc)?,
            None => Value::NIL,
        };
        Ok(Options {
            replace_invalid: self.replace_invalid,
            replace_undefined: self.replace_undefined,
            hex_charref: self.hex_charref,
            replacement,
            fallback: Value::NIL,
            decorators,
        })
    }

    /// Universal newlines are for reading, the other decorators for writing.
    fn decorators(&self, reading: bool) -> Decorators {
        if (self.decorators.newline == Newline::Universal) == reading && self.decorators.newline != Newline::Keep {
            self.decorators
        } else if reading {
            Decorators::default()
        } else {
            Decorators { newline: Newline::Keep, ..self.decorators }
        }
    }
}

/// An internal encoding as it is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Internal {
    /// Not at all: the default counts.
    Default,
    /// `-` or nil: none.
    None,
    /// This one.
    Some(Encoding),
}

/// The two encodings of a stream as they are given.
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// The external one.
    pub external: Option<Encoding>,
    /// The internal one.
    pub internal: Internal,
    /// `BOM|`: look for a byte order mark.
    pub bom: bool,
}

impl Given {
    /// Nothing is given.
    pub const NOTHING: Given = Given { external: None, internal: Internal::Default, bom: false };

    /// What the stream gets.
    pub fn settle(self, ec: &Ec) -> (Option<u8>, Option<u8>) {
        let external = self.external.unwrap_or_else(|| encoding::external(ec));
        let internal = match self.internal {
            Internal::Some(e) if external != Encoding::BINARY => Some(e),
            Internal::Default if external != Encoding::BINARY => encoding::internal(ec),
            _ => None,
        };
        match internal {
            Some(internal) if internal != external => (Some(external.index()), Some(internal.index())),
            Some(_) => (Some(external.index()), None),
            None => (self.external.map(Encoding::index), None),
        }
    }
}

fn warn(ec: &mut Ec, text: String) -> Res<()> {
    asterism_vm::load::warn(ec, &text)
}

/// An encoding by its name; of an unknown one only a warning is given.
fn by_name(ec: &mut Ec, name: &[u8]) -> Res<Option<Encoding>> {
    match encoding::find_name(ec, name) {
        Some(found) => Ok(Some(found)),
        None => {
            warn(ec, format!("Unsupported encoding {} ignored", String::from_utf8_lossy(name)))?;
            Ok(None)
        }
    }
}

/// Reads `external:internal`.
///
/// # Errors
/// What `Warning.warn` raises, of an encoding that there is not; NoMemoryError.
pub fn parse(ec: &mut Ec, text: &[u8]) -> Res<Given> {
    let mut parts = text.splitn(2, |&b| b == b':');
    let mut first = parts.next().unwrap_or_default();
    let second = parts.next();
    let mut bom = first.len() >= 4 && first[..4].eq_ignore_ascii_case(b"bom|");
    if bom {
        first = &first[4..];
        if first.len() < 3 || !first[..3].eq_ignore_ascii_case(b"utf") {
            warn(ec, format!("BOM with non-UTF encoding {} is nonsense", String::from_utf8_lossy(first)))?;
            bom = false;
        }
    }
    let external = if first == b"-" { None } else { by_name(ec, first)? };
    let internal = match second {
        None => Internal::Default,
        Some(b"-") => Internal::None,
        Some(name) => match by_name(ec, name)? {
            None => Internal::Default,
            // A byte order mark may say that the external one is another.
            Some(e) if Some(e) == external && !bom => Internal::None,
            Some(e) => Internal::Some(e),
        },
    };
    Ok(Given { external, internal, bom })
}

/// The names of encodings are ASCII text.
fn check_name(ec: &mut Ec, name: Value) -> Res<()> {
    if util::encoding(name).is_ascii_compatible() {
        return Ok(());
    }
    Err(ec.arg_error("invalid encoding name (non ASCII)"))
}

/// An encoding argument that is an Encoding or a String.
///
/// # Errors
/// ArgumentError for an unknown name, TypeError.
pub fn argument(ec: &mut Ec, v: Value) -> Res<Encoding> {
    encoding::from_value(ec, v)
}

/// What text that is read from a stream is.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// Its encoding, before conversion.
    pub encoding: Encoding,
    /// There is no conversion.
    pub is_plain: bool,
    /// `\r` and `\r\n` end lines too.
    pub universal: bool,
}

impl Text {
    /// Of this stream.
    pub fn of(ec: &Ec, stream: &Stream) -> Text {
        Text::of_fields(ec, &stream.lock())
    }

    /// Of the stream whose fields these are.
    pub fn of_fields(ec: &Ec, fields: &Fields) -> Text {
        let encoding = match fields.external.and_then(|i| Encoding::from_index(usize::from(i))) {
            Some(found) => found,
            None if fields.binmode => Encoding::BINARY,
            None => encoding::external(ec),
        };
        let universal = fields.conversion.as_ref().is_some_and(|c| c.decorators.newline == Newline::Universal);
        Text { encoding, is_plain: fields.internal.is_none() && fields.conversion.is_none(), universal }
    }
}

/// The encoding of what is read as text, before conversion.
pub fn read_encoding(ec: &Ec, stream: &Stream) -> Encoding {
    Text::of(ec, stream).encoding
}

/// Bytes that were read as text, in the stream's encodings.
///
/// # Errors
/// Encoding::ConverterNotFoundError, Encoding::InvalidByteSequenceError, Encoding::UndefinedConversionError;
/// NoMemoryError; what is raised into the thread.
pub fn to_text(ec: &mut Ec, stream: &StreamRef, bytes: Buffer) -> Res {
    let from = read_encoding(ec, stream);
    let (internal, conversion) = {
        let fields = stream.lock();
        (fields.internal, fields.conversion.clone())
    };
    let to = internal.and_then(|i| Encoding::from_index(usize::from(i))).filter(|&e| e != from);
    let decorators = conversion.as_ref().map_or_else(Decorators::default, |c| c.decorators(true));
    let target = to.unwrap_or(from);
    let mut converter = match to {
        Some(to) => match Converter::new(from, to, decorators) {
            Some(converter) => converter,
            None => {
                let error = convert::not_found(from.name(), to.name(), decorators);
                return Err(support_error::raise(ec, &error));
            }
        },
        None if decorators == Decorators::default() => return read_string(ec, bytes, from.index()),
        None if from.is_ascii_compatible() => Converter::with_path(Vec::new(), decorators),
        None => Converter::decorating(from, decorators),
    };
    let options = match conversion {
        Some(c) => c.options(ec, decorators)?,
        None => Options::default(),
    };
    let mut left = Vec::new();
    match drive_keeping(ec, &mut converter, target, &bytes, false, &options, &mut left) {
        Ok(made) => read_string(ec, made, target.index()),
        Err(raised) if left.is_empty() => Err(raised),
        Err(raised) => {
            // What follows the failure is read next.
            let pending = ec.take_pending();
            stream.reading(ec, |ec, reader| reader.push_back(ec, &left))?;
            let _same = raised;
            Err(ec.unwind_with(pending))
        }
    }
}

/// How text is converted that is written to a stream.
#[derive(Clone)]
pub struct Sink {
    to: Option<Encoding>,
    conversion: Option<Arc<Conversion>>,
}

impl Sink {
    /// How `stream` wants it; `None`: as it is.
    pub fn of(stream: &Stream) -> Option<Sink> {
        Sink::of_fields(&stream.lock())
    }

    /// As `of`, for the stream whose fields these are.
    pub fn of_fields(fields: &Fields) -> Option<Sink> {
        if fields.external.is_none() && fields.conversion.is_none() {
            return None;
        }
        let (external, conversion) = (fields.external, fields.conversion.clone());
        let to = external.and_then(|i| Encoding::from_index(usize::from(i))).filter(|&e| e != Encoding::BINARY);
        let conversion = conversion.filter(|c| c.decorators(false) != Decorators::default() || to.is_some());
        (to.is_some() || conversion.is_some()).then_some(Sink { to, conversion })
    }

    /// The bytes of a text in encoding `from` as they are written, after what `before` wrote; with the converter if what
    /// follows depends on it.
    fn convert_after(
        &self,
        ec: &mut Ec,
        from: Encoding,
        text: &[u8],
        before: Option<&Converter>,
    ) -> Res<(Vec<u8>, Option<Converter>)> {
        let decorators = self.conversion.as_ref().map_or_else(Decorators::default, |c| c.decorators(false));
        let to = self.to.unwrap_or(from);
        let same = from == to || text.is_ascii() && from.is_ascii_compatible() && to.is_ascii_compatible();
        let mut converter = match Converter::new(from, to, decorators) {
            _ if same && decorators == Decorators::default() => return Ok((text.to_vec(), None)),
            _ if same && to.is_ascii_compatible() => Converter::with_path(Vec::new(), decorators),
            _ if same => Converter::decorating(to, decorators),
            Some(converter) => converter,
            None => {
                let error = convert::not_found(from.name(), to.name(), decorators);
                return Err(support_error::raise(ec, &error));
            }
        };
        let options = match &self.conversion {
            Some(c) => c.options(ec, decorators)?,
            None => Options::default(),
        };
        let goes_on = converter.has_state();
        if let Some(before) = before {
            converter.go_on_from(before);
        }
        let made = drive(ec, &mut converter, to, text, goes_on, &options)?.into_parts().0;
        Ok((made, goes_on.then_some(converter)))
    }

    /// Writes a text in encoding `from` to the stream, as it wants it; how many bytes that made.
    ///
    /// # Errors
    /// Encoding::ConverterNotFoundError, Encoding::InvalidByteSequenceError, Encoding::UndefinedConversionError;
    /// IOError, or the class of Errno of write(2), Errno::EPIPE and the like; NoMemoryError; what is raised into the
    /// thread.
    pub fn write(&self, ec: &mut Ec, stream: &StreamRef, from: Encoding, text: &[u8]) -> Res<usize> {
        loop {
            let (before, serial) = {
                let fields = stream.lock();
                (fields.sink_state.clone(), fields.sink_serial)
            };
            let (bytes, state) = self.convert_after(ec, from, text, before.as_deref())?;
            let Some(state) = state else {
                stream.write(ec, &bytes)?;
                return Ok(bytes.len());
            };
            // Another thread may have written meanwhile: what its text left behind counts then.
            if stream.write_after(ec, &bytes, serial, Box::new(state))? {
                return Ok(bytes.len());
            }
            ec.poll()?;
        }
    }
}

fn encoding_value(ec: &Ec, index: Option<u8>) -> Value {
    index.and_then(|i| Encoding::from_index(usize::from(i))).map_or(Value::NIL, |e| encoding::object(ec, e))
}

fn external_encoding(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let (external, writable) = {
        let fields = stream.lock();
        (fields.external, fields.writable)
    };
    if external.is_none() && !writable {
        let found = read_encoding(ec, &stream);
        return Ok(encoding::object(ec, found));
    }
    Ok(encoding_value(ec, external))
}

fn internal_encoding(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    let internal = stream.lock().internal;
    Ok(encoding_value(ec, internal))
}

fn set_encoding(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (plain, keywords) = args.split_keywords();
    let stream = stream(ec, this)?;
    let first = plain.first().copied().unwrap_or(Value::NIL);
    let second = plain.get(1).copied().unwrap_or(Value::NIL);
    let given = if !second.is_nil() {
        if first.is_nil() {
            return Err(ec.no_conversion(first, "String"));
        }
        let external = match of_object(first) {
            Some(e) => Some(e),
            None => {
                let s = ec.to_str(first)?;
                check_name(ec, s)?;
                let name = string::to_vec(ec, s);
                by_name(ec, &name)?
            }
        };
        let internal = match of_object(second) {
            Some(e) => Internal::Some(e),
            None => {
                let s = ec.to_str(second)?;
                let name = string::to_vec(ec, s);
                if name == b"-" {
                    Internal::None
                } else {
                    by_name(ec, &name)?.map_or(Internal::Default, Internal::Some)
                }
            }
        };
        Given { external, internal, bom: false }
    } else if first.is_nil() {
        Given::NOTHING
    } else if let Some(e) = of_object(first) {
        Given { external: Some(e), ..Given::NOTHING }
    } else {
        let s = ec.to_str(first)?;
        check_name(ec, s)?;
        let text = string::to_vec(ec, s);
        if text.contains(&b':') || text.len() > 4 && text[..4].eq_ignore_ascii_case(b"bom|") {
            parse(ec, &text)?
        } else {
            Given { external: by_name(ec, &text)?, ..Given::NOTHING }
        }
    };
    let conversion = Conversion::read(ec, keywords)?;
    let (external, internal) = given.settle(ec);
    let needs_binmode = {
        let fields = stream.lock();
        let wide = given.external.is_some_and(|e| !e.is_ascii_compatible());
        fields.readable && !fields.binmode && internal.is_none() && wide
    };
    if needs_binmode {
        return Err(ec.arg_error("ASCII incompatible encoding needs binmode"));
    }
    {
        let mut fields = stream.lock();
        fields.external = external;
        fields.internal = internal;
        fields.sink_state = None;
        fields.sink_serial += 1;
        if conversion.is_some() {
            fields.conversion = conversion.map(Arc::new);
        }
    }
    Ok(this)
}

/// The byte order marks, the longer ones first.
const MARKS: [(&[u8], Encoding); 5] = [
    (b"\xff\xfe\0\0", Encoding::UTF_32LE),
    (b"\0\0\xfe\xff", Encoding::UTF_32BE),
    (b"\xef\xbb\xbf", Encoding::UTF_8),
    (b"\xfe\xff", Encoding::UTF_16BE),
    (b"\xff\xfe", Encoding::UTF_16LE),
];

/// Takes a byte order mark from the front of the stream; the encoding it stands for.
///
/// # Errors
/// As [`StreamRef::reading`]; the class of Errno of read(2): Errno::EIO, Errno::EISDIR; what is raised into the thread.
pub fn take_mark(ec: &mut Ec, stream: &StreamRef) -> Res<Option<Encoding>> {
    stream.reading(ec, |ec, reader| {
        loop {
            let bytes = reader.bytes();
            let begun = |m: &[u8]| bytes.len() < m.len() && m.starts_with(bytes);
            if !MARKS.iter().any(|(m, _)| begun(m)) || !reader.fill_at_least(ec, 1)? {
                break;
            }
        }
        for (mark, found) in MARKS {
            if reader.bytes().starts_with(mark) {
                reader.consume(mark.len());
                return Ok(Some(found));
            }
        }
        Ok(None)
    })
}

fn set_encoding_by_bom(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let stream = stream(ec, this)?;
    stream.fd(ec)?;
    let (binmode, external, internal, readable) = {
        let fields = stream.lock();
        (fields.binmode, fields.external, fields.internal, fields.readable)
    };
    if !binmode {
        return Err(ec.arg_error("ASCII incompatible encoding needs binmode"));
    }
    if internal.is_some() {
        return Err(ec.arg_error("encoding conversion is set"));
    }
    if let Some(found) = external.and_then(|i| Encoding::from_index(usize::from(i)))
        && found != Encoding::BINARY
    {
        return Err(ec.arg_error(format!("encoding is set to {} already", found.name())));
    }
    if !readable {
        return Err(ec.raise(Exc::IOError, "not opened for reading"));
    }
    match take_mark(ec, &stream)? {
        Some(found) => {
            set_by_mark(ec, &stream, found);
            Ok(encoding::object(ec, found))
        }
        None => Ok(Value::NIL),
    }
}

fn set_by_mark(ec: &Ec, stream: &Stream, found: Encoding) {
    let (external, internal) = Given { external: Some(found), ..Given::NOTHING }.settle(ec);
    let mut fields = stream.lock();
    fields.external = external;
    fields.internal = internal;
}

/// What the mode's `BOM|` asks for, when the stream was just opened.
///
/// # Errors
/// As [`take_mark`].
pub fn look_for_mark(ec: &mut Ec, object: Value, mode: &Mode) -> Res<()> {
    if !mode.bom || !mode.readable {
        return Ok(());
    }
    let stream = stream(ec, object)?;
    if let Some(found) = take_mark(ec, &stream)? {
        if let Some(wanted) = mode.behind_mark.filter(|i| *i != found.index()) {
            let mut fields = stream.lock();
            fields.external = Some(found.index());
            fields.internal = Some(wanted);
            return Ok(());
        }
        let internal = stream.lock().internal;
        if internal.is_some() {
            stream.lock().external = Some(found.index());
        } else {
            set_by_mark(ec, &stream, found);
        }
    }
    Ok(())
}

/// The encodings and conversions that the options of `open` say.
///
/// # Errors
/// ArgumentError, TypeError.
pub fn read_options(ec: &mut Ec, mode: &mut Mode, given: Option<Given>, options: Option<Value>) -> Res<()> {
    let option = |ec: &mut Ec, name: &str| crate::io::object::option(ec, options, name);
    let mut given = given;
    let external = option(ec, "external_encoding")?.filter(|v| !v.is_nil());
    let internal = option(ec, "internal_encoding")?;
    let both = option(ec, "encoding")?.filter(|v| !v.is_nil());
    if (external.is_some() || internal.is_some() || both.is_some()) && given.is_some() {
        return Err(ec.arg_error("encoding specified twice"));
    }
    if let Some(v) = both {
        if external.is_some() || internal.is_some() {
            let which = if external.is_some() { "external" } else { "internal" };
            let shown = ec.to_s(v)?;
            let shown = string::to_string_lossy(ec, shown);
            warn(ec, format!("Ignoring encoding parameter '{shown}': {which}_encoding is used"))?;
        } else if let Some(e) = of_object(v) {
            given = Some(Given { external: Some(e), ..Given::NOTHING });
        } else {
            let s = ec.to_str(v)?;
            let text = string::to_vec(ec, s);
            given = Some(parse(ec, &text)?);
        }
    }
    if external.is_some() || internal.is_some() {
        let mut made = Given::NOTHING;
        if let Some(v) = external {
            made = match of_object(v) {
                Some(e) => Given { external: Some(e), ..made },
                None => {
                    let s = ec.to_str(v)?;
                    let text = string::to_vec(ec, s);
                    if text.starts_with(b"-") { made } else { parse(ec, &text)? }
                }
            };
        }
        if let Some(v) = internal {
            made.internal = match v {
                Value::NIL => Internal::None,
                v => match of_object(v) {
                    Some(e) => Internal::Some(e),
                    None => {
                        let s = ec.to_str(v)?;
                        if string::to_vec(ec, s) == b"-" { Internal::None } else { Internal::Some(argument(ec, s)?) }
                    }
                },
            };
        }
        given = Some(made);
    }
    let given = match given {
        Some(given) => given,
        None if mode.binmode => Given { external: Some(Encoding::BINARY), ..Given::NOTHING },
        None => Given::NOTHING,
    };
    (mode.external, mode.internal) = given.settle(ec);
    mode.bom |= given.bom;
    if let (true, Internal::Some(wanted)) = (given.bom, given.internal) {
        mode.behind_mark = Some(wanted.index());
    }
    let conversion = Conversion::read(ec, options)?;
    if mode.binmode && conversion.as_ref().is_some_and(|c| c.decorators.newline != Newline::Keep) {
        return Err(ec.arg_error("newline decorator with binary mode"));
    }
    let universal = option(ec, "universal_newline")? != Some(Value::FALSE);
    mode.conversion = match conversion {
        Some(c) => Some(Arc::new(c)),
        None if mode.textmode && mode.readable && universal => Some(Arc::new(Conversion::universal())),
        None => None,
    };
    let outer = mode.external.and_then(|i| Encoding::from_index(usize::from(i)));
    let wide = !outer.unwrap_or_else(|| encoding::external(ec)).is_ascii_compatible();
    if mode.readable && !mode.binmode && mode.internal.is_none() && wide && !mode.bom {
        return Err(ec.arg_error("ASCII incompatible encoding needs binmode"));
    }
    Ok(())
}
