//! `cargo xtask tidy`: the rules of the project that no compiler checks.
//!
//! Exceptions are listed, each with its reason, in `xtask/tidy-allow.txt`; one that is no longer needed
//! is a fault itself.

mod allow;
mod crates;
mod docs;
mod files;
mod rust;
mod statics;

use std::path::Path;

use crate::repo;
use allow::Allowed;

/// What the checks found.
#[derive(Default)]
pub struct Report {
    faults: Vec<String>,
    warnings: Vec<String>,
}

impl Report {
    /// Notes something that must be put right.
    pub fn fault(&mut self, file: &str, line: usize, message: &str) {
        self.faults.push(place(file, line, message));
    }

    /// Notes something that should be looked at.
    pub fn warn(&mut self, file: &str, line: usize, message: &str) {
        self.warnings.push(place(file, line, message));
    }
}

fn place(file: &str, line: usize, message: &str) -> String {
    if line == 0 { format!("{file}: {message}") } else { format!("{file}:{line}: {message}") }
}

/// Whether a file holds tests only.
fn is_test(file: &str) -> bool {
    file.ends_with("tests.rs") || file.split('/').any(|part| part == "tests" || part == "benches" || part == "fuzz")
}

/// Runs every check; `Ok(false)` when there is a fault.
pub fn run() -> Result<bool, String> {
    let root = repo::root();
    let report = check(&root)?;
    for warning in &report.warnings {
        println!("warning: {warning}");
    }
    for fault in &report.faults {
        println!("error: {fault}");
    }
    println!("tidy: {} errors, {} warnings", report.faults.len(), report.warnings.len());
    Ok(report.faults.is_empty())
}

fn check(root: &Path) -> Result<Report, String> {
    let mut report = Report::default();
    let allowed = Allowed::read(root)?;
    let files = repo::files(root)?;
    for file in &files {
        let rust = file.ends_with(".rs");
        if rust || file.ends_with(".rb") || file.ends_with(".md") {
            let text = repo::read(root, file)?;
            files::check(file, &text, &allowed, &mut report);
            docs::check(root, file, &text, &allowed, &mut report);
            if rust {
                let masked = crate::rust_source::mask(&text);
                rust::check(file, &text, &masked, &allowed, &mut report);
                statics::check(file, &masked, &allowed, &mut report);
            }
        } else if file.ends_with("Cargo.toml") {
            crates::check(file, &repo::read(root, file)?, &mut report);
        }
    }
    allowed.report_unused(&mut report);
    Ok(report)
}
