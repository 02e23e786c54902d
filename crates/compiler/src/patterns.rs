//! Pattern matching: `case … in`, `=>`, `in`.

use asterism_symbol::sym;
use ruby_prism::{
    ArrayPatternNode, CaseMatchNode, FindPatternNode, HashPatternNode, MatchPredicateNode, MatchRequiredNode, Node,
};

use crate::analysis::MAX_DEPTH;
use crate::builder::Label;
use crate::code::{Literal, Mismatch, flags};
use crate::coverage::place_of;
use crate::errors::{CompileError, R};
use crate::opcode::Op;
use crate::source::Compiler;
use crate::symbols::symbol;

/// The value that a pattern is matched against.
#[derive(Clone, Copy)]
struct Subject {
    register: u16,
    /// Keeps the result of `deconstruct`, which is to be called once for all the patterns (undef: not yet).
    cache: Option<u16>,
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn case_match(&mut self, node: &CaseMatchNode<'pr>, dst: Option<u16>) -> R {
        let conditions: Vec<Node<'pr>> = node.conditions().iter().collect();
        let places = conditions.iter().filter_map(|c| c.as_in_node());
        let places = places.map(|c| place_of(&c.statements().map_or_else(|| c.location(), |s| s.location())));
        let cond = self.case_condition(&node.location(), "in", places, node.else_clause());
        let value = self.temp()?;
        match node.predicate() {
            Some(predicate) => self.expr(&predicate, Some(value))?,
            None => self.nil(Some(value))?,
        }
        let cache = self.temp()?;
        self.emit(Op::LoadUndef, cache, 0, 0)?;
        let subject = Subject { register: value, cache: Some(cache) };
        let end = self.f().label();
        let no_match = node.else_clause().is_none();
        let why = if no_match && conditions.len() == 1 { Some(self.temp()?) } else { None };
        let outer = std::mem::replace(&mut self.why, why);
        self.forget_why()?;
        for (n, clause) in conditions.iter().filter_map(|c| c.as_in_node()).enumerate() {
            let next = self.f().label();
            self.why = why;
            self.pattern(&clause.pattern(), subject, next)?;
            self.why = outer;
            self.way(cond, n)?;
            self.statements_opt(clause.statements(), dst)?;
            self.f().jump(Op::Jmp, 0, end)?;
            self.f().bind(next);
        }
        self.why = outer;
        self.way(cond, conditions.len())?;
        match node.else_clause() {
            Some(clause) => self.statements_opt(clause.statements(), dst)?,
            None => self.raise_no_match(value, why)?,
        }
        self.f().bind(end);
        Ok(())
    }

    fn raise_no_match(&mut self, value: u16, why: Option<u16>) -> R {
        let Some(why) = why else {
            return self.emit(Op::RaiseNoMatch, value, 0, 0);
        };
        let known = self.f().label();
        self.f().jump(Op::JmpDef, why, known)?;
        self.emit(Op::RaiseNoMatch, value, 0, 0)?;
        self.f().bind(known);
        self.emit(Op::RaiseNoMatch, value, 1, why)
    }

    /// Nothing is known of why the pattern does not match.
    fn forget_why(&mut self) -> R {
        match self.why {
            Some(why) => self.emit(Op::LoadUndef, why, 0, 0),
            None => Ok(()),
        }
    }

    /// Jumps to `fail` unless `jump` says that the pattern goes on: it emits a jump to a label for the outcome it is given.
    /// If an error is to tell, it is noted before: `reason`, the registers `of` which it speaks, and a number.
    fn check(
        &mut self,
        (reason, of, number): (Mismatch, &[u16], Option<i64>),
        fail: Label,
        jump: impl FnOnce(&mut Self, bool, Label) -> R,
    ) -> R {
        let Some(why) = self.why else { return jump(self, false, fail) };
        let goes_on = self.f().label();
        jump(self, true, goes_on)?;
        let mark = self.mark();
        let base = self.temp()?;
        self.load_int(reason as i64, base)?;
        for &part in of {
            let register = self.temp()?;
            self.f().mov(register, part)?;
        }
        if let Some(number) = number {
            let register = self.temp()?;
            self.load_int(number, register)?;
        }
        let count = 1 + of.len() + usize::from(number.is_some());
        self.emit(Op::NewArray, why, base, count as u16)?;
        self.release(mark);
        self.f().jump(Op::Jmp, 0, fail)?;
        self.f().bind(goes_on);
        Ok(())
    }

