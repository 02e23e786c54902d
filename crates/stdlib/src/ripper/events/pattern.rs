//! Patterns.

use super::{Events, Val};
use ruby_prism::{
    AlternationPatternNode, ArrayPatternNode, CapturePatternNode, CaseMatchNode, FindPatternNode, HashPatternNode,
    InNode, Location, MatchPredicateNode, MatchRequiredNode, Node, PinnedExpressionNode, PinnedVariableNode, SplatNode,
};

impl Events<'_> {
    pub(super) fn case_match(&mut self, node: &CaseMatchNode<'_>) -> Val {
        let subject = self.subject(node.predicate().as_ref(), &node.case_keyword_loc());
        let mut parts = Vec::new();
        for clause in node.conditions().iter() {
            if let Some(clause) = clause.as_in_node() {
                parts.push(self.in_(&clause));
            }
        }
        let mut tail = node.else_clause().map_or(Val::NIL, |clause| self.else_(&clause));
        for [pattern, statements] in parts.into_iter().rev() {
            tail = self.event("in", &[pattern, statements, tail]);
        }
        self.through(node.end_keyword_loc().end());
        self.event("case", &[subject, tail])
    }

    fn in_(&mut self, node: &InNode<'_>) -> [Val; 2] {
        self.through(node.in_keyword_loc().end());
        let pattern = node.pattern();
        let value = match (pattern.as_if_node(), pattern.as_unless_node()) {
            (Some(guard), _) => {
                let inner = guard.statements().and_then(|s| s.body().first());
                self.guarded("if_mod", inner, &guard.predicate())
            }
            (_, Some(guard)) => {
                let inner = guard.statements().and_then(|s| s.body().first());
                self.guarded("unless_mod", inner, &guard.predicate())
            }
            _ => self.pattern(&pattern),
        };
        let end = pattern.location().end();
        self.ahead(end);
        let after = self.then(end, node.then_keyword_loc().map(|l| l.end()));
        [value, self.compstmt(node.statements().as_ref(), after)]
    }

    fn guarded(&mut self, event: &str, pattern: Option<Node<'_>>, predicate: &Node<'_>) -> Val {
        let value = pattern.map_or(Val::NIL, |node| self.pattern(&node));
        let condition = self.expr(predicate);
        self.event(event, &[condition, value])
    }

    /// A pattern, and the token behind it.
    fn pattern(&mut self, node: &Node<'_>) -> Val {
        let value = self.basic_pattern(node);
        self.ahead(node.location().end());
        value
    }

    /// The right side of `|`: some patterns are complete without the next token.
    fn alternative(&mut self, node: &Node<'_>) -> Val {
        let complete = match node {
            Node::LocalVariableTargetNode { .. }
            | Node::PinnedVariableNode { .. }
            | Node::PinnedExpressionNode { .. }
            | Node::ParenthesesNode { .. } => true,
            Node::ArrayPatternNode { .. } => node.as_array_pattern_node().is_some_and(|p| p.closing_loc().is_some()),
            Node::FindPatternNode { .. } => node.as_find_pattern_node().is_some_and(|p| p.closing_loc().is_some()),
            Node::HashPatternNode { .. } => node.as_hash_pattern_node().is_some_and(|p| p.closing_loc().is_some()),
            _ => false,
        };
        if complete { self.basic_pattern(node) } else { self.pattern(node) }
    }

    fn basic_pattern(&mut self, node: &Node<'_>) -> Val {
        let value = match node {
            Node::LocalVariableTargetNode { .. } => {
                let name = self.token_of(&node.location());
                self.event("var_field", &[name])
            }
            Node::ConstantReadNode { .. }
            | Node::NilNode { .. }
            | Node::SelfNode { .. }
            | Node::TrueNode { .. }
            | Node::FalseNode { .. }
            | Node::SourceFileNode { .. }
            | Node::SourceLineNode { .. }
            | Node::SourceEncodingNode { .. } => {
                let name = self.token_of(&node.location());
                self.event("var_ref", &[name])
            }
            Node::ParenthesesNode { .. } => self.parenthesized(node),
            _ => self.node(node),
        };
        self.through(node.location().end());
        value
    }

    fn parenthesized(&mut self, node: &Node<'_>) -> Val {
        let Some(parens) = node.as_parentheses_node() else {
            return Val::NIL;
        };
        self.through(parens.opening_loc().end());
        let inner = parens.body().map(|b| b.as_statements_node().and_then(|s| s.body().first()).unwrap_or(b));
        let value = inner.map_or(Val::NIL, |inner| self.pattern(&inner));
        self.through(parens.closing_loc().end());
        value
    }

    pub(super) fn match_required(&mut self, node: &MatchRequiredNode<'_>) -> Val {
        self.one_line(&node.value(), &node.operator_loc(), &node.pattern())
    }

    pub(super) fn match_predicate(&mut self, node: &MatchPredicateNode<'_>) -> Val {
        self.one_line(&node.value(), &node.keyword_loc(), &node.pattern())
    }

    fn one_line(&mut self, value: &Node<'_>, operator: &Location<'_>, pattern: &Node<'_>) -> Val {
        let value = self.expr(value);
        self.through(operator.end());
        let pattern = self.pattern(pattern);
        let clause = self.event("in", &[pattern, Val::NIL, Val::NIL]);
        self.event("case", &[value, clause])
    }

    pub(super) fn alternation(&mut self, node: &AlternationPatternNode<'_>) -> Val {
        let left = self.pattern(&node.left());
        self.through(node.operator_loc().end());
        let right = self.alternative(&node.right());
        let operator = self.symbol(b"|");
        self.event("binary", &[left, operator, right])
    }

    pub(super) fn capture_pattern(&mut self, node: &CapturePatternNode<'_>) -> Val {
        let left = self.pattern(&node.value());
        self.through(node.operator_loc().end());
        let name = self.token_of(&node.target().location());
        let target = self.event("var_field", &[name]);
        let operator = self.symbol(b"=>");
        self.event("binary", &[left, operator, target])
    }

    /// The constant of `A(…)`, and what opens the rest.
    fn pattern_head(&mut self, constant: Option<&Node<'_>>, opening: Option<&Location<'_>>) -> Val {
        let constant = constant.map_or(Val::NIL, |node| self.pattern(node));
        if let Some(opening) = opening {
            self.through(opening.end());
        }
        constant
    }

    fn pattern_tail(&mut self, node: &Node<'_>, closing: Option<&Location<'_>>) {
        let end = closing.map_or(node.location().end(), |l| l.end());
        self.through(end);
        if closing.is_none() {
            self.ahead(end);
        }
    }

    fn patterns(&mut self, nodes: impl Iterator<Item = Val>) -> Val {
        let values: Vec<Val> = nodes.collect();
        if values.is_empty() { Val::NIL } else { self.array(&values) }
    }

    fn pattern_list(&mut self, nodes: &[Node<'_>]) -> Val {
        let values: Vec<Val> = nodes.iter().map(|node| self.pattern(node)).collect();
        self.patterns(values.into_iter())
    }

    pub(super) fn array_pattern(&mut self, node: &ArrayPatternNode<'_>) -> Val {
        let closing = node.closing_loc();
        let constant = self.pattern_head(node.constant().as_ref(), node.opening_loc().as_ref());
        let requireds: Vec<Node<'_>> = node.requireds().iter().collect();
        let before = self.pattern_list(&requireds);
        let rest = match node.rest() {
            Some(rest) => match rest.as_splat_node() {
                Some(splat) => self.pattern_rest(&splat),
                None => {
                    self.through(rest.location().end());
                    Val::NIL
                }
            },
            None => Val::NIL,
        };
        let posts: Vec<Node<'_>> = node.posts().iter().collect();
        let after = self.pattern_list(&posts);
        self.pattern_tail(&node.as_node(), closing.as_ref());
        self.event("aryptn", &[constant, before, rest, after])
    }

    /// `*a`
    fn pattern_rest(&mut self, node: &SplatNode<'_>) -> Val {
        let end = node.operator_loc().end();
        self.through(end);
        let name = match node.expression() {
            Some(name) => self.token_of(&name.location()),
            None => {
                self.ahead(end);
                Val::NIL
            }
        };
        let field = self.event("var_field", &[name]);
        self.ahead(node.location().end());
        field
    }

    pub(super) fn find_pattern(&mut self, node: &FindPatternNode<'_>) -> Val {
        let closing = node.closing_loc();
        let constant = self.pattern_head(node.constant().as_ref(), node.opening_loc().as_ref());
        let left = self.pattern_rest(&node.left());
        let requireds: Vec<Node<'_>> = node.requireds().iter().collect();
        let middle = self.pattern_list(&requireds);
        let right = self.pattern_rest(&node.right());
        self.pattern_tail(&node.as_node(), closing.as_ref());
        self.event("fndptn", &[constant, left, middle, right])
    }

    pub(super) fn hash_pattern(&mut self, node: &HashPatternNode<'_>) -> Val {
        let closing = node.closing_loc();
        let constant = self.pattern_head(node.constant().as_ref(), node.opening_loc().as_ref());
        let mut pairs = Vec::new();
        for element in node.elements().iter() {
            if let Some(pair) = element.as_assoc_node() {
                let key = pair.key();
                let label = match self.quoted_label(&key) {
                    Some(contents) => contents,
                    None => self.token_of(&key.location()),
                };
                let value = pair.value();
                let value = if value.as_implicit_node().is_some() {
                    self.ahead(key.location().end());
                    Val::NIL
                } else {
                    self.pattern(&value)
                };
                pairs.push(self.array(&[label, value]));
            }
        }
        let rest = node.rest().map(|rest| self.pattern_keyword_rest(&rest));
        let empty = pairs.is_empty() && rest.is_none();
        let pairs = if empty { Val::NIL } else { self.array(&pairs) };
        self.pattern_tail(&node.as_node(), closing.as_ref());
        self.event("hshptn", &[constant, pairs, rest.unwrap_or(Val::NIL)])
    }

    /// `**a`, `**nil`
    fn pattern_keyword_rest(&mut self, node: &Node<'_>) -> Val {
        if node.as_no_keywords_parameter_node().is_some() {
            self.through(node.location().end());
            let name = self.symbol(b"nil");
            return self.event("var_field", &[name]);
        }
        let Some(splat) = node.as_assoc_splat_node() else {
            return Val::NIL;
        };
        let end = splat.operator_loc().end();
        self.through(end);
        match splat.value() {
            Some(name) => {
                let name = self.token_of(&name.location());
                self.event("var_field", &[name])
            }
            None => {
                self.ahead(end);
                Val::NIL
            }
        }
    }

    pub(super) fn pinned_variable(&mut self, node: &PinnedVariableNode<'_>) -> Val {
        self.through(node.operator_loc().end());
        let name = self.token_of(&node.variable().location());
        self.event("var_ref", &[name])
    }

    pub(super) fn pinned_expression(&mut self, node: &PinnedExpressionNode<'_>) -> Val {
        self.through(node.lparen_loc().end());
        let value = self.expr(&node.expression());
        self.through(node.rparen_loc().end());
        self.event("begin", &[value])
    }
}
