//! `&:name` as the block of a method that is a part: what is yielded is sent `name` by a call site of the code that wrote it (see
//! `CallSite::symbol`), and there is no frame of a block.

use asterism_vm::jit::layout::cell;
use asterism_vm::jit::{Met, calls as of_vm};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value};

use super::calls::{Call, Callable, GivenBlock, kind_of};
use super::{Emitter, Failed, bits};
use crate::analysis::Analysis;

/// Code whose call sites are asked.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a, 'c> {
    pub an: &'a Analysis<'c>,
    /// Its frame, and the VM's part of it.
    pub frame: Value,
    pub iseq: Value,
}

/// A Symbol that a method which is a part yields to.
#[derive(Clone, Copy)]
pub(super) struct SymbolBlock<'a, 'c> {
    /// The code that it was written in.
    pub of: Asking<'a, 'c>,
    /// The site for the calls of the method of that name.
    pub site: usize,
}

impl<'a, 'c> Emitter<'a, 'c> {
    /// The code under way.
    pub(super) fn asking(&self) -> Asking<'a, 'c> {
        Asking { an: self.an, frame: self.frame, iseq: self.iseq }
    }

    /// What `emit` gives where the call sites are those of other code.
    fn asks<R>(&mut self, of: Asking<'a, 'c>, emit: impl FnOnce(&mut Self) -> R) -> R {
        let own = self.asking();
        (self.an, self.frame, self.iseq) = (of.an, of.frame, of.iseq);
        let result = emit(self);
        (self.an, self.frame, self.iseq) = (own.an, own.frame, own.iseq);
        result
    }

    /// Goes on if no refinements are in force here, with which a Symbol becomes a Proc that knows them; else in `bad`.
    pub(super) fn is_unrefined(&mut self, bad: Block) {
        let on = self.fresh();
        let cref = self.own_cref();
        self.is_heap(cref, on);
        let refinements = self.load(cref, cell::CREF_REFINEMENTS);
        let none = self.b.ins().icmp_imm_s(IntCC::Equal, refinements, bits::NIL);
        self.b.ins().brif(none, on, &[], bad, &[]);
        self.b.switch_to_block(on);
    }

    /// `yield` of the value in register `base`, by instruction `i`, to a Symbol.
    pub(super) fn yield_to_symbol(&mut self, i: usize, base: usize, block: SymbolBlock<'a, 'c>) -> Result<(), Failed> {
        let SymbolBlock { of, site } = block;
        let dst = self.an.instrs[i].defs[0];
        let bad = self.cold();
        let recv = self.get(base);
        // What is expected to be in memory behind a `yield` is so on all ways.
        self.flush(i, false);
        self.save(i);
        let met = of.an.met(site);
        let entry = self.asks(of, |e| e.entry_for(site, recv, bad));
        let kind = self.load(entry, cell::ENTRY_KIND);
        let is_kind = self.b.ins().icmp_imm_s(IntCC::Equal, kind, kind_of(met, false) as i64);
        self.expect_or(is_kind, bad);
        if met == Met::Reader {
            let v = self.read_attribute(i, of, site, recv, entry);
            self.or_send(i, bad, dst, v, of_vm::send_yield as *const () as usize);
            return Ok(());
        }
        let target = self.load(entry, cell::ENTRY_TARGET);
        let method = self.load(entry, cell::ENTRY_METHOD);
        let v = match met {
            Met::Ruby => {
                let call = Call { i, recv, what: Callable::Method, given: Vec::new().into(), method, code: target };
                match of.an.inlined.get(site).and_then(Option::as_deref) {
                    Some(inlined) => self.call_inlined_or(inlined, &call, bad)?,
                    None => {
                        let leading = of.an.leading.get(site).and_then(Option::as_ref);
                        self.call_led(leading, &call, GivenBlock::None, bad)
                    }
                }
            }
            Met::Intrinsic(def) if def.leaf && !self.takes_other_arguments(def.intrinsic, 0) => {
                self.intrinsic(i, (base, 0), recv, (method, target), def, bad)
            }
            Met::Native => self.call_framed(i, recv, method, target, bad),
            Met::Intrinsic(def) if !def.leaf => self.call_framed(i, recv, method, target, bad),
            Met::Leaf | Met::Intrinsic(_) => self.call_leaf(i, (base, 0), recv, method, target),
            _ => return Err("a symbol of nothing"),
        };
        self.or_send(i, bad, dst, v, of_vm::send_yield as *const () as usize);
        Ok(())
    }

    /// What comes of the `yield` of the value in register `base`, by instruction `i`, whose value is `v`, but in the cold block `other`: if
    /// `word` is a Symbol there, and the literal that it is has met the value's class, its method is called; else on in `bad`.
    pub(super) fn or_yield_to_symbol(
        &mut self,
        i: usize,
        (base, word): (usize, Value),
        v: Value,
        (other, bad): (Block, Block),
    ) -> Value {
        self.or_aside(v, other, |e, on| {
            e.regs.clone_from(&e.before);
            let (ec, frame, recv) = (e.ec, e.frame, e.get(base));
            let entry = e.call_pure(of_vm::symbol_entry as *const () as usize, &[ec, frame, recv, word]);
            e.expect_or(entry, bad);
            let kind = e.load(entry, cell::ENTRY_KIND);
            let is_kind = e.b.ins().icmp_imm_s(IntCC::Equal, kind, kind_of(Met::Ruby, false) as i64);
            let other = e.expect(is_kind);
            e.aside(other, |e| {
                e.flush(i, true);
                e.save(i);
                let v = e.call(of_vm::call_by_entry as *const () as usize, &[ec, frame, entry, recv]);
                e.unless_left(v);
                e.b.ins().jump(on, &[v.into()]);
            });
            let (code, method) = (e.load(entry, cell::ENTRY_TARGET), e.load(entry, cell::ENTRY_METHOD));
            let call = Call { i, recv, what: Callable::Method, given: Vec::new().into(), method, code };
            let v = e.call_unit(&call, GivenBlock::None, bad);
            e.b.ins().jump(on, &[v.into()]);
        })
    }
}
