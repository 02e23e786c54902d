//! The first table: one thread, each program on each Ruby.

use super::table::{Cell, Table};
use super::{Bench, geometric_mean, median};
use crate::{child, repo};

/// Times every program of `benches/programs`.
pub fn run(bench: &Bench) -> Result<Table, String> {
    let mut columns = vec!["program".to_owned()];
    for (index, peer) in bench.peers.iter().enumerate() {
        columns.push(format!("{} (s)", peer.name));
        if index > 0 {
            columns.push(format!("ours / {}", peer.name));
        }
    }
    let mut table = Table::new("One thread", columns);
    let mut ratios: Vec<Vec<f64>> = vec![Vec::new(); bench.peers.len()];

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
                    table.wrong.push(format!("{name} on {}: {what} {first}", peer.name));
                }
            }
        }

        let medians: Vec<f64> = times
            .iter_mut()
            .zip(&failed)
            .map(|(times, &failed)| if failed { f64::NAN } else { median(times) })
            .collect();
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
            table.notes.push(format!(
                "Geometric mean of ours / {}: **{:.2}** over {} programs; the highest is {worst:.2}.",
                peer.name,
                geometric_mean(&ratios[index]),
                ratios[index].len()
            ));
        }
    }
    Ok(table)
}
