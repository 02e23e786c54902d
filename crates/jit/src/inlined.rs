//! Small methods that become part of the code that calls them and have no frame: what they do needs none. Where code is left in the
//! middle of one, or a helper is called that looks at frames, the frame is made there and then, with those of its callers that have
//! none either (see `crate::emit::inlined`).
//!
//! That is right as long as nothing that they do keeps hold of their frame, or of a place in it: what might run other Ruby code is left
//! to the interpreter.

use asterism_compiler::code::flags;
use asterism_compiler::opcode::Op;
use asterism_vm::jit::heat::{MOST_SMALL_WORDS, kind};
use asterism_vm::jit::layout::frame;
use asterism_vm::jit::{Met, Part, Target};

use crate::analysis::{Analysis, calls};
use crate::parts::Limits;

/// Most instructions of a method that is inlined, with what is inlined in it. Larger ones take longer to compile in each of their callers than
/// their calls are worth: with 64 words `aobench` was compiled for twice the time, and ran no faster.
const MOST_INSTRUCTIONS: usize = 12;

/// What a call site calls, which is inlined.
pub struct Inlined<'c> {
    /// The method.
    pub callee: Analysis<'c>,
    /// Bytes that its frame would take, and those of what is inlined in it.
    pub bytes: i64,
    /// Instructions of all that.
    instructions: usize,
}

impl<'c> Inlined<'c> {
    /// What call site `site` of `of` has met, if that is to be inlined.
    pub(crate) fn at(of: &'c Target, site: usize, stress: bool, limits: &mut Limits) -> Option<Inlined<'c>> {
        let written = &of.code.call_sites[site];
        let others = flags::SPLAT | flags::KW_SPLAT | flags::BLOCK_ARG | flags::BLOCK_FORWARD;
        let met = matches!(of.calls[site], Met::Ruby | Met::Bound | Met::New | Met::NewBound);
        if !met || written.block.is_some() || written.flags & others != 0 {
            return None;
        }
        let callee = of.targets.get(site)?.as_ref()?;
        let (code, params) = (&callee.code, &callee.code.params);
        let bound = match of.calls[site] {
            Met::Ruby | Met::New => {
                params.is_simple() && params.required == written.argc && written.keywords.is_empty()
            }
            _ => params.bound_by(written).is_some(),
        };
        let words = code.words.len();
        let fits = bound
            && words <= MOST_SMALL_WORDS.min(limits.inlined)
            && !params.rest
            && !params.block
            && code.handlers.is_empty()
            && code.children.is_empty()
            && !code.locals.iter().any(|local| local.captured)
            && callee.calls.len() == code.call_sites.len()
            && !callee.kinds.is_empty();
        if !fits {
            return None;
        }
        let before = limits.inlined;
        limits.inlined -= words;
        let mut callee = Analysis::of(callee, Part::Entry, stress)?;
        callee.find_parts(limits);
        if !(0..callee.instrs.len()).all(|i| callee.needs_no_frame(i)) {
            limits.inlined = before;
            return None;
        }
        let within = || callee.inlined.iter().flatten();
        let instructions = callee.instrs.len() + within().map(|inlined| inlined.instructions).sum::<usize>();
        if instructions > MOST_INSTRUCTIONS {
            limits.inlined = before;
            return None;
        }
        let within = within().map(|inlined| inlined.bytes).max().unwrap_or(0);
        let bytes = i64::from(frame::REGS) + 8 * i64::from(code.registers) + within;
        Some(Inlined { callee, bytes, instructions })
    }
}

impl Analysis<'_> {
    /// Is instruction `i` most often executed without a look at the frame, and does it leave the code else, or call what does not keep
    /// hold of that?
    fn needs_no_frame(&self, i: usize) -> bool {
        let instr = &self.instrs[i];
        let seen = self.of.kinds.get(instr.at).copied().unwrap_or(0);
        let numbers = kind::FIXNUM | kind::FLOAT;
        // An operand that was looked at and was never a number.
        let other = |n: usize| seen >> (4 * n) & 15 != 0 && seen >> (4 * n) & numbers == 0;
        let may_be_numbers = !(0..instr.uses.len().min(2)).any(other);
        match instr.op {
            _ if instr.backward => false,
            Op::Nop | Op::Move | Op::LoadNil | Op::LoadTrue | Op::LoadFalse | Op::LoadUndef | Op::LoadInt => true,
            Op::LoadSelf | Op::LoadLit | Op::GetIvar | Op::SetIvar | Op::GetConst | Op::Return | Op::Jmp => true,
            Op::JmpIf | Op::JmpUnless | Op::JmpNil | Op::JmpNotNil | Op::JmpDef | Op::JmpNot => true,
            Op::Not | Op::NilP => true,
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::AddI | Op::SubI | Op::Neg => {
                may_be_numbers || self.calls_nothing(i)
            }
            Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq | Op::Ne => may_be_numbers || self.calls_nothing(i),
            Op::And | Op::Or | Op::Xor | Op::Shr | Op::JmpLt | Op::JmpLe | Op::JmpGt | Op::JmpGe => may_be_numbers,
            Op::JmpEq | Op::JmpNe | Op::JmpLtI | Op::JmpLeI | Op::JmpGtI | Op::JmpGeI => may_be_numbers,
            Op::JmpEqI | Op::JmpNeI => may_be_numbers,
            Op::Aref | Op::ArefI | Op::Aset | Op::Size | Op::EmptyP => {
                seen & 15 == kind::ARRAY && !self.is_ruby_operator(i) || self.calls_nothing(i)
            }
            Op::Call | Op::CallSelf => self.is_attribute(i) || self.calls_nothing(i),
            _ => false,
        }
    }

    /// Is what instruction `i` calls inlined?
    pub(crate) fn is_inlined(&self, i: usize) -> bool {
        let sent = matches!(self.instrs[i].op, Op::Call | Op::CallSelf) || self.is_ruby_operator(i);
        sent && self.inlined.get(self.site(i)).is_some_and(Option::is_some)
    }

    /// Is nothing called where instruction `i` calls the only method that it has met?
    fn calls_nothing(&self, i: usize) -> bool {
        let executed = |i| self.is_inlined(i) || self.leading_of(i).is_some_and(|leading| leading.whole);
        let sent = calls(self.instrs[i].op) || self.is_ruby_operator(i);
        sent && executed(i) && self.of.receivers.get(self.site(i)) == Some(&1)
    }
}
