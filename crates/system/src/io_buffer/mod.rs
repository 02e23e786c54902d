//! `IO::Buffer`: memory that Ruby reads and writes by the byte, alone or shared between threads; see `memory` for how.

mod contents;
mod life;
pub mod memory;
mod transfer;

use asterism_object::Value;
use asterism_object::class::Class;
use asterism_object::data;
use asterism_object::space::WellKnown;
use asterism_symbol::intern;
use asterism_vm::{Ec, Exc, Raised, Res};

use asterism_core::allocators::set_allocator;

/// Bytes of a page, from which on a buffer is `MAPPED`.
const PAGE_SIZE: i64 = 4096;
/// The size of a buffer for which none is given.
const DEFAULT_SIZE: i64 = 65536;

/// Defines the class.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let io = ec.known(WellKnown::IO);
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(io, "Buffer", object)?;
    set_allocator(ec, class, allocate);
    let comparable = ec.known(WellKnown::Comparable);
    ec.include_module(class, comparable, false)?;
    for list in [life::BUFFER, contents::BUFFER, transfer::BUFFER] {
        ec.define_natives(class, list)?;
    }
    ec.define_singleton_natives(class, life::SINGLETON)?;
    ec.define_singleton_natives(class, contents::SINGLETON)?;
    let runtime = Class(ec.exc_class(Exc::RuntimeError));
    let argument = Class(ec.exc_class(Exc::ArgumentError));
    for (name, parent) in [
        ("LockedError", runtime),
        ("AllocationError", runtime),
        ("AccessError", runtime),
        ("InvalidatedError", runtime),
        ("MaskError", argument),
    ] {
        ec.define_class(class, name, parent)?;
    }
    for (name, number) in [
        ("PAGE_SIZE", PAGE_SIZE),
        ("DEFAULT_SIZE", DEFAULT_SIZE),
        ("EXTERNAL", i64::from(memory::EXTERNAL)),
        ("INTERNAL", i64::from(memory::INTERNAL)),
        ("MAPPED", i64::from(memory::MAPPED)),
        ("SHARED", i64::from(memory::SHARED)),
        ("LOCKED", i64::from(memory::LOCKED)),
        ("PRIVATE", i64::from(memory::PRIVATE)),
        ("READONLY", i64::from(memory::READONLY)),
        ("LITTLE_ENDIAN", 4),
        ("BIG_ENDIAN", 8),
        ("HOST_ENDIAN", if cfg!(target_endian = "little") { 4 } else { 8 }),
        ("NETWORK_ENDIAN", 8),
    ] {
        ec.set_constant(class, intern(name), Value::fixnum(number))?;
    }
    Ok(())
}

fn allocate(ec: &mut Ec, class: Class) -> Res {
    let made = data::new(ec, class.0, memory::Buffer::default());
    ec.check(Value::NIL, made)
}

/// An Integer that is not negative; `name` begins the message.
fn natural(ec: &mut Ec, v: Value, name: &str) -> Res<usize> {
    let n = ec.to_integer(v)?;
    let size = match n.fixnum_value() {
        Some(n) => usize::try_from(n).ok(),
        None => {
            let digits = asterism_object::bigint::get(&n);
            if digits.bits() > 64 {
                return Err(ec.range_error("bignum too big to convert into 'unsigned long'"));
            }
            usize::try_from(digits).ok()
        }
    };
    size.ok_or_else(|| ec.arg_error(format!("{name} can't be negative!")))
}

/// An Integer without conversion.
fn exact(ec: &mut Ec, v: Value, name: &str) -> Res<usize> {
    if !asterism_object::bigint::is_integer(v) {
        return Err(ec.type_error("not an Integer"));
    }
    natural(ec, v, name)
}

#[cold]
fn out_of_range(ec: &mut Ec) -> Raised {
    ec.arg_error("Specified offset+length is bigger than the buffer size!")
}

/// Offset and length arguments of a buffer of `size` bytes; without a length, up to its end.
fn range(ec: &mut Ec, offset: Value, length: Value, size: usize) -> Res<(usize, usize)> {
    let offset = if offset.is_nil() { 0 } else { natural(ec, offset, "Offset")? };
    let length = if length.is_nil() {
        match size.checked_sub(offset) {
            Some(rest) => rest,
            None => return Err(ec.arg_error("The given offset is bigger than the buffer size!")),
        }
    } else {
        natural(ec, length, "Length")?
    };
    match offset.checked_add(length) {
        Some(end) if end <= size => Ok((offset, length)),
        _ => Err(out_of_range(ec)),
    }
}

/// Can the buffer be given to another VM? If not, why.
pub fn can_give_up(this: Value) -> Result<(), &'static str> {
    let Some(buffer) = data::get::<memory::Buffer>(&this) else { return Err("is no buffer") };
    may_give_up(&buffer.view(), buffer.text())
}

fn may_give_up(view: &memory::View, text: Value) -> Result<(), &'static str> {
    match view {
        view if view.flags & memory::LOCKED != 0 => Err("is locked"),
        view if view.slice || !text.is_nil() => Err("shows memory of another object"),
        _ => Ok(()),
    }
}

/// Takes the memory out of a buffer, which is null from now on, for another VM; its slices become invalid.
pub fn give_up(ec: &mut Ec, this: Value) -> Result<memory::View, &'static str> {
    let Some(buffer) = data::get::<memory::Buffer>(&this) else { return Err("is no buffer") };
    let text = buffer.text();
    let mut view = buffer.change(|view| may_give_up(view, text).map(|()| std::mem::take(view)))?;
    if let Some(old) = view.memory.take() {
        view.memory = Some(old.renamed());
        old.invalidate();
        ec.account_malloc(-(view.len as isize));
    }
    Ok(view)
}

/// A buffer of `class` for memory that another VM has given up.
///
/// # Errors
/// TypeError if the class is another one here; NoMemoryError.
pub fn install(ec: &mut Ec, class: Class, view: memory::View) -> Res {
    let made = allocate(ec, class)?;
    let Some(charge) = ec.charge_malloc(view.len) else { return Err(ec.no_memory()) };
    ec.account_share(charge);
    memory::set_view(ec, made, view, Value::NIL)?;
    Ok(made)
}
