//! How a thread starts, runs its block and ends.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use asterism_heap::Slot as Place;
use asterism_heap::{Charge, IdleLane};
use asterism_object::types::Type;
use asterism_object::{Value, array, ownership, string};
use asterism_symbol::sym;

use super::handle::{RubyThread, Slot, Status};
use super::table::{Job, Kept};
use crate::args::{CallArgs, Keywords};
use crate::block::Block;
use crate::call::CallKind;
use crate::ec::{Ec, Raised, Res};
use crate::error::{Exc, Pending};
use crate::fiber::scheduler::Parked;
use crate::interp::trace::Event;
use crate::stack::Stack;
use crate::vm::Vm;

/// Bytes of machine stack of a thread's native thread. Ruby calls do not use it; natives that call Ruby do.
pub const MACHINE_STACK: usize = 4 << 20;

/// How long an idle native thread waits for work.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a thread takes beside objects, about: the pages of its stacks that it touches, and what allocators keep for it.
const THREAD_BYTES: usize = 96 << 10;
/// So many threads a VM may have. The system would refuse somewhat more while a native thread starts, where nobody can be told.
const MOST_THREADS: usize = 11_000;

/// What a new thread is to run.
pub struct Start {
    /// The Proc.
    pub body: Value,
    /// Its arguments, an Array; keyword arguments are a Hash marked as such at the end.
    pub arguments: Value,
}

/// Starts `thread`, which has its object already.
///
/// # Errors
/// ThreadError if the system has no thread left.
pub fn start(ec: &mut Ec, thread: &Arc<RubyThread>, start: Start) -> Res<()> {
    if ec.vm().threads.count() >= MOST_THREADS {
        thread.set_status(Status::Dead);
        return Err(ec.raise(Exc::ThreadError, "can't create Thread: Resource temporarily unavailable"));
    }
    let charge = match ec.charge(THREAD_BYTES) {
        Ok(charge) => charge,
        Err(raised) => {
            thread.set_status(Status::Dead);
            return Err(raised);
        }
    };
    // What is handed over belongs to the new thread: nobody shall have to ask this one for it.
    for i in 0..array::len(start.arguments) {
        let argument = array::get(start.arguments, i as i64);
        ownership::release(ec, argument);
    }
    ownership::release(ec, start.arguments);
    ownership::release(ec, start.body);
    ownership::release(ec, thread.object());
    thread.set(Slot::Body, start.body);
    thread.set(Slot::Arguments, start.arguments);
    ec.races_before_thread();
    let parent = ec.thread.handle.clone();
    thread.priority.store(parent.priority.load(Ordering::Relaxed), Ordering::Relaxed);
    // The first thread of a Ractor begins with nothing of its maker's.
    let own = thread.ractor().is_some();
    if !own {
        thread.set(Slot::Group, parent.get(Slot::Group));
        thread.set(Slot::Masks, parent.get(Slot::Masks));
        if let Some(ractor) = &ec.thread.ractor {
            thread.enter_ractor(ractor);
        }
    }
    if !own && !ec.fiber_storage().is_nil() {
        let storage = ec.hash_dup(ec.fiber_storage())?;
        ownership::release(ec, storage);
        thread.set(Slot::Storage, storage);
    }
    let vm = ec.vm_arc();
    let threads = &vm.threads;
    thread.report_on_exception.store(threads.report_on_exception.load(Ordering::Relaxed), Ordering::Relaxed);
    if ec.thread.foreign.alone {
        (ec.vm().hooks.second_thread)(ec);
    }
    threads.add(thread.clone());
    ec.race_release(thread.object());
    let (vm, own) = (ec.vm_arc(), thread.clone());
    let job: Job = Box::new(move |kept, bounds| run(vm, own, charge, kept, bounds));
    let Err(job) = threads.pool.submit(job) else { return Ok(()) };
    let pool = threads.pool.clone();
    let starting = asterism_lock::gate::starting();
    let spawned = Stack::reserve().and_then(|stack| {
        std::thread::Builder::new().name("ruby".into()).stack_size(MACHINE_STACK).spawn(move || {
            let _running = starting.begin();
            work(&pool, job, Kept { stack, lane: IdleLane::default() });
        })
    });
    match spawned {
        Ok(_) => Ok(()),
        Err(error) => {
            threads.remove(thread);
            thread.set_status(Status::Dead);
            Err(ec.raise(Exc::ThreadError, format!("can't create Thread: {}", reason(&error))))
        }
    }
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::WouldBlock => "Resource temporarily unavailable".into(),
        _ => error.to_string(),
    }
}

