//! What Ruby does with a source before its characters are read: escapes of bytes and of Unicode characters become the
//! characters, and thereby the encoding is found that the pattern insists on.

use asterism_support::encoding::Encoding;
use asterism_support::encoding::chars::{CharLen, char_len, push_code_point};

use crate::error::{Result, syntax};

/// A source with its escapes resolved.
pub struct Source {
    /// What is parsed: in `fixed`, or in the encoding that was given.
    pub bytes: Vec<u8>,
    /// The encoding the pattern insists on.
    pub fixed: Option<Encoding>,
}

struct Reader<'a> {
    source: &'a [u8],
    at: usize,
    encoding: Encoding,
    out: Vec<u8>,
    fixed: Option<Encoding>,
    property: bool,
}

/// Resolves the escapes of a source whose bytes are in `encoding`; `extended`: white space and comments are skipped.
///
/// # Errors
/// `Error::Syntax` if an escape is wrong, or a character is broken.
pub fn resolve(source: &[u8], encoding: Encoding, extended: bool) -> Result<Source> {
    let fixed = if encoding.is_ascii_compatible() { None } else { Some(encoding) };
    if fixed.is_none() && source.is_ascii() && memchr::memchr2(b'\\', b'#', source).is_none() && !extended {
        return Ok(Source { bytes: source.to_vec(), fixed });
    }
    let out = Vec::with_capacity(source.len() + 8);
    let mut r = Reader { source, at: 0, encoding, out, fixed, property: false };
    r.run(extended)?;
    let fixed = r.fixed.or(if r.property { Some(encoding) } else { None });
    Ok(Source { bytes: r.out, fixed })
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn rest(&self) -> &'a [u8] {
        self.source.get(self.at..).unwrap_or(b"")
    }

    fn length(&self) -> Result<usize> {
        match char_len(self.encoding, self.rest()) {
            CharLen::Valid(n) => Ok(n),
            _ => syntax("invalid multibyte character"),
        }
    }

    /// Copies a character beyond ASCII with what stands before it in the escape.
    fn copy(&mut self, n: usize) -> Result<()> {
        let rest = self.rest();
        self.out.extend_from_slice(&rest[..n.min(rest.len())]);
        self.at += n;
        self.insist(self.encoding, "non ASCII character in UTF-8 regexp")
    }

    fn insist(&mut self, encoding: Encoding, message: &str) -> Result<()> {
        match self.fixed {
            None => self.fixed = Some(encoding),
            Some(known) if known == encoding => {}
            Some(_) => return syntax(message),
        }
        Ok(())
    }

    /// Reads all. Scopes of `(?x:…)` are kept on a stack: how many brackets are open in each, and what it was before.
    fn run(&mut self, mut extended: bool) -> Result<()> {
        let mut in_class = 0usize;
        let mut scopes: Vec<(usize, bool)> = Vec::new();
        while let Some(c) = self.peek() {
            let n = self.length()?;
            if n > 1 || c >= 0x80 {
                self.copy(n)?;
                continue;
            }
            self.at += 1;
            match c {
                b'\\' => self.escape()?,
                b'#' if extended && in_class == 0 => self.comment(),
                b'(' if in_class == 0 && self.rest().starts_with(b"?#") && self.group_comment()? => {}
                b'[' | b']' | b')' | b'(' => {
                    self.out.push(c);
                    match c {
                        b'[' => in_class += 1,
                        b']' => in_class = in_class.saturating_sub(1),
                        _ if in_class > 0 => {}
                        b')' => {
                            if let Some(scope) = scopes.last_mut() {
                                scope.0 -= 1;
                                if scope.0 == 0 {
                                    extended = scope.1;
                                    scopes.pop();
                                }
                            }
                        }
                        _ => {
                            if let Some(scope) = scopes.last_mut() {
                                scope.0 += 1;
                            }
                            match self.extension() {
                                Some((on, b':')) if on != extended => {
                                    // This bracket opens the new scope, not one within the old.
                                    if let Some(scope) = scopes.last_mut() {
                                        scope.0 -= 1;
                                    }
                                    scopes.push((1, extended));
                                    extended = on;
                                }
                                Some((on, b')')) if on != extended => extended = on,
                                _ => {}
                            }
                        }
                    }
                }
                _ => self.out.push(c),
            }
        }
        Ok(())
    }

    /// At `?` of a group's options: whether they turn `x` on or off, and what ends them.
    fn extension(&self) -> Option<(bool, u8)> {
        let rest = self.rest().strip_prefix(b"?")?;
        let (mut invert, mut local) = (false, None);
        for &c in rest {
            match c {
                b'x' => local = Some(!invert),
                b'-' => invert = true,
                b':' | b')' => return local.map(|on| (on, c)),
                b'i' | b'm' | b'a' | b'd' | b'u' => {}
                _ => return None,
            }
        }
        None
    }

    fn comment(&mut self) {
        while let Some(c) = self.peek() {
            self.at += 1;
            if c == b'\n' {
                break;
            }
            if c >= 0x80 && self.fixed.is_none() && self.encoding == Encoding::UTF_8 {
                self.fixed = Some(self.encoding);
            }
        }
    }

    /// `(?#…)` behind its bracket; false if it has no end.
    fn group_comment(&mut self) -> Result<bool> {
        let begin = self.at;
        while let Some(c) = self.peek() {
            match c {
                b')' => {
                    self.at += 1;
                    return Ok(true);
                }
                b'\\' => {
                    self.at += 1;
                    if self.at < self.source.len() {
                        self.at += self.length()?;
                    }
                }
                0x80.. => {
                    if self.fixed.is_none() && self.encoding == Encoding::UTF_8 {
                        self.fixed = Some(self.encoding);
                    }
                    self.at += self.length()?;
                }
                _ => self.at += 1,
            }
        }
        self.at = begin;
        Ok(false)
    }

    /// Behind a backslash.
    fn escape(&mut self) -> Result<()> {
        let Some(c) = self.peek() else { return syntax("too short escape sequence") };
        let n = self.length()?;
        if n > 1 {
            self.at -= 1;
            return self.copy(n + 1);
        }
        match c {
            b'1'..=b'7' if octal(self.rest()).0 <= 0o177 => self.as_it_is(c),
            b'0'..=b'7' | b'x' | b'c' | b'C' | b'M' => {
                self.at -= 1;
                let begin = self.at;
                if self.encoding == Encoding::US_ASCII {
                    self.byte()?;
                    self.out.extend_from_slice(&self.source[begin..self.at]);
                } else {
                    self.bytes()?;
                }
            }
            b'u' => {
                self.at += 1;
                match self.peek() {
                    None => return syntax("too short escape sequence"),
                    Some(b'{') => {
                        self.at += 1;
                        self.unicode_list()?;
                        if self.peek() != Some(b'}') {
                            return syntax("invalid Unicode list");
                        }
                        self.at += 1;
                    }
                    Some(_) => {
                        let (code, n) = hex(self.rest(), 4);
                        if n != 4 {
                            return syntax("invalid Unicode escape");
                        }
                        self.unicode(code)?;
                        self.at += 4;
                    }
                }
            }
            b'p' | b'P' => {
                self.property |= self.fixed.is_none();
                self.as_it_is(c);
            }
            _ => self.as_it_is(c),
        }
        Ok(())
    }

    fn as_it_is(&mut self, c: u8) {
        self.out.extend_from_slice(&[b'\\', c]);
        self.at += 1;
    }

    fn unicode_list(&mut self) -> Result<()> {
        let skip = |r: &mut Self| {
            while r.peek().is_some_and(|c| c == b' ' || (9..=13).contains(&c)) {
                r.at += 1;
            }
        };
        let mut any = false;
        skip(self);
        loop {
            let (code, n) = hex(self.rest(), usize::MAX);
            if n == 0 {
                break;
            }
            if n > 6 {
                return syntax("invalid Unicode range");
            }
            self.at += n;
            self.unicode(code)?;
            any = true;
            skip(self);
        }
        if any { Ok(()) } else { syntax("invalid Unicode list") }
    }

    fn unicode(&mut self, code: u32) -> Result<()> {
        if code < 0x80 {
            self.hex_escape(code as u8);
            return Ok(());
        }
        if push_code_point(Encoding::UTF_8, code, &mut self.out).is_err() {
            return syntax("invalid Unicode range");
        }
        self.insist(Encoding::UTF_8, "UTF-8 character in non UTF-8 regexp")
    }

    fn hex_escape(&mut self, byte: u8) {
        self.out.extend_from_slice(format!("\\x{byte:02X}").as_bytes());
    }

    /// Escaped bytes, as many as make a character.
    fn bytes(&mut self) -> Result<()> {
        let mut bytes = vec![self.byte()?];
        while bytes.len() < self.encoding.max_len() && matches!(char_len(self.encoding, &bytes), CharLen::NeedMore(_)) {
            bytes.push(self.byte()?);
        }
        if char_len(self.encoding, &bytes) == CharLen::Invalid {
            return syntax("invalid multibyte escape");
        }
        if bytes.len() == 1 && bytes[0] < 0x80 {
            self.hex_escape(bytes[0]);
            return Ok(());
        }
        self.out.extend_from_slice(&bytes);
        self.insist(self.encoding, "escaped non ASCII character in UTF-8 regexp")
    }

    /// The byte of the escape at the position, which begins with a backslash.
    fn byte(&mut self) -> Result<u8> {
        if self.peek() != Some(b'\\') {
            return syntax("too short escaped multibyte character");
        }
        self.at += 1;
        let (mut meta, mut control) = (false, false);
        let mut code;
        loop {
            let Some(c) = self.peek() else { return syntax("too short escape sequence") };
            self.at += 1;
            code = match c {
                b'\\' => u32::from(b'\\'),
                b'n' => 10,
                b't' => 9,
                b'r' => 13,
                b'f' => 12,
                b'v' => 11,
                b'a' => 7,
                b'e' => 27,
                b'0'..=b'7' => {
                    self.at -= 1;
                    let (code, n) = octal(self.rest());
                    self.at += n;
                    code
                }
                b'x' => {
                    let (code, n) = hex(self.rest(), 2);
                    if n == 0 {
                        return syntax("invalid hex escape");
                    }
                    self.at += n;
                    code
                }
                b'M' => {
                    if std::mem::replace(&mut meta, true) {
                        return syntax("duplicate meta escape");
                    }
                    let &[b'-', next @ 0..0x80, ..] = self.rest() else { return syntax("too short meta escape") };
                    self.at += 2;
                    if next == b'\\' {
                        continue;
                    }
                    u32::from(next)
                }
                b'C' | b'c' => {
                    if c == b'C' {
                        if self.peek() != Some(b'-') {
                            return syntax("too short control escape");
                        }
                        self.at += 1;
                    }
                    if std::mem::replace(&mut control, true) {
                        return syntax("duplicate control escape");
                    }
                    let Some(next @ 0..0x80) = self.peek() else { return syntax("too short control escape") };
                    self.at += 1;
                    if next == b'\\' {
                        continue;
                    }
                    u32::from(next)
                }
                _ => return syntax("unexpected escape sequence"),
            };
            break;
        }
        if code > 0xff {
            return syntax("invalid escape code");
        }
        if control {
            code &= 0x1f;
        }
        if meta {
            code |= 0x80;
        }
        Ok(code as u8)
    }
}

/// The value of up to three octal digits, and how many there are.
fn octal(s: &[u8]) -> (u32, usize) {
    let n = s.iter().take(3).take_while(|c| matches!(c, b'0'..=b'7')).count();
    (s[..n].iter().fold(0, |v, c| v * 8 + u32::from(c - b'0')), n)
}

/// The value of up to `most` hexadecimal digits (of the last eight), and how many there are.
fn hex(s: &[u8], most: usize) -> (u32, usize) {
    let n = s.iter().take(most).take_while(|c| c.is_ascii_hexdigit()).count();
    (s[..n].iter().fold(0, |v, c| v << 4 | (*c as char).to_digit(16).unwrap_or(0)), n)
}
