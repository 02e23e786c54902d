//! `Primitive.openssl(error, :function, argument, …)`: calls a function of the library as its row says.
//!
//! `error` is the class that a failure is raised as, or nil for what nil or false tells well enough. The arguments are converted first,
//! which may run Ruby code; then the handles are locked, in the order of their addresses, and the function is called.

use std::ffi::{CString, c_int};

use asterism_object::types::Type;
use asterism_object::{Value, array, bigint, data, string};
use asterism_vm::{Ec, Raised, Res};

use super::callback::{self, InCall, Password};
use super::errors;
use super::functions::Address;
use super::handle::{self, Handle, Owned, Pointer};
use super::kinds::{KINDS, Kind, Share};
use super::library::{Found, openssl};
use super::lock::{Guard, lock};
use super::numbers;
use super::results::{NoMemory, fails, take};
use super::row::{Arg, Mode, Ret};
use super::work::{FEW, Given, MOST, MOST_KEY, MOST_ROOM, Stack, WORDS, Work};

/// `Primitive.openssl(error, :function, argument, …)`
pub fn call(ec: &mut Ec, args: &[Value]) -> Res {
    let name = args[1];
    let found = name.as_sym().and_then(|name| openssl().row(name));
    let Some(found) = found else {
        let name = name.as_sym().map_or_else(String::new, |name| name.text().to_string());
        return Err(ec.not_implemented(format!("openssl: no row for {name}")));
    };
    let Some(address) = found.address else {
        return Err(ec.not_implemented(format!("{}() is not in this version of OpenSSL", found.row.name)));
    };
    // Most rows are short, and clearing a dozen places takes longer than what a short function does.
    if found.row.args.len() <= FEW {
        call_with::<FEW>(ec, found, address, args)
    } else {
        call_with::<MOST>(ec, found, address, args)
    }
}

/// `N`: at least as many as the row has parameters.
fn call_with<const N: usize>(ec: &mut Ec, found: &Found, address: Address, args: &[Value]) -> Res {
    let error = args[0];
    let mut values = [Value::NIL; N];
    let mut given: [Given; N] = std::array::from_fn(|_| Given::Nothing);
    let mut rest = args[2..].iter().copied();
    for (i, &arg) in found.row.args.iter().enumerate() {
        if takes_argument(arg) {
            values[i] = rest.next().unwrap_or(Value::NIL);
            given[i] = convert(ec, arg, &mut values[i], error)?;
        }
    }
    let object = args.get(2).copied().unwrap_or(Value::NIL);
    run(ec, found, address, error, object, &values, &mut given)
}

/// Does Ruby give something for it?
pub fn takes_argument(arg: Arg) -> bool {
    !matches!(
        arg,
        Arg::Sink
            | Arg::DerOut
            | Arg::Room
            | Arg::Upto(_)
            | Arg::IntOut
            | Arg::Out(_)
            | Arg::Lent(_)
            | Arg::Made(..)
            | Arg::OutStack(_)
            | Arg::OutSource
            | Arg::Null
            | Arg::BnContext
            | Arg::Progress
            | Arg::Const(_)
    )
}

/// What an argument is for the function. `v` becomes the handle where it is an object that has one.
fn convert(ec: &mut Ec, arg: Arg, v: &mut Value, error: Value) -> Res<Given> {
    Ok(match arg {
        Arg::Ref(kind) | Arg::Mut(kind) => {
            *v = handle::resolve(ec, *v, kind)?;
            Given::Handle
        }
        Arg::Opt(_)
        | Arg::OptCopy(_)
        | Arg::OptText
        | Arg::OptBytes
        | Arg::OptSource
        | Arg::Octets(_)
        | Arg::Stack(_)
            if v.is_nil() =>
        {
            Given::Word(0)
        }
        Arg::Opt(kind) => {
            *v = handle::resolve(ec, *v, kind)?;
            Given::Handle
        }
        Arg::Give(kind) | Arg::Copy(kind) | Arg::OptCopy(kind) => Given::Own(own_or(ec, *v, kind, error)?),
        Arg::Stack(kind) => Given::Stack(stack(ec, *v, kind, error)?),
        Arg::Int => Given::Word(numbers::to_int(ec, *v)? as usize),
        Arg::Long => Given::Word(ec.to_i64(*v)? as usize),
        Arg::Word => Given::Word(word(ec, *v)?),
        Arg::Text | Arg::OptText => {
            let text = ec.to_str(*v)?;
            match CString::new(string::to_vec(ec, text)) {
                Ok(text) => Given::Text(text),
                Err(_) => return Err(ec.arg_error("string contains null byte")),
            }
        }
        Arg::RoomLength => {
            let n = ec.to_i64(*v)?;
            if !(0..=MOST_KEY as i64).contains(&n) {
                return Err(ec.arg_error("negative string size (or size too big)"));
            }
            Given::Word(n as usize)
        }
        Arg::LengthRoom => {
            let n = ec.to_i64(*v)?;
            if !(0..=MOST_ROOM as i64).contains(&n) {
                return Err(ec.range_error(format!("{n} bytes are not from 0 to {MOST_ROOM}")));
            }
            Given::Word(n as usize)
        }
        Arg::Bytes | Arg::OptBytes | Arg::LengthBytes | Arg::Octets(_) | Arg::Der | Arg::Source | Arg::OptSource => {
            let text = ec.to_str(*v)?;
            let bytes = string::read(ec, text);
            if c_int::try_from(bytes.as_bytes().len()).is_err() {
                return Err(ec.arg_error("string is too long"));
            }
            if let Arg::Octets(count) = arg
                && bytes.as_bytes().len() != count
            {
                return Err(ec.arg_error(format!("string must have {count} bytes")));
            }
            Given::Bytes(bytes)
        }
        Arg::Password => Given::Password(Password::new(ec, *v)?),
        _ => Given::Nothing,
    })
}

