//! From bytecode to Cranelift's intermediate form, one instruction after the other.
//!
//! A register of the code is a variable or two: one for its value, one for the plain number of a Float. Its place in the frame may
//! hold an older value meanwhile (it is *dirty*); it is written before anybody can look: at a call, and where code is left.

mod arith;
mod arrays;
pub(crate) mod bits;
mod calls;
mod entry;
mod inline;
mod inlined;
mod intrinsics;
mod known;
mod leaving;
mod objects;
mod parts;
mod receivers;
mod spread;
mod steps;
mod strings;
mod symbols;
mod vars;
mod yields;

use std::collections::HashMap;
use std::rc::Rc;

use asterism_vm::jit::layout::{self, frame};
use asterism_vm::jit::{InPlace, Part, helpers};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, Function, InstBuilder, MemFlagsData, SigRef, Signature, Type, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};

use crate::analysis::Analysis;
use crate::types::{Copies, This, Ty};

/// What is known of a register where code is being emitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reg {
    /// Of its value.
    pub ty: Ty,
    /// The variable of its value is set.
    pub value: bool,
    /// The variable of its plain number is set.
    pub number: bool,
    /// Its place in the frame may hold an older value.
    pub dirty: bool,
}

/// Code under way.
pub(crate) struct Emitter<'a, 'c> {
    pub b: FunctionBuilder<'a>,
    pub an: &'a Analysis<'c>,
    /// The code tells its frames (see `asterism_vm::jit::Gate`).
    tells: bool,
    /// The thread.
    pub ec: Value,
    /// The frame.
    pub frame: Value,
    /// The frame's `Iseq`.
    pub iseq: Value,
    values: Vec<Variable>,
    numbers: Vec<Variable>,
    pub regs: Vec<Reg>,
    /// What was known in front of the instruction.
    pub before: Vec<Reg>,
    /// The instruction.
    pub at: usize,
    blocks: Vec<Block>,
    call_conv: CallConv,
    pointer: Type,
    signatures: Vec<((usize, bool, bool), SigRef)>,
    /// The current block has ended.
    pub done: bool,
    /// Where `LEFT` is returned: one such place makes for less code than many.
    pub left: Block,
    /// Where code is left at the pc and by the frame that the block is given, and whether one leads there.
    leaving: [(Block, bool); 3],
    /// `self`, where that is known: in a part.
    this: Option<Value>,
    /// Values that are known to be cells, and of what.
    cells: HashMap<Value, This>,
    /// Which registers are copies of others.
    pub copies: Copies,
    /// Where the slots of scopes so many levels out lie, which was found out since the last call of what may move them.
    slots: Vec<(usize, Value)>,
    /// How often such calls have been emitted.
    moves: usize,
    /// Where a part returns to.
    returns_to: Option<Block>,
    /// The block that is yielded to, if it is a part.
    yields: Option<Rc<parts::Yields<'a, 'c>>>,
    /// The ways out of the block, if the code is that of one that is a part.
    way: Option<Rc<parts::Way>>,
    /// The frames of the scopes around that, the innermost first.
    scopes: Rc<[Value]>,
    /// What is inlined of that.
    inlining: inlined::Inlining<'a, 'c>,
    /// How many parts there are so far.
    in_place: InPlace,
}

/// How code is left.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// For what the interpreter has to do.
    Plainly,
    /// Because an operand or a result was not what was expected.
    Unexpected,
    /// Because it was not what was expected where it was looked at early.
    Ahead,
}

/// Why code is not compiled.
pub(crate) type Failed = &'static str;

