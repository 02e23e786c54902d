//! Blocks and lambdas.

use super::{Events, Val};
use ruby_prism::{BlockNode, BlockParametersNode, LambdaNode, Node};

impl Events<'_> {
    pub(super) fn block(&mut self, node: &BlockNode<'_>) -> Val {
        let opening = node.opening_loc();
        self.through(opening.end());
        let mut after = opening.end();
        let parameters = match node.parameters().and_then(|p| p.as_block_parameters_node()) {
            Some(parameters) => {
                let value = self.block_var(&parameters);
                after = parameters.location().end();
                self.through(after);
                value
            }
            None => Val::NIL,
        };
        let braces = opening.as_slice() == b"{";
        let body = node.body();
        let body = if braces { self.body(body.as_ref(), after) } else { self.bodystmt(body.as_ref(), after) };
        let block = self.event(if braces { "brace_block" } else { "do_block" }, &[parameters, body]);
        self.through(node.closing_loc().end());
        block
    }

    /// `|a, b; c|`
    fn block_var(&mut self, node: &BlockParametersNode<'_>) -> Val {
        let mut after = node.opening_loc().map_or(node.location().start(), |l| l.end());
        self.through(after);
        let parameters = match node.parameters() {
            Some(parameters) => {
                after = parameters.location().end();
                self.of_block = true;
                let value = self.parameters(&parameters);
                self.of_block = false;
                value
            }
            None => {
                self.ahead(after);
                self.event("params", &[Val::NIL; 7])
            }
        };
        self.through(after);
        let locals = self.block_locals(node);
        self.through(node.location().end());
        self.event("block_var", &[parameters, locals])
    }

    fn block_locals(&mut self, node: &BlockParametersNode<'_>) -> Val {
        let locals: Vec<Node<'_>> = node.locals().iter().collect();
        if locals.is_empty() {
            return Val::FALSE;
        }
        let names: Vec<Val> = locals.iter().map(|local| self.token_of(&local.location())).collect();
        self.array(&names)
    }

    pub(super) fn lambda(&mut self, node: &LambdaNode<'_>) -> Val {
        let mut after = node.operator_loc().end();
        self.through(after);
        let parameters = match node.parameters().and_then(|p| p.as_block_parameters_node()) {
            Some(parameters) => {
                after = parameters.location().end();
                self.lambda_parameters(&parameters)
            }
            None => {
                self.ahead(after);
                self.event("params", &[Val::NIL; 7])
            }
        };
        let opening = node.opening_loc();
        self.through(opening.end());
        after = after.max(opening.end());
        let braces = opening.as_slice() == b"{";
        let body = node.body();
        let body = if braces { self.body(body.as_ref(), after) } else { self.bodystmt(body.as_ref(), after) };
        self.through(node.closing_loc().end());
        self.event("lambda", &[parameters, body])
    }

    fn lambda_parameters(&mut self, node: &BlockParametersNode<'_>) -> Val {
        let after = node.opening_loc().map_or(node.location().start(), |l| l.end());
        self.through(after);
        let parameters = match node.parameters() {
            Some(parameters) => self.parameters(&parameters),
            None => {
                self.ahead(after);
                self.event("params", &[Val::NIL; 7])
            }
        };
        self.block_locals(node);
        if node.opening_loc().is_none() {
            return parameters;
        }
        self.through(node.location().end());
        self.event("paren", &[parameters])
    }
}
