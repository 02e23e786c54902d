//! What the interpreter executes for compiled code.

use std::ops::Range;

use asterism_compiler::code::Literal;
use asterism_compiler::opcode::Op;
use asterism_vm::jit::steps;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;

use super::{Emitter, Failed, How};
use crate::types::Ty;

impl Emitter<'_, '_> {
    /// How many instructions of these the interpreter had best execute at once: those that it executes anyway, and what moves
    /// values from one to the next.
    pub(super) fn run_from(&self, instrs: Range<usize>) -> usize {
        let (an, from) = (self.an, instrs.start);
        let moves = |i: usize| match an.instrs[i].op {
            Op::LoadNil | Op::LoadTrue | Op::LoadFalse | Op::LoadSelf => true,
            Op::LoadLit => !matches!(an.literal(i), Literal::Float(_)),
            // What the run itself has set is of no known type.
            Op::Move => {
                let r = an.instrs[i].uses[0];
                self.regs[r].ty == Ty::Any || (from..i).any(|before| an.instrs[before].defs.contains(&r))
            }
            _ => false,
        };
        let run = instrs.take_while(|&i| an.is_plain_step(i) || i > from && moves(i));
        run.filter(|&i| an.is_plain_step(i)).last().map_or(0, |last| last + 1 - from)
    }

    /// Has the interpreter execute these instructions at once, none of which jumps. Goes on behind them, with what they wrote.
    pub(super) fn steps(&mut self, run: Range<usize>) {
        let an = self.an;
        self.at = run.start;
        for r in 0..self.regs.len() {
            let needed = |i: usize| an.live_after[i][r] || an.instrs[i].uses.contains(&r);
            if an.tracked[r] && self.regs[r].dirty && (r < an.code.locals.len() || run.clone().any(needed)) {
                self.write(r);
            }
        }
        let (from, to) = (self.pc(an.instrs[run.start].at), self.pc(an.instrs[run.end - 1].next()));
        let (ec, frame) = (self.ec, self.frame);
        let at = self.call(steps::steps as *const () as usize, &[ec, frame, from, to]);
        let is_behind = self.b.ins().icmp(IntCC::Equal, at, to);
        let left = self.left;
        self.expect_or(is_behind, left);
        for i in run {
            for &d in &an.instrs[i].defs {
                self.set_in_memory(d);
            }
        }
    }

    /// Has instruction `i` executed by the interpreter. Goes on behind it, with what it wrote.
    pub fn step(&mut self, i: usize) -> Result<(), Failed> {
        let an = self.an;
        let instr = &an.instrs[i];
        if self.leaves_inlined(i) {
            for &d in &instr.defs {
                self.set_in_memory(d);
            }
            return Ok(());
        }
        self.flush(i, true);
        let pc = self.pc(instr.at);
        let (ec, frame) = (self.ec, self.frame);
        let at = self.call(steps::step as *const () as usize, &[ec, frame, pc]);
        let next = self.pc(instr.next());
        let on = self.fresh();
        let is_next = self.b.ins().icmp(IntCC::Equal, at, next);
        let other = if instr.target.is_some() { self.cold() } else { self.left };
        self.b.ins().brif(is_next, on, &[], other, &[]);
        let regs = self.regs.clone();
        if let Some(target) = instr.target {
            self.b.switch_to_block(other);
            let to = self.pc(target);
            let jumped = self.b.ins().icmp(IntCC::Equal, at, to);
            let (away, not) = (self.fresh(), self.left);
            self.b.ins().brif(jumped, away, &[], not, &[]);
            self.b.switch_to_block(away);
            for &d in &instr.defs {
                self.set_in_memory(d);
            }
            // `Once` writes its register where it jumps.
            if instr.op == Op::Once {
                let dst = (an.code.words[instr.at] >> 16) as u16;
                self.set_in_memory(usize::from(dst));
            }
            self.go_from(i)?;
            self.regs.clone_from(&regs);
        }
        self.done = false;
        self.b.switch_to_block(on);
        for &d in &instr.defs {
            self.set_in_memory(d);
        }
        // Where it jumps to the next instruction, what was set meanwhile is seen there only.
        if instr.op == Op::Once && instr.target == Some(instr.next()) {
            self.set_in_memory(usize::from((an.code.words[instr.at] >> 16) as u16));
        }
        if !instr.falls {
            self.leave(i, How::Plainly);
            self.done = true;
        }
        Ok(())
    }
}
