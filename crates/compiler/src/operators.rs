//! Calls of operators that have instructions of their own.

use asterism_symbol::sym;
use ruby_prism::{CallNode, Node};

use crate::code::flags;
use crate::errors::R;
use crate::opcode::Op;
use crate::source::Compiler;

/// Receiver and argument of a call with a receiver, `argc` (0 or 1) plain arguments and nothing else.
pub(crate) fn plain_call<'pr>(call: &CallNode<'pr>, argc: usize) -> Option<(Node<'pr>, Option<Node<'pr>>)> {
    if call.is_safe_navigation() || call.block().is_some() {
        return None;
    }
    let receiver = call.receiver()?;
    let Some(arguments) = call.arguments() else {
        return (argc == 0).then_some((receiver, None));
    };
    let list = arguments.arguments();
    if list.len() != argc {
        return None;
    }
    let first = list.first();
    if let Some(first) = &first
        && !is_plain(first)
    {
        return None;
    }
    Some((receiver, first))
}

/// Whether an argument stands for exactly one positional value.
pub(crate) fn is_plain(node: &Node<'_>) -> bool {
    !matches!(node, Node::SplatNode { .. } | Node::KeywordHashNode { .. } | Node::ForwardingArgumentsNode { .. })
}

/// The value of an integer literal that fits an instruction's constant.
pub(crate) fn small_int(node: &Node<'_>) -> Option<i16> {
    let value: i32 = node.as_integer_node()?.value().try_into().ok()?;
    i16::try_from(value).ok()
}

fn binary(name: &[u8]) -> Option<Op> {
    Some(match name {
        b"+" => Op::Add,
        b"-" => Op::Sub,
        b"*" => Op::Mul,
        b"/" => Op::Div,
        b"%" => Op::Mod,
        b"&" => Op::And,
        b"|" => Op::Or,
        b"^" => Op::Xor,
        b"<<" => Op::Shl,
        b">>" => Op::Shr,
        b"<" => Op::Lt,
        b"<=" => Op::Le,
        b">" => Op::Gt,
        b">=" => Op::Ge,
        b"==" => Op::Eq,
        b"!=" => Op::Ne,
        b"===" => Op::CaseEq,
        b"[]" => Op::Aref,
        _ => return None,
    })
}

fn with_constant(op: Op) -> Option<Op> {
    Some(match op {
        Op::Add => Op::AddI,
        Op::Sub => Op::SubI,
        Op::Aref => Op::ArefI,
        _ => return None,
    })
}

fn unary(name: &[u8]) -> Option<Op> {
    Some(match name {
        b"!" => Op::Not,
        b"-@" => Op::Neg,
        b"size" | b"length" => Op::Size,
        b"empty?" => Op::EmptyP,
        b"nil?" => Op::NilP,
        _ => return None,
    })
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn operator_site(&mut self, call: &CallNode<'pr>, argc: u16) -> R<u32> {
        let name = self.sym(call.name().as_slice())?;
        let flags = if call.is_ignore_visibility() { flags::FCALL } else { 0 };
        self.f().plain_site(name, argc, flags).map(u32::from)
    }

    /// Sets the line to that of the method's name.
    pub(crate) fn call_line(&mut self, call: &CallNode<'pr>) {
        let at = call.message_loc().unwrap_or_else(|| call.location());
        self.f().line = u32::try_from(at.start_line()).unwrap_or(0);
    }

    /// Compiles `call` if it has an instruction of its own.
    pub(crate) fn operator_call(&mut self, call: &CallNode<'pr>, dst: Option<u16>) -> R<bool> {
        let name = call.name();
        let name = name.as_slice();
        if let Some(op) = binary(name)
            && let Some((receiver, Some(argument))) = plain_call(call, 1)
        {
            // `A === b` is for the pattern on the left; the instruction's operands are in that order.
            let d = self.some(dst)?;
            let left = self.operand_before(&receiver, &[&argument])?;
            self.operator_argument(call, op, d, left, &argument)?;
            return Ok(true);
        }
        if let Some(op) = unary(name)
            && let Some((receiver, None)) = plain_call(call, 0)
        {
            let d = self.some(dst)?;
            let value = match receiver.as_string_node() {
                // The core's method gives one that is frozen as it is.
                Some(literal) if op == Op::Neg => {
                    let value = self.temp()?;
                    self.frozen_string(&literal, value)?;
                    value
                }
                _ => self.operand(&receiver)?,
            };
            let site = self.operator_site(call, 0)?;
            self.call_line(call);
            self.f().emit2(op, 0, (d, value, 0), site, 0)?;
            return Ok(true);
        }
        if name == b"[]=" && call.is_attribute_write() {
            return self.index_write(call, dst);
        }
        Ok(false)
    }

    fn operator_argument(&mut self, call: &CallNode<'pr>, op: Op, d: u16, left: u16, argument: &Node<'pr>) -> R {
        if let Some(op) = with_constant(op)
            && let Some(n) = small_int(argument)
        {
            let site = self.operator_site(call, 1)?;
            self.call_line(call);
            return self.f().emit2(op, 0, (d, left, n as u16), site, 0);
        }
        let right = self.operand(argument)?;
        let site = self.operator_site(call, 1)?;
        self.call_line(call);
        self.f().emit2(op, 0, (d, left, right), site, 0)
    }

    /// `d = left op right`, for an operator that is given by name (as in `a += b`).
    pub(crate) fn binary_op(&mut self, name: &[u8], d: u16, left: u16, argument: &Node<'pr>) -> R {
        let method = self.sym(name)?;
        if let Some(op) = binary(name) {
            if let Some(op) = with_constant(op)
                && let Some(n) = small_int(argument)
            {
                let site = self.f().plain_site(method, 1, 0)?;
                return self.f().emit2(op, 0, (d, left, n as u16), u32::from(site), 0);
            }
            let right = self.operand(argument)?;
            let site = self.f().plain_site(method, 1, 0)?;
            return self.f().emit2(op, 0, (d, left, right), u32::from(site), 0);
        }
        let base = self.temp()?;
        let first = self.temp()?;
        self.f().mov(base, left)?;
        self.expr(argument, Some(first))?;
        let site = self.f().plain_site(method, 1, 0)?;
        self.emit(Op::Call, base, d, site)
    }

    /// `a[i] = v` with one plain index.
    fn index_write(&mut self, call: &CallNode<'pr>, dst: Option<u16>) -> R<bool> {
        let (Some(receiver), Some(arguments)) = (call.receiver(), call.arguments()) else {
            return Ok(false);
        };
        let list: Vec<Node<'pr>> = arguments.arguments().iter().collect();
        let [index, value] = list.as_slice() else {
            return Ok(false);
        };
        if call.is_safe_navigation() || call.block().is_some() || !is_plain(index) || !is_plain(value) {
            return Ok(false);
        }
        let a = self.operand_before(&receiver, &[index, value])?;
        let b = self.operand_before(index, &[value])?;
        let c = self.operand(value)?;
        let flags = flags::ATTR_ASSIGN | if call.is_ignore_visibility() { flags::FCALL } else { 0 };
        let site = self.f().plain_site(sym::ASET, 2, flags)?;
        self.call_line(call);
        self.f().emit2(Op::Aset, 0, (a, b, c), u32::from(site), 0)?;
        self.move_to(dst, c)?;
        Ok(true)
    }
}
