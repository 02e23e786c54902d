//! A buffer's life: made, sliced, locked, resized, handed over, freed; and what it says of itself.

use asterism_heap::Charge;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_vm::{Args, Ec, Exc, NativeDef, Res};
use rustix::fs::OFlags;

use super::memory::{
    self, EXTERNAL, FILE, INTERNAL, LOCKED, MAPPED, PRIVATE, READONLY, SHARED, View, access, buffer, fail, of_bytes,
    of_file, of_text, set_view, zeroed,
};
use super::{DEFAULT_SIZE, PAGE_SIZE, exact, natural, range};
use crate::io::object::stream;
use asterism_core::errno;

/// Instance methods.
pub static BUFFER: &[NativeDef] = &[
    NativeDef::new("initialize", initialize, 0, 2).private(),
    NativeDef::new("initialize_copy", initialize_copy, 1, 1).private(),
    NativeDef::new("size", size, 0, 0).leaf(),
    NativeDef::new("__flags", flags, 0, 0).leaf().private(),
    NativeDef::new("null?", is_null, 0, 0).leaf(),
    NativeDef::new("valid?", is_valid, 0, 0).leaf(),
    NativeDef::new("to_s", to_s, 0, 0),
    NativeDef::new("__lock", lock, 0, 0).private(),
    NativeDef::new("__unlock", unlock, 0, 0).private(),
    NativeDef::new("free", free, 0, 0),
    NativeDef::new("__give_back", give_back, 0, 0).private(),
    NativeDef::new("resize", resize, 1, 1),
    NativeDef::new("slice", slice, 0, 2),
    NativeDef::new("transfer", transfer, 0, 0),
];

/// Singleton methods.
pub static SINGLETON: &[NativeDef] =
    &[NativeDef::new("__text", text, 2, 2).private(), NativeDef::new("map", map, 1, 4)];

/// A new view of zeroed memory, and what counts it until the buffer's cell does.
fn fresh(ec: &mut Ec, size: usize, flags: u32) -> Res<(View, Charge)> {
    if size == 0 {
        return Ok((View::default(), Charge::default()));
    }
    let Some(charge) = ec.charge_malloc(size) else { return Err(ec.no_memory()) };
    match zeroed(size) {
        Some(memory) => {
            let address = memory.address();
            Ok((View { memory: Some(memory), offset: 0, len: size, flags, slice: false, address }, charge))
        }
        None => Err(fail(ec, "AllocationError", "Could not allocate buffer!")),
    }
}

fn kind_for(size: usize) -> u32 {
    if size >= PAGE_SIZE as usize { MAPPED } else { INTERNAL }
}

fn initialize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let size = match args.get(0) {
        Some(v) => exact(ec, v, "Size")?,
        None => DEFAULT_SIZE as usize,
    };
    let flags = match args.get(1) {
        Some(v) => u32::try_from(exact(ec, v, "Flags")?).unwrap_or(0),
        None => kind_for(size),
    };
    if size > 0 && flags & (INTERNAL | MAPPED) == 0 {
        return Err(fail(ec, "AllocationError", "Could not allocate buffer!"));
    }
    let (view, charge) = fresh(ec, size, flags)?;
    ec.account_charged(charge);
    set_view(ec, this, view, Value::NIL)?;
    Ok(Value::NIL)
}

fn initialize_copy(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let source = memory::access_or_empty(ec, args[0])?;
    let bytes = source.copy(ec, 0, source.len)?;
    let view = from_bytes(bytes);
    ec.account_malloc(view.len as isize);
    set_view(ec, this, view, Value::NIL)?;
    Ok(this)
}

fn from_bytes(bytes: Vec<u8>) -> View {
    let len = bytes.len();
    if len == 0 {
        return View::default();
    }
    let memory = of_bytes(bytes);
    let address = memory.address();
    View { memory: Some(memory), offset: 0, len, flags: kind_for(len), slice: false, address }
}

fn buffer_class(ec: &mut Ec, v: Value) -> Class {
    Class::from_value(v).unwrap_or_else(|| ec.known(WellKnown::Object))
}

/// A new buffer of `class` with a view.
///
/// # Errors
/// NoMemoryError; TypeError if the class is no IO::Buffer.
pub fn make(ec: &mut Ec, class: Value, view: View, text: Value) -> Res {
    let class = buffer_class(ec, class);
    let made = super::allocate(ec, class)?;
    ec.account_malloc(if view.slice { 0 } else { view.len as isize });
    set_view(ec, made, view, text)?;
    Ok(made)
}

/// A new internal buffer that holds these bytes, of the same class as `like`.
///
/// # Errors
/// NoMemoryError.
pub fn make_from(ec: &mut Ec, like: Value, bytes: Vec<u8>) -> Res {
    let class = ec.class_of(like);
    make(ec, class.0, from_bytes(bytes), Value::NIL)
}

