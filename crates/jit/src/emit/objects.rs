//! What each instruction becomes; elements of Arrays and Hashes.

use asterism_compiler::CodeKind;
use asterism_compiler::code::Literal;
use asterism_compiler::opcode::{DefinedKind, Op};
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_vm::jit::heat::kind;
use asterism_vm::jit::layout::{self, basic_ops, cell, frame, iseq};
use asterism_vm::jit::{LEFT, UNKNOWN, helpers, literals, operators};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};

use super::{Emitter, Failed, bits};
use crate::types::{Plan, This, Ty};

impl Emitter<'_, '_> {
    /// Emits instruction `i`.
    pub(super) fn instruction(&mut self, i: usize) -> Result<(), Failed> {
        let an = self.an;
        let instr = &an.instrs[i];
        let word = an.code.words[instr.at];
        let dst = usize::from((word >> 16) as u16);
        self.at = i;
        self.before.clone_from(&self.regs);
        match instr.op {
            Op::Nop => {}
            Op::Move => self.copy(instr.uses[0], dst),
            Op::LoadNil => self.constant(dst, bits::NIL, Ty::Any),
            Op::LoadTrue => self.constant(dst, bits::TRUE, Ty::Any),
            Op::LoadFalse => self.constant(dst, bits::FALSE, Ty::Any),
            Op::LoadUndef => self.constant(dst, bits::LAST_SPECIAL, Ty::Any),
            Op::LoadInt => self.constant(dst, i64::from((word >> 32) as u32 as i32) << 1 | 1, Ty::Fixnum),
            Op::LoadLit => self.load_literal(i),
            Op::LoadSelf => {
                let v = self.own_self();
                self.set(dst, v, if an.this == This::Array { Ty::Array } else { Ty::Any });
            }
            Op::GetUp => self.get_up(i),
            Op::SetUp => self.set_up(i),
            Op::GetIvar => self.get_ivar(i),
            Op::SetIvar => self.set_ivar(i),
            Op::GetConst => return self.get_const(i),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::AddI | Op::SubI | Op::And | Op::Or | Op::Xor => {
                return self.arithmetic(i);
            }
            Op::Shl if self.seen(i) & kind::ARRAY != 0 => return self.push_element(i),
            Op::Shl if self.seen(i) & 15 == kind::OTHER => return self.append(i),
            Op::Shl | Op::Shr | Op::Neg | Op::Lt | Op::Le | Op::Gt | Op::Ge => return self.arithmetic(i),
            Op::Eq | Op::Ne if an.plan(i, &self.types()) == Plan::Exact => return self.arithmetic(i),
            Op::Eq | Op::Ne | Op::CaseEq => return self.equality(i),
            Op::Not | Op::NilP => return self.question(i),
            Op::JmpNot => return self.jump_by_not(i),
            Op::Aref | Op::ArefI => return self.element(i),
            Op::Aset => return self.set_element(i),
            Op::Size | Op::EmptyP => return self.size(i),
            Op::NewArray => self.join_registers(i, literals::new_array as *const () as usize),
            Op::MaxOf => self.extreme(i, literals::max_of as *const () as usize),
            Op::MinOf => self.extreme(i, literals::min_of as *const () as usize),
            Op::NewHash => return self.new_hash(i),
            Op::NewStr => self.copy_of_literal(i, literals::new_string as *const () as usize),
            Op::DupArray => self.copy_of_literal(i, literals::copy_array as *const () as usize),
            Op::NewRange => return self.new_range(i),
            Op::ToS => return self.shown(i),
            Op::Concat => self.join_registers(i, literals::concat as *const () as usize),
            Op::Destructure => return self.destructure(i),
            Op::Prim => return self.prim(i),
            Op::Jmp | Op::Loop => return self.go_from(i),
            Op::JmpIf | Op::JmpUnless | Op::JmpNil | Op::JmpNotNil | Op::JmpDef => return self.jump_by_value(i),
            Op::JmpLt | Op::JmpLe | Op::JmpGt | Op::JmpGe | Op::JmpEq | Op::JmpNe => return self.jump_compare(i),
            Op::JmpLtI | Op::JmpLeI | Op::JmpGtI | Op::JmpGeI | Op::JmpEqI | Op::JmpNeI => {
                return self.jump_compare(i);
            }
            Op::Call | Op::CallSelf => return self.call_instruction(i),
            Op::Super => return self.super_instruction(i),
            Op::SplatArray if an.is_for_spread(i) => return self.array_to_spread(i),
            Op::SplatArray => return self.copy_of_array(i),
            Op::Yield => return self.yield_instruction(i),
            Op::BlockGiven => {
                let this = self.frame;
                let block = self.load(this, frame::BLOCK);
                let given = self.b.ins().icmp_imm_s(IntCC::NotEqual, block, bits::NIL);
                let v = self.boolean(given);
                self.set(dst, v, Ty::Any);
            }
            Op::BlockParam => return self.block_param(i),
            Op::Defined if (word >> 8) as u8 == DefinedKind::HasIvar as u8 => self.has_ivar(i),
            Op::Return => self.return_instruction(i),
            Op::Break if self.break_part(i) => {}
            Op::ReturnFar if an.code.handlers.is_empty() => self.return_of_lambda(i),
            _ => return self.step(i),
        }
        Ok(())
    }

