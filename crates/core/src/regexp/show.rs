//! Regexps and matches as text: `source` inside slashes, `inspect`, `to_s`, `Regexp.escape`.

use asterism_regexp::Bounds;
use asterism_support::encoding::Encoding;
use asterism_support::encoding::chars::{CharLen, char_len, code_point, push_code_point};
use asterism_vm::Ec;

use super::pattern::{EXTENDED, IGNORECASE, MULTILINE, NOENCODING, Pattern};
use crate::encoding::defaults;

/// How messages name an encoding.
pub fn name(encoding: Encoding) -> &'static str {
    if encoding == Encoding::BINARY { "BINARY (ASCII-8BIT)" } else { encoding.name() }
}

/// The encoding in which sources are shown: what is not in it is escaped.
pub fn shown_in(ec: &Ec) -> Encoding {
    defaults::internal(ec).unwrap_or_else(|| defaults::external(ec))
}

/// A character of ASCII at the beginning, with its length.
fn ascii(encoding: Encoding, bytes: &[u8]) -> Option<(u8, usize)> {
    if encoding.is_ascii_compatible() {
        return bytes.first().filter(|c| c.is_ascii()).map(|c| (*c, 1));
    }
    match code_point(encoding, bytes) {
        Some((code @ 0..0x80, n)) => Some((code as u8, n)),
        _ => None,
    }
}

/// The length of a character, of a byte that begins none too.
fn length(encoding: Encoding, bytes: &[u8]) -> usize {
    match char_len(encoding, bytes) {
        CharLen::Valid(n) => n,
        _ => 1,
    }
}

/// May it stand as it is? `shown`: what is not ASCII may in that encoding, or in any.
fn is_plain(bytes: &[u8], encoding: Encoding, shown: Option<Encoding>) -> bool {
    if !encoding.is_ascii_compatible() {
        return false;
    }
    let mut at = 0;
    while let Some(&c) = bytes.get(at) {
        match c {
            b'/' => return false,
            b' '..=b'~' => at += 1,
            0..0x80 => return false,
            _ => match char_len(encoding, &bytes[at..]) {
                CharLen::Valid(n) if shown == Some(encoding) => at += n,
                _ => return false,
            },
        }
    }
    true
}

/// The source as it stands between slashes: slashes escaped, what cannot be printed too. With `shown`, where anything
/// has to be escaped, or the source is in another encoding, so is what is not ASCII.
pub fn source(bytes: &[u8], encoding: Encoding, shown: Option<Encoding>) -> Vec<u8> {
    escaped(bytes, encoding, shown, true)
}

fn escaped(bytes: &[u8], encoding: Encoding, shown: Option<Encoding>, slashes: bool) -> Vec<u8> {
    if is_plain(bytes, encoding, shown) {
        return bytes.to_vec();
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(&byte) = rest.first() {
        let mut n = length(encoding, rest);
        match ascii(encoding, rest) {
            Some((b'\\', len)) if len < rest.len() => {
                n = (len + length(encoding, &rest[len..])).min(rest.len());
                out.extend_from_slice(&rest[..n]);
            }
            Some((b'/', _)) if slashes => {
                match shown {
                    Some(_) => out.push(b'\\'),
                    None => push_ascii(b"\\", encoding, &mut out),
                }
                out.extend_from_slice(&rest[..n]);
            }
            Some((b' '..=b'~' | b'\t'..=b'\r', _)) => out.extend_from_slice(&rest[..n]),
            Some((c, _)) => out.extend_from_slice(format!("\\x{c:02X}").as_bytes()),
            None => match code_point(encoding, rest) {
                None => out.extend_from_slice(format!("\\x{byte:02X}").as_bytes()),
                Some(_) if shown.is_none() => out.extend_from_slice(&rest[..n]),
                Some((code, _)) => escape_code(&mut out, code, encoding.is_unicode()),
            },
        }
        rest = &rest[n..];
    }
    out
}

fn escape_code(out: &mut Vec<u8>, code: u32, unicode: bool) {
    let text = match code {
        code if unicode && code < 0x1_0000 => format!("\\u{code:04X}"),
        code if unicode => format!("\\u{{{code:X}}}"),
        code if code < 0x100 => format!("\\x{code:02X}"),
        code => format!("\\x{{{code:X}}}"),
    };
    out.extend_from_slice(text.as_bytes());
}

/// The name alone.
pub fn plain_name(encoding: Encoding) -> &'static str {
    encoding.name()
}

fn option_letters(options: u32) -> Vec<u8> {
    [(MULTILINE, b'm'), (IGNORECASE, b'i'), (EXTENDED, b'x')]
        .iter()
        .filter(|(bit, _)| options & bit != 0)
        .map(|(_, c)| *c)
        .collect()
}

