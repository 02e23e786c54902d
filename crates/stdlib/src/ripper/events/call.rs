//! Calls of methods.

use super::arguments::is_command;
use super::{Events, Val};
use ruby_prism::{
    AndNode, BlockNode, CallNode, ConstantPathNode, DefinedNode, ForwardingSuperNode, Location, Node, OrNode,
    SuperNode, YieldNode,
};

impl Events<'_> {
    pub(super) fn call(&mut self, node: &CallNode<'_>) -> Val {
        let name = node.name().as_slice();
        if node.is_attribute_write() && node.equal_loc().is_some() {
            return self.attribute_write(node);
        }
        let operator = node.call_operator_loc();
        let mut chained = false;
        let value = match (node.receiver(), &operator) {
            (Some(receiver), None) => {
                let opening = node.opening_loc();
                if name == b"[]" && opening.as_ref().is_some_and(|l| l.as_slice() == b"[") {
                    self.index(node, &receiver)
                } else {
                    match (node.message_loc(), node.arguments().and_then(|a| a.arguments().first())) {
                        (Some(message), Some(argument)) => self.binary(&receiver, &message, &argument),
                        (Some(message), None) => self.unary(node, &receiver, &message),
                        _ => Val::NIL,
                    }
                }
            }
            (Some(receiver), Some(operator)) => {
                let receiver = self.expr(&receiver);
                chained = self.block_call;
                self.method_call(node, receiver, operator, chained)
            }
            (None, _) => self.function_call(node),
        };
        let block = node.block().and_then(|b| b.as_block_node());
        self.block_call =
            chained || (block.is_some_and(|b| b.opening_loc().as_slice() == b"do") && is_command(&node.as_node()));
        value
    }

    fn index(&mut self, node: &CallNode<'_>, receiver: &Node<'_>) -> Val {
        let receiver = self.expr(receiver);
        let after = node.opening_loc().map_or(0, |l| l.end());
        self.through(after);
        let arguments = arguments(node);
        let block = node.block().and_then(|b| b.as_block_argument_node());
        let list = self.opt_call_args(&arguments, block.as_ref(), after);
        if let Some(closing) = node.closing_loc() {
            self.through(closing.end());
            self.ahead(closing.end());
        }
        let value = self.event("aref", &[receiver, list]);
        self.with_block(value, node.block().and_then(|b| b.as_block_node()).as_ref())
    }

    fn binary(&mut self, left: &Node<'_>, operator: &Location<'_>, right: &Node<'_>) -> Val {
        let left = self.expr(left);
        self.through(operator.end());
        let word = matches!(operator.as_slice(), b"and" | b"or");
        let right = if word { self.expr(right) } else { self.operand(right) };
        let operator = self.symbol(operator.as_slice());
        self.event("binary", &[left, operator, right])
    }

    fn unary(&mut self, node: &CallNode<'_>, receiver: &Node<'_>, operator: &Location<'_>) -> Val {
        self.through(operator.end());
        let text = operator.as_slice();
        let name = match text {
            b"not" => b"not".as_slice(),
            _ => node.name().as_slice(),
        };
        let opening = node.opening_loc().filter(|l| l.as_slice() == b"(");
        if let Some(opening) = &opening {
            self.through(opening.end());
            let value = self.expr(receiver);
            self.through(node.location().end());
            let name = self.symbol(name);
            return self.event("unary", &[name, value]);
        }
        if let (b"not", Some(parens)) = (text, receiver.as_parentheses_node()) {
            let close = parens.opening_loc().start() == operator.end();
            if let Some(done) = close.then(|| self.not_in_parentheses(&parens, node.location().end())).flatten() {
                return done;
            }
        }
        let value = self.expr(receiver);
        let name = self.symbol(name);
        self.event("unary", &[name, value])
    }

    /// `not()`: nothing is negated there. `not (a)` has a space, and is another thing.
    fn not_in_parentheses(&mut self, parens: &ruby_prism::ParenthesesNode<'_>, end: u32) -> Option<Val> {
        if parens.body().is_some() {
            return None;
        }
        self.through(end);
        let name = self.symbol(b"not");
        Some(self.event("unary", &[name, Val::NIL]))
    }

    /// A call with a receiver and a dot.
    fn method_call(&mut self, node: &CallNode<'_>, receiver: Val, operator: &Location<'_>, chained: bool) -> Val {
        let dot = self.token_of(operator);
        let named = node.message_loc().filter(|m| m.start() != m.end() && m.as_slice() != b"(");
        let name = match &named {
            Some(message) => self.token_of(message),
            None => Val::NIL,
        };
        let arguments = arguments(node);
        let given = node.block().and_then(|b| b.as_block_argument_node());
        let block = node.block().and_then(|b| b.as_block_node());
        if let (Some(opening), Some(closing)) = (node.opening_loc(), node.closing_loc()) {
            let list = self.paren_args(&arguments, given.as_ref(), &opening, &closing);
            let name = if named.is_some() { name } else { self.symbol(b"call") };
            if chained && block.as_ref().is_some_and(|b| named.is_some() && !b.opening_loc().as_slice().is_empty()) {
                return self.command_call_with_block([receiver, dot, name, list], block.as_ref());
            }
            if chained && named.is_some() {
                self.ahead(closing.end());
            }
            let call = self.event("call", &[receiver, dot, name]);
            let value = self.event("method_add_arg", &[call, list]);
            return self.with_block(value, block.as_ref());
        }
        if arguments.is_empty() && given.is_none() {
            let end = node.message_loc().map_or(operator.end(), |m| m.end());
            self.ahead(end);
            let constant = named.as_ref().is_some_and(|m| m.as_slice().first().is_some_and(u8::is_ascii_uppercase));
            let path = operator.as_slice() == b"::"
                && constant
                && block.as_ref().is_some_and(|b| b.opening_loc().as_slice() == b"{");
            if path || (chained && block.is_some()) {
                return self.command_call_with_block([receiver, dot, name, Val::NIL], block.as_ref());
            }
            let call = self.event("call", &[receiver, dot, name]);
            return self.with_block(call, block.as_ref());
        }
        let list = self.call_args(&arguments, given.as_ref(), false);
        let parts = [receiver, dot, name, list];
        match block {
            Some(block) if chained || block.opening_loc().as_slice() == b"{" => {
                self.command_call_with_block(parts, Some(&block))
            }
            None if chained => {
                let call = self.event("call", &parts[..3]);
                self.event("method_add_arg", &[call, list])
            }
            block => {
                let value = self.event("command_call", &parts);
                if std::mem::take(&mut self.hold_block) {
                    return value;
                }
                self.with_block(value, block.as_ref())
            }
        }
    }

    fn command_call_with_block(&mut self, parts: [Val; 4], block: Option<&BlockNode<'_>>) -> Val {
        let block = block.map_or(Val::NIL, |block| self.block(block));
        let call = self.event("command_call", &parts);
        self.event("method_add_block", &[call, block])
    }

    fn function_call(&mut self, node: &CallNode<'_>) -> Val {
        let Some(message) = node.message_loc() else {
            return Val::NIL;
        };
        let name = self.token_of(&message);
        let arguments = arguments(node);
        let given = node.block().and_then(|b| b.as_block_argument_node());
        let block = node.block().and_then(|b| b.as_block_node());
        if let (Some(opening), Some(closing)) = (node.opening_loc(), node.closing_loc()) {
            let list = self.paren_args(&arguments, given.as_ref(), &opening, &closing);
            let call = self.event("fcall", &[name]);
            let value = self.event("method_add_arg", &[call, list]);
            return self.with_block(value, block.as_ref());
        }
        if !arguments.is_empty() || given.is_some() {
            let list = self.call_args(&arguments, given.as_ref(), false);
            let braces = block.filter(|b| b.opening_loc().as_slice() == b"{");
            if let Some(block) = braces {
                let block = self.block(&block);
                let call = self.event("command", &[name, list]);
                return self.event("method_add_block", &[call, block]);
            }
            let value = self.event("command", &[name, list]);
            if std::mem::take(&mut self.hold_block) {
                return value;
            }
            return self.with_block(value, node.block().and_then(|b| b.as_block_node()).as_ref());
        }
        self.ahead(message.end());
        if let Some(block) = block {
            let block = self.block(&block);
            let call = self.bare_call(name);
            return self.event("method_add_block", &[call, block]);
        }
        if matches!(message.as_slice().last(), Some(b'!' | b'?')) {
            return self.bare_call(name);
        }
        self.event("vcall", &[name])
    }

    fn bare_call(&mut self, name: Val) -> Val {
        let call = self.event("fcall", &[name]);
        let empty = self.event("args_new", &[]);
        self.event("method_add_arg", &[call, empty])
    }

    pub(super) fn with_block(&mut self, call: Val, block: Option<&BlockNode<'_>>) -> Val {
        match block {
            Some(block) => {
                let block = self.block(block);
                self.event("method_add_block", &[call, block])
            }
            None => call,
        }
    }

    pub(super) fn super_(&mut self, node: &SuperNode<'_>) -> Val {
        self.through(node.keyword_loc().end());
        let arguments: Vec<Node<'_>> = node.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default();
        let given = node.block().and_then(|b| b.as_block_argument_node());
        let list = match (node.lparen_loc(), node.rparen_loc()) {
            (Some(opening), Some(closing)) => self.paren_args(&arguments, given.as_ref(), &opening, &closing),
            _ => self.call_args(&arguments, given.as_ref(), false),
        };
        let value = self.event("super", &[list]);
        let block = node.block().and_then(|b| b.as_block_node());
        let value = self.with_block(value, block.as_ref());
        self.block_call = block.is_some() && node.lparen_loc().is_none();
        value
    }

    pub(super) fn forwarding_super(&mut self, node: &ForwardingSuperNode<'_>) -> Val {
        let end = node.keyword_loc().end();
        self.through(end);
        self.ahead(end);
        let value = self.event("zsuper", &[]);
        self.with_block(value, node.block().as_ref())
    }

    pub(super) fn yield_(&mut self, node: &YieldNode<'_>) -> Val {
        let end = node.keyword_loc().end();
        self.through(end);
        let arguments: Vec<Node<'_>> = node.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default();
        let list = match (node.lparen_loc(), node.rparen_loc()) {
            (Some(opening), Some(closing)) => {
                self.through(opening.end());
                let list = if arguments.is_empty() { None } else { Some(self.call_args(&arguments, None, true)) };
                self.through(closing.end());
                let list = match list {
                    Some(list) => list,
                    None => self.event("args_new", &[]),
                };
                self.event("paren", &[list])
            }
            _ if arguments.is_empty() => {
                self.ahead(end);
                return self.event("yield0", &[]);
            }
            _ => self.call_args(&arguments, None, false),
        };
        self.event("yield", &[list])
    }

    pub(super) fn constant_path(&mut self, node: &ConstantPathNode<'_>) -> Val {
        let parent = node.parent().map(|parent| self.expr(&parent));
        self.through(node.delimiter_loc().end());
        let name = self.token_of(&node.name_loc());
        self.ahead(node.location().end());
        match parent {
            Some(parent) => self.event("const_path_ref", &[parent, name]),
            None => self.event("top_const_ref", &[name]),
        }
    }

    pub(super) fn and(&mut self, node: &AndNode<'_>) -> Val {
        self.binary(&node.left(), &node.operator_loc(), &node.right())
    }

    pub(super) fn or(&mut self, node: &OrNode<'_>) -> Val {
        self.binary(&node.left(), &node.operator_loc(), &node.right())
    }

    pub(super) fn defined(&mut self, node: &DefinedNode<'_>) -> Val {
        self.through(node.keyword_loc().end());
        if let Some(opening) = node.lparen_loc() {
            self.through(opening.end());
        }
        let value = if node.lparen_loc().is_some() { self.expr(&node.value()) } else { self.operand(&node.value()) };
        self.through(node.location().end());
        self.event("defined", &[value])
    }
}

pub(super) fn arguments<'pr>(node: &CallNode<'pr>) -> Vec<Node<'pr>> {
    node.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default()
}
