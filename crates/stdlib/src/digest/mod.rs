//! Message digests for the library `digest`: MD5, RIPEMD-160, SHA-1 and SHA-2. The classes are Ruby (`digest.rb`); a
//! running computation is a native object that they hold.

use asterism_heap::{Marker, Stores};
use asterism_lock::Mutex;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_symbol::{BINARY, US_ASCII, intern};
use asterism_vm::memory::Buffer;
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Res};
use md5::{Digest, Md5};
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("digest_start", start),
    ("digest_copy", copy),
    ("digest_update", update),
    ("digest_finish", finish),
    ("digest_hex", hex),
];

/// Registers the primitives.
///
/// # Errors
/// None: the signature is that of what loads a feature.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}

/// A computation under way.
#[derive(Clone)]
enum State {
    Md5(Md5),
    Rmd160(Ripemd160),
    Sha1(Sha1),
    Sha256(Sha256),
    Sha384(Sha384),
    Sha512(Sha512),
}

impl State {
    fn new(name: &[u8]) -> Option<State> {
        Some(match name {
            b"MD5" => State::Md5(Md5::new()),
            b"RMD160" => State::Rmd160(Ripemd160::new()),
            b"SHA1" => State::Sha1(Sha1::new()),
            b"SHA256" => State::Sha256(Sha256::new()),
            b"SHA384" => State::Sha384(Sha384::new()),
            b"SHA512" => State::Sha512(Sha512::new()),
            _ => return None,
        })
    }

    fn update(&mut self, bytes: &[u8]) {
        match self {
            State::Md5(s) => s.update(bytes),
            State::Rmd160(s) => s.update(bytes),
            State::Sha1(s) => s.update(bytes),
            State::Sha256(s) => s.update(bytes),
            State::Sha384(s) => s.update(bytes),
            State::Sha512(s) => s.update(bytes),
        }
    }

    fn finish(self) -> Vec<u8> {
        match self {
            State::Md5(s) => s.finalize().to_vec(),
            State::Rmd160(s) => s.finalize().to_vec(),
            State::Sha1(s) => s.finalize().to_vec(),
            State::Sha256(s) => s.finalize().to_vec(),
            State::Sha384(s) => s.finalize().to_vec(),
            State::Sha512(s) => s.finalize().to_vec(),
        }
    }
}

/// The lock is held while bytes are taken in or the state is copied; no Ruby object is touched meanwhile.
struct Running(Mutex<State>);

impl DataObject for Running {
    const NAME: &'static str = "Digest::State";
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}

fn wrap(ec: &mut Ec, state: State) -> Res {
    let class = ec.known(WellKnown::Object).0;
    let made = data::new(ec, class, Running(Mutex::new(state)));
    ec.check(Value::NIL, made)
}

fn running<'a>(ec: &mut Ec, v: &'a Value) -> Res<&'a Running> {
    match data::get::<Running>(v) {
        Some(running) => Ok(running),
        None => Err(ec.type_error("uninitialized digest")),
    }
}

fn argument(args: &[Value], i: usize) -> Value {
    args.get(i).copied().unwrap_or(Value::NIL)
}

/// `Primitive.digest_start("MD5")`; what is no name is what an extension in C has begun, and does what its methods do.
fn start(ec: &mut Ec, args: &[Value]) -> Res {
    let name = argument(args, 0);
    if !name.is_type(Type::String) {
        return Ok(name);
    }
    match State::new(&string::to_vec(ec, name)) {
        Some(state) => wrap(ec, state),
        None => Err(ec.arg_error("unknown digest")),
    }
}

/// Is it something that an extension in C has begun?
fn is_foreign(v: Value) -> bool {
    v.is_heap() && !data::is::<Running>(v)
}

/// `Primitive.digest_copy(state)`
fn copy(ec: &mut Ec, args: &[Value]) -> Res {
    let v = argument(args, 0);
    if is_foreign(v) {
        return ec.call(v, intern("copy"), &[]);
    }
    let state = running(ec, &v)?.0.lock().clone();
    wrap(ec, state)
}

/// `Primitive.digest_update(state, string)`
fn update(ec: &mut Ec, args: &[Value]) -> Res {
    let (v, text) = (argument(args, 0), argument(args, 1));
    if is_foreign(v) {
        return ec.call(v, intern("update"), &[text]);
    }
    let text = ec.to_str(text)?;
    let held = running(ec, &v)?;
    let text = string::read(ec, text);
    held.0.lock().update(text.as_bytes());
    Ok(v)
}

/// `Primitive.digest_finish(state)`: the digest of what has been taken in; the state goes on.
fn finish(ec: &mut Ec, args: &[Value]) -> Res {
    let v = argument(args, 0);
    if is_foreign(v) {
        return ec.call(v, intern("finish"), &[]);
    }
    let state = running(ec, &v)?.0.lock().clone();
    ec.str_enc(&state.finish(), BINARY)
}

/// `Primitive.digest_hex(string)`: its bytes in hexadecimal.
fn hex(ec: &mut Ec, args: &[Value]) -> Res {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let text = ec.to_str(argument(args, 0))?;
    let text = string::read(ec, text);
    let mut out = Buffer::new(ec);
    out.reserve(ec, text.as_bytes().len().saturating_mul(2))?;
    for &b in text.as_bytes() {
        out.extend_from_slice(&[DIGITS[usize::from(b >> 4)], DIGITS[usize::from(b & 15)]]);
    }
    ec.str_enc(&out, US_ASCII)
}
