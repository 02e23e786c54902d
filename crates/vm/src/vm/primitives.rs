//! The primitives that prelude code calls.

use std::collections::HashMap;
use std::sync::Arc;

use asterism_object::Sym;

use super::Vm;
use crate::native::PrimFn;

impl Vm {
    /// The prelude primitives.
    pub(crate) fn primitives_arc(&self) -> Arc<HashMap<Sym, PrimFn>> {
        self.primitives.read().clone()
    }

    /// A prelude primitive.
    pub(crate) fn primitive(&self, name: Sym) -> Option<PrimFn> {
        self.primitives.read().get(&name).copied()
    }

    /// Adds prelude primitives (at boot).
    pub fn add_primitives(&self, list: &[(&str, PrimFn)]) {
        let mut table = self.primitives.write();
        let table = Arc::make_mut(&mut table);
        for (name, function) in list {
            table.insert(asterism_symbol::intern(name), *function);
        }
    }
}
