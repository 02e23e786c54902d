//! `parameters` of Procs and Methods.

use asterism_compiler::code::{Code, KeywordRest};
use asterism_object::{Sym, Value, data};
use asterism_symbol::{intern, sym};
use asterism_vm::block::Proc;
use asterism_vm::method::{Body, Method, arity_of};
use asterism_vm::signature::{self, Signature};
use asterism_vm::{Ec, Res};

use super::method_data::{MethodObject, method_in};

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
    if let Some(signature) = Signature::of_code(code) {
        return unnamed(ec, signature.arity(), if strict { "req" } else { "opt" });
    }
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

/// Those of which no more is known than the arity.
pub fn of_arity(ec: &mut Ec, arity: i32) -> Res {
    unnamed(ec, arity, "req")
}

fn unnamed(ec: &mut Ec, arity: i32, kind: &str) -> Res {
    let list = ec.array(&[])?;
    for _ in 0..if arity < 0 { -arity - 1 } else { arity } {
        entry(ec, list, kind, None)?;
    }
    if arity < 0 {
        entry(ec, list, "rest", None)?;
    }
    Ok(list)
}

fn of_signature(ec: &mut Ec, method: Method, signature: Signature) -> Res {
    let Signature::Named(row) = signature else {
        let list = of_arity(ec, signature.arity())?;
        if matches!(method.body(), Body::Native(def) if crate::structs::is_writer(def)) {
            let first = asterism_object::array::at(list, 0).unwrap_or(Value::NIL);
            ec.array_push(first, Value::sym(intern("_")))?;
        }
        return Ok(list);
    };
    let list = ec.array(&[])?;
    for (kind, name) in signature::parameters(row) {
        entry(ec, list, kind, (!name.is_empty()).then(|| intern(name)))?;
    }
    Ok(list)
}

/// `Proc#arity`
pub fn proc_arity(ec: &mut Ec, p: Proc) -> i32 {
    if let Some(iseq) = p.iseq() {
        // SAFETY: the Proc keeps its code alive.
        let code = unsafe { (*iseq).code_arc() };
        return match Signature::of_code(&code) {
            Some(signature) => signature.arity(),
            None => arity_of(&code.params, p.is_lambda()),
        };
    }
    if p.symbol().is_some() {
        return -2;
    }
    match p.native_body() {
        // That of a Hash takes a key.
        Some((_, data)) => match data::get::<MethodObject>(&data) {
            Some(o) => o.method().map_or(-1, |m| method_arity(ec, m)),
            None => 1,
        },
        None => -1,
    }
}

/// `Method#arity`
pub fn method_arity(ec: &mut Ec, method: Method) -> i32 {
    match method.body() {
        // Of a Symbol, or of another Method.
        Body::Block(proc) if Proc::from_value(proc).is_some_and(|p| p.iseq().is_none()) => {
            Proc::from_value(proc).map_or(-1, |p| proc_arity(ec, p))
        }
        _ => signature::arity(ec, method),
    }
}

/// Those of a method.
pub fn of_method(ec: &mut Ec, method: Method) -> Res {
    if let Some(signature) = Signature::of(ec, method) {
        return of_signature(ec, method, signature);
    }
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
            None => match Proc::from_value(proc).and_then(|p| p.native_body()).map(|(_, data)| method_in(data)) {
                Some(Some(method)) => of_method(ec, method),
                _ => {
                    let arity = method_arity(ec, method);
                    of_arity(ec, arity)
                }
            },
        },
        Body::AttrWriter(_) => of_arity(ec, 1),
        _ => ec.array(&[]),
    }
}
