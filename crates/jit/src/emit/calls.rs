//! Calls: of compiled code by a native call, of leaf natives by a helper, of others by the interpreter; and returns.

use std::sync::Arc;

use asterism_compiler::code::flags;
use asterism_compiler::opcode::Op;
use asterism_object::space::WellKnown;
use asterism_vm::jit::layout::{self, cell, frame, iseq};
use asterism_vm::jit::{LEFT, Met, helpers};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::{Emitter, Failed, bits, trusted};

/// The header of a callee's frame.
struct Callee {
    code: Value,
    this: Value,
    method: Value,
    /// None: nil.
    block: Option<Value>,
    cref: Value,
    /// None: nil.
    scope: Option<Value>,
    state: i64,
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
        let met = self.an.request.calls.get(site).copied().unwrap_or(Met::Other);
        let optional = self.an.request.targets.get(site).and_then(Option::as_ref).filter(|_| met == Met::Optional);
        if !plain || met == Met::Other {
            return self.step(i);
        }
        let recv = if self.an.instrs[i].op == Op::CallSelf {
            let frame = self.frame;
            self.load_fixed(frame, frame::SELF)
        } else {
            self.get(base)
        };
        let bad = self.cold();
        let entry = self.entry_for(site, recv, bad);
        let kind = self.load(entry, cell::ENTRY_KIND);
        let expected = match met {
            Met::Ruby => layout::kind_of_ruby(call.block.is_some()),
            Met::Optional => layout::kind_of_optional(),
            Met::Leaf => layout::kind_of_leaf(),
            Met::Native => layout::kind_of_native(),
            Met::New => layout::kind_of_new(),
            Met::Writer => layout::kind_of_writer(),
            _ => layout::kind_of_reader(),
        };
        let is_kind = self.b.ins().icmp_imm_s(IntCC::Equal, kind, expected as i64);
        self.expect_or(is_kind, bad);
        let target = self.load(entry, cell::ENTRY_TARGET);
        let method = self.load(entry, cell::ENTRY_METHOD);
        let v = match met {
            Met::Ruby => {
                let args = self.arguments(base, site);
                self.call_ruby(i, site, (recv, false), args, method, target, bad)
            }
            Met::Optional => {
                let Some(callee) = optional else { return Err("no target") };
                // What is missing is known of the code that was met only.
                let of = self.load_fixed(target, iseq::CODE);
                let same = self.b.ins().icmp_imm_s(IntCC::Equal, of, Arc::as_ptr(&callee.code) as i64);
                self.expect_or(same, bad);
                let mut args = self.arguments(base, site);
                // Optional parameters that are not given.
                let (params, undef) = (&callee.code.params, self.int(bits::LAST_SPECIAL));
                args.resize(usize::from(params.required + params.optional), undef);
                self.call_ruby(i, site, (recv, false), args, method, target, bad)
            }
            Met::New => self.call_new(i, site, base, recv, method, target, bad),
            Met::Native => {
                self.quiet_or(bad);
                self.flush(i, true);
                self.save(i);
                let (ec, frame) = (self.ec, self.frame);
                let v = self.call(helpers::native as *const () as usize, &[ec, frame, target, method, recv]);
                self.unless_left(v);
                self.forget_args(i);
                v
            }
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

    /// `new` of a plain object, whose class has the serial `target` as long as its `initialize` is `method`.
    #[expect(clippy::too_many_arguments)]
    fn call_new(
        &mut self,
        i: usize,
        site: usize,
        base: usize,
        class: Value,
        method: Value,
        target: Value,
        bad: Block,
    ) -> Value {
        let serial = self.load(class, cell::SERIAL);
        let same = self.b.ins().icmp(IntCC::Equal, serial, target);
        self.expect_or(same, bad);
        let meta = self.load(method, cell::METHOD_META);
        let other = self.b.ins().band_imm_s(meta, 0xff);
        let is_ruby = self.b.ins().icmp_imm_s(IntCC::Equal, other, 0);
        self.expect_or(is_ruby, bad);
        let body = self.load(method, cell::METHOD_BODY);
        let code = self.load(body, cell::PAYLOAD);
        let args = self.arguments(base, site);
        self.call_ruby(i, site, (class, true), args, method, code, bad)
    }

    /// The arguments of the call at `base`.
    fn arguments(&mut self, base: usize, site: usize) -> Vec<Value> {
        let argc = usize::from(self.an.code.call_sites[site].argc);
        (0..argc).map(|n| self.get(base + 1 + n)).collect()
    }

    /// An operator whose site has met Ruby code, which is called with the operands; in `bad` it is something else.
    pub(super) fn call_operator(&mut self, i: usize, recv: Value, args: Vec<Value>, bad: Block) -> Value {
        let site = self.an.site(i);
        let entry = self.entry_for(site, recv, bad);
        let kind = self.load(entry, cell::ENTRY_KIND);
        let is_kind = self.b.ins().icmp_imm_s(IntCC::Equal, kind, layout::kind_of_ruby(false) as i64);
        self.expect_or(is_kind, bad);
        let (target, method) = (self.load(entry, cell::ENTRY_TARGET), self.load(entry, cell::ENTRY_METHOD));
        self.call_ruby(i, site, (recv, false), args, method, target, bad)
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

    #[expect(clippy::too_many_arguments)]
    fn call_ruby(
        &mut self,
        i: usize,
        site: usize,
        (recv, is_new): (Value, bool),
        args: Vec<Value>,
        method: Value,
        code: Value,
        bad: Block,
    ) -> Value {
        let child = self.an.code.call_sites[site].block;
        let (own, this_frame) = (self.iseq, self.frame);
        let block = child.map(|child| {
            let children = self.load_fixed(own, iseq::CHILDREN);
            let made = self.load(children, 8 * i32::from(child));
            self.expect_or(made, bad);
            self.load(made, cell::PAYLOAD)
        });
        let an = self.an;
        let regs = self.regs.clone();
        let done = an.leading_of(i).filter(|_| !is_new).map(|leading| {
            let (call, done) = (self.fresh(), self.fresh());
            self.b.append_block_param(done, types::I64);
            self.begin_in_place(leading, (code, recv), &args, (call, done));
            self.b.switch_to_block(call);
            done
        });
        let (new, function) = self.room_for(code, bad);
        self.flush(i, false);
        self.save(i);
        let recv = match is_new {
            true => {
                let ec = self.ec;
                let made = self.call(helpers::new_object as *const () as usize, &[ec, recv]);
                self.unless_left(made);
                made
            }
            false => recv,
        };
        let block = block.map(|code| {
            self.store(this_frame, frame::BLOCK_CODE, code);
            self.b.ins().bor_imm_s(this_frame, 1)
        });
        let cref = self.load(method, cell::METHOD_CREF);
        let how = if is_new { frame::CALLED | frame::SELF_VALUE } else { frame::CALLED };
        let state = how as i64 | self.an.instrs[i].defs[0] as i64;
        let callee = Callee { code, this: recv, method, block, cref, scope: None, state };
        self.push(new, callee, &args);
        let v = self.call_native(function, new);
        self.returned(v, i, child.is_some());
        let Some(done) = done else { return v };
        // Where no call was made, nothing was written for it.
        self.b.ins().jump(done, &[v.into()]);
        self.regs = regs;
        self.b.switch_to_block(done);
        self.b.block_params(done)[0]
    }

    /// Goes on if there is nothing to do at a safepoint, else in `bad`.
    fn quiet_or(&mut self, bad: Block) {
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
    fn push(&mut self, new: Value, callee: Callee, args: &[Value]) {
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
        for (n, &v) in args.iter().enumerate() {
            self.store(new, frame::REGS + 8 * n as i32, v);
        }
    }

    fn call_leaf(&mut self, i: usize, base: usize, recv: Value, method: Value, def: Value) -> Value {
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

    pub(super) fn yield_instruction(&mut self, i: usize) -> Result<(), Failed> {
        let (base, dst, _) = self.call_operands(i);
        let known = usize::from((self.an.code.words[self.an.instrs[i].at] >> 8) as u8);
        if known == 0 {
            return self.step(i);
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

    pub(super) fn return_instruction(&mut self, i: usize) {
        let r = self.an.instrs[i].uses[0];
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
