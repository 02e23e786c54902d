//! Methods that are inlined and have no frame (see `crate::inlined`), and how one is made for them when somebody looks.

use std::cell::RefCell;
use std::mem::{replace, take};
use std::rc::Rc;

use asterism_vm::jit::layout::{self, frame};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::calls::{Call, Callable, Callee, GivenBlock};
use super::parts::Begin;
use super::{Emitter, Failed, How, Reg, bits};
use crate::analysis::Analysis;
use crate::inlined::Inlined;
use crate::types::This;

/// What is inlined where code is being emitted.
#[derive(Default)]
pub(super) struct Inlining<'a, 'c> {
    /// The frame, if it is of what is inlined: nothing is written there before `make_frame`.
    pub unmade: Option<Rc<Unmade<'a, 'c>>>,
    /// That is being done.
    making: bool,
    /// Where code of what is inlined is left.
    left: Vec<(Rc<Unmade<'a, 'c>>, How, Block)>,
}

/// The frame of what is inlined, which is not written before somebody looks.
pub(super) struct Unmade<'a, 'c> {
    frame: Value,
    callee: Callee,
    args: Vec<Value>,
    caller: Caller<'a, 'c>,
    /// Where code is left in each way, with the registers written and the pc.
    leaving: RefCell<[Option<Block>; 3]>,
}

/// The code that calls what is inlined, where it does.
struct Caller<'a, 'c> {
    an: &'a Analysis<'c>,
    frame: Value,
    /// The instruction that calls.
    at: usize,
    /// What is to be written to its registers.
    unwritten: Vec<(usize, Unwritten)>,
    unmade: Option<Rc<Unmade<'a, 'c>>>,
}

/// What a register holds whose place in the frame has not got it yet.
#[derive(Clone, Copy)]
enum Unwritten {
    /// A value.
    Value(Value),
    /// A Float, as a plain number.
    Number(Value),
    /// Nothing that anybody will read.
    Nothing,
}