/// What a message says of a source: itself between slashes, and its options.
pub fn described(message: &[u8], bytes: &[u8], encoding: Encoding, options: u32, shown: Encoding) -> Vec<u8> {
    [message, b": /", &source(bytes, encoding, Some(shown)), b"/", &option_letters(options)].concat()
}

/// `Regexp#inspect`, in the pattern's encoding or US-ASCII.
pub fn inspect(pattern: &Pattern, shown: Encoding) -> Vec<u8> {
    let mut out = b"/".to_vec();
    out.extend_from_slice(&source(&pattern.source, pattern.encoding, Some(shown)));
    out.push(b'/');
    out.extend_from_slice(&option_letters(pattern.options));
    if pattern.options & NOENCODING != 0 {
        out.push(b'n');
    }
    out
}

/// The letters of options at the beginning as bits, and what is behind them.
fn letters(mut source: &[u8]) -> (u32, &[u8]) {
    let mut bits = 0;
    while let [c, rest @ ..] = source {
        bits |= match c {
            b'm' => MULTILINE,
            b'i' => IGNORECASE,
            b'x' => EXTENDED,
            _ => break,
        };
        source = rest;
    }
    (bits, source)
}

/// A pattern that is nothing but one group of options behind others: what options it has within, and what is there.
fn within_options(pattern: &Pattern) -> Option<(u32, &[u8])> {
    let mut options = pattern.options & (MULTILINE | IGNORECASE | EXTENDED);
    let mut source: &[u8] = &pattern.source;
    while let Some(rest) = source.strip_prefix(b"(?").filter(|_| source.len() >= 4) {
        let (on, mut rest) = letters(rest);
        options |= on;
        if let Some(behind) = rest.strip_prefix(b"-").filter(|behind| !behind.is_empty()) {
            let off;
            (off, rest) = letters(behind);
            options &= !off;
        }
        match rest {
            [b')', behind @ ..] => source = behind,
            // Only if its body is a pattern too.
            [b':', inside @ .., b')']
                if Pattern::new(&inside.into(), options, pattern.encoding, Bounds::NONE).is_ok() =>
            {
                return Some((options, inside));
            }
            _ => return None,
        }
    }
    Some((options, source))
}

/// `Regexp#to_s`; `slashes`: they are escaped.
pub fn to_s(pattern: &Pattern, slashes: bool) -> Vec<u8> {
    let whole = (pattern.options & (MULTILINE | IGNORECASE | EXTENDED), &*pattern.source);
    let (options, body) = within_options(pattern).unwrap_or(whole);
    let mut head = b"(?".to_vec();
    head.extend_from_slice(&option_letters(options));
    let off = option_letters(!options);
    if !off.is_empty() {
        head.push(b'-');
        head.extend_from_slice(&off);
    }
    head.push(b':');
    let mut out = Vec::with_capacity(head.len() + body.len() + 1);
    push_ascii(&head, pattern.encoding, &mut out);
    out.extend_from_slice(&escaped(body, pattern.encoding, None, slashes));
    push_ascii(b")", pattern.encoding, &mut out);
    out
}

/// `Regexp.escape`; `None` if there is nothing to escape.
pub fn escape(bytes: &[u8], encoding: Encoding) -> Option<Vec<u8>> {
    const SPECIAL: [bool; 256] = {
        let special = b"[]{}()|-*.\\?+^$# \t\n\r\x0b\x0c";
        let mut table = [false; 256];
        let mut i = 0;
        while i < special.len() {
            table[special[i] as usize] = true;
            i += 1;
        }
        table
    };
    let special = |c: u8| SPECIAL[usize::from(c)];
    let count = bytes.iter().filter(|c| special(**c)).count();
    if count == 0 {
        return None;
    }
    let mut out = Vec::with_capacity(bytes.len() + count * encoding.min_len());
    let plain = encoding.min_len() == 1 && bytes.is_ascii();
    let mut rest = bytes;
    while !rest.is_empty() {
        let n = if plain { 1 } else { length(encoding, rest) };
        match if plain { Some((rest[0], 1)) } else { ascii(encoding, rest) } {
            Some((c, _)) if special(c) => {
                let letter = match c {
                    b'\t' => b't',
                    b'\n' => b'n',
                    b'\r' => b'r',
                    0x0b => b'v',
                    0x0c => b'f',
                    c => c,
                };
                if plain {
                    out.extend_from_slice(&[b'\\', letter]);
                } else {
                    push_ascii(&[b'\\', letter], encoding, &mut out);
                }
            }
            _ => out.extend_from_slice(&rest[..n]),
        }
        rest = &rest[n..];
    }
    Some(out)
}

/// Appends ASCII text in an encoding.
pub fn push_ascii(text: &[u8], encoding: Encoding, out: &mut Vec<u8>) {
    for c in text {
        // Whatever patterns can be in has it.
        let _ = push_code_point(encoding, (*c).into(), out);
    }
}
