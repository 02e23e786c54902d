//! Global variables of a VM.
//!
//! A variable, once known, stays: readers keep its address (each Ec remembers the ones it used last) and
//! access its value without a lock.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::Marker;
use asterism_lock::RwLock;
use asterism_object::{AtomicValue, Sym, Value, array};

use crate::args::CallArgs;
use crate::call::CallKind;
use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::image::Word;
use crate::vm::Root;

/// Computes a special variable's value.
pub type Getter = fn(&mut Ec, Sym) -> Res;
/// Sets a special variable, or raises.
pub type Setter = fn(&mut Ec, Sym, Value) -> Res<()>;

/// A [`Setter`] that refuses.
///
/// # Errors
/// NameError, always.
pub fn read_only(ec: &mut Ec, name: Sym, _value: Value) -> Res<()> {
    let message = format!("{} is a read-only variable", name.text());
    Err(ec.raise(Exc::NameError, message))
}

/// One global variable.
pub struct Gvar {
    /// Its value, unless a getter computes it; undef while never assigned.
    pub value: AtomicValue,
    /// For special variables.
    pub getter: Option<Getter>,
    /// For special variables.
    pub setter: Option<Setter>,
    /// What `trace_var` has registered: an Array of Procs and Strings that is never changed, the newest first; or nil.
    pub traces: AtomicValue,
    /// The fiber that runs them (`Ec::fiber_id`), or 0: what it assigns meanwhile runs none.
    tracing: AtomicU64,
}

impl Gvar {
    fn new(getter: Option<Getter>, setter: Option<Setter>, value: Value) -> Gvar {
        let (value, traces) = (AtomicValue::new(value), AtomicValue::new(Value::NIL));
        Gvar { value, getter, setter, traces, tracing: AtomicU64::new(0) }
    }
}

/// The variables that a VM begins with.
pub(crate) struct GvarPattern {
    variables: Vec<(Option<Getter>, Option<Setter>, Word)>,
    /// Names, and which variable each means.
    names: Vec<(Sym, usize)>,
}

/// A VM's global variables.
#[derive(Default)]
pub struct Gvars {
    /// Names to variables; several names may lead to one variable (`alias $a $b`). Never shrinks.
    table: RwLock<HashMap<Sym, Arc<Gvar>>>,
}

impl Gvars {
    /// The variable, made if it is new.
    pub fn get(&self, name: Sym) -> Arc<Gvar> {
        if let Some(found) = self.table.read().get(&name) {
            return found.clone();
        }
        self.table.write().entry(name).or_insert_with(|| Arc::new(Gvar::new(None, None, Value::UNDEF))).clone()
    }

    /// The variable, if there is one.
    pub fn find(&self, name: Sym) -> Option<Arc<Gvar>> {
        self.table.read().get(&name).cloned()
    }

    /// Declares a variable with accessors (at VM start).
    pub fn define(&self, name: Sym, getter: Option<Getter>, setter: Option<Setter>, value: Value) {
        let gvar = Gvar::new(getter, setter, value);
        self.table.write().insert(name, Arc::new(gvar));
    }

    /// Makes `new` another name of `old`.
    pub fn alias(&self, new: Sym, old: Sym) {
        let gvar = self.get(old);
        self.table.write().insert(new, gvar);
    }

    /// All names.
    pub fn names(&self) -> Vec<Sym> {
        let mut names: Vec<Sym> = self.table.read().keys().copied().collect();
        names.sort();
        names
    }

    /// What another VM's variables can be made of.
    pub(crate) fn pattern(&self, mut word: impl FnMut(u64) -> Word) -> GvarPattern {
        let table = self.table.read();
        let mut pattern = GvarPattern { variables: Vec::new(), names: Vec::new() };
        let mut numbers = HashMap::new();
        for (&name, gvar) in table.iter() {
            let number = *numbers.entry(Arc::as_ptr(gvar)).or_insert_with(|| {
                pattern.variables.push((gvar.getter, gvar.setter, word(gvar.value.load(Ordering::Acquire).bits())));
                pattern.variables.len() - 1
            });
            pattern.names.push((name, number));
        }
        pattern
    }

    /// Defines what a pattern says.
    pub(crate) fn install(&self, pattern: &GvarPattern, word: impl Fn(Word) -> Value) {
        let made = |&(getter, setter, value): &(Option<Getter>, Option<Setter>, Word)| {
            Arc::new(Gvar::new(getter, setter, word(value)))
        };
        let made: Vec<_> = pattern.variables.iter().map(made).collect();
        let mut table = self.table.write();
        table.extend(pattern.names.iter().map(|&(name, number)| (name, made[number].clone())));
    }

    /// Marks the values (world stopped).
    pub fn trace(&self, marker: &mut Marker) {
        // The world is stopped and writers hold this lock only in a few instructions without a safepoint.
        for gvar in self.table.read().values() {
            gvar.value.mark(marker);
            gvar.traces.mark(marker);
        }
    }
}

const SIZE: usize = 32;

/// The variables an Ec used last. Entries stay valid when a name is aliased later, except the name itself;
/// the VM's alias counter tells.
pub struct Cache {
    slots: [Option<(Sym, Arc<Gvar>)>; SIZE],
    stamp: u64,
}

impl Cache {
    /// An empty one.
    pub fn new() -> Cache {
        Cache { slots: [const { None }; SIZE], stamp: 0 }
    }
}

impl Default for Cache {
    fn default() -> Self {
        Cache::new()
    }
}

impl Ec {
    #[inline]
    fn gvar(&mut self, name: Sym) -> &Gvar {
        let vm = self.vm();
        let stamp = vm.gvar_aliases.load(Ordering::Acquire);
        if self.gvars.stamp != stamp {
            self.gvars = Cache { stamp, ..Cache::new() };
        }
        let slot = &mut self.gvars.slots[name.0 as usize % SIZE];
        if slot.as_ref().is_none_or(|(cached, _)| *cached != name) {
            *slot = None;
        }
        &slot.get_or_insert_with(|| (name, vm.gvars.get(name))).1
    }

    /// The value of `$name`.
    ///
    /// # Errors
    /// What a special variable's getter raises.
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
                crate::load::warn(self, &format!("global variable '{}' not initialized", name.text()))?;
            }
            return Ok(Value::NIL);
        }
        Ok(value)
    }

    /// `$name = value`
    ///
    /// # Errors
    /// What a special variable's setter raises.
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
        let me = self.fiber_id;
        let before = gvar.tracing.swap(me, Ordering::AcqRel);
        if before == me {
            return Ok(());
        }
        let traces = gvar.traces.load(Ordering::Acquire);
        let mut done = Ok(());
        for i in 0..if traces.is_nil() { 0 } else { array::len(traces) } {
            let trace = array::get(traces, i as i64);
            let ran = match crate::block::Proc::from_value(trace) {
                Some(_) => self.call_proc(trace, CallArgs::plain(&[value])),
                None => {
                    let main = self.vm().root(Root::MainObject);
                    self.call_with(main, asterism_symbol::intern("eval"), CallArgs::plain(&[trace]), CallKind::Private)
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
