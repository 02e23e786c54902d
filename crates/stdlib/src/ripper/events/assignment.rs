//! Assignments, and those with an operator.

use super::arguments::is_command;
use super::{Events, Val};
use ruby_prism::{ArgumentsNode, BlockArgumentNode, CallNode, ConstantPathNode, Location, MultiWriteNode, Node};

/// The parts of `a[i] += 1`.
struct IndexWrite<'n, 'pr> {
    receiver: Option<Node<'pr>>,
    opening: Location<'pr>,
    arguments: Option<ArgumentsNode<'pr>>,
    block: Option<BlockArgumentNode<'pr>>,
    closing: Location<'pr>,
    operator: Location<'pr>,
    value: &'n Node<'pr>,
}

/// The parts of `a.b += 1`.
struct CallWrite<'n, 'pr> {
    receiver: Option<Node<'pr>>,
    call_operator: Option<Location<'pr>>,
    message: Option<Location<'pr>>,
    operator: Location<'pr>,
    value: &'n Node<'pr>,
}

/// The assignments to a name: plain ones.
macro_rules! writes {
    ($($method:ident $kind:ident,)*) => {
        $(pub(super) fn $method(&mut self, node: &ruby_prism::$kind<'_>) -> Val {
            self.assign_name(&node.name_loc(), &node.operator_loc(), &node.value())
        })*
    };
}

/// The assignments to a name with an operator.
macro_rules! operator_writes {
    ($($method:ident $kind:ident $operator:ident,)*) => {
        $(pub(super) fn $method(&mut self, node: &ruby_prism::$kind<'_>) -> Val {
            self.opassign_name(&node.name_loc(), &node.$operator(), &node.value())
        })*
    };
}

macro_rules! path_writes {
    ($($method:ident $kind:ident $operator:ident,)*) => {
        $(pub(super) fn $method(&mut self, node: &ruby_prism::$kind<'_>) -> Val {
            self.opassign_path(&node.target(), &node.$operator(), &node.value())
        })*
    };
}

macro_rules! call_writes {
    ($($method:ident $kind:ident $operator:ident,)*) => {
        $(pub(super) fn $method(&mut self, node: &ruby_prism::$kind<'_>) -> Val {
            self.opassign_call(&CallWrite {
                receiver: node.receiver(),
                call_operator: node.call_operator_loc(),
                message: node.message_loc(),
                operator: node.$operator(),
                value: &node.value(),
            })
        })*
    };
}

macro_rules! index_writes {
    ($($method:ident $kind:ident $operator:ident,)*) => {
        $(pub(super) fn $method(&mut self, node: &ruby_prism::$kind<'_>) -> Val {
            self.opassign_index(&IndexWrite {
                receiver: node.receiver(),
                opening: node.opening_loc(),
                arguments: node.arguments(),
                block: node.block(),
                closing: node.closing_loc(),
                operator: node.$operator(),
                value: &node.value(),
            })
        })*
    };
}

