//! Telling of races that were found.

use std::sync::Arc;

use asterism_object::{Value, string};

use crate::ec::Ec;
use crate::thread::RubyThread;
use asterism_races::report::{Report, Side};
use asterism_races::shadow::Access;
use asterism_races::stacks::Stack;

/// So many races are kept for `RubyVM.races`.
const MOST: usize = 10_000;

/// How a thread is shown: without what it is doing just now.
pub fn thread_name(ec: &mut Ec, thread: &Arc<RubyThread>) -> String {
    let shown = ec.describe_thread(thread);
    let shown = shown.rsplit_once(' ').map_or_else(|| shown.clone(), |(front, _)| format!("{front}>"));
    match ec.vm().threads.main_if_made() {
        Some(main) if Arc::ptr_eq(main, thread) => "the main thread".to_string(),
        _ => shown,
    }
}

/// How a key is shown, if that needs no call.
pub fn key_text(ec: &mut Ec, key: Value) -> String {
    if let Some(n) = key.fixnum_value() {
        return n.to_string();
    }
    if let Some(sym) = key.as_sym() {
        return format!(":{}", sym.text());
    }
    if key.is_type(asterism_object::types::Type::String) {
        return format!("{:?}", string::to_string_lossy(ec, key));
    }
    match key {
        Value::NIL => "nil".to_string(),
        Value::TRUE => "true".to_string(),
        Value::FALSE => "false".to_string(),
        _ => format!("#<{}>", ec.class_name_of(key)),
    }
}

fn side(ec: &mut Ec, access: &Access) -> Option<(Side, Arc<Stack>)> {
    let races = ec.thread.races.as_deref()?;
    let stack = races.detector.stacks.get(access.stack)?;
    let thread = races.detector.name(access.thread, access.time);
    let side = Side { kind: access.kind, thread, place: stack.place.clone(), backtrace: stack.lines.clone() };
    Some((side, stack))
}

/// Tells of a race, unless one between these two places was told before.
#[cold]
pub fn tell(ec: &mut Ec, what: &dyn Fn(&mut Ec) -> String, now: &Access, before: &Access) {
    let Some((now, _)) = side(ec, now) else { return };
    let Some((before, _)) = side(ec, before) else { return };
    let Some(detector) = ec.thread.races.as_deref().map(|races| races.detector.clone()) else { return };
    let mut pair = [now.place.clone(), before.place.clone()];
    pair.sort();
    if !detector.found.lock().told.insert(pair) {
        return;
    }
    let report = Arc::new(Report { what: what(ec), sides: [now, before] });
    if detector.prints {
        let text = report.text();
        ec.blocking(|| eprint!("{text}"));
    } else {
        let mut found = detector.found.lock();
        if found.reports.len() < MOST {
            found.reports.push(report);
        }
    }
}
