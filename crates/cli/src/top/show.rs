//! What `asterism top` shows, and where.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::stdio::{stdin, stdout};
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetwinsize, tcsetattr};

use super::target::{Snapshot, Target, Usage};
use super::{MAIN, Sums};

/// The most lines of a list, if the screen has no end.
const MOST: usize = 15;
/// The lines of each list of sums.
const SUMS: usize = 6;

/// Where frames go: a terminal, which is as it was when this is dropped, or one behind the other.
pub struct Screen(Option<Termios>);

impl Screen {
    /// Takes the terminal, if there is one.
    pub fn open(interactive: bool) -> Screen {
        let Some(before) = interactive.then(|| tcgetattr(stdin()).ok()).flatten() else { return Screen(None) };
        let mut raw = before.clone();
        raw.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        raw.special_codes[SpecialCodeIndex::VMIN] = 0;
        raw.special_codes[SpecialCodeIndex::VTIME] = 0;
        if tcsetattr(stdin(), OptionalActions::Now, &raw).is_err() {
            return Screen(None);
        }
        // Another screen, without a cursor.
        print(b"\x1b[?1049h\x1b[?25l");
        Screen(Some(before))
    }

    /// Its columns and lines; none if it has no end.
    pub fn size(&self) -> Option<(usize, usize)> {
        self.0.as_ref()?;
        let size = tcgetwinsize(stdout()).ok()?;
        Some((usize::from(size.ws_col).max(20), usize::from(size.ws_row).max(5)))
    }

    /// Shows a frame.
    ///
    /// # Errors
    /// The `std::io::Error` of writing to standard output: EPIPE, say.
    pub fn draw(&self, frame: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let Some((columns, lines)) = self.size() else { return writeln!(out, "{frame}") };
        let mut text = "\x1b[H".to_string();
        for (i, line) in frame.lines().take(lines).enumerate() {
            let cut: String = line.chars().filter(|c| !c.is_control()).take(columns).collect();
            let _ = write!(text, "{}{cut}\x1b[K", if i == 0 { "" } else { "\r\n" });
        }
        text.push_str("\x1b[J");
        out.write_all(text.as_bytes())
    }

    /// A key, if one is pressed in this time.
    pub fn key(&self, time: Duration) -> Option<u8> {
        if self.0.is_none() {
            std::thread::sleep(time);
            return None;
        }
        let input = stdin();
        let timeout = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
        let ready = poll(&mut [PollFd::new(&input, PollFlags::IN)], Some(&timeout)).unwrap_or(0);
        let mut key = [0];
        match ready {
            0 => None,
            _ => (rustix::io::read(input, &mut key).ok()? == 1).then_some(key[0]),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            print(b"\x1b[?25h\x1b[?1049l");
            // The terminal may be gone.
            let _ = tcsetattr(stdin(), OptionalActions::Now, before);
        }
    }
}

fn print(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    // Where nothing can be written nothing is to be seen.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// What was seen, as lines.
pub fn frame(target: &Target, seen: &Snapshot, usage: &Usage, sums: &Sums, size: Option<(usize, usize)>) -> String {
    let mut text = format!(
        "asterism top  process {}  processor {:.0} %  memory {:.1} MiB  {}\n",
        target.pid,
        usage.all * 100.0,
        mib(target.resident()),
        target.command
    );
    if size.is_some() {
        text.push_str("q ends, c shows objects by class\n");
    }
    let _ = writeln!(
        text,
        "\n{:<16} {:>10} {:>12} {:>12} {:>11} {:>11} {:>8}",
        "VM", "heap MiB", "malloc MiB", "collections", "stopped ms", "longest ms", "threads"
    );
    for vm in seen.vms.iter().take(MOST) {
        let [heap, malloc, collections, stopped, longest, threads] = vm.numbers;
        let ms = |ns: u64| ns as f64 / 1e6;
        let _ = writeln!(
            text,
            "{:<16} {:>10.1} {:>12.1} {collections:>12} {:>11.1} {:>11.2} {threads:>8}",
            vm.name,
            mib(heap),
            mib(malloc),
            ms(stopped),
            ms(longest)
        );
    }
    threads(&mut text, seen, usage, size);
    let main = seen.threads.iter().find(|thread| thread.vm == "main" && thread.name == MAIN);
    let share = main.and_then(|main| usage.threads.get(&main.native)).map_or(0.0, |share| share.min(1.0));
    let mut hot = sums.hot.clone();
    for (line, n) in &sums.main {
        *hot.entry(line.clone()).or_default() += n * share;
    }
    list(&mut text, "running threads are at", &hot, sums.samples);
    list(&mut text, "threads wait for", &sums.waits, sums.samples);
    if !seen.classes.is_empty() {
        let _ = writeln!(text, "\n{:>12} {:>10}  class", "objects", "MiB");
        for (name, count, bytes) in seen.classes.iter().take(MOST) {
            let _ = writeln!(text, "{count:>12} {:>10.1}  {name}", mib(*bytes));
        }
    }
    text
}

/// The threads, those first that use most processor time.
fn threads(text: &mut String, seen: &Snapshot, usage: &Usage, size: Option<(usize, usize)>) {
    let share = |native: u32| usage.threads.get(&native).copied().unwrap_or(0.0);
    let mut threads: Vec<_> = seen.threads.iter().collect();
    threads.sort_by(|a, b| share(b.native).total_cmp(&share(a.native)));
    let room = size.map_or(usize::MAX, |(_, lines)| lines.saturating_sub(2 * SUMS + seen.vms.len() + 10).max(4));
    let _ = writeln!(text, "\n{:>9} {:>6} {:<13} thread", "native", "%", "status");
    for thread in threads.iter().take(room) {
        let vm = if thread.vm == "main" { String::new() } else { format!("[{}] ", thread.vm) };
        let place = thread.lines.first().map_or(String::new(), |line| format!("  {line}"));
        let waits = if thread.waits.is_empty() { String::new() } else { format!("  waits for {}", thread.waits) };
        let (share, name) = (share(thread.native) * 100.0, &thread.name);
        let _ = writeln!(text, "{:>9} {share:>6.1} {:<13} {vm}{name}{place}{waits}", thread.native, thread.status);
    }
    if threads.len() > room {
        let _ = writeln!(text, "{:>9} more", threads.len() - room);
    }
}

/// The largest sums, as how many threads there are on average.
fn list(text: &mut String, title: &str, sums: &HashMap<String, f64>, samples: f64) {
    if sums.is_empty() {
        return;
    }
    let mut rows: Vec<_> = sums.iter().collect();
    rows.sort_by(|a, b| b.1.total_cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let _ = writeln!(text, "\n{:>9}  {title}", "threads");
    for (what, n) in rows.into_iter().take(SUMS) {
        let _ = writeln!(text, "{:>9.2}  {what}", n / samples.max(1.0));
    }
}
