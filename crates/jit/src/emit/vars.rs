//! Variables: of the instance, of scopes around; constants.

use asterism_object::types::Type;
use asterism_vm::jit::layout::{self, cell, frame, iseq};
use asterism_vm::jit::{LEFT, helpers};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::symbols::Asking;
use super::{Emitter, Failed, trusted};
use crate::types::{This, Ty};

/// In the first word of a write's cache: the shape lacks the variable as yet.
const ADDS: i64 = asterism_vm::iseq::ADDS as i64;

impl Emitter<'_, '_> {
    /// `self`. Frames of parts lie where those of others lay before, so what is in them is not what never changes.
    pub(super) fn own_self(&mut self) -> Value {
        if let Some(known) = self.this {
            return known;
        }
        let this = self.frame;
        let v = self.load_fixed(this, frame::SELF);
        match self.an.this {
            This::Any => {}
            known => _ = self.cells.insert(v, known),
        }
        v
    }

    /// Goes on if `self`, which is `this`, is what the code takes it for, else in `bad`. From then on it is known to be.
    pub(super) fn is_own(&mut self, this: Value, wanted: This, bad: Block) {
        match wanted {
            This::Any => return,
            This::Cell if self.cells.contains_key(&this) => return,
            This::Cell => self.is_heap(this, bad),
            This::Object => self.is_cell_of(this, Type::Object, bad),
            This::Array => self.is_cell_of(this, Type::Array, bad),
        }
        self.cells.insert(this, wanted);
    }

    /// What is known of `v` is what was `known` in front of a call: what was found out for that, not all ways have found.
    pub(super) fn know_again(&mut self, v: Value, known: Option<This>) {
        match known {
            Some(known) => _ = self.cells.insert(v, known),
            None => _ = self.cells.remove(&v),
        }
    }

    /// The value in the slot that `cached` tells, of an object with its shape; of another one of the shapes that a site has met, if it has
    /// met several (`shapes`: the `Iseq`, where the address of the words lies in it, and the site); else on in `miss`.
    pub(super) fn read_slot(
        &mut self,
        this: Value,
        cached: Value,
        shapes: Option<(Value, i32, usize)>,
        miss: Block,
    ) -> Value {
        self.is_cell_of(this, Type::Object, miss);
        let shape = self.load32(this, 4);
        let shape = self.b.ins().ishl_imm_s(shape, 32);
        let (slot, inline) = self.slot_of_shape(shape, cached);
        let inline = self.perhaps(inline);
        let slot = match shapes {
            None => {
                self.expect_or(inline, miss);
                slot
            }
            Some(place) => {
                let (on, others) = (self.fresh(), self.fresh());
                let found = self.b.append_block_param(on, types::I64);
                self.b.ins().brif(inline, on, &[slot.into()], others, &[]);
                self.b.switch_to_block(others);
                self.b.seal_block(others);
                self.among_shapes(shape, place, on, miss);
                self.b.switch_to_block(on);
                found
            }
        };
        let at = self.address_of_slot(this, slot);
        self.load(at, cell::PAYLOAD)
    }

