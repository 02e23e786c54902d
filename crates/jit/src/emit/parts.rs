//! Calls of what is part of the code (see `crate::parts`): its frame is made as for a call, and its code follows here.

use std::mem::{replace, take};
use std::rc::Rc;

use asterism_compiler::Code;
use asterism_compiler::code::{CodeKind, Packing};
use asterism_object::types::Type;
use asterism_vm::jit::layout::frame;
use asterism_vm::jit::{helpers, layout};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::calls::{Call, Callee, GivenBlock};
use super::inlined::Unmade;
use super::symbols::SymbolBlock;
use super::{Emitter, Failed, How, Reg, bits};
use crate::analysis::Analysis;
use crate::parts::{Called, Passed};
use crate::types::{Copies, Ty};

/// The block that a method yields to, which is a part of the code as the method is.
pub(super) struct Yields<'a, 'c> {
    to: YieldsTo<'a, 'c>,
    /// The words of the method where it is yielded to so, and the method's frame.
    at: &'a [usize],
    method: Value,
    /// What frames take that `yield` pushes.
    bytes: i64,
    /// What the block itself yields to.
    outer: Option<Rc<Yields<'a, 'c>>>,
    /// Where a `break` and a `return` in the block lead.
    way: Option<Rc<Way>>,
}

/// What such a block is.
enum YieldsTo<'a, 'c> {
    Code(Rc<LiteralBlock<'a, 'c>>),
    Symbol(SymbolBlock<'a, 'c>),
}

/// A block of code.
struct LiteralBlock<'a, 'c> {
    an: &'a Analysis<'c>,
    /// The frame that the block was made in, its `self`, and the VM's part of the block's code.
    creator: Value,
    this: Value,
    code: Value,
    /// The frames of the scopes around it, the innermost first.
    scopes: Rc<[Value]>,
}

/// The ways out of a block that is a part, past the method that yields to it. No `ensure` clause lies on them.
pub(super) struct Way {
    /// The frames of the block and of the method end with a `break`, which goes on there with its value.
    broken: Block,
    method: Value,
    /// Where a `return` leads, if that is in the code too.
    home: Option<Home>,
}

/// The method around a block.
#[derive(Clone)]
struct Home {
    frame: Value,
    /// Where it returns to, if it is a part itself.
    returns_to: Option<Block>,
    /// The frames between the block's method and its own, which end too.
    between: Vec<Value>,
}

/// Most values that an Array is taken apart into here.
const MOST_SPREAD: usize = 4;

/// Most instructions of Cranelift's in a unit: it takes half a kilobyte for each. Code with many variables and branches may have hundreds
/// for one of its own.
const MOST_INSTRUCTIONS: usize = 50_000;

/// Bytes of a frame of `code`.
fn bytes(code: &Code) -> i64 {
    i64::from(frame::REGS) + 8 * i64::from(code.registers)
}

/// What a part is called with.
pub(super) struct Begin<'a, 'c, 'v> {
    pub an: &'a Analysis<'c>,
    pub frame: Value,
    pub code: Value,
    pub this: Value,
    pub args: &'v [Value],
    pub yields: Option<Rc<Yields<'a, 'c>>>,
    pub way: Option<Rc<Way>>,
    pub scopes: Rc<[Value]>,
    pub unmade: Option<Rc<Unmade<'a, 'c>>>,
}

