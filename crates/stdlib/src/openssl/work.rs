//! What a call of the library's is made with: arguments after their conversion, and the words that the function sees.

use std::cell::Cell;
use std::ffi::{CString, c_char, c_int, c_void};

use asterism_object::{Value, data, string};

use super::callback::{self, Password};
use super::functions::Address;
use super::handle::{Handle, Owned, Pointer};
use super::kinds::Kind;
use super::library::{Found, openssl};
use super::row::Arg;

/// The most parameters that a row has.
pub const MOST: usize = 12;
/// What those of most rows have room in.
pub const FEW: usize = 6;
/// The most bytes of `Arg::LengthRoom`.
pub const MOST_ROOM: usize = 64;
/// The most bytes of `Arg::RoomLength`.
pub const MOST_KEY: usize = 1 << 20;
/// The most words that they come to.
pub const WORDS: usize = 14;

/// An argument after its conversion. Strings are on the machine stack while the function runs, which keeps their bytes.
pub enum Given {
    Nothing,
    Word(usize),
    Handle,
    Text(CString),
    Bytes(string::StrRef),
    /// Given away if the function succeeds, or a copy.
    Own(Owned),
    Stack(Stack),
    Password(Password),
}

/// `STACK_OF(T)`, and references to what is in it.
pub struct Stack {
    pub pointer: *mut c_void,
    pub items: Vec<Owned>,
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: the stack is this one's; the items are not the stack's.
        unsafe { (openssl().core.OPENSSL_sk_free)(self.pointer) };
    }
}

/// What a call works with beside its arguments, and what it leaves.
pub struct Work {
    pub words: [usize; WORDS],
    pub used: usize,
    /// BIOs to give up: of sources and of the sink.
    pub sources: Vec<*mut c_void>,
    pub sink: *mut c_void,
    pub bn_context: *mut c_void,
    /// Of `Arg::Made`.
    pub made: [Option<Owned>; 2],
    pub progress: *mut c_void,
    /// The cursors of `Arg::Der`.
    pub cursors: [Cell<*const u8>; 2],
    pub der: Cell<*mut u8>,
    pub text: Cell<*const c_char>,
    /// Of the arguments that have room for bytes, in their order.
    pub rooms: Vec<Box<[u8]>>,
    pub length: Cell<usize>,
    pub ints: [Cell<c_int>; 2],
    pub outs: [Cell<*mut c_void>; 3],
}

impl Work {
    /// Nothing yet.
    pub fn new() -> Work {
        Work {
            words: [0; WORDS],
            used: 0,
            sources: Vec::new(),
            sink: std::ptr::null_mut(),
            bn_context: std::ptr::null_mut(),
            made: [None, None],
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
    pub fn fill(&mut self, found: &Found, given: &[Given], values: &[Value]) -> bool {
        let (args, maker) = (found.row.args, found.maker);
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
                (Given::Bytes(bytes), Arg::Source | Arg::OptSource) => {
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
                (Given::Nothing, Arg::Made(kind, _)) => {
                    let Some(made) = maker.and_then(|maker| make(kind, maker)) else { return false };
                    self.push(made.as_ptr() as usize);
                    let place = usize::from(self.made[0].is_some());
                    self.made[place] = Some(made);
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
                (Given::Nothing, Arg::Out(_) | Arg::Lent(_) | Arg::OutStack(_) | Arg::OutSource) => {
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
    pub fn room(&self, args: &[Arg]) -> Option<usize> {
        args.iter().any(|arg| matches!(arg, Arg::Room)).then(|| {
            let length = self.length.as_ptr() as usize;
            self.words[..self.used].iter().position(|&word| word == length).map(|at| at - 1)
        })?
    }
}

/// A new object.
fn make(kind: Kind, maker: Address) -> Option<Owned> {
    // SAFETY: the function is `T *T_new(void)`, by its row.
    let made = unsafe { std::mem::transmute::<usize, unsafe extern "C" fn() -> *mut c_void>(maker)() };
    // SAFETY: as above: the object is the caller's.
    Pointer::new(made).map(|made| unsafe { Owned::new(kind, made) })
}

impl Drop for Work {
    fn drop(&mut self) {
        let core = &openssl().core;
        // SAFETY: all of them are this call's.
        unsafe {
            for &bio in &self.sources {
                (core.BIO_free)(bio);
            }
            if !self.sink.is_null() {
                (core.BIO_free)(self.sink);
            }
            if !self.bn_context.is_null() {
                (core.BN_CTX_free)(self.bn_context);
            }
            if !self.progress.is_null() {
                (core.BN_GENCB_free)(self.progress);
            }
            if !self.der.get().is_null() {
                (core.CRYPTO_free)(self.der.get().cast(), c"".as_ptr(), 0);
            }
        }
    }
}
