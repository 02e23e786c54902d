//! Arithmetic and comparisons.

use asterism_compiler::opcode::Op;
use asterism_object::types::Type;
use asterism_vm::jit::heat::kind;
use asterism_vm::jit::{LEFT, helpers, operators};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Value, types};

use super::{Emitter, Failed, How, bits, trusted};
use crate::types::{Operand, Plan, This, Ty};

/// How an instruction compares.
pub(super) fn comparison(op: Op) -> Option<(IntCC, FloatCC)> {
    Some(match op {
        Op::Lt | Op::JmpLt | Op::JmpLtI => (IntCC::SignedLessThan, FloatCC::LessThan),
        Op::Le | Op::JmpLe | Op::JmpLeI => (IntCC::SignedLessThanOrEqual, FloatCC::LessThanOrEqual),
        Op::Gt | Op::JmpGt | Op::JmpGtI => (IntCC::SignedGreaterThan, FloatCC::GreaterThan),
        Op::Ge | Op::JmpGe | Op::JmpGeI => (IntCC::SignedGreaterThanOrEqual, FloatCC::GreaterThanOrEqual),
        Op::Eq | Op::JmpEq | Op::JmpEqI => (IntCC::Equal, FloatCC::Equal),
        Op::Ne | Op::JmpNe | Op::JmpNeI => (IntCC::NotEqual, FloatCC::NotEqual),
        _ => return None,
    })
}

impl Emitter<'_, '_> {
    /// The constant operand of an instruction, a small Integer.
    fn imm(&self, i: usize) -> i64 {
        let instr = &self.an.instrs[i];
        let word = self.an.code.words[instr.at];
        let part = match instr.op {
            Op::AddI | Op::SubI => (word >> 48) as u16,
            _ => (word >> 32) as u16,
        };
        i64::from(part as i16)
    }

    /// The jump is made if the comparison is as this says.
    fn sense(&self, i: usize) -> bool {
        (self.an.code.words[self.an.instrs[i].at] >> 8) as u8 != 0
    }

    /// An operand as a value; the second one may be the instruction's constant.
    fn operand(&mut self, i: usize, n: usize) -> Value {
        match self.an.instrs[i].uses.get(n).copied() {
            Some(r) => self.get(r),
            None => {
                let tagged = self.imm(i) << 1 | 1;
                self.int(tagged)
            }
        }
    }

    fn type_of(&self, i: usize, n: usize) -> Ty {
        self.an.instrs[i].uses.get(n).map_or(Ty::Fixnum, |&r| self.regs[r].ty)
    }

    /// Goes on if both operands are fixnums, else in `bad`.
    fn both_fixnums(&mut self, i: usize, a: Value, b: Value, bad: Block) {
        let tags = match (self.type_of(i, 0), self.type_of(i, 1)) {
            (Ty::Fixnum, Ty::Fixnum) => return,
            (Ty::Fixnum, _) => b,
            (_, Ty::Fixnum) => a,
            _ => self.b.ins().band(a, b),
        };
        let tag = self.b.ins().band_imm_s(tags, 1);
        let tag = self.perhaps(tag);
        self.expect_or(tag, bad);
    }

    /// Arithmetic, or a comparison that gives a value.
    pub(super) fn arithmetic(&mut self, i: usize) -> Result<(), Failed> {
        let types = self.types();
        match self.an.plan(i, &types) {
            Plan::Step => self.by_method(i),
            Plan::Floats(l, r) => {
                self.float_operation(i, l, r);
                Ok(())
            }
            Plan::Exact => {
                self.exact_operation(i);
                Ok(())
            }
            Plan::Fixnums => self.fixnum_operation(i),
        }
    }

    /// Arithmetic, or a comparison, of fixnums that gives one, else the code is left.
    fn exact_operation(&mut self, i: usize) {
        let op = self.an.instrs[i].op;
        let dst = self.an.instrs[i].defs[0];
        let (a, b) = (self.operand(i, 0), self.operand(i, 1));
        let bad = self.cold();
        self.both_fixnums(i, a, b, bad);
        let v = if op == Op::Neg { self.negated(a, bad) } else { self.of_fixnums(op, a, b, bad) };
        self.leave_aside(bad, i, How::Unexpected);
        self.know_operands(i, Ty::Fixnum);
        self.set(dst, v, if comparison(op).is_some() { Ty::Any } else { Ty::Fixnum });
    }

