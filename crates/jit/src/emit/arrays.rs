//! Elements of Arrays: read, written, appended; their number.

use asterism_compiler::opcode::Op;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_vm::jit::heat::kind;
use asterism_vm::jit::layout::{self, cell};
use asterism_vm::jit::{UNKNOWN, helpers, operators};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::{Emitter, Failed, How, bits};
use crate::types::Ty;

impl Emitter<'_, '_> {
    /// Goes on if `v`, the value of register `r`, is an Array and of no class of its own, else in `bad`.
    fn is_array(&mut self, r: usize, v: Value, bad: Block) {
        if !self.an.tracked[r] || self.regs[r].ty != Ty::Array {
            self.is_heap(v, bad);
        }
        self.has_class(v, WellKnown::Array, bad);
    }

    /// Goes on if `v`, the value of register `r`, is an Array of whatever class, else in `bad`.
    pub(super) fn is_array_cell(&mut self, r: usize, v: Value, bad: Block) {
        if !self.an.tracked[r] || self.regs[r].ty != Ty::Array {
            self.is_cell_of(v, Type::Array, bad);
        }
    }

    /// Start and length of an Array, and where its bounds lie.
    pub(super) fn bounds(&mut self, array: Value) -> (Value, Value, Value) {
        let body = self.load(array, cell::PAYLOAD);
        let bounds = self.load(body, 0);
        let start = self.b.ins().band_imm_s(bounds, 0xffff_ffff);
        let len = self.b.ins().ushr_imm_s(bounds, 32);
        (body, start, len)
    }

    pub(super) fn element(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let dst = instr.defs[0];
        let seen = self.seen(i);
        let recv = self.get(instr.uses[0]);
        let key = match instr.uses.get(1) {
            Some(&r) => self.get(r),
            None => {
                let imm = i64::from((self.an.code.words[instr.at] >> 48) as u16 as i16);
                self.int(imm << 1 | 1)
            }
        };
        let bad = self.cold();
        if self.an.is_of_array(i, &self.types()) {
            self.array_and_index(i, recv, key, bad);
            self.leave_aside(bad, i, How::Unexpected);
            let (on, result) = self.element_of_array(recv, key);
            self.b.switch_to_block(on);
            self.set(dst, result, Ty::Any);
            return Ok(());
        }
        if seen & kind::ARRAY == 0 && seen & 15 != 0 {
            let v = match self.an.is_ruby_operator(i) {
                true => self.call_operator(i, recv, vec![key], bad)?,
                false => self.element_of_any(i, dst, recv, key, bad),
            };
            return self.or_step(i, bad, dst, v);
        }
        let other = self.cold();
        if instr.uses.len() > 1 && self.regs[instr.uses[1]].ty != Ty::Fixnum {
            let tag = self.b.ins().band_imm_s(key, 1);
            self.expect_or(tag, other);
        }
        self.is_a(recv, WellKnown::Array, other);
        let (on, result) = self.element_of_array(recv, key);
        self.aside(other, |e| {
            e.regs.clone_from(&e.before);
            let v = e.element_of_any(i, dst, recv, key, bad);
            e.b.ins().jump(on, &[v.into()]);
        });
        self.b.switch_to_block(on);
        self.or_step(i, bad, dst, result)
    }

    /// Goes on if instruction `i` has an Array and an index, which is then known, else in `bad`.
    fn array_and_index(&mut self, i: usize, recv: Value, key: Value, bad: Block) {
        let uses = &self.an.instrs[i].uses;
        if let Some(&r) = uses.get(1)
            && self.regs[r].ty != Ty::Fixnum
        {
            let tag = self.b.ins().band_imm_s(key, 1);
            self.expect_or(tag, bad);
            self.know(r, Ty::Fixnum);
        }
        self.is_array(uses[0], recv, bad);
        self.know(uses[0], Ty::Array);
    }

