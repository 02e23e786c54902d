//! Methods, blocks, lambdas, classes, modules, and the statements that change them.

use asterism_symbol::{Sym, UTF_8, sym};
use ruby_prism::{
    AliasGlobalVariableNode, AliasMethodNode, BlockNode, ClassNode, ConstantList, DefNode, ForNode, LambdaNode,
    Location, ModuleNode, Node, PostExecutionNode, SingletonClassNode, StatementsNode, UndefNode,
};

use crate::analysis::{ScopeKind, key};
use crate::builder::Func;
use crate::calls::Shape;
use crate::code::{CodeKind, Params};
use crate::errors::R;
use crate::opcode::Op;
use crate::source::Compiler;
use crate::symbols::symbol;

fn line_of(at: &Location<'_>) -> u32 {
    u32::try_from(at.start_line()).unwrap_or(0)
}

fn end_line_of(at: &Location<'_>) -> u32 {
    u32::try_from(at.end_line()).unwrap_or(0)
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn def(&mut self, node: &DefNode<'pr>, dst: Option<u16>) -> R {
        let name = symbol(node.name().as_slice(), UTF_8)?;
        let receiver = match node.receiver() {
            Some(receiver) => {
                let t = self.temp()?;
                self.expr(&receiver, Some(t))?;
                Some(t)
            }
            None => None,
        };
        let location = node.location();
        let at = key(&location, ScopeKind::Def);
        let label = name.text().into_owned();
        let mut func = Func::new(CodeKind::Method, ScopeKind::Def, name, label, line_of(&location));
        func.end_line = end_line_of(&location);
        self.funcs.push(func);
        self.count_calls(&location)?;
        // The body behind `=` is no statement.
        if node.equal_loc().is_some()
            && let Some(body) = node.body()
        {
            self.f().leave_uncounted(line_of(&body.location()));
        }
        let prologue = self.declare(at, node.parameters().as_ref(), &node.locals())?;
        self.prologue(prologue)?;
        self.body_and_return(node.body())?;
        let child = self.child()?;
        let lit = self.f().sym_literal(name)?;
        match receiver {
            Some(receiver) => {
                self.emit(Op::DefSingleton, receiver, lit, child)?;
                self.move_to(dst, receiver)
            }
            None => {
                let d = self.some(dst)?;
                self.emit(Op::DefMethod, d, lit, child)
            }
        }
    }

    /// Compiles a body and returns its value.
    fn body_and_return(&mut self, body: Option<Node<'pr>>) -> R {
        let result = self.temp()?;
        match body {
            // A body that is a local variable needs no copy.
            Some(body) => match body.as_statements_node() {
                Some(statements) => self.return_statements(&statements, result)?,
                None => {
                    self.expr(&body, Some(result))?;
                    self.return_at_end(result)?;
                }
            },
            None => {
                self.end_line();
                self.nil(Some(result))?;
                self.return_at_end(result)?;
            }
        }
        Ok(())
    }

    fn return_statements(&mut self, statements: &StatementsNode<'pr>, result: u16) -> R {
        let body = statements.body();
        let last = body.len().wrapping_sub(1);
        for (n, statement) in body.iter().enumerate() {
            if n == last && statement.as_local_variable_read_node().is_some() {
                self.mark_statement(&statement);
                let value = self.operand(&statement)?;
                return self.return_at_end(value);
            }
            self.mark_statement(&statement);
            self.expr(&statement, if n == last { Some(result) } else { None })?;
        }
        self.return_at_end(result)
    }

    /// What comes next belongs to the line of the innermost function's last token.
    fn end_line(&mut self) {
        if !self.options.internal {
            let func = self.f();
            func.line = func.end_line;
        }
    }

    /// The end of a body.
    fn return_at_end(&mut self, value: u16) -> R {
        self.end_line();
        if self.f().left_early { self.return_from_body(None, value) } else { self.emit(Op::Return, value, 0, 0) }
    }

    /// Finishes the innermost function and makes it a child of the one around.
    fn child(&mut self) -> R<u16> {
        let func = self.pop_func()?;
        let line = self.f().line;
        let code = self.finish(func)?;
        self.f().line = line;
        self.f().child(code)
    }

    /// The label of a block in the innermost function.
    fn block_label(&self) -> (Sym, String) {
        for (levels, func) in (1..).zip(self.funcs.iter().rev()) {
            if func.scope.closed() {
                let inside = &func.label;
                // Code that is evaluated in a block has that block's label already.
                let label = if levels == 1 {
                    format!("block in {inside}")
                } else {
                    format!("block ({levels} levels) in {inside}")
                };
                return (func.name, label);
            }
        }
        (sym::EMPTY, "block".to_string())
    }

    fn open_block(&mut self, scope: ScopeKind, location: &Location<'pr>) {
        let (name, label) = self.block_label();
        let mut func = Func::new(CodeKind::Block, scope, name, label, line_of(location));
        func.end_line = end_line_of(location);
        self.funcs.push(func);
    }

    /// Parameters, then `redo`'s place, then the body, of a block or lambda.
    fn block_body(
        &mut self,
        location: &Location<'pr>,
        scope: ScopeKind,
        parameters: Option<Node<'pr>>,
        locals: &ConstantList<'pr>,
        body: Option<Node<'pr>>,
    ) -> R<u16> {
        self.block_body_at(location, line_of(location), scope, parameters, locals, body)
    }

    /// As `block_body`, with the line that `source_location` says.
    fn block_body_at(
        &mut self,
        location: &Location<'pr>,
        line: u32,
        scope: ScopeKind,
        parameters: Option<Node<'pr>>,
        locals: &ConstantList<'pr>,
        body: Option<Node<'pr>>,
    ) -> R<u16> {
        self.open_block(scope, location);
        self.f().first_line = line;
        self.count_calls(location)?;
        let at = key(location, scope);
        let mut prologue = None;
        match parameters {
            None => prologue = Some(self.declare(at, None, locals)?),
            Some(node) => {
                if let Some(parameters) = node.as_block_parameters_node() {
                    prologue = Some(self.declare(at, parameters.parameters().as_ref(), locals)?);
                } else if let Some(numbered) = node.as_numbered_parameters_node() {
                    self.declare_numbered(at, numbered.maximum(), locals)?;
                } else if node.as_it_parameters_node().is_some() {
                    self.declare_numbered(at, 255, locals)?;
                } else {
                    return self.not_supported("parameters of this kind");
                }
            }
        }
        if let Some(prologue) = prologue {
            self.prologue(prologue)?;
        }
        let start = self.f().bound();
        self.f().body_start = Some(start);
        self.body_and_return(body)?;
        self.child()
    }

    pub(crate) fn block(&mut self, node: &BlockNode<'pr>) -> R<u16> {
        self.block_body(&node.location(), ScopeKind::Block, node.parameters(), &node.locals(), node.body())
    }

    pub(crate) fn lambda(&mut self, node: &LambdaNode<'pr>, dst: Option<u16>) -> R {
        let location = node.location();
        let line = line_of(&node.opening_loc());
        let child =
            self.block_body_at(&location, line, ScopeKind::Lambda, node.parameters(), &node.locals(), node.body())?;
        let d = self.some(dst)?;
        self.emit(Op::MakeLambda, d, child, 0)
    }

    /// `for a in b`: `b.each` with a block that assigns its parameters to the loop's variables.
    pub(crate) fn for_(&mut self, node: &ForNode<'pr>, dst: Option<u16>) -> R {
        let base = self.temp()?;
        self.expr(&node.collection(), Some(base))?;
        self.open_block(ScopeKind::For, &node.location());
        let index = node.index();
        let slot = self.f().add_local(sym::EMPTY, false)?;
        if index.as_multi_target_node().is_some() || index.as_splat_node().is_some() {
            // As for `|*args|`: several values, or one that is then spread.
            self.f().params = Params { rest: true, anonymous_rest: true, ..Params::default() };
            let args = slot;
            let mark = self.mark();
            let value = self.temp()?;
            let count = self.temp()?;
            let site = self.f().plain_site(sym::size, 0, 0)?;
            self.f().emit2(Op::Size, 0, (count, args, 0), u32::from(site), 0)?;
            let several = self.f().label();
            self.f().mov(value, args)?;
            let site = self.f().plain_site(sym::EQ, 1, 0)?;
            self.f().jump_compare(Op::JmpEqI, false, count, 1, u32::from(site), several)?;
            let site = self.f().plain_site(sym::AREF, 1, 0)?;
            self.f().emit2(Op::ArefI, 0, (value, args, 0), u32::from(site), 0)?;
            self.f().bind(several);
            self.assign(&index, value)?;
            self.release(mark);
        } else {
            self.f().params = Params { required: 1, ..Params::default() };
            self.assign(&index, slot)?;
        }
        let start = self.f().bound();
        self.f().body_start = Some(start);
        self.body_and_return(node.statements().map(|s| s.as_node()))?;
        let child = self.child()?;
        let shape = Shape { block: Some(child), ..Shape::default() };
        let site = self.f().site(shape.site(sym::each, 0))?;
        self.f().line = line_of(&node.location());
        self.emit(Op::Call, base, dst.unwrap_or(base), site)
    }

    /// The child, and whether `go_on_after_body` is needed behind it.
    fn class_body(
        &mut self,
        location: &Location<'pr>,
        name: Sym,
        label: String,
        locals: &ConstantList<'pr>,
        body: Option<Node<'pr>>,
    ) -> R<(u16, bool)> {
        let mut func = Func::new(CodeKind::Class, ScopeKind::Class, name, label, line_of(location));
        func.end_line = end_line_of(location);
        self.funcs.push(func);
        let prologue = self.declare(key(location, ScopeKind::Class), None, locals)?;
        self.prologue(prologue)?;
        self.body_and_return(body)?;
        let left_early = self.f().left_early;
        Ok((self.child()?, left_early))
    }

    /// The module that a class or module named by `path` is defined in, into register `dst`.
    fn definition_scope(&mut self, path: &Node<'pr>, dst: u16) -> R {
        match path.as_constant_path_node() {
            None => self.emit(Op::LoadCref, dst, 0, 0),
            Some(path) => match path.parent() {
                Some(parent) => self.expr(&parent, Some(dst)),
                None => self.get_const(&[sym::Object], true, dst),
            },
        }
    }

    pub(crate) fn class(&mut self, node: &ClassNode<'pr>, dst: Option<u16>) -> R {
        let name = symbol(node.name().as_slice(), UTF_8)?;
        let d = self.some(dst)?;
        let scope = self.temp()?;
        let superclass = self.temp()?;
        self.definition_scope(&node.constant_path(), scope)?;
        match node.superclass() {
            Some(node) => self.expr(&node, Some(superclass))?,
            None => self.emit(Op::LoadUndef, superclass, 0, 0)?,
        }
        let label = format!("<class:{}>", name.text());
        let (child, left_early) = self.class_body(&node.location(), name, label, &node.locals(), node.body())?;
        let lit = self.f().sym_literal(name)?;
        self.f().line = line_of(&node.location());
        let path = u16::from(node.constant_path().as_constant_path_node().is_some());
        self.f().emit2(Op::DefClass, 0, (d, scope, path), u32::from(lit), u32::from(child))?;
        if left_early { self.go_on_after_body(d) } else { Ok(()) }
    }

    pub(crate) fn module(&mut self, node: &ModuleNode<'pr>, dst: Option<u16>) -> R {
        let name = symbol(node.name().as_slice(), UTF_8)?;
        let d = self.some(dst)?;
        let scope = self.temp()?;
        self.definition_scope(&node.constant_path(), scope)?;
        let label = format!("<module:{}>", name.text());
        let (child, left_early) = self.class_body(&node.location(), name, label, &node.locals(), node.body())?;
        let lit = self.f().sym_literal(name)?;
        self.f().line = line_of(&node.location());
        let path = u16::from(node.constant_path().as_constant_path_node().is_some());
        self.f().emit2(Op::DefModule, 0, (d, scope, path), u32::from(lit), u32::from(child))?;
        if left_early { self.go_on_after_body(d) } else { Ok(()) }
    }

    pub(crate) fn singleton_class(&mut self, node: &SingletonClassNode<'pr>, dst: Option<u16>) -> R {
        let d = self.some(dst)?;
        let object = self.operand(&node.expression())?;
        let label = "singleton class".to_string();
        let (child, left_early) = self.class_body(&node.location(), sym::EMPTY, label, &node.locals(), node.body())?;
        self.f().line = line_of(&node.location());
        self.emit(Op::OpenSingleton, d, object, child)?;
        if left_early { self.go_on_after_body(d) } else { Ok(()) }
    }

    pub(crate) fn alias_method(&mut self, node: &AliasMethodNode<'pr>, dst: Option<u16>) -> R {
        let new = self.temp()?;
        self.expr(&node.new_name(), Some(new))?;
        let old = self.temp()?;
        self.expr(&node.old_name(), Some(old))?;
        self.emit(Op::AliasMethod, new, old, 0)?;
        self.nil(dst)
    }

    pub(crate) fn alias_global(&mut self, node: &AliasGlobalVariableNode<'pr>, dst: Option<u16>) -> R {
        let mut names = [0u16; 2];
        for (out, node) in names.iter_mut().zip([node.new_name(), node.old_name()]) {
            let name = symbol(node.location().as_slice(), UTF_8)?;
            *out = self.f().sym_literal(name)?;
        }
        self.emit(Op::AliasGlobal, names[0], names[1], 0)?;
        self.nil(dst)
    }

    pub(crate) fn undef(&mut self, node: &UndefNode<'pr>, dst: Option<u16>) -> R {
        for name in &node.names() {
            let mark = self.mark();
            let t = self.operand(&name)?;
            self.emit(Op::UndefMethod, t, 0, 0)?;
            self.release(mark);
        }
        self.nil(dst)
    }

    /// `END { … }`
    pub(crate) fn post_execution(&mut self, node: &PostExecutionNode<'pr>, dst: Option<u16>) -> R {
        let location = node.location();
        self.open_block(ScopeKind::PostExe, &location);
        self.body_and_return(node.statements().map(|s| s.as_node()))?;
        let child = self.child()?;
        let cell = self.f().once_cell()?;
        self.emit(Op::PostExe, child, cell, 0)?;
        self.nil(dst)
    }

    /// `BEGIN { … }` anywhere at the top runs first.
    pub(crate) fn pre_execution(&mut self, statements: &StatementsNode<'pr>) -> R {
        for statement in &statements.body() {
            if let Some(pre) = statement.as_pre_execution_node() {
                self.statements_opt(pre.statements(), None)?;
            }
            // `-n` and `-p` put the script into a loop.
            if self.options.command_line.n
                && self.funcs.len() == 1
                && let Some(script) = statement.as_while_node().and_then(|n| n.statements())
            {
                self.pre_execution(&script)?;
            }
        }
        Ok(())
    }
}
