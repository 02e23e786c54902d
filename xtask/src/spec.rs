//! `cargo xtask spec`: runs ruby/spec under asterism.
//!
//! The suite and mspec are checkouts given by their paths; nothing of them belongs to this repository. What
//! `language/` is expected to fail lies in `spec/tags`; the figures of all folders in `spec/results.json`.

mod outcome;
mod process;
mod results;
mod tags;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::thread;

use crate::repo;
use outcome::{Outcome, Status};
use results::Figures;

/// What the command line asks for.
pub struct Options {
    spec: PathBuf,
    mspec: PathBuf,
    binary: PathBuf,
    flags: Vec<String>,
    jobs: usize,
    limit: u64,
    only: Option<String>,
    verbose: bool,
    update: bool,
    save: Option<PathBuf>,
    compare: Option<PathBuf>,
    targets: Vec<String>,
}

fn parse_options(root: &Path, args: &[String]) -> Result<Options, String> {
    let mut spec = None;
    let mut mspec = None;
    let mut binary = None;
    let mut options = Options {
        spec: PathBuf::new(),
        mspec: PathBuf::new(),
        binary: PathBuf::new(),
        flags: Vec::new(),
        jobs: thread::available_parallelism().map_or(2, usize::from),
        limit: 60,
        only: None,
        verbose: false,
        update: false,
        save: None,
        compare: None,
        targets: Vec::new(),
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--spec" => spec = Some(value()?),
            "--mspec" => mspec = Some(value()?),
            "--bin" => binary = Some(value()?),
            "--jobs" => options.jobs = number(&value()?)?.max(1),
            "--limit" => options.limit = u64::try_from(number(&value()?)?).map_err(|error| error.to_string())?,
            "--only" => options.only = Some(value()?),
            "--gc-stress" => options.flags.push("--gc-stress".to_owned()),
            "-v" | "--verbose" => options.verbose = true,
            "--update" => options.update = true,
            "--save" => options.save = Some(PathBuf::from(value()?)),
            "--compare" => options.compare = Some(PathBuf::from(value()?)),
            other if other.starts_with('-') => return Err(format!("unknown option {other}")),
            target => options.targets.push(target.trim_end_matches('/').to_owned()),
        }
    }
    let absolute = |path: PathBuf| path.canonicalize().map_err(|error| format!("{}: {error}", path.display()));
    options.spec = absolute(PathBuf::from(spec.ok_or("--spec PATH is missing: a checkout of ruby/spec")?))?;
    options.mspec = absolute(PathBuf::from(mspec.ok_or("--mspec PATH is missing: a checkout of ruby/mspec")?))?;
    options.binary = absolute(repo::binary(root, binary.as_deref())?)?;
    if options.targets.is_empty() {
        options.targets = ["language", "core", "command_line"].map(str::to_owned).to_vec();
    }
    Ok(options)
}

fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| format!("not a number: {text}"))
}

/// The spec files of a target, relative to the suite.
fn spec_files(suite: &Path, target: &str) -> Result<Vec<String>, String> {
    let path = suite.join(target);
    let named = suite.join(format!("{target}_spec.rb"));
    let found = if path.is_dir() {
        repo::ruby_files(&path)?
    } else if path.is_file() {
        vec![path]
    } else if named.is_file() {
        vec![named]
    } else {
        return Err(format!("{}: no such file or folder", path.display()));
    };
    let files: Vec<String> = found
        .iter()
        .filter_map(|file| file.strip_prefix(suite).ok())
        .map(|file| file.to_string_lossy().into_owned())
        .filter(|file| file.ends_with("_spec.rb"))
        .collect();
    if files.is_empty() { Err(format!("no spec files in {target}")) } else { Ok(files) }
}

