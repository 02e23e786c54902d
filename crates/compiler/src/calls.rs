//! Calls: receivers, arguments, blocks, `super` and `yield`.

use asterism_symbol::{Sym, UTF_8, sym};
use ruby_prism::{ArgumentsNode, CallNode, ForwardingSuperNode, Node, SuperNode, YieldNode};

use crate::analysis::ScopeKind;
use crate::code::{CallSite, KeywordRest, Params, flags};
use crate::coverage;
use crate::errors::{CompileError, R};
use crate::opcode::{MOST_YIELDED, Op};
use crate::operators::is_plain;
use crate::source::Compiler;
use crate::symbols::symbol;
use crate::vars::Place;

/// What was laid out in registers for a call.
#[derive(Default)]
pub(crate) struct Shape {
    pub(crate) argc: u16,
    pub(crate) flags: u16,
    pub(crate) keywords: Vec<Sym>,
    pub(crate) block: Option<u16>,
    pub(crate) symbol: Option<u16>,
    /// The register with the Hash of all keyword arguments, if that is the program's own.
    pub(crate) own_hash: Option<u16>,
}

impl Shape {
    pub(crate) fn site(self, name: Sym, extra: u16) -> CallSite {
        let Shape { argc, block, symbol, .. } = self;
        CallSite { name, argc, flags: self.flags | extra, keywords: self.keywords.into(), block, symbol }
    }
}

/// The instruction, with its `x`, for a call with a receiver: switches of fibers have their own.
fn call_op(node: &CallNode<'_>, shape: &Shape) -> (Op, u8) {
    let plain = shape.argc <= 1 && shape.flags == 0 && shape.keywords.is_empty() && shape.block.is_none();
    let of_fiber = || {
        let receiver = node.receiver();
        let constant = receiver.as_ref().and_then(Node::as_constant_read_node);
        constant.is_some_and(|constant| constant.name().as_slice() == b"Fiber")
    };
    match node.name().as_slice() {
        b"resume" if plain => (Op::Resume, shape.argc as u8),
        b"yield" if plain && of_fiber() => (Op::FiberYield, shape.argc as u8),
        _ => (Op::Call, 0),
    }
}

/// Most values that are put into registers at once for an Array or Hash.
pub(crate) const CHUNK: usize = 64;

