//! The examples of `language/` that are expected to fail: one file a spec file, one line an example.
//!
//! `spec/tags/language/alias.txt` belongs to `language/alias_spec.rb`. A line is the description of an example,
//! ` ## ` and the reason why it fails.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::outcome::{Outcome, Status};

/// The reason `--update` writes for an example that had none; a person replaces it.
pub const NO_REASON: &str = "no reason given yet";

const SEPARATOR: &str = " ## ";

/// The tags of one file: reasons by description.
pub type Tags = BTreeMap<String, String>;

/// Where the tags of a spec file lie.
pub fn path(root: &Path, file: &str) -> PathBuf {
    root.join("spec/tags").join(format!("{}.txt", file.trim_end_matches("_spec.rb")))
}

/// Reads the tags of a spec file.
pub fn read(root: &Path, file: &str) -> Result<Tags, String> {
    let path = path(root, file);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Tags::new()),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    parse(&text).map_err(|error| format!("{}: {error}", path.display()))
}

fn parse(text: &str) -> Result<Tags, String> {
    text.lines()
        .filter(|line| !line.is_empty())
        .map(|line| {
            let (description, reason) = line.rsplit_once(SEPARATOR).ok_or_else(|| format!("no reason: {line}"))?;
            Ok((description.to_owned(), reason.trim().to_owned()))
        })
        .collect()
}

/// What a run and the tags say differently; empty when they agree.
pub fn compare(tags: &Tags, outcome: &Outcome, partial: bool) -> Vec<String> {
    let mut faults = Vec::new();
    for example in &outcome.examples {
        let tagged = tags.contains_key(&example.description);
        match example.status {
            Status::Passed if tagged => faults.push(format!("unexpected pass: {}", example.description)),
            Status::Failed | Status::Errored if !tagged => {
                faults.push(format!("{}: {}", example.status.word(), example.description));
            }
            // No tag excuses a crash.
            Status::Crashed | Status::Hung => {
                faults.push(format!("{}: {}", example.status.word(), example.description));
            }
            _ => {}
        }
    }
    if outcome.complete && !partial {
        for description in tags.keys() {
            if !outcome.examples.iter().any(|example| example.description == *description) {
                faults.push(format!("tagged, but not in the suite: {description}"));
            }
        }
    }
    faults
}

/// Writes the tags that a run asks for, with the reasons there were.
pub fn update(root: &Path, outcome: &Outcome) -> Result<(), String> {
    let old = read(root, &outcome.file)?;
    let path = path(root, &outcome.file);
    let mut text = String::new();
    for example in &outcome.examples {
        if matches!(example.status, Status::Failed | Status::Errored) {
            let reason = old.get(&example.description).map_or(NO_REASON, String::as_str);
            text.push_str(&format!("{}{SEPARATOR}{reason}\n", example.description));
        }
    }
    let written = if text.is_empty() {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    } else {
        path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text))
    };
    written.map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
#[path = "tags_tests.rs"]
mod tests;
