//! The global variables of a VM, and those that a thread used last.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use asterism_heap::Marker;
use asterism_lock::RwLock;
use asterism_object::{AtomicValue, Sym, Value};

use crate::ec::{Ec, Res};
use crate::image::Word;

/// Computes a special variable's value.
pub type Getter = fn(&mut Ec, Sym) -> Res;

/// Sets a special variable, or raises.
pub type Setter = fn(&mut Ec, Sym, Value) -> Res<()>;

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
    /// The fiber that runs them (`RunningFiber::id`), or 0: what it assigns meanwhile runs none.
    pub(super) tracing: AtomicU64,
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

pub(super) const SIZE: usize = 32;

/// The variables a worker used last. Entries stay valid when a name is aliased later, except the name itself;
/// the VM's alias counter tells.
pub struct Cache {
    pub(super) slots: [Option<(Sym, Arc<Gvar>)>; SIZE],
    pub(super) stamp: u64,
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
