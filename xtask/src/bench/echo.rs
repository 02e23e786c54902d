//! The tables about input and output in fibers: the echo servers of `benches/echo`, and many connections held at once.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdout, Command, Stdio};

use super::curves::{Curves, Line};
use super::echo_client;
use super::fiber::Pictures;
use super::peers::Peer;
use super::setup::{Bench, median};
use super::table::{Cell, Table};

const FOLDER: &str = "benches/echo";
const CONNECTIONS: usize = 64;
const REQUESTS: usize = 200_000;
const DEPTHS: [&str; 2] = ["0", "100"];
const HELD: usize = 10_000;

/// One measurement.
#[derive(Clone)]
struct Run {
    rate: f64,
    user: f64,
    system: f64,
}

/// A server: what it is called, its program, and whether its scheduler is to be the one in Ruby.
type Case = (&'static str, &'static str, bool);

const CASES: [Case; 3] = [
    ("IO.select", "select", false),
    ("scheduler (ours built in, others' in Ruby)", "scheduler", false),
    ("scheduler in Ruby", "scheduler", true),
];
/// The case of `CASES` in which our own scheduler serves.
const BUILT_IN: usize = 1;

/// What was measured, by case, depth and peer: a run for each round, `None` if it failed.
type Runs = [[Vec<Vec<Option<Run>>>; DEPTHS.len()]; CASES.len()];

/// The tables, and the picture.
pub fn run(bench: &Bench) -> Result<(Vec<Table>, Pictures), String> {
    let mut wrong = Vec::new();
    let runs = measure(bench, &mut wrong);
    let (mut rates, picture) = rates(bench, &runs);
    rates.wrong = wrong;
    Ok((vec![rates, ratios(bench, &runs), held(bench)?], vec![("echo.svg".to_owned(), picture)]))
}

/// Everything in turn, round by round: what the machine does otherwise happens to all alike.
fn measure(bench: &Bench, wrong: &mut Vec<String>) -> Runs {
    let mut runs: Runs = std::array::from_fn(|_| std::array::from_fn(|_| vec![Vec::new(); bench.peers.len()]));
    for _ in 0..bench.options.runs {
        for ((title, program, in_ruby), runs) in CASES.into_iter().zip(&mut runs) {
            for (depth, runs) in DEPTHS.into_iter().zip(runs) {
                for (peer, runs) in bench.peers.iter().zip(runs) {
                    let run = one(bench, peer, program, depth, in_ruby);
                    match &run {
                        Ok(Run { rate, user, system }) => {
                            eprintln!(
                                "echo {title} {depth} {}: {rate:.0} requests/s, {user:.2} + {system:.2} µs",
                                peer.name
                            );
                        }
                        Err(error) => wrong.push(format!("{title} {depth} on {}: {error}", peer.name)),
                    }
                    runs.push(run.ok());
                }
            }
        }
    }
    runs
}

fn rates(bench: &Bench, runs: &Runs) -> (Table, String) {
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
    let mut lines = Vec::new();
    for ((title, ..), runs) in CASES.iter().zip(runs) {
        let first_line = lines.len();
        lines.extend(
            bench.peers.iter().map(|peer| Line { name: format!("{}, {title}", peer.name), values: Vec::new() }),
        );
        for (depth, runs) in DEPTHS.iter().zip(runs) {
            let mut row = vec![Cell::Text(format!("{title}, {depth}"))];
            let mut first = None;
            for (runs, line) in runs.iter().zip(&mut lines[first_line..]) {
                let middle = |value: fn(&Run) -> f64| median(&mut runs.iter().flatten().map(value).collect::<Vec<_>>());
                let (rate, user, system) = (middle(|r| r.rate), middle(|r| r.user), middle(|r| r.system));
                line.values.push(rate);
                row.extend([Cell::Number(rate, 0), Cell::Number(user, 2), Cell::Number(system, 2)]);
                match first {
                    None => first = Some((rate, user)),
                    Some((ours, own)) => row.extend([Cell::Number(ours / rate, 2), Cell::Number(own / user, 2)]),
                }
            }
            table.rows.push(row);
        }
    }
    table.notes.push(format!(
        "{CONNECTIONS} connections, {REQUESTS} requests of 32 bytes; the server on core 0, one native client on core 1, which never sleeps. User time is \
         that of the whole server process, its start included. All servers take turns, round by round."
    ));
    let picture = Curves {
        title: "Echo, 64 connections".to_owned(),
        x: "calls deep".to_owned(),
        y: "requests a second".to_owned(),
        labels: DEPTHS.map(str::to_owned).to_vec(),
        lines,
    };
    (table, picture.to_svg())
}

