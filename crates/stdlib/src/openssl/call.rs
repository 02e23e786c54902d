//! `Primitive.openssl(error, :function, argument, …)`: calls a function of the library as its row says.
//!
//! `error` is the class that a failure is raised as, or nil for what nil or false tells well enough. The arguments are converted first,
//! which may run Ruby code; then the handles are locked, in the order of their addresses, and the function is called.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};

use asterism_lock::{RwLockReadGuard, RwLockWriteGuard};
use asterism_object::types::Type;
use asterism_object::{Value, array, bigint, data, string};
use asterism_symbol::BINARY;
use asterism_vm::{Ec, Res};

use super::callback::{self, InCall, Password};
use super::errors;
use super::functions::Address;
use super::handle::{self, Handle, Owned, Pointer, read, write};
use super::kinds::Kind;
use super::library::{Found, openssl};
use super::row::{Arg, Mode, Ret};

/// The most parameters that a row has.
const MOST: usize = 12;
/// The most bytes of `Arg::LengthRoom`.
const MOST_ROOM: usize = 64;
/// The most bytes of `Arg::RoomLength`.
const MOST_KEY: usize = 1 << 20;
/// The most words that they come to.
const WORDS: usize = 14;

/// An argument after its conversion. Strings are on the machine stack while the function runs, which keeps their bytes.
enum Given {
    Nothing,
    Word(usize),
    Handle,
    Text(CString),
    Bytes(string::StrRef),
    /// Given away if the function succeeds.
    Own(Owned),
    Stack(Stack),
    Password(Password),
}

/// `STACK_OF(T)`, and references to what is in it.
struct Stack {
    pointer: *mut c_void,
    _items: Vec<Owned>,
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the stack is this one's; the items are not the stack's.
        unsafe { (openssl().core.OPENSSL_sk_free)(self.pointer) };
    }
}

/// `Primitive.openssl(error, :function, argument, …)`
pub fn call(ec: &mut Ec, args: &[Value]) -> Res {
    let (error, name) = (args[0], args[1]);
    let found = name.as_sym().and_then(|name| openssl().row(name));
    let Some(found) = found else {
        let name = name.as_sym().map_or_else(String::new, |name| name.text().to_string());
        return Err(ec.not_implemented(format!("openssl: no row for {name}")));
    };
    let Some(address) = found.address else {
        return Err(ec.not_implemented(format!("{}() is not in this version of OpenSSL", found.row.name)));
    };
    let mut values = [Value::NIL; MOST];
    let mut given: [Given; MOST] = std::array::from_fn(|_| Given::Nothing);
    let mut rest = args[2..].iter().copied();
    for (i, &arg) in found.row.args.iter().enumerate() {
        if takes_argument(arg) {
            values[i] = rest.next().unwrap_or(Value::NIL);
            given[i] = convert(ec, arg, &mut values[i])?;
        }
    }
    let object = args.get(2).copied().unwrap_or(Value::NIL);
    run(ec, found, address, error, object, &values, given)
}

/// Does Ruby give something for it?
fn takes_argument(arg: Arg) -> bool {
    !matches!(
        arg,
        Arg::Sink
            | Arg::DerOut
            | Arg::Room
            | Arg::Upto(_)
            | Arg::IntOut
            | Arg::Out(_)
            | Arg::Null
            | Arg::BnContext
            | Arg::Progress
            | Arg::Const(_)
    )
}

