//! The options of conversions: what `encode`, `Encoding::Converter` and IO take, and what they do with what
//! cannot be converted.

use asterism_object::string::CodeRange;
use asterism_object::types::Type;
use asterism_object::{Value, hash, string};
use asterism_support::Encoding;
use asterism_support::encoding::convert::{self, Converter, Decorators, Failure, Newline, Stop, Trouble};
use asterism_symbol::sym;
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Res};

use crate::string::util;
use crate::string::util::outcall;

use super::errors;

/// The options. Values in it are on the stack with it.
#[derive(Clone, Copy)]
pub struct Options {
    /// `invalid: :replace`
    pub replace_invalid: bool,
    /// `undef: :replace`
    pub replace_undefined: bool,
    /// What lacks a place becomes `&#x…;`.
    pub hex_charref: bool,
    /// `replace:`, a String or nil.
    pub replacement: Value,
    /// `fallback:`
    pub fallback: Value,
    /// Line ends and XML.
    pub decorators: Decorators,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            replace_invalid: false,
            replace_undefined: false,
            hex_charref: false,
            replacement: Value::NIL,
            fallback: Value::NIL,
            decorators: Decorators::default(),
        }
    }
}

/// One option of a Hash of them; nil if it is not there.
///
/// # Errors
/// RuntimeError if there are too many Symbols.
pub fn option(ec: &mut Ec, keywords: Value, name: &str) -> Res {
    let key = util::intern(ec, name)?;
    Ok(ec.hash_get(keywords, key)?.unwrap_or(Value::NIL))
}

/// Is the option `:replace`? nil is not; anything else is an error.
fn is_replace(ec: &mut Ec, v: Value, name: &str) -> Res<bool> {
    if v.is_nil() {
        return Ok(false);
    }
    if v.as_sym().is_some_and(|s| s.bytes() == b"replace") {
        return Ok(true);
    }
    Err(ec.arg_error(format!("unknown value for {name} character option")))
}

impl Options {
    /// Reads them from the keyword arguments.
    ///
    /// # Errors
    /// ArgumentError for an unknown value, TypeError for a replacement that is no String.
    pub fn read(ec: &mut Ec, keywords: Option<Value>) -> Res<Options> {
        let mut found = Options::default();
        let Some(keywords) = keywords.filter(|&k| hash::len(k) > 0) else {
            return Ok(found);
        };
        let v = option(ec, keywords, "invalid")?;
        found.replace_invalid = is_replace(ec, v, "invalid")?;
        let v = option(ec, keywords, "undef")?;
        found.replace_undefined = is_replace(ec, v, "undefined")?;
        let v = option(ec, keywords, "replace")?;
        if !v.is_nil() {
            found.replacement = ec.to_str(v)?;
            if string::coderange(ec, found.replacement) == CodeRange::Broken {
                let shown = ec.inspect_for_error(found.replacement)?;
                return Err(ec.arg_error([b"replacement string is broken: ", &shown[..]].concat()));
            }
        }
        found.fallback = option(ec, keywords, "fallback")?;
        let v = option(ec, keywords, "xml")?;
        if !v.is_nil() {
            match v.as_sym().map(|s| s.bytes()) {
                Some(b"text") => found.decorators.xml_text = true,
                Some(b"attr") => {
                    found.decorators.xml_attr = true;
                    found.decorators.xml_quote = true;
                }
                _ => {
                    let shown = ec.inspect_for_error(v)?;
                    let message = [b"unexpected value for xml option: ", &shown[..]].concat();
                    return Err(ec.arg_error(message));
                }
            }
            found.hex_charref = true;
        }
        found.read_newline(ec, keywords)?;
        Ok(found)
    }

    fn read_newline(&mut self, ec: &mut Ec, keywords: Value) -> Res<()> {
        let v = option(ec, keywords, "newline")?;
        if !v.is_nil() {
            self.decorators.newline = match v.as_sym().map(|s| s.bytes()) {
                Some(b"universal") => Newline::Universal,
                Some(b"crlf") => Newline::Crlf,
                Some(b"cr") => Newline::Cr,
                Some(b"lf") => Newline::Lf,
                Some(name) => {
                    let message = [b"unexpected value for newline option: ", name].concat();
                    return Err(ec.arg_error(message));
                }
                None => return Err(ec.arg_error("unexpected value for newline option")),
            };
            return Ok(());
        }
        let names = [
            ("universal_newline", Newline::Universal),
            ("crlf_newline", Newline::Crlf),
            ("cr_newline", Newline::Cr),
            ("lf_newline", Newline::Lf),
        ];
        let mut asked = Vec::new();
        for (name, newline) in names {
            if option(ec, keywords, name)?.truthy() {
                self.decorators.newline = newline;
                asked.push(name);
            }
        }
        if asked.len() > 1 {
            let message = format!("code converter not found ({})", asked.join(","));
            return Err(errors::raise_nested(ec, "ConverterNotFoundError", &message));
        }
        Ok(())
    }

