//! How code is left.

use asterism_vm::jit::layout;
use asterism_vm::jit::{LEFT, helpers};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};

use super::{Emitter, How, trusted};

impl Emitter<'_, '_> {
    /// The blocks by which code is left.
    pub(super) fn ends(&mut self) {
        self.ends_inlined();
        let helpers =
            [helpers::leave as *const (), helpers::leave_unexpected as *const (), helpers::leave_ahead as *const ()];
        for (n, helper) in helpers.into_iter().enumerate() {
            let (block, used) = self.leaving[n];
            self.b.switch_to_block(block);
            if used {
                let (pc, frame) = (self.b.block_params(block)[0], self.b.block_params(block)[1]);
                // Mostly the code's own frame (see `apart`).
                let (ec, frame) = (self.ec, self.copied(frame));
                self.call_pure(helper as usize, &[ec, frame, pc]);
            }
            self.return_left();
        }
        let left = self.left;
        self.b.switch_to_block(left);
        let word = self.int(LEFT as i64);
        self.b.ins().return_(&[word]);
    }

    /// Leaves the code at instruction `i`, in the cold block `at`.
    pub fn leave_aside(&mut self, at: Block, i: usize, how: How) {
        self.aside(at, |e| e.leave(i, how));
    }

    /// Leaves the code at instruction `i`.
    pub fn leave(&mut self, i: usize, how: How) {
        self.flush(i, true);
        self.leave_word(self.an.instrs[i].at, how);
    }

    /// Leaves the code at `pc`, where the frame is up to date.
    pub(super) fn leave_at(&mut self, pc: Value, how: How) {
        if !self.leave_inlined_at(pc, how) {
            let frame = self.frame;
            self.leave_made(pc, frame, how);
        }
    }

    /// The same at word `at`.
    pub(super) fn leave_word(&mut self, at: usize, how: How) {
        let pc = self.pc(at);
        self.leave_at(pc, how);
    }

    /// As `leave_at`, of a frame that has been made.
    pub(super) fn leave_made(&mut self, pc: Value, frame: Value, how: How) {
        let (block, used) = &mut self.leaving[how as usize];
        *used = true;
        let block = *block;
        self.b.ins().jump(block, &[pc.into(), frame.into()]);
    }

    /// A condition which code does not rely on for good: in tests it fails at random.
    pub fn perhaps(&mut self, condition: Value) -> Value {
        if !self.an.stress {
            return condition;
        }
        let ec = self.ec;
        let last = self.load32(ec, layout::ec::DICE);
        let next = self.b.ins().imul_imm_s(last, i64::from(layout::DICE_FACTOR));
        let next = self.b.ins().iadd_imm_s(next, i64::from(layout::DICE_STEP));
        self.b.ins().istore32(trusted(), next, ec, layout::ec::DICE);
        let high = self.b.ins().band_imm_s(next, 0x3f00_0000);
        let likely = self.b.ins().icmp_imm_s(IntCC::NotEqual, high, 0);
        let met = self.b.ins().icmp_imm_s(IntCC::NotEqual, condition, 0);
        self.b.ins().band(likely, met)
    }
}