impl<'a, 'c> Emitter<'a, 'c> {
    /// Executes `inlined` in place of the call, if that is what `call.code` is the VM's part of, and gives what it returns; else on in `not`,
    /// with nothing done.
    pub(super) fn call_inlined(&mut self, inlined: &'a Inlined<'c>, call: &Call, not: Block) -> Result<Value, Failed> {
        self.is_part_of(call.code, &inlined.callee.of.code, not);
        let new = self.above();
        if self.inlining.unmade.is_none() {
            let ec = self.ec;
            let end = self.b.ins().iadd_imm_s(new, inlined.bytes);
            let limit = self.load(ec, layout::ec::STACK_END);
            let fits = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, limit);
            self.expect_or(fits, not);
        }
        let makes = call.what == Callable::Initialize;
        let known = self.cells.get(&call.recv).copied();
        if makes {
            self.flush(call.i, false);
            self.save(call.i);
        } else {
            self.is_own(call.recv, inlined.callee.this, not);
        }
        let mut callee = self.callee_of(call, GivenBlock::None);
        callee.state |= frame::IN_PLACE as i64;
        if makes {
            self.cells.insert(callee.this, This::Object);
        }
        let unwritten = self.unwritten(Some(call.i));
        let caller =
            Caller { an: self.an, frame: self.frame, at: call.i, unwritten, unmade: self.inlining.unmade.clone() };
        let leaving = RefCell::default();
        let v = self.part(Begin {
            an: &inlined.callee,
            frame: new,
            code: call.code,
            this: callee.this,
            args: &call.given.args,
            yields: None,
            way: None,
            scopes: Rc::default(),
            unmade: Some(Rc::new(Unmade { frame: new, callee, args: call.given.args.clone(), caller, leaving })),
        })?;
        self.in_place.inlined += 1;
        self.know_again(call.recv, known);
        Ok(if makes { callee.this } else { v })
    }

    /// What is not in the frame yet: of what is inlined all registers; else those that are needed behind instruction `behind`.
    fn unwritten(&mut self, behind: Option<usize>) -> Vec<(usize, Unwritten)> {
        let (an, inlined) = (self.an, self.inlining.unmade.is_some());
        let mut found = Vec::new();
        for r in 0..self.regs.len() {
            let Reg { dirty, value, .. } = self.regs[r];
            let local = r < an.code.locals.len();
            let read = inlined || local || behind.is_none_or(|i| an.live_after[i][r]);
            if dirty && read && an.tracked[r] {
                found.push((
                    r,
                    match value {
                        true => Unwritten::Value(self.b.use_var(self.values[r])),
                        false => Unwritten::Number(self.b.use_var(self.numbers[r])),
                    },
                ));
            } else if let Some(unmade) = self.inlining.unmade.as_ref().filter(|_| local) {
                // It is needed no more, but a Binding has it.
                found.push((r, unmade.args.get(r).map_or(Unwritten::Nothing, |&v| Unwritten::Value(v))));
            }
        }
        found
    }

    /// Writes these registers of the current frame, which is complete but for them.
    fn write_all(&mut self, unwritten: &[(usize, Unwritten)]) {
        let (this, nil) = (self.frame, self.int(bits::NIL));
        for &(r, what) in unwritten {
            let v = if let Unwritten::Value(v) = what { v } else { nil };
            let offset = self.offset(r);
            self.store(this, offset, v);
        }
        // To make the cell of a Float may take a collection.
        let making = replace(&mut self.inlining.making, true);
        for &(r, what) in unwritten {
            if let Unwritten::Number(number) = what {
                let (v, offset) = (self.float_value(number), self.offset(r));
                self.store(this, offset, v);
            }
        }
        self.inlining.making = making;
    }

    /// Makes the frame, if it is of what is inlined, and those of its callers that have none: as if all of them had been called.
    pub(super) fn make_frame(&mut self) {
        let Some(unmade) = self.inlining.unmade.clone().filter(|_| !self.inlining.making) else { return };
        self.make_header(&unmade);
        let unwritten = self.unwritten(None);
        self.write_all(&unwritten);
    }

    /// Makes the frame of what is inlined but for its registers, and all of those of its callers that have none.
    fn make_header(&mut self, unmade: &Unmade<'a, 'c>) {
        let caller = &unmade.caller;
        if let Some(outer) = &caller.unmade {
            self.make_header(outer);
        }
        let known = (self.an, self.frame, self.at);
        (self.an, self.frame, self.at) = (caller.an, caller.frame, caller.at);
        self.save(caller.at);
        self.write_all(&caller.unwritten);
        self.push(unmade.frame, unmade.callee, &[]);
        (self.an, self.frame, self.at) = known;
    }

    /// Leaves the code at `pc`, if it is that of what is inlined: the frame is made in one place for all that leave it so. `false`: it is not.
    pub(super) fn leave_inlined_at(&mut self, pc: Value, how: How) -> bool {
        let Some(unmade) = self.inlining.unmade.clone() else { return false };
        let unwritten = self.unwritten(None);
        if unwritten.iter().any(|(_, what)| matches!(what, Unwritten::Number(_))) {
            self.make_header(&unmade);
            self.write_all(&unwritten);
            self.leave_made(pc, unmade.frame, how);
            return true;
        }
        self.write_all(&unwritten);
        let known = unmade.leaving.borrow()[how as usize];
        let block = known.unwrap_or_else(|| {
            let block = self.cold();
            self.b.append_block_param(block, types::I64);
            unmade.leaving.borrow_mut()[how as usize] = Some(block);
            self.inlining.left.push((unmade.clone(), how, block));
            block
        });
        self.b.ins().jump(block, &[pc.into()]);
        true
    }

    /// The blocks by which code of what is inlined is left.
    pub(super) fn ends_inlined(&mut self) {
        for (unmade, how, block) in take(&mut self.inlining.left) {
            self.b.switch_to_block(block);
            let pc = self.b.block_params(block)[0];
            self.make_header(&unmade);
            self.leave_made(pc, unmade.frame, how);
        }
    }

    /// The nesting of the code.
    pub(super) fn own_cref(&mut self) -> Value {
        match &self.inlining.unmade {
            Some(unmade) => unmade.callee.cref,
            None => {
                let this = self.frame;
                self.load(this, frame::CREF)
            }
        }
    }

    /// In what is inlined, code is left at instruction `i` for what might keep hold of its frame, and `true` is said; what is emitted behind
    /// it is never executed.
    pub(super) fn leaves_inlined(&mut self, i: usize) -> bool {
        if self.inlining.unmade.is_none() {
            return false;
        }
        self.leave(i, How::Unexpected);
        self.begin_never();
        true
    }

    /// What is emitted from here on is never executed.
    pub(super) fn begin_never(&mut self) {
        let never = self.cold();
        self.b.switch_to_block(never);
        self.b.seal_block(never);
    }
}
