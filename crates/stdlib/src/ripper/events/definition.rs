//! Methods, classes and modules, `alias` and `undef`.

use super::{Events, Val};
use ruby_prism::{
    AliasGlobalVariableNode, AliasMethodNode, ClassNode, DefNode, Location, ModuleNode, Node, SingletonClassNode,
    UndefNode,
};

impl Events<'_> {
    pub(super) fn def(&mut self, node: &DefNode<'_>) -> Val {
        self.through(node.def_keyword_loc().end());
        let singleton = node.receiver().map(|receiver| {
            let value = self.singleton(&receiver);
            let dot = node.operator_loc().map_or(Val::NIL, |l| self.token_of(&l));
            (value, dot)
        });
        let name_end = node.name_loc().end();
        let name = self.token_of(&node.name_loc());
        let (parameters, after) = self.def_parameters(node, name_end);
        let body = if let Some(equal) = node.equal_loc() {
            self.through(equal.end());
            let body = node.body().and_then(|b| b.as_statements_node()).and_then(|b| b.body().first());
            let value = body.map_or(Val::NIL, |body| self.expr(&body));
            self.event("bodystmt", &[value, Val::NIL, Val::NIL, Val::NIL])
        } else {
            let body = self.bodystmt(node.body().as_ref(), after);
            self.through(node.location().end());
            body
        };
        match singleton {
            Some((value, dot)) => self.event("defs", &[value, dot, name, parameters, body]),
            None => self.event("def", &[name, parameters, body]),
        }
    }

    /// What a singleton method is defined on.
    fn singleton(&mut self, node: &Node<'_>) -> Val {
        if matches!(
            node,
            Node::ClassVariableReadNode { .. }
                | Node::GlobalVariableReadNode { .. }
                | Node::InstanceVariableReadNode { .. }
        ) {
            let name = self.token_of(&node.location());
            return self.event("var_ref", &[name]);
        }
        if let Some(parens) = node.as_parentheses_node() {
            self.through(parens.opening_loc().end());
            let inner = parens.body().map(|b| b.as_statements_node().and_then(|s| s.body().first()).unwrap_or(b));
            let value = inner.map_or(Val::NIL, |inner| self.expr(&inner));
            self.through(parens.closing_loc().end());
            return self.event("paren", &[value]);
        }
        self.expr(node)
    }

    /// The parameters, and where the body begins.
    fn def_parameters(&mut self, node: &DefNode<'_>, name_end: u32) -> (Val, u32) {
        if let (Some(opening), Some(closing)) = (node.lparen_loc(), node.rparen_loc()) {
            self.through(opening.end());
            let parameters = self.parameters_or_none(node, opening.end());
            self.through(closing.end());
            return (self.event("paren", &[parameters]), closing.end());
        }
        let parameters = self.parameters_or_none(node, name_end);
        if node.equal_loc().is_some() {
            return (parameters, name_end);
        }
        // A separator ends parameters without parentheses.
        let end = node.parameters().map_or(name_end, |p| p.location().end());
        let term = self.next_of(end);
        let after = self
            .tokens
            .get(term)
            .map_or(end, |t| if self.tokens.ends_statement(term) { t.start + t.length } else { end });
        (parameters, after)
    }

    fn parameters_or_none(&mut self, node: &DefNode<'_>, after: u32) -> Val {
        match node.parameters() {
            Some(parameters) => self.parameters(&parameters),
            None => {
                self.ahead(after);
                self.event("params", &[Val::NIL; 7])
            }
        }
    }

    /// The name of a class or module.
    fn cpath(&mut self, node: &Node<'_>) -> Val {
        let end = node.location().end();
        if let Some(path) = node.as_constant_path_node() {
            let parent = path.parent().map(|parent| self.expr(&parent));
            self.through(path.delimiter_loc().end());
            let name = self.class_name(&path.name_loc());
            self.ahead(end);
            return match parent {
                Some(parent) => self.event("const_path_ref", &[parent, name]),
                None => self.event("top_const_ref", &[name]),
            };
        }
        let name = self.class_name(&node.location());
        self.ahead(end);
        self.event("const_ref", &[name])
    }

    /// The name of a class, which has to be that of a constant.
    fn class_name(&mut self, location: &Location<'_>) -> Val {
        let name = self.token_of(location);
        let first = self.text(location.start(), location.start() + 1).first();
        if first.is_some_and(|b| b.is_ascii_lowercase() || *b == b'_') {
            let message = self.string("class/module name must be CONSTANT");
            return self.event("class_name_error", &[message, name]);
        }
        name
    }

    pub(super) fn class(&mut self, node: &ClassNode<'_>) -> Val {
        self.through(node.class_keyword_loc().end());
        let path = node.constant_path();
        let name = self.cpath(&path);
        let mut after = path.location().end();
        let superclass = node.superclass().map_or(Val::NIL, |superclass| {
            let value = self.expr(&superclass);
            after = self.behind_term(superclass.location().end());
            value
        });
        let body = self.bodystmt(node.body().as_ref(), after);
        self.through(node.location().end());
        self.event("class", &[name, superclass, body])
    }

    /// Where the separator ends that stands behind an expression.
    pub(super) fn behind_term(&mut self, end: u32) -> u32 {
        let term = self.next_of(end);
        self.through_number(term);
        match self.tokens.get(term) {
            Some(token) if self.tokens.ends_statement(term) => token.start + token.length,
            _ => end,
        }
    }

    pub(super) fn singleton_class(&mut self, node: &SingletonClassNode<'_>) -> Val {
        self.through(node.operator_loc().end());
        let value = node.expression();
        let end = value.location().end();
        let value = self.expr(&value);
        let after = self.behind_term(end);
        let body = self.bodystmt(node.body().as_ref(), after);
        self.through(node.location().end());
        self.event("sclass", &[value, body])
    }

    pub(super) fn module(&mut self, node: &ModuleNode<'_>) -> Val {
        self.through(node.module_keyword_loc().end());
        let path = node.constant_path();
        let name = self.cpath(&path);
        let body = self.bodystmt(node.body().as_ref(), path.location().end());
        self.through(node.location().end());
        self.event("module", &[name, body])
    }

    /// The name of a method, as `alias` and `undef` take it.
    fn fitem(&mut self, node: &Node<'_>) -> Val {
        match node.as_symbol_node() {
            Some(symbol) if symbol.opening_loc().is_none() => {
                let name = self.token_of(&node.location());
                self.event("symbol_literal", &[name])
            }
            _ => self.node(node),
        }
    }

    pub(super) fn alias_method(&mut self, node: &AliasMethodNode<'_>) -> Val {
        self.through(node.keyword_loc().end());
        let new = self.fitem(&node.new_name());
        let old = self.fitem(&node.old_name());
        self.event("alias", &[new, old])
    }

    pub(super) fn alias_global(&mut self, node: &AliasGlobalVariableNode<'_>) -> Val {
        self.through(node.keyword_loc().end());
        let new = self.token_of(&node.new_name().location());
        let old_name = node.old_name();
        let old = self.token_of(&old_name.location());
        if old_name.as_numbered_reference_read_node().is_some() {
            let message = self.string("can't make alias for the number variables");
            return self.event("alias_error", &[message, old]);
        }
        self.event("var_alias", &[new, old])
    }

    pub(super) fn undef(&mut self, node: &UndefNode<'_>) -> Val {
        self.through(node.keyword_loc().end());
        let mut names = Vec::new();
        for name in node.names().iter() {
            names.push(self.fitem(&name));
            self.ahead(name.location().end());
        }
        let names = self.array(&names);
        self.event("undef", &[names])
    }
}
