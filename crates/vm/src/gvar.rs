//! Global variables of a VM.
//!
//! A variable, once known, stays: readers keep its address (each worker remembers the ones it used last) and
//! access its value without a lock.

use std::sync::atomic::Ordering;

use asterism_object::{Sym, Value, array};

use crate::args::CallArgs;
use crate::call::CallKind;
use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::vm::Root;
pub(crate) use table::GvarPattern;
use table::SIZE;
pub use table::{Cache, Getter, Gvar, Gvars, Setter};

mod table;

/// A [`Setter`] that refuses.
///
/// # Errors
/// NameError, always.
pub fn read_only(ec: &mut Ec, name: Sym, _value: Value) -> Res<()> {
    let message = format!("{} is a read-only variable", name.text());
    Err(ec.raise(Exc::NameError, message))
}

impl Ec {
    #[inline]
    fn gvar(&mut self, name: Sym) -> &Gvar {
        let vm = &self.vm;
        let stamp = vm.gvar_aliases.load(Ordering::Acquire);
        if self.worker.gvars.stamp != stamp {
            self.worker.gvars = Cache { stamp, ..Cache::new() };
        }
        let slot = &mut self.worker.gvars.slots[name.0 as usize % SIZE];
        if slot.as_ref().is_none_or(|(cached, _)| *cached != name) {
            *slot = None;
        }
        &slot.get_or_insert_with(|| (name, vm.gvars.get(name))).1
    }

    /// The value of `$name`.
    ///
    /// # Errors
    /// What a special variable's getter raises; what `Warning.warn` raises for one that was never set; NoMemoryError
    /// for a Ractor's own stream.
    pub fn gvar_get(&mut self, name: Sym) -> Res {
        if self.is_restricted()
            && let Some(own) = (self.vm().hooks.own_stream)(self, name)?
        {
            return Ok(own);
        }
        let gvar = self.gvar(name);
        if let Some(getter) = gvar.getter {
            return getter(self, name);
        }
        let value = gvar.value.load(Ordering::Acquire);
        if value.is_undef() {
            if self.vm().verbose.load(Ordering::Relaxed) == 2 {
                crate::warning::warn(self, &format!("global variable '{}' not initialized", name.text()))?;
            }
            return Ok(Value::NIL);
        }
        Ok(value)
    }

    /// `$name = value`
    ///
    /// # Errors
    /// What a special variable's setter raises, NameError for one that cannot be set; what `trace_var` has registered
    /// raises.
    pub fn gvar_set(&mut self, name: Sym, value: Value) -> Res<()> {
        let gvar = self.gvar(name);
        let traced = !gvar.traces.load(Ordering::Relaxed).is_nil();
        match gvar.setter {
            Some(setter) => setter(self, name, value)?,
            None => gvar.value.store(value, Ordering::Release),
        }
        if traced { self.run_traces(name, value) } else { Ok(()) }
    }

    /// Runs what `trace_var` has registered for `$name`.
    #[cold]
    fn run_traces(&mut self, name: Sym, value: Value) -> Res<()> {
        let gvar = self.vm().gvars.get(name);
        let me = self.fiber.id;
        let before = gvar.tracing.swap(me, Ordering::AcqRel);
        if before == me {
            return Ok(());
        }
        let traces = gvar.traces.load(Ordering::Acquire);
        let mut done = Ok(());
        for i in 0..if traces.is_nil() { 0 } else { array::len(traces) } {
            let trace = array::get(traces, i as i64);
            let ran = match crate::block::Proc::from_value(trace) {
                Some(_) => self.call_proc(trace, &CallArgs::plain(&[value])),
                None => {
                    let main = self.vm().root(Root::MainObject);
                    self.call_with(main, asterism_symbol::intern("eval"), &CallArgs::plain(&[trace]), CallKind::Private)
                }
            };
            if let Err(raised) = ran {
                done = Err(raised);
                break;
            }
        }
        asterism_heap::keep_alive(traces.bits());
        gvar.tracing.store(before, Ordering::Release);
        done
    }

    /// Is `$name` defined?
    pub fn gvar_defined(&mut self, name: Sym) -> bool {
        self.vm().gvars.find(name).is_some_and(|g| g.getter.is_some() || !g.value.load(Ordering::Acquire).is_undef())
    }
}
