//! ENV. Each VM has its own copy of the environment, taken when it first asks: programs in one process do not disturb one
//! another, and no C function's `getenv` races with a change. Child processes are given the copy. Nothing here changes the
//! process's, but for the main VM's ENV once it has loaded C extensions ([`super::shown`]).

use std::ffi::OsString;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use asterism_heap::Charge;
use asterism_lock::{Mutex, MutexGuard};
use asterism_object::space::WellKnown;
use asterism_object::string;
use asterism_object::{Value, array};
use asterism_symbol::intern;
use asterism_vm::{Args, Ec, Keep, NativeDef, Place, Res};

use super::shown;
use asterism_core::errno;

/// Names and values in order.
pub type Variables = Vec<(Vec<u8>, Vec<u8>)>;

/// A VM's environment.
#[derive(Default)]
pub struct Environment {
    /// Names and values in order; those of the process when a program first asks. Protected by the lock.
    entries: OnceLock<Mutex<Vec<Entry>>>,
    /// Functions in C see it.
    shown: AtomicBool,
    /// How often it has changed.
    serial: AtomicU64,
}

/// A variable.
struct Entry {
    name: Vec<u8>,
    value: Vec<u8>,
    /// Counts it against the limits of the VM.
    _charge: Charge,
}

impl Entry {
    fn new(ec: &mut Ec, name: Vec<u8>, value: Vec<u8>) -> Res<Entry> {
        let mut charge = ec.new_charge();
        ec.recharge(&mut charge, size_of::<Entry>() + name.len() + value.len())?;
        Ok(Entry { name, value, _charge: charge })
    }
}

impl Keep for Environment {
    const PLACE: Place = Place::Environment;
}

impl Environment {
    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        let entries = self.entries.get_or_init(|| {
            let variables = std::env::vars_os();
            let of_process = |(name, value): (OsString, OsString)| {
                let (name, value) = (name.into_encoded_bytes(), value.into_encoded_bytes());
                Entry { name, value, _charge: Charge::default() }
            };
            Mutex::new(variables.map(of_process).collect())
        });
        entries.lock()
    }

    /// Functions in C are to see what has changed, and what was kept of it does not count any more. `entries` are locked.
    fn changed(&self, entries: &[Entry]) {
        self.serial.fetch_add(1, Ordering::Release);
        if self.shown.load(Ordering::Acquire) {
            shown::show(entries.iter().map(|e| (&*e.name, &*e.value)));
        }
    }

    /// A copy of all of it, for a child process.
    pub fn all(&self) -> Variables {
        self.entries().iter().map(|e| (e.name.clone(), e.value.clone())).collect()
    }
}

/// From now on functions in C see this VM's environment.
pub fn show_to_c(ec: &Ec) {
    let part = ec.vm().part::<Environment>();
    if !part.shown.swap(true, Ordering::AcqRel) {
        let entries = part.entries();
        part.changed(&entries);
    }
}

/// Another number after each change, for who keeps what a variable stands for. What is read of the environment after the number
/// is no older than that.
#[inline]
pub fn serial(ec: &Ec) -> u64 {
    ec.vm().part::<Environment>().serial.load(Ordering::Acquire)
}

/// The value of an environment variable.
pub fn get(ec: &Ec, name: &[u8]) -> Option<Vec<u8>> {
    let entries = ec.vm().part::<Environment>().entries();
    entries.iter().find(|e| e.name == name).map(|e| e.value.clone())
}

static ENV: &[NativeDef] = &[
    NativeDef::new("[]", aref, 1, 1),
    NativeDef::new("__set", set, 2, 2).private(),
    NativeDef::new("__exchange", exchange, 3, 3).private(),
    NativeDef::new("__replace", replace, 1, 1).private(),
    NativeDef::new("__pairs", pairs, 0, 0).private(),
    NativeDef::new("clear", clear, 0, 0),
];

/// Makes the ENV object; its other methods are in the Ruby part.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let env = ec.new_object(object.0)?;
    ec.set_constant(object, intern("ENV"), env)?;
    let singleton = ec.singleton_class(env)?;
    let enumerable = ec.known(WellKnown::Enumerable);
    ec.include_module(singleton, enumerable, false)?;
    ec.define_natives(singleton, ENV)
}

