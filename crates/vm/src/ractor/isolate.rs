//! What a block refers to around it, and Procs that refer to nothing there which may change.

use std::sync::Arc;

use asterism_compiler::{Code, CodeKind, opcode::Op};
use asterism_object::{Sym, Value, ownership};

use super::shareable;
use crate::block::{self, Env, Proc};
use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::iseq::Iseq;

/// One use of a variable of a scope around a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The variable's slot in its scope.
    pub slot: u16,
    /// How many scopes to go out from the block: 1 is the scope that it was written in.
    pub depth: u16,
    /// It is assigned.
    pub write: bool,
}

/// What a block, or a block in it, uses of what is around it.
#[derive(Debug, Default)]
pub struct Outer {
    /// Variables.
    pub uses: Vec<Use>,
    /// `yield`: the block of the method around.
    pub yields: bool,
}

impl Outer {
    /// What `code` uses.
    pub fn of(code: &Code) -> Outer {
        let mut outer = Outer::default();
        outer.collect(code, 0);
        outer
    }

    fn collect(&mut self, code: &Code, nesting: u16) {
        each_instruction(code, |op, word| match op {
            Op::GetUp | Op::SetUp => {
                let (slot, depth) = ((word >> 32) as u16, (word >> 48) as u16);
                if depth > nesting {
                    self.uses.push(Use { slot, depth: depth - nesting, write: op == Op::SetUp });
                }
            }
            Op::Yield => self.yields = true,
            _ => {}
        });
        for child in blocks_in(code) {
            self.collect(&child, nesting + 1);
        }
    }

