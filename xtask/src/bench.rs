//! `cargo xtask bench`: tables of our times beside those of every other Ruby on the machine.
//!
//! Runs are interleaved (each round runs every Ruby once), medians are taken, outputs are checked.

mod apps;
mod compare;
mod curves;
mod echo;
mod echo_client;
mod extensions;
mod fiber;
mod gc;
mod iterators;
mod parallel;
mod peers;
mod process;
mod programs;
mod ractors;
mod regexp;
mod setup;
mod stop;
mod table;
mod vm_beside;
mod vm_start;
mod vms;

use std::process::Command;

use crate::repo;
use setup::{Bench, Options};
use table::Table;

/// Runs the benchmarks; `Ok(false)` when an output was wrong.
pub fn run(args: &[String]) -> Result<bool, String> {
    let options = Options::parse(args)?;
    let root = repo::root();
    let binary = repo::binary(&root, options.binary.as_deref())?;
    let bench = Bench { root: &root, options: &options, peers: peers::find(&binary, &options.peers) };

    let (mut tables, mut pictures) = (Vec::new(), Vec::new());
    if options.wants_table("programs") {
        tables.push(programs::run(&bench)?);
    }
    if options.wants_table("iterators") {
        tables.push(iterators::run(&bench)?);
    }
    if options.wants_table("regexp") {
        tables.extend(regexp::run(&bench)?);
    }
    if options.wants_table("extensions") && options.names.is_empty() {
        tables.push(extensions::run(&bench)?);
    }
    if options.wants_table("parallel") {
        tables.extend(parallel::run(&bench)?);
    }
    if options.wants_table("process") && options.names.is_empty() {
        tables.extend(process::run(&bench)?);
    }
    if options.wants_table("stop") && options.names.is_empty() {
        tables.push(stop::run(&bench)?);
    }
    if options.wants_table("gc") && options.names.is_empty() {
        tables.push(gc::run(&bench)?);
    }
    if options.wants_table("echo") && options.names.is_empty() {
        let (more, drawn) = echo::run(&bench)?;
        tables.extend(more);
        pictures.extend(drawn);
    }
    if options.wants_table("vms") && options.names.is_empty() {
        tables.extend(vm_start::run(&bench)?);
        tables.extend(vm_beside::run(&bench)?);
        tables.extend(vms::run(&bench)?);
    }
    if options.wants_table("ractors") && options.names.is_empty() {
        let (more, drawn) = ractors::run(&bench)?;
        tables.extend(more);
        pictures.extend(drawn);
    }
    if options.wants_table("apps") && options.names.is_empty() {
        tables.extend(apps::run(&bench)?);
    }
    if bench.options.wants_table("fiber") && options.names.is_empty() {
        let (more, drawn) = fiber::run(&bench)?;
        tables.extend(more);
        pictures.extend(drawn);
    }
    let tables: Vec<Table> = tables.into_iter().filter(|table| !table.rows.is_empty()).collect();

    let head = heading(&bench);
    let text: String = tables.iter().map(Table::to_markdown).collect();
    println!("\n{head}{text}");
    // A part of the tables does not overwrite the record of the whole.
    let whole = options.names.is_empty() && options.only.is_none();
    let folder = options.out.clone().or_else(|| whole.then(|| root.join("benches/results")));
    if let Some(folder) = folder {
        let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(&folder).map_err(problem)?;
        std::fs::write(folder.join("bench.md"), format!("{head}{text}")).map_err(problem)?;
        std::fs::write(folder.join("bench.json"), table::to_json(&tables)).map_err(problem)?;
        for (name, picture) in &pictures {
            std::fs::write(folder.join(name), picture).map_err(problem)?;
        }
        println!("written to {}", folder.display());
    }
    Ok(tables.iter().all(|table| table.wrong.is_empty()))
}

fn heading(bench: &Bench) -> String {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1)).unwrap_or("unknown");
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let mut text = String::from("# Measurements of `cargo xtask bench`\n\n");
    text += &format!("- machine: {model}, {cores} cores, {}\n", tool("uname", &["-sr"]));
    text += &format!("- date: {}\n", tool("date", &["-u", "+%F %H:%M UTC"]));
    text += &format!("- commit: {}\n", tool("git", &["describe", "--always", "--dirty"]));
    text += &format!("- medians of {} interleaved runs\n", bench.options.runs);
    for peer in &bench.peers {
        text += &format!("- {}: `{}`: {}\n", peer.name, peer.command.join(" "), peer.version);
    }
    text + "\n"
}

fn tool(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(repo::root()).output();
    output.map_or_else(|_| "unknown".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
