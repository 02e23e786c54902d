//! Multiple assignment and pattern matching.

use asterism_compiler::code::Mismatch;
use asterism_compiler::ops;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, array};
use asterism_symbol::sym;

use super::state::{Execute, Interp, Next};
use crate::ec::{Ec, Raised, Res};
use crate::error::Exc;

impl<'i> Execute<'i> for ops::Destructure<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let v = at.get(self.value());
        // SAFETY: the frame has registers for all the targets.
        unsafe { destructure(at.ec, at.from(self.targets()), v, self.before(), self.rest() != 0, self.after())? };
        at.next()
    }
}

impl<'i> Execute<'i> for ops::Deconstruct<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let v = at.get(self.value());
        let v = deconstruct(at.ec, v)?;
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::DeconstructKeys<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (v, keys) = (at.get(self.value()), at.get(self.keys()));
        let v = deconstruct_keys(at.ec, v, keys)?;
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::HashHasKey<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (hash, key) = (at.get(self.hash()), at.get(self.key()));
        let found = at.ec.hash_get(hash, key)?;
        at.store(self.dst(), Value::bool(found.is_some()))
    }
}

impl<'i> Execute<'i> for ops::HashExcept<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (hash, keys) = (at.get(self.hash()), at.get(self.keys()));
        let rest = hash_except(at.ec, hash, keys)?;
        at.store(self.dst(), rest)
    }
}

impl<'i> Execute<'i> for ops::ArraySlice<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let array = at.get(self.array());
        let part = array_slice(at.ec, array, self.from(), self.drop() as usize)?;
        at.store(self.dst(), part)
    }
}

impl<'i> Execute<'i> for ops::RaiseNoMatch<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (v, why) = (at.get(self.value()), at.get(self.why()));
        Err(no_match(at.ec, v, self.known(), why))
    }
}

/// Multiple assignment.
///
/// # Safety
/// From `targets` on there are as many registers of the current frame.
#[inline(never)]
unsafe fn destructure(ec: &mut Ec, targets: *mut Value, v: Value, pre: usize, splat: bool, post: usize) -> Res<()> {
    let list = if v.is_type(Type::Array) {
        v
    } else {
        match ec.check_array(v)? {
            Some(a) => a,
            None => ec.array(&[v])?,
        }
    };
    let n = array::len(list);
    let get = |i: usize| array::at(list, i).unwrap_or(Value::NIL);
    // SAFETY: see the function's contract.
    let put = |i: usize, v: Value| unsafe { *targets.add(i) = v };
    for i in 0..pre {
        put(i, get(i));
    }
    let mut at = pre;
    let mut from = pre;
    if splat {
        let rest = n.saturating_sub(pre + post);
        let part = array::sub(ec, list, pre.min(n), rest);
        let part = ec.check(list, part)?;
        put(at, part);
        at += 1;
        from = pre + rest;
    }
    for i in 0..post {
        put(at + i, get(from + i));
    }
    asterism_heap::keep_alive(list.bits());
    Ok(())
}

/// Are refinements in force in the running code?
fn refined_here(ec: &Ec) -> bool {
    crate::refine::refined(ec.cref().0).is_some()
}

/// Calls `deconstruct` or `deconstruct_keys`, as refined where the pattern stands; `None` if the object has it not.
fn ask_to_deconstruct(ec: &mut Ec, v: Value, name: Sym, args: &[Value]) -> Res<Option<Value>> {
    let class = ec.class_of(v);
    if refined_here(ec)
        && let (_, Some(found)) = ec.find_method_for_caller(class, name)
    {
        return ec.call_method(v, found.method, &crate::args::CallArgs::plain(args)).map(Some);
    }
    // A `respond_to?` of the user's own is asked as CRuby does, without a second argument.
    let own = ec.find_method(class, sym::respond_to_p).1.filter(|f| !f.method.is_native_of_core());
    let responds = match own {
        Some(_) => ec.call(v, sym::respond_to_p, &[Value::sym(name)])?.truthy(),
        None => ec.respond_to(v, name, false)?,
    };
    if !responds {
        return Ok(None);
    }
    ec.call(v, name, args).map(Some)
}

/// `deconstruct` for a pattern.
fn deconstruct(ec: &mut Ec, v: Value) -> Res {
    if v.is_type(Type::Array) && ec.class_of(v).0 == ec.class(WellKnown::Array) && !refined_here(ec) {
        return Ok(v);
    }
    let Some(answer) = ask_to_deconstruct(ec, v, sym::deconstruct, &[])? else {
        return Ok(Value::UNDEF);
    };
    if answer.is_type(Type::Array) { Ok(answer) } else { Err(ec.type_error("deconstruct must return Array")) }
}

