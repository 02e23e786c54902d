//! `String#inspect`, `#dump`, `#undump` and the spelling of symbols.

use unicode_general_category::{GeneralCategory, get_general_category};

use crate::encoding::chars::{CharLen, char_len, code_point, push_code_point};
use crate::encoding::{Encoding, Kind};
use crate::error::{Error, ErrorKind, Result};

#[cfg(test)]
mod tests;

/// Whether a Unicode character is printed as itself by `inspect`.
pub fn is_printable(c: u32) -> bool {
    match c {
        0x20..=0x7e => true,
        0..=0x9f => false,
        _ => char::from_u32(c).is_some_and(|c| {
            !matches!(
                get_general_category(c),
                GeneralCategory::Control
                    | GeneralCategory::Unassigned
                    | GeneralCategory::Surrogate
                    | GeneralCategory::LineSeparator
                    | GeneralCategory::ParagraphSeparator
            )
        }),
    }
}

fn short_escape(code: u32) -> Option<&'static [u8]> {
    Some(match code {
        0x07 => b"\\a",
        0x08 => b"\\b",
        0x09 => b"\\t",
        0x0a => b"\\n",
        0x0b => b"\\v",
        0x0c => b"\\f",
        0x0d => b"\\r",
        0x1b => b"\\e",
        0x22 => b"\\\"",
        0x5c => b"\\\\",
        _ => return None,
    })
}

fn push_hex_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    for b in bytes {
        out.extend_from_slice(format!("\\x{b:02X}").as_bytes());
    }
}

fn push_unicode_escape(code: u32, out: &mut Vec<u8>) {
    let text = if code > 0xffff { format!("\\u{{{code:X}}}") } else { format!("\\u{code:04X}") };
    out.extend_from_slice(text.as_bytes());
}

/// `String#inspect` as UTF-8 text, quotes included. Characters beyond ASCII are themselves if the text is UTF-8, not one of its variants.
pub fn inspect(enc: Encoding, s: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len() + 2);
    out.push(b'"');
    inspect_part(enc, s, 0, s.len(), &mut out);
    out.push(b'"');
    out
}

/// Most bytes that one becomes: `\u0001`.
pub const WIDEST: usize = 6;

/// A part of what `inspect` has between its quotes: that of the characters from offset `pos` up to, about, `until`; the offset of
/// the next one.
pub fn inspect_part(enc: Encoding, s: &[u8], mut pos: usize, until: usize, out: &mut Vec<u8>) -> usize {
    // Of a dummy UTF-16 or UTF-32 only the bytes are known.
    if matches!(enc, Encoding::UTF_16 | Encoding::UTF_32) {
        for &b in &s[pos..until] {
            match short_escape(u32::from(b)).filter(|_| b < 0x20) {
                Some(text) => out.extend_from_slice(text),
                None => push_hex_bytes(&[b], out),
            }
        }
        return until;
    }
    let ascii = enc.is_ascii_compatible() || enc.is_unicode();
    while pos < until {
        // Plain ASCII runs are copied whole.
        if enc.is_ascii_compatible() {
            let run = s[pos..until]
                .iter()
                .take_while(|&&b| matches!(b, 0x20..=0x7e) && !matches!(b, b'"' | b'\\' | b'#'))
                .count();
            if run > 0 {
                out.extend_from_slice(&s[pos..pos + run]);
                pos += run;
                continue;
            }
        }
        let rest = &s[pos..];
        let Some((code, len)) = code_point(enc, rest) else {
            let n = match char_len(enc, rest) {
                CharLen::NeedMore(_) => rest.len(),
                _ => enc.min_len().min(rest.len()),
            };
            // Only the first unit is known to be broken; the bytes after it get their own turn.
            let n = if enc.min_len() == 1 { 1 } else { n.min(enc.min_len()) };
            push_hex_bytes(&rest[..n], out);
            pos += n;
            continue;
        };
        let bytes = &rest[..len];
        pos += len;
        if (ascii || code < 0x20)
            && let Some(text) = short_escape(code)
        {
            out.extend_from_slice(text);
        } else if ascii && code == u32::from(b'#') {
            let next = code_point(enc, &s[pos..]).map(|(c, _)| c);
            if matches!(next, Some(0x7b | 0x24 | 0x40)) {
                out.push(b'\\');
            }
            out.push(b'#');
        } else if ascii && matches!(code, 0x20..=0x7e) {
            out.push(code as u8);
        } else if enc == Encoding::UTF_8 && is_printable(code) {
            out.extend_from_slice(bytes);
        } else if enc.is_unicode() {
            push_unicode_escape(code, out);
        } else if len == 1 {
            push_hex_bytes(bytes, out);
        } else {
            out.extend_from_slice(b"\\x{");
            out.extend(bytes.iter().flat_map(|b| format!("{b:02X}").into_bytes()));
            out.push(b'}');
        }
    }
    pos
}

