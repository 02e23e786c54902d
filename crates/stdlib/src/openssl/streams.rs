//! What is called often and with much: digests, ciphers, random bytes. Strings are read where they are.

use std::ffi::{c_char, c_int, c_uint, c_void};

use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_symbol::BINARY;
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Res};

use super::errors;
use super::handle::{self, Owned, Pointer};
use super::kinds::Kind;
use super::library::openssl;
use super::lock::lock;

/// From so many bytes on a computation is done while the world may stop.
const LONG: usize = 64 << 10;

/// Runs `work` on the object of a handle that is locked to write. `size`: bytes that it works on.
fn with_handle<R>(ec: &mut Ec, v: Value, kind: Kind, size: usize, work: impl FnOnce(*mut c_void) -> R) -> Res<R> {
    let held = handle::resolve(ec, v, kind)?;
    let handle = handle::get(ec, &held)?;
    let _writing = lock(ec, handle, true)?;
    Ok(if size >= LONG { ec.computing(|| work(handle.as_ptr())) } else { work(handle.as_ptr()) })
}

/// So many bytes are worked on without asking whether something is pending.
const SHORT: usize = 1024;

/// So much is done at once, by the slowest cipher in some hundredths of a second.
const PART: usize = 1 << 20;

/// Runs `work` on parts of `bytes`, with the object locked to write; whether all of it has been done. When something is pending for the
/// thread the lock is given up between two parts, as what is done then may need it.
fn in_parts(
    ec: &mut Ec,
    v: Value,
    kind: Kind,
    bytes: &[u8],
    mut work: impl FnMut(*mut c_void, &[u8]) -> bool,
) -> Res<bool> {
    if bytes.len() <= SHORT {
        return with_handle(ec, v, kind, 0, |context| bytes.is_empty() || work(context, bytes));
    }
    let state = ec.state().clone();
    let v = handle::resolve(ec, v, kind)?;
    let mut parts = bytes.chunks(PART).peekable();
    while parts.peek().is_some() {
        let done = with_handle(ec, v, kind, bytes.len(), |context| {
            for part in parts.by_ref() {
                if !work(context, part) {
                    return false;
                }
                if state.interrupts().pending() != 0 {
                    break;
                }
            }
            true
        })?;
        if !done {
            return Ok(false);
        }
        ec.poll()?;
    }
    Ok(true)
}

/// The most bytes of an algorithm's name, with the NUL behind it, that is looked up without a copy of it in memory.
const NAME: usize = 64;