/// `deconstruct_keys` for a pattern.
fn deconstruct_keys(ec: &mut Ec, v: Value, keys: Value) -> Res {
    if v.is_type(Type::Hash) && ec.class_of(v).0 == ec.class(WellKnown::Hash) && !refined_here(ec) {
        return Ok(v);
    }
    let Some(answer) = ask_to_deconstruct(ec, v, sym::deconstruct_keys, &[keys])? else {
        return Ok(Value::UNDEF);
    };
    if answer.is_type(Type::Hash) { Ok(answer) } else { Err(ec.type_error("deconstruct_keys must return Hash")) }
}

/// `hash` without `keys`, a new Hash.
fn hash_except(ec: &mut Ec, h: Value, keys: Value) -> Res {
    let copy = ec.hash_dup(h)?;
    for i in 0..array::len(keys) {
        if let Some(key) = array::at(keys, i) {
            ec.hash_delete(copy, key)?;
        }
    }
    Ok(copy)
}

/// The elements from `from` on without the `drop` last ones.
fn array_slice(ec: &mut Ec, a: Value, from: i64, drop: usize) -> Res {
    let n = array::len(a);
    let from = if from < 0 { n.saturating_sub(from.unsigned_abs() as usize) } else { from as usize };
    let part = array::sub(ec, a, from.min(n), n.saturating_sub(from).saturating_sub(drop));
    ec.check(a, part)
}

/// The error of a value that no pattern matches; if it is `known`, `why` is an Array of a `Mismatch` and what it speaks of.
#[cold]
#[inline(never)]
fn no_match(ec: &mut Ec, v: Value, known: bool, why: Value) -> Raised {
    match no_match_error(ec, v, known.then_some(why)) {
        Ok(e) => ec.raise_exception(e),
        Err(raised) => raised,
    }
}

fn no_match_error(ec: &mut Ec, v: Value, why: Option<Value>) -> Res {
    let mut message = ec.inspect_for_error(v)?;
    let part = |i| why.and_then(|why| array::at(why, i)).unwrap_or(Value::NIL);
    let reason = part(0).fixnum_value().and_then(|n| Mismatch::ALL.get(usize::try_from(n).ok()?));
    let Some(reason) = reason.copied() else {
        let class = ec.exc_class(Exc::NoMatchingPatternError);
        return ec.new_exception(class, &message);
    };
    message.extend(b": ");
    let shown = |ec: &mut Ec, i| ec.inspect_for_error(part(i));
    match reason {
        Mismatch::Value => {
            message.extend(shown(ec, 1)?);
            message.extend(b" === ");
            message.extend(shown(ec, 2)?);
            message.extend(b" does not return true");
        }
        Mismatch::Key => {
            message.extend(b"key not found: ");
            message.extend(shown(ec, 2)?);
        }
        Mismatch::Length | Mismatch::LengthAtLeast => {
            message.extend(shown(ec, 1)?);
            message.extend(b" length mismatch (given ");
            message.extend(shown(ec, 2)?);
            message.extend(b", expected ");
            message.extend(shown(ec, 3)?);
            message.extend_from_slice(if reason == Mismatch::Length { b")" } else { b"+)" });
        }
        Mismatch::Rest => {
            message.extend(b"rest of ");
            message.extend(shown(ec, 1)?);
            message.extend(b" is not empty");
        }
        Mismatch::Guard => message.extend(b"guard clause does not return true"),
        Mismatch::Deconstruct | Mismatch::DeconstructKeys | Mismatch::Find | Mismatch::NotEmpty => {
            message.extend(shown(ec, 1)?);
            message.extend_from_slice(match reason {
                Mismatch::Deconstruct => b" does not respond to #deconstruct",
                Mismatch::DeconstructKeys => b" does not respond to #deconstruct_keys",
                Mismatch::Find => b" does not match to find pattern",
                _ => b" is not empty",
            });
        }
    }
    if reason != Mismatch::Key {
        let class = ec.exc_class(Exc::NoMatchingPatternError);
        return ec.new_exception(class, &message);
    }
    let class = ec.exc_class(Exc::NoMatchingPatternKeyError);
    let e = ec.new_exception(class, &message)?;
    ec.ivar_put(e, asterism_symbol::intern("matchee"), part(1))?;
    ec.ivar_put(e, sym::key, part(2))?;
    Ok(e)
}
