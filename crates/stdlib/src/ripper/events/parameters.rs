//! Parameters of methods, blocks and lambdas.

use super::{Events, Val};
use ruby_prism::{Location, MultiTargetNode, Node, ParametersNode};

impl Events<'_> {
    pub(super) fn parameters(&mut self, node: &ParametersNode<'_>) -> Val {
        let requireds: Vec<Node<'_>> = node.requireds().iter().collect();
        let first = self.required_list(&requireds);
        let mut optional = Vec::new();
        for parameter in node.optionals().iter() {
            if let Some(parameter) = parameter.as_optional_parameter_node() {
                let name = self.token_of(&parameter.name_loc());
                self.through(parameter.operator_loc().end());
                let value = self.default_value(&parameter.value());
                optional.push(self.array(&[name, value]));
            }
        }
        let optional = self.list(&optional);
        let rest = node.rest().map_or(Val::NIL, |rest| self.rest(&rest));
        let posts: Vec<Node<'_>> = node.posts().iter().collect();
        let posts = self.required_list(&posts);
        let keywords: Vec<Val> = node.keywords().iter().map(|keyword| self.keyword(&keyword)).collect();
        let keywords = self.list(&keywords);
        let keyword_rest = node.keyword_rest().map_or(Val::NIL, |rest| self.keyword_rest(&rest));
        let block = node.block().map_or(Val::NIL, |block| self.block_parameter(&block));
        let end = node.location().end();
        self.through(end);
        // Nothing can follow a block's name, or `...`.
        let forwarded = node.keyword_rest().is_some_and(|rest| rest.as_forwarding_parameter_node().is_some());
        if block == Val::NIL && !forwarded {
            self.ahead(end);
        }
        self.event("params", &[first, optional, rest, posts, keywords, keyword_rest, block])
    }

    /// A block's parameters may not have any expression, so that a keyword is known to be all of it.
    fn default_value(&mut self, node: &Node<'_>) -> Val {
        let keyword = matches!(
            node,
            Node::NilNode { .. }
                | Node::SelfNode { .. }
                | Node::TrueNode { .. }
                | Node::FalseNode { .. }
                | Node::SourceFileNode { .. }
                | Node::SourceLineNode { .. }
                | Node::SourceEncodingNode { .. }
        );
        if keyword && self.of_block {
            let name = self.token_of(&node.location());
            return self.event("var_ref", &[name]);
        }
        self.expr(node)
    }

    fn list(&mut self, values: &[Val]) -> Val {
        if values.is_empty() { Val::NIL } else { self.array(values) }
    }

    fn required_list(&mut self, nodes: &[Node<'_>]) -> Val {
        let values: Vec<Val> = nodes.iter().map(|node| self.required(node)).collect();
        self.list(&values)
    }

    fn required(&mut self, node: &Node<'_>) -> Val {
        match node.as_multi_target_node() {
            Some(multi) => self.required_group(&multi),
            None => self.token_of(&node.location()),
        }
    }

    /// `(a, *b)`
    fn required_group(&mut self, node: &MultiTargetNode<'_>) -> Val {
        if let Some(opening) = node.lparen_loc() {
            self.through(opening.end());
        }
        let lefts: Vec<Node<'_>> = node.lefts().iter().collect();
        let rights: Vec<Node<'_>> = node.rights().iter().collect();
        let list = self.group_items(&lefts);
        let list = match node.rest().and_then(|r| r.as_splat_node()) {
            None => list,
            Some(splat) => {
                let end = splat.operator_loc().end();
                self.through(end);
                let name = match splat.expression() {
                    Some(name) => self.token_of(&name.location()),
                    None => Val::NIL,
                };
                self.ahead(splat.location().end());
                let posts = self.group_items(&rights);
                if let Some(last) = rights.last() {
                    self.ahead(last.location().end());
                }
                let list = match list {
                    Some(list) => list,
                    None => self.event("mlhs_new", &[]),
                };
                let all = self.event("mlhs_add_star", &[list, name]);
                Some(match posts {
                    Some(posts) => self.event("mlhs_add_post", &[all, posts]),
                    None => all,
                })
            }
        };
        self.through(node.location().end());
        self.event("mlhs_paren", &[list.unwrap_or(Val::NIL)])
    }

    fn group_items(&mut self, nodes: &[Node<'_>]) -> Option<Val> {
        let mut list = None;
        for node in nodes {
            let value = self.required(node);
            let before = match list {
                Some(list) => list,
                None => self.event("mlhs_new", &[]),
            };
            list = Some(self.event("mlhs_add", &[before, value]));
        }
        list
    }

    fn rest(&mut self, node: &Node<'_>) -> Val {
        if let Some(rest) = node.as_rest_parameter_node() {
            return self.marked("rest_param", &rest.operator_loc(), rest.name_loc().as_ref());
        }
        // A comma that nothing follows.
        let end = node.location().end();
        self.through(end);
        self.ahead(end);
        self.event("excessed_comma", &[])
    }

    fn keyword(&mut self, node: &Node<'_>) -> Val {
        if let Some(keyword) = node.as_optional_keyword_parameter_node() {
            let label = self.token_of(&keyword.name_loc());
            let value = self.default_value(&keyword.value());
            return self.array(&[label, value]);
        }
        let location = node.location();
        let label = self.token_of(&location);
        self.ahead(location.end());
        self.array(&[label, Val::FALSE])
    }

    fn keyword_rest(&mut self, node: &Node<'_>) -> Val {
        if let Some(rest) = node.as_keyword_rest_parameter_node() {
            return self.marked("kwrest_param", &rest.operator_loc(), rest.name_loc().as_ref());
        }
        if node.as_no_keywords_parameter_node().is_some() {
            self.through(node.location().end());
            // The parameters hold the name `nil` itself.
            self.event("nokw_param", &[Val::NIL]);
            return self.symbol(b"nil");
        }
        self.node(node)
    }

    fn block_parameter(&mut self, node: &Node<'_>) -> Val {
        if let Some(block) = node.as_block_parameter_node() {
            return self.marked("blockarg", &block.operator_loc(), block.name_loc().as_ref());
        }
        self.through(node.location().end());
        let name = self.symbol(b"nil");
        self.event("blockarg", &[name])
    }

    /// A parameter with a mark in front, the name of which may be missing.
    fn marked(&mut self, event: &str, mark: &Location<'_>, name: Option<&Location<'_>>) -> Val {
        self.through(mark.end());
        let name = match name {
            Some(name) => self.token_of(name),
            None => {
                self.ahead(mark.end());
                Val::NIL
            }
        };
        self.event(event, &[name])
    }
}
