//! The pass before code generation: which locals of which scope are captured, that is, can be seen by
//! another frame, and which are assigned. It also bounds the depth of the tree.

use std::collections::{HashMap, HashSet};

use asterism_symbol::{Sym, UTF_8, intern, try_intern};
use ruby_prism::{
    BlockArgumentNode, BlockNode, CallNode, ClassNode, DefNode, DefinedNode, FlipFlopNode, ForNode,
    ForwardingArgumentsNode, ForwardingSuperNode, LambdaNode, LocalVariableAndWriteNode,
    LocalVariableOperatorWriteNode, LocalVariableOrWriteNode, LocalVariableReadNode, LocalVariableTargetNode,
    LocalVariableWriteNode, Location, ModuleNode, Node, PostExecutionNode, ProgramNode, RescueNode, SingletonClassNode,
    SplatNode, Visit, YieldNode, visit_block_argument_node, visit_block_node, visit_call_node, visit_defined_node,
    visit_flip_flop_node, visit_lambda_node, visit_local_variable_and_write_node,
    visit_local_variable_operator_write_node, visit_local_variable_or_write_node, visit_local_variable_write_node,
    visit_post_execution_node, visit_program_node, visit_rescue_node, visit_splat_node, visit_yield_node,
};

use crate::walk::walk;

/// Deepest nesting of the tree that is compiled.
pub(crate) const MAX_DEPTH: usize = 10_000;

/// The kinds of scopes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ScopeKind {
    Program,
    Def,
    Class,
    Block,
    Lambda,
    /// The body of a `for`: a block for us, no scope for the parser.
    For,
    /// The body of an `END`: likewise.
    PostExe,
}

impl ScopeKind {
    /// The parser does not count it as a scope.
    pub(crate) fn transparent(self) -> bool {
        matches!(self, ScopeKind::For | ScopeKind::PostExe)
    }

    /// It does not see the locals around it.
    pub(crate) fn closed(self) -> bool {
        matches!(self, ScopeKind::Program | ScopeKind::Def | ScopeKind::Class)
    }
}

/// What a scope is known by in both passes: its place in the source.
pub(crate) type ScopeKey = (u32, u32, ScopeKind);

pub(crate) fn key(location: &Location<'_>, kind: ScopeKind) -> ScopeKey {
    (location.start(), location.end(), kind)
}

/// What is known of a scope.
#[derive(Default, Debug)]
pub(crate) struct ScopeInfo {
    /// All locals are captured.
    pub(crate) all: bool,
    /// These locals are.
    pub(crate) captured: HashSet<Sym>,
    /// These are assigned after their declaration.
    pub(crate) assigned: HashSet<Sym>,
    /// Names of hidden locals for the states of flip-flops, this scope's and those of blocks in it.
    pub(crate) hidden: Vec<Sym>,
}

/// The result of the pass.
#[derive(Default)]
pub(crate) struct Analysis {
    pub(crate) scopes: HashMap<ScopeKey, ScopeInfo>,
    /// Line of the place that is nested too deeply.
    pub(crate) too_deep: Option<i32>,
    /// Line of a `yield` that no method can be around of.
    pub(crate) stray_yield: Option<i32>,
}

/// `all`: every local of the program itself is captured. `in_method`: the code is evaluated in a method.
pub(crate) fn analyse(program: &ProgramNode<'_>, all: bool, in_method: bool) -> Analysis {
    let mut pass = Pass { done: Analysis::default(), stack: Vec::new(), depth: 0, in_method, in_defined: false };
    pass.scope(&program.location(), ScopeKind::Program, |pass| {
        if all && let Some(top) = pass.stack.last_mut() {
            top.info.all = true;
        }
        visit_program_node(pass, program);
    });
    pass.done
}

struct Open {
    kind: ScopeKind,
    info: ScopeInfo,
}

struct Pass {
    done: Analysis,
    stack: Vec<Open>,
    depth: usize,
    in_method: bool,
    in_defined: bool,
}

