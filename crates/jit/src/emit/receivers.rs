//! Inline caches: what a call site remembers of the class of a receiver.

use std::sync::Arc;

use asterism_compiler::Code;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_vm::jit::layout::{self, cell, class_matches, frame, iseq};
use asterism_vm::jit::{Met, Other, helpers};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use super::calls::{Call, Callable, kind_of};
use super::{Emitter, bits, trusted};

/// The first entry of an inline cache beside a receiver.
struct FirstEntry {
    cache: Value,
    /// That of the receiver's class.
    serial: Value,
    entry: Value,
    /// Is the entry for that class?
    same: Value,
}

impl Emitter<'_, '_> {
    /// The first entry in the inline cache of call site `site`, if it has a cache; else on in `bad`.
    fn first_entry(&mut self, site: usize, recv: Value, bad: Block) -> FirstEntry {
        let code = self.iseq;
        let sites = self.load_fixed(code, iseq::SITES);
        let cache = self.load(sites, 8 * site as i32);
        self.expect_or(cache, bad);
        let class = self.class_of(recv);
        let serial = self.load(class, cell::SERIAL);
        let entry = self.b.ins().iadd_imm_s(cache, i64::from(cell::CACHE_FIRST));
        let known = self.load(entry, cell::ENTRY_SERIAL);
        let same = self.b.ins().icmp(IntCC::Equal, serial, known);
        FirstEntry { cache, serial, entry, same }
    }

    /// The entry for the class of `recv` in the inline cache of call site `site`, if it has one; else on in `bad`.
    pub(super) fn entry_for(&mut self, site: usize, recv: Value, bad: Block) -> Value {
        let FirstEntry { cache, serial, entry: first, same } = self.first_entry(site, recv, bad);
        // No helper can be told of a frame that is not made.
        let unmade = self.inlining.unmade.is_some();
        let receivers = self.an.of.receivers.get(site).copied().unwrap_or(0);
        if unmade && receivers < 2 {
            self.expect_or(same, bad);
            return first;
        }
        let (on, other) = (self.fresh(), self.cold());
        let entry = self.b.append_block_param(on, types::I64);
        self.b.ins().brif(same, on, &[first.into()], other, &[]);
        self.aside(other, |e| {
            if receivers > 1 {
                e.other_entries(receivers, cache, serial, on);
            }
            if unmade {
                e.jump(bad);
                return;
            }
            let found = e.entry_by(helpers::entry as *const () as usize, site, cache, serial);
            e.b.ins().brif(found, on, &[found.into()], bad, &[]);
        });
        self.b.switch_to_block(on);
        entry
    }

    /// The entry of `super` for the class of `recv` and the method that calls, if the cache of its site has one; else on in `bad`.
    pub(super) fn super_entry(&mut self, site: usize, recv: Value, bad: Block) -> Value {
        let FirstEntry { cache, serial, entry: first, same } = self.first_entry(site, recv, bad);
        let this = self.frame;
        let caller = self.load(this, frame::METHOD);
        let other = self.expect(same);
        let known = self.load(first, cell::ENTRY_DEFINED);
        let same = self.b.ins().icmp(IntCC::Equal, caller, known);
        let on = self.fresh();
        let entry = self.b.append_block_param(on, types::I64);
        self.b.ins().brif(same, on, &[first.into()], other, &[]);
        self.aside(other, |e| {
            let found = e.entry_by(helpers::super_entry as *const () as usize, site, cache, serial);
            e.b.ins().brif(found, on, &[found.into()], bad, &[]);
        });
        self.b.switch_to_block(on);
        entry
    }

    /// The entry of call site `site` that a helper finds, or 0.
    fn entry_by(&mut self, helper: usize, site: usize, cache: Value, serial: Value) -> Value {
        let (ec, frame, site) = (self.ec, self.frame, self.int(site as i64));
        self.call_pure(helper, &[ec, frame, site, cache, serial])
    }

