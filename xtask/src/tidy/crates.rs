//! The crates: the table of docs/ARCHITECTURE.md lists each with the ones it may know, and they lie below it.

use std::collections::{BTreeMap, BTreeSet};

use super::report::Report;

/// Where the table is.
pub const TABLE: &str = "docs/ARCHITECTURE.md";

/// A row of the table.
struct Row {
    line: usize,
    name: String,
    may_know: BTreeSet<String>,
}

/// What the manifests say, gathered while the files are read: each crate with the ones it depends on.
#[derive(Default)]
pub struct Manifests(BTreeMap<String, BTreeSet<String>>);

impl Manifests {
    /// Notes a manifest.
    pub fn add(&mut self, file: &str, text: &str) {
        let Some(folder) = file.strip_suffix("/Cargo.toml") else {
            return;
        };
        let mut section = String::new();
        let mut known = BTreeSet::new();
        for line in text.lines().map(str::trim) {
            if line.starts_with('[') {
                section = line.trim_matches(['[', ']']).to_owned();
                if let Some((kind, dependency)) = section.rsplit_once('.')
                    && kind.ends_with("dependencies")
                {
                    known.extend(ours(dependency));
                }
            } else if section.ends_with("dependencies") {
                known.extend(ours(line.split(['.', '=', ' ']).next().unwrap_or_default()));
            }
        }
        self.0.insert(short(folder).to_owned(), known);
    }

    /// Compares them with the table.
    pub fn check(&self, document: &str, report: &mut Report) {
        let rows = table(document);
        for name in self.0.keys().filter(|name| rows.iter().all(|row| row.name != **name)) {
            report.fault(TABLE, 0, &format!("the table of crates lacks `{name}`"));
        }
        for (number, row) in rows.iter().enumerate() {
            let Some(known) = self.0.get(&row.name) else {
                report.fault(TABLE, row.line, &format!("there is no crate `{}`", row.name));
                continue;
            };
            if *known != row.may_know {
                let known: Vec<_> = known.iter().map(String::as_str).collect();
                report.fault(TABLE, row.line, &format!("`{}` depends on: {}", row.name, known.join(", ")));
            }
            for above in rows[..=number].iter().filter(|above| known.contains(&above.name)) {
                let message = format!("`{}` depends on `{}`, which does not lie below it", row.name, above.name);
                report.fault(TABLE, row.line, &message);
            }
        }
    }
}

/// The name of one of our crates in a manifest, without the prefix.
fn ours(dependency: &str) -> Option<String> {
    match dependency.trim_matches('"') {
        "asterism" => Some("asterism".to_owned()),
        other => other.strip_prefix("asterism-").map(str::to_owned),
    }
}

fn short(folder: &str) -> &str {
    folder.strip_prefix("crates/").unwrap_or(folder)
}

/// The rows of the table of crates.
fn table(document: &str) -> Vec<Row> {
    let lines = document.lines().enumerate().skip_while(|(_, line)| !line.starts_with("| crate |"));
    let mut rows = Vec::new();
    for (index, line) in lines.skip(2).take_while(|(_, line)| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [folder, .., may_know] = cells[..] else { continue };
        let may_know = may_know.split(", ").filter(|name| *name != "nothing").map(str::to_owned).collect();
        rows.push(Row { line: index + 1, name: short(folder.trim_matches('`')).to_owned(), may_know });
    }
    rows
}

#[cfg(test)]
#[path = "crates_tests.rs"]
mod tests;
