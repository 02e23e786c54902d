//! The tables about fibers: the programs of `benches/fiber`, and their curves as pictures.

use super::curves::{Curves, Line};
use super::peers::Peer;
use super::setup::{Bench, median, wall_line};
use super::table::{Cell, Table};
use crate::child;

const FOLDER: &str = "benches/fiber";
// As many of each as make a row of ours some tens of milliseconds and more, and three runs of the whole with `ruby` and
// `ruby --yjit` no more than about 150 s.
const SWITCHES: usize = 2_000_000;
const CREATED: usize = 400_000;
const STEPS: usize = 1_000_000;
const CALLS: usize = 10_000_000;
const DEPTHS: [&str; 4] = ["0", "10", "100", "1000"];
const BATCHES: [&str; 5] = ["1", "10", "100", "1000", "100000"];
const OBJECTS: [usize; 4] = [100, 500, 2000, 20_000];
/// Objects moved in a run of the game.
const MOVES: usize = 1_000_000;
const NAMED: [(&str, usize); 8] = [
    ("chain", STEPS),
    ("allocate", CREATED),
    ("reuse", CREATED),
    ("switch", STEPS),
    ("locals", STEPS),
    ("next", STEPS),
    ("peek", STEPS),
    ("scan", STEPS),
];
const LIVE: [(&str, &str); 2] = [("1000000", "ruby"), ("100000", "native")];

/// Pictures, with their file names.
pub type Pictures = Vec<(String, String)>;

/// The tables, and the pictures.
pub fn run(bench: &Bench) -> Result<(Vec<Table>, Pictures), String> {
    let mut tables = Vec::new();
    let mut pictures = Vec::new();
    let (table, times) = switching(bench)?;
    tables.push(table);
    let depths: Vec<String> = DEPTHS.iter().map(|&depth| depth.to_owned()).collect();
    pictures
        .push(("fiber_switch.svg".to_owned(), picture(bench, "A resume and a yield", "depth", &depths, "ns", &times)));
    let (table, times) = creation(bench)?;
    tables.push(table);
    let batches: Vec<String> = BATCHES.iter().map(|&batch| batch.to_owned()).collect();
    pictures.push((
        "fiber_create.svg".to_owned(),
        picture(bench, "Create, run and finish a fiber", "fibers at a time", &batches, "ns", &times),
    ));
    tables.push(live(bench)?);
    let (table, rates) = game(bench)?;
    tables.push(table);
    let objects: Vec<String> = OBJECTS.iter().map(ToString::to_string).collect();
    pictures.push((
        "fiber_game.svg".to_owned(),
        picture(bench, "Objects moved by fibers", "objects", &objects, "updates of all a second", &rates),
    ));
    tables.push(calls(bench)?);
    tables.push(named(bench)?);
    Ok((tables, pictures))
}

fn picture(bench: &Bench, title: &str, x: &str, labels: &[String], y: &str, values: &[Vec<f64>]) -> String {
    let lines = bench
        .peers
        .iter()
        .enumerate()
        .map(|(index, peer)| Line { name: peer.name.clone(), values: values.iter().map(|row| row[index]).collect() })
        .collect();
    Curves { title: title.to_owned(), x: x.to_owned(), y: y.to_owned(), labels: labels.to_vec(), lines }.to_svg()
}

/// The core that all programs run on, one after the other. A core whose other half is somebody else's may be several times as
/// slow as its neighbour: what runs on either says more of them than of the programs.
fn core() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get) - 1
}

/// The command of a program of the folder; CRuby gets stacks on which the deepest one fits.
fn command(peer: &Peer, program: &str, args: &[&str]) -> Vec<String> {
    let file = format!("{FOLDER}/{program}.rb");
    let mut all = vec![file.as_str()];
    all.extend_from_slice(args);
    let mut argv = vec!["taskset".to_owned(), "-c".to_owned(), core().to_string()];
    if program.starts_with("switch") {
        let settings = ["env", "RUBY_FIBER_VM_STACK_SIZE=4194304", "RUBY_FIBER_MACHINE_STACK_SIZE=8388608"];
        argv.extend(settings.map(str::to_owned));
    }
    argv.extend(peer.argv(&all));
    argv
}

/// Medians of the time a program says it took, for each Ruby, times `scale`.
fn medians(bench: &Bench, table: &mut Table, program: &str, args: &[&str], scale: f64) -> Result<Vec<f64>, String> {
    Ok(interleaved(bench, table, program, &[args.to_vec()], scale)?.remove(0))
}

