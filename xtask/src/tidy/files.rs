//! File length, and the module documentation at the top of each Rust file.

use super::Report;
use super::allow::Allowed;

const WARN_LINES: usize = 800;
const MOST_LINES: usize = 1000;

/// Checks one file.
pub fn check(file: &str, text: &str, allowed: &Allowed, report: &mut Report) {
    if file.ends_with(".md") {
        return;
    }
    let lines = text.lines().count();
    if lines > MOST_LINES {
        if !allowed.has("length", file, "") {
            report.fault(file, 0, &format!("{lines} lines, more than {MOST_LINES}: split it by concern"));
        }
    } else if lines > WARN_LINES {
        report.warn(file, 0, &format!("{lines} lines: usually two rooms"));
    }
    if file.ends_with(".rs") {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        if first.strip_prefix("//!").is_none_or(|doc| doc.trim().is_empty()) {
            report.fault(file, 1, "the file does not start with `//!` and what it is for");
        }
    }
}
