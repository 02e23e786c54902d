//! What all tables need: the options, the Rubies to compare, means.

use std::path::{Path, PathBuf};

use super::peers::Peer;

/// The tables there are.
const TABLES: [&str; 13] = [
    "programs",
    "iterators",
    "regexp",
    "extensions",
    "parallel",
    "process",
    "stop",
    "gc",
    "fiber",
    "echo",
    "vms",
    "ractors",
    "apps",
];

/// What the command line asked for.
pub struct Options {
    /// The programs chosen; none: all.
    pub names: Vec<String>,
    /// Interleaved runs.
    pub runs: usize,
    /// How many threads, processes or Ractors at most.
    pub threads: usize,
    /// The only table.
    pub only: Option<String>,
    /// The folder for what is written.
    pub out: Option<PathBuf>,
    /// Ours, if not the release build.
    pub binary: Option<String>,
    /// Names and commands of other Rubies.
    pub peers: Vec<(String, String)>,
    /// A checkout of rebar, for the table of regexps.
    pub rebar: Option<String>,
    /// The `lib` of rouge, for the same.
    pub rouge: Option<String>,
}

impl Options {
    /// Reads the arguments.
    pub fn parse(args: &[String]) -> Result<Self, String> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let mut options = Self {
            names: Vec::new(),
            runs: 5,
            threads: cores.max(2),
            only: None,
            out: None,
            binary: None,
            peers: Vec::new(),
            rebar: None,
            rouge: None,
        };
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().cloned().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--runs" => options.runs = positive(&value()?)?,
                "--threads" => options.threads = positive(&value()?)?,
                "--only" => options.only = Some(value()?),
                "--out" => options.out = Some(PathBuf::from(value()?)),
                "--rebar" => options.rebar = Some(value()?),
                "--rouge" => options.rouge = Some(value()?),
                "--bin" => options.binary = Some(value()?),
                "--peer" => {
                    let peer = value()?;
                    let (name, command) = peer.split_once('=').ok_or("--peer takes NAME=COMMAND")?;
                    options.peers.push((name.to_owned(), command.to_owned()));
                }
                other if other.starts_with("--") => return Err(format!("unknown option {other}")),
                name => options.names.push(name.to_owned()),
            }
        }
        if let Some(only) = &options.only
            && !TABLES.contains(&only.as_str())
        {
            return Err(format!("no such table: {only}"));
        }
        Ok(options)
    }

    /// Is the table asked for?
    pub fn wants_table(&self, table: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == table)
    }

    /// Is the program asked for?
    pub fn wants(&self, program: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|name| name == program)
    }
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| format!("not a positive number: {text}"))
}

/// What all the tables need to know.
pub struct Bench<'a> {
    /// The checkout.
    pub root: &'a Path,
    /// What was asked for.
    pub options: &'a Options,
    /// Ours comes first.
    pub peers: Vec<Peer>,
}

/// The median; the mean of the middle two for an even count.
pub fn median(values: &mut [f64]) -> f64 {
    if values.is_empty() {
        return f64::NAN;
    }
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { f64::midpoint(values[middle - 1], values[middle]) }
}

/// The geometric mean of positive numbers.
pub fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// The seconds a parallel program measured itself.
pub fn wall_line(stdout: &[u8]) -> Option<f64> {
    let text = String::from_utf8_lossy(stdout);
    text.lines().find_map(|line| line.strip_prefix("wall: ")?.trim().parse().ok())
}

#[cfg(test)]
#[path = "setup_tests.rs"]
mod tests;