/// Medians of the times for several lists of arguments. What is compared with one another is measured in turn, not one after
/// the other: a machine that is shared may be slow for some seconds.
fn interleaved(
    bench: &Bench,
    table: &mut Table,
    program: &str,
    lists: &[Vec<&str>],
    scale: f64,
) -> Result<Vec<Vec<f64>>, String> {
    let mut times: Vec<Vec<Vec<f64>>> = vec![vec![Vec::new(); bench.peers.len()]; lists.len()];
    let mut failed = vec![vec![false; bench.peers.len()]; lists.len()];
    for _ in 0..bench.options.runs {
        for (list, args) in lists.iter().enumerate() {
            for (index, peer) in bench.peers.iter().enumerate() {
                if failed[list][index] {
                    continue;
                }
                let measured = child::measure(&command(peer, program, args), bench.root)?;
                match wall_line(&measured.stdout) {
                    Some(time) if measured.success => times[list][index].push(time * scale),
                    _ => {
                        failed[list][index] = true;
                        let stderr = String::from_utf8_lossy(&measured.stderr);
                        let first = stderr.lines().next().unwrap_or_default();
                        table.wrong.push(format!("{program} {} on {}: {first}", args.join(" "), peer.name));
                    }
                }
            }
        }
    }
    let mut all = Vec::new();
    for ((args, times), failed) in lists.iter().zip(&mut times).zip(failed) {
        let medians: Vec<f64> =
            times.iter_mut().zip(failed).map(|(times, failed)| if failed { f64::NAN } else { median(times) }).collect();
        let shown: Vec<String> = medians.iter().map(|time| format!("{time:.1}")).collect();
        eprintln!("{program} {}: {}", args.join(" "), shown.join("  "));
        all.push(medians);
    }
    Ok(all)
}

/// What is left of the times `all` without those of a program's loops.
fn less(all: &[f64], loops: &[f64]) -> Vec<f64> {
    all.iter().zip(loops).map(|(time, empty)| time - empty).collect()
}

fn columns(bench: &Bench, first: &str, unit: &str) -> Vec<String> {
    let mut columns = vec![first.to_owned()];
    for (index, peer) in bench.peers.iter().enumerate() {
        columns.push(format!("{} ({unit})", peer.name));
        if index > 0 {
            columns.push(format!("{} / ours", peer.name));
        }
    }
    columns
}

fn row(name: &str, values: &[f64], digits: usize) -> Vec<Cell> {
    let mut row = vec![Cell::Text(name.to_owned())];
    for (index, &value) in values.iter().enumerate() {
        row.push(Cell::Number(value, digits));
        if index > 0 {
            row.push(Cell::Number(value / values[0], 2));
        }
    }
    row
}

fn switching(bench: &Bench) -> Result<(Table, Vec<Vec<f64>>), String> {
    let mut table = Table::new(
        "Fibers: a resume and a yield, by the depth of the calls in the fiber",
        columns(bench, "depth", "ns"),
    );
    let count = SWITCHES.to_string();
    let scale = 1e9 / SWITCHES as f64;
    let mut lists = vec![vec!["loop", &count]];
    lists.extend(DEPTHS.map(|depth| vec![depth, &count]));
    let mut all = interleaved(bench, &mut table, "switch", &lists, scale)?;
    let empty = all.remove(0);
    table.rows.push(row("the loop alone", &empty, 1));
    for (depth, times) in DEPTHS.iter().zip(&all) {
        table.rows.push(row(depth, times, 1));
    }
    if let (Some(first), Some(last)) = (all.first(), all.last()) {
        table.rows.push(row("0, less the loop", &less(first, &empty), 1));
        table.notes.push(format!("Ours at depth 1000 takes {:.2} of the time at depth 0.", last[0] / first[0]));
    }
    table.notes.push(
        "CRuby runs with RUBY_FIBER_VM_STACK_SIZE=4194304 and RUBY_FIBER_MACHINE_STACK_SIZE=8388608: with its defaults a fiber \
         overflows at depth 1000."
            .to_owned(),
    );
    table.notes.push(format!("All programs of these tables run on core {}, one after the other, in turn.", core()));
    Ok((table, all))
}

