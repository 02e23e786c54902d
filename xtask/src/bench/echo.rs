//! The tables about input and output in fibers: the echo servers of `benches/echo`, and many connections held at once.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use super::peers::Peer;
use super::table::{Cell, Table};
use super::{Bench, echo_client, median};
use crate::child;

const FOLDER: &str = "benches/echo";
const CONNECTIONS: usize = 64;
const REQUESTS: usize = 200_000;
const HELD: &str = "10000";

/// One measurement.
struct Run {
    rate: f64,
    user: f64,
    system: f64,
}

/// The tables.
pub fn run(bench: &Bench) -> Result<Vec<Table>, String> {
    Ok(vec![rates(bench)?, held(bench)?])
}

fn rates(bench: &Bench) -> Result<Table, String> {
    let mut columns = vec!["server, depth".to_owned()];
    for (index, peer) in bench.peers.iter().enumerate() {
        columns.push(format!("{} (requests/s)", peer.name));
        columns.push(format!("{} (user µs a request)", peer.name));
        columns.push(format!("{} (system µs a request)", peer.name));
        if index > 0 {
            columns.push(format!("ours / {} (requests/s)", peer.name));
            columns.push(format!("ours / {} (user)", peer.name));
        }
    }
    let mut table = Table::new("Echo", columns);
    let cases: [(&str, &str, bool); 3] = [
        ("IO.select", "select", false),
        ("scheduler (ours built in, others' in Ruby)", "scheduler", false),
        ("scheduler in Ruby", "scheduler", true),
    ];
    for (title, program, in_ruby) in cases {
        for depth in ["0", "100"] {
            let mut runs: Vec<Vec<Run>> = bench.peers.iter().map(|_| Vec::new()).collect();
            for _ in 0..bench.options.runs {
                for (peer, runs) in bench.peers.iter().zip(&mut runs) {
                    match one(bench, peer, program, depth, in_ruby) {
                        Ok(run) => runs.push(run),
                        Err(error) => table.wrong.push(format!("{title} {depth} on {}: {error}", peer.name)),
                    }
                }
            }
            let mut row = vec![Cell::Text(format!("{title}, {depth}"))];
            let mut first = None;
            for runs in &runs {
                let middle = |value: fn(&Run) -> f64| median(&mut runs.iter().map(value).collect::<Vec<_>>());
                let (rate, user, system) = (middle(|r| r.rate), middle(|r| r.user), middle(|r| r.system));
                row.extend([Cell::Number(rate, 0), Cell::Number(user, 2), Cell::Number(system, 2)]);
                match first {
                    None => first = Some((rate, user)),
                    Some((ours, own)) => row.extend([Cell::Number(ours / rate, 2), Cell::Number(own / user, 2)]),
                }
                eprintln!("echo {title} {depth}: {rate:.0} requests/s, {user:.2} + {system:.2} µs");
            }
            table.rows.push(row);
        }
    }
    table.notes.push(format!(
        "{CONNECTIONS} connections, {REQUESTS} requests of 32 bytes; the server on core 0, one native client on core 1. User time is \
         that of the whole server process, its start included."
    ));
    Ok(table)
}

/// Runs a server and the client once.
fn one(bench: &Bench, peer: &Peer, program: &str, depth: &str, in_ruby: bool) -> Result<Run, String> {
    let file = format!("{FOLDER}/{program}.rb");
    let (connections, requests) = (CONNECTIONS.to_string(), REQUESTS.to_string());
    let mut args = vec![file.as_str(), &connections, &requests, depth];
    if in_ruby {
        args.push("ruby");
    }
    let argv = peer.argv(&args);
    let mut server = Command::new("taskset")
        .args(["-c", "0"])
        .args(&argv)
        .current_dir(bench.root)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run taskset: {error}"))?;
    let Some(stdout) = server.stdout.take() else { return Err("no output".to_owned()) };
    let mut output = BufReader::new(stdout);
    let mut line = String::new();
    let result = output
        .read_line(&mut line)
        .map_err(|error| error.to_string())
        .and_then(|_| line.trim().parse::<u16>().map_err(|error| format!("{line:?} is no port: {error}")))
        .and_then(|port| {
            echo_client::pin(1).map_err(|error| error.to_string())?;
            echo_client::run(port, CONNECTIONS, REQUESTS).map_err(|error| error.to_string())
        });
    if result.is_err() {
        // It may be gone already.
        let _gone = server.kill();
    }
    let mut rest = String::new();
    let read = output.read_to_string(&mut rest);
    let ended = server.wait();
    let (answers, time) = result?;
    read.map_err(|error| error.to_string())?;
    ended.map_err(|error| error.to_string())?;
    let number = |name: &str| {
        let text = rest.split_once(name)?.1;
        text.split_whitespace().next()?.parse::<f64>().ok()
    };
    let (Some(served), Some(user), Some(system)) = (number("requests:"), number("user:"), number("system:")) else {
        return Err(format!("the server said {rest:?}"));
    };
    Ok(Run { rate: answers as f64 / time.as_secs_f64(), user: user * 1e6 / served, system: system * 1e6 / served })
}

fn held(bench: &Bench) -> Result<Table, String> {
    let columns = ["connections", "answered", "seconds", "peak MiB"];
    let mut table = Table::new("Connections held in one process", columns.map(str::to_owned).to_vec());
    let measured = child::measure(&bench.peers[0].argv(&["benches/echo/hold.rb", HELD]), bench.root)?;
    let text = String::from_utf8_lossy(&measured.stdout).into_owned();
    let number = |name: &str| text.split_once(name)?.1.split_whitespace().next()?.parse::<f64>().ok();
    let cell = |name: &str, digits| number(name).map_or(Cell::Missing, |n| Cell::Number(n, digits));
    if !measured.success || number("answered:").map(|n| n.to_string()).as_deref() != Some(HELD) {
        table.wrong.push(format!("hold.rb: {}", String::from_utf8_lossy(&measured.stderr).trim()));
    }
    table.rows.push(vec![cell("connections:", 0), cell("answered:", 0), cell("wall:", 2), cell("peak:", 0)]);
    table.notes.push("Both ends of each connection are fibers of the process: twice as many descriptors.".to_owned());
    Ok(table)
}
