//! Messages between VMs: `benches/vms/pingpong.rb` beside the same program under CRuby, which forks and marshals through
//! pipes, and beside two native threads that wake each other by a futex.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::setup::{Bench, median};
use super::table::{Cell, Table};
use crate::child;

/// Kind, size and number of round trips; these are fewer for what takes CRuby long.
type Case = (&'static str, usize, usize);
/// Bytes or elements that CRuby sends one way in a run, at most.
const RUBY_MOST: usize = 100_000_000;

const SMALL: [Case; 5] =
    [("int", 0, 20_000), ("float", 0, 20_000), ("nil", 0, 20_000), ("symbol", 0, 20_000), ("string", 10, 20_000)];
const LARGE: [Case; 14] = [
    ("string", 1, 5000),
    ("string", 1000, 5000),
    ("string", 100_000, 2000),
    ("string", 10_000_000, 1000),
    ("fresh_string", 1, 5000),
    ("fresh_string", 100_000, 1000),
    ("fresh_string", 10_000_000, 100),
    ("array", 1000, 5000),
    ("array", 100_000, 1000),
    ("array", 1_000_000, 1000),
    ("object", 0, 5000),
    ("bignum", 0, 5000),
    ("json", 1000, 1000),
    ("json", 100_000, 50),
];
/// Kind, rounds and sizes of messages that are sent in turn.
const SIZES: [(&str, &str, &[usize]); 3] = [
    ("string", "300", &[1, 100, 1000, 10_000, 100_000, 10_000_000]),
    ("fresh_string", "40", &[1, 100, 1000, 10_000, 100_000, 10_000_000]),
    ("array", "100", &[1000, 100_000, 1_000_000]),
];
/// How long both sides are busy before they answer, so that the other one sleeps: in microseconds.
const HOLD: u64 = 100;
const HELD: usize = 500;
/// Turns of those are shorter, and so many times as many.
const HELD_TURNS: usize = 4;

/// Median and mean of a round trip and its CPU time, in microseconds.
#[derive(Clone, Copy)]
struct Times {
    median: f64,
    mean: f64,
    cpu: f64,
}

impl Times {
    /// The medians of each; `None` of none.
    fn medians(all: &[Self]) -> Option<Self> {
        let of = |get: fn(&Self) -> f64| median(&mut all.iter().map(get).collect::<Vec<_>>());
        (!all.is_empty()).then(|| Self { median: of(|t| t.median), mean: of(|t| t.mean), cpu: of(|t| t.cpu) })
    }
}

/// The tables about messages.
pub fn run(bench: &Bench) -> Result<Vec<Table>, String> {
    Ok(vec![small(bench)?, large(bench)?, sizes(bench)?])
}

fn columns() -> Vec<String> {
    [
        "message",
        "ours (µs)",
        "ours, mean",
        "ours, CPU",
        "ruby, pipe (µs)",
        "ruby, mean",
        "ruby, CPU",
        "futex (µs)",
        "ours / ruby",
        "ours / futex",
    ]
    .map(str::to_owned)
    .to_vec()
}

fn small(bench: &Bench) -> Result<Table, String> {
    let mut table = Table::new("Ping-pong between two VMs", columns());
    for case in SMALL {
        let row = row(bench, &mut table, case, 0, true)?;
        table.rows.push(row);
    }
    for (kind, size, _) in SMALL {
        let row = row(bench, &mut table, (kind, size, HELD), HOLD, true)?;
        table.rows.push(row);
    }
    table.notes.push(format!(
        "Medians of round trips. Where it says \"asleep\" both sides are busy for {HOLD} µs before they answer, so that the \
         other one has gone to sleep; that time is taken off. The futex's are two native threads that always sleep, busy in between as \
         long; all three take turns, and the ratios are medians of those of each turn."
    ));
    Ok(table)
}

fn large(bench: &Bench) -> Result<Table, String> {
    let mut table = Table::new("Ping-pong between two VMs, larger messages", columns());
    for case in LARGE {
        let row = row(bench, &mut table, case, 0, false)?;
        table.rows.push(row);
    }
    Ok(table)
}

/// Whether a round trip depends on the message's size: ours alone, all sizes in one process, in turn.
fn sizes(bench: &Bench) -> Result<Table, String> {
    let columns = ["message", "size", "ours (µs)", "of the smallest's"].map(str::to_owned).to_vec();
    let mut table = Table::new("Ping-pong between two VMs, by size, in turn", columns);
    let Some(ours) = bench.peers.iter().find(|peer| peer.name == "asterism") else { return Ok(table) };
    for (kind, rounds, sizes) in SIZES {
        let names: Vec<String> = sizes.iter().map(usize::to_string).collect();
        let argv: Vec<&str> =
            ["benches/vms/sizes.rb", kind, rounds].into_iter().chain(names.iter().map(String::as_str)).collect();
        let mut medians = vec![Vec::new(); sizes.len()];
        for _ in 0..bench.options.runs.min(5) {
            let measured = child::measure(&ours.argv(&argv), bench.root)?;
            let text = String::from_utf8_lossy(&measured.stdout).into_owned();
            let found: Vec<f64> =
                text.lines().filter_map(|line| line.split_once(": ")?.1.trim().parse().ok()).collect();
            if !measured.success || found.len() != sizes.len() {
                table.wrong.push(format!("sizes {kind} failed"));
                continue;
            }
            for (all, one) in medians.iter_mut().zip(found) {
                all.push(one);
            }
        }
        let medians: Vec<f64> = medians.iter_mut().map(|all| median(all)).collect();
        for (size, of) in sizes.iter().zip(&medians) {
            table.rows.push(vec![
                Cell::Text(kind.replace('_', " ")),
                Cell::Number(*size as f64, 0),
                Cell::Number(*of, 2),
                Cell::Number(of / medians[0], 2),
            ]);
        }
        eprintln!("sizes {kind}: done");
    }
    Ok(table)
}

fn row(
    bench: &Bench,
    table: &mut Table,
    (kind, size, count): Case,
    hold: u64,
    beside_futex: bool,
) -> Result<Vec<Cell>, String> {
    let args = [kind.to_owned(), size.to_string(), count.to_string(), hold.to_string()];
    // Elements of an Array are marshalled one by one.
    let weight = if kind == "array" { size * 10 } else { size };
    let fewer = count.min(RUBY_MOST / weight.max(1)).max(10).to_string();
    let fewer = [args[0].clone(), args[1].clone(), fewer, args[3].clone()];
    let mut name = kind.replace('_', " ");
    if size > 0 {
        name += &format!(" {size}");
    }
    if hold > 0 {
        name += ", asleep";
    }
    let (mut ours, mut ruby, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    let turns = bench.options.runs.min(5) * if hold > 0 { HELD_TURNS } else { 1 };
    for _ in 0..turns {
        ours.extend(once(bench, table, "asterism", &args)?);
        if beside_futex {
            bare.push(futex(count.min(10_000), hold));
        }
        ruby.extend(once(bench, table, "ruby", &fewer)?);
    }
    // Turn by turn: what the machine does otherwise happens to both.
    let ratio = |others: &[Times]| {
        let mut ratios: Vec<f64> = ours.iter().zip(others).map(|(ours, other)| ours.median / other.median).collect();
        if ratios.is_empty() { Cell::Missing } else { Cell::Number(median(&mut ratios), 3) }
    };
    let (to_ruby, to_bare) = (ratio(&ruby), ratio(&bare));
    let (ours, ruby, bare) = (Times::medians(&ours), Times::medians(&ruby), Times::medians(&bare));
    let of = |times: Option<Times>, get: fn(Times) -> f64| times.map_or(Cell::Missing, |t| Cell::Number(get(t), 2));
    eprintln!("pingpong {}: done", args.join(" "));
    Ok(vec![
        Cell::Text(name),
        of(ours, |t| t.median),
        of(ours, |t| t.mean),
        of(ours, |t| t.cpu),
        of(ruby, |t| t.median),
        of(ruby, |t| t.mean),
        of(ruby, |t| t.cpu),
        of(bare, |t| t.median),
        to_ruby,
        to_bare,
    ])
}

/// What the program says; `None` if that Ruby is not there or fails.
fn once(bench: &Bench, table: &mut Table, peer: &str, args: &[String; 4]) -> Result<Option<Times>, String> {
    let Some(peer) = bench.peers.iter().find(|candidate| candidate.name == peer) else { return Ok(None) };
    let argv: Vec<&str> = std::iter::once("benches/vms/pingpong.rb").chain(args.iter().map(String::as_str)).collect();
    let measured = child::measure(&peer.argv(&argv), bench.root)?;
    if !measured.success {
        table.wrong.push(format!("pingpong {} failed on {}", args.join(" "), peer.name));
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&measured.stdout).into_owned();
    let find = |name: &str| {
        let found = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
        found.unwrap_or(f64::NAN)
    };
    Ok(Some(Times { median: find("median: "), mean: find("mean: "), cpu: find("cpu: ") }))
}

/// Sleeps while the word is 0, then makes it 0.
fn wait(word: &AtomicU32) {
    while word.swap(0, Ordering::Acquire) == 0 {
        // SAFETY: the word lives as long as the reference, and no timeout is passed.
        unsafe { libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG, 0, 0_usize) };
    }
}

fn wake(word: &AtomicU32) {
    word.store(1, Ordering::Release);
    // SAFETY: as for `wait`.
    unsafe { libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, 1) };
}

