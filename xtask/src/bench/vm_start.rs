//! VMs that start and wait: `benches/vms/start.rb` beside the same program under CRuby, where child processes stand for VMs.

use super::setup::{Bench, median};
use super::table::{Cell, Table};
use crate::child;

/// VMs that are made one after the other, and VMs that wait at the same time.
const COUNT: &str = "500";
/// How often so many VMs come and go.
const ROUNDS: &str = "10";

/// The table about starting VMs.
pub fn run(bench: &Bench) -> Result<Vec<Table>, String> {
    let columns = ["", "ours", "ruby, fork", "ours / ruby"].map(str::to_owned).to_vec();
    let mut table = Table::new("Starting VMs", columns);
    for (name, arguments, line, digits) in [
        ("made, run and joined (µs)", ["create", COUNT, "1"], "each: ", 0),
        ("the same, CPU (µs)", ["create", COUNT, "1"], "cpu: ", 0),
        ("memory of one that waits (KB)", ["park", COUNT, "1"], "each: ", 0),
        ("memory left when all have ended, ten times (%)", ["park", COUNT, ROUNDS], "left: ", 1),
        ("growth from the first of these times to the last (%)", ["park", COUNT, ROUNDS], "grown: ", 1),
    ] {
        let ours = value(bench, &mut table, "asterism", &arguments, line)?;
        let ruby = value(bench, &mut table, "ruby", &arguments, line)?;
        let cell = |value: Option<f64>| value.map_or(Cell::Missing, |v| Cell::Number(v, digits));
        let ratio = match (ours, ruby) {
            (Some(ours), Some(ruby)) if !name.ends_with("(%)") => Cell::Number(ours / ruby, 2),
            _ => Cell::Missing,
        };
        eprintln!("start {}: done", arguments.join(" "));
        table.rows.push(vec![Cell::Text(name.to_owned()), cell(ours), cell(ruby), ratio]);
    }
    table.notes.push(format!(
        "{COUNT} VMs that run an empty block, one after the other; {COUNT} that wait for a message at the same time: how much \
         larger the process is then, for each; how much larger it is than at first after {ROUNDS} times as many have ended. A \
         child process's memory is what it has for itself alone."
    ));
    Ok(vec![table])
}

/// The median of what the program says behind `line`; `None` if that Ruby is not there or fails.
fn value(
    bench: &Bench,
    table: &mut Table,
    peer: &str,
    arguments: &[&str; 3],
    line: &str,
) -> Result<Option<f64>, String> {
    let Some(peer) = bench.peers.iter().find(|candidate| candidate.name == peer) else { return Ok(None) };
    let argv: Vec<&str> = std::iter::once("benches/vms/start.rb").chain(arguments.iter().copied()).collect();
    let mut values = Vec::new();
    for _ in 0..bench.options.runs.min(3) {
        let measured = child::measure(&peer.argv(&argv), bench.root)?;
        let text = String::from_utf8_lossy(&measured.stdout).into_owned();
        let found = text.lines().find_map(|l| l.strip_prefix(line)?.trim().parse().ok());
        match found.filter(|_| measured.success) {
            Some(value) => values.push(value),
            None => {
                table.wrong.push(format!("start {} failed on {}", arguments.join(" "), peer.name));
                return Ok(None);
            }
        }
    }
    Ok(Some(median(&mut values)))
}
