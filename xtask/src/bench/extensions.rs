//! The table of C extensions: what a call of each part of the interface costs. `benches/extensions/speed.c` is built with
//! each Ruby's own `mkmf`; the program beside it times its functions.

use std::path::{Path, PathBuf};

use super::compare::Comparison;
use super::peers::Peer;
use super::setup::Bench;
use super::table::Table;
use crate::child;

/// Builds the extension with every Ruby that can, and times it.
pub fn run(bench: &Bench) -> Result<Table, String> {
    let mut comparison = Comparison::new(bench, "C extensions", "function").in_microseconds();
    let source = bench.root.join("benches/extensions");
    let program = source.join("run.rb").display().to_string();
    let mut folders: Vec<Option<PathBuf>> = Vec::new();
    for (index, peer) in bench.peers.iter().enumerate() {
        let folder = std::env::temp_dir().join(format!("asterism-extension-{}-{index}", std::process::id()));
        let built = build(peer, &source, &folder)?;
        if !built {
            comparison.table.notes.push(format!("{} does not build C extensions.", peer.name));
        }
        folders.push(built.then_some(folder));
    }
    let mut names: Vec<String> = Vec::new();
    // By function, then by Ruby.
    let mut times: Vec<Vec<Vec<f64>>> = Vec::new();
    for _ in 0..bench.options.runs {
        for (index, peer) in bench.peers.iter().enumerate() {
            let Some(folder) = &folders[index] else { continue };
            let measured = child::measure(&peer.argv(&[&program, &folder.display().to_string()]), bench.root)?;
            if !measured.success {
                comparison.table.wrong.push(format!("{program} on {}: a failure", peer.name));
            }
            for (name, seconds) in lines(&measured.stdout) {
                let at = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                    names.push(name);
                    times.push(vec![Vec::new(); bench.peers.len()]);
                    names.len() - 1
                });
                times[at][index].push(seconds);
            }
        }
    }
    for (name, times) in names.into_iter().zip(times) {
        comparison.add(name, times);
    }
    for folder in folders.into_iter().flatten() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    Ok(comparison.finish())
}

/// Builds the extension in a folder of its own; whether that worked.
fn build(peer: &Peer, source: &Path, folder: &Path) -> Result<bool, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let configuration = source.join("extconf.rb").display().to_string();
    Ok(child::measure(&peer.argv(&[&configuration]), folder)?.success
        && child::measure(&["make".to_owned(), "--quiet".to_owned()], folder)?.success)
}

/// The lines of `run.rb`: a name, and nanoseconds.
fn lines(stdout: &[u8]) -> Vec<(String, f64)> {
    let text = String::from_utf8_lossy(stdout);
    let line = |line: &str| {
        let (name, time) = line.rsplit_once(' ')?;
        Some((name.to_owned(), time.parse::<f64>().ok()? / 1e9))
    };
    text.lines().filter_map(line).collect()
}
