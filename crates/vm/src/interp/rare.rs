//! What fits no family: primitives of the prelude, `defined?`, expressions evaluated once.

use std::sync::atomic::Ordering;

use asterism_compiler::opcode::DefinedKind;
use asterism_compiler::ops;
use asterism_object::class::Class;
use asterism_object::{Sym, Value, ivars};

use super::state::{Execute, Interp, Next, Slow};
use super::vars::{backref_part, cvar_base};
use crate::ec::{Ec, Raised, Res};
use crate::frame::Frame;
use crate::method::Method;

impl<'i> Execute<'i> for ops::Prim<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (frame, iseq, name) = (at.frame(), at.iseq(), self.name());
        // SAFETY: the registers are the instruction's operands; the result is stored after they were read.
        let args = unsafe { at.values(self.args(), self.count()) };
        let Some(prim) = iseq.prims[name.index()] else {
            return Err(unknown_primitive(at.ec, iseq.sym(name.index())));
        };
        let v = prim(at.ec, args)?;
        // Or it switched to another fiber, whose frame has its value already.
        if at.ec.fiber.frame == frame { at.store_native(self.dst(), v) } else { at.reload() }
    }
}

impl<'i> Execute<'i> for ops::Once<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        let v = at.once(self.cell()).load(Ordering::Acquire);
        if v.is_undef() {
            return at.slowly::<Self>();
        }
        at.set(self.dst(), v);
        at.jump(self.target())
    }
}

/// What another thread evaluates, when it has.
impl<'i> Slow<'i> for ops::Once<'i> {
    #[inline(always)]
    fn slow(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let cell = at.once(self.cell());
        match at.ec.enter_once(cell)? {
            None => at.next(),
            Some(v) => {
                at.set(self.dst(), v);
                at.jump(self.target())
            }
        }
    }
}

impl<'i> Execute<'i> for ops::OnceSet<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let (v, cell) = (at.get(self.value()), at.once(self.cell()));
        at.ec.leave_once(cell, v);
        at.next()
    }
}

impl<'i> Execute<'i> for ops::OnceLeave<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let cell = at.once(self.cell());
        at.ec.leave_once(cell, Value::UNDEF);
        at.next()
    }
}

impl<'i> Execute<'i> for ops::Defined<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        // Where the kind needs no receiver, the operand is a register all the same, or there is none at all.
        let recv = if at.iseq().registers == 0 { Value::NIL } else { at.get(self.recv()) };
        // SAFETY: the frame is the current one, a Ruby frame; the compiler writes a `DefinedKind`.
        let v = unsafe { defined(at.ec, at.frame(), self.kind() as u8, recv, self.name())? };
        at.store(self.dst(), v)
    }
}

/// A primitive that does not exist: a mistake in the prelude.
#[cold]
fn unknown_primitive(ec: &mut Ec, name: Sym) -> Raised {
    ec.not_implemented(format!("primitive {}", name.text()))
}

/// `defined?`
///
/// # Safety
/// `frame` is the current Ruby frame.
unsafe fn defined(ec: &mut Ec, frame: *mut Frame, kind: u8, recv: Value, literal: usize) -> Res {
    // SAFETY: see the function's contract; the kind was written from a `DefinedKind`.
    let (kind, self_val, block, cref) =
        unsafe { (std::mem::transmute::<u8, DefinedKind>(kind), (*frame).self_val, (*frame).block, (*frame).cref) };
    // SAFETY: as above.
    let name = || unsafe { (*(*frame).iseq).sym(literal) };
    let answer = match kind {
        DefinedKind::Ivar => ivars::defined(ec, self_val, name()).then_some("instance-variable"),
        DefinedKind::HasIvar => {
            return Ok(if ivars::defined(ec, self_val, name()) { Value::TRUE } else { Value::NIL });
        }
        DefinedKind::Global => ec.gvar_defined(name()).then_some("global-variable"),
        DefinedKind::Cvar => {
            // At top level there are none, which is no error to ask about.
            match ec.cref().lexical().outer() {
                None => None,
                Some(_) => {
                    let class = cvar_base(ec)?;
                    ec.cvar_owner(class, name()).map(|_| "class variable")
                }
            }
        }
        DefinedKind::Const => {
            let cref = if cref.is_heap() { crate::consts::Cref(cref) } else { ec.cref() };
            ec.lexical_constant_exists(cref, name())?.then_some("constant")
        }
        DefinedKind::ConstFrom => match Class::from_value(recv) {
            Some(scope) => ec.constant_defined_from(scope, name())?.then_some("constant"),
            None => None,
        },
        DefinedKind::Method => {
            let class = ec.class_of(recv);
            // SAFETY: see the function's contract.
            let found = unsafe { ec.find_method_in_frame(frame, class, name()) }.1;
            let visible = match found {
                Some(f) => ec.may_call(recv, &f, crate::call::CallKind::Public),
                None => ec.respond_to(recv, name(), false)?,
            };
            visible.then_some("method")
        }
        DefinedKind::Func => {
            let class = ec.class_of(self_val);
            // SAFETY: see the function's contract.
            let found = unsafe { ec.find_method_in_frame(frame, class, name()) }.1;
            let known = found.is_some() || ec.respond_to(self_val, name(), true)?;
            known.then_some("method")
        }
        DefinedKind::Yield => (block != Value::NIL.bits()).then_some("yield"),
        DefinedKind::Super => {
            // SAFETY: as above.
            let in_method = Method::from_value(unsafe { (*frame).method }).is_some();
            // SAFETY: as above.
            (in_method && unsafe { ec.super_method(frame)? }.1.is_some()).then_some("super")
        }
        DefinedKind::Backref => {
            let n = literal as u32;
            (!backref_part(ec, n)?.is_nil()).then_some("global-variable")
        }
    };
    match answer {
        Some(text) => {
            let s = ec.str_enc(text.as_bytes(), asterism_symbol::US_ASCII)?;
            ec.freeze(s)
        }
        None => Ok(Value::NIL),
    }
}