    /// Jumps to `fail` unless r[met].
    fn require(&mut self, met: u16, reason: Mismatch, of: &[u16], fail: Label) -> R {
        self.check((reason, of, None), fail, |c, sense, to| {
            c.f().jump(if sense { Op::JmpIf } else { Op::JmpUnless }, met, to)
        })
    }

    pub(crate) fn match_required(&mut self, node: &MatchRequiredNode<'pr>, dst: Option<u16>) -> R {
        let value = self.temp()?;
        self.expr(&node.value(), Some(value))?;
        let why = self.temp()?;
        let fail = self.f().label();
        let end = self.f().label();
        let outer = self.why.replace(why);
        self.forget_why()?;
        self.pattern(&node.pattern(), Subject { register: value, cache: None }, fail)?;
        self.why = outer;
        self.nil(dst)?;
        self.f().jump(Op::Jmp, 0, end)?;
        self.f().bind(fail);
        self.raise_no_match(value, Some(why))?;
        self.f().bind(end);
        Ok(())
    }

    pub(crate) fn match_predicate(&mut self, node: &MatchPredicateNode<'pr>, dst: Option<u16>) -> R {
        let value = self.temp()?;
        self.expr(&node.value(), Some(value))?;
        let fail = self.f().label();
        let end = self.f().label();
        let outer = self.why.take();
        self.pattern(&node.pattern(), Subject { register: value, cache: None }, fail)?;
        self.why = outer;
        if let Some(dst) = dst {
            self.emit(Op::LoadTrue, dst, 0, 0)?;
        }
        self.f().jump(Op::Jmp, 0, end)?;
        self.f().bind(fail);
        if let Some(dst) = dst {
            self.emit(Op::LoadFalse, dst, 0, 0)?;
        }
        self.f().bind(end);
        Ok(())
    }

    /// Goes on if the pattern matches, else jumps to `fail`.
    fn pattern(&mut self, node: &Node<'pr>, subject: Subject, fail: Label) -> R {
        if self.depth >= MAX_DEPTH {
            return Err(CompileError::Limit { message: "nesting too deep".into(), line: node.location().start_line() });
        }
        self.depth += 1;
        let mark = self.mark();
        self.line_of(node);
        let result = self.pattern_kind(node, subject, fail);
        self.release(mark);
        self.depth -= 1;
        result
    }

    fn pattern_kind(&mut self, node: &Node<'pr>, subject: Subject, fail: Label) -> R {
        if let Some(n) = node.as_array_pattern_node() {
            return self.array_pattern(&n, subject, fail);
        }
        if let Some(n) = node.as_find_pattern_node() {
            return self.find_pattern(&n, subject, fail);
        }
        if let Some(n) = node.as_hash_pattern_node() {
            return self.hash_pattern(&n, subject, fail);
        }
        if let Some(n) = node.as_alternation_pattern_node() {
            let other = self.f().label();
            let matched = self.f().label();
            self.pattern(&n.left(), subject, other)?;
            self.f().jump(Op::Jmp, 0, matched)?;
            self.f().bind(other);
            self.forget_why()?;
            self.pattern(&n.right(), subject, fail)?;
            self.f().bind(matched);
            return Ok(());
        }
        if let Some(n) = node.as_capture_pattern_node() {
            self.pattern(&n.value(), subject, fail)?;
            return self.assign(&n.target().as_node(), subject.register);
        }
        if node.as_local_variable_target_node().is_some() {
            return self.assign(node, subject.register);
        }
        if let Some(n) = node.as_implicit_node() {
            return self.pattern(&n.value(), subject, fail);
        }
        if let Some(n) = node.as_parentheses_node()
            && let Some(body) = n.body()
        {
            return self.pattern(&body, subject, fail);
        }
        if let Some(n) = node.as_statements_node()
            && let Some(only) = n.body().first()
        {
            return self.pattern(&only, subject, fail);
        }
        // `in pattern if condition`
        if let Some(n) = node.as_if_node()
            && let Some(inner) = n.statements().and_then(|s| s.body().first())
        {
            self.pattern(&inner, subject, fail)?;
            return self.guard(&n.predicate(), false, fail);
        }
        if let Some(n) = node.as_unless_node()
            && let Some(inner) = n.statements().and_then(|s| s.body().first())
        {
            self.pattern(&inner, subject, fail)?;
            return self.guard(&n.predicate(), true, fail);
        }
        if let Some(n) = node.as_pinned_variable_node() {
            return self.value_pattern(&n.variable(), subject.register, fail);
        }
        if let Some(n) = node.as_pinned_expression_node() {
            return self.value_pattern(&n.expression(), subject.register, fail);
        }
        if let Some(n) = node.as_splat_node() {
            // A bare `in *rest` is an Array pattern for the parser; what comes here is `*rest` inside one.
            if let Some(inner) = n.expression() {
                return self.assign(&inner, subject.register);
            }
            return Ok(());
        }
        self.value_pattern(node, subject.register, fail)
    }

