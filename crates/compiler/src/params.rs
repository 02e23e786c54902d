//! Parameters: their slots, defaults and destructuring.

use asterism_symbol::{Sym, UTF_8, intern, sym};
use ruby_prism::{ConstantList, MultiTargetNode, Node, ParametersNode};

use crate::analysis::{ScopeKey, ScopeKind};
use crate::code::{KeywordParam, KeywordRest, Params};
use crate::errors::R;
use crate::opcode::Op;
use crate::source::Compiler;
use crate::symbols::symbol;
use crate::vars::Place;

/// What the start of a body has to do for its parameters.
#[derive(Default)]
pub(crate) struct Prologue<'pr> {
    /// Slots with defaults, in order.
    defaults: Vec<(u16, Node<'pr>)>,
    /// Slots to be destructured.
    spread: Vec<(u16, MultiTargetNode<'pr>)>,
    /// Slot of a block parameter that must be an object from the start.
    block: Option<u16>,
}

impl<'pr> Compiler<'_, 'pr> {
    fn add_param(&mut self, at: ScopeKey, name: Option<&[u8]>) -> R<u16> {
        let name = match name {
            Some(name) => symbol(name, UTF_8)?,
            None => sym::EMPTY,
        };
        let captured = self.is_captured(at, name);
        self.f().add_local(name, captured)
    }

    fn is_captured(&self, at: ScopeKey, name: Sym) -> bool {
        self.analysis.scopes.get(&at).is_some_and(|s| s.all || s.captured.contains(&name))
    }

    /// Declares the parameters as the first locals of the innermost function, then its other `locals`.
    pub(crate) fn declare(
        &mut self,
        at: ScopeKey,
        node: Option<&ParametersNode<'pr>>,
        locals: &ConstantList<'pr>,
    ) -> R<Prologue<'pr>> {
        let mut prologue = Prologue::default();
        let mut params = Params::default();
        if let Some(node) = node {
            self.declare_parameters(at, node, &mut params, &mut prologue)?;
        }
        self.f().params = params;
        for local in locals {
            let name = symbol(local.as_slice(), UTF_8)?;
            if !self.f().names.contains_key(&name) {
                let captured = self.is_captured(at, name);
                self.f().add_local(name, captured)?;
            }
        }
        self.declare_hidden(at)?;
        Ok(prologue)
    }

    /// Declares the hidden locals of a scope.
    pub(crate) fn declare_hidden(&mut self, at: ScopeKey) -> R {
        let Some(info) = self.analysis.scopes.get(&at) else {
            return Ok(());
        };
        let hidden: Vec<(Sym, bool)> =
            info.hidden.iter().map(|&n| (n, info.all || info.captured.contains(&n))).collect();
        for (name, captured) in hidden {
            self.f().add_hidden(name, captured)?;
        }
        Ok(())
    }

    fn required(&mut self, at: ScopeKey, nodes: &ruby_prism::NodeList<'pr>, prologue: &mut Prologue<'pr>) -> R<u16> {
        let mut count = 0;
        for node in nodes {
            if let Some(plain) = node.as_required_parameter_node() {
                self.add_param(at, Some(plain.name().as_slice()))?;
            } else if let Some(multi) = node.as_multi_target_node() {
                let slot = self.add_param(at, None)?;
                prologue.spread.push((slot, multi));
            } else {
                return self.not_supported("a parameter of this kind");
            }
            count += 1;
        }
        Ok(count)
    }

    fn declare_parameters(
        &mut self,
        at: ScopeKey,
        node: &ParametersNode<'pr>,
        params: &mut Params,
        prologue: &mut Prologue<'pr>,
    ) -> R {
        params.required = self.required(at, &node.requireds(), prologue)?;
        for optional in &node.optionals() {
            let Some(optional) = optional.as_optional_parameter_node() else {
                continue;
            };
            let slot = self.add_param(at, Some(optional.name().as_slice()))?;
            prologue.defaults.push((slot, optional.value()));
            params.optional += 1;
        }
        if node.keyword_rest().is_some_and(|r| r.as_forwarding_parameter_node().is_some()) {
            params.rest = true;
            params.anonymous_rest = true;
            self.add_param(at, Some(b"*"))?;
            params.keyword_rest = KeywordRest::Collect;
            params.anonymous_keyword_rest = true;
            self.add_param(at, Some(b"**"))?;
            params.forwarding = true;
            return self.block_parameter(at, b"&", true, params, prologue);
        }
        let mut implicit_rest = false;
        if let Some(rest) = node.rest() {
            if let Some(rest) = rest.as_rest_parameter_node() {
                params.rest = true;
                match rest.name() {
                    Some(name) => self.add_param(at, Some(name.as_slice()))?,
                    None => {
                        params.anonymous_rest = true;
                        self.add_param(at, Some(b"*"))?
                    }
                };
            } else {
                // `|a,|`: the rest is dropped, but an Array is spread.
                implicit_rest = true;
            }
        }
        params.post = self.required(at, &node.posts(), prologue)?;
        let mut keywords = Vec::new();
        let first_keyword = self.f().locals.len() as u16;
        for keyword in &node.keywords() {
            if let Some(required) = keyword.as_required_keyword_parameter_node() {
                let name = symbol(required.name().as_slice(), UTF_8)?;
                self.add_param(at, Some(required.name().as_slice()))?;
                keywords.push(KeywordParam { name, required: true });
            } else if let Some(optional) = keyword.as_optional_keyword_parameter_node() {
                let name = symbol(optional.name().as_slice(), UTF_8)?;
                let slot = self.add_param(at, Some(optional.name().as_slice()))?;
                prologue.defaults.push((slot, optional.value()));
                keywords.push(KeywordParam { name, required: false });
            }
        }
        // A keyword's literal is there before any other default is evaluated.
        prologue.defaults.sort_by_key(|(slot, value)| !(*slot >= first_keyword && is_number_or_name(value)));
        params.keywords = keywords.into();
        if let Some(rest) = node.keyword_rest() {
            if let Some(rest) = rest.as_keyword_rest_parameter_node() {
                params.keyword_rest = KeywordRest::Collect;
                match rest.name() {
                    Some(name) => self.add_param(at, Some(name.as_slice()))?,
                    None => {
                        params.anonymous_keyword_rest = true;
                        self.add_param(at, Some(b"**"))?
                    }
                };
            } else if rest.as_no_keywords_parameter_node().is_some() {
                params.keyword_rest = KeywordRest::Forbidden;
            }
        }
        if let Some(block) = node.block().and_then(|b| b.as_block_parameter_node()) {
            match block.name() {
                Some(name) => self.block_parameter(at, name.as_slice(), false, params, prologue)?,
                None => self.block_parameter(at, b"&", true, params, prologue)?,
            }
        }
        let positional = params.required + params.optional + params.post;
        // A lambda's are known too: who loosens it (`Primitive.loosen_block`) goes by them.
        params.auto_splat = matches!(self.f().scope, ScopeKind::Block | ScopeKind::Lambda)
            && (positional > 1 || implicit_rest || (positional > 0 && params.rest));
        Ok(())
    }

    fn block_parameter(
        &mut self,
        at: ScopeKey,
        name: &[u8],
        anonymous: bool,
        params: &mut Params,
        prologue: &mut Prologue<'pr>,
    ) -> R {
        let slot = self.add_param(at, Some(name))?;
        let name = symbol(name, UTF_8)?;
        params.block = true;
        params.anonymous_block = anonymous;
        let info = self.analysis.scopes.get(&at);
        let assigned = info.is_some_and(|s| s.assigned.contains(&name));
        let captured = self.is_captured(at, name);
        if self.f().scope == ScopeKind::Def {
            self.f().uses_block = true;
        }
        if self.f().scope == ScopeKind::Def && !assigned && !captured {
            self.f().lazy_block = Some(name);
        } else {
            prologue.block = Some(slot);
        }
        Ok(())
    }

    /// The place of a slot of the innermost function.
    pub(crate) fn own_slot(&mut self, slot: u16) -> Place {
        if self.f().locals[usize::from(slot)].captured { Place::Up(slot, 0) } else { Place::Reg(slot) }
    }

    pub(crate) fn prologue(&mut self, prologue: Prologue<'pr>) -> R {
        let mark = self.mark();
        if let Some(slot) = prologue.block {
            let t = self.temp()?;
            self.emit(Op::BlockParam, t, 0, 0)?;
            let place = self.own_slot(slot);
            self.write_place(place, t)?;
            self.release(mark);
        }
        let given = self.given(&prologue.defaults)?;
        let mark = self.mark();
        for ((slot, value), given) in prologue.defaults.iter().zip(given) {
            let over = self.f().label();
            match given {
                Some(given) => self.f().jump(Op::JmpIf, given, over)?,
                None => self.f().jump(Op::JmpDef, *slot, over)?,
            }
            let place = self.own_slot(*slot);
            match place {
                Place::Reg(r) => {
                    // The default may read the parameter itself, which then is nil.
                    if crate::defined::reads_local(value, &self.f().locals[usize::from(*slot)].name) {
                        self.nil(Some(r))?;
                    }
                    self.expr(value, Some(r))?;
                }
                _ => {
                    let nil = self.temp()?;
                    self.nil(Some(nil))?;
                    self.write_place(place, nil)?;
                    let t = self.operand(value)?;
                    self.write_place(place, t)?;
                }
            }
            self.f().bind(over);
            self.release(mark);
        }
        // As in CRuby the defaults do not see what destructuring will assign.
        for (slot, target) in &prologue.spread {
            let place = self.own_slot(*slot);
            let value = self.place_operand(place)?;
            self.destructure(target, value)?;
            self.release(mark);
        }
        Ok(())
    }

    /// Captured slots can be seen before their own defaults are evaluated, by the code of an earlier one: they are nil
    /// until then, and whether they were given is in the registers that this returns.
    fn given(&mut self, defaults: &[(u16, Node<'pr>)]) -> R<Vec<Option<u16>>> {
        let mut seen = false;
        let mut given = Vec::with_capacity(defaults.len());
        for (slot, value) in defaults {
            let place = self.own_slot(*slot);
            if !seen || matches!(place, Place::Reg(_)) {
                given.push(None);
            } else {
                let was_given = self.temp()?;
                self.emit(Op::LoadTrue, was_given, 0, 0)?;
                let over = self.f().label();
                self.f().jump(Op::JmpDef, *slot, over)?;
                self.nil(Some(was_given))?;
                self.write_place(place, was_given)?;
                self.f().bind(over);
                given.push(Some(was_given));
            }
            // Defaults of the core library let nobody see its variables.
            seen |= !self.options.internal && !runs_nothing(value);
        }
        Ok(given)
    }

    /// Parameters of a block that uses `_1` … or `it`.
    pub(crate) fn declare_numbered(&mut self, at: ScopeKey, count: u8, locals: &ConstantList<'pr>) -> R {
        let mut params = Params { numbered: count, ..Params::default() };
        if count == 255 {
            params.required = 1;
            self.add_param(at, None)?;
        } else {
            params.required = u16::from(count);
            params.auto_splat = count > 1 && matches!(self.f().scope, ScopeKind::Block | ScopeKind::Lambda);
            for n in 1..=count {
                let name = format!("_{n}");
                self.add_param(at, Some(name.as_bytes()))?;
            }
        }
        self.f().params = params;
        for local in locals {
            let name = intern(&String::from_utf8_lossy(local.as_slice()));
            if !self.f().names.contains_key(&name) {
                let captured = self.is_captured(at, name);
                self.f().add_local(name, captured)?;
            }
        }
        Ok(())
    }
}

/// Is it a literal or a variable, whose evaluation calls nothing and makes no block?
fn runs_nothing(node: &Node<'_>) -> bool {
    is_number_or_name(node)
        || node.as_string_node().is_some()
        || node.as_self_node().is_some()
        || node.as_local_variable_read_node().is_some()
        || node.as_array_node().is_some_and(|n| n.elements().iter().all(|e| runs_nothing(&e)))
}

/// Is it a literal that is no object of its own?
fn is_number_or_name(node: &Node<'_>) -> bool {
    node.as_nil_node().is_some()
        || node.as_true_node().is_some()
        || node.as_false_node().is_some()
        || node.as_integer_node().is_some()
        || node.as_float_node().is_some()
        || node.as_rational_node().is_some()
        || node.as_imaginary_node().is_some()
        || node.as_symbol_node().is_some()
}
