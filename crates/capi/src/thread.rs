//! Threads, waiting, and work without the lock.

use std::ffi::{c_int, c_long};

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_vm::{Args, Ec, Res};

use crate::call::named;
use crate::entry::call_c_value;
use crate::lock::{self, in_ruby};
use crate::part::part;
use crate::types::{Func, Id, In, Opaque};

/// Runs `function(data)` as a blocking region: it touches no Ruby object. `unblock(unblock_data)` ends it.
fn without_lock(
    ec: &mut Ec,
    function: Func,
    data: Opaque,
    unblock: Func,
    unblock_data: Opaque,
    fail: bool,
) -> Res<Opaque> {
    let locked = ec.thread.foreign.locked;
    in_ruby(ec, |ec| {
        if fail {
            if ec.state().interrupts().pending() != 0 {
                return Ok(Opaque(std::ptr::null_mut()));
            }
        } else {
            ec.check_blocking()?;
        }
        let around = ec.thread.foreign.outside.replace(locked);
        let ended = region(ec, function, data, unblock, unblock_data);
        ec.thread.foreign.outside = around;
        if let Some(payload) = crate::entry::take_panic() {
            std::panic::resume_unwind(payload);
        }
        let held = std::mem::replace(&mut ec.thread.foreign.held, Value::NIL);
        if !held.is_nil() {
            return Err(ec.rethrow(held));
        }
        if !fail {
            // SAFETY: errno is the thread's own.
            let errno = unsafe { *libc::__errno_location() };
            ec.check_blocking()?;
            // SAFETY: as above.
            unsafe { *libc::__errno_location() = errno };
        }
        Ok(ended.unwrap_or(Opaque(std::ptr::null_mut())))
    })
}

/// The region itself; `None`: it was interrupted before it began.
fn region(ec: &mut Ec, function: Func, data: Opaque, unblock: Func, unblock_data: Opaque) -> Option<Opaque> {
    let call = move || {
        let (function, data) = (function, data);
        // SAFETY: the function is one that runs without the lock: of the word it is given it knows what that is.
        unsafe {
            let function = std::mem::transmute::<*const (), unsafe extern "C" fn(*mut libc::c_void) -> *mut libc::c_void>(
                function.0,
            );
            Opaque(function(data.0))
        }
    };
    if unblock.is_null() {
        return Some(ec.blocking(call));
    }
    let number = unblock.0.expose_provenance();
    if number == usize::MAX || number == usize::MAX - 1 {
        let system = crate::signal::SystemCall::new();
        return wait(ec, &|| system.interrupt(), || {
            let result = call();
            system.end();
            result
        });
    }
    let wake = move || {
        let (unblock, unblock_data) = (unblock, unblock_data);
        // SAFETY: the function was given to end the other one, from any thread.
        unsafe {
            let unblock = std::mem::transmute::<*const (), unsafe extern "C" fn(*mut libc::c_void)>(unblock.0);
            unblock(unblock_data.0);
        }
    };
    wait(ec, &wake, call)
}

/// Waits; `Thread#wakeup` ends that as CRuby does.
fn wait(ec: &mut Ec, wake: &(dyn Fn() + Sync), call: impl FnOnce() -> Opaque) -> Option<Opaque> {
    let thread = ec.thread.handle.clone();
    let around = thread.set_wakes_outside(true);
    let result = ec.wait_outside(wake, call);
    thread.set_wakes_outside(around);
    result
}

