//! `asterism timeline FILE -o page.html`: a page of what `--trace` has noted.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The page around the data.
const PAGE: &str = include_str!("timeline.html");

/// Is the first word that command, and no script of that name there?
pub fn is_asked_for(words: &[OsString]) -> bool {
    words.first().is_some_and(|word| word == "timeline") && words.len() > 1 && !Path::new("timeline").exists()
}

/// Writes the page.
///
/// # Errors
/// The message: wrong words, a file that is none of complete trace events, or the `std::io::Error` of reading or
/// writing.
pub fn write(words: &[OsString]) -> Result<(), String> {
    let (mut from, mut to) = (None, None);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if word == "-o" {
            to = Some(rest.next().ok_or("timeline: missing argument for -o")?);
        } else if from.replace(word).is_some() {
            return Err("timeline: one file, please".to_string());
        }
    }
    let from = from.ok_or("timeline: no file given")?;
    let failed = |name: &OsStr, e: std::io::Error| format!("timeline: {}: {e}", name.to_string_lossy());
    let text = std::fs::read_to_string(from).map_err(|e| failed(from, e))?;
    if !(text.trim_start().starts_with('{') && text.contains("\"traceEvents\"") && text.trim_end().ends_with('}')) {
        return Err(format!("timeline: {}: not a complete file of trace events", from.to_string_lossy()));
    }
    let to = to.map_or_else(|| Path::new(from).with_extension("html").into_os_string(), OsString::clone);
    std::fs::write(&to, page(&text)).map_err(|e| failed(&to, e))
}

/// The page of a file's text: in JSON `<` is part of strings only, where it may be escaped.
fn page(text: &str) -> String {
    PAGE.replacen("/*DATA*/null", &text.replace('<', "\\u003c"), 1)
}