pub(crate) fn list<'pr>(arguments: Option<ArgumentsNode<'pr>>) -> Vec<Node<'pr>> {
    arguments.map(|a| a.arguments().iter().collect()).unwrap_or_default()
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn call(&mut self, node: &CallNode<'pr>, dst: Option<u16>) -> R {
        if self.operator_call(node, dst)?
            || self.primitive(node, dst)?
            || self.frozen_literal(node, dst)?
            || self.extreme_of_literal(node, dst)?
        {
            return Ok(());
        }
        let name = node.name();
        if node.receiver().is_none()
            && matches!(
                name.as_slice(),
                b"block_given?" | b"iterator?" | b"proc" | b"lambda" | b"binding" | b"eval" | b"send" | b"__send__"
            )
            || matches!(
                name.as_slice(),
                b"binding" | b"eval" | b"instance_eval" | b"class_eval" | b"module_eval" | b"new" | b"method"
            )
        {
            // Code that is evaluated may `yield`.
            self.note_block_use();
        }
        let attribute = node.is_attribute_write();
        // The assigned value outlives the call below its registers.
        let keep = match dst {
            Some(d) if attribute => Some(self.scratch(d)?),
            _ => None,
        };
        let result = match dst {
            Some(d) if !attribute => Some(d),
            _ => None,
        };
        let below = self.temp()?;
        let arguments = list(node.arguments());
        let in_place = match keep {
            Some(_) => None,
            None => self.receiver_in_place(node, &arguments)?,
        };
        let base = in_place.unwrap_or(below);
        let end = self.f().label();
        let mut extra = 0;
        let implicit = match node.receiver() {
            None => {
                self.f().begin_counted()?;
                true
            }
            Some(receiver) => {
                let own = matches!(receiver, Node::SelfNode { .. });
                if own || in_place.is_some() {
                    self.line_of(&receiver);
                    self.f().begin_counted()?;
                }
                if !own && in_place.is_none() {
                    self.expr(&receiver, Some(base))?;
                }
                if node.is_safe_navigation() {
                    if own {
                        self.emit(Op::LoadSelf, base, 0, 0)?;
                    }
                    // The value of a skipped call is nil.
                    let go = self.f().label();
                    let place = safe_call_place(node);
                    let cond = self.condition("&.", &node.location(), place, &[("then", place), ("else", place)]);
                    self.f().jump(Op::JmpNotNil, base, go)?;
                    self.way(cond, 1)?;
                    self.nil(dst)?;
                    self.f().jump(Op::Jmp, 0, end)?;
                    self.f().bind(go);
                    self.way(cond, 0)?;
                }
                own
            }
        };
        if implicit {
            extra |= flags::FCALL;
        }
        if node.is_variable_call() {
            extra |= flags::VCALL;
        }
        if attribute {
            extra |= flags::ATTR_ASSIGN;
        }
        let mut shape = match keep {
            Some(keep) => self.attribute_arguments(&arguments, keep)?,
            None => self.arguments(&arguments)?,
        };
        self.block_argument(node.block(), &mut shape)?;
        let (op, x) = if implicit { (Op::CallSelf, 0) } else { call_op(node, &shape) };
        let name = self.sym(name.as_slice())?;
        let site = self.f().site(shape.site(name, extra))?;
        self.call_line(node);
        self.f().emit_x(op, x, base, result.unwrap_or(below), site)?;
        if let Some(keep) = keep {
            self.move_to(dst, keep)?;
        }
        self.f().bind(end);
        Ok(())
    }

    /// `"literal".freeze`: the literal itself, frozen.
    fn frozen_literal(&mut self, node: &CallNode<'pr>, dst: Option<u16>) -> R<bool> {
        if node.name().as_slice() != b"freeze"
            || node.arguments().is_some()
            || node.block().is_some()
            || node.is_safe_navigation()
        {
            return Ok(false);
        }
        let Some(string) = node.receiver().and_then(|r| r.as_string_node()) else {
            return Ok(false);
        };
        if let Some(dst) = dst {
            self.frozen_string(&string, dst)?;
        }
        Ok(true)
    }

    /// Arguments of `a.b = v`, `a[…] = v`, with a copy of `v` in `keep`.
    fn attribute_arguments(&mut self, nodes: &[Node<'pr>], keep: u16) -> R<Shape> {
        let Some((value, rest)) = nodes.split_last() else {
            return self.arguments(nodes);
        };
        if rest.iter().all(is_plain) {
            let shape = self.arguments(nodes)?;
            // The value is the last register in use.
            let last = self.mark() as u16 - 1;
            self.f().mov(keep, last)?;
            return Ok(shape);
        }
        let array = self.temp()?;
        self.array_of(rest, array)?;
        self.expr(value, Some(keep))?;
        self.emit(Op::ArrayAppend, array, keep, 1)?;
        Ok(Shape { argc: 1, flags: flags::SPLAT, ..Shape::default() })
    }

    /// Evaluates arguments into new registers from the next one on.
    pub(crate) fn arguments(&mut self, nodes: &[Node<'pr>]) -> R<Shape> {
        let mut shape = Shape::default();
        let forwarding = nodes.last().is_some_and(|n| n.as_forwarding_arguments_node().is_some());
        let plain = &nodes[..nodes.len() - usize::from(forwarding)];
        let keywords = plain.last().and_then(|n| n.as_keyword_hash_node());
        let positional = &plain[..plain.len() - usize::from(keywords.is_some())];
        let splat = forwarding || positional.iter().any(|n| n.as_splat_node().is_some());
        // So many values would take a register each.
        if splat || positional.len() > 1024 {
            let array = self.temp()?;
            let name = self.sym(b"*")?;
            let rest = if forwarding { self.anonymous(name)? } else { None };
            match rest {
                Some(rest) if positional.is_empty() => {
                    let mark = self.mark();
                    let rest = self.place_operand(rest)?;
                    self.emit(Op::SplatArray, array, rest, 0)?;
                    self.release(mark);
                }
                _ => {
                    self.array_of(positional, array)?;
                    if forwarding {
                        self.append_anonymous(name, array)?;
                    }
                }
            }
            shape.flags |= flags::SPLAT;
            shape.argc = 1;
        } else {
            for node in positional {
                let register = self.temp()?;
                self.expr(node, Some(register))?;
            }
            shape.argc = positional.len() as u16;
        }
        if let Some(keywords) = keywords {
            let elements: Vec<Node<'pr>> = keywords.elements().iter().collect();
            self.keyword_arguments(&elements, &mut shape)?;
        }
        if forwarding {
            self.forward_rest(&mut shape)?;
        }
        Ok(shape)
    }

    fn append_anonymous(&mut self, name: Sym, array: u16) -> R {
        let mark = self.mark();
        if let Some(place) = self.anonymous(name)? {
            let rest = self.place_operand(place)?;
            self.emit(Op::ArraySplat, array, rest, 0)?;
        }
        self.release(mark);
        Ok(())
    }

    /// The keywords and the block of `...`.
    fn forward_rest(&mut self, shape: &mut Shape) -> R {
        let name = self.sym(b"**")?;
        if let Some(place) = self.anonymous(name)? {
            let register = self.temp()?;
            self.read_place(place, register)?;
            shape.flags |= flags::KW_SPLAT;
        }
        self.forward_block(shape)
    }

    /// Passes the anonymous block parameter on.
    fn forward_block(&mut self, shape: &mut Shape) -> R {
        let name = self.sym(b"&")?;
        match self.anonymous(name)? {
            Some(Place::Block) => shape.flags |= flags::BLOCK_FORWARD,
            Some(place) => {
                let register = self.temp()?;
                self.read_place(place, register)?;
                shape.flags |= flags::BLOCK_ARG;
            }
            None => {}
        }
        self.note_block_use();
        Ok(())
    }

    fn keyword_arguments(&mut self, elements: &[Node<'pr>], shape: &mut Shape) -> R {
        let mut names = Vec::new();
        for element in elements {
            let name = element.as_assoc_node().and_then(|a| a.key().as_symbol_node());
            let Some(name) = name else { break };
            let name = symbol(name.unescaped(), self.symbol_encoding(&name))?;
            if names.contains(&name) {
                break;
            }
            names.push(name);
        }
        if names.len() == elements.len() && names.len() <= CHUNK {
            for element in elements {
                let register = self.temp()?;
                if let Some(assoc) = element.as_assoc_node() {
                    self.expr(&assoc.value(), Some(register))?;
                }
            }
            shape.keywords = names;
            return Ok(());
        }
        let register = self.temp()?;
        shape.flags |= flags::KW_SPLAT;
        // Whoever is called takes no Hash as it is.
        if let [one] = elements
            && let Some(hash) = one.as_assoc_splat_node().and_then(|splat| splat.value())
        {
            self.expr(&hash, Some(register))?;
            shape.own_hash = Some(register);
            return Ok(());
        }
        self.hash_of(elements, register)?;
        shape.flags |= flags::KW_SPLAT_FRESH;
        Ok(())
    }

    /// What is evaluated next may change the Hash of keyword arguments: those are what it holds now.
    fn keep_keywords(&mut self, shape: &mut Shape) -> R {
        let Some(hash) = shape.own_hash.take() else { return Ok(()) };
        let mark = self.mark();
        let copy = self.temp()?;
        self.emit(Op::NewHash, copy, copy, 0)?;
        self.emit(Op::HashMerge, copy, hash, 0)?;
        self.emit(Op::Move, hash, copy, 0)?;
        self.release(mark);
        shape.flags |= flags::KW_SPLAT_FRESH;
        Ok(())
    }

    /// A literal block or a `&argument`.
    pub(crate) fn block_argument(&mut self, block: Option<Node<'pr>>, shape: &mut Shape) -> R {
        let Some(block) = block else { return Ok(()) };
        if let Some(literal) = block.as_block_node() {
            shape.block = Some(self.block(&literal)?);
            return Ok(());
        }
        let Some(argument) = block.as_block_argument_node() else {
            return self.not_supported("block of an unknown kind");
        };
        let Some(value) = argument.expression() else {
            return self.forward_block(shape);
        };
        if let Some(read) = value.as_local_variable_read_node() {
            let name = self.sym(read.name().as_slice())?;
            if self.place(name, read.depth())? == Place::Block {
                shape.flags |= flags::BLOCK_FORWARD;
                self.note_block_use();
                return Ok(());
            }
        }
        if value.as_local_variable_read_node().is_none() {
            self.keep_keywords(shape)?;
        }
        if let Some(literal) = value.as_symbol_node() {
            let name = symbol(literal.unescaped(), self.symbol_encoding(&literal))?;
            shape.symbol = self.f().own_site(name);
        }
        let register = self.temp()?;
        self.expr(&value, Some(register))?;
        shape.flags |= flags::BLOCK_ARG;
        Ok(())
    }

    /// `Primitive.name(…)` in the implementation's own Ruby code; `block_given?` there is one too.
    fn primitive(&mut self, node: &CallNode<'pr>, dst: Option<u16>) -> R<bool> {
        if !self.options.internal {
            return Ok(false);
        }
        let arguments = list(node.arguments());
        let mut name = node.name().as_slice();
        match node.receiver() {
            None if name == b"block_given?" && arguments.is_empty() => name = b"block_given",
            Some(receiver) if receiver.as_constant_read_node().is_some_and(|r| r.name().as_slice() == b"Primitive") => {
            }
            _ => return Ok(false),
        }
        if node.block().is_some() || !arguments.iter().all(is_plain) {
            return self.not_supported("a primitive with such arguments");
        }
        let Ok(count) = u8::try_from(arguments.len()) else {
            return self.f().limit("arguments of a primitive");
        };
        self.note_block_use();
        let d = self.some(dst)?;
        let mut base = None;
        for argument in &arguments {
            let register = self.temp()?;
            base.get_or_insert(register);
            self.expr(argument, Some(register))?;
        }
        if name == b"block_given" {
            return self.emit(Op::BlockGiven, d, 0, 0).map(|()| true);
        }
        let base = match base {
            Some(base) => base,
            None => self.temp()?,
        };
        let lit = self.f().sym_literal(symbol(name, UTF_8)?)?;
        self.call_line(node);
        self.f().emit_x(Op::Prim, count, base, d, lit)?;
        Ok(true)
    }

    pub(crate) fn yield_(&mut self, node: &YieldNode<'pr>, dst: Option<u16>) -> R {
        if self.funcs.iter().rev().find(|f| f.scope.closed()).is_some_and(|f| f.scope == ScopeKind::Class) {
            let line = node.location().start_line();
            return Err(CompileError::Syntax { line, message: "Invalid yield".to_owned() });
        }
        self.note_block_use();
        let base = self.temp()?;
        let arguments = list(node.arguments());
        let (first, shape) = match self.lone_local(&arguments)? {
            Some(local) => (local - 1, Shape { argc: 1, ..Shape::default() }),
            None => (base, self.arguments(&arguments)?),
        };
        let plain = shape.flags & (flags::SPLAT | flags::KW_SPLAT) == 0 && shape.keywords.is_empty();
        let known = if plain && shape.argc <= MOST_YIELDED { shape.argc as u8 + 1 } else { 0 };
        let site = self.f().site(shape.site(sym::EMPTY, 0))?;
        let line = node.location().start_line();
        self.f().line = u32::try_from(line).unwrap_or(0);
        self.f().emit_x(Op::Yield, known, first, dst.unwrap_or(base), site)
    }

    /// The register of the local that is the receiver, if that can stay where it is: nothing has to lie behind it.
    fn receiver_in_place(&mut self, node: &CallNode<'pr>, arguments: &[Node<'pr>]) -> R<Option<u16>> {
        let bare = arguments.is_empty() && !node.is_safe_navigation() && !node.is_attribute_write();
        if !bare || node.block().is_some_and(|block| block.as_block_node().is_none()) {
            return Ok(None);
        }
        let Some(read) = node.receiver().and_then(|r| r.as_local_variable_read_node()) else { return Ok(None) };
        let name = self.sym(read.name().as_slice())?;
        match self.place(name, read.depth())? {
            Place::Reg(local) => Ok(Some(local)),
            _ => Ok(None),
        }
    }

    /// The register of the local that is the only argument, if that can be passed where it lies: behind another register,
    /// which takes the place of the receiver's.
    fn lone_local(&mut self, arguments: &[Node<'pr>]) -> R<Option<u16>> {
        let [argument] = arguments else { return Ok(None) };
        let Some(read) = argument.as_local_variable_read_node() else { return Ok(None) };
        let name = self.sym(read.name().as_slice())?;
        let place = self.place(name, read.depth())?;
        let Place::Reg(local) = place else { return Ok(None) };
        Ok((local > 0 && !self.f().locals[usize::from(local - 1)].captured).then_some(local))
    }

    /// The name of the method around, for `super`.
    fn method_name(&self) -> Sym {
        self.funcs.iter().rev().find(|f| f.scope.closed()).map_or(sym::EMPTY, |f| f.name)
    }

    pub(crate) fn super_(&mut self, node: &SuperNode<'pr>, dst: Option<u16>) -> R {
        self.note_block_use();
        let base = self.temp()?;
        let mut shape = self.arguments(&list(node.arguments()))?;
        self.super_block(node.block(), &mut shape)?;
        let name = self.method_name();
        let site = self.f().site(shape.site(name, flags::FCALL))?;
        let line = node.location().start_line();
        self.f().line = u32::try_from(line).unwrap_or(0);
        self.emit(Op::Super, base, dst.unwrap_or(base), site)
    }

    /// `super` passes the method's block on when it is given none.
    fn super_block(&mut self, block: Option<Node<'pr>>, shape: &mut Shape) -> R {
        if block.is_none() {
            if shape.flags & flags::BLOCK_ARG == 0 {
                shape.flags |= flags::BLOCK_FORWARD;
            }
            return Ok(());
        }
        self.block_argument(block, shape)
    }

    /// `super` without an argument list: the method's parameters as they are now.
    pub(crate) fn zsuper(&mut self, node: &ForwardingSuperNode<'pr>, dst: Option<u16>) -> R {
        self.note_block_use();
        let home = self.funcs.iter().rposition(|f| f.scope.closed()).unwrap_or(0);
        let base = self.temp()?;
        let mut shape = Shape::default();
        if self.funcs[home].scope == ScopeKind::Def {
            let hops = (self.funcs.len() - 1 - home) as u16;
            let params = self.funcs[home].params.clone();
            self.parameters_as_arguments(&params, Some(home), hops, &mut shape)?;
        } else if home == 0
            && let Some((scope, params)) = self.options.method
        {
            // The method's scope is one of those that the source is evaluated in.
            let params = params.clone();
            let hops = (self.funcs.len() + self.options.scopes.len().saturating_sub(1 + scope)) as u16;
            self.parameters_as_arguments(&params, None, hops, &mut shape)?;
        }
        self.super_block(node.block().map(|b| b.as_node()), &mut shape)?;
        let name = self.method_name();
        let site = self.f().site(shape.site(name, flags::FCALL | flags::ZSUPER))?;
        let line = node.location().start_line();
        self.f().line = u32::try_from(line).unwrap_or(0);
        self.emit(Op::Super, base, dst.unwrap_or(base), site)
    }

    /// `home`: where in `funcs` the method is, if it is compiled now; `hops`: how many scopes out.
    fn parameters_as_arguments(&mut self, params: &Params, home: Option<usize>, hops: u16, shape: &mut Shape) -> R {
        let place = |c: &Self, slot: u16| {
            let local = home.and_then(|home| c.funcs[home].locals.get(usize::from(slot)));
            if hops > 0 || local.is_some_and(|l| l.captured) { Place::Up(slot, hops) } else { Place::Reg(slot) }
        };
        let leading = params.required + params.optional;
        let mut slot = leading;
        if params.rest {
            let array = self.temp()?;
            self.emit(Op::NewArray, array, array, 0)?;
            let append = |c: &mut Self, slot: u16| {
                let mark = c.mark();
                let p = place(c, slot);
                let value = c.place_operand(p)?;
                c.emit(Op::ArrayAppend, array, value, 1)?;
                c.release(mark);
                Ok(())
            };
            for slot in 0..leading {
                append(self, slot)?;
            }
            let p = place(self, slot);
            let mark = self.mark();
            let rest = self.place_operand(p)?;
            self.emit(Op::ArraySplat, array, rest, 0)?;
            self.release(mark);
            slot += 1;
            for n in 0..params.post {
                append(self, slot + n)?;
            }
            shape.flags |= flags::SPLAT;
            shape.argc = 1;
        } else {
            for slot in (0..leading).chain(slot..slot + params.post) {
                let register = self.temp()?;
                let p = place(self, slot);
                self.read_place(p, register)?;
            }
            shape.argc = leading + params.post;
        }
        slot += params.post;
        if params.keyword_rest == KeywordRest::Collect {
            let hash = self.temp()?;
            self.emit(Op::NewHash, hash, hash, 0)?;
            for (n, keyword) in params.keywords.iter().enumerate() {
                let mark = self.mark();
                let key = self.temp()?;
                let value = self.temp()?;
                let lit = self.f().sym_literal(keyword.name)?;
                self.f().emit_bc(Op::LoadLit, key, u32::from(lit))?;
                let p = place(self, slot + n as u16);
                self.read_place(p, value)?;
                self.emit(Op::HashAppend, hash, key, 2)?;
                self.release(mark);
            }
            let mark = self.mark();
            let p = place(self, slot + params.keywords.len() as u16);
            let rest = self.place_operand(p)?;
            self.emit(Op::HashMerge, hash, rest, 0)?;
            self.release(mark);
            shape.flags |= flags::KW_SPLAT | flags::KW_SPLAT_FRESH;
        } else {
            for (n, keyword) in params.keywords.iter().enumerate() {
                let register = self.temp()?;
                let p = place(self, slot + n as u16);
                self.read_place(p, register)?;
                shape.keywords.push(keyword.name);
            }
        }
        Ok(())
    }
}

/// What coverage shows as the place of a call with `&.`: without its block.
fn safe_call_place(node: &CallNode<'_>) -> coverage::Place {
    let ends = [node.closing_loc(), node.arguments().map(|a| a.as_node().location()), node.message_loc()];
    let at = node.location();
    let last = ends.into_iter().flatten().max_by_key(ruby_prism::Location::end).unwrap_or_else(|| node.location());
    [i64::from(at.start_line()), i64::from(at.start_column()), i64::from(last.end_line()), i64::from(last.end_column())]
}
