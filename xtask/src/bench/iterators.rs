//! The table of hot iterators: what a block costs. Each program times itself, so that the start of a process does
//! not count, and says what it computed, which has to be the same on every Ruby.

use super::compare::Comparison;
use super::setup::{Bench, wall_line};
use super::table::Table;
use crate::{child, repo};

/// Times every program of `benches/iterators`.
pub fn run(bench: &Bench) -> Result<Table, String> {
    let mut comparison = Comparison::new(bench, "Iterators", "iterator");
    for path in repo::ruby_files(&bench.root.join("benches/iterators"))? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !bench.options.wants(&name) {
            continue;
        }
        let file = path.strip_prefix(bench.root).unwrap_or(&path).to_string_lossy().into_owned();
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); bench.peers.len()];
        let mut said: Option<Vec<String>> = None;
        for _ in 0..bench.options.runs {
            for (index, peer) in bench.peers.iter().enumerate() {
                let measured = child::measure(&peer.argv(&[&file]), bench.root)?;
                let result = results(&measured.stdout);
                match wall_line(&measured.stdout) {
                    Some(seconds) if measured.success && said.as_ref().is_none_or(|said| *said == result) => {
                        times[index].push(seconds);
                        said.get_or_insert(result);
                    }
                    _ => {
                        let problem = format!("{name} on {}: a failure or another result", peer.name);
                        if !comparison.table.wrong.contains(&problem) {
                            comparison.table.wrong.push(problem);
                        }
                    }
                }
            }
        }
        comparison.add(name, times);
    }
    Ok(comparison.finish())
}

/// What a program printed, without its time.
fn results(stdout: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(stdout);
    text.lines().filter(|line| !line.starts_with("wall: ")).map(str::to_owned).collect()
}
