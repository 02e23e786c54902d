//! Reading lines: the arguments of `gets` and its like, and the line itself.

use std::borrow::Cow;

use asterism_object::types::Type;
use asterism_object::{Value, string};

use asterism_support::Encoding;
use asterism_support::encoding::chars;
use asterism_support::encoding::convert::{Converter, Decorators, Stop};
use asterism_support::encoding::transcode::encode_char;
use asterism_symbol::sym;
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Res};

use crate::io::encoding::Text;
use crate::io::object::option;
use crate::io::stream::Reader;

/// What ends a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Separator {
    /// Nothing: all that is left.
    None,
    /// One or more empty lines.
    Paragraph,
    /// These bytes.
    Bytes(Cow<'static, [u8]>),
}

const LINE_FEED: Separator = Separator::Bytes(Cow::Borrowed(b"\n"));

/// How lines are read.
#[derive(Clone, Debug)]
pub struct LineOptions {
    /// What ends a line.
    pub separator: Separator,
    /// Bytes at most (a character is not torn).
    pub limit: Option<usize>,
    /// Without the separator.
    pub chomp: bool,
    /// The bytes of a character at least: where a separator can stand.
    pub unit: usize,
    /// `\r` and `\r\n` stand for `\n`.
    pub universal: bool,
    /// The encoding of a separator that is given, and whether it is ASCII.
    pub given: Option<(u8, bool)>,
}

impl LineOptions {
    /// The separator that was given, in the encoding of what is read.
    pub fn recode(&mut self, to: Encoding) {
        let Some((from, _)) = self.given else { return };
        let (Some(from), Separator::Bytes(bytes)) = (Encoding::from_index(usize::from(from)), &self.separator) else {
            return;
        };
        if let Some(mut converter) = Converter::new(from, to, Decorators::default()) {
            let mut made = Vec::new();
            if converter.run(bytes, &mut made, None, false, false).1 == Stop::Finished {
                self.separator = Separator::Bytes(made.into());
            }
        }
    }

    /// The same for this text, in which even ASCII may take several bytes.
    pub fn in_text(mut self, text: Text) -> LineOptions {
        let encoding = text.encoding;
        let by_lines = matches!(self.separator, Separator::Paragraph) || self.separator == LINE_FEED;
        self.universal = text.universal && encoding.is_ascii_compatible() && by_lines;
        if encoding.is_ascii_compatible() {
            return self;
        }
        self.unit = encoding.min_len();
        let wide = |text: &[u8]| {
            let mut out = Vec::new();
            for &b in text {
                encode_char(encoding, u32::from(b), &mut out);
            }
            out
        };
        match &self.separator {
            Separator::Bytes(bytes) if bytes.is_ascii() => self.separator = Separator::Bytes(wide(bytes).into()),
            Separator::Paragraph => self.separator = Separator::Bytes(wide(b"\n\n").into()),
            _ => {}
        }
        self
    }
}

/// The arguments `(sep = $/, limit = nil, chomp: false)`.
///
/// # Errors
/// TypeError, ArgumentError.
pub fn line_options(ec: &mut Ec, plain: &[Value], keywords: Option<Value>) -> Res<LineOptions> {
    let chomp = keywords.is_some() && option(ec, keywords, "chomp")?.is_some_and(|v| v.truthy());
    let default = ec.gvar_get(sym::input_separator)?;
    let (separator, limit) = match *plain {
        [] => (default, Value::NIL),
        [one] if one.is_nil() || one.is_type(Type::String) => (one, Value::NIL),
        [one] => match ec.check_string(one)? {
            Some(s) => (s, Value::NIL),
            None => (default, one),
        },
        [separator, limit] => (separator, limit),
        _ => {
            let n = plain.len();
            return Err(ec.arg_error(format!("wrong number of arguments (given {n}, expected 0..2)")));
        }
    };
    let mut given = None;
    let separator = if separator.is_nil() {
        Separator::None
    } else {
        let s = ec.to_str(separator)?;
        if separator != default && !string::is_empty(s) {
            given = Some((string::encoding(s), string::is_ascii_only(ec, s)));
        }
        string::with_bytes(ec, s, |bytes, _| match bytes {
            b"" => Separator::Paragraph,
            b"\n" => Separator::Bytes(Cow::Borrowed(b"\n")),
            other => Separator::Bytes(Cow::Owned(other.to_vec())),
        })
    };
    let limit = if limit.is_nil() { None } else { usize::try_from(ec.to_i64(limit)?).ok() };
    Ok(LineOptions { separator, limit, chomp, unit: 1, universal: false, given })
}

