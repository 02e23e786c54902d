//! Keys made of passwords. The library's functions for it take as long as a program says and cannot be interrupted: so what they
//! repeat is repeated here, in steps between which interrupts are handled.

use std::ffi::{c_int, c_uint, c_void};

use asterism_object::{Value, string};
use asterism_symbol::BINARY;
use asterism_vm::memory::Buffer;
use asterism_vm::{Ec, Raised, Res};

use super::errors;
use super::handle;
use super::kinds::Kind;
use super::library::openssl;
use super::numbers::to_int;
use super::scrypt::Mixer;

/// So many keyed digests take about a millisecond.
const STEP: usize = 1000;
/// The most bytes of a digest.
const DIGEST: usize = 64;

/// A keyed digest under way.
struct Hmac(*mut c_void);

impl Hmac {
    fn new() -> Option<Hmac> {
        // SAFETY: a new context is given up with this.
        let context = unsafe { (openssl().kdf.HMAC_CTX_new)() };
        (!context.is_null()).then_some(Hmac(context))
    }

    fn begin(&mut self, key: &[u8], digest: *const c_void) -> bool {
        let Ok(length) = c_int::try_from(key.len()) else { return false };
        // SAFETY: the key is as long as is told; the digest is one of the library's, as the caller promises.
        unsafe { (openssl().kdf.HMAC_Init_ex)(self.0, key.as_ptr(), length, digest, std::ptr::null()) == 1 }
    }

    /// Goes on as `other` would.
    fn continue_from(&mut self, other: &Hmac) -> bool {
        // SAFETY: both are contexts; the second one is only read.
        unsafe { (openssl().kdf.HMAC_CTX_copy)(self.0, other.0) == 1 }
    }

    fn update(&mut self, bytes: &[u8]) -> bool {
        // SAFETY: the bytes are as many as is told.
        unsafe { (openssl().kdf.HMAC_Update)(self.0, bytes.as_ptr(), bytes.len()) == 1 }
    }

    /// How many bytes the result has.
    fn finish(&mut self, out: &mut [u8; DIGEST]) -> Option<usize> {
        let mut length: c_uint = 0;
        // SAFETY: no digest has more bytes than there is room for.
        let done = unsafe { (openssl().kdf.HMAC_Final)(self.0, out.as_mut_ptr(), &raw mut length) };
        (done == 1).then_some(length as usize).filter(|&length| (1..=DIGEST).contains(&length))
    }
}

impl Drop for Hmac {
    fn drop(&mut self) {
        // SAFETY: the context is this one's.
        unsafe { (openssl().kdf.HMAC_CTX_free)(self.0) };
    }
}

/// PBKDF2 with a keyed digest (RFC 8018, 5.2), as far as it has come.
struct Derivation {
    /// The digest after the password.
    keyed: Hmac,
    work: Hmac,
    iterations: usize,
    /// Of the block under way: how many iterations are done, the last one's result, and what the block is so far.
    done: usize,
    last: [u8; DIGEST],
    block: [u8; DIGEST],
    /// The blocks that are complete.
    blocks: u32,
    /// The bytes of a digest, once there has been one.
    size: usize,
}

impl Derivation {
    fn new(password: &[u8], digest: *const c_void, iterations: usize) -> Option<Derivation> {
        let (mut keyed, work) = (Hmac::new()?, Hmac::new()?);
        let (last, block) = ([0; DIGEST], [0; DIGEST]);
        keyed.begin(password, digest).then_some(Derivation {
            keyed,
            work,
            iterations,
            done: 0,
            last,
            block,
            blocks: 0,
            size: 0,
        })
    }

    /// Some more iterations; `out` is what is still to be filled in. Returns how many bytes of it have been, or `None` if the library fails.
    fn step(&mut self, salt: &[u8], out: &mut [u8]) -> Option<usize> {
        let (mut filled, mut worked) = (0, 0);
        while worked < STEP && filled < out.len() {
            worked += 1;
            if !self.work.continue_from(&self.keyed) {
                return None;
            }
            let fine = if self.done == 0 {
                self.block = [0; DIGEST];
                worked += salt.len() / 256;
                self.work.update(salt) && self.work.update(&self.blocks.wrapping_add(1).to_be_bytes())
            } else {
                self.work.update(&self.last[..self.size])
            };
            self.size = if fine { self.work.finish(&mut self.last)? } else { return None };
            let size = self.size;
            self.block[..size].iter_mut().zip(&self.last[..size]).for_each(|(sum, byte)| *sum ^= byte);
            self.done += 1;
            if self.done == self.iterations {
                let part = size.min(out.len() - filled);
                out[filled..filled + part].copy_from_slice(&self.block[..part]);
                filled += part;
                self.done = 0;
                self.blocks = self.blocks.wrapping_add(1);
            }
        }
        Some(filled)
    }
}