    /// Of a word that says of a shape where a variable lies: the slot, and whether it is one of an object of `shape`, which lies in the
    /// upper half. What is left of an equal shape is the slot; of another one it is too large for one.
    fn slot_of_shape(&mut self, shape: Value, word: Value) -> (Value, Value) {
        let slot = self.b.ins().bxor(shape, word);
        let inline = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, slot, i64::from(layout::INLINE_SLOTS));
        (slot, inline)
    }

    /// The slot of an object of `shape`, which lies in the upper half, by the words that a site has besides its cache (see `read_slot`):
    /// on in `on` with it; in `miss` if it is none of them.
    fn among_shapes(&mut self, shape: Value, (code, at, site): (Value, i32, usize), on: Block, miss: Block) {
        let words = self.load(code, at);
        self.expect_or(words, miss);
        for n in 0..layout::SHAPES {
            let word = self.load(words, 8 * (site * layout::SHAPES + n) as i32);
            let (slot, inline) = self.slot_of_shape(shape, word);
            let next = if n + 1 == layout::SHAPES { miss } else { self.fresh() };
            self.b.ins().brif(inline, on, &[slot.into()], next, &[]);
            if next != miss {
                self.b.switch_to_block(next);
                self.b.seal_block(next);
            }
        }
    }

    /// What lies in front of slot `slot` of an object by as much as its header takes.
    fn address_of_slot(&mut self, this: Value, slot: Value) -> Value {
        let bytes = self.b.ins().ishl_imm_s(slot, 3);
        self.b.ins().iadd(this, bytes)
    }

    /// Writes the slot in the low half of `cached`, if that is one of the object's own and is there already; else on in `miss`.
    pub(super) fn write_own_slot(&mut self, this: Value, cached: Value, v: Value, miss: Block) {
        let slot = self.b.ins().band_imm_s(cached, 0xffff_ffff);
        let own = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, slot, i64::from(layout::INLINE_SLOTS));
        self.expect_or(own, miss);
        let at = self.address_of_slot(this, slot);
        self.store(at, cell::PAYLOAD, v);
    }

    /// Where the slot in the low half of `cached` lies, if it lies in the object; else on in `miss`.
    pub(super) fn slot_address(&mut self, this: Value, cached: Value, miss: Block) -> Value {
        let slot = self.b.ins().band_imm_s(cached, i64::from(layout::SLOT_BITS));
        let inline = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, slot, i64::from(layout::INLINE_SLOTS));
        self.expect_or(inline, miss);
        let bytes = self.b.ins().ishl_imm_s(slot, 3);
        let at = self.b.ins().iadd(this, bytes);
        self.b.ins().iadd_imm_s(at, 16)
    }

    /// Writes to an object with one of the other shapes that a site has met, if this thread may at once.
    fn write_other_slot(&mut self, place: (Value, i32, usize), this: Value, v: Value, miss: Block) {
        let (_, compared, owner) = self.header_and_owner(this, miss);
        let without = self.b.ins().iadd_imm_s(owner, Type::Object as i64);
        let shape = self.b.ins().isub(compared, without);
        // All else that is compared has to be as it is to be.
        let rest = self.b.ins().ireduce(types::I32, shape);
        let same = self.b.ins().icmp_imm_s(IntCC::Equal, rest, 0);
        self.expect_or(same, miss);
        let on = self.fresh();
        let found = self.b.append_block_param(on, types::I64);
        self.among_shapes(shape, place, on, miss);
        self.b.switch_to_block(on);
        let at = self.address_of_slot(this, found);
        self.store(at, cell::PAYLOAD, v);
    }

    /// The attribute that a call by site `site` of that code reads, in instruction `i`: the one that the entry of its cache says.
    pub(super) fn read_attribute(
        &mut self,
        i: usize,
        of: Asking<'_, '_>,
        site: usize,
        recv: Value,
        entry: Value,
    ) -> Value {
        let attrs = self.load_fixed(of.iseq, iseq::ATTRS);
        let cached = self.load(attrs, 8 * site as i32);
        let several = of.an.of.shapes[1].get(site) == Some(&true);
        let shapes = several.then_some(iseq::ATTR_SHAPES);
        let helper = helpers::read_attr as *const () as usize;
        let more = |e: &mut Self| vec![recv, e.load(entry, cell::ENTRY_TARGET)];
        self.read_by_site(i, (of, site), (recv, cached), shapes, helper, more)
    }

    /// The variable of `this` that a site has `cached`; of another one of the shapes that it has met, if it has met several; else what
    /// a helper gives that is told the frame, the site and `more`.
    fn read_by_site(
        &mut self,
        i: usize,
        (of, site): (Asking<'_, '_>, usize),
        (this, cached): (Value, Value),
        shapes: Option<i32>,
        helper: usize,
        more: impl FnOnce(&mut Self) -> Vec<Value>,
    ) -> Value {
        let miss = self.cold();
        let v = self.read_slot(this, cached, shapes.map(|at| (of.iseq, at, site)), miss);
        self.or_aside(v, miss, |e, on| {
            let more = more(e);
            let (ec, site) = (e.ec, e.int(site as i64));
            e.save(i);
            let v = e.call(helper, &[&[ec, of.frame, site], &more[..]].concat());
            e.unless_left(v);
            e.b.ins().jump(on, &[v.into()]);
        })
    }

    pub(super) fn get_ivar(&mut self, i: usize) {
        let word = self.an.code.words[self.an.instrs[i].at];
        let (dst, site) = (usize::from((word >> 16) as u16), usize::from((word >> 32) as u16));
        let (this, of) = (self.own_self(), self.asking());
        let caches = self.load_fixed(of.iseq, iseq::IVARS);
        let cached = self.load(caches, 16 * site as i32);
        let shapes = (self.an.of.shapes[0].get(site) == Some(&true)).then_some(iseq::IVAR_SHAPES);
        let helper = helpers::get_ivar as *const () as usize;
        let v = self.read_by_site(i, (of, site), (this, cached), shapes, helper, |_| Vec::new());
        self.set(dst, v, Ty::Any);
    }

    pub(super) fn set_ivar(&mut self, i: usize) {
        let word = self.an.code.words[self.an.instrs[i].at];
        let (r, site) = (usize::from((word >> 16) as u16), usize::from((word >> 32) as u16));
        let this = self.own_self();
        let v = self.get(r);
        let code = self.iseq;
        let (on, miss) = (self.fresh(), self.cold());
        let caches = self.load_fixed(code, iseq::IVARS);
        let cached = self.load(caches, 16 * site as i32);
        let head = self.writable(this, cached, miss);
        let adding = self.fresh();
        self.write_own_slot(this, cached, v, adding);
        self.jump(on);
        // The variable is new, else its slot is none of the object's own.
        self.b.switch_to_block(adding);
        let adds = self.b.ins().band_imm_s(cached, ADDS);
        self.expect_or(adds, miss);
        let add = self.load(caches, 16 * site as i32 + 8);
        self.add_variable(this, head, (cached, add), v, miss);
        self.jump(on);
        let several = self.an.of.shapes[0].get(site) == Some(&true);
        let miss = if several { self.write_other((iseq::IVAR_SHAPES, site), (this, v), (miss, on)) } else { miss };
        self.write_slowly(i, (miss, on), helpers::set_ivar as *const () as usize, site, |_| vec![v]);
    }

    /// Stores `v` in a slot that the object with the header `head` has not yet, by the two words of a cache; else on in `miss`.
    fn add_variable(&mut self, this: Value, head: Value, (cached, add): (Value, Value), v: Value, miss: Block) {
        let differ = self.b.ins().bxor(add, cached);
        let differ = self.b.ins().ushr_imm_s(differ, 32);
        let fits = self.b.ins().icmp_imm_s(IntCC::Equal, differ, 0);
        self.expect_or(fits, miss);
        // The slot first, then the shape that shows it.
        let address = self.slot_address(this, cached, miss);
        self.store(address, 0, v);
        let low = self.b.ins().band_imm_s(head, 0xffff_ffff);
        let shape = self.b.ins().ishl_imm_s(add, 32);
        let new_head = self.b.ins().bor(low, shape);
        // On x86-64 each store is a release; what Cranelift has for an atomic one is a full barrier besides, which costs more than all the rest.
        self.store(this, 0, new_head);
    }

    /// From `miss`, adds the variable of an attribute as the call site has done before; on in `on`. Gives the block where it goes on
    /// if that did not.
    fn write_adding(&mut self, site: usize, (this, v): (Value, Value), (miss, on): (Block, Block)) -> Block {
        let none = self.cold();
        self.aside(miss, |e| {
            let code = e.iseq;
            // Another VM that has the same code may have none.
            let words = e.load(code, iseq::ADDITIONS);
            e.expect_or(words, none);
            let cached = e.load(words, 16 * site as i32);
            let head = e.writable(this, cached, none);
            let add = e.load(words, 16 * site as i32 + 8);
            e.add_variable(this, head, (cached, add), v, none);
            e.jump(on);
        });
        none
    }

    /// An object's header, what of it is compared where it is written to, and this thread's bits in it; on in `miss` if it is no object.
    fn header_and_owner(&mut self, this: Value, miss: Block) -> (Value, Value, Value) {
        let ec = self.ec;
        self.is_heap(this, miss);
        let head = self.load(this, 0);
        let compared = self.b.ins().band_imm_s(head, layout::WRITABLE_MASK as i64);
        let mutator = self.load_fixed(ec, layout::ec::MUTATOR);
        let owner = self.load(mutator, layout::ec::OWNER_BITS);
        (head, compared, owner)
    }

    /// The header of an object that has the shape in `cached` and that this thread may write to at once; else on in `miss`.
    pub(super) fn writable(&mut self, this: Value, cached: Value, miss: Block) -> Value {
        // Shape, owner, generation, frozen bit and type in one comparison.
        let (head, compared, owner) = self.header_and_owner(this, miss);
        let shape = self.b.ins().band_imm_s(cached, layout::SHAPE_MASK as i64);
        let wanted = self.b.ins().iadd(shape, owner);
        let wanted = self.b.ins().iadd_imm_s(wanted, Type::Object as i64);
        let same = self.b.ins().icmp(IntCC::Equal, compared, wanted);
        let same = self.perhaps(same);
        self.expect_or(same, miss);
        head
    }

    /// From `miss`, `write_other_slot`; on in `on`. Gives the block where it goes on if that did not.
    fn write_other(
        &mut self,
        (at, site): (i32, usize),
        (this, v): (Value, Value),
        (miss, on): (Block, Block),
    ) -> Block {
        let none = self.cold();
        self.aside(miss, |e| {
            let code = e.iseq;
            e.write_other_slot((code, at, site), this, v, none);
            e.jump(on);
        });
        none
    }

    /// From `miss`, a helper writes, with the frame, the site and `more`; on in `on` unless it raised.
    fn write_slowly(
        &mut self,
        i: usize,
        (miss, on): (Block, Block),
        helper: usize,
        site: usize,
        more: impl FnOnce(&mut Self) -> Vec<Value>,
    ) {
        self.aside(miss, |e| {
            let more = more(e);
            e.flush(i, true);
            e.save(i);
            let site = e.int(site as i64);
            let left = e.call(helper, &[&[e.ec, e.frame, site], &more[..]].concat());
            let out = e.left;
            e.b.ins().brif(left, out, &[], on, &[]);
        });
        self.b.switch_to_block(on);
    }

    /// `recv.name = v`, whose receiver has an attribute writer, the one that the entry of the site's cache says. Gives `v`.
    pub(super) fn write_attribute(&mut self, i: usize, site: usize, recv: Value, entry: Value, v: Value) -> Value {
        let code = self.iseq;
        let (on, miss) = (self.fresh(), self.cold());
        let attrs = self.load_fixed(code, iseq::ATTRS);
        let cached = self.load(attrs, 8 * site as i32);
        self.writable(recv, cached, miss);
        self.write_own_slot(recv, cached, v, miss);
        self.jump(on);
        let several = self.an.of.shapes[1].get(site) == Some(&true);
        let miss = if several { self.write_other((iseq::ATTR_SHAPES, site), (recv, v), (miss, on)) } else { miss };
        let adds = self.an.of.adds.get(site) == Some(&true);
        let miss = if adds { self.write_adding(site, (recv, v), (miss, on)) } else { miss };
        let more = |e: &mut Self| vec![recv, e.load(entry, cell::ENTRY_TARGET), v];
        self.write_slowly(i, (miss, on), helpers::write_attr as *const () as usize, site, more);
        v
    }

    /// Where the slots of the scope `depth` levels out lie.
    fn scope_slots(&mut self, depth: usize) -> Value {
        if let Some(&(_, slots)) = self.slots.iter().find(|(of, _)| *of == depth) {
            return slots;
        }
        let on = self.fresh();
        let slots = self.b.append_block_param(on, types::I64);
        let far = self.cold();
        let known = depth.checked_sub(1).and_then(|n| self.scopes.get(n).copied());
        let mut frame = known.unwrap_or(self.frame);
        for level in known.map_or(0, |_| depth)..=depth {
            let state = self.load(frame, frame::STATE);
            let captured = self.b.ins().band_imm_s(state, frame::CAPTURED as i64);
            let here = self.b.ins().icmp_imm_s(IntCC::Equal, captured, 0);
            self.expect_or(here, far);
            if level < depth {
                let scope = self.load(frame, frame::SCOPE);
                let on_stack = self.b.ins().band_imm_s(scope, 1);
                self.expect_or(on_stack, far);
                frame = self.b.ins().iadd_imm_s(scope, -1);
            }
        }
        let regs = self.b.ins().iadd_imm_s(frame, i64::from(frame::REGS));
        self.b.ins().jump(on, &[regs.into()]);
        self.aside(far, |e| {
            let this = e.frame;
            let depth = e.int(depth as i64);
            let slots = e.call_pure(helpers::scope_slots as *const () as usize, &[this, depth]);
            e.b.ins().jump(on, &[slots.into()]);
        });
        self.b.switch_to_block(on);
        self.slots.push((depth, slots));
        slots
    }

    /// The operands of `GetUp` and `SetUp`: register, slot, depth.
    fn up(&self, i: usize) -> (usize, i32, usize) {
        let word = self.an.code.words[self.an.instrs[i].at];
        (usize::from((word >> 16) as u16), 8 * i32::from((word >> 32) as u16), (word >> 48) as usize)
    }

    pub(super) fn get_up(&mut self, i: usize) {
        let (dst, offset, depth) = self.up(i);
        let slots = self.scope_slots(depth);
        let v = self.load(slots, offset);
        self.set(dst, v, Ty::Any);
    }

    pub(super) fn set_up(&mut self, i: usize) {
        let (r, offset, depth) = self.up(i);
        let v = self.get(r);
        let slots = self.scope_slots(depth);
        self.store(slots, offset, v);
    }

    pub(super) fn get_const(&mut self, i: usize) -> Result<(), Failed> {
        let word = self.an.code.words[self.an.instrs[i].at];
        let (dst, site) = (usize::from((word >> 16) as u16), (word >> 32) as i64);
        let (ec, frame, code) = (self.ec, self.frame, self.iseq);
        let (on, other, bad) = (self.fresh(), self.cold(), self.cold());
        let result = self.b.append_block_param(on, types::I64);
        let caches = self.load_fixed(code, iseq::CONSTS);
        let address = self.b.ins().iadd_imm_s(caches, 8 * site);
        let cache = self.load_shared(types::I64, address);
        self.expect_or(cache, other);
        let serial = self.load_fixed(ec, layout::ec::CONST_SERIAL);
        let serial = self.load_shared(types::I64, serial);
        let (seen, seen_from) = (self.load(cache, cell::CONST_SERIAL), self.load(cache, cell::CONST_CREF));
        let cref = self.own_cref();
        let same = self.b.ins().icmp(IntCC::Equal, seen, serial);
        let here = self.b.ins().icmp(IntCC::Equal, seen_from, cref);
        let both = self.b.ins().band(same, here);
        self.expect_or(both, other);
        let v = self.load(cache, cell::CONST_VALUE);
        self.b.ins().jump(on, &[v.into()]);
        // From another nesting, or looked up anew.
        self.aside(other, |e| {
            let site = e.int(site);
            e.make_frame();
            let v = e.call_pure(helpers::constant as *const () as usize, &[ec, frame, site]);
            let known = e.b.ins().icmp_imm_s(IntCC::NotEqual, v, LEFT as i64);
            e.b.ins().brif(known, on, &[v.into()], bad, &[]);
        });
        self.b.switch_to_block(on);
        self.or_step(i, bad, dst, result)
    }

    pub(super) fn load_literal(&mut self, i: usize) {
        let word = self.an.code.words[self.an.instrs[i].at];
        let (dst, n) = (usize::from((word >> 16) as u16), (word >> 32) as usize);
        if let asterism_compiler::code::Literal::Float(f) = self.an.literal(i) {
            let number = self.b.ins().f64const(*f);
            self.set_number(dst, number);
            return;
        }
        let code = self.iseq;
        let literals = self.load_fixed(code, iseq::LITERALS);
        let v = self.b.ins().load(types::I64, trusted(), literals, 8 * n as i32);
        self.set(dst, v, Ty::Any);
    }
}