/// Emits the function that is asked for, which `tells` its frames or does not.
pub(crate) fn emit<'a>(
    an: &'a Analysis<'_>,
    tells: bool,
    isa: &dyn TargetIsa,
    function: &'a mut Function,
    context: &'a mut FunctionBuilderContext,
) -> Result<InPlace, Failed> {
    let call_conv = isa.default_call_conv();
    let mut signature = Signature::new(call_conv);
    let resume = an.part == Part::Resume;
    for _ in 0..2 + usize::from(resume) {
        signature.params.push(AbiParam::new(types::I64));
    }
    signature.returns.push(AbiParam::new(types::I64));
    function.signature = signature;
    let mut b = FunctionBuilder::new(function, context);
    let first = b.create_block();
    b.append_block_params_for_function_params(first);
    b.switch_to_block(first);
    let params = b.block_params(first).to_vec();
    let registers = usize::from(an.code.registers);
    let values = (0..registers).map(|_| b.declare_var(types::I64)).collect();
    let numbers = (0..registers).map(|_| b.declare_var(types::F64)).collect();
    let blocks = an.blocks.iter().map(|_| b.create_block()).collect();
    let left = b.create_block();
    b.set_cold_block(left);
    let leaving = [(); 3].map(|()| {
        let block = b.create_block();
        b.append_block_param(block, types::I64);
        b.append_block_param(block, types::I64);
        b.set_cold_block(block);
        (block, false)
    });
    let iseq = b.ins().load(types::I64, trusted().with_readonly(), params[1], frame::ISEQ);
    let mut e = Emitter {
        b,
        an,
        tells,
        ec: params[0],
        frame: params[1],
        iseq,
        values,
        numbers,
        regs: vec![Reg { ty: Ty::Any, value: false, number: false, dirty: false }; registers],
        before: Vec::new(),
        at: 0,
        blocks,
        call_conv,
        pointer: isa.pointer_type(),
        signatures: Vec::new(),
        done: false,
        left,
        leaving,
        this: None,
        cells: HashMap::new(),
        copies: Copies::new(registers),
        slots: Vec::new(),
        moves: 0,
        returns_to: None,
        yields: None,
        way: None,
        scopes: Rc::default(),
        inlining: inlined::Inlining::default(),
        in_place: InPlace::default(),
    };
    if resume {
        e.entries(params[2])?
    } else {
        e.beginning()?
    }
    e.all_blocks()?;
    e.ends();
    e.b.seal_all_blocks();
    let in_place = e.in_place;
    e.b.finalize(isa.frontend_config());
    Ok(in_place)
}

/// Memory that is there and aligned.
pub(crate) fn trusted() -> MemFlagsData {
    MemFlagsData::trusted()
}

impl<'a, 'c> Emitter<'a, 'c> {
    // ---- small things ---------------------------------------------------------------------------

    pub fn int(&mut self, n: i64) -> Value {
        self.b.ins().iconst(types::I64, n)
    }

    /// The address of a word of the code, which all VMs share.
    pub fn pc(&mut self, at: usize) -> Value {
        let address = self.an.code.words.as_ptr().wrapping_add(at) as i64;
        self.int(address)
    }

    pub fn load(&mut self, base: Value, offset: i32) -> Value {
        self.b.ins().load(types::I64, trusted(), base, offset)
    }

    /// What never changes.
    pub fn load_fixed(&mut self, base: Value, offset: i32) -> Value {
        self.b.ins().load(types::I64, trusted().with_readonly(), base, offset)
    }

    pub fn load32(&mut self, base: Value, offset: i32) -> Value {
        self.b.ins().uload32(trusted(), base, offset)
    }

    /// What another thread may change, and is to be looked at each time.
    pub fn load_shared(&mut self, ty: Type, address: Value) -> Value {
        self.b.ins().atomic_load(ty, trusted(), address)
    }

    pub fn store(&mut self, base: Value, offset: i32, v: Value) {
        self.b.ins().store(trusted(), v, base, offset);
    }

    /// Writes two words that are known, one behind the other.
    pub fn store_two(&mut self, base: Value, offset: i32, words: [i64; 2]) {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let constant = self.b.func.dfg.constants.insert(bytes.into());
        let v = self.b.ins().vconst(types::I64X2, constant);
        self.b.ins().store(MemFlagsData::new().with_notrap(), v, base, offset);
    }

