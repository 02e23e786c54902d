//! Rules about the core library's Ruby part: it asks nothing of objects by methods that they need not have, as a BasicObject, or may
//! have changed.

use super::report::Report;

/// Where it lies.
const FOLDERS: [&str; 2] = ["crates/core/src/", "crates/system/src/"];

/// What is not to be called, and what serves.
const ASKED: [(&str, &str); 5] = [
    (".respond_to?", "Primitive.responds"),
    (".is_a?", "Primitive.kind_of"),
    (".kind_of?", "Primitive.kind_of"),
    (".nil?", "nil.equal?"),
    (".class", "Primitive.class_of"),
];

/// Checks one file of Ruby.
pub fn check(file: &str, text: &str, report: &mut Report) {
    if !FOLDERS.iter().any(|folder| file.starts_with(folder)) {
        return;
    }
    for (number, line) in text.lines().enumerate() {
        for (asked, serves) in ASKED {
            if calls(line, asked) {
                report.fault(file, number + 1, &format!("`{asked}`: `{serves}` serves for objects without it, too"));
            }
        }
    }
}

/// Does a line of code call it on something that is not `self`?
fn calls(line: &str, asked: &str) -> bool {
    if line.trim_start().starts_with('#') {
        return false;
    }
    line.match_indices(asked).any(|(at, _)| {
        let (before, behind) = (&line[..at], &line[at + asked.len()..]);
        let whole = !behind.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        whole && !before.is_empty() && !before.ends_with("self") && !before.ends_with("\"ARGF")
    })
}
