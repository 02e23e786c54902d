//! The process that `asterism top` looks at.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

use asterism::OBSERVE_PREFIX;
use rustix::fs::{FlockOperation, Gid, Mode, OFlags, Uid};
use rustix::process::{Pid, Signal};

/// How often an answer is looked for.
const LOOK: Duration = Duration::from_millis(2);
/// The system counts processor time in hundredths of a second.
const TICKS: f64 = 100.0;

/// A VM of the process.
pub struct VmSeen {
    pub name: String,
    /// Bytes of its heap and malloc'ed ones, its collections, the nanoseconds that they stopped its threads in all and at the longest, and
    /// its threads.
    pub numbers: [u64; 6],
}

/// A thread of the process.
pub struct ThreadSeen {
    pub vm: String,
    pub native: u32,
    pub status: String,
    pub name: String,
    pub waits: String,
    pub lines: Vec<String>,
}

/// An answer.
#[derive(Default)]
pub struct Snapshot {
    pub vms: Vec<VmSeen>,
    pub threads: Vec<ThreadSeen>,
    /// Name, objects, bytes.
    pub classes: Vec<(String, u64, u64)>,
}

/// Processor time in seconds, of the process and by native threads.
#[derive(Default)]
pub struct Usage {
    pub all: f64,
    pub threads: HashMap<u32, f64>,
}

impl Usage {
    /// The share of a processor that was used since then.
    pub fn since(&self, before: &Usage, time: Duration) -> Usage {
        let share = |now: f64, then: f64| (now - then).max(0.0) / time.as_secs_f64().max(1e-3);
        let threads = self.threads.iter().map(|(&id, &now)| (id, share(now, *before.threads.get(&id).unwrap_or(&now))));
        Usage { all: share(self.all, before.all), threads: threads.collect() }
    }
}

/// A process that answers, and the file through which it is asked. The file is removed at the end.
pub struct Target {
    pub pid: u32,
    /// Its command line.
    pub command: String,
    path: String,
    file: File,
}

impl Target {
    /// Prepares to ask a process.
    ///
    /// # Errors
    /// The message: the process is not there, is no Asterism, is somebody else's, receives no signals, or is looked at
    /// already.
    pub fn attach(pid: u32) -> Result<Target, String> {
        let dir = format!("/proc/{pid}");
        let owner = fs::metadata(&dir).map_err(|_| format!("top: no process {pid}"))?;
        let exe = fs::metadata(format!("{dir}/exe")).map_err(|e| format!("top: process {pid}: {e}"))?;
        let own = fs::metadata("/proc/self/exe").map_err(|e| format!("top: {e}"))?;
        let name = fs::read_link(format!("{dir}/exe")).unwrap_or_default();
        let named = name.file_name().is_some_and(|name| name.to_string_lossy().starts_with("asterism"));
        // The signal would end another program, and one that has not begun to receive signals.
        if !named && (exe.dev(), exe.ino()) != (own.dev(), own.ino()) {
            return Err(format!("top: process {pid} is not asterism"));
        }
        let status = fs::read_to_string(format!("{dir}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        if caught & 1 << (Signal::QUIT.as_raw() - 1) == 0 {
            return Err(format!("top: process {pid} does not receive signals"));
        }
        let path = format!("{OBSERVE_PREFIX}{pid}");
        let file = open(&path, &owner).map_err(|e| format!("top: {path}: {e}"))?;
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => return Err(format!("top: process {pid} is looked at already")),
            Err(e) => return Err(format!("top: {path}: {e}")),
        }
        let command = fs::read(format!("{dir}/cmdline")).unwrap_or_default();
        let command = String::from_utf8_lossy(&command).trim_end_matches('\0').replace('\0', " ");
        Ok(Target { pid, command, path, file })
    }

    /// What its main thread answers.
    ///
    /// # Errors
    /// The message: it has ended, does not answer in time, or the file between the two cannot be used.
    pub fn ask(&self, classes: bool, patience: Duration) -> Result<Snapshot, String> {
        let failed = |e: std::io::Error| format!("top: {}: {e}", self.path);
        let mut file = &self.file;
        let ended = || format!("top: process {} has ended", self.pid);
        file.set_len(0).and_then(|()| file.rewind()).map_err(failed)?;
        file.write_all(if classes { b"want threads classes\n" } else { b"want threads\n" }).map_err(failed)?;
        let pid = Pid::from_raw(self.pid as i32).ok_or_else(ended)?;
        rustix::process::kill_process(pid, Signal::QUIT).map_err(|_| ended())?;
        let begun = Instant::now();
        let mut text = String::new();
        loop {
            std::thread::sleep(LOOK);
            text.clear();
            // Half an answer may end within a character.
            let read = file.rewind().and_then(|()| file.read_to_string(&mut text));
            if read.is_ok() && text.starts_with("asterism\t1\n") && text.ends_with("\nend\n") {
                return Ok(parse(&text));
            }
            if begun.elapsed() > patience {
                return Err(format!(
                    "top: process {} does not answer: its main thread executes native code, or the program handles SIGQUIT",
                    self.pid
                ));
            }
            rustix::process::test_kill_process(pid).map_err(|_| ended())?;
        }
    }

    /// The processor time that it has used until now.
    pub fn usage(&self) -> Usage {
        let all = time_of(&format!("/proc/{}/stat", self.pid)).unwrap_or(0.0);
        let mut usage = Usage { all, threads: HashMap::new() };
        let Ok(tasks) = fs::read_dir(format!("/proc/{}/task", self.pid)) else { return usage };
        for task in tasks.flatten() {
            let id = task.file_name().to_string_lossy().parse();
            if let (Ok(id), Some(time)) = (id, time_of(&format!("{}/stat", task.path().display()))) {
                usage.threads.insert(id, time);
            }
        }
        usage
    }

    /// The bytes of memory that it has.
    pub fn resident(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
        kib.unwrap_or(0) * 1024
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // Another user may have taken the process's number and the file meanwhile; then it stays.
        let _ = fs::remove_file(&self.path);
    }
}

/// The file, which belongs to the user whose process is asked.
fn open(path: &str, owner: &fs::Metadata) -> std::io::Result<File> {
    let flags = OFlags::CREATE | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?);
    if file.metadata()?.uid() != owner.uid() {
        rustix::fs::fchown(&file, Some(Uid::from_raw(owner.uid())), Some(Gid::from_raw(owner.gid())))?;
    }
    Ok(file)
}

/// The processor time of a process or thread: the fields behind its name, which may contain anything, the 12th and 13th.
fn time_of(path: &str) -> Option<f64> {
    let text = fs::read_to_string(path).ok()?;
    let mut fields = text[text.rfind(')')? + 1..].split_ascii_whitespace().skip(11);
    let mut ticks = || fields.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / TICKS)
}

fn parse(text: &str) -> Snapshot {
    let mut seen = Snapshot::default();
    for line in text.lines() {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default().to_string();
        match &*next() {
            "vm" => {
                let name = next();
                let numbers = std::array::from_fn(|_| next().parse().unwrap_or(0));
                seen.vms.push(VmSeen { name, numbers });
            }
            "thread" => {
                let (vm, native, status) = (next(), next().parse().unwrap_or(0), next());
                let (name, waits) = (next(), next());
                let lines = fields.map(str::to_owned).collect();
                seen.threads.push(ThreadSeen { vm, native, status, name, waits, lines });
            }
            "class" => seen.classes.push((next(), next().parse().unwrap_or(0), next().parse().unwrap_or(0))),
            _ => {}
        }
    }
    seen
}
