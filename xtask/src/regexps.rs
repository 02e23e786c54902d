//! `cargo xtask regexps`: random patterns and subjects (`fuzz/regexp.rb`) under two Rubies, whose answers are compared.
//!
//! What is known to differ, and why, is in `fuzz/regexp-differences.tsv`; everything else is a failure. Each run adds a line to a
//! log, so that the time of many short runs can be added up.

mod known;
mod report;

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::child;
use crate::repo;
use known::Known;
use report::Difference;

/// Address space of each child in KiB: CRuby takes what large intervals within one another ask for.
const MEMORY: u32 = 4_000_000;

struct Options {
    binary: PathBuf,
    peer: Vec<String>,
    seconds: u64,
    seed: u64,
    count: u32,
    limit: u64,
    log: PathBuf,
}

fn parse_options(root: &Path, args: &[String]) -> Result<Options, String> {
    let (mut binary, mut peer) = (None, None);
    let started = std::time::SystemTime::UNIX_EPOCH.elapsed().map_err(|error| error.to_string())?;
    let mut options = Options {
        binary: PathBuf::new(),
        peer: Vec::new(),
        seconds: 60,
        seed: started.as_secs(),
        count: 2000,
        limit: 300,
        log: root.join("target/regexps.log"),
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let value = args.next().cloned().ok_or_else(|| format!("{arg} needs a value"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("not a number: {value}"));
        match arg.as_str() {
            "--bin" => binary = Some(value),
            "--peer" => peer = Some(value),
            "--seconds" => options.seconds = number()?,
            "--seed" => options.seed = number()?,
            "--count" => options.count = u32::try_from(number()?).map_err(|error| error.to_string())?,
            "--limit" => options.limit = number()?,
            "--log" => options.log = PathBuf::from(value),
            other => return Err(format!("unknown option {other}")),
        }
    }
    options.binary = repo::binary(root, binary.as_deref())?;
    let peer = peer.ok_or("--peer COMMAND is missing: a CRuby 4")?;
    options.peer = peer.split_whitespace().map(str::to_owned).collect();
    Ok(options)
}

/// What a Ruby made of the patterns of a seed, and how long that took.
struct Answers {
    text: Vec<u8>,
    seconds: f64,
    /// How it ended, if not by itself.
    failure: Option<String>,
}

fn ask(root: &Path, ruby: &[String], seed: u64, options: &Options) -> Result<Answers, String> {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")]).args(ruby);
    command.args(["fuzz/regexp.rb", &seed.to_string(), &options.count.to_string()]);
    command.current_dir(root).env_remove("RUBYOPT").env_remove("RUBYLIB");
    let begun = Instant::now();
    let finished = child::run_limited(&mut command, b"", Duration::from_secs(options.limit))?;
    let failure = match finished.status {
        None => Some(format!("not done after {} s", options.limit)),
        Some(status) if !status.success() => {
            let stderr = String::from_utf8_lossy(&finished.stderr);
            Some(format!("{status}: {}", stderr.lines().next().unwrap_or_default()))
        }
        Some(_) => None,
    };
    Ok(Answers { text: finished.stdout, seconds: begun.elapsed().as_secs_f64(), failure })
}

/// Asks both about a seed; false if there is a difference that is not known.
fn compare(root: &Path, options: &Options, known: &Known, seed: u64) -> Result<bool, String> {
    let ours = [options.binary.to_string_lossy().into_owned()];
    let theirs = ask(root, &options.peer, seed, options)?;
    let mine = ask(root, &ours, seed, options)?;
    // What the peer could not finish says nothing of us.
    let crashed = theirs.failure.is_none() && mine.failure.is_some();
    let differences = report::compare(&theirs.text, &mine.text);
    let (known, new): (Vec<&Difference>, Vec<&Difference>) =
        differences.all.iter().partition(|difference| known.explains(difference));
    let patterns = differences.patterns;
    let mut line = format!(
        "seed={seed} patterns={patterns} subjects={} peer={:.1}s ours={:.1}s known={} new={}",
        differences.subjects,
        theirs.seconds,
        mine.seconds,
        known.len(),
        new.len()
    );
    for (who, failure) in [("peer", &theirs.failure), ("ours", &mine.failure)] {
        if let Some(failure) = failure {
            let _ = write!(line, " {who}: {failure}");
        }
    }
    println!("{line}");
    for difference in &new {
        print!("{difference}");
    }
    let log = OpenOptions::new().create(true).append(true).open(&options.log);
    let written = log.and_then(|mut log| writeln!(log, "{line}"));
    written.map_err(|error| format!("{}: {error}", options.log.display()))?;
    Ok(new.is_empty() && !crashed)
}

/// Compares seeds until the time is over; `Ok(false)` when there was a difference that is not known, or ours failed.
pub fn run(args: &[String]) -> Result<bool, String> {
    let root = repo::root();
    let options = parse_options(&root, args)?;
    let known = Known::parse(&repo::read(&root, "fuzz/regexp-differences.tsv")?)?;
    let begun = Instant::now();
    let (mut seed, mut bad) = (options.seed, Vec::new());
    while seed == options.seed || begun.elapsed().as_secs() < options.seconds {
        if !compare(&root, &options, &known, seed)? {
            bad.push(seed);
        }
        seed += 1;
    }
    println!("{} seeds in {} s; new differences with seeds {bad:?}", seed - options.seed, begun.elapsed().as_secs());
    Ok(bad.is_empty())
}

#[cfg(test)]
#[path = "regexps_tests.rs"]
mod tests;
