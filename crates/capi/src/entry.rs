//! Going into C and coming out of it.
//!
//! ```text
//!   Rust ── call_c ──► stub `c_enter` ──► functions in C ──► enter (an API function, Rust)
//!                          ▲                                  │ an exception, or the end of the fiber
//!                          └────────────── c_jump ◄───────────┘
//! ```
//!
//! `call_c` leaves a [`Record`] on the machine stack, which says where the stack pointer was. An API function whose work raises
//! has dropped everything it had by the time it jumps there: what is passed over are frames of C, and its own, which holds
//! nothing. A panic (a fiber that is abandoned) is caught where Rust meets C and goes on behind the frames of C.

use std::any::Any;
use std::cell::Cell;
use std::mem::ManuallyDrop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::Arc;

use asterism_heap::in_c::{come_out, go_in};
use asterism_heap::{Marker, ThreadState};
use asterism_object::{Sym, Value};
use asterism_vm::{Ec, Raised, Res};

use crate::stub::{c_enter, c_jump};

/// Most words that a function in C is called with.
pub const MAX_WORDS: usize = 20;

/// How many are in registers, on any machine.
pub const FEW_WORDS: usize = 8;

/// How a call of a function in C ended.
enum Outcome {
    Returned,
    Raised(Raised),
    Panicked(Box<dyn Any + Send>),
}

/// What a call of a function in C is left by.
struct Record {
    /// The stack pointer to jump to.
    sp: usize,
    outcome: Outcome,
}

