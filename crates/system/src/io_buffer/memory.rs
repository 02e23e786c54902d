//! What lies behind an `IO::Buffer`, and how threads share it.
//!
//! A buffer object holds a *view* (which memory, from where, how long) behind a short lock, and the memory is
//! reference counted. An operation takes the view out of the lock first and then works on the memory it has a share
//! of: `free`, `resize` and `transfer` by another thread take the view away, never the memory under an operation.
//! The bytes themselves are only reached under the memory's own lock (or the String's, or by a system call for a
//! file), so two threads never touch a byte at once in Rust's sense. No Ruby code runs and nothing is allocated in the
//! Ruby heap under these locks.
//!
//! A mapped file is read and written by pread(2) and pwrite(2) instead of through a mapping: what the program sees is
//! the same, since both go through the page cache, but a file that another process cuts short gives zeros, not SIGBUS.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use asterism_heap::Marker;
use asterism_lock::{Mutex, RwLock};
use asterism_object::data::{self, DataObject};
use asterism_object::types::Type;
use asterism_object::{AtomicValue, Value, string};
use asterism_symbol::intern;
use asterism_vm::{Ec, Raised, Res};
use rustix::io::retry_on_intr as again;

use crate::io::fd::Fd;

/// The memory belongs to something else.
pub const EXTERNAL: u32 = 1;
/// Plain memory.
pub const INTERNAL: u32 = 2;
/// Memory in pages of its own.
pub const MAPPED: u32 = 4;
/// Other processes see it.
pub const SHARED: u32 = 8;
/// In a `locked` block.
pub const LOCKED: u32 = 32;
/// Changes stay here.
pub const PRIVATE: u32 = 64;
/// Not to be changed.
pub const READONLY: u32 = 128;
/// A file's contents.
pub const FILE: u32 = 256;

/// A copy of so many bytes counts as a blocking operation.
const BLOCKING_SIZE: usize = 1 << 20;

/// Where the bytes are.
enum Bytes {
    /// Here.
    Heap(RwLock<Vec<u8>>),
    /// In the String that the buffer object refers to.
    Text,
    /// In a file, from an offset.
    File(Arc<Fd>, u64),
}

/// Memory that buffers share.
pub struct Memory {
    bytes: Arc<Bytes>,
    /// Cleared when the buffer that made it lets go of it: slices are invalid then.
    valid: AtomicBool,
}

/// What a buffer shows of some memory.
#[derive(Clone, Default)]
pub struct View {
    /// `None`: the buffer is null.
    pub memory: Option<Arc<Memory>>,
    /// Where in the memory it begins.
    pub offset: usize,
    /// Its size.
    pub len: usize,
    /// `EXTERNAL` and so on.
    pub flags: u32,
    /// A part of another buffer, or a String's.
    pub slice: bool,
    /// What it shows as its address.
    pub address: usize,
}

/// The native part of an `IO::Buffer`.
#[derive(Default)]
pub struct Buffer {
    view: Mutex<View>,
    /// The String, if the memory is one.
    text: AtomicValue,
}

impl DataObject for Buffer {
    const NAME: &'static str = "IO::Buffer";

    fn trace(&self, marker: &mut Marker) {
        marker.mark(self.text.load(Ordering::Acquire).bits());
    }

    fn size(&self) -> usize {
        let view = self.view.lock();
        if view.slice { 0 } else { view.len }
    }
}

impl Buffer {
    /// The view as it is now.
    pub fn view(&self) -> View {
        self.view.lock().clone()
    }

    /// The String behind it, or nil.
    pub fn text(&self) -> Value {
        match self.text.load(Ordering::Acquire) {
            Value::NULL => Value::NIL,
            text => text,
        }
    }

    /// Changes the view.
    pub fn change<R>(&self, f: impl FnOnce(&mut View) -> R) -> R {
        f(&mut self.view.lock())
    }
}

