//! What a VM keeps of its extensions.

use std::collections::HashMap;
use std::ffi::CString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use asterism_heap::Marker;
use asterism_lock::{Mutex, RwLock};
use asterism_object::{AtomicValue, Sym, Value};
use asterism_vm::{Ec, Keep, Place, Res};

use crate::entry::call_c;
use crate::lock;
use crate::private::Copied;
use crate::types::Func;

/// Room for what the header's names of classes stand for.
const MOST_KNOWN: usize = 128;
const _: () = assert!(crate::class::KNOWN.len() <= MOST_KNOWN);

/// How many copies of Strings are kept.
const RECENT: usize = 256;

/// See the module.
pub struct Extensions {
    /// The lock of extensions that do not say that they can do without. Taken in `lock` only.
    pub lock: lock::Giant,
    /// Addresses of variables in C that hold a `VALUE`.
    pub addresses: Mutex<Vec<usize>>,
    /// Objects that C code wants to keep: a value, and how often.
    pub kept: Mutex<Vec<AtomicValue>>,
    /// What allocates instances, by the class's address.
    pub allocators: RwLock<HashMap<u64, Allocator>>,
    /// Variables that C code has defined accessors of.
    pub variables: Mutex<HashMap<Sym, Variable>>,
    /// The Strings that C has locked (`rb_str_locktmp`), by their addresses, and the numbers of the threads that have.
    pub locked: Mutex<HashMap<u64, usize>>,
    /// Values of `rb_vm_key_create`'s keys.
    pub keys: Mutex<HashMap<i32, u64>>,
    /// What the header's names of classes stand for, once it was asked for.
    pub known: [AtomicValue; MOST_KNOWN],
    /// Names of Symbols that C was given as strings.
    pub names: Mutex<HashMap<Sym, CString>>,
    /// Functions in C to be called when the VM ends.
    pub at_exit: Mutex<Vec<Func>>,
    /// Objects that are shown as memory views, by their addresses, and how often.
    pub shown: Mutex<HashMap<u64, usize>>,
    /// What owns this VM's postponed jobs; 0: it has none.
    pub jobs: AtomicUsize,
    /// What is to be freed.
    pub frees: Arc<Frees>,
    /// Is the extension whose `Init` function runs one that can do without the lock?
    pub safe: AtomicBool,
    /// Copies of Strings that C was given the last of, with a NUL: the extension's functions use them for a moment.
    recent: [AtomicValue; RECENT],
    /// Where the next one goes.
    next_recent: AtomicUsize,
}

impl Default for Extensions {
    fn default() -> Extensions {
        Extensions {
            lock: lock::Giant::default(),
            addresses: Mutex::default(),
            kept: Mutex::default(),
            allocators: RwLock::default(),
            variables: Mutex::default(),
            locked: Mutex::default(),
            keys: Mutex::default(),
            known: [const { AtomicValue::new(Value::NULL) }; MOST_KNOWN],
            names: Mutex::default(),
            at_exit: Mutex::default(),
            shown: Mutex::default(),
            jobs: AtomicUsize::new(0),
            frees: Arc::default(),
            safe: AtomicBool::new(false),
            recent: [const { AtomicValue::new(Value::NIL) }; RECENT],
            next_recent: AtomicUsize::new(0),
        }
    }
}

impl Drop for Extensions {
    fn drop(&mut self) {
        crate::job_table::forget(*self.jobs.get_mut());
    }
}

impl Keep for Extensions {
    const PLACE: Place = Place::Extensions;

    fn trace(&self, marker: &mut Marker) {
        for &address in self.addresses.lock().iter() {
            // SAFETY: C code has said that a `VALUE` lies there as long as it does not take that back.
            marker.mark_conservative(unsafe { std::ptr::with_exposed_provenance::<u64>(address).read_volatile() });
        }
        for value in self.kept.lock().iter() {
            value.mark(marker);
        }
        for &bits in self.shown.lock().keys() {
            marker.mark(bits);
        }
        AtomicValue::mark_all(&self.recent, marker);
        AtomicValue::mark_all(&self.known, marker);
        for variable in self.variables.lock().values() {
            if variable.address != 0 {
                // SAFETY: as above.
                let word = unsafe { std::ptr::with_exposed_provenance::<u64>(variable.address).read_volatile() };
                marker.mark_conservative(word);
            }
        }
    }