    fn know_operands(&mut self, i: usize, ty: Ty) {
        let an = self.an;
        for &r in an.instrs[i].uses.iter().take(2) {
            self.know(r, ty);
        }
    }

    fn negated(&mut self, a: Value, bad: Block) -> Value {
        let two = self.int(2);
        let (v, over) = self.b.ins().ssub_overflow(two, a);
        self.unless(over, bad);
        v
    }

    /// Arithmetic, or a comparison, of what are no numbers: by the method that the site remembers, else by the interpreter.
    fn by_method(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let seen = self.an.of.kinds.get(instr.at).copied().unwrap_or(0) & 15;
        let ruby = self.an.is_ruby_operator(i);
        if seen & kind::FLOAT != 0 || instr.op == Op::Neg || instr.uses.is_empty() && !ruby {
            return self.step(i);
        }
        let dst = instr.defs[0];
        let (a, b) = (self.operand(i, 0), self.operand(i, 1));
        let bad = self.cold();
        if ruby {
            let v = self.call_operator(i, a, vec![b], bad)?;
            return self.or_step(i, bad, dst, v);
        }
        let v = self.operator(i, operators::operator1 as *const () as usize, &[a, b], dst, bad);
        self.or_step(i, bad, dst, v)
    }

    fn fixnum_operation(&mut self, i: usize) -> Result<(), Failed> {
        let op = self.an.instrs[i].op;
        let dst = self.an.instrs[i].defs[0];
        let (a, b) = (self.operand(i, 0), self.operand(i, 1));
        let bad = self.cold();
        let v = if op == Op::Neg {
            let tag = self.b.ins().band_imm_s(a, 1);
            self.expect_or(tag, bad);
            self.negated(a, bad)
        } else {
            self.both_fixnums(i, a, b, bad);
            self.of_fixnums(op, a, b, bad)
        };
        // Where others than fixnums were met, or come of it, they are no exception.
        if op != Op::Neg && (op == Op::Shl || self.seen(i) & (kind::OTHER | kind::OTHER << 4) != 0) {
            return self.or_operator(i, bad, dst, v, (a, b));
        }
        self.or_step(i, bad, dst, v)
    }

    /// Goes on if `bad_if` is 0, else in `bad`.
    fn unless(&mut self, bad_if: Value, bad: Block) {
        let good = self.fresh();
        self.b.ins().brif(bad_if, bad, &[], good, &[]);
        self.b.switch_to_block(good);
        self.b.seal_block(good);
    }

