//! Variables: of the instance, of the class, global ones, constants, and what the last match left.

use std::sync::atomic::Ordering;

use asterism_compiler::{CodeKind, ops};
use asterism_heap::Cell;
use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, array, object, shape, symbol_table};
use asterism_symbol::sym;

use super::define::hook;
use super::slots;
use super::state::{Execute, Interp, Next, Slow};
use crate::block::{Block, Env};
use crate::consts::{self, Cref};
use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::frame::{self, Frame};
use crate::iseq::ADDS;

impl<'i> Execute<'i> for ops::GetIvar<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let this = at.this();
        if this.is_heap() {
            // SAFETY: a heap value is the address of a cell, which the frame keeps alive.
            let cell = unsafe { &*this.ptr::<Cell>() };
            let head = cell.header.load(Ordering::Acquire);
            let cached = at.ivar_cache(self.ivar())[0].load(Ordering::Relaxed);
            if slots::same_shape(head, cached) && head as u8 == Type::Object as u8 {
                let v = object::read_slot(cell, shape::Slot(cached as u32));
                return at.store(self.dst(), v);
            }
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::GetIvar<'i> {
    #[inline(always)]
    fn slow(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        // SAFETY: the frame is the current one, a Ruby frame.
        let v = unsafe { slots::get_ivar(at.ec, at.frame(), self.ivar().index())? };
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::SetIvar<'i> {
    #[inline(always)]
    fn execute(self, at: Interp<'i>) -> Res<Next> {
        let this = at.this();
        if this.is_heap() {
            // SAFETY: a heap value is the address of a cell, which the frame keeps alive.
            let cell = unsafe { &*this.ptr::<Cell>() };
            let head = cell.header.load(Ordering::Acquire);
            let [cached, add] = at.ivar_cache(self.ivar());
            let cached = cached.load(Ordering::Relaxed);
            if at.ec.owned_with_shape(head, cached, Type::Object as u8) {
                let v = at.get(self.value());
                if cached & ADDS == 0 {
                    object::write_slot(cell, shape::Slot(cached as u32), v);
                    return at.next();
                }
                let add = add.load(Ordering::Relaxed);
                let slot = shape::Slot((cached & !ADDS) as u32);
                if slots::same_shape(add, cached) && object::add_slot_owned(cell, head, add as u32, slot, v) {
                    return at.next();
                }
            }
        }
        at.slowly::<Self>()
    }
}

impl<'i> Slow<'i> for ops::SetIvar<'i> {
    #[inline(always)]
    fn slow(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let v = at.get(self.value());
        // SAFETY: the frame is the current one, a Ruby frame.
        unsafe { slots::set_ivar(at.ec, at.frame(), self.ivar().index(), v)? };
        at.next()
    }
}

impl<'i> Execute<'i> for ops::GetConst<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        // SAFETY: the frame is active.
        let cref = unsafe { (*at.frame()).cref };
        match consts::remembered(at.ec.vm(), at.const_cache(self.constant()), cref) {
            Some(v) => at.store(self.dst(), v),
            None => at.slowly::<Self>(),
        }
    }
}

impl<'i> Slow<'i> for ops::GetConst<'i> {
    #[inline(always)]
    fn slow(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        // SAFETY: the frame is active.
        let cref = unsafe { (*at.frame()).cref };
        let iseq = at.iseq();
        let v = at.ec.constant_site(iseq, self.constant().index(), cref)?;
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::GetGlobal<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let name = at.symbol(self.name());
        if at.ec.is_restricted() && !at.iseq().code.internal {
            at.ec.check_global(name)?;
        }
        let v = at.ec.gvar_get(name)?;
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::SetGlobal<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let name = at.symbol(self.name());
        let v = at.get(self.value());
        if at.ec.is_restricted() && !at.iseq().code.internal {
            at.ec.check_global(name)?;
        }
        at.ec.gvar_set(name, v)?;
        at.next()
    }
}

impl<'i> Execute<'i> for ops::AliasGlobal<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (new, old) = (at.symbol(self.new_name()), at.symbol(self.old_name()));
        at.ec.check_main_ractor("can not access global variables from non-main Ractors")?;
        let vm = at.ec.vm();
        vm.gvars.alias(new, old);
        vm.gvar_aliases.fetch_add(1, Ordering::Release);
        at.next()
    }
}

impl<'i> Execute<'i> for ops::GetCvar<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let name = at.symbol(self.name());
        let class = cvar_base(at.ec)?;
        let v = at.ec.cvar_get(class, name)?;
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::SetCvar<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let name = at.symbol(self.name());
        let v = at.get(self.value());
        let class = cvar_base(at.ec)?;
        at.ec.cvar_set(class, name, v)?;
        at.next()
    }
}

