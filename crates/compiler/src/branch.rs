//! Conditions: `if`, `unless`, `and`, `or`, and the jumps they become.

use ruby_prism::{CallNode, IfNode, Node, StatementsNode, UnlessNode};

use crate::analysis::MAX_DEPTH;
use crate::builder::Label;
use crate::coverage::{Cond, place_of};
use crate::errors::{CompileError, R};
use crate::expr::single;
use crate::opcode::{DefinedKind, Op};
use crate::operators::{plain_call, small_int};
use crate::source::Compiler;
use crate::vars::Place;

/// What is known of a condition without evaluating it.
fn constant(node: &Node<'_>) -> Option<bool> {
    match node {
        Node::TrueNode { .. }
        | Node::IntegerNode { .. }
        | Node::FloatNode { .. }
        | Node::StringNode { .. }
        | Node::SymbolNode { .. }
        | Node::SelfNode { .. } => {
            // `self` may be nil.
            if matches!(node, Node::SelfNode { .. }) { None } else { Some(true) }
        }
        Node::NilNode { .. } | Node::FalseNode { .. } => Some(false),
        _ => None,
    }
}

/// May the condition be true, and may it be false, as far as can be told without evaluating it?
fn may_be_both(node: &Node<'_>) -> bool {
    fn ways(node: &Node<'_>) -> (bool, bool) {
        if let Some(and) = node.as_and_node() {
            let (left, right) = (ways(&and.left()), ways(&and.right()));
            return (left.0 && right.0, left.1 || left.0 && right.1);
        }
        if let Some(or) = node.as_or_node() {
            let (left, right) = (ways(&or.left()), ways(&or.right()));
            return (left.0 || left.1 && right.0, left.1 && right.1);
        }
        match constant(node) {
            Some(known) => (known, !known),
            None => (true, true),
        }
    }
    ways(node) == (true, true)
}

fn comparison(name: &[u8]) -> Option<(Op, Op)> {
    Some(match name {
        b"<" => (Op::JmpLt, Op::JmpLtI),
        b"<=" => (Op::JmpLe, Op::JmpLeI),
        b">" => (Op::JmpGt, Op::JmpGtI),
        b">=" => (Op::JmpGe, Op::JmpGeI),
        b"==" => (Op::JmpEq, Op::JmpEqI),
        b"!=" => (Op::JmpNe, Op::JmpNeI),
        _ => return None,
    })
}

fn is_comparison(call: &CallNode<'_>) -> bool {
    comparison(call.name().as_slice()).is_some() && plain_call(call, 1).is_some()
}

/// Whether a backward jump on `node` would be a fused one (and so polls) whenever it is taken.
pub(crate) fn fused(node: &Node<'_>, when: bool) -> bool {
    if let Some(call) = node.as_call_node() {
        if call.name().as_slice() == b"!"
            && let Some((receiver, _)) = plain_call(&call, 0)
        {
            return fused(&receiver, !when);
        }
        return is_comparison(&call);
    }
    if let Some(and) = node.as_and_node() {
        return if when { fused(&and.right(), true) } else { fused(&and.left(), false) && fused(&and.right(), false) };
    }
    if let Some(or) = node.as_or_node() {
        return if when { fused(&or.left(), true) && fused(&or.right(), true) } else { fused(&or.right(), false) };
    }
    if let Some(parens) = node.as_parentheses_node() {
        return single(&parens).is_some_and(|inner| fused(&inner, when));
    }
    false
}

