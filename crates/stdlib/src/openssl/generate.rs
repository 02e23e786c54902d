//! New keys and parameters. The search for them takes long, and the library asks only now and then whether it may go on: so it is done
//! on a thread of its own, which nobody has to wait for.

use std::ffi::{CStr, CString, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use asterism_lock::{Condvar, Mutex};
use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_symbol::intern;
use asterism_vm::{Ec, Exc, Res};

use super::call::own;
use super::errors::{self, Queue};
use super::handle::{self, Owned, Pointer};
use super::kinds::Kind;
use super::library::openssl;

/// Kinds of keys that are made at once, and others whose parameters alone take long.
const QUICK: [&CStr; 6] = [c"EC", c"X25519", c"X448", c"ED25519", c"ED448", c"HMAC"];
const QUICK_KEYS: [&CStr; 3] = [c"DH", c"DHX", c"DSA"];

/// What the thread that searches and the one that waits for it share.
struct Search {
    state: Mutex<State>,
    changed: Condvar,
    /// Nobody wants the result any more.
    abandoned: AtomicBool,
    /// A block is told of the progress.
    tells: bool,
}

#[derive(Default)]
struct State {
    /// What has been found, or the library's errors; or a panic.
    result: Option<std::thread::Result<Result<Owned, Queue>>>,
    /// What the block is to be told. The search waits until it has been.
    told: Option<Vec<c_int>>,
}

impl Search {
    /// Tells of the progress, and waits for the block. May the search go on?
    fn tell(&self, told: impl FnOnce() -> Vec<c_int>) -> bool {
        if self.tells && !self.abandoned.load(Ordering::Relaxed) {
            let told = told();
            let mut state = self.state.lock();
            state.told = Some(told);
            self.changed.notify_all();
            while state.told.is_some() && !self.abandoned.load(Ordering::Relaxed) {
                self.changed.wait(&mut state);
            }
        }
        !self.abandoned.load(Ordering::Relaxed)
    }

    /// Waits until there is something to do, or `enough` says so, which is asked again after each `wake`.
    fn wait(&self, enough: impl Fn() -> bool) {
        let mut state = self.state.lock();
        while state.result.is_none() && state.told.is_none() && !enough() {
            self.changed.wait(&mut state);
        }
    }

    fn wake(&self) {
        let _state = self.state.lock();
        self.changed.notify_all();
    }
}

/// Ends the search when nobody waits for it any more.
struct Waiting(Arc<Search>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.abandoned.store(true, Ordering::Relaxed);
        self.0.wake();
    }
}

/// `Primitive.openssl_generate(algorithm, options, parameters?, block, error)`: a new key, or parameters for keys. The algorithm is a
/// name, or that of a key; the options are Arrays of a name, a value and an error. The block is given what the library tells.
pub fn generate(ec: &mut Ec, args: &[Value]) -> Res {
    let (parameters, block, error) = (args[2].truthy(), args[3], args[4]);
    let context = context(ec, args[0], parameters, error)?;
    let mut i = 0;
    while let Some(option) = array::at(args[1], i) {
        set(ec, &context, option)?;
        i += 1;
    }
    let is = |name: &&CStr| {
        // SAFETY: the context is this function's.
        unsafe { (openssl().key.EVP_PKEY_CTX_is_a)(context.as_ptr(), name.as_ptr()) == 1 }
    };
    let quick = QUICK.iter().any(is) || !parameters && QUICK_KEYS.iter().any(is);
    let found = if quick {
        ec.computing(|| search(&context, parameters, std::ptr::null()))
    } else {
        search_apart(ec, context, parameters, block)?
    };
    match found {
        Ok(owned) => handle::wrap(ec, owned),
        Err(queue) => {
            let function = if parameters { "EVP_PKEY_paramgen" } else { "EVP_PKEY_keygen" };
            Err(errors::raise(ec, error, function, queue))
        }
    }
}

fn text(ec: &mut Ec, v: Value) -> Res<CString> {
    let text = ec.to_str(v)?;
    CString::new(string::to_vec(ec, text)).map_err(|_| ec.arg_error("string contains null byte"))
}

/// What the new key will be made with.
fn context(ec: &mut Ec, algorithm: Value, parameters: bool, error: Value) -> Res<Owned> {
    let functions = &openssl().key;
    let (made, function) = if !algorithm.is_type(Type::String) {
        let key = own(ec, algorithm, Kind::Key)?;
        // SAFETY: the context counts a reference to the key of its own.
        (unsafe { (functions.EVP_PKEY_CTX_new)(key.as_ptr(), std::ptr::null()) }, "EVP_PKEY_CTX_new")
    } else {
        let name = text(ec, algorithm)?;
        let null = std::ptr::null::<std::ffi::c_char>();
        // SAFETY: the name is a C string; null stands for what is usual.
        let made = unsafe { (functions.EVP_PKEY_CTX_new_from_name)(null.cast(), name.as_ptr(), null) };
        (made, "EVP_PKEY_CTX_new_from_name")
    };
    let Some(made) = Pointer::new(made) else { return Err(errors::failed(ec, error, function)) };
    // SAFETY: the context is new, and the caller's.
    let context = unsafe { Owned::new(Kind::KeyContext, made) };
    let (begin, function) = match parameters {
        true => (functions.EVP_PKEY_paramgen_init, "EVP_PKEY_paramgen_init"),
        false => (functions.EVP_PKEY_keygen_init, "EVP_PKEY_keygen_init"),
    };
    // SAFETY: the context is this function's.
    let done = unsafe { begin(context.as_ptr()) };
    if done > 0 { Ok(context) } else { Err(errors::failed(ec, error, function)) }
}