impl<'i> Execute<'i> for ops::GetConstFrom<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let scope = at.get(self.scope());
        let scope = at.ec.scope_of_constant(scope)?;
        let name = at.symbol(self.name());
        let v = at.ec.constant_from(scope, name)?;
        at.store(self.dst(), v)
    }
}

impl<'i> Execute<'i> for ops::SetConst<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (scope, v) = (at.get(self.scope()), at.get(self.value()));
        let name = at.symbol(self.name());
        set_const(at.ec, scope, name, v)?;
        at.next()
    }
}

impl<'i> Execute<'i> for ops::GetBackref<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let v = backref_part(at.ec, self.part())?;
        at.store(self.dst(), v)
    }
}

/// The class that class variables of the current code belong to.
pub(super) fn cvar_base(ec: &mut Ec) -> Res<Class> {
    let mut cref = ec.cref();
    while cref.class().is_singleton()
        || cref.has(crate::consts::PUSHED_BY_EVAL | crate::consts::OF_OBJECT | crate::consts::NO_DEFINITIONS)
    {
        match cref.outer() {
            Some(outer) => cref = outer,
            None => break,
        }
    }
    if cref.outer().is_none() {
        return Err(ec.raise(Exc::RuntimeError, "class variable access from toplevel"));
    }
    Ok(cref.class())
}

impl Ec {
    /// The first and the last of `class`'s ancestors that have class variable `name`, and its value in the last one.
    fn cvar_places(&self, class: Class, name: Sym) -> Option<(Class, Class, Value)> {
        let mut found: Option<(Class, Class, Value)> = None;
        for link in class.chain() {
            let part = link.delegate();
            if let Some(v) = symbol_table::get(part.cvars(), name) {
                let first = found.map_or(part, |(first, ..)| first);
                found = Some((first, part, v));
            }
        }
        if found.is_none() && class.is_singleton() {
            // Nothing of these is before the last one for the singleton class.
            let (_, owner, v) = Class::from_value(class.module()).and_then(|c| self.cvar_places(c, name))?;
            return Some((owner, owner, v));
        }
        found
    }

    /// The class or module among `class`'s ancestors that has class variable `name`.
    pub fn cvar_owner(&self, class: Class, name: Sym) -> Option<Class> {
        self.cvar_places(class, name).map(|(_, owner, _)| owner)
    }

    /// As `cvar_owner`, for an access, with the value: RuntimeError where an ancestor has got a variable of the same name since.
    fn cvar_home(&mut self, class: Class, name: Sym) -> Res<Option<(Class, Value)>> {
        match self.cvar_places(class, name) {
            Some((first, owner, _)) if first != owner => {
                let (first, owner) = (self.class_name(first), self.class_name(owner));
                let message = format!("class variable {} of {first} is overtaken by {owner}", name.text());
                Err(self.raise(Exc::RuntimeError, message))
            }
            found => Ok(found.map(|(_, owner, v)| (owner, v))),
        }
    }

    /// A class variable's value.
    ///
    /// # Errors
    /// NameError if there is none.
    pub fn cvar_get(&mut self, class: Class, name: Sym) -> Res {
        if let Some((home, v)) = self.cvar_home(class, name)? {
            self.check_cvar(home, name, v)?;
            return Ok(v);
        }
        let shown = self.class_name(class);
        let message = format!("uninitialized class variable {} in {shown}", name.text());
        Err(self.name_error(Exc::NameError, message, class.0, name))
    }

    /// Sets a class variable where it is, or in `class`.
    ///
    /// # Errors
    /// FrozenError, NoMemoryError.
    pub fn cvar_set(&mut self, class: Class, name: Sym, v: Value) -> Res<()> {
        let owner = self.cvar_home(class, name)?.map_or(class, |(owner, _)| owner);
        self.check_new_cvar(owner, name)?;
        self.with_class_lock(|ec| {
            if let Some(table) = ec.put_symbol(owner.cvars(), name, v)? {
                owner.set_cvars(table);
            }
            Ok(())
        })
    }
}

/// `Scope::NAME = v`
fn set_const(ec: &mut Ec, scope: Value, name: Sym, v: Value) -> Res<()> {
    let scope = ec.scope_of_constant(scope)?;
    ec.check_frozen(scope.0)?;
    if let Some(old) = ec.own_constant(scope, name)
        && !crate::consts::is_autoload(old)
    {
        let object = ec.class(WellKnown::Object);
        let full = if scope.0 == object {
            name.text().into_owned()
        } else {
            {
                let shown = ec.to_s(scope.0)?;
                format!("{}::{}", asterism_object::string::to_string_lossy(ec, shown), name.text())
            }
        };
        crate::warning::warn(ec, &format!("already initialized constant {full}"))?;
    }
    ec.set_constant(scope, name, v)?;
    hook(ec, scope.0, sym::const_added, Value::sym(name))
}

