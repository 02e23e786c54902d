//! Definitions: methods, classes, modules, aliases.

use std::sync::atomic::Ordering;

use asterism_compiler::ops;
use asterism_object::class::{Class, UNINITIALIZED};
use asterism_object::space::WellKnown;
use asterism_object::{Sym, Value};
use asterism_symbol::sym;

use super::state::{Execute, Interp, Next};
use crate::block::{Block, Env};
use crate::ec::{Ec, Raised, Res};
use crate::frame::{self, Cont, Frame, NewFrame, state};
use crate::iseq::Iseq;
use crate::method::{Body, Method, Visibility};
use crate::redefined::warn_redefined;

impl<'i> Execute<'i> for ops::DefMethod<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (iseq, name) = (at.iseq(), at.symbol(self.name()));
        let body = iseq.method_body(at.ec, self.child().index(), name)?;
        // SAFETY: the frame is the current one, a Ruby frame.
        let name = unsafe { def_method(at.ec, at.frame(), name, body)? };
        at.store(self.dst(), name)
    }
}

impl<'i> Execute<'i> for ops::DefSingleton<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (iseq, name, object) = (at.iseq(), at.symbol(self.name()), at.get(self.object().before()));
        let body = iseq.method_body(at.ec, self.child().index(), name)?;
        // SAFETY: the frame is the current one, a Ruby frame.
        let name = unsafe { def_singleton(at.ec, at.frame(), object, name, body)? };
        at.store(self.object(), name)
    }
}

impl<'i> Execute<'i> for ops::DefClass<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (code, name) = (at.child(self.child())?, at.symbol(self.name()));
        // SAFETY: the operand is a pair of registers; the frame is the current one, a Ruby frame with its pc saved.
        unsafe {
            let scope = at.from(self.scope());
            let class = open_class(at.ec, *scope, *scope.add(1), name, self.path())?;
            push_class_body(at.ec, at.frame(), class, code, self.dst().index() as u16)?;
        }
        at.reload()
    }
}

impl<'i> Execute<'i> for ops::DefModule<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (code, name, scope) = (at.child(self.child())?, at.symbol(self.name()), at.get(self.scope()));
        let module = open_module(at.ec, scope, name, self.path())?;
        // SAFETY: the frame is the current one, a Ruby frame with its pc saved.
        unsafe { push_class_body(at.ec, at.frame(), module, code, self.dst().index() as u16)? };
        at.reload()
    }
}

impl<'i> Execute<'i> for ops::OpenSingleton<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (code, object) = (at.child(self.child())?, at.get(self.object()));
        let class = at.ec.open_singleton(object)?;
        // SAFETY: the frame is the current one, a Ruby frame with its pc saved.
        unsafe { push_class_body(at.ec, at.frame(), class, code, self.dst().index() as u16)? };
        at.reload()
    }
}

impl<'i> Execute<'i> for ops::AliasMethod<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let (new, old) = (at.get(self.new_name()), at.get(self.old_name()));
        alias_method(at.ec, new, old)?;
        at.next()
    }
}

impl<'i> Execute<'i> for ops::UndefMethod<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let name = at.get(self.name());
        undef_method(at.ec, name)?;
        at.next()
    }
}

impl<'i> Execute<'i> for ops::PostExe<'i> {
    const RETURNS: bool = true;

    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        at.ec.check_main_ractor("can not use END{} in non-main Ractors")?;
        if at.once(self.cell()).swap(Value::TRUE, Ordering::AcqRel).is_undef() {
            let child = at.child(self.child())?;
            // SAFETY: the current frame is active, and its code holds that of its blocks.
            let proc = unsafe { at.ec.make_proc(at.frame(), child, false)? };
            crate::thread::at_exit(at.ec, proc)?;
        }
        at.next()
    }
}

/// Methods that are private however they are defined.
pub fn is_always_private(name: Sym) -> bool {
    matches!(
        name,
        sym::initialize
            | sym::initialize_copy
            | sym::initialize_clone
            | sym::initialize_dup
            | sym::respond_to_missing_p
    )
}

