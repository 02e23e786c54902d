//! Checks of finished code: what the interpreter relies on without checking.

use std::collections::HashSet;

use crate::code::{CallSite, Code, flags};
use crate::dump::instruction;
use crate::opcode::{MOST_YIELDED, Op, Operand, Second, Wide};

/// Checks `code` and all code in it.
pub fn verify(code: &Code) -> Result<(), String> {
    let mut left = vec![code];
    while let Some(code) = left.pop() {
        verify_one(code)?;
        left.extend(code.children.iter().map(|c| &***c));
    }
    Ok(())
}

struct Check<'c> {
    code: &'c Code,
    pc: usize,
    op: Op,
}

impl Check<'_> {
    fn fail<T>(&self, what: &str) -> Result<T, String> {
        let text = instruction(self.code, self.pc, self.op);
        Err(format!("{}: {}: {text}: {what}", self.code.label, self.pc))
    }

    fn register(&self, r: usize) -> Result<(), String> {
        if r >= usize::from(self.code.registers) {
            return self.fail(&format!("register {r} of {}", self.code.registers));
        }
        if self.code.locals.get(r).is_some_and(|l| l.captured) && self.op != Op::JmpDef {
            return self.fail(&format!("captured local {r} as an operand"));
        }
        Ok(())
    }

    fn block_of(&self, base: usize, count: usize) -> Result<(), String> {
        for r in base..base + count {
            self.register(r)?;
        }
        Ok(())
    }

    fn index(&self, n: usize, len: usize, what: &str) -> Result<(), String> {
        if n < len { Ok(()) } else { self.fail(&format!("{what} {n} of {len}")) }
    }

    /// Registers that a call's arguments take, the receiver's included.
    fn site(&self, n: usize, base: Option<usize>) -> Result<(), String> {
        self.index(n, self.code.call_sites.len(), "site")?;
        let site: &CallSite = &self.code.call_sites[n];
        if let Some(block) = site.block {
            self.index(usize::from(block), self.code.children.len(), "child")?;
        }
        if site.flags & flags::SPLAT != 0 && site.argc != 1 {
            return self.fail("a splat with other arguments");
        }
        if site.flags & flags::KW_SPLAT != 0 && !site.keywords.is_empty() {
            return self.fail("keywords beside a keyword splat");
        }
        if let Some(base) = base {
            let extra =
                usize::from(site.flags & flags::KW_SPLAT != 0) + usize::from(site.flags & flags::BLOCK_ARG != 0);
            self.block_of(base, 1 + usize::from(site.argc) + site.keywords.len() + extra)?;
        }
        Ok(())
    }
}

/// Checks one piece of code.
pub fn verify_one(code: &Code) -> Result<(), String> {
    let mut starts = HashSet::new();
    let mut targets = Vec::new();
    let mut pc = 0;
    if usize::from(code.registers) < code.locals.len() {
        return Err(format!("{}: fewer registers than locals", code.label));
    }
    if code.params.slots() > code.locals.len() {
        return Err(format!("{}: fewer locals than parameters", code.label));
    }
    let mut last = Op::Nop;
    while pc < code.words.len() {
        let Some(op) = Op::from_u8(code.words[pc] as u8) else {
            return Err(format!("{}: {pc}: no such instruction", code.label));
        };
        if pc + op.words() > code.words.len() {
            return Err(format!("{}: {pc}: cut off", code.label));
        }
        starts.insert(pc);
        instruction_ok(code, pc, op, &mut targets)?;
        last = op;
        pc += op.words();
    }
    if !matches!(last, Op::Return | Op::ReturnFar | Op::Jmp | Op::Loop | Op::Rethrow | Op::Break) {
        return Err(format!("{}: runs off its end", code.label));
    }
    for (from, to) in targets {
        if !usize::try_from(to).is_ok_and(|t| starts.contains(&t)) {
            return Err(format!("{}: {from}: jump to {to}", code.label));
        }
    }
    for h in &code.handlers {
        let range_ok = h.start < h.end
            && starts.contains(&(h.start as usize))
            && (starts.contains(&(h.end as usize)) || h.end as usize == code.words.len());
        if !range_ok || !starts.contains(&(h.target as usize)) {
            return Err(format!("{}: handler {h:?}", code.label));
        }
        let first = usize::from(h.reg);
        if first < code.locals.len() || first + 1 >= usize::from(code.registers) {
            return Err(format!("{}: handler registers {h:?}", code.label));
        }
    }
    if code.lines.windows(2).any(|w| w[0].0 >= w[1].0) {
        return Err(format!("{}: lines out of order", code.label));
    }
    Ok(())
}