/// Reads a line; `None` at the end.
///
/// # Errors
/// As [`Reader::fill`].
pub fn read_line(ec: &mut Ec, reader: &mut Reader<'_>, options: &LineOptions, encoding: u8) -> Res<Option<Buffer>> {
    if options.limit == Some(0) {
        return Ok(Some(Buffer::default()));
    }
    let Some(end) = find_line(ec, reader, options, encoding)? else { return Ok(None) };
    let mut line = reader.take(ec, end)?;
    if options.separator == Separator::Paragraph {
        skip_newlines(ec, reader, options.universal)?;
    }
    if options.chomp && options.universal && line.last() == Some(&b'\r') {
        line.pop();
    } else if options.chomp {
        chomp(&mut line, &options.separator);
    }
    Ok(Some(line))
}

/// Where the line ends that what has been read begins with; `None` at the end.
///
/// # Errors
/// As [`Reader::fill`].
pub fn find_line(ec: &mut Ec, reader: &mut Reader<'_>, options: &LineOptions, encoding: u8) -> Res<Option<usize>> {
    let paragraph = options.separator == Separator::Paragraph;
    if paragraph {
        skip_newlines(ec, reader, options.universal)?;
        if options.universal {
            return find_paragraph(ec, reader, options, encoding);
        }
    }
    let separator: &[u8] = match &options.separator {
        Separator::None => b"",
        Separator::Paragraph => b"\n\n",
        Separator::Bytes(bytes) => bytes,
    };
    // Bytes that have been searched already.
    let mut searched = 0;
    loop {
        let bytes = reader.bytes();
        if !separator.is_empty() {
            let from = searched.min(bytes.len());
            if options.universal
                && let Some(at) = memchr::memchr2(b'\r', b'\n', &bytes[from..]).map(|at| from + at)
                && bytes[at] == b'\r'
            {
                // Whether a line feed follows is to be seen first.
                if at + 1 == bytes.len() {
                    searched = at;
                    if reader.fill(ec)? {
                        continue;
                    }
                }
                let bytes = reader.bytes();
                let end = at + 1 + usize::from(bytes.get(at + 1) == Some(&b'\n'));
                let within = |l| if end > l { whole_char(bytes, l, encoding) } else { end };
                return Ok(Some(options.limit.map_or(end, within)));
            }
            // In other encodings than UTF-8 what looks like a character may be the halves of two.
            let is_torn = |at: usize| match Encoding::from_index(usize::from(encoding)) {
                Some(e) if !separator.is_ascii() && e != Encoding::UTF_8 && !e.is_single_byte() => {
                    let mut head = 0;
                    while head < at {
                        head += chars::step(e, &bytes[head..]).max(1);
                    }
                    head != at
                }
                _ => false,
            };
            let mut found = find(&bytes[from..], separator, options.unit);
            while let Some(at) = found.filter(|&at| is_torn(from + at)) {
                found = find(&bytes[from + at + 1..], separator, options.unit).map(|next| at + 1 + next);
            }
            if let Some(at) = found {
                let end = from + at + separator.len();
                let within = |l| if end > l { whole_char(bytes, l, encoding) } else { end };
                return Ok(Some(options.limit.map_or(end, within)));
            }
            let seen = bytes.len().saturating_sub(separator.len() - 1);
            searched = seen - seen % options.unit;
        }
        // Four bytes more than the limit are enough to see the character it falls into.
        if let Some(limit) = options.limit
            && bytes.len() >= limit.saturating_add(4)
        {
            return Ok(Some(whole_char(bytes, limit, encoding)));
        }
        if !reader.fill(ec)? {
            let bytes = reader.bytes();
            if bytes.is_empty() {
                return Ok(None);
            }
            return Ok(Some(options.limit.map_or(bytes.len(), |l| whole_char(bytes, l, encoding))));
        }
    }
}

