//! What the compiler has done, for `--jit-stats` and the map that `perf` reads.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use asterism_compiler::Code;
use asterism_compiler::opcode::Op;
use asterism_lock::Mutex;
use asterism_vm::jit::{InPlace, Part, Totals};

use crate::memory;

/// What is counted.
struct Stats {
    units: usize,
    bytes: usize,
    time: Duration,
    in_place: InPlace,
    refused: BTreeMap<&'static str, usize>,
    /// Requests that wait for their compilation.
    waiting: usize,
    /// How often code was left because of an operand, by file and line.
    left: BTreeMap<(String, u32), usize>,
    /// How often the interpreter executed an instruction, and how often code was left by that, by file, line and what it is.
    stepped: BTreeMap<(String, u32, String), (usize, usize)>,
    /// The map for `perf`.
    map: Option<File>,
}

static STATS: Mutex<Stats> = Mutex::new(Stats {
    units: 0,
    bytes: 0,
    time: Duration::ZERO,
    in_place: InPlace { methods: 0, blocks: 0, inlined: 0 },
    waiting: 0,
    refused: BTreeMap::new(),
    left: BTreeMap::new(),
    stepped: BTreeMap::new(),
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

/// So many requests wait.
pub(crate) fn waiting(requests: usize) {
    STATS.lock().waiting = requests;
}

/// A unit has these parts.
pub(crate) fn in_place(parts: InPlace) {
    let mut stats = STATS.lock();
    stats.in_place.methods += parts.methods;
    stats.in_place.blocks += parts.blocks;
    stats.in_place.inlined += parts.inlined;
}

pub(crate) fn refused(why: &'static str) {
    *STATS.lock().refused.entry(why).or_default() += 1;
}

pub(crate) fn left(code: &Arc<Code>, at: usize) {
    let place = (code.file.to_string(), code.line_at(at));
    *STATS.lock().left.entry(place).or_default() += 1;
}

pub(crate) fn stepped(code: &Arc<Code>, at: usize, left: bool) {
    let word = code.words[at];
    let op = Op::from_u8(word as u8);
    let site = op.filter(|op| matches!(op, Op::Call | Op::CallSelf)).map(|_| &code.call_sites[(word >> 48) as usize]);
    let what = match (op, site) {
        (_, Some(site)) => format!("call of {}", site.name.text()),
        (Some(op), None) => format!("{op:?}"),
        (None, None) => String::new(),
    };
    let mut stats = STATS.lock();
    let counts = stats.stepped.entry((code.file.to_string(), code.line_at(at), what)).or_default();
    counts.0 += 1;
    counts.1 += usize::from(left);
}

/// What was done so far.
pub(crate) fn totals() -> Totals {
    let stats = STATS.lock();
    Totals {
        units: stats.units,
        bytes: stats.bytes,
        time: u64::try_from(stats.time.as_nanos()).unwrap_or(u64::MAX),
        refused: stats.refused.values().sum(),
        left: stats.left.values().sum(),
        in_place: stats.in_place,
    }
}

/// How many of the instructions that the interpreter executes are told of.
const MOST_STEPS: usize = 30;

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
    let InPlace { methods, blocks, inlined } = stats.in_place;
    let _ = writeln!(text, "jit: {methods} iterators and {blocks} blocks in place, {inlined} methods inlined");
    if stats.waiting > 0 {
        let _ = writeln!(text, "jit: {} wait to be compiled", stats.waiting);
    }
    for (why, n) in &stats.refused {
        let _ = writeln!(text, "jit: refused {n}: {why}");
    }
    for ((file, line), n) in &stats.left {
        let _ = writeln!(text, "jit: left {n} times at {file}:{line}");
    }
    let mut steps: Vec<_> = stats.stepped.iter().collect();
    steps.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.0));
    for ((file, line, what), (n, left)) in steps.into_iter().take(MOST_STEPS) {
        let _ = writeln!(text, "jit: interpreted {n} times, left {left}: {file}:{line} {what}");
    }
    text
}
