//! Showing the tree and the bytecode, for `--dump`.

use std::fmt::Write as _;

use crate::code::{CallSite, Code, Literal, flags};
use crate::errors::R;
use crate::opcode::Op;
use crate::operand::{Kind, Place, signed};
use crate::own_stack::on_own_stack;

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
    let words = &code.words[pc..];
    let mut text = format!("{:<14}", info.name);
    for field in info.operands {
        let value = field.place.read(words);
        let number = signed(value, field.place.width());
        let _ = match field.kind {
            // A small number that changes what the instruction does.
            _ if field.place == Place::X && value == 0 => Ok(()),
            _ if field.place == Place::X => write!(text, " x={value}"),
            Kind::Dst | Kind::Reg | Kind::Param | Kind::MaybeReg => write!(text, " r{value}"),
            Kind::Base | Kind::Pair => write!(text, " r{value}.."),
            Kind::Count | Kind::Argc | Kind::Known | Kind::Raw | Kind::Flag | Kind::Depth => write!(text, " {value}"),
            Kind::Imm => write!(text, " #{number}"),
            Kind::Jump => write!(text, " -> {}", (pc + op.words()) as i64 + i64::from(number)),
            Kind::Slot => write!(text, " slot{value}"),
            Kind::Site => write!(text, " {}", site(code.call_sites.get(value as usize))),
            Kind::Lit | Kind::MaybeLit => write!(text, " {}", literal(code, value)),
            Kind::Child => write!(text, " child{value}"),
            Kind::Ivar => match code.ivar_sites.get(value as usize) {
                Some(s) => write!(text, " {}", s.name.text()),
                None => write!(text, " ivar{value}?"),
            },
            Kind::Const => match code.const_sites.get(value as usize) {
                Some(s) => {
                    let path: Vec<_> = s.path.iter().map(|p| p.text()).collect();
                    write!(text, " {}{}", if s.absolute { "::" } else { "" }, path.join("::"))
                }
                None => write!(text, " const{value}?"),
            },
            Kind::Once => write!(text, " once{value}"),
        };
    }
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
