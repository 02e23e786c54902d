//! Checks of finished code: what the interpreter relies on without checking.

use std::collections::HashSet;

use crate::code::{CallSite, Code, flags};
use crate::dump::instruction;
use crate::opcode::{MOST_YIELDED, Op};
use crate::operand::{Kind, Place, signed};

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
        if self.code.locals.get(r).is_some_and(|l| l.captured) {
            return self.fail(&format!("captured local {r} as an operand"));
        }
        Ok(())
    }

    fn parameter(&self, r: usize) -> Result<(), String> {
        self.index(r, usize::from(self.code.registers), "register")
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
        if let Some(symbol) = site.symbol {
            self.index(usize::from(symbol), self.code.call_sites.len(), "site of a symbol")?;
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
    if code.marks.windows(2).any(|w| w[0].pc > w[1].pc) || code.marks.iter().any(|m| !starts.contains(&(m.pc as usize)))
    {
        return Err(format!("{}: marks out of place", code.label));
    }
    Ok(())
}

/// Checks each operand as its kind in the table demands.
fn instruction_ok(code: &Code, pc: usize, op: Op, targets: &mut Vec<(usize, i64)>) -> Result<(), String> {
    let check = Check { code, pc, op };
    let words = &code.words[pc..];
    let value = |kind: Kind| {
        let field = op.info().operands.iter().find(|field| field.kind == kind);
        field.map(|field| field.place.read(words) as usize)
    };
    let mut counted = 0;
    for field in op.info().operands.iter().filter(|field| field.kind == Kind::Count) {
        counted += field.place.read(words) as usize;
    }
    // What a call's site says comes before what else is checked against it.
    let (base, depth) = (value(Kind::Base), value(Kind::Depth));
    let argc = match value(Kind::Site) {
        Some(site) => {
            check.site(site, base)?;
            usize::from(code.call_sites[site].argc)
        }
        None => 0,
    };
    for field in op.info().operands {
        let value = field.place.read(words);
        let n = value as usize;
        match field.kind {
            Kind::Dst | Kind::Reg => check.register(n)?,
            Kind::MaybeReg if n != 0 => check.register(n)?,
            Kind::Param => check.parameter(n)?,
            Kind::Base => check.block_of(n, counted)?,
            Kind::Pair => check.block_of(n, 2)?,
            Kind::Lit => check.index(n, code.literals.len(), "literal")?,
            Kind::Child => check.index(n, code.children.len(), "child")?,
            Kind::Ivar => check.index(n, code.ivar_sites.len(), "ivar")?,
            Kind::Const => check.index(n, code.const_sites.len(), "constant")?,
            Kind::Once => check.index(n, usize::from(code.once_cells), "once-cell")?,
            Kind::Argc if n != argc || n > 1 => return check.fail("another number of arguments than its site's"),
            Kind::Known if n != 0 && (n - 1 != argc || n - 1 > usize::from(MOST_YIELDED)) => {
                return check.fail("another number of values than its site's, or too many");
            }
            Kind::Jump => {
                let offset = i64::from(signed(value, field.place.width()));
                if offset < 0 && field.place == Place::Bc && op != Op::Loop {
                    return check.fail("a backward jump that does not poll");
                }
                targets.push((pc, (pc + op.words()) as i64 + offset));
            }
            Kind::Slot if depth == Some(0) => match code.locals.get(n) {
                Some(local) if local.captured => {}
                Some(_) => return check.fail("a plain local through its scope"),
                None => check.index(n, code.locals.len(), "slot")?,
            },
            _ => {}
        }
    }
    Ok(())
}
