//! The table of hot iterators: what a block costs. Each program times itself, so that the start of a process does
//! not count, and says what it computed, which has to be the same on every Ruby.

use super::table::{Cell, Table};
use super::{Bench, geometric_mean, median, wall_line};
use crate::{child, repo};

/// Times every program of `benches/iterators`.
pub fn run(bench: &Bench) -> Result<Table, String> {
    let mut columns = vec!["iterator".to_owned()];
    for (index, peer) in bench.peers.iter().enumerate() {
        columns.push(format!("{} (s)", peer.name));
        if index > 0 {
            columns.push(format!("ours / {}", peer.name));
        }
    }
    let mut table = Table::new("Iterators", columns);
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); bench.peers.len()];
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
                        if !table.wrong.contains(&problem) {
                            table.wrong.push(problem);
                        }
                    }
                }
            }
        }
        let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
        let mut row = vec![Cell::Text(name.clone())];
        for (index, &time) in medians.iter().enumerate() {
            row.push(Cell::Number(time, 3));
            if index > 0 {
                let ratio = medians[0] / time;
                if ratio.is_finite() {
                    ratios[index].push(ratio);
                }
                row.push(Cell::Number(ratio, 2));
            }
        }
        eprintln!("{name}: {}", medians.iter().map(|time| format!("{time:.3}")).collect::<Vec<_>>().join("  "));
        table.rows.push(row);
    }
    for (index, peer) in bench.peers.iter().enumerate().skip(1) {
        if let Some(worst) = ratios[index].iter().copied().max_by(f64::total_cmp) {
            let mean = geometric_mean(&ratios[index]);
            table
                .notes
                .push(format!("Geometric mean of ours / {}: **{mean:.2}**; the highest is {worst:.2}.", peer.name));
        }
    }
    Ok(table)
}

/// What a program printed, without its time.
fn results(stdout: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(stdout);
    text.lines().filter(|line| !line.starts_with("wall: ")).map(str::to_owned).collect()
}
