//! The variables of the header, `rb_cObject` and the like: those of the VM whose extensions are not for several VMs.

use std::ffi::c_long;
use std::sync::Weak;

use asterism_lock::Mutex;
use asterism_object::Value;
use asterism_vm::vm::Vm;
use asterism_vm::{Ec, Res};

use crate::class::{KNOWN, known};
use crate::part::part;

unsafe extern "C" {
    /// Sets the variables from as many values; how many there are (`c/known.c`).
    fn rb_asterism_set_known(values: *const Value, n: c_long) -> c_long;
}

/// The VM whose classes they are. Written under the lock, with the variables.
static OWNER: Mutex<Weak<Vm>> = Mutex::new(Weak::new());

/// The values that the variables have in the VM that runs, in the table's order.
fn variables(ec: &mut Ec) -> Res<Vec<Value>> {
    // SAFETY: without values nothing is written.
    let count = unsafe { rb_asterism_set_known(std::ptr::null(), 0) } as usize;
    (0..count.min(KNOWN.len())).map(|number| known(ec, number)).collect()
}

/// The variables of the VM that runs, for copies of extensions that are its own: their names, and where they lie as long as the VM.
///
/// # Errors
/// As [`known`](crate::class::known), for each of the variables.
pub fn private(ec: &mut Ec) -> Res<Vec<(&'static str, u64)>> {
    let count = variables(ec)?.len();
    let places = part(ec).known.iter().map(|place| std::ptr::from_ref(place).expose_provenance() as u64);
    Ok(KNOWN.iter().map(|known| known.0).zip(places).take(count).collect())
}

/// Makes the variables those of the VM that runs; whether that could be done: they may be another's that lives.
///
/// # Errors
/// As [`known`](crate::class::known), for each of the variables.
pub fn own(ec: &mut Ec) -> Res<bool> {
    let vm = ec.vm_arc();
    if let Some(owner) = OWNER.lock().upgrade() {
        return Ok(std::sync::Arc::ptr_eq(&owner, &vm));
    }
    let values = variables(ec)?;
    let mut owner = OWNER.lock();
    if let Some(other) = owner.upgrade() {
        return Ok(std::sync::Arc::ptr_eq(&other, &vm));
    }
    // SAFETY: as many values as it is told; what they refer to is kept by the VM's part. Nobody reads them: no extension that
    // uses them has been loaded in a VM that lives.
    unsafe { rb_asterism_set_known(values.as_ptr(), values.len() as c_long) };
    *owner = std::sync::Arc::downgrade(&vm);
    Ok(true)
}

/// Says that the VM that runs has ended: the variables may be another's from now on, though a thread of this one may hold it for a
/// moment yet.
pub fn disown(ec: &Ec) {
    let mut owner = OWNER.lock();
    if std::ptr::eq(owner.as_ptr(), ec.vm()) {
        *owner = Weak::new();
    }
}
