//! Conditions, loops, jumps, and the program.

use super::arguments::is_command;
use super::{Events, Val};
use ruby_prism::{
    ArgumentsNode, BlockNode, BreakNode, CallNode, CaseNode, ElseNode, ForNode, IfNode, Location, NextNode, Node,
    PostExecutionNode, PreExecutionNode, ProgramNode, RescueModifierNode, ReturnNode, StatementsNode, UnlessNode,
    UntilNode, WhenNode, WhileNode,
};

impl Events<'_> {
    pub(super) fn program(&mut self, node: &ProgramNode<'_>) -> Val {
        let statements = self.compstmt(Some(&node.statements()), 0);
        self.through_number(self.tokens.count().saturating_sub(1));
        self.event("program", &[statements])
    }

    pub(super) fn if_(&mut self, node: &IfNode<'_>) -> Val {
        let Some(keyword) = node.if_keyword_loc() else {
            return self.ternary(node);
        };
        if node.end_keyword_loc().is_none() {
            return self.modifier("if_mod", &node.predicate(), node.statements().as_ref());
        }
        self.through(keyword.end());
        let predicate = node.predicate();
        let condition = self.expr(&predicate);
        let after = self.then(predicate.location().end(), node.then_keyword_loc().map(|l| l.end()));
        let statements = self.compstmt(node.statements().as_ref(), after);
        let tail = self.if_tail(node.subsequent());
        self.through(node.location().end());
        self.event("if", &[condition, statements, tail])
    }

    /// The `elsif`s, which are a list that is read to its end before the first event, and `else`.
    fn if_tail(&mut self, first: Option<Node<'_>>) -> Val {
        let mut parts = Vec::new();
        let mut tail = Val::NIL;
        let mut clause = first;
        while let Some(node) = clause.take() {
            if let Some(inner) = node.as_if_node() {
                if let Some(keyword) = inner.if_keyword_loc() {
                    self.through(keyword.end());
                }
                let predicate = inner.predicate();
                let condition = self.expr(&predicate);
                let after = self.then(predicate.location().end(), inner.then_keyword_loc().map(|l| l.end()));
                parts.push([condition, self.compstmt(inner.statements().as_ref(), after)]);
                clause = inner.subsequent();
            } else if let Some(inner) = node.as_else_node() {
                tail = self.else_(&inner);
            }
        }
        for [condition, statements] in parts.into_iter().rev() {
            tail = self.event("elsif", &[condition, statements, tail]);
        }
        tail
    }

    pub(super) fn else_(&mut self, node: &ElseNode<'_>) -> Val {
        let after = node.else_keyword_loc().end();
        self.through(after);
        let statements = self.compstmt(node.statements().as_ref(), after);
        self.event("else", &[statements])
    }

    fn ternary(&mut self, node: &IfNode<'_>) -> Val {
        let condition = self.expr(&node.predicate());
        let first = node.statements().and_then(|s| s.body().first()).map_or(Val::NIL, |n| self.operand(&n));
        let second = node
            .subsequent()
            .and_then(|n| n.as_else_node())
            .and_then(|n| n.statements())
            .and_then(|s| s.body().first())
            .map_or(Val::NIL, |n| self.operand(&n));
        self.event("ifop", &[condition, first, second])
    }

    /// A statement with its condition behind it.
    fn modifier(&mut self, event: &str, predicate: &Node<'_>, statements: Option<&StatementsNode<'_>>) -> Val {
        let body = statements.and_then(|s| s.body().first()).map_or(Val::NIL, |n| self.expr(&n));
        let condition = self.expr(predicate);
        self.event(event, &[condition, body])
    }

    pub(super) fn unless(&mut self, node: &UnlessNode<'_>) -> Val {
        if node.end_keyword_loc().is_none() {
            return self.modifier("unless_mod", &node.predicate(), node.statements().as_ref());
        }
        self.through(node.unless_keyword_loc().end());
        let predicate = node.predicate();
        let condition = self.expr(&predicate);
        let after = self.then(predicate.location().end(), node.then_keyword_loc().map(|l| l.end()));
        let statements = self.compstmt(node.statements().as_ref(), after);
        let tail = node.else_clause().map_or(Val::NIL, |clause| self.else_(&clause));
        self.through(node.location().end());
        self.event("unless", &[condition, statements, tail])
    }

    pub(super) fn while_(&mut self, node: &WhileNode<'_>) -> Val {
        let Some(end) = node.end_keyword_loc() else {
            return self.modifier("while_mod", &node.predicate(), node.statements().as_ref());
        };
        self.through(node.while_keyword_loc().end());
        let keyword = node.do_keyword_loc();
        self.looped("while", &node.predicate(), keyword.as_ref(), node.statements().as_ref(), &end)
    }

    pub(super) fn until(&mut self, node: &UntilNode<'_>) -> Val {
        let Some(end) = node.end_keyword_loc() else {
            return self.modifier("until_mod", &node.predicate(), node.statements().as_ref());
        };
        self.through(node.until_keyword_loc().end());
        let keyword = node.do_keyword_loc();
        self.looped("until", &node.predicate(), keyword.as_ref(), node.statements().as_ref(), &end)
    }

    fn looped(
        &mut self,
        event: &str,
        predicate: &Node<'_>,
        keyword: Option<&Location<'_>>,
        statements: Option<&StatementsNode<'_>>,
        end: &Location<'_>,
    ) -> Val {
        let condition = self.expr(predicate);
        let after = self.loop_body(predicate, keyword);
        let statements = self.compstmt(statements, after);
        self.through(end.end());
        self.event(event, &[condition, statements])
    }

    /// Behind `do`, or the separator that stands for it.
    fn loop_body(&mut self, predicate: &Node<'_>, keyword: Option<&Location<'_>>) -> u32 {
        match keyword {
            Some(keyword) => {
                self.through(keyword.end());
                keyword.end()
            }
            None => self.behind_term(predicate.location().end()),
        }
    }

    pub(super) fn for_(&mut self, node: &ForNode<'_>) -> Val {
        self.through(node.for_keyword_loc().end());
        let variable = self.target(&node.index());
        self.through(node.in_keyword_loc().end());
        let collection = node.collection();
        let value = self.expr(&collection);
        let after = self.loop_body(&collection, node.do_keyword_loc().as_ref());
        let statements = self.compstmt(node.statements().as_ref(), after);
        self.through(node.end_keyword_loc().end());
        self.event("for", &[variable, value, statements])
    }

    pub(super) fn case(&mut self, node: &CaseNode<'_>) -> Val {
        let subject = self.subject(node.predicate().as_ref(), &node.case_keyword_loc());
        let mut parts = Vec::new();
        for clause in node.conditions().iter() {
            if let Some(clause) = clause.as_when_node() {
                parts.push(self.when(&clause));
            }
        }
        let mut tail = node.else_clause().map_or(Val::NIL, |clause| self.else_(&clause));
        for [conditions, statements] in parts.into_iter().rev() {
            tail = self.event("when", &[conditions, statements, tail]);
        }
        self.through(node.end_keyword_loc().end());
        self.event("case", &[subject, tail])
    }

    pub(super) fn subject(&mut self, predicate: Option<&Node<'_>>, keyword: &Location<'_>) -> Val {
        self.through(keyword.end());
        predicate.map_or(Val::NIL, |node| self.expr(node))
    }

    fn when(&mut self, node: &WhenNode<'_>) -> [Val; 2] {
        let mut after = node.when_keyword_loc().end();
        self.through(after);
        let conditions: Vec<Node<'_>> = node.conditions().iter().collect();
        let list = self.args(&conditions, false);
        if let Some(last) = conditions.last() {
            after = last.location().end();
        }
        let after = self.then(after, node.then_keyword_loc().map(|l| l.end()));
        [list, self.compstmt(node.statements().as_ref(), after)]
    }

    pub(super) fn rescue_modifier(&mut self, node: &RescueModifierNode<'_>) -> Val {
        let value = self.expr(&node.expression());
        let other = self.expr(&node.rescue_expression());
        self.event("rescue_mod", &[value, other])
    }

    pub(super) fn return_(&mut self, node: &ReturnNode<'_>) -> Val {
        if node.arguments().is_none() {
            self.jump_arguments(None, &node.keyword_loc());
            return self.event("return0", &[]);
        }
        self.jump("return", node.arguments(), &node.keyword_loc())
    }

    pub(super) fn break_(&mut self, node: &BreakNode<'_>) -> Val {
        self.jump("break", node.arguments(), &node.keyword_loc())
    }

    pub(super) fn next_(&mut self, node: &NextNode<'_>) -> Val {
        self.jump("next", node.arguments(), &node.keyword_loc())
    }

    fn jump(&mut self, event: &str, arguments: Option<ArgumentsNode<'_>>, keyword: &Location<'_>) -> Val {
        let held = arguments.as_ref().and_then(held_block);
        let list = match held {
            Some((argument, block)) => return self.jump_with_block(event, keyword, &argument, &block),
            None => self.jump_arguments(arguments, keyword),
        };
        let list = match list {
            Some(list) => list,
            None => self.event("args_new", &[]),
        };
        self.event(event, &[list])
    }

    /// `break m 1 do … end`: to the grammar the block is that of all of it.
    fn jump_with_block(
        &mut self,
        event: &str,
        keyword: &Location<'_>,
        argument: &CallNode<'_>,
        block: &BlockNode<'_>,
    ) -> Val {
        self.through(keyword.end());
        self.hold_block = true;
        let value = self.call(argument);
        let empty = self.event("args_new", &[]);
        let list = self.event("args_add", &[empty, value]);
        let jump = self.event(event, &[list]);
        self.with_block(jump, Some(block))
    }

    fn jump_arguments(&mut self, arguments: Option<ArgumentsNode<'_>>, keyword: &Location<'_>) -> Option<Val> {
        let end = keyword.end();
        self.through(end);
        let Some(arguments) = arguments else {
            if !self.operand {
                self.ahead(end);
            }
            return None;
        };
        let nodes: Vec<Node<'_>> = arguments.arguments().iter().collect();
        Some(self.call_args(&nodes, None, false))
    }

    pub(super) fn pre_execution(&mut self, node: &PreExecutionNode<'_>) -> Val {
        let after = node.opening_loc().end();
        self.through(after);
        let statements = self.compstmt(node.statements().as_ref(), after);
        self.through(node.closing_loc().end());
        self.event("BEGIN", &[statements])
    }

    pub(super) fn post_execution(&mut self, node: &PostExecutionNode<'_>) -> Val {
        let after = node.opening_loc().end();
        self.through(after);
        let statements = self.compstmt(node.statements().as_ref(), after);
        self.through(node.closing_loc().end());
        self.event("END", &[statements])
    }
}

/// The only argument, if it is a command with a block of `do`.
fn held_block<'pr>(arguments: &ArgumentsNode<'pr>) -> Option<(CallNode<'pr>, BlockNode<'pr>)> {
    let list = arguments.arguments();
    let only = list.first().filter(|_| list.len() == 1)?;
    if !is_command(&only) {
        return None;
    }
    let call = only.as_call_node()?;
    let block = call.block()?.as_block_node().filter(|b| b.opening_loc().as_slice() == b"do")?;
    Some((call, block))
}
