//! Statements, and what surrounds them: programs, parentheses, `begin`, bodies with `rescue`.

use super::{Events, Val};
use ruby_prism::{BeginNode, EnsureNode, Node, ParenthesesNode, RescueNode, StatementsNode};

impl Events<'_> {
    /// An expression, and the token behind it, which the grammar needs to know that it ends.
    pub(super) fn expr(&mut self, node: &Node<'_>) -> Val {
        let value = self.node(node);
        let end = node.location().end();
        self.through(end);
        self.ahead(end);
        value
    }

    /// An expression that is part of one with operators.
    pub(super) fn operand(&mut self, node: &Node<'_>) -> Val {
        let jump = matches!(node, Node::BreakNode { .. } | Node::NextNode { .. } | Node::ReturnNode { .. });
        self.operand = jump;
        let value = self.expr(node);
        self.operand = false;
        value
    }

    /// Statements and what separates them, behind the token that ends at `after`.
    pub(super) fn compstmt(&mut self, statements: Option<&StatementsNode<'_>>, after: u32) -> Val {
        let nodes: Vec<Node<'_>> = statements.map(|s| s.body().iter().collect()).unwrap_or_default();
        self.statement_list(&nodes, after)
    }

    pub(super) fn statement_list(&mut self, nodes: &[Node<'_>], after: u32) -> Val {
        let mut list = None;
        let mut end = after;
        let begun = self.tokens.ends_statement(self.next_of(after));
        if nodes.is_empty() || begun {
            self.ahead(after);
            let empty = self.event("stmts_new", &[]);
            let void = self.event("void_stmt", &[]);
            list = Some(self.event("stmts_add", &[empty, void]));
        }
        for node in nodes {
            // `BEGIN { }` is complete without the next token.
            let value = if node.as_pre_execution_node().is_some() { self.node(node) } else { self.expr(node) };
            end = node.location().end();
            let before = match list {
                Some(list) => list,
                None => self.event("stmts_new", &[]),
            };
            list = Some(self.event("stmts_add", &[before, value]));
        }
        self.ahead_of_terms(end);
        list.unwrap_or(Val::NIL)
    }

    /// The statements of an optional body, which is a `StatementsNode` here.
    pub(super) fn body(&mut self, body: Option<&Node<'_>>, after: u32) -> Val {
        match body {
            Some(node) => match node.as_statements_node() {
                Some(statements) => self.compstmt(Some(&statements), after),
                None => self.statement_list(std::slice::from_ref(node), after),
            },
            None => self.compstmt(None, after),
        }
    }

    /// A body that may have `rescue`, `else` and `ensure`.
    pub(super) fn bodystmt(&mut self, body: Option<&Node<'_>>, after: u32) -> Val {
        match body.and_then(Node::as_begin_node) {
            Some(begin) if begin.begin_keyword_loc().is_none() => self.begin_body(&begin, after),
            _ => {
                let statements = self.body(body, after);
                self.event("bodystmt", &[statements, Val::NIL, Val::NIL, Val::NIL])
            }
        }
    }

    fn begin_body(&mut self, begin: &BeginNode<'_>, after: u32) -> Val {
        let statements = self.compstmt(begin.statements().as_ref(), after);
        let rescue = begin.rescue_clause().map_or(Val::NIL, |clause| self.rescue(&clause));
        let other = begin
            .else_clause()
            .map_or(Val::NIL, |clause| self.compstmt(clause.statements().as_ref(), clause.else_keyword_loc().end()));
        let ensure = begin.ensure_clause().map_or(Val::NIL, |clause| self.ensure(&clause));
        self.event("bodystmt", &[statements, rescue, other, ensure])
    }

    fn ensure(&mut self, clause: &EnsureNode<'_>) -> Val {
        let statements = self.compstmt(clause.statements().as_ref(), clause.ensure_keyword_loc().end());
        self.event("ensure", &[statements])
    }

    /// A `rescue` and those that follow: they are a list that is read to its end before the first event.
    fn rescue(&mut self, first: &RescueNode<'_>) -> Val {
        let mut parts = vec![self.rescue_parts(first)];
        let mut clause = first.subsequent();
        while let Some(node) = clause {
            parts.push(self.rescue_parts(&node));
            clause = node.subsequent();
        }
        let mut following = Val::NIL;
        for [classes, variable, statements] in parts.into_iter().rev() {
            following = self.event("rescue", &[classes, variable, statements, following]);
        }
        following
    }

    fn rescue_parts(&mut self, clause: &RescueNode<'_>) -> [Val; 3] {
        let exceptions: Vec<Node<'_>> = clause.exceptions().iter().collect();
        let mut after = clause.keyword_loc().end();
        self.ahead(after);
        let classes = match exceptions.as_slice() {
            [] => Val::NIL,
            [one] if one.as_splat_node().is_none() => {
                let value = self.expr(one);
                self.array(&[value])
            }
            many => self.mrhs(many),
        };
        if let Some(last) = exceptions.last() {
            after = last.location().end();
        }
        let variable = clause.reference().map_or(Val::NIL, |target| {
            after = target.location().end();
            self.target(&target)
        });
        let after = self.then(after, clause.then_keyword_loc().map(|l| l.end()));
        let statements = self.compstmt(clause.statements().as_ref(), after);
        [classes, variable, statements]
    }

    /// Behind a condition: a separator, `then`, or both. Answers where it ends.
    pub(super) fn then(&mut self, after: u32, keyword: Option<u32>) -> u32 {
        if let Some(end) = keyword {
            self.through(end);
            return end;
        }
        let next = self.next_of(after);
        match self.tokens.get(next) {
            Some(token) if self.tokens.ends_statement(next) => {
                self.through_number(next);
                // A separator may be followed by `then`.
                let behind = self.tokens.after(next);
                self.through_number(behind);
                token.start + token.length
            }
            _ => after,
        }
    }

    pub(super) fn parentheses(&mut self, node: &ParenthesesNode<'_>) -> Val {
        let after = node.opening_loc().end();
        self.through(after);
        let statements = self.body(node.body().as_ref(), after);
        self.through(node.closing_loc().end());
        self.event("paren", &[statements])
    }

    pub(super) fn begin(&mut self, node: &BeginNode<'_>) -> Val {
        let after = node.begin_keyword_loc().map_or(node.location().start(), |l| l.end());
        self.through(after);
        let body = self.begin_body(node, after);
        self.through(node.location().end());
        self.event("begin", &[body])
    }
}
