//! Calls: of compiled code by a native call, of leaf natives by a helper, of others by the interpreter; and returns.

use std::mem::replace;
use std::ops::Range;

use asterism_compiler::code::flags;
use asterism_compiler::opcode::{MOST_YIELDED, Op};
use asterism_compiler::{Bound, CodeKind};
use asterism_vm::jit::layout::{self, cell, frame, iseq, proc};
use asterism_vm::jit::{LEFT, Met, Target, UNKNOWN, calls as of_vm, helpers, literals};
use asterism_vm::native::Intrinsic;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::{Emitter, Failed, How, bits};
use crate::analysis::calls;
use crate::inlined::Inlined;
use crate::leading::Leading;
use crate::types::{This, Ty};

/// The header of a callee's frame.
#[derive(Clone, Copy)]
pub(super) struct Callee {
    pub code: Value,
    pub this: Value,
    pub method: Value,
    /// None: nil.
    pub block: Option<Value>,
    pub cref: Value,
    /// None: nil.
    pub scope: Option<Value>,
    pub state: i64,
}

/// A call of Ruby code.
pub(super) struct Call {
    /// The instruction.
    pub i: usize,
    /// The receiver, or the class whose object is to be made.
    pub recv: Value,
    pub what: Callable,
    pub given: Given,
    pub method: Value,
    /// The VM's part of the code.
    pub code: Value,
}

/// What a callee is given.
#[derive(Clone)]
pub(super) struct Given {
    /// The values of its first registers.
    pub args: Vec<Value>,
    /// Those of them that are known to be fixnums.
    pub fixnums: Vec<Value>,
    /// Which of those is to be an Array, and of which registers.
    rest: Option<(usize, Range<usize>)>,
}

/// The block of a call.
#[derive(Clone, Copy)]
pub(super) enum GivenBlock {
    /// None.
    None,
    /// A literal one: the VM's part of its code.
    Literal(Value),
    /// What a frame has in its word for the block.
    Word(Value),
}

impl GivenBlock {
    /// The code, if it is a literal one.
    pub fn literal(self) -> Option<Value> {
        match self {
            GivenBlock::Literal(code) => Some(code),
            GivenBlock::None | GivenBlock::Word(_) => None,
        }
    }
}

/// What a call of Ruby code calls.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Callable {
    /// A method.
    Method,
    /// A method that is made of a block.
    BlockMethod,
    /// `initialize` of an object that is to be made.
    Initialize,
}

impl From<Vec<Value>> for Given {
    fn from(args: Vec<Value>) -> Given {
        Given { args, fixnums: Vec::new(), rest: None }
    }
}

/// The kind of calls that is met.
pub(super) fn kind_of(met: Met, literal_block: bool) -> usize {
    match met {
        Met::Ruby => layout::kind_of_ruby(literal_block),
        Met::Bound => layout::kind_of_bound(),
        Met::Spread => layout::kind_of_spread(),
        Met::BlockMethod => layout::kind_of_block_method(),
        Met::Leaf => layout::kind_of_leaf(),
        Met::Native => layout::kind_of_native(),
        Met::Intrinsic(def) if def.leaf => layout::kind_of_leaf(),
        Met::Intrinsic(_) => layout::kind_of_native(),
        Met::New => layout::kind_of_new(),
        Met::NewBound => layout::kind_of_new_bound(),
        Met::NewStruct => layout::kind_of_new_struct(),
        Met::Proc => layout::kind_of_proc_call(),
        Met::ProcSpread => layout::kind_of_proc_spread(),
        Met::Writer => layout::kind_of_writer(),
        Met::Reader => layout::kind_of_reader(),
        Met::ProtectedRuby => layout::kind_of_protected_ruby(),
        Met::ProtectedReader => layout::kind_of_protected_reader(),
        Met::Other => 0,
    }
}

impl<'a, 'c> Emitter<'a, 'c> {
    /// The operands of a call: base, destination, site.
    pub(super) fn call_operands(&self, i: usize) -> (usize, usize, usize) {
        let word = self.an.code.words[self.an.instrs[i].at];
        (usize::from((word >> 16) as u16), usize::from((word >> 32) as u16), (word >> 48) as usize)
    }