    /// `defined?(@x)`, where its truth counts.
    fn has_ivar(&mut self, i: usize) {
        let word = self.an.code.words[self.an.instrs[i].at];
        let (code, this) = (self.iseq, self.own_self());
        let literals = self.load_fixed(code, iseq::LITERALS);
        let name = self.load(literals, 8 * i32::from((word >> 48) as u16));
        let ec = self.ec;
        let v = self.call_pure(helpers::has_ivar as *const () as usize, &[ec, this, name]);
        let dst = self.an.instrs[i].defs[0];
        self.set(dst, v, Ty::Any);
    }

    /// The block parameter: of a method, nil where there is no block, and the Proc that was passed.
    fn block_param(&mut self, i: usize) -> Result<(), Failed> {
        if self.an.code.kind != CodeKind::Method || self.returns_to.is_some() {
            return self.step(i);
        }
        let (this, dst, bad) = (self.frame, self.an.instrs[i].defs[0], self.cold());
        let block = self.load(this, frame::BLOCK);
        self.is_no_block_or_proc(block, bad);
        self.or_step(i, bad, dst, block)
    }

    /// Goes on if `block` is nil or a Proc, else in `bad`.
    pub(super) fn is_no_block_or_proc(&mut self, block: Value, bad: Block) {
        let (on, other) = (self.fresh(), self.cold());
        let none = self.b.ins().icmp_imm_s(IntCC::Equal, block, bits::NIL);
        self.b.ins().brif(none, on, &[], other, &[]);
        self.aside(other, |e| {
            e.is_cell_of(block, Type::Proc, bad);
            e.jump(on);
        });
        self.b.switch_to_block(on);
    }

    /// What is known of the registers.
    pub(super) fn types(&self) -> Vec<Ty> {
        self.regs.iter().map(|r| r.ty).collect()
    }

    /// What kinds of operands instruction `i` has met.
    pub(super) fn seen(&self, i: usize) -> u8 {
        self.an.of.kinds.get(self.an.instrs[i].at).copied().unwrap_or(0)
    }

    fn constant(&mut self, dst: usize, word: i64, ty: Ty) {
        let v = self.int(word);
        self.set(dst, v, ty);
    }

    fn copy(&mut self, from: usize, to: usize) {
        if let Some(number) = self.number(from).filter(|_| self.regs[from].ty == Ty::Float) {
            self.set_number(to, number);
        } else {
            let v = self.get(from);
            let ty = if self.an.tracked[from] { self.regs[from].ty } else { Ty::Any };
            self.set(to, v, ty);
        }
        self.copies.copied(from, to);
    }

