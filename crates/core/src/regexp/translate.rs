//! From the source of a Regexp to what the engine compiles.
//!
//! Ruby unescapes non-ASCII characters before it compiles a pattern and thereby finds the pattern's encoding; and
//! its engine (Onigmo) differs from ours (Oniguruma) in details. Both is done in one pass over the source:
//!
//! * `\u{…}`, and byte escapes beyond ASCII, become the characters themselves;
//! * `\b` and the POSIX classes know all letters while `\w`, `\d`, `\s` are ASCII: see [`Mode`];
//! * `(?a)`, `(?u)`, `(?d)` become the engine's single options;
//! * escapes that only the engine knows lose their backslash.

use asterism_support::encoding::Encoding;
use asterism_support::encoding::chars::{CharLen, char_len, push_code_point};

/// Which of its characters a `\w`, `[[:alpha:]]` … means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// `(?d)`, the default: `\w` ASCII, POSIX classes and `\b` Unicode.
    Default,
    /// `(?a)`: all ASCII.
    Ascii,
    /// `(?u)`: all Unicode.
    Unicode,
}

/// The state of the group around the position.
#[derive(Clone, Copy)]
struct Scope {
    mode: Mode,
    extended: bool,
}

/// A pattern ready for the engine.
pub struct Translated {
    /// In the engine's dialect.
    pub pattern: Vec<u8>,
    /// The encoding the pattern insists on, if it does.
    pub fixed: Option<Encoding>,
    /// How deep groups, classes and repeats are nested.
    pub depth: usize,
    /// Takes time proportional to the subject: nothing is tried twice without bound.
    pub linear: bool,
    /// Means the same for ASCII subjects when it is compiled for US-ASCII.
    pub plain: bool,
}

struct Translator<'a> {
    source: &'a [u8],
    at: usize,
    encoding: Encoding,
    unicode: bool,
    out: Vec<u8>,
    fixed: Option<Encoding>,
    scopes: Vec<Scope>,
    scope: Scope,
    class_depth: usize,
    depth: usize,
    repeats: usize,
    linear: bool,
    plain: bool,
}

type Result<T> = std::result::Result<T, String>;

/// Translates `source`, whose bytes are in `encoding`; `unicode`: for an engine encoding of Unicode.
///
/// # Errors
/// The message (without the pattern) if an escape is wrong.
pub fn translate(source: &[u8], encoding: Encoding, unicode: bool, extended: bool) -> Result<Translated> {
    let scope = Scope { mode: Mode::Default, extended };
    let mut t = Translator {
        source,
        at: 0,
        encoding,
        unicode,
        out: Vec::with_capacity(source.len() + 16),
        fixed: None,
        scopes: Vec::new(),
        scope,
        class_depth: 0,
        depth: 0,
        repeats: 0,
        linear: true,
        plain: true,
    };
    t.run()?;
    Ok(Translated { pattern: t.out, fixed: t.fixed, depth: t.depth, linear: t.linear, plain: t.plain })
}