    pub fn block(&mut self, n: usize) -> Result<(), Failed> {
        let block = self.blocks[n];
        self.b.switch_to_block(block);
        self.done = false;
        self.slots.clear();
        self.copies.clear();
        let an = self.an;
        for r in 0..self.regs.len() {
            let ty = an.blocks[n].types[r];
            let float = ty == Ty::Float;
            let dirty = (an.blocks[n].dirty[r] || self.inlining.unmade.is_some()) && an.blocks[n].live[r];
            self.regs[r] = Reg { ty, value: !float, number: float, dirty };
        }
        let (mut i, end) = (an.blocks[n].instrs.start, an.blocks[n].instrs.end);
        while i < end {
            let steps = self.run_from(i..end);
            if steps > 1 {
                self.steps(i..i + steps);
                i += steps;
                continue;
            }
            self.instruction(i)?;
            if self.done {
                return Ok(());
            }
            i += 1;
        }
        let next = an.instrs[an.blocks[n].instrs.end - 1].next();
        self.go(next)
    }

    pub fn fresh(&mut self) -> Block {
        self.b.create_block()
    }

    pub fn cold(&mut self) -> Block {
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        block
    }

    /// Goes on in a new block if `condition`, else in the cold block that is given back.
    pub fn expect(&mut self, condition: Value) -> Block {
        let (good, bad) = (self.fresh(), self.cold());
        self.b.ins().brif(condition, good, &[], bad, &[]);
        self.b.switch_to_block(good);
        // Nothing else leads there, and the sooner that is known, the less has to be found out about variables.
        self.b.seal_block(good);
        bad
    }

    /// Goes on in a new block if `condition`, else in `bad`.
    pub fn expect_or(&mut self, condition: Value, bad: Block) {
        let good = self.fresh();
        self.b.ins().brif(condition, good, &[], bad, &[]);
        self.b.switch_to_block(good);
        self.b.seal_block(good);
    }

    pub fn jump(&mut self, to: Block) {
        self.b.ins().jump(to, &[]);
    }

    // ---- calls of Rust --------------------------------------------------------------------------

    fn signature(&mut self, args: usize, floats: bool, gives_float: bool) -> SigRef {
        let key = (args, floats, gives_float);
        if let Some((_, sig)) = self.signatures.iter().find(|(k, _)| *k == key) {
            return *sig;
        }
        let mut signature = Signature::new(self.call_conv);
        for i in 0..args {
            let float = floats && (gives_float || i == args - 1);
            signature.params.push(AbiParam::new(if float { types::F64 } else { types::I64 }));
        }
        signature.returns.push(AbiParam::new(if gives_float { types::F64 } else { types::I64 }));
        let sig = self.b.import_signature(signature);
        self.signatures.push((key, sig));
        sig
    }

    /// Calls a helper. The frame becomes the current one: calls of compiled code by compiled code do not say so, since nobody looks.
    pub fn call(&mut self, helper: usize, args: &[Value]) -> Value {
        self.slots_move();
        self.set_current();
        self.call_pure(helper, args)
    }

    /// What is called may move scopes to the heap.
    fn slots_move(&mut self) {
        self.slots.clear();
        self.moves += 1;
    }

    /// Makes the frame the thread's current one.
    fn set_current(&mut self) {
        self.make_frame();
        let (ec, frame) = (self.ec, self.frame);
        self.store(ec, layout::ec::FRAME, frame);
    }

    /// The same where compiled code goes on behind a call of compiled code, if somebody looks: the profiler.
    pub(super) fn tell_current(&mut self) {
        if self.tells {
            self.set_current();
        }
    }

    /// The same where code begins that anybody may have called: the frames are told from here on (see `OfEc::entered`).
    pub(super) fn tell_begun(&mut self) {
        if self.tells {
            self.set_current();
            let ec = self.ec;
            let gate = self.load_fixed(ec, layout::ec::GATE);
            let epoch = self.load(gate, layout::gate::EPOCH);
            self.store(ec, layout::ec::ENTERED, epoch);
        }
    }

    /// Calls a helper that does not ask which frame is the current one: it neither allocates, raises nor calls.
    pub fn call_pure(&mut self, helper: usize, args: &[Value]) -> Value {
        let sig = self.signature(args.len(), false, false);
        let callee = self.b.ins().iconst(self.pointer, helper as i64);
        let args = self.apart(args);
        let call = self.b.ins().call_indirect(sig, callee, &args);
        self.b.inst_results(call)[0]
    }

