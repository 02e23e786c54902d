//! Memory: `xmalloc` and its like, what the collector is told, and what keeps objects alive.

use std::ffi::{c_int, c_long, c_void};

use asterism_object::Value;

use crate::entry::{enter, is_attached, marking};
use crate::part::{keep, part};
use crate::types::{Func, In, Opaque, Out, Text};

/// `free`: by any thread, also one that runs no Ruby.
///
/// # Safety
/// The memory came from `xmalloc` or its like.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_xfree(memory: *mut c_void) {
    // SAFETY: the caller's contract.
    unsafe { libc::free(memory) };
}

/// What a function of the C library has allocated, which may also be called while nobody knows that the thread is not in C any more:
/// only if it is nothing, the thread comes out of it, to raise.
#[inline]
fn allocated(memory: *mut c_void) -> Opaque {
    if memory.is_null() {
        // SAFETY: called by a function in C.
        return unsafe { enter(|ec| Err(ec.no_memory())) };
    }
    Opaque(memory)
}

/// The bytes of `n` things of a size.
#[inline]
fn product(n: usize, size: usize) -> usize {
    match n.checked_mul(size).filter(|&n| isize::try_from(n).is_ok()) {
        Some(bytes) => bytes,
        // SAFETY: called by a function in C.
        None => unsafe {
            enter(move |ec| Err(ec.arg_error(format!("malloc: possible integer overflow ({n}*{size})"))))
        },
    }
}

/// Memory.
///
/// # Safety
/// Called by a function in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_xmalloc(n: usize) -> Opaque {
    if isize::try_from(n).is_err() {
        return allocated(std::ptr::null_mut());
    }
    // SAFETY: any size may be asked for.
    allocated(unsafe { libc::malloc(n.max(1)) })
}

/// Memory for `n` things.
///
/// # Safety
/// Called by a function in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_xmalloc2(n: usize, size: usize) -> Opaque {
    // SAFETY: any size may be asked for.
    allocated(unsafe { libc::malloc(product(n, size).max(1)) })
}

/// Memory for `n` things, with zeros in it.
///
/// # Safety
/// Called by a function in C.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_xcalloc(n: usize, size: usize) -> Opaque {
    // SAFETY: any size may be asked for.
    allocated(unsafe { libc::calloc(1, product(n, size).max(1)) })
}

/// The same with more or less room.
///
/// # Safety
/// Called by a function in C, with memory that came from `xmalloc` or its like.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_xrealloc(memory: Opaque, n: usize) -> Opaque {
    // SAFETY: the caller's contract.
    allocated(unsafe { libc::realloc(memory.0, n.max(1)) })
}

/// The same with room for `n` things.
///
/// # Safety
/// As `ruby_xrealloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_xrealloc2(memory: Opaque, n: usize, size: usize) -> Opaque {
    // SAFETY: the caller's contract.
    allocated(unsafe { libc::realloc(memory.0, product(n, size).max(1)) })
}

