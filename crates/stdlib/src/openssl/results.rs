//! What a call of the library's leaves, as Ruby objects.

use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};

use asterism_object::Value;
use asterism_symbol::BINARY;
use asterism_vm::{Ec, Res};

use super::handle::{self, Owned, Pointer};
use super::kinds::Kind;
use super::library::openssl;
use super::row::{Arg, Ret};
use super::work::Work;

/// There is no memory for another reference, or an object is not complete enough to be copied.
pub struct NoMemory;

/// Does the result tell of a failure?
pub fn fails(ret: Ret, args: &[Arg], result: usize) -> bool {
    let writes_der = args.iter().any(|arg| matches!(arg, Arg::DerOut));
    match ret {
        Ret::Status => (result as i32) <= 0,
        Ret::Bool => (result as i32) < 0,
        Ret::Int if writes_der => (result as i32) <= 0,
        Ret::Text | Ret::Kept | Ret::New(_) | Ret::NewStack(_) => result == 0,
        Ret::Void | Ret::Int | Ret::Long | Ret::Word | Ret::Present => false,
        Ret::OptText | Ret::Octets | Ret::Get(_) | Ret::GetStack(_) => false,
    }
}

/// What a call has left, apart from the library.
pub enum Left {
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
    /// As a Ruby object.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn into_value(self, ec: &mut Ec) -> Res {
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
pub unsafe fn take(ret: Ret, args: &[Arg], work: &mut Work, result: usize, failed: bool) -> Result<Left, NoMemory> {
    let core = &openssl().core;
    let mut outs = Vec::new();
    let mut rooms = std::mem::take(&mut work.rooms).into_iter();
    let mut objects = work.outs.iter();
    let mut made = std::mem::take(&mut work.made).into_iter().flatten();
    let mut ints = work.ints.iter();
    for &arg in args {
        match arg {
            Arg::Made(..) => outs.push(made.next().map_or(Left::Nil, Left::Object)),
            Arg::Out(kind) => {
                let out = objects.next().and_then(|out| Pointer::new(out.get()));
                // SAFETY: such a function hands over an object of that kind, or nothing.
                outs.push(out.map_or(Left::Nil, |out| Left::Object(unsafe { Owned::new(kind, out) })));
            }
            Arg::Lent(kind) => {
                let lent = objects.next().and_then(|out| Pointer::new(out.get()));
                // SAFETY: such a function points to an object of that kind, a part of what is locked, or to nothing.
                outs.push(match lent.map(|lent| unsafe { Owned::share(kind, lent) }) {
                    Some(shared) => Left::Object(shared.ok_or(NoMemory)?),
                    None => Left::Nil,
                });
            }
            Arg::OutStack(kind) => {
                let stack = objects.next().and_then(|out| Pointer::new(out.get()));
                // SAFETY: such a function hands over a stack of objects of that kind, or nothing.
                outs.push(stack.map_or(Left::Nil, |stack| Left::List(unsafe { emptied(stack, kind) })));
            }
            Arg::OutSource => {
                let bio = objects.next().map_or(std::ptr::null_mut(), Cell::get);
                outs.push(if bio.is_null() { Left::Nil } else { Left::Bytes(contents(bio)) });
                // SAFETY: such a function hands over a BIO in memory, or nothing.
                unsafe { (core.BIO_free)(bio) };
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
        (Ret::Status | Ret::Kept, _) => Left::True,
        (Ret::Int, _) if args.iter().any(|arg| matches!(arg, Arg::DerOut)) => Left::True,
        (Ret::Bool, _) if result as i32 == 0 => Left::False,
        (Ret::Bool, _) => Left::True,
        (Ret::Int, _) => Left::Int(i64::from(result as i32)),
        (Ret::Long, _) => Left::Int(result as i64),
        (Ret::Word, _) => Left::Word(result as u64),
        (Ret::Present, Some(_)) => Left::True,
        (Ret::Present, None) => Left::False,
        (_, None) => Left::Nil,
        (Ret::Text | Ret::OptText, Some(text)) => {
            // SAFETY: it is a C string that lives as long as what the locks protect.
            Left::Text(unsafe { CStr::from_ptr(text.as_ptr().cast()) }.to_bytes().to_vec())
        }
        // SAFETY: it is a string of ASN.1's that lives as long.
        (Ret::Octets, Some(octets)) => Left::Bytes(unsafe { octets_of(octets) }),
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
            Left::List(unsafe { emptied(pointer, kind) })
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

/// What is in a stack, which is given up.
///
/// # Safety
/// It is a stack of objects of that kind, and all of them are the caller's.
unsafe fn emptied(stack: Pointer, kind: Kind) -> Vec<Owned> {
    // SAFETY: the objects are taken out of the stack, which is the caller's.
    unsafe {
        let items = items(stack.as_ptr(), |item| Some(Owned::new(kind, item)));
        (openssl().core.OPENSSL_sk_free)(stack.as_ptr());
        items.unwrap_or_default()
    }
}

/// # Safety
/// It is an `ASN1_STRING`, which nobody changes meanwhile.
unsafe fn octets_of(string: Pointer) -> Vec<u8> {
    let core = &openssl().core;
    // SAFETY: the caller's contract.
    let (place, length) = unsafe {
        ((core.ASN1_STRING_get0_data)(string.as_ptr()), (core.ASN1_STRING_length)(string.as_ptr()).max(0) as usize)
    };
    if place.is_null() || length == 0 {
        return Vec::new();
    }
    // SAFETY: so many bytes are there.
    unsafe { std::slice::from_raw_parts(place, length) }.to_vec()
}

/// What can be read from a BIO in memory.
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