/// What a native thread knows while it is in C: the API's functions have no argument to be passed it in.
struct Current {
    ec: Cell<*mut Ec>,
    /// Who marks, while a function in C is asked for what its object refers to.
    marker: Cell<*mut Marker<'static>>,
    /// Names that are written in the source of the API's functions, with their symbols.
    names: [Cell<Option<(&'static str, Sym)>>; NAMES],
}

/// How many names a thread remembers.
const NAMES: usize = 64;

thread_local! {
    /// Has no destructor, so that it is found without asking whether it still is there: every API function looks here.
    static CURRENT: Current = const {
        Current {
            ec: Cell::new(ptr::null_mut()),
            marker: Cell::new(ptr::null_mut()),
            names: [const { Cell::new(None) }; NAMES],
        }
    };
    /// A panic that goes on when the blocking region ends in which it happened.
    static PANIC: Cell<Option<Box<dyn Any + Send>>> = const { Cell::new(None) };
}

/// Calls a function in C with a few words.
///
/// # Safety
/// `function` is the address of a function that takes so many words, none of them a floating point number, and it keeps to the
/// rules of the C interface.
///
/// # Errors
/// What is raised in it; SystemStackError.
pub unsafe fn call_c(ec: &mut Ec, function: *const (), args: &[u64]) -> Res<u64> {
    assert!(args.len() <= FEW_WORDS, "a function in C with too many arguments");
    let mut words = [0; FEW_WORDS];
    words[..args.len()].copy_from_slice(args);
    ec.check_stack()?;
    // SAFETY: the caller's contract.
    unsafe { call_c_words(ec, function, &words, args.len()) }
}

/// As `call_c`, with the first `count` of the words. The caller has checked the machine stack.
///
/// # Safety
/// As `call_c`.
///
/// # Errors
/// What the function raises, by `rb_raise`, `rb_jump_tag` or in Ruby code that it calls.
#[inline(always)]
pub unsafe fn call_c_words<const N: usize>(
    ec: &mut Ec,
    function: *const (),
    words: &[u64; N],
    count: usize,
) -> Res<u64> {
    const { assert!(N >= FEW_WORDS, "the stub loads so many") };
    assert!(count <= N, "so many words");
    // Who takes the outcome, below, drops it.
    let mut record = ManuallyDrop::new(Record { sp: 0, outcome: Outcome::Returned });
    let (errinfo, left) = (ec.fiber.errinfo, ec.fiber.foreign_errinfo);
    let ec: *mut Ec = ec;
    // SAFETY: `ec` was a reference just now, and is only used by this thread: by the API while the function is under way, and
    // here. The stub writes the record's stack pointer before it calls; the rest is the caller's contract.
    unsafe {
        let around = (*ec).worker.c_record;
        let record: *mut Record = &raw mut *record;
        (*ec).worker.c_record = record.expose_provenance();
        let before = CURRENT.with(|current| current.ec.replace(ec));
        go_in(Arc::as_ptr((*ec).state()));
        let value = c_enter(function, words.as_ptr(), count, &raw mut (*record).sp);
        come_out();
        (*ec).came_out_of_c();
        CURRENT.with(|current| current.ec.set(before));
        (*ec).worker.c_record = around;
        match (&raw const (*record).outcome).read() {
            Outcome::Returned => {
                // What Ruby code outside handles it goes on handling, whatever the function has set.
                if !errinfo.is_nil() && errinfo != left {
                    (*ec).fiber.errinfo = errinfo;
                }
                Ok(value)
            }
            Outcome::Raised(raised) => {
                // What `rb_protect` has left in `$!` is not that of the frames that are outside.
                (*ec).fiber.errinfo = errinfo;
                (*ec).fiber.foreign_errinfo = left;
                Err(raised)
            }
            Outcome::Panicked(payload) => resume_unwind(payload),
        }
    }
}

/// As `call_c`, for a function that returns a `VALUE`.
///
/// # Safety
/// As `call_c`.
///
/// # Errors
/// As [`call_c`].
pub unsafe fn call_c_value(ec: &mut Ec, function: *const (), args: &[u64]) -> Res {
    // SAFETY: the caller's contract: what is returned is a `VALUE`.
    Ok(unsafe { value_of(call_c(ec, function, args)?) })
}

/// What a function in C returned as a `VALUE`.
///
/// # Safety
/// It is one.
#[inline]
pub unsafe fn value_of(bits: u64) -> Value {
    // SAFETY: the caller's contract.
    let value = unsafe { Value::from_bits(bits) };
    // `Qundef`, which some functions of the interface return for "nothing", must not get into a program.
    if value.is_undef() { Value::NIL } else { value }
}

/// A function of the API begins: the thread is out of C. Its `Ec`, and with what it goes into C again.
#[inline(always)]
fn arrive() -> (*mut Ec, *const ThreadState) {
    let ec = CURRENT.with(|current| current.ec.get());
    if ec.is_null() {
        not_attached();
    }
    let was = come_out();
    // SAFETY: `call_c` set it, on this thread, and uses it itself only when the function in C has come back.
    unsafe { (*ec).came_out_of_c() };
    (ec, was)
}

/// The body of an API function: what it does with the thread's `Ec`. If that raises, it jumps over the frames of C.
///
/// # Safety
/// Called by a function in C, with nothing in the frames between that a destructor would be missed of.
#[inline(always)]
pub unsafe fn enter<T>(body: impl FnOnce(&mut Ec) -> Res<T>) -> T {
    let (ec, was) = arrive();
    // SAFETY: `call_c` set it, on this thread, and uses it itself only when the function in C has come back.
    unsafe {
        let record = (*ec).worker.c_record;
        match catch_unwind(AssertUnwindSafe(|| body(&mut *ec))) {
            Ok(Ok(value)) => {
                (*ec).worker.c_record = record;
                go_in(was);
                value
            }
            Ok(Err(_)) if record == 0 => uncaught(&mut *ec),
            Ok(Err(raised)) => leave(record, Outcome::Raised(raised)),
            Err(payload) => leave(record, Outcome::Panicked(payload)),
        }
    }
}

/// As `enter`, for a body that runs no Ruby code, waits for nothing and cannot fail.
///
/// # Safety
/// As `enter`.
#[inline(always)]
pub unsafe fn look<T>(body: impl FnOnce(&mut Ec) -> T) -> T {
    let (ec, was) = arrive();
    // SAFETY: as in `enter`.
    unsafe {
        let value = body(&mut *ec);
        go_in(was);
        value
    }
}

/// Leaves C by the record.
///
/// # Safety
/// The record is that of the innermost call of a function in C on this machine stack.
#[cold]
#[inline(never)]
unsafe fn leave(record: usize, outcome: Outcome) -> ! {
    // SAFETY: the caller's contract: the record lies in a frame of `call_c` that has not returned.
    unsafe {
        let record: *mut Record = ptr::with_exposed_provenance_mut(record);
        (*record).outcome = outcome;
        c_jump((*record).sp)
    }
}

#[cold]
fn not_attached() -> ! {
    eprintln!("[BUG] a function of the C interface was called by a thread that runs no Ruby");
    std::process::abort();
}

/// What the calling native thread runs Ruby with, if it is inside a function in C.
///
/// # Safety
/// Nobody uses it at the same time: whoever called the function in C waits for it.
pub unsafe fn current<'a>() -> Option<&'a mut Ec> {
    let ec = CURRENT.with(|current| current.ec.get());
    // SAFETY: `call_c` set it, on this thread; the rest is the caller's contract.
    unsafe { ec.as_mut() }
}

/// Begins C outside of any call, on a thread that is in the VM.
///
/// # Safety
/// `ec` is the calling thread's, stays where it is, and is used by the interface alone until `end`.
pub unsafe fn begin(ec: &mut Ec) {
    CURRENT.with(|current| current.ec.set(ec));
    // SAFETY: the caller's contract.
    unsafe { go_in(Arc::as_ptr(ec.state())) };
}

/// Ends what `begin` began, on the same thread.
pub fn end(ec: &mut Ec) {
    come_out();
    ec.came_out_of_c();
    CURRENT.with(|current| current.ec.set(ptr::null_mut()));
}

/// An exception that nobody in a program in C has asked to catch.
#[cold]
fn uncaught(ec: &mut Ec) -> ! {
    let error = ec.pending_exception().unwrap_or(Value::NIL);
    match ec.call(error, asterism_symbol::intern("full_message"), &[]).and_then(|text| ec.to_s(text)) {
        Ok(text) => eprintln!("{}", asterism_object::string::to_string_lossy(ec, text)),
        Err(_) => eprintln!("an exception, and no rb_protect"),
    }
    std::process::exit(1)
}

/// Keeps a panic until the blocking region ends in which it happened.
pub fn keep_panic(payload: Box<dyn Any + Send>) {
    PANIC.set(Some(payload));
}

/// The panic that was kept.
pub fn take_panic() -> Option<Box<dyn Any + Send>> {
    PANIC.take()
}

/// Is the calling native thread one that runs Ruby, inside a function in C?
pub fn is_attached() -> bool {
    CURRENT.with(|current| !current.ec.get().is_null())
}

/// The symbol of a name that is written in the source: the functions that a program calls in a loop are few.
pub fn symbol_of(name: &'static str) -> Sym {
    CURRENT.with(|current| {
        let place = &current.names[(name.as_ptr().addr() >> 3) % NAMES];
        match place.get() {
            Some((known, sym)) if ptr::eq(known, name) => sym,
            _ => {
                let sym = asterism_symbol::intern_static(name);
                place.set(Some((name, sym)));
                sym
            }
        }
    })
}

/// Lets functions in C find `marker` while `body` runs.
pub fn with_marker<R>(marker: &mut Marker<'_>, body: impl FnOnce() -> R) -> R {
    let before = CURRENT.with(|current| current.marker.replace(ptr::from_mut(marker).cast()));
    let result = body();
    CURRENT.with(|current| current.marker.set(before));
    result
}

/// Is a function in C asked for what its object refers to? It may look at Arrays and Hashes then, and has no `Ec`.
pub fn is_marking() -> bool {
    CURRENT.with(|current| !current.marker.get().is_null())
}

/// Who marks, if somebody does.
pub fn marking(body: impl FnOnce(&mut Marker<'_>)) {
    let marker = CURRENT.with(|current| current.marker.get());
    if !marker.is_null() {
        // SAFETY: `with_marker` set it, on this thread, and has not come back; nobody else uses it meanwhile.
        body(unsafe { &mut *marker });
    }
}
