//! `spec/results.json`: how many examples of each folder pass, with the commit of the suite.
//!
//! One folder a line, so that a change reads well; the reader below reads only what the writer writes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::outcome::{Outcome, Status};
use crate::repo;

/// The figures of a folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Spec files.
    pub files: usize,
    /// Examples that passed.
    pub passed: usize,
    /// Examples that failed.
    pub failed: usize,
    /// Examples that raised something, and exceptions outside examples.
    pub errored: usize,
    /// Files whose process died.
    pub crashed: usize,
    /// Files that ran into the time limit.
    pub hung: usize,
}

impl Figures {
    /// Counts one more file.
    pub fn add(&mut self, outcome: &Outcome) {
        self.files += 1;
        self.passed += outcome.count(Status::Passed);
        self.failed += outcome.count(Status::Failed);
        self.errored += outcome.count(Status::Errored);
        self.crashed += outcome.count(Status::Crashed);
        self.hung += outcome.count(Status::Hung);
    }

    /// Sums up.
    pub fn merge(&mut self, other: &Self) {
        self.files += other.files;
        self.passed += other.passed;
        self.failed += other.failed;
        self.errored += other.errored;
        self.crashed += other.crashed;
        self.hung += other.hung;
    }

    /// All examples that were started.
    pub fn examples(&self) -> usize {
        self.passed + self.failed + self.errored + self.crashed + self.hung
    }

    /// Percentage of examples that passed, in tenths rounded down.
    pub fn percent(&self) -> String {
        let tenths = (self.passed * 1000).checked_div(self.examples()).unwrap_or(1000);
        format!("{}.{}", tenths / 10, tenths % 10)
    }

    fn line(&self, name: &str) -> String {
        format!(
            "    \"{name}\": {{\"files\": {}, \"passed\": {}, \"failed\": {}, \"errored\": {}, \"crashed\": {}, \"hung\": {}}}",
            self.files, self.passed, self.failed, self.errored, self.crashed, self.hung
        )
    }

    fn parse(line: &str) -> Option<(String, Self)> {
        let (name, rest) = line.trim().strip_prefix('"')?.split_once("\": {")?;
        let mut numbers =
            rest.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).map(|part| part.parse().ok());
        let mut next = || numbers.next().flatten();
        let figures = Self {
            files: next()?,
            passed: next()?,
            failed: next()?,
            errored: next()?,
            crashed: next()?,
            hung: next()?,
        };
        Some((name.to_owned(), figures))
    }
}

/// The folder a file is counted in: the first two parts of its path, or the first where there are no more.
pub fn folder(file: &str) -> String {
    let parts: Vec<&str> = file.split('/').collect();
    parts[..parts.len().saturating_sub(1).min(2)].join("/")
}

/// Figures by folder.
pub fn by_folder(outcomes: &[Outcome]) -> BTreeMap<String, Figures> {
    let mut folders: BTreeMap<String, Figures> = BTreeMap::new();
    for outcome in outcomes {
        folders.entry(folder(&outcome.file)).or_default().add(outcome);
    }
    folders
}

fn commit(checkout: &Path) -> Result<String, String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(checkout)
        .args(["rev-parse", "HEAD"])
        .output()
        .map_err(|error| format!("cannot run git: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    } else {
        Err(format!("{} is no checkout: {}", checkout.display(), String::from_utf8_lossy(&output.stderr)))
    }
}

/// Replaces the lines of the folders that were run as a whole.
pub fn update(root: &Path, spec: &Path, mspec: &Path, folders: &BTreeMap<String, Figures>) -> Result<(), String> {
    let path = root.join("spec/results.json");
    let mut all: BTreeMap<String, Figures> = match path.exists() {
        true => repo::read(root, "spec/results.json")?.lines().filter_map(Figures::parse).collect(),
        false => BTreeMap::new(),
    };
    all.extend(folders.iter().map(|(name, figures)| (name.clone(), *figures)));
    let lines: Vec<String> = all.iter().map(|(name, figures)| figures.line(name)).collect();
    let text = format!(
        "{{\n  \"suite\": \"{}\",\n  \"mspec\": \"{}\",\n  \"folders\": {{\n{}\n  }}\n}}\n",
        commit(spec)?,
        commit(mspec)?,
        lines.join(",\n")
    );
    path.parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(&path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
#[path = "results_tests.rs"]
mod tests;
