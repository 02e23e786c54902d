//! `Kernel#format`: the format string's directives, found without touching the arguments.
//!
//! Formatting an argument calls Ruby methods (`to_i`, `to_s`, …), so the VM walks the [`Piece`]s,
//! fetches and converts each argument itself, and calls the formatter of the directive's kind in
//! [`format`]. Errors in the format string come as a last piece, since CRuby only raises them
//! when it gets there.

pub mod format;

pub use format::{
    Spec, format_char, format_float, format_int, format_int_as, format_ratio, format_ratio_as, format_str, ratio_digits,
};

use crate::error::{Error, ErrorKind};

#[cfg(test)]
mod tests;

/// `# + - 0 space`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flags {
    /// `#`
    pub alt: bool,
    /// `+`
    pub plus: bool,
    /// `-`
    pub minus: bool,
    /// `0`
    pub zero: bool,
    /// a space
    pub space: bool,
}

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Amount {
    /// Not given.
    #[default]
    None,
    /// In the format string.
    Fixed(usize),
    /// `*`: the argument of this index, converted as `NUM2INT` does.
    Arg(usize),
}

/// Which value a directive formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgRef {
    /// The argument of this index, from 0. (`%d` and `%1$d` alike: counting is done here.)
    Index(usize),
    /// `%<name>d`: the key of the one Hash argument.
    Name(Vec<u8>),
    /// `%{name}`: likewise; the value is formatted as by `%s`.
    Brace(Vec<u8>),
}

/// The kind of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conv {
    /// `%d %i %u`
    Decimal,
    /// `%b %B`: upper case is in the bool.
    Binary(bool),
    /// `%o`
    Octal,
    /// `%x %X`
    Hex(bool),
    /// `%f`: an Integer or Rational is formatted exactly, see [`format_ratio`].
    Fixed,
    /// `%e %E`
    Exp(bool),
    /// `%g %G`
    General(bool),
    /// `%a %A`
    HexFloat(bool),
    /// `%s`, and `%{name}`
    Str,
    /// `%p`: `inspect`, then as `%s`
    Inspect,
    /// `%c`: a String gives its first character, an Integer the character it encodes
    Char,
}

/// A `%` directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// The flags.
    pub flags: Flags,
    /// The width.
    pub width: Amount,
    /// The precision.
    pub precision: Amount,
    /// The value.
    pub arg: ArgRef,
    /// The kind.
    pub conv: Conv,
}

impl Directive {
    /// The directive with its `*` arguments filled in: a negative width turns the `-` flag on, a
    /// negative precision is none.
    pub fn resolve(&self, width: Option<i32>, precision: Option<i32>) -> Spec {
        let mut flags = self.flags;
        let width = match self.width {
            Amount::None => None,
            Amount::Fixed(n) => Some(n),
            Amount::Arg(_) => width.map(|w| {
                flags.minus |= w < 0;
                w.unsigned_abs() as usize
            }),
        };
        let precision = match self.precision {
            Amount::None => None,
            Amount::Fixed(n) => Some(n),
            Amount::Arg(_) => precision.and_then(|p| usize::try_from(p).ok()),
        };
        Spec { flags, width, precision, conv: self.conv }
    }
}

/// A part of a format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text to copy; `%%` is already `%`.
    Literal(Vec<u8>),
    /// A directive.
    Directive(Directive),
    /// To be raised when this point is reached.
    Fail(Error),
}

/// A parsed format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// The parts in order.
    pub pieces: Vec<Piece>,
    /// How many arguments unnumbered directives take; with `$DEBUG` more arguments than that are
    /// `ArgumentError: too many arguments for format string`. `None` for numbered and named.
    pub consumed: Option<usize>,
}

/// `%-.10g`, which messages show a Float in.
#[must_use]
pub fn general(f: f64) -> String {
    let spec = Spec { flags: Flags::default(), width: None, precision: Some(10), conv: Conv::General(false) };
    let mut out = Vec::new();
    // Only what is too long fails, and this is short.
    let _ = format_float(&spec, f, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// `ArgumentError` when an [`ArgRef::Index`] is past the arguments.
pub fn too_few_arguments() -> Error {
    Error::argument("too few arguments")
}

/// `ArgumentError` when a named directive finds no single Hash argument.
pub fn one_hash_required() -> Error {
    Error::argument("one hash required")
}

/// `KeyError` for a name the Hash lacks (and gives no default for).
pub fn key_not_found(arg: &ArgRef) -> Error {
    let mut message = b"key".to_vec();
    match arg {
        ArgRef::Name(n) => message.extend_from_slice(&[b"<", &n[..], b">"].concat()),
        ArgRef::Brace(n) => message.extend_from_slice(&[b"{", &n[..], b"}"].concat()),
        ArgRef::Index(_) => {}
    }
    message.extend_from_slice(b" not found");
    Error::new(ErrorKind::Key, message)
}

/// How arguments have been addressed so far; the styles exclude each other.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    Open,
    Unnumbered(usize),
    Numbered,
    Named,
}

struct Parser<'a> {
    s: &'a [u8],
    pos: usize,
    style: Style,
    next: usize,
}