/// As `find_line` for a paragraph where `\r` and `\r\n` end lines too.
fn find_paragraph(ec: &mut Ec, reader: &mut Reader<'_>, options: &LineOptions, encoding: u8) -> Res<Option<usize>> {
    loop {
        let bytes = reader.bytes();
        let mut end = None;
        let mut at = 0;
        while let Some(found) = memchr::memchr2(b'\r', b'\n', &bytes[at..]) {
            let first = at + found;
            let second = after_newline(bytes, first);
            if matches!(bytes.get(second), Some(b'\r' | b'\n')) {
                // A line feed may follow the last carriage return.
                let whole = after_newline(bytes, second);
                end = (bytes[second] == b'\n' || whole < bytes.len() || whole > second + 1).then_some(whole);
                break;
            }
            at = second;
        }
        let within = |end: usize, bytes: &[u8]| match options.limit {
            Some(limit) if end > limit => whole_char(bytes, limit, encoding),
            _ => end,
        };
        if let Some(end) = end {
            return Ok(Some(within(end, bytes)));
        }
        if let Some(limit) = options.limit
            && bytes.len() >= limit.saturating_add(4)
        {
            return Ok(Some(whole_char(bytes, limit, encoding)));
        }
        ec.poll()?;
        if !reader.fill(ec)? {
            let bytes = reader.bytes();
            return Ok((!bytes.is_empty()).then(|| within(bytes.len(), bytes)));
        }
    }
}

fn after_newline(bytes: &[u8], at: usize) -> usize {
    at + 1 + usize::from(bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n'))
}

fn skip_newlines(ec: &mut Ec, reader: &mut Reader<'_>, universal: bool) -> Res<()> {
    loop {
        let is_newline = |b: &&u8| **b == b'\n' || universal && **b == b'\r';
        let newlines = reader.bytes().iter().take_while(is_newline).count();
        let all = newlines == reader.bytes().len();
        reader.consume(newlines);
        if !all || !reader.fill(ec)? {
            return Ok(());
        }
    }
}

fn find(bytes: &[u8], wanted: &[u8], unit: usize) -> Option<usize> {
    match *wanted {
        [one] => memchr::memchr(one, bytes),
        _ if unit > 1 => bytes.windows(wanted.len()).step_by(unit).position(|w| w == wanted).map(|n| n * unit),
        _ => bytes.windows(wanted.len()).position(|w| w == wanted),
    }
}

/// Where the character ends that byte `limit - 1` belongs to.
fn whole_char(bytes: &[u8], limit: usize, encoding: u8) -> usize {
    if limit >= bytes.len() {
        return bytes.len();
    }
    let mut end = limit;
    if encoding == asterism_symbol::UTF_8 {
        while end < bytes.len() && end < limit + 3 && bytes[end] & 0xC0 == 0x80 {
            end += 1;
        }
        return end;
    }
    match Encoding::from_index(usize::from(encoding)).filter(|e| !e.is_single_byte()) {
        None => end,
        Some(encoding) => {
            // Only from the beginning can be told where characters begin.
            end = 0;
            while end < limit {
                end += chars::step(encoding, &bytes[end..]).max(1);
            }
            end.min(bytes.len())
        }
    }
}

/// Removes what ended a line.
pub fn chomp(line: &mut Vec<u8>, separator: &Separator) {
    match separator {
        Separator::None => {}
        Separator::Paragraph => {
            while line.last() == Some(&b'\n') {
                line.pop();
            }
        }
        Separator::Bytes(bytes) if line.ends_with(bytes) => {
            line.truncate(line.len() - bytes.len());
            if &**bytes == b"\n" && line.last() == Some(&b'\r') {
                line.pop();
            }
        }
        Separator::Bytes(_) => {}
    }
}
