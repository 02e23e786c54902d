//! Expressions: one dispatch over the kinds of nodes.
//!
//! `expr(node, dst)` evaluates `node`, into register `dst` if there is one. It writes `dst` only as the
//! last thing it does when `dst` is a local variable: the old value must be there as long as the
//! expression may still read it or raise.

use ruby_prism::{Node, StatementsNode};

use crate::analysis::{MAX_DEPTH, may_assign};
use crate::code::Literal;
use crate::errors::{CompileError, R};
use crate::opcode::Op;
use crate::source::Compiler;
use crate::vars::Place;

/// The flag that prism gives to literals of literals.
const STATIC_LITERAL: u16 = 2;

macro_rules! on {
    ($node:ident, $($cast:ident => |$n:ident| $body:expr,)*) => {
        $(if let Some($n) = $node.$cast() { return $body; })*
    };
}

impl<'pr> Compiler<'_, 'pr> {
    /// Evaluates `node`, into `dst` if there is one.
    pub(crate) fn expr(&mut self, node: &Node<'pr>, dst: Option<u16>) -> R {
        if self.depth >= MAX_DEPTH {
            return Err(CompileError::Limit { message: "nesting too deep".into(), line: node.location().start_line() });
        }
        if self.options.is_abandoned() {
            return Err(self.options.given_up());
        }
        self.depth += 1;
        let mark = self.mark();
        self.line_of(node);
        let result = self.dispatch(node, dst);
        self.release(mark);
        self.depth -= 1;
        result
    }

    pub(crate) fn line_of(&mut self, node: &Node<'pr>) {
        let line = node.location().start_line();
        self.f().line = u32::try_from(line).unwrap_or(0);
    }

    /// Evaluates for the effects alone.
    pub(crate) fn effect(&mut self, node: &Node<'pr>) -> R {
        self.expr(node, None)
    }

    /// Evaluates `node`; the register that holds the value is a local's own if the node reads one.
    pub(crate) fn operand(&mut self, node: &Node<'pr>) -> R<u16> {
        if let Some(read) = node.as_local_variable_read_node() {
            let name = self.sym(read.name().as_slice())?;
            let place = self.place(name, read.depth())?;
            if self.measured.is_some() {
                self.line_of(node);
                self.f().begin_counted()?;
            }
            return self.place_operand(place);
        }
        if let Some(parens) = node.as_parentheses_node()
            && let Some(inner) = single(&parens)
            && inner.as_local_variable_read_node().is_some()
        {
            return self.operand(&inner);
        }
        let t = self.temp()?;
        self.expr(node, Some(t))?;
        Ok(t)
    }

    /// Like `operand`, for a value that is used after `later` have been evaluated.
    pub(crate) fn operand_before(&mut self, node: &Node<'pr>, later: &[&Node<'pr>]) -> R<u16> {
        let inner = node.as_parentheses_node().and_then(|p| single(&p));
        let plain = inner.as_ref().unwrap_or(node);
        if let Some(read) = plain.as_local_variable_read_node()
            && later.iter().any(|l| may_assign(l, read.name().as_slice()))
        {
            let t = self.temp()?;
            self.expr(node, Some(t))?;
            return Ok(t);
        }
        self.operand(node)
    }

    /// A register to build up a value in that ends in `dst`: `dst` itself unless that is a local.
    pub(crate) fn scratch(&mut self, dst: u16) -> R<u16> {
        if self.f().is_local(dst) { self.temp() } else { Ok(dst) }
    }

    pub(crate) fn statements_opt(&mut self, node: Option<StatementsNode<'pr>>, dst: Option<u16>) -> R {
        match node {
            Some(node) => self.statements(&node, dst),
            None => self.nil(dst),
        }
    }

    /// A sequence; the value is that of the last one.
    pub(crate) fn statements(&mut self, node: &StatementsNode<'pr>, dst: Option<u16>) -> R {
        let body = node.body();
        let last = body.len().wrapping_sub(1);
        if body.is_empty() {
            return self.nil(dst);
        }
        for (n, statement) in body.iter().enumerate() {
            self.mark_statement(&statement);
            self.expr(&statement, if n == last { dst } else { None })?;
        }
        Ok(())
    }

    /// Tells tracers where a statement begins. A `begin` without a body begins with its first `rescue`.
    pub(crate) fn mark_statement(&mut self, node: &Node<'pr>) {
        let empty = node.as_begin_node().filter(|begin| begin.statements().is_none());
        let clause = empty.and_then(|begin| begin.rescue_clause());
        let line = match clause {
            Some(clause) => clause.location().start_line(),
            None => node.location().start_line(),
        };
        let line = u32::try_from(line).unwrap_or(0);
        self.f().mark_line(line);
        if self.has_lines() {
            self.f().count_line(line);
        }
    }

    pub(crate) fn body(&mut self, node: Option<Node<'pr>>, dst: Option<u16>) -> R {
        match node {
            Some(node) => self.expr(&node, dst),
            None => self.nil(dst),
        }
    }

    pub(crate) fn nil(&mut self, dst: Option<u16>) -> R {
        match dst {
            Some(dst) => self.emit(Op::LoadNil, dst, 0, 0),
            None => Ok(()),
        }
    }

    pub(crate) fn load_int(&mut self, n: i64, dst: u16) -> R {
        match i32::try_from(n) {
            Ok(small) => self.f().emit_bc(Op::LoadInt, dst, small as u32),
            Err(_) => self.load_literal(Literal::Int(n), dst),
        }
    }

    pub(crate) fn load_literal(&mut self, literal: Literal, dst: u16) -> R {
        let lit = self.f().wide_literal(literal)?;
        self.f().emit_bc(Op::LoadLit, dst, lit)
    }

    /// Runs `load` on the destination, if there is one.
    fn load(&mut self, dst: Option<u16>, load: impl FnOnce(&mut Self, u16) -> R) -> R {
        match dst {
            Some(dst) => load(self, dst),
            None => Ok(()),
        }
    }

    /// A destination in any case: a temporary if the value is not wanted.
    pub(crate) fn some(&mut self, dst: Option<u16>) -> R<u16> {
        match dst {
            Some(dst) => Ok(dst),
            None => self.temp(),
        }
    }

    fn dispatch(&mut self, node: &Node<'pr>, dst: Option<u16>) -> R {
        match node {
            Node::NilNode { .. } => return self.nil(dst),
            Node::TrueNode { .. } => return self.load(dst, |c, d| c.emit(Op::LoadTrue, d, 0, 0)),
            Node::FalseNode { .. } => return self.load(dst, |c, d| c.emit(Op::LoadFalse, d, 0, 0)),
            Node::SelfNode { .. } => return self.load(dst, |c, d| c.emit(Op::LoadSelf, d, 0, 0)),
            Node::IntegerNode { .. }
            | Node::FloatNode { .. }
            | Node::RationalNode { .. }
            | Node::ImaginaryNode { .. }
            | Node::SymbolNode { .. }
            | Node::StringNode { .. }
            | Node::RegularExpressionNode { .. }
            | Node::SourceFileNode { .. }
            | Node::SourceLineNode { .. } => {
                return self.load(dst, |c, d| c.load_constant(node, d));
            }
            Node::RedoNode { .. } => return self.redo_(),
            Node::RetryNode { .. } => return self.retry(),
            _ => {}
        }
        on! { node,
            as_call_node => |n| self.call(&n, dst),
            as_local_variable_read_node => |n| {
                let name = self.sym(n.name().as_slice())?;
                let place = self.place(name, n.depth())?;
                self.load(dst, |c, d| c.read_place(place, d))
            },
            as_statements_node => |n| self.statements(&n, dst),
            as_local_variable_write_node => |n| {
                let name = self.sym(n.name().as_slice())?;
                let place = self.place(name, n.depth())?;
                self.write_local(place, &n.value(), dst)
            },
            as_instance_variable_read_node => |n| {
                let d = self.some(dst)?;
                self.read_ivar(n.name().as_slice(), d)
            },
            as_instance_variable_write_node => |n| {
                let value = self.value_for(&n.value(), dst)?;
                self.write_ivar(n.name().as_slice(), value)?;
                self.move_to(dst, value)
            },
            as_constant_read_node => |n| {
                let d = self.some(dst)?;
                let name = self.sym(n.name().as_slice())?;
                self.get_const(&[name], false, d)
            },
            as_constant_path_node => |n| {
                let d = self.some(dst)?;
                self.const_path(&n, d)
            },
            as_if_node => |n| self.if_node(&n, dst),
            as_unless_node => |n| self.unless_node(&n, dst),
            as_and_node => |n| self.and_or(node, &n.left(), &n.right(), false, dst),
            as_or_node => |n| self.and_or(node, &n.left(), &n.right(), true, dst),
            as_parentheses_node => |n| self.body(n.body(), dst),
            as_return_node => |n| self.return_(&n),
            as_array_node => |n| self.array(&n, dst),
            as_hash_node => |n| {
                if n.flags() & STATIC_LITERAL != 0 {
                    self.f().begin_counted()?;
                }
                self.hash(&n, dst)
            },
            as_def_node => |n| self.def(&n, dst),
            as_yield_node => |n| self.yield_(&n, dst),
            as_while_node => |n| self.while_(&n, dst),
            as_until_node => |n| self.until(&n, dst),
            as_begin_node => |n| self.begin(&n, dst),
            as_interpolated_string_node => |n| self.interpolated_string(&n, dst),
            as_interpolated_symbol_node => |n| self.interpolated_symbol(&n, dst),
            as_case_node => |n| self.case(&n, dst),
            as_next_node => |n| self.next(&n),
            as_break_node => |n| self.break_(&n),
            as_super_node => |n| self.super_(&n, dst),
            as_forwarding_super_node => |n| self.zsuper(&n, dst),
            as_lambda_node => |n| self.lambda(&n, dst),
            as_multi_write_node => |n| self.multi_write(&n, dst),
            as_class_node => |n| self.class(&n, dst),
            as_module_node => |n| self.module(&n, dst),
            as_singleton_class_node => |n| self.singleton_class(&n, dst),
            as_global_variable_read_node => |n| {
                let d = self.some(dst)?;
                self.named(Op::GetGlobal, d, n.name().as_slice())
            },
            as_global_variable_write_node => |n| {
                let value = self.value_for(&n.value(), dst)?;
                self.named(Op::SetGlobal, value, n.name().as_slice())?;
                self.move_to(dst, value)
            },
            as_class_variable_read_node => |n| {
                let d = self.some(dst)?;
                self.named(Op::GetCvar, d, n.name().as_slice())
            },
            as_class_variable_write_node => |n| {
                let value = self.value_for(&n.value(), dst)?;
                self.named(Op::SetCvar, value, n.name().as_slice())?;
                self.move_to(dst, value)
            },
            as_constant_write_node => |n| {
                let value = self.value_for(&n.value(), dst)?;
                let name = self.sym(n.name().as_slice())?;
                self.set_const(None, name, value)?;
                self.move_to(dst, value)
            },
            as_constant_path_write_node => |n| self.const_path_write(&n, dst),
            as_rescue_modifier_node => |n| self.rescue_modifier(&n, dst),
            as_range_node => |n| self.range(node, &n, dst),
            as_it_local_variable_read_node => |_n| {
                let place = self.it_place();
                self.load(dst, |c, d| c.read_place(place, d))
            },
            as_interpolated_regular_expression_node => |n| self.interpolated_regexp(&n, dst),
            as_x_string_node => |n| self.x_string(&n, dst),
            as_interpolated_x_string_node => |n| self.interpolated_x_string(&n, dst),
            as_back_reference_read_node => |n| {
                let number = match n.name().as_slice() {
                    b"$&" => 0,
                    b"$`" => 1,
                    b"$'" => 2,
                    _ => 3,
                };
                self.load(dst, |c, d| c.emit(Op::GetBackref, d, number, 0))
            },
            as_numbered_reference_read_node => |n| self.load(dst, |c, d| {
                match u16::try_from(n.number()) {
                    Ok(number) if (1..=u16::MAX - 8).contains(&number) => c.emit(Op::GetBackref, d, 4 + number, 0),
                    // No regexp has so many groups.
                    _ => c.nil(Some(d)),
                }
            }),
            as_defined_node => |n| self.defined(&n.value(), dst),
            as_case_match_node => |n| self.case_match(&n, dst),
            as_match_required_node => |n| self.match_required(&n, dst),
            as_match_predicate_node => |n| self.match_predicate(&n, dst),
            as_match_write_node => |n| self.match_write(&n, dst),
            as_match_last_line_node => |_n| self.match_last_line(node, dst),
            as_interpolated_match_last_line_node => |_n| self.match_last_line(node, dst),
            as_flip_flop_node => |n| self.flip_flop(&n, dst),
            as_for_node => |n| self.for_(&n, dst),
            as_alias_method_node => |n| self.alias_method(&n, dst),
            as_alias_global_variable_node => |n| self.alias_global(&n, dst),
            as_undef_node => |n| self.undef(&n, dst),
            as_post_execution_node => |n| self.post_execution(&n, dst),
            as_pre_execution_node => |_n| self.nil(dst),
            as_splat_node => |n| {
                let d = self.some(dst)?;
                let value = self.splat_operand(&n)?;
                self.emit(Op::SplatArray, d, value, 0)
            },
            as_implicit_node => |n| self.expr(&n.value(), dst),
            as_shareable_constant_node => |n| {
                let mode = if n.is_literal() {
                    "literal"
                } else if n.is_experimental_copy() {
                    "copy"
                } else {
                    "everything"
                };
                let outer = self.shareable.replace(mode);
                let done = self.expr(&n.write(), dst);
                self.shareable = outer;
                done
            },
            as_source_encoding_node => |_n| self.source_encoding(dst),
            // A tracer is not told of a single interpolated expression.
            as_embedded_statements_node => |n| match n.statements().as_ref().and_then(only) {
                Some(statement) => self.expr(&statement, dst),
                None => self.statements_opt(n.statements(), dst),
            },
            as_embedded_variable_node => |n| self.expr(&n.variable(), dst),
            as_keyword_hash_node => |n| {
                let d = self.some(dst)?;
                self.hash_elements(&n.elements(), d)
            },
        }
        if self.op_assign(node, dst)? {
            return Ok(());
        }
        let name = format!("{node:?}");
        let name = name.split(['(', ' ', '{']).next().unwrap_or_default().to_string();
        self.not_supported(&name)
    }

    /// Evaluates a value that is assigned somewhere and then is the value of the assignment too.
    pub(crate) fn value_for(&mut self, node: &Node<'pr>, dst: Option<u16>) -> R<u16> {
        match dst {
            // A local as destination of the whole must not be changed before the assignment is done.
            Some(dst) if !self.f().is_local(dst) => {
                self.expr(node, Some(dst))?;
                Ok(dst)
            }
            _ => self.operand(node),
        }
    }

    pub(crate) fn move_to(&mut self, dst: Option<u16>, src: u16) -> R {
        match dst {
            Some(dst) => self.f().mov(dst, src),
            None => Ok(()),
        }
    }

    fn write_local(&mut self, place: Place, value: &Node<'pr>, dst: Option<u16>) -> R {
        match place {
            Place::Reg(r) => {
                self.expr(value, Some(r))?;
                self.move_to(dst, r)
            }
            _ => {
                let value = self.value_for(value, dst)?;
                self.write_place(place, value)?;
                self.move_to(dst, value)
            }
        }
    }

    fn const_path_write(&mut self, node: &ruby_prism::ConstantPathWriteNode<'pr>, dst: Option<u16>) -> R {
        let target = node.target();
        let Some(name) = target.name() else {
            return self.not_supported("constant path without a name");
        };
        let module = self.const_parent(target.parent().as_ref())?;
        let value = self.value_for(&node.value(), dst)?;
        let name = self.sym(name.as_slice())?;
        self.set_const(Some(module), name, value)?;
        self.move_to(dst, value)
    }

    /// The value that `*value` spreads; for a bare `*` the anonymous rest parameter.
    pub(crate) fn splat_operand(&mut self, node: &ruby_prism::SplatNode<'pr>) -> R<u16> {
        if let Some(value) = node.expression() {
            return self.operand(&value);
        }
        let name = self.sym(b"*")?;
        match self.anonymous(name)? {
            Some(place) => self.place_operand(place),
            None => self.not_supported("anonymous rest parameter here"),
        }
    }

    /// The block's only parameter, `it`.
    fn it_place(&mut self) -> Place {
        let f = self.f();
        if f.locals.first().is_some_and(|l| l.captured) { Place::Up(0, 0) } else { Place::Reg(0) }
    }
}

/// The only statement there is.
fn only<'pr>(statements: &StatementsNode<'pr>) -> Option<Node<'pr>> {
    let body = statements.body();
    if body.len() == 1 { body.first() } else { None }
}

/// The one statement in parentheses.
pub(crate) fn single<'pr>(parens: &ruby_prism::ParenthesesNode<'pr>) -> Option<Node<'pr>> {
    let body = parens.body()?;
    match body.as_statements_node() {
        Some(statements) if statements.body().len() == 1 => statements.body().first(),
        Some(_) => None,
        None => Some(body),
    }
}
