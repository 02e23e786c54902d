//! The beginning of a method that is called, executed in place of the call (see `crate::leading`).

use std::collections::BTreeMap;

use asterism_compiler::opcode::Op;
use asterism_object::space::WellKnown;
use asterism_vm::jit::layout::iseq;
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::Variable;

use super::arith::comparison;
use super::calls::Given;
use super::{Emitter, bits};
use crate::analysis::Instr;
use crate::leading::Leading;
use crate::types::This;

/// A beginning under way.
struct Place<'l> {
    leading: &'l Leading,
    /// The method's code in this VM.
    code: Value,
    this: Value,
    registers: Vec<Variable>,
    /// Where jumps lead.
    blocks: BTreeMap<usize, Block>,
    /// Where the call is made after all.
    call: Block,
    /// Where it goes on with the method's value.
    done: Block,
    /// Values that are fixnums: arguments, and what was looked at since the last place that jumps lead to.
    fixnums: Vec<Value>,
    arguments: usize,
}

impl Emitter<'_, '_> {
    /// Executes the beginning of `leading`, if that is what `code` is the VM's part of; goes on in `done` with the method's value,
    /// or in `call` with nothing done.
    pub(super) fn begin_in_place(
        &mut self,
        leading: &Leading,
        (code, this): (Value, Value),
        given: &Given,
        (call, done): (Block, Block),
    ) {
        let args = &given.args;
        self.is_part_of(code, &leading.code, call);
        let known = self.cells.get(&this).copied();
        if leading.instrs.values().any(|instr| matches!(instr.op, Op::GetIvar | Op::SetIvar)) {
            self.is_own(this, This::Object, call);
        }
        let registers = usize::from(leading.code.registers);
        let registers: Vec<Variable> = (0..registers).map(|_| self.b.declare_var(types::I64)).collect();
        let nil = self.int(bits::NIL);
        for (n, &variable) in registers.iter().enumerate() {
            self.b.def_var(variable, args.get(n).copied().unwrap_or(nil));
        }
        let targets = leading.instrs.values().filter_map(|instr| instr.target);
        let targets: Vec<usize> = targets.filter(|at| leading.instrs.contains_key(at)).collect();
        let blocks = targets.into_iter().map(|at| (at, self.fresh())).collect();
        let fixnums = given.fixnums.clone();
        let arguments = fixnums.len();
        let mut place = Place { leading, code, this, registers, blocks, call, done, fixnums, arguments };
        let mut open = true;
        let mut expected = 0;
        for (&at, instr) in &leading.instrs {
            if let Some(&block) = place.blocks.get(&at) {
                if open {
                    self.jump(if expected == at { block } else { call });
                }
                self.b.switch_to_block(block);
                place.fixnums.truncate(place.arguments);
                open = true;
            } else if open && expected != at {
                self.jump(call);
                open = false;
            }
            // What nothing leads to in order lies behind a jump.
            if open {
                open = self.in_place(&mut place, instr);
                expected = instr.next();
            }
        }
        if open {
            self.jump(call);
        }
        self.know_again(this, known);
    }

    /// Executes an instruction. Does it go on with the next one?
    fn in_place(&mut self, place: &mut Place<'_>, instr: &Instr) -> bool {
        let word = place.leading.code.words[instr.at];
        let call = place.call;
        let dst = usize::from((word >> 16) as u16);
        let v = match instr.op {
            Op::Nop => return true,
            Op::Move => self.of_place(place, instr.uses[0]),
            Op::LoadNil => self.int(bits::NIL),
            Op::LoadTrue => self.int(bits::TRUE),
            Op::LoadFalse => self.int(bits::FALSE),
            Op::LoadInt => self.int(i64::from((word >> 32) as u32 as i32) << 1 | 1),
            Op::LoadSelf => place.this,
            Op::LoadLit => {
                let literals = self.load_fixed(place.code, iseq::LITERALS);
                self.load(literals, 8 * (word >> 32) as i32)
            }
            Op::GetIvar => {
                let site = (word >> 32) as u16;
                let caches = self.load_fixed(place.code, iseq::IVARS);
                let cached = self.load(caches, 16 * i32::from(site));
                let several = place.leading.shapes.get(usize::from(site)) == Some(&true);
                let shapes = several.then_some((place.code, iseq::IVAR_SHAPES, usize::from(site)));
                self.read_slot(place.this, cached, shapes, call)
            }
            Op::SetIvar => {
                let v = self.of_place(place, dst);
                let caches = self.load_fixed(place.code, iseq::IVARS);
                let cached = self.load(caches, 16 * i32::from((word >> 32) as u16));
                self.write_slot(place.this, cached, v, call);
                return true;
            }
            Op::Not | Op::NilP => {
                let v = self.of_place(place, instr.uses[0]);
                self.nobody_answers(instr.op, v, call);
                let part = if instr.op == Op::Not { self.b.ins().band_imm_s(v, !4) } else { v };
                let wanted = if instr.op == Op::Not { 0 } else { bits::NIL };
                let met = self.b.ins().icmp_imm_s(IntCC::Equal, part, wanted);
                self.boolean(met)
            }
            Op::Size | Op::EmptyP => {
                let v = self.of_place(place, instr.uses[0]);
                self.is_a(v, WellKnown::Array, call);
                let (_, _, len) = self.bounds(v);
                if instr.op == Op::EmptyP {
                    let none = self.b.ins().icmp_imm_s(IntCC::Equal, len, 0);
                    self.boolean(none)
                } else {
                    let twice = self.b.ins().ishl_imm_s(len, 1);
                    self.b.ins().bor_imm_s(twice, 1)
                }
            }
            Op::Return => {
                let v = self.of_place(place, instr.uses[0]);
                self.b.ins().jump(place.done, &[v.into()]);
                return false;
            }
            _ if instr.target.is_some() => return self.jump_in_place(place, instr),
            op => {
                let (a, b) = self.numbers_in_place(place, instr);
                let v = self.of_fixnums(op, a, b, call);
                if comparison(op).is_none() {
                    place.fixnums.push(v);
                }
                v
            }
        };
        let dst = instr.defs[0];
        self.b.def_var(place.registers[dst], v);
        true
    }