fn creation(bench: &Bench) -> Result<(Table, Vec<Vec<f64>>), String> {
    let mut table =
        Table::new("Fibers: create, run and finish one, by how many live at a time", columns(bench, "batch", "ns"));
    let total = CREATED.to_string();
    let mut lists: Vec<Vec<&str>> = BATCHES.map(|batch| vec![batch, &total]).to_vec();
    lists.extend(BATCHES.map(|batch| vec![batch, &total, "loop"]));
    let mut all = interleaved(bench, &mut table, "create", &lists, 1e9 / CREATED as f64)?;
    let loops = all.split_off(BATCHES.len());
    for (batch, times) in BATCHES.iter().zip(&all) {
        table.rows.push(row(batch, times, 1));
    }
    for ((batch, times), empty) in BATCHES.iter().zip(&all).zip(&loops) {
        table.rows.push(row(&format!("{batch}, less the loops"), &less(times, empty), 1));
    }
    table.notes.push(
        "A batch of n costs 2 / n calls of `Integer#times` and 1 / n of a block a fiber beside the fiber itself, which \"less the loops\" \
         leaves out."
            .to_owned(),
    );
    Ok((table, all))
}

fn live(bench: &Bench) -> Result<Table, String> {
    let columns = ["what", "Ruby", "live", "RSS (MiB)", "bytes each", "made and started in (s)"].map(str::to_owned);
    let mut table = Table::new("Fibers: how many live at once, with the kernel's default settings", columns.to_vec());
    for (count, kind) in LIVE {
        for peer in &bench.peers {
            let measured = child::measure(&command(peer, "live", &[count, kind]), bench.root)?;
            let text = String::from_utf8_lossy(&measured.stdout).into_owned();
            let number = |name: &str| -> f64 {
                let found = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
                found.unwrap_or(f64::NAN)
            };
            let (live, rss) = (number("live:"), number("rss:"));
            eprintln!("live {count} {kind} on {}: {live} {rss}", peer.name);
            if !measured.success {
                table.wrong.push(format!("live {count} {kind} on {} failed", peer.name));
            }
            if let Some(end) = text.lines().find(|line| line.starts_with("ended:")) {
                table.notes.push(format!("{}, {kind}: {end}", peer.name));
            }
            table.rows.push(vec![
                Cell::Text(format!(
                    "{count}, suspended in {}",
                    if kind == "ruby" { "a Ruby block" } else { "sort's block" }
                )),
                Cell::Text(peer.name.clone()),
                Cell::Number(live, 0),
                Cell::Number(rss / 1024.0, 0),
                Cell::Number(rss * 1024.0 / live, 0),
                Cell::Number(wall_line(&measured.stdout).unwrap_or(f64::NAN), 2),
            ]);
        }
    }
    Ok(table)
}

fn game(bench: &Bench) -> Result<(Table, Vec<Vec<f64>>), String> {
    let mut table = Table::new("Fibers: a game's objects, updates of all a second", columns(bench, "objects", "1/s"));
    let mut all = Vec::new();
    for objects in OBJECTS {
        let updates = MOVES / objects;
        let times = medians(bench, &mut table, "game", &[&objects.to_string(), &updates.to_string()], 1.0)?;
        let rates: Vec<f64> = times.iter().map(|time| updates as f64 / time).collect();
        let mut row = row(&objects.to_string(), &rates, 1);
        // How many times faster, as everywhere.
        for (index, &rate) in rates.iter().enumerate().skip(1) {
            row[index * 2 + 1] = Cell::Number(rates[0] / rate, 2);
        }
        table.rows.push(row);
        all.push(rates);
    }
    Ok((table, all))
}

fn calls(bench: &Bench) -> Result<Table, String> {
    let mut table = Table::new("Fibers: ten million calls", columns(bench, "what", "s"));
    let count = CALLS.to_string();
    for what in ["method", "proc", "fiber"] {
        let times = medians(bench, &mut table, "calls", &[what, &count], 1.0)?;
        table.rows.push(row(what, &times, 3));
    }
    Ok(table)
}

fn named(bench: &Bench) -> Result<Table, String> {
    let mut table =
        Table::new("Fibers: programs by the names of CRuby's benchmarks, and Enumerator", columns(bench, "what", "ns"));
    for (what, count) in NAMED {
        let times = medians(bench, &mut table, "named", &[what, &count.to_string()], 1e9 / count as f64)?;
        table.rows.push(row(what, &times, 1));
    }
    Ok(table)
}