    pub(super) fn call_instruction(&mut self, i: usize) -> Result<(), Failed> {
        let (base, dst, site) = self.call_operands(i);
        let met = self.met(site);
        if met == Met::Other && self.an.of.receivers.get(site) == Some(&0) {
            self.send(i, of_vm::late_call as *const () as usize);
            return Ok(());
        }
        if met == Met::Other || met == Met::Proc && self.an.code.call_sites[site].argc > MOST_YIELDED {
            self.send(i, of_vm::call as *const () as usize);
            return Ok(());
        }
        let recv = match self.an.instrs[i].op {
            Op::CallSelf => self.own_self(),
            _ => {
                // It is looked at several times: see `apart`.
                let v = self.get(base);
                if self.cells.contains_key(&v) { v } else { self.copied(v) }
            }
        };
        let bad = self.cold();
        let attribute = self.an.is_attribute(i);
        // What is known of the receiver is known of the register that it is in.
        let is_cell = self.an.instrs[i].op == Op::Call && self.an.tracked[base] && self.regs[base].ty.is_cell();
        // What is no cell has attributes as good as never.
        let of_cells = attribute || matches!(met, Met::Reader | Met::Writer);
        if of_cells && !is_cell {
            self.is_heap(recv, bad);
        }
        let known = self.cells.get(&recv).copied();
        if of_cells || is_cell {
            self.cells.entry(recv).or_insert(This::Cell);
        }
        let entry = self.entry_for(site, recv, bad);
        let an = self.an;
        let others = an.of.others.get(site).map_or(&[][..], Vec::as_slice);
        let other = if others.is_empty() { bad } else { self.cold() };
        let mut v = self.call_by(i, met, (entry, recv), other)?;
        if !others.is_empty() {
            v = self.or_others(i, others, (entry, recv), v, (other, bad));
        }
        self.know_again(recv, known);
        if attribute {
            self.aside(bad, |e| {
                e.regs.clone_from(&e.before);
                e.leave(i, How::Unexpected);
            });
            self.know(base, Ty::Cell);
            self.set(dst, v, Ty::Any);
            return Ok(());
        }
        self.or_call(i, bad, dst, v)
    }

    /// `super`
    pub(super) fn super_instruction(&mut self, i: usize) -> Result<(), Failed> {
        let (_, dst, site) = self.call_operands(i);
        if self.met(site) == Met::Other {
            self.send(i, of_vm::send_super as *const () as usize);
            return Ok(());
        }
        let recv = self.own_self();
        let bad = self.cold();
        let entry = self.super_entry(site, recv, bad);
        let v = self.call_by(i, self.met(site), (entry, recv), bad)?;
        self.or_call(i, bad, dst, v)
    }

    /// What call site `site` has met, as far as it is called in a way of its own.
    fn met(&self, site: usize) -> Met {
        let call = &self.an.code.call_sites[site];
        let with_block = call.block.is_some() || call.flags & (flags::BLOCK_ARG | flags::BLOCK_FORWARD) != 0;
        match self.an.met(site) {
            Met::Intrinsic(_) if with_block => Met::Native,
            Met::Intrinsic(def) if self.takes_other_arguments(def.intrinsic, usize::from(call.argc)) => {
                match def.leaf {
                    true => Met::Leaf,
                    false => Met::Native,
                }
            }
            met => met,
        }
    }

    /// Is what stands for a native method made for another number of arguments than `argc`?
    pub(super) fn takes_other_arguments(&self, which: Intrinsic, argc: usize) -> bool {
        match which {
            Intrinsic::First | Intrinsic::Last | Intrinsic::Pop | Intrinsic::Shift => argc > 0,
            Intrinsic::Push | Intrinsic::RespondTo => argc != 1,
            _ => false,
        }
    }

