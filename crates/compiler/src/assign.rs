//! Assignment to targets: multiple assignment, block parameters in parentheses, `rescue => target`.
//!
//! Receivers and indices of all targets are evaluated first, from left to right, then the value, then the
//! assignments are made.

use asterism_symbol::{Sym, UTF_8, sym};
use ruby_prism::{MultiTargetNode, MultiWriteNode, Node, NodeList};

use crate::calls::{Shape, list};
use crate::code::{CallSite, flags};
use crate::errors::R;
use crate::opcode::Op;
use crate::source::Compiler;
use crate::symbols::symbol;
use crate::vars::Place;

/// A target whose parts have been evaluated.
pub(crate) enum Target {
    Local(Place),
    Ivar(Vec<u8>),
    Global(Vec<u8>),
    Cvar(Vec<u8>),
    Const(Option<u16>, Sym),
    /// A call with `count` registers from the receiver's on, to which the value is added.
    Call {
        receiver: u16,
        count: u16,
        site: CallSite,
        own: bool,
        safe: bool,
    },
    Many(Many),
    /// The value is dropped.
    Nothing,
}

/// The targets of a multiple assignment.
pub(crate) struct Many {
    lefts: Vec<Target>,
    rest: Option<Box<Target>>,
    rights: Vec<Target>,
}