    /// These arguments, with copies for the thread and the frame, which are needed everywhere: an argument has to be in one register, and
    /// the register allocator takes a value to pieces, with moves between them, that is in several such places (regalloc2's
    /// `MAX_SPLITS_PER_SPILLSET`). An addition of 0 is a move for it.
    fn apart(&mut self, args: &[Value]) -> Vec<Value> {
        let everywhere = [self.ec, self.frame];
        args.iter().map(|&v| if everywhere.contains(&v) { self.copied(v) } else { v }).collect()
    }

    pub(super) fn copied(&mut self, v: Value) -> Value {
        self.b.ins().iadd_imm_s(v, 0)
    }

    /// Calls a helper whose last argument is a plain number, and that runs no Ruby code.
    pub fn call_with_number(&mut self, helper: usize, args: &[Value]) -> Value {
        self.set_current();
        let sig = self.signature(args.len(), true, false);
        let callee = self.b.ins().iconst(self.pointer, helper as i64);
        let args = self.apart(args);
        let call = self.b.ins().call_indirect(sig, callee, &args);
        self.b.inst_results(call)[0]
    }

    /// Calls compiled code.
    pub fn call_native(&mut self, native: Value, callee: Value) -> Value {
        self.slots_move();
        let sig = self.signature(2, false, false);
        let args = self.apart(&[self.ec, callee]);
        let call = self.b.ins().call_indirect(sig, native, &args);
        self.b.inst_results(call)[0]
    }

    /// Returns `LEFT` from here.
    pub fn return_left(&mut self) {
        let left = self.left;
        self.jump(left);
    }

    // ---- registers ------------------------------------------------------------------------------

    fn offset(&self, r: usize) -> i32 {
        frame::REGS + 8 * r as i32
    }

    /// The address of a register.
    pub fn address(&mut self, r: usize) -> Value {
        let (frame, offset) = (self.frame, i64::from(self.offset(r)));
        self.b.ins().iadd_imm_s(frame, offset)
    }

    /// A register's value.
    pub fn get(&mut self, r: usize) -> Value {
        if !self.an.tracked[r] {
            let (frame, offset) = (self.frame, self.offset(r));
            return self.load(frame, offset);
        }
        if !self.regs[r].value {
            let number = self.b.use_var(self.numbers[r]);
            let v = self.float_value(number);
            self.b.def_var(self.values[r], v);
            self.regs[r].value = true;
        }
        self.b.use_var(self.values[r])
    }

    /// Sets a register.
    pub fn set(&mut self, r: usize, v: Value, ty: Ty) {
        self.copies.written(r);
        if self.an.tracked[r] {
            self.b.def_var(self.values[r], v);
            self.regs[r] = Reg { ty, value: true, number: false, dirty: true };
        } else {
            let (frame, offset) = (self.frame, self.offset(r));
            self.store(frame, offset, v);
        }
    }

    /// Sets a register to a Float.
    pub fn set_number(&mut self, r: usize, number: Value) {
        self.copies.written(r);
        if self.an.tracked[r] {
            self.b.def_var(self.numbers[r], number);
            self.regs[r] = Reg { ty: Ty::Float, value: false, number: true, dirty: true };
        } else {
            let v = self.float_value(number);
            self.set(r, v, Ty::Any);
        }
    }

    /// Says that the register is a Float, whose plain number is this.
    pub fn is_number(&mut self, r: usize, number: Value) {
        if self.an.tracked[r] {
            self.b.def_var(self.numbers[r], number);
            self.regs[r].number = true;
            self.regs[r].ty = Ty::Float;
        }
    }

    /// The plain number, if the register has one.
    pub fn number(&mut self, r: usize) -> Option<Value> {
        (self.an.tracked[r] && self.regs[r].number).then(|| self.b.use_var(self.numbers[r]))
    }

