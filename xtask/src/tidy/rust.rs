//! Rules about Rust source: glob imports, stubs, inline tests, and a reason for every `unsafe`.

use super::allow::Allowed;
use super::report::{Report, is_test};
use crate::rust_source::{line_of, words};

/// How many lines of code may stand between a `SAFETY:` comment and its `unsafe`.
const SAFETY_DISTANCE: usize = 4;

/// Checks one file; `masked` is `text` without comments and literals.
pub fn check(file: &str, text: &str, masked: &str, allowed: &Allowed, report: &mut Report) {
    check_imports(file, masked, allowed, report);
    check_unsafe(file, text, masked, report);
    for (stub, what) in [("todo", "a stub"), ("unimplemented", "a stub")] {
        for at in words(masked, stub) {
            if masked[at + stub.len()..].starts_with('!') {
                report.fault(file, line_of(masked, at), what);
            }
        }
    }
    for at in words(masked, "ignore") {
        if masked[..at].trim_end().ends_with("#[") {
            report.fault(file, line_of(masked, at), "an ignored test");
        }
    }
    if !is_test(file) {
        for at in words(masked, "mod") {
            let rest = masked[at + 3..].trim_start();
            if rest.strip_prefix("tests").is_some_and(|rest| rest.trim_start().starts_with('{')) {
                report.fault(file, line_of(masked, at), "tests live in a file of their own");
            }
        }
    }
}

fn check_imports(file: &str, masked: &str, allowed: &Allowed, report: &mut Report) {
    for at in words(masked, "use") {
        let statement = masked[at..].split(';').next().unwrap_or_default();
        // `use<'a>` captures lifetimes and imports nothing.
        let path = statement["use".len()..].trim();
        let glob = path.ends_with("::*") || path.contains("{*") || path.contains(", *") || path.contains("::*,");
        if glob && !allowed.has("glob", file, path) {
            report.fault(file, line_of(masked, at), "a glob import: name what is used");
        }
    }
}

fn check_unsafe(file: &str, text: &str, masked: &str, report: &mut Report) {
    let lines: Vec<&str> = text.lines().collect();
    for at in words(masked, "unsafe") {
        let rest = masked[at + "unsafe".len()..].trim_start();
        let block = rest.starts_with('{') || rest.strip_prefix("impl").is_some_and(|rest| !rest.starts_with('_'));
        let line = line_of(masked, at);
        if block && !has_reason(&lines, line) {
            report.fault(file, line, "`unsafe` without a `SAFETY:` comment");
        }
    }
}

/// Whether `SAFETY:` stands on this line or in the comments just above it.
fn has_reason(lines: &[&str], line: usize) -> bool {
    let mut code_lines = 0;
    for text in lines[..line].iter().rev() {
        if text.contains("SAFETY:") {
            return true;
        }
        if !text.trim_start().starts_with("//") {
            code_lines += 1;
            if code_lines > SAFETY_DISTANCE {
                return false;
            }
        }
    }
    false
}
