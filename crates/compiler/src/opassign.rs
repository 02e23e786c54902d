//! `a += b`, `a ||= b`, `a &&= b` for every kind of target; receivers and indices are evaluated once.

use asterism_symbol::{Sym, UTF_8, sym};
use ruby_prism::{ArgumentsNode, ConstantPathNode, Node};

use crate::calls::{Shape, list};
use crate::code::flags;
use crate::errors::R;
use crate::opcode::{DefinedKind, Op};
use crate::source::Compiler;
use crate::symbols::symbol;
use crate::vars::Place;

/// Which operator.
#[derive(Clone, Copy)]
enum How<'n> {
    Or,
    And,
    Op(&'n [u8]),
}

/// How to find out whether the target has a value, for `||=` on what may be undefined.
type Check<'c> = (DefinedKind, Option<u16>, &'c [u8]);

macro_rules! three {
    ($self:ident, $node:ident, $dst:ident, $or:ident, $and:ident, $op:ident, |$n:ident, $how:ident| $body:expr) => {
        if let Some($n) = $node.$or() {
            let $how = How::Or;
            return $body.map(|()| true);
        }
        if let Some($n) = $node.$and() {
            let $how = How::And;
            return $body.map(|()| true);
        }
        if let Some($n) = $node.$op() {
            let operator = $n.binary_operator();
            let $how = How::Op(operator.as_slice());
            return $body.map(|()| true);
        }
    };
}

