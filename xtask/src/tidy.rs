//! `cargo xtask tidy`: the rules of the project that no compiler checks.
//!
//! Exceptions are listed, each with its reason, in `xtask/tidy-allow.txt`; one that is no longer needed
//! is a fault itself.

mod allow;
mod circles;
mod crates;
mod docs;
mod modules;
mod prelude;
mod report;
mod rust;
mod sizes;
mod statics;

use std::path::Path;

use crate::repo;
use allow::Allowed;
use report::Report;

/// Runs every check; `Ok(false)` when there is a fault.
pub fn run() -> Result<bool, String> {
    let root = repo::root();
    let report = check(&root)?;
    for fault in &report.faults {
        println!("error: {fault}");
    }
    println!("tidy: {} errors", report.faults.len());
    Ok(report.faults.is_empty())
}

fn check(root: &Path) -> Result<Report, String> {
    let mut report = Report::default();
    let allowed = Allowed::read(root)?;
    let mut crates = sizes::Crates::default();
    let mut sources = circles::Sources::default();
    let mut manifests = crates::Manifests::default();
    let files = repo::files(root)?;
    for file in &files {
        if file.ends_with(".md") {
            docs::check(root, file, &repo::read(root, file)?, &allowed, &mut report);
        } else if file.ends_with(".rb") {
            let text = repo::read(root, file)?;
            sizes::check(file, &text, None, &mut crates, &allowed, &mut report);
            docs::check(root, file, &text, &allowed, &mut report);
            prelude::check(file, &text, &mut report);
        } else if file.ends_with(".rs") {
            let text = repo::read(root, file)?;
            let masked = crate::rust_source::mask(&text);
            sizes::check(file, &text, Some(&masked), &mut crates, &allowed, &mut report);
            docs::check(root, file, &text, &allowed, &mut report);
            rust::check(file, &text, &masked, &allowed, &mut report);
            statics::check(file, &masked, &allowed, &mut report);
            sources.add(file, &masked);
        } else if file.ends_with("Cargo.toml") {
            manifests.add(file, &repo::read(root, file)?);
        }
    }
    crates.check(&mut report);
    sources.check(&allowed, &mut report);
    manifests.check(&repo::read(root, crates::TABLE)?, &mut report);
    allowed.report_unused(&mut report);
    Ok(report)
}