impl<'pr> Compiler<'_, 'pr> {
    /// Assigns r[value] to a single target.
    pub(crate) fn assign(&mut self, node: &Node<'pr>, value: u16) -> R {
        let mark = self.mark();
        let target = self.prepare(node)?;
        self.store(&target, value)?;
        self.release(mark);
        Ok(())
    }

    /// Spreads r[value] over the targets.
    pub(crate) fn destructure(&mut self, node: &MultiTargetNode<'pr>, value: u16) -> R {
        let mark = self.mark();
        let many = self.prepare_many(&node.lefts(), node.rest(), &node.rights())?;
        self.store_many(&many, value)?;
        self.release(mark);
        Ok(())
    }

    fn prepare_many(&mut self, lefts: &NodeList<'pr>, rest: Option<Node<'pr>>, rights: &NodeList<'pr>) -> R<Many> {
        let mut many = Many { lefts: Vec::new(), rest: None, rights: Vec::new() };
        for node in lefts {
            many.lefts.push(self.prepare(&node)?);
        }
        if let Some(rest) = rest {
            many.rest = Some(Box::new(match rest.as_splat_node() {
                Some(splat) => match splat.expression() {
                    Some(inner) => self.prepare(&inner)?,
                    None => Target::Nothing,
                },
                None => Target::Nothing,
            }));
        }
        for node in rights {
            many.rights.push(self.prepare(&node)?);
        }
        Ok(many)
    }

    fn local_target(&mut self, name: &[u8], depth: u32) -> R<Target> {
        let name = self.sym(name)?;
        let place = self.place(name, depth)?;
        Ok(Target::Local(place))
    }

    /// Evaluates the parts of a target into registers that stay in use.
    pub(crate) fn prepare(&mut self, node: &Node<'pr>) -> R<Target> {
        if let Some(n) = node.as_local_variable_target_node() {
            return self.local_target(n.name().as_slice(), n.depth());
        }
        if let Some(n) = node.as_required_parameter_node() {
            return self.local_target(n.name().as_slice(), 0);
        }
        if let Some(n) = node.as_instance_variable_target_node() {
            return Ok(Target::Ivar(n.name().as_slice().to_vec()));
        }
        if let Some(n) = node.as_global_variable_target_node() {
            return Ok(Target::Global(n.name().as_slice().to_vec()));
        }
        if let Some(n) = node.as_class_variable_target_node() {
            return Ok(Target::Cvar(n.name().as_slice().to_vec()));
        }
        if let Some(n) = node.as_constant_target_node() {
            return Ok(Target::Const(None, symbol(n.name().as_slice(), UTF_8)?));
        }
        if let Some(n) = node.as_constant_path_target_node() {
            let module = self.const_parent(n.parent().as_ref())?;
            let Some(name) = n.name() else {
                return self.not_supported("constant path without a name");
            };
            return Ok(Target::Const(Some(module), symbol(name.as_slice(), UTF_8)?));
        }
        if let Some(n) = node.as_call_target_node() {
            let receiver = self.temp()?;
            let own = n.receiver().as_self_node().is_some();
            self.expr(&n.receiver(), Some(receiver))?;
            let name = symbol(n.name().as_slice(), UTF_8)?;
            let extra = flags::ATTR_ASSIGN | if n.is_ignore_visibility() { flags::FCALL } else { 0 };
            let site = Shape { argc: 0, ..Shape::default() }.site(name, extra);
            return Ok(Target::Call { receiver, count: 1, site, own, safe: n.is_safe_navigation() });
        }
        if let Some(n) = node.as_index_target_node() {
            let receiver = self.temp()?;
            self.expr(&n.receiver(), Some(receiver))?;
            let shape = self.arguments(&list(n.arguments()))?;
            if !shape.keywords.is_empty() || shape.flags & flags::KW_SPLAT != 0 || n.block().is_some() {
                return self.not_supported("an index assignment with keywords or a block");
            }
            let count = shape.argc + 1;
            let extra = flags::ATTR_ASSIGN | if n.is_ignore_visibility() { flags::FCALL } else { 0 };
            return Ok(Target::Call { receiver, count, site: shape.site(sym::ASET, extra), own: false, safe: false });
        }
        if let Some(n) = node.as_multi_target_node() {
            return self.prepare_many(&n.lefts(), n.rest(), &n.rights()).map(Target::Many);
        }
        if let Some(n) = node.as_splat_node() {
            // `for *a in …`: a multiple assignment with a rest alone.
            let inner = match n.expression() {
                Some(inner) => self.prepare(&inner)?,
                None => Target::Nothing,
            };
            return Ok(Target::Many(Many { lefts: Vec::new(), rest: Some(Box::new(inner)), rights: Vec::new() }));
        }
        self.not_supported("an assignment to this kind of target")
    }

    pub(crate) fn store(&mut self, target: &Target, value: u16) -> R {
        match target {
            Target::Local(place) => self.write_place(*place, value),
            Target::Ivar(name) => self.write_ivar(name, value),
            Target::Global(name) => self.named(Op::SetGlobal, value, name),
            Target::Cvar(name) => self.named(Op::SetCvar, value, name),
            Target::Const(module, name) => self.set_const(*module, *name, value),
            Target::Call { receiver, count, site, own, safe } => {
                let mark = self.mark();
                let end = self.f().label();
                if *safe {
                    self.f().jump(Op::JmpNil, *receiver, end)?;
                }
                // The call's registers must be the last ones in use.
                let base = self.temp()?;
                self.f().mov(base, *receiver)?;
                let mut site = site.clone();
                if site.flags & flags::SPLAT != 0 {
                    let array = self.temp()?;
                    self.emit(Op::SplatArray, array, *receiver + 1, 0)?;
                    self.emit(Op::ArrayAppend, array, value, 1)?;
                } else {
                    for n in 1..*count {
                        let register = self.temp()?;
                        self.f().mov(register, *receiver + n)?;
                    }
                    let register = self.temp()?;
                    self.f().mov(register, value)?;
                    site.argc += 1;
                }
                if *own {
                    site.flags |= flags::FCALL;
                }
                let site = self.f().site(site)?;
                self.emit(if *own { Op::CallSelf } else { Op::Call }, base, base, site)?;
                self.f().bind(end);
                self.release(mark);
                Ok(())
            }
            Target::Many(many) => self.store_many(many, value),
            Target::Nothing => Ok(()),
        }
    }

    fn store_many(&mut self, many: &Many, value: u16) -> R {
        let mark = self.mark();
        let (Ok(leading), Ok(trailing)) = (u16::try_from(many.lefts.len()), u32::try_from(many.rights.len())) else {
            return self.f().limit("targets");
        };
        // A rest that is dropped and has nothing behind it need not be made.
        let rest = many.rest.as_ref().filter(|r| trailing > 0 || !matches!(***r, Target::Nothing));
        let base = self.mark();
        let count = many.lefts.len() + usize::from(rest.is_some()) + many.rights.len();
        for _ in 0..count {
            self.temp()?;
        }
        let base = if count == 0 { self.temp()? } else { base as u16 };
        self.f().emit2(Op::Destructure, u8::from(rest.is_some()), (value, base, leading), trailing, 0)?;
        let targets = many.lefts.iter().chain(rest.map(|r| &**r)).chain(&many.rights);
        for (n, target) in targets.enumerate() {
            self.store(target, base + n as u16)?;
        }
        self.release(mark);
        Ok(())
    }

    pub(crate) fn multi_write(&mut self, node: &MultiWriteNode<'pr>, dst: Option<u16>) -> R {
        let many = self.prepare_many(&node.lefts(), node.rest(), &node.rights())?;
        let right = node.value();
        if dst.is_none()
            && many.rest.is_none()
            && let Some(array) = right.as_array_node()
        {
            let values: Vec<Node<'pr>> = array.elements().iter().collect();
            if values.iter().all(|v| v.as_splat_node().is_none()) && values.len() <= 256 {
                return self.pairwise(&many.lefts, &values);
            }
        }
        let value = match dst {
            Some(_) => {
                let t = self.temp()?;
                self.expr(&right, Some(t))?;
                t
            }
            None => self.operand(&right)?,
        };
        self.store_many(&many, value)?;
        self.move_to(dst, value)
    }

    /// `a, b = c, d` whose value is not used: no Array.
    fn pairwise(&mut self, targets: &[Target], values: &[Node<'pr>]) -> R {
        // When all are plain local variables the last value may go to its place at once.
        let mut places: Vec<u16> = Vec::new();
        for target in targets {
            match target {
                Target::Local(Place::Reg(r)) if !places.contains(r) => places.push(*r),
                _ => break,
            }
        }
        let direct = places.len() == targets.len() && values.len() == targets.len();
        let mut registers = Vec::new();
        for (n, value) in values.iter().enumerate() {
            if direct && n + 1 == values.len() {
                self.expr(value, Some(places[n]))?;
                break;
            }
            let t = self.temp()?;
            self.expr(value, Some(t))?;
            registers.push(t);
        }
        if direct {
            for (register, place) in registers.iter().zip(&places) {
                self.f().mov(*place, *register)?;
            }
            return Ok(());
        }
        for (n, target) in targets.iter().enumerate() {
            let value = match registers.get(n) {
                Some(&register) => register,
                None => {
                    let t = self.temp()?;
                    self.nil(Some(t))?;
                    t
                }
            };
            self.store(target, value)?;
        }
        Ok(())
    }
}
