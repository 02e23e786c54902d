//! Finalizers: Procs that run after an object has died, and for the survivors when the program ends.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use asterism_heap::{Liveness, Marker};
use asterism_lock::Mutex;
use asterism_object::types::Type;
use asterism_object::{Value, array, ownership};
use asterism_symbol::sym;
use asterism_vm::error::Pending;
use asterism_vm::{Args, Ec, Keep, Place, Res};

/// The callables of one object.
struct Entry {
    /// The object's id, which its finalizers are given.
    id: Value,
    /// An Array of callables.
    procs: Value,
}

/// The finalizers of a VM.
#[derive(Default)]
pub struct Finalizers {
    /// By address of the object. Protected by the lock; no safepoint while it is held.
    living: Mutex<HashMap<u64, Entry>>,
    /// Of objects that have died. Protected by the lock; no safepoint while it is held.
    dead: Mutex<Vec<Entry>>,
    /// A thread runs them. Finalizers do not interrupt finalizers.
    running: AtomicBool,
    /// Some object had finalizers once: what copies objects has to look.
    used: AtomicBool,
}

impl Finalizers {
    /// Have objects with finalizers died?
    fn wait(&self) -> bool {
        !self.dead.lock().is_empty()
    }
}

impl Keep for Finalizers {
    const PLACE: Place = Place::Finalizers;

    fn trace(&self, marker: &mut Marker) {
        for entry in self.living.lock().values().chain(self.dead.lock().iter()) {
            marker.mark(entry.id.bits());
            marker.mark(entry.procs.bits());
        }
    }

    fn after_gc(&self) -> bool {
        self.wait()
    }

    fn clear_weak(&self, liveness: &Liveness) {
        let mut dead = self.dead.lock();
        let mut living = self.living.lock();
        let gone: Vec<u64> = living.keys().copied().filter(|&address| !liveness.is_live_word(address)).collect();
        for address in gone {
            if let Some(entry) = living.remove(&address) {
                dead.push(entry);
            }
        }
    }
}

fn finalizers(ec: &Ec) -> &Finalizers {
    ec.vm().part()
}

/// `ObjectSpace.define_finalizer`
pub fn define(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let object = args[0];
    let callable = match args.get(1) {
        Some(v) => {
            if !ec.respond_to(v, sym::call, true)? {
                let name = ec.class_text_of(v)?;
                return Err(ec.arg_error(format!("wrong type argument {name} (should be callable)")));
            }
            v
        }
        None => match args.block() {
            Some(block) => ec.block_to_proc(block)?,
            None => return Err(ec.arg_error("tried to create Proc object without a block")),
        },
    };
    let number = matches!(object.heap_type(), Some(Type::Float | Type::BigInt | Type::Rational | Type::Complex));
    if !object.is_heap() || number {
        let name = ec.class_name_of(object);
        return Err(ec.arg_error(format!("cannot define finalizer for {name}")));
    }
    if ownership::is_frozen(object) {
        return Err(ec.frozen_error(object));
    }
    let id = super::ids::id_of(ec, object)?;
    let fresh = ec.array(&[callable])?;
    finalizers(ec).used.store(true, Ordering::Relaxed);
    let present = {
        let mut living = finalizers(ec).living.lock();
        match living.get(&object.bits()) {
            Some(entry) => Some(entry.procs),
            None => {
                living.insert(object.bits(), Entry { id, procs: fresh });
                None
            }
        }
    };
    if let Some(procs) = present {
        let mut i = 0;
        while let Some(other) = array::at(procs, i) {
            i += 1;
            // Once is enough.
            if other == callable || ec.call(other, sym::EQ, &[callable])?.truthy() {
                return ec.array(&[Value::fixnum(0), other]);
            }
        }
        ec.array_push(procs, callable)?;
    }
    asterism_heap::keep_alive(object.bits());
    ec.array(&[Value::fixnum(0), callable])
}

/// `ObjectSpace.undefine_finalizer`
pub fn undefine(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let object = args[0];
    if object.is_heap() {
        ec.check_frozen(object)?;
        finalizers(ec).living.lock().remove(&object.bits());
    }
    Ok(object)
}