    /// What comes of two fixnums.
    pub(super) fn of_fixnums(&mut self, op: Op, a: Value, b: Value, bad: Block) -> Value {
        if let Some((how, _)) = comparison(op) {
            let met = self.b.ins().icmp(how, a, b);
            return self.boolean(met);
        }
        match op {
            Op::Add | Op::AddI | Op::Sub | Op::SubI => self.add_or_subtract(op, a, b, bad),
            Op::Mul => {
                let a = self.b.ins().iadd_imm_s(a, -1);
                let b = self.b.ins().sshr_imm_s(b, 1);
                let (v, over) = self.b.ins().smul_overflow(a, b);
                self.unless(over, bad);
                self.b.ins().bor_imm_s(v, 1)
            }
            Op::And => self.b.ins().band(a, b),
            Op::Or => self.b.ins().bor(a, b),
            Op::Xor => {
                let v = self.b.ins().bxor(a, b);
                self.b.ins().bor_imm_s(v, 1)
            }
            Op::Shr if self.constant_of(b).is_some_and(|b| (1..=125).contains(&b)) => {
                let by = self.constant_of(b).unwrap_or(1) >> 1;
                let v = self.b.ins().sshr_imm_s(a, by);
                self.b.ins().bor_imm_s(v, 1)
            }
            Op::Shr => {
                // By 0 to 62 places.
                let by = self.b.ins().sshr_imm_s(b, 1);
                let few = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, by, 63);
                self.expect_or(few, bad);
                let v = self.b.ins().sshr(a, by);
                self.b.ins().bor_imm_s(v, 1)
            }
            Op::Shl => {
                let by = self.b.ins().sshr_imm_s(b, 1);
                let few = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, by, 62);
                self.expect_or(few, bad);
                let plain = self.b.ins().iadd_imm_s(a, -1);
                let v = self.b.ins().ishl(plain, by);
                let back = self.b.ins().sshr(v, by);
                let same = self.b.ins().icmp(IntCC::Equal, back, plain);
                self.expect_or(same, bad);
                self.b.ins().bor_imm_s(v, 1)
            }
            _ => self.divide(op, a, b, bad),
        }
    }

    fn add_or_subtract(&mut self, op: Op, a: Value, b: Value, bad: Block) -> Value {
        let adds = matches!(op, Op::Add | Op::AddI);
        if let Some(b) = self.constant_of(b) {
            // What is added is known: a result on its other side is too large.
            let by = if adds { b - 1 } else { 1 - b };
            let v = self.b.ins().iadd_imm_s(a, by);
            let how = if by < 0 { IntCC::SignedGreaterThan } else { IntCC::SignedLessThan };
            let over = self.b.ins().icmp(how, v, a);
            self.unless(over, bad);
            return v;
        }
        let b = self.b.ins().iadd_imm_s(b, -1);
        let (v, over) = if adds { self.b.ins().sadd_overflow(a, b) } else { self.b.ins().ssub_overflow(a, b) };
        self.unless(over, bad);
        v
    }

    /// The quotient, rounded down, or the remainder, which has the sign of the divisor.
    fn divide(&mut self, op: Op, a: Value, b: Value, bad: Block) -> Value {
        if let Some(by) = self.constant_of(b).map(|b| b >> 1).filter(|by| *by > 0 && by.count_ones() == 1) {
            return match op {
                Op::Mod => self.b.ins().band_imm_s(a, (by - 1) << 1 | 1),
                _ => {
                    let v = self.b.ins().sshr_imm_s(a, i64::from(by.trailing_zeros()));
                    self.b.ins().bor_imm_s(v, 1)
                }
            };
        }
        let (a, b) = (self.b.ins().sshr_imm_s(a, 1), self.b.ins().sshr_imm_s(b, 1));
        // 0 and -1 are none of ours: the one raises, the other one may leave the fixnums.
        let off = self.b.ins().iadd_imm_s(b, 1);
        let plain = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, off, 1);
        self.expect_or(plain, bad);
        let rest = self.b.ins().srem(a, b);
        let signs = self.b.ins().bxor(rest, b);
        let differ = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, signs, 0);
        let some = self.b.ins().icmp_imm_s(IntCC::NotEqual, rest, 0);
        let down = self.b.ins().band(differ, some);
        let v = if op == Op::Mod {
            let more = self.b.ins().iadd(rest, b);
            self.b.ins().select(down, more, rest)
        } else {
            let quotient = self.b.ins().sdiv(a, b);
            let less = self.b.ins().iadd_imm_s(quotient, -1);
            self.b.ins().select(down, less, quotient)
        };
        let twice = self.b.ins().ishl_imm_s(v, 1);
        self.b.ins().bor_imm_s(twice, 1)
    }

    /// Sets `dst` to `v`; in `bad` the interpreter executes the instruction.
    pub(super) fn or_step(&mut self, i: usize, bad: Block, dst: usize, v: Value) -> Result<(), Failed> {
        let on = self.fresh();
        let result = self.b.append_block_param(on, types::I64);
        self.b.ins().jump(on, &[v.into()]);
        let regs = self.regs.clone();
        self.step_in(i, bad, &regs)?;
        let stepped = self.get(dst);
        self.b.ins().jump(on, &[stepped.into()]);
        self.regs = regs;
        self.b.switch_to_block(on);
        self.set(dst, result, Ty::Any);
        Ok(())
    }

    /// As `or_step`, but in `bad` the method that the site remembers is called first, if it is a native one, with the operands `a` and `b`.
    pub(super) fn or_operator(
        &mut self,
        i: usize,
        bad: Block,
        dst: usize,
        v: Value,
        (a, b): (Value, Value),
    ) -> Result<(), Failed> {
        let helper = operators::operator1 as *const () as usize;
        self.or_answer(i, bad, dst, v, |e| e.ask_operator(i, helper, &[a, b], dst))
    }

    /// As `or_step`, but in `bad` a helper is called first, which may know the value.
    pub(super) fn or_answer(
        &mut self,
        i: usize,
        bad: Block,
        dst: usize,
        v: Value,
        ask: impl FnOnce(&mut Self) -> Value,
    ) -> Result<(), Failed> {
        let (on, unknown) = (self.fresh(), self.cold());
        let result = self.b.append_block_param(on, types::I64);
        self.b.ins().jump(on, &[v.into()]);
        let regs = self.regs.clone();
        self.b.switch_to_block(bad);
        self.regs.clone_from(&self.before);
        let called = ask(self);
        self.known_or(called, unknown);
        self.match_values(&regs);
        self.b.ins().jump(on, &[called.into()]);
        self.step_in(i, unknown, &regs)?;
        let stepped = self.get(dst);
        self.b.ins().jump(on, &[stepped.into()]);
        self.regs = regs;
        self.b.switch_to_block(on);
        self.set(dst, result, Ty::Any);
        Ok(())
    }

    /// Sets the values that are set by `then`.
    pub(super) fn match_values(&mut self, then: &[super::Reg]) {
        for (r, register) in then.iter().enumerate() {
            if self.an.tracked[r] && register.value && !self.regs[r].value {
                self.get(r);
            }
        }
    }

    /// Has the interpreter execute the instruction in `bad`, which any part of it so far may lead to. Behind it, what `then` says is
    /// set is so.
    pub(super) fn step_in(&mut self, i: usize, bad: Block, then: &[super::Reg]) -> Result<(), Failed> {
        self.b.switch_to_block(bad);
        self.regs.clone_from(&self.before);
        self.step(i)?;
        self.match_values(then);
        self.done = false;
        Ok(())
    }

    /// A condition as a value.
    pub(super) fn boolean(&mut self, met: Value) -> Value {
        let (yes, no) = (self.int(bits::TRUE), self.int(bits::FALSE));
        self.b.ins().select(met, yes, no)
    }

    // ---- Floats -----------------------------------------------------------------------------------

    fn float_operation(&mut self, i: usize, l: Operand, r: Operand) {
        let op = self.an.instrs[i].op;
        let dst = self.an.instrs[i].defs[0];
        let (x, y) = self.numbers(i, l, r);
        if let Some((_, how)) = comparison(op) {
            let met = self.b.ins().fcmp(how, x, y);
            let v = self.boolean(met);
            self.set(dst, v, Ty::Any);
            return;
        }
        let v = match op {
            Op::Add | Op::AddI => self.b.ins().fadd(x, y),
            Op::Sub | Op::SubI => self.b.ins().fsub(x, y),
            Op::Mul => self.b.ins().fmul(x, y),
            Op::Div => self.b.ins().fdiv(x, y),
            _ => self.b.ins().fneg(x),
        };
        self.set_number(dst, v);
    }

    /// Both operands as plain numbers; where one is none, code is left.
    fn numbers(&mut self, i: usize, l: Operand, r: Operand) -> (Value, Value) {
        (self.plain(i, 0, l), self.plain(i, 1, r))
    }

    fn plain(&mut self, i: usize, n: usize, operand: Operand) -> Value {
        let Some(&r) = self.an.instrs[i].uses.get(n) else {
            let imm = self.imm(i) as f64;
            return self.b.ins().f64const(imm);
        };
        if operand == Operand::Float {
            if let Some(number) = self.number(r) {
                return number;
            }
            let v = self.get(r);
            let bad = self.cold();
            if self.an.stress {
                let always = self.b.ins().iconst(types::I8, 1);
                let usual = self.perhaps(always);
                self.expect_or(usual, bad);
            }
            let number = self.number_of(v, bad);
            self.leave_aside(bad, i, How::Unexpected);
            self.is_number(r, number);
            return number;
        }
        let v = self.get(r);
        if self.regs[r].ty != Ty::Fixnum {
            let tag = self.b.ins().band_imm_s(v, 1);
            let tag = self.perhaps(tag);
            let bad = self.expect(tag);
            self.leave_aside(bad, i, How::Unexpected);
            self.know(r, Ty::Fixnum);
        }
        let n = self.b.ins().sshr_imm_s(v, 1);
        self.b.ins().fcvt_from_sint(types::F64, n)
    }

    /// The plain number of a Float; in `bad` it is none.
    pub(super) fn number_of(&mut self, v: Value, bad: Block) -> Value {
        let on = self.fresh();
        let number = self.b.append_block_param(on, types::F64);
        let tag = self.b.ins().band_imm_s(v, 3);
        let is_flonum = self.b.ins().icmp_imm_s(IntCC::Equal, tag, 2);
        let other = self.expect(is_flonum);
        let is_zero = self.b.ins().icmp_imm_s(IntCC::Equal, v, bits::ZERO);
        let top = self.b.ins().ushr_imm_s(v, 63);
        let two = self.int(2);
        let low = self.b.ins().isub(two, top);
        let high = self.b.ins().band_imm_s(v, !3);
        let word = self.b.ins().bor(low, high);
        let word = self.b.ins().rotr_imm_s(word, 3);
        let nothing = self.int(0);
        let word = self.b.ins().select(is_zero, nothing, word);
        let plain = self.b.ins().bitcast(types::F64, MemFlagsData::new(), word);
        self.b.ins().jump(on, &[plain.into()]);
        // One with a cell.
        self.aside(other, |e| {
            e.is_cell_of(v, Type::Float, bad);
            let plain = e.b.ins().load(types::F64, trusted(), v, 16);
            e.b.ins().jump(on, &[plain.into()]);
        });
        self.b.switch_to_block(on);
        number
    }

    /// Goes on if `v` is a cell of that type, else in `bad`.
    pub(super) fn is_cell_of(&mut self, v: Value, ty: Type, bad: Block) {
        let known = self.cells.get(&v);
        if ty == Type::Object && known == Some(&This::Object) || ty == Type::Array && known == Some(&This::Array) {
            return;
        }
        self.is_heap(v, bad);
        let head = self.b.ins().uload8(types::I64, trusted(), v, 0);
        let same = self.b.ins().icmp_imm_s(IntCC::Equal, head, i64::from(ty as u8));
        self.expect_or(same, bad);
    }

    /// Goes on if `v` is a cell, else in `bad`.
    pub(super) fn is_heap(&mut self, v: Value, bad: Block) {
        if self.cells.contains_key(&v) {
            return;
        }
        // Two jumps, each one with its comparison, are less than one that depends on both.
        let low = self.b.ins().band_imm_s(v, 7);
        let aligned = self.b.ins().icmp_imm_s(IntCC::Equal, low, 0);
        self.expect_or(aligned, bad);
        let above = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, v, bits::LAST_SPECIAL);
        self.expect_or(above, bad);
    }

    /// The value of a plain number.
    pub(super) fn float_value(&mut self, number: Value) -> Value {
        let on = self.fresh();
        let value = self.b.append_block_param(on, types::I64);
        let word = self.b.ins().bitcast(types::I64, MemFlagsData::new(), number);
        // The three bits below the sign are 3 or 4.
        let top = self.b.ins().ushr_imm_s(word, 60);
        let top = self.b.ins().band_imm_s(top, 7);
        let near = self.b.ins().iadd_imm_s(top, -3);
        let fits = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, near, 2);
        let odd = self.b.ins().icmp_imm_s(IntCC::NotEqual, word, 0x3000_0000_0000_0000);
        let fits = self.b.ins().band(fits, odd);
        let other = self.expect(fits);
        let v = self.b.ins().rotl_imm_s(word, 3);
        let v = self.b.ins().band_imm_s(v, !3);
        let v = self.b.ins().bor_imm_s(v, 2);
        self.b.ins().jump(on, &[v.into()]);
        self.aside(other, |e| {
            let is_zero = e.b.ins().icmp_imm_s(IntCC::Equal, word, 0);
            let zero = e.int(bits::ZERO);
            let alloc = e.cold();
            e.b.ins().brif(is_zero, on, &[zero.into()], alloc, &[]);
            e.b.switch_to_block(alloc);
            let ec = e.ec;
            e.save(e.at);
            let v = e.call_with_number(helpers::float as *const () as usize, &[ec, number]);
            e.unless_left(v);
            e.b.ins().jump(on, &[v.into()]);
        });
        self.b.switch_to_block(on);
        value
    }

    // ---- jumps ------------------------------------------------------------------------------------

    /// A comparison that jumps.
    pub(super) fn jump_compare(&mut self, i: usize) -> Result<(), Failed> {
        let types = self.types();
        let op = self.an.instrs[i].op;
        let Some((integers, floats)) = comparison(op) else { return Err("no comparison") };
        let sense = self.sense(i);
        match self.an.plan(i, &types) {
            Plan::Step => {
                if comparison(op).is_some_and(|(how, _)| matches!(how, IntCC::Equal | IntCC::NotEqual)) {
                    let (a, b) = (self.operand(i, 0), self.operand(i, 1));
                    let unknown = self.cold();
                    self.jump_equal(i, a, b, op, sense, unknown)?;
                }
                self.step(i)?;
                if self.done { Ok(()) } else { self.go(self.an.instrs[i].next()) }
            }
            Plan::Floats(l, r) => {
                let (x, y) = self.numbers(i, l, r);
                let met = self.b.ins().fcmp(floats, x, y);
                self.branch_if(i, met, sense)
            }
            Plan::Exact => {
                let (a, b) = (self.operand(i, 0), self.operand(i, 1));
                if (self.type_of(i, 0), self.type_of(i, 1)) != (Ty::Fixnum, Ty::Fixnum) {
                    let bad = self.cold();
                    self.both_fixnums(i, a, b, bad);
                    self.leave_aside(bad, i, How::Unexpected);
                    self.know_operands(i, Ty::Fixnum);
                }
                let met = self.b.ins().icmp(integers, a, b);
                self.branch_if(i, met, sense)
            }
            Plan::Fixnums => {
                let (a, b) = (self.operand(i, 0), self.operand(i, 1));
                let bad = self.cold();
                self.both_fixnums(i, a, b, bad);
                let met = self.b.ins().icmp(integers, a, b);
                let regs = self.regs.clone();
                self.branch_if(i, met, sense)?;
                self.regs = regs;
                self.b.switch_to_block(bad);
                self.done = false;
                if matches!(op, Op::JmpEq | Op::JmpNe | Op::JmpEqI | Op::JmpNeI) {
                    let unknown = self.cold();
                    self.jump_equal(i, a, b, op, sense, unknown)?;
                }
                self.step(i)?;
                if !self.done {
                    self.go(self.an.instrs[i].next())?;
                }
                self.done = true;
                Ok(())
            }
        }
    }

    /// Equality of what are not two fixnums, as far as it is known without a call; goes on in `unknown` where it is not.
    fn jump_equal(&mut self, i: usize, a: Value, b: Value, op: Op, sense: bool, unknown: Block) -> Result<(), Failed> {
        let ec = self.ec;
        let regs = self.regs.clone();
        let is = matches!(op, Op::JmpEq | Op::JmpEqI);
        let (alike, same, ask) = (self.identical_only(a), self.fresh(), self.fresh());
        self.b.ins().brif(alike, same, &[], ask, &[]);
        self.b.switch_to_block(same);
        let met = self.b.ins().icmp(if is { IntCC::Equal } else { IntCC::NotEqual }, a, b);
        self.branch_if(i, met, sense)?;
        self.regs.clone_from(&regs);
        self.done = false;
        self.b.switch_to_block(ask);
        let equal = if is {
            let equal = self.ask_equal(i, a, b);
            self.known_or(equal, unknown);
            equal
        } else {
            let equal = self.call(helpers::equal as *const () as usize, &[ec, a, b]);
            let known = self.b.ins().icmp_imm_s(IntCC::NotEqual, equal, LEFT as i64);
            self.expect_or(known, unknown);
            equal
        };
        let how = if is { IntCC::NotEqual } else { IntCC::Equal };
        let met = self.b.ins().icmp_imm_s(how, equal, 0);
        self.branch_if(i, met, sense)?;
        self.regs = regs;
        self.b.switch_to_block(unknown);
        self.done = false;
        Ok(())
    }

    /// Jumps if the condition is as `sense` says.
    pub(super) fn branch_if(&mut self, i: usize, met: Value, sense: bool) -> Result<(), Failed> {
        self.branch_by(i, met, sense)
    }
}