    /// The register was set in memory.
    pub fn set_in_memory(&mut self, r: usize) {
        self.copies.written(r);
        if self.an.tracked[r] {
            let (frame, offset) = (self.frame, self.offset(r));
            let v = self.load(frame, offset);
            self.b.def_var(self.values[r], v);
            self.regs[r] = Reg { ty: Ty::Any, value: true, number: false, dirty: self.inlining.unmade.is_some() };
        }
    }

    /// Writes registers to memory that somebody may look at: what instruction `i` reads, what is needed behind it, and locals.
    /// `args`: those too that only it reads.
    pub fn flush(&mut self, i: usize, args: bool) {
        let an = self.an;
        for r in 0..self.regs.len() {
            let local = r < an.code.locals.len();
            let used = args && an.instrs[i].uses.contains(&r);
            if an.tracked[r] && self.regs[r].dirty && (an.live_after[i][r] || used || local) {
                self.write(r);
            }
        }
    }

    /// Clears what was written to memory for instruction `i` alone: nothing else may come to these places for long, and what they
    /// refer to would not be collected.
    pub fn forget_args(&mut self, i: usize) {
        let (an, frame) = (self.an, self.frame);
        let nil = self.int(bits::NIL);
        for &r in &an.instrs[i].uses {
            if an.tracked[r] && r >= an.code.locals.len() && !an.live_after[i][r] {
                let offset = self.offset(r);
                self.store(frame, offset, nil);
            }
        }
    }

    /// Writes a register to memory.
    fn write(&mut self, r: usize) {
        if self.inlining.unmade.is_some() {
            return;
        }
        let v = self.get(r);
        let (frame, offset) = (self.frame, self.offset(r));
        self.store(frame, offset, v);
        self.regs[r].dirty = false;
    }

    /// Emits `body` in the cold block `at`, and comes back to what is known now.
    pub fn aside(&mut self, at: Block, body: impl FnOnce(&mut Self)) {
        let next = self.break_off();
        let regs = self.regs.clone();
        // What is found out there is not known behind it.
        let (slots, moves) = (self.slots.clone(), self.moves);
        self.b.switch_to_block(at);
        body(self);
        self.regs = regs;
        self.slots = if self.moves == moves { slots } else { Vec::new() };
        if let Some(next) = next {
            self.b.switch_to_block(next);
        }
    }

    /// Cranelift wants one block whole before the next is begun: ends the one under way. Where it goes on; `None` if it was over.
    fn break_off(&mut self) -> Option<Block> {
        let here = self.b.current_block()?;
        match self.b.func.layout.last_inst(here) {
            // A variable that was asked for may have become a parameter.
            None if self.b.func.dfg.num_block_params(here) == 0 => return Some(here),
            Some(last) if self.b.func.dfg.insts[last].opcode().is_terminator() => return None,
            _ => {}
        }
        let next = if self.b.func.layout.is_cold(here) { self.cold() } else { self.fresh() };
        self.jump(next);
        self.b.seal_block(next);
        Some(next)
    }

    /// `v`, or where the cold block `at` is come to what `body` jumps to the block with that it is told.
    pub fn or_aside(&mut self, v: Value, at: Block, body: impl FnOnce(&mut Self, Block)) -> Value {
        let on = self.fresh();
        let result = self.b.append_block_param(on, types::I64);
        self.b.ins().jump(on, &[v.into()]);
        self.aside(at, |e| body(e, on));
        self.b.switch_to_block(on);
        result
    }

    /// Saves the pc behind instruction `i`, for what may raise.
    pub fn save(&mut self, i: usize) {
        let pc = self.pc(self.an.instrs[i].next());
        let frame = self.frame;
        self.store(frame, frame::PC, pc);
    }

    // ---- ways on --------------------------------------------------------------------------------

    /// Goes to the block at word `at`, which is to find what it expects.
    pub fn go(&mut self, at: usize) -> Result<(), Failed> {
        let an = self.an;
        let n = an.block_at[at].ok_or("a jump into the middle of a block")?;
        for r in 0..self.regs.len() {
            if !an.tracked[r] {
                continue;
            }
            let (have, block) = (self.regs[r], &an.blocks[n]);
            if !block.live[r] {
                if have.dirty && an.exposed && r < an.code.locals.len() {
                    self.write(r);
                }
                continue;
            }
            match block.types[r] {
                Ty::Float if !have.number => self.look_ahead(n, r),
                Ty::Float => {}
                ty => {
                    self.get(r);
                    if ty != Ty::Any && have.ty != ty {
                        self.look_ahead(n, r);
                    }
                }
            }
            if self.regs[r].dirty && !block.dirty[r] {
                self.write(r);
            }
        }
        let block = self.blocks[n];
        self.jump(block);
        self.done = true;
        Ok(())
    }

