//! IO objects: a Ruby object that leads to a [`Stream`], and the streams of a VM that wait to be flushed.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use asterism_heap::{Marker, Stores};
use asterism_lock::{Mutex, RwLock};
use asterism_object::class::Class;
use asterism_object::data::{self, DataObject, Shared};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, string};
use asterism_symbol::sym;
use asterism_vm::error::Exc;
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Res};

use crate::io::fd::Fd;
use crate::io::left_open::LeftOpen;
use crate::io::stream::{Mode, Stream, StreamRef};
use crate::io::wakes::Wakes;

/// What an IO object holds; `None` until `initialize` has run. `reopen` replaces it.
pub struct Io {
    stream: RwLock<Option<Arc<Stream>>>,
}

impl DataObject for Io {
    const NAME: &'static str = "IO";
    const SHARED: Shared = Shared::Frozen;
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}

    /// Without a stream: each VM opens its own.
    fn replica(&self) -> Option<Io> {
        Some(Io { stream: RwLock::new(None) })
    }
}

/// The streams of a VM.
#[derive(Default)]
pub struct Streams {
    /// Streams that may have unwritten bytes, when their IO objects have died too. Protected by the lock.
    streams: Mutex<Vec<Arc<Stream>>>,
    /// `$.`
    last_lineno: AtomicI64,
    /// What threads wait with, for the next ones that wait.
    pub(super) wakes: Wakes,
    /// Descriptors that are closed when the VM ends.
    pub(super) left_open: LeftOpen,
}

impl Streams {
    /// Notes a stream that buffers writes.
    pub fn register(&self, stream: &Arc<Stream>) {
        let mut list = self.streams.lock();
        // Those that it is the end of are closed behind the lock.
        let mut idle = Vec::new();
        if list.len() == list.capacity() {
            idle.extend(list.extract_if(.., |stream| stream.unregister()));
            // So that this is not done again soon.
            let len = list.len();
            list.reserve(len.max(4));
        }
        list.push(Arc::clone(stream));
        drop(list);
    }

    /// A collection has found out which IO objects are dead: their streams are written out and closed. Those that others have to
    /// read from first are tried again later.
    pub(super) fn end_unreachable(&self) {
        let mut list = self.streams.lock();
        let ended: Vec<_> = list.extract_if(.., |stream| Arc::strong_count(stream) == 1).collect();
        drop(list);
        let left: Vec<_> = ended.into_iter().filter(|stream| !stream.flush_at_once()).collect();
        if !left.is_empty() {
            self.streams.lock().extend(left);
        }
    }

    /// Sets `$.`.
    pub fn set_last_lineno(&self, n: i64) {
        self.last_lineno.store(n, Ordering::Relaxed);
    }

    /// `$.`
    pub fn last_lineno(&self) -> i64 {
        self.last_lineno.load(Ordering::Relaxed)
    }

    fn all(&self) -> Vec<Arc<Stream>> {
        self.streams.lock().clone()
    }
}

/// Writes what the streams of the VM still hold. If the system does not take it, nobody is told any more.
///
/// # Errors
/// What is raised into the thread while it waits; NoMemoryError.
pub fn flush_all(ec: &mut Ec) -> Res<()> {
    for stream in ec.vm().part::<Streams>().all() {
        if ec.blocking(|| stream.flush_at_once()) {
            continue;
        }
        let io = ec.known(WellKnown::IO);
        let io = wrap_shared(ec, io, stream.clone())?;
        StreamRef::new(stream, io).flush_quietly(ec)?;
    }
    Ok(())
}

/// `IO.allocate`
///
/// # Errors
/// NoMemoryError.
pub fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, Io { stream: RwLock::new(None) });
    ec.check(Value::NIL, made)
}

/// A new IO object of `class` over a stream.
///
/// # Errors
/// NoMemoryError.
pub fn wrap(ec: &mut Ec, class: Class, stream: Stream) -> Res {
    wrap_shared(ec, class, Arc::new(stream))
}

fn wrap_shared(ec: &mut Ec, class: Class, stream: Arc<Stream>) -> Res {
    let made = data::new(ec, class.0, Io { stream: RwLock::new(Some(stream)) });
    ec.check(Value::NIL, made)
}

/// Gives an allocated IO object its stream.
///
/// # Errors
/// TypeError if it is no IO.
pub fn install(ec: &mut Ec, object: Value, stream: Arc<Stream>) -> Res<()> {
    match data::get::<Io>(&object) {
        Some(io) => {
            let old = io.stream.write().replace(stream);
            drop(old);
            Ok(())
        }
        None => Err(not_io(ec, object)),
    }
}