    fn jump_by_value(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let v = self.get(instr.uses[0]);
        let met = match instr.op {
            Op::JmpNil => self.b.ins().icmp_imm_s(IntCC::Equal, v, bits::NIL),
            Op::JmpNotNil => self.b.ins().icmp_imm_s(IntCC::NotEqual, v, bits::NIL),
            Op::JmpDef => self.b.ins().icmp_imm_s(IntCC::NotEqual, v, bits::LAST_SPECIAL),
            op => {
                // Neither nil nor false.
                let truth = self.b.ins().band_imm_s(v, !4);
                let how = if op == Op::JmpIf { IntCC::NotEqual } else { IntCC::Equal };
                self.b.ins().icmp_imm_s(how, truth, 0)
            }
        };
        self.branch(i, met)
    }

    /// Goes on while no class has a method of its own for `!`, or `nil?` (`op`), else in `bad`. Where there are classes that inherit from
    /// BasicObject and not from Object, and so have no `nil?`, it goes on with `v` of any other class.
    pub(super) fn nobody_answers(&mut self, op: Op, v: Value, bad: Block) {
        if op != Op::NilP {
            return self.is_core(basic_ops::NOT, basic_ops::ANY, bad);
        }
        let redefined = self.redefined(basic_ops::NIL_P);
        let none = self.has_none(redefined, basic_ops::ANY);
        let none = self.perhaps(none);
        let (on, look) = (self.fresh(), self.cold());
        self.b.ins().brif(none, on, &[], look, &[]);
        self.b.switch_to_block(look);
        let others = self.has_none(redefined, basic_ops::NOT_BLANK);
        self.expect_or(others, bad);
        self.is_heap(v, on);
        let class = self.load(v, cell::CLASS);
        let flags = self.load(class, cell::CLASS_FLAGS);
        let blank = self.b.ins().band_imm_s(flags, cell::BLANK as i64);
        self.b.ins().brif(blank, bad, &[], on, &[]);
        self.b.switch_to_block(on);
    }

    /// Goes on if none of `classes`, bits of the word of an operation, has a method of its own for it, else in `bad`.
    pub(super) fn is_core(&mut self, word: i32, classes: u32, bad: Block) {
        let redefined = self.redefined(word);
        let none = self.has_none(redefined, classes);
        self.expect_or(none, bad);
    }

    /// Which classes have a method of their own for an operation, the word of which lies there (see `layout::basic_ops`).
    fn redefined(&mut self, word: i32) -> Value {
        let ec = self.ec;
        let known = self.load_fixed(ec, layout::ec::BASIC_OPS);
        let address = self.b.ins().iadd_imm_s(known, i64::from(word));
        self.load_shared(types::I32, address)
    }

    /// Is none of `classes` among those?
    fn has_none(&mut self, redefined: Value, classes: u32) -> Value {
        let any = self.b.ins().band_imm_s(redefined, i64::from(classes));
        self.b.ins().icmp_imm_s(IntCC::Equal, any, 0)
    }

    /// `!` and `nil?`.
    fn question(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let (op, dst, v) = (instr.op, instr.defs[0], self.get(instr.uses[0]));
        let bad = self.cold();
        self.nobody_answers(op, v, bad);
        let met = if op == Op::NilP {
            self.b.ins().icmp_imm_s(IntCC::Equal, v, bits::NIL)
        } else {
            let truth = self.b.ins().band_imm_s(v, !4);
            self.b.ins().icmp_imm_s(IntCC::Equal, truth, 0)
        };
        let answer = self.boolean(met);
        let helper = if op == Op::NilP { operators::is_nil as *const () } else { operators::not as *const () };
        self.or_answer(i, bad, dst, answer, |e| e.ask_operator(i, helper as usize, &[v], dst))
    }

