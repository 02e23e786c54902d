//! Runs child processes: with a time limit for tests, with resource usage for measurements.

use std::io::{ErrorKind, Read, Write};
use std::mem;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What a child left behind.
pub struct Finished {
    /// Its exit status; `None` when it was killed at the time limit.
    pub status: Option<ExitStatus>,
    /// Everything it wrote to stdout.
    pub stdout: Vec<u8>,
    /// Everything it wrote to stderr.
    pub stderr: Vec<u8>,
}

/// How long after a child's end its pipes are read on. A descendant that left the process group can keep a pipe open
/// for as long as it lives.
const PATIENCE: Duration = Duration::from_secs(2);

/// A thread that reads a pipe to its end.
struct Drain {
    /// What has come so far; written by the thread, taken by [`Drain::collect`].
    bytes: Arc<Mutex<Vec<u8>>>,
    /// Closed when the thread is done.
    done: Receiver<()>,
}

impl Drain {
    fn start(mut source: impl Read + Send + 'static) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (open, done) = mpsc::channel();
        let target = Arc::clone(&bytes);
        thread::spawn(move || {
            let _open: Sender<()> = open;
            let mut chunk = vec![0; 1 << 16];
            loop {
                let read = source.read(&mut chunk);
                let mut bytes = target.lock().unwrap_or_else(PoisonError::into_inner);
                match read {
                    Ok(0) => break,
                    Ok(count) => bytes.extend_from_slice(&chunk[..count]),
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    // The comparison with what was expected shows it.
                    Err(error) => {
                        bytes.extend_from_slice(format!("\n[xtask: reading failed: {error}]").as_bytes());
                        break;
                    }
                }
            }
        });
        Self { bytes, done }
    }

    /// What was read until the pipe's end, or until somebody else than the child has held it open for too long.
    fn collect(self) -> Vec<u8> {
        let ended = self.done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Disconnected);
        let mut bytes = mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner));
        if !ended {
            bytes.extend_from_slice(b"\n[xtask: a process that outlived its parent holds this pipe open]");
        }
        bytes
    }
}

fn spawn(command: &mut Command, stdin: &[u8]) -> Result<Child, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run {name}: {error}"))?;
    if let Some(mut pipe) = child.stdin.take() {
        let bytes = stdin.to_vec();
        // A child that does not read its input closes the pipe: not a fault of the test.
        thread::spawn(move || drop(pipe.write_all(&bytes)));
    }
    Ok(child)
}

/// Kills what is left of the process group that a child leads, if it leads one.
fn kill_group(child: &Child) {
    if let Ok(pid) = i32::try_from(child.id()) {
        // SAFETY: `kill` only takes numbers. A child without a group of its own has no group of its number: ESRCH.
        unsafe { libc::kill(-pid, libc::SIGKILL) };
    }
}

/// Runs a command with the given input; kills it when it takes longer than `limit`, and in any case the rest of its
/// process group, should it lead one.
pub fn run_limited(command: &mut Command, stdin: &[u8], limit: Duration) -> Result<Finished, String> {
    let mut child = spawn(command, stdin)?;
    let stdout = child.stdout.take().map(Drain::start);
    let stderr = child.stderr.take().map(Drain::start);
    let started = Instant::now();
    let mut pause = Duration::from_micros(500);
    let status = loop {
        match child.try_wait().map_err(|error| format!("cannot wait: {error}"))? {
            Some(status) => break Some(status),
            None if started.elapsed() > limit => {
                child.kill().map_err(|error| format!("cannot kill: {error}"))?;
                kill_group(&child);
                child.wait().map_err(|error| format!("cannot wait: {error}"))?;
                break None;
            }
            None => {
                thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(10));
            }
        }
    };
    kill_group(&child);
    Ok(Finished { status, stdout: collect(stdout), stderr: collect(stderr) })
}

fn collect(reader: Option<Drain>) -> Vec<u8> {
    reader.map(Drain::collect).unwrap_or_default()
}

/// One measured run.
pub struct Measured {
    /// Wall-clock seconds from spawn to exit.
    pub seconds: f64,
    /// Peak resident set in KiB.
    pub peak_kib: u64,
    /// Whether it exited with 0.
    pub success: bool,
    /// Everything it wrote to stdout.
    pub stdout: Vec<u8>,
    /// Everything it wrote to stderr.
    pub stderr: Vec<u8>,
}

/// Starts a child whose end [`finish`] will measure.
pub fn start(argv: &[String], directory: &Path) -> Result<(Child, Instant), String> {
    let (program, args) = argv.split_first().ok_or("an empty command")?;
    let mut command = Command::new(program);
    command.args(args).current_dir(directory).env_remove("RUBYOPT").env_remove("RUBYLIB");
    let started = Instant::now();
    let child = spawn(&mut command, b"")?;
    Ok((child, started))
}

/// Waits for a child from [`start`] and says what it cost.
pub fn finish((mut child, started): (Child, Instant)) -> Result<Measured, String> {
    let stdout = child.stdout.take().map(Drain::start);
    let stderr = child.stderr.take().map(Drain::start);
    let pid = i32::try_from(child.id()).map_err(|error| error.to_string())?;
    let mut status: libc::c_int = 0;
    // SAFETY: `rusage` is a struct of plain integers, for which all zeroes is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers lead to live locals of the types that wait4 writes; `pid` is a child of
        // ours that nobody else waits for, since `child` is owned here and its `wait` is not called.
        let waited = unsafe { libc::wait4(pid, &raw mut status, 0, &raw mut usage) };
        if waited == pid {
            break;
        }
        let error = std::io::Error::last_os_error();
        if error.kind() != std::io::ErrorKind::Interrupted {
            return Err(format!("wait4: {error}"));
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    Ok(Measured {
        seconds,
        peak_kib: u64::try_from(usage.ru_maxrss).unwrap_or(0),
        success: libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0,
        stdout: collect(stdout),
        stderr: collect(stderr),
    })
}

/// Runs a command to its end and measures it.
pub fn measure(argv: &[String], directory: &Path) -> Result<Measured, String> {
    finish(start(argv, directory)?)
}

#[cfg(test)]
#[path = "child_tests.rs"]
mod tests;
