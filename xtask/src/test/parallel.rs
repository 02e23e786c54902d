//! `cargo xtask test --parallel N`: each test in several threads of one process at once.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::child;
use crate::expectation::Expectation;

const DRIVER: &str = include_str!("parallel.rb");

/// Runs a test; what each thread did differently from the expectation. `command` is the Ruby with its options.
pub fn run(
    mut command: Command,
    threads: u64,
    path: &Path,
    expectation: &Expectation,
    limit: Duration,
) -> Result<Vec<String>, String> {
    let name = path.to_string_lossy().replace('/', "-");
    let folder = std::env::temp_dir().join(format!("asterism-parallel-{}-{name}", std::process::id()));
    let error = |error: std::io::Error| format!("{}: {error}", folder.display());
    std::fs::create_dir_all(&folder).map_err(error)?;
    let driver = folder.join("driver.rb");
    std::fs::write(&driver, DRIVER).map_err(error)?;
    command.args(&expectation.args).arg(&driver).arg(threads.to_string()).arg(&folder).arg(path);
    command.args(&expectation.argv);
    let finished = child::run_limited(&mut command, expectation.stdin.as_bytes(), limit)?;
    let mut faults = Vec::new();
    match finished.status {
        None => faults.push(format!("not finished after {} s", limit.as_secs())),
        Some(status) if !status.success() => faults.push(format!("the process ended with {status}")),
        Some(_) => {}
    }
    for thread in 0..threads {
        if !faults.is_empty() {
            break;
        }
        let read = |suffix: &str| std::fs::read(folder.join(format!("{thread}.{suffix}"))).unwrap_or_default();
        let text = |suffix: &str| String::from_utf8_lossy(&read(suffix)).into_owned();
        let status = text("status").parse().ok();
        for fault in expectation.compare(&text("out"), &text("err"), status) {
            faults.push(format!("thread {thread}: {fault}"));
        }
    }
    if !faults.is_empty() && (!finished.stderr.is_empty() || !finished.stdout.is_empty()) {
        let stray = [finished.stdout, finished.stderr].concat();
        let stray = String::from_utf8_lossy(&stray).lines().take(6).collect::<Vec<_>>().join("\n        ");
        faults.push(format!("printed past $stdout and $stderr:\n        {stray}"));
    }
    std::fs::remove_dir_all(&folder).map_err(error)?;
    Ok(faults)
}