    /// A jump by `!`.
    fn jump_by_not(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let sense = (self.an.code.words[instr.at] >> 8) as u8 != 0;
        let v = self.get(instr.uses[0]);
        let bad = self.cold();
        self.nobody_answers(Op::Not, v, bad);
        let truth = self.b.ins().band_imm_s(v, !4);
        let met = self.b.ins().icmp_imm_s(if sense { IntCC::Equal } else { IntCC::NotEqual }, truth, 0);
        let regs = self.regs.clone();
        self.branch(i, met)?;
        self.regs = regs;
        self.b.switch_to_block(bad);
        self.done = false;
        self.step(i)?;
        if !self.done {
            self.go(self.an.instrs[i].next())?;
        }
        self.done = true;
        Ok(())
    }

    /// `==`, `!=` and `===` that give a value.
    fn equality(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let (op, dst) = (instr.op, instr.defs[0]);
        let (a, b) = (self.get(instr.uses[0]), self.get(instr.uses[1]));
        let is_other = op == Op::Eq && self.seen(i) & 15 == kind::OTHER;
        if (is_other || op == Op::CaseEq) && self.an.is_ruby_operator(i) {
            let bad = self.cold();
            let v = self.call_operator(i, a, vec![b], bad)?;
            return self.or_step(i, bad, dst, v);
        }
        if is_other {
            let bad = self.cold();
            let v = self.ask_equal(i, a, b);
            self.known_or(v, bad);
            return self.or_step(i, bad, dst, v);
        }
        let on = self.fresh();
        let result = self.b.append_block_param(on, types::I64);
        let (numbers, others, bad) = (self.fresh(), self.fresh(), self.cold());
        let tags = self.b.ins().band(a, b);
        let both = self.b.ins().band_imm_s(tags, 1);
        self.b.ins().brif(both, numbers, &[], others, &[]);
        self.b.switch_to_block(numbers);
        let how = if op == Op::Ne { IntCC::NotEqual } else { IntCC::Equal };
        let met = self.b.ins().icmp(how, a, b);
        let answer = self.boolean(met);
        self.b.ins().jump(on, &[answer.into()]);
        self.b.switch_to_block(others);
        let (ask, alike) = (self.fresh(), self.identical_only(a));
        let same = self.fresh();
        self.b.ins().brif(alike, same, &[], ask, &[]);
        self.b.switch_to_block(same);
        let met = self.b.ins().icmp(how, a, b);
        let answer = self.boolean(met);
        self.b.ins().jump(on, &[answer.into()]);
        self.b.switch_to_block(ask);
        if op == Op::CaseEq {
            let slow = self.cold();
            let answer = self.class_match(a, b, slow);
            self.b.ins().jump(on, &[answer.into()]);
            self.b.switch_to_block(slow);
        }
        let ec = self.ec;
        let helper = if op == Op::CaseEq { helpers::case_equal as *const () } else { helpers::equal as *const () };
        let equal = self.call(helper as usize, &[ec, a, b]);
        let known = self.b.ins().icmp_imm_s(IntCC::NotEqual, equal, LEFT as i64);
        self.expect_or(known, bad);
        let answer = if op == Op::Ne { self.b.ins().bxor_imm_s(equal, bits::TRUE) } else { equal };
        self.b.ins().jump(on, &[answer.into()]);
        self.b.switch_to_block(on);
        if op == Op::Eq {
            return self.or_step(i, bad, dst, result);
        }
        self.or_operator(i, bad, dst, result, (a, b))
    }

    /// `==`, by the method that the site remembers: its value, `UNKNOWN`, or `LEFT`.
    pub(super) fn ask_equal(&mut self, i: usize, a: Value, b: Value) -> Value {
        if self.leaves_inlined(i) {
            return self.int(0);
        }
        self.flush(i, true);
        self.save(i);
        let (ec, frame, site) = (self.ec, self.frame, self.site(i));
        let site = self.int(site);
        self.call(operators::equal_at as *const () as usize, &[ec, frame, site, a, b])
    }

    /// Is `v` nil, true or a Symbol, which are equal to themselves only?
    pub(super) fn identical_only(&mut self, v: Value) -> Value {
        let low = self.b.ins().band_imm_s(v, 7);
        self.b.ins().icmp_imm_s(IntCC::Equal, low, bits::NIL)
    }

