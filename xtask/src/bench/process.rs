//! The third kind of table: start of a process, memory, creation of threads.

use std::thread;
use std::time::Instant;

use super::peers::Peer;
use super::setup::{Bench, median, wall_line};
use super::table::{Cell, Table};
use crate::child;

const STARTS_A_RUN: usize = 5;
const MEMORY_PROGRAMS: [&str; 2] = ["binary_trees", "gcbench"];
const THREADS: usize = 20_000;

/// The tables about whole processes.
pub fn run(bench: &Bench) -> Result<Vec<Table>, String> {
    Ok(vec![startup(bench)?, memory(bench)?, thread_creation(bench)?])
}

/// The interpreters only: a JIT changes none of these, but its rows show that.
fn start_command(peer: &Peer) -> Vec<String> {
    let mut command = peer.command.clone();
    if peer.name.starts_with("ruby") {
        command.push("--disable-gems".to_owned());
    }
    command.extend(["-e".to_owned(), "1".to_owned()]);
    command
}

fn startup(bench: &Bench) -> Result<Table, String> {
    let columns = ["command", "time (ms)", "ours / this", "peak RSS (MiB)"].map(str::to_owned);
    let mut table = Table::new("Start of a process", columns.to_vec());
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); bench.peers.len()];
    let mut peaks: Vec<Vec<f64>> = vec![Vec::new(); bench.peers.len()];
    for _ in 0..bench.options.runs * STARTS_A_RUN {
        for (index, peer) in bench.peers.iter().enumerate() {
            let measured = child::measure(&start_command(peer), bench.root)?;
            if measured.success {
                times[index].push(measured.seconds * 1000.0);
                peaks[index].push(measured.peak_kib as f64 / 1024.0);
            } else if table.wrong.iter().all(|line| !line.starts_with(&peer.name)) {
                table.wrong.push(format!("{}: `-e 1` failed", peer.name));
            }
        }
    }
    let ours = median(&mut times[0]);
    for (index, peer) in bench.peers.iter().enumerate() {
        let time = median(&mut times[index]);
        table.rows.push(vec![
            Cell::Text(format!("{}: `{}`", peer.name, start_command(peer)[1..].join(" "))),
            Cell::Number(time, 2),
            Cell::Number(ours / time, 2),
            Cell::Number(median(&mut peaks[index]), 1),
        ]);
    }
    Ok(table)
}

fn memory(bench: &Bench) -> Result<Table, String> {
    let mut columns = vec!["program".to_owned()];
    for (index, peer) in bench.peers.iter().enumerate() {
        columns.push(format!("{} (MiB)", peer.name));
        if index > 0 {
            columns.push(format!("ours / {}", peer.name));
        }
    }
    let mut table = Table::new("Peak resident memory", columns);
    for name in MEMORY_PROGRAMS {
        let file = format!("benches/programs/{name}.rb");
        let mut peaks: Vec<Vec<f64>> = vec![Vec::new(); bench.peers.len()];
        for _ in 0..bench.options.runs.min(3) {
            for (index, peer) in bench.peers.iter().enumerate() {
                let measured = child::measure(&peer.argv(&[&file]), bench.root)?;
                if measured.success {
                    peaks[index].push(measured.peak_kib as f64 / 1024.0);
                } else if table.wrong.iter().all(|line| *line != format!("{name} failed on {}", peer.name)) {
                    table.wrong.push(format!("{name} failed on {}", peer.name));
                }
            }
        }
        let ours = median(&mut peaks[0]);
        let mut row = vec![Cell::Text(name.to_owned()), Cell::Number(ours, 1)];
        for peaks in peaks.iter_mut().skip(1) {
            let peak = median(peaks);
            row.extend([Cell::Number(peak, 1), Cell::Number(ours / peak, 2)]);
        }
        table.rows.push(row);
    }
    Ok(table)
}

/// Seconds for creating and joining native threads that do nothing.
fn native_threads() -> Result<f64, String> {
    let create = || thread::Builder::new().spawn(|| {}).map_err(|error| format!("cannot create a thread: {error}"));
    for _ in 0..1000 {
        create()?.join().map_err(|_| "an empty thread panicked".to_owned())?;
    }
    let started = Instant::now();
    for _ in 0..THREADS {
        create()?.join().map_err(|_| "an empty thread panicked".to_owned())?;
    }
    Ok(started.elapsed().as_secs_f64())
}

fn thread_creation(bench: &Bench) -> Result<Table, String> {
    let columns = ["what", "create and join (µs)", "ours / this"].map(str::to_owned);
    let mut table = Table::new("Creating and joining a thread", columns.to_vec());
    let per_thread = 1e6 / THREADS as f64;
    let count = THREADS.to_string();
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); bench.peers.len()];
    let mut native = Vec::new();
    for _ in 0..bench.options.runs {
        native.push(native_threads()? * per_thread);
        for (index, peer) in bench.peers.iter().enumerate() {
            let measured = child::measure(&peer.argv(&["benches/parallel/thread_create.rb", &count]), bench.root)?;
            match wall_line(&measured.stdout) {
                Some(time) if measured.success => times[index].push(time * per_thread),
                _ if table.wrong.iter().all(|line| !line.ends_with(&peer.name)) => {
                    table.wrong.push(format!("thread_create failed on {}", peer.name));
                }
                _ => {}
            }
        }
    }
    let ours = median(&mut times[0]);
    let mut row = |name: &str, time: f64| {
        table.rows.push(vec![Cell::Text(name.to_owned()), Cell::Number(time, 2), Cell::Number(ours / time, 2)]);
    };
    row("a native thread in Rust", median(&mut native));
    for (index, peer) in bench.peers.iter().enumerate() {
        row(&format!("`Thread.new {{}}.join` on {}", peer.name), median(&mut times[index]));
    }
    Ok(table)
}