    /// The element of an Array at an index: the block where it goes on with it.
    fn element_of_array(&mut self, recv: Value, key: Value) -> (Block, Value) {
        let (body, start, len) = self.bounds(recv);
        let index = self.b.ins().sshr_imm_s(key, 1);
        let on = self.fresh();
        let result = self.b.append_block_param(on, types::I64);
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, len);
        let outside = self.expect(inside);
        let v = self.load_element(body, start, index);
        self.b.ins().jump(on, &[v.into()]);
        self.aside(outside, |e| {
            let back = e.b.ins().iadd(index, len);
            let inside = e.b.ins().icmp(IntCC::UnsignedLessThan, back, len);
            let negative = e.b.ins().icmp_imm_s(IntCC::SignedLessThan, index, 0);
            let both = e.b.ins().band(inside, negative);
            let (nil, found) = (e.int(bits::NIL), e.fresh());
            e.b.ins().brif(both, found, &[], on, &[nil.into()]);
            e.b.switch_to_block(found);
            let v = e.load_element(body, start, back);
            e.b.ins().jump(on, &[v.into()]);
        });
        (on, result)
    }

    pub(super) fn load_element(&mut self, body: Value, start: Value, index: Value) -> Value {
        let at = self.b.ins().iadd(start, index);
        let bytes = self.b.ins().ishl_imm_s(at, 3);
        let address = self.b.ins().iadd(body, bytes);
        self.load(address, 8)
    }

    pub(super) fn set_element(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let seen = self.seen(i);
        let (recv, key, v) = (self.get(instr.uses[0]), self.get(instr.uses[1]), self.get(instr.uses[2]));
        let bad = self.cold();
        if seen & kind::ARRAY == 0 && self.leaves_inlined(i) {
            return Ok(());
        }
        if seen & kind::ARRAY == 0 {
            self.flush(i, false);
            self.save(i);
            let (ec, frame, site) = (self.ec, self.frame, self.site(i));
            let site = self.int(site);
            let left = self.call(operators::aset as *const () as usize, &[ec, frame, site, recv, key, v]);
            let known = self.b.ins().icmp_imm_s(IntCC::NotEqual, left, UNKNOWN as i64);
            self.expect_or(known, bad);
            return self.done_or_left(i, left, bad);
        }
        let exact = self.an.is_of_array(i, &self.types());
        if exact {
            let not = self.cold();
            self.array_and_index(i, recv, key, not);
            self.leave_aside(not, i, How::Unexpected);
        } else {
            if self.regs[instr.uses[1]].ty != Ty::Fixnum {
                let tag = self.b.ins().band_imm_s(key, 1);
                self.expect_or(tag, bad);
            }
            self.is_a(recv, WellKnown::Array, bad);
        }
        let index = self.b.ins().sshr_imm_s(key, 1);
        let (on, slow) = (self.fresh(), self.cold());
        self.may_store(recv, instr.uses[2], v, slow);
        let (body, start, len) = self.bounds(recv);
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, len);
        self.expect_or(inside, slow);
        let at = self.b.ins().iadd(start, index);
        let bytes = self.b.ins().ishl_imm_s(at, 3);
        let address = self.b.ins().iadd(body, bytes);
        self.store(address, 8, v);
        self.jump(on);
        // Another thread's, an old one, or a longer one from then on.
        self.aside(slow, |e| {
            let positive = e.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, index, 0);
            e.expect_or(positive, bad);
            e.flush(i, false);
            e.save(i);
            let (ec, gone) = (e.ec, e.left);
            let left = e.call(helpers::array_set as *const () as usize, &[ec, recv, index, v]);
            e.b.ins().brif(left, gone, &[], on, &[]);
        });
        self.or_step_to(i, bad, on)
    }

    /// Is the Array with this header one that this thread may change with plain stores?
    fn own_array(&mut self, head: Value) -> Value {
        let ec = self.ec;
        let compared = self.b.ins().band_imm_s(head, layout::ARRAY_OWN_MASK as i64);
        let mutator = self.load_fixed(ec, layout::ec::MUTATOR);
        let owner = self.load(mutator, layout::ec::OWNER_BITS);
        self.b.ins().icmp(IntCC::Equal, compared, owner)
    }

    /// Goes on if this thread may change the Array with plain stores, else in `other`.
    pub(super) fn is_ours(&mut self, array: Value, other: Block) {
        let head = self.load(array, 0);
        let own = self.own_array(head);
        self.expect_or(own, other);
    }

    /// Goes on if this thread may store `v`, the value of register `r`, in an element of the Array with a plain store, else in `slow`.
    fn may_store(&mut self, array: Value, r: usize, v: Value, slow: Block) {
        let head = self.load(array, 0);
        let own = self.own_array(head);
        // All words that are known here are of no cell.
        if self.an.tracked[r] && self.regs[r].ty == Ty::Fixnum || self.constant_of(v).is_some() {
            return self.expect_or(own, slow);
        }
        // What a collection has to find only in one that is known to hold some: a cell (false is none, though the bits are a
        // cell's) or a Symbol that may be collected.
        let low = self.b.ins().band_imm_s(v, 7);
        let odd = self.b.ins().icmp_imm_s(IntCC::NotEqual, low, 0);
        let kind = self.b.ins().band_imm_s(v, bits::DYNAMIC_SYMBOL_MASK);
        let lasting = self.b.ins().icmp_imm_s(IntCC::NotEqual, kind, bits::DYNAMIC_SYMBOL);
        let odd = self.b.ins().band(odd, lasting);
        let is_false = self.b.ins().icmp_imm_s(IntCC::Equal, v, bits::FALSE);
        let plain = self.b.ins().bor(odd, is_false);
        let holds = self.b.ins().band_imm_s(head, layout::ARRAY_HOLDS as i64);
        let holds = self.b.ins().icmp_imm_s(IntCC::NotEqual, holds, 0);
        let fits = self.b.ins().bor(plain, holds);
        let both = self.b.ins().band(own, fits);
        self.expect_or(both, slow);
    }

    pub(super) fn push_element(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let dst = instr.defs[0];
        let (recv, v) = (self.get(instr.uses[0]), self.get(instr.uses[1]));
        let exact = self.an.is_of_array(i, &self.types());
        let bad = self.cold();
        self.is_array(instr.uses[0], recv, bad);
        if exact {
            self.leave_aside(bad, i, How::Unexpected);
            self.know(instr.uses[0], Ty::Array);
        }
        self.push_to(i, recv, instr.uses[1], v);
        if exact {
            self.set(dst, recv, Ty::Any);
            return Ok(());
        }
        self.or_step(i, bad, dst, recv)
    }

    /// Appends `v`, the value of register `r`, to an Array: in place where that has room and is this thread's.
    pub(super) fn push_to(&mut self, i: usize, array: Value, r: usize, v: Value) {
        let (on, slow) = (self.fresh(), self.cold());
        self.may_store(array, r, v, slow);
        let head = self.load(array, 0);
        let body = self.load(array, cell::PAYLOAD);
        let bounds = self.load(body, 0);
        let start = self.b.ins().band_imm_s(bounds, 0xffff_ffff);
        let len = self.b.ins().ushr_imm_s(bounds, 32);
        let end = self.b.ins().iadd(start, len);
        let inside = self.b.ins().iadd_imm_s(array, i64::from(layout::ARRAY_INLINE));
        let is_inside = self.b.ins().icmp(IntCC::Equal, body, inside);
        let (shift, mask) = layout::ARRAY_PAIRS;
        let pairs = self.b.ins().ushr_imm_s(head, i64::from(shift));
        let pairs = self.b.ins().band_imm_s(pairs, mask as i64);
        let few = self.b.ins().ishl_imm_s(pairs, 1);
        let few = self.b.ins().iadd_imm_s(few, 2);
        let many = self.load(body, -8);
        let many = self.b.ins().ushr_imm_s(many, 1);
        let room = self.b.ins().select(is_inside, few, many);
        let fits = self.b.ins().icmp(IntCC::UnsignedLessThan, end, room);
        self.expect_or(fits, slow);
        let bytes = self.b.ins().ishl_imm_s(end, 3);
        let address = self.b.ins().iadd(body, bytes);
        // The element first, then the bounds that show it.
        self.store(address, 8, v);
        let longer = self.b.ins().iadd_imm_s(bounds, 1 << 32);
        self.store(body, 0, longer);
        self.jump(on);
        self.aside(slow, |e| {
            e.flush(i, false);
            e.save(i);
            let (ec, gone) = (e.ec, e.left);
            let left = e.call(helpers::array_push as *const () as usize, &[ec, array, v]);
            e.b.ins().brif(left, gone, &[], on, &[]);
        });
        self.b.switch_to_block(on);
    }

    pub(super) fn size(&mut self, i: usize) -> Result<(), Failed> {
        let instr = &self.an.instrs[i];
        let (op, dst, recv) = (instr.op, instr.defs[0], self.get(instr.uses[0]));
        let bad = self.cold();
        if self.seen(i) & kind::ARRAY == 0 {
            if self.an.is_ruby_operator(i) {
                let v = self.call_operator(i, recv, Vec::new(), bad)?;
                return self.or_step(i, bad, dst, v);
            }
            let helper = if op == Op::EmptyP { operators::is_empty as *const () } else { operators::size as *const () };
            let v = self.operator(i, helper as usize, &[recv], dst, bad);
            return self.or_step(i, bad, dst, v);
        }
        let exact = self.an.is_of_array(i, &self.types());
        self.is_array(instr.uses[0], recv, bad);
        let (_, _, len) = self.bounds(recv);
        let v = if op == Op::EmptyP {
            let none = self.b.ins().icmp_imm_s(IntCC::Equal, len, 0);
            self.boolean(none)
        } else {
            let twice = self.b.ins().ishl_imm_s(len, 1);
            self.b.ins().bor_imm_s(twice, 1)
        };
        if exact {
            self.leave_aside(bad, i, How::Unexpected);
            self.know(instr.uses[0], Ty::Array);
            self.set(dst, v, if op == Op::EmptyP { Ty::Any } else { Ty::Fixnum });
            return Ok(());
        }
        self.or_step(i, bad, dst, v)
    }
}