api! {
    /// Memory that is gone when nothing leads to it: a String nobody sees, to whose bytes the collector is shown.
    fn rb_alloc_tmp_buffer(ec, place: Out<Value>, n: c_long) -> Opaque {
        let n = usize::try_from(n).unwrap_or(0);
        // Words of the buffer may be values: they are marked by the object that has them.
        let object = crate::buffer::new(ec, n)?;
        place.set(object);
        Ok(Opaque(crate::buffer::place(object)))
    }

    fn rb_alloc_tmp_buffer_with_count(ec, place: Out<Value>, n: usize, _count: usize) -> Opaque {
        let object = crate::buffer::new(ec, n)?;
        place.set(object);
        Ok(Opaque(crate::buffer::place(object)))
    }

    fn rb_free_tmp_buffer(_ec, place: Out<Value>) {
        place.set(Value::NULL);
        Ok(())
    }

    fn rb_gc_register_address(ec, address: In<Value>) {
        part(ec).addresses.lock().push(address.0.expose_provenance());
        Ok(())
    }

    fn rb_global_variable(ec, address: In<Value>) {
        part(ec).addresses.lock().push(address.0.expose_provenance());
        Ok(())
    }

    fn rb_gc_unregister_address(ec, address: In<Value>) {
        let mut list = part(ec).addresses.lock();
        if let Some(at) = list.iter().rposition(|&a| a == address.0.expose_provenance()) {
            list.remove(at);
        }
        Ok(())
    }

    fn rb_gc_register_mark_object(ec, v: Value) {
        keep(ec, v);
        Ok(())
    }

    fn rb_gc_start(ec) -> Value {
        let gc = ec.class(asterism_object::space::WellKnown::GC);
        crate::call::named(ec, gc, "start", &[])
    }

    fn rb_gc(ec) {
        let gc = ec.class(asterism_object::space::WellKnown::GC);
        crate::call::named(ec, gc, "start", &[])?;
        Ok(())
    }

    fn rb_gc_enable(ec) -> Value {
        let gc = ec.class(asterism_object::space::WellKnown::GC);
        crate::call::named(ec, gc, "enable", &[])
    }

    fn rb_gc_disable(ec) -> Value {
        let gc = ec.class(asterism_object::space::WellKnown::GC);
        crate::call::named(ec, gc, "disable", &[])
    }

    fn rb_gc_count(ec) -> usize {
        let gc = ec.class(asterism_object::space::WellKnown::GC);
        let n = crate::call::named(ec, gc, "count", &[])?;
        Ok(n.as_fixnum() as usize)
    }

    fn rb_gc_stat(ec, key: Value) -> usize {
        let gc = ec.class(asterism_object::space::WellKnown::GC);
        let n = crate::call::named(ec, gc, "stat", &[key])?;
        Ok(n.fixnum_value().unwrap_or(0) as usize)
    }

    fn rb_gc_latest_gc_info(ec, key: Value) -> Value {
        let gc = ec.class(asterism_object::space::WellKnown::GC);
        crate::call::named(ec, gc, "latest_gc_info", &[key])
    }

    fn rb_gc_adjust_memory_usage(ec, bytes: isize) {
        ec.account_malloc(bytes);
        Ok(())
    }

    fn rb_gc_writebarrier(ec, object: Value, _referred: Value) {
        // The object may refer to something new: the next minor collection looks at it.
        ec.remember_target(object.bits());
        Ok(())
    }

    fn rb_gc_writebarrier_unprotect(_ec, _object: Value) {
        Ok(())
    }

    fn rb_gc_copy_finalizer(ec, to: Value, from: Value) {
        asterism_core::objspace::finalizer::copy(ec, from, to)
    }

    fn rb_define_finalizer(ec, object: Value, proc: Value) -> Value {
        let space = ec.class(asterism_object::space::WellKnown::ObjectSpace);
        crate::call::named(ec, space, "define_finalizer", &[object, proc])
    }

    fn rb_undefine_finalizer(ec, object: Value) -> Value {
        let space = ec.class(asterism_object::space::WellKnown::ObjectSpace);
        crate::call::named(ec, space, "undefine_finalizer", &[object])
    }

    fn rb_during_gc(_ec) -> c_int {
        Ok(0)
    }

    fn rb_memerror(ec) {
        Err(ec.no_memory())
    }

    /// C: void rb_set_end_proc(void (*func)(VALUE), VALUE data);
    fn rb_set_end_proc(ec, function: Func, data: Value) {
        let proc = crate::block::at_end(ec, function, data)?;
        asterism_vm::load::at_exit(ec, proc)
    }

    /// C: void ruby_vm_at_exit(void (*func)(ruby_vm_t *));
    fn ruby_vm_at_exit(ec, function: Func) {
        part(ec).at_exit.lock().push(function);
        Ok(())
    }

    fn ruby_strdup(ec, text: Text) -> Opaque {
        let bytes = text.bytes();
        // SAFETY: as much is copied as was asked for, and a NUL behind it.
        unsafe {
            let memory = libc::malloc(bytes.len() + 1).cast::<u8>();
            if memory.is_null() {
                return Err(ec.no_memory());
            }
            memory.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            memory.add(bytes.len()).write(0);
            Ok(Opaque(memory.cast()))
        }
    }
}

/// Marks a value, from a function that marks.
///
/// # Safety
/// Called by a mark function, with a `VALUE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_gc_mark(v: Value) {
    marking(|marker| marker.mark_conservative(v.bits()));
}

/// As `rb_gc_mark`: nothing moves.
///
/// # Safety
/// As `rb_gc_mark`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_gc_mark_movable(v: Value) {
    marking(|marker| marker.mark_conservative(v.bits()));
}

/// Marks what may be a value.
///
/// # Safety
/// As `rb_gc_mark`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_gc_mark_maybe(v: Value) {
    marking(|marker| marker.mark_conservative(v.bits()));
}

/// Marks from the words between two addresses.
///
/// # Safety
/// As `rb_gc_mark`; the words may be read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_gc_mark_locations(from: *const Value, to: *const Value) {
    // SAFETY: the caller's contract.
    marking(|marker| unsafe { marker.mark_range_conservative(from.expose_provenance(), to.expose_provenance()) });
}

/// Where the object is now: where it was.
///
/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_gc_location(v: Value) -> Value {
    v
}

/// May the calling thread use the interface?
///
/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_native_thread_p() -> c_int {
    c_int::from(is_attached())
}
