//! What is assigned to.

use super::{Events, Val};
use ruby_prism::{CallTargetNode, IndexTargetNode, MultiTargetNode, Node};

/// Where a target stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Alone,
    First,
    Later,
}

impl Events<'_> {
    /// The left side of an assignment, and the token behind it.
    pub(super) fn target(&mut self, node: &Node<'_>) -> Val {
        self.any_target(node, Place::Alone)
    }

    fn any_target(&mut self, node: &Node<'_>, place: Place) -> Val {
        let end = node.location().end();
        if let Some(multi) = node.as_multi_target_node() {
            return self.multi_target(&multi, place);
        }
        if let Some(call) = node.as_call_target_node() {
            return self.call_target(&call, place);
        }
        if let Some(index) = node.as_index_target_node() {
            return self.index_target(&index);
        }
        if let Some(path) = node.as_constant_path_target_node() {
            let name = path.name_loc();
            return match path.parent() {
                Some(parent) => {
                    let parent = self.expr(&parent);
                    let name = self.token_of(&name);
                    self.ahead(end);
                    let field = self.event("const_path_field", &[parent, name]);
                    self.assignable(node.location().start(), field)
                }
                None => {
                    let name = self.token_of(&name);
                    self.ahead(end);
                    let field = self.event("top_const_field", &[name]);
                    self.assignable(node.location().start(), field)
                }
            };
        }
        if let Some(splat) = node.as_splat_node() {
            return splat.expression().map_or(Val::NIL, |inner| self.any_target(&inner, place));
        }
        let name = self.token_of(&node.location());
        self.ahead(end);
        let field = self.event("var_field", &[name]);
        self.assignable(node.location().start(), field)
    }

    fn call_target(&mut self, node: &CallTargetNode<'_>, place: Place) -> Val {
        let receiver = self.expr(&node.receiver());
        let operator = self.token_of(&node.call_operator_loc());
        let name = self.token_of(&node.message_loc());
        self.ahead(node.location().end());
        if place != Place::Alone && node.call_operator_loc().as_slice() == b"::" {
            return self.event("const_path_field", &[receiver, name]);
        }
        self.event("field", &[receiver, operator, name])
    }

    fn index_target(&mut self, node: &IndexTargetNode<'_>) -> Val {
        let receiver = self.expr(&node.receiver());
        self.through(node.opening_loc().end());
        let arguments: Vec<Node<'_>> = node.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default();
        let list = self.opt_call_args(&arguments, node.block().as_ref(), node.opening_loc().end());
        self.through(node.closing_loc().end());
        self.ahead(node.location().end());
        self.event("aref_field", &[receiver, list])
    }

    fn multi_target(&mut self, node: &MultiTargetNode<'_>, place: Place) -> Val {
        let lefts: Vec<Node<'_>> = node.lefts().iter().collect();
        let rights: Vec<Node<'_>> = node.rights().iter().collect();
        let Some(opening) = node.lparen_loc() else {
            return self.mlhs(&lefts, node.rest().as_ref(), &rights);
        };
        self.through(opening.end());
        let inner = self.mlhs_inner(&lefts, node.rest().as_ref(), &rights);
        self.through(node.location().end());
        if place != Place::Later {
            self.ahead(node.location().end());
        }
        self.event("mlhs_paren", &[inner])
    }

    /// What is between parentheses: other parentheses may be all of it.
    pub(super) fn mlhs_inner(&mut self, lefts: &[Node<'_>], rest: Option<&Node<'_>>, rights: &[Node<'_>]) -> Val {
        match (lefts, rest) {
            ([only], None) if only.as_multi_target_node().is_some_and(|m| m.lparen_loc().is_some()) => {
                let value = self.any_target(only, Place::First);
                self.ahead(only.location().end());
                value
            }
            _ => self.mlhs(lefts, rest, rights),
        }
    }

    /// Targets between commas, one of which may have a star.
    pub(super) fn mlhs(&mut self, lefts: &[Node<'_>], rest: Option<&Node<'_>>, rights: &[Node<'_>]) -> Val {
        let mut list = None;
        for left in lefts {
            let value = self.any_target(left, if list.is_some() { Place::Later } else { Place::First });
            self.ahead(left.location().end());
            let before = match list {
                Some(list) => list,
                None => self.event("mlhs_new", &[]),
            };
            list = Some(self.event("mlhs_add", &[before, value]));
        }
        let Some(splat) = rest.and_then(Node::as_splat_node) else {
            // A comma behind the last one.
            if let Some(comma) = rest {
                self.through(comma.location().end());
                self.ahead(comma.location().end());
            }
            return list.unwrap_or(Val::NIL);
        };
        let end = splat.operator_loc().end();
        self.through(end);
        let starred = match splat.expression() {
            Some(target) => self.any_target(&target, Place::Later),
            None => {
                self.ahead(end);
                Val::NIL
            }
        };
        let posts = self.mlhs_items(rights);
        let before = match list {
            Some(list) => list,
            None => self.event("mlhs_new", &[]),
        };
        let all = self.event("mlhs_add_star", &[before, starred]);
        match posts {
            Some(posts) => self.event("mlhs_add_post", &[all, posts]),
            None => all,
        }
    }

    fn mlhs_items(&mut self, items: &[Node<'_>]) -> Option<Val> {
        let mut list = None;
        for item in items {
            let value = self.any_target(item, Place::Later);
            let before = match list {
                Some(list) => list,
                None => self.event("mlhs_new", &[]),
            };
            list = Some(self.event("mlhs_add", &[before, value]));
        }
        if let Some(last) = items.last() {
            self.ahead(last.location().end());
        }
        list
    }
}
