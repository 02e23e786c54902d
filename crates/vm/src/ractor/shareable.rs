//! What several Ractors may have: objects that never change, with all that they refer to, and some that protect themselves.

use std::collections::HashSet;

use asterism_object::address_hash::ByAddress;
use asterism_object::class::Class;
use asterism_object::data::{self, Shared};
use asterism_object::types::{Type, type_of};
use asterism_object::{Value, array, ivars, ownership};
use asterism_symbol::sym;

pub use super::known::Known;
use super::{isolate, way};
use crate::block::Proc;
use crate::ec::{Ec, Raised, Res};

/// Calls `f` with each object that a program reaches from `v` in one step: elements, members, instance variables.
pub fn each_part(ec: &mut Ec, v: Value, f: &mut dyn FnMut(Value)) {
    way::each_step(ec, v, &mut |_, part| f(part));
}

/// What an object is by itself.
enum Own {
    /// Shareable, whatever it refers to.
    Yes,
    /// Shareable if all that it refers to is.
    IfParts,
    No,
}

fn own(v: Value) -> Own {
    let Some(cell) = v.cell() else { return Own::Yes };
    let frozen = ownership::is_frozen(v);
    match type_of(cell) {
        Type::Float | Type::BigInt | Type::Class | Type::Module | Type::IncludeClass => Own::Yes,
        Type::String if frozen && !ivars::may_have_some(v) => Own::Yes,
        Type::Proc => match Proc::from_value(v) {
            Some(proc) if proc.is_isolated() => Own::IfParts,
            _ => Own::No,
        },
        Type::Data => match data::shared(v) {
            Some(Shared::Always) => Own::Yes,
            Some(Shared::Frozen) if frozen => Own::IfParts,
            _ => Own::No,
        },
        _ if frozen => Own::IfParts,
        _ => Own::No,
    }
}

/// Is it ENV? That is the process's, and protects itself.
fn is_env(ec: &mut Ec, v: Value) -> bool {
    let object = ec.known(asterism_object::space::WellKnown::Object);
    v.is_type(Type::Object) && ec.own_constant(object, asterism_symbol::intern("ENV")) == Some(v)
}

/// May several Ractors have `v`?
pub fn is_shareable(ec: &mut Ec, v: Value) -> bool {
    match own(v) {
        Own::Yes => return true,
        Own::No => return is_env(ec, v),
        Own::IfParts => {}
    }
    if ec.worker.shareable.has(v) {
        return true;
    }
    // Frozen, what is looked at keeps all that it refers to alive; there is no safepoint on the way.
    let mut seen: HashSet<u64, ByAddress> = HashSet::default();
    let mut work = vec![v];
    seen.insert(v.bits());
    while let Some(next) = work.pop() {
        let mut all = true;
        each_part(ec, next, &mut |part| {
            all = all
                && match own(part) {
                    Own::Yes => true,
                    Own::No => false,
                    Own::IfParts => {
                        if seen.insert(part.bits()) {
                            work.push(part);
                        }
                        true
                    }
                };
        });
        if !all {
            return false;
        }
    }
    ec.worker.shareable.enter(v);
    asterism_heap::keep_alive(v.bits());
    true
}

/// Is `v` by itself one that only one Ractor may have?
pub(super) fn is_unshareable_itself(v: Value) -> bool {
    matches!(own(v), Own::No)
}

/// Freezes `v` and all that it refers to, so that several Ractors may have it.
///
/// # Errors
/// Ractor::Error or Ractor::IsolationError for what cannot be shared; what the program's own `freeze` raises.
pub fn make_shareable(ec: &mut Ec, v: Value) -> Res<()> {
    let mut seen: HashSet<u64, ByAddress> = HashSet::default();
    // An Array, so that what was found is alive while the program's own methods run.
    let found = ec.array(&[v])?;
    let mut at = 0;
    while let Some(next) = array::at(found, at) {
        at += 1;
        if is_shareable(ec, next) {
            continue;
        }
        make_one_shareable(ec, v, next)?;
        let mut parts = Vec::new();
        each_part(ec, next, &mut |part| {
            if part.is_heap() && seen.insert(part.bits()) {
                parts.push(part);
            }
        });
        for part in parts {
            ec.array_push(found, part)?;
        }
    }
    asterism_heap::keep_alive(found.bits());
    Ok(())
}

fn make_one_shareable(ec: &mut Ec, whole: Value, v: Value) -> Res<()> {
    if let Some(proc) = Proc::from_value(v) {
        isolate::make_shareable(ec, proc, None, proc.is_lambda())?;
        return Ok(());
    }
    if v.is_type(Type::Data) {
        let mut parts = Vec::new();
        data::each_part(&v, &mut |part| parts.push(part));
        let refused_for = match data::shared(v) {
            Some(Shared::Frozen) if is_method(v) && !parts.iter().all(|part| is_shareable(ec, *part)) => {
                " because it refers unshareable objects"
            }
            Some(Shared::Frozen | Shared::Always) => "",
            _ => {
                return Err(refused(ec, whole, v, "")?);
            }
        };
        if !refused_for.is_empty() {
            return Err(refused(ec, whole, v, refused_for)?);
        }
    }
    freeze(ec, v)?;
    if !ownership::is_frozen(v) {
        return Err(ec.ractor_error("Error", "#freeze does not freeze object correctly"));
    }
    Ok(())
}

/// Ractor::Error: `v`, which is `whole` or a part of it, cannot be made shareable.
fn refused(ec: &mut Ec, whole: Value, v: Value, why: &str) -> Res<Raised> {
    let shown = ec.inspect_for_error(v)?;
    let place = ec.place_of_part(whole, v);
    let message = [b"can not make shareable object for ".as_slice(), &shown, why.as_bytes(), place.as_bytes()].concat();
    Ok(ec.ractor_error("Error", message))
}

/// Is it a Method or UnboundMethod? They are shared as they are: what they refer to is not frozen for them.
fn is_method(v: Value) -> bool {
    data::type_name(v) == Some("method")
}

fn freeze(ec: &mut Ec, v: Value) -> Res<()> {
    if ownership::is_frozen(v) {
        return Ok(());
    }
    let class: Class = ec.class_of(v);
    let native = ec.find_method(class, sym::freeze).1.is_some_and(|f| f.method.is_native_of_core());
    if native && v.is_type(Type::String) {
        ownership::freeze(ec, v);
    } else {
        ec.call(v, sym::freeze, &[])?;
    }
    Ok(())
}