/// What an argument is for the function. `v` becomes the handle where it is an object that has one.
fn convert(ec: &mut Ec, arg: Arg, v: &mut Value) -> Res<Given> {
    Ok(match arg {
        Arg::Ref(kind) | Arg::Mut(kind) => {
            *v = handle::resolve(ec, *v, kind)?;
            Given::Handle
        }
        Arg::Opt(_) | Arg::OptText | Arg::OptBytes | Arg::Octets(_) | Arg::Stack(_) if v.is_nil() => Given::Word(0),
        Arg::Opt(kind) => {
            *v = handle::resolve(ec, *v, kind)?;
            Given::Handle
        }
        Arg::Give(kind) => Given::Own(own(ec, *v, kind)?),
        Arg::Stack(kind) => Given::Stack(stack(ec, *v, kind)?),
        Arg::Int => {
            let n = ec.to_i64(*v)?;
            if c_int::try_from(n).is_err() {
                let size = if n < 0 { "small" } else { "big" };
                return Err(ec.range_error(format!("integer {n} too {size} to convert to 'int'")));
            }
            Given::Word(n as usize)
        }
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
        Arg::Bytes | Arg::OptBytes | Arg::LengthBytes | Arg::Octets(_) | Arg::Der | Arg::Source => {
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
/// TypeError, NoMemoryError.
pub fn own(ec: &mut Ec, v: Value, kind: Kind) -> Res<Owned> {
    let held = handle::resolve(ec, v, kind)?;
    let Some(handle) = data::get::<Handle>(&held) else { return Err(ec.type_error("not a handle")) };
    let _reading = read(ec, handle);
    // SAFETY: the object is of its handle's kind, and locked.
    let shared = Pointer::new(handle.as_ptr()).and_then(|pointer| unsafe { Owned::share(kind, pointer) });
    match shared {
        Some(owned) => Ok(owned),
        None => Err(ec.no_memory()),
    }
}

fn stack(ec: &mut Ec, list: Value, kind: Kind) -> Res<Stack> {
    let list = ec.to_ary(list)?;
    let mut items = Vec::new();
    let mut i = 0;
    while let Some(item) = array::at(list, i) {
        items.push(own(ec, item, kind)?);
        i += 1;
    }
    let core = &openssl().core;
    // SAFETY: a new stack is filled with objects that are kept as long as it is.
    unsafe {
        let pointer = (core.OPENSSL_sk_new_null)();
        let stack = Stack { pointer, _items: items };
        if pointer.is_null() || stack._items.iter().any(|item| (core.OPENSSL_sk_push)(pointer, item.as_ptr()) <= 0) {
            drop(stack);
            return Err(ec.no_memory());
        }
        Ok(stack)
    }
}

/// A lock that is held for a call.
enum Guard<'a> {
    None,
    Read(#[allow(dead_code, reason = "held")] RwLockReadGuard<'a, ()>),
    Write(#[allow(dead_code, reason = "held")] RwLockWriteGuard<'a, ()>),
}

/// Takes the locks of the handles in `values`, each once, in the order of their addresses.
fn lock<'a>(ec: &mut Ec, args: &[Arg], given: &[Given], values: &'a [Value; MOST]) -> Res<[Guard<'a>; MOST]> {
    let mut wanted: [Option<(&Handle, bool)>; MOST] = [None; MOST];
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
    let mut guards: [Guard<'a>; MOST] = std::array::from_fn(|_| Guard::None);
    for (i, &(handle, changes)) in wanted[..count].iter().flatten().enumerate() {
        match callback::held_by_this_thread(handle) {
            // A callback of a call under way looks at what that call has locked.
            Some(_) if !changes => {}
            Some(true) => {}
            Some(false) => {
                return Err(
                    ec.raise(asterism_vm::Exc::RuntimeError, "the object is in use by the call that called back")
                );
            }
            None if changes => guards[i] = Guard::Write(write(ec, handle)),
            None => guards[i] = Guard::Read(read(ec, handle)),
        }
    }
    // What was lent may have been taken back in the meantime.
    if wanted[..count].iter().flatten().any(|(handle, _)| handle.as_ptr().is_null()) {
        return Err(ec.raise(asterism_vm::Exc::RuntimeError, "the object was lent to a callback that has returned"));
    }
    Ok(guards)
}

/// What a call works with beside its arguments, and what it leaves.
struct Work {
    words: [usize; WORDS],
    used: usize,
    /// BIOs to give up: of sources and of the sink.
    sources: Vec<*mut c_void>,
    sink: *mut c_void,
    bn_context: *mut c_void,
    progress: *mut c_void,
    /// The cursors of `Arg::Der`.
    cursors: [Cell<*const u8>; 2],
    der: Cell<*mut u8>,
    text: Cell<*const c_char>,
    /// Of the arguments that have room for bytes, in their order.
    rooms: Vec<Box<[u8]>>,
    length: Cell<usize>,
    ints: [Cell<c_int>; 2],
    outs: [Cell<*mut c_void>; 3],
}

impl Work {
    fn new() -> Work {
        Work {
            words: [0; WORDS],
            used: 0,
            sources: Vec::new(),
            sink: std::ptr::null_mut(),
            bn_context: std::ptr::null_mut(),
            progress: std::ptr::null_mut(),
            cursors: [const { Cell::new(std::ptr::null()) }; 2],
            der: Cell::new(std::ptr::null_mut()),
            text: Cell::new(std::ptr::null()),
            rooms: Vec::new(),
            length: Cell::new(0),
            ints: [const { Cell::new(0) }; 2],
            outs: [const { Cell::new(std::ptr::null_mut()) }; 3],
        }
    }

    fn push(&mut self, word: usize) {
        self.words[self.used] = word;
        self.used += 1;
    }

    /// Room for bytes that are a result.
    fn push_room(&mut self, size: usize) {
        let mut room = vec![0; size].into_boxed_slice();
        self.push(room.as_mut_ptr() as usize);
        self.rooms.push(room);
    }

    /// The words of the arguments. Pointers into `self` are among them: it stays where it is until the call is over. `false`: there is
    /// no memory.
    fn fill(&mut self, args: &[Arg], given: &[Given], values: &[Value; MOST]) -> bool {
        let core = &openssl().core;
        let (mut cursors, mut ints, mut outs) = (0, 0, 0);
        for (i, &arg) in args.iter().enumerate() {
            match (&given[i], arg) {
                (&Given::Word(word), Arg::OptBytes) => {
                    self.push(word);
                    self.push(0);
                }
                (&Given::Word(size), Arg::LengthRoom) => {
                    self.push(size);
                    self.push_room(size);
                }
                (&Given::Word(size), Arg::RoomLength) => {
                    self.push_room(size);
                    self.push(size);
                }
                (&Given::Word(word), _) => self.push(word),
                (Given::Handle, _) => {
                    self.push(data::get::<Handle>(&values[i]).map_or(0, |handle| handle.as_ptr() as usize))
                }
                (Given::Text(text), _) => self.push(text.as_ptr() as usize),
                (Given::Own(owned), _) => self.push(owned.as_ptr() as usize),
                (Given::Stack(stack), _) => self.push(stack.pointer as usize),
                (Given::Password(password), _) => {
                    let (function, data) = password.words();
                    self.push(function);
                    self.push(data);
                }
                (Given::Bytes(bytes), Arg::Source) => {
                    let bytes = bytes.as_bytes();
                    // SAFETY: the BIO reads these bytes, which outlive it.
                    let bio = unsafe { (core.BIO_new_mem_buf)(bytes.as_ptr().cast(), bytes.len() as c_int) };
                    if bio.is_null() {
                        return false;
                    }
                    self.sources.push(bio);
                    self.push(bio as usize);
                }
                (Given::Bytes(bytes), Arg::Der) => {
                    self.cursors[cursors].set(bytes.as_bytes().as_ptr());
                    self.push(self.cursors[cursors].as_ptr() as usize);
                    cursors += 1;
                    self.push(bytes.as_bytes().len());
                }
                (Given::Bytes(bytes), Arg::Octets(_)) => self.push(bytes.as_bytes().as_ptr() as usize),
                (Given::Bytes(bytes), Arg::LengthBytes) => {
                    self.push(bytes.as_bytes().len());
                    self.push(bytes.as_bytes().as_ptr() as usize);
                }
                (Given::Bytes(bytes), _) => {
                    self.push(bytes.as_bytes().as_ptr() as usize);
                    self.push(bytes.as_bytes().len());
                }
                (Given::Nothing, Arg::Sink) => {
                    // SAFETY: a BIO in memory needs nothing else.
                    self.sink = unsafe { (core.BIO_new)((core.BIO_s_mem)()) };
                    if self.sink.is_null() {
                        return false;
                    }
                    self.push(self.sink as usize);
                }
                (Given::Nothing, Arg::BnContext) => {
                    // SAFETY: it is given up when the call is over.
                    self.bn_context = unsafe { (core.BN_CTX_new)() };
                    self.push(self.bn_context as usize);
                }
                (Given::Nothing, Arg::Progress) => {
                    // SAFETY: it is given up when the call is over.
                    self.progress = unsafe { (core.BN_GENCB_new)() };
                    if self.progress.is_null() {
                        return false;
                    }
                    // SAFETY: the function needs no data.
                    unsafe { (core.BN_GENCB_set)(self.progress, callback::progress, std::ptr::null_mut()) };
                    self.push(self.progress as usize);
                }
                (Given::Nothing, Arg::DerOut) => self.push(self.der.as_ptr() as usize),
                (Given::Nothing, Arg::Room) => {
                    self.push(0);
                    self.push(self.length.as_ptr() as usize);
                }
                (Given::Nothing, Arg::Upto(most)) => {
                    self.push_room(most);
                    self.push(self.length.as_ptr() as usize);
                }
                (Given::Nothing, Arg::Exactly(size)) => self.push_room(size),
                (Given::Nothing, Arg::IntOut) => {
                    self.push(self.ints[ints].as_ptr() as usize);
                    ints += 1;
                }
                (Given::Nothing, Arg::Out(_)) => {
                    self.push(self.outs[outs].as_ptr() as usize);
                    outs += 1;
                }
                (Given::Nothing, Arg::TextOut) => self.push(self.text.as_ptr() as usize),
                (Given::Nothing, Arg::Callback(function)) => self.push(function.0 as usize),
                (Given::Nothing, Arg::Const(n)) => self.push(n as usize),
                (Given::Nothing, _) => self.push(0),
            }
        }
        true
    }

    /// Where the pointer of `Arg::Room` is among the words.
    fn room(&self, args: &[Arg]) -> Option<usize> {
        args.iter().any(|arg| matches!(arg, Arg::Room)).then(|| {
            let length = self.length.as_ptr() as usize;
            self.words[..self.used].iter().position(|&word| word == length).map(|at| at - 1)
        })?
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let core = &openssl().core;
        // SAFETY: all of them are this call's, or null, which these functions ignore.
        unsafe {
            for &bio in &self.sources {
                (core.BIO_free)(bio);
            }
            (core.BIO_free)(self.sink);
            (core.BN_CTX_free)(self.bn_context);
            (core.BN_GENCB_free)(self.progress);
            (core.CRYPTO_free)(self.der.get().cast(), c"".as_ptr(), 0);
        }
    }
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

fn run(
    ec: &mut Ec,
    found: &Found,
    address: Address,
    error: Value,
    object: Value,
    values: &[Value; MOST],
    mut given: [Given; MOST],
) -> Res {
    let row = found.row;
    let guards = lock(ec, row.args, &given, values)?;
    let mut work = Work::new();
    if !work.fill(row.args, &given, values) {
        return Err(ec.no_memory());
    }
    let handles = values
        .iter()
        .zip(row.args)
        .filter_map(|(v, arg)| Some((std::ptr::from_ref(data::get::<Handle>(v)?), matches!(arg, Arg::Mut(_)))))
        .collect::<Vec<_>>();
    let mut in_call = InCall::new(ec, object, handles, row.mode == Mode::Slow);
    let room = work.room(row.args);
    // SAFETY: the words are those of the row's arguments; the locks are held, and all that is pointed to is in `given` and `work`.
    let mut result = in_call.enter(|| unsafe { invoke(address, &work.words) });
    if let Some(at) = room.filter(|_| result as i32 > 0) {
        let mut bytes = vec![0_u8; work.length.get()];
        work.words[at] = bytes.as_mut_ptr() as usize;
        // SAFETY: as above, with room for as many bytes as the function has asked for.
        result = in_call.enter(|| unsafe { invoke(address, &work.words) });
        bytes.truncate(work.length.get());
        work.rooms.push(bytes.into_boxed_slice());
    }
    let in_call = in_call.finish();
    let failed = fails(row.ret, row.args, result);
    if !failed {
        for owned in given.iter_mut() {
            if let Given::Own(owned) = std::mem::replace(owned, Given::Nothing) {
                let _given = owned.into_raw();
            }
        }
    }
    // SAFETY: the function returned this, as its row says; what it lends is still locked.
    let left = unsafe { take(row.ret, row.args, &mut work, result, failed) };
    let queue = errors::take(failed && error.truthy());
    drop(guards);
    drop(work);
    drop(given);
    in_call.result(ec)?;
    let left = match left {
        Ok(left) => left,
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

/// There is no memory for another reference.
struct NoMemory;

/// Does the result tell of a failure?
fn fails(ret: Ret, args: &[Arg], result: usize) -> bool {
    let writes_der = args.iter().any(|arg| matches!(arg, Arg::DerOut));
    match ret {
        Ret::Status => (result as i32) <= 0,
        Ret::Bool => (result as i32) < 0,
        Ret::Int if writes_der => (result as i32) < 0,
        Ret::Text | Ret::New(_) | Ret::NewStack(_) => result == 0,
        Ret::Void | Ret::Int | Ret::Long | Ret::Word | Ret::Get(_) | Ret::GetStack(_) => false,
    }
}

/// What a call has left, apart from the library.
enum Left {
    Nil,
    True,
    False,
    Int(i64),
    Word(u64),
    Text(Vec<u8>),
    Bytes(Vec<u8>),
    Object(Owned),
    List(Vec<Owned>),
    Many(Vec<Left>),
}

impl Left {
    fn into_value(self, ec: &mut Ec) -> Res {
        Ok(match self {
            Left::Nil => Value::NIL,
            Left::True => Value::TRUE,
            Left::False => Value::FALSE,
            Left::Int(n) => ec.int(n)?,
            Left::Word(n) => match i64::try_from(n) {
                Ok(n) => ec.int(n)?,
                Err(_) => ec.bigint(n.into())?,
            },
            Left::Text(text) => ec.str(&text)?,
            Left::Bytes(bytes) => ec.str_enc(&bytes, BINARY)?,
            Left::Object(owned) => handle::wrap(ec, owned)?,
            Left::List(list) => list_of(ec, list.into_iter().map(Left::Object))?,
            Left::Many(list) => list_of(ec, list.into_iter())?,
        })
    }
}

fn list_of(ec: &mut Ec, items: impl ExactSizeIterator<Item = Left>) -> Res {
    let list = ec.array_with_capacity(items.len())?;
    for item in items {
        let item = item.into_value(ec)?;
        ec.array_push(list, item)?;
    }
    Ok(list)
}

/// The results of a call.
///
/// # Safety
/// The function of such a row has returned `result`, and its handles are still locked.
unsafe fn take(ret: Ret, args: &[Arg], work: &mut Work, result: usize, failed: bool) -> Result<Left, NoMemory> {
    let core = &openssl().core;
    let mut outs = Vec::new();
    let mut rooms = std::mem::take(&mut work.rooms).into_iter();
    let mut objects = work.outs.iter();
    let mut ints = work.ints.iter();
    for &arg in args {
        match arg {
            Arg::Out(kind) => {
                let out = objects.next().and_then(|out| Pointer::new(out.get()));
                // SAFETY: such a function hands over an object of that kind, or nothing.
                outs.push(out.map_or(Left::Nil, |out| Left::Object(unsafe { Owned::new(kind, out) })));
            }
            Arg::IntOut => outs.push(ints.next().map_or(Left::Nil, |n| Left::Int(i64::from(n.get())))),
            Arg::TextOut if !failed && !work.text.get().is_null() => {
                // SAFETY: it is a C string that lives as long as what the locks protect.
                outs.push(Left::Text(unsafe { CStr::from_ptr(work.text.get()) }.to_bytes().to_vec()));
            }
            Arg::Sink => outs.push(Left::Bytes(contents(work.sink))),
            Arg::DerOut if !failed && !work.der.get().is_null() => {
                // SAFETY: the function has put as many bytes there as it says.
                outs.push(Left::Bytes(
                    unsafe { std::slice::from_raw_parts(work.der.get(), result as i32 as usize) }.to_vec(),
                ));
            }
            Arg::Room | Arg::Exactly(_) | Arg::LengthRoom | Arg::RoomLength => {
                outs.push(Left::Bytes(rooms.next().unwrap_or_default().into_vec()))
            }
            Arg::Upto(_) => {
                let mut bytes = rooms.next().unwrap_or_default().into_vec();
                bytes.truncate(work.length.get() as u32 as usize);
                outs.push(Left::Bytes(bytes));
            }
            _ => {}
        }
    }
    if failed {
        return Ok(Left::Nil);
    }
    let pointer = Pointer::new(result as *mut c_void);
    let returned = match (ret, pointer) {
        (Ret::Void, _) => Left::Nil,
        (Ret::Status, _) => Left::True,
        (Ret::Int, _) if args.iter().any(|arg| matches!(arg, Arg::DerOut)) => Left::True,
        (Ret::Bool, _) if result as i32 == 0 => Left::False,
        (Ret::Bool, _) => Left::True,
        (Ret::Int, _) => Left::Int(i64::from(result as i32)),
        (Ret::Long, _) => Left::Int(result as i64),
        (Ret::Word, _) => Left::Word(result as u64),
        (_, None) => Left::Nil,
        // SAFETY: it is a C string that lives as long as what the locks protect.
        (Ret::Text, Some(text)) => Left::Text(unsafe { CStr::from_ptr(text.as_ptr().cast()) }.to_bytes().to_vec()),
        // SAFETY: the row says whose it is.
        (Ret::New(kind), Some(pointer)) => Left::Object(unsafe { Owned::new(kind, pointer) }),
        // SAFETY: what is lent is locked with the object that it is a part of.
        (Ret::Get(kind), Some(pointer)) => Left::Object(unsafe { Owned::share(kind, pointer) }.ok_or(NoMemory)?),
        (Ret::GetStack(kind), Some(pointer)) => {
            // SAFETY: as for `Ret::Get`.
            let items = unsafe { items(pointer.as_ptr(), |item| Owned::share(kind, item)) };
            Left::List(items.ok_or(NoMemory)?)
        }
        (Ret::NewStack(kind), Some(pointer)) => {
            // SAFETY: the stack and its objects are the caller's.
            let items = unsafe { items(pointer.as_ptr(), |item| Some(Owned::new(kind, item))) };
            // SAFETY: the objects have been taken out of it.
            unsafe { (core.OPENSSL_sk_free)(pointer.as_ptr()) };
            Left::List(items.unwrap_or_default())
        }
    };
    match (ret, outs.len()) {
        (_, 0) => Ok(returned),
        (Ret::Void | Ret::Status, 1) => Ok(outs.remove(0)),
        (Ret::Int, 1) if args.iter().any(|arg| matches!(arg, Arg::DerOut)) => Ok(outs.remove(0)),
        (Ret::Void | Ret::Status, _) => Ok(Left::Many(outs)),
        _ => {
            outs.insert(0, returned);
            Ok(Left::Many(outs))
        }
    }
}

/// What is in a stack.
///
/// # Safety
/// It is one, and `take` may be given what is in it.
unsafe fn items(stack: *mut c_void, take: impl Fn(Pointer) -> Option<Owned>) -> Option<Vec<Owned>> {
    let core = &openssl().core;
    // SAFETY: the caller's contract.
    let item = |i| unsafe { (core.OPENSSL_sk_value)(stack, i) };
    // SAFETY: as above.
    let count = unsafe { (core.OPENSSL_sk_num)(stack) };
    (0..count).filter_map(|i| Pointer::new(item(i))).map(take).collect()
}

/// What was written to a BIO in memory.
fn contents(sink: *mut c_void) -> Vec<u8> {
    const BIO_CTRL_INFO: c_int = 3;
    let mut place: *mut u8 = std::ptr::null_mut();
    // SAFETY: the BIO is one in memory, which tells where its bytes are, and how many.
    unsafe {
        let length = (openssl().core.BIO_ctrl)(sink, BIO_CTRL_INFO, 0, std::ptr::from_mut(&mut place).cast());
        if place.is_null() || length <= 0 {
            Vec::new()
        } else {
            std::slice::from_raw_parts(place, length as usize).to_vec()
        }
    }
}
