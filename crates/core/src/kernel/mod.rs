//! Kernel's functions: raise, catch and throw, ending the program, conversion functions.

mod convert;
pub mod exit;
pub mod raise;

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_vm::{Args, Ec, NativeDef, Res};

static VARIABLES: &[NativeDef] = &[NativeDef::new("global_variables", global_variables, 0, 0)];

fn global_variables(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let names = ec.vm().gvars.names();
    let list = ec.array_with_capacity(names.len())?;
    for name in names {
        ec.array_push(list, Value::sym(name))?;
    }
    // Those of the last match are there as far as it has set them.
    let matched = ec.gvar_get(asterism_symbol::intern("$~"))?;
    if !matched.is_nil() {
        let groups = ec.call(matched, asterism_symbol::intern("captures"), &[])?;
        for i in 0..asterism_object::array::len(groups) {
            if asterism_object::array::at(groups, i).is_some_and(|v| !v.is_nil()) {
                let name = asterism_symbol::intern(&format!("${}", i + 1));
                ec.array_push(list, Value::sym(name))?;
            }
        }
    }
    Ok(list)
}

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let kernel = ec.known(WellKnown::Kernel);
    for list in [raise::KERNEL, exit::KERNEL, convert::KERNEL] {
        ec.define_module_functions(kernel, list)?;
    }
    ec.define_module_functions(kernel, VARIABLES)?;
    let process = ec.known(WellKnown::Process);
    ec.define_singleton_natives(process, exit::KERNEL)
}