impl<'pr> Compiler<'_, 'pr> {
    /// Jumps to `target` if the truth of `node` is `when`; else goes on behind.
    pub(crate) fn branch(&mut self, node: &Node<'pr>, when: bool, target: Label) -> R {
        if self.depth >= MAX_DEPTH {
            return Err(CompileError::Limit { message: "nesting too deep".into(), line: node.location().start_line() });
        }
        self.depth += 1;
        let mark = self.mark();
        self.line_of(node);
        let result = self.branch_inner(node, when, target);
        self.release(mark);
        self.depth -= 1;
        result
    }

    fn branch_inner(&mut self, node: &Node<'pr>, when: bool, target: Label) -> R {
        if let Some(known) = constant(node) {
            return if known == when { self.f().jump(Op::Jmp, 0, target) } else { Ok(()) };
        }
        let both = node
            .as_and_node()
            .map(|n| (n.left(), n.right(), false))
            .or_else(|| node.as_or_node().map(|n| (n.left(), n.right(), true)));
        if let Some((left, right, decides)) = both {
            // `decides`: the truth of the left side that settles the whole.
            if when == decides {
                self.branch(&left, when, target)?;
                return self.branch(&right, when, target);
            }
            let skip = self.f().label();
            self.branch(&left, decides, skip)?;
            self.branch(&right, when, target)?;
            self.f().bind(skip);
            return Ok(());
        }
        if let Some(parens) = node.as_parentheses_node()
            && let Some(inner) = single(&parens)
        {
            self.mark_statement(&inner);
            return self.branch(&inner, when, target);
        }
        if let Some(call) = node.as_call_node() {
            if call.name().as_slice() == b"!"
                && let Some((receiver, _)) = plain_call(&call, 0)
            {
                if self.options.internal {
                    return self.branch(&receiver, !when, target);
                }
                // A program may define it.
                let value = self.operand(&receiver)?;
                let site = self.operator_site(&call, 0)?;
                self.call_line(&call);
                return self.f().jump_compare(Op::JmpNot, when, value, 0, site, target);
            }
            if let Some((op, immediate)) = comparison(call.name().as_slice())
                && let Some((receiver, Some(argument))) = plain_call(&call, 1)
            {
                let left = self.operand_before(&receiver, &[&argument])?;
                let site = self.operator_site(&call, 1)?;
                if let Some(n) = small_int(&argument) {
                    self.call_line(&call);
                    return self.f().jump_compare(immediate, when, left, n as u16, site, target);
                }
                let right = self.operand(&argument)?;
                self.call_line(&call);
                return self.f().jump_compare(op, when, left, right, site, target);
            }
        }
        if let Some(asked) = node.as_defined_node()
            && let Some(read) = asked.value().as_instance_variable_read_node()
        {
            let (t, name) = (self.temp()?, self.sym(read.name().as_slice())?);
            let lit = self.f().sym_literal(name)?;
            self.f().emit_x(Op::Defined, DefinedKind::HasIvar as u8, t, 0, lit)?;
            return self.f().jump(if when { Op::JmpIf } else { Op::JmpUnless }, t, target);
        }
        // Whether a block was given can be told without making it an object.
        if let Some(read) = node.as_local_variable_read_node() {
            let name = self.sym(read.name().as_slice())?;
            if self.place(name, read.depth())? == Place::Block {
                let t = self.temp()?;
                self.emit(Op::BlockGiven, t, 0, 0)?;
                return self.f().jump(if when { Op::JmpIf } else { Op::JmpUnless }, t, target);
            }
        }
        let value = self.operand(node)?;
        self.f().jump(if when { Op::JmpIf } else { Op::JmpUnless }, value, target)
    }

    pub(crate) fn if_node(&mut self, node: &IfNode<'pr>, dst: Option<u16>) -> R {
        self.mark_statement(&node.as_node());
        let subsequent = node.subsequent();
        let counted = self.has_branches() && may_be_both(&node.predicate());
        if dst.is_none()
            && subsequent.is_none()
            && !counted
            && let Some(target) = self.plain_way_out(node.statements())
        {
            return self.branch(&node.predicate(), true, target);
        }
        self.two_ways(
            &node.predicate(),
            false,
            dst,
            |c| if counted { c.if_condition(node) } else { Cond::default() },
            |c, cond, dst| {
                c.way(cond, 0)?;
                c.statements_opt(node.statements(), dst)
            },
            (subsequent.is_some() || counted).then_some(move |c: &mut Self, cond, dst: Option<u16>| {
                c.way(cond, 1)?;
                match subsequent {
                    None => c.nil(dst),
                    Some(n) => match n.as_else_node() {
                        Some(e) => c.statements_opt(e.statements(), dst),
                        None => c.expr(&n, dst),
                    },
                }
            }),
        )
    }

    pub(crate) fn unless_node(&mut self, node: &UnlessNode<'pr>, dst: Option<u16>) -> R {
        self.mark_statement(&node.as_node());
        let counted = self.has_branches() && may_be_both(&node.predicate());
        if dst.is_none()
            && node.else_clause().is_none()
            && !counted
            && let Some(target) = self.plain_way_out(node.statements())
        {
            return self.branch(&node.predicate(), false, target);
        }
        self.two_ways(
            &node.predicate(),
            true,
            dst,
            |c| if counted { c.unless_condition(node) } else { Cond::default() },
            |c, cond, dst| {
                c.way(cond, 1)?;
                c.statements_opt(node.statements(), dst)
            },
            (node.else_clause().is_some() || counted).then_some(move |c: &mut Self, cond, dst: Option<u16>| {
                c.way(cond, 0)?;
                c.statements_opt(node.else_clause().and_then(|e| e.statements()), dst)
            }),
        )
    }

    /// What coverage counts of an `if`.
    fn if_condition(&mut self, node: &IfNode<'pr>) -> Cond {
        let location = node.location();
        let whole = place_of(&location);
        let then = match node.statements() {
            Some(statements) => place_of(&statements.location()),
            None => {
                let end = place_of(&node.predicate().location());
                [end[2], end[3], end[2], end[3]]
            }
        };
        let other = match node.subsequent() {
            None => whole,
            Some(next) => match next.as_else_node().and_then(|clause| clause.statements()) {
                Some(statements) => place_of(&statements.location()),
                None => place_of(&next.location()),
            },
        };
        self.condition("if", &location, whole, &[("then", then), ("else", other)])
    }

    /// What coverage counts of an `unless`.
    fn unless_condition(&mut self, node: &UnlessNode<'pr>) -> Cond {
        let location = node.location();
        let whole = place_of(&location);
        let place = |statements: Option<StatementsNode<'pr>>| statements.map_or(whole, |s| place_of(&s.location()));
        let other = place(node.else_clause().and_then(|clause| clause.statements()));
        let ways = [("else", other), ("then", place(node.statements()))];
        self.condition("unless", &location, whole, &ways)
    }

    /// Runs `first` unless the truth of `predicate` is `away`, else `second`. `condition`: what coverage counts of it, behind the
    /// conditions in the predicate.
    fn two_ways(
        &mut self,
        predicate: &Node<'pr>,
        away: bool,
        dst: Option<u16>,
        condition: impl FnOnce(&mut Self) -> Cond,
        first: impl FnOnce(&mut Self, Cond, Option<u16>) -> R,
        second: Option<impl FnOnce(&mut Self, Cond, Option<u16>) -> R>,
    ) -> R {
        let other = self.f().label();
        self.branch(predicate, away, other)?;
        let cond = condition(self);
        first(self, cond, dst)?;
        if dst.is_none() && second.is_none() {
            self.f().bind(other);
            return Ok(());
        }
        let end = self.f().label();
        self.f().jump(Op::Jmp, 0, end)?;
        self.f().bind(other);
        match second {
            Some(second) => second(self, cond, dst)?,
            None => self.nil(dst)?,
        }
        self.f().bind(end);
        Ok(())
    }

    /// `left and right`, `left or right` as a value or a statement.
    pub(crate) fn and_or(
        &mut self,
        node: &Node<'pr>,
        left: &Node<'pr>,
        right: &Node<'pr>,
        or: bool,
        dst: Option<u16>,
    ) -> R {
        let _ = node;
        let end = self.f().label();
        let Some(dst) = dst else {
            self.branch(left, or, end)?;
            self.effect(right)?;
            self.f().bind(end);
            return Ok(());
        };
        let value = self.scratch(dst)?;
        self.expr(left, Some(value))?;
        self.f().jump(if or { Op::JmpIf } else { Op::JmpUnless }, value, end)?;
        self.expr(right, Some(value))?;
        self.f().bind(end);
        self.f().mov(dst, value)
    }
}