impl<'pr> Compiler<'_, 'pr> {
    /// Compiles `node` if it is an operator assignment.
    pub(crate) fn op_assign(&mut self, node: &Node<'pr>, dst: Option<u16>) -> R<bool> {
        three!(
            self,
            node,
            dst,
            as_local_variable_or_write_node,
            as_local_variable_and_write_node,
            as_local_variable_operator_write_node,
            |n, how| {
                let name = self.sym(n.name().as_slice())?;
                let place = self.place(name, n.depth())?;
                self.op_local(place, how, &n.value(), dst)
            }
        );
        three!(
            self,
            node,
            dst,
            as_instance_variable_or_write_node,
            as_instance_variable_and_write_node,
            as_instance_variable_operator_write_node,
            |n, how| {
                let name = n.name().as_slice().to_vec();
                self.op_any(how, &n.value(), dst, None, |c, r| c.read_ivar(&name, r), |c, r| c.write_ivar(&name, r))
            }
        );
        three!(
            self,
            node,
            dst,
            as_global_variable_or_write_node,
            as_global_variable_and_write_node,
            as_global_variable_operator_write_node,
            |n, how| {
                let name = n.name().as_slice().to_vec();
                self.op_any(
                    how,
                    &n.value(),
                    dst,
                    Some((DefinedKind::Global, None, &name)),
                    |c, r| c.named(Op::GetGlobal, r, &name),
                    |c, r| c.named(Op::SetGlobal, r, &name),
                )
            }
        );
        three!(
            self,
            node,
            dst,
            as_class_variable_or_write_node,
            as_class_variable_and_write_node,
            as_class_variable_operator_write_node,
            |n, how| {
                let name = n.name().as_slice().to_vec();
                self.op_any(
                    how,
                    &n.value(),
                    dst,
                    Some((DefinedKind::Cvar, None, &name)),
                    |c, r| c.named(Op::GetCvar, r, &name),
                    |c, r| c.named(Op::SetCvar, r, &name),
                )
            }
        );
        three!(
            self,
            node,
            dst,
            as_constant_or_write_node,
            as_constant_and_write_node,
            as_constant_operator_write_node,
            |n, how| {
                let bytes = n.name().as_slice().to_vec();
                let name = symbol(&bytes, UTF_8)?;
                self.op_any(
                    how,
                    &n.value(),
                    dst,
                    Some((DefinedKind::Const, None, &bytes)),
                    |c, r| c.get_const(&[name], false, r),
                    |c, r| c.set_const(None, name, r),
                )
            }
        );
        three!(
            self,
            node,
            dst,
            as_constant_path_or_write_node,
            as_constant_path_and_write_node,
            as_constant_path_operator_write_node,
            |n, how| self.op_const_path(&n.target(), how, &n.value(), dst)
        );
        three!(
            self,
            node,
            dst,
            as_call_or_write_node,
            as_call_and_write_node,
            as_call_operator_write_node,
            |n, how| {
                let read = symbol(n.read_name().as_slice(), UTF_8)?;
                let write = symbol(n.write_name().as_slice(), UTF_8)?;
                let visible = n.is_ignore_visibility();
                self.op_attribute(n.receiver(), read, write, n.is_safe_navigation(), visible, how, &n.value(), dst)
            }
        );
        three!(
            self,
            node,
            dst,
            as_index_or_write_node,
            as_index_and_write_node,
            as_index_operator_write_node,
            |n, how| {
                if n.block().is_some() {
                    return self.not_supported("an index assignment with a block");
                }
                let visible = n.is_ignore_visibility();
                self.op_index(n.receiver(), n.arguments(), visible, how, &n.value(), dst)
            }
        );
        Ok(false)
    }

    fn op_local(&mut self, place: Place, how: How<'_>, value: &Node<'pr>, dst: Option<u16>) -> R {
        let Place::Reg(local) = place else {
            return self.op_any(how, value, dst, None, |c, r| c.read_place(place, r), |c, r| c.write_place(place, r));
        };
        match how {
            How::Op(name) => {
                let left = match crate::analysis::may_assign(value, self.local_name(local)) {
                    true => {
                        let t = self.temp()?;
                        self.f().mov(t, local)?;
                        t
                    }
                    false => local,
                };
                self.binary_op(name, local, left, value)?;
            }
            How::Or | How::And => {
                let end = self.f().label();
                self.f().jump(if matches!(how, How::Or) { Op::JmpIf } else { Op::JmpUnless }, local, end)?;
                self.expr(value, Some(local))?;
                self.f().bind(end);
            }
        }
        self.move_to(dst, local)
    }

    fn local_name(&mut self, slot: u16) -> &'static [u8] {
        self.f().locals[usize::from(slot)].name.bytes()
    }

    /// The general case: `read` into a register, operate, `write` from it.
    fn op_any(
        &mut self,
        how: How<'_>,
        value: &Node<'pr>,
        dst: Option<u16>,
        check: Option<Check<'_>>,
        read: impl Fn(&mut Self, u16) -> R,
        write: impl Fn(&mut Self, u16) -> R,
    ) -> R {
        let result = match dst {
            Some(dst) => self.scratch(dst)?,
            None => self.temp()?,
        };
        match how {
            How::Op(name) => {
                let left = self.temp()?;
                read(self, left)?;
                self.binary_op(name, result, left, value)?;
                write(self, result)?;
            }
            How::Or | How::And => {
                let end = self.f().label();
                let assign = self.f().label();
                let or = matches!(how, How::Or);
                if or && let Some((kind, receiver, name)) = check {
                    let name = symbol(name, UTF_8)?;
                    let lit = self.f().sym_literal(name)?;
                    self.f().emit_x(Op::Defined, kind as u8, result, receiver.unwrap_or(0), lit)?;
                    self.f().jump(Op::JmpUnless, result, assign)?;
                }
                read(self, result)?;
                self.f().jump(if or { Op::JmpIf } else { Op::JmpUnless }, result, end)?;
                self.f().bind(assign);
                self.expr(value, Some(result))?;
                write(self, result)?;
                self.f().bind(end);
            }
        }
        self.move_to(dst, result)
    }

    fn op_const_path(
        &mut self,
        target: &ConstantPathNode<'pr>,
        how: How<'_>,
        value: &Node<'pr>,
        dst: Option<u16>,
    ) -> R {
        let module = self.const_parent(target.parent().as_ref())?;
        let Some(name) = target.name() else {
            return self.not_supported("constant path without a name");
        };
        let bytes = name.as_slice().to_vec();
        let name = symbol(&bytes, UTF_8)?;
        self.op_any(
            how,
            value,
            dst,
            Some((DefinedKind::ConstFrom, Some(module), &bytes)),
            |c, r| {
                let lit = c.f().sym_literal(name)?;
                c.emit(Op::GetConstFrom, r, module, lit)
            },
            |c, r| c.set_const(Some(module), name, r),
        )
    }

    #[allow(clippy::too_many_arguments)]
    fn op_attribute(
        &mut self,
        receiver: Option<Node<'pr>>,
        read: Sym,
        write: Sym,
        safe: bool,
        visible: bool,
        how: How<'_>,
        value: &Node<'pr>,
        dst: Option<u16>,
    ) -> R {
        let object = self.temp()?;
        match &receiver {
            Some(receiver) => self.expr(receiver, Some(object))?,
            None => self.emit(Op::LoadSelf, object, 0, 0)?,
        }
        let extra = if visible || receiver.is_none() { flags::FCALL } else { 0 };
        let end = self.f().label();
        if safe {
            let go = self.f().label();
            self.f().jump(Op::JmpNotNil, object, go)?;
            self.nil(dst)?;
            self.f().jump(Op::Jmp, 0, end)?;
            self.f().bind(go);
        }
        let own = extra != 0;
        self.op_any(
            how,
            value,
            dst,
            None,
            |c, r| {
                let mark = c.mark();
                let base = c.temp()?;
                c.f().mov(base, object)?;
                let site = c.f().plain_site(read, 0, extra)?;
                c.emit(if own { Op::CallSelf } else { Op::Call }, base, r, site)?;
                c.release(mark);
                Ok(())
            },
            |c, r| {
                let mark = c.mark();
                let base = c.temp()?;
                let argument = c.temp()?;
                c.f().mov(base, object)?;
                c.f().mov(argument, r)?;
                let site = c.f().plain_site(write, 1, extra | flags::ATTR_ASSIGN)?;
                c.emit(if own { Op::CallSelf } else { Op::Call }, base, base, site)?;
                c.release(mark);
                Ok(())
            },
        )?;
        self.f().bind(end);
        Ok(())
    }

    fn op_index(
        &mut self,
        receiver: Option<Node<'pr>>,
        arguments: Option<ArgumentsNode<'pr>>,
        visible: bool,
        how: How<'_>,
        value: &Node<'pr>,
        dst: Option<u16>,
    ) -> R {
        let object = self.temp()?;
        match &receiver {
            Some(receiver) => self.expr(receiver, Some(object))?,
            None => self.emit(Op::LoadSelf, object, 0, 0)?,
        }
        let shape = self.arguments(&list(arguments))?;
        if !shape.keywords.is_empty() || shape.flags & flags::KW_SPLAT != 0 {
            return self.not_supported("an index assignment with keywords");
        }
        let extra = if visible || receiver.is_none() { flags::FCALL } else { 0 };
        let (argc, splat) = (shape.argc, shape.flags & flags::SPLAT);
        if argc == 1 && splat == 0 {
            let index = object + 1;
            return self.op_any(
                how,
                value,
                dst,
                None,
                |c, r| {
                    let site = c.f().plain_site(sym::AREF, 1, extra)?;
                    c.f().emit2(Op::Aref, 0, (r, object, index), u32::from(site), 0)
                },
                |c, r| {
                    let site = c.f().plain_site(sym::ASET, 2, extra | flags::ATTR_ASSIGN)?;
                    c.f().emit2(Op::Aset, 0, (object, index, r), u32::from(site), 0)
                },
            );
        }
        // Copies receiver and arguments to the end of the registers in use, where a call needs them.
        let copy = |c: &mut Self| {
            let base = c.temp()?;
            c.f().mov(base, object)?;
            for n in 1..=argc {
                let register = c.temp()?;
                if splat != 0 {
                    c.emit(Op::SplatArray, register, object + n, 0)?;
                } else {
                    c.f().mov(register, object + n)?;
                }
            }
            Ok(base)
        };
        self.op_any(
            how,
            value,
            dst,
            None,
            |c, r| {
                let mark = c.mark();
                let base = copy(c)?;
                let shape = Shape { argc, flags: splat, ..Shape::default() };
                let site = c.f().site(shape.site(sym::AREF, extra))?;
                c.emit(Op::Call, base, r, site)?;
                c.release(mark);
                Ok(())
            },
            |c, r| {
                let mark = c.mark();
                let base = copy(c)?;
                let mut shape = Shape { argc, flags: splat, ..Shape::default() };
                if splat != 0 {
                    c.emit(Op::ArrayAppend, base + 1, r, 1)?;
                } else {
                    let register = c.temp()?;
                    c.f().mov(register, r)?;
                    shape.argc += 1;
                }
                let site = c.f().site(shape.site(sym::ASET, extra | flags::ATTR_ASSIGN))?;
                c.emit(Op::Call, base, base, site)?;
                c.release(mark);
                Ok(())
            },
        )
    }
}
