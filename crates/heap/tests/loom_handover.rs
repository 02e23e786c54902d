//! Model: handing jobs to idle threads. A job given to a slot is run once; a closed pool leaves nobody waiting.
#![cfg(loom)]

use std::sync::Arc;
use std::time::Duration;

use asterism_heap::{Pool, Slot};
use loom::sync::atomic::{AtomicUsize, Ordering};
use loom::thread;

fn model(f: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(f);
}

/// A worker that becomes idle while jobs are submitted and the pool is closed: what was taken is run, by it, once.
#[test]
fn a_submitted_job_is_run_once() {
    model(|| {
        let pool = Arc::new(Pool::new(4));
        let ran = Arc::new(AtomicUsize::new(0));
        let worker = {
            let (pool, ran) = (Arc::clone(&pool), Arc::clone(&ran));
            thread::spawn(move || {
                let slot = Slot::new();
                while let Some(n) = pool.wait(&slot, None) {
                    ran.fetch_add(n, Ordering::SeqCst);
                }
            })
        };
        let mut taken = 0;
        for job in [1_usize, 10] {
            if pool.submit(job).is_ok() {
                taken += job;
            }
        }
        pool.close();
        worker.join().unwrap();
        assert_eq!(ran.load(Ordering::SeqCst), taken);
    });
}

/// A worker whose patience ends at once, against a submitter: either the worker takes itself off the list and the
/// submitter keeps the job, or the worker runs it.
#[test]
fn patience_and_a_job_meet() {
    model(|| {
        let pool = Arc::new(Pool::new(4));
        let worker = {
            let pool = Arc::clone(&pool);
            thread::spawn(move || {
                let slot = Slot::new();
                pool.wait(&slot, Some(Duration::ZERO)).unwrap_or(0)
            })
        };
        let given = pool.submit(1_usize).is_ok();
        let ran = worker.join().unwrap();
        assert_eq!(ran == 1, given);
        assert_eq!(pool.idle(), 0);
    });
}
