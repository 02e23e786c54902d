//! What is called often and with much: digests, ciphers, random bytes. Strings are read where they are.

use std::ffi::{c_int, c_void};

use asterism_object::{Value, string};
use asterism_symbol::BINARY;
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Res};

use super::errors;
use super::handle;
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
    let mut out = Buffer::new(ec);
    if wanted {
        // A block more than comes in, and wrapping adds eight bytes.
        let room = text.as_bytes().len() + 64;
        out.reserve(ec, room)?;
        out.resize(room, 0);
    }
    let bytes = text.as_bytes();
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
