//! Refinements: which are in force is a matter of the lexical nesting (`Cref::refinements`), so a call site asks for
//! them only when it fills its cache. Code runs under one nesting for its whole life, but for a body that calls
//! `using`: that drops the caches of the body and of what is nested in it.

use asterism_object::class::{Class, REFINEMENT};
use asterism_object::space::WellKnown;
use asterism_object::{Sym, Value, array, ivars, set_class, symbol_table};
use asterism_symbol::sym;

use crate::basic_ops::{BasicOp, Classes};
use crate::block::{Block, Env, Proc};
use crate::consts::Cref;
use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::frame::{self, Frame};
use crate::iseq::Iseq;
use crate::method::{Body, Found, Method, Visibility, lookup_from};

/// The nesting, if refinements are in force in it.
#[inline]
pub fn refined(cref: Value) -> Option<Cref> {
    (cref.is_heap() && Cref(cref).refinements().is_heap()).then_some(Cref(cref))
}

fn same_definition(a: Method, b: Method) -> bool {
    match (a.body(), b.body()) {
        (Body::Ruby(x), Body::Ruby(y)) => std::ptr::eq(x, y),
        (Body::Unread(x, i), Body::Unread(y, j)) => std::ptr::eq(x, y) && i == j,
        (Body::Block(x), Body::Block(y)) => x == y,
        _ => a == b,
    }
}

/// The method that refinements in force in `cref` have for `name` of `class` itself. `current`: the method that calls
/// `super`, which does not come to itself.
fn refinement_method(cref: Cref, class: Class, name: Sym, current: Option<Method>) -> Option<Method> {
    let mut seen = Value::NULL;
    let mut at = Some(cref);
    while let Some(here) = at {
        at = here.outer();
        let table = here.refinements();
        if !table.is_heap() || table == seen {
            continue;
        }
        seen = table;
        let mut i = array::len(table);
        while i >= 2 {
            i -= 2;
            if array::at(table, i) != Some(class.0) {
                continue;
            }
            let Some(refinement) = array::at(table, i + 1).and_then(Class::from_value) else { continue };
            let Some(method) = symbol_table::get(refinement.methods(), name).and_then(Method::from_value) else {
                continue;
            };
            if matches!(method.body(), Body::Undefined) {
                continue;
            }
            if current.is_some_and(|c| same_definition(c, method)) {
                break;
            }
            return Some(method);
        }
    }
    None
}

/// Looks `name` up along the chain from `start`, as refined in `cref`.
pub fn lookup(ec: &mut Ec, start: Option<Class>, name: Sym, cref: Cref, current: Option<Method>) -> Option<Found> {
    let mut visibility: Option<Visibility> = None;
    for link in std::iter::successors(start, Class::superclass) {
        if !link.is_origin()
            && let Some(method) = refinement_method(cref, link.delegate(), name, current)
        {
            if matches!(method.body(), Body::ZSuper) {
                visibility.get_or_insert(method.visibility());
            } else {
                let visibility = visibility.unwrap_or_else(|| method.visibility());
                return Some(Found { method, defined_class: link, visibility });
            }
        }
        let Some(method) = ec.own_method(link, name) else { continue };
        match method.body() {
            Body::Undefined => return None,
            Body::ZSuper => {
                visibility.get_or_insert(method.visibility());
            }
            _ => {
                let visibility = visibility.unwrap_or_else(|| method.visibility());
                return Some(Found { method, defined_class: link, visibility });
            }
        }
    }
    None
}

impl Ec {
    /// As `find_method`, as refined in `cref`.
    pub fn find_refined(&mut self, class: Class, name: Sym, cref: Cref) -> (u64, Option<Found>) {
        let vm = self.vm();
        let serial = class.ensure_serial(|| vm.next_serial());
        (serial, lookup(self, Some(class), name, cref, None))
    }

