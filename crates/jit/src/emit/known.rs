//! What is known of values where code is being emitted (see `crate::types`).

use asterism_object::types::Type;
use cranelift_codegen::ir::{Block, InstBuilder, InstructionData, Opcode, Value};

use super::{Emitter, How};
use crate::types::Ty;

impl Emitter<'_, '_> {
    /// Looks at register `r` in front of block `n`, which expects something of it; else the code is left there.
    pub(super) fn look_ahead(&mut self, n: usize, r: usize) {
        let (an, ty) = (self.an, self.an.blocks[n].types[r]);
        let v = self.get(r);
        let bad = self.cold();
        self.is_of(r, v, ty, bad);
        self.aside(bad, |e| {
            for r in 0..e.regs.len() {
                let seen = r < an.code.locals.len() || an.blocks[n].live[r];
                if an.tracked[r] && e.regs[r].dirty && seen {
                    e.write(r);
                }
            }
            let pc = e.pc(an.instrs[an.blocks[n].instrs.start].at);
            e.leave_at(pc, How::Ahead);
        });
    }

    /// Goes on if `v`, the value of register `r`, is of type `ty`, which is then known of it, else in `bad`.
    pub fn is_of(&mut self, r: usize, v: Value, ty: Ty, bad: Block) {
        match ty {
            Ty::Float => {
                let number = self.number_of(v, bad);
                self.is_number(r, number);
            }
            Ty::Fixnum => {
                let tag = self.b.ins().band_imm_s(v, 1);
                let tag = self.perhaps(tag);
                self.expect_or(tag, bad);
            }
            Ty::Array => self.is_cell_of(v, Type::Array, bad),
            Ty::Cell => self.is_heap(v, bad),
            Ty::Any | Ty::Unseen => {}
        }
        self.know(r, ty);
    }

    /// Says what is known of a register's value.
    pub fn know(&mut self, r: usize, ty: Ty) {
        for r in [Some(r), self.copies.of(r).filter(|_| ty != Ty::Float)].into_iter().flatten() {
            if self.an.tracked[r] {
                self.regs[r].ty = self.regs[r].ty.with(ty);
            }
        }
    }

    /// The word that a value is, if it is always the same.
    pub fn constant_of(&self, v: Value) -> Option<i64> {
        let inst = self.b.func.dfg.value_def(v).inst()?;
        match self.b.func.dfg.insts[inst] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(imm.bits()),
            _ => None,
        }
    }
}
