//! Showing the tree and the bytecode, for `--dump`.

use std::fmt::Write as _;

use crate::code::{CallSite, Code, Literal, flags};
use crate::errors::R;
use crate::opcode::{Op, Operand, Second, Wide};
use crate::source::on_own_stack;

/// The syntax tree as text, or the syntax errors.
pub fn dump_ast(source: &[u8]) -> String {
    let dumped: R<String> = on_own_stack(|| {
        let result = ruby_prism::parse(source);
        if let Some(error) = crate::excerpt::syntax_error(&result, source, 1) {
            return Err(error);
        }
        Ok(format!("{:#?}\n", result.node()))
    });
    dumped.unwrap_or_else(|error| error.message())
}

/// The bytecode of `code` and all code in it.
pub fn disassemble(code: &Code) -> String {
    let mut out = String::new();
    // Iterative: blocks may be nested deeply.
    let mut left = vec![code];
    while let Some(code) = left.pop() {
        one(&mut out, code);
        left.extend(code.children.iter().rev().map(|c| &***c));
    }
    out
}

fn one(out: &mut String, code: &Code) {
    let _ =
        writeln!(out, "== {} ({}:{}) {:?}, {} registers", code.label, code.file, code.line, code.kind, code.registers);
    if !code.locals.is_empty() {
        let names: Vec<String> = code
            .locals
            .iter()
            .enumerate()
            .map(|(n, l)| format!("r{n}={}{}", l.name.text(), if l.captured { "^" } else { "" }))
            .collect();
        let _ = writeln!(out, "   locals {}", names.join(" "));
    }
    for h in &code.handlers {
        let _ = writeln!(out, "   {:?} {}..{} -> {} r{}", h.kind, h.start, h.end, h.target, h.reg);
    }
    let mut pc = 0;
    let mut line = 0;
    while pc < code.words.len() {
        let Some(op) = Op::from_u8(code.words[pc] as u8) else {
            let _ = writeln!(out, "{pc:5} ??? {:#x}", code.words[pc]);
            pc += 1;
            continue;
        };
        let text = instruction(code, pc, op);
        let now = code.line_at(pc);
        let mark = if now == line { String::new() } else { format!("({now})") };
        line = now;
        let _ = writeln!(out, "{pc:5} {mark:>6} {text}");
        pc += op.words();
    }
    out.push('\n');
}

/// One instruction as text.
pub(crate) fn instruction(code: &Code, pc: usize, op: Op) -> String {
    let info = op.info();
    let w = code.words[pc];
    let x = (w >> 8) as u8;
    let abc = [(w >> 16) as u16, (w >> 32) as u16, (w >> 48) as u16];
    let bc = (w >> 32) as u32;
    let mut text = format!("{:<14}", info.name);
    let shown = if info.wide == Wide::No { 3 } else { 1 };
    for (operand, value) in info.operands.iter().zip(abc).take(shown) {
        let _ = match operand {
            Operand::None => Ok(()),
            Operand::Dst | Operand::Reg => write!(text, " r{value}"),
            Operand::Base => write!(text, " r{value}.."),
            Operand::Count | Operand::Depth => write!(text, " {value}"),
            Operand::Imm => write!(text, " #{}", value as i16),
            Operand::Slot => write!(text, " slot{value}"),
            Operand::Site => write!(text, " {}", site(code.call_sites.get(usize::from(value)))),
            Operand::Lit => write!(text, " {}", literal(code, u32::from(value))),
            Operand::Child => write!(text, " child{value}"),
            Operand::Ivar => match code.ivar_sites.get(usize::from(value)) {
                Some(s) => write!(text, " {}", s.name.text()),
                None => write!(text, " ivar{value}?"),
            },
            Operand::Once => write!(text, " once{value}"),
        };
    }
    let after = (pc + op.words()) as i64;
    let _ = match info.wide {
        Wide::No => Ok(()),
        Wide::Imm32 => write!(text, " #{}", bc as i32),
        Wide::Jump => write!(text, " -> {}", after + i64::from(bc as i32)),
        Wide::Lit => write!(text, " {}", literal(code, bc)),
        Wide::Const => match code.const_sites.get(bc as usize) {
            Some(s) => {
                let path: Vec<_> = s.path.iter().map(|p| p.text()).collect();
                write!(text, " {}{}", if s.absolute { "::" } else { "" }, path.join("::"))
            }
            None => write!(text, " const{bc}?"),
        },
    };
    if x != 0 {
        let _ = write!(text, " x={x}");
    }
    let second = code.words.get(pc + 1).copied().unwrap_or(0);
    let (lo, hi) = (second as u32, (second >> 32) as u32);
    let _ = match info.second {
        Second::No => Ok(()),
        Second::Site => write!(text, " {}", site(code.call_sites.get(lo as usize))),
        Second::SiteJump => {
            write!(text, " {} -> {}", site(code.call_sites.get(lo as usize)), after + i64::from(hi as i32))
        }
        Second::LitChild => write!(text, " {} child{hi}", literal(code, lo)),
        Second::Count => write!(text, " {lo}"),
    };
    text
}

fn literal(code: &Code, n: u32) -> String {
    match code.literals.get(n as usize) {
        Some(Literal::Str(bytes, _, _)) => format!("{:?}", String::from_utf8_lossy(bytes)),
        Some(Literal::Sym(name)) => format!(":{}", name.text()),
        Some(Literal::Int(n)) => n.to_string(),
        Some(Literal::Float(f)) => format!("{f:?}"),
        Some(other) => format!("{other:?}"),
        None => format!("literal{n}?"),
    }
}

fn site(site: Option<&CallSite>) -> String {
    let Some(site) = site else {
        return "site?".to_string();
    };
    let mut text = format!("{}/{}", site.name.text(), site.argc);
    for (bit, name) in [
        (flags::SPLAT, "splat"),
        (flags::KW_SPLAT, "kwsplat"),
        (flags::BLOCK_ARG, "&arg"),
        (flags::BLOCK_FORWARD, "&forward"),
        (flags::FCALL, "fcall"),
        (flags::VCALL, "vcall"),
        (flags::ATTR_ASSIGN, "assign"),
        (flags::ZSUPER, "zsuper"),
        (flags::KW_SPLAT_FRESH, "fresh"),
    ] {
        if site.flags & bit != 0 {
            let _ = write!(text, " {name}");
        }
    }
    for keyword in &site.keywords {
        let _ = write!(text, " {}:", keyword.text());
    }
    if let Some(block) = site.block {
        let _ = write!(text, " {{child{block}}}");
    }
    text
}