    /// The method that a call in `frame` finds.
    ///
    /// # Safety
    /// `frame` is an active frame.
    pub unsafe fn find_method_in_frame(&mut self, frame: *mut Frame, class: Class, name: Sym) -> (u64, Option<Found>) {
        // SAFETY: see the function's contract.
        match refined(unsafe { (*frame).cref }) {
            Some(cref) => self.find_refined(class, name, cref),
            None => self.find_method(class, name),
        }
    }

    /// The method that a call by the Ruby code that called the running native would find.
    pub fn find_method_for_caller(&mut self, class: Class, name: Sym) -> (u64, Option<Found>) {
        match refined(self.cref().0) {
            Some(cref) => self.find_refined(class, name, cref),
            None => self.find_method(class, name),
        }
    }

    /// A block argument (`&x`) where refinements are in force.
    ///
    /// # Errors
    /// TypeError if it is no Proc and cannot become one.
    pub fn block_argument_refined(&mut self, v: Value, cref: Cref) -> Res<Block> {
        if let Some(name) = v.as_sym().filter(|_| self.vm().basic_ops.intact(BasicOp::TO_PROC, Classes::SYMBOL)) {
            return Ok(Block::of_value(Proc::of_symbol_in(self, name, cref.0)?.0));
        }
        let class = self.class_of(v);
        if !v.is_nil()
            && let (_, Some(found)) = self.find_refined(class, sym::to_proc, cref)
            && found.method.owner().flags() & REFINEMENT != 0
        {
            let made = self.call_method(v, found.method, &crate::args::CallArgs::plain(&[]))?;
            return self.block_argument(made);
        }
        self.block_argument(v)
    }

    /// The module that a refinement was made in.
    pub fn refinement_owner(&self, refinement: Class) -> Option<Class> {
        ivars::get(self, refinement.0, asterism_symbol::intern("__defined_at__")).and_then(Class::from_value)
    }

    fn hidden_list(&mut self, module: Class, name: &str) -> Res {
        let name = asterism_symbol::intern(name);
        if let Some(list) = ivars::get(self, module.0, name)
            && list.is_heap()
        {
            return Ok(list);
        }
        let list = self.array(&[])?;
        self.ivar_put(module.0, name, list)?;
        Ok(list)
    }

    /// The refinements of `module`: refined class and refinement in turn.
    pub fn refinements_of(&self, module: Class) -> Option<Value> {
        ivars::get(self, module.0, asterism_symbol::intern("__refinements__")).filter(|v| v.is_heap())
    }