/// Part `n` of `$~`.
pub fn backref_part(ec: &mut Ec, n: u32) -> Res {
    let backref = ec.backref();
    if backref.is_nil() {
        return Ok(Value::NIL);
    }
    (ec.vm().hooks.match_part)(ec, backref, n)
}

impl Ec {
    /// The innermost Ruby frame that does not belong to a method of the library: methods written in Ruby here see their caller as
    /// native ones do.
    #[inline]
    pub fn program_frame(&self) -> *mut Frame {
        let frame = self.fiber.ruby_frame();
        // SAFETY: that frame is active, and keeps its code alive.
        let internal = unsafe { (*frame).iseq.as_ref() }.is_some_and(|iseq| iseq.code.internal);
        if internal { self.program_frame_below(frame) } else { frame }
    }

    /// The same where `frame`, the innermost Ruby frame, runs code of the library.
    fn program_frame_below(&self, mut frame: *mut Frame) -> *mut Frame {
        // SAFETY: frames from the current one down to the bottom are active; a Ruby frame keeps its code alive.
        unsafe {
            while let Some(iseq) = (*frame).iseq.as_ref()
                && iseq.code.internal
            {
                // Of a block of the library it is who called the library, not an `each` in between that yields to it.
                let home = self.home_frame(frame).unwrap_or(frame);
                if matches!((&*(*home).iseq).code.kind, CodeKind::Class | CodeKind::File | CodeKind::Main) {
                    break;
                }
                frame = (*home).prev;
                while (*frame).is_native() && !(*frame).prev.is_null() {
                    frame = (*frame).prev;
                }
            }
        }
        frame
    }

    /// The nesting of `frame`.
    ///
    /// # Safety
    /// The frame is active.
    pub unsafe fn cref_of(&self, frame: *mut Frame) -> Cref {
        // SAFETY: the function's contract.
        let cref = unsafe { (*frame).cref };
        if cref.is_heap() { Cref(cref) } else { Cref(self.vm().root(crate::vm::Root::TopCref)) }
    }

    /// The frame whose `$~` and `$_` are meant.
    fn backref_frame(&self) -> *mut Frame {
        let frame = self.program_frame();
        // SAFETY: the frame is active.
        unsafe { self.home_frame(frame) }.unwrap_or_else(|| self.outermost_frame(frame))
    }

    /// The frame of the outermost scope around `frame` that this fiber runs: the home method's has ended, or runs in
    /// another fiber.
    fn outermost_frame(&self, mut frame: *mut Frame) -> *mut Frame {
        // SAFETY: `frame` is active; creators on the stack are too, and an Env names its frame only while that is.
        unsafe {
            while (*frame).has(frame::BLOCK | frame::EVAL) {
                let outer = match Block((*frame).around()).frame() {
                    Some(outer) => Some(outer),
                    None => Env::from_value(Value::from_bits((*frame).around())).and_then(|env| env.frame_on(self)),
                };
                match outer {
                    Some(outer) => frame = outer,
                    None => break,
                }
            }
        }
        frame
    }

    /// `$~` of the running method.
    pub fn backref(&self) -> Value {
        // SAFETY: the frame is active.
        let frame = unsafe { &*self.backref_frame() };
        if frame.has(frame::LINED) { array::get(frame.backref(), 0) } else { frame.backref() }
    }

    /// Sets `$~` of the running method.
    pub fn set_backref(&mut self, v: Value) {
        // SAFETY: the frame is active.
        let frame = unsafe { &mut *self.backref_frame() };
        if frame.has(frame::LINED) {
            // It is this thread's, not frozen, and has that element.
            let _ = array::set(self, frame.backref(), 0, v);
        } else {
            frame.set_backref(v);
        }
    }

    /// `$_` of the running method.
    pub fn last_line(&self) -> Value {
        // SAFETY: the frame is active.
        let frame = unsafe { &*self.backref_frame() };
        if frame.has(frame::LINED) { array::get(frame.backref(), 1) } else { Value::NIL }
    }

    /// Sets `$_` of the running method.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn set_last_line(&mut self, line: Value) -> Res<()> {
        let frame = self.backref_frame();
        // SAFETY: the frame is active.
        let (held, lined) = unsafe { ((*frame).backref(), (*frame).has(frame::LINED)) };
        if lined {
            let set = array::set(self, held, 1, line);
            return self.check(held, set);
        }
        let both = self.array(&[held, line])?;
        // SAFETY: the frame is active still, and frames stay where they are while something is allocated.
        unsafe {
            (*frame).set_backref(both);
            (*frame).state |= frame::LINED;
        }
        Ok(())
    }
}
