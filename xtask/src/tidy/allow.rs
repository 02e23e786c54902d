//! The list of exceptions: lines of `kind file name  # reason`.

use std::cell::Cell;
use std::path::Path;

use super::report::Report;
use crate::repo;

const FILE: &str = "xtask/tidy-allow.txt";

struct Entry {
    line: usize,
    kind: String,
    file: String,
    name: String,
    used: Cell<bool>,
}

/// All exceptions, with a note of those that were made use of.
pub struct Allowed {
    entries: Vec<Entry>,
}

impl Allowed {
    /// Reads the list; an entry without a reason is refused.
    pub fn read(root: &Path) -> Result<Self, String> {
        let mut entries = Vec::new();
        for (index, line) in repo::read(root, FILE)?.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let problem = |what: &str| format!("{FILE}:{}: {what}", index + 1);
            let (entry, reason) = line.split_once('#').ok_or_else(|| problem("an exception needs a `# reason`"))?;
            if reason.trim().len() < 10 {
                return Err(problem("the reason says too little"));
            }
            let words: Vec<&str> = entry.split_whitespace().collect();
            let (kind, file, name) = match words[..] {
                [kind @ "length", file] => (kind, file, ""),
                [kind @ ("static" | "path" | "glob" | "function" | "circle"), file, name] => (kind, file, name),
                _ => {
                    return Err(problem("expected `length FILE` or `static|path|glob|function|circle FILE NAME`"));
                }
            };
            entries.push(Entry {
                line: index + 1,
                kind: kind.to_owned(),
                file: file.to_owned(),
                name: name.to_owned(),
                used: Cell::new(false),
            });
        }
        Ok(Self { entries })
    }

    /// Whether the list has this exception.
    pub fn has(&self, kind: &str, file: &str, name: &str) -> bool {
        let entry = self.entries.iter().find(|entry| entry.kind == kind && entry.file == file && entry.name == name);
        entry.is_some_and(|entry| {
            entry.used.set(true);
            true
        })
    }

    /// The number that the list has for a file in place of a name.
    pub fn most(&self, kind: &str, file: &str) -> Option<usize> {
        let entry = self.entries.iter().find(|entry| entry.kind == kind && entry.file == file)?;
        entry.used.set(true);
        entry.name.parse().ok()
    }

    /// Exceptions that excepted nothing are faults.
    pub fn report_unused(&self, report: &mut Report) {
        for entry in self.entries.iter().filter(|entry| !entry.used.get()) {
            let message = format!("this exception is not needed: {} {} {}", entry.kind, entry.file, entry.name);
            report.fault(FILE, entry.line, message.trim_end());
        }
    }
}
