//! `cargo xtask cost`: the instructions that an operation takes, in two binaries, by callgrind.
//!
//! Each loop of `benches/cost` runs at two lengths; what both runs have in common cancels out.

use std::path::Path;
use std::process::Command;

use crate::repo;

/// The two lengths. Long enough that a growing body's copies are spread, short enough that nothing is collected.
const LENGTHS: [u64; 2] = [8_192, 24_576];

/// Runs of each length, of which the median counts: a start takes a few thousand instructions more or less, as the seeds
/// of the process's tables have it.
const RUNS: usize = 3;

/// Prints the table; `Ok(false)` if an operation costs more than `--most` instructions extra.
pub fn run(args: &[String]) -> Result<bool, String> {
    let (mut with, mut without, mut most) = (None, None, 4.0);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let value = args.next().ok_or_else(|| format!("{arg} needs a value"))?;
        match arg.as_str() {
            "--bin" => with = Some(value.clone()),
            "--without" => without = Some(value.clone()),
            "--most" => most = value.parse().map_err(|_| format!("not a number: {value}"))?,
            other => return Err(format!("unknown option {other}")),
        }
    }
    let root = repo::root();
    let with = repo::binary(&root, with.as_deref())?;
    let without = without.ok_or("--without PATH is missing: see benches/cost/README.md")?;
    println!("| operation | instructions | without the check | difference |");
    println!("|---|---:|---:|---:|");
    let mut fine = true;
    for file in repo::ruby_files(&root.join("benches/cost"))? {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let name = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        let ours = per_round(&with, &file)?;
        let bare = per_round(Path::new(&without), &file)?;
        println!("| {name} | {ours:.1} | {bare:.1} | {:+.1} |", ours - bare);
        fine &= ours - bare <= most;
    }
    Ok(fine)
}

/// Instructions of one round of a loop.
fn per_round(binary: &Path, file: &Path) -> Result<f64, String> {
    let [short, long] = LENGTHS;
    let difference = instructions(binary, file, long)? as f64 - instructions(binary, file, short)? as f64;
    Ok(difference / (long - short) as f64)
}

/// The median instructions of a loop of this length.
fn instructions(binary: &Path, file: &Path, length: u64) -> Result<u64, String> {
    let mut counts = (0..RUNS).map(|_| count(binary, file, length)).collect::<Result<Vec<_>, _>>()?;
    counts.sort_unstable();
    Ok(counts[RUNS / 2])
}

fn count(binary: &Path, file: &Path, length: u64) -> Result<u64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(binary)
        .arg(file)
        .arg(length.to_string())
        .output()
        .map_err(|error| format!("cannot run valgrind: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    // ==123== Collected : 456
    text.lines()
        .filter_map(|line| line.split_once("Collected :"))
        .find_map(|(_, count)| count.trim().parse().ok())
        .filter(|_| output.status.success())
        .ok_or_else(|| format!("{} under callgrind: {text}", file.display()))
}
