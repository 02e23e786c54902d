//! Converting text from one encoding to another piece by piece: the engine of `Encoding::Converter`,
//! `String#encode` and the encodings of IO.
//!
//! Every character goes through Unicode; [`Converter::path`] tells which encodings CRuby would pass, because errors
//! name the two neighbours between which a conversion failed.

use crate::error::{Error, ErrorKind};
use crate::inspect;

use super::Encoding;

mod codec;
mod path;
#[cfg(test)]
mod tests;

use codec::{Decoded, Decoder, Encoder};
pub use path::{ascii_compatible_twin, path};

/// How line ends are changed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Newline {
    /// Not at all.
    #[default]
    Keep,
    /// CR LF and CR become LF.
    Universal,
    /// LF becomes CR LF.
    Crlf,
    /// LF becomes CR.
    Cr,
    /// As `Universal`, by another name.
    Lf,
}

/// What a conversion does beside changing the encoding.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Decorators {
    /// Line ends.
    pub newline: Newline,
    /// `&` becomes an entity.
    pub amp: bool,
    /// `&`, `<` and `>` become entities.
    pub xml_text: bool,
    /// And `"` too.
    pub xml_attr: bool,
    /// A `"` at each end.
    pub xml_quote: bool,
}

impl Decorators {
    /// CRuby's names of them, in order.
    pub fn names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        if self.amp {
            names.push("amp_escape");
        }
        if self.xml_text {
            names.push("xml_text_escape");
        }
        if self.xml_attr {
            names.push("xml_attr_content_escape");
        }
        if self.xml_quote {
            names.push("xml_attr_quote");
        }
        match self.newline {
            Newline::Keep => {}
            Newline::Universal => names.push("universal_newline"),
            Newline::Crlf => names.push("crlf_newline"),
            Newline::Cr => names.push("cr_newline"),
            Newline::Lf => names.push("lf_newline"),
        }
        names
    }

    /// Adds the decorator of a name; false if there is none.
    pub fn add(&mut self, name: &[u8]) -> bool {
        match name {
            b"amp_escape" => self.amp = true,
            b"xml_text_escape" => self.xml_text = true,
            b"xml_attr_content_escape" => self.xml_attr = true,
            b"xml_attr_quote" => self.xml_quote = true,
            b"universal_newline" => self.newline = Newline::Universal,
            b"crlf_newline" => self.newline = Newline::Crlf,
            b"cr_newline" => self.newline = Newline::Cr,
            b"lf_newline" => self.newline = Newline::Lf,
            _ => return false,
        }
        true
    }

    fn is_none(&self) -> bool {
        *self == Decorators::default()
    }
}

/// What is wrong with a character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Bytes that are no character.
    Invalid,
    /// The source ended inside a character.
    Incomplete,
    /// A character that the destination lacks.
    Undefined,
}

/// What stopped a conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What is wrong.
    pub trouble: Trouble,
    /// The neighbours on the way between which it went wrong.
    pub from: Encoding,
    /// See `from`.
    pub to: Encoding,
    /// The bytes concerned, in `from`.
    pub bytes: Vec<u8>,
    /// The bytes behind them that showed it; they are read again.
    pub readagain: Vec<u8>,
    /// The character's code point, if it has one.
    pub code: Option<u32>,
}

/// Why [`Converter::run`] returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Everything is converted, and nothing can follow.
    Finished,
    /// More source is needed.
    SourceEmpty,
    /// There is no more room.
    Full,
    /// Something was written, and the caller wanted to know.
    AfterOutput,
    /// See [`Failure`].
    Failed(Failure),
}

/// A conversion under way.
#[derive(Clone, Debug)]
pub struct Converter {
    path: Vec<Encoding>,
    decorators: Decorators,
    decoder: Decoder,
    encoder: Encoder,
    /// Bytes that were taken from the source and are still to be read.
    input: Vec<u8>,
    /// What is converted but did not fit.
    output: Vec<u8>,
    /// A CR whose LF may follow.
    held_cr: bool,
    /// A character that the next one may change: UTF8-MAC's marks, CP50220's sound marks.
    held: Option<u32>,
    /// Was the opening quote written?
    opened: bool,
    finished: bool,
}

impl Converter {
    /// A converter from `from` to `to`; `None` if there is none.
    pub fn new(from: Encoding, to: Encoding, decorators: Decorators) -> Option<Converter> {
        Some(Converter::with_path(path(from, to)?, decorators))
    }