    /// Jumps to `fail` if the condition of a guard is `when`.
    fn guard(&mut self, condition: &Node<'pr>, when: bool, fail: Label) -> R {
        self.check((Mismatch::Guard, &[], None), fail, |c, met, to| c.branch(condition, when != met, to))
    }

    fn value_pattern(&mut self, node: &Node<'pr>, value: u16, fail: Label) -> R {
        let mark = self.mark();
        let pattern = self.operand(node)?;
        let t = self.temp()?;
        let site = self.f().plain_site(sym::EQQ, 1, flags::FCALL)?;
        self.f().emit2(Op::CaseEq, 0, (t, pattern, value), u32::from(site), 0)?;
        self.require(t, Mismatch::Value, &[pattern, value], fail)?;
        self.release(mark);
        Ok(())
    }

    fn constant_check(&mut self, constant: Option<Node<'pr>>, value: u16, fail: Label) -> R {
        match constant {
            Some(constant) => self.value_pattern(&constant, value, fail),
            None => Ok(()),
        }
    }

    /// Jumps to `fail` if the subject could not be deconstructed into r[register].
    fn unless_undef(&mut self, register: u16, reason: Mismatch, subject: u16, fail: Label) -> R {
        self.check((reason, &[subject], None), fail, |c, met, to| {
            if met {
                return c.f().jump(Op::JmpDef, register, to);
            }
            let defined = c.f().label();
            c.f().jump(Op::JmpDef, register, defined)?;
            c.f().jump(Op::Jmp, 0, to)?;
            c.f().bind(defined);
            Ok(())
        })
    }

    /// The Array that the subject deconstructs to, in a register.
    fn deconstructed(&mut self, subject: Subject, fail: Label) -> R<u16> {
        let array = match subject.cache {
            Some(cache) => {
                let known = self.f().label();
                self.f().jump(Op::JmpDef, cache, known)?;
                self.emit(Op::Deconstruct, cache, subject.register, 0)?;
                self.f().bind(known);
                cache
            }
            None => {
                let t = self.temp()?;
                self.emit(Op::Deconstruct, t, subject.register, 0)?;
                t
            }
        };
        self.unless_undef(array, Mismatch::Deconstruct, subject.register, fail)?;
        Ok(array)
    }

    fn size_of(&mut self, array: u16) -> R<u16> {
        let size = self.temp()?;
        let site = self.f().plain_site(sym::size, 0, 0)?;
        self.f().emit2(Op::Size, 0, (size, array, 0), u32::from(site), 0)?;
        Ok(size)
    }

    /// Jumps to `fail` unless r[size], the size of r[array], is `n`, or with `more` at least that.
    fn check_size(&mut self, array: u16, size: u16, n: usize, more: bool, fail: Label) -> R {
        let Ok(n) = i16::try_from(n) else {
            return self.f().limit("elements in a pattern");
        };
        let (op, name, when) = if more { (Op::JmpLtI, sym::LT, false) } else { (Op::JmpEqI, sym::EQ, true) };
        let site = self.f().plain_site(name, 1, 0)?;
        let reason = if more { Mismatch::LengthAtLeast } else { Mismatch::Length };
        self.check((reason, &[array, size], Some(i64::from(n))), fail, |c, met, to| {
            c.f().jump_compare(op, when == met, size, n as u16, u32::from(site), to)
        })
    }