/// The life of a native thread: runs jobs until there has been none for a while.
fn work(pool: &asterism_heap::Pool<Job>, first: Job, mut kept: Kept) {
    let place = Place::new();
    let bounds = asterism_heap::stack_bounds();
    let mut next = Some(first);
    while let Some(job) = next {
        let Some(given_back) = job(kept, bounds) else { return };
        kept = given_back;
        // The next Ruby thread has no part in what this one has fought over.
        asterism_lock::restrict::release();
        next = pool.wait(&place, Some(PATIENCE));
    }
}

/// Runs one Ruby thread to its end. After an internal error the native thread is not to be used again. The charge counts what the thread
/// takes until then.
fn run(vm: Arc<Vm>, thread: Arc<RubyThread>, _charge: Charge, kept: Kept, bounds: (usize, usize)) -> Option<Kept> {
    let mut ec = Ec::new_on(vm.clone(), thread.clone(), kept.stack, bounds);
    ec.reuse_lane(kept.lane);
    thread.started(&ec);
    vm.profiler.started(&thread);
    ec.begin_lane();
    ec.watch_races();
    let done = catch_unwind(AssertUnwindSafe(|| {
        let result = main(&mut ec, &thread);
        let result = ec.end_scheduler(result);
        if ec.vm().threads.ends_process(&thread) {
            (ec.vm().hooks.end_process)(&mut ec, result.map(drop));
        }
        end(&mut ec, &thread, result)
    }));
    let mut status = match done {
        Ok(true) => Status::Dead,
        Ok(false) => Status::Failed,
        Err(_) => {
            break_off(&mut ec, &thread);
            Status::Failed
        }
    };
    release_locks(&mut ec);
    ec.race_release(thread.object());
    ec.note_thread_name(&thread);
    ec.note_lane_name();
    if let Some(ractor) = thread.ractor()
        && ractor.is_first(&thread)
    {
        crate::ractor::ended(&mut ec, ractor, &thread);
    }
    if let Err(raised) = wake_joining_fibers(&mut ec, &thread) {
        // As if the thread had raised it, which its joiners have not seen yet.
        status = if end(&mut ec, &thread, Err(raised)) { Status::Dead } else { Status::Failed };
        ec.wake_fibers_quietly();
    }
    ec.race_end();
    let kept = match done {
        Ok(_) => {
            ec.end_pinned_fibers();
            ec.thread.end_root_fiber();
            thread.stopped();
            let lane = ec.end_lane();
            Some(Kept { stack: ec.detach(), lane })
        }
        Err(_) => {
            thread.stopped();
            drop(ec);
            None
        }
    };
    // From here on the thread's objects are unowned, and this native thread touches none.
    thread.set_status(status);
    let waiting = {
        let mut joiners = thread.joiners.lock();
        joiners.ended = true;
        std::mem::take(&mut joiners.waiting)
    };
    for joiner in waiting {
        joiner.unpark();
    }
    // After the joiners were woken: one who still waits must not find itself alone in the world.
    vm.threads.remove(&thread);
    vm.threads.check_deadlock();
    kept
}

/// The implementation has failed in this thread, which the panic's hook has told. It ends at once, and whoever joins it is told.
fn break_off(ec: &mut Ec, thread: &Arc<RubyThread>) {
    // What natives kept went with their frames.
    ec.fiber.root_vecs.clear();
    let _raised = ec.fatal("the thread was ended by an internal error");
    if let Pending::Exception(exception) = ec.take_pending() {
        thread.set(Slot::Exception, exception);
        ownership::release(ec, exception);
    }
}

/// Wakes the fibers that wait for the thread's end, while it can still call their schedulers.
///
/// # Errors
/// As [`Ec::wake_fibers`].
fn wake_joining_fibers(ec: &mut Ec, thread: &RubyThread) -> Res<()> {
    {
        let mut joiners = thread.joiners.lock();
        joiners.ending = true;
        joiners.waiting.retain(|joiner| match joiner {
            Parked::Thread(_) => true,
            Parked::Fiber(wait) => {
                wait.wake();
                false
            }
        });
    }
    ec.wake_fibers()
}

