//! Length of files, functions and crates, and the module documentation at the top of each Rust file.

use std::collections::BTreeMap;

use super::allow::Allowed;
use super::report::{Report, is_test};
use crate::rust_source::{line_of, words};

/// Lines of a file.
const MOST_LINES: usize = 700;
/// Lines of a function.
const MOST_OF_FUNCTION: usize = 150;
/// Lines of Rust and Ruby of a crate.
const MOST_OF_CRATE: usize = 35_000;

/// The lines of each crate.
#[derive(Default)]
pub struct Crates(BTreeMap<String, usize>);

impl Crates {
    /// Checks the sum of what was counted.
    pub fn check(&self, report: &mut Report) {
        for (name, lines) in &self.0 {
            if *lines > MOST_OF_CRATE {
                report.fault(name, 0, &format!("{lines} lines, more than {MOST_OF_CRATE}: a crate too many in one"));
            }
        }
    }
}

/// Checks one file of Rust or Ruby; `masked` is `text` without comments and literals, if it is Rust.
pub fn check(
    file: &str,
    text: &str,
    masked: Option<&str>,
    crates: &mut Crates,
    allowed: &Allowed,
    report: &mut Report,
) {
    let lines = text.lines().count();
    if let Some((name, _)) = file.split_once("/src/") {
        *crates.0.entry(name.to_owned()).or_default() += lines;
    }
    if lines > MOST_LINES && !allowed.has("length", file, "") {
        report.fault(file, 0, &format!("{lines} lines, more than {MOST_LINES}: split it by concern"));
    }
    let Some(masked) = masked else { return };
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if first.strip_prefix("//!").is_none_or(|doc| doc.trim().is_empty()) {
        report.fault(file, 1, "the file does not start with `//!` and what it is for");
    }
    if !is_test(file) {
        for (name, line, length) in functions(masked) {
            if length > MOST_OF_FUNCTION && !allowed.has("function", file, name) {
                report.fault(file, line, &format!("`{name}` has {length} lines, more than {MOST_OF_FUNCTION}"));
            }
        }
    }
}

/// Name, first line and number of lines of each function of a formatted source: it ends at the brace that closes as far from the
/// margin as it begins.
fn functions(masked: &str) -> Vec<(&str, usize, usize)> {
    let mut found = Vec::new();
    for at in words(masked, "fn") {
        let name = masked[at + 2..].trim_start();
        let name = &name[..name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len())];
        let start = masked[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let head = &masked[start..at];
        let margin = head.len() - head.trim_start().len();
        // A type such as `fn(u8)` has no name.
        if name.is_empty() {
            continue;
        }
        let end = format!("\n{}}}", &head[..margin]);
        let body = masked[at..].find(['{', ';']).map_or(masked.len(), |offset| at + offset);
        if masked[body..].starts_with(';') {
            continue;
        }
        let first = line_of(masked, at);
        let one_line = masked[body..].split('\n').next().is_some_and(|line| line.trim_end().ends_with('}'));
        let length = match masked[body..].find(&end) {
            Some(offset) if !one_line => line_of(masked, body + offset + 1) + 1 - first,
            _ => line_of(masked, body) + 1 - first,
        };
        found.push((name, first, length));
    }
    found
}

#[cfg(test)]
#[path = "sizes_tests.rs"]
mod tests;