/// `def`
///
/// # Safety
/// `frame` is the current Ruby frame.
unsafe fn def_method(ec: &mut Ec, frame: *mut Frame, name: Sym, body: Body) -> Res {
    // SAFETY: see the function's contract.
    let (flags, cref) = unsafe { ((*ec.visibility_frame(frame)).state, (*frame).cref) };
    let target = ec.definee()?;
    ec.check_class_frozen(target)?;
    let always_private = is_always_private(name);
    let object = ec.class(WellKnown::Object);
    let visibility = if always_private
        || flags & frame::VIS_PRIVATE != 0
        || flags & frame::VIS_MODULE_FUNCTION != 0
        || (flags & frame::TOP != 0 && target.0 == object && flags & frame::EVAL_CREF == 0)
    {
        Visibility::Private
    } else if flags & frame::VIS_PROTECTED != 0 {
        Visibility::Protected
    } else {
        Visibility::Public
    };
    let method = Method::new(ec, target.0, name, visibility, body, cref)?;
    warn_redefined(ec, target, name, method)?;
    ec.add_method(target, name, method)?;
    if flags & frame::VIS_MODULE_FUNCTION != 0 {
        let single = ec.singleton_class(target.0)?;
        let method = Method::new(ec, single.0, name, Visibility::Public, body, cref)?;
        ec.add_method(single, name, method)?;
    }
    ec.method_added(target, name)?;
    Ok(Value::sym(name))
}

impl Ec {
    /// The frame that holds the visibility in force for definitions in `frame`: a block shares that of the body around
    /// it, unless it has a nesting of its own.
    ///
    /// # Safety
    /// `frame` is active on this Ec.
    pub unsafe fn visibility_frame(&self, mut frame: *mut Frame) -> *mut Frame {
        // SAFETY: as demanded; creators on the stack are too, and an Env names its frame only while
        // that is active.
        unsafe {
            while (*frame).has(frame::BLOCK) && !(*frame).has(frame::BMETHOD) {
                let outer = match Block((*frame).around()).frame() {
                    Some(outer) => Some(outer),
                    None => Env::from_value(Value::from_bits((*frame).around())).and_then(|env| env.frame_on(self)),
                };
                match outer {
                    Some(outer) if (*outer).cref == (*frame).cref => frame = outer,
                    _ => break,
                }
            }
        }
        frame
    }

    /// Calls `method_added` or `singleton_method_added`.
    ///
    /// # Errors
    /// What a Ruby-level `method_added` or `singleton_method_added` raises; what `Warning.warn` raises.
    pub fn method_added(&mut self, class: Class, name: Sym) -> Res<()> {
        crate::warning::warn_performance(self, class, name)?;
        if class.is_singleton() {
            hook(self, class.module(), sym::singleton_method_added, Value::sym(name))
        } else {
            hook(self, class.0, sym::method_added, Value::sym(name))
        }
    }
}

/// `def object.name`
///
/// # Safety
/// `frame` is the current Ruby frame.
unsafe fn def_singleton(ec: &mut Ec, frame: *mut Frame, object: Value, name: Sym, body: Body) -> Res {
    // SAFETY: see the function's contract.
    let cref = unsafe { (*frame).cref };
    let single = ec.singleton_class(object)?;
    ec.check_class_frozen(single)?;
    let method = Method::new(ec, single.0, name, Visibility::Public, body, cref)?;
    warn_redefined(ec, single, name, method)?;
    ec.add_method(single, name, method)?;
    hook(ec, object, sym::singleton_method_added, Value::sym(name))?;
    Ok(Value::sym(name))
}

/// The class that `class Name < superclass` opens or makes in `scope`. `superclass` undef: none given.
/// `path`: written `Scope::Name`, which does not reach private constants.
fn open_class(ec: &mut Ec, scope: Value, superclass: Value, name: Sym, path: bool) -> Res<Class> {
    let scope = ec.scope_of_constant(scope)?;
    if !superclass.is_undef() {
        let ok = Class::from_value(superclass).is_some_and(|c| c.is_class());
        if !ok {
            let given = ec.class_name_of(superclass);
            return Err(
                ec.type_error(format!("superclass must be an instance of Class (given an instance of {given})"))
            );
        }
    }
    if let Some(existing) = existing_constant(ec, scope, name, path)? {
        let Some(class) = Class::from_value(existing).filter(Class::is_class) else {
            return Err(not_a(ec, "class", scope, name));
        };
        if !superclass.is_undef() && class.superclass().map(|c| c.real().0) != Some(superclass) {
            return Err(ec.type_error(format!("superclass mismatch for class {}", name.text())));
        }
        return Ok(class);
    }
    let parent = if superclass.is_undef() { ec.known(WellKnown::Object) } else { Class(superclass) };
    let class = ec.subclass(parent)?;
    ec.set_constant(scope, name, class.0)?;
    hook(ec, scope.0, sym::const_added, Value::sym(name))?;
    ec.class_inherited(parent, class)?;
    Ok(class)
}

/// The constant that a definition would make is something else.
#[cold]
fn not_a(ec: &mut Ec, kind: &str, scope: Class, name: Sym) -> Raised {
    let full = full_name(ec, scope, name);
    let place = ec.vm().const_locations.lock().get(&(scope.0.bits(), name)).cloned();
    let before = match place {
        Some((file, line)) => format!("\n{file}:{line}: previous definition of {} was here", name.text()),
        None => String::new(),
    };
    ec.type_error(format!("{full} is not a {kind}{before}"))
}