/// `__text(string, direct)`: over the String itself, or over a copy that nobody changes.
fn text(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let s = ec.to_str(args[0])?;
    if !args[1].truthy() {
        let (bytes, _) = ec.bytes_of(s)?.into_parts();
        let len = bytes.len();
        let memory = of_bytes(bytes);
        let address = memory.address();
        let view = View { memory: Some(memory), offset: 0, len, flags: EXTERNAL | READONLY, slice: true, address };
        return make(ec, this, view, Value::NIL);
    }
    let frozen = asterism_object::ownership::is_frozen(s);
    let flags = EXTERNAL | if frozen { READONLY } else { 0 };
    let memory = of_text();
    let address = memory.address();
    let view = View { memory: Some(memory), offset: 0, len: string::len(s), flags, slice: true, address };
    let made = make(ec, this, view, s)?;
    if !frozen {
        let lent = string::lend(ec, s);
        if !ec.check(s, lent)? {
            return Err(ec.raise(Exc::RuntimeError, "temporal locking already locked string"));
        }
    }
    Ok(made)
}

/// The String behind the buffer may be changed again.
fn give_back(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let text = buffer(ec, &this)?.text();
    if text.is_type(Type::String) {
        string::give_back(ec, text);
    }
    Ok(Value::NIL)
}

/// `IO::Buffer.map(file, size = nil, offset = 0, flags = 0)`
fn map(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let file = stream(ec, args[0])?;
    // What is in its buffer belongs to the file's size.
    file.flush(ec)?;
    let fd = file.fd(ec)?;
    let size = match args.get(1) {
        None | Some(Value::NIL) => None,
        Some(v) => {
            let size = exact(ec, v, "Size")?;
            if size == 0 {
                return Err(ec.arg_error("Size can't be zero!"));
            }
            Some(size)
        }
    };
    let offset = match args.get(2) {
        Some(v) => natural(ec, v, "Offset")?,
        None => 0,
    };
    let flags = match args.get(3) {
        Some(v) => u32::try_from(natural(ec, v, "Flags")?).unwrap_or(0),
        None => 0,
    };
    let stat = rustix::fs::fstat(&fd).map_err(|e| errno::raise(ec, e, ""))?;
    let whole = usize::try_from(stat.st_size).unwrap_or(0);
    if whole == 0 {
        return Err(ec.arg_error("Invalid negative or zero file size!"));
    }
    let size = match size {
        Some(size) if size > whole => return Err(ec.arg_error("Size can't be larger than file size!")),
        Some(size) if offset > whole - size => return Err(ec.arg_error("Offset too large!")),
        Some(size) => size,
        None if offset >= whole => return Err(ec.arg_error("Offset too large!")),
        None => whole - offset,
    };
    let access = rustix::fs::fcntl_getfl(&fd).map_err(|e| errno::raise(ec, e, ""))? & OFlags::RWMODE;
    let denied = access == OFlags::WRONLY || access == OFlags::RDONLY && flags & (READONLY | PRIVATE) == 0;
    if denied || !offset.is_multiple_of(PAGE_SIZE as usize) {
        let error = if denied { rustix::io::Errno::ACCESS } else { rustix::io::Errno::INVAL };
        return Err(errno::raise(ec, error, "io_buffer_map_file:mmap"));
    }
    let own = rustix::io::fcntl_dupfd_cloexec(&fd, 3).map_err(|e| errno::raise(ec, e, ""))?;
    let file = of_file(std::sync::Arc::new(crate::io::fd::Fd::new(own)), offset as u64);
    let mut view = View { len: size, ..View::default() };
    if flags & PRIVATE != 0 {
        // A copy: later changes of the file are not seen, which a private mapping leaves open.
        view.memory = Some(file);
        let whole = make(ec, this, view, Value::NIL)?;
        let bytes = access_copy(ec, whole)?;
        let mut copy = from_bytes(bytes);
        copy.flags = MAPPED | FILE | PRIVATE | flags & READONLY;
        return make(ec, this, copy, Value::NIL);
    }
    view.address = file.address();
    view.memory = Some(file);
    view.flags = MAPPED | FILE | EXTERNAL | SHARED | flags & READONLY;
    view.slice = false;
    make(ec, this, view, Value::NIL)
}

fn access_copy(ec: &mut Ec, this: Value) -> Res<Vec<u8>> {
    let all = access(ec, this)?;
    all.copy(ec, 0, all.len)
}

fn size(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let len = buffer(ec, &this)?.view().len;
    ec.size(len)
}

fn flags(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let flags = buffer(ec, &this)?.view().flags;
    Ok(Value::fixnum(i64::from(flags)))
}

fn is_null(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(buffer(ec, &this)?.view().memory.is_none()))
}

fn valid(view: &View) -> bool {
    view.memory.as_ref().is_none_or(|m| m.is_valid())
}

