//! Reading and writing variables and constants.

use asterism_symbol::{Sym, UTF_8, intern, sym};
use ruby_prism::{ConstantPathNode, Node};

use crate::code::{CallSite, Literal, flags};
use crate::errors::{CompileError, R};
use crate::opcode::Op;
use crate::source::Compiler;
use crate::symbols::symbol;

/// Where a local variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A register of this frame.
    Reg(u16),
    /// A slot of the scope so many levels out.
    Up(u16, u16),
    /// The block parameter, not yet an object.
    Block,
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn sym(&mut self, bytes: &[u8]) -> R<Sym> {
        symbol(bytes, UTF_8)
    }

    /// Where local `name` is that the parser found `depth` scopes out.
    pub(crate) fn place(&mut self, name: Sym, depth: u32) -> R<Place> {
        let mut left = depth;
        let mut hops = 0usize;
        for at in (0..self.funcs.len()).rev() {
            let func = &self.funcs[at];
            if func.scope.transparent() {
                hops += 1;
                continue;
            }
            if left == 0 {
                let Some(&slot) = func.names.get(&name) else {
                    break;
                };
                if hops == 0 && func.lazy_block == Some(name) {
                    return Ok(Place::Block);
                }
                if hops == 0 && !func.locals[usize::from(slot)].captured {
                    return Ok(Place::Reg(slot));
                }
                return self.up(slot, hops);
            }
            left -= 1;
            hops += 1;
        }
        // The scopes of the binding that the source is evaluated in.
        let scopes = self.options.scopes;
        let out = left as usize;
        if let Some(scope) = scopes.len().checked_sub(out + 1).and_then(|n| scopes.get(n))
            && let Some(slot) = scope.iter().position(|&n| n == name)
            && let Ok(slot) = u16::try_from(slot)
        {
            return self.up(slot, hops + out);
        }
        let line = self.f().line as i32;
        Err(CompileError::Limit { message: format!("defect of the compiler: no local {}", name.text()), line })
    }

    fn up(&mut self, slot: u16, hops: usize) -> R<Place> {
        match u16::try_from(hops) {
            Ok(hops) => Ok(Place::Up(slot, hops)),
            Err(_) => self.f().limit("nested scopes"),
        }
    }

    /// Where an anonymous parameter (`*`, `**`, `&`) of the method around is, if it has it.
    pub(crate) fn anonymous(&mut self, name: Sym) -> R<Option<Place>> {
        let mut depth = 0;
        for at in (0..self.funcs.len()).rev() {
            let func = &self.funcs[at];
            if func.names.contains_key(&name) {
                return self.place(name, depth).map(Some);
            }
            if func.scope.closed() && at > 0 {
                return Ok(None);
            }
            if !func.scope.transparent() {
                depth += 1;
            }
        }
        let scopes = self.options.scopes;
        match scopes.iter().rev().position(|s| s.contains(&name)) {
            // The source's own scope lies in front of the binding's.
            Some(out) => self.place(name, depth + out as u32).map(Some),
            None => Ok(None),
        }
    }

    pub(crate) fn read_place(&mut self, place: Place, dst: u16) -> R {
        match place {
            Place::Reg(r) => self.f().mov(dst, r),
            Place::Up(slot, hops) => self.emit(Op::GetUp, dst, slot, hops),
            Place::Block => self.emit(Op::BlockParam, dst, 0, 0),
        }
    }

    pub(crate) fn write_place(&mut self, place: Place, src: u16) -> R {
        match place {
            Place::Reg(r) => self.f().mov(r, src),
            Place::Up(slot, hops) => self.emit(Op::SetUp, src, slot, hops),
            Place::Block => self.not_supported("assignment to a lazy block parameter"),
        }
    }

    /// Registers that hold the value of a place, a temporary if need be.
    pub(crate) fn place_operand(&mut self, place: Place) -> R<u16> {
        if let Place::Reg(r) = place {
            return Ok(r);
        }
        let t = self.temp()?;
        self.read_place(place, t)?;
        Ok(t)
    }

    /// In internal code `@__name` is a variable that no program sees, nor can name: it has no `@`.
    fn ivar_name(&mut self, name: &[u8]) -> R<Sym> {
        let hidden = self.options.internal && name.starts_with(b"@__");
        self.sym(if hidden { &name[1..] } else { name })
    }

    pub(crate) fn read_ivar(&mut self, name: &[u8], dst: u16) -> R {
        let name = self.ivar_name(name)?;
        let site = self.f().ivar(name, false)?;
        self.emit(Op::GetIvar, dst, site, 0)
    }

    pub(crate) fn write_ivar(&mut self, name: &[u8], src: u16) -> R {
        let name = self.ivar_name(name)?;
        let site = self.f().ivar(name, true)?;
        self.emit(Op::SetIvar, src, site, 0)
    }

    /// `op` is one of the instructions whose wide field is a name.
    pub(crate) fn named(&mut self, op: Op, register: u16, name: &[u8]) -> R {
        let name = self.sym(name)?;
        let lit = self.f().wide_literal(Literal::Sym(name))?;
        self.f().emit_bc(op, register, lit)
    }

    pub(crate) fn get_const(&mut self, path: &[Sym], absolute: bool, dst: u16) -> R {
        let site = self.f().constant(path.into(), absolute)?;
        self.f().emit_bc(Op::GetConst, dst, site)
    }

    /// The names of `A::B::C` or `::A::B`, if it begins with a plain constant.
    fn const_names(&mut self, node: &ConstantPathNode<'pr>) -> R<Option<(Vec<Sym>, bool)>> {
        let mut names = Vec::new();
        let mut at = node.as_node();
        let absolute = loop {
            if let Some(path) = at.as_constant_path_node() {
                let Some(name) = path.name() else {
                    return Ok(None);
                };
                names.push(self.sym(name.as_slice())?);
                match path.parent() {
                    Some(parent) => at = parent,
                    None => break true,
                }
            } else if let Some(read) = at.as_constant_read_node() {
                names.push(self.sym(read.name().as_slice())?);
                break false;
            } else {
                return Ok(None);
            }
        };
        names.reverse();
        Ok(Some((names, absolute)))
    }

    pub(crate) fn const_path(&mut self, node: &ConstantPathNode<'pr>, dst: u16) -> R {
        if let Some((names, absolute)) = self.const_names(node)? {
            return self.get_const(&names, absolute, dst);
        }
        let (Some(parent), Some(name)) = (node.parent(), node.name()) else {
            return self.not_supported("constant path without a name");
        };
        let mark = self.mark();
        let module = self.operand(&parent)?;
        let name = self.sym(name.as_slice())?;
        let lit = self.f().sym_literal(name)?;
        self.emit(Op::GetConstFrom, dst, module, lit)?;
        self.release(mark);
        Ok(())
    }

    /// The module that `parent::Name` names a constant of, in a register; `None` stands for `::Name`.
    pub(crate) fn const_parent(&mut self, parent: Option<&Node<'pr>>) -> R<u16> {
        let t = self.temp()?;
        match parent {
            Some(parent) => self.expr(parent, Some(t))?,
            None => self.get_const(&[sym::Object], true, t)?,
        }
        Ok(t)
    }

    pub(crate) fn set_const(&mut self, module: Option<u16>, name: Sym, src: u16) -> R {
        let mark = self.mark();
        let module = match module {
            Some(module) => module,
            None => {
                let t = self.temp()?;
                self.emit(Op::LoadCref, t, 0, 0)?;
                t
            }
        };
        let mut src = src;
        if let Some(mode) = self.shareable {
            // `:mode.__shareable(value, :NAME)`
            let base = self.temp()?;
            self.load_literal(Literal::Sym(intern(mode)), base)?;
            let value = self.temp()?;
            self.f().mov(value, src)?;
            let register = self.temp()?;
            self.load_literal(Literal::Sym(name), register)?;
            let site = CallSite {
                name: intern("__shareable"),
                argc: 2,
                flags: flags::FCALL,
                keywords: Box::default(),
                block: None,
                symbol: None,
            };
            let site = self.f().site(site)?;
            self.emit(Op::Call, base, base, site)?;
            src = base;
        }
        let lit = self.f().sym_literal(name)?;
        self.emit(Op::SetConst, src, module, lit)?;
        self.release(mark);
        Ok(())
    }

    /// Notes that the method around may use its block.
    pub(crate) fn note_block_use(&mut self) {
        for func in self.funcs.iter_mut().rev() {
            func.uses_block = true;
            if func.scope.closed() {
                return;
            }
        }
    }
}