/// Fills in `out`, which has room for `length` bytes, with interrupts handled meanwhile. `Err(None)`: the library fails.
fn derive(
    ec: &mut Ec,
    password: &[u8],
    salt: &[u8],
    iterations: usize,
    digest: *const c_void,
    (out, length): (&mut Buffer<u8>, usize),
) -> Result<(), Option<Raised>> {
    out.clear();
    let mut work = ec.computing(|| Derivation::new(password, digest, iterations)).ok_or(None)?;
    let mut filled = 0;
    while filled < length {
        let end = length.min(filled + STEP * DIGEST);
        filled += ec
            .computing(|| {
                out.resize(end, 0);
                work.step(salt, &mut out[filled..])
            })
            .ok_or(None)?;
        ec.poll().map_err(Some)?;
    }
    Ok(())
}

/// A String's bytes, which stay as they are.
fn bytes(ec: &mut Ec, v: Value) -> Res<string::StrRef> {
    let text = ec.to_str(v)?;
    let text = string::read(ec, text);
    if c_int::try_from(text.as_bytes().len()).is_err() {
        return Err(ec.arg_error("string is too long"));
    }
    Ok(text)
}

/// Room for so many bytes.
fn room(ec: &mut Ec, length: i64) -> Res<Buffer> {
    let Ok(length) = usize::try_from(length) else {
        return Err(ec.arg_error("negative string size (or size too big)"));
    };
    let mut out = Buffer::new(ec);
    out.reserve(ec, length)?;
    Ok(out)
}

fn digest(ec: &mut Ec, held: Value) -> Res<*const c_void> {
    let handle = handle::get(ec, &held)?;
    Ok(handle.as_ptr())
}

/// `Primitive.openssl_pbkdf2(password, salt, iterations, length, digest, error)`
pub fn pbkdf2(ec: &mut Ec, args: &[Value]) -> Res {
    let (password, salt) = (bytes(ec, args[0])?, bytes(ec, args[1])?);
    let (iterations, length) = (to_int(ec, args[2])?, to_int(ec, args[3])?);
    let held = handle::resolve(ec, args[4], Kind::Digest)?;
    let digest = digest(ec, held)?;
    let mut out = room(ec, i64::from(length))?;
    let (password, salt) = (password.as_bytes(), salt.as_bytes());
    let done = match usize::try_from(iterations) {
        Ok(iterations @ 1..) => derive(ec, password, salt, iterations, digest, (&mut out, length as usize)),
        _ => {
            out.resize(length as usize, 0);
            // SAFETY: all is as long as is told. The function does not do more than find that there are too few iterations.
            let done = unsafe {
                (openssl().kdf.PKCS5_PBKDF2_HMAC)(
                    password.as_ptr().cast(),
                    password.len() as c_int,
                    salt.as_ptr(),
                    salt.len() as c_int,
                    iterations,
                    digest,
                    length,
                    out.as_mut_ptr(),
                )
            };
            if done == 1 { Ok(()) } else { Err(None) }
        }
    };
    match done {
        Ok(()) => ec.str_enc(&out, BINARY),
        Err(Some(raised)) => Err(raised),
        Err(None) => Err(errors::failed(ec, args[5], "PKCS5_PBKDF2_HMAC")),
    }
}