/// The native part of a buffer.
///
/// # Errors
/// TypeError if it is none.
pub fn buffer<'a>(ec: &mut Ec, v: &'a Value) -> Res<&'a Buffer> {
    match data::get::<Buffer>(v) {
        Some(buffer) => Ok(buffer),
        None => {
            let name = ec.describe_for_conversion(*v);
            Err(ec.type_error(format!("wrong argument type {name} (expected IO::Buffer)")))
        }
    }
}

/// Gives an allocated buffer its view; `text`: the String behind it, or nil.
///
/// # Errors
/// TypeError if it is no buffer.
pub fn set_view(ec: &mut Ec, this: Value, view: View, text: Value) -> Res<()> {
    let buffer = buffer(ec, &this)?;
    if !text.is_nil()
        && let Some(cell) = this.cell()
    {
        asterism_object::store(cell, &buffer.text, text);
    }
    buffer.change(|old| *old = view);
    Ok(())
}

/// Zeroed memory of that size; `None` if there is not enough.
pub fn zeroed(size: usize) -> Option<Arc<Memory>> {
    let mut bytes: Vec<u8> = Vec::new();
    bytes.try_reserve_exact(size).ok()?;
    bytes.resize(size, 0);
    Some(of_bytes(bytes))
}

/// Memory that holds these bytes.
pub fn of_bytes(bytes: Vec<u8>) -> Arc<Memory> {
    Arc::new(Memory { bytes: Arc::new(Bytes::Heap(RwLock::new(bytes))), valid: AtomicBool::new(true) })
}

/// Memory that is a String.
pub fn of_text() -> Arc<Memory> {
    Arc::new(Memory { bytes: Arc::new(Bytes::Text), valid: AtomicBool::new(true) })
}

/// Memory that is a part of a file.
pub fn of_file(fd: Arc<Fd>, offset: u64) -> Arc<Memory> {
    Arc::new(Memory { bytes: Arc::new(Bytes::File(fd, offset)), valid: AtomicBool::new(true) })
}

impl Memory {
    /// What to show as its address.
    pub fn address(&self) -> usize {
        match &*self.bytes {
            Bytes::Heap(bytes) => bytes.read().as_ptr() as usize,
            Bytes::Text | Bytes::File(..) => std::ptr::from_ref(self) as usize,
        }
    }

    /// Is what it was made for still there?
    pub fn is_valid(&self) -> bool {
        self.valid.load(Ordering::Acquire)
    }

    /// Writes the first bytes of memory that nobody else has yet.
    pub fn fill_new(&self, first: &[u8]) {
        if let Bytes::Heap(bytes) = &*self.bytes
            && let Some(place) = bytes.write().get_mut(..first.len())
        {
            place.copy_from_slice(first);
        }
    }

    /// The same bytes with a validity of their own.
    pub fn renamed(&self) -> Arc<Memory> {
        Arc::new(Memory { bytes: self.bytes.clone(), valid: AtomicBool::new(true) })
    }

    /// Makes its slices invalid.
    pub fn invalidate(&self) {
        self.valid.store(false, Ordering::Release);
    }
}

/// Raises an error class of `IO::Buffer`.
#[cold]
pub fn fail(ec: &mut Ec, class: &str, message: &str) -> Raised {
    let io = ec.known(asterism_object::space::WellKnown::IO);
    let buffer = ec.own_constant(io, intern("Buffer")).and_then(asterism_object::class::Class::from_value);
    match buffer.and_then(|b| ec.own_constant(b, intern(class))) {
        Some(class) => ec.raise_class(class, message.as_bytes()),
        None => ec.fatal("IO::Buffer is incomplete"),
    }
}

/// A share of a buffer's memory for one operation.
pub struct Access {
    memory: Arc<Memory>,
    text: Value,
    offset: usize,
    /// How many bytes the buffer has.
    pub len: usize,
    readonly: bool,
}