    /// A converter along a path, which is empty for one that only decorates.
    pub fn with_path(path: Vec<Encoding>, decorators: Decorators) -> Converter {
        Converter {
            decoder: path.first().map_or(Decoder::Bytes, |&e| Decoder::new(e)),
            encoder: path.last().map_or(Encoder::Bytes, |&e| Encoder::new(e)),
            path,
            decorators,
            input: Vec::new(),
            output: Vec::new(),
            held_cr: false,
            held: None,
            opened: false,
            finished: false,
        }
    }

    /// A converter that only decorates text in `enc`.
    pub fn decorating(enc: Encoding, decorators: Decorators) -> Converter {
        let mut made = Converter::with_path(Vec::new(), decorators);
        made.decoder = Decoder::new(enc);
        made.encoder = Encoder::new(enc);
        made
    }

    /// The encodings it passes.
    pub fn path(&self) -> &[Encoding] {
        &self.path
    }

    /// Its decorators.
    pub fn decorators(&self) -> Decorators {
        self.decorators
    }

    /// Gives back the last `limit` bytes that would be read again.
    pub fn put_back(&mut self, limit: usize) -> Vec<u8> {
        let at = self.input.len().saturating_sub(limit);
        self.input.split_off(at)
    }

    /// Writes text of encoding `enc` as it is, as the next output; false if the destination lacks a character of it.
    pub fn insert(&mut self, enc: Encoding, text: &[u8]) -> bool {
        let (mut decoder, mut encoder) = (Decoder::new(enc), self.encoder.clone());
        let mut made = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            match decoder.next(rest) {
                Decoded::Char(code, len) => {
                    if !encoder.encode(code, &mut made) {
                        return false;
                    }
                    rest = &rest[len..];
                }
                Decoded::Skip(len) => rest = &rest[len..],
                // Broken bytes in the destination's own encoding are the caller's wish.
                _ if self.path.last() == Some(&enc) => {
                    made.extend_from_slice(&rest[..1]);
                    rest = &rest[1..];
                }
                _ => return false,
            }
        }
        self.flush_held();
        self.encoder = encoder;
        self.output.extend_from_slice(&made);
        true
    }

    /// Does what comes out depend on what came out before, or on whether more follows?
    pub fn has_state(&self) -> bool {
        self.decorators.xml_quote || matches!(self.encoder, Encoder::Jis { .. } | Encoder::Marked { .. })
    }

    /// Goes on in the state that `before`, which writes to the same destination, was left in.
    pub fn go_on_from(&mut self, before: &Converter) {
        if std::mem::discriminant(&self.encoder) == std::mem::discriminant(&before.encoder) {
            self.encoder = before.encoder.clone();
        }
        self.opened = before.opened;
        self.held = before.held;
        self.held_cr = before.held_cr;
    }

    /// How many bytes wait to be written.
    pub fn pending(&self) -> usize {
        self.output.len()
    }

    /// Converts `source` and appends to `out` at most `limit` bytes. `partial`: more source will follow. How many
    /// bytes of the source were taken, and why it stopped.
    pub fn run(
        &mut self,
        source: &[u8],
        out: &mut Vec<u8>,
        limit: Option<usize>,
        partial: bool,
        after_output: bool,
    ) -> (usize, Stop) {
        let kept = self.input.len();
        let joined;
        let buf = if kept == 0 {
            source
        } else {
            joined = [&std::mem::take(&mut self.input)[..], source].concat();
            &joined[..]
        };
        let start = out.len();
        let plain = limit.is_none() && self.copies_ascii();
        let mut pos = 0;
        let mut readagain = 0;
        let stop = loop {
            if !self.output.is_empty() {
                let room = limit.map_or(usize::MAX, |l| l.saturating_sub(out.len() - start));
                let n = room.min(self.output.len());
                out.extend(self.output.drain(..n));
                if !self.output.is_empty() {
                    break Stop::Full;
                }
                if after_output && n > 0 {
                    break Stop::AfterOutput;
                }
            }
            if self.finished {
                break Stop::Finished;
            }
            let rest = buf.get(pos..).unwrap_or(b"");
            if rest.is_empty() {
                if partial {
                    break Stop::SourceEmpty;
                }
                match self.finish() {
                    Ok(()) => continue,
                    Err(failure) => break Stop::Failed(failure),
                }
            }
            // Nothing is converted: nothing is taken that has no room.
            if self.path.is_empty() && self.decorators.is_none() && limit.is_some_and(|l| out.len() - start >= l) {
                break Stop::Full;
            }
            if plain {
                let run = rest.iter().take_while(|b| b.is_ascii()).count();
                if run > 0 && !after_output {
                    out.extend_from_slice(&rest[..run]);
                    pos += run;
                    continue;
                }
            }
            match self.decoder.next(rest) {
                Decoded::Skip(len) => pos += len,
                Decoded::Char(code, len) => {
                    pos += len;
                    if let Err(failure) = self.take(code) {
                        break Stop::Failed(failure);
                    }
                }
                Decoded::NoMeaning(len) => {
                    pos += len;
                    // Between encodings of the same character set it is another form of the same place.
                    let place = self.decoder.place(&rest[..len]).filter(|_| !self.path.contains(&Encoding::UTF_8));
                    if let Some(place) = place {
                        match self.take(place) {
                            Ok(()) => continue,
                            Err(failure) => break Stop::Failed(failure),
                        }
                    }
                    self.flush_held();
                    break Stop::Failed(self.failure(Trouble::Undefined, &rest[..len], b""));
                }
                Decoded::Broken { more: true, .. } if partial => break Stop::SourceEmpty,
                Decoded::Broken { more: true, .. } => {
                    pos = buf.len();
                    self.flush_held();
                    break Stop::Failed(self.failure(Trouble::Incomplete, rest, b""));
                }
                Decoded::Broken { begun, .. } => {
                    let unit = self.decoder.unit();
                    let seen = begun + 1;
                    if seen <= unit && rest.len() < unit {
                        if partial {
                            break Stop::SourceEmpty;
                        }
                        pos = buf.len();
                        break Stop::Failed(self.failure(Trouble::Incomplete, rest, b""));
                    }
                    let bad = if seen <= unit { unit } else { (seen - 1) / unit * unit };
                    readagain = seen.saturating_sub(bad).min(rest.len() - bad);
                    pos += bad;
                    self.flush_held();
                    break Stop::Failed(self.failure(Trouble::Invalid, &rest[..bad], &rest[bad..bad + readagain]));
                }
            }
        };
        let end = match stop {
            Stop::SourceEmpty => buf.len(),
            _ => (pos + readagain).max(kept).min(buf.len()),
        };
        self.input = buf.get(pos..end).unwrap_or(b"").to_vec();
        (end - kept, stop)
    }

    /// Do ASCII bytes stay what they are, in and out?
    fn copies_ascii(&self) -> bool {
        let stateless = |e: Option<&Encoding>| e.is_some_and(|e| e.is_ascii_compatible());
        self.decorators.is_none()
            && matches!(self.decoder, Decoder::Plain(_))
            && matches!(self.encoder, Encoder::Plain(_) | Encoder::EucJp { .. })
            && stateless(self.path.first())
            && stateless(self.path.last())
    }

    /// A failure in reading.
    fn failure(&self, trouble: Trouble, bytes: &[u8], readagain: &[u8]) -> Failure {
        let from = self.path.first().copied().unwrap_or(Encoding::BINARY);
        let to = self.path.get(1).copied().unwrap_or(Encoding::BINARY);
        Failure { trouble, from, to, bytes: bytes.to_vec(), readagain: readagain.to_vec(), code: None }
    }

    /// A character that has no place somewhere on the way.
    fn undefined(&self, code: u32) -> Failure {
        let mut bytes = self.path.first().and_then(|&e| codec::character(e, code)).unwrap_or_default();
        let mut leg = (self.path.first().copied(), self.path.last().copied());
        for pair in self.path.windows(2) {
            let &[from, to] = pair else { break };
            leg = (Some(from), Some(to));
            match codec::character(to, code) {
                Some(_) if self.path.last() == Some(&to) => break,
                Some(made) => bytes = made,
                None => break,
            }
        }
        Failure {
            trouble: Trouble::Undefined,
            from: leg.0.unwrap_or(Encoding::BINARY),
            to: leg.1.unwrap_or(Encoding::BINARY),
            bytes,
            readagain: Vec::new(),
            code: Some(code).filter(|&c| !codec::is_place(c)),
        }
    }

    /// One character of the source.
    fn take(&mut self, code: u32) -> Result<(), Failure> {
        let joins: Option<fn(u32, u32) -> Option<u32>> = match (&self.decoder, &self.encoder) {
            (Decoder::Mac, _) => Some(codec::mac_compose),
            (_, Encoder::Jis { family: codec::Family::VendorWide, .. }) => Some(codec::voiced),
            _ => None,
        };
        let Some(join) = joins else {
            return self.decorate(code);
        };
        let Some(first) = self.held.replace(code) else {
            return Ok(());
        };
        match join(first, code) {
            Some(joined) => {
                self.held = Some(joined);
                Ok(())
            }
            None => self.decorate(first),
        }
    }

    /// What is held goes out as it is; only before something that stops the conversion anyway.
    fn flush_held(&mut self) {
        if let Some(code) = self.held.take() {
            let _lost_to_an_earlier_failure = self.decorate(code);
        }
        if std::mem::take(&mut self.held_cr) {
            let written = self.encoder.encode(0x0a, &mut self.output);
            debug_assert!(written, "every encoding has LF");
        }
    }

    fn decorate(&mut self, code: u32) -> Result<(), Failure> {
        if self.decorators.is_none() {
            return self.put(code);
        }
        self.open()?;
        if self.decorators.amp || self.decorators.xml_text || self.decorators.xml_attr {
            let entity = match code {
                0x26 => "&amp;",
                0x3c if self.decorators.xml_text || self.decorators.xml_attr => "&lt;",
                0x3e if self.decorators.xml_text || self.decorators.xml_attr => "&gt;",
                0x22 if self.decorators.xml_attr => "&quot;",
                0x27 if self.decorators.xml_attr => "&apos;",
                _ => "",
            };
            if !entity.is_empty() {
                return entity.bytes().try_for_each(|b| self.put(u32::from(b)));
            }
        }
        match self.decorators.newline {
            Newline::Universal | Newline::Lf => {
                let after_cr = std::mem::take(&mut self.held_cr);
                if after_cr {
                    self.put(0x0a)?;
                }
                match code {
                    0x0a if after_cr => Ok(()),
                    0x0d => {
                        self.held_cr = true;
                        Ok(())
                    }
                    _ => self.put(code),
                }
            }
            Newline::Crlf if code == 0x0a => {
                self.put(0x0d)?;
                self.put(0x0a)
            }
            Newline::Cr if code == 0x0a => self.put(0x0d),
            _ => self.put(code),
        }
    }

    fn open(&mut self) -> Result<(), Failure> {
        if self.decorators.xml_quote && !self.opened {
            self.opened = true;
            return self.put(0x22);
        }
        Ok(())
    }

    fn put(&mut self, code: u32) -> Result<(), Failure> {
        if self.encoder.encode(code, &mut self.output) { Ok(()) } else { Err(self.undefined(code)) }
    }

    fn finish(&mut self) -> Result<(), Failure> {
        if let Some(code) = self.held.take() {
            self.decorate(code)?;
        }
        if std::mem::take(&mut self.held_cr) {
            self.put(0x0a)?;
        }
        self.finished = true;
        self.open()?;
        if self.decorators.xml_quote {
            self.put(0x22)?;
        }
        self.encoder.finish(&mut self.output);
        Ok(())
    }

    /// The message of the exception for a failure of this converter.
    pub fn message(&self, failure: &Failure) -> String {
        let quote = |bytes: &[u8]| {
            let text = inspect::inspect(Encoding::BINARY, bytes);
            String::from_utf8_lossy(&text).into_owned()
        };
        let bytes = quote(&failure.bytes);
        let from = failure.from.name();
        match failure.trouble {
            Trouble::Incomplete => format!("incomplete {bytes} on {from}"),
            Trouble::Invalid if failure.readagain.is_empty() => format!("{bytes} on {from}"),
            Trouble::Invalid => format!("{bytes} followed by {} on {from}", quote(&failure.readagain)),
            Trouble::Undefined => {
                let what = match failure.code {
                    Some(code) if failure.from == Encoding::UTF_8 => format!("U+{code:04X}"),
                    _ => bytes,
                };
                let to = failure.to.name();
                if self.path.len() == 2 {
                    return format!("{what} from {from} to {to}");
                }
                let way: Vec<&str> = self.path.iter().map(|e| e.name()).collect();
                format!("{what} to {to} in conversion from {}", way.join(" to "))
            }
        }
    }
}

