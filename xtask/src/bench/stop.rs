//! How long the world takes to stop while other threads are inside long native operations.

use super::setup::Bench;
use super::table::{Cell, Table};
use crate::child;

/// What the other threads do.
const CASES: [&[&str]; 7] =
    [&["none"], &["regexp"], &["sort"], &["bignum"], &["file"], &["copy"], &["regexp", "sort", "bignum", "file"]];
const SECONDS: &str = "5";

/// The table.
pub fn run(bench: &Bench) -> Result<Table, String> {
    let columns = [
        "other threads",
        "collections",
        "time to stop, median (ms)",
        "p99 (ms)",
        "max (ms)",
        "pause, median (ms)",
        "p99 (ms)",
    ];
    let mut table = Table::new("Time to stop", columns.map(str::to_owned).to_vec());
    for case in CASES {
        let mut args = vec!["--gc-stats", "benches/parallel/stop.rb", SECONDS];
        args.extend(case);
        let measured = child::measure(&bench.peers[0].argv(&args), bench.root)?;
        let stderr = String::from_utf8_lossy(&measured.stderr).into_owned();
        let number = |line: &str, what: &str| {
            let line = stderr.lines().find_map(|l| l.strip_prefix(line))?;
            let text = if what.is_empty() { line } else { line.split_once(what)?.1 };
            text.split_whitespace().next()?.parse::<f64>().ok()
        };
        let cell =
            |line: &str, what: &str, digits| number(line, what).map_or(Cell::Missing, |n| Cell::Number(n, digits));
        if !measured.success {
            table.wrong.push(format!("stop.rb {} failed", case.join(" ")));
        }
        table.rows.push(vec![
            Cell::Text(case.join(", ")),
            cell("collections", "", 0),
            cell("time to stop", "median", 3),
            cell("time to stop", "p99", 3),
            cell("time to stop", "max", 3),
            cell("pauses", "median", 3),
            cell("pauses", "p99", 3),
        ]);
    }
    table.notes.push(
        "With more running threads than cores the time in which the kernel does not run a thread that has to stop is \
         in these figures."
            .to_owned(),
    );
    Ok(table)
}
