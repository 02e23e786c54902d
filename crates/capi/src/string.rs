//! Strings.

use std::ffi::{c_char, c_int, c_long};
use std::mem::MaybeUninit;

use asterism_object::space::WellKnown;
use asterism_object::string::{self, CodeRange, foreign};
use asterism_object::types::Type;
use asterism_object::{Value, ownership};
use asterism_support::Encoding;
use asterism_vm::{Ec, Exc, Res};

use crate::call::named;
use crate::demand::a_string;
use crate::encoding::{Enc, index_of};
use crate::lock;
use crate::part::Extensions;
use crate::types::{In, Out, Text};
use crate::views;

mod formatted;
mod transcode;

const BINARY: u8 = asterism_symbol::BINARY;
const UTF_8: u8 = asterism_symbol::UTF_8;
const US_ASCII: u8 = asterism_symbol::US_ASCII;

/// A new String of a class, of these bytes and with a NUL behind them, of which nothing else is known: C may change it.
fn make(ec: &mut Ec, class: Value, bytes: &[u8], capacity: usize, encoding: u8) -> Res {
    let made = foreign::new(ec, class, bytes, capacity, encoding);
    ec.check(Value::NIL, made)
}

/// How long a thread waits for a String that another one has locked before it asks again.
const AGAIN: std::time::Duration = std::time::Duration::from_micros(50);
/// How often it does where nobody says that he has: that is between two words of who does.
const MOST_TRIES: u32 = 100;

/// Waits a little while another thread has locked the String: in CRuby no two threads get that far at once. `false`: this thread
/// has itself, or nobody of those who say so.
fn wait_for_unlock(ec: &mut Ec, v: Value, tries: u32) -> Res<bool> {
    let holder = ec.vm().part::<Extensions>().locked.lock().get(&v.bits()).copied();
    if holder == Some(ec.thread.number()) || holder.is_none() && tries >= MOST_TRIES {
        return Ok(false);
    }
    // Who has it may need the lock of extensions to give it back.
    let had = ec.thread.foreign.locked;
    if had {
        lock::give(ec);
    }
    ec.blocking(|| std::thread::sleep(AGAIN));
    let interrupted = ec.check_blocking();
    if had {
        lock::take(ec);
    }
    interrupted.map(|()| true)
}

/// A String of bytes.
///
/// # Errors
/// NoMemoryError.
pub fn new(ec: &mut Ec, bytes: &[u8], encoding: u8) -> Res {
    let class = ec.class(WellKnown::String);
    make(ec, class, bytes, bytes.len(), encoding)
}

fn sized(ec: &mut Ec, class: Value, text: In<u8>, len: c_long, encoding: u8) -> Res {
    let Ok(n) = usize::try_from(len) else {
        return Err(ec.arg_error("negative string size (or size too big)"));
    };
    if !text.is_null() {
        return make(ec, class, text.slice(len), n, encoding);
    }
    let made = make(ec, class, b"", n, encoding)?;
    let raw = foreign::raw(ec, made);
    // SAFETY: there is room for `n` bytes and a NUL.
    unsafe { raw.pointer.write_bytes(0, n + 1) };
    let set = foreign::set_len(ec, made, n);
    ec.check(made, set)?;
    Ok(made)
}

fn writable(ec: &mut Ec, v: Value, extra: usize) -> Res<foreign::Raw> {
    let raw = foreign::writable(ec, v, extra);
    ec.check(v, raw)
}