    /// Looks at the entries behind the first one of an inline cache, if it has `count` of them; on in `on` with the one for `serial`.
    fn other_entries(&mut self, count: usize, cache: Value, serial: Value, on: Block) {
        let none = self.cold();
        let has = self.b.ins().uload8(types::I64, trusted(), cache, cell::CACHE_COUNT);
        let enough = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, has, count as i64);
        self.expect_or(enough, none);
        for n in 1..count as i32 {
            let at = cell::CACHE_FIRST + n * cell::ENTRY_BYTES;
            let known = self.load(cache, at + cell::ENTRY_SERIAL);
            let same = self.b.ins().icmp(IntCC::Equal, serial, known);
            let (found, next) = (self.fresh(), if n + 1 == count as i32 { none } else { self.fresh() });
            self.b.ins().brif(same, found, &[], next, &[]);
            self.b.switch_to_block(found);
            self.b.seal_block(found);
            let entry = self.b.ins().iadd_imm_s(cache, i64::from(at));
            self.b.ins().jump(on, &[entry.into()]);
            if next != none {
                self.b.switch_to_block(next);
                self.b.seal_block(next);
            }
        }
        self.b.switch_to_block(none);
    }

    /// Goes on if `code` is the VM's part of `of`, else in `bad`.
    pub(super) fn is_part_of(&mut self, code: Value, of: &Arc<Code>, bad: Block) {
        if code == self.iseq && Arc::ptr_eq(of, &self.an.of.code) {
            return;
        }
        let at = self.load_fixed(code, iseq::CODE);
        let same = self.b.ins().icmp_imm_s(IntCC::Equal, at, Arc::as_ptr(of) as i64);
        self.expect_or(same, bad);
    }

    /// Does call site `site` call the code that it is in, as far as is known?
    pub(super) fn calls_itself(&self, site: usize, met: Met) -> bool {
        let of = self.an.of;
        let callee = of.targets.get(site).and_then(Option::as_deref);
        let alone = of.receivers.get(site).is_none_or(|&receivers| receivers < 2);
        alone && matches!(met, Met::Ruby | Met::Bound) && callee.is_some_and(|to| Arc::ptr_eq(&to.code, &of.code))
    }

    /// The code under way, if it is what an entry leads to, `target`; else on in `bad`. What is found out of it then need not wait for the
    /// words of the inline cache.
    pub(super) fn own_code(&mut self, target: Value, bad: Block) -> Value {
        let own = self.iseq;
        let same = self.b.ins().icmp(IntCC::Equal, target, own);
        self.expect_or(same, bad);
        own
    }

    /// What comes of a call whose value is `v`, but in the cold block `other`: there it is made by the entry if that says of one of
    /// `others`, else on in `bad`.
    pub(super) fn or_others(
        &mut self,
        i: usize,
        others: &[Other],
        (entry, recv): (Value, Value),
        v: Value,
        (other, bad): (Block, Block),
    ) -> Value {
        self.or_aside(v, other, |e, on| {
            for called in others {
                let next = e.cold();
                // What was known in front of the call, which the tries before have written for themselves.
                e.regs.clone_from(&e.before);
                let v = e.call_other(i, called, (entry, recv), next);
                e.b.ins().jump(on, &[v.into()]);
                e.b.switch_to_block(next);
            }
            e.jump(bad);
        })
    }

    /// Makes the call by an entry if that says of `called`; else on in `next`.
    fn call_other(&mut self, i: usize, called: &Other, (entry, recv): (Value, Value), next: Block) -> Value {
        let (base, _, site) = self.call_operands(i);
        let call_site = &self.an.code.call_sites[site];
        let kind = self.load(entry, cell::ENTRY_KIND);
        let literal = call_site.block.is_some();
        let is_kind = self.b.ins().icmp_imm_s(IntCC::Equal, kind, kind_of(called.met, literal) as i64);
        self.expect_or(is_kind, next);
        let code = self.load(entry, cell::ENTRY_TARGET);
        if called.met == Met::Bound {
            self.is_part_of(code, &called.code, next);
        }
        let method = self.load(entry, cell::ENTRY_METHOD);
        // All of them: what is known of registers afterwards is what is known of them where the first code was called.
        let values = usize::from(call_site.argc) + call_site.keywords.len();
        for r in base + 1..base + 1 + values {
            self.get(r);
        }
        let given = self.given_bound(base, called.code.params.bound_by(call_site).unwrap_or_default());
        let block = self.given_block(i, base, site, next);
        self.call_unit(&Call { i, recv, what: Callable::Method, given, method, code }, block, next)
    }

    /// The class of a value.
    pub(super) fn class_of(&mut self, v: Value) -> Value {
        if self.cells.contains_key(&v) {
            return self.load(v, cell::CLASS);
        }
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

    /// Is what has the class `own` an instance of `asked`, a class or module? By the answers that the thread keeps, with the serial of
    /// the class of `asked` (for `===`) or 0 (for `is_a?`); on in `ask` where they have none.
    pub(super) fn known_instance(&mut self, own: Value, asked: Value, meta: Value, ask: Block) -> Value {
        let (of, asked) = (self.load(own, cell::SERIAL), self.load(asked, cell::SERIAL));
        let both = self.b.ins().ishl_imm_s(of, i64::from(class_matches::ASKED_BITS));
        let both = self.b.ins().bxor(both, asked);
        let spread = self.b.ins().imul_imm_s(both, class_matches::SPREAD as i64);
        let index = self.b.ins().ushr_imm_s(spread, i64::from(class_matches::SPREAD_BITS));
        let at = self.b.ins().imul_imm_s(index, class_matches::BYTES as i64);
        let answer = self.b.ins().iadd(self.ec, at);
        for (wanted, offset) in [(of, class_matches::OF), (asked, class_matches::ASKED), (meta, class_matches::META)] {
            let known = self.load(answer, layout::ec::CLASS_MATCHES + offset);
            let same = self.b.ins().icmp(IntCC::Equal, known, wanted);
            self.expect_or(same, ask);
        }
        let answer =
            self.b.ins().uload8(types::I64, trusted(), answer, layout::ec::CLASS_MATCHES + class_matches::ANSWER);
        let is_known = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, answer, 2);
        self.expect_or(is_known, ask);
        self.boolean(answer)
    }

    /// `class === v` of a class or module, as [`Self::known_instance`]; on in `ask` if `class` is something else.
    pub(super) fn class_match(&mut self, class: Value, v: Value, ask: Block) -> Value {
        self.is_class(class, ask);
        let own = self.class_of(v);
        let meta = self.load(class, cell::CLASS);
        let meta = self.load(meta, cell::SERIAL);
        self.known_instance(own, class, meta, ask)
    }

    /// Goes on if `v` is a class or module, else in `bad`.
    pub(super) fn is_class(&mut self, v: Value, bad: Block) {
        self.is_heap(v, bad);
        let head = self.b.ins().uload8(types::I64, trusted(), v, 0);
        let past = self.b.ins().iadd_imm_s(head, -(Type::Class as i64));
        let last = Type::Module as i64 - Type::Class as i64;
        let is_class = self.b.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, past, last);
        self.expect_or(is_class, bad);
    }

    /// Goes on if `self` is of the class that `method`, a protected one, is in; else, or where that is not known, on in `bad`.
    pub(super) fn may_call_protected(&mut self, method: Value, bad: Block) {
        let this = self.own_self();
        let (own, owner) = (self.class_of(this), self.load(method, cell::METHOD_OWNER));
        let (on, other) = (self.fresh(), self.fresh());
        let same = self.b.ins().icmp(IntCC::Equal, own, owner);
        self.b.ins().brif(same, on, &[], other, &[]);
        self.b.switch_to_block(other);
        self.is_class(owner, bad);
        let none = self.int(0);
        let may = self.known_instance(own, owner, none, bad);
        let may = self.b.ins().icmp_imm_s(IntCC::Equal, may, bits::TRUE);
        self.expect_or(may, bad);
        self.jump(on);
        self.b.switch_to_block(on);
    }
}