impl<'a, 'c> Emitter<'a, 'c> {
    /// Makes the call by `called`, if that is what `call.code` is the VM's part of; else by a native call. What it reads lies in memory.
    pub(super) fn call_part(
        &mut self,
        called: &'a Called<'c>,
        call: &Call,
        block: GivenBlock,
        bad: Block,
    ) -> Result<Value, Failed> {
        let on = self.fresh();
        let result = self.b.append_block_param(on, types::I64);
        self.flush(call.i, false);
        self.save(call.i);
        let other = self.cold();
        self.is_part_of(call.code, &called.callee.of.code, other);
        self.aside(other, |e| {
            let v = e.call_unit(call, block, bad);
            e.b.ins().jump(on, &[v.into()]);
        });
        let outer = self.yields.clone();
        let more =
            called.block.code().map_or(0, |block| bytes(block.code)) + outer.as_ref().map_or(0, |yields| yields.bytes);
        self.quiet_or(bad);
        let new = self.above();
        let end = self.b.ins().iadd_imm_s(new, bytes(called.callee.code) + more);
        let ec = self.ec;
        let limit = self.load(ec, layout::ec::STACK_END);
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, limit);
        self.expect_or(fits, bad);
        let known = self.cells.get(&call.recv).copied();
        self.is_own(call.recv, called.callee.this, bad);
        let callee = Callee {
            code: call.code,
            this: call.recv,
            method: call.method,
            block: self.block_word(block),
            cref: self.cref_of(call.method),
            scope: None,
            state: (frame::CALLED | frame::IN_PLACE) as i64 | self.an.instrs[call.i].defs[0] as i64,
        };
        self.push(new, callee, &call.given.args);
        let (yields, broken) = self.block_of(called, block, new, more)?;
        let begin = Begin {
            an: &called.callee,
            frame: new,
            code: call.code,
            this: call.recv,
            args: &call.given.args,
            yields: Some(Rc::new(yields)),
            way: None,
            scopes: Rc::default(),
            unmade: None,
        };
        let v = self.part(begin)?;
        self.in_place.methods += 1;
        self.know_again(call.recv, known);
        self.b.ins().jump(broken, &[v.into()]);
        self.b.switch_to_block(broken);
        self.tell_current();
        let v = self.b.block_params(broken)[0];
        if block.literal().is_some() {
            let (creator, none) = (self.frame, self.int(0));
            self.store(creator, frame::BLOCK_CODE, none);
        }
        self.b.ins().jump(on, &[v.into()]);
        self.b.switch_to_block(on);
        Ok(result)
    }

    /// The block of a call of `called`, whose frame is `method`, and where its `break` leads. `bytes` are what its frames take.
    fn block_of(
        &mut self,
        called: &'a Called<'c>,
        block: GivenBlock,
        method: Value,
        bytes_of_block: i64,
    ) -> Result<(Yields<'a, 'c>, Block), Failed> {
        let to = match (&called.block, block) {
            (Passed::Code(an), GivenBlock::Literal(code)) => {
                // No frame of the block lies there yet.
                let none = self.int(0);
                self.store(method, bytes(called.callee.code) as i32 + frame::STATE, none);
                let scopes = [&[self.frame], &*self.scopes].concat().into();
                let this = self.own_self();
                YieldsTo::Code(Rc::new(LiteralBlock { an, creator: self.frame, this, code, scopes }))
            }
            (Passed::Code(_), _) => return Err("a block of no code"),
            (Passed::Symbol(site), _) => YieldsTo::Symbol(SymbolBlock { of: self.asking(), site: *site }),
        };
        let broken = self.fresh();
        self.b.append_block_param(broken, types::I64);
        let plain = !called.yields.iter().any(|&at| called.callee.is_ensured(at));
        let way = plain.then(|| Rc::new(Way { broken, method, home: self.home() }));
        let yields = Yields { to, at: &called.yields, method, bytes: bytes_of_block, outer: self.yields.clone(), way };
        Ok((yields, broken))
    }

    /// The method that a block in this code would return from, if that is in the code too.
    fn home(&self) -> Option<Home> {
        if self.an.is_ensured(self.an.instrs[self.at].at) {
            return None;
        }
        if self.an.code.kind == CodeKind::Method {
            return Some(Home { frame: self.frame, returns_to: self.returns_to, between: Vec::new() });
        }
        let way = self.way.as_ref()?;
        let mut home = way.home.clone()?;
        home.between.extend([self.frame, way.method]);
        Some(home)
    }

    /// `yield` of `given` values from register `base` on, to a block that is a part. `false`: it is to be done in the general way.
    pub(super) fn yield_part(&mut self, i: usize, base: usize, given: usize) -> Result<bool, Failed> {
        let Some(yields) = self.yields.clone() else { return Ok(false) };
        let own = self.frame == yields.method;
        if own && !yields.at.contains(&self.an.instrs[i].at) {
            return Ok(false);
        }
        let block = match &yields.to {
            YieldsTo::Code(block) => block.clone(),
            YieldsTo::Symbol(_) if given != 1 => return Ok(false),
            YieldsTo::Symbol(block) => {
                self.yield_to_symbol(i, base, *block)?;
                self.in_place.blocks += 1;
                return Ok(true);
            }
        };
        let params = &block.an.code.params;
        let packs = block.an.code.packing() != Packing::None;
        if packs && given != 1 {
            return Ok(false);
        }
        let required = if packs { 1 } else { usize::from(params.required) };
        let spreads = given == 1 && params.auto_splat;
        if spreads && required > MOST_SPREAD {
            return Ok(false);
        }
        let dst = self.an.instrs[i].defs[0];
        let bad = spreads.then(|| self.cold());
        let mut args: Vec<Value> = match bad {
            Some(bad) => self.spread(base, required, bad),
            None => (0..given.min(required)).map(|n| self.get(base + n)).collect(),
        };
        let nil = self.int(bits::NIL);
        args.resize(required, nil);
        self.flush(i, false);
        self.save(i);
        let new = self.above();
        let state = (frame::YIELDED | frame::IN_PLACE) as i64 | dst as i64;
        let on = self.fresh();
        if own {
            // What was written for the round before is there still, unless the frame was captured or others have lain there. Before
            // the first round there was no such state.
            let (known, gone) = (self.load(new, frame::STATE), self.cold());
            let same = self.b.ins().icmp_imm_s(IntCC::Equal, known, state);
            self.b.ins().brif(same, on, &[], gone, &[]);
            self.b.switch_to_block(gone);
        }
        let creator = block.creator;
        let callee = Callee {
            code: block.code,
            this: block.this,
            method: self.load(creator, frame::METHOD),
            block: Some(self.load(creator, frame::BLOCK)),
            cref: self.load(creator, frame::CREF),
            scope: Some(self.b.ins().bor_imm_s(creator, 1)),
            state,
        };
        self.push(new, callee, &[]);
        self.jump(on);
        self.b.switch_to_block(on);
        self.store_args(new, &args);
        let (an, code, this, outer) = (block.an, block.code, block.this, yields.outer.clone());
        let way = yields.way.clone().filter(|_| own);
        let scopes = block.scopes.clone();
        let unmade = None;
        let v = self.part(Begin { an, frame: new, code, this, args: &args, yields: outer, way, scopes, unmade })?;
        self.in_place.blocks += 1;
        match bad {
            Some(bad) => self.or_step(i, bad, dst, v)?,
            None => self.set(dst, v, Ty::Any),
        }
        Ok(true)
    }

    /// The first `count` elements of the Array in register `r`, nil where there are fewer; on in `bad` if it is something else.
    fn spread(&mut self, r: usize, count: usize, bad: Block) -> Vec<Value> {
        let list = self.get(r);
        self.is_cell_of(list, Type::Array, bad);
        let (body, start, len) = self.bounds(list);
        let element = |e: &mut Self, n: i64| {
            let (on, there) = (e.fresh(), e.fresh());
            let result = e.b.append_block_param(on, types::I64);
            let nil = e.int(bits::NIL);
            let has = e.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThan, len, n);
            e.b.ins().brif(has, there, &[], on, &[nil.into()]);
            e.b.switch_to_block(there);
            let index = e.int(n);
            let v = e.load_element(body, start, index);
            e.b.ins().jump(on, &[v.into()]);
            e.b.switch_to_block(on);
            result
        };
        (0..count as i64).map(|n| element(self, n)).collect()
    }

    /// `break` in a block that is a part, with a value: on behind the call of the method. `false`: it is for the interpreter.
    pub(super) fn break_part(&mut self, i: usize) -> bool {
        let Some(way) = self.way.clone().filter(|_| !self.an.is_ensured(self.an.instrs[i].at)) else { return false };
        let v = self.get(self.an.instrs[i].uses[0]);
        let this = self.frame;
        self.frames_end(&[this, way.method]);
        self.b.ins().jump(way.broken, &[v.into()]);
        self.done = true;
        true
    }

    /// `return` in a block that is a part, of a method that the code has too.
    pub(super) fn return_far_part(&mut self, i: usize) {
        let way = self.way.clone().filter(|_| !self.an.is_ensured(self.an.instrs[i].at));
        let Some((way, home)) = way.and_then(|way| Some((way.method, way.home.clone()?))) else {
            self.leave(i, How::Plainly);
            self.done = true;
            return;
        };
        let v = self.get(self.an.instrs[i].uses[0]);
        let frames = [&[self.frame, way], home.between.as_slice()].concat();
        match home.returns_to {
            Some(to) => {
                self.frames_end(&frames);
                self.frames_end(&[home.frame]);
                self.b.ins().jump(to, &[v.into()]);
            }
            None => {
                // How the unit's own frame ends is rarely other than plain, and then for the interpreter.
                let state = self.load(home.frame, frame::STATE);
                let how = self.b.ins().band_imm_s(state, frame::HOW as i64);
                let plain = self.b.ins().icmp_imm_s(IntCC::Equal, how, 0);
                let other = self.expect(plain);
                self.leave_aside(other, i, How::Plainly);
                self.frames_end(&frames);
                self.b.ins().return_(&[v]);
            }
        }
        self.done = true;
    }

    /// These frames end.
    fn frames_end(&mut self, frames: &[Value]) {
        for &frame in frames {
            let state = self.load(frame, frame::STATE);
            let captured = self.b.ins().band_imm_s(state, frame::CAPTURED as i64);
            let (on, ended) = (self.fresh(), self.cold());
            self.b.ins().brif(captured, ended, &[], on, &[]);
            self.aside(ended, |e| {
                e.call_pure(helpers::frame_ended as *const () as usize, &[frame]);
                e.jump(on);
            });
            self.b.switch_to_block(on);
        }
    }

    /// Where the frame of a callee lies.
    pub(super) fn above(&mut self) -> Value {
        let (this, own) = (self.frame, bytes(self.an.code));
        self.b.ins().iadd_imm_s(this, own)
    }

    /// Emits what is reached of the code under way.
    pub(super) fn all_blocks(&mut self) -> Result<(), Failed> {
        let an = self.an;
        for n in (0..an.blocks.len()).filter(|n| an.blocks[*n].reached) {
            self.block(n)?;
            if self.b.func.dfg.num_insts() > MOST_INSTRUCTIONS {
                return Err("too long");
            }
        }
        Ok(())
    }

    /// Emits code whose frame has been made or is never written before somebody looks; gives what it returns.
    pub(super) fn part(&mut self, begin: Begin<'a, 'c, '_>) -> Result<Value, Failed> {
        let an = begin.an;
        let done = self.fresh();
        let result = self.b.append_block_param(done, types::I64);
        let registers = usize::from(an.code.registers);
        let unknown = Reg { ty: Ty::Any, value: false, number: false, dirty: false };
        let values = (0..registers).map(|_| self.b.declare_var(types::I64)).collect();
        let numbers = (0..registers).map(|_| self.b.declare_var(types::F64)).collect();
        let blocks = an.blocks.iter().map(|_| self.fresh()).collect();
        let known = (self.an, self.frame, self.iseq, self.this, self.at, self.returns_to);
        let values = replace(&mut self.values, values);
        let numbers = replace(&mut self.numbers, numbers);
        let blocks = replace(&mut self.blocks, blocks);
        let regs = replace(&mut self.regs, vec![unknown; registers]);
        let copies = replace(&mut self.copies, Copies::new(registers));
        let before = take(&mut self.before);
        let yields = replace(&mut self.yields, begin.yields);
        let way = replace(&mut self.way, begin.way);
        let scopes = replace(&mut self.scopes, begin.scopes);
        let unmade = replace(&mut self.inlining.unmade, begin.unmade);
        (self.an, self.frame, self.iseq) = (an, begin.frame, begin.code);
        (self.this, self.returns_to) = (Some(begin.this), Some(done));
        self.begin_part(begin.args);
        self.all_blocks()?;
        (self.an, self.frame, self.iseq, self.this, self.at, self.returns_to) = known;
        (self.values, self.numbers, self.blocks) = (values, numbers, blocks);
        (self.regs, self.before, self.yields) = (regs, before, yields);
        self.copies = copies;
        (self.way, self.scopes, self.inlining.unmade) = (way, scopes, unmade);
        self.done = false;
        self.slots.clear();
        self.b.switch_to_block(done);
        self.tell_current();
        Ok(result)
    }

    fn begin_part(&mut self, args: &[Value]) {
        let an = self.an;
        self.tell_current();
        if self.inlining.unmade.is_none() {
            self.clear(args.len());
        }
        let nil = self.int(bits::NIL);
        for r in 0..self.regs.len() {
            if an.tracked[r] && an.blocks[0].live[r] {
                let v = args.get(r).copied().unwrap_or(nil);
                self.b.def_var(self.values[r], v);
                self.regs[r].value = true;
            }
        }
        let first = self.blocks[0];
        self.jump(first);
    }

    /// The end of a part, with a value: on behind its call.
    pub(super) fn return_from_part(&mut self, v: Value, to: Block) {
        if self.inlining.unmade.is_none() {
            let this = self.frame;
            self.frames_end(&[this]);
        }
        self.b.ins().jump(to, &[v.into()]);
        self.done = true;
    }
}
