//! Paths that documents and comments name must exist.

use std::path::Path;

use super::allow::Allowed;
use super::report::Report;

const FOLDERS: [&str; 9] = ["crates/", "docs/", "tests/", "benches/", "examples/", "xtask/", "bin/", ".ci/", ".cargo/"];

/// Checks the backticked paths and the links of one file.
pub fn check(root: &Path, file: &str, text: &str, allowed: &Allowed, report: &mut Report) {
    let markdown = file.ends_with(".md");
    let comment = if file.ends_with(".rb") { "#" } else { "//" };
    let mut fenced = false;
    for (index, line) in text.lines().enumerate() {
        if markdown && line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced || (!markdown && !line.trim_start().starts_with(comment)) {
            continue;
        }
        for path in line.split('`').skip(1).step_by(2).filter_map(repository_path) {
            if !root.join(&path).exists() && !allowed.has("path", file, &path) {
                report.fault(file, index + 1, &format!("`{path}` does not exist"));
            }
        }
        if markdown {
            for target in links(line) {
                let folder = Path::new(file).parent().unwrap_or(Path::new(""));
                if !root.join(folder).join(target).exists() && !allowed.has("path", file, target) {
                    report.fault(file, index + 1, &format!("the link to {target} leads nowhere"));
                }
            }
        }
    }
}

/// The part of a quoted text that must exist, if it is a path in the repository.
fn repository_path(quoted: &str) -> Option<String> {
    let text = quoted.strip_prefix("./").unwrap_or(quoted);
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let capital_document = text.ends_with(".md") && !text.contains('/') && text.starts_with(|c: char| c.is_uppercase());
    if capital_document && text.chars().all(plain) {
        return Some(text.to_owned());
    }
    if !FOLDERS.iter().any(|folder| text.starts_with(folder)) || text.contains(' ') {
        return None;
    }
    // `path:12` names a line, `path/*.rb` and `path/<name>` what lies below a folder.
    let text = text.split(':').next()?;
    let known = match text.find(|c| !plain(c)) {
        Some(end) => &text[..text[..end].rfind('/')?],
        None => text,
    };
    Some(known.trim_end_matches('/').to_owned())
}

/// Targets of Markdown links to files.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split([')', '#', ' ']).next()?;
        let outside = target.is_empty() || target.contains("://") || target.starts_with("mailto:");
        (!outside).then_some(target)
    })
}

#[cfg(test)]
#[path = "docs_tests.rs"]
mod tests;
