//! The VM of the calling thread, as CRuby's functions have it.

use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::mem::ManuallyDrop;

use asterism::{Builder, Ended, ExitStatus, Session};

use crate::program::{Program, words};

thread_local! {
    /// The VM that the thread has made by `ruby_setup`, and is in until `ruby_cleanup`. A thread that ends without that leaves its VM
    /// as it is: what its end needs may be destroyed by then.
    static SESSION: RefCell<Option<ManuallyDrop<Session>>> = const { RefCell::new(None) };
}

/// Runs `body` with the thread's VM, outside of C; what it returns, if there is a VM.
fn in_session<R>(body: impl FnOnce(&mut Session) -> R) -> Option<R> {
    // Whoever is called by the program meanwhile finds none: it cannot end what runs it.
    let mut session = SESSION.take()?;
    asterism_capi::detach(session.ec());
    let result = body(&mut session);
    // SAFETY: the VM is this thread's; it stays where it is in memory until `finish` takes it out.
    unsafe { asterism_capi::attach(session.ec()) };
    SESSION.set(Some(session));
    Some(result)
}

/// Ends the thread's VM; its exit status, 0 if there is none.
fn finish(how: impl FnOnce(Session) -> ExitStatus) -> c_int {
    let Some(session) = SESSION.take() else { return 0 };
    let mut session = ManuallyDrop::into_inner(session);
    asterism_capi::detach(session.ec());
    c_int::from(how(session).code())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_setup() -> c_int {
    if SESSION.with_borrow(Option::is_some) {
        return 0;
    }
    match Builder::new().signals(true).session() {
        Ok(mut session) => {
            // The header's variables are those of the first VM; a program with several is compiled with RUBY_EXTENSION_PER_VM.
            if asterism_capi::own(session.ec()).is_err() {
                return 1;
            }
            // SAFETY: the VM is this thread's, which is in no other; it stays where it is in memory.
            unsafe { asterism_capi::attach(session.ec()) };
            SESSION.set(Some(ManuallyDrop::new(session)));
            0
        }
        Err(error) => {
            eprintln!("{error}");
            1
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_init() {
    // SAFETY: there are no conditions.
    if unsafe { ruby_setup() } != 0 {
        std::process::exit(1);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_cleanup(state: c_int) -> c_int {
    finish(|session| match state {
        0 => session.finish(Ended::normally()),
        _ => session.finish_with_errinfo(),
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_finalize() {
    finish(|session| session.finish(Ended::normally()));
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_stop(state: c_int) -> ! {
    // SAFETY: there are no conditions.
    std::process::exit(unsafe { ruby_cleanup(state) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_set_argv(argc: c_int, argv: *const *const c_char) {
    // SAFETY: the caller's contract: so many texts.
    let arguments = unsafe { words(argc, argv) };
    in_session(|session| session.set_argv(&arguments));
}

/// A program for `ruby_run_node`; null, after a message, if the words are none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_options(argc: c_int, argv: *const *const c_char) -> *mut c_void {
    // SAFETY: the caller's contract: so many texts.
    let words = unsafe { words(argc, argv) };
    match Program::parse(words.into_iter().skip(1).collect()) {
        Ok(program) => Box::into_raw(Box::new(program)).cast(),
        Err(mistake) => {
            eprintln!("asterism: {mistake}");
            std::ptr::null_mut()
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_executable_node(node: *mut c_void, status: *mut c_int) -> c_int {
    if node.is_null() && !status.is_null() {
        // SAFETY: the caller's contract: a place for a number.
        unsafe { *status = 1 };
    }
    c_int::from(!node.is_null())
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_exec_node(node: *mut c_void) -> c_int {
    if node.is_null() {
        return 1;
    }
    // SAFETY: the caller's contract: `ruby_options` gave it, and nobody has run it.
    let program: Box<Program> = unsafe { Box::from_raw(node.cast()) };
    let raised = in_session(|session| {
        let ended = program.run(session);
        ended.is_err() && session.keep_error()
    });
    c_int::from(raised.unwrap_or(true))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_run_node(node: *mut c_void) -> c_int {
    if node.is_null() {
        // SAFETY: there are no conditions.
        unsafe { ruby_cleanup(0) };
        return 1;
    }
    // SAFETY: the caller's contract.
    unsafe { ruby_cleanup(ruby_exec_node(node)) }
}