    /// Makes a call by what an entry of its inline cache says of the receiver, if that is what the site has met; else on in `bad`.
    fn call_by(&mut self, i: usize, met: Met, (entry, recv): (Value, Value), bad: Block) -> Result<Value, Failed> {
        let (base, _, site) = self.call_operands(i);
        let literal = self.an.code.call_sites[site].block.is_some();
        let callee = self.an.of.targets.get(site).and_then(Option::as_deref);
        let itself = self.calls_itself(site, met);
        // A method that calls itself on `self` compares the code, from which the kind follows there.
        let own = self.an.instrs[i].op == Op::CallSelf && self.an.code.kind == CodeKind::Method;
        if !own || !itself {
            let kind = self.load(entry, cell::ENTRY_KIND);
            let is_kind = self.b.ins().icmp_imm_s(IntCC::Equal, kind, kind_of(met, literal) as i64);
            self.expect_or(is_kind, bad);
        }
        if met == Met::BlockMethod {
            // One that the main Ractor has defined: others may call it if its Proc is shareable.
            let ec = self.ec;
            let ractor = self.load(ec, layout::ec::RACTOR);
            let is_main = self.b.ins().icmp_imm_s(IntCC::Equal, ractor, 0);
            self.expect_or(is_main, bad);
        }
        if matches!(met, Met::ProtectedRuby | Met::ProtectedReader) {
            let method = self.load(entry, cell::ENTRY_METHOD);
            self.may_call_protected(method, bad);
        }
        if met == Met::Writer {
            let v = self.get(base + 1);
            return Ok(self.write_attribute(i, site, recv, entry, v));
        }
        if matches!(met, Met::Reader | Met::ProtectedReader) {
            return Ok(self.read_attribute(i, self.asking(), site, recv, entry));
        }
        let target = self.load(entry, cell::ENTRY_TARGET);
        let method = self.load(entry, cell::ENTRY_METHOD);
        let (code, what) = match met {
            Met::New | Met::NewBound => (self.initializer(recv, method, target, bad), Callable::Initialize),
            Met::BlockMethod => (target, Callable::BlockMethod),
            _ if itself => (self.own_code(target, bad), Callable::Method),
            _ => (target, Callable::Method),
        };
        let argc = usize::from(self.an.code.call_sites[site].argc);
        Ok(match met {
            Met::Ruby | Met::ProtectedRuby | Met::New => {
                let given = self.given((base + 1..base + 1 + argc).collect());
                self.call_ruby(site, Call { i, recv, what, given, method, code }, bad)?
            }
            Met::Bound | Met::BlockMethod | Met::NewBound => {
                let given = self.bound_arguments(base, site, code, callee, bad)?;
                self.call_ruby(site, Call { i, recv, what, given, method, code }, bad)?
            }
            Met::Spread => {
                let given = self.spread_arguments(i, code, callee, bad)?;
                self.call_ruby(site, Call { i, recv, what, given, method, code }, bad)?
            }
            Met::Native => self.call_framed(i, recv, method, target, bad),
            Met::Intrinsic(def) if self.an.instrs[i].op != Op::Super => {
                self.intrinsic(i, (base, argc), recv, (method, target), def, bad)
            }
            Met::Intrinsic(def) if !def.leaf => self.call_framed(i, recv, method, target, bad),
            Met::Leaf | Met::Intrinsic(_) => self.call_leaf(i, (base, argc), recv, method, target),
            Met::NewStruct => self.new_struct(i, base, recv, target, bad),
            Met::Proc => self.call_proc(i, base, recv, bad),
            Met::ProcSpread => self.call_proc_spread(i, recv, bad),
            Met::Reader | Met::ProtectedReader | Met::Writer | Met::Other => return Err("a call of nothing"),
        })
    }

    /// The code of `method`, the `initialize` of `class` as long as that has the serial `target`, if it is Ruby code; else on in `bad`.
    fn initializer(&mut self, class: Value, method: Value, target: Value, bad: Block) -> Value {
        let serial = self.load(class, cell::SERIAL);
        let same = self.b.ins().icmp(IntCC::Equal, serial, target);
        self.expect_or(same, bad);
        let meta = self.load(method, cell::METHOD_META);
        let other = self.b.ins().band_imm_s(meta, 0xff);
        let is_ruby = self.b.ins().icmp_imm_s(IntCC::Equal, other, 0);
        self.expect_or(is_ruby, bad);
        let body = self.load(method, cell::METHOD_BODY);
        self.load(body, cell::PAYLOAD)
    }