fn is_valid(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(valid(&buffer(ec, &this)?.view())))
}

fn to_s(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let view = buffer(ec, &this)?.view();
    let class = ec.class_name_of(this);
    let address = if view.memory.is_some() { view.address + view.offset } else { 0 };
    let mut text = format!("#<{class} 0x{address:016x}+{}", view.len);
    if view.memory.is_none() {
        text.push_str(" NULL");
    }
    for (flag, name) in [
        (EXTERNAL, " EXTERNAL"),
        (INTERNAL, " INTERNAL"),
        (MAPPED, " MAPPED"),
        (FILE, " FILE"),
        (SHARED, " SHARED"),
        (LOCKED, " LOCKED"),
        (PRIVATE, " PRIVATE"),
        (READONLY, " READONLY"),
    ] {
        if view.flags & flag != 0 {
            text.push_str(name);
        }
    }
    if view.slice {
        text.push_str(" SLICE");
    }
    if !valid(&view) {
        text.push_str(" INVALID");
    }
    text.push('>');
    ec.str(text)
}

fn lock(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let took = buffer(ec, &this)?.change(|view| {
        let free = view.flags & LOCKED == 0;
        view.flags |= LOCKED;
        free
    });
    if took { Ok(this) } else { Err(fail(ec, "LockedError", "Buffer already locked!")) }
}

fn unlock(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    buffer(ec, &this)?.change(|view| view.flags &= !LOCKED);
    Ok(this)
}

/// Takes the view away unless the buffer is locked.
fn take(ec: &mut Ec, this: Value, message: &str) -> Res<View> {
    let taken = buffer(ec, &this)?.change(|view| (view.flags & LOCKED == 0).then(|| std::mem::take(view)));
    match taken {
        Some(view) => Ok(view),
        None => Err(fail(ec, "LockedError", message)),
    }
}

/// Ends the memory behind a view that nobody shows any more; its slices become invalid.
fn release(ec: &mut Ec, view: &View) {
    if !view.slice {
        if let Some(memory) = &view.memory {
            memory.invalidate();
        }
        ec.account_malloc(-(view.len as isize));
    }
}

fn free(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let view = take(ec, this, "Buffer is locked!")?;
    release(ec, &view);
    Ok(this)
}

fn transfer(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let text = buffer(ec, &this)?;
    let text = text.text();
    let mut view = take(ec, this, "Cannot transfer ownership of locked buffer!")?;
    if !view.slice
        && let Some(old) = view.memory.take()
    {
        // The same memory under a new name: slices of the old one do not follow.
        view.memory = Some(old.renamed());
        old.invalidate();
    }
    let class = ec.class_of(this);
    let made = super::allocate(ec, class)?;
    set_view(ec, made, view, text)?;
    Ok(made)
}

fn resize(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let size = exact(ec, args[0], "Size")?;
    let before = buffer(ec, &this)?.view();
    if before.flags & LOCKED != 0 {
        return Err(fail(ec, "LockedError", "Cannot resize locked buffer!"));
    }
    if before.flags & EXTERNAL != 0 || before.slice {
        return Err(fail(ec, "AccessError", "Cannot resize external buffer!"));
    }
    let kept = match &before.memory {
        Some(_) => {
            let old = access(ec, this)?;
            let n = old.len.min(size);
            old.copy(ec, 0, n)?
        }
        None => Vec::new(),
    };
    let flags = if before.memory.is_some() { before.flags } else { kind_for(size) };
    let (view, _charge) = fresh(ec, size, flags)?;
    let (old_len, new_len) = (before.len as isize, view.len as isize);
    if let Some(memory) = &view.memory {
        memory.fill_new(&kept);
    }
    // Somebody may have locked, freed or resized it meanwhile: then that comes first.
    let swapped = buffer(ec, &this)?.change(|now| {
        let same = match (&now.memory, &before.memory) {
            (Some(a), Some(b)) => std::sync::Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        let fine = same && now.flags & LOCKED == 0;
        if fine {
            *now = view;
        }
        fine
    });
    if !swapped {
        return Err(fail(ec, "LockedError", "Cannot resize locked buffer!"));
    }
    if let Some(memory) = &before.memory {
        memory.invalidate();
    }
    ec.account_malloc(new_len - old_len);
    Ok(this)
}

fn slice(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (view, text) = {
        let source = buffer(ec, &this)?;
        (source.view(), source.text())
    };
    let (offset, len) = range(ec, args.or_nil(0), args.or_nil(1), view.len)?;
    memory::access_or_empty(ec, this)?;
    let flags = view.flags & READONLY;
    let part =
        View { memory: view.memory, offset: view.offset + offset, len, flags, slice: true, address: view.address };
    let class = ec.class_of(this);
    let text = if text.is_type(Type::String) { text } else { Value::NIL };
    make(ec, class.0, part, text)
}