fn busy(microseconds: u64) {
    let until = Instant::now() + Duration::from_micros(microseconds);
    while microseconds > 0 && Instant::now() < until {}
}

/// User and system time of this process so far, in seconds.
fn cpu() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer leads to a live local of the type that is written.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Two native threads wake each other `count` times.
fn futex(count: usize, hold: u64) -> Times {
    let words = Arc::new([AtomicU32::new(0), AtomicU32::new(0)]);
    let theirs = Arc::clone(&words);
    let echo = thread::spawn(move || {
        for _ in 0..count {
            wait(&theirs[0]);
            busy(hold);
            wake(&theirs[1]);
        }
    });
    let mut times = Vec::with_capacity(count);
    let (started, cpu_before) = (Instant::now(), cpu());
    for _ in 0..count {
        let before = Instant::now();
        wake(&words[0]);
        wait(&words[1]);
        times.push(before.elapsed().as_secs_f64() * 1e6 - hold as f64);
        busy(hold);
    }
    let held = 2.0 * hold as f64;
    let mean = started.elapsed().as_secs_f64() * 1e6 / count as f64 - held;
    let spent = (cpu() - cpu_before) * 1e6 / count as f64 - held;
    // It has answered `count` times: it ends.
    let _ = echo.join();
    Times { median: median(&mut times), mean, cpu: spent }
}