/// Runs the specs; `Ok(false)` when `language/` differs from its tags, or something crashed or hung.
pub fn run(args: &[String]) -> Result<bool, String> {
    let root = repo::root();
    let options = parse_options(&root, args)?;
    let mut files = BTreeSet::new();
    for target in &options.targets {
        files.extend(spec_files(&options.spec, target)?);
    }
    let files: Vec<String> = files.into_iter().collect();
    let outcomes = process::run_files(&options, &files)?;

    if options.verbose {
        print_failures(&outcomes);
    }
    let mut agreed = true;
    for outcome in &outcomes {
        let faults = if outcome.file.starts_with("language/") {
            if options.update && options.only.is_none() && outcome.complete {
                tags::update(&root, outcome)?;
            }
            tags::compare(&tags::read(&root, &outcome.file)?, outcome, options.only.is_some())
        } else {
            let ended = outcome.ending.filter(|_| options.only.is_none());
            ended.map(|ending| format!("{}: {}", ending.word(), last_description(outcome))).into_iter().collect()
        };
        if !faults.is_empty() {
            agreed = false;
            println!("{}", outcome.file);
            for fault in faults {
                println!("  {fault}");
            }
        }
    }
    let folders = results::by_folder(&outcomes);
    print_table(&folders);
    if options.update && options.only.is_none() {
        let whole: BTreeMap<String, Figures> =
            folders.into_iter().filter(|(name, _)| options.targets.iter().any(|target| covers(target, name))).collect();
        if !whole.is_empty() {
            results::update(&root, &options.spec, &options.mspec, &whole)?;
        }
    }
    if let Some(old) = &options.compare {
        compare(&read_saved(old)?, &outcomes);
    }
    if let Some(path) = &options.save {
        std::fs::write(path, saved(&outcomes)).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(agreed)
}

/// Whether running a target runs all of a folder.
fn covers(target: &str, folder: &str) -> bool {
    folder == target || folder.strip_prefix(target).is_some_and(|rest| rest.starts_with('/'))
}

fn last_description(outcome: &Outcome) -> &str {
    outcome.examples.last().map_or("", |example| example.description.as_str())
}

fn print_failures(outcomes: &[Outcome]) {
    for outcome in outcomes {
        for example in outcome.examples.iter().filter(|example| example.status != Status::Passed) {
            println!("{} {}: {}", example.status.word().to_uppercase(), outcome.file, example.description);
            for line in example.message.lines().take(24) {
                println!("    {line}");
            }
        }
    }
}

fn print_table(folders: &BTreeMap<String, Figures>) {
    let mut total = Figures::default();
    println!(
        "{:<28} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6} {:>7}",
        "folder", "files", "examples", "passed", "failed", "errored", "crashed", "hung", "%"
    );
    let row = |name: &str, f: &Figures| {
        println!(
            "{name:<28} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>6} {:>7}",
            f.files,
            f.examples(),
            f.passed,
            f.failed,
            f.errored,
            f.crashed,
            f.hung,
            f.percent()
        );
    };
    for (name, figures) in folders {
        row(name, figures);
        total.merge(figures);
    }
    if folders.len() != 1 {
        row("total", &total);
    }
}

/// The text of `--save`: status, file and description of every example, tabs between.
fn saved(outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        for example in &outcome.examples {
            text.push_str(&format!("{}\t{}\t{}\n", example.status.word(), outcome.file, example.description));
        }
    }
    text
}

fn read_saved(path: &Path) -> Result<BTreeMap<(String, String), Status>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines()
        .map(|line| {
            let mut parts = line.splitn(3, '\t');
            match (parts.next().and_then(Status::from_word), parts.next(), parts.next()) {
                (Some(status), Some(file), Some(description)) => {
                    Ok(((file.to_owned(), description.to_owned()), status))
                }
                _ => Err(format!("{}: not a line of --save: {line}", path.display())),
            }
        })
        .collect()
}

/// Names what passes no longer and what passes now.
fn compare(old: &BTreeMap<(String, String), Status>, outcomes: &[Outcome]) {
    let mut broke = Vec::new();
    let mut fixed = Vec::new();
    for outcome in outcomes {
        let mut seen = BTreeSet::new();
        for example in &outcome.examples {
            seen.insert(example.description.as_str());
            let before = old.get(&(outcome.file.clone(), example.description.clone()));
            let line = format!("{}: {}", outcome.file, example.description);
            match (before, example.status) {
                (Some(Status::Passed), Status::Passed) => {}
                (Some(Status::Passed), status) => broke.push(format!("{line} ({})", status.word())),
                (Some(_), Status::Passed) => fixed.push(line),
                _ => {}
            }
        }
        for ((file, description), status) in old {
            if *file == outcome.file && *status == Status::Passed && !seen.contains(description.as_str()) {
                broke.push(format!("{file}: {description} (not run)"));
            }
        }
    }
    for (title, lines) in [("broke", broke), ("got fixed", fixed)] {
        println!("{title}: {}", lines.len());
        for line in lines {
            println!("  {line}");
        }
    }
}