impl<'a> Translator<'a> {
    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.source.get(self.at..).unwrap_or(b"")
    }

    fn take(&mut self, n: usize) {
        let end = (self.at + n).min(self.source.len());
        self.out.extend_from_slice(&self.source[self.at..end]);
        self.at = end;
    }

    fn deeper(&mut self) {
        self.depth = self.depth.max(self.scopes.len() + self.class_depth + self.repeats);
    }

    fn run(&mut self) -> Result<()> {
        while let Some(c) = self.peek() {
            if !matches!(c, b'*' | b'+' | b'?' | b'{' | b'}' | b'0'..=b'9' | b',') {
                self.repeats = 0;
            }
            match c {
                b'\\' => self.escape()?,
                b'[' => self.class()?,
                b'(' => self.group()?,
                b')' => {
                    if let Some(scope) = self.scopes.pop() {
                        self.scope = scope;
                    }
                    self.take(1);
                }
                b'#' if self.scope.extended => {
                    while let Some(c) = self.peek() {
                        self.at += 1;
                        if c == b'\n' {
                            self.out.push(b'\n');
                            break;
                        }
                    }
                }
                b'*' | b'+' | b'{' => {
                    self.linear &= c == b'{';
                    if c == b'{' && self.rest().iter().skip(1).take_while(|c| **c != b'}').any(|c| *c == b',') {
                        self.linear = false;
                    }
                    if c == b'{' && interval(self.rest()).is_some_and(|(low, high)| low > high) {
                        return Err("upper is smaller than lower in repeat range".into());
                    }
                    self.repeats += 1;
                    self.deeper();
                    self.take(1);
                }
                _ => self.char()?,
            }
        }
        Ok(())
    }

    /// One character as it is.
    fn char(&mut self) -> Result<()> {
        let rest = self.rest();
        if rest[0] < 0x80 {
            self.take(1);
            return Ok(());
        }
        match char_len(self.encoding, rest) {
            CharLen::Valid(n) => {
                self.insist(self.encoding)?;
                self.take(n);
                Ok(())
            }
            _ => Err("invalid multibyte character".into()),
        }
    }

    /// The pattern has a non-ASCII character of this encoding.
    fn insist(&mut self, encoding: Encoding) -> Result<()> {
        match self.fixed {
            None => self.fixed = Some(encoding),
            Some(known) if known == encoding => {}
            Some(_) if encoding == Encoding::UTF_8 => return Err("UTF-8 character in non UTF-8 regexp".into()),
            Some(known) => return Err(format!("non ASCII character in {} regexp", known.name())),
        }
        Ok(())
    }

    fn escape(&mut self) -> Result<()> {
        let rest = self.rest();
        let Some(&c) = rest.get(1) else { return Err("too short escape sequence".into()) };
        match c {
            b'u' => self.unicode_escape(),
            b'1'..=b'3' if octal(&rest[1..], 3).0 <= 0o177 => {
                self.linear = false;
                self.take(2);
                Ok(())
            }
            b'0'..=b'3' | b'x' | b'c' | b'C' | b'M' => self.byte_escapes(),
            b'1'..=b'9' | b'k' | b'g' => {
                self.linear = false;
                self.take(2);
                // Options and names behind it are not to be taken for groups.
                if c == b'k' || c == b'g' {
                    self.reference();
                }
                Ok(())
            }
            b'p' | b'P' => {
                self.property(c == b'P');
                Ok(())
            }
            b'b' | b'B' if self.class_depth == 0 => {
                if self.unicode && self.scope.mode == Mode::Default {
                    self.out.extend_from_slice(b"(?-W:");
                    self.take(2);
                    self.out.push(b')');
                } else {
                    self.take(2);
                }
                Ok(())
            }
            b'R' | b'X' => {
                self.plain = false;
                self.take(2);
                Ok(())
            }
            // Known to the engine, plain letters in Ruby.
            b'y' | b'Y' | b'N' | b'O' | b'Q' | b'E' | b'o' | b'U' | b'i' | b'I' => {
                self.out.push(c);
                self.at += 2;
                Ok(())
            }
            0x80.. => {
                self.out.push(b'\\');
                self.at += 1;
                self.char()
            }
            _ => {
                self.take(2);
                Ok(())
            }
        }
    }

    /// `<name>` or `'name'` of a reference.
    fn reference(&mut self) {
        let rest = self.rest();
        let close = match rest.first() {
            Some(b'<') => b'>',
            Some(b'\'') => b'\'',
            _ => return,
        };
        if let Some(n) = rest.iter().skip(1).position(|c| *c == close) {
            self.take(n + 2);
        }
    }

    /// `\p{…}`: named classes that the ASCII options would restrict are spelled so that they do not.
    fn property(&mut self, mut not: bool) {
        let rest = self.rest();
        let close = rest.iter().position(|c| *c == b'}');
        let (Some(b'{'), Some(close)) = (rest.get(2), close) else {
            self.take(2);
            return;
        };
        self.plain = false;
        if self.fixed.is_none() {
            self.fixed = Some(self.encoding);
        }
        let mut name = &rest[3..close];
        if let Some(inverted) = name.strip_prefix(b"^") {
            not = !not;
            name = inverted;
        }
        let wide = if self.unicode && self.scope.mode != Mode::Unicode { wide_class(name) } else { None };
        match wide {
            Some(spelled) => self.put_class(spelled, not),
            None if self.unicode && self.scope.mode == Mode::Ascii && self.class_depth == 0 => {
                // `(?a)` restricts the POSIX classes, not the properties.
                self.out.extend_from_slice(b"(?-P:");
                self.take(close + 1);
                self.out.push(b')');
                return;
            }
            None => {
                self.take(close + 1);
                return;
            }
        }
        self.at += close + 1;
    }

    fn put_class(&mut self, spelled: &[u8], not: bool) {
        self.out.extend_from_slice(if not { b"[^" } else { b"[" });
        self.out.extend_from_slice(spelled);
        self.out.push(b']');
    }

    fn unicode_escape(&mut self) -> Result<()> {
        let mut codes = Vec::new();
        let rest = &self.source[self.at + 2..];
        let used = if rest.first() == Some(&b'{') {
            let Some(close) = rest.iter().position(|c| *c == b'}') else {
                return Err("unterminated Unicode escape".into());
            };
            for word in rest[1..close].split(|c| c.is_ascii_whitespace()).filter(|w| !w.is_empty()) {
                if !word.iter().all(u8::is_ascii_hexdigit) {
                    return Err("invalid Unicode list".into());
                }
                if word.len() > 6 {
                    return Err("invalid Unicode range".into());
                }
                codes.push(hex(word));
            }
            if codes.is_empty() {
                return Err("invalid Unicode list".into());
            }
            close + 1
        } else {
            let digits = rest.iter().take(4).take_while(|c| c.is_ascii_hexdigit()).count();
            if digits < 4 {
                let short = rest.len() < 4;
                return Err(if short && digits == rest.len() && digits == 0 {
                    "too short escape sequence".into()
                } else {
                    "invalid Unicode escape".into()
                });
            }
            codes.push(hex(&rest[..4]));
            4
        };
        self.at += 2 + used;
        for code in codes {
            if code > 0x10_ffff || (0xd800..0xe000).contains(&code) {
                return Err("invalid Unicode range".into());
            }
            if code < 0x80 {
                self.out.extend_from_slice(format!("\\x{code:02X}").as_bytes());
                if self.fixed.is_none() {
                    self.fixed = Some(Encoding::UTF_8);
                }
            } else {
                self.insist(Encoding::UTF_8)?;
                if push_code_point(Encoding::UTF_8, code, &mut self.out).is_err() {
                    return Err("invalid Unicode range".into());
                }
            }
        }
        Ok(())
    }

    /// `\xHH`, `\ooo`, `\cx`, `\C-x`, `\M-x`: ASCII is left to the engine, bytes beyond make characters.
    fn byte_escapes(&mut self) -> Result<()> {
        let start = self.at;
        let (byte, used) = byte_escape(self.rest())?;
        self.at += used;
        if byte < 0x80 {
            self.out.extend_from_slice(format!("\\x{byte:02X}").as_bytes());
            return Ok(());
        }
        let mut bytes = vec![byte];
        let encoding = if self.encoding == Encoding::US_ASCII { Encoding::BINARY } else { self.encoding };
        loop {
            match char_len(encoding, &bytes) {
                CharLen::Valid(n) if n == bytes.len() => break,
                CharLen::NeedMore(_) => {
                    let next = self.rest();
                    if next.first() == Some(&b'\\') {
                        let (byte, used) = byte_escape(next)?;
                        self.at += used;
                        bytes.push(byte);
                    } else if let Some(&byte) = next.first() {
                        self.at += 1;
                        bytes.push(byte);
                    } else {
                        return Err("too short multibyte string".into());
                    }
                }
                _ => {
                    self.at = start;
                    return Err("invalid multibyte escape".into());
                }
            }
        }
        self.insist(encoding)?;
        self.out.extend_from_slice(&bytes);
        Ok(())
    }

    fn class(&mut self) -> Result<()> {
        self.class_depth += 1;
        self.deeper();
        self.take(1);
        if self.peek() == Some(b'^') {
            self.take(1);
        }
        if self.peek() == Some(b']') {
            // Literal here.
            if self.rest()[1..].contains(&b']') {
                self.out.push(b'\\');
            }
            self.take(1);
        }
        while let Some(c) = self.peek() {
            match c {
                b']' => {
                    self.take(1);
                    break;
                }
                b'[' if self.rest().get(1) == Some(&b':') && self.posix() => {}
                b'[' => self.class()?,
                b'\\' => self.escape()?,
                _ => self.char()?,
            }
        }
        self.class_depth -= 1;
        Ok(())
    }

    /// `[:name:]`, if it is one.
    fn posix(&mut self) -> bool {
        let rest = self.rest();
        let Some(close) = rest.windows(2).skip(2).take(12).position(|w| w == b":]").map(|n| n + 2) else {
            return false;
        };
        let name = &rest[2..close];
        let (not, name) = match name.strip_prefix(b"^") {
            Some(name) => (true, name),
            None => (false, name),
        };
        match wide_class(name) {
            Some(spelled) if self.unicode && self.scope.mode == Mode::Default => {
                self.put_class(spelled, not);
                self.at += close + 2;
            }
            // As ASCII as `\w` to the engine; the others are not.
            _ if name == b"word" && !self.unicode && self.scope.mode == Mode::Default => {
                self.put_class(b"[:alnum:]_", not);
                self.at += close + 2;
            }
            _ => self.take(close + 2),
        }
        true
    }

    fn group(&mut self) -> Result<()> {
        let rest = self.rest();
        if rest.get(1) != Some(&b'?') {
            self.open(1);
            return Ok(());
        }
        match rest.get(2) {
            Some(b'#') => {
                // A comment; an escaped parenthesis does not end it.
                let mut n = 3;
                while let Some(&c) = rest.get(n) {
                    n += if c == b'\\' { 2 } else { 1 };
                    if c == b')' {
                        self.at += n.min(rest.len());
                        return Ok(());
                    }
                }
                Err("end pattern in group".into())
            }
            Some(b':' | b'>') => {
                self.open(3);
                Ok(())
            }
            Some(b'=' | b'!' | b'~') => {
                self.linear = false;
                if rest.get(2) == Some(&b'~') && rest.get(3) == Some(&b'|') {
                    // An absence stopper to the engine, an empty alternative in Ruby.
                    self.open(3);
                    self.out.extend_from_slice(b"(?:)");
                } else {
                    self.open(3);
                }
                Ok(())
            }
            Some(b'(') => {
                self.linear = false;
                self.open(2);
                // The condition is no group.
                let n = self.rest().iter().position(|c| *c == b')').map_or(0, |n| n + 1);
                self.take(n);
                Ok(())
            }
            Some(b'<' | b'\'') => {
                if matches!(rest.get(3), Some(b'=' | b'!')) && rest[2] == b'<' {
                    self.linear = false;
                    self.open(4);
                    return Ok(());
                }
                let close = if rest[2] == b'<' { b'>' } else { b'\'' };
                let n = rest.iter().skip(3).position(|c| *c == close).map_or(3, |n| n + 4);
                if rest[..n].iter().any(|c| *c >= 0x80) {
                    self.insist(self.encoding)?;
                }
                self.open(n);
                Ok(())
            }
            Some(_) => self.options(),
            None => {
                self.open(2);
                Ok(())
            }
        }
    }

    /// Copies a group's opening and enters it.
    fn open(&mut self, n: usize) {
        self.scopes.push(self.scope);
        self.deeper();
        self.take(n);
    }

    /// `(?imxadu-imx)` and `(?imxadu-imx:`.
    fn options(&mut self) -> Result<()> {
        let rest = self.rest();
        let mut scope = self.scope;
        let (mut on, mut off) = (Vec::new(), Vec::new());
        let mut negative = false;
        for (i, &c) in rest.iter().enumerate().skip(2) {
            match c {
                b'-' if !negative => negative = true,
                b'i' | b'm' | b'x' => {
                    if c == b'x' {
                        scope.extended = !negative;
                    }
                    if negative { off.push(c) } else { on.push(c) }
                }
                b'a' | b'd' | b'u' if !negative => {
                    scope.mode = match c {
                        b'a' => Mode::Ascii,
                        b'u' => Mode::Unicode,
                        _ => Mode::Default,
                    };
                    if c == b'u' && self.fixed.is_none() && self.encoding == Encoding::UTF_8 {
                        self.plain = false;
                    }
                    on.extend_from_slice(match c {
                        b'a' => b"WDSP",
                        b'd' => b"WDS",
                        _ => b"",
                    });
                    off.extend_from_slice(match c {
                        b'a' => b"",
                        b'd' => b"P",
                        _ => b"WDSP",
                    });
                }
                b':' | b')' => {
                    let mut text = b"(?".to_vec();
                    text.extend_from_slice(&on);
                    if !off.is_empty() {
                        text.push(b'-');
                        text.extend_from_slice(&off);
                    }
                    text.push(c);
                    if c == b':' {
                        self.scopes.push(self.scope);
                        self.deeper();
                    } else if text == b"(?)" {
                        text.clear();
                    }
                    self.scope = scope;
                    self.out.extend_from_slice(&text);
                    self.at += i + 1;
                    return Ok(());
                }
                _ => return Err("undefined group option".into()),
            }
        }
        Err("end pattern in group".into())
    }
}