/// A new context of `kind` for the algorithm of that name: `find` finds it, `new` makes a context, and `start` begins. nil if the name is
/// none that the library has in its table.
fn context(
    ec: &mut Ec,
    args: &[Value],
    kind: Kind,
    find: unsafe extern "C" fn(*const c_char) -> *const c_void,
    new: unsafe extern "C" fn() -> *mut c_void,
    start: impl FnOnce(*mut c_void, *const c_void) -> (c_int, &'static str),
) -> Res {
    let mut name = [0_u8; NAME];
    if !args[0].is_type(Type::String) {
        return Ok(Value::NIL);
    }
    {
        let text = string::read(ec, args[0]);
        let text = text.as_bytes();
        if text.len() >= NAME || text.contains(&0) {
            return Ok(Value::NIL);
        }
        name[..text.len()].copy_from_slice(text);
    }
    // SAFETY: the name ends with a NUL, and what is found is there as long as the library; a context is the caller's.
    let (algorithm, made) = unsafe {
        let algorithm = find(name.as_ptr().cast());
        (algorithm, if algorithm.is_null() { std::ptr::null_mut() } else { new() })
    };
    if algorithm.is_null() {
        return Ok(Value::NIL);
    }
    let Some(pointer) = Pointer::new(made) else { return Err(ec.no_memory()) };
    // SAFETY: as above.
    let owned = unsafe { Owned::new(kind, pointer) };
    match start(made, algorithm) {
        (1, _) => handle::wrap(ec, owned),
        (_, function) => Err(errors::failed(ec, args[1], function)),
    }
}

/// `Primitive.openssl_digest(name, error)`: a context for a digest, or nil for a name that the library's table does not have.
pub fn new_digest(ec: &mut Ec, args: &[Value]) -> Res {
    let core = &openssl().core;
    context(ec, args, Kind::DigestContext, core.EVP_get_digestbyname, core.EVP_MD_CTX_new, |context, algorithm| {
        // SAFETY: a new context and a digest.
        (unsafe { (core.EVP_DigestInit_ex)(context, algorithm, std::ptr::null()) }, "EVP_DigestInit_ex")
    })
}

/// `Primitive.openssl_new_cipher(name, error)`: the same for a cipher.
pub fn new_cipher(ec: &mut Ec, args: &[Value]) -> Res {
    let core = &openssl().core;
    let (null, none) = (std::ptr::null(), std::ptr::null());
    context(ec, args, Kind::CipherContext, core.EVP_get_cipherbyname, core.EVP_CIPHER_CTX_new, |context, algorithm| {
        // SAFETY: a new context and a cipher, without key and initialization vector.
        (unsafe { (core.EVP_CipherInit_ex)(context, algorithm, null, none, none, -1) }, "EVP_CipherInit_ex")
    })
}

/// `Primitive.openssl_cipher_flags(cipher)`: those of its algorithm.
pub fn cipher_flags(ec: &mut Ec, args: &[Value]) -> Res {
    let core = &openssl().core;
    let held = handle::resolve(ec, args[0], Kind::CipherContext)?;
    let handle = handle::get(ec, &held)?;
    let flags = {
        let _reading = lock(ec, handle, false)?;
        // SAFETY: the context is locked, and its algorithm is there as long as it is not changed.
        unsafe {
            let algorithm = (core.EVP_CIPHER_CTX_get0_cipher)(handle.as_ptr());
            if algorithm.is_null() { 0 } else { (core.EVP_CIPHER_get_flags)(algorithm) }
        }
    };
    ec.int(flags.cast_signed())
}

/// `Primitive.openssl_reset(digest, error)`: begins once more, with the same algorithm.
pub fn reset_digest(ec: &mut Ec, args: &[Value]) -> Res {
    let null = std::ptr::null();
    let done = with_handle(ec, args[0], Kind::DigestContext, 0, |context| {
        // SAFETY: the context is locked, and keeps the algorithm that it has.
        unsafe { (openssl().core.EVP_DigestInit_ex)(context, null, null) }
    })?;
    if done == 1 { Ok(args[0]) } else { Err(errors::failed(ec, args[1], "EVP_DigestInit_ex")) }
}

/// What is left in a context: at most so many bytes.
const LAST: usize = 64;

/// `Primitive.openssl_finish(digest, error)`: the digest's bytes.
pub fn finish_digest(ec: &mut Ec, args: &[Value]) -> Res {
    let mut out = [0_u8; LAST];
    let mut length: c_uint = 0;
    let done = with_handle(ec, args[0], Kind::DigestContext, 0, |context| {
        // SAFETY: the context is locked, and no digest has more bytes (`EVP_MAX_MD_SIZE`).
        unsafe { (openssl().core.EVP_DigestFinal_ex)(context, out.as_mut_ptr(), &raw mut length) }
    })?;
    if done != 1 {
        return Err(errors::failed(ec, args[1], "EVP_DigestFinal_ex"));
    }
    ec.str_enc(&out[..(length as usize).min(LAST)], BINARY)
}

/// `Primitive.openssl_cipher_final(cipher, error)`: what is left of a cipher's output.
pub fn finish_cipher(ec: &mut Ec, args: &[Value]) -> Res {
    let mut out = [0_u8; LAST];
    let mut length: c_int = 0;
    let done = with_handle(ec, args[0], Kind::CipherContext, 0, |context| {
        // SAFETY: the context is locked, and no cipher has more bytes left than a block.
        unsafe { (openssl().core.EVP_CipherFinal_ex)(context, out.as_mut_ptr(), &raw mut length) }
    })?;
    if done != 1 {
        return Err(errors::failed(ec, args[1], "EVP_CipherFinal_ex"));
    }
    ec.str_enc(&out[..(length.max(0) as usize).min(LAST)], BINARY)
}

/// `Primitive.openssl_update(digest, string, error)`
pub fn update(ec: &mut Ec, args: &[Value]) -> Res {
    let text = ec.to_str(args[1])?;
    let text = string::read(ec, text);
    let bytes = text.as_bytes();
    let done = in_parts(ec, args[0], Kind::DigestContext, bytes, |context, part| {
        // SAFETY: the context is locked, and the bytes are there.
        unsafe { (openssl().core.EVP_DigestUpdate)(context, part.as_ptr().cast(), part.len()) == 1 }
    })?;
    if done {
        return Ok(args[0]);
    }
    Err(errors::failed(ec, args[2], "EVP_DigestUpdate"))
}

/// `Primitive.openssl_cipher(cipher, string, error, out?)`: what comes out; `nil` for `out?`: the string is authenticated only.
pub fn cipher(ec: &mut Ec, args: &[Value]) -> Res {
    let text = ec.to_str(args[1])?;
    let text = string::read(ec, text);
    let wanted = args[3].truthy();
    let bytes = text.as_bytes();
    // A block more than comes in, and wrapping adds eight bytes.
    let room = bytes.len() + LAST;
    let (mut small, mut large) = ([0_u8; SHORT + LAST], Buffer::new(ec));
    let out = if bytes.len() <= SHORT || !wanted {
        &mut small[..]
    } else {
        large.reserve(ec, room)?;
        large.resize(room, 0);
        &mut large[..]
    };
    let mut written = 0;
    let done = in_parts(ec, args[0], Kind::CipherContext, bytes, |context, part| {
        let mut length: c_int = 0;
        let place = if wanted { out[written..].as_mut_ptr() } else { std::ptr::null_mut() };
        // SAFETY: the context is locked; there is room for the part and another block.
        let done = unsafe {
            (openssl().core.EVP_CipherUpdate)(context, place, &raw mut length, part.as_ptr(), part.len() as c_int)
        };
        written += length.max(0) as usize;
        done == 1
    })?;
    if !done {
        return Err(errors::failed(ec, args[2], "EVP_CipherUpdate"));
    }
    if wanted { ec.str_enc(&out[..written], BINARY) } else { Ok(Value::NIL) }
}

/// `Primitive.openssl_cipher_init(cipher, key, iv, error)`: sets the key or the initialization vector, the other one being nil. Returns
/// how many bytes it must have if it has not.
pub fn cipher_init(ec: &mut Ec, args: &[Value]) -> Res {
    let is_key = !args[1].is_nil();
    let text = ec.to_str(args[if is_key { 1 } else { 2 }])?;
    let text = string::read(ec, text);
    let bytes = text.as_bytes();
    let core = &openssl().core;
    let done = with_handle(ec, args[0], Kind::CipherContext, 0, |context| {
        // SAFETY: the context is locked, and the text as long as it says.
        unsafe {
            let wanted = if is_key {
                (core.EVP_CIPHER_CTX_get_key_length)(context)
            } else {
                (core.EVP_CIPHER_CTX_get_iv_length)(context)
            };
            if usize::try_from(wanted) != Ok(bytes.len()) {
                return Err(wanted);
            }
            let null = std::ptr::null();
            let (key, iv) = if is_key { (bytes.as_ptr(), null) } else { (null, bytes.as_ptr()) };
            Ok((core.EVP_CipherInit_ex)(context, null.cast(), null.cast(), key, iv, -1))
        }
    })?;
    match done {
        Ok(1) => Ok(Value::NIL),
        Ok(_) => Err(errors::failed(ec, args[3], "EVP_CipherInit_ex")),
        Err(wanted) => ec.int(i64::from(wanted)),
    }
}

/// `Primitive.openssl_random(length, error)`
pub fn random(ec: &mut Ec, args: &[Value]) -> Res {
    let length = ec.to_i64(args[0])?;
    let Ok(length) = c_int::try_from(length).map_err(|_| ()).and_then(|n| usize::try_from(n).map_err(|_| ())) else {
        return Err(ec.arg_error("negative string size (or size too big)"));
    };
    let mut out = Buffer::new(ec);
    out.reserve(ec, length)?;
    out.resize(length, 0);
    // SAFETY: there is room for so many bytes.
    let done = unsafe { (openssl().core.RAND_bytes)(out.as_mut_ptr(), length as c_int) };
    if done == 1 {
        return ec.str_enc(&out, BINARY);
    }
    Err(errors::failed(ec, args[1], "RAND_bytes"))
}
