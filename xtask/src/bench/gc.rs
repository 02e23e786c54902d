//! What collections cost: pauses and times of both kinds, of ours and of each build given as a peer.

use super::setup::Bench;
use super::table::{Cell, Table};
use crate::child;

/// The programs and their arguments.
const PROGRAMS: [&[&str]; 4] = [
    &["benches/programs/gcbench.rb"],
    &["benches/programs/binary_trees.rb"],
    &["benches/gc/churn.rb", "500", "50000"],
    &["benches/gc/server.rb", "500", "20000"],
];

/// The table. Peers are other builds of ours: `--peer before=PATH`.
pub fn run(bench: &Bench) -> Result<Table, String> {
    let columns = [
        "program",
        "build",
        "wall (s)",
        "peak (MiB)",
        "a second",
        "minor",
        "p99 (ms)",
        "all (ms)",
        "major",
        "p99 (ms)",
        "all (ms)",
        "all pauses (ms)",
    ];
    let mut table = Table::new("Collections", columns.map(str::to_owned).to_vec());
    let given = |name: &str| bench.options.peers.iter().any(|(peer, _)| peer == name);
    for program in PROGRAMS {
        for (_, peer) in bench.peers.iter().enumerate().filter(|(i, peer)| *i == 0 || given(&peer.name)) {
            let args: Vec<&str> = ["--gc-stats"].iter().chain(program).copied().collect();
            let measured = child::measure(&peer.argv(&args), bench.root)?;
            if !measured.success {
                table.wrong.push(format!("{} failed with {}", program[0], peer.name));
            }
            let stderr = String::from_utf8_lossy(&measured.stderr).into_owned();
            let cell = |line: &str, what: &str, digits| {
                number(&stderr, line, what).map_or(Cell::Missing, |n| Cell::Number(n, digits))
            };
            // Before there were generations all collections were major ones.
            let old = number(&stderr, "major pauses", "p99").is_none();
            let major = if old { "pauses" } else { "major pauses" };
            table.rows.push(vec![
                Cell::Text(program[0].rsplit('/').next().unwrap_or_default().trim_end_matches(".rb").to_owned()),
                Cell::Text(peer.name.clone()),
                Cell::Number(measured.seconds, 2),
                Cell::Number(measured.peak_kib as f64 / 1024.0, 0),
                number(&stderr, "", "a second").map_or(Cell::Missing, |n| Cell::Number(n, 0)),
                cell("collections", "minor:", 0),
                cell("minor pauses", "p99", 3),
                cell("minor pauses", "all", 1),
                if old { cell("collections", "", 0) } else { cell("collections", "major:", 0) },
                cell(major, "p99", 3),
                cell(major, "all", 1),
                cell("pauses", "all", 1),
            ]);
        }
    }
    Ok(table)
}

/// The number behind `what` in the line of the statistics that begins with `line`.
fn number(stderr: &str, line: &str, what: &str) -> Option<f64> {
    let of = |l: &&str| l.starts_with(line) && l.contains(what);
    let text = stderr.lines().find(of)?.strip_prefix(line)?;
    text.split_once(what)?.1.split_whitespace().next()?.trim_end_matches(',').parse().ok()
}
