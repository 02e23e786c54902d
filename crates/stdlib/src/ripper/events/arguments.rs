//! What calls are given.

use super::tokens::kind;
use super::{Events, Val};
use ruby_prism::{BlockArgumentNode, Location, Node};

impl Events<'_> {
    /// Values between commas, as `args_new`, `args_add` and so on; `literal`: of an Array, in which a comma may follow them.
    pub(super) fn args(&mut self, nodes: &[Node<'_>], literal: bool) -> Val {
        let (pairs, values) = match nodes.split_last() {
            Some((last, values)) => match last.as_keyword_hash_node() {
                Some(pairs) => (Some(pairs), values),
                None => (None, nodes),
            },
            None => (None, nodes),
        };
        let list = self.positional(values);
        if let (true, None, Some(last)) = (literal, &pairs, nodes.last()) {
            self.ahead_of_comma(last.location().end());
        }
        let Some(pairs) = pairs else {
            return list.unwrap_or(Val::NIL);
        };
        let elements: Vec<Node<'_>> = pairs.elements().iter().collect();
        let pairs_end = pairs.location().end();
        let pairs = self.assocs(&elements);
        if literal {
            self.ahead_of_comma(pairs_end);
        }
        self.with_pairs(list, pairs)
    }

    fn with_pairs(&mut self, list: Option<Val>, pairs: Val) -> Val {
        let list = match list {
            Some(list) => list,
            None => self.event("args_new", &[]),
        };
        let hash = self.event("bare_assoc_hash", &[pairs]);
        self.event("args_add", &[list, hash])
    }

    fn positional(&mut self, nodes: &[Node<'_>]) -> Option<Val> {
        let mut list = None;
        for node in nodes {
            let value = self.expr(node);
            let before = match list {
                Some(list) => list,
                None => self.event("args_new", &[]),
            };
            let event = if node.as_splat_node().is_some() { "args_add_star" } else { "args_add" };
            list = Some(self.event(event, &[before, value]));
        }
        list
    }

    /// What is between parentheses or brackets, behind the opening one that ends at `after`.
    pub(super) fn opt_call_args(
        &mut self,
        nodes: &[Node<'_>],
        block: Option<&BlockArgumentNode<'_>>,
        after: u32,
    ) -> Val {
        if nodes.is_empty() && block.is_none() {
            self.ahead(after);
            return Val::NIL;
        }
        self.call_args(nodes, block, true)
    }

    /// The arguments of a call; `closed`: within parentheses or brackets, where a comma may follow them.
    pub(super) fn call_args(&mut self, nodes: &[Node<'_>], block: Option<&BlockArgumentNode<'_>>, closed: bool) -> Val {
        if let ([only], None) = (nodes, block)
            && is_command(only)
        {
            let value = self.expr(only);
            let list = self.event("args_new", &[]);
            return self.event("args_add", &[list, value]);
        }
        let (pairs, values) = match nodes.split_last() {
            Some((last, values)) if last.as_keyword_hash_node().is_some() => (last.as_keyword_hash_node(), values),
            _ => (None, nodes),
        };
        let list = self.positional(values);
        let pairs = pairs.map(|pairs| {
            let elements: Vec<Node<'_>> = pairs.elements().iter().collect();
            self.assocs(&elements)
        });
        let passed = match block {
            Some(block) => self.block_argument(block),
            None => Val::FALSE,
        };
        let mut trailing = false;
        if let (None, Some(last)) = (block, nodes.last()) {
            let next = self.next_of(last.location().end());
            self.through_number(next);
            if closed && self.token_kind(next) == kind::COMMA {
                trailing = true;
                let behind = self.tokens.after(next);
                self.through_number(behind);
            }
        }
        let list = match pairs {
            Some(pairs) => self.with_pairs(list, pairs),
            None => match list {
                Some(list) => list,
                None => self.event("args_new", &[]),
            },
        };
        if trailing { list } else { self.event("args_add_block", &[list, passed]) }
    }

    /// `(…)` behind the name of a method.
    pub(super) fn paren_args(
        &mut self,
        nodes: &[Node<'_>],
        block: Option<&BlockArgumentNode<'_>>,
        opening: &Location<'_>,
        closing: &Location<'_>,
    ) -> Val {
        self.through(opening.end());
        let list = match nodes.split_last() {
            Some((last, before)) if last.as_forwarding_arguments_node().is_some() => {
                let before = if before.is_empty() { None } else { Some(self.args(before, false)) };
                self.through(last.location().end());
                self.ahead(last.location().end());
                let all = self.node(last);
                self.through(closing.end());
                match before {
                    Some(list) => self.event("args_add", &[list, all]),
                    None => all,
                }
            }
            _ => self.opt_call_args(nodes, block, opening.end()),
        };
        self.through(closing.end());
        self.event("arg_paren", &[list])
    }

    pub(super) fn block_argument(&mut self, node: &BlockArgumentNode<'_>) -> Val {
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
}

/// Is it a call with arguments but without parentheses?
pub(super) fn is_command(node: &Node<'_>) -> bool {
    if let Some(call) = node.as_call_node() {
        let given = call.arguments().is_some() || call.block().is_some_and(|b| b.as_block_argument_node().is_some());
        let named = call.message_loc().is_some_and(|m| {
            let text = m.as_slice();
            call.call_operator_loc().is_some()
                || text.first().is_some_and(|&b| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80)
        });
        return given
            && named
            && call.opening_loc().is_none()
            && !call.is_attribute_write()
            && call.equal_loc().is_none()
            && !is_not(node);
    }
    if let Some(call) = node.as_super_node() {
        return call.lparen_loc().is_none();
    }
    if let Some(call) = node.as_yield_node() {
        return call.lparen_loc().is_none() && call.arguments().is_some();
    }
    if let Some(def) = node.as_def_node() {
        return def.equal_loc().is_some()
            && def.body().and_then(|b| b.as_statements_node()).and_then(|b| b.body().first()).is_some_and(|b| match b
                .as_rescue_modifier_node()
            {
                Some(rescue) => is_command(&rescue.expression()),
                None => is_command(&b),
            });
    }
    false
}

fn is_not(node: &Node<'_>) -> bool {
    node.as_call_node().is_some_and(|c| c.name().as_slice() == b"!")
}
