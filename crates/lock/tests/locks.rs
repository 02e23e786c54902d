//! The locks exclude, wake and time out; the gate keeps a fork from every holder.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use asterism_lock::{Condvar, Mutex, RwLock, gate};

/// The gate is the process's: tests that close it, or look how long they wait, run one after the other.
static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

fn alone() -> std::sync::MutexGuard<'static, ()> {
    ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

#[test]
fn mutexes_exclude() {
    let _alone = alone();
    let count = Arc::new(Mutex::new(0_u64));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let count = Arc::clone(&count);
            std::thread::spawn(move || {
                for _ in 0..20_000 {
                    *count.lock() += 1;
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().expect("no panic"));
    assert_eq!(*count.lock(), 80_000);
    let held = count.lock();
    assert!(count.try_lock().is_none());
    drop(held);
    assert!(count.try_lock().is_some());
}

#[test]
fn writers_are_alone_and_come_through() {
    let _alone = alone();
    let pair = Arc::new(RwLock::new((0_u64, 0_u64)));
    let over = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (pair, over) = (Arc::clone(&pair), Arc::clone(&over));
            std::thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    let read = pair.read();
                    assert_eq!(read.0, read.1);
                }
            })
        })
        .collect();
    let writers: Vec<_> = (0..2)
        .map(|_| {
            let pair = Arc::clone(&pair);
            std::thread::spawn(move || {
                for _ in 0..2_000 {
                    let mut write = pair.write();
                    write.0 += 1;
                    write.1 += 1;
                }
            })
        })
        .collect();
    writers.into_iter().for_each(|t| t.join().expect("no panic"));
    over.store(true, Ordering::Relaxed);
    readers.into_iter().for_each(|t| t.join().expect("no panic"));
    assert_eq!(*pair.read(), (4_000, 4_000));
    let read = pair.read();
    assert!(pair.try_write().is_none() && pair.try_read().is_some());
    drop(read);
    assert!(pair.try_write().is_some());
}

#[test]
fn conditions_wake_and_time_out() {
    let _alone = alone();
    let shared = Arc::new((Mutex::new(false), Condvar::new()));
    let theirs = Arc::clone(&shared);
    let thread = std::thread::spawn(move || {
        let mut told = theirs.0.lock();
        while !*told {
            theirs.1.wait(&mut told);
        }
    });
    *shared.0.lock() = true;
    shared.1.notify_all();
    thread.join().expect("no panic");
    let mut guard = shared.0.lock();
    assert!(shared.1.wait_for(&mut guard, Duration::from_millis(5)).timed_out());
    assert!(shared.1.wait_until(&mut guard, Instant::now()).timed_out());
}

#[test]
fn parked_threads_are_woken_one_by_one() {
    let _alone = alone();
    let word = Arc::new(AtomicU64::new(1));
    let woken = Arc::new(AtomicU64::new(0));
    let address = Arc::as_ptr(&word).addr();
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let (word, woken) = (Arc::clone(&word), Arc::clone(&woken));
            std::thread::spawn(move || {
                asterism_lock::park(Arc::as_ptr(&word).addr(), || word.load(Ordering::Relaxed) == 1);
                woken.fetch_add(1, Ordering::SeqCst);
            })
        })
        .collect();
    let give_up = Instant::now() + Duration::from_secs(60);
    while woken.load(Ordering::SeqCst) < 3 && Instant::now() < give_up {
        asterism_lock::unpark_one(address, |_| {});
        std::thread::yield_now();
    }
    assert_eq!(woken.load(Ordering::SeqCst), 3);
    threads.into_iter().for_each(|t| t.join().expect("no panic"));
}