impl Events<'_> {
    writes! {
        class_variable_write ClassVariableWriteNode,
        constant_write ConstantWriteNode,
        global_variable_write GlobalVariableWriteNode,
        instance_variable_write InstanceVariableWriteNode,
        local_variable_write LocalVariableWriteNode,
    }

    operator_writes! {
        class_variable_and_write ClassVariableAndWriteNode operator_loc,
        class_variable_operator_write ClassVariableOperatorWriteNode binary_operator_loc,
        class_variable_or_write ClassVariableOrWriteNode operator_loc,
        constant_and_write ConstantAndWriteNode operator_loc,
        constant_operator_write ConstantOperatorWriteNode binary_operator_loc,
        constant_or_write ConstantOrWriteNode operator_loc,
        global_variable_and_write GlobalVariableAndWriteNode operator_loc,
        global_variable_operator_write GlobalVariableOperatorWriteNode binary_operator_loc,
        global_variable_or_write GlobalVariableOrWriteNode operator_loc,
        instance_variable_and_write InstanceVariableAndWriteNode operator_loc,
        instance_variable_operator_write InstanceVariableOperatorWriteNode binary_operator_loc,
        instance_variable_or_write InstanceVariableOrWriteNode operator_loc,
        local_variable_and_write LocalVariableAndWriteNode operator_loc,
        local_variable_operator_write LocalVariableOperatorWriteNode binary_operator_loc,
        local_variable_or_write LocalVariableOrWriteNode operator_loc,
    }

    path_writes! {
        constant_path_and_write ConstantPathAndWriteNode operator_loc,
        constant_path_operator_write ConstantPathOperatorWriteNode binary_operator_loc,
        constant_path_or_write ConstantPathOrWriteNode operator_loc,
    }

    call_writes! {
        call_and_write CallAndWriteNode operator_loc,
        call_operator_write CallOperatorWriteNode binary_operator_loc,
        call_or_write CallOrWriteNode operator_loc,
    }

    index_writes! {
        index_and_write IndexAndWriteNode operator_loc,
        index_operator_write IndexOperatorWriteNode binary_operator_loc,
        index_or_write IndexOrWriteNode operator_loc,
    }

    fn assign_name(&mut self, name: &Location<'_>, operator: &Location<'_>, value: &Node<'_>) -> Val {
        let token = self.token_of(name);
        self.through(operator.end());
        let field = self.event("var_field", &[token]);
        // prism finds keywords to be wrong at the operator.
        let field = self.assignable(name.start(), field);
        let field = self.assignable(operator.start(), field);
        let value = self.right_side(value);
        self.event("assign", &[field, value])
    }

    fn opassign_name(&mut self, name: &Location<'_>, operator: &Location<'_>, value: &Node<'_>) -> Val {
        let token = self.token_of(name);
        self.through(operator.end());
        let field = self.event("var_field", &[token]);
        let operator = self.token_of(operator);
        let value = self.right_side(value);
        let all = self.event("opassign", &[field, operator, value]);
        self.assignable(name.start(), all)
    }

    pub(super) fn constant_path_write(&mut self, node: &ruby_prism::ConstantPathWriteNode<'_>) -> Val {
        let target = node.target();
        let (parent, name) = self.path_parts(&target);
        self.through(node.operator_loc().end());
        let field = self.path_field(parent, name);
        let field = self.assignable(target.location().start(), field);
        let value = self.right_side(&node.value());
        self.event("assign", &[field, value])
    }

    fn opassign_path(&mut self, target: &ConstantPathNode<'_>, operator: &Location<'_>, value: &Node<'_>) -> Val {
        let (parent, name) = self.path_parts(target);
        let operator = self.token_of(operator);
        let value = self.right_side(value);
        let field = self.path_field(parent, name);
        let all = self.event("opassign", &[field, operator, value]);
        self.assignable(target.location().start(), all)
    }

    /// What is assigned: behind its `rescue` there is no statement.
    fn right_side(&mut self, node: &Node<'_>) -> Val {
        let Some(rescue) = node.as_rescue_modifier_node().filter(|rescue| !is_command(&rescue.expression())) else {
            return self.expr(node);
        };
        let value = self.expr(&rescue.expression());
        let other = self.operand(&rescue.rescue_expression());
        self.ahead(node.location().end());
        self.event("rescue_mod", &[value, other])
    }

    fn path_parts(&mut self, target: &ConstantPathNode<'_>) -> (Option<Val>, Val) {
        let parent = target.parent().map(|parent| self.expr(&parent));
        self.through(target.delimiter_loc().end());
        let name = self.token_of(&target.name_loc());
        (parent, name)
    }

    fn path_field(&mut self, parent: Option<Val>, name: Val) -> Val {
        match parent {
            Some(parent) => self.event("const_path_field", &[parent, name]),
            None => self.event("top_const_field", &[name]),
        }
    }

    fn opassign_call(&mut self, write: &CallWrite<'_, '_>) -> Val {
        let receiver = write.receiver.as_ref().map_or(Val::NIL, |node| self.expr(node));
        let dot = write.call_operator.as_ref().map_or(Val::NIL, |l| self.token_of(l));
        let name = write.message.as_ref().map_or(Val::NIL, |l| self.token_of(l));
        let operator = self.token_of(&write.operator);
        let value = self.right_side(write.value);
        let field = self.event("field", &[receiver, dot, name]);
        self.event("opassign", &[field, operator, value])
    }

    fn opassign_index(&mut self, write: &IndexWrite<'_, '_>) -> Val {
        let receiver = write.receiver.as_ref().map_or(Val::NIL, |node| self.expr(node));
        let after = write.opening.end();
        self.through(after);
        let arguments: Vec<Node<'_>> =
            write.arguments.as_ref().map(|a| a.arguments().iter().collect()).unwrap_or_default();
        let list = self.opt_call_args(&arguments, write.block.as_ref(), after);
        self.through(write.closing.end());
        let operator = self.token_of(&write.operator);
        let value = self.right_side(write.value);
        let field = self.event("aref_field", &[receiver, list]);
        self.event("opassign", &[field, operator, value])
    }

    /// `a.b = 1` and `a[i] = 1`, which are calls in the tree.
    pub(super) fn attribute_write(&mut self, node: &CallNode<'_>) -> Val {
        let receiver = node.receiver().map_or(Val::NIL, |receiver| self.expr(&receiver));
        let mut arguments: Vec<Node<'_>> = node.arguments().map(|a| a.arguments().iter().collect()).unwrap_or_default();
        let value = arguments.pop();
        let before_value = node.equal_loc();
        let field = if node.name().as_slice() == b"[]=" && node.call_operator_loc().is_none() {
            let after = node.opening_loc().map_or(node.location().start(), |l| l.end());
            self.through(after);
            let block = node.block().and_then(|b| b.as_block_argument_node());
            let list = self.opt_call_args(&arguments, block.as_ref(), after);
            if let Some(closing) = node.closing_loc() {
                self.through(closing.end());
                self.ahead(closing.end());
            }
            self.event("aref_field", &[receiver, list])
        } else {
            let dot = node.call_operator_loc().map_or(Val::NIL, |l| self.token_of(&l));
            let name = node.message_loc().map_or(Val::NIL, |l| {
                let name = self.token_of(&l);
                self.ahead(l.end());
                name
            });
            self.event("field", &[receiver, dot, name])
        };
        if let Some(equal) = before_value {
            self.through(equal.end());
        }
        let value = value.map_or(Val::NIL, |node| self.right_side(&node));
        self.event("assign", &[field, value])
    }

    pub(super) fn multi_write(&mut self, node: &MultiWriteNode<'_>) -> Val {
        let lefts: Vec<Node<'_>> = node.lefts().iter().collect();
        let rights: Vec<Node<'_>> = node.rights().iter().collect();
        let targets = if let (Some(opening), Some(closing)) = (node.lparen_loc(), node.rparen_loc()) {
            self.through(opening.end());
            let inner = self.mlhs_inner(&lefts, node.rest().as_ref(), &rights);
            self.through(closing.end());
            self.ahead(closing.end());
            self.event("mlhs_paren", &[inner])
        } else {
            self.mlhs(&lefts, node.rest().as_ref(), &rights)
        };
        self.through(node.operator_loc().end());
        let value = self.expr(&node.value());
        self.event("massign", &[targets, value])
    }

    /// Several values on the right side.
    pub(super) fn mrhs(&mut self, nodes: &[Node<'_>]) -> Val {
        let Some((last, before)) = nodes.split_last() else {
            return Val::NIL;
        };
        let before = if before.is_empty() { None } else { Some(self.args(before, false)) };
        self.ahead_of_last(last);
        let splat = last.as_splat_node();
        let value = self.expr(last);
        let list = match before {
            Some(list) => self.event("mrhs_new_from_args", &[list]),
            None => self.event("mrhs_new", &[]),
        };
        self.event(if splat.is_some() { "mrhs_add_star" } else { "mrhs_add" }, &[list, value])
    }

    fn ahead_of_last(&mut self, node: &Node<'_>) {
        self.through(node.location().start());
    }

    /// What cannot be assigned to is told, and is what the handler makes of it.
    pub(super) fn assignable(&mut self, start: u32, value: Val) -> Val {
        match self.unassignable.remove(&start) {
            Some(message) => {
                let message = self.string(&message);
                self.event("assign_error", &[message, value])
            }
            None => value,
        }
    }
}
