//! Hashes.

use std::ffi::{c_int, c_long};

use asterism_object::types::Type;
use asterism_object::{Value, hash};
use asterism_vm::{Ec, Exc, Res};

use crate::call::named;
use crate::demand::a_hash;
use crate::entry::call_c;
use crate::lock::in_ruby;
use crate::types::{Func, In, Opaque};

/// Looks a key up: its `hash` and `eql?` may be Ruby code.
fn get(ec: &mut Ec, h: Value, key: Value) -> Res<Option<Value>> {
    a_hash(ec, h)?;
    match hash::get(ec, h, key) {
        hash::Lookup::Found(value) => Ok(Some(value)),
        hash::Lookup::Missing => Ok(None),
        hash::Lookup::NeedsRuby => in_ruby(ec, |ec| ec.hash_get(h, key)),
    }
}

/// Calls `function(key, value, data)` for each entry, as long as it says so: 0 go on, 1 stop, 2 delete, 3 look again.
fn each(ec: &mut Ec, h: Value, function: Func, data: u64) -> Res<()> {
    a_hash(ec, h)?;
    let began = hash::walk_begin(ec, h);
    let walk = Entries { h, walk: hash::Walk::over(h, began) };
    let words = [(&raw const walk).expose_provenance() as u64, function.word(), data];
    // SAFETY: the function takes these words, and `function` is one for `rb_hash_foreach`.
    let result = unsafe { call_c(ec, each_entry as *const (), &words) };
    hash::walk_end(ec, h);
    asterism_heap::keep_alive(began.bits());
    result.map(|_| ())
}

/// What `each` walks over.
struct Entries {
    h: Value,
    walk: hash::Walk,
}

/// The loop of `each`. To everybody else it is a part of the extension: it goes into C once, not once an entry, what is raised in it
/// passes over it, and it may be suspended. So it has nothing to drop, and only looks.
///
/// # Safety
/// Called by `each`.
unsafe extern "C" fn each_entry(walk: *const Entries, function: Func, data: u64) -> u64 {
    // SAFETY: `each` waits; the function is one for `rb_hash_foreach`.
    let (entries, call) = unsafe {
        let call = std::mem::transmute::<*const (), unsafe extern "C" fn(Value, Value, u64) -> c_int>(function.0);
        (&*walk, call)
    };
    let mut at = 0;
    while let Some((next, key, value)) = entries.walk.next(at) {
        // SAFETY: as above.
        match unsafe { call(key, value, data) } {
            1 => break,
            // SAFETY: as a function in C calls it.
            2 => _ = unsafe { rb_asterism_hash_delete(entries.h, key) },
            _ => {}
        }
        at = next;
        if hash::is_empty(entries.h) {
            break;
        }
    }
    0
}

/// How many entries it has; as `rb_ary_entry` without an `Ec`.
///
/// # Safety
/// Called by a function in C, with a Hash.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_hash_size_num(h: Value) -> usize {
    if h.is_type(Type::Hash) {
        return hash::len(h);
    }
    // SAFETY: the caller's contract.
    unsafe { crate::entry::enter(move |ec| a_hash(ec, h).map(|()| 0)) }
}

/// Calls `function(key, value, data)` for each entry; also for functions in C that mark, whose callbacks change nothing.
///
/// # Safety
/// Called by a function in C, with a Hash and such a function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_hash_foreach(h: Value, function: Func, data: Opaque) {
    if !crate::entry::is_marking() {
        // SAFETY: the caller's contract.
        return unsafe { crate::entry::enter(move |ec| each(ec, h, function, data.word())) };
    }
    // SAFETY: the caller's contract.
    let call = unsafe {
        std::mem::transmute::<*const (), unsafe extern "C" fn(Value, Value, *mut std::ffi::c_void) -> c_int>(function.0)
    };
    let mut position = 0;
    while let Some((next, key, value)) = hash::iter_next(h, position) {
        // SAFETY: as above; the world is stopped, and nobody changes the Hash.
        if unsafe { call(key, value, data.0) } == 1 {
            return;
        }
        position = next;
    }
}

