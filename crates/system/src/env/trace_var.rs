//! `trace_var` and `untrace_var`: what runs when a global variable is assigned.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use asterism_object::types::Type;
use asterism_object::{Sym, Value, array, string};
use asterism_vm::block::Proc;
use asterism_vm::gvar::Gvar;
use asterism_vm::{Args, Arguments, Ec, Exc, NativeDef, Res};

pub(super) static KERNEL: &[NativeDef] =
    &[NativeDef::new("trace_var", trace_var, 1, 2), NativeDef::new("untrace_var", untrace_var, 1, 2)];

/// The variable that a Symbol or String names; `make`: also if it is not known yet.
fn variable(ec: &mut Ec, name: Value, make: bool) -> Res<Arc<Gvar>> {
    let name: Sym = match name.as_sym() {
        Some(name) => name,
        None => {
            let text = ec.to_str(name)?;
            asterism_symbol::intern(&string::to_string_lossy(ec, text))
        }
    };
    let gvars = &ec.vm().gvars;
    let known = if make { Some(gvars.get(name)) } else { gvars.find(name) };
    match known {
        Some(gvar) => Ok(gvar),
        None => Err(ec.raise(Exc::NameError, format!("undefined global variable {}", name.text()))),
    }
}

/// Puts `new` in the place of the traces that `old` was made of.
fn replace(gvar: &Gvar, old: Value, new: Value) -> bool {
    gvar.traces.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire).is_ok()
}

fn trace_var(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let trace = match (args.get(1), args.block()) {
        (Some(Value::NIL), _) => return untrace_var(ec, this, &Arguments::new(&args.slice()[..1])),
        (Some(trace), _) => trace,
        (None, Some(block)) => ec.block_to_proc(block)?,
        (None, None) => return Err(ec.arg_error("tried to create Proc object without a block")),
    };
    if Proc::from_value(trace).is_none() && !trace.is_type(Type::String) {
        let class = ec.class_name_of(trace);
        return Err(ec.type_error(format!("no implicit conversion of {class} into String")));
    }
    let gvar = variable(ec, args[0], true)?;
    loop {
        let old = gvar.traces.load(Ordering::Acquire);
        let new = ec.array(&[trace])?;
        for i in 0..if old.is_nil() { 0 } else { array::len(old) } {
            ec.array_push(new, array::get(old, i as i64))?;
        }
        if replace(&gvar, old, new) {
            return Ok(Value::NIL);
        }
    }
}

fn untrace_var(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let gvar = variable(ec, args[0], false)?;
    loop {
        let old = gvar.traces.load(Ordering::Acquire);
        let (kept, taken) = (ec.array(&[])?, ec.array(&[])?);
        for i in 0..if old.is_nil() { 0 } else { array::len(old) } {
            let trace = array::get(old, i as i64);
            let wanted = match args.get(1) {
                None | Some(Value::NIL) => true,
                Some(wanted) => wanted == trace && array::len(taken) == 0,
            };
            ec.array_push(if wanted { taken } else { kept }, trace)?;
        }
        let new = if array::len(kept) == 0 { Value::NIL } else { kept };
        if replace(&gvar, old, new) {
            // CRuby gives nil when the one that was named is none of them.
            let none = args.get(1).is_some_and(|wanted| !wanted.is_nil()) && array::len(taken) == 0;
            return Ok(if none { Value::NIL } else { taken });
        }
    }
}
