//! Regexps and matches as text: `source` inside slashes, `inspect`, `to_s`, `Regexp.escape`.

use asterism_support::encoding::Encoding;
use asterism_support::encoding::chars::{CharLen, char_len, code_point};

use super::pattern::{EXTENDED, IGNORECASE, MULTILINE, NOENCODING, Pattern};

/// How messages name an encoding.
pub fn name(encoding: Encoding) -> &'static str {
    if encoding == Encoding::BINARY { "BINARY (ASCII-8BIT)" } else { encoding.name() }
}

fn is_printable(c: char) -> bool {
    !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}' | '\u{e000}'..='\u{f8ff}')
}

/// The source as it stands between slashes: slashes escaped, what cannot be printed too.
pub fn source(bytes: &[u8], encoding: Encoding) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(&c) = rest.first() {
        if c >= 0x80 {
            let n = match char_len(encoding, rest) {
                CharLen::Valid(n) => n,
                _ => 1,
            };
            let shown = encoding.is_unicode() && n > 1;
            match code_point(encoding, rest) {
                Some((code, _)) if shown && char::from_u32(code).is_some_and(is_printable) => {
                    out.extend_from_slice(&rest[..n]);
                }
                Some((code, _)) if shown && code < 0x10000 => {
                    out.extend_from_slice(format!("\\u{code:04X}").as_bytes());
                }
                Some((code, _)) if n > 1 => out.extend_from_slice(format!("\\x{{{code:X}}}").as_bytes()),
                _ => out.extend_from_slice(format!("\\x{c:02X}").as_bytes()),
            }
            rest = &rest[n..];
            continue;
        }
        if c == b'\\' && rest.len() > 1 {
            let n = 1 + match char_len(encoding, &rest[1..]) {
                CharLen::Valid(n) => n,
                _ => 1,
            };
            out.extend_from_slice(&rest[..n]);
            rest = &rest[n..];
            continue;
        }
        match c {
            b'/' => out.extend_from_slice(b"\\/"),
            b' '..=b'~' | b'\t'..=b'\r' => out.push(c),
            _ => out.extend_from_slice(format!("\\x{c:02X}").as_bytes()),
        }
        rest = &rest[1..];
    }
    out
}

fn option_letters(options: u32) -> Vec<u8> {
    [(MULTILINE, b'm'), (IGNORECASE, b'i'), (EXTENDED, b'x')]
        .iter()
        .filter(|(bit, _)| options & bit != 0)
        .map(|(_, c)| *c)
        .collect()
}

/// `Regexp#inspect`
pub fn inspect(pattern: &Pattern) -> Vec<u8> {
    let mut out = b"/".to_vec();
    out.extend_from_slice(&source(&pattern.source, pattern.encoding));
    out.push(b'/');
    out.extend_from_slice(&option_letters(pattern.options));
    if pattern.options & NOENCODING != 0 {
        out.push(b'n');
    }
    out
}

/// `(?mi-x:`: the options at the start of a pattern that is nothing but one group of options, and where the group's
/// body starts.
fn leading_options(source: &[u8], mut options: u32) -> Option<(u32, usize, bool)> {
    let rest = source.strip_prefix(b"(?")?;
    let mut on = true;
    for (i, c) in rest.iter().enumerate() {
        let bit = match c {
            b'm' => MULTILINE,
            b'i' => IGNORECASE,
            b'x' => EXTENDED,
            b'-' if on => {
                on = false;
                continue;
            }
            b')' => return Some((options, i + 3, false)),
            b':' => return Some((options, i + 3, true)),
            _ => return None,
        };
        if on {
            options |= bit;
        } else {
            options &= !bit;
        }
    }
    None
}

/// `Regexp#to_s`
pub fn to_s(pattern: &Pattern) -> Vec<u8> {
    let mut options = pattern.options & (MULTILINE | IGNORECASE | EXTENDED);
    let mut body: &[u8] = &pattern.source;
    while let Some((inner, start, group)) = leading_options(body, options) {
        if group {
            // Only if the group is the whole pattern, so that its body is a pattern too.
            let Some(inside) = body[start..].strip_suffix(b")") else { break };
            if Pattern::new(inside, inner, pattern.encoding).is_err() {
                break;
            }
            options = inner;
            body = inside;
            break;
        }
        options = inner;
        body = &body[start..];
    }
    let on = option_letters(options);
    let off = option_letters(!options);
    let mut out = b"(?".to_vec();
    out.extend_from_slice(&on);
    if !off.is_empty() {
        out.push(b'-');
        out.extend_from_slice(&off);
    }
    out.push(b':');
    out.extend_from_slice(&source(body, pattern.encoding));
    out.push(b')');
    out
}

/// `Regexp.escape`; `None` if there is nothing to escape.
pub fn escape(bytes: &[u8], encoding: Encoding) -> Option<Vec<u8>> {
    let special = |c: u8| {
        matches!(
            c,
            b'[' | b']'
                | b'{'
                | b'}'
                | b'('
                | b')'
                | b'|'
                | b'-'
                | b'*'
                | b'.'
                | b'\\'
                | b'?'
                | b'+'
                | b'^'
                | b'$'
                | b'#'
        ) || matches!(c, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
    };
    if !bytes.iter().any(|c| special(*c)) {
        return None;
    }
    let mut out = Vec::with_capacity(bytes.len() + 8);
    let mut rest = bytes;
    while let Some(&c) = rest.first() {
        let n = match char_len(encoding, rest) {
            CharLen::Valid(n) => n,
            _ => 1,
        };
        if n > 1 || !special(c) {
            out.extend_from_slice(&rest[..n]);
        } else {
            out.push(b'\\');
            out.push(match c {
                b'\t' => b't',
                b'\n' => b'n',
                b'\r' => b'r',
                0x0b => b'v',
                0x0c => b'f',
                c => c,
            });
        }
        rest = &rest[n..];
    }
    Some(out)
}