    /// The refinement of `target` in `module`, made if there is none.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn refinement_in(&mut self, module: Class, target: Class) -> Res<Class> {
        let list = self.hidden_list(module, "__refinements__")?;
        for i in (0..array::len(list)).step_by(2) {
            if array::at(list, i) == Some(target.0)
                && let Some(found) = array::at(list, i + 1).and_then(Class::from_value)
            {
                return Ok(found);
            }
        }
        let object = self.known(WellKnown::Object);
        let class = self.own_constant(object, asterism_symbol::intern("Refinement"));
        let refinement = self.new_module()?;
        if let Some(class) = class.and_then(Class::from_value) {
            set_class(self, refinement.cell(), class);
        }
        refinement.set_module(target.0);
        refinement.add_flags(REFINEMENT);
        self.ivar_put(refinement.0, asterism_symbol::intern("__defined_at__"), module.0)?;
        self.array_push(list, target.0)?;
        self.array_push(list, refinement.0)?;
        Ok(refinement)
    }

    /// `using module` in `frame`: from now on its code, and code around it that it shares its nesting with, runs under
    /// a nesting with the refinements of `module` and its ancestors.
    ///
    /// # Errors
    /// NoMemoryError.
    ///
    /// # Safety
    /// `frame` is an active Ruby frame of this Ec.
    pub unsafe fn using(&mut self, frame: *mut Frame, module: Class) -> Res {
        let old = self.cref();
        let before = old.refinements();
        let table = self.array(&[])?;
        if before.is_heap() {
            for i in 0..array::len(before) {
                self.array_push(table, array::at(before, i).unwrap_or(Value::NIL))?;
            }
        }
        let links: usize = module.chain().count();
        for n in (0..links).rev() {
            let Some(link) = module.chain().nth(n) else { continue };
            let Some(list) = self.refinements_of(link.delegate()).filter(|_| !link.is_origin()) else { continue };
            for i in (0..array::len(list)).step_by(2) {
                let (Some(target), Some(refinement)) = (array::at(list, i), array::at(list, i + 1)) else { continue };
                let used = (0..array::len(table)).step_by(2).any(|j| array::at(table, j + 1) == Some(refinement));
                if !used {
                    self.array_push(table, target)?;
                    self.array_push(table, refinement)?;
                }
            }
        }
        let outer = old.outer().map_or(Value::NIL, |c| c.0);
        let made = self.new_cref_refined(old.class().0, outer, table, 0)?;
        // SAFETY: see the function's contract; creators on the stack are active, and an Env names its frame only
        // while that is active.
        unsafe {
            let mut at = frame;
            loop {
                (*at).cref = made;
                (*(*at).iseq).drop_caches();
                if !(*at).has(frame::BLOCK | frame::EVAL) || (*at).has(frame::EVAL_ALONE) {
                    break;
                }
                let outer = match Block((*at).around()).frame() {
                    Some(outer) => Some(outer),
                    None => Env::from_value(Value::from_bits((*at).around())).and_then(|env| env.frame_on(self)),
                };
                match outer {
                    Some(outer) if (*outer).cref == old.0 && !(*outer).is_native() => at = outer,
                    _ => break,
                }
            }
        }
        Ok(made)
    }

    /// Copies the methods of `module` into a refinement; their code runs with the refinements of `cref`.
    ///
    /// # Errors
    /// ArgumentError for a method that is not written in Ruby.
    pub fn import_methods(&mut self, refinement: Class, module: Class, table: Value) -> Res<()> {
        let mut names: Vec<Sym> = Vec::new();
        self.settle(module);
        symbol_table::for_each(module.methods(), |name, _| names.push(name));
        for name in names {
            let Some(method) = symbol_table::get(module.methods(), name).and_then(Method::from_value) else { continue };
            if method.code().is_some_and(|code| !code.internal) {
                method.prepare(self)?;
            }
            let Body::Ruby(iseq) = method.body() else {
                let shown = format!("{}#{}", self.class_name(module), name.text());
                return Err(self.raise(
                    Exc::ArgumentError,
                    format!("Can't import method which is not defined with Ruby code: {shown}"),
                ));
            };
            // SAFETY: the method keeps its code alive.
            let code = unsafe { (*iseq).code_arc() };
            // The copy has caches of its own: it runs under another nesting than the original.
            let copy = Iseq::instantiate(self, &code)?;
            let Some(raw) = Iseq::from_value(copy) else { continue };
            let from = method.cref();
            let cref = if from.is_heap() {
                let outer = Cref(from).outer().map_or(Value::NIL, |c| c.0);
                self.new_cref_refined(Cref(from).class().0, outer, table, 0)?
            } else {
                self.new_cref_refined(refinement.0, Value::NIL, table, 0)?
            };
            let made = Method::new(self, refinement.0, name, method.visibility(), Body::Ruby(raw), cref)?;
            self.add_method(refinement, name, made)?;
            asterism_heap::keep_alive(copy.bits());
        }
        Ok(())
    }

    /// The method `name` of `class` for Module's reflection, as the calling code sees it.
    pub fn find_instance_method(&mut self, class: Class, name: Sym) -> Option<Found> {
        if class.flags() & REFINEMENT != 0 {
            return match lookup_from(self, Some(class), name) {
                None => lookup_from(self, Class::from_value(class.module()), name),
                found => found,
            };
        }
        self.find_method_for_caller(class, name).1
    }
}
