//! Calls with an Array of arguments.

use asterism_compiler::code::flags;
use asterism_compiler::opcode::Op;
use asterism_object::types::Type;
use asterism_vm::jit::{Target, calls, helpers, literals};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};

use super::calls::Given;
use super::{Emitter, Failed, bits};
use crate::types::Ty;

/// Most arguments that are taken out of an Array here.
const MOST: usize = 8;

impl Emitter<'_, '_> {
    /// `[*v]` for a call alone, which takes the elements out of it: an Array is not copied before that can't.
    pub(super) fn array_to_spread(&mut self, i: usize) -> Result<(), Failed> {
        let (from, dst) = (self.an.instrs[i].uses[0], self.an.instrs[i].defs[0]);
        let v = self.get(from);
        let bad = self.cold();
        self.is_cell_of(v, Type::Array, bad);
        self.or_step(i, bad, dst, v)
    }

    /// `[*v]` of an Array.
    pub(super) fn copy_of_array(&mut self, i: usize) -> Result<(), Failed> {
        let (from, dst) = (self.an.instrs[i].uses[0], self.an.instrs[i].defs[0]);
        let v = self.get(from);
        let bad = self.cold();
        self.is_cell_of(v, Type::Array, bad);
        self.flush(i, true);
        self.save(i);
        let ec = self.ec;
        let copy = self.call(literals::copy_array as *const () as usize, &[ec, v]);
        self.unless_left(copy);
        self.or_step(i, bad, dst, copy)
    }

    /// What the parameters of `code` get of the Array of call `i`. It is that of `callee`, and takes as many, and there are no keywords,
    /// for which the last one may stand if it is a Hash; else on in `bad`.
    pub(super) fn spread_arguments(
        &mut self,
        i: usize,
        code: Value,
        callee: Option<&Target>,
        bad: Block,
    ) -> Result<Given, Failed> {
        let callee = &callee.ok_or("no target")?.code;
        let required = usize::from(callee.params.required);
        if required > MOST {
            return Err("too many arguments in an Array");
        }
        self.is_part_of(code, callee, bad);
        let r = self.an.spread_of(i);
        if self.an.code.call_sites[self.an.site(i)].flags & flags::KW_SPLAT != 0 {
            let keywords = self.get(r + 1);
            let none = self.b.ins().icmp_imm_s(IntCC::Equal, keywords, bits::NIL);
            let (on, ask) = (self.fresh(), self.fresh());
            self.b.ins().brif(none, on, &[], ask, &[]);
            self.b.switch_to_block(ask);
            let none = self.call_pure(helpers::is_empty_hash as *const () as usize, &[keywords]);
            self.b.ins().brif(none, on, &[], bad, &[]);
            self.b.switch_to_block(on);
        }
        let list = self.get(r);
        let (body, start, len) = self.bounds(list);
        let exact = self.b.ins().icmp_imm_s(IntCC::Equal, len, required as i64);
        let exact = self.perhaps(exact);
        self.expect_or(exact, bad);
        let mut args = Vec::with_capacity(required);
        for n in 0..required {
            let index = self.int(n as i64);
            args.push(self.load_element(body, start, index));
        }
        if let Some(&last) = args.last() {
            let on = self.fresh();
            self.is_cell_of(last, Type::Hash, on);
            self.jump(bad);
            self.b.switch_to_block(on);
        }
        Ok(args.into())
    }

    /// Calls the Proc `recv` with the elements of the Array of call `i`.
    pub(super) fn call_proc_spread(&mut self, i: usize, recv: Value, bad: Block) -> Value {
        self.flush(i, true);
        self.save(i);
        let r = self.an.spread_of(i);
        let (ec, frame, list) = (self.ec, self.frame, self.get(r));
        let v = self.call(calls::call_proc_spread as *const () as usize, &[ec, frame, recv, list]);
        self.known_or(v, bad);
        self.forget_args(i);
        v
    }

    /// `or_step` of a call: an Array that was not copied for it is copied before the interpreter makes it, which takes it for its own.
    pub(super) fn or_call(&mut self, i: usize, bad: Block, dst: usize, v: Value) -> Result<(), Failed> {
        if self.an.spread_copy(i).is_none() {
            if self.inlining.unmade.is_some() {
                return self.or_step(i, bad, dst, v);
            }
            let helper = match self.an.instrs[i].op {
                Op::Super => calls::send_super as *const () as usize,
                _ => calls::call as *const () as usize,
            };
            self.or_send(i, bad, dst, v, helper);
            return Ok(());
        }
        let unknown = self.cold();
        self.aside(bad, |e| {
            e.regs.clone_from(&e.before);
            e.flush(i, true);
            e.save(i);
            let r = e.an.spread_of(i);
            let (ec, list) = (e.ec, e.get(r));
            let copy = e.call(literals::copy_array as *const () as usize, &[ec, list]);
            e.unless_left(copy);
            e.set(r, copy, Ty::Any);
            e.jump(unknown);
        });
        self.or_step(i, unknown, dst, v)
    }
}