/// Gives an allocated IO object the stream of another one, which both have then.
///
/// # Errors
/// IOError, TypeError.
pub fn share(ec: &mut Ec, from: Value, to: Value) -> Res<()> {
    let found = data::get::<Io>(&from).and_then(|io| io.stream.read().clone());
    match found {
        Some(stream) => install(ec, to, stream),
        None => Err(not_io(ec, from)),
    }
}

#[cold]
fn not_io(ec: &mut Ec, object: Value) -> asterism_vm::ec::Raised {
    let name = ec.class_name_of(object);
    ec.type_error(format!("wrong argument type {name} (expected File)"))
}

/// Is it an IO object, open or not?
pub fn is_io(object: Value) -> bool {
    data::get::<Io>(&object).is_some()
}

/// The stream of an IO object.
///
/// # Errors
/// IOError if it was never initialised; TypeError if it is no IO.
pub fn stream(ec: &mut Ec, object: Value) -> Res<StreamRef> {
    let found = data::get::<Io>(&object).map(|io| io.stream.read().clone());
    match found {
        Some(Some(stream)) => Ok(StreamRef::new(stream, object)),
        Some(None) => Err(ec.raise(Exc::IOError, "uninitialized stream")),
        None => Err(not_io(ec, object)),
    }
}

/// The stream, if the value is an initialised IO.
pub fn try_stream(object: Value) -> Option<StreamRef> {
    let stream = data::get::<Io>(&object).and_then(|io| io.stream.read().clone())?;
    Some(StreamRef::new(stream, object))
}

/// Takes the open stream out of an IO object, which is closed from now on; `None` if it is closed, or in use.
///
/// # Errors
/// What is raised into the thread while it waits for what was written to go out.
pub fn give_up(ec: &mut Ec, object: Value) -> Res<Option<Arc<Stream>>> {
    let Some(stream) = try_stream(object) else { return Ok(None) };
    stream.flush_quietly(ec)?;
    Ok(stream.give_up().map(Arc::new))
}

/// An argument that stands for an IO: one, or something with `to_io`.
///
/// # Errors
/// TypeError.
pub fn to_io(ec: &mut Ec, v: Value) -> Res {
    if data::is::<Io>(v) {
        return Ok(v);
    }
    if let Some(answer) = ec.call_if_known(v, sym::to_io, &[])? {
        if data::is::<Io>(answer) {
            return Ok(answer);
        }
        let got = ec.class_name_of(answer);
        return Err(ec.conversion_mismatch(v, "IO", sym::to_io, &got));
    }
    Err(ec.no_conversion(v, "IO"))
}

/// A descriptor as an IO object for one of the standard streams.
///
/// # Errors
/// NoMemoryError.
pub fn standard(ec: &mut Ec, number: i32, writable: bool, name: &str) -> Res {
    let class = ec.known(WellKnown::IO);
    match standard_stream(number, writable, name) {
        Some(stream) => wrap(ec, class, stream),
        None => allocate(ec, class),
    }
}

/// A stream over a standard descriptor; `None` if the process was started without it.
pub fn standard_stream(number: i32, writable: bool, name: &str) -> Option<Stream> {
    let mode = Mode { readable: !writable, writable, ..Mode::default() };
    let fd = Fd::from_number(number).ok()?;
    fd.take_over();
    let stream = Stream::new(fd, &mode, Some(name.as_bytes().to_vec()));
    stream.lock().sync = number == 2;
    Some(stream)
}

/// A Boolean keyword from an options Hash.
///
/// # Errors
/// None: Symbols are compared without a call.
pub fn option(ec: &mut Ec, options: Option<Value>, name: &str) -> Res<Option<Value>> {
    match options {
        Some(_) => option_of(ec, options, asterism_symbol::intern(name)),
        None => Ok(None),
    }
}

/// As `option`, of a name that is known already.
pub fn option_of(ec: &mut Ec, options: Option<Value>, name: Sym) -> Res<Option<Value>> {
    match options {
        Some(h) if h.is_type(Type::Hash) => ec.hash_get(h, Value::sym(name)),
        _ => Ok(None),
    }
}

/// Bytes of a String made from bytes that were read.
///
/// # Errors
/// NoMemoryError.
pub fn read_string(ec: &mut Ec, bytes: Buffer, encoding: u8) -> Res {
    let (bytes, _charge) = bytes.into_parts();
    let made = string::from_vec(ec, bytes, encoding);
    ec.check(Value::NIL, made)
}
