//! Calls: of compiled code by a native call, of leaf natives by a helper, of others by the interpreter; and returns.

use std::sync::Arc;

use asterism_compiler::code::flags;
use asterism_compiler::opcode::{MOST_YIELDED, Op};
use asterism_object::space::WellKnown;
use asterism_vm::jit::layout::{self, cell, frame, iseq, proc};
use asterism_vm::jit::{LEFT, Met, Target, helpers};
use asterism_vm::native::Intrinsic;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::{Emitter, Failed, bits, trusted};

/// The header of a callee's frame.
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
    pub is_new: bool,
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
    /// The registers, by the first and their number, that become the Array in the register behind those, if it takes one.
    rest: Option<(usize, usize)>,
}

impl From<Vec<Value>> for Given {
    fn from(args: Vec<Value>) -> Given {
        Given { args, rest: None }
    }
}

impl Emitter<'_, '_> {
    /// The operands of a call: base, destination, site.
    fn call_operands(&self, i: usize) -> (usize, usize, usize) {
        let word = self.an.code.words[self.an.instrs[i].at];
        (usize::from((word >> 16) as u16), usize::from((word >> 32) as u16), (word >> 48) as usize)
    }

    pub(super) fn call_instruction(&mut self, i: usize) -> Result<(), Failed> {
        let (base, dst, site) = self.call_operands(i);
        let call = &self.an.code.call_sites[site];
        let plain = call.flags & (flags::SPLAT | flags::KW_SPLAT | flags::BLOCK_ARG | flags::BLOCK_FORWARD) == 0
            && call.keywords.is_empty();
        let met = match self.an.of.calls.get(site).copied().unwrap_or(Met::Other) {
            Met::Intrinsic(_) if call.block.is_some() => Met::Native,
            Met::Intrinsic(def) if call.argc > 0 && matches!(def.0.intrinsic, Intrinsic::First | Intrinsic::Last) => {
                Met::Leaf
            }
            met => met,
        };
        let optional = self
            .an
            .of
            .targets
            .get(site)
            .and_then(Option::as_ref)
            .filter(|_| matches!(met, Met::Optional | Met::NewOptional));
        let too_many = met == Met::Proc && call.argc > MOST_YIELDED;
        if !plain || met == Met::Other || too_many {
            return self.step(i);
        }
        let recv = match self.an.instrs[i].op {
            Op::CallSelf => self.own_self(),
            _ => self.get(base),
        };
        let bad = self.cold();
        let entry = self.entry_for(site, recv, bad);
        let kind = self.load(entry, cell::ENTRY_KIND);
        let expected = match met {
            Met::Ruby => layout::kind_of_ruby(call.block.is_some()),
            Met::Optional => layout::kind_of_optional(),
            Met::Leaf => layout::kind_of_leaf(),
            Met::Native => layout::kind_of_native(),
            Met::Intrinsic(def) if def.0.leaf => layout::kind_of_leaf(),
            Met::Intrinsic(_) => layout::kind_of_native(),
            Met::New => layout::kind_of_new(),
            Met::NewOptional => layout::kind_of_new_optional(),
            Met::NewStruct => layout::kind_of_new_struct(),
            Met::Proc => layout::kind_of_proc_call(),
            Met::Writer => layout::kind_of_writer(),
            _ => layout::kind_of_reader(),
        };
        let is_kind = self.b.ins().icmp_imm_s(IntCC::Equal, kind, expected as i64);
        self.expect_or(is_kind, bad);
        let target = self.load(entry, cell::ENTRY_TARGET);
        let method = self.load(entry, cell::ENTRY_METHOD);
        let v = match met {
            Met::Ruby => {
                let given = self.arguments(base, site).into();
                self.call_ruby(site, Call { i, recv, is_new: false, given, method, code: target }, bad)?
            }
            Met::Optional => {
                let given = self.optional_arguments(base, site, target, optional, bad)?;
                self.call_ruby(site, Call { i, recv, is_new: false, given, method, code: target }, bad)?
            }
            Met::New | Met::NewOptional => {
                let code = self.initializer(recv, method, target, bad);
                let given = match met {
                    Met::New => self.arguments(base, site).into(),
                    _ => self.optional_arguments(base, site, code, optional, bad)?,
                };
                self.call_ruby(site, Call { i, recv, is_new: true, given, method, code }, bad)?
            }
            Met::Native => self.call_framed(i, recv, method, target, bad),
            Met::Intrinsic(def) => self.intrinsic(i, base, recv, (method, target), def, bad),
            Met::NewStruct => self.new_struct(i, base, recv, target, bad),
            Met::Proc => self.call_proc(i, base, recv, bad),
            Met::Leaf => self.call_leaf(i, base, recv, method, target),
            Met::Writer => {
                let v = self.get(base + 1);
                self.write_attribute(i, site, recv, target, v)
            }
            _ => self.read_attribute(i, site, recv, target),
        };
        self.or_step(i, bad, dst, v)
    }