/// Our scheduler against every server of the others: medians of what the rounds gave.
fn ratios(bench: &Bench, runs: &Runs) -> Table {
    let columns = ["other", "requests/s, ours / other", "user time a request, ours / other"];
    let mut table = Table::new("Echo, our built-in scheduler against others", columns.map(str::to_owned).to_vec());
    for (at, depth) in DEPTHS.iter().enumerate() {
        let Some((ours, _)) = runs[BUILT_IN][at].split_first() else { continue };
        for ((title, ..), runs) in CASES[..=BUILT_IN].iter().zip(runs) {
            let Some((_, others)) = runs[at].split_first() else { continue };
            for (peer, theirs) in bench.peers.iter().skip(1).zip(others) {
                let ratio = |value: fn(&Run) -> f64| {
                    let both =
                        ours.iter().zip(theirs).filter_map(|(a, b)| Some(value(a.as_ref()?) / value(b.as_ref()?)));
                    Cell::Number(median(&mut both.collect::<Vec<_>>()), 2)
                };
                let what = title.split(" (").next().unwrap_or(title);
                let name = Cell::Text(format!("{}, {what}, depth {depth}", peer.name));
                table.rows.push(vec![name, ratio(|run| run.rate), ratio(|run| run.user)]);
            }
        }
    }
    table.notes.push("Medians of the ratios of each round.".to_owned());
    table
}

/// A server that has said its port.
struct Server {
    process: Child,
    output: BufReader<ChildStdout>,
    port: u16,
}

impl Server {
    fn start(bench: &Bench, argv: &[String]) -> Result<Server, String> {
        let mut process = Command::new("taskset")
            .args(["-c", "0"])
            .args(argv)
            .current_dir(bench.root)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot run taskset: {error}"))?;
        let Some(stdout) = process.stdout.take() else { return Err("no output".to_owned()) };
        let mut output = BufReader::new(stdout);
        let mut line = String::new();
        let port = output
            .read_line(&mut line)
            .map_err(|error| error.to_string())
            .and_then(|_| line.trim().parse::<u16>().map_err(|error| format!("{line:?} is no port: {error}")));
        let mut server = Server { process, output, port: 0 };
        match port {
            Ok(port) => {
                server.port = port;
                Ok(server)
            }
            Err(error) => {
                server.stop();
                Err(error)
            }
        }
    }

    fn stop(&mut self) {
        // It may be gone already.
        let _gone = self.process.kill();
        let _ended = self.process.wait();
    }

    /// What it says at its end.
    fn finish(mut self) -> Result<Figures, String> {
        let mut text = String::new();
        self.output.read_to_string(&mut text).map_err(|error| error.to_string())?;
        self.process.wait().map_err(|error| error.to_string())?;
        Ok(Figures(text))
    }
}

/// `name: number` pairs.
struct Figures(String);

impl Figures {
    fn number(&self, name: &str) -> Result<f64, String> {
        let found = self.0.split_once(&format!("{name}: ")).and_then(|(_, rest)| rest.split_whitespace().next());
        found.and_then(|text| text.parse().ok()).ok_or_else(|| format!("the server said {:?}", self.0))
    }
}

/// Runs a server and the client once.
fn one(bench: &Bench, peer: &Peer, program: &str, depth: &str, in_ruby: bool) -> Result<Run, String> {
    let file = format!("{FOLDER}/{program}.rb");
    let (connections, requests) = (CONNECTIONS.to_string(), REQUESTS.to_string());
    let mut args = vec![file.as_str(), &connections, &requests, depth];
    if in_ruby {
        args.push("ruby");
    }
    let mut server = Server::start(bench, &peer.argv(&args))?;
    let result = echo_client::pin(1).and_then(|()| echo_client::run(server.port, CONNECTIONS, REQUESTS));
    if result.is_err() {
        server.stop();
    }
    let (answers, time) = result.map_err(|error| error.to_string())?;
    let said = server.finish()?;
    let served = said.number("requests")?;
    let (user, system) = (said.number("user")? * 1e6 / served, said.number("system")? * 1e6 / served);
    Ok(Run { rate: answers as f64 / time.as_secs_f64(), user, system })
}

fn held(bench: &Bench) -> Result<Table, String> {
    let columns = ["connections", "answered", "seconds", "peak MiB", "peak KiB a connection"];
    let mut table = Table::new("Connections held in one process", columns.map(str::to_owned).to_vec());
    let count = HELD.to_string();
    let mut server = Server::start(bench, &bench.peers[0].argv(&["benches/echo/hold.rb", &count]))?;
    let result = echo_client::hold(server.port, HELD);
    if result.is_err() {
        server.stop();
    }
    let time = result.map_err(|error| format!("hold.rb: {error}"))?;
    let said = server.finish()?;
    let (connections, answered, peak) = (said.number("connections")?, said.number("answered")?, said.number("peak")?);
    if connections < HELD as f64 || answered < 2.0 * HELD as f64 {
        table.wrong.push(format!("hold.rb held {connections} connections and answered {answered} lines"));
    }
    let each = peak * 1024.0 / connections;
    let cells = [(connections, 0), (answered, 0), (time.as_secs_f64(), 2), (peak, 0), (each, 1)];
    table.rows.push(cells.into_iter().map(|(number, digits)| Cell::Number(number, digits)).collect());
    table.notes.push(
        "Each connection is served by a fiber of one process; the other ends are in another process. All are open while each has two \
         lines answered."
            .to_owned(),
    );
    Ok(table)
}