    /// As `go`, of instruction `i`'s jump: backwards by way of a safepoint.
    pub fn go_from(&mut self, i: usize) -> Result<(), Failed> {
        let target = self.an.instrs[i].target.ok_or("a jump without a target")?;
        if self.an.instrs[i].backward {
            self.poll(i, target);
        }
        self.go(target)
    }

    /// A safepoint at instruction `i`'s jump to word `target`.
    fn poll(&mut self, i: usize, target: usize) {
        let ec = self.ec;
        let word = self.load_fixed(ec, layout::ec::POLL_WORD);
        let asked = self.load_shared(types::I32, word);
        let gate = self.gate();
        let any = self.b.ins().bor(asked, gate);
        let quiet = self.b.ins().icmp_imm_s(IntCC::Equal, any, 0);
        // Both ways lead on: the block is not sealed before the second is known.
        let (on, cold) = (self.fresh(), self.cold());
        self.b.ins().brif(quiet, on, &[], cold, &[]);
        self.b.switch_to_block(on);
        // What was written for the look is dirty still on the way without one.
        self.aside(cold, |e| {
            e.flush(i, false);
            let pc = e.pc(target);
            let (ec, frame) = (e.ec, e.frame);
            let left = e.call(helpers::poll as *const () as usize, &[ec, frame, pc]);
            let out = e.left;
            e.b.ins().brif(left, out, &[], on, &[]);
        });
        self.b.seal_block(on);
    }

    /// The gate's word; 0 if it is open for this code.
    pub fn gate(&mut self) -> Value {
        const { assert!(layout::gate::WORD == 0 && layout::gate::PLAIN == 0) };
        let ec = self.ec;
        let gate = self.load_fixed(ec, layout::ec::GATE);
        let word = self.load_shared(types::I32, gate);
        if self.tells { self.b.ins().bxor_imm_s(word, i64::from(layout::gate::TELLING)) } else { word }
    }

    /// Goes to the jump's target of instruction `i` if `condition` is not 0, else on.
    pub fn branch(&mut self, i: usize, condition: Value) -> Result<(), Failed> {
        self.branch_by(i, condition, true)
    }

    /// The same if `condition` is as `sense` says. It is not turned round for that: a comparison is one instruction with its jump.
    pub fn branch_by(&mut self, i: usize, condition: Value, sense: bool) -> Result<(), Failed> {
        let (taken, not) = (self.fresh(), self.fresh());
        let (met, unmet) = if sense { (taken, not) } else { (not, taken) };
        self.b.ins().brif(condition, met, &[], unmet, &[]);
        let regs = self.regs.clone();
        self.b.switch_to_block(taken);
        self.go_from(i)?;
        self.regs = regs;
        self.b.switch_to_block(not);
        self.go(self.an.instrs[i].next())
    }

    /// What comes behind a native call of compiled code by instruction `i`: code is left if that was, or if the gate has closed.
    pub fn returned(&mut self, v: Value, i: usize, block: bool) {
        self.unless_left(v);
        self.tell_current();
        let frame = self.frame;
        if block {
            let none = self.int(0);
            self.store(frame, frame::BLOCK_CODE, none);
        }
        let gate = self.gate();
        let open = self.b.ins().icmp_imm_s(IntCC::Equal, gate, 0);
        let open = self.perhaps(open);
        let closed = self.expect(open);
        let an = self.an;
        self.aside(closed, |e| {
            for &d in &an.instrs[i].defs {
                let offset = e.offset(d);
                e.store(frame, offset, v);
            }
            e.leave_word(an.instrs[i].next(), How::Plainly);
        });
    }
}
