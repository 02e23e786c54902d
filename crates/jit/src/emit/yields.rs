//! Calls of blocks: `yield`, and `call` of Procs.

use asterism_vm::jit::calls as of_vm;
use asterism_vm::jit::layout::{cell, frame, iseq, proc};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::calls::Callee;
use super::{Emitter, Failed, trusted};
use crate::types::Ty;

impl Emitter<'_, '_> {
    /// Calls a Proc of Ruby code that takes all values as they are given.
    pub(super) fn call_proc(&mut self, i: usize, base: usize, recv: Value, bad: Block) -> Value {
        let (_, dst, site) = self.call_operands(i);
        let argc = i32::from(self.an.code.call_sites[site].argc);
        let flags = self.load(recv, proc::FLAGS);
        let other = self.b.ins().band_imm_s(flags, !(proc::LAMBDA as i64));
        let plain = self.b.ins().icmp_imm_s(IntCC::Equal, other, 0);
        self.expect_or(plain, bad);
        // Without other flags the word is the cell of its code.
        let made = self.load(recv, proc::CODE);
        let code = self.load(made, cell::PAYLOAD);
        let taken = self.b.ins().uload8(types::I64, trusted(), code, iseq::TAKEN + argc + 1);
        let wanted = self.load32(code, iseq::SIMPLE);
        let all = self.b.ins().icmp(IntCC::Equal, taken, wanted);
        self.expect_or(all, bad);
        let exact = self.b.ins().icmp_imm_s(IntCC::Equal, wanted, i64::from(argc));
        self.expect_or(exact, bad);
        let (new, function) = self.room_for(code, bad);
        let args = self.arguments(base, site);
        // The register with the Proc, which keeps the code, is one that the call reads.
        self.flush(i, true);
        self.save(i);
        let state = frame::YIELDED as i64 | dst as i64;
        let callee = Callee {
            code,
            this: self.load(recv, proc::SELF),
            method: self.load(recv, proc::METHOD),
            block: Some(self.load(recv, proc::BLOCK)),
            cref: self.load(recv, proc::CREF),
            scope: Some(self.load(recv, proc::ENV)),
            state,
        };
        self.push(new, callee, &args);
        let lambda = self.b.ins().ishl_imm_s(flags, i64::from(frame::LAMBDA.trailing_zeros()));
        let state = self.b.ins().bor_imm_s(lambda, state);
        self.store(new, frame::STATE, state);
        let v = self.call_native(function, new);
        self.returned(v, i, false);
        self.forget_args(i);
        v
    }

    pub(super) fn yield_instruction(&mut self, i: usize) -> Result<(), Failed> {
        let (base, dst, _) = self.call_operands(i);
        let known = usize::from((self.an.code.words[self.an.instrs[i].at] >> 8) as u8);
        if known == 0 {
            self.send(i, of_vm::send_yield as *const () as usize);
            return Ok(());
        }
        if self.yield_part(i, base + 1, known - 1)? {
            return Ok(());
        }
        let bad = self.cold();
        let this = self.frame;
        let block = self.load(this, frame::BLOCK);
        let on_stack = self.b.ins().band_imm_s(block, 1);
        // What the library yields to is often a Symbol.
        let may_be_symbol = known == 2 && self.an.code.internal;
        let other = if may_be_symbol { self.cold() } else { bad };
        self.expect_or(on_stack, other);
        let creator = self.b.ins().iadd_imm_s(block, -1);
        let code = self.load(creator, frame::BLOCK_CODE);
        // All of its parameters are given.
        let taken = self.b.ins().uload8(types::I64, trusted(), code, iseq::TAKEN + known as i32);
        let wanted = self.load32(code, iseq::PLAIN);
        let all = self.b.ins().icmp(IntCC::Equal, taken, wanted);
        self.expect_or(all, bad);
        let (new, function) = self.room_for(code, bad);
        let args: Vec<Value> = (0..known - 1).map(|n| self.get(base + 1 + n)).collect();
        self.flush(i, false);
        self.save(i);
        let callee = Callee {
            code,
            this: self.load(creator, frame::SELF),
            method: self.load(creator, frame::METHOD),
            block: Some(self.load(creator, frame::BLOCK)),
            cref: self.load(creator, frame::CREF),
            scope: Some(block),
            state: frame::YIELDED as i64 | dst as i64,
        };
        self.push(new, callee, &args);
        let v = self.call_native(function, new);
        self.returned(v, i, false);
        let v = if may_be_symbol { self.or_yield_to_symbol(i, (base + 1, block), v, (other, bad)) } else { v };
        self.or_send(i, bad, dst, v, of_vm::send_yield as *const () as usize);
        Ok(())
    }

    /// Has a helper make the call of instruction `i`.
    fn call_sent(&mut self, i: usize, helper: usize) -> Value {
        self.flush(i, true);
        self.save(i);
        let (ec, frame) = (self.ec, self.frame);
        let v = self.call(helper, &[ec, frame]);
        self.unless_left(v);
        v
    }

    /// A call that a helper makes.
    pub(super) fn send(&mut self, i: usize, helper: usize) {
        let (_, dst, _) = self.call_operands(i);
        let v = self.call_sent(i, helper);
        self.set(dst, v, Ty::Any);
    }

    /// Call `i` gives `v`, but what a helper gives in `bad`.
    pub(super) fn or_send(&mut self, i: usize, bad: Block, dst: usize, v: Value, helper: usize) {
        let on = self.fresh();
        let result = self.b.append_block_param(on, types::I64);
        self.b.ins().jump(on, &[v.into()]);
        let regs = self.regs.clone();
        self.b.switch_to_block(bad);
        self.regs.clone_from(&self.before);
        let sent = self.call_sent(i, helper);
        self.match_values(&regs);
        self.b.ins().jump(on, &[sent.into()]);
        self.regs = regs;
        self.b.switch_to_block(on);
        self.set(dst, result, Ty::Any);
    }
}