    fn of_place(&mut self, place: &Place<'_>, r: usize) -> Value {
        self.b.use_var(place.registers[r])
    }

    /// The operands of arithmetic or a comparison, two fixnums.
    fn numbers_in_place(&mut self, place: &mut Place<'_>, instr: &Instr) -> (Value, Value) {
        let word = place.leading.code.words[instr.at];
        let a = self.of_place(place, instr.uses[0]);
        let b = match instr.uses.get(1) {
            Some(&r) => self.of_place(place, r),
            None => {
                let part = if matches!(instr.op, Op::AddI | Op::SubI) { word >> 48 } else { word >> 32 };
                self.int(i64::from(part as u16 as i16) << 1 | 1)
            }
        };
        let known =
            |e: &Self, v: Value| place.fixnums.contains(&v) || e.constant_of(v).is_some_and(|word| word & 1 != 0);
        let tags = match (known(self, a), known(self, b)) {
            (true, true) => return (a, b),
            (true, false) => b,
            (false, true) => a,
            (false, false) => self.b.ins().band(a, b),
        };
        let tag = self.b.ins().band_imm_s(tags, 1);
        let tag = self.perhaps(tag);
        self.expect_or(tag, place.call);
        place.fixnums.extend([a, b]);
        (a, b)
    }

    fn jump_in_place(&mut self, place: &mut Place<'_>, instr: &Instr) -> bool {
        let call = place.call;
        let target = instr.target.and_then(|at| place.blocks.get(&at)).copied().unwrap_or(call);
        let met = match instr.op {
            Op::Jmp => {
                self.jump(target);
                return false;
            }
            Op::JmpIf | Op::JmpUnless => {
                let v = self.of_place(place, instr.uses[0]);
                let truth = self.b.ins().band_imm_s(v, !4);
                let how = if instr.op == Op::JmpIf { IntCC::NotEqual } else { IntCC::Equal };
                self.b.ins().icmp_imm_s(how, truth, 0)
            }
            Op::JmpNot => {
                let v = self.of_place(place, instr.uses[0]);
                self.nobody_answers(Op::Not, v, call);
                let truth = self.b.ins().band_imm_s(v, !4);
                let sense = (place.leading.code.words[instr.at] >> 8) as u8 != 0;
                self.b.ins().icmp_imm_s(if sense { IntCC::Equal } else { IntCC::NotEqual }, truth, 0)
            }
            Op::JmpNil | Op::JmpNotNil => {
                let v = self.of_place(place, instr.uses[0]);
                let how = if instr.op == Op::JmpNil { IntCC::Equal } else { IntCC::NotEqual };
                self.b.ins().icmp_imm_s(how, v, bits::NIL)
            }
            op => {
                let (a, b) = self.numbers_in_place(place, instr);
                let how = comparison(op).map_or(IntCC::Equal, |(how, _)| how);
                let sense = (place.leading.code.words[instr.at] >> 8) as u8 != 0;
                let how = if sense { how } else { how.complement() };
                self.b.ins().icmp(how, a, b)
            }
        };
        let on = self.fresh();
        self.b.ins().brif(met, target, &[], on, &[]);
        self.b.switch_to_block(on);
        self.b.seal_block(on);
        true
    }

    /// Sets the slot that `cached` tells of an object that has it; else on in `miss`, with nothing done.
    fn write_slot(&mut self, this: Value, cached: Value, v: Value, miss: Block) {
        self.writable(this, cached, miss);
        self.write_own_slot(this, cached, v, miss);
    }
}