/// The text as error messages quote it: `inspect` as UTF-8.
pub(crate) fn inspect_for_message(s: &[u8]) -> Vec<u8> {
    inspect(Encoding::UTF_8, s)
}

/// `String#dump`. The result is ASCII; it keeps the string's encoding if that is ASCII
/// compatible and is binary otherwise.
pub fn dump(enc: Encoding, s: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(s.len() + 2);
    out.push(b'"');
    dump_part(enc, s, 0, s.len(), &mut out);
    end_dump(enc, &mut out);
    out
}

/// A part of what `dump` has between its quotes, as `inspect_part`.
pub fn dump_part(enc: Encoding, s: &[u8], mut pos: usize, until: usize, out: &mut Vec<u8>) -> usize {
    while pos < until {
        let b = s[pos];
        if enc == Encoding::UTF_8
            && b >= 0x80
            && let Some((code, len)) = code_point(enc, &s[pos..])
        {
            push_unicode_escape(code, out);
            pos += len;
            continue;
        }
        pos += 1;
        if let Some(text) = short_escape(u32::from(b)) {
            out.extend_from_slice(text);
        } else if b == b'#' {
            if matches!(s.get(pos), Some(b'{' | b'$' | b'@')) {
                out.push(b'\\');
            }
            out.push(b'#');
        } else if matches!(b, 0x20..=0x7e) {
            out.push(b);
        } else {
            push_hex_bytes(&[b], out);
        }
    }
    pos
}

/// The end of what `dump` gives: its quote and what stands behind it.
pub fn end_dump(enc: Encoding, out: &mut Vec<u8>) {
    out.push(b'"');
    if !enc.is_ascii_compatible() {
        out.extend_from_slice(format!(".dup.force_encoding(\"{}\")", enc.name()).as_bytes());
    }
}

/// `String#undump`: the bytes and the encoding of the dumped string, whose own encoding is `enc`.
pub fn undump(enc: Encoding, s: &[u8]) -> Result<(Vec<u8>, Encoding)> {
    let err = |message: &str| Error::new(ErrorKind::Runtime, message);
    if !s.is_ascii() {
        return Err(err("non-ASCII character detected at the undumping string"));
    }
    if s.contains(&0) {
        return Err(err("string contains null byte"));
    }
    let Some(body) = s.strip_prefix(b"\"") else {
        return Err(err("invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form"));
    };
    let mut out = Vec::with_capacity(body.len());
    let (mut enc, mut utf8, mut binary) = (enc, false, false);
    let mut pos = 0;
    loop {
        let Some(&b) = body.get(pos) else {
            return Err(err("unterminated dumped string"));
        };
        pos += 1;
        if b == b'"' {
            let tail = &body[pos..];
            if !tail.is_empty() {
                if utf8 && tail.starts_with(b".force_encoding(\"") {
                    return Err(err("dumped string contained Unicode escape but used force_encoding"));
                }
                enc = forced_encoding(tail)?;
            }
            return Ok((out, enc));
        }
        if b != b'\\' {
            out.push(b);
            continue;
        }
        let Some(&e) = body.get(pos) else {
            return Err(err("invalid escape"));
        };
        pos += 1;
        match e {
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'f' => out.push(0x0c),
            b'v' => out.push(0x0b),
            b'b' => out.push(0x08),
            b'a' => out.push(0x07),
            b'e' => out.push(0x1b),
            b'x' => {
                let digits = hex_run(&body[pos..], 2);
                if digits.len() != 2 {
                    return Err(err("invalid hex escape"));
                }
                let byte = hex_value(digits) as u8;
                // An ASCII character may be written either way.
                binary |= !byte.is_ascii();
                if utf8 && binary {
                    return Err(err("hex escape and Unicode escape are mixed"));
                }
                out.push(byte);
                pos += 2;
            }
            b'u' => {
                if binary {
                    return Err(err("hex escape and Unicode escape are mixed"));
                }
                utf8 = true;
                if enc.kind() != Kind::Utf8 {
                    enc = Encoding::UTF_8;
                }
                pos += undump_unicode(&body[pos..], &mut out)?;
            }
            other => {
                if !matches!(other, b'"' | b'\\' | b'#') {
                    out.push(b'\\');
                }
                out.push(other);
            }
        }
    }
}

fn hex_run(s: &[u8], max: usize) -> &[u8] {
    let n = s.iter().take(max).take_while(|b| b.is_ascii_hexdigit()).count();
    &s[..n]
}

fn hex_value(digits: &[u8]) -> u32 {
    digits.iter().fold(0u32, |n, &b| n.wrapping_shl(4) | (b as char).to_digit(16).unwrap_or(0))
}