    /// Goes on if `v` is a cell of exactly that class, else in `bad`.
    pub(super) fn is_a(&mut self, v: Value, class: WellKnown, bad: Block) {
        self.is_heap(v, bad);
        self.has_class(v, class, bad);
    }

    /// Goes on if a cell is of exactly that class, else in `bad`.
    pub(super) fn has_class(&mut self, v: Value, class: WellKnown, bad: Block) {
        let ec = self.ec;
        let classes = self.load_fixed(ec, layout::ec::CLASSES);
        let wanted = self.load(classes, layout::class(class));
        let own = self.load(v, cell::CLASS);
        let same = self.b.ins().icmp(IntCC::Equal, own, wanted);
        let same = self.perhaps(same);
        self.expect_or(same, bad);
    }

    /// `recv[key]` of what may be no Array; in `bad` the interpreter is asked.
    pub(super) fn element_of_any(&mut self, i: usize, dst: usize, recv: Value, key: Value, bad: Block) -> Value {
        self.operator(i, operators::aref as *const () as usize, &[recv, key], dst, bad)
    }

    /// An operator of these operands, by `helper`; in `bad` the interpreter is asked.
    pub(super) fn operator(&mut self, i: usize, helper: usize, operands: &[Value], dst: usize, bad: Block) -> Value {
        let v = self.ask_operator(i, helper, operands, dst);
        self.known_or(v, bad);
        v
    }

    /// What `helper` says of an operator of these operands: its value, `UNKNOWN`, or `LEFT`.
    pub(super) fn ask_operator(&mut self, i: usize, helper: usize, operands: &[Value], dst: usize) -> Value {
        if self.leaves_inlined(i) {
            return self.int(0);
        }
        self.flush(i, false);
        self.save(i);
        let site = self.site(i);
        let (site, register) = (self.int(site), self.int(dst as i64));
        let mut args = vec![self.ec, self.frame, site];
        args.extend_from_slice(operands);
        args.push(register);
        self.call(helper, &args)
    }

    /// Goes on if a helper has given a value; in `bad` if it was nothing to it. Else the code has been left.
    pub(super) fn known_or(&mut self, v: Value, bad: Block) {
        self.unless_left(v);
        let known = self.b.ins().icmp_imm_s(IntCC::NotEqual, v, UNKNOWN as i64);
        self.expect_or(known, bad);
    }

    /// The call site of an operator.
    pub(super) fn site(&self, i: usize) -> i64 {
        i64::from(self.an.code.words[self.an.instrs[i].at + 1] as u32)
    }

    /// Makes an Array, or joins the parts of an interpolation, by `helper`.
    fn join_registers(&mut self, i: usize, helper: usize) {
        let v = self.made_of_registers(i, helper);
        self.unless_left(v);
        self.forget_args(i);
        self.set(self.an.instrs[i].defs[0], v, Ty::Any);
    }

    /// What `helper` finds among the values of registers; undef if it does not.
    fn extreme(&mut self, i: usize, helper: usize) {
        let v = self.made_of_registers(i, helper);
        self.set(self.an.instrs[i].defs[0], v, Ty::Any);
    }

    fn new_hash(&mut self, i: usize) -> Result<(), Failed> {
        let v = self.made_of_registers(i, literals::new_hash as *const () as usize);
        let bad = self.cold();
        self.known_or(v, bad);
        self.forget_args(i);
        self.or_step(i, bad, self.an.instrs[i].defs[0], v)
    }

    /// What `helper` makes of the registers that instruction `i` names, as many as it says.
    fn made_of_registers(&mut self, i: usize, helper: usize) -> Value {
        let word = self.an.code.words[self.an.instrs[i].at];
        let (base, count) = (usize::from((word >> 32) as u16), word >> 48);
        self.flush(i, true);
        self.save(i);
        let values = self.address(base);
        let (ec, count) = (self.ec, self.int(count as i64));
        self.call(helper, &[ec, values, count])
    }