/// Gives a copy of an object the finalizers of the object.
///
/// # Errors
/// NoMemoryError.
pub fn copy(ec: &mut Ec, from: Value, to: Value) -> Res<()> {
    if !finalizers(ec).used.load(Ordering::Relaxed) {
        return Ok(());
    }
    let Some(procs) = finalizers(ec).living.lock().get(&from.bits()).map(|e| e.procs) else {
        return Ok(());
    };
    let own = array::snapshot(ec, procs);
    let own = ec.check(procs, own)?;
    let id = super::ids::id_of(ec, to)?;
    finalizers(ec).living.lock().insert(to.bits(), Entry { id, procs: own });
    asterism_heap::keep_alive(to.bits());
    Ok(())
}

/// Runs the finalizers of one object. An error: the thread is killed, or what has ended one of them came from outside.
fn run(ec: &mut Ec, id: Value, procs: Value) -> Res<()> {
    let (errinfo, frame) = (ec.fiber.errinfo, ec.fiber.frame);
    let interruptions = ec.thread.interruptions;
    let mut i = 0;
    while let Some(callable) = array::at(procs, i) {
        i += 1;
        if ec.call(callable, sym::call, &[id]).is_err() {
            // Finalizers belong to nobody who could rescue: what they raise is dropped, with a warning when
            // warnings are wanted.
            ec.fiber.frame = frame;
            match ec.take_pending() {
                // A signal or a timeout is for the code that the finalizers run beside.
                outside @ Pending::Exception(_) if ec.thread.interruptions != interruptions => {
                    ec.fiber.errinfo = errinfo;
                    return Err(ec.unwind_with(outside));
                }
                Pending::Exception(e) if ec.vm().verbose.load(Ordering::Relaxed) != 0 => {
                    let shown = match ec.inspect_for_error(callable) {
                        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
                        Err(_) => {
                            ec.take_pending();
                            String::new()
                        }
                    };
                    let text = crate::exception::report::report_uncaught(ec, e);
                    let message = format!("Exception in finalizer {shown}\n{}", String::from_utf8_lossy(&text));
                    if asterism_vm::load::warn(ec, message.trim_end()).is_err() {
                        ec.take_pending();
                    }
                }
                Pending::Kill => {
                    ec.fiber.errinfo = errinfo;
                    return Err(ec.unwind_with(Pending::Kill));
                }
                _ => {}
            }
        }
    }
    ec.fiber.errinfo = errinfo;
    Ok(())
}

/// Somebody runs finalizers: until he returns, or is a fiber that nobody goes on with.
struct Running<'a>(&'a AtomicBool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Runs the finalizers of objects that have died, unless that is going on.
///
/// # Errors
/// That the thread is killed meanwhile; what signals and other threads raise in it. What finalizers raise is shown as a warning.
pub fn run_pending_finalizers(ec: &mut Ec) -> Res<()> {
    if !finalizers(ec).wait() || finalizers(ec).running.swap(true, Ordering::AcqRel) {
        return Ok(());
    }
    let vm = ec.vm_arc();
    let _running = Running(&vm.part::<Finalizers>().running);
    let mut result = Ok(());
    while result.is_ok() {
        // The entry leaves the lock for this machine stack, where the collector finds it.
        let next = finalizers(ec).dead.lock().pop().map(|e| (e.id, e.procs));
        match next {
            Some((id, procs)) => result = run(ec, id, procs),
            None => break,
        }
    }
    if result.is_err() {
        // The others run at the next poll.
        ec.vm().finalizers_wait.store(true, Ordering::Release);
    }
    result
}

/// At the end of the program: runs the finalizers of all objects, dead or not.
pub fn run_all_finalizers(ec: &mut Ec) {
    while !ec.thread.handle.is_forced() {
        if run_pending_finalizers(ec).is_err() {
            match ec.take_pending() {
                // A signal: each of them could go on for ever.
                Pending::Exception(_) => return,
                _ => continue,
            }
        }
        let next = {
            let mut dead = finalizers(ec).dead.lock();
            // All at once: to look for one after the other in a table that gets empty takes longer each time.
            dead.extend(finalizers(ec).living.lock().drain().map(|(_, entry)| entry));
            dead.pop().map(|e| (e.id, e.procs))
        };
        // Here too, in case that who is at it in `run_pending_finalizers` is never to go on.
        match next {
            Some((id, procs)) => {
                if run(ec, id, procs).is_err() && matches!(ec.take_pending(), Pending::Exception(_)) {
                    return;
                }
            }
            None => return,
        }
    }
}