/// Takes a share of a buffer's memory.
///
/// # Errors
/// IO::Buffer::AllocationError for a null buffer, InvalidatedError for a slice whose buffer is gone.
pub fn access(ec: &mut Ec, this: Value) -> Res<Access> {
    let buffer = buffer(ec, &this)?;
    let view = buffer.view();
    let Some(memory) = view.memory else {
        return Err(fail(ec, "AllocationError", "The buffer is not allocated!"));
    };
    if !memory.is_valid() {
        return Err(fail(ec, "InvalidatedError", "Buffer has been invalidated!"));
    }
    let text = buffer.text();
    Ok(Access { memory, text, offset: view.offset, len: view.len, readonly: view.flags & READONLY != 0 })
}

/// As [`access`]; a null buffer is like an empty one.
///
/// # Errors
/// InvalidatedError.
pub fn access_or_empty(ec: &mut Ec, this: Value) -> Res<Access> {
    if buffer(ec, &this)?.view().memory.is_none() {
        return Ok(Access { memory: of_bytes(Vec::new()), text: Value::NIL, offset: 0, len: 0, readonly: false });
    }
    access(ec, this)
}

/// As [`access`], for changing.
///
/// # Errors
/// AccessError if the buffer is read-only.
pub fn access_to_write(ec: &mut Ec, this: Value) -> Res<Access> {
    check_writable(ec, this)?;
    access(ec, this)
}

/// As [`access_or_empty`], for changing.
///
/// # Errors
/// AccessError if the buffer is read-only.
pub fn access_to_write_or_empty(ec: &mut Ec, this: Value) -> Res<Access> {
    check_writable(ec, this)?;
    access_or_empty(ec, this)
}

fn check_writable(ec: &mut Ec, this: Value) -> Res<()> {
    let view = buffer(ec, &this)?.view();
    if view.flags & READONLY != 0 { Err(not_writable(ec)) } else { Ok(()) }
}

fn not_writable(ec: &mut Ec) -> Raised {
    fail(ec, "AccessError", "Buffer is not writable!")
}

impl Access {
    /// Calls `f` with the bytes from `at`, `len` of them, which lie within the buffer.
    ///
    /// # Errors
    /// `IO::Buffer::InvalidatedError` if the String behind it has become shorter, or the buffer was freed; the class of
    /// Errno of pread(2) for a mapped file.
    pub fn read<R>(&self, ec: &mut Ec, at: usize, len: usize, f: impl FnOnce(&[u8]) -> R) -> Res<R> {
        debug_assert!(at <= self.len && len <= self.len - at);
        let (from, to) = (self.offset + at, self.offset + at + len);
        let done = match &*self.memory.bytes {
            Bytes::Heap(bytes) => {
                let guard = loop {
                    match bytes.try_read() {
                        Some(guard) => break guard,
                        None => ec.blocking(|| drop(bytes.read())),
                    }
                };
                guard.get(from..to).map(f)
            }
            Bytes::Text if self.text.is_type(Type::String) => {
                string::with_bytes(ec, self.text, |bytes, _| bytes.get(from..to).map(f))
            }
            Bytes::Text => None,
            Bytes::File(fd, start) => {
                let bytes = ec.blocking(|| read_file(fd, start.saturating_add(from as u64), len));
                match bytes {
                    Ok(bytes) => Some(f(&bytes)),
                    Err(e) => return Err(asterism_core::errno::raise(ec, e, "")),
                }
            }
        };
        match done {
            Some(r) => Ok(r),
            None => Err(fail(ec, "InvalidatedError", "Buffer has been invalidated!")),
        }
    }