    /// What the parameters of `code` get from the call at `base`, for what is missing `undef`. It is that of `callee`, else on in `bad`.
    fn bound_arguments(
        &mut self,
        base: usize,
        site: usize,
        code: Value,
        callee: Option<&Target>,
        bad: Block,
    ) -> Result<Given, Failed> {
        let callee = &callee.ok_or("no target")?.code;
        let bound = callee.params.bound_by(&self.an.code.call_sites[site]).ok_or("arguments of another call")?;
        // That is known of the code that was met only.
        self.is_part_of(code, callee, bad);
        Ok(self.given_bound(base, bound))
    }

    /// What parameters get that a call at `base` gives `bound`, for what is missing `undef`.
    pub(super) fn given_bound(&mut self, base: usize, bound: Vec<Bound>) -> Given {
        let mut rest = None;
        let value = |(n, bound)| match bound {
            Bound::Value(at) => self.get(base + 1 + at),
            Bound::Missing => self.int(bits::LAST_SPECIAL),
            Bound::NoKeywords => self.int(bits::NIL),
            Bound::Rest(values) => {
                rest = Some((n, base + 1 + values.start..base + 1 + values.end));
                self.int(bits::NIL)
            }
        };
        let args = bound.into_iter().enumerate().map(value).collect();
        Given { args, fixnums: Vec::new(), rest }
    }

    /// The block of the call at `base`, if it is one that is passed on as it is, a literal Symbol, or of code that has run; else on in
    /// `bad`.
    pub(super) fn given_block(&mut self, i: usize, base: usize, site: usize, bad: Block) -> GivenBlock {
        let call = &self.an.code.call_sites[site];
        if let Some(child) = call.block {
            let own = self.iseq;
            let children = self.load_fixed(own, iseq::CHILDREN);
            let made = self.load(children, 8 * i32::from(child));
            self.expect_or(made, bad);
            return GivenBlock::Literal(self.load(made, cell::PAYLOAD));
        }
        if call.flags & flags::BLOCK_ARG != 0 {
            let keywords = call.keywords.len() + usize::from(call.flags & flags::KW_SPLAT != 0);
            let v = self.get(base + 1 + usize::from(call.argc) + keywords);
            match call.symbol {
                Some(_) => self.is_unrefined(bad),
                None => self.is_no_block_or_proc(v, bad),
            }
            return GivenBlock::Word(v);
        }
        // Without a block of its own, super passes the method's.
        if call.flags & flags::BLOCK_FORWARD != 0 || self.an.instrs[i].op == Op::Super {
            let this = self.frame;
            return GivenBlock::Word(self.load(this, frame::BLOCK));
        }
        GivenBlock::None
    }

    /// The arguments of the call at `base`.
    pub(super) fn arguments(&mut self, base: usize, site: usize) -> Vec<Value> {
        let argc = usize::from(self.an.code.call_sites[site].argc);
        (0..argc).map(|n| self.get(base + 1 + n)).collect()
    }

    /// What registers are given as arguments.
    fn given(&mut self, registers: Vec<usize>) -> Given {
        let args: Vec<Value> = registers.iter().map(|&r| self.get(r)).collect();
        let is_fixnum = |r: usize| self.an.tracked[r] && self.regs[r].ty == Ty::Fixnum;
        let known = registers.iter().zip(&args).filter(|(r, _)| is_fixnum(**r));
        let fixnums = known.map(|(_, &v)| v).collect();
        Given { args, fixnums, rest: None }
    }

    /// An operator whose site has met Ruby code, which is called with the operands; in `bad` it is something else.
    pub(super) fn call_operator(
        &mut self,
        i: usize,
        recv: Value,
        args: Vec<Value>,
        bad: Block,
    ) -> Result<Value, Failed> {
        let site = self.an.site(i);
        let entry = self.entry_for(site, recv, bad);
        let kind = self.load(entry, cell::ENTRY_KIND);
        let is_kind = self.b.ins().icmp_imm_s(IntCC::Equal, kind, layout::kind_of_ruby(false) as i64);
        self.expect_or(is_kind, bad);
        let (target, method) = (self.load(entry, cell::ENTRY_TARGET), self.load(entry, cell::ENTRY_METHOD));
        let given = args.into();
        self.call_ruby(site, Call { i, recv, what: Callable::Method, given, method, code: target }, bad)
    }

