//! `cargo xtask test`: runs the Ruby tests in parallel, each with a time limit.

mod guide;
mod parallel;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::child;
use crate::expectation::Expectation;
use crate::repo;

/// Which of the three collections is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Suite {
    /// `tests/ruby` and the programs of the guide, with inline expectations.
    Inline,
    /// `benches/programs`, compared with `benches/expected`.
    Programs,
    /// `tests/stress`, which print `ok`.
    Stress,
}

struct Options {
    filters: Vec<String>,
    binary: Option<String>,
    gc_stress: bool,
    suite: Suite,
    stress_seconds: u64,
    limit: Option<u64>,
    /// So many threads of one process run each test at once.
    parallel: Option<u64>,
}

fn parse_options(args: &[String]) -> Result<Options, String> {
    let mut options = Options {
        filters: Vec::new(),
        binary: None,
        gc_stress: false,
        suite: Suite::Inline,
        stress_seconds: 2,
        limit: None,
        parallel: None,
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut value = || args.next().cloned().ok_or_else(|| format!("{arg} needs a value"));
        match arg.as_str() {
            "--bin" => options.binary = Some(value()?),
            "--gc-stress" => options.gc_stress = true,
            "--programs" => options.suite = Suite::Programs,
            "--stress" => {
                options.suite = Suite::Stress;
                options.stress_seconds = number(&value()?)?;
            }
            "--parallel" => options.parallel = Some(number(&value()?)?.max(1)),
            "--limit" => options.limit = Some(number(&value()?)?),
            other if other.starts_with("--") => return Err(format!("unknown option {other}")),
            filter => options.filters.push(filter.to_owned()),
        }
    }
    Ok(options)
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("not a number: {text}"))
}

/// Runs the tests; `Ok(false)` when one failed.
pub fn run(args: &[String]) -> Result<bool, String> {
    let options = parse_options(args)?;
    let root = repo::root();
    let binary = repo::binary(&root, options.binary.as_deref())?;
    let folder = match options.suite {
        Suite::Inline => "tests/ruby",
        Suite::Programs => "benches/programs",
        Suite::Stress => "tests/stress",
    };
    let mut tests = repo::ruby_files(&root.join(folder))?;
    if options.suite == Suite::Inline && options.parallel.is_none() {
        tests.extend(guide::programs(&root)?.into_iter().map(|path| root.join(path)));
    }
    let tests: Vec<PathBuf> = tests
        .into_iter()
        .filter_map(|path| path.strip_prefix(&root).map(Path::to_path_buf).ok())
        .filter(|path| {
            let name = path.to_string_lossy();
            options.filters.is_empty() || options.filters.iter().any(|filter| name.contains(filter))
        })
        .collect();
    if tests.is_empty() {
        return Err("no test matches".to_owned());
    }

    let workers = match options.suite {
        // Each stress test brings eight threads of its own.
        Suite::Stress => 1,
        _ if options.parallel.is_some() => 1,
        Suite::Inline | Suite::Programs => thread::available_parallelism().map_or(2, usize::from),
    };
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let alone = AtomicUsize::new(0);
    let skipped = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(path) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let faults = match run_one(&root, &binary, path, &options) {
                        Ok(Outcome::Faults(faults)) => faults,
                        Ok(Outcome::Skipped(reason)) => {
                            if let Ok(mut skipped) = skipped.lock() {
                                skipped.push((path.clone(), reason));
                            }
                            continue;
                        }
                        Ok(Outcome::Alone) => {
                            alone.fetch_add(1, Ordering::Relaxed);
                            Vec::new()
                        }
                        Err(error) => vec![error],
                    };
                    if !faults.is_empty()
                        && let Ok(mut failures) = failures.lock()
                    {
                        failures.push((path.clone(), faults));
                    }
                }
            });
        }
    });

    let mut failures = failures.into_inner().map_err(|_| "a test worker panicked".to_owned())?;
    failures.sort();
    for (path, faults) in &failures {
        println!("FAIL {}", path.display());
        for fault in faults {
            println!("     {fault}");
        }
    }
    let mut skipped = skipped.into_inner().map_err(|_| "a test worker panicked".to_owned())?;
    skipped.sort();
    for (path, reason) in &skipped {
        println!("SKIP {}: {reason}", path.display());
    }
    let alone = alone.into_inner();
    let passed = tests.len() - failures.len() - skipped.len() - alone;
    print!("{passed} passed, {} failed", failures.len());
    println!("{}", if skipped.is_empty() { String::new() } else { format!(", {} skipped", skipped.len()) });
    if alone > 0 {
        println!("{alone} say why they cannot run in several threads of one process");
    }
    Ok(failures.is_empty())
}

/// How a test ended.
enum Outcome {
    /// What differs from the expectation; nothing if it passed.
    Faults(Vec<String>),
    /// It said that this machine lacks what it needs, by `skipped: ` and the reason as its only output.
    Skipped(String),
    /// It does not run this way.
    Alone,
}

fn run_one(root: &Path, binary: &Path, path: &Path, options: &Options) -> Result<Outcome, String> {
    let source = repo::read(root, &path.to_string_lossy())?;
    let expectation = match options.suite {
        Suite::Inline => Expectation::parse(&source)?,
        Suite::Programs => {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let expected = repo::read(root, &format!("benches/expected/{name}.txt"))?;
            let stdout = expected.lines().enumerate().map(|(i, line)| (i + 1, line.to_owned())).collect();
            Expectation { stdout, ..Expectation::default() }
        }
        Suite::Stress => Expectation {
            stdout: vec![(1, "ok".to_owned())],
            argv: vec![options.stress_seconds.to_string()],
            ..Expectation::default()
        },
    };
    // Limits are there to end what hangs: far beyond what a test takes on a machine with other work to do.
    let seconds = options.limit.unwrap_or(match (options.suite, options.gc_stress) {
        (Suite::Inline, false) | (Suite::Programs, false) => 180,
        (Suite::Inline, true) | (Suite::Programs, true) => 600,
        (Suite::Stress, _) => options.stress_seconds * 2 + 60,
    });

    let mut command = Command::new(binary);
    command.current_dir(root).env_remove("RUBYOPT").env_remove("RUBYLIB").env("LC_ALL", "C.UTF-8");
    if options.gc_stress {
        command.arg("--gc-stress");
    }
    if let Some(threads) = options.parallel {
        if expectation.not_parallel.is_some() {
            return Ok(Outcome::Alone);
        }
        return parallel::run(command, threads, path, &expectation, Duration::from_secs(seconds)).map(Outcome::Faults);
    }
    command.args(&expectation.args).arg(path).args(&expectation.argv);
    let finished = child::run_limited(&mut command, expectation.stdin.as_bytes(), Duration::from_secs(seconds))?;
    let Some(status) = finished.status else {
        return Ok(Outcome::Faults(vec![format!("not finished after {seconds} s")]));
    };
    let stdout = String::from_utf8_lossy(&finished.stdout);
    let stderr = String::from_utf8_lossy(&finished.stderr);
    if let Some(reason) = stdout.strip_prefix("skipped: ")
        && status.success()
        && options.suite == Suite::Inline
    {
        return Ok(Outcome::Skipped(reason.trim_end().to_owned()));
    }
    Ok(Outcome::Faults(expectation.compare(&stdout, &stderr, status.code())))
}
