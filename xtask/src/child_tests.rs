//! What running a child process promises.

use std::process::Command;
use std::time::{Duration, Instant};

use super::run_limited;

#[test]
fn a_descendant_that_keeps_the_pipe_does_not_keep_us() {
    let mut command = Command::new("sh");
    command.args(["-c", "echo here; setsid sleep 20 & exit 3"]);
    let started = Instant::now();
    let finished = run_limited(&mut command, b"", Duration::from_secs(15)).expect("sh runs");
    assert!(started.elapsed() < Duration::from_secs(12), "waited for the descendant");
    assert_eq!(finished.status.and_then(|status| status.code()), Some(3));
    let stdout = String::from_utf8(finished.stdout).expect("ASCII");
    assert!(stdout.starts_with("here\n") && stdout.contains("outlived"), "{stdout:?}");
}

#[test]
fn everything_written_is_collected() {
    let mut command = Command::new("sh");
    command.args(["-c", "head -c 300000 /dev/zero; echo err >&2"]);
    let finished = run_limited(&mut command, b"", Duration::from_secs(15)).expect("sh runs");
    assert_eq!(finished.stdout.len(), 300_000);
    assert_eq!(finished.stderr, b"err\n");
}
