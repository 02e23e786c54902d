//! The applications of `examples/vms`: VMs beside processes, with 1, 2 and 4 workers; and programs that run in two VMs at once
//! beside two processes.

use super::peers::Peer;
use super::setup::{Bench, median, wall_line};
use super::table::{Cell, Table};
use crate::child;

const WORKERS: [usize; 3] = [1, 2, 4];
/// Programs that two VMs run at the same time.
const PAIRS: [&str; 4] = ["fib", "mandelbrot", "regex_dna", "object_alloc"];
const LINES: usize = 20_000;
const REQUESTS: usize = 5000;
const SIZE: usize = 80;
const SECONDS: usize = 3;

/// The tables about applications.
pub fn run(bench: &Bench) -> Result<Vec<Table>, String> {
    Ok(vec![html(bench)?, db(bench)?, ao(bench)?, web(bench)?, pairs(bench)?])
}

fn html(bench: &Bench) -> Result<Table, String> {
    let mut table = scaling("HTML generation (lines a second)");
    for divs in [1, 100] {
        // A page of a hundred elements takes some twenty times as long.
        let lines = if divs == 1 { LINES } else { LINES / 4 };
        let args = |workers: usize| vec![workers.to_string(), divs.to_string(), lines.to_string()];
        fill(bench, &mut table, &format!("({divs}) "), "html", args, |_, wall| lines as f64 / wall)?;
    }
    Ok(table)
}

fn db(bench: &Bench) -> Result<Table, String> {
    let mut table = scaling("Database through dRuby (requests a second of all front ends)");
    let args = |fronts: usize| vec![fronts.to_string(), REQUESTS.to_string()];
    fill(bench, &mut table, "", "db", args, |fronts, wall| (fronts * REQUESTS) as f64 / wall)?;
    Ok(table)
}

fn ao(bench: &Bench) -> Result<Table, String> {
    let mut table = scaling("AO bench (pictures a second)");
    let args = |workers: usize| vec![workers.to_string(), SIZE.to_string()];
    fill(bench, &mut table, "", "ao", args, |_, wall| 1.0 / wall)?;
    Ok(table)
}

fn web(bench: &Bench) -> Result<Table, String> {
    let mut table = scaling("Web server on loopback (requests a second, 4 clients)");
    let args = |workers: usize| vec![workers.to_string(), "4".to_owned(), SECONDS.to_string()];
    // The program prints the rate; its wall time says nothing.
    fill(bench, &mut table, "", "web", args, |_, rate| rate)?;
    Ok(table)
}

fn scaling(title: &str) -> Table {
    let mut columns = vec!["what".to_owned()];
    columns.extend(WORKERS.map(|n| format!("{n} workers")));
    columns.push("2 / 1".to_owned());
    Table::new(title, columns)
}

/// Rows for VMs, our processes and those of CRuby. `rate` makes of the workers and what the program says what is shown.
fn fill(
    bench: &Bench,
    table: &mut Table,
    prefix: &str,
    program: &str,
    args: impl Fn(usize) -> Vec<String>,
    rate: impl Fn(usize, f64) -> f64,
) -> Result<(), String> {
    let file = format!("examples/vms/{program}.rb");
    let kinds: Vec<(String, &str, &Peer)> = bench
        .peers
        .iter()
        .enumerate()
        .flat_map(|(index, peer)| {
            let vms = (index == 0).then(|| (format!("{prefix}VMs"), "vms", peer));
            vms.into_iter().chain([(format!("{prefix}processes, {}", peer.name), "processes", peer)])
        })
        .collect();
    let mut rates = vec![vec![Vec::new(); WORKERS.len()]; kinds.len()];
    for _ in 0..bench.options.runs.min(3) {
        for (column, &workers) in WORKERS.iter().enumerate() {
            for (row, (name, mode, peer)) in kinds.iter().enumerate() {
                let args = args(workers);
                let argv: Vec<&str> =
                    [file.as_str(), mode].into_iter().chain(args.iter().map(String::as_str)).collect();
                let measured = child::measure(&peer.argv(&argv), bench.root)?;
                match said(&measured.stdout) {
                    Some(said) if measured.success => rates[row][column].push(rate(workers, said)),
                    _ => table.wrong.push(format!("{program} with {workers} workers failed: {name}")),
                }
            }
        }
        eprintln!("{program} {prefix}: a round is done");
    }
    for ((name, _, _), rates) in kinds.iter().zip(&mut rates) {
        let mut row = vec![Cell::Text(name.clone())];
        let medians: Vec<f64> = rates.iter_mut().map(|list| median(list)).collect();
        row.extend(medians.iter().map(|&rate| Cell::Number(rate, 1)));
        row.push(Cell::Number(medians[1] / medians[0], 2));
        table.rows.push(row);
    }
    Ok(())
}

/// The wall time that the program prints, or its rate.
fn said(stdout: &[u8]) -> Option<f64> {
    let text = String::from_utf8_lossy(stdout);
    wall_line(stdout).or_else(|| text.lines().find_map(|line| line.strip_prefix("rate: ")?.trim().parse().ok()))
}

fn pairs(bench: &Bench) -> Result<Table, String> {
    let columns = ["program", "two VMs (s)", "two processes (s)", "processes / VMs"].map(str::to_owned);
    let mut table = Table::new("Two VMs beside two processes", columns.to_vec());
    for program in PAIRS {
        let file = format!("benches/programs/{program}.rb");
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..bench.options.runs {
            for (times, mode) in times.iter_mut().zip(["vms", "processes"]) {
                let argv = bench.peers[0].argv(&["benches/apps/pair.rb", mode, "2", &file]);
                let measured = child::measure(&argv, bench.root)?;
                match wall_line(&measured.stdout) {
                    Some(wall) if measured.success => times.push(wall),
                    _ => table.wrong.push(format!("{program} failed: {mode}")),
                }
            }
        }
        let [vms, processes] = times.each_mut().map(|times| median(times));
        table.rows.push(vec![
            Cell::Text(program.to_owned()),
            Cell::Number(vms, 3),
            Cell::Number(processes, 3),
            Cell::Number(processes / vms, 2),
        ]);
        eprintln!("pair {program}: done");
    }
    Ok(table)
}