api! {
    fn rb_hash_new(ec) -> Value {
        ec.new_hash()
    }

    fn rb_hash_new_capa(ec, _n: c_long) -> Value {
        ec.new_hash()
    }

    fn rb_ident_hash_new(ec) -> Value {
        let h = ec.new_hash()?;
        named(ec, h, "compare_by_identity", &[])
    }

    fn rb_hash_dup(ec, h: Value) -> Value {
        a_hash(ec, h)?;
        asterism_core::object::copy::hash_of(ec, h, 0)
    }

    fn rb_hash_keys(ec, h: Value) -> Value {
        a_hash(ec, h)?;
        let keys = hash::keys(ec, h);
        ec.check(h, keys)
    }

    fn rb_hash_values(ec, h: Value) -> Value {
        a_hash(ec, h)?;
        let values = hash::values(ec, h);
        ec.check(h, values)
    }

    fn rb_hash_aset(ec, h: Value, key: Value, value: Value) -> Value {
        a_hash(ec, h)?;
        let stored = hash::set(ec, h, key, value);
        if let hash::Stored::NeedsRuby = ec.check(h, stored)? {
            in_ruby(ec, |ec| ec.hash_set(h, key, value))?;
        }
        Ok(value)
    }

    fn rb_hash_aref(ec, h: Value, key: Value) -> Value {
        match get(ec, h, key)? {
            Some(value) => Ok(value),
            None if hash::default_of(h).0.is_nil() && ec.real_class_of(h).0 == ec.class(asterism_object::space::WellKnown::Hash) => Ok(Value::NIL),
            None => named(ec, h, "default", &[key]),
        }
    }

    fn rb_hash_lookup(ec, h: Value, key: Value) -> Value {
        Ok(get(ec, h, key)?.unwrap_or(Value::NIL))
    }

    fn rb_hash_lookup2(ec, h: Value, key: Value, default: Value) -> Value {
        Ok(get(ec, h, key)?.unwrap_or(default))
    }

    fn rb_hash_fetch(ec, h: Value, key: Value) -> Value {
        match get(ec, h, key)? {
            Some(value) => Ok(value),
            None => named(ec, h, "fetch", &[key]),
        }
    }

    fn rb_hash_has_key(ec, h: Value, key: Value) -> Value {
        Ok(Value::bool(get(ec, h, key)?.is_some()))
    }

    fn rb_hash_delete(ec, h: Value, key: Value) -> Value {
        a_hash(ec, h)?;
        ec.check_frozen(h)?;
        Ok(in_ruby(ec, |ec| ec.hash_delete(h, key))?.unwrap_or(Value::NIL))
    }

    /// What a walk does with an entry of which the function says so; frozen or not is for the Hash to say.
    fn rb_asterism_hash_delete(ec, h: Value, key: Value) -> Value {
        Ok(in_ruby(ec, |ec| ec.hash_delete(h, key))?.unwrap_or(Value::NIL))
    }

    fn rb_hash_size(ec, h: Value) -> Value {
        a_hash(ec, h)?;
        ec.size(hash::len(h))
    }

    fn rb_hash_bulk_insert(ec, n: c_long, values: In<Value>, h: Value) {
        a_hash(ec, h)?;
        for pair in values.slice(n).chunks_exact(2) {
            in_ruby(ec, |ec| ec.hash_set(h, pair[0], pair[1]))?;
        }
        Ok(())
    }

    fn rb_hash_set_ifnone(ec, h: Value, default: Value) -> Value {
        a_hash(ec, h)?;
        let done = hash::set_default(ec, h, default, false);
        ec.check(h, done)?;
        Ok(h)
    }

    fn rb_hash_set_default_proc(ec, h: Value, proc: Value) -> Value {
        named(ec, h, "default_proc=", &[proc])
    }

    fn rb_hash_update_by(ec, h: Value, other: Value, function: Func) -> Value {
        if function.is_null() {
            return named(ec, h, "update", &[other]);
        }
        Err(ec.raise(Exc::NotImplementedError, "rb_hash_update_by with a function"))
    }

    fn rb_check_hash_type(ec, v: Value) -> Value {
        Ok(in_ruby(ec, |ec| ec.check_hash(v))?.unwrap_or(Value::NIL))
    }

    fn rb_Hash(ec, v: Value) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "Hash", &[v])
    }

    fn rb_hash(ec, v: Value) -> Value {
        let n = named(ec, v, "hash", &[])?;
        match n.fixnum_value() {
            Some(_) => Ok(n),
            // What does not fit is cut down to what does.
            None => named(ec, n, "%", &[Value::fixnum(asterism_object::value::FIXNUM_MAX)]),
        }
    }


    fn rb_hash_start(_ec, h: u64) -> u64 {
        Ok(asterism_object::builtin::mix(h))
    }

    fn rb_hash_uint32(_ec, h: u64, word: u32) -> u64 {
        Ok(asterism_object::builtin::combine(h, u64::from(word)))
    }

    fn rb_hash_uint(_ec, h: u64, word: u64) -> u64 {
        Ok(asterism_object::builtin::combine(h, word))
    }

    fn rb_hash_end(_ec, h: u64) -> u64 {
        Ok(asterism_object::builtin::mix(h))
    }

    fn rb_memhash(ec, bytes: In<u8>, n: c_long) -> u64 {
        let seed = ec.vm().space.hash_seed;
        Ok(asterism_object::builtin::hash_bytes(seed, bytes.slice(n)))
    }

    fn rb_env_clear(ec) -> Value {
        let object = ec.known(asterism_object::space::WellKnown::Object);
        let env = ec.own_constant(object, asterism_symbol::intern("ENV")).unwrap_or(Value::NIL);
        named(ec, env, "clear", &[])
    }
}

methods! {
    fn rb_hash_clear(recv) = "clear";
    fn rb_hash_delete_if(recv) = "delete_if";
    fn rb_hash_freeze(recv) = "freeze";
    fn rb_hash_to_a(recv) = "to_a";
}
