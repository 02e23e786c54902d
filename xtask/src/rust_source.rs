//! Just enough of Rust's lexical grammar to look for words outside comments and literals.

/// The source with comments and the contents of literals replaced by blanks; every line keeps its place.
pub fn mask(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut out = bytes.to_vec();
    let mut i = 0;
    while i < bytes.len() {
        let end = match bytes[i] {
            b'/' if bytes.get(i + 1) == Some(&b'/') => line_end(bytes, i),
            b'/' if bytes.get(i + 1) == Some(&b'*') => block_comment_end(bytes, i),
            b'"' => string_end(bytes, i + 1),
            b'r' if !is_word(bytes, i) => match raw_string_end(bytes, i) {
                Some(end) => end,
                None => {
                    i += 1;
                    continue;
                }
            },
            b'\'' => match char_end(bytes, i) {
                Some(end) => end,
                None => {
                    i += 1;
                    continue;
                }
            },
            _ => {
                i += 1;
                continue;
            }
        };
        for byte in &mut out[i..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        i = end;
    }
    // Only whole literals and comments were blanked, so that what is left is still UTF-8.
    String::from_utf8_lossy(&out).into_owned()
}

/// Whether the byte before `at` continues a word (an `r` inside a word starts no raw string;
/// `br` and `cr` do).
fn is_word(bytes: &[u8], at: usize) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    match at.checked_sub(1).map(|i| bytes[i]) {
        Some(b'b' | b'c') => at >= 2 && word(bytes[at - 2]),
        Some(byte) => word(byte),
        None => false,
    }
}

fn line_end(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |n| start + n)
}

fn block_comment_end(bytes: &[u8], start: usize) -> usize {
    let mut depth = 0usize;
    let mut i = start;
    while i < bytes.len() {
        if bytes[i..].starts_with(b"/*") {
            depth += 1;
            i += 2;
        } else if bytes[i..].starts_with(b"*/") {
            depth -= 1;
            i += 2;
            if depth == 0 {
                return i;
            }
        } else {
            i += 1;
        }
    }
    bytes.len()
}

fn string_end(bytes: &[u8], mut i: usize) -> usize {
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'"' => return i + 1,
            _ => i += 1,
        }
    }
    bytes.len()
}

fn raw_string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let hashes = bytes[start + 1..].iter().take_while(|&&byte| byte == b'#').count();
    let open = start + 1 + hashes;
    if bytes.get(open) != Some(&b'"') {
        return None;
    }
    let mut i = open + 1;
    while i < bytes.len() {
        if bytes[i] == b'"' && bytes[i + 1..].iter().take_while(|&&byte| byte == b'#').count() >= hashes {
            return Some(i + 1 + hashes);
        }
        i += 1;
    }
    Some(bytes.len())
}

/// The end of a character literal; `None` for a lifetime.
fn char_end(bytes: &[u8], start: usize) -> Option<usize> {
    if bytes.get(start + 1) == Some(&b'\\') {
        let close = bytes.get(start + 3..)?.iter().position(|&byte| byte == b'\'')?;
        return Some(start + 3 + close + 1);
    }
    // A character is at most four bytes long.
    let close = bytes.get(start + 2..)?.iter().take(4).position(|&byte| byte == b'\'')?;
    let first = bytes[start + 1];
    if close > 0 && first.is_ascii() {
        return None;
    }
    Some(start + 2 + close + 1)
}

/// The places where `word` stands as a word of its own.
pub fn words<'a>(masked: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    masked.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        !masked[..at].chars().next_back().is_some_and(part)
            && !masked[at + word.len()..].chars().next().is_some_and(part)
    })
}

/// The number, from one, of the line that holds this place.
pub fn line_of(text: &str, at: usize) -> usize {
    text[..at].bytes().filter(|&byte| byte == b'\n').count() + 1
}

#[cfg(test)]
#[path = "rust_source_tests.rs"]
mod tests;