/// Spells a class that the engine's ASCII options would restrict with properties that they do not touch.
fn wide_class(name: &[u8]) -> Option<&'static [u8]> {
    if name.eq_ignore_ascii_case(b"word") {
        Some(b"\\p{L}\\p{M}\\p{N}\\p{Pc}")
    } else if name.eq_ignore_ascii_case(b"digit") {
        Some(b"\\p{Nd}")
    } else if name.eq_ignore_ascii_case(b"space") {
        Some(b"\\p{White_Space}")
    } else {
        None
    }
}

/// The bounds of `{low,high}` at the start of `s`, if both are there.
fn interval(s: &[u8]) -> Option<(u64, u64)> {
    let close = s.iter().take(24).position(|c| *c == b'}')?;
    let inside = std::str::from_utf8(s.get(1..close)?).ok()?;
    let (low, high) = inside.split_once(',')?;
    if !inside.bytes().all(|c| c.is_ascii_digit() || c == b',') {
        return None;
    }
    Some((low.parse().ok()?, high.parse().ok()?))
}

fn hex(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |n, c| n * 16 + (*c as char).to_digit(16).unwrap_or(0))
}

/// The value of up to `most` octal digits, and how many there are.
fn octal(s: &[u8], most: usize) -> (u32, usize) {
    let n = s.iter().take(most).take_while(|c| matches!(c, b'0'..=b'7')).count();
    (s[..n].iter().fold(0, |v, c| v * 8 + u32::from(c - b'0')), n)
}