api! {
    /// C: void *rb_nogvl(void *(*func)(void *), void *data1, rb_unblock_function_t *ubf, void *data2, int flags);
    fn rb_nogvl(ec, function: Func, data: Opaque, unblock: Func, unblock_data: Opaque, flags: c_int) -> Opaque {
        without_lock(ec, function, data, unblock, unblock_data, flags & 1 != 0)
    }

    /// C: void *rb_thread_call_without_gvl(void *(*func)(void *), void *data1, rb_unblock_function_t *ubf, void *data2);
    fn rb_thread_call_without_gvl(ec, function: Func, data: Opaque, unblock: Func, unblock_data: Opaque) -> Opaque {
        without_lock(ec, function, data, unblock, unblock_data, false)
    }

    /// C: void *rb_thread_call_without_gvl2(void *(*func)(void *), void *data1, rb_unblock_function_t *ubf, void *data2);
    fn rb_thread_call_without_gvl2(ec, function: Func, data: Opaque, unblock: Func, unblock_data: Opaque) -> Opaque {
        without_lock(ec, function, data, unblock, unblock_data, true)
    }

    fn rb_thread_check_ints(ec) {
        in_ruby(ec, |ec| {
            ec.safepoint();
            ec.check_blocking()
        })
    }

    fn rb_thread_interrupted(ec, _thread: Value) -> c_int {
        Ok(c_int::from(ec.state().interrupts().pending() != 0))
    }

    fn rb_thread_schedule(ec) {
        let class = ec.class(WellKnown::Thread);
        named(ec, class, "pass", &[])?;
        Ok(())
    }

    fn rb_thread_current(ec) -> Value {
        let class = ec.class(WellKnown::Thread);
        named(ec, class, "current", &[])
    }

    fn rb_thread_main(ec) -> Value {
        let class = ec.class(WellKnown::Thread);
        named(ec, class, "main", &[])
    }

    fn rb_thread_alone(ec) -> c_int {
        Ok(c_int::from(ec.vm().threads.count() <= 1))
    }

    fn rb_thread_local_aref(ec, thread: Value, key: Id) -> Value {
        named(ec, thread, "[]", &[Value::sym(key.sym())])
    }

    fn rb_thread_local_aset(ec, thread: Value, key: Id, v: Value) -> Value {
        named(ec, thread, "[]=", &[Value::sym(key.sym()), v])
    }

    /// C: VALUE rb_thread_create(VALUE (*func)(void *), void *arg);
    fn rb_thread_create(ec, function: Func, data: Opaque) -> Value {
        let body = |ec: &mut Ec, data: Value, _args: Args<'_>| -> Res {
            let words = [asterism_object::array::at(data, 0), asterism_object::array::at(data, 1)];
            let [Some(function), Some(word)] = words.map(|v| v.and_then(|v| ec.to_i64(v).ok())) else {
                return Err(ec.fatal("a thread in C without its function"));
            };
            let taken = lock::take(ec);
            // SAFETY: the function is one for `rb_thread_create`.
            let result = unsafe { call_c_value(ec, Func::of_word(function as u64).0, &[word as u64]) };
            if taken {
                lock::give(ec);
            }
            result
        };
        let (a, b) = (ec.int(function.word() as i64)?, ec.int(data.word() as i64)?);
        let pair = ec.array(&[a, b])?;
        let proc = asterism_vm::block::Proc::native(ec, body, pair, false)?;
        let class = ec.class(WellKnown::Thread);
        in_ruby(ec, |ec| ec.call_block(class, asterism_symbol::intern("new"), &[], asterism_vm::Block::of_value(proc.0)))
    }

    fn rb_asterism_wait_for(ec, seconds: c_long, micros: c_long) {
        let time = ec.float(seconds as f64 + micros as f64 / 1e6)?;
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "sleep", &[time])?;
        Ok(())
    }

    fn rb_thread_sleep(ec, seconds: c_int) {
        let time = ec.int(i64::from(seconds))?;
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "sleep", &[time])?;
        Ok(())
    }

    fn rb_thread_sleep_forever(ec) {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "sleep", &[])?;
        Ok(())
    }

    fn rb_thread_stop(ec) -> Value {
        let class = ec.class(WellKnown::Thread);
        named(ec, class, "stop", &[])
    }

    fn rb_mutex_new(ec) -> Value {
        let class = ec.class(WellKnown::Mutex);
        named(ec, class, "new", &[])
    }

    /// C: VALUE rb_mutex_synchronize(VALUE mutex, VALUE (*func)(VALUE arg), VALUE arg);
    fn rb_mutex_synchronize(ec, mutex: Value, function: Func, data: Value) -> Value {
        named(ec, mutex, "lock", &[])?;
        // SAFETY: the function is one for `rb_mutex_synchronize`.
        let result = unsafe { call_c_value(ec, function.0, &[data.bits()]) };
        match result {
            Ok(v) => {
                named(ec, mutex, "unlock", &[])?;
                Ok(v)
            }
            Err(_) => {
                let token = ec.pending_token()?;
                named(ec, mutex, "unlock", &[])?;
                Err(ec.rethrow(token))
            }
        }
    }

    fn rb_vm_key_create(_ec) -> c_int {
        static NEXT: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(0);
        Ok(NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
    }

    fn rb_vm_specific_ptr(ec, key: c_int) -> Opaque {
        let word = part(ec).keys.lock().get(&key).copied().unwrap_or(0);
        Ok(Opaque(std::ptr::with_exposed_provenance_mut(word as usize)))
    }

    fn rb_vm_set_specific_ptr(ec, key: c_int, pointer: Opaque) {
        part(ec).keys.lock().insert(key, pointer.word());
        Ok(())
    }

    /// C: VALUE rb_fiber_new(rb_block_call_func_t func, VALUE data);
    fn rb_fiber_new(ec, function: Func, data: Value) -> Value {
        let proc = crate::block::new(ec, function, data.bits(), false)?;
        let class = ec.class(WellKnown::Fiber);
        in_ruby(ec, |ec| ec.call_block(class, asterism_symbol::intern("new"), &[], asterism_vm::Block::of_value(proc)))
    }

    fn rb_fiber_current(ec) -> Value {
        let class = ec.class(WellKnown::Fiber);
        named(ec, class, "current", &[])
    }

    fn rb_fiber_resume(ec, fiber: Value, argc: c_int, argv: In<Value>) -> Value {
        named(ec, fiber, "resume", argv.slice(i64::from(argc)))
    }

    fn rb_fiber_yield(ec, argc: c_int, argv: In<Value>) -> Value {
        let class = ec.class(WellKnown::Fiber);
        named(ec, class, "yield", argv.slice(i64::from(argc)))
    }

    fn rb_fiber_transfer(ec, fiber: Value, argc: c_int, argv: In<Value>) -> Value {
        named(ec, fiber, "transfer", argv.slice(i64::from(argc)))
    }

    fn rb_fiber_raise(ec, fiber: Value, argc: c_int, argv: In<Value>) -> Value {
        named(ec, fiber, "raise", argv.slice(i64::from(argc)))
    }

    fn rb_fiber_scheduler_current(ec) -> Value {
        let class = ec.class(WellKnown::Fiber);
        named(ec, class, "current_scheduler", &[])
    }

    fn rb_fiber_scheduler_get(ec) -> Value {
        let class = ec.class(WellKnown::Fiber);
        named(ec, class, "scheduler", &[])
    }

}

