//! Runs spec files, each in a process of its own.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use super::Options;
use super::outcome::{Outcome, Status};
use crate::child;

const DRIVER: &str = include_str!("driver.rb");

/// A folder for what the processes write, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, String> {
        let path = std::env::temp_dir().join(format!("asterism-spec-{}", std::process::id()));
        make_folder(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove_folder(&self.0);
    }
}

fn make_folder(path: &Path) -> Result<(), String> {
    std::fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn remove_folder(path: &Path) {
    // What a spec leaves behind may be unreadable on purpose: then it stays in the folder for temporary files.
    if let Err(error) = std::fs::remove_dir_all(path)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        eprintln!("xtask: cannot remove {}: {error}", path.display());
    }
}

/// Runs the files (relative to the suite), several at a time; the outcomes are in the order of the files.
pub fn run_files(options: &Options, files: &[String]) -> Result<Vec<Outcome>, String> {
    let scratch = Scratch::new()?;
    let driver = scratch.0.join("driver.rb");
    std::fs::write(&driver, DRIVER).map_err(|error| format!("{}: {error}", driver.display()))?;
    let next = AtomicUsize::new(0);
    let outcomes = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(index) else { break };
                    let folder = scratch.0.join(index.to_string());
                    let outcome = run_one(options, &driver, &folder, file);
                    remove_folder(&folder);
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes.push((index, outcome));
                    }
                }
            });
        }
    });
    let mut outcomes = outcomes.into_inner().map_err(|_| "a worker panicked".to_owned())?;
    outcomes.sort_by_key(|(index, _)| *index);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn run_one(options: &Options, driver: &Path, folder: &Path, file: &str) -> Result<Outcome, String> {
    make_folder(folder)?;
    let report = folder.join("report");
    let mut command = Command::new(&options.binary);
    command
        .args(&options.flags)
        .arg(driver)
        .arg(file)
        .current_dir(&options.spec)
        .env_remove("RUBYOPT")
        .env_remove("RUBYLIB")
        .env("LC_ALL", "C.UTF-8")
        .env("RUBY_EXE", &options.binary)
        .env("RUBY_FLAGS", "")
        .env("SPEC_TEMP_DIR", folder.join("tmp"))
        .env("ASTERISM_SPEC_MSPEC", &options.mspec)
        .env("ASTERISM_SPEC_REPORT", &report)
        .env("ASTERISM_SPEC_ONLY", options.only.as_deref().unwrap_or(""))
        // The specs start processes of their own: all are killed together.
        .process_group(0);
    let finished = child::run_limited(&mut command, b"", Duration::from_secs(options.limit))?;
    let ending = if finished.status.is_some() { Status::Crashed } else { Status::Hung };
    // No report means that the process died before it could open one.
    let text = std::fs::read(&report).unwrap_or_default();
    let stderr = String::from_utf8_lossy(&finished.stderr);
    let lines: Vec<&str> = stderr.lines().collect();
    let mut last = lines[lines.len().saturating_sub(12)..].join("\n");
    if let Some(status) = finished.status
        && !status.success()
    {
        last.push_str(&format!("\n({status})"));
    }
    Ok(Outcome::parse(file, &String::from_utf8_lossy(&text), ending, &last))
}