/// The byte that the escape at the start of `s` stands for, and the escape's length.
fn byte_escape(s: &[u8]) -> Result<(u8, usize)> {
    let short = |what: &str| Err(format!("too short {what}"));
    match s.get(1) {
        Some(b'0'..=b'7') => {
            let (v, n) = octal(&s[1..], 3);
            Ok((v as u8, n + 1))
        }
        Some(b'x') => {
            let n = s[2..].iter().take(2).take_while(|c| c.is_ascii_hexdigit()).count();
            if n == 0 { Err("invalid hex escape".into()) } else { Ok((hex(&s[2..2 + n]) as u8, n + 2)) }
        }
        Some(b'M') => {
            if s.get(2) != Some(&b'-') || s.len() < 4 {
                return short("meta escape");
            }
            let (b, n) = char_escape(&s[3..], "meta escape")?;
            Ok((b | 0x80, n + 3))
        }
        Some(b'C') => {
            if s.get(2) != Some(&b'-') || s.len() < 4 {
                return short("control escape");
            }
            let (b, n) = char_escape(&s[3..], "control escape")?;
            Ok((if b == b'?' { 0x7f } else { b & 0x9f }, n + 3))
        }
        Some(b'c') => {
            if s.len() < 3 {
                return short("control escape");
            }
            let (b, n) = char_escape(&s[2..], "control escape")?;
            Ok((if b == b'?' { 0x7f } else { b & 0x9f }, n + 2))
        }
        Some(c) => {
            let b = match c {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'f' => 0x0c,
                b'v' => 0x0b,
                b'a' => 7,
                b'e' => 0x1b,
                _ => return Err("unexpected escape sequence".into()),
            };
            Ok((b, 2))
        }
        None => short("escape sequence"),
    }
}

/// What stands behind `\M-` and `\C-`: a character or another escape.
fn char_escape(s: &[u8], what: &str) -> Result<(u8, usize)> {
    match s.first() {
        Some(b'\\') => byte_escape(s),
        Some(&c) if c < 0x80 => Ok((c, 1)),
        Some(_) => Err(format!("invalid {what}")),
        None => Err(format!("too short {what}")),
    }
}