#[test]
fn a_closed_gate_waits_for_holders_and_keeps_others_out() {
    let _alone = alone();
    let lock = Arc::new(Mutex::new(0_u64));
    let (go, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let theirs = (Arc::clone(&lock), Arc::clone(&go), Arc::clone(&over));
    let holder = std::thread::spawn(move || {
        let held = theirs.0.lock();
        theirs.1.store(true, Ordering::SeqCst);
        while !theirs.2.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        drop(held);
    });
    while !go.load(Ordering::SeqCst) {
        std::thread::yield_now();
    }
    assert!(gate::close(Duration::from_millis(10)).is_none(), "somebody holds a lock");
    over.store(true, Ordering::SeqCst);
    holder.join().expect("no panic");
    let closed = gate::close(Duration::from_secs(60)).expect("nobody holds one");
    // The thread that has closed it goes on.
    *lock.lock() += 1;
    let theirs = (Arc::clone(&lock), Arc::clone(&over));
    let other = std::thread::spawn(move || {
        *theirs.0.lock() += 1;
        theirs.1.store(false, Ordering::SeqCst);
    });
    std::thread::sleep(Duration::from_millis(20));
    assert!(over.load(Ordering::SeqCst), "the gate is closed");
    drop(closed);
    other.join().expect("no panic");
    assert_eq!(*lock.lock(), 2);
}

#[test]
fn a_closed_gate_waits_for_threads_that_end() {
    /// What a thread has to do at its end.
    struct Last(Arc<AtomicBool>, Arc<AtomicBool>);
    impl Drop for Last {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
            while !self.1.load(Ordering::SeqCst) {
                std::thread::yield_now();
            }
        }
    }
    let _alone = alone();
    let (ends, over) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let theirs = (Arc::clone(&ends), Arc::clone(&over));
    let starting = gate::starting();
    let thread = std::thread::spawn(move || {
        // Dropped behind the other one.
        let _last = Last(theirs.0, theirs.1);
        let _running = starting.begin();
    });
    while !ends.load(Ordering::SeqCst) {
        std::thread::yield_now();
    }
    assert!(gate::close(Duration::from_millis(10)).is_none(), "a thread ends");
    over.store(true, Ordering::SeqCst);
    thread.join().expect("no panic");
    drop(gate::close(Duration::from_secs(60)).expect("it is gone"));
}

#[test]
fn no_lock_is_held_in_a_forked_process() {
    let _alone = alone();
    let lock = Arc::new(Mutex::new(0_u64));
    let over = Arc::new(AtomicBool::new(false));
    let threads: Vec<_> = (0..3)
        .map(|_| {
            let (lock, over) = (Arc::clone(&lock), Arc::clone(&over));
            std::thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    *lock.lock() += 1;
                }
            })
        })
        .collect();
    for _ in 0..200 {
        let closed = gate::close(Duration::from_secs(60)).expect("locks are held for a moment");
        // SAFETY: the child takes a lock, and ends by a system call.
        let pid = unsafe { libc::fork() };
        assert!(pid >= 0, "{}", std::io::Error::last_os_error());
        if pid == 0 {
            closed.forget_others();
            drop(closed);
            let free = lock.try_lock().is_some();
            // SAFETY: the call has no preconditions.
            unsafe { libc::_exit(i32::from(!free)) };
        }
        drop(closed);
        let mut status = 0;
        // SAFETY: the status is this function's own.
        assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
        assert_eq!(status, 0);
    }
    over.store(true, Ordering::Relaxed);
    threads.into_iter().for_each(|t| t.join().expect("no panic"));
}

#[test]
fn nobody_is_in_the_middle_of_what_is_done_briefly_while_the_gate_is_closed() {
    let _alone = alone();
    let over = Arc::new(AtomicBool::new(false));
    // Even: nobody is in the middle of it.
    let steps: Arc<[AtomicU64; 3]> = Arc::default();
    let threads: Vec<_> = (0..steps.len())
        .map(|i| {
            let (steps, over) = (Arc::clone(&steps), Arc::clone(&over));
            std::thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    gate::briefly(|| {
                        steps[i].store(steps[i].load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                        // What is done within goes on while the gate is closed.
                        gate::briefly(|| std::hint::black_box(i));
                        steps[i].store(steps[i].load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                    });
                }
            })
        })
        .collect();
    let mut closed = 0;
    while closed < 300 {
        let Some(_closed) = gate::close(Duration::from_millis(100)) else { continue };
        closed += 1;
        let seen = steps.each_ref().map(|step| step.load(Ordering::Relaxed));
        assert!(seen.iter().all(|step| step % 2 == 0), "{seen:?}");
        gate::briefly(|| std::thread::sleep(Duration::from_micros(20)));
        assert_eq!(seen, steps.each_ref().map(|step| step.load(Ordering::Relaxed)));
    }
    over.store(true, Ordering::Relaxed);
    threads.into_iter().for_each(|t| t.join().expect("no panic"));
    assert!(steps.iter().all(|step| step.load(Ordering::Relaxed) > 0));
}