    fn call_ruby(&mut self, site: usize, call: Call, bad: Block) -> Result<Value, Failed> {
        let an = self.an;
        let block = match calls(an.instrs[call.i].op) && call.what == Callable::Method {
            true => self.given_block(call.i, self.call_operands(call.i).0, site, bad),
            false => GivenBlock::None,
        };
        let part = an.parts.get(site).and_then(Option::as_deref).filter(|_| call.given.rest.is_none());
        if let Some(called) = part.filter(|called| block.literal().is_some() || called.block.code().is_none()) {
            return self.call_part(called, &call, block, bad);
        }
        let inlined = an.inlined.get(site).and_then(Option::as_deref);
        if let (Some(inlined), GivenBlock::None) = (inlined, block) {
            return self.call_inlined_or(inlined, &call, bad);
        }
        let leading = an.leading_of(call.i).filter(|_| call.what != Callable::Initialize);
        Ok(self.call_led(leading, &call, block, bad))
    }

    /// Makes the call by executing the beginning of what is called, where that is `leading` and returns; else by a native call.
    pub(super) fn call_led(&mut self, leading: Option<&Leading>, call: &Call, block: GivenBlock, bad: Block) -> Value {
        let regs = self.regs.clone();
        let done = leading.map(|leading| {
            let (not, done) = (self.fresh(), self.fresh());
            self.b.append_block_param(done, types::I64);
            self.begin_in_place(leading, (call.code, call.recv), &call.given, (not, done));
            self.b.switch_to_block(not);
            done
        });
        let v = self.call_unit(call, block, bad);
        let Some(done) = done else { return v };
        // Where no call was made, nothing was written for it.
        self.b.ins().jump(done, &[v.into()]);
        self.regs = regs;
        self.b.switch_to_block(done);
        self.b.block_params(done)[0]
    }

    /// Makes the call by what is inlined, or by a native call where it is one of something else.
    pub(super) fn call_inlined_or(
        &mut self,
        inlined: &'a Inlined<'c>,
        call: &Call,
        bad: Block,
    ) -> Result<Value, Failed> {
        let regs = self.regs.clone();
        let (not, done) = (self.cold(), self.fresh());
        let result = self.b.append_block_param(done, types::I64);
        let v = self.call_inlined(inlined, call, not)?;
        self.b.ins().jump(done, &[v.into()]);
        let behind = replace(&mut self.regs, regs);
        self.b.switch_to_block(not);
        let v = self.call_unit(call, GivenBlock::None, bad);
        self.b.ins().jump(done, &[v.into()]);
        // Where no call was made, nothing was written for it, but for an object that is made.
        self.regs = behind;
        self.b.switch_to_block(done);
        Ok(result)
    }

    /// Makes a call by a native call of the callee's own machine code; on in `bad` where that has none.
    pub(super) fn call_unit(&mut self, call: &Call, block: GivenBlock, bad: Block) -> Value {
        if self.inlining.unmade.is_some() {
            // What is called might keep hold of the frame.
            self.jump(bad);
            self.begin_never();
            return self.int(0);
        }
        let i = call.i;
        let (new, function) = self.room_for(call.code, bad);
        let Given { mut args, rest, .. } = call.given.clone();
        self.flush(i, rest.is_some());
        self.save(i);
        if let Some((at, values)) = rest {
            let (ec, first) = (self.ec, self.address(values.start));
            let count = self.int(values.len() as i64);
            let list = self.call(literals::new_array as *const () as usize, &[ec, first, count]);
            self.unless_left(list);
            self.forget_args(i);
            args[at] = list;
        }
        let callee = self.callee_of(call, block);
        self.push(new, callee, &args);
        let v = self.call_native(function, new);
        self.returned(v, i, block.literal().is_some());
        v
    }

    /// The header of the frame of what is called. The object for `initialize` is made for that.
    pub(super) fn callee_of(&mut self, call: &Call, block: GivenBlock) -> Callee {
        let Call { code, method, .. } = *call;
        let dst = self.an.instrs[call.i].defs[0] as i64;
        let state = |flags: u64| flags as i64 | dst;
        if call.what == Callable::BlockMethod {
            let body = self.load(method, cell::METHOD_BODY);
            return Callee {
                code,
                this: call.recv,
                method,
                block: Some(self.load(body, proc::BLOCK)),
                cref: self.load(body, proc::CREF),
                scope: Some(self.load(body, proc::ENV)),
                state: state(frame::BLOCK_METHOD),
            };
        }
        let (mut this, mut how) = (call.recv, frame::CALLED);
        if call.what == Callable::Initialize {
            let ec = self.ec;
            this = self.call(helpers::new_object as *const () as usize, &[ec, call.recv]);
            self.unless_left(this);
            how |= frame::SELF_VALUE;
        }
        let block = self.block_word(block);
        Callee { code, this, method, block, cref: self.cref_of(method), scope: None, state: state(how) }
    }