    /// Puts into the converter's output what stands for what cannot be converted; false: nothing does.
    fn settle(&self, ec: &mut Ec, converter: &mut Converter, to: Encoding, failure: &Failure) -> Res<bool> {
        match failure.trouble {
            Trouble::Undefined if !self.fallback.is_nil() && !self.replace_undefined => {
                let Some(answer) = ask_fallback(ec, self.fallback, failure)? else { return Ok(false) };
                let text = string::to_vec(ec, answer);
                if !converter.insert(util::encoding(answer), &text) {
                    return Err(ec.arg_error("too big fallback string"));
                }
                Ok(true)
            }
            Trouble::Undefined if self.hex_charref => match failure.code {
                Some(code) => Ok(converter.insert(Encoding::US_ASCII, format!("&#x{code:X};").as_bytes())),
                None => Ok(false),
            },
            Trouble::Undefined if !self.replace_undefined => Ok(false),
            Trouble::Invalid | Trouble::Incomplete if !self.replace_invalid => Ok(false),
            _ if self.replacement.is_nil() => {
                let (text, enc) = convert::default_replacement(to);
                Ok(converter.insert(enc, text))
            }
            _ => {
                let text = string::to_vec(ec, self.replacement);
                let done = converter.insert(util::encoding(self.replacement), &text);
                if !done {
                    return Err(errors::raise_nested(ec, "UndefinedConversionError", "too big fallback string"));
                }
                Ok(true)
            }
        }
    }
}

/// What the `fallback:` option gives for a character without a place.
fn ask_fallback(ec: &mut Ec, fallback: Value, failure: &Failure) -> Res<Option<Value>> {
    let bad = util::make(ec, &failure.bytes, failure.from)?;
    let answer = if !fallback.is_type(Type::Hash) && ec.respond_to(fallback, sym::call, true)? {
        ec.call(fallback, sym::call, &[bad])?
    } else if ec.respond_to(fallback, sym::AREF, true)? {
        ec.call(fallback, sym::AREF, &[bad])?
    } else {
        return Ok(None);
    };
    if answer.is_nil() { Ok(None) } else { Ok(Some(ec.to_str(answer)?)) }
}

/// So many bytes are converted between two looks at what asks for the thread's attention.
const PART: usize = 256 << 10;
/// Bytes that one becomes at most, in UTF-32 or as `&quot;`.
const WIDEST: usize = 6;
/// What a converter writes at the ends.
const LEAST_ROOM: usize = 64;

/// Runs `source` through `converter`, which goes to `to`.
///
/// # Errors
/// Encoding::InvalidByteSequenceError, Encoding::UndefinedConversionError; what the `fallback:` raises, TypeError if it
/// gives no String, ArgumentError if that is too big; NoMemoryError; what is raised into the thread.
pub fn drive(
    ec: &mut Ec,
    converter: &mut Converter,
    to: Encoding,
    source: &[u8],
    partial: bool,
    options: &Options,
) -> Res<Buffer> {
    drive_keeping(ec, converter, to, source, partial, options, &mut Vec::new())
}

/// As `drive`; what follows a failure is put into `left`.
///
/// # Errors
/// As `drive`.
pub fn drive_keeping(
    ec: &mut Ec,
    converter: &mut Converter,
    to: Encoding,
    source: &[u8],
    partial: bool,
    options: &Options,
    left: &mut Vec<u8>,
) -> Res<Buffer> {
    let mut out = Buffer::new(ec);
    let mut rest = source;
    loop {
        let part = &rest[..rest.len().min(PART)];
        let last = part.len() == rest.len();
        out.reserve(ec, (part.len() * WIDEST + LEAST_ROOM).saturating_add(converter.pending()))?;
        let (taken, stop) = converter.run(part, &mut out, None, partial || !last, false);
        rest = rest.get(taken..).unwrap_or(b"");
        match stop {
            Stop::Failed(failure) => {
                if !options.settle(ec, converter, to, &failure)? {
                    let message = converter.message(&failure);
                    *left = converter.put_back(usize::MAX);
                    left.extend_from_slice(rest);
                    return Err(errors::raise(ec, &failure, &message));
                }
            }
            Stop::SourceEmpty if !last => {}
            Stop::Finished | Stop::SourceEmpty | Stop::Full | Stop::AfterOutput => return Ok(out),
        }
        outcall(ec, Ec::poll)?;
    }
}
