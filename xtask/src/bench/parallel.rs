//! The second kind of table: threads of one process beside separate processes, and shared data.

use super::table::{Cell, Table};
use super::{Bench, median, wall_line};
use crate::child::{self, Measured};

/// Programs in which every thread works on data of its own, and the one that reads a shared hash.
const INDEPENDENT: [&str; 8] =
    ["fib", "tak", "mandelbrot", "concat_private", "object_alloc", "hash_update", "aobench", "hash_read_shared"];

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
        "Every thread and every process does the same work; each measures itself from before its threads start \
         until they have ended. The ratio is the median of the ratios of the single rounds."
            .to_owned(),
    );
    Ok(table)
}

fn independent_row(bench: &Bench, name: &str, threads: usize) -> Result<Vec<Cell>, String> {
    let ours = &bench.peers[0];
    let file = file(name);
    let count = threads.to_string();
    let (mut single, mut together, mut apart, mut ratios) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..bench.options.runs {
        single.push(seconds(name, &child::measure(&ours.argv(&[&file, "1"]), bench.root)?)?);

        let time = seconds(name, &child::measure(&ours.argv(&[&file, &count]), bench.root)?)?;
        together.push(time);

        let mut started = Vec::new();
        for _ in 0..threads {
            started.push(child::start(&ours.argv(&[&file, "1"]), bench.root)?);
        }
        // All are waited for before a failure of one is reported.
        let ended: Vec<Result<Measured, String>> = started.into_iter().map(child::finish).collect();
        let mut throughput = 0.0;
        let mut longest: f64 = 0.0;
        for measured in ended {
            let time = seconds(name, &measured?)?;
            throughput += 1.0 / time;
            longest = longest.max(time);
        }
        apart.push(longest);
        ratios.push(threads as f64 / time / throughput);
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

fn shared(bench: &Bench) -> Result<Table, String> {
    let threads = bench.options.threads;
    let columns = ["program", "asterism (s)", "ruby (s)"].map(str::to_owned);
    let mut table = Table::new("Shared and mixed work", columns.to_vec());
    let cases = [
        ("concat_shared", 1, "one string, one thread doing all the work"),
        ("concat_shared", threads, "one string, the same work shared among the threads"),
        ("hetero", 4, "2 × fib and 2 × private concat"),
    ];
    for (name, threads, what) in cases {
        if !bench.options.wants(name) {
            continue;
        }
        let count = threads.to_string();
        let mut row = vec![Cell::Text(format!("{name}, {threads} threads: {what}"))];
        for peer in ["asterism", "ruby"] {
            let Some(peer) = bench.peers.iter().find(|candidate| candidate.name == peer) else {
                row.push(Cell::Missing);
                continue;
            };
            let mut times = Vec::new();
            for _ in 0..bench.options.runs {
                let measured = child::measure(&peer.argv(&[&file(name), &count]), bench.root)?;
                match seconds(name, &measured) {
                    Ok(time) => times.push(time),
                    Err(error) => {
                        table.wrong.push(format!("{} on {}", error, peer.name));
                        times.clear();
                        break;
                    }
                }
            }
            row.push(Cell::Number(median(&mut times), 3));
        }
        table.rows.push(row);
    }
    Ok(table)
}