/// Parses a format string.
pub fn parse(fmt: &[u8]) -> Format {
    let mut p = Parser { s: fmt, pos: 0, style: Style::Open, next: 0 };
    let mut pieces: Vec<Piece> = Vec::new();
    let mut literal = Vec::new();
    while let Some(&b) = fmt.get(p.pos) {
        let start = p.pos;
        if b != b'%' {
            let end = memchr::memchr(b'%', &fmt[start..]).map_or(fmt.len(), |n| start + n);
            literal.extend_from_slice(&fmt[start..end]);
            p.pos = end;
            continue;
        }
        p.pos += 1;
        match p.directive() {
            Ok(None) => literal.push(b'%'),
            Ok(Some(d)) => {
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                pieces.push(Piece::Directive(d));
            }
            Err(e) => {
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                pieces.push(Piece::Fail(e));
                break;
            }
        }
    }
    if !literal.is_empty() {
        pieces.push(Piece::Literal(literal));
    }
    let consumed = matches!(p.style, Style::Open | Style::Unnumbered(_)).then_some(p.next);
    Format { pieces, consumed }
}

type Parsed<T> = Result<T, Error>;

fn fail<T>(message: impl Into<Vec<u8>>) -> Parsed<T> {
    Err(Error::argument(message))
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.s.get(self.pos).copied()
    }

    fn number(&mut self, what: &str) -> Parsed<usize> {
        let mut n: i32 = 0;
        while let Some(b @ b'0'..=b'9') = self.peek() {
            n = match n.checked_mul(10).and_then(|n| n.checked_add(i32::from(b - b'0'))) {
                Some(n) => n,
                None => return fail(format!("{what} too big")),
            };
            self.pos += 1;
        }
        if self.pos >= self.s.len() {
            return fail("malformed format string - %*[0-9]");
        }
        Ok(n as usize)
    }

    fn next_arg(&mut self) -> Parsed<usize> {
        match self.style {
            Style::Numbered => fail(format!("unnumbered({}) mixed with numbered", self.next + 1)),
            Style::Named => fail(format!("unnumbered({}) mixed with named", self.next + 1)),
            Style::Open | Style::Unnumbered(_) => {
                let index = self.next;
                self.next += 1;
                self.style = Style::Unnumbered(self.next);
                Ok(index)
            }
        }
    }

    fn numbered_arg(&mut self, n: usize) -> Parsed<usize> {
        match self.style {
            Style::Unnumbered(k) => fail(format!("numbered({n}) after unnumbered({k})")),
            Style::Named => fail(format!("numbered({n}) after named")),
            _ if n < 1 => fail(format!("invalid index - {n}$")),
            _ => {
                self.style = Style::Numbered;
                Ok(n - 1)
            }
        }
    }

    /// After a `*`: the argument it takes.
    fn star(&mut self, what: &str) -> Parsed<usize> {
        let start = self.pos;
        let n = self.number(what)?;
        if self.peek() == Some(b'$') {
            self.pos += 1;
            return self.numbered_arg(n);
        }
        self.pos = start;
        self.next_arg()
    }

    /// After a `%`. `None` for a literal percent sign.
    fn directive(&mut self) -> Parsed<Option<Directive>> {
        if self.pos >= self.s.len() {
            return fail("incomplete format specifier; use %% (double %) instead");
        }
        let mut flags = Flags::default();
        let (mut width, mut precision) = (Amount::None, Amount::None);
        let mut precision_given = false;
        let mut arg: Option<ArgRef> = None;
        loop {
            match self.peek() {
                Some(flag @ (b' ' | b'#' | b'+' | b'-' | b'0')) => {
                    if width != Amount::None {
                        return fail("flag after width");
                    }
                    if precision_given {
                        return fail("flag after precision");
                    }
                    match flag {
                        b' ' => flags.space = true,
                        b'#' => flags.alt = true,
                        b'+' => flags.plus = true,
                        b'-' => flags.minus = true,
                        _ => flags.zero = true,
                    }
                    self.pos += 1;
                }
                Some(b'1'..=b'9') => {
                    let n = self.number("width")?;
                    if self.peek() == Some(b'$') {
                        if arg.is_some() {
                            return fail(format!("value given twice - {n}$"));
                        }
                        arg = Some(ArgRef::Index(self.numbered_arg(n)?));
                        self.pos += 1;
                        continue;
                    }
                    check_width(width, precision_given)?;
                    width = Amount::Fixed(n);
                }
                Some(open @ (b'<' | b'{')) => {
                    let name = self.name(open, &arg)?;
                    if open == b'{' {
                        let arg = ArgRef::Brace(name);
                        return Ok(Some(Directive { flags, width, precision, arg, conv: Conv::Str }));
                    }
                    arg = Some(ArgRef::Name(name));
                }
                Some(b'*') => {
                    check_width(width, precision_given)?;
                    self.pos += 1;
                    width = Amount::Arg(self.star("width")?);
                }
                Some(b'.') => {
                    if precision_given {
                        return fail("precision given twice");
                    }
                    precision_given = true;
                    self.pos += 1;
                    if self.peek() == Some(b'*') {
                        self.pos += 1;
                        precision = Amount::Arg(self.star("prec")?);
                    } else {
                        precision = Amount::Fixed(self.number("precision")?);
                    }
                }
                Some(b'%') => {
                    let plain = flags == Flags::default() && width == Amount::None && !precision_given;
                    if !plain {
                        return fail("invalid format character - %");
                    }
                    self.pos += 1;
                    return Ok(None);
                }
                Some(b'\n' | 0) | None => return fail("malformed format string"),
                Some(c) => {
                    let Some(conv) = conversion(c) else {
                        let end =
                            (self.pos + 1..self.s.len()).find(|&i| self.s[i] & 0xc0 != 0x80).unwrap_or(self.s.len());
                        let mut message = b"malformed format string - %".to_vec();
                        message.extend_from_slice(&self.s[self.pos..end]);
                        return fail(message);
                    };
                    self.pos += 1;
                    let arg = match arg {
                        Some(arg) => arg,
                        None => ArgRef::Index(self.next_arg()?),
                    };
                    return Ok(Some(Directive { flags, width, precision, arg, conv }));
                }
            }
        }
    }

    /// `<name>` or `{name}`, from its opening bracket on.
    fn name(&mut self, open: u8, earlier: &Option<ArgRef>) -> Parsed<Vec<u8>> {
        let close = if open == b'<' { b'>' } else { b'}' };
        let start = self.pos + 1;
        let Some(len) = memchr::memchr(close, &self.s[start..]) else {
            return fail("malformed name - unmatched parenthesis");
        };
        self.pos = start + len + 1;
        let name = self.s[start..start + len].to_vec();
        let mut message = b"named".to_vec();
        message.extend_from_slice(&self.s[start - 1..self.pos]);
        if let Some(ArgRef::Name(first)) = earlier {
            message.extend_from_slice(&[b" after <", &first[..], b">"].concat());
            return fail(message);
        }
        match self.style {
            Style::Unnumbered(k) => {
                message.extend_from_slice(format!(" after unnumbered({k})").as_bytes());
                fail(message)
            }
            Style::Numbered => {
                message.extend_from_slice(b" after numbered");
                fail(message)
            }
            _ => {
                self.style = Style::Named;
                Ok(name)
            }
        }
    }
}

fn check_width(width: Amount, precision_given: bool) -> Parsed<()> {
    if width != Amount::None {
        return fail("width given twice");
    }
    if precision_given {
        return fail("width after precision");
    }
    Ok(())
}

fn conversion(c: u8) -> Option<Conv> {
    Some(match c {
        b'd' | b'i' | b'u' => Conv::Decimal,
        b'b' => Conv::Binary(false),
        b'B' => Conv::Binary(true),
        b'o' => Conv::Octal,
        b'x' => Conv::Hex(false),
        b'X' => Conv::Hex(true),
        b'f' => Conv::Fixed,
        b'e' => Conv::Exp(false),
        b'E' => Conv::Exp(true),
        b'g' => Conv::General(false),
        b'G' => Conv::General(true),
        b'a' => Conv::HexFloat(false),
        b'A' => Conv::HexFloat(true),
        b's' => Conv::Str,
        b'p' => Conv::Inspect,
        b'c' => Conv::Char,
        _ => return None,
    })
}