/// `Primitive.openssl_scrypt(password, salt, n, r, p, length, error)`
pub fn scrypt(ec: &mut Ec, args: &[Value]) -> Res {
    let (password, salt) = (bytes(ec, args[0])?, bytes(ec, args[1])?);
    let mut costs = [0_u64; 3];
    for (cost, &v) in costs.iter_mut().zip(&args[2..5]) {
        *cost = ec.to_i64(v)? as u64;
    }
    let length = ec.to_i64(args[5])?;
    let mut out = room(ec, length)?;
    let (password, salt) = (password.as_bytes(), salt.as_bytes());
    let done = match Mixer::new(ec, costs)? {
        Some(mut mixer) => scrypt_steps(ec, &mut mixer, password, salt, (&mut out, length as usize)),
        None => {
            out.resize(length as usize, 0);
            // SAFETY: all is as long as is told. The function does not do more than find what is wrong with the costs.
            let done = unsafe {
                (openssl().kdf.EVP_PBE_scrypt)(
                    password.as_ptr().cast(),
                    password.len(),
                    salt.as_ptr(),
                    salt.len(),
                    costs[0],
                    costs[1],
                    costs[2],
                    u64::MAX,
                    out.as_mut_ptr(),
                    out.len(),
                )
            };
            if done == 1 { Ok(()) } else { Err(None) }
        }
    };
    match done {
        Ok(()) => ec.str_enc(&out, BINARY),
        Err(Some(raised)) => Err(raised),
        Err(None) => Err(errors::failed(ec, args[6], "EVP_PBE_scrypt")),
    }
}

fn scrypt_steps(
    ec: &mut Ec,
    mixer: &mut Mixer,
    password: &[u8],
    salt: &[u8],
    out: (&mut Buffer<u8>, usize),
) -> Result<(), Option<Raised>> {
    // SAFETY: the function gives an algorithm that is always there.
    let sha256 = unsafe { (openssl().kdf.EVP_sha256)() };
    derive(ec, password, salt, 1, sha256, mixer.mixed())?;
    while !ec.computing(|| mixer.step()) {
        ec.poll().map_err(Some)?;
    }
    derive(ec, password, mixer.mixed().0, 1, sha256, out)
}

/// `Primitive.openssl_hkdf(key, salt, info, length, digest, error)`
pub fn hkdf(ec: &mut Ec, args: &[Value]) -> Res {
    /// `EVP_PKEY_HKDF`
    const HKDF: c_int = 1036;
    /// More than 255 times the longest digest, which the library refuses.
    const MOST: i64 = 255 * DIGEST as i64 + 1;
    let (key, salt, info) = (bytes(ec, args[0])?, bytes(ec, args[1])?, bytes(ec, args[2])?);
    let length = ec.to_i64(args[3])?;
    if length < 0 {
        return Err(ec.arg_error("length must be non-negative"));
    }
    let held = handle::resolve(ec, args[4], Kind::Digest)?;
    let digest = digest(ec, held)?;
    let mut out = room(ec, length.min(MOST))?;
    out.resize(length.min(MOST) as usize, 0);
    let (key, salt, info) = (key.as_bytes(), salt.as_bytes(), info.as_bytes());
    let functions = &openssl().kdf;
    let failed_at = ec.computing(|| {
        let mut length = out.len();
        // SAFETY: all is as long as is told, and the context this function's.
        unsafe {
            let context = (functions.EVP_PKEY_CTX_new_id)(HKDF, std::ptr::null());
            if context.is_null() {
                return Some("EVP_PKEY_CTX_new_id");
            }
            let failed = if (functions.EVP_PKEY_derive_init)(context) <= 0 {
                Some("EVP_PKEY_derive_init")
            } else if (functions.EVP_PKEY_CTX_set_hkdf_md)(context, digest) <= 0 {
                Some("EVP_PKEY_CTX_set_hkdf_md")
            } else if (functions.EVP_PKEY_CTX_set1_hkdf_salt)(context, salt.as_ptr(), salt.len() as c_int) <= 0 {
                Some("EVP_PKEY_CTX_set_hkdf_salt")
            } else if (functions.EVP_PKEY_CTX_set1_hkdf_key)(context, key.as_ptr(), key.len() as c_int) <= 0 {
                Some("EVP_PKEY_CTX_set_hkdf_key")
            } else if (functions.EVP_PKEY_CTX_add1_hkdf_info)(context, info.as_ptr(), info.len() as c_int) <= 0 {
                Some("EVP_PKEY_CTX_set_hkdf_info")
            } else if (functions.EVP_PKEY_derive)(context, out.as_mut_ptr(), &raw mut length) <= 0 {
                Some("EVP_PKEY_derive")
            } else {
                None
            };
            (functions.EVP_PKEY_CTX_free)(context);
            failed
        }
    });
    match failed_at {
        None => ec.str_enc(&out, BINARY),
        Some(function) => Err(errors::failed(ec, args[5], function)),
    }
}
