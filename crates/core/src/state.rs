//! What this crate keeps per VM, and the hooks of the VM that no one class owns.

use asterism_heap::{Liveness, Marker};
use asterism_object::class::Class;
use asterism_vm::vm::CoreState;
use asterism_vm::{Ec, Res, Vm};

/// The core classes' state of one VM. Each field protects itself.
#[derive(Default)]
pub struct State {}

impl CoreState for State {
    fn trace(&self, _marker: &mut Marker) {}

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

/// Installs the state.
///
/// # Errors
/// None so far.
pub fn init(ec: &mut Ec) -> Res<()> {
    // The VM is being booted: nobody set it before.
    let _ = ec.vm().core.set(Box::new(State::default()));
    Ok(())
}

/// Allocates instances of classes with native layouts.
///
/// # Errors
/// TypeError if the class cannot be instantiated; NoMemoryError.
pub fn allocate(ec: &mut Ec, class: Class) -> Res {
    let name = ec.class_name(class);
    Err(ec.type_error(format!("allocator undefined for {name}")))
}

/// Clears weak tables in the pause.
pub fn clear_weak(_vm: &Vm, _liveness: &Liveness) {}

/// Runs on the collecting thread after a collection.
pub fn after_gc(_vm: &Vm) {}
