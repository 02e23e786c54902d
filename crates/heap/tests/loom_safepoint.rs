//! Model: stopping the world against blocking regions, safepoints, attach and another thread's stop.
#![cfg(loom)]

use std::sync::Arc;

use asterism_heap::safepoint::{Job, World};
use asterism_heap::sync::{AtomicU32, Ordering};
use asterism_heap::{POLL_STOP, ThreadState};
use loom::cell::UnsafeCell;
use loom::thread;

/// Memory that only a running thread or a stopper may touch: loom reports it when two do.
struct Shared {
    world: World,
    object: UnsafeCell<u32>,
}

fn model(f: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(f);
}

fn state() -> Arc<ThreadState> {
    Arc::new(ThreadState::new(0, std::ptr::null()))
}

fn touch(shared: &Shared) {
    shared.object.with_mut(|object| {
        // SAFETY: loom checks that no other thread is here.
        unsafe { *object += 1 };
    });
}

fn read(shared: &Shared) -> u32 {
    shared.object.with(|object| {
        // SAFETY: loom checks that no writer is here.
        unsafe { *object }
    })
}

fn shared() -> Arc<Shared> {
    Arc::new(Shared { world: World::new(), object: UnsafeCell::new(0) })
}

/// A safepoint, as the mutator has it.
fn safepoint(me: &ThreadState, world: &World) {
    if me.poll_bits() & POLL_STOP != 0 {
        me.enter_blocked(world, 0);
        me.leave_blocked(world);
    }
}

fn stop(me: &ThreadState, shared: &Shared) -> u32 {
    me.enter_blocked(&shared.world, 0);
    let stopped = shared.world.stop(me);
    let seen = read(shared);
    drop(stopped);
    me.leave_blocked(&shared.world);
    seen
}

#[test]
fn a_thread_that_polls_and_blocks_is_stopped() {
    model(|| {
        let shared = shared();
        let (main, other) = (state(), state());
        shared.world.attach(&main);
        shared.world.attach(&other);
        let theirs = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            touch(&theirs);
            safepoint(&other, &theirs.world);
            touch(&theirs);
            other.enter_blocked(&theirs.world, 0);
            other.leave_blocked(&theirs.world);
            touch(&theirs);
            // The end: a detached thread is never waited for.
            other.enter_blocked(&theirs.world, 0);
            theirs.world.detach(&other, || {});
        });
        let seen = stop(&main, &shared);
        assert!(seen <= 3);
        main.enter_blocked(&shared.world, 0);
        thread.join().unwrap();
        main.leave_blocked(&shared.world);
        assert_eq!(read(&shared), 3);
    });
}

#[test]
fn two_stoppers_take_turns() {
    model(|| {
        let shared = shared();
        let (main, other) = (state(), state());
        shared.world.attach(&main);
        shared.world.attach(&other);
        let theirs = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            touch(&theirs);
            stop(&other, &theirs);
            other.enter_blocked(&theirs.world, 0);
            theirs.world.detach(&other, || {});
        });
        stop(&main, &shared);
        main.enter_blocked(&shared.world, 0);
        thread.join().unwrap();
        main.leave_blocked(&shared.world);
        assert_eq!(read(&shared), 1);
    });
}

#[test]
fn attaching_waits_out_a_stop() {
    model(|| {
        let shared = shared();
        let main = state();
        shared.world.attach(&main);
        let theirs = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            let me = state();
            theirs.world.attach(&me);
            touch(&theirs);
            me.enter_blocked(&theirs.world, 0);
            theirs.world.detach(&me, || {});
        });
        stop(&main, &shared);
        main.enter_blocked(&shared.world, 0);
        thread.join().unwrap();
        main.leave_blocked(&shared.world);
    });
}

#[test]
fn a_stopped_thread_helps_and_is_waited_for() {
    model(|| {
        let shared = shared();
        let (main, other) = (state(), state());
        shared.world.attach(&main);
        shared.world.attach(&other);
        let theirs = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            safepoint(&other, &theirs.world);
            other.enter_blocked(&theirs.world, 0);
            other.leave_blocked(&theirs.world);
            other.enter_blocked(&theirs.world, 0);
            theirs.world.detach(&other, || {});
        });
        let calls = Arc::new(AtomicU32::new(0));
        main.enter_blocked(&shared.world, 0);
        let stopped = shared.world.stop(&main);
        let counted = Arc::clone(&calls);
        let job: Job = Arc::new(move || {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        stopped.with_helpers(&job, 1);
        let after = calls.load(Ordering::Relaxed);
        assert!((1..=2).contains(&after));
        drop(stopped);
        main.leave_blocked(&shared.world);
        main.enter_blocked(&shared.world, 0);
        thread.join().unwrap();
        // Nobody joins a job that is over.
        assert_eq!(calls.load(Ordering::Relaxed), after);
    });
}

/// A thread in C, in which the signal comes at one of two places.
fn work_in_c(me: &ThreadState, shared: &Shared) {
    let seen = || shared.world.look_again_for_model();
    touch(shared);
    me.stand_still(0, seen);
    touch(shared);
    me.stand_still(0, seen);
    touch(shared);
}

#[test]
fn a_thread_in_c_is_suspended() {
    model(|| {
        let shared = shared();
        let (main, other) = (state(), state());
        shared.world.attach(&main);
        shared.world.attach(&other);
        let theirs = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            work_in_c(&other, &theirs);
            other.enter_blocked(&theirs.world, 0);
            theirs.world.detach(&other, || {});
        });
        stop(&main, &shared);
        let seen = stop(&main, &shared);
        assert!(seen <= 3);
        main.enter_blocked(&shared.world, 0);
        thread.join().unwrap();
        main.leave_blocked(&shared.world);
        assert_eq!(read(&shared), 3);
    });
}

#[test]
fn two_stop_a_thread_in_c() {
    model(|| {
        let shared = shared();
        let (main, other, third) = (state(), state(), state());
        for state in [&main, &other, &third] {
            shared.world.attach(state);
        }
        let (theirs, stoppers) = (Arc::clone(&shared), Arc::clone(&shared));
        let thread = thread::spawn(move || {
            touch(&theirs);
            other.stand_still(0, || theirs.world.look_again_for_model());
            touch(&theirs);
            other.enter_blocked(&theirs.world, 0);
            theirs.world.detach(&other, || {});
        });
        let stopper = thread::spawn(move || {
            stop(&third, &stoppers);
            third.enter_blocked(&stoppers.world, 0);
            stoppers.world.detach(&third, || {});
        });
        stop(&main, &shared);
        main.enter_blocked(&shared.world, 0);
        thread.join().unwrap();
        stopper.join().unwrap();
        main.leave_blocked(&shared.world);
        assert_eq!(read(&shared), 2);
    });
}
