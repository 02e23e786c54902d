//! `cargo xtask handlers`: does each handler of the interpreter go on by a jump?
//!
//! Handlers go on by calls that the optimiser is to make jumps of (`docs/HACKING.md`). One that it does not still works, since
//! the interpreter begins its loop anew when the machine stack has grown, but costs memory and time. So the finished binary is
//! disassembled, and what calls through the table of handlers is named.

use std::path::PathBuf;
use std::process::Command;

use crate::repo;

/// What the symbols of handlers contain.
const HANDLERS: [&str; 2] = ["interp8dispatch3run17h", "interp8dispatch4slow17h"];

/// Disassembles a binary; true if all its handlers jump.
pub fn run(args: &[String]) -> Result<bool, String> {
    let bin = match args {
        [] => repo::root().join("target/release/asterism"),
        [flag, path] if flag == "--bin" => PathBuf::from(path),
        _ => return Err("usage: cargo xtask handlers [--bin PATH]".into()),
    };
    if !cfg!(target_arch = "x86_64") {
        println!("skipped: only the instructions of x86-64 are known");
        return Ok(true);
    }
    let output = Command::new("objdump")
        .args(["--disassemble", "--no-show-raw-insn"])
        .arg(&bin)
        .output()
        .map_err(|error| format!("cannot run objdump: {error}"))?;
    if !output.status.success() {
        return Err(format!("objdump: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let (count, calling) = calling(&text);
    if count == 0 {
        return Err(format!("{} has no symbols of handlers", bin.display()));
    }
    for name in &calling {
        println!("calls the next handler: {name}");
    }
    println!("handlers: {count}, {} of them do not jump", calling.len());
    Ok(calling.is_empty())
}

/// How many handlers a disassembly has, and which of them call through a table of eight-byte words.
fn calling(disassembly: &str) -> (usize, Vec<&str>) {
    let mut count = 0;
    let mut calling = Vec::new();
    let mut handler = None;
    for line in disassembly.lines() {
        if let Some(symbol) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            handler = Some(symbol.1).filter(|name| HANDLERS.iter().any(|part| name.contains(part)));
            count += usize::from(handler.is_some());
        } else if let Some(name) = handler
            && let Some((_, target)) = line.split_once("call")
            && target.trim_start().starts_with('*')
            && target.contains(",8)")
            && calling.last() != Some(&name)
        {
            calling.push(name);
        }
    }
    (count, calling)
}

#[cfg(test)]
#[path = "handlers_tests.rs"]
mod tests;