/// As `writable`, keeping what C has written behind the bytes; also how many bytes there are with that.
fn expand(ec: &mut Ec, v: Value, extra: usize) -> Res<(foreign::Raw, usize)> {
    let old = foreign::raw(ec, v);
    let behind = old.capacity.saturating_sub(old.len);
    let mut kept: Vec<MaybeUninit<u8>> = Vec::new();
    if behind <= extra {
        // The last of them is where the NUL has room, for which `extra` need not ask.
        if kept.try_reserve_exact(behind).is_err() {
            return Err(ec.no_memory());
        }
        kept.resize(behind, MaybeUninit::uninit());
        // SAFETY: as many bytes lie there; they are copied as they are, written or not.
        unsafe { old.pointer.add(old.len).cast::<MaybeUninit<u8>>().copy_to_nonoverlapping(kept.as_mut_ptr(), behind) };
    }
    let raw = writable(ec, v, extra)?;
    if !kept.is_empty() {
        // Now, so that no NUL is put over what is kept when C looks next.
        foreign::end(ec, v, &raw);
    }
    // SAFETY: there is room for as many.
    unsafe { kept.as_ptr().copy_to_nonoverlapping(raw.pointer.add(raw.len).cast::<MaybeUninit<u8>>(), kept.len()) };
    Ok((raw, old.capacity.max(old.len)))
}

/// The bytes as C sees them: with a NUL behind them where that can be.
#[inline]
fn pointer(ec: &mut Ec, v: Value) -> foreign::Raw {
    match foreign::seen(ec, v) {
        Some(raw) => {
            views::hold(ec, raw.body);
            raw
        }
        None => pointer_first(ec, v),
    }
}

/// As `pointer`, of bytes that C has not seen yet.
#[inline(never)]
fn pointer_first(ec: &mut Ec, v: Value) -> foreign::Raw {
    let mut raw = foreign::raw(ec, v);
    if raw.capacity == raw.len
        && !ownership::is_frozen(v)
        && string::is_own(ec, v)
        && string::known_coderange(v) != CodeRange::Broken
    {
        let range = string::known_coderange(v);
        if let Ok(more) = foreign::writable(ec, v, 1) {
            string::set_coderange(ec, v, range);
            raw = more;
        }
    }
    views::hold(ec, raw.body);
    foreign::end(ec, v, &raw);
    raw
}

/// The value as a String, or what `to_str` makes of it.
fn to_str(ec: &mut Ec, v: Value) -> Res {
    if v.is_type(Type::String) {
        return Ok(v);
    }
    crate::lock::in_ruby(ec, |ec| ec.to_str(v))
}

/// Appends bytes that C points to, which may be the String's own.
fn append(ec: &mut Ec, v: Value, bytes: &[u8]) -> Res<()> {
    a_string(ec, v)?;
    let (from, n) = (bytes.as_ptr(), bytes.len());
    // SAFETY: C has given them.
    let done = unsafe { foreign::append(ec, v, from, n) };
    ec.check(v, done)
}

fn append_from(ec: &mut Ec, v: Value, text: In<c_char>, len: c_long) -> Res {
    if len < 0 {
        a_string(ec, v)?;
        return Err(ec.arg_error("negative string size (or size too big)"));
    }
    append(ec, v, In(text.0.cast()).slice(len))?;
    Ok(v)
}

/// The bytes as a C string.
fn cstr(ec: &mut Ec, place: Out<Value>) -> Res<Out<c_char>> {
    let v = to_str(ec, place.get())?;
    place.set(v);
    let raw = pointer(ec, v);
    let encoding = Encoding::from_index(usize::from(string::encoding(v))).unwrap_or(Encoding::BINARY);
    // SAFETY: the bytes are there, and stay as they are until C goes on.
    let bytes = unsafe { std::slice::from_raw_parts(raw.pointer, raw.len) };
    let wide = encoding.min_len();
    if wide > 1 {
        if bytes.chunks_exact(wide).any(|c| c.iter().all(|&b| b == 0)) {
            return Err(ec.arg_error("string contains null char"));
        }
    } else if bytes.contains(&0) {
        return Err(ec.arg_error("string contains null byte"));
    }
    // SAFETY: only read where there is room.
    if raw.capacity > raw.len && wide == 1 && unsafe { raw.pointer.add(raw.len).read() } == 0 {
        return Ok(Out(raw.pointer.cast()));
    }
    // A String that others share or that has no room: C gets a copy with a NUL, kept as the others are.
    let mut copy = crate::types::copy(ec, bytes, wide)?;
    copy.resize(copy.len() + wide, 0);
    if ownership::is_frozen(v) || !string::is_own(ec, v) {
        let made = new(ec, &copy, string::encoding(v))?;
        crate::part::keep_recent(ec, made);
        return Ok(Out(foreign::raw(ec, made).pointer.cast()));
    }
    let raw = writable(ec, v, wide)?;
    // SAFETY: there is room for the NUL.
    unsafe { raw.pointer.add(raw.len).write_bytes(0, wide) };
    views::hold(ec, raw.body);
    Ok(Out(raw.pointer.cast()))
}