    /// The entry for the class of `recv` in the inline cache of call site `site`, if it has one; else on in `bad`.
    fn entry_for(&mut self, site: usize, recv: Value, bad: Block) -> Value {
        let code = self.iseq;
        let sites = self.load_fixed(code, iseq::SITES);
        let cache = self.load(sites, 8 * site as i32);
        self.expect_or(cache, bad);
        let class = self.class_of(recv);
        let serial = self.load(class, cell::SERIAL);
        let first = self.b.ins().iadd_imm_s(cache, i64::from(cell::CACHE_FIRST));
        let known = self.load(first, cell::ENTRY_SERIAL);
        let same = self.b.ins().icmp(IntCC::Equal, serial, known);
        let (on, other) = (self.fresh(), self.cold());
        let entry = self.b.append_block_param(on, types::I64);
        self.b.ins().brif(same, on, &[first.into()], other, &[]);
        self.aside(other, |e| {
            let found = e.call_pure(helpers::entry as *const () as usize, &[cache, serial]);
            e.b.ins().brif(found, on, &[found.into()], bad, &[]);
        });
        self.b.switch_to_block(on);
        entry
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

    /// The arguments of the call at `base` of `code`, with those that are missing of `callee`, which has optional parameters. It is that
    /// code, else on in `bad`.
    fn optional_arguments(
        &mut self,
        base: usize,
        site: usize,
        code: Value,
        callee: Option<&Target>,
        bad: Block,
    ) -> Result<Given, Failed> {
        let Some(callee) = callee else { return Err("no target") };
        // What is missing is known of the code that was met only.
        let of = self.load_fixed(code, iseq::CODE);
        let same = self.b.ins().icmp_imm_s(IntCC::Equal, of, Arc::as_ptr(&callee.code) as i64);
        self.expect_or(same, bad);
        let mut args = self.arguments(base, site);
        let (params, undef) = (&callee.code.params, self.int(bits::LAST_SPECIAL));
        let (plain, argc) = (usize::from(params.required + params.optional), args.len());
        args.resize(plain, undef);
        let rest = params.rest.then(|| (base + 1 + plain.min(argc), argc.saturating_sub(plain)));
        Ok(Given { args, rest })
    }

    /// The arguments of the call at `base`.
    fn arguments(&mut self, base: usize, site: usize) -> Vec<Value> {
        let argc = usize::from(self.an.code.call_sites[site].argc);
        (0..argc).map(|n| self.get(base + 1 + n)).collect()
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
        self.call_ruby(site, Call { i, recv, is_new: false, given, method, code: target }, bad)
    }

    /// The class of a value.
    fn class_of(&mut self, v: Value) -> Value {
        let on = self.fresh();
        let class = self.b.append_block_param(on, types::I64);
        let other = self.cold();
        self.is_heap(v, other);
        let own = self.load(v, cell::CLASS);
        self.b.ins().jump(on, &[own.into()]);
        self.aside(other, |e| {
            let ec = e.ec;
            let classes = e.load_fixed(ec, layout::ec::CLASSES);
            let tag = e.b.ins().band_imm_s(v, 3);
            let is_float = e.b.ins().icmp_imm_s(IntCC::Equal, tag, 2);
            let low = e.b.ins().band_imm_s(v, 1);
            let float = e.b.ins().uextend(types::I64, is_float);
            let number = e.b.ins().bor(low, float);
            let rest = e.expect(number);
            e.aside(rest, |e| {
                let class = e.call_pure(helpers::class_of as *const () as usize, &[ec, v]);
                e.b.ins().jump(on, &[class.into()]);
            });
            let integer = e.load(classes, layout::class(WellKnown::Integer));
            let float = e.load(classes, layout::class(WellKnown::Float));
            let class = e.b.ins().select(is_float, float, integer);
            e.b.ins().jump(on, &[class.into()]);
        });
        self.b.switch_to_block(on);
        class
    }

    fn call_ruby(&mut self, site: usize, call: Call, bad: Block) -> Result<Value, Failed> {
        let an = self.an;
        let block = an.code.call_sites[site].block.map(|child| {
            let own = self.iseq;
            let children = self.load_fixed(own, iseq::CHILDREN);
            let made = self.load(children, 8 * i32::from(child));
            self.expect_or(made, bad);
            self.load(made, cell::PAYLOAD)
        });
        let part = an.parts.get(site).and_then(Option::as_deref).filter(|_| call.given.rest.is_none());
        if let (Some(called), Some(block)) = (part, block) {
            return self.call_part(called, &call, block, bad);
        }
        let regs = self.regs.clone();
        let done = an.leading_of(call.i).filter(|_| !call.is_new).map(|leading| {
            let (not, done) = (self.fresh(), self.fresh());
            self.b.append_block_param(done, types::I64);
            self.begin_in_place(leading, (call.code, call.recv), &call.given.args, (not, done));
            self.b.switch_to_block(not);
            done
        });
        let v = self.call_unit(&call, block, bad);
        let Some(done) = done else { return Ok(v) };
        // Where no call was made, nothing was written for it.
        self.b.ins().jump(done, &[v.into()]);
        self.regs = regs;
        self.b.switch_to_block(done);
        Ok(self.b.block_params(done)[0])
    }

    /// Makes a call by a native call of the callee's own machine code; on in `bad` where that has none.
    pub(super) fn call_unit(&mut self, call: &Call, block: Option<Value>, bad: Block) -> Value {
        let (i, code, method, this_frame) = (call.i, call.code, call.method, self.frame);
        let (new, function) = self.room_for(code, bad);
        let Given { mut args, rest } = call.given.clone();
        self.flush(i, rest.is_some());
        self.save(i);
        if let Some((first, count)) = rest {
            let (ec, values) = (self.ec, self.address(first));
            let count = self.int(count as i64);
            let list = self.call(helpers::new_array as *const () as usize, &[ec, values, count]);
            self.unless_left(list);
            self.forget_args(i);
            args.push(list);
        }
        let this = match call.is_new {
            true => {
                let ec = self.ec;
                let made = self.call(helpers::new_object as *const () as usize, &[ec, call.recv]);
                self.unless_left(made);
                made
            }
            false => call.recv,
        };
        let has_block = block.is_some();
        let block = block.map(|code| {
            self.store(this_frame, frame::BLOCK_CODE, code);
            self.b.ins().bor_imm_s(this_frame, 1)
        });
        let cref = self.cref_of(method);
        let how = if call.is_new { frame::CALLED | frame::SELF_VALUE } else { frame::CALLED };
        let state = how as i64 | self.an.instrs[i].defs[0] as i64;
        self.push(new, Callee { code, this, method, block, cref, scope: None, state }, &args);
        let v = self.call_native(function, new);
        self.returned(v, i, has_block);
        v
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
    fn room_for(&mut self, code: Value, bad: Block) -> (Value, Value) {
        let function = self.load(code, iseq::NATIVE);
        self.expect_or(function, bad);
        self.quiet_or(bad);
        let ec = self.ec;
        let own = i64::from(frame::REGS) + 8 * self.regs.len() as i64;
        let this = self.frame;
        let new = self.b.ins().iadd_imm_s(this, own);
        let bytes = self.load32(code, iseq::FRAME_BYTES);
        let end = self.b.ins().iadd(new, bytes);
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

    pub(super) fn call_leaf(&mut self, i: usize, base: usize, recv: Value, method: Value, def: Value) -> Value {
        self.flush(i, true);
        self.save(i);
        let args = self.address(base + 1);
        let (_, _, site) = self.call_operands(i);
        let argc = i64::from(self.an.code.call_sites[site].argc);
        let argc = self.int(argc);
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

    fn read_attribute(&mut self, i: usize, site: usize, recv: Value, name: Value) -> Value {
        let on = self.fresh();
        let result = self.b.append_block_param(on, types::I64);
        let miss = self.cold();
        let code = self.iseq;
        let attrs = self.load_fixed(code, iseq::ATTRS);
        let cached = self.load(attrs, 8 * site as i32);
        let v = self.read_slot(recv, cached, miss);
        self.b.ins().jump(on, &[v.into()]);
        self.aside(miss, |e| {
            let (ec, frame) = (e.ec, e.frame);
            let site = e.int(site as i64);
            e.save(i);
            let v = e.call(helpers::read_attr as *const () as usize, &[ec, frame, site, recv, name]);
            e.unless_left(v);
            e.b.ins().jump(on, &[v.into()]);
        });
        self.b.switch_to_block(on);
        result
    }

    /// Calls a Proc of Ruby code that takes all values as they are given.
    fn call_proc(&mut self, i: usize, base: usize, recv: Value, bad: Block) -> Value {
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
            return self.step(i);
        }
        if self.yield_part(i, base + 1, known - 1)? {
            return Ok(());
        }
        let bad = self.cold();
        let this = self.frame;
        let block = self.load(this, frame::BLOCK);
        let on_stack = self.b.ins().band_imm_s(block, 1);
        self.expect_or(on_stack, bad);
        let creator = self.b.ins().iadd_imm_s(block, -1);
        let code = self.load(creator, frame::BLOCK_CODE);
        // All of its parameters are given.
        let taken = self.b.ins().uload8(types::I64, trusted(), code, iseq::TAKEN + known as i32);
        let wanted = self.load32(code, iseq::SIMPLE);
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
        self.or_step(i, bad, dst, v)
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
        self.leave_aside(far, i, false);
        self.return_instruction(i);
    }

    pub(super) fn return_instruction(&mut self, i: usize) {
        let r = self.an.instrs[i].uses[0];
        if let Some(to) = self.returns_to {
            let v = self.get(r);
            return self.return_from_part(v, to);
        }
        let this = self.frame;
        let state = self.load(this, frame::STATE);
        let how = self.b.ins().band_imm_s(state, frame::HOW as i64);
        let plain = self.b.ins().icmp_imm_s(IntCC::Equal, how, 0);
        let other = self.expect(plain);
        self.aside(other, |e| {
            let is_self = e.b.ins().icmp_imm_s(IntCC::Equal, how, frame::SELF_VALUE as i64);
            let (made, not) = (e.fresh(), e.cold());
            e.b.ins().brif(is_self, made, &[], not, &[]);
            e.b.switch_to_block(made);
            let v = e.load(this, frame::SELF);
            e.b.ins().return_(&[v]);
            e.b.switch_to_block(not);
            let captured = e.b.ins().icmp_imm_s(IntCC::Equal, how, frame::CAPTURED as i64);
            let (ended, not) = (e.fresh(), e.cold());
            e.b.ins().brif(captured, ended, &[], not, &[]);
            e.b.switch_to_block(ended);
            let v = e.get(r);
            e.call_pure(helpers::frame_ended as *const () as usize, &[this]);
            e.b.ins().return_(&[v]);
            e.b.switch_to_block(not);
            // Whoever has called it knows what becomes of the value then (see `jit::run`).
            let past = e.b.ins().iadd_imm_s(how, frame::FIRST_JUMP);
            let jumps = e.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, past, frame::JUMPS);
            let not = e.expect(jumps);
            let v = e.get(r);
            e.b.ins().return_(&[v]);
            e.b.switch_to_block(not);
            e.leave(i, false);
        });
        let v = self.get(r);
        self.b.ins().return_(&[v]);
        self.done = true;
    }
}