    fn after_fork(&self, ec: &mut Ec) {
        self.lock.set_taken(ec.thread.foreign.locked && !ec.thread.foreign.alone);
        ec.thread.foreign.alone = false;
        let me = ec.thread.number();
        self.locked.lock().retain(|_, thread| *thread == me);
    }

    fn after_gc(&self) -> bool {
        self.frees.waiting.load(Ordering::Acquire)
    }
}

/// What makes instances of a class in C.
#[derive(Clone, Copy)]
pub struct Allocator {
    /// `VALUE allocator(VALUE klass)`.
    pub function: Func,
    /// Takes no lock.
    pub safe: bool,
}

/// A global variable with accessors in C.
#[derive(Clone, Copy)]
pub struct Variable {
    /// Where its value lies, if that is in C.
    pub address: usize,
    /// `VALUE getter(ID id, VALUE *data)`, or null.
    pub getter: Func,
    /// `void setter(VALUE val, ID id, VALUE *data)`, or null.
    pub setter: Func,
}

/// What objects that have died leave to be freed by functions in C, which a sweep cannot call.
#[derive(Default)]
pub struct Frees {
    list: Mutex<Vec<(Func, u64)>>,
    /// Is the list not empty?
    waiting: AtomicBool,
    /// Functions in C that mark are called one after the other.
    pub marking: Mutex<()>,
    /// The VM's own copies of extensions, which go when nothing is left that their functions free.
    pub copies: Mutex<Vec<Copied>>,
}

impl Frees {
    /// Leaves `function(pointer)` to be called.
    pub fn push(&self, function: Func, pointer: u64) {
        self.list.lock().push((function, pointer));
        self.waiting.store(true, Ordering::Release);
    }
}

/// Calls what dead objects have left, under the lock.
///
/// # Errors
/// What the last function has raised that has raised something, which they must not; SystemStackError. The others run
/// nevertheless.
pub fn run_frees(ec: &mut Ec) -> Res<()> {
    let Some(part) = ec.vm().part_if_made::<Extensions>() else { return Ok(()) };
    if !part.frees.waiting.load(Ordering::Relaxed) || !part.frees.waiting.swap(false, Ordering::AcqRel) {
        return Ok(());
    }
    let list = std::mem::take(&mut *part.frees.list.lock());
    let taken = lock::take(ec);
    let mut result = Ok(());
    for (function, pointer) in list {
        // SAFETY: an object had this function to free what its pointer leads to, and is dead.
        if let Err(raised) = unsafe { call_c(ec, function.0, &[pointer]) } {
            result = Err(raised);
        }
    }
    if taken {
        lock::give(ec);
    }
    result
}

/// Calls the functions of `ruby_vm_at_exit`: when the program's `at_exit` blocks have run, the last one first.
///
/// # Errors
/// What the last function has raised that has raised something, which they must not; SystemStackError. The others run
/// nevertheless.
pub fn run_at_exit(ec: &mut Ec) -> Res<()> {
    let mut result = Ok(());
    loop {
        let Some(part) = ec.vm().part_if_made::<Extensions>() else { return result };
        let Some(function) = part.at_exit.lock().pop() else { return result };
        let vm = std::ptr::from_ref(ec.vm()).expose_provenance() as u64;
        let taken = lock::take(ec);
        // SAFETY: the function is one for `ruby_vm_at_exit`.
        let called = unsafe { call_c(ec, function.0, &[vm]) };
        if taken {
            lock::give(ec);
        }
        if let Err(raised) = called {
            result = Err(raised);
        }
    }
}

/// The VM's part.
pub fn part(ec: &Ec) -> &'static Extensions {
    let part: *const Extensions = ec.vm().part::<Extensions>();
    // SAFETY: the part lives as long as the VM, which outlives every function in C that runs in it; callers do not keep it.
    unsafe { &*part }
}

/// Keeps `v` alive as long as the VM.
pub fn keep(ec: &Ec, v: Value) {
    if v.is_heap() {
        part(ec).kept.lock().push(AtomicValue::new(v));
    }
}

/// Keeps a copy that C gets a pointer into, until many others have come.
pub fn keep_recent(ec: &Ec, v: Value) {
    let part = part(ec);
    let at = part.next_recent.fetch_add(1, Ordering::Relaxed) % RECENT;
    part.recent[at].store(v, Ordering::Release);
}