    /// Takes an Array apart that has as many elements as there are targets, or more.
    fn destructure(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let words = &self.an.code.words[instr.at..];
        let (rest, behind) = ((words[0] >> 8) as u8, words[1] as u32);
        if rest != 0 || behind != 0 || instr.defs.is_empty() {
            return self.step(i);
        }
        let list = self.get(instr.uses[0]);
        let (on, bad) = (self.fresh(), self.cold());
        self.is_cell_of(list, Type::Array, bad);
        let (body, start, len) = self.bounds(list);
        let count = instr.defs.len() as i64;
        let enough = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, len, count);
        self.expect_or(enough, bad);
        let values: Vec<Value> = (0..count)
            .map(|n| {
                let n = self.int(n);
                self.load_element(body, start, n)
            })
            .collect();
        let results: Vec<Value> = values.iter().map(|_| self.b.append_block_param(on, types::I64)).collect();
        let values: Vec<BlockArg> = values.into_iter().map(BlockArg::from).collect();
        self.b.ins().jump(on, &values);
        let regs = self.regs.clone();
        self.step_in(i, bad, &regs)?;
        let stepped: Vec<BlockArg> = instr.defs.iter().map(|&d| self.get(d).into()).collect();
        self.b.ins().jump(on, &stepped);
        self.regs = regs;
        self.b.switch_to_block(on);
        for (&d, v) in instr.defs.iter().zip(results) {
            self.set(d, v, Ty::Any);
        }
        Ok(())
    }

    /// A primitive: the commonest are emitted.
    fn prim(&mut self, i: usize) -> Result<(), Failed> {
        let word = self.an.code.words[self.an.instrs[i].at];
        let (base, dst, name) =
            (usize::from((word >> 16) as u16), usize::from((word >> 32) as u16), (word >> 48) as usize);
        let name: &[u8] = match &self.an.code.literals[name] {
            Literal::Sym(name) => name.bytes(),
            _ => b"",
        };
        match name {
            b"undef?" => {
                let v = self.get(base);
                let met = self.b.ins().icmp_imm_s(IntCC::Equal, v, bits::LAST_SPECIAL);
                let v = self.boolean(met);
                self.set(dst, v, Ty::Any);
            }
            b"several" => self.is_several(base, dst),
            b"undef" => self.constant(dst, bits::LAST_SPECIAL, Ty::Any),
            b"obj_same" => {
                let (a, b) = (self.get(base), self.get(base + 1));
                let met = self.b.ins().icmp(IntCC::Equal, a, b);
                let v = self.boolean(met);
                self.set(dst, v, Ty::Any);
            }
            b"kind_of" => {
                let (ec, v, class) = (self.ec, self.get(base), self.get(base + 1));
                let v = self.call_pure(helpers::kind_of as *const () as usize, &[ec, v, class]);
                self.set(dst, v, Ty::Any);
            }
            b"array_fetch" => self.prim_element(i, base, bits::LAST_SPECIAL),
            b"array_push" => {
                let (list, v) = (self.get(base), self.get(base + 1));
                let (on, other) = (self.fresh(), self.cold());
                self.is_array_cell(base, list, other);
                self.aside(other, |e| {
                    e.prim_by_helper(i);
                    e.jump(on);
                });
                self.push_to(i, list, base + 1, v);
                self.jump(on);
                self.b.switch_to_block(on);
                self.set(dst, list, Ty::Any);
            }
            b"array_at" => self.prim_element(i, base, bits::NIL),
            b"array_size" => {
                let list = self.get(base);
                let (on, other) = (self.fresh(), self.cold());
                let result = self.b.append_block_param(on, types::I64);
                self.is_array_cell(base, list, other);
                let (_, _, len) = self.bounds(list);
                let twice = self.b.ins().ishl_imm_s(len, 1);
                let v = self.b.ins().bor_imm_s(twice, 1);
                self.b.ins().jump(on, &[v.into()]);
                self.aside(other, |e| {
                    let v = e.prim_by_helper(i);
                    e.b.ins().jump(on, &[v.into()]);
                });
                self.b.switch_to_block(on);
                self.set(dst, result, Ty::Any);
            }
            _ => {
                let v = self.prim_by_helper(i);
                self.set(dst, v, Ty::Any);
            }
        }
        Ok(())
    }

    /// An element of the Array at `base`, at the index behind it; `none` behind its end.
    fn prim_element(&mut self, i: usize, base: usize, none: i64) {
        let dst = self.an.instrs[i].defs[0];
        let (list, key) = (self.get(base), self.get(base + 1));
        let (on, other) = (self.fresh(), self.cold());
        let result = self.b.append_block_param(on, types::I64);
        if self.regs[base + 1].ty != Ty::Fixnum {
            let tag = self.b.ins().band_imm_s(key, 1);
            self.expect_or(tag, other);
        }
        self.is_array_cell(base, list, other);
        let (body, start, len) = self.bounds(list);
        let index = self.b.ins().sshr_imm_s(key, 1);
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, len);
        let outside = self.expect(inside);
        let v = self.load_element(body, start, index);
        self.b.ins().jump(on, &[v.into()]);
        self.aside(outside, |e| {
            let behind = e.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, index, 0);
            let none = e.int(none);
            e.b.ins().brif(behind, on, &[none.into()], other, &[]);
        });
        self.aside(other, |e| {
            let v = e.prim_by_helper(i);
            e.b.ins().jump(on, &[v.into()]);
        });
        self.b.switch_to_block(on);
        self.set(dst, result, Ty::Any);
    }

    /// Is what register `r` holds, a parameter `|*passed|`, none or several values: an Array without a class?
    fn is_several(&mut self, r: usize, dst: usize) {
        let v = self.get(r);
        let (on, other) = (self.fresh(), self.cold());
        let result = self.b.append_block_param(on, types::I64);
        self.is_heap(v, other);
        let class = self.load(v, cell::CLASS);
        let none = self.b.ins().icmp_imm_s(IntCC::Equal, class, 0);
        let answer = self.boolean(none);
        self.b.ins().jump(on, &[answer.into()]);
        self.aside(other, |e| {
            let no = e.int(bits::FALSE);
            e.b.ins().jump(on, &[no.into()]);
        });
        self.b.switch_to_block(on);
        self.set(dst, result, Ty::Any);
    }

    fn prim_by_helper(&mut self, i: usize) -> Value {
        self.flush(i, true);
        self.save(i);
        let (ec, frame) = (self.ec, self.frame);
        let v = self.call(helpers::prim as *const () as usize, &[ec, frame]);
        self.unless_left(v);
        self.forget_args(i);
        v
    }

    /// `<<` of what is neither an Integer nor an Array, most often a String.
    fn append(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let dst = instr.defs[0];
        let (recv, v) = (self.get(instr.uses[0]), self.get(instr.uses[1]));
        let bad = self.cold();
        let made = match self.an.is_ruby_operator(i) {
            true => self.call_operator(i, recv, vec![v], bad)?,
            false => self.operator(i, operators::append as *const () as usize, &[recv, v], dst, bad),
        };
        self.or_step(i, bad, dst, made)
    }

    /// Goes on if `left` is 0, else code is left; in `bad` the interpreter executes the instruction, which writes no register.
    pub(super) fn done_or_left(&mut self, i: usize, left: Value, bad: Block) -> Result<(), Failed> {
        let (gone, on) = (self.left, self.fresh());
        self.b.ins().brif(left, gone, &[], on, &[]);
        self.or_step_to(i, bad, on)
    }

    /// In `bad` the interpreter executes the instruction, which writes no register; goes on in `on`.
    pub(super) fn or_step_to(&mut self, i: usize, bad: Block, on: Block) -> Result<(), Failed> {
        let regs = self.regs.clone();
        self.step_in(i, bad, &regs)?;
        self.jump(on);
        self.regs = regs;
        self.b.switch_to_block(on);
        Ok(())
    }
}