/// Does the calling thread run Ruby and not C outside of it?
///
/// # Safety
/// None.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ruby_thread_has_gvl_p() -> c_int {
    // SAFETY: nobody else uses it: the thread is here.
    c_int::from(unsafe { crate::entry::current() }.is_some_and(|ec| ec.thread.foreign.outside.is_none()))
}

/// In a function that `rb_thread_call_without_gvl` runs: calls another one that may touch Ruby objects. What that raises goes on
/// when the first one has come back; until then it is given a null pointer.
///
/// # Safety
/// Called by a function in C, with a function that takes and returns a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_thread_call_with_gvl(function: Func, data: Opaque) -> Opaque {
    // SAFETY: the thread is in a blocking region, whose caller does not use it until the region ends, or in a function in C.
    let Some(ec) = (unsafe { crate::entry::current() }) else {
        eprintln!("[BUG] rb_thread_call_with_gvl was called by a thread that runs no Ruby");
        std::process::abort();
    };
    let Some(locked) = ec.thread.foreign.outside.take() else {
        // SAFETY: the caller's contract.
        return unsafe { crate::entry::enter(|ec| called(ec, function, data)) };
    };
    let thread = ec.thread.handle.clone();
    let woken = thread.set_wakes_outside(false);
    let ec: *mut Ec = ec;
    // SAFETY: as above; the region's own function waits for this one.
    let m: &mut asterism_heap::Mutator = unsafe { &mut *ec };
    let result = m.awake(|_| {
        // SAFETY: as above: `awake` uses nothing of it meanwhile.
        let ec = unsafe { &mut *ec };
        let work = std::panic::AssertUnwindSafe(|| {
            let taken = locked && lock::take(ec);
            let result = called(ec, function, data);
            if taken {
                lock::give(ec);
            }
            match result {
                Ok(word) => word,
                Err(_) => {
                    ec.thread.foreign.held =
                        ec.pending_token().unwrap_or_else(|_| ec.pending_exception().unwrap_or(Value::NIL));
                    Opaque(std::ptr::null_mut())
                }
            }
        });
        match std::panic::catch_unwind(work) {
            Ok(word) => word,
            Err(payload) => {
                crate::entry::keep_panic(payload);
                Opaque(std::ptr::null_mut())
            }
        }
    });
    thread.set_wakes_outside(woken);
    // SAFETY: as above.
    unsafe { (*ec).thread.foreign.outside = Some(locked) };
    result
}

/// Calls a function that takes and returns a pointer.
fn called(ec: &mut Ec, function: Func, data: Opaque) -> Res<Opaque> {
    // SAFETY: the function is one for `rb_thread_call_with_gvl`.
    let word = unsafe { crate::entry::call_c(ec, function.0, &[data.word()]) }?;
    Ok(Opaque(std::ptr::with_exposed_provenance_mut(word as usize)))
}

methods! {
    fn rb_thread_wakeup(thread) = "wakeup";
    fn rb_thread_wakeup_alive(thread) = "wakeup";
    fn rb_thread_run(thread) = "run";
    fn rb_thread_kill(thread) = "kill";
    fn rb_mutex_lock(mutex) = "lock";
    fn rb_mutex_unlock(mutex) = "unlock";
    fn rb_mutex_trylock(mutex) = "try_lock";
    fn rb_mutex_locked_p(mutex) = "locked?";
    fn rb_mutex_sleep(mutex, time) = "sleep";
    fn rb_fiber_alive_p(fiber) = "alive?";
}