fn resize(ec: &mut Ec, v: Value, len: c_long) -> Res {
    let Ok(n) = usize::try_from(len) else {
        return Err(ec.arg_error("negative string size (or size too big)"));
    };
    let now = string::len(v);
    let (raw, written) = expand(ec, v, (n + 1).saturating_sub(now).max(1))?;
    // SAFETY: there is room for `n` bytes and a NUL.
    unsafe {
        if n > written {
            raw.pointer.add(written).write_bytes(0, n - written);
        }
        raw.pointer.add(n).write(0);
    }
    let set = foreign::set_len(ec, v, n);
    ec.check(v, set)?;
    Ok(v)
}

fn interned(ec: &mut Ec, bytes: &[u8], encoding: u8) -> Res {
    let range = string::scan(encoding, bytes);
    let encoding = if range == CodeRange::SevenBit && encoding == US_ASCII { US_ASCII } else { encoding };
    asterism_core::string::dedup::of_bytes(ec, bytes, encoding, range)
}

fn substr(ec: &mut Ec, v: Value, at: usize, len: usize) -> Res {
    let made = string::substr(ec, v, at, len);
    ec.check(v, made)
}

api! {
    /// Where the bytes are; what `RSTRING_PTR` asks.
    fn rb_asterism_str_ptr(ec, v: Value) -> Out<c_char> {
        if !v.is_type(Type::String) {
            a_string(ec, v)?;
        }
        Ok(Out(pointer(ec, v).pointer.cast()))
    }

    fn rb_str_new(ec, text: In<c_char>, len: c_long) -> Value {
        let class = ec.class(WellKnown::String);
        sized(ec, class, In(text.0.cast()), len, BINARY)
    }

    fn rb_str_new_cstr(ec, text: Text) -> Value {
        if text.is_null() {
            return Err(ec.arg_error("NULL pointer given"));
        }
        new(ec, text.bytes(), BINARY)
    }

    fn rb_str_new_static(ec, text: In<c_char>, len: c_long) -> Value {
        let class = ec.class(WellKnown::String);
        sized(ec, class, In(text.0.cast()), len, BINARY)
    }

    fn rb_usascii_str_new(ec, text: In<c_char>, len: c_long) -> Value {
        let class = ec.class(WellKnown::String);
        sized(ec, class, In(text.0.cast()), len, US_ASCII)
    }

    fn rb_usascii_str_new_static(ec, text: In<c_char>, len: c_long) -> Value {
        let class = ec.class(WellKnown::String);
        sized(ec, class, In(text.0.cast()), len, US_ASCII)
    }

    fn rb_usascii_str_new_cstr(ec, text: Text) -> Value {
        new(ec, text.bytes(), US_ASCII)
    }

    fn rb_utf8_str_new(ec, text: In<c_char>, len: c_long) -> Value {
        let class = ec.class(WellKnown::String);
        sized(ec, class, In(text.0.cast()), len, UTF_8)
    }

    fn rb_utf8_str_new_static(ec, text: In<c_char>, len: c_long) -> Value {
        let class = ec.class(WellKnown::String);
        sized(ec, class, In(text.0.cast()), len, UTF_8)
    }

    fn rb_utf8_str_new_cstr(ec, text: Text) -> Value {
        new(ec, text.bytes(), UTF_8)
    }

    fn rb_enc_str_new(ec, text: In<c_char>, len: c_long, enc: Enc) -> Value {
        let class = ec.class(WellKnown::String);
        sized(ec, class, In(text.0.cast()), len, index_of(enc))
    }

    fn rb_enc_str_new_static(ec, text: In<c_char>, len: c_long, enc: Enc) -> Value {
        let class = ec.class(WellKnown::String);
        sized(ec, class, In(text.0.cast()), len, index_of(enc))
    }

    fn rb_enc_str_new_cstr(ec, text: Text, enc: Enc) -> Value {
        if crate::encoding::of(enc).is_some_and(|e| e.min_len() > 1) {
            return Err(ec.arg_error("wide char encoding: use rb_enc_str_new"));
        }
        new(ec, text.bytes(), index_of(enc))
    }

    fn rb_str_new_with_class(ec, v: Value, text: In<c_char>, len: c_long) -> Value {
        a_string(ec, v)?;
        let class = ec.real_class_of(v).0;
        sized(ec, class, In(text.0.cast()), len, string::encoding(v))
    }

    fn rb_str_buf_new(ec, capacity: c_long) -> Value {
        let class = ec.class(WellKnown::String);
        make(ec, class, b"", usize::try_from(capacity).unwrap_or(0), BINARY)
    }

    fn rb_str_buf_new_cstr(ec, text: Text) -> Value {
        new(ec, text.bytes(), BINARY)
    }

    fn rb_str_tmp_new(ec, len: c_long) -> Value {
        let class = ec.class(WellKnown::String);
        sized(ec, class, In(std::ptr::null()), len, BINARY)
    }

    fn rb_str_new_shared(ec, v: Value) -> Value {
        a_string(ec, v)?;
        let class = ec.real_class_of(v).0;
        let made = string::dup_in(ec, class, v);
        ec.check(v, made)
    }

    fn rb_str_new_frozen(ec, v: Value) -> Value {
        a_string(ec, v)?;
        if ownership::is_frozen(v) {
            return Ok(v);
        }
        let class = ec.real_class_of(v).0;
        let made = string::dup_in(ec, class, v);
        let made = ec.check(v, made)?;
        ec.freeze(made)
    }

    fn rb_interned_str(ec, text: In<c_char>, len: c_long) -> Value {
        let bytes = In(text.0.cast::<u8>()).slice(len);
        interned(ec, bytes, if bytes.is_ascii() { US_ASCII } else { BINARY })
    }

    fn rb_interned_str_cstr(ec, text: Text) -> Value {
        interned(ec, text.bytes(), if text.bytes().is_ascii() { US_ASCII } else { BINARY })
    }

    fn rb_enc_interned_str(ec, text: In<c_char>, len: c_long, enc: Enc) -> Value {
        let bytes = In(text.0.cast::<u8>()).slice(len);
        interned(ec, bytes, if enc.is_null() { US_ASCII } else { index_of(enc) })
    }

    fn rb_enc_interned_str_cstr(ec, text: Text, enc: Enc) -> Value {
        interned(ec, text.bytes(), if enc.is_null() { US_ASCII } else { index_of(enc) })
    }

    fn rb_str_to_interned_str(ec, v: Value) -> Value {
        a_string(ec, v)?;
        let frozen = string::frozen_copy(ec, v);
        let frozen = ec.check(v, frozen)?;
        (ec.vm().hooks.intern_string)(ec, frozen)
    }

    fn rb_str_cat(ec, v: Value, text: In<c_char>, len: c_long) -> Value {
        append_from(ec, v, text, len)
    }

    fn rb_str_buf_cat(ec, v: Value, text: In<c_char>, len: c_long) -> Value {
        append_from(ec, v, text, len)
    }

    fn rb_str_cat_cstr(ec, v: Value, text: Text) -> Value {
        append(ec, v, text.bytes())?;
        Ok(v)
    }

    fn rb_str_buf_cat_ascii(ec, v: Value, text: Text) -> Value {
        append(ec, v, text.bytes())?;
        Ok(v)
    }

    fn rb_enc_str_buf_cat(ec, v: Value, text: In<c_char>, len: c_long, enc: Enc) -> Value {
        a_string(ec, v)?;
        let piece = new(ec, In(text.0.cast::<u8>()).slice(len), index_of(enc))?;
        named(ec, v, "<<", &[piece])
    }

    fn rb_str_append(ec, v: Value, other: Value) -> Value {
        a_string(ec, v)?;
        let other = to_str(ec, other)?;
        named(ec, v, "<<", &[other])
    }

    fn rb_str_buf_append(ec, v: Value, other: Value) -> Value {
        named(ec, v, "<<", &[other])
    }

    fn rb_str_resize(ec, v: Value, len: c_long) -> Value {
        a_string(ec, v)?;
        resize(ec, v, len)
    }

    fn rb_str_set_len(ec, v: Value, len: c_long) {
        a_string(ec, v)?;
        let Ok(n) = usize::try_from(len) else {
            return Err(ec.raise(Exc::RuntimeError, "negative string size (or size too big)"));
        };
        let set = foreign::set_len(ec, v, n);
        if !ec.check(v, set)? {
            let message = format!("probable buffer overflow: {len} for {}", foreign::raw(ec, v).capacity.saturating_sub(1));
            return Err(ec.raise(Exc::RuntimeError, message));
        }
        Ok(())
    }

    fn rb_str_modify(ec, v: Value) {
        a_string(ec, v)?;
        writable(ec, v, 0)?;
        Ok(())
    }

    fn rb_str_modify_expand(ec, v: Value, more: c_long) {
        a_string(ec, v)?;
        let Ok(more) = usize::try_from(more) else {
            return Err(ec.arg_error("negative expanding string size"));
        };
        if string::len(v).saturating_add(more) > isize::MAX as usize {
            return Err(ec.arg_error("argument too big"));
        }
        expand(ec, v, more)?;
        Ok(())
    }

    fn rb_str_capacity(ec, v: Value) -> usize {
        a_string(ec, v)?;
        Ok(foreign::raw(ec, v).capacity.saturating_sub(1).max(string::len(v)))
    }

    fn rb_str_drop_bytes(ec, v: Value, len: c_long) -> Value {
        a_string(ec, v)?;
        let n = (len.max(0) as usize).min(string::len(v));
        let cut = string::splice(ec, v, 0, n, b"");
        ec.check(v, cut)?;
        Ok(v)
    }

    fn rb_str_update(ec, v: Value, at: c_long, len: c_long, other: Value) {
        a_string(ec, v)?;
        let (at, len) = (ec.int(at)?, ec.int(len)?);
        named(ec, v, "[]=", &[at, len, other])?;
        Ok(())
    }

    fn rb_str_freeze(ec, v: Value) -> Value {
        ec.freeze(v)
    }

    fn rb_str_dup(ec, v: Value) -> Value {
        a_string(ec, v)?;
        let class = ec.real_class_of(v).0;
        let made = string::dup_in(ec, class, v);
        ec.check(v, made)
    }

    fn rb_str_resurrect(ec, v: Value) -> Value {
        a_string(ec, v)?;
        let made = string::dup(ec, v);
        ec.check(v, made)
    }

    fn rb_str_to_str(ec, v: Value) -> Value {
        to_str(ec, v)
    }

    fn rb_string_value(ec, place: Out<Value>) -> Value {
        let v = to_str(ec, place.get())?;
        place.set(v);
        Ok(v)
    }

    fn rb_string_value_ptr(ec, place: Out<Value>) -> Out<c_char> {
        let v = to_str(ec, place.get())?;
        place.set(v);
        Ok(Out(pointer(ec, v).pointer.cast()))
    }

    fn rb_string_value_cstr(ec, place: Out<Value>) -> Out<c_char> {
        cstr(ec, place)
    }

    fn rb_must_asciicompat(ec, v: Value) {
        a_string(ec, v)?;
        asterism_core::string::util::check_ascii_compatible(ec, v)
    }

    fn rb_check_string_type(ec, v: Value) -> Value {
        Ok(crate::lock::in_ruby(ec, |ec| ec.check_string(v))?.unwrap_or(Value::NIL))
    }

    fn rb_String(ec, v: Value) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "String", &[v])
    }

    fn rb_str_substr(ec, v: Value, at: c_long, len: c_long) -> Value {
        a_string(ec, v)?;
        let (at, len) = (ec.int(at)?, ec.int(len)?);
        named(ec, v, "[]", &[at, len])
    }

    fn rb_str_subseq(ec, v: Value, at: c_long, len: c_long) -> Value {
        a_string(ec, v)?;
        substr(ec, v, at.max(0) as usize, len.max(0) as usize)
    }

    fn rb_str_subpos(ec, v: Value, at: c_long, len: Out<c_long>) -> Out<c_char> {
        a_string(ec, v)?;
        let encoding = asterism_core::string::util::encoding(v);
        let raw = pointer(ec, v);
        let range = string::coderange(ec, v);
        // SAFETY: the bytes are there.
        let bytes = unsafe { std::slice::from_raw_parts(raw.pointer, raw.len) };
        if len.get() < 0 {
            return Ok(Out(std::ptr::null_mut()));
        }
        match asterism_core::string::util::char_span(encoding, bytes, range, at, len.get()) {
            Some((from, n)) => {
                len.set(n as c_long);
                Ok(Out(raw.pointer.wrapping_add(from).cast()))
            }
            None => Ok(Out(std::ptr::null_mut())),
        }
    }

    fn rb_str_sublen(ec, v: Value, at: c_long) -> c_long {
        a_string(ec, v)?;
        let part = substr(ec, v, 0, at.max(0) as usize)?;
        Ok(asterism_core::string::util::char_len(ec, part) as c_long)
    }

    fn rb_str_offset(ec, v: Value, at: c_long) -> c_long {
        a_string(ec, v)?;
        let encoding = asterism_core::string::util::encoding(v);
        let bytes = string::read(ec, v);
        Ok(asterism_support::encoding::scan::char_offset(encoding, &bytes, at.max(0) as usize, None).unwrap_or(bytes.len()) as c_long)
    }

    fn rb_str_strlen(ec, v: Value) -> c_long {
        a_string(ec, v)?;
        Ok(asterism_core::string::util::char_len(ec, v) as c_long)
    }

    fn rb_str_equal(ec, a: Value, b: Value) -> Value {
        if a == b {
            return Ok(Value::TRUE);
        }
        if a.is_type(Type::String) && b.is_type(Type::String) {
            return Ok(Value::bool(string::eq(ec, a, b)));
        }
        named(ec, a, "==", &[b])
    }

    fn rb_str_cmp(ec, a: Value, b: Value) -> c_int {
        a_string(ec, a)?;
        let order = named(ec, a, "<=>", &[b])?;
        Ok(order.fixnum_value().unwrap_or(0) as c_int)
    }

    fn rb_str_hash(ec, v: Value) -> u64 {
        a_string(ec, v)?;
        Ok(string::hash(ec, v))
    }

    fn rb_str_hash_cmp(ec, a: Value, b: Value) -> c_int {
        a_string(ec, a)?;
        a_string(ec, b)?;
        Ok(c_int::from(!string::eq(ec, a, b)))
    }

    fn rb_str_locktmp(ec, v: Value) -> Value {
        a_string(ec, v)?;
        let mut tries = 0;
        loop {
            let lent = string::lend(ec, v);
            if ec.check(v, lent)? {
                let me = ec.thread.number();
                ec.vm().part::<Extensions>().locked.lock().insert(v.bits(), me);
                return Ok(v);
            }
            if !wait_for_unlock(ec, v, tries)? {
                return Err(ec.raise(Exc::RuntimeError, "temporal locking already locked string"));
            }
            tries += 1;
        }
    }

    fn rb_str_unlocktmp(ec, v: Value) -> Value {
        a_string(ec, v)?;
        let lent = string::lend(ec, v);
        let was = !ec.check(v, lent)?;
        string::give_back(ec, v);
        let me = ec.thread.number();
        let locked = &ec.vm().part::<Extensions>().locked;
        // Another thread may have it by now.
        if locked.lock().get(&v.bits()) == Some(&me) {
            locked.lock().remove(&v.bits());
        }
        if !was {
            return Err(ec.raise(Exc::RuntimeError, "temporal unlocking already unlocked string"));
        }
        Ok(v)
    }

    fn rb_str_split(ec, v: Value, separator: Text) -> Value {
        a_string(ec, v)?;
        let separator = new(ec, separator.bytes(), UTF_8)?;
        named(ec, v, "split", &[separator])
    }

    /// The memory goes with the String: nothing is to be done before.
    fn rb_str_free(_ec, _v: Value) {
        Ok(())
    }

    fn rb_str_setter(ec, v: Value, id: crate::types::Id, place: Out<Value>) {
        if !v.is_nil() && !v.is_type(Type::String) {
            return Err(ec.type_error(format!("value of {} must be String", id.sym().text())));
        }
        place.set(v);
        Ok(())
    }

    fn rb_str_intern(ec, v: Value) -> Value {
        named(ec, v, "to_sym", &[])
    }

    fn rb_str_length(ec, v: Value) -> Value {
        a_string(ec, v)?;
        let n = asterism_core::string::util::char_len(ec, v);
        ec.size(n)
    }

    fn rb_str_ellipsize(ec, v: Value, len: c_long) -> Value {
        a_string(ec, v)?;
        if len < 0 {
            return Err(ec.index_error(format!("negative length {len}")));
        }
        let total = asterism_core::string::util::char_len(ec, v) as c_long;
        if total <= len {
            return Ok(v);
        }
        let zero = ec.int(0)?;
        if len <= 3 {
            let dots = new(ec, &b"..."[..len as usize], string::encoding(v))?;
            return Ok(dots);
        }
        let n = ec.int(len - 3)?;
        let part = named(ec, v, "[]", &[zero, n])?;
        let dots = new(ec, b"...", US_ASCII)?;
        named(ec, part, "+", &[dots])
    }

    fn rb_str_shared_replace(ec, v: Value, other: Value) {
        a_string(ec, v)?;
        a_string(ec, other)?;
        let done = string::replace(ec, v, other);
        ec.check(v, done)
    }

    fn rb_mem_clear(_ec, place: Out<Value>, n: c_long) {
        for i in 0..n.max(0) as usize {
            place.set_at(i, Value::NIL);
        }
        Ok(())
    }
}

methods! {
    fn rb_str_plus(recv, other) = "+";
    fn rb_str_times(recv, other) = "*";
    fn rb_str_concat(recv, other) = "<<";
    fn rb_str_inspect(recv) = "inspect";
    fn rb_str_dump(recv) = "dump";
    fn rb_str_replace(recv, other) = "replace";
    fn rb_str_succ(recv) = "succ";
    fn rb_str_scrub(recv, other) = "scrub";
    fn rb_sym_to_s(recv) = "to_s";
    fn rb_sym_proc(recv) = "to_proc";
}