/// An Integer that is not negative and has 64 bits at most.
fn word(ec: &mut Ec, v: Value) -> Res<usize> {
    if v.is_type(Type::BigInt)
        && let Ok(n) = u64::try_from(bigint::get(&v))
    {
        return Ok(n as usize);
    }
    let n = ec.to_i64(v)?;
    usize::try_from(n).map_err(|_| ec.range_error("can't convert negative value to unsigned"))
}

/// Another reference to an object.
///
/// # Errors
/// TypeError, RuntimeError.
pub fn own(ec: &mut Ec, v: Value, kind: Kind) -> Res<Owned> {
    own_or(ec, v, kind, Value::NIL)
}

/// Another reference to an object, or a copy. For that it is locked to write, as copying may fill in what the library keeps with it.
fn own_or(ec: &mut Ec, v: Value, kind: Kind, error: Value) -> Res<Owned> {
    let held = handle::resolve(ec, v, kind)?;
    let handle = handle::get(ec, &held)?;
    let shared = {
        // What another call of this thread reads stays as it is until that goes on.
        let copies =
            matches!(KINDS[kind as usize].share, Share::Dup(_)) && callback::held_by_this_thread(handle).is_none();
        let _guard = lock(ec, handle, copies)?;
        // SAFETY: the object is of its handle's kind, and locked.
        Pointer::new(handle.as_ptr()).and_then(|pointer| unsafe { Owned::share(kind, pointer) })
    };
    match shared {
        Some(owned) => {
            errors::take(false);
            Ok(owned)
        }
        None => Err(no_copy(ec, kind, error)),
    }
}

/// An object that is not complete cannot be copied: the queue of errors tells why.
fn no_copy(ec: &mut Ec, kind: Kind, error: Value) -> Raised {
    let queue = errors::take(true);
    if error.truthy() {
        return errors::raise(ec, error, "dup", queue);
    }
    ec.raise(asterism_vm::Exc::RuntimeError, format!("{} isn't complete!", KINDS[kind as usize].short))
}

fn stack(ec: &mut Ec, list: Value, kind: Kind, error: Value) -> Res<Stack> {
    let list = ec.to_ary(list)?;
    let mut items = Vec::new();
    let mut i = 0;
    while let Some(item) = array::at(list, i) {
        items.push(own_or(ec, item, kind, error)?);
        i += 1;
    }
    let core = &openssl().core;
    // SAFETY: a new stack is filled with objects that are kept as long as it is.
    unsafe {
        let pointer = (core.OPENSSL_sk_new_null)();
        let stack = Stack { pointer, items };
        if pointer.is_null() || stack.items.iter().any(|item| (core.OPENSSL_sk_push)(pointer, item.as_ptr()) <= 0) {
            drop(stack);
            return Err(ec.no_memory());
        }
        Ok(stack)
    }
}