fn instruction_ok(code: &Code, pc: usize, op: Op, targets: &mut Vec<(usize, i64)>) -> Result<(), String> {
    let check = Check { code, pc, op };
    let info = op.info();
    let w = code.words[pc];
    let x = usize::from((w >> 8) as u8);
    let abc = [(w >> 16) as u16, (w >> 32) as u16, (w >> 48) as u16];
    let bc = (w >> 32) as u32;
    let after = (pc + op.words()) as i64;
    let second = if op.words() == 2 { code.words[pc + 1] } else { 0 };
    let (lo, hi) = (second as u32 as usize, (second >> 32) as u32);
    let shown = if info.wide == Wide::No { 3 } else { 1 };
    let site_base = info.operands.contains(&Operand::Site).then_some(usize::from(abc[0]));
    for (operand, value) in info.operands.iter().zip(abc).take(shown) {
        let n = usize::from(value);
        match operand {
            Operand::Dst | Operand::Reg => {
                // Fields that some kinds of the instruction do not use are zero.
                let unused = matches!(op, Op::Defined | Op::RaiseNoMatch) && n == 0;
                if !unused {
                    check.register(n)?;
                }
            }
            Operand::Site => check.site(n, site_base)?,
            Operand::Lit if op != Op::Defined => check.index(n, code.literals.len(), "literal")?,
            Operand::Child => check.index(n, code.children.len(), "child")?,
            Operand::Ivar => check.index(n, code.ivar_sites.len(), "ivar")?,
            Operand::Once => check.index(n, usize::from(code.once_cells), "once-cell")?,
            Operand::Slot if abc[2] == 0 => check.index(n, code.locals.len(), "slot")?,
            _ => {}
        }
    }
    let base = usize::from(abc[1]);
    let most = usize::from(MOST_YIELDED);
    match op {
        Op::NewArray | Op::ArrayAppend | Op::NewHash | Op::HashAppend | Op::Concat | Op::NewRegexp => {
            check.block_of(base, usize::from(abc[2]))?;
        }
        Op::Resume | Op::FiberYield if x != usize::from(code.call_sites[usize::from(abc[2])].argc) || x > 1 => {
            return check.fail("another number of arguments than its site's");
        }
        Op::Yield if x != 0 && (x - 1 != usize::from(code.call_sites[usize::from(abc[2])].argc) || x - 1 > most) => {
            return check.fail("another number of values than its site's, or too many");
        }
        Op::Prim => check.block_of(usize::from(abc[0]), x)?,
        Op::DefClass => check.block_of(base, 2)?,
        Op::Destructure => check.block_of(base, usize::from(abc[2]) + x + lo)?,
        Op::Once => targets.push((pc, after + i64::from(abc[2] as i16))),
        Op::GetUp | Op::SetUp if abc[2] == 0 && !code.locals[base].captured => {
            return check.fail("a plain local through its scope");
        }
        _ => {}
    }
    match info.wide {
        Wide::No | Wide::Imm32 => {}
        Wide::Jump => {
            let offset = i64::from(bc as i32);
            if offset < 0 && op != Op::Loop {
                return check.fail("a backward jump that does not poll");
            }
            targets.push((pc, after + offset));
        }
        Wide::Lit => check.index(bc as usize, code.literals.len(), "literal")?,
        Wide::Const => check.index(bc as usize, code.const_sites.len(), "constant")?,
    }
    match info.second {
        Second::No | Second::Count => {}
        Second::Site => check.site(lo, None)?,
        Second::SiteJump => {
            check.site(lo, None)?;
            targets.push((pc, after + i64::from(hi as i32)));
        }
        Second::LitChild => {
            check.index(lo, code.literals.len(), "literal")?;
            check.index(hi as usize, code.children.len(), "child")?;
        }
    }
    Ok(())
}
