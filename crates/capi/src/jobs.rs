//! Postponed jobs: functions in C that the main thread of a VM calls at its next poll, when a signal handler, or any thread, has
//! asked for that.

use std::ffi::c_uint;
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_heap::ThreadState;
use asterism_vm::{Ec, Res};

use crate::entry::{call_c, current};
use crate::job_table::{CHANGE, JOBS, Job, tell};
use crate::lock;
use crate::part::part;
use crate::types::{Func, Opaque};

/// What is returned for one too many.
const INVALID: c_uint = c_uint::MAX;

/// The main thread of the VM, for its jobs.
fn owner(ec: &Ec) -> *mut ThreadState {
    let part = part(ec);
    let known = part.jobs.load(Ordering::Acquire);
    if known != 0 {
        return std::ptr::with_exposed_provenance_mut(known);
    }
    let Some(state) = ec.vm().threads.main().native_state() else { return null_mut() };
    let made = Arc::into_raw(state);
    part.jobs.store(made.expose_provenance(), Ordering::Release);
    made.cast_mut()
}

/// Gives a function a place in the table, the one that it has.
fn register(ec: &Ec, function: Func, data: Opaque) -> c_uint {
    let _change = CHANGE.lock();
    let thread = owner(ec);
    if thread.is_null() {
        return INVALID;
    }
    let mine = |job: &Job| {
        job.thread.load(Ordering::Relaxed) == thread && job.function.load(Ordering::Relaxed) == function.0.cast_mut()
    };
    let free = |job: &Job| job.thread.load(Ordering::Relaxed).is_null();
    let Some(at) = JOBS.iter().position(mine).or_else(|| JOBS.iter().position(free)) else { return INVALID };
    let job = &JOBS[at];
    job.data.store(data.0, Ordering::Release);
    job.function.store(function.0.cast_mut(), Ordering::Release);
    job.thread.store(thread, Ordering::Release);
    at as c_uint
}

/// Calls the functions that were asked for, under the lock of extensions.
///
/// # Errors
/// What the functions raise; the others wait for another time. SystemStackError.
pub fn run(ec: &mut Ec) -> Res<()> {
    let Some(part) = ec.vm().part_if_made::<crate::part::Extensions>() else { return Ok(()) };
    let owner = part.jobs.load(Ordering::Acquire);
    if owner == 0 {
        return Ok(());
    }
    for job in &JOBS {
        if job.thread.load(Ordering::Acquire).expose_provenance() != owner || !job.asked.swap(false, Ordering::AcqRel) {
            continue;
        }
        let data = job.data.load(Ordering::Acquire).expose_provenance() as u64;
        let taken = lock::take(ec);
        // SAFETY: the function was given to be called with these data.
        let result = unsafe { call_c(ec, job.function.load(Ordering::Acquire), &[data]) };
        if taken {
            lock::give(ec);
        }
        if let Err(raised) = result {
            tell(owner);
            return Err(raised);
        }
    }
    Ok(())
}

/// Asks for a job: by any thread, and by a signal handler.
///
/// # Safety
/// None is needed: any number may be given.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_postponed_job_trigger(handle: c_uint) {
    let Some(job) = JOBS.get(handle as usize) else { return };
    let thread = job.thread.load(Ordering::Acquire);
    if !thread.is_null() {
        job.asked.store(true, Ordering::Release);
        tell(thread.expose_provenance());
    }
}

/// Registers a job and asks for it; 0: there is no room. By any thread that runs Ruby, and by others only for a job that is there already.
///
/// # Safety
/// The function takes the data, whenever that is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_postponed_job_register_one(
    _flags: c_uint,
    function: Func,
    data: Opaque,
) -> std::ffi::c_int {
    // SAFETY: only the table and the part are looked at.
    let handle = match unsafe { current() } {
        Some(ec) => register(ec, function, data),
        None => JOBS
            .iter()
            .position(|job| {
                !job.thread.load(Ordering::Acquire).is_null()
                    && job.function.load(Ordering::Acquire) == function.0.cast_mut()
            })
            .map_or(INVALID, |at| {
                JOBS[at].data.store(data.0, Ordering::Release);
                at as c_uint
            }),
    };
    // SAFETY: any number may be given.
    unsafe { rb_postponed_job_trigger(handle) };
    std::ffi::c_int::from(handle != INVALID)
}

/// As `rb_postponed_job_register_one`.
///
/// # Safety
/// As `rb_postponed_job_register_one`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn rb_postponed_job_register(flags: c_uint, function: Func, data: Opaque) -> std::ffi::c_int {
    // SAFETY: the caller's contract.
    unsafe { rb_postponed_job_register_one(flags, function, data) }
}

api! {
    /// C: rb_postponed_job_handle_t rb_postponed_job_preregister(unsigned int flags, rb_postponed_job_func_t func, void *data);
    fn rb_postponed_job_preregister(ec, _flags: c_uint, function: Func, data: Opaque) -> c_uint {
        Ok(register(ec, function, data))
    }
}
