//! Where compiled code begins, and where it is entered in the middle.

use asterism_vm::jit::layout;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, JumpTableData, Value, types};

use super::{Emitter, Failed, How, Reg, bits};
use crate::types::{This, Ty};

impl Emitter<'_, '_> {
    /// The machine stack has room, else the code is left at word `at`.
    fn check_machine(&mut self, at: usize) {
        let sp = self.b.ins().get_stack_pointer(self.pointer);
        let ec = self.ec;
        let limit = self.load(ec, layout::ec::MACHINE_LIMIT);
        let room = self.b.ins().icmp(IntCC::UnsignedGreaterThan, sp, limit);
        let full = self.expect(room);
        self.aside(full, |e| e.leave_word(at, How::Plainly));
    }

    /// `self` is what the code takes it for, else the code is left at word `at`.
    fn check_self(&mut self, at: usize) {
        let wanted = self.an.this;
        if wanted != This::Any {
            let this = self.own_self();
            self.cells.remove(&this);
            let bad = self.cold();
            self.is_own(this, wanted, bad);
            self.aside(bad, |e| e.leave_word(at, How::Ahead));
        }
    }

    pub(super) fn beginning(&mut self) -> Result<(), Failed> {
        let an = self.an;
        let given = an.code.params.slots();
        self.tell_begun();
        let nil = self.int(bits::NIL);
        self.clear(given);
        self.check_machine(0);
        self.check_self(0);
        for r in 0..self.regs.len() {
            if !an.tracked[r] || !an.blocks[0].live[r] {
                continue;
            }
            let v = if r >= given {
                nil
            } else {
                let (frame, offset) = (self.frame, self.offset(r));
                self.load(frame, offset)
            };
            self.b.def_var(self.values[r], v);
            self.regs[r] = Reg { ty: Ty::Any, value: true, number: false, dirty: false };
        }
        let first = self.blocks[0];
        self.jump(first);
        Ok(())
    }

    /// Makes locals from `first` on nil, and what else is read before it is written. Other registers have no value: the collector
    /// knows that there may be anything, and nobody else looks.
    pub(super) fn clear(&mut self, first: usize) {
        let (an, this) = (self.an, self.frame);
        let mut r = first;
        let wanted = |r: usize| r < an.code.locals.len() || an.blocks[0].live.get(r) == Some(&true);
        while r < self.regs.len() {
            let offset = self.offset(r);
            if wanted(r) && r + 1 < self.regs.len() && wanted(r + 1) {
                self.store_two(this, offset, [bits::NIL; 2]);
                r += 1;
            } else if wanted(r) {
                let nil = self.int(bits::NIL);
                self.store(this, offset, nil);
            }
            r += 1;
        }
    }

    /// To the block that is entered under the number `entry`.
    pub(super) fn entries(&mut self, entry: Value) -> Result<(), Failed> {
        let an = self.an;
        let entered: Vec<usize> = (0..an.blocks.len()).filter(|&n| an.blocks[n].entry != 0).collect();
        if entered.is_empty() {
            return Err("nowhere to enter");
        }
        let none = self.cold();
        let starts: Vec<Block> = entered.iter().map(|_| self.fresh()).collect();
        let none_call = self.b.func.dfg.block_call(none, &[]);
        let mut table = vec![none_call];
        for start in &starts {
            table.push(self.b.func.dfg.block_call(*start, &[]));
        }
        let table = self.b.create_jump_table(JumpTableData::new(none_call, &table));
        let entry = self.b.ins().ireduce(types::I32, entry);
        self.b.ins().br_table(entry, table);
        self.b.switch_to_block(none);
        self.return_left();
        for (n, start) in entered.into_iter().zip(starts) {
            self.b.switch_to_block(start);
            self.tell_current();
            let first = an.blocks[n].instrs.start;
            self.check_machine(an.instrs[first].at);
            self.check_self(an.instrs[first].at);
            for r in 0..self.regs.len() {
                self.regs[r] = Reg { ty: Ty::Any, value: false, number: false, dirty: false };
                if !an.tracked[r] || !an.blocks[n].live[r] {
                    continue;
                }
                self.set_in_memory(r);
                let ty = an.blocks[n].types[r];
                if ty != Ty::Any {
                    let v = self.get(r);
                    let bad = self.cold();
                    self.is_of(r, v, ty, bad);
                    self.leave_aside(bad, first, How::Ahead);
                }
            }
            let block = self.blocks[n];
            self.jump(block);
        }
        Ok(())
    }
}
