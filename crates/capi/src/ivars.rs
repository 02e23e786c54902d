//! Reading of instance variables, which functions in C that mark may do as well.

use asterism_object::{Value, ivars};

use crate::entry::{current, is_marking, look, marking};
use crate::types::{Id, Text};

/// The value of an instance variable or nil, also for functions in C that mark.
///
/// # Safety
/// Called by a function in C.
unsafe fn variable(v: Value, name: asterism_symbol::Sym) -> Value {
    if is_marking() {
        let mut found = None;
        marking(|marker| found = ivars::get_marking(marker, v, name));
        return found.unwrap_or(Value::NIL);
    }
    // SAFETY: whoever called the function in C waits for it. The thread stays in C, and may be suspended while it reads: what it has read
    // by then lies on its machine stack.
    if let Some(ec) = unsafe { current() }
        && let Some(found) = ivars::get_known(ec, v, name)
    {
        return found.unwrap_or(Value::NIL);
    }
    // SAFETY: the caller's contract.
    unsafe { look(move |ec| ivars::get(ec, v, name).unwrap_or(Value::NIL)) }
}

/// An instance variable's value or nil.
///
/// # Safety
/// Called by a function in C, with a name that a NUL ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_iv_get(v: Value, name: Text) -> Value {
    // SAFETY: the caller's contract.
    unsafe { variable(v, name.sym()) }
}

/// An instance variable's value or nil.
///
/// # Safety
/// Called by a function in C, with the number of a name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_ivar_get(v: Value, name: Id) -> Value {
    // SAFETY: the caller's contract.
    unsafe { variable(v, name.sym()) }
}

/// As `rb_ivar_get`.
///
/// # Safety
/// As `rb_ivar_get`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_attr_get(v: Value, name: Id) -> Value {
    // SAFETY: the caller's contract.
    unsafe { variable(v, name.sym()) }
}