/// Methods that can reach the caller's locals.
const REFLECTIVE: &[&[u8]] = &[
    b"binding",
    b"eval",
    b"instance_eval",
    b"class_eval",
    b"module_eval",
    b"local_variables",
    b"local_variable_get",
    b"local_variable_set",
    b"local_variable_defined?",
];

impl Pass {
    fn scope(&mut self, at: &Location<'_>, kind: ScopeKind, body: impl FnOnce(&mut Self)) {
        self.stack.push(Open { kind, info: ScopeInfo::default() });
        body(self);
        if let Some(open) = self.stack.pop() {
            self.done.scopes.insert(key(at, kind), open.info);
        }
    }

    fn reference(&mut self, name: &[u8], depth: u32, write: bool) {
        let Some(name) = try_intern(name, UTF_8) else {
            return;
        };
        let top = self.stack.len() - 1;
        let mut left = depth;
        for at in (0..self.stack.len()).rev() {
            let open = &mut self.stack[at];
            if open.kind.transparent() {
                continue;
            }
            if left == 0 {
                if at != top {
                    open.info.captured.insert(name);
                }
                if write {
                    open.info.assigned.insert(name);
                }
                return;
            }
            left -= 1;
        }
    }

    /// A use of an anonymous parameter of the method around.
    fn anonymous(&mut self, name: &str) {
        let top = self.stack.len() - 1;
        for at in (0..self.stack.len()).rev() {
            if self.stack[at].kind == ScopeKind::Def {
                if at != top {
                    self.stack[at].info.captured.insert(intern(name));
                }
                return;
            }
        }
    }

    fn capture_all(&mut self) {
        for open in self.stack.iter_mut().rev() {
            open.info.all = true;
            if open.kind.closed() {
                return;
            }
        }
    }

    fn is_reflective(node: &CallNode<'_>) -> bool {
        let name = node.name();
        let name = name.as_slice();
        if REFLECTIVE.contains(&name) {
            // `instance_eval { … }` runs a block like any other.
            return !(node.arguments().is_none() && node.block().is_some_and(|b| b.as_block_node().is_some()));
        }
        match name {
            b"send" | b"__send__" | b"public_send" => {
                let first = node.arguments().and_then(|a| a.arguments().first());
                first.is_some_and(|first| {
                    first.as_symbol_node().is_some_and(|s| REFLECTIVE.contains(&s.unescaped()))
                        || first.as_string_node().is_some_and(|s| REFLECTIVE.contains(&s.unescaped()))
                })
            }
            b"proc" | b"lambda" => node.block().is_some_and(|b| b.as_block_argument_node().is_some()),
            _ => false,
        }
    }
}

impl<'pr> Visit<'pr> for Pass {
    fn visit(&mut self, node: &Node<'pr>) {
        if self.depth >= MAX_DEPTH {
            self.done.too_deep.get_or_insert_with(|| node.location().start_line());
            return;
        }
        self.depth += 1;
        walk(self, node);
        self.depth -= 1;
    }

    // Clauses hang on each other without a generic node between them.
    fn visit_rescue_node(&mut self, node: &RescueNode<'pr>) {
        if self.depth >= MAX_DEPTH {
            self.done.too_deep.get_or_insert_with(|| node.location().start_line());
            return;
        }
        self.depth += 1;
        visit_rescue_node(self, node);
        self.depth -= 1;
    }

    fn visit_defined_node(&mut self, node: &DefinedNode<'pr>) {
        let outer = std::mem::replace(&mut self.in_defined, true);
        visit_defined_node(self, node);
        self.in_defined = outer;
    }

    fn visit_yield_node(&mut self, node: &YieldNode<'pr>) {
        let around = self.stack.iter().rev().find(|open| matches!(open.kind, ScopeKind::Def | ScopeKind::Class));
        let stray = around.map_or(!self.in_method, |open| open.kind == ScopeKind::Class);
        if stray && !self.in_defined && self.done.stray_yield.is_none() {
            self.done.stray_yield = Some(node.location().start_line());
        }
        visit_yield_node(self, node);
    }