fn existing_constant(ec: &mut Ec, scope: Class, name: Sym, path: bool) -> Res<Option<Value>> {
    if path && ec.is_private_constant(scope, name) {
        return ec.constant_from(scope, name).map(Some);
    }
    match ec.own_constant(scope, name) {
        Some(v) if crate::consts::is_autoload(v) => (ec.vm().hooks.autoload)(ec, scope, name),
        found => Ok(found),
    }
}

fn full_name(ec: &mut Ec, scope: Class, name: Sym) -> String {
    if scope.0 == ec.class(WellKnown::Object) {
        return name.text().into_owned();
    }
    format!("{}::{}", ec.class_name(scope), name.text())
}

impl Ec {
    /// A new subclass, without a name; `inherited` is not called yet.
    ///
    /// # Errors
    /// TypeError for parents that cannot have one; NoMemoryError.
    pub fn subclass(&mut self, parent: Class) -> Res<Class> {
        if parent.is_singleton() {
            return Err(self.type_error("can't make subclass of singleton class"));
        }
        if parent.0 == self.class(WellKnown::Class) {
            return Err(self.type_error("can't make subclass of Class"));
        }
        if parent.flags() & UNINITIALIZED != 0 {
            return Err(self.type_error("can't inherit uninitialized class"));
        }
        self.new_class(parent)
    }

    /// Calls `inherited`.
    ///
    /// # Errors
    /// What a Ruby-level `inherited` raises.
    pub fn class_inherited(&mut self, parent: Class, class: Class) -> Res<()> {
        hook(self, parent.0, sym::inherited, class.0)
    }
}

/// The module that `module Name` opens or makes in `scope`.
fn open_module(ec: &mut Ec, scope: Value, name: Sym, path: bool) -> Res<Class> {
    let scope = ec.scope_of_constant(scope)?;
    if let Some(existing) = existing_constant(ec, scope, name, path)? {
        let Some(module) = Class::from_value(existing).filter(Class::is_module) else {
            return Err(not_a(ec, "module", scope, name));
        };
        return Ok(module);
    }
    let module = ec.new_module()?;
    ec.set_constant(scope, name, module.0)?;
    hook(ec, scope.0, sym::const_added, Value::sym(name))?;
    Ok(module)
}

/// Pushes the frame of a class body.
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved.
unsafe fn push_class_body(ec: &mut Ec, frame: *mut Frame, class: Class, code: *const Iseq, dst: u16) -> Res<()> {
    // SAFETY: see the function's contract.
    let outer = unsafe { (*frame).cref };
    let cref = ec.new_cref(class, outer)?;
    ec.push_frame(NewFrame {
        iseq: code,
        self_val: class.0,
        method: Value::NIL,
        block: Value::NIL.bits(),
        cref,
        around: Value::NIL.bits(),
        state: state(dst, Cont::Store, frame::CLASS),
    })?;
    Ok(())
}

/// `alias`
fn alias_method(ec: &mut Ec, new: Value, old: Value) -> Res<()> {
    let (new, old) = (ec.to_sym(new)?, ec.to_sym(old)?);
    let class = ec.definee()?;
    ec.check_class_frozen(class)?;
    // SAFETY: the current frame is active, and keeps its iseq alive.
    if unsafe { ec.fiber.frame.as_ref().and_then(|f| f.iseq.as_ref()).is_some_and(|iseq| iseq.code.internal) } {
        return ec.alias_own(class, new, old);
    }
    ec.alias_method(class, new, old)?;
    ec.method_added(class, new)
}

/// `undef`
fn undef_method(ec: &mut Ec, name: Value) -> Res<()> {
    let name = ec.to_sym(name)?;
    let class = ec.definee()?;
    ec.check_class_frozen(class)?;
    ec.undef_method(class, name)?;
    let (on, which) = if class.is_singleton() {
        (class.module(), sym::singleton_method_undefined)
    } else {
        (class.0, sym::method_undefined)
    };
    hook(ec, on, which, Value::sym(name))
}

/// Calls a hook method if the user has defined one.
pub(super) fn hook(ec: &mut Ec, recv: Value, name: Sym, arg: Value) -> Res<()> {
    let class = ec.class_of(recv);
    let Some(found) = ec.find_method(class, name).1 else { return Ok(()) };
    if !found.method.is_native_of_core() {
        ec.call(recv, name, &[arg])?;
    } else if ec.thread.is_traced() {
        ec.tell_left_out(recv, found.method)?;
    }
    Ok(())
}