/// Takes the locks of the handles in `values`, each once, in the order of their addresses.
fn lock_all<'a, const N: usize>(
    ec: &mut Ec,
    args: &[Arg],
    given: &[Given],
    values: &'a [Value; N],
) -> Res<[Guard<'a>; N]> {
    let mut wanted: [Option<(&Handle, bool)>; N] = [None; N];
    let mut count = 0;
    for (i, arg) in args.iter().enumerate() {
        if let (Given::Handle, Some(handle)) = (&given[i], data::get::<Handle>(&values[i])) {
            let changes = matches!(arg, Arg::Mut(_));
            match wanted[..count].iter_mut().flatten().find(|(known, _)| std::ptr::eq(*known, handle)) {
                Some((_, known)) => *known |= changes,
                None => {
                    wanted[count] = Some((handle, changes));
                    count += 1;
                }
            }
        }
    }
    wanted[..count].sort_unstable_by_key(|wanted| wanted.map_or(0, |(handle, _)| std::ptr::from_ref(handle) as usize));
    let mut guards: [Guard<'a>; N] = std::array::from_fn(|_| Guard::None);
    for (i, &(handle, changes)) in wanted[..count].iter().flatten().enumerate() {
        guards[i] = lock(ec, handle, changes)?;
    }
    // What was lent may have been taken back in the meantime.
    if wanted[..count].iter().flatten().any(|(handle, _)| handle.as_ptr().is_null()) {
        return Err(ec.raise(asterism_vm::Exc::RuntimeError, "the object was lent to a callback that has returned"));
    }
    Ok(guards)
}

/// Calls the function that lies at `address` with so many words.
///
/// # Safety
/// The function is one of the row that the words were made for, and what they point to is there and locked.
unsafe fn invoke(address: Address, words: &[usize; WORDS]) -> usize {
    // All parameters are integers and pointers: what is too much lies where the function does not look, and a narrower one is the low
    // part of its word. That holds for the calling conventions of x86-64 and aarch64.
    type Function = unsafe extern "C" fn(
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
        usize,
    ) -> usize;
    let &[a, b, c, d, e, f, g, h, i, j, k, l, m, n] = words;
    // SAFETY: the caller's contract, and as above.
    unsafe { std::mem::transmute::<usize, Function>(address)(a, b, c, d, e, f, g, h, i, j, k, l, m, n) }
}

/// The handles that a call has locked, and whether it changes them.
fn handles(args: &[Arg], given: &[Given], values: &[Value]) -> Vec<(*const Handle, bool)> {
    (values.iter().zip(args).zip(given))
        .filter(|(_, given)| matches!(given, Given::Handle))
        .filter_map(|((v, arg), _)| Some((std::ptr::from_ref(data::get::<Handle>(v)?), matches!(arg, Arg::Mut(_)))))
        .collect()
}

fn run<const N: usize>(
    ec: &mut Ec,
    found: &Found,
    address: Address,
    error: Value,
    object: Value,
    values: &[Value; N],
    given: &mut [Given; N],
) -> Res {
    let row = found.row;
    let guards = lock_all(ec, row.args, given, values)?;
    let size = numbers::work_of(row, values);
    if size == numbers::Work::Large {
        return Ok(Value::sym(openssl().large));
    }
    let mut work = Work::new();
    if !work.fill(found, given, values) {
        return Err(ec.no_memory());
    }
    let room = work.room(row.args);
    let run = |work: &mut Work| {
        // SAFETY: the words are those of the row's arguments; the locks are held, and all that is pointed to is in `given` and `work`.
        let result = unsafe { invoke(address, &work.words) };
        let Some(at) = room.filter(|_| result as i32 > 0) else { return result };
        let mut bytes = vec![0_u8; work.length.get()];
        work.words[at] = bytes.as_mut_ptr() as usize;
        // SAFETY: as above, with room for as many bytes as the function has asked for.
        let result = unsafe { invoke(address, &work.words) };
        bytes.truncate(work.length.get());
        work.rooms.push(bytes.into_boxed_slice());
        result
    };
    let (result, ended) = if found.calls_back && size != numbers::Work::Little {
        let mut in_call = InCall::new(ec, object, handles(row.args, given, values), row.mode == Mode::Slow);
        let result = in_call.enter(|| run(&mut work));
        (result, Some(in_call.finish()))
    } else {
        (run(&mut work), None)
    };
    let failed = fails(row.ret, row.args, result);
    if !failed {
        for (i, _) in row.args.iter().enumerate().filter(|(_, arg)| matches!(arg, Arg::Give(_))) {
            if let Given::Own(owned) = std::mem::replace(&mut given[i], Given::Nothing) {
                let _given = owned.into_raw();
            }
        }
    }
    // SAFETY: the function returned this, as its row says; what it lends is still locked.
    let left = unsafe { take(row.ret, row.args, &mut work, result, failed) };
    let queue = errors::take((failed || left.is_err()) && error.truthy());
    drop(guards);
    drop(work);
    if let Some(ended) = ended {
        ended.result(ec)?;
    }
    let left = match left {
        Ok(left) => left,
        Err(NoMemory) if error.truthy() => return Err(errors::raise(ec, error, row.name, queue)),
        Err(NoMemory) => return Err(ec.no_memory()),
    };
    if failed {
        if error.truthy() {
            return Err(errors::raise(ec, error, row.name, queue));
        }
        return Ok(if matches!(row.ret, Ret::Status | Ret::Bool) { Value::FALSE } else { Value::NIL });
    }
    left.into_value(ec)
}