    fn visit_def_node(&mut self, node: &DefNode<'pr>) {
        if let Some(receiver) = node.receiver() {
            self.visit(&receiver);
        }
        self.scope(&node.location(), ScopeKind::Def, |pass| {
            if let Some(parameters) = node.parameters() {
                pass.visit_parameters_node(&parameters);
            }
            if let Some(body) = node.body() {
                pass.visit(&body);
            }
        });
    }

    fn visit_class_node(&mut self, node: &ClassNode<'pr>) {
        self.visit(&node.constant_path());
        if let Some(superclass) = node.superclass() {
            self.visit(&superclass);
        }
        self.scope(&node.location(), ScopeKind::Class, |pass| {
            if let Some(body) = node.body() {
                pass.visit(&body);
            }
        });
    }

    fn visit_module_node(&mut self, node: &ModuleNode<'pr>) {
        self.visit(&node.constant_path());
        self.scope(&node.location(), ScopeKind::Class, |pass| {
            if let Some(body) = node.body() {
                pass.visit(&body);
            }
        });
    }

    fn visit_singleton_class_node(&mut self, node: &SingletonClassNode<'pr>) {
        self.visit(&node.expression());
        self.scope(&node.location(), ScopeKind::Class, |pass| {
            if let Some(body) = node.body() {
                pass.visit(&body);
            }
        });
    }

    fn visit_block_node(&mut self, node: &BlockNode<'pr>) {
        self.scope(&node.location(), ScopeKind::Block, |pass| visit_block_node(pass, node));
    }

    fn visit_lambda_node(&mut self, node: &LambdaNode<'pr>) {
        self.scope(&node.location(), ScopeKind::Lambda, |pass| visit_lambda_node(pass, node));
    }

    fn visit_for_node(&mut self, node: &ForNode<'pr>) {
        self.visit(&node.collection());
        self.scope(&node.location(), ScopeKind::For, |pass| {
            pass.visit(&node.index());
            if let Some(statements) = node.statements() {
                pass.visit_statements_node(&statements);
            }
        });
    }

    fn visit_post_execution_node(&mut self, node: &PostExecutionNode<'pr>) {
        self.scope(&node.location(), ScopeKind::PostExe, |pass| visit_post_execution_node(pass, node));
    }

    fn visit_call_node(&mut self, node: &CallNode<'pr>) {
        if Pass::is_reflective(node) {
            self.capture_all();
        }
        visit_call_node(self, node);
    }

    fn visit_forwarding_super_node(&mut self, node: &ForwardingSuperNode<'pr>) {
        let top = self.stack.len() - 1;
        if let Some(at) = self.stack.iter().rposition(|open| open.kind.closed())
            && at != top
        {
            self.stack[at].info.all = true;
        }
        if let Some(block) = node.block() {
            self.visit_block_node(&block);
        }
    }

    fn visit_flip_flop_node(&mut self, node: &FlipFlopNode<'pr>) {
        let name = intern(&flip_flop_name(node));
        let top = self.stack.len() - 1;
        if let Some(at) = self.stack.iter().rposition(|open| open.kind.closed()) {
            let info = &mut self.stack[at].info;
            info.hidden.push(name);
            if at != top {
                info.captured.insert(name);
            }
        }
        visit_flip_flop_node(self, node);
    }

    fn visit_splat_node(&mut self, node: &SplatNode<'pr>) {
        if node.expression().is_none() {
            self.anonymous("*");
        }
        visit_splat_node(self, node);
    }

    fn visit_assoc_splat_node(&mut self, node: &ruby_prism::AssocSplatNode<'pr>) {
        match node.value() {
            Some(value) => self.visit(&value),
            None => self.anonymous("**"),
        }
    }

    fn visit_block_argument_node(&mut self, node: &BlockArgumentNode<'pr>) {
        if node.expression().is_none() {
            self.anonymous("&");
        }
        visit_block_argument_node(self, node);
    }