    /// The names of variables, each once; `env` is the scope around the block.
    fn names(&self, env: Value, wanted: impl Fn(&Use) -> bool) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for used in self.uses.iter().filter(|used| wanted(used)) {
            let name = name_of(env, used);
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

fn each_instruction(code: &Code, mut f: impl FnMut(Op, u64)) {
    let mut at = 0;
    while let Some(&word) = code.words.get(at) {
        let Some(op) = Op::from_u8(word as u8) else { break };
        f(op, word);
        at += op.words();
    }
}

fn blocks_in(code: &Code) -> impl Iterator<Item = Arc<Code>> {
    code.children.iter().filter_map(|child| child.read()).filter(|child| child.kind == CodeKind::Block).cloned()
}

/// How often the variable `slot` of `code` is assigned there and in the blocks in it.
fn assignments(code: &Code, slot: u16, nesting: u16) -> usize {
    let mut count = 0;
    each_instruction(code, |op, word| {
        if op == Op::SetUp && (word >> 32) as u16 == slot && (word >> 48) as u16 == nesting {
            count += 1;
        }
    });
    count + blocks_in(code).map(|child| assignments(&child, slot, nesting + 1)).sum::<usize>()
}

/// The scope that is `depth` out, `env` being the first.
fn scope_at(env: Value, depth: u16) -> Option<Env> {
    let mut env = Env::from_value(env)?;
    for _ in 1..depth {
        env = Env::from_value(env.parent())?;
    }
    Some(env)
}

fn code_of(env: Env) -> Option<Arc<Code>> {
    let iseq = Iseq::from_value(env.iseq())?;
    // SAFETY: the Env, which the caller keeps alive, keeps its Iseq alive.
    Some(unsafe { (*iseq).code_arc() })
}

/// The name of a variable that a block written in `env` uses.
pub fn name_of(env: Value, used: &Use) -> String {
    let code = scope_at(env, used.depth).and_then(code_of);
    code.and_then(|code| code.locals.get(usize::from(used.slot)).map(|local| local.name.text().into_owned()))
        .unwrap_or_default()
}

/// Raises unless a block uses nothing around it but what it only reads (with `reads`).
fn check(ec: &mut Ec, outer: &Outer, env: Value, what: &str, reads: bool) -> Res<()> {
    // One that is assigned there counts as not read.
    let written: Vec<(u16, u16)> = outer.uses.iter().filter(|u| u.write).map(|u| (u.slot, u.depth)).collect();
    let names = outer.names(env, |used| !reads || written.contains(&(used.slot, used.depth)));
    let yields = if outer.yields { " and uses 'yield'." } else { "." };
    if !names.is_empty() {
        let names = names.join(", ");
        let message = format!("can not {what} because it accesses outer variables ({names}){yields}");
        return Err(ec.arg_error(message));
    }
    if outer.yields {
        return Err(ec.arg_error(format!("can not {what} because it uses 'yield'.")));
    }
    Ok(())
}

/// The scopes from `env` on with nothing in them but the variables of `keep`: what a block sees that may go to other Ractors.
fn emptied(ec: &mut Ec, env: Value, keep: &[Use]) -> Res {
    let mut scopes = Vec::new();
    let mut at = Env::from_value(env);
    while let Some(scope) = at {
        scopes.push(scope);
        at = Env::from_value(scope.parent());
    }
    let mut made = Value::NIL;
    for (i, scope) in scopes.iter().enumerate().rev() {
        let copy = Env::isolated(ec, made, scope.iseq(), scope.count())?;
        for used in keep.iter().filter(|used| usize::from(used.depth) == i + 1) {
            let slot = usize::from(used.slot);
            copy.slot(slot).store(
                scope.slot(slot).load(std::sync::atomic::Ordering::Acquire),
                std::sync::atomic::Ordering::Release,
            );
        }
        made = copy.0;
    }
    asterism_heap::keep_alive(env.bits());
    Ok(made)
}

/// A Proc for another Ractor to run with `self_val`, of a block that uses nothing around it.
///
/// # Errors
/// ArgumentError, NoMemoryError.
pub fn isolate(ec: &mut Ec, proc: Proc, self_val: Option<Value>) -> Res<Proc> {
    let Some(iseq) = proc.iseq() else { return Ok(proc) };
    // SAFETY: the Proc keeps its Iseq alive.
    let code = unsafe { (*iseq).code_arc() };
    check(ec, &Outer::of(&code), proc.env(), "isolate a Proc", false)?;
    let env = emptied(ec, proc.env(), &[])?;
    proc.isolated_in(ec, env, self_val.unwrap_or(Value::NIL))
}

/// Makes a Proc one that any Ractor may call: `self_val` takes the place of its self, in a copy. Without, the Proc itself is
/// changed.
///
/// # Errors
/// ArgumentError, Ractor::IsolationError, NoMemoryError; RuntimeError for a Proc that is no block of Ruby code.
pub fn make_shareable(ec: &mut Ec, proc: Proc, self_val: Option<Value>, lambda: bool) -> Res<Proc> {
    if proc.is_isolated() && self_val.is_none() {
        return Ok(proc);
    }
    let own_self = self_val.unwrap_or(proc.self_val());
    if proc.iseq().is_none() && proc.symbol().is_none() {
        return Err(ec.raise(Exc::RuntimeError, "not supported yet"));
    }
    if !shareable::is_shareable(ec, own_self) {
        let shown = ec.to_s(proc.0)?;
        let shown = asterism_object::string::to_string_lossy(ec, shown);
        return Err(ec.isolation_error(format!("Proc's self is not shareable: {shown}")));
    }
    let Some(iseq) = proc.iseq() else {
        proc.set_isolated();
        ownership::freeze(ec, proc.0);
        return Ok(proc);
    };
    // SAFETY: the Proc keeps its Iseq alive.
    let code = unsafe { (*iseq).code_arc() };
    let outer = Outer::of(&code);
    check(ec, &outer, proc.env(), "make a Proc shareable", true)?;
    for used in &outer.uses {
        check_captured(ec, proc, used)?;
    }
    let env = emptied(ec, proc.env(), &outer.uses)?;
    let made = match self_val {
        Some(self_val) => {
            let made = proc.isolated_in(ec, env, self_val)?;
            if lambda && !made.is_lambda() {
                let class = ec.class(asterism_object::space::WellKnown::Proc);
                let flags = made.flags() | block::LAMBDA;
                made.copy(ec, class, flags)?
            } else {
                made
            }
        }
        None => {
            proc.isolate_in_place(ec, env);
            proc
        }
    };
    ownership::freeze(ec, made.0);
    Ok(made)
}

/// Raises unless a variable that a shareable Proc reads stays what it is, and is shareable.
fn check_captured(ec: &mut Ec, proc: Proc, used: &Use) -> Res<()> {
    let Some(scope) = scope_at(proc.env(), used.depth) else { return Ok(()) };
    let name = name_of(proc.env(), used);
    let changes = !scope.is_isolated()
        && code_of(scope).is_some_and(|code| {
            let parameter = usize::from(usize::from(used.slot) < code.params.slots());
            assignments(&code, used.slot, 0) + parameter > 1
        });
    if changes {
        let message = format!("cannot make a shareable Proc because the outer variable '{name}' may be reassigned.");
        return Err(ec.isolation_error(message));
    }
    let value = scope.slot(usize::from(used.slot)).load(std::sync::atomic::Ordering::Acquire);
    if shareable::is_shareable(ec, value) {
        return Ok(());
    }
    let shown = ec.inspect_for_error(value)?;
    let from = if name.is_empty() { "a hidden variable".to_owned() } else { format!("variable '{name}'") };
    let head = b"cannot make a shareable Proc because it can refer unshareable object ";
    let place = ec.place_in(&name, value);
    Err(ec.isolation_error([head.as_slice(), &shown, b" from ", from.as_bytes(), place.as_bytes()].concat()))
}

/// The name of a variable of an isolated Proc's surroundings that `code`, to be evaluated in `env`, refers to.
pub fn out_of_reach(code: &Code, env: Value) -> Option<Sym> {
    let outer = Outer::of(code);
    outer.uses.iter().find_map(|used| {
        let scope = scope_at(env, used.depth).filter(Env::is_isolated)?;
        code_of(scope)?.locals.get(usize::from(used.slot)).map(|local| local.name)
    })
}
