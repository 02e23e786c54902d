//! Ractors: groups of threads of a VM that share nothing which changes.
//!
//! A Ractor has no heap and no lock of its own: its threads are threads of the VM like others, and what makes it a Ractor
//! is what they may reach. The Ec of a thread that is not in the main Ractor names its Ractor (`ec.thread.ractor`); the accesses of
//! constants, class variables, globals and variables of classes look there off their fast paths. What several
//! Ractors may have is said in `shareable`, what a block refers to around it in `isolate`, and `port` is what they
//! send each other messages through.

pub mod access;
mod handle;
pub mod isolate;
pub(crate) mod known;
mod messages;
pub mod port;
pub mod shareable;
mod way;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_object::data::{self};
use asterism_object::space::WellKnown;
use asterism_object::{Value, ownership};
use asterism_symbol::intern;

use crate::ec::{Ec, Raised, Res};
use crate::thread::{RubyThread, Slot};
use handle::{ABORTED, EXITED, End, GONE};
pub use handle::{MAIN, Part, Ractor, RactorObject};

/// The Ractor that an object stands for.
pub fn of_object(object: &Value) -> Option<&Arc<Ractor>> {
    data::get::<RactorObject>(object).map(|object| &object.0)
}

/// Gives a Ractor its object, of `class`.
///
/// # Errors
/// NoMemoryError.
pub fn make_object(ec: &mut Ec, ractor: &Arc<Ractor>, class: Value) -> Res {
    let made = data::new(ec, class, RactorObject(ractor.clone()));
    let object = ec.check(Value::NIL, made)?;
    ractor.object.store(object, Ordering::Release);
    let port = messages::make(ec, ractor)?;
    ec.freeze(port)?;
    ractor.set(Part::DefaultPort, port);
    ownership::release(ec, port);
    ownership::release(ec, object);
    Ok(object)
}

impl Ec {
    /// Is the running thread in a Ractor that is not the main one?
    #[inline(always)]
    pub fn is_restricted(&self) -> bool {
        self.thread.ractor.is_some()
    }

    /// The number of the running Ractor.
    #[inline]
    pub fn ractor_id(&self) -> u64 {
        self.thread.ractor.as_ref().map_or(MAIN, |ractor| ractor.id)
    }

    /// The running Ractor.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn current_ractor(&mut self) -> Res<Arc<Ractor>> {
        match &self.thread.ractor {
            Some(ractor) => Ok(ractor.clone()),
            None => self.main_ractor(),
        }
    }

    /// The main Ractor, which gets its object when it is first asked for.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn main_ractor(&mut self) -> Res<Arc<Ractor>> {
        let vm = self.vm_arc();
        let main = vm.threads.main();
        let object = main.get(Slot::Ractor);
        if let Some(ractor) = of_object(&object) {
            return Ok(ractor.clone());
        }
        let ractor = Arc::new(Ractor::new(MAIN));
        ractor.set_thread(main);
        let class = self.class(WellKnown::Ractor);
        let made = make_object(self, &ractor, class)?;
        // Another thread may have been faster: its Ractor counts then.
        let object = main.set_if_nil(Slot::Ractor, made);
        match of_object(&object) {
            Some(ractor) => Ok(ractor.clone()),
            None => Err(self.fatal("the main Ractor has no object")),
        }
    }

    /// A class or constant of `Ractor`, for errors.
    pub fn ractor_class(&mut self, name: &str) -> Value {
        let ractor = self.known(WellKnown::Ractor);
        self.own_constant(ractor, intern(name)).unwrap_or(Value::NIL)
    }

    /// Raises one of the errors of Ractor.
    pub fn ractor_error(&mut self, class: &str, message: impl AsRef<[u8]>) -> Raised {
        let class = self.ractor_class(class);
        self.raise_class(class, message.as_ref())
    }

    /// Raises `Ractor::IsolationError`.
    #[cold]
    pub fn isolation_error(&mut self, message: impl AsRef<[u8]>) -> Raised {
        self.ractor_error("IsolationError", message)
    }

    /// `Ractor::IsolationError` unless the main Ractor runs.
    ///
    /// # Errors
    /// `Ractor::IsolationError`, with this message.
    pub fn check_main_ractor(&mut self, message: &str) -> Res<()> {
        if self.is_restricted() { Err(self.isolation_error(message)) } else { Ok(()) }
    }
}

/// The block of a Ractor has ended, on its first thread: those who wait are told, and its other threads end.
pub(crate) fn ended(ec: &mut Ec, ractor: &Arc<Ractor>, thread: &Arc<RubyThread>) {
    let exception = thread.get(Slot::Exception);
    let aborted = exception.truthy();
    ractor.set(Part::Result, if aborted { exception } else { thread.get(Slot::Result) });
    ractor.closed.store(true, Ordering::Release);
    ractor.state.store(if aborted { ABORTED } else { EXITED }, Ordering::Release);
    let End { waiting, monitors, .. } = {
        let mut end = ractor.end.lock();
        std::mem::replace(&mut *end, End { over: true, ..End::default() })
    };
    for waiter in waiting {
        waiter.unpark();
    }
    let token = Value::sym(intern(if aborted { "aborted" } else { "exited" }));
    for port in monitors {
        // A port that is closed, or has no room, is not told.
        port.offer(token);
    }
    ec.wake_fibers_quietly();
    end_others(ec, ractor, thread);
    ractor.state.fetch_or(GONE, Ordering::AcqRel);
    ec.vm().threads.ractors.fetch_sub(1, Ordering::AcqRel);
}

/// Kills the other threads of a Ractor and waits for them.
fn end_others(ec: &mut Ec, ractor: &Arc<Ractor>, me: &Arc<RubyThread>) {
    loop {
        let living = ec.vm().threads.living();
        let mut others = living.into_iter().filter(|t| t.ractor_id() == ractor.id && !Arc::ptr_eq(t, me)).peekable();
        if others.peek().is_none() {
            return;
        }
        for other in others {
            // Again each time: an ensure clause may have swallowed the first one.
            if !other.is_interrupted() {
                other.kill();
            }
            let until = crate::thread::deadline_after(std::time::Duration::from_millis(100));
            if ec.join_thread(&other, until).is_err() {
                // The VM ends this thread too, and the others with it.
                ec.take_pending();
                return;
            }
        }
    }
}
