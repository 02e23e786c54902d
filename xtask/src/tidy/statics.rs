//! Process-wide state: only what is listed may change after it was made.

use super::allow::Allowed;
use super::report::{Report, is_test};
use crate::rust_source::{line_of, words};

/// Types through which a shared static can change, or is made at run time.
const MUTABLE: [&str; 11] =
    ["Atomic", "Mutex", "RwLock", "Once", "OnceLock", "LazyLock", "Lazy", "Cell", "RefCell", "UnsafeCell", "Condvar"];

/// Checks the statics of one file.
pub fn check(file: &str, masked: &str, allowed: &Allowed, report: &mut Report) {
    if is_test(file) {
        return;
    }
    let mut thread_locals = Vec::new();
    for at in words(masked, "thread_local") {
        thread_locals.push(at..block_end(masked, at));
        if !allowed.has("static", file, "thread_local") {
            report.fault(file, line_of(masked, at), "`thread_local!`: pass the execution context instead");
        }
    }
    for at in words(masked, "static") {
        if thread_locals.iter().any(|block| block.contains(&at)) {
            continue;
        }
        let rest = masked[at + "static".len()..].trim_start();
        let line = line_of(masked, at);
        if rest.starts_with("mut ") {
            report.fault(file, line, "`static mut`");
            continue;
        }
        let Some((name, tail)) = rest.split_once(':') else {
            continue;
        };
        let name = name.trim();
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let of_type = tail.split(['=', ';']).next().unwrap_or_default().trim();
        if may_change(of_type) && !allowed.has("static", file, name) {
            report.fault(file, line, &format!("`static {name}: {of_type}` is process-wide state that is not listed"));
        }
    }
}

/// The end of the braces that open after `start`.
fn block_end(masked: &str, start: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, byte) in masked[start..].bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return start + offset,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    masked.len()
}

/// A reference or an array of plain data cannot change; any other type of ours might.
fn may_change(of_type: &str) -> bool {
    let mut parts = of_type.split(|c: char| !c.is_alphanumeric() && c != '_');
    if parts.any(|part| MUTABLE.contains(&part) || part.starts_with("Atomic")) {
        return true;
    }
    let primitive = ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "f64", "bool", "char"];
    !(of_type.starts_with('&') || of_type.starts_with('[') || of_type.starts_with('(') || primitive.contains(&of_type))
}
