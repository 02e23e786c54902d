//! Strings and Ranges that the code makes.

use asterism_object::types::Type;
use asterism_vm::jit::layout::{basic_ops, iseq};
use asterism_vm::jit::literals;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};

use super::{Emitter, Failed, bits};
use crate::types::Ty;

impl Emitter<'_, '_> {
    /// A copy of a literal, which `helper` makes: a String or an Array.
    pub(super) fn copy_of_literal(&mut self, i: usize, helper: usize) {
        let word = self.an.code.words[self.an.instrs[i].at];
        self.flush(i, true);
        self.save(i);
        let code = self.iseq;
        let all = self.load_fixed(code, iseq::LITERALS);
        let literal = self.load(all, 8 * (word >> 32) as i32);
        let ec = self.ec;
        let v = self.call(helper, &[ec, literal]);
        self.unless_left(v);
        self.set(self.an.instrs[i].defs[0], v, Ty::Any);
    }

    /// What interpolation shows of a value: a String, or an Integer or Symbol that nobody shows otherwise, whose text is written where the
    /// parts are put together.
    pub(super) fn shown(&mut self, i: usize) -> Result<(), Failed> {
        let (from, dst) = (self.an.instrs[i].uses[0], self.an.instrs[i].defs[0]);
        let ty = self.regs[from].ty;
        if ty == Ty::Float {
            return self.step(i);
        }
        let v = self.get(from);
        let bad = self.cold();
        if ty == Ty::Fixnum {
            self.is_core(basic_ops::TO_S, basic_ops::INTEGER_OR_SYMBOL, bad);
            return self.or_step(i, bad, dst, v);
        }
        let (on, other) = (self.fresh(), self.cold());
        self.is_cell_of(v, Type::String, other);
        self.jump(on);
        self.aside(other, |e| {
            let is_fixnum = e.b.ins().band_imm_s(v, 1);
            let tag = e.b.ins().band_imm_s(v, bits::SYMBOL_MASK);
            let is_symbol = e.b.ins().icmp_imm_s(IntCC::Equal, tag, bits::SYMBOL);
            let is_symbol = e.b.ins().uextend(types::I64, is_symbol);
            let either = e.b.ins().bor(is_fixnum, is_symbol);
            e.expect_or(either, bad);
            e.is_core(basic_ops::TO_S, basic_ops::INTEGER_OR_SYMBOL, bad);
            e.jump(on);
        });
        self.b.switch_to_block(on);
        self.or_step(i, bad, dst, v)
    }

    /// A Range, if its ends are known to have an order.
    pub(super) fn new_range(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let word = self.an.code.words[instr.at];
        let (low, high) = (self.get(instr.uses[0]), self.get(instr.uses[1]));
        self.flush(i, false);
        self.save(i);
        let bad = self.cold();
        let exclusive = self.int(i64::from((word >> 8) as u8));
        let ec = self.ec;
        let v = self.call(literals::new_range as *const () as usize, &[ec, low, high, exclusive]);
        self.known_or(v, bad);
        self.or_step(i, bad, instr.defs[0], v)
    }
}
