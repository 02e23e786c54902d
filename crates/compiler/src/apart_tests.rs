//! Compilations on threads of their own: their results, and that one given up leaves the processor to others.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use super::compile_apart;
use crate::code::CodeKind;
use crate::source::Options;

/// Longer than any of these compilations takes.
const LONG: Duration = Duration::from_mins(2);

/// Says when it is dropped.
struct Held(Sender<()>);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

#[test]
fn what_is_wanted_comes() {
    let (sender, dropped) = channel();
    let options = Options::new("apart", CodeKind::Eval);
    let apart = compile_apart(b"x = 1\ny = 2\n".to_vec(), &options, Held(sender)).expect("a thread");
    apart.wait(|| false);
    assert!(apart.take().expect("a result").is_ok());
    dropped.recv_timeout(LONG).expect("the thread ends");
}

#[test]
fn who_waits_is_woken() {
    let (sender, _dropped) = channel();
    let options = Options::new("apart", CodeKind::Eval);
    let apart = compile_apart(b"def a = 1\n".repeat(1_000_000), &options, Held(sender)).expect("a thread");
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            enough.store(true, Ordering::Relaxed);
            apart.wake();
        });
        apart.wait(|| enough.load(Ordering::Relaxed));
    });
    assert!(apart.take().is_none());
}

#[test]
fn what_is_given_up_yields_to_all() {
    let (sender, dropped) = channel();
    let options = Options::new("apart", CodeKind::Eval);
    let apart = compile_apart(b"def a = 1\n".repeat(200_000), &options, Held(sender)).expect("a thread");
    let shared = std::sync::Arc::clone(&apart.shared);
    while shared.progress.lock().thread.is_none() {
        std::thread::yield_now();
    }
    drop(apart);
    #[cfg(target_os = "linux")]
    if let Some(thread) = &shared.progress.lock().thread {
        // SAFETY: the call reads nothing of this process's memory.
        assert_eq!(unsafe { libc::sched_getscheduler(thread.number) }, libc::SCHED_IDLE);
    }
    dropped.recv_timeout(LONG).expect("the thread ends");
    assert!(shared.progress.lock().result.is_none());
}