fn text(ec: &mut Ec, v: Value, what: &str) -> Res<Vec<u8>> {
    let s = ec.to_str(v)?;
    let encoding = asterism_core::string::util::encoding(s);
    if !encoding.is_ascii_compatible() {
        let name = encoding.name();
        return Err(ec.arg_error(format!("bad environment variable {what}: ASCII incompatible encoding: {name}")));
    }
    let bytes = string::to_vec(ec, s);
    if bytes.contains(&0) {
        return Err(ec.arg_error(format!("bad environment variable {what}: contains null byte")));
    }
    Ok(bytes)
}

fn frozen(ec: &mut Ec, bytes: &[u8]) -> Res {
    let made = string::frozen(ec, bytes, asterism_symbol::UTF_8);
    ec.check(Value::NIL, made)
}

fn aref(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = text(ec, args[0], "name")?;
    match get(ec, &name) {
        Some(value) => frozen(ec, &value),
        None => Ok(Value::NIL),
    }
}

/// Sets a variable, or removes it (nil); the old value.
fn set(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = text(ec, args[0], "name")?;
    let value = if args[1].is_nil() { None } else { Some(text(ec, args[1], "value")?) };
    let new = match value {
        Some(value) => {
            check_name(ec, &name)?;
            Some(Entry::new(ec, name.clone(), value)?)
        }
        None => None,
    };
    let old = {
        let part = ec.vm().part::<Environment>();
        let mut entries = part.entries();
        let old = match (entries.iter().position(|e| e.name == name), new) {
            (Some(at), Some(new)) => Some(std::mem::replace(&mut entries[at], new).value),
            (Some(at), None) => Some(entries.remove(at).value),
            (None, Some(new)) => {
                entries.push(new);
                None
            }
            (None, None) => None,
        };
        part.changed(&entries);
        old
    };
    match old {
        Some(old) => frozen(ec, &old),
        None => Ok(Value::NIL),
    }
}

/// `__exchange(name, old, new)`: gives a variable that has the value `old`, or is not there if that is nil, the value `new`; removes it
/// if that is nil. false: it is another value that it has.
fn exchange(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let name = text(ec, args[0], "name")?;
    let old = if args[1].is_nil() { None } else { Some(text(ec, args[1], "value")?) };
    let new = if args[2].is_nil() {
        None
    } else {
        let value = text(ec, args[2], "value")?;
        check_name(ec, &name)?;
        Some(Entry::new(ec, name.clone(), value)?)
    };
    let part = ec.vm().part::<Environment>();
    let mut entries = part.entries();
    let at = entries.iter().position(|e| e.name == name);
    if at.map(|at| &entries[at].value) != old.as_ref() {
        return Ok(Value::FALSE);
    }
    match (at, new) {
        (Some(at), Some(new)) => entries[at] = new,
        (Some(at), None) => drop(entries.remove(at)),
        (None, Some(new)) => entries.push(new),
        (None, None) => {}
    }
    part.changed(&entries);
    Ok(Value::TRUE)
}

/// `__replace(list)`: names and values by turns become all there are, in one step.
fn replace(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut made: Vec<Entry> = Vec::new();
    let mut i = 0;
    while let (Some(name), Some(value)) = (array::at(args[0], i), array::at(args[0], i + 1)) {
        let (name, value) = (text(ec, name, "name")?, text(ec, value, "value")?);
        check_name(ec, &name)?;
        let entry = Entry::new(ec, name, value)?;
        match made.iter_mut().find(|e| e.name == entry.name) {
            Some(same) => *same = entry,
            None => made.push(entry),
        }
        i += 2;
    }
    let part = ec.vm().part::<Environment>();
    let mut entries = part.entries();
    *entries = made;
    part.changed(&entries);
    Ok(this)
}

/// Can a variable have this name?
fn check_name(ec: &mut Ec, name: &[u8]) -> Res<()> {
    if name.is_empty() || name.contains(&b'=') {
        return Err(errno::raise(ec, rustix::io::Errno::INVAL, [b"setenv(", name, b")"].concat()));
    }
    Ok(())
}

fn pairs(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let all = ec.vm().part::<Environment>().all();
    let list = ec.array_with_capacity(all.len() * 2)?;
    for (name, value) in all {
        let name = frozen(ec, &name)?;
        ec.array_push(list, name)?;
        let value = frozen(ec, &value)?;
        ec.array_push(list, value)?;
    }
    Ok(list)
}

fn clear(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let part = ec.vm().part::<Environment>();
    let mut entries = part.entries();
    entries.clear();
    part.changed(&entries);
    Ok(this)
}
