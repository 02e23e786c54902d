//! VMs that run programs: made by any thread, run by the caller's or by a new one.

use std::ffi::{c_char, c_int};
use std::sync::Arc;

use asterism::Builder;
use asterism_lock::{Condvar, Mutex};

use crate::program::{Program, words};

/// A VM for C: it is made when its program begins, by the thread that runs it. C has one share of it, and so has who runs it, since
/// `ruby_vm_destruct` may give up C's as soon as the end is known.
#[derive(Debug)]
pub struct EmbeddedVm {
    state: Mutex<State>,
    ended: Condvar,
}

/// How far a VM is.
#[derive(Debug)]
enum State {
    Made(Program),
    Running,
    Ended(c_int),
}

impl EmbeddedVm {
    /// Takes the program out, to run it; `None` if somebody has.
    fn begin(&self) -> Option<Program> {
        let mut state = self.state.lock();
        match std::mem::replace(&mut *state, State::Running) {
            State::Made(program) => Some(program),
            other => {
                *state = other;
                None
            }
        }
    }

    /// Runs the program to its end, on the calling thread; its exit status.
    fn run(&self, program: &Program) -> c_int {
        let status = match Builder::new().session() {
            Ok(mut session) => {
                let ended = program.run(&mut session);
                c_int::from(session.finish(ended).code())
            }
            Err(error) => {
                eprintln!("{error}");
                1
            }
        };
        *self.state.lock() = State::Ended(status);
        self.ended.notify_all();
        status
    }

    /// Waits until the program has ended; its exit status, -1 if it has not begun.
    fn join(&self) -> c_int {
        let mut state = self.state.lock();
        loop {
            match *state {
                State::Made(_) => return -1,
                State::Ended(status) => return status,
                State::Running => self.ended.wait(&mut state),
            }
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_vm_new(argc: c_int, argv: *const *const c_char) -> *mut EmbeddedVm {
    // SAFETY: the caller's contract: so many texts.
    let words = unsafe { words(argc, argv) };
    match Program::parse(words.into_iter().skip(1).collect()) {
        Ok(program) => {
            let vm = EmbeddedVm { state: Mutex::new(State::Made(program)), ended: Condvar::new() };
            Arc::into_raw(Arc::new(vm)).cast_mut()
        }
        Err(mistake) => {
            eprintln!("asterism: {mistake}");
            std::ptr::null_mut()
        }
    }
}

/// A share of the VM.
///
/// # Safety
/// `ruby_vm_new` gave it, and it is not destructed meanwhile.
unsafe fn share(vm: *const EmbeddedVm) -> Arc<EmbeddedVm> {
    // SAFETY: the caller's contract: C's share is there.
    unsafe {
        Arc::increment_strong_count(vm);
        Arc::from_raw(vm)
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_vm_run(vm: *mut EmbeddedVm) -> c_int {
    // SAFETY: the caller's contract.
    let vm = unsafe { share(vm) };
    vm.begin().map_or(-1, |program| vm.run(&program))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_vm_start(vm: *mut EmbeddedVm) -> c_int {
    // SAFETY: the caller's contract.
    let vm = unsafe { share(vm) };
    let Some(program) = vm.begin() else { return -1 };
    // As much machine stack as a process's main thread has, usually.
    let thread = std::thread::Builder::new().name("ruby VM".into()).stack_size(8 << 20);
    let runner = Arc::clone(&vm);
    let starting = asterism_lock::gate::starting();
    let run = move || {
        let _running = starting.begin();
        runner.run(&program)
    };
    match thread.spawn(run) {
        Ok(_) => 0,
        Err(_) => {
            *vm.state.lock() = State::Ended(1);
            -1
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_vm_join(vm: *mut EmbeddedVm) -> c_int {
    // SAFETY: the caller's contract.
    unsafe { share(vm) }.join()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_vm_destruct(vm: *mut EmbeddedVm) -> c_int {
    // SAFETY: the caller's contract: `ruby_vm_new` gave it, and nobody uses it any more.
    let vm = unsafe { Arc::from_raw(vm) };
    vm.join().max(0)
}