/// How messages call a conversion: `UTF-8 to EUC-JP with crlf_newline`.
pub fn description(from: &str, to: &str, decorators: Decorators) -> String {
    let mut text = match (from.is_empty(), to.is_empty()) {
        (false, false) => format!("{from} to {to}"),
        (true, true) => String::new(),
        _ => format!("{from}{to}"),
    };
    let names = decorators.names();
    if !names.is_empty() {
        if !text.is_empty() {
            text.push_str(" with ");
        }
        text.push_str(&names.join(","));
    }
    if text.is_empty() {
        text.push_str("no-conversion");
    }
    text
}

/// `Encoding::ConverterNotFoundError` for two names.
pub fn not_found(from: &str, to: &str, decorators: Decorators) -> Error {
    let what = description(from, to, decorators);
    Error::new(ErrorKind::ConverterNotFound, format!("code converter not found ({what})"))
}

/// The default replacement of what cannot be converted to `to`, and the encoding it is in.
pub fn default_replacement(to: Encoding) -> (&'static [u8], Encoding) {
    if to.is_unicode() || matches!(to, Encoding::UTF_16 | Encoding::UTF_32) {
        ("\u{fffd}".as_bytes(), Encoding::UTF_8)
    } else {
        (b"?", Encoding::US_ASCII)
    }
}
