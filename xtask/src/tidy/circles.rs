//! Circles of files: those that refer to each other can only be read, moved and tested together.

use std::collections::BTreeMap;

use super::allow::Allowed;
use super::modules::Graph;
use super::report::{Report, is_test};

/// So many files may refer to each other in a circle.
const MOST: usize = 5;

/// The Rust files of the crates, gathered while the other checks read them.
#[derive(Default)]
pub struct Sources {
    /// By crate: the names of files below `src` and their texts without comments and literals.
    crates: BTreeMap<String, Vec<(String, String)>>,
}

impl Sources {
    /// Notes a file.
    pub fn add(&mut self, file: &str, masked: &str) {
        if let Some((folder, name)) = file.split_once("/src/")
            && !is_test(file)
        {
            self.crates.entry(format!("{folder}/src")).or_default().push((name.to_owned(), masked.to_owned()));
        }
    }

    /// Checks every crate.
    pub fn check(&self, allowed: &Allowed, report: &mut Report) {
        for (folder, files) in &self.crates {
            for circle in Graph::new(files).circles() {
                let circle: Vec<String> = circle.into_iter().map(|n| format!("{folder}/{}", files[n].0)).collect();
                let listed = circle.iter().filter_map(|file| allowed.most("circle", file)).max().unwrap_or(MOST);
                if circle.len() > listed {
                    let message =
                        format!("a circle of {} files, more than {listed}: {}", circle.len(), circle.join(" "));
                    report.fault(&circle[0], 0, &message);
                }
            }
        }
    }
}
