//! Text as JSON has it.

use std::fmt::Write;

/// Appends a string with its quotes. It may stand within a `script` element too.
pub fn string(out: &mut String, text: &str) {
    out.push('"');
    within_string(out, text);
    out.push('"');
}

/// Appends what stands between the quotes of a string.
pub fn within_string(out: &mut String, text: &str) {
    // Mostly nothing in it says anything else than itself.
    let is_plain = |b: u8| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\' | b'<');
    if text.bytes().all(is_plain) {
        return out.push_str(text);
    }
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '<' | '\u{0}'..='\u{1f}' | '\u{7f}' | '\u{2028}' | '\u{2029}' => {
                // Writing to a String does not fail.
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
}

/// Appends `[a,b,…]`.
pub fn list<T>(out: &mut String, items: impl IntoIterator<Item = T>, mut one: impl FnMut(&mut String, T)) {
    out.push('[');
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        one(out, item);
    }
    out.push(']');
}

/// Appends a number.
pub fn number(out: &mut String, number: impl std::fmt::Display) {
    let _ = write!(out, "{number}");
}
