//! The first table: one thread, each program on each Ruby.

use super::compare::Comparison;
use super::setup::Bench;
use super::table::Table;
use crate::{child, repo};

/// Times every program of `benches/programs`.
pub fn run(bench: &Bench) -> Result<Table, String> {
    let mut comparison = Comparison::new(bench, "One thread", "program");
    for path in repo::ruby_files(&bench.root.join("benches/programs"))? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !bench.options.wants(&name) {
            continue;
        }
        let expected = repo::read(bench.root, &format!("benches/expected/{name}.txt"))?.into_bytes();
        let file = path.strip_prefix(bench.root).unwrap_or(&path).to_string_lossy().into_owned();
        let mut times: Vec<Vec<f64>> = vec![Vec::new(); bench.peers.len()];
        let mut failed = vec![false; bench.peers.len()];
        for _ in 0..bench.options.runs {
            for (index, peer) in bench.peers.iter().enumerate() {
                if failed[index] {
                    continue;
                }
                let measured = child::measure(&peer.argv(&[&file]), bench.root)?;
                if measured.success && measured.stdout == expected {
                    times[index].push(measured.seconds);
                } else {
                    failed[index] = true;
                    let what = if measured.success { "a wrong output" } else { "a failure" };
                    let stderr = String::from_utf8_lossy(&measured.stderr);
                    let first = stderr.lines().next().unwrap_or_default();
                    comparison.table.wrong.push(format!("{name} on {}: {what} {first}", peer.name));
                }
            }
        }

        for (times, &failed) in times.iter_mut().zip(&failed) {
            if failed {
                times.clear();
            }
        }
        comparison.add(name, times);
    }
    Ok(comparison.finish())
}
