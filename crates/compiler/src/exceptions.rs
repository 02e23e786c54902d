//! `begin`, `rescue`, `else`, `ensure`.

use std::rc::Rc;

use asterism_symbol::intern;
use ruby_prism::{BeginNode, EnsureNode, Node, RescueModifierNode, RescueNode};

use crate::builder::Label;
use crate::code::{Handler, HandlerKind};
use crate::errors::R;
use crate::opcode::Op;
use crate::regions::{Control, Ensure, Region};
use crate::source::Compiler;

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn open_region(&mut self, ensure: Option<Ensure<'pr>>) {
        let start = self.f().here();
        self.f().control.push(Control::Region(Region { ranges: Vec::new(), start, ensure }));
    }

    pub(crate) fn close_region(&mut self) -> Vec<(u32, u32)> {
        let here = self.f().here();
        match self.f().control.pop() {
            Some(Control::Region(mut region)) => {
                if region.start < here {
                    region.ranges.push((region.start, here));
                }
                region.ranges
            }
            _ => Vec::new(),
        }
    }

    /// Makes the present place the target of a handler for `ranges`.
    pub(crate) fn handler(&mut self, ranges: &[(u32, u32)], register: u16, kind: HandlerKind) {
        let target = self.f().here();
        for &(start, end) in ranges {
            self.f().handlers.push(Handler { start, end, target, reg: register, kind });
        }
    }

    /// Two consecutive registers for a handler.
    pub(crate) fn handler_registers(&mut self) -> R<u16> {
        let register = self.temp()?;
        self.temp()?;
        Ok(register)
    }

    /// Compiles an `ensure` clause for one of the ways into it.
    pub(crate) fn ensure_clause(&mut self, node: &EnsureNode<'pr>) -> R {
        let start = self.f().here();
        self.statements_opt(node.statements(), None)?;
        let end = self.f().here();
        self.f().ensures.push((start, end));
        Ok(())
    }

    pub(crate) fn begin(&mut self, node: &BeginNode<'pr>, dst: Option<u16>) -> R {
        let Some(ensure) = node.ensure_clause().filter(|e| e.statements().is_some()) else {
            return self.begin_rescue(node, dst);
        };
        let result = match dst {
            Some(dst) => Some(self.scratch(dst)?),
            None => None,
        };
        let register = self.handler_registers()?;
        let ensure = Rc::new(ensure);
        self.open_region(Some(Ensure::Clause(ensure.clone())));
        self.begin_rescue(node, result)?;
        let ranges = self.close_region();
        self.ensure_clause(&ensure)?;
        if !ranges.is_empty() {
            let end = self.f().label();
            self.f().jump(Op::Jmp, 0, end)?;
            self.handler(&ranges, register, HandlerKind::Ensure);
            self.f().control.push(Control::Handling { register, retry: None });
            self.open_region(None);
            self.f().begin_line();
            self.ensure_clause(&ensure)?;
            let inside = self.close_region();
            self.f().control.pop();
            self.emit(Op::SetErrInfo, register + 1, 0, 0)?;
            self.emit(Op::Rethrow, register, 0, 0)?;
            self.unwind_through(&inside, register)?;
            self.f().bind(end);
        }
        match result {
            Some(result) => self.move_to(dst, result),
            None => Ok(()),
        }
    }

    fn begin_rescue(&mut self, node: &BeginNode<'pr>, dst: Option<u16>) -> R {
        let Some(rescue) = node.rescue_clause() else {
            let Some(clause) = node.else_clause() else {
                return self.statements_opt(node.statements(), dst);
            };
            self.statements_opt(node.statements(), None)?;
            return self.statements_opt(clause.statements(), dst);
        };
        let register = self.handler_registers()?;
        let retry = self.f().bound();
        let end = self.f().label();
        self.open_region(None);
        let clause = node.else_clause();
        self.statements_opt(node.statements(), if clause.is_some() { None } else { dst })?;
        let ranges = self.close_region();
        if let Some(clause) = clause {
            self.statements_opt(clause.statements(), dst)?;
        }
        if !ranges.is_empty() {
            self.f().jump(Op::Jmp, 0, end)?;
            self.handler(&ranges, register, HandlerKind::Rescue);
            self.f().control.push(Control::Handling { register, retry: Some(retry) });
            self.open_region(None);
            self.rescue_clauses(rescue, register, dst, end)?;
            self.leave_rescue(register)?;
            self.f().control.pop();
        }
        self.f().bind(end);
        Ok(())
    }

    /// Ends the region of the code of a `rescue`: what unwinds out of it leaves `$!` as it was before.
    fn leave_rescue(&mut self, register: u16) -> R {
        let ranges = self.close_region();
        self.unwind_through(&ranges, register)
    }

    /// What unwinds out of `ranges`, the code of a `rescue` or of an `ensure` that another exception made run, leaves `$!`
    /// as it was before that one.
    fn unwind_through(&mut self, ranges: &[(u32, u32)], register: u16) -> R {
        if ranges.is_empty() {
            return Ok(());
        }
        let token = self.handler_registers()?;
        self.handler(ranges, token, HandlerKind::Ensure);
        self.emit(Op::SetErrInfo, register + 1, 0, 0)?;
        self.emit(Op::Rethrow, token, 0, 0)
    }

    fn rescue_clauses(&mut self, first: RescueNode<'pr>, register: u16, dst: Option<u16>, end: Label) -> R {
        let mut clause = Some(first);
        while let Some(node) = clause {
            let body = self.f().label();
            let next = self.f().label();
            let exceptions = node.exceptions();
            self.line_of(&node.as_node());
            if exceptions.is_empty() {
                let mark = self.mark();
                let class = self.temp()?;
                self.get_const(&[intern("StandardError")], true, class)?;
                self.rescue_match(register, class, false, body)?;
                self.release(mark);
            }
            for exception in &exceptions {
                let mark = self.mark();
                self.line_of(&exception);
                match exception.as_splat_node() {
                    Some(splat) => {
                        let value = self.splat_operand(&splat)?;
                        let list = self.temp()?;
                        self.emit(Op::SplatArray, list, value, 0)?;
                        self.rescue_match(register, list, true, body)?;
                    }
                    None => {
                        let class = self.operand(&exception)?;
                        self.rescue_match(register, class, false, body)?;
                    }
                }
                self.release(mark);
            }
            self.f().jump(Op::Jmp, 0, next)?;
            self.f().bind(body);
            if let Some(reference) = node.reference() {
                self.assign(&reference, register)?;
            }
            self.f().mark_rescued();
            self.statements_opt(node.statements(), dst)?;
            self.emit(Op::SetErrInfo, register + 1, 0, 0)?;
            self.f().jump(Op::Jmp, 0, end)?;
            self.f().bind(next);
            clause = node.subsequent();
        }
        self.emit(Op::Rethrow, register, 0, 0)
    }

    fn rescue_match(&mut self, register: u16, class: u16, list: bool, body: Label) -> R {
        let t = self.temp()?;
        self.f().emit_x(Op::RescueMatch, u8::from(list), t, register, class)?;
        self.f().jump(Op::JmpIf, t, body)
    }

    /// `a rescue b`
    pub(crate) fn rescue_modifier(&mut self, node: &RescueModifierNode<'pr>, dst: Option<u16>) -> R {
        let register = self.handler_registers()?;
        let retry = self.f().bound();
        let end = self.f().label();
        self.open_region(None);
        self.expr(&node.expression(), dst)?;
        let ranges = self.close_region();
        if !ranges.is_empty() {
            self.f().jump(Op::Jmp, 0, end)?;
            self.handler(&ranges, register, HandlerKind::Rescue);
            self.f().control.push(Control::Handling { register, retry: Some(retry) });
            self.open_region(None);
            let body = self.f().label();
            let mark = self.mark();
            let class = self.temp()?;
            self.get_const(&[intern("StandardError")], true, class)?;
            self.rescue_match(register, class, false, body)?;
            self.release(mark);
            self.emit(Op::Rethrow, register, 0, 0)?;
            self.f().bind(body);
            self.f().mark_rescued();
            self.modifier_value(&node.rescue_expression(), dst)?;
            self.emit(Op::SetErrInfo, register + 1, 0, 0)?;
            self.f().jump(Op::Jmp, 0, end)?;
            self.leave_rescue(register)?;
            self.f().control.pop();
        }
        self.f().bind(end);
        Ok(())
    }

    fn modifier_value(&mut self, node: &Node<'pr>, dst: Option<u16>) -> R {
        self.expr(node, dst)
    }
}
