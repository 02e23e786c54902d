//! Spans as trace events: <https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU>.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use asterism_heap::{Lane, Recorder, Span};
use asterism_support::profile::json;

/// The lane of the compiler to machine code.
pub const COMPILER: u64 = 1 << 40;

/// In front of the first event, which says nothing, so that each one behind has a comma before it.
pub(super) const BEGIN: &str =
    "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[{\"ph\":\"M\",\"name\":\"trace\",\"pid\":0,\"tid\":0,\"args\":{}}";
/// Behind the last one.
pub(super) const END: &str = "\n]}\n";

/// What was noted since the last time; with `last` what is known of the threads too.
pub(super) fn spans(out: &mut String, recorder: &Recorder, last: bool) {
    let now = recorder.now();
    let mut over: HashSet<*const Lane> = HashSet::new();
    for lane in &recorder.lanes() {
        // Before its spans are taken: then those are all.
        let ended = lane.ended();
        let spans = lane.take();
        let fibers: BTreeSet<u64> = spans.iter().map(|span| span.fiber).filter(|&fiber| fiber != 0).collect();
        for fiber in fibers {
            named(out, "thread_name", lane.group, fiber, &format!("fiber {fiber} of thread {}", lane.number));
        }
        for span in &spans {
            event(out, lane, span);
        }
        if last || ended.is_some() {
            life(out, lane, ended.unwrap_or(now));
            over.insert(Arc::as_ptr(lane));
        }
    }
    if !over.is_empty() {
        recorder.retain(|lane| !over.contains(&Arc::as_ptr(lane)));
    }
    if last {
        for (number, name) in recorder.groups() {
            named(out, "process_name", number, 0, &format!("VM {name}"));
        }
    }
}

/// When a thread lived, and its name.
fn life(out: &mut String, lane: &Lane, ended: u64) {
    let (group, number) = (lane.group, lane.number);
    if number == COMPILER {
        named(out, "thread_name", group, number, "compiler");
        return;
    }
    let name = match &*lane.name.lock() {
        Some(name) => format!("thread {number}: {name}"),
        None => format!("thread {number}"),
    };
    named(out, "thread_name", group, number, &name);
    begin(out, "thread", "thread", lane.begun, ended);
    place(out, group, number);
    out.push('}');
}

fn named(out: &mut String, what: &str, group: u64, number: u64, name: &str) {
    out.push_str(",\n{\"ph\":\"M\",\"name\":");
    json::string(out, what);
    place(out, group, number);
    out.push_str(",\"args\":{\"name\":");
    json::string(out, name);
    out.push_str("}}");
}

fn begin(out: &mut String, name: &str, category: &str, from: u64, to: u64) {
    out.push_str(",\n{\"ph\":\"X\",\"name\":");
    json::string(out, name);
    out.push_str(",\"cat\":");
    json::string(out, category);
    out.push_str(",\"ts\":");
    microseconds(out, from);
    out.push_str(",\"dur\":");
    microseconds(out, to.saturating_sub(from));
}

/// Appends nanoseconds as microseconds. There are two of them in each event, so they are not left to the formatting of floats.
fn microseconds(out: &mut String, nanoseconds: u64) {
    let mut digits = [b'0'; 21];
    let (mut at, mut left, mut places) = (digits.len(), nanoseconds, 0);
    while left > 0 || places < 4 {
        if places == 3 {
            at -= 1;
            digits[at] = b'.';
        }
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        (left, places) = (left / 10, places + 1);
    }
    out.extend(digits[at..].iter().map(|&digit| char::from(digit)));
}

fn place(out: &mut String, group: u64, number: u64) {
    out.push_str(",\"pid\":");
    json::number(out, group);
    out.push_str(",\"tid\":");
    json::number(out, number);
}

fn event(out: &mut String, lane: &Lane, span: &Span) {
    begin(out, &span.what, span.kind.name(), span.begin, span.end);
    place(out, lane.group, if span.fiber == 0 { lane.number } else { span.fiber });
    out.push_str(",\"args\":{");
    if let Some((file, line)) = &span.at {
        out.push_str("\"at\":\"");
        json::within_string(out, file);
        out.push(':');
        json::number(out, line);
        out.push('"');
    }
    if span.held_by != 0 {
        out.push_str(if span.at.is_some() { ",\"held_by\":" } else { "\"held_by\":" });
        json::number(out, span.held_by);
    }
    out.push_str("}}");
}
