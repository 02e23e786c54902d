//! Traced execution: what a thread's tracer is told.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use asterism_object::Value;
use asterism_vm::interp::trace::{Event, Tracer};
use asterism_vm::{Ec, Res};

/// Writes down what it is told.
#[derive(Debug, Default)]
struct Log(Mutex<Vec<String>>);

impl Tracer for Log {
    fn event(&self, _ec: &mut Ec, event: Event) -> Res<()> {
        let value = |v: Value| v.fixnum_value().map_or("…".to_string(), |n| n.to_string());
        let line = match event {
            Event::Line(n) => format!("line {n}"),
            Event::Call(name) => format!("call {}", name.text()),
            Event::Return(name, v) => format!("return {} {}", name.text(), value(v)),
            Event::BlockCall => "block".to_string(),
            Event::BlockReturn(v) => format!("block end {}", value(v)),
            Event::Class => "class".to_string(),
            Event::End => "end".to_string(),
            Event::NativeCall(native) => format!("native {}", native.name().text()),
            Event::NativeReturn(native, v) => format!("native end {} {}", native.name().text(), value(v)),
            Event::Raise(_) => "raise".to_string(),
            Event::Rescue(_) => "rescue".to_string(),
            Event::ThreadBegin | Event::ThreadEnd | Event::FiberSwitch => format!("{event:?}"),
            Event::ScriptCompiled(..) => "compiled".to_string(),
        };
        self.0.lock().expect("no panic").push(line);
        Ok(())
    }
}

/// What running `source` tells.
fn told(source: &str) -> Vec<String> {
    let mut session = asterism::Builder::new().session().expect("a VM");
    let log = Arc::new(Log::default());
    session.ec().set_tracer(Some(log.clone()));
    let ended = session.run(source.as_bytes(), "traced.rb");
    session.ec().set_tracer(None);
    let status = session.finish(ended);
    assert_eq!(status.code(), 0);
    let mut lines = log.0.lock().expect("no panic");
    std::mem::take(&mut lines)
}

#[test]
fn methods_blocks_and_lines() {
    let source = "def twice(n)\n  yield n * 2\nend\nx = twice(4) { |v|\n  v + 1\n}\n[x].size\nx.to_s.hash.abs\n";
    let expected = [
        "compiled",
        "line 1",
        "line 4",
        "call twice",
        "line 2",
        "block",
        "line 5",
        "block end 9",
        "return twice 9",
        "line 7",
        "line 8",
    ];
    let got: Vec<String> = told(source).into_iter().filter(|line| !line.starts_with("native")).collect();
    assert_eq!(got, expected);
}

#[test]
fn classes_and_native_methods() {
    let source = "class A\n  attr_reader :b\nend\n4.gcd(6)\n";
    let expected = [
        "compiled",
        "line 1",
        // What does nothing is told, though it is not called.
        "native const_added",
        "native end const_added …",
        "native inherited",
        "native end inherited …",
        "class",
        "line 2",
        "native attr_reader",
        "native method_added",
        "native end method_added …",
        "native end attr_reader …",
        "end",
        "line 4",
        "native gcd",
        "native end gcd 2",
    ];
    assert_eq!(told(source), expected);
}

#[test]
fn what_unwinds() {
    let source = "def f\n  g\nensure\n  nil.to_a\nend\ndef g = raise('no')\nbegin\n  f\nrescue\n  2.abs\nend\n";
    let got: Vec<String> = told(source).into_iter().filter(|line| !line.starts_with("native")).collect();
    let expected = [
        "compiled",
        "line 1",
        "line 6",
        "line 8",
        "call f",
        "line 2",
        "call g",
        "line 6",
        "raise",
        "return g …",
        "line 4",
        "return f …",
        "rescue",
        "line 10",
    ];
    assert_eq!(got, expected);
}

#[test]
fn a_running_thread_is_switched_to_it_and_back() {
    let mut session = asterism::Builder::new().session().expect("a VM");
    let log = Arc::new(Log::default());
    let over = Arc::new(AtomicBool::new(false));
    let (thread, counted, ended) = (session.ec().thread.handle.clone(), log.clone(), over.clone());
    // Asked from outside, the thread traces from its next poll on: in a loop that runs already.
    let asking = std::thread::spawn(move || {
        thread.set_tracer(Some(counted.clone()));
        while counted.0.lock().expect("no panic").len() < 100 && !ended.load(Ordering::Acquire) {
            std::thread::yield_now();
        }
        thread.set_tracer(None);
    });
    let source = "def leaf(n) = n\ni = 0\nwhile i < 3_000_000\n  i += 1\n  leaf(i)\nend\n";
    let status = session.run(source.as_bytes(), "traced.rb");
    over.store(true, Ordering::Release);
    asking.join().expect("no panic");
    let told = std::mem::take(&mut *log.0.lock().expect("no panic"));
    assert!(told.len() >= 100, "{} events", told.len());
    assert!(told.len() < 9_000_000, "it was not switched back");
    assert!(told.contains(&"line 4".to_string()) && told.contains(&"call leaf".to_string()));
    assert_eq!(session.finish(status).code(), 0);
}