    fn element(&mut self, node: &Node<'pr>, array: u16, index: i64, fail: Label) -> R {
        let Ok(index) = i16::try_from(index) else {
            return self.f().limit("elements in a pattern");
        };
        let mark = self.mark();
        let t = self.temp()?;
        let site = self.f().plain_site(sym::AREF, 1, 0)?;
        self.f().emit2(Op::ArefI, 0, (t, array, index as u16), u32::from(site), 0)?;
        self.pattern(node, Subject { register: t, cache: None }, fail)?;
        self.release(mark);
        Ok(())
    }

    fn array_pattern(&mut self, node: &ArrayPatternNode<'pr>, subject: Subject, fail: Label) -> R {
        self.constant_check(node.constant(), subject.register, fail)?;
        let array = self.deconstructed(subject, fail)?;
        let (requireds, posts) = (node.requireds(), node.posts());
        let least = requireds.len() + posts.len();
        let mark = self.mark();
        let size = self.size_of(array)?;
        self.check_size(array, size, least, node.rest().is_some(), fail)?;
        self.release(mark);
        for (n, element) in requireds.iter().enumerate() {
            self.element(&element, array, n as i64, fail)?;
        }
        if let Some(target) = node.rest().and_then(|r| r.as_splat_node()).and_then(|s| s.expression()) {
            let t = self.temp()?;
            let (Ok(start), Ok(behind)) = (i16::try_from(requireds.len()), u8::try_from(posts.len())) else {
                return self.f().limit("elements in a pattern");
            };
            self.f().emit_x(Op::ArraySlice, behind, t, array, start as u16)?;
            self.assign(&target, t)?;
        }
        let count = posts.len() as i64;
        for (n, element) in posts.iter().enumerate() {
            self.element(&element, array, n as i64 - count, fail)?;
        }
        Ok(())
    }

    /// `[*, a, b, *]`
    fn find_pattern(&mut self, node: &FindPatternNode<'pr>, subject: Subject, fail: Label) -> R {
        self.constant_check(node.constant(), subject.register, fail)?;
        let array = self.deconstructed(subject, fail)?;
        let requireds: Vec<Node<'pr>> = node.requireds().iter().collect();
        let count = requireds.len();
        let size = self.size_of(array)?;
        self.check_size(array, size, count, true, fail)?;
        let last = self.temp()?;
        let index = self.temp()?;
        let Ok(width) = i16::try_from(count) else {
            return self.f().limit("elements in a pattern");
        };
        let site = self.f().plain_site(sym::MINUS, 1, 0)?;
        self.f().emit2(Op::SubI, 0, (last, size, width as u16), u32::from(site), 0)?;
        self.load_int(0, index)?;
        let again = self.f().bound();
        let site = self.f().plain_site(sym::GT, 1, 0)?;
        self.check((Mismatch::Find, &[array], None), fail, |c, met, to| {
            c.f().jump_compare(Op::JmpGt, !met, index, last, u32::from(site), to)
        })?;
        let next = self.f().label();
        let found = self.f().label();
        for (n, element) in requireds.iter().enumerate() {
            let mark = self.mark();
            let at = self.temp()?;
            let t = self.temp()?;
            let site = self.f().plain_site(sym::PLUS, 1, 0)?;
            self.f().emit2(Op::AddI, 0, (at, index, n as u16), u32::from(site), 0)?;
            let site = self.f().plain_site(sym::AREF, 1, 0)?;
            self.f().emit2(Op::Aref, 0, (t, array, at), u32::from(site), 0)?;
            self.pattern(element, Subject { register: t, cache: None }, next)?;
            self.release(mark);
        }
        self.f().jump(Op::Jmp, 0, found)?;
        self.f().bind(next);
        self.forget_why()?;
        let site = self.f().plain_site(sym::PLUS, 1, 0)?;
        self.f().emit2(Op::AddI, 0, (index, index, 1), u32::from(site), 0)?;
        self.f().jump(Op::Loop, 0, again)?;
        self.f().bind(found);
        if let Some(target) = node.left().expression() {
            let zero = self.temp()?;
            self.load_int(0, zero)?;
            self.part(array, zero, index, &target)?;
        }
        if let Some(target) = node.right().expression() {
            let from = self.temp()?;
            let site = self.f().plain_site(sym::PLUS, 1, 0)?;
            self.f().emit2(Op::AddI, 0, (from, index, width as u16), u32::from(site), 0)?;
            self.part(array, from, size, &target)?;
        }
        Ok(())
    }