fn set(ec: &mut Ec, context: &Owned, option: Value) -> Res<()> {
    let [name, value, error] = [0, 1, 2].map(|i| array::at(option, i).unwrap_or(Value::NIL));
    let (name, value) = (text(ec, name)?, text(ec, value)?);
    // SAFETY: the context is the caller's, and both are C strings.
    let done = unsafe { (openssl().key.EVP_PKEY_CTX_ctrl_str)(context.as_ptr(), name.as_ptr(), value.as_ptr()) };
    if done > 0 { Ok(()) } else { Err(errors::failed(ec, error, "EVP_PKEY_CTX_ctrl_str")) }
}

/// Searches here and now; `told` is null, or the search that is told of the progress.
fn search(context: &Owned, parameters: bool, told: *const Search) -> Result<Owned, Queue> {
    let functions = &openssl().key;
    let function = if parameters { functions.EVP_PKEY_paramgen } else { functions.EVP_PKEY_keygen };
    let mut made: *mut c_void = std::ptr::null_mut();
    // SAFETY: nobody else has the context. The function calls back while it runs, with the search, which is there; a new key is the
    // caller's.
    let found = unsafe {
        if !told.is_null() {
            (functions.EVP_PKEY_CTX_set_app_data)(context.as_ptr(), told.cast_mut().cast());
            (functions.EVP_PKEY_CTX_set_cb)(context.as_ptr(), Some(progress));
        }
        let done = function(context.as_ptr(), &raw mut made);
        Pointer::new(made).filter(|_| done > 0).map(|made| Owned::new(Kind::Key, made))
    };
    let queue = errors::take(found.is_none());
    found.ok_or(queue)
}

/// `EVP_PKEY_gen_cb`
unsafe extern "C" fn progress(context: *mut c_void) -> c_int {
    let functions = &openssl().key;
    // SAFETY: the context is the one of `search`, whose search is there.
    let told = || unsafe {
        let count = (functions.EVP_PKEY_CTX_get_keygen_info)(context, -1);
        (0..count).map(|i| (functions.EVP_PKEY_CTX_get_keygen_info)(context, i)).collect()
    };
    // SAFETY: as above.
    let search = unsafe { (functions.EVP_PKEY_CTX_get_app_data)(context).cast::<Search>().as_ref() };
    c_int::from(search.is_none_or(|search| search.tell(told)))
}

/// Searches on a thread of its own. Interrupts are handled meanwhile, and what they or the block raise ends the search.
fn search_apart(ec: &mut Ec, context: Owned, parameters: bool, block: Value) -> Res<Result<Owned, Queue>> {
    let (state, changed) = (Mutex::new(State::default()), Condvar::new());
    let shared = Arc::new(Search { state, changed, abandoned: AtomicBool::new(false), tells: !block.is_nil() });
    let waiting = Waiting(shared.clone());
    let starting = asterism_lock::gate::starting();
    let made = std::thread::Builder::new().name("openssl".into()).stack_size(1 << 20).spawn(move || {
        let _running = starting.begin();
        let result = catch_unwind(AssertUnwindSafe(|| search(&context, parameters, &raw const *shared)));
        drop(context);
        shared.state.lock().result = Some(result);
        shared.changed.notify_all();
    });
    if let Err(error) = made {
        return Err(ec.raise(Exc::ThreadError, format!("can't create Thread: {error}")));
    }
    let process = std::process::id();
    let state = ec.state().clone();
    let search = &*waiting.0;
    loop {
        // It is not entered when there is something to be done already.
        let _ = ec.interruptible(&|| search.wake(), |_| search.wait(|| state.interrupts().pending() != 0));
        let (result, told) = {
            let mut state = search.state.lock();
            (state.result.take(), state.told.clone())
        };
        match result {
            Some(Ok(found)) => return Ok(found),
            Some(Err(payload)) => std::panic::resume_unwind(payload),
            None => {}
        }
        if let Some(told) = told {
            let told = told.into_iter().map(|n| Value::fixnum(i64::from(n))).collect::<Vec<_>>();
            ec.call(block, intern("call"), &told)?;
            search.state.lock().told = None;
            search.changed.notify_all();
        }
        ec.poll()?;
        if std::process::id() != process {
            return Err(ec.raise(Exc::RuntimeError, "the process has forked, and the search goes on in the other one"));
        }
    }
}