    fn visit_forwarding_arguments_node(&mut self, _: &ForwardingArgumentsNode<'pr>) {
        self.anonymous("*");
        self.anonymous("**");
        self.anonymous("&");
    }

    fn visit_local_variable_read_node(&mut self, node: &LocalVariableReadNode<'pr>) {
        self.reference(node.name().as_slice(), node.depth(), false);
    }

    fn visit_local_variable_target_node(&mut self, node: &LocalVariableTargetNode<'pr>) {
        self.reference(node.name().as_slice(), node.depth(), true);
    }

    fn visit_local_variable_write_node(&mut self, node: &LocalVariableWriteNode<'pr>) {
        self.reference(node.name().as_slice(), node.depth(), true);
        visit_local_variable_write_node(self, node);
    }

    fn visit_local_variable_and_write_node(&mut self, node: &LocalVariableAndWriteNode<'pr>) {
        self.reference(node.name().as_slice(), node.depth(), true);
        visit_local_variable_and_write_node(self, node);
    }

    fn visit_local_variable_or_write_node(&mut self, node: &LocalVariableOrWriteNode<'pr>) {
        self.reference(node.name().as_slice(), node.depth(), true);
        visit_local_variable_or_write_node(self, node);
    }

    fn visit_local_variable_operator_write_node(&mut self, node: &LocalVariableOperatorWriteNode<'pr>) {
        self.reference(node.name().as_slice(), node.depth(), true);
        visit_local_variable_operator_write_node(self, node);
    }
}

/// Whether evaluating `node` may assign the local `name` (of the innermost scope).
pub(crate) fn may_assign(node: &Node<'_>, name: &[u8]) -> bool {
    // Most operands are one of these.
    if matches!(
        node,
        Node::LocalVariableReadNode { .. }
            | Node::IntegerNode { .. }
            | Node::InstanceVariableReadNode { .. }
            | Node::SelfNode { .. }
            | Node::NilNode { .. }
            | Node::TrueNode { .. }
            | Node::FalseNode { .. }
            | Node::StringNode { .. }
            | Node::SymbolNode { .. }
            | Node::FloatNode { .. }
            | Node::ConstantReadNode { .. }
    ) {
        return false;
    }
    let mut finder = Finder { name, found: false, depth: 0 };
    finder.visit(node);
    finder.found
}

struct Finder<'n> {
    name: &'n [u8],
    found: bool,
    depth: usize,
}

impl<'pr> Visit<'pr> for Finder<'_> {
    fn visit(&mut self, node: &Node<'pr>) {
        if self.found {
            return;
        }
        if self.depth >= MAX_DEPTH {
            self.found = true;
            return;
        }
        self.depth += 1;
        walk(self, node);
        self.depth -= 1;
    }

    fn visit_local_variable_target_node(&mut self, node: &LocalVariableTargetNode<'pr>) {
        self.found |= node.name().as_slice() == self.name;
    }

    fn visit_local_variable_write_node(&mut self, node: &LocalVariableWriteNode<'pr>) {
        self.found |= node.name().as_slice() == self.name;
        visit_local_variable_write_node(self, node);
    }

    fn visit_local_variable_and_write_node(&mut self, node: &LocalVariableAndWriteNode<'pr>) {
        self.found |= node.name().as_slice() == self.name;
        visit_local_variable_and_write_node(self, node);
    }

    fn visit_local_variable_or_write_node(&mut self, node: &LocalVariableOrWriteNode<'pr>) {
        self.found |= node.name().as_slice() == self.name;
        visit_local_variable_or_write_node(self, node);
    }

    fn visit_local_variable_operator_write_node(&mut self, node: &LocalVariableOperatorWriteNode<'pr>) {
        self.found |= node.name().as_slice() == self.name;
        visit_local_variable_operator_write_node(self, node);
    }
}

/// The name that a flip-flop's hidden local is known by.
pub(crate) fn flip_flop_name(node: &FlipFlopNode<'_>) -> String {
    let at = node.location();
    format!("flip-flop {} {}", at.start(), at.end())
}