    /// Calls `f` with the bytes from `at` to change them.
    ///
    /// # Errors
    /// As [`Access::read`]; `IO::Buffer::AccessError` if the String behind it has been frozen meanwhile.
    pub fn write<R>(&self, ec: &mut Ec, at: usize, len: usize, f: impl FnOnce(&mut [u8]) -> R) -> Res<R> {
        debug_assert!(!self.readonly && at <= self.len && len <= self.len - at);
        let (from, to) = (self.offset + at, self.offset + at + len);
        let done = match &*self.memory.bytes {
            Bytes::Heap(bytes) => {
                let mut guard = loop {
                    match bytes.try_write() {
                        Some(guard) => break guard,
                        None => ec.blocking(|| drop(bytes.write())),
                    }
                };
                guard.get_mut(from..to).map(f)
            }
            // A buffer that outlives the block of `IO::Buffer.for`, by `transfer`, does not keep the String from being frozen.
            Bytes::Text if asterism_object::ownership::is_frozen(self.text) => return Err(not_writable(ec)),
            Bytes::Text if self.text.is_type(Type::String) => {
                let changed = string::modify_lent(ec, &self.text).map(|mut text| {
                    text.set_coderange(string::CodeRange::Unknown);
                    text.as_mut_slice().get_mut(from..to).map(f)
                });
                ec.check(self.text, changed)?
            }
            Bytes::Text => None,
            Bytes::File(fd, start) => {
                let place = start.saturating_add(from as u64);
                let result = ec.blocking(|| -> Result<R, rustix::io::Errno> {
                    let mut bytes = read_file(fd, place, len)?;
                    let r = f(&mut bytes);
                    let mut done = 0;
                    while done < bytes.len() {
                        done += again(|| rustix::io::pwrite(fd, &bytes[done..], place + done as u64))?;
                    }
                    Ok(r)
                });
                match result {
                    Ok(r) => Some(r),
                    Err(e) => return Err(asterism_core::errno::raise(ec, e, "")),
                }
            }
        };
        match done {
            Some(r) => Ok(r),
            None => Err(fail(ec, "InvalidatedError", "Buffer has been invalidated!")),
        }
    }

    /// Writes bytes from `at`: many of them where the running fiber's scheduler wants that done.
    ///
    /// # Errors
    /// As [`Access::write`]; `IO::Buffer::InvalidatedError` if the buffer is freed meanwhile; what the scheduler's
    /// `blocking_operation_wait` raises.
    pub fn put(&self, ec: &mut Ec, at: usize, source: &[u8]) -> Res<()> {
        if source.len() < BLOCKING_SIZE || ec.scheduler().is_none() || !matches!(*self.memory.bytes, Bytes::Heap(_)) {
            return self.write(ec, at, source.len(), |bytes| bytes.copy_from_slice(source));
        }
        let (from, to) = (self.offset + at, self.offset + at + source.len());
        let (target, source) = (self.memory.bytes.clone(), source.to_vec());
        let done = Arc::new(AtomicBool::new(false));
        let note = done.clone();
        crate::fiber::scheduler::offload(ec, move || {
            if let Bytes::Heap(bytes) = &*target
                && let Some(place) = bytes.write().get_mut(from..to)
            {
                place.copy_from_slice(&source);
                note.store(true, Ordering::Release);
            }
        })?;
        if done.load(Ordering::Acquire) {
            Ok(())
        } else {
            Err(fail(ec, "InvalidatedError", "Buffer has been invalidated!"))
        }
    }

    /// A copy of the bytes.
    ///
    /// # Errors
    /// As [`Access::read`]; NoMemoryError.
    pub fn copy(&self, ec: &mut Ec, at: usize, len: usize) -> Res<Vec<u8>> {
        let _copy = ec.charge(len)?;
        let mut copy = Vec::new();
        if copy.try_reserve_exact(len).is_err() {
            return Err(ec.no_memory());
        }
        self.read(ec, at, len, |bytes| copy.extend_from_slice(bytes))?;
        Ok(copy)
    }
}

/// Bytes of a file; zeros where it has become shorter.
fn read_file(fd: &Fd, from: u64, len: usize) -> Result<Vec<u8>, rustix::io::Errno> {
    let mut bytes: Vec<u8> = Vec::new();
    bytes.try_reserve_exact(len).map_err(|_| rustix::io::Errno::NOMEM)?;
    bytes.resize(len, 0);
    let mut done = 0;
    while done < len {
        match again(|| rustix::io::pread(fd, &mut bytes[done..], from + done as u64))? {
            0 => break,
            n => done += n,
        }
    }
    Ok(bytes)
}