/// The block's value, or what it raised.
fn main(ec: &mut Ec, thread: &Arc<RubyThread>) -> Res {
    // Raised into it or killed before it began.
    super::check_interrupts(ec)?;
    if let Some(tracer) = ec.vm().tracer() {
        ec.set_tracer(Some(tracer));
        ec.tell_tracer(Event::ThreadBegin)?;
    }
    let (body, arguments) = (thread.get(Slot::Body), thread.get(Slot::Arguments));
    let n = array::len(arguments);
    let slice = array::private_slice(&arguments);
    let keywords = slice.last().copied().filter(|v| v.is_type(Type::Hash) && asterism_object::hash::is_kw(*v));
    let call = match keywords {
        Some(h) => CallArgs { argv: &slice[..n - 1], keywords: Keywords::Hash(h), block: Block::NONE },
        None => CallArgs::plain(slice),
    };
    let result = ec.call_proc(body, &call);
    asterism_heap::keep_alive(arguments.bits());
    ec.tell_end(result)
}

/// Notes how the thread ended; whether normally.
fn end(ec: &mut Ec, thread: &Arc<RubyThread>, result: Res) -> bool {
    let raised = match result {
        Ok(value) => {
            ownership::release(ec, value);
            thread.set(Slot::Result, value);
            return true;
        }
        Err(raised) => raised,
    };
    // Nothing raised or killed from now on may disturb the end.
    let failed = fail(ec, thread, raised);
    ec.thread.pending = Pending::Nothing;
    failed
}

fn fail(ec: &mut Ec, thread: &Arc<RubyThread>, raised: Raised) -> bool {
    let exception = match ec.take_pending() {
        Pending::Exception(e) => e,
        Pending::Kill | Pending::Nothing => return true,
        pending => {
            // A jump out of the block has no target in this thread.
            let message = match pending {
                Pending::Break(..) => "break from proc-closure",
                Pending::Return(..) => "unexpected return",
                _ => "uncaught throw",
            };
            let _unwinding: Raised = raised;
            let _raised = ec.raise(Exc::LocalJumpError, message);
            match ec.take_pending() {
                Pending::Exception(e) => e,
                _ => return true,
            }
        }
    };
    thread.set(Slot::Exception, exception);
    let main = match thread.ractor() {
        None => Some(ec.vm().threads.main().clone()),
        Some(ractor) => ractor.thread().filter(|first| !Arc::ptr_eq(first, thread)),
    };
    let system_exit = ec.exc_class(Exc::SystemExit);
    if ec.is_kind_of(exception, system_exit) {
        // `exit` ends the process, from whatever thread; in a Ractor it ends that.
        ownership::release(ec, exception);
        if let Some(main) = main {
            main.raise(exception);
        }
        return false;
    }
    if thread.report_on_exception.load(Ordering::Relaxed)
        && let Err(_again) = report(ec, thread, exception)
    {
        // What writing the report raised has nobody to go to.
        ec.thread.pending = Pending::Nothing;
    }
    let threads = &ec.vm().threads;
    let aborts = thread.abort_on_exception.load(Ordering::Relaxed)
        || threads.abort_on_exception.load(Ordering::Relaxed)
        || ec.vm().debug.load(Ordering::Relaxed);
    if let Some(main) = main.filter(|_| aborts) {
        main.raise(exception);
    }
    ownership::release(ec, exception);
    false
}

/// Writes `#<Thread…> terminated with exception…` and the exception to `$stderr`.
fn report(ec: &mut Ec, thread: &Arc<RubyThread>, exception: Value) -> Res<()> {
    let shown = ec.describe_thread(thread);
    let mut text = format!("{shown} terminated with exception (report_on_exception is true):\n").into_bytes();
    let options = ec.new_hash()?;
    ec.hash_set(options, Value::sym(sym::highlight), Value::FALSE)?;
    let call = CallArgs { argv: &[], keywords: Keywords::Hash(options), block: Block::NONE };
    let full = ec.call_with(exception, sym::full_message, &call, CallKind::Private)?;
    let full = ec.to_s(full)?;
    text.extend_from_slice(string::to_string_lossy(ec, full).as_bytes());
    if !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    let line = ec.str(&text)?;
    let stderr = ec.gvar_get(asterism_symbol::intern("$stderr"))?;
    if stderr.is_nil() {
        eprint!("{}", String::from_utf8_lossy(&text));
        return Ok(());
    }
    ec.call(stderr, sym::write, &[line])?;
    Ok(())
}

/// Unlocks what the thread still holds.
pub(super) fn release_locks(ec: &mut Ec) {
    while let Some(mutex) = ec.thread.held.pop() {
        ec.race_release(mutex);
        if let Some(mutex) = asterism_object::data::get::<super::mutex::Mutex>(&mutex) {
            // Perhaps another fiber of the thread has it.
            mutex.lock.unlock(mutex.lock.owner());
        }
    }
}
