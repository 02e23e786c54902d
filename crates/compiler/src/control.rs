//! Loops, `case`, and the ways out of them: `break`, `next`, `redo`, `return`.

use asterism_symbol::{intern, sym};
use ruby_prism::{
    ArgumentsNode, BreakNode, CaseNode, ElseNode, FlipFlopNode, Location, NextNode, Node, ReturnNode, StatementsNode,
    UntilNode, WhileNode,
};

use crate::analysis::{ScopeKind, flip_flop_name};
use crate::branch::fused;
use crate::builder::Label;
use crate::calls::list;
use crate::code::{CodeKind, flags};
use crate::coverage::{Cond, Place, Spot, place_of};
use crate::errors::{CompileError, R, Warning};
use crate::opcode::Op;
use crate::operators::is_plain;
use crate::regions::{Control, Ensure};
use crate::source::Compiler;

/// What `break` or `next` takes along.
enum Carried<'pr> {
    Arguments(Option<ArgumentsNode<'pr>>),
    Register(u16),
}

/// How a class body is left before its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Break,
    Next,
    Redo,
}

impl<'pr> Compiler<'_, 'pr> {
    // ---- leaving ------------------------------------------------------------------------------

    /// Emits what has to happen on a way out past all but the `keep` outer controls. What comes back
    /// must be given to `stay` after the jump.
    fn leave(&mut self, keep: usize) -> R<Vec<Control<'pr>>> {
        let mut left = Vec::new();
        while self.f().control.len() > keep {
            let here = self.f().here();
            let Some(mut control) = self.f().control.pop() else {
                break;
            };
            let mut ensure = None;
            let mut handling = None;
            match &mut control {
                Control::Region(region) => {
                    if region.start < here {
                        region.ranges.push((region.start, here));
                    }
                    ensure = region.ensure.clone();
                }
                Control::Handling { register, .. } => handling = Some(*register),
                Control::Loop { .. } => {}
            }
            left.push(control);
            match ensure {
                Some(Ensure::Clause(ensure)) => {
                    let line = self.f().line;
                    self.ensure_clause(&ensure)?;
                    self.f().line = line;
                }
                Some(Ensure::Once(cell)) => self.emit(Op::OnceLeave, 0, cell, 0)?,
                None => {}
            }
            if let Some(register) = handling {
                self.emit(Op::SetErrInfo, register + 1, 0, 0)?;
            }
        }
        Ok(left)
    }

    /// Goes on compiling inside the controls that the way out left.
    fn stay(&mut self, left: Vec<Control<'pr>>) {
        let here = self.f().here();
        for mut control in left.into_iter().rev() {
            if let Control::Region(region) = &mut control {
                region.start = here;
            }
            self.f().control.push(control);
        }
    }

    fn has_ensure(&mut self, keep: usize) -> bool {
        self.f().control.iter().skip(keep).any(|c| matches!(c, Control::Region(r) if r.ensure.is_some()))
    }

    fn innermost_loop(&mut self) -> Option<usize> {
        self.f().control.iter().rposition(|c| matches!(c, Control::Loop { .. }))
    }

    fn syntax<T>(&mut self, message: &str) -> R<T> {
        let line = self.f().line as i32;
        Err(CompileError::Limit { message: message.to_string(), line })
    }

    /// The value of `return …`, `break …`, `next …`; `own`: in a register that is no local's.
    fn jump_value(&mut self, arguments: Option<ArgumentsNode<'pr>>, own: bool) -> R<u16> {
        let nodes = list(arguments);
        if let [only] = nodes.as_slice()
            && (is_plain(only) || only.as_keyword_hash_node().is_some())
            && !own
        {
            return self.operand(only);
        }
        let t = self.temp()?;
        match nodes.as_slice() {
            [] => self.nil(Some(t))?,
            [only] if only.as_splat_node().is_none() => self.expr(only, Some(t))?,
            _ => self.array_of(&nodes, t)?,
        }
        Ok(t)
    }

    /// Where `break` or `next` alone leads, if nothing has to happen on the way.
    pub(crate) fn plain_way_out(&mut self, statements: Option<StatementsNode<'pr>>) -> Option<Label> {
        let body = statements?.body();
        let only = body.first().filter(|_| body.len() == 1)?;
        let Some(Control::Loop { break_to, next_to, dst, .. }) = self.f().control.last() else {
            return None;
        };
        let (break_to, next_to, unused) = (*break_to, *next_to, dst.is_none());
        if only.as_next_node().is_some_and(|n| n.arguments().is_none()) {
            return Some(next_to);
        }
        (unused && only.as_break_node().is_some_and(|n| n.arguments().is_none())).then_some(break_to)
    }

    pub(crate) fn break_(&mut self, node: &BreakNode<'pr>) -> R {
        self.break_with(Carried::Arguments(node.arguments()))
    }

    fn break_with(&mut self, carried: Carried<'pr>) -> R {
        let Some(at) = self.innermost_loop() else {
            let value = self.carried(carried, false)?;
            if self.f().kind != CodeKind::Block {
                return self.leave_body(Way::Break, value);
            }
            self.forget_errors()?;
            return self.emit(Op::Break, value, 0, 0);
        };
        let Control::Loop { break_to, dst, .. } = self.f().control[at] else {
            return Ok(());
        };
        let own = self.has_ensure(at);
        let value = match dst {
            Some(_) => Some(self.carried(carried, own)?),
            None => {
                self.drop_carried(carried)?;
                None
            }
        };
        let left = self.leave(at)?;
        if let Some(value) = value {
            self.move_to(dst, value)?;
        }
        self.f().jump(Op::Jmp, 0, break_to)?;
        self.stay(left);
        Ok(())
    }

    pub(crate) fn next(&mut self, node: &NextNode<'pr>) -> R {
        self.next_with(Carried::Arguments(node.arguments()))
    }

    fn next_with(&mut self, carried: Carried<'pr>) -> R {
        let Some(at) = self.innermost_loop() else {
            let own = self.has_ensure(0);
            let value = self.carried(carried, own)?;
            if self.f().kind != CodeKind::Block {
                return self.leave_body(Way::Next, value);
            }
            let left = self.leave(0)?;
            self.emit(Op::Return, value, 0, 0)?;
            self.stay(left);
            return Ok(());
        };
        let Control::Loop { next_to, .. } = self.f().control[at] else {
            return Ok(());
        };
        self.drop_carried(carried)?;
        self.leave_and_jump(at + 1, next_to)
    }

    /// Jumps to a label inside the `keep` outer controls.
    fn leave_and_jump(&mut self, keep: usize, label: Label) -> R {
        let left = self.leave(keep)?;
        // `next` in the condition itself leads back to its beginning.
        let op = if self.f().is_bound(label) { Op::Loop } else { Op::Jmp };
        self.f().jump(op, 0, label)?;
        self.stay(left);
        Ok(())
    }

    pub(crate) fn redo_(&mut self) -> R {
        if let Some(at) = self.innermost_loop() {
            let Control::Loop { redo_to, .. } = self.f().control[at] else {
                return Ok(());
            };
            let left = self.leave(at + 1)?;
            self.f().jump(Op::Loop, 0, redo_to)?;
            self.stay(left);
            return Ok(());
        }
        let Some(start) = self.f().body_start else {
            let value = self.temp()?;
            self.nil(Some(value))?;
            return self.leave_body(Way::Redo, value);
        };
        let left = self.leave(0)?;
        self.f().jump(Op::Loop, 0, start)?;
        self.stay(left);
        Ok(())
    }

    // ---- out of class bodies ------------------------------------------------------------------

    /// A way out of a class body to the loop or block around it: the body returns an Array that says which way, and the
    /// code around goes it.
    fn leave_body(&mut self, way: Way, value: u16) -> R {
        let word = match way {
            Way::Break => "break",
            Way::Next => "next",
            Way::Redo => "redo",
        };
        let around = self
            .funcs
            .iter()
            .rev()
            .find(|f| f.kind != CodeKind::Class || f.control.iter().any(|c| matches!(c, Control::Loop { .. })));
        let leads = around.is_some_and(|f| {
            matches!(f.kind, CodeKind::Block | CodeKind::Class)
                || f.control.iter().any(|c| matches!(c, Control::Loop { .. }))
        });
        if self.f().kind != CodeKind::Class || !leads {
            return self.syntax(&format!("Can't escape from eval with {word}"));
        }
        self.f().left_early = true;
        let kept = self.temp()?;
        self.f().mov(kept, value)?;
        let left = self.leave(0)?;
        self.return_from_body(Some(way), kept)?;
        self.stay(left);
        Ok(())
    }

    /// Returns from a class body that may be left early.
    pub(crate) fn return_from_body(&mut self, way: Option<Way>, value: u16) -> R {
        let base = self.temp()?;
        let flags = [base, self.temp()?, self.temp()?];
        for (flag, which) in flags.into_iter().zip([Way::Break, Way::Next, Way::Redo]) {
            self.emit(if way == Some(which) { Op::LoadTrue } else { Op::LoadNil }, flag, 0, 0)?;
        }
        let last = self.temp()?;
        self.f().mov(last, value)?;
        self.emit(Op::NewArray, base, base, 4)?;
        self.emit(Op::Return, base, 0, 0)
    }

    /// Behind a class body that may have been left early, whose value is in `value`.
    pub(crate) fn go_on_after_body(&mut self, value: u16) -> R {
        let mark = self.mark();
        let base = self.temp()?;
        let flags = [base, self.temp()?, self.temp()?];
        let carried = self.temp()?;
        self.f().emit2(Op::Destructure, 0, (value, base, 4), 0, 0)?;
        for (flag, way) in flags.into_iter().zip([Way::Break, Way::Next, Way::Redo]) {
            let over = self.f().label();
            self.f().jump(Op::JmpNil, flag, over)?;
            match way {
                Way::Break => self.break_with(Carried::Register(carried))?,
                Way::Next => self.next_with(Carried::Register(carried))?,
                Way::Redo => self.redo_()?,
            }
            self.f().bind(over);
        }
        self.f().mov(value, carried)?;
        self.release(mark);
        Ok(())
    }

    fn carried(&mut self, carried: Carried<'pr>, own: bool) -> R<u16> {
        match carried {
            Carried::Arguments(arguments) => self.jump_value(arguments, own),
            Carried::Register(register) => Ok(register),
        }
    }

    fn drop_carried(&mut self, carried: Carried<'pr>) -> R {
        if let Carried::Arguments(arguments) = carried {
            for argument in list(arguments) {
                self.effect(&argument)?;
            }
        }
        Ok(())
    }

    pub(crate) fn retry(&mut self) -> R {
        let at = self.f().control.iter().rposition(|c| matches!(c, Control::Handling { retry: Some(_), .. }));
        let Some(at) = at else {
            return self.syntax("Invalid retry without rescue");
        };
        let Control::Handling { retry: Some(label), .. } = self.f().control[at] else {
            return Ok(());
        };
        let left = self.leave(at)?;
        self.f().jump(Op::Loop, 0, label)?;
        self.stay(left);
        Ok(())
    }

    /// Before the frame is left from inside rescue bodies: `$!` as it was.
    fn forget_errors(&mut self) -> R {
        let registers: Vec<u16> = self
            .f()
            .control
            .iter()
            .rev()
            .filter_map(|c| match c {
                Control::Handling { register, .. } => Some(*register),
                _ => None,
            })
            .collect();
        for register in registers {
            self.emit(Op::SetErrInfo, register + 1, 0, 0)?;
        }
        Ok(())
    }

    pub(crate) fn return_(&mut self, node: &ReturnNode<'pr>) -> R {
        let top = self.f().scope == ScopeKind::Program && matches!(self.f().kind, CodeKind::Main | CodeKind::File);
        if top && node.arguments().is_some() {
            let line = node.location().start_line();
            let message = "argument of top-level return is ignored".to_string();
            self.warnings.push(Warning { line, message, verbose_only: false });
        }
        let value = self.jump_value(node.arguments(), false)?;
        let own_frame = match self.f().scope {
            ScopeKind::Def | ScopeKind::Lambda => true,
            ScopeKind::Program => self.f().kind != CodeKind::Eval,
            _ => false,
        };
        let far = !own_frame || self.has_ensure(0);
        self.forget_errors()?;
        self.emit(if far { Op::ReturnFar } else { Op::Return }, value, 0, 0)
    }

    // ---- loops --------------------------------------------------------------------------------

    pub(crate) fn while_(&mut self, node: &WhileNode<'pr>, dst: Option<u16>) -> R {
        let cond = self.loop_condition("while", &node.location(), node.statements());
        self.loop_(&node.predicate(), (true, node.is_begin_modifier()), node.statements(), cond, dst)
    }

    pub(crate) fn until(&mut self, node: &UntilNode<'pr>, dst: Option<u16>) -> R {
        let cond = self.loop_condition("until", &node.location(), node.statements());
        self.loop_(&node.predicate(), (false, node.is_begin_modifier()), node.statements(), cond, dst)
    }

    /// What coverage counts of a loop.
    fn loop_condition(
        &mut self,
        kind: &'static str,
        location: &Location<'pr>,
        statements: Option<StatementsNode<'pr>>,
    ) -> Cond {
        if !self.has_branches() {
            return Cond::default();
        }
        let whole = place_of(location);
        let body = statements.map_or(whole, |s| place_of(&s.location()));
        self.condition(kind, location, whole, &[("body", body)])
    }

    /// What coverage counts of a `case`: `kind` is that of its clauses, whose places are `clauses`.
    pub(crate) fn case_condition(
        &mut self,
        location: &Location<'pr>,
        kind: &'static str,
        clauses: impl Iterator<Item = Place>,
        other: Option<ElseNode<'pr>>,
    ) -> Cond {
        if !self.has_branches() {
            return Cond::default();
        }
        let whole = place_of(location);
        let mut ways: Vec<Spot> = clauses.map(|place| (kind, place)).collect();
        let other = other.map(|clause| clause.statements().map_or_else(|| clause.location(), |s| s.location()));
        ways.push(("else", other.map_or(whole, |at| place_of(&at))));
        self.condition("case", location, whole, &ways)
    }

    /// The condition lies behind the body, so that a round takes one jump. Every backward jump must be one
    /// that polls.
    fn loop_(
        &mut self,
        predicate: &Node<'pr>,
        (when, body_first): (bool, bool),
        statements: Option<StatementsNode<'pr>>,
        cond: Cond,
        dst: Option<u16>,
    ) -> R {
        self.f().begin_counted()?;
        let value = match dst {
            Some(dst) => Some(self.scratch(dst)?),
            None => None,
        };
        let body = self.f().label();
        let condition = self.f().label();
        let end = self.f().label();
        self.f().control.push(Control::Loop { break_to: end, next_to: condition, redo_to: body, dst: value });
        if !body_first {
            self.f().jump(Op::Jmp, 0, condition)?;
        }
        self.f().bind(body);
        self.way(cond, 0)?;
        self.statements_opt(statements, None)?;
        self.f().bind(condition);
        if fused(predicate, when) {
            self.branch(predicate, when, body)?;
        } else {
            let done = self.f().label();
            self.branch(predicate, !when, done)?;
            self.f().jump(Op::Loop, 0, body)?;
            self.f().bind(done);
        }
        self.f().control.pop();
        self.nil(value)?;
        self.f().bind(end);
        match value {
            Some(value) => self.move_to(dst, value),
            None => Ok(()),
        }
    }

    // ---- case ---------------------------------------------------------------------------------

    pub(crate) fn case(&mut self, node: &CaseNode<'pr>, dst: Option<u16>) -> R {
        let conditions: Vec<Node<'pr>> = node.conditions().iter().collect();
        let clauses = conditions.iter().filter_map(|c| c.as_when_node());
        let places = clauses.map(|w| place_of(&w.statements().map_or_else(|| w.location(), |s| s.location())));
        let cond = self.case_condition(&node.location(), "when", places, node.else_clause());
        let subject = match node.predicate() {
            Some(predicate) => {
                let later: Vec<&Node<'pr>> = conditions.iter().collect();
                Some(self.operand_before(&predicate, &later)?)
            }
            None => None,
        };
        let end = self.f().label();
        let mut bodies = Vec::new();
        for when in conditions.iter().filter_map(|c| c.as_when_node()) {
            let body = self.f().label();
            for condition in &when.conditions() {
                let mark = self.mark();
                self.line_of(&condition);
                self.when(&condition, subject, body)?;
                self.release(mark);
            }
            bodies.push((body, when));
        }
        self.way(cond, bodies.len())?;
        match node.else_clause() {
            Some(clause) => self.statements_opt(clause.statements(), dst)?,
            None => self.nil(dst)?,
        }
        self.f().jump(Op::Jmp, 0, end)?;
        let last = bodies.len().wrapping_sub(1);
        for (n, (label, when)) in bodies.into_iter().enumerate() {
            self.f().bind(label);
            self.way(cond, n)?;
            self.statements_opt(when.statements(), dst)?;
            if n != last {
                self.f().jump(Op::Jmp, 0, end)?;
            }
        }
        self.f().bind(end);
        Ok(())
    }

    /// Jumps to `body` if one condition of a `when` holds.
    fn when(&mut self, condition: &Node<'pr>, subject: Option<u16>, body: Label) -> R {
        if let Some(splat) = condition.as_splat_node() {
            let value = self.splat_operand(&splat)?;
            let list = self.temp()?;
            self.emit(Op::SplatArray, list, value, 0)?;
            return self.any(list, subject, body);
        }
        match subject {
            None => self.branch(condition, true, body),
            Some(subject) => {
                let pattern = self.operand(condition)?;
                self.case_eq(pattern, subject, body)
            }
        }
    }

    pub(crate) fn case_eq(&mut self, pattern: u16, subject: u16, body: Label) -> R {
        let t = self.temp()?;
        let site = self.f().plain_site(sym::EQQ, 1, flags::FCALL)?;
        self.f().emit2(Op::CaseEq, 0, (t, pattern, subject), u32::from(site), 0)?;
        self.f().jump(Op::JmpIf, t, body)
    }

    /// `when *list`
    fn any(&mut self, list: u16, subject: Option<u16>, body: Label) -> R {
        let count = self.temp()?;
        let index = self.temp()?;
        let element = self.temp()?;
        let site = self.f().plain_site(sym::size, 0, 0)?;
        self.f().emit2(Op::Size, 0, (count, list, 0), u32::from(site), 0)?;
        self.load_int(0, index)?;
        let again = self.f().bound();
        let none = self.f().label();
        let site = self.f().plain_site(sym::GE, 1, 0)?;
        self.f().jump_compare(Op::JmpGe, true, index, count, u32::from(site), none)?;
        let site = self.f().plain_site(sym::AREF, 1, 0)?;
        self.f().emit2(Op::Aref, 0, (element, list, index), u32::from(site), 0)?;
        match subject {
            Some(subject) => self.case_eq(element, subject, body)?,
            None => self.f().jump(Op::JmpIf, element, body)?,
        }
        let site = self.f().plain_site(sym::PLUS, 1, 0)?;
        self.f().emit2(Op::AddI, 0, (index, index, 1), u32::from(site), 0)?;
        self.f().jump(Op::Loop, 0, again)?;
        self.f().bind(none);
        Ok(())
    }

    // ---- flip-flop ------------------------------------------------------------------------------

    /// `if a..b`: true from where `a` is till where `b` is. The state is a hidden local of the method.
    pub(crate) fn flip_flop(&mut self, node: &FlipFlopNode<'pr>, dst: Option<u16>) -> R {
        let name = intern(&flip_flop_name(node));
        let dst = self.some(dst)?;
        let mut depth = 0;
        for func in self.funcs.iter().rev() {
            if func.scope.closed() {
                break;
            }
            if !func.scope.transparent() {
                depth += 1;
            }
        }
        let place = self.place(name, depth)?;
        let state = self.temp()?;
        let result = self.temp()?;
        let end = self.f().label();
        let open = self.f().label();
        let check = self.f().label();
        self.read_place(place, state)?;
        self.f().jump(Op::JmpIf, state, open)?;
        let stay_shut = self.f().label();
        match node.left() {
            Some(left) => self.flip_flop_end(&left, stay_shut)?,
            None => self.f().jump(Op::Jmp, 0, stay_shut)?,
        }
        self.emit(Op::LoadTrue, state, 0, 0)?;
        self.write_place(place, state)?;
        self.emit(Op::LoadTrue, result, 0, 0)?;
        // With two dots the end is looked for at once.
        if node.is_exclude_end() {
            self.f().jump(Op::Jmp, 0, end)?;
        } else {
            self.f().jump(Op::Jmp, 0, check)?;
        }
        self.f().bind(stay_shut);
        self.emit(Op::LoadFalse, result, 0, 0)?;
        self.f().jump(Op::Jmp, 0, end)?;
        self.f().bind(open);
        self.emit(Op::LoadTrue, result, 0, 0)?;
        self.f().bind(check);
        match node.right() {
            Some(right) => self.flip_flop_end(&right, end)?,
            None => self.f().jump(Op::Jmp, 0, end)?,
        }
        self.emit(Op::LoadFalse, state, 0, 0)?;
        self.write_place(place, state)?;
        self.f().bind(end);
        self.f().mov(dst, result)
    }

    /// An integer literal stands for a line number: it is compared with `$.`.
    fn flip_flop_end(&mut self, node: &Node<'pr>, otherwise: Label) -> R {
        if node.as_integer_node().is_none() {
            return self.branch(node, false, otherwise);
        }
        let mark = self.mark();
        let base = self.temp()?;
        let other = self.temp()?;
        self.expr(node, Some(base))?;
        let line = self.f().sym_literal(intern("$."))?;
        self.f().emit_bc(Op::GetGlobal, other, u32::from(line))?;
        let site = self.f().plain_site(asterism_symbol::sym::EQ, 1, 0)?;
        self.emit(Op::Call, base, base, site)?;
        self.f().jump(Op::JmpUnless, base, otherwise)?;
        self.release(mark);
        Ok(())
    }
}
