//! `parameters` of Procs and Methods.

use asterism_compiler::code::{Code, KeywordRest};
use asterism_object::{Sym, Value};
use asterism_symbol::{intern, sym};
use asterism_vm::block::Proc;
use asterism_vm::method::{Body, Method};
use asterism_vm::{Ec, Res};

fn entry(ec: &mut Ec, list: Value, kind: &str, name: Option<Sym>) -> Res<()> {
    let kind = Value::sym(intern(kind));
    let pair = match name {
        Some(name) => ec.array(&[kind, Value::sym(name)])?,
        None => ec.array(&[kind])?,
    };
    ec.array_push(list, pair)
}

/// The parameters of code; `strict`: as a method or lambda.
pub fn of_code(ec: &mut Ec, code: &Code, strict: bool) -> Res {
    let list = ec.array(&[])?;
    let params = &code.params;
    let mut slot = 0;
    let mut next = || {
        let name = code.locals.get(slot).map_or(sym::EMPTY, |l| l.name);
        slot += 1;
        name
    };
    let named = |name: Sym| {
        let usable = name.bytes().first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_' || *b >= 0x80);
        usable.then_some(name)
    };
    if params.numbered == 255 {
        // `it` has no name that a program could use.
        let kind = if strict { "req" } else { "opt" };
        entry(ec, list, kind, None)?;
        return Ok(list);
    }
    for _ in 0..params.required {
        let name = named(next());
        entry(ec, list, if strict { "req" } else { "opt" }, name)?;
    }
    for _ in 0..params.optional {
        let name = named(next());
        entry(ec, list, "opt", name)?;
    }
    if params.rest {
        let name = named(next());
        let name = if params.anonymous_rest || params.forwarding { Some(sym::MUL) } else { name.or(Some(sym::MUL)) };
        entry(ec, list, "rest", name)?;
    }
    for _ in 0..params.post {
        let name = named(next());
        entry(ec, list, if strict { "req" } else { "opt" }, name)?;
    }
    for (required, kind) in [(true, "keyreq"), (false, "key")] {
        for keyword in params.keywords.iter().filter(|k| k.required == required) {
            entry(ec, list, kind, Some(keyword.name))?;
        }
    }
    for _ in params.keywords.iter() {
        next();
    }
    match params.keyword_rest {
        KeywordRest::None => {}
        KeywordRest::Forbidden => entry(ec, list, "nokey", None)?,
        KeywordRest::Collect => {
            let name = named(next());
            let name = if params.anonymous_keyword_rest || params.forwarding { None } else { name };
            entry(ec, list, "keyrest", Some(name.unwrap_or(sym::POW)))?;
        }
    }
    if params.block {
        let name = named(next());
        let name = if params.anonymous_block || params.forwarding { None } else { name };
        entry(ec, list, "block", Some(name.unwrap_or(sym::AND)))?;
    }
    Ok(list)
}

/// Those of `Symbol#to_proc`.
pub fn of_symbol(ec: &mut Ec, strict: bool) -> Res {
    let list = ec.array(&[])?;
    entry(ec, list, if strict { "req" } else { "opt" }, None)?;
    entry(ec, list, "rest", None)?;
    Ok(list)
}

/// What is known of a native method.
pub fn of_arity(ec: &mut Ec, arity: i32) -> Res {
    let list = ec.array(&[])?;
    let required = if arity < 0 { -arity - 1 } else { arity };
    for _ in 0..required {
        entry(ec, list, "req", None)?;
    }
    if arity < 0 {
        entry(ec, list, "rest", None)?;
    }
    Ok(list)
}

/// Those of a method.
pub fn of_method(ec: &mut Ec, method: Method) -> Res {
    method.prepare(ec)?;
    match method.body() {
        Body::Ruby(iseq) => {
            // SAFETY: the method keeps its code alive.
            let code = unsafe { (*iseq).code.clone() };
            of_code(ec, &code, true)
        }
        Body::Block(proc) => match Proc::from_value(proc).and_then(|p| p.iseq()) {
            Some(iseq) => {
                // SAFETY: the Proc, which the method keeps, keeps its code alive.
                let code = unsafe { (*iseq).code.clone() };
                of_code(ec, &code, true)
            }
            None if Proc::from_value(proc).is_some_and(|p| p.symbol().is_some()) => of_symbol(ec, true),
            None => of_arity(ec, -1),
        },
        Body::AttrWriter(_) => {
            let list = ec.array(&[])?;
            entry(ec, list, "req", None)?;
            Ok(list)
        }
        Body::Native(def) => {
            let list = ec.array(&[])?;
            let name = crate::structs::is_writer(def).then(|| asterism_symbol::intern("_"));
            for _ in 0..def.min.max(0) {
                entry(ec, list, "req", name)?;
            }
            if def.max < 0 || def.max > def.min {
                entry(ec, list, "rest", None)?;
            }
            Ok(list)
        }
        _ => ec.array(&[]),
    }
}
