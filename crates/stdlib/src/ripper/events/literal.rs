//! Names, numbers, arrays, hashes, ranges.

use super::tokens::kind;
use super::{Events, Val};
use ruby_prism::{
    ArrayNode, AssocNode, AssocSplatNode, FlipFlopNode, HashNode, KeywordHashNode, Location, Node, RangeNode, SplatNode,
};

impl Events<'_> {
    pub(super) fn var_ref(&mut self, location: &Location<'_>) -> Val {
        let name = self.token_of(location);
        self.ahead(location.end());
        self.event("var_ref", &[name])
    }

    pub(super) fn vcall(&mut self, location: &Location<'_>) -> Val {
        let name = self.token_of(location);
        self.ahead(location.end());
        self.event("vcall", &[name])
    }

    /// A number; its sign is a token of its own.
    pub(super) fn number(&mut self, location: &Location<'_>) -> Val {
        let first = self.tokens.at(location.start());
        if self.token_kind(first) != kind::UMINUS_NUM {
            return self.token_of(location);
        }
        let next = self.tokens.after(first);
        let digits = self.token_number(next);
        self.ahead(location.end());
        let sign = self.symbol(b"-@");
        self.event("unary", &[sign, digits])
    }

    /// A keyword that is an event by itself.
    pub(super) fn word(&mut self, location: &Location<'_>, event: &str) -> Val {
        self.through(location.end());
        self.event(event, &[])
    }

    pub(super) fn splat(&mut self, node: &SplatNode<'_>) -> Val {
        let end = node.operator_loc().end();
        self.through(end);
        match node.expression() {
            Some(value) => self.expr(&value),
            None => {
                self.ahead(end);
                Val::NIL
            }
        }
    }

    pub(super) fn array_literal(&mut self, node: &ArrayNode<'_>) -> Val {
        let elements: Vec<Node<'_>> = node.elements().iter().collect();
        let Some(opening) = node.opening_loc() else {
            return self.mrhs(&elements);
        };
        let after = opening.end();
        self.through(after);
        if self.text(opening.start(), opening.start() + 1) == b"%" {
            return self.word_list(node, &elements);
        }
        let end = node.closing_loc().map_or(node.location().end(), |l| l.end());
        let list = if elements.is_empty() { Val::NIL } else { self.args(&elements, true) };
        self.through(end);
        self.event("array", &[list])
    }

    pub(super) fn hash_literal(&mut self, node: &HashNode<'_>) -> Val {
        self.through(node.opening_loc().end());
        let elements: Vec<Node<'_>> = node.elements().iter().collect();
        let mut list = Val::NIL;
        if let Some(last) = elements.last() {
            let pairs = self.assocs(&elements);
            self.ahead_of_comma(last.location().end());
            list = self.event("assoclist_from_args", &[pairs]);
        }
        self.through(node.closing_loc().end());
        self.event("hash", &[list])
    }

    /// A comma that may follow a list, and the token behind it.
    pub(super) fn ahead_of_comma(&mut self, end: u32) {
        let next = self.next_of(end);
        self.through_number(next);
        if self.token_kind(next) == kind::COMMA {
            let behind = self.tokens.after(next);
            self.through_number(behind);
        }
    }

    pub(super) fn keyword_hash(&mut self, node: &KeywordHashNode<'_>) -> Val {
        let elements: Vec<Node<'_>> = node.elements().iter().collect();
        let pairs = self.assocs(&elements);
        self.event("bare_assoc_hash", &[pairs])
    }

    /// Pairs, as an Array.
    pub(super) fn assocs(&mut self, elements: &[Node<'_>]) -> Val {
        let mut pairs = Vec::with_capacity(elements.len());
        for element in elements {
            pairs.push(self.node(element));
            self.through(element.location().end());
        }
        self.array(&pairs)
    }

    pub(super) fn assoc(&mut self, node: &AssocNode<'_>) -> Val {
        let key = node.key();
        if node.operator_loc().is_none() {
            return self.labelled(&key, &node.value());
        }
        let key = self.expr(&key);
        let value = self.expr(&node.value());
        self.event("assoc_new", &[key, value])
    }

    /// A label and its value: `a: 1`, `"a": 1`, or `a:` alone.
    fn labelled(&mut self, key: &Node<'_>, value: &Node<'_>) -> Val {
        let quoted = self.quoted_label(key);
        let label = match quoted {
            Some(contents) => contents,
            None => self.token_of(&key.location()),
        };
        let value = if value.as_implicit_node().is_some() {
            self.ahead(key.location().end());
            Val::NIL
        } else {
            self.expr(value)
        };
        let label = if quoted.is_some() { self.event("dyna_symbol", &[label]) } else { label };
        self.event("assoc_new", &[label, value])
    }

    pub(super) fn assoc_splat(&mut self, node: &AssocSplatNode<'_>) -> Val {
        let end = node.operator_loc().end();
        self.through(end);
        let value = match node.value() {
            Some(value) => self.expr(&value),
            None => {
                self.ahead(end);
                Val::NIL
            }
        };
        self.event("assoc_splat", &[value])
    }

    pub(super) fn range(&mut self, node: &RangeNode<'_>) -> Val {
        self.any_range(node.left(), node.right(), &node.operator_loc())
    }

    pub(super) fn flip_flop(&mut self, node: &FlipFlopNode<'_>) -> Val {
        self.any_range(node.left(), node.right(), &node.operator_loc())
    }

    fn any_range(&mut self, left: Option<Node<'_>>, right: Option<Node<'_>>, operator: &Location<'_>) -> Val {
        let first = left.map_or(Val::NIL, |node| self.expr(&node));
        self.through(operator.end());
        let last = match right {
            Some(node) => self.expr(&node),
            None => {
                self.ahead(operator.end());
                Val::NIL
            }
        };
        let dots = operator.end() - operator.start();
        self.event(if dots == 3 { "dot3" } else { "dot2" }, &[first, last])
    }
}
