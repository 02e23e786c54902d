//! `defined?(…)`.

use asterism_symbol::{Sym, UTF_8};
use ruby_prism::{LocalVariableReadNode, Node, Visit};

use crate::analysis::MAX_DEPTH;
use crate::builder::Label;
use crate::code::{Changes, Handler, HandlerKind, Literal};
use crate::errors::R;
use crate::opcode::{DefinedKind, Op};
use crate::source::Compiler;
use crate::symbols::symbol;
use crate::walk::walk;

struct Reads {
    name: &'static [u8],
    found: bool,
    depth: usize,
}

impl<'pr> Visit<'pr> for Reads {
    fn visit(&mut self, node: &Node<'pr>) {
        if self.depth < MAX_DEPTH {
            self.depth += 1;
            walk(self, node);
            self.depth -= 1;
        }
    }

    fn visit_local_variable_read_node(&mut self, node: &LocalVariableReadNode<'pr>) {
        self.found |= node.name().as_slice() == self.name;
    }
}

/// Whether `node` reads the local `name`.
pub(crate) fn reads_local(node: &Node<'_>, name: &Sym) -> bool {
    let mut reads = Reads { name: name.bytes(), found: false, depth: 0 };
    reads.visit(node);
    reads.found
}

/// What `defined?` says of expressions that are always defined.
fn known(node: &Node<'_>) -> Option<&'static str> {
    Some(match node {
        Node::NilNode { .. } => "nil",
        Node::TrueNode { .. } => "true",
        Node::FalseNode { .. } => "false",
        Node::SelfNode { .. } => "self",
        Node::LocalVariableReadNode { .. } | Node::ItLocalVariableReadNode { .. } => "local-variable",
        Node::LocalVariableWriteNode { .. }
        | Node::LocalVariableOrWriteNode { .. }
        | Node::LocalVariableAndWriteNode { .. }
        | Node::LocalVariableOperatorWriteNode { .. }
        | Node::InstanceVariableWriteNode { .. }
        | Node::InstanceVariableOrWriteNode { .. }
        | Node::InstanceVariableAndWriteNode { .. }
        | Node::InstanceVariableOperatorWriteNode { .. }
        | Node::GlobalVariableWriteNode { .. }
        | Node::GlobalVariableOrWriteNode { .. }
        | Node::GlobalVariableAndWriteNode { .. }
        | Node::GlobalVariableOperatorWriteNode { .. }
        | Node::ClassVariableWriteNode { .. }
        | Node::ClassVariableOrWriteNode { .. }
        | Node::ClassVariableAndWriteNode { .. }
        | Node::ClassVariableOperatorWriteNode { .. }
        | Node::ConstantWriteNode { .. }
        | Node::ConstantOrWriteNode { .. }
        | Node::ConstantAndWriteNode { .. }
        | Node::ConstantOperatorWriteNode { .. }
        | Node::ConstantPathWriteNode { .. }
        | Node::ConstantPathOrWriteNode { .. }
        | Node::ConstantPathAndWriteNode { .. }
        | Node::ConstantPathOperatorWriteNode { .. }
        | Node::CallOrWriteNode { .. }
        | Node::CallAndWriteNode { .. }
        | Node::CallOperatorWriteNode { .. }
        | Node::IndexOrWriteNode { .. }
        | Node::IndexAndWriteNode { .. }
        | Node::IndexOperatorWriteNode { .. }
        | Node::MultiWriteNode { .. } => "assignment",
        _ => return None,
    })
}

impl<'pr> Compiler<'_, 'pr> {
    /// `dst` = the description of `node`, or nil.
    pub(crate) fn defined(&mut self, node: &Node<'pr>, dst: Option<u16>) -> R {
        let Some(dst) = dst else { return Ok(()) };
        let result = self.scratch(dst)?;
        let undefined = self.f().label();
        let end = self.f().label();
        let register = self.temp()?;
        self.temp()?;
        let start = self.f().here();
        self.defined_in(node, result, undefined)?;
        let stop = self.f().here();
        self.f().jump(Op::Jmp, 0, end)?;
        // An exception in a receiver means: not defined.
        if start < stop && may_raise(node) {
            let target = self.f().here();
            self.f().handlers.push(Handler { start, end: stop, target, reg: register, kind: HandlerKind::Rescue });
            self.emit(Op::SetErrInfo, register + 1, 0, 0)?;
        }
        self.f().bind(undefined);
        self.nil(Some(result))?;
        self.f().bind(end);
        self.f().mov(dst, result)
    }

    fn text(&mut self, text: &str, dst: u16) -> R {
        self.load_literal(Literal::Str(text.as_bytes().into(), asterism_symbol::US_ASCII, Changes::Frozen), dst)
    }

    fn ask(&mut self, kind: DefinedKind, receiver: u16, name: &[u8], dst: u16, undefined: Label) -> R {
        let name = symbol(name, UTF_8)?;
        let lit = self.f().sym_literal(name)?;
        self.f().emit_x(Op::Defined, kind as u8, dst, receiver, lit)?;
        self.f().jump(Op::JmpUnless, dst, undefined)
    }

    /// Puts the description into `dst`, or jumps to `undefined`.
    fn defined_in(&mut self, node: &Node<'pr>, dst: u16, undefined: Label) -> R {
        if self.depth >= MAX_DEPTH {
            return self.f().limit("nested expressions");
        }
        self.depth += 1;
        let mark = self.mark();
        let result = self.defined_kind(node, dst, undefined);
        self.release(mark);
        self.depth -= 1;
        result
    }

    fn all_defined<I: Iterator<Item = Node<'pr>>>(&mut self, nodes: I, undefined: Label) -> R {
        for node in nodes {
            let mark = self.mark();
            let t = self.temp()?;
            self.defined_in(&node, t, undefined)?;
            self.release(mark);
        }
        Ok(())
    }

    fn defined_kind(&mut self, node: &Node<'pr>, dst: u16, undefined: Label) -> R {
        if let Some(text) = known(node) {
            return self.text(text, dst);
        }
        if let Some(n) = node.as_instance_variable_read_node() {
            return self.ask(DefinedKind::Ivar, 0, n.name().as_slice(), dst, undefined);
        }
        if let Some(n) = node.as_global_variable_read_node() {
            return self.ask(DefinedKind::Global, 0, n.name().as_slice(), dst, undefined);
        }
        if let Some(n) = node.as_class_variable_read_node() {
            return self.ask(DefinedKind::Cvar, 0, n.name().as_slice(), dst, undefined);
        }
        if let Some(n) = node.as_constant_read_node() {
            return self.ask(DefinedKind::Const, 0, n.name().as_slice(), dst, undefined);
        }
        if let Some(n) = node.as_constant_path_node() {
            let Some(name) = n.name() else {
                return self.not_supported("constant path without a name");
            };
            let module = match n.parent() {
                Some(parent) => {
                    let t = self.temp()?;
                    self.defined_in(&parent, t, undefined)?;
                    self.const_parent(Some(&parent))?
                }
                None => self.const_parent(None)?,
            };
            return self.ask(DefinedKind::ConstFrom, module, name.as_slice(), dst, undefined);
        }
        if let Some(n) = node.as_call_node() {
            return self.defined_call(&n, dst, undefined);
        }
        if node.as_yield_node().is_some() {
            self.note_block_use();
            return self.ask(DefinedKind::Yield, 0, b"", dst, undefined);
        }
        if node.as_super_node().is_some() || node.as_forwarding_super_node().is_some() {
            return self.ask(DefinedKind::Super, 0, b"", dst, undefined);
        }
        let backref = match node {
            Node::BackReferenceReadNode { .. } => match node.location().as_slice() {
                b"$&" => Some(0),
                b"$`" => Some(1),
                b"$'" => Some(2),
                _ => Some(3),
            },
            _ => node.as_numbered_reference_read_node().map(|n| n.number().saturating_add(4)),
        };
        if let Some(number) = backref {
            let Ok(number) = u16::try_from(number) else {
                return self.f().jump(Op::Jmp, 0, undefined);
            };
            self.f().emit_x(Op::Defined, DefinedKind::Backref as u8, dst, 0, number)?;
            return self.f().jump(Op::JmpUnless, dst, undefined);
        }
        if let Some(parens) = node.as_parentheses_node() {
            let Some(body) = parens.body() else {
                return self.text("nil", dst);
            };
            let statements = body.as_statements_node();
            return match statements.as_ref().map(|s| s.body()) {
                Some(list) if list.len() == 1 && !parens.is_multiple_statements() => match list.first() {
                    Some(only) => self.defined_in(&only, dst, undefined),
                    None => self.text("nil", dst),
                },
                _ => self.text("expression", dst),
            };
        }
        if let Some(begin) = node.as_begin_node()
            && begin.rescue_clause().is_none()
            && begin.else_clause().is_none()
            && begin.ensure_clause().is_none()
        {
            let Some(statements) = begin.statements() else {
                return self.text("nil", dst);
            };
            if let (1, Some(only)) = (statements.body().len(), statements.body().first()) {
                return self.defined_in(&only, dst, undefined);
            }
        }
        if let Some(array) = node.as_array_node() {
            self.all_defined(array.elements().iter(), undefined)?;
        } else if let Some(hash) = node.as_hash_node() {
            self.all_defined(hash.elements().iter(), undefined)?;
        } else if let Some(hash) = node.as_keyword_hash_node() {
            self.all_defined(hash.elements().iter(), undefined)?;
        } else if let Some(assoc) = node.as_assoc_node() {
            self.all_defined([assoc.key(), assoc.value()].into_iter(), undefined)?;
        } else if let Some(splat) = node.as_assoc_splat_node() {
            self.all_defined(splat.value().into_iter(), undefined)?;
        } else if let Some(splat) = node.as_splat_node() {
            self.all_defined(splat.expression().into_iter(), undefined)?;
        } else if let Some(range) = node.as_range_node() {
            self.all_defined(range.left().into_iter().chain(range.right()), undefined)?;
        }
        self.text("expression", dst)
    }

    fn defined_call(&mut self, node: &ruby_prism::CallNode<'pr>, dst: u16, undefined: Label) -> R {
        if node.block().is_some_and(|b| b.as_block_node().is_some()) {
            return self.text("expression", dst);
        }
        if let Some(arguments) = node.arguments() {
            self.all_defined(arguments.arguments().iter(), undefined)?;
        }
        match node.receiver() {
            None => self.ask(DefinedKind::Func, 0, node.name().as_slice(), dst, undefined)?,
            Some(receiver) => {
                self.defined_in(&receiver, dst, undefined)?;
                let object = self.operand(&receiver)?;
                self.ask(DefinedKind::Method, object, node.name().as_slice(), dst, undefined)?;
            }
        }
        Ok(())
    }
}

/// Whether asking may run Ruby code.
fn may_raise(node: &Node<'_>) -> bool {
    !matches!(
        node,
        Node::LocalVariableReadNode { .. }
            | Node::InstanceVariableReadNode { .. }
            | Node::GlobalVariableReadNode { .. }
            | Node::ClassVariableReadNode { .. }
            | Node::YieldNode { .. }
            | Node::SuperNode { .. }
            | Node::ForwardingSuperNode { .. }
            | Node::BackReferenceReadNode { .. }
            | Node::NumberedReferenceReadNode { .. }
    ) && known(node).is_none()
}