    /// What a callee's frame has in its word for the block, whose code the caller's frame has from here on.
    pub(super) fn block_word(&mut self, block: GivenBlock) -> Option<Value> {
        match block {
            GivenBlock::None => None,
            GivenBlock::Word(word) => Some(word),
            GivenBlock::Literal(code) => {
                let creator = self.frame;
                self.store(creator, frame::BLOCK_CODE, code);
                Some(self.b.ins().bor_imm_s(creator, 1))
            }
        }
    }

    /// The nesting of a method.
    pub(super) fn cref_of(&mut self, method: Value) -> Value {
        self.load(method, cell::METHOD_CREF)
    }

    /// Goes on if there is nothing to do at a safepoint, else in `bad`.
    pub(super) fn quiet_or(&mut self, bad: Block) {
        let ec = self.ec;
        let word = self.load_fixed(ec, layout::ec::POLL_WORD);
        let asked = self.load_shared(types::I32, word);
        let quiet = self.b.ins().icmp_imm_s(IntCC::Equal, asked, 0);
        self.expect_or(quiet, bad);
    }

    /// Where the frame of a callee goes that is compiled, and its function; where there is no room for it, no function, or something
    /// to do at a safepoint, on in `bad`.
    pub(super) fn room_for(&mut self, code: Value, bad: Block) -> (Value, Value) {
        let function = self.load(code, iseq::NATIVE);
        self.expect_or(function, bad);
        self.quiet_or(bad);
        let ec = self.ec;
        let own = i64::from(frame::REGS) + 8 * self.regs.len() as i64;
        let this = self.frame;
        let new = self.b.ins().iadd_imm_s(this, own);
        let end = if code == self.iseq {
            self.b.ins().iadd_imm_s(this, 2 * own)
        } else {
            let bytes = self.load32(code, iseq::FRAME_BYTES);
            self.b.ins().iadd(new, bytes)
        };
        let limit = self.load(ec, layout::ec::STACK_END);
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, end, limit);
        self.expect_or(fits, bad);
        (new, function)
    }

    /// Writes the frame of a callee. It does not become the current one before somebody looks (see `call`); the callee itself clears
    /// what are no arguments.
    pub(super) fn push(&mut self, new: Value, callee: Callee, args: &[Value]) {
        let this = self.frame;
        for (offset, v) in [
            (frame::PREV, this),
            (frame::ISEQ, callee.code),
            (frame::SELF, callee.this),
            (frame::METHOD, callee.method),
            (frame::CREF, callee.cref),
        ] {
            self.store(new, offset, v);
        }
        match (callee.block, callee.scope) {
            (None, None) => self.store_two(new, frame::BLOCK, [bits::NIL, bits::NIL]),
            (block, scope) => {
                for (offset, v) in [(frame::BLOCK, block), (frame::SCOPE, scope)] {
                    let v = v.unwrap_or_else(|| self.int(bits::NIL));
                    self.store(new, offset, v);
                }
            }
        }
        self.store_two(new, frame::BLOCK_CODE, [0, callee.state]);
        self.store_args(new, args);
    }

    /// Writes a callee's arguments to its registers.
    pub(super) fn store_args(&mut self, new: Value, args: &[Value]) {
        for (n, &v) in args.iter().enumerate() {
            self.store(new, frame::REGS + 8 * n as i32, v);
        }
    }

    /// Calls a native method that needs its frame.
    pub(super) fn call_framed(&mut self, i: usize, recv: Value, method: Value, def: Value, bad: Block) -> Value {
        self.quiet_or(bad);
        self.flush(i, true);
        self.save(i);
        let (ec, frame) = (self.ec, self.frame);
        let v = self.call(helpers::native as *const () as usize, &[ec, frame, def, method, recv]);
        self.unless_left(v);
        self.forget_args(i);
        v
    }

    /// Calls a native method that needs no frame, with `argc` arguments behind register `base`.
    pub(super) fn call_leaf(
        &mut self,
        i: usize,
        (base, argc): (usize, usize),
        recv: Value,
        method: Value,
        def: Value,
    ) -> Value {
        self.flush(i, true);
        self.save(i);
        let args = self.address(base + 1);
        let argc = self.int(argc as i64);
        let ec = self.ec;
        let v = self.call(helpers::leaf as *const () as usize, &[ec, def, method, recv, args, argc]);
        self.unless_left(v);
        self.forget_args(i);
        v
    }

    /// `new` of the Struct `class`, of what an entry's target says.
    fn new_struct(&mut self, i: usize, base: usize, class: Value, target: Value, bad: Block) -> Value {
        self.flush(i, true);
        self.save(i);
        let args = self.address(base + 1);
        let (_, _, site) = self.call_operands(i);
        let argc = i64::from(self.an.code.call_sites[site].argc);
        let (ec, argc) = (self.ec, self.int(argc));
        let v = self.call(helpers::new_struct as *const () as usize, &[ec, class, args, argc, target]);
        self.known_or(v, bad);
        self.forget_args(i);
        v
    }

    /// Goes on if `v` is not `LEFT`, else code is left.
    pub(super) fn unless_left(&mut self, v: Value) {
        let came = self.b.ins().icmp_imm_s(IntCC::NotEqual, v, LEFT as i64);
        let left = self.left;
        self.expect_or(came, left);
    }

    /// A `return` in a block: a lambda returns from itself, for others the code is left.
    pub(super) fn return_of_lambda(&mut self, i: usize) {
        if self.returns_to.is_some() {
            // No lambda is a part.
            return self.return_far_part(i);
        }
        let this = self.frame;
        let state = self.load(this, frame::STATE);
        let lambda = self.b.ins().band_imm_s(state, frame::LAMBDA as i64);
        let far = self.expect(lambda);
        self.leave_aside(far, i, How::Plainly);
        self.return_instruction(i);
    }

    pub(super) fn return_instruction(&mut self, i: usize) {
        let r = self.an.instrs[i].uses[0];
        if let Some(to) = self.returns_to {
            let v = self.get(r);
            return self.return_from_part(v, to);
        }
        let v = self.get(r);
        let this = self.frame;
        let state = self.load(this, frame::STATE);
        let how = self.b.ins().band_imm_s(state, frame::HOW as i64);
        let plain = self.b.ins().icmp_imm_s(IntCC::Equal, how, 0);
        let other = self.expect(plain);
        let end = self.fresh();
        let result = self.b.append_block_param(end, types::I64);
        self.b.ins().jump(end, &[v.into()]);
        self.aside(other, |e| e.return_otherwise(i, v, end));
        self.b.switch_to_block(end);
        self.b.ins().return_(&[result]);
        self.done = true;
    }

    /// The return `i` of a frame whose value is not just stored; on in `end` with what is returned.
    fn return_otherwise(&mut self, i: usize, v: Value, end: Block) {
        let this = self.frame;
        if &*self.an.code.label == "initialize" {
            // For `new`, as most often.
            let state = self.load(this, frame::STATE);
            let how = self.b.ins().band_imm_s(state, frame::HOW as i64);
            let is_self = self.b.ins().icmp_imm_s(IntCC::Equal, how, frame::SELF_VALUE as i64);
            let (made, not) = (self.cold(), self.cold());
            self.b.ins().brif(is_self, made, &[], not, &[]);
            self.b.switch_to_block(made);
            let of_frame = self.load(this, frame::SELF);
            self.b.ins().jump(end, &[of_frame.into()]);
            self.b.switch_to_block(not);
        }
        let v = self.call_pure(helpers::returned as *const () as usize, &[this, v]);
        let known = self.b.ins().icmp_imm_s(IntCC::NotEqual, v, UNKNOWN as i64);
        let not = self.cold();
        self.b.ins().brif(known, end, &[v.into()], not, &[]);
        self.b.switch_to_block(not);
        self.leave(i, How::Plainly);
    }
}
