//! Methods that change a String by what they read of it, as one step.

use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_support::Encoding;
use asterism_vm::{Args, Arguments, Ec, Res};

use super::util;

/// What a method made of a String of this thread's own: its result, or `None` if the String is not any more, and nothing was done.
pub type Once = Res<Option<Value>>;

/// Runs a method that changes `this` as one step: `once` is given `this`, or, if other threads have it, a copy that `this` then
/// becomes, while they wait. Conversions of arguments come before that. What can run Ruby code otherwise, as a search that takes
/// long, goes through `change_matching`.
///
/// # Errors
/// FrozenError, NoMemoryError, what `once` raises.
pub fn change(ec: &mut Ec, this: Value, args: Args<'_>, once: impl Fn(&mut Ec, Value, Args<'_>) -> Once) -> Res {
    ec.check_frozen(this)?;
    if string::is_own(ec, this)
        && let Some(result) = once(ec, this, args)?
    {
        return Ok(result);
    }
    // Of the arguments too copies of this thread's own are used: nothing else is to be waited for.
    let list = ec.array_with_capacity(args.len())?;
    for &v in args.slice() {
        let v = if v.is_heap() && !v.is_type(Type::Range) {
            util::outcall(ec, |ec| ec.check_string(v))?.unwrap_or(v)
        } else {
            v
        };
        let v = if v.is_type(Type::String) {
            let copy = string::frozen_copy(ec, v);
            ec.check(v, copy)?
        } else {
            v
        };
        ec.array_push(list, v)?;
    }
    let _made = ec.charge(string::len(this))?;
    let held = string::hold(ec, &this);
    let (held, copy) = ec.check(this, held)?;
    let result = once(ec, copy, &Arguments::new(array::private_slice(&list)))?.unwrap_or(Value::NIL);
    if result.is_nil() {
        // Nothing has changed.
        return Ok(result);
    }
    let done = held.take_over(ec, copy);
    ec.check(this, done)?;
    asterism_heap::keep_alive(list.bits());
    // The argument that was given, for who asks for it by identity.
    let given = args.slice().iter().zip(array::private_slice(&list)).find(|(_, c)| **c == result);
    Ok(given.map_or(if result == copy { this } else { result }, |(v, _)| *v))
}

/// The same with a Regexp among the arguments.
///
/// # Errors
/// As [`change_seen`]; what `once` raises.
pub fn change_matching(
    ec: &mut Ec,
    this: Value,
    args: Args<'_>,
    once: impl Fn(&mut Ec, Value, Args<'_>) -> Once,
) -> Res {
    ec.check_frozen(this)?;
    if string::is_own(ec, this)
        && let Some(result) = once(ec, this, args)?
    {
        return Ok(result);
    }
    change_seen(ec, this, |ec, copy| Ok((once(ec, copy, args)?.unwrap_or(Value::NIL), copy)))
}

/// How often a change starts over because others have changed the String, before it only asks that they did so elsewhere.
const TRIES: usize = 8;
/// And how often then.
const MOST_TRIES: usize = 10_000;

/// The same for what runs Ruby code: `change` makes of a copy a result, nil if nothing changes, and a String whose text takes
/// the place of that of `this` if it is still what the copy had.
///
/// # Errors
/// FrozenError, NoMemoryError, what `change` raises; RuntimeError if others never let it get through.
pub fn change_seen(ec: &mut Ec, this: Value, mut change: impl FnMut(&mut Ec, Value) -> Res<(Value, Value)>) -> Res {
    ec.check_frozen(this)?;
    for n in 0..MOST_TRIES {
        let seen = string::frozen_copy(ec, this);
        let seen = ec.check(this, seen)?;
        let copy = string::dup(ec, seen);
        let copy = ec.check(seen, copy)?;
        let (result, text) = change(ec, copy)?;
        if result.is_nil() {
            return Ok(result);
        }
        let done = string::replace_seen(ec, this, seen, text, n >= TRIES);
        if ec.check(this, done)? {
            return Ok(if result == copy { this } else { result });
        }
        ec.poll()?;
    }
    Err(ec.raise(asterism_vm::Exc::RuntimeError, "string modified"))
}

/// Makes these bytes the text of a String of this thread's own.
///
/// # Errors
/// FrozenError, NoMemoryError.
pub fn become_own(ec: &mut Ec, this: Value, bytes: &[u8], encoding: Encoding) -> Once {
    let done = string::replace_own(ec, this, bytes, encoding.index());
    Ok(ec.check(this, done)?.then_some(this))
}

/// Replaces `len` bytes from `start` on in a String of this thread's own, and sets the encoding; the result is `result`.
///
/// # Errors
/// FrozenError, NoMemoryError.
pub fn splice_own(
    ec: &mut Ec,
    this: Value,
    (start, len): (usize, usize),
    bytes: &[u8],
    encoding: Encoding,
    result: Value,
) -> Once {
    let done = string::splice_own(ec, this, start, len, bytes, encoding.index());
    Ok(ec.check(this, done)?.then_some(result))
}