/// The rest of a `\u` escape: how many bytes it used.
fn undump_unicode(s: &[u8], out: &mut Vec<u8>) -> Result<usize> {
    let err = |message: &str| Error::new(ErrorKind::Runtime, message);
    let push = |code: u32, out: &mut Vec<u8>| match code {
        0xd800..=0xdfff => Err(err("invalid Unicode codepoint")),
        0x11_0000.. => Err(err("invalid Unicode codepoint (too large)")),
        _ => push_code_point(Encoding::UTF_8, code, out),
    };
    if s.first() != Some(&b'{') {
        let digits = hex_run(s, 4);
        if digits.len() != 4 {
            return Err(err("invalid Unicode escape"));
        }
        push(hex_value(digits), out)?;
        return Ok(4);
    }
    let mut pos = 1;
    loop {
        while s.get(pos) == Some(&b' ') {
            pos += 1;
        }
        match s.get(pos) {
            Some(b'}') => return Ok(pos + 1),
            None => return Err(err("unterminated Unicode escape")),
            _ => {}
        }
        let digits = hex_run(&s[pos..], 6);
        if digits.is_empty() {
            return Err(err("invalid Unicode codepoint"));
        }
        push(hex_value(digits), out)?;
        pos += digits.len();
    }
}

fn forced_encoding(tail: &[u8]) -> Result<Encoding> {
    let err = |message: &str| Error::new(ErrorKind::Runtime, message);
    let tail = tail.strip_prefix(b".dup").unwrap_or(tail);
    let Some(name) = tail.strip_prefix(b".force_encoding(\"") else {
        return Err(err("invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form"));
    };
    let Some(end) = name.iter().position(|&b| b == b'"') else {
        return Err(err("unterminated dumped string"));
    };
    if &name[end..] != b"\")" {
        return Err(err("invalid dumped string; not wrapped with '\"' nor '\"...\".force_encoding(\"...\")' form"));
    }
    Encoding::find(&name[..end]).ok_or_else(|| err("dumped string has unknown encoding name"))
}

fn is_ident_start(b: u8) -> bool {
    b == b'_' || b.is_ascii_alphabetic() || b >= 0x80
}

fn is_ident(s: &[u8]) -> bool {
    s.first().is_some_and(|&b| is_ident_start(b)) && s.iter().all(|&b| is_ident_start(b) || b.is_ascii_digit())
}

/// Whether the name is one of the operator methods (`+`, `[]=`, `!~` …).
pub fn is_operator(s: &[u8]) -> bool {
    matches!(
        s,
        b"+" | b"-"
            | b"*"
            | b"/"
            | b"%"
            | b"**"
            | b"=="
            | b"!="
            | b"==="
            | b"=~"
            | b"!~"
            | b"!"
            | b"~"
            | b"+@"
            | b"-@"
            | b"<=>"
            | b"<"
            | b"<="
            | b">"
            | b">="
            | b"<<"
            | b">>"
            | b"&"
            | b"|"
            | b"^"
            | b"[]"
            | b"[]="
            | b"`"
    )
}

fn is_global_name(name: &[u8]) -> bool {
    match name {
        [b'-', one] => is_ident_start(*one) || one.is_ascii_digit(),
        [b'-', rest @ ..] => std::str::from_utf8(rest).is_ok_and(|t| t.chars().count() == 1),
        digits if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => digits == b"0" || digits[0] != b'0',
        [one] if b"~*$?!@/\\;,.=:<>\"&`'+_0".contains(one) => true,
        _ => is_ident(name),
    }
}

/// Whether a symbol is written without quotes (`:foo?`, `:[]=`, `:@x`, `:$1`).
pub fn symbol_is_simple(enc: Encoding, s: &[u8]) -> bool {
    if !enc.is_ascii_compatible() {
        return false;
    }
    if !s.is_ascii() && (enc != Encoding::UTF_8 || !all_printable(s)) {
        return false;
    }
    if let Some(name) = s.strip_prefix(b"$") {
        return is_global_name(name);
    }
    if let Some(name) = s.strip_prefix(b"@@").or_else(|| s.strip_prefix(b"@")) {
        return is_ident(name);
    }
    if is_operator(s) {
        return true;
    }
    match s {
        [name @ .., b'?' | b'!' | b'='] => is_ident(name),
        _ => is_ident(s),
    }
}

fn all_printable(s: &[u8]) -> bool {
    std::str::from_utf8(s).is_ok_and(|t| t.chars().all(|c| is_printable(c as u32)))
}

/// `Symbol#inspect`.
pub fn inspect_symbol(enc: Encoding, s: &[u8]) -> Vec<u8> {
    let mut out = vec![b':'];
    if symbol_is_simple(enc, s) {
        out.extend_from_slice(s);
    } else {
        out.extend_from_slice(&inspect(enc, s));
    }
    out
}

/// Whether a symbol key is written `foo: 1` rather than `"foo bar": 1` in `Hash#inspect` (3.4).
/// Operators and setter names are quoted there.
pub fn symbol_key_is_simple(enc: Encoding, s: &[u8]) -> bool {
    if !symbol_is_simple(enc, s) || matches!(s.first(), Some(b'@' | b'$')) {
        return false;
    }
    match s {
        [name @ .., b'?' | b'!'] => is_ident(name),
        _ => is_ident(s),
    }
}
