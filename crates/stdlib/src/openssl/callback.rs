//! What the library calls while it is called: Ruby code that runs in the middle of a C function. What that code raises ends the
//! Ruby call when the C function has returned; until then further callbacks tell the function that they have failed.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int, c_void};
use std::panic::AssertUnwindSafe;

use asterism_heap::Mutator;
use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_symbol::intern;
use asterism_vm::{Ec, Res};

use super::handle::{Handle, Owned};

thread_local! {
    /// The calls that the thread is in, the innermost one last. Fibers that change places within callbacks may end in another order.
    static CALLS: RefCell<Vec<*const InCall>> = const { RefCell::new(Vec::new()) };
}

/// A call under way.
pub struct InCall {
    ec: *mut Ec,
    /// The fiber that calls.
    fiber: u64,
    /// The first argument: whom callbacks are told to.
    object: Value,
    /// What the call has locked, and whether to write.
    handles: Vec<(*const Handle, bool)>,
    /// The world may stop while the function runs.
    blocking: bool,
    /// A callback runs Ruby code.
    calling_back: Cell<bool>,
    /// What a callback has left to raise; NULL: nothing.
    raised: Cell<Value>,
    panic: Cell<Option<Box<dyn Any + Send>>>,
    /// What the function was given by callbacks, and uses until it returns.
    kept: RefCell<Vec<Kept>>,
    /// Sessions that a cache has lost.
    removed: RefCell<Vec<Owned>>,
}

