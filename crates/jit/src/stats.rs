//! What the compiler has done, for `--jit-stats` and the map that `perf` reads.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use asterism_compiler::Code;
use asterism_vm::jit::Part;
use parking_lot::Mutex;

use crate::memory;

/// What is counted.
struct Stats {
    units: usize,
    bytes: usize,
    time: Duration,
    refused: BTreeMap<&'static str, usize>,
    /// How often code was left because of an operand, by file and line.
    left: BTreeMap<(String, u32), usize>,
    /// The map for `perf`.
    map: Option<File>,
}

static STATS: Mutex<Stats> = Mutex::new(Stats {
    units: 0,
    bytes: 0,
    time: Duration::ZERO,
    refused: BTreeMap::new(),
    left: BTreeMap::new(),
    map: None,
});

/// Writes a map of compiled code for `perf` from now on.
pub fn map_for_perf() {
    let path = format!("/tmp/perf-{}.map", std::process::id());
    STATS.lock().map = OpenOptions::new().create(true).append(true).open(path).ok();
}

pub(crate) fn compiled(code: &Arc<Code>, part: Part, address: usize, bytes: usize, time: Duration) {
    let mut stats = STATS.lock();
    stats.units += 1;
    stats.bytes += bytes;
    stats.time += time;
    if let Some(map) = &mut stats.map {
        // A map that cannot be written lacks a name.
        let _ = writeln!(map, "{address:x} {bytes:x} ruby:{} {}:{} {part:?}", code.label, code.file, code.line);
    }
}

pub(crate) fn refused(why: &'static str) {
    *STATS.lock().refused.entry(why).or_default() += 1;
}

pub(crate) fn left(code: &Arc<Code>, at: usize) {
    let place = (code.file.to_string(), code.line_at(at));
    *STATS.lock().left.entry(place).or_default() += 1;
}

/// What was done so far, in words.
pub fn report() -> String {
    let stats = STATS.lock();
    let mut text = format!(
        "jit: {} units, {} bytes in {} of memory, {:.1} ms\n",
        stats.units,
        stats.bytes,
        memory::used(),
        stats.time.as_secs_f64() * 1e3
    );
    for (why, n) in &stats.refused {
        let _ = writeln!(text, "jit: refused {n}: {why}");
    }
    for ((file, line), n) in &stats.left {
        let _ = writeln!(text, "jit: left {n} times at {file}:{line}");
    }
    text
}
