//! The second kind of table: threads of one process beside separate processes, and shared data.

use super::setup::{Bench, median, wall_line};
use super::table::{Cell, Table};
use crate::child::{self, Measured};

/// Programs in which every thread works on data of its own, and the one that reads a shared hash.
const INDEPENDENT: [&str; 9] = [
    "fib",
    "tak",
    "mandelbrot",
    "concat_private",
    "object_alloc",
    "hash_update",
    "aobench",
    "hash_read_shared",
    "regexp_search",
];

fn file(name: &str) -> String {
    format!("benches/parallel/{name}.rb")
}

fn seconds(name: &str, measured: &Measured) -> Result<f64, String> {
    if !measured.success {
        let stderr = String::from_utf8_lossy(&measured.stderr).into_owned();
        return Err(format!("{name} failed: {}", stderr.lines().next().unwrap_or_default()));
    }
    wall_line(&measured.stdout).ok_or_else(|| format!("{name} printed no `wall:` line"))
}

/// The tables about threads.
pub fn run(bench: &Bench) -> Result<Vec<Table>, String> {
    Ok(vec![independent(bench)?, shared(bench)?])
}

fn independent(bench: &Bench) -> Result<Table, String> {
    let threads = bench.options.threads;
    let columns = [
        "program".to_owned(),
        "1 thread (s)".to_owned(),
        format!("{threads} threads (s)"),
        format!("{threads} processes (s)"),
        "throughput of threads / processes".to_owned(),
        format!("{threads} threads of ruby (s)"),
    ];
    let mut table = Table::new(&format!("{threads} threads beside {threads} processes"), columns.to_vec());
    for name in INDEPENDENT {
        if !bench.options.wants(name) {
            continue;
        }
        match independent_row(bench, name, threads) {
            Ok(row) => table.rows.push(row),
            Err(error) => {
                let mut row = vec![Cell::Text(name.to_owned())];
                row.extend((1..table.columns.len()).map(|_| Cell::Missing));
                table.rows.push(row);
                table.wrong.push(error);
            }
        }
        eprintln!("parallel {name}: done");
    }
    table.notes.push(
        "Every thread and every process does the same work. A time is that until the last of them has ended, for threads \
         and for processes alike (the cores of a shared machine differ in speed from second to second); the ratio is \
         the median of the ratios of the single rounds."
            .to_owned(),
    );
    Ok(table)
}

fn independent_row(bench: &Bench, name: &str, threads: usize) -> Result<Vec<Cell>, String> {
    let ours = &bench.peers[0];
    let file = file(name);
    let count = threads.to_string();
    let (mut single, mut together, mut apart, mut ratios) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for round in 0..bench.options.runs {
        single.push(seconds(name, &child::measure(&ours.argv(&[&file, "1"]), bench.root)?)?);
        let in_threads = || seconds(name, &child::measure(&ours.argv(&[&file, &count]), bench.root)?);
        // Who goes first alternates: a machine that slows down under load favours the first.
        let (threads_took, processes_took) = if round % 2 == 0 {
            let threads_took = in_threads()?;
            (threads_took, slowest_process(bench, name, threads)?)
        } else {
            let processes_took = slowest_process(bench, name, threads)?;
            (in_threads()?, processes_took)
        };
        together.push(threads_took);
        apart.push(processes_took);
        ratios.push(processes_took / threads_took);
    }
    let reference = match bench.peers.iter().find(|peer| peer.name == "ruby") {
        Some(ruby) => Cell::Number(seconds(name, &child::measure(&ruby.argv(&[&file, &count]), bench.root)?)?, 3),
        None => Cell::Missing,
    };
    Ok(vec![
        Cell::Text(name.to_owned()),
        Cell::Number(median(&mut single), 3),
        Cell::Number(median(&mut together), 3),
        Cell::Number(median(&mut apart), 3),
        Cell::Number(median(&mut ratios), 3),
        reference,
    ])
}

/// Runs `count` processes at once; the seconds that the slowest of them measured.
fn slowest_process(bench: &Bench, name: &str, count: usize) -> Result<f64, String> {
    let argv = bench.peers[0].argv(&[&file(name), "1"]);
    let mut started = Vec::new();
    for _ in 0..count {
        started.push(child::start(&argv, bench.root)?);
    }
    // All are waited for before a failure of one is reported.
    let ended: Vec<Result<Measured, String>> = started.into_iter().map(child::finish).collect();
    let mut longest: f64 = 0.0;
    for measured in ended {
        longest = longest.max(seconds(name, &measured?)?);
    }
    Ok(longest)
}

fn shared(bench: &Bench) -> Result<Table, String> {
    let threads = bench.options.threads;
    let columns = ["program", "asterism (s)", "ruby (s)"].map(str::to_owned);
    let mut table = Table::new("Shared and mixed work", columns.to_vec());
    let cases = [
        ("concat_shared", 1, "one string, one thread doing all the work"),
        ("concat_shared", threads, "one string, the same work shared among the threads"),
        ("hetero", 4, "2 × fib and 2 × private concat"),
    ];
    let peers = ["asterism", "ruby"].map(|name| bench.peers.iter().find(|peer| peer.name == name));
    let mut times = vec![[Vec::new(), Vec::new()]; cases.len()];
    for _ in 0..bench.options.runs {
        for ((name, threads, _), times) in cases.iter().zip(&mut times) {
            if !bench.options.wants(name) {
                continue;
            }
            for (peer, times) in peers.iter().zip(times) {
                let Some(peer) = peer else { continue };
                let argv = peer.argv(&[&file(name), &threads.to_string()]);
                match seconds(name, &child::measure(&argv, bench.root)?) {
                    Ok(time) => times.push(time),
                    Err(error) => table.wrong.push(format!("{error} on {}", peer.name)),
                }
            }
        }
    }
    let mut ratios: Vec<f64> = times[1][0].iter().zip(&times[0][0]).map(|(many, one)| many / one).collect();
    for ((name, threads, what), mut times) in cases.iter().zip(times) {
        if !bench.options.wants(name) {
            continue;
        }
        let mut row = vec![Cell::Text(format!("{name}, {threads} threads: {what}"))];
        for times in &mut times {
            row.push(if times.len() == bench.options.runs { Cell::Number(median(times), 3) } else { Cell::Missing });
        }
        table.rows.push(row);
    }
    if !ratios.is_empty() {
        let ratio = median(&mut ratios);
        table.notes.push(format!(
            "concat_shared: {threads} threads take {ratio:.3} × the time of one (median of the rounds)."
        ));
    }
    Ok(table)
}