/// See [`InCall`].
enum Kept {
    Bytes(#[allow(dead_code, reason = "C has a pointer to them")] Vec<u8>),
    Object(#[allow(dead_code, reason = "C has a pointer to it")] Owned),
}

impl InCall {
    /// A call for `object`, with these handles locked.
    pub fn new(ec: &mut Ec, object: Value, handles: Vec<(*const Handle, bool)>, blocking: bool) -> InCall {
        let fiber = ec.fiber.id;
        let (raised, panic) = (Cell::new(Value::NULL), Cell::new(None));
        let (kept, removed) = (RefCell::default(), RefCell::default());
        let calling_back = Cell::new(false);
        let ec = std::ptr::from_mut(ec);
        InCall { ec, fiber, object, handles, blocking, calling_back, raised, panic, kept, removed }
    }

    /// Runs `function`, which may call back. Nothing else uses the `Ec` meanwhile.
    pub fn enter<R>(&mut self, function: impl FnOnce() -> R) -> R {
        struct Leave(*const InCall);
        impl Drop for Leave {
            fn drop(&mut self) {
                CALLS.with_borrow_mut(|calls| calls.retain(|&call| call != self.0));
            }
        }
        let this: *const InCall = self;
        CALLS.with_borrow_mut(|calls| calls.push(this));
        let _leave = Leave(this);
        if !self.blocking {
            return function();
        }
        // SAFETY: the `Ec` is the calling thread's, which is in this call.
        let m: &mut Mutator = unsafe { &mut *self.ec };
        m.blocking(function)
    }

    /// What the callbacks have left.
    pub fn finish(self) -> Ended {
        if let Some(payload) = self.panic.take() {
            std::panic::resume_unwind(payload);
        }
        Ended { raised: self.raised.get(), object: self.object, removed: self.removed.into_inner() }
    }
}

/// What is left when the function has returned.
pub struct Ended {
    raised: Value,
    object: Value,
    removed: Vec<Owned>,
}

impl Ended {
    /// Tells of what was removed, and raises what a callback has raised. No lock is held.
    ///
    /// # Errors
    /// What a callback of the program's has raised; what `session_remove_cb` raises; NoMemoryError.
    pub fn result(self, ec: &mut Ec) -> Res<()> {
        if self.raised != Value::NULL {
            return Err(ec.rethrow(self.raised));
        }
        for session in self.removed {
            let session = super::handle::wrap(ec, session)?;
            ec.call(self.object, intern("__session_removed"), &[session])?;
        }
        Ok(())
    }
}

/// The innermost call of this fiber.
fn current() -> Option<*const InCall> {
    CALLS.with_borrow(|calls| {
        // SAFETY: calls are in the list as long as they last, and their `Ec` is the thread's.
        calls.iter().rev().copied().find(|&call| unsafe { (*call).fiber == (*(*call).ec).fiber.id })
    })
}

/// Keeps bytes until the call is over; where they are.
pub fn keep_bytes(bytes: Vec<u8>) -> *const u8 {
    let place = bytes.as_ptr();
    if let Some(call) = current() {
        // SAFETY: as in `current`; vectors keep their places when the list grows.
        unsafe { &*call }.kept.borrow_mut().push(Kept::Bytes(bytes));
    }
    place
}

/// Keeps an object in the same way.
pub fn keep(object: Owned) -> *mut c_void {
    let place = object.as_ptr();
    if let Some(call) = current() {
        // SAFETY: as in `current`.
        unsafe { &*call }.kept.borrow_mut().push(Kept::Object(object));
    }
    place
}

/// A cache has lost a session, which is told if a call of this thread does that; the collector's doing while a callback runs Ruby code is
/// not.
pub fn note_removed(session: Owned) {
    // SAFETY: as in `current`.
    if let Some(call) = current().map(|call| unsafe { &*call }).filter(|call| !call.calling_back.get()) {
        call.removed.borrow_mut().push(session);
    }
}

/// Does a call that this thread is in hold the handle's lock? Whether to write.
pub fn held_by_this_thread(handle: &Handle) -> Option<bool> {
    CALLS.with_borrow(|calls| {
        calls.iter().find_map(|&call| {
            // SAFETY: a call is in the list as long as it lasts.
            let call = unsafe { &*call };
            call.handles.iter().find(|(held, _)| std::ptr::eq(*held, handle)).map(|&(_, writes)| writes)
        })
    })
}

/// From a callback: runs `body` as Ruby code does, with the object whose call it is. `None`: nothing is called back any more, or
/// `body` has failed.
pub fn call_back<R>(body: impl FnOnce(&mut Ec, Value) -> Res<R>) -> Option<R> {
    let call = current()?;
    // SAFETY: as in `current`.
    let call = unsafe { &*call };
    if call.raised.get() != Value::NULL {
        return None;
    }
    let run = || {
        // SAFETY: the call waits for this function, and does not use it meanwhile.
        let ec = unsafe { &mut *call.ec };
        let body = AssertUnwindSafe(|| match body(ec, call.object) {
            Ok(result) => Some(result),
            Err(_) => {
                let token = ec.pending_token().unwrap_or_else(|_| ec.pending_exception().unwrap_or(Value::NIL));
                call.raised.set(token);
                None
            }
        });
        std::panic::catch_unwind(body).unwrap_or_else(|payload| {
            call.panic.set(Some(payload));
            call.raised.set(Value::NIL);
            None
        })
    };
    let before = call.calling_back.replace(true);
    let result = if call.blocking {
        // SAFETY: as above.
        let m: &mut Mutator = unsafe { &mut *call.ec };
        m.awake(|_| run())
    } else {
        run()
    };
    call.calling_back.set(before);
    result
}

/// `BN_GENCB`'s function: is what is pending for the thread done, and may the search go on?
pub unsafe extern "C" fn progress(_: c_int, _: c_int, _: *mut c_void) -> c_int {
    c_int::from(call_back(|ec, _| ec.poll()).is_some())
}

/// How a function learns the password of what it reads or writes.
pub enum Password {
    /// From the terminal.
    Ask,
    /// It is this.
    Text(Vec<u8>),
    /// This Proc tells it, which is given whether it is for writing.
    Proc(Value),
}

impl Password {
    /// # Errors
    /// TypeError.
    pub fn new(ec: &mut Ec, v: Value) -> Res<Password> {
        if v.is_nil() {
            return Ok(Password::Ask);
        }
        if v.is_type(Type::Proc) {
            return Ok(Password::Proc(v));
        }
        let text = ec.to_str(v)?;
        Ok(Password::Text(string::to_vec(ec, text)))
    }

    /// `pem_password_cb *, void *`; this stays where it is until the function has returned.
    pub fn words(&self) -> (usize, usize) {
        match self {
            Password::Ask => (0, 0),
            _ => (tell as *const () as usize, std::ptr::from_ref(self) as usize),
        }
    }
}

/// `pem_password_cb`
unsafe extern "C" fn tell(room: *mut c_char, size: c_int, writes: c_int, password: *mut c_void) -> c_int {
    // SAFETY: it is what `words` told.
    let password = unsafe { &*password.cast::<Password>() };
    let text = match password {
        Password::Ask => None,
        Password::Text(text) => Some(text.clone()),
        Password::Proc(block) => call_back(|ec, _| {
            let answer = ec.call(*block, intern("call"), &[Value::bool(writes != 0)])?;
            if answer.is_nil() {
                return Ok(None);
            }
            let text = ec.to_str(answer)?;
            Ok(Some(string::to_vec(ec, text)))
        })
        .flatten(),
    };
    match text {
        Some(text) if text.len() <= size.max(0) as usize => {
            // SAFETY: there is room for `size` bytes.
            unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), room.cast(), text.len()) };
            text.len() as c_int
        }
        _ => -1,
    }
}