    /// Assigns `array[from, length]`.
    fn part(&mut self, array: u16, from: u16, length: u16, target: &Node<'pr>) -> R {
        let mark = self.mark();
        let t = self.temp()?;
        let base = self.temp()?;
        for source in [from, length] {
            let register = self.temp()?;
            self.f().mov(register, source)?;
        }
        self.f().mov(base, array)?;
        let site = self.f().plain_site(sym::AREF, 2, 0)?;
        self.emit(Op::Call, base, t, site)?;
        self.assign(target, t)?;
        self.release(mark);
        Ok(())
    }

    fn hash_pattern(&mut self, node: &HashPatternNode<'pr>, subject: Subject, fail: Label) -> R {
        self.constant_check(node.constant(), subject.register, fail)?;
        let elements: Vec<Node<'pr>> = node.elements().iter().collect();
        let mut keys = Vec::new();
        for assoc in elements.iter().filter_map(|e| e.as_assoc_node()) {
            let Some(key) = assoc.key().as_symbol_node() else {
                return self.not_supported("a key of this kind in a pattern");
            };
            keys.push(symbol(key.unescaped(), self.symbol_encoding(&key))?);
        }
        let rest = node.rest().and_then(|r| r.as_assoc_splat_node());
        let closed = node.rest().is_some_and(|r| r.as_no_keywords_parameter_node().is_some());
        let rest_target = rest.as_ref().and_then(|r| r.value());
        let list = self.temp()?;
        let key_list = Literal::Array(keys.iter().map(|&k| Literal::Sym(k)).collect());
        if rest_target.is_some() || closed {
            self.nil(Some(list))?;
        } else {
            let lit = self.f().wide_literal(key_list.clone())?;
            self.f().emit_bc(Op::DupArray, list, lit)?;
        }
        let hash = self.temp()?;
        self.emit(Op::DeconstructKeys, hash, subject.register, list)?;
        self.unless_undef(hash, Mismatch::DeconstructKeys, subject.register, fail)?;
        if elements.is_empty() && node.rest().is_none() {
            let t = self.temp()?;
            let site = self.f().plain_site(sym::empty_p, 0, 0)?;
            self.f().emit2(Op::EmptyP, 0, (t, hash, 0), u32::from(site), 0)?;
            return self.require(t, Mismatch::NotEmpty, &[hash], fail);
        }
        for (assoc, name) in elements.iter().filter_map(|e| e.as_assoc_node()).zip(&keys) {
            let mark = self.mark();
            let key = self.temp()?;
            let value = self.temp()?;
            self.load_literal(Literal::Sym(*name), key)?;
            self.emit(Op::HashHasKey, value, hash, key)?;
            self.require(value, Mismatch::Key, &[hash, key], fail)?;
            let site = self.f().plain_site(sym::AREF, 1, 0)?;
            self.f().emit2(Op::Aref, 0, (value, hash, key), u32::from(site), 0)?;
            self.key_value(&assoc.value(), value, fail)?;
            self.release(mark);
        }
        if rest_target.is_some() || closed {
            let left = self.temp()?;
            let lit = self.f().wide_literal(key_list)?;
            self.f().emit_bc(Op::DupArray, list, lit)?;
            self.emit(Op::HashExcept, left, hash, list)?;
            if closed {
                let t = self.temp()?;
                let site = self.f().plain_site(sym::empty_p, 0, 0)?;
                self.f().emit2(Op::EmptyP, 0, (t, left, 0), u32::from(site), 0)?;
                self.require(t, Mismatch::Rest, &[left], fail)?;
            }
            if let Some(target) = rest_target {
                self.assign(&target, left)?;
            }
        }
        Ok(())
    }

    fn key_value(&mut self, node: &Node<'pr>, value: u16, fail: Label) -> R {
        self.pattern(node, Subject { register: value, cache: None }, fail)
    }
}
