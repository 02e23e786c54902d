//! Definitions: methods, classes, modules, aliases.

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::{Sym, Value};
use asterism_symbol::sym;

use super::ops::hook;
use crate::call::NewFrame;
use crate::ec::{Ec, Res};
use crate::frame::{self, Cont, Frame, state};
use crate::iseq::Iseq;
use crate::method::{Body, Method, Visibility};

/// `def`
///
/// # Safety
/// `frame` is the current Ruby frame.
pub unsafe fn def_method(ec: &mut Ec, frame: *mut Frame, name: Sym, body: Body) -> Res {
    // SAFETY: see the function's contract.
    let (flags, cref) = unsafe { ((*frame).state, (*frame).cref) };
    let target = ec.definee()?;
    ec.check_class_frozen(target)?;
    let always_private = matches!(
        name,
        sym::initialize
            | sym::initialize_copy
            | sym::initialize_clone
            | sym::initialize_dup
            | sym::respond_to_missing_p
    );
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
    /// Calls `method_added` or `singleton_method_added`.
    ///
    /// # Errors
    /// What the hook raises.
    pub fn method_added(&mut self, class: Class, name: Sym) -> Res<()> {
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
pub unsafe fn def_singleton(ec: &mut Ec, frame: *mut Frame, object: Value, name: Sym, body: Body) -> Res {
    // SAFETY: see the function's contract.
    let cref = unsafe { (*frame).cref };
    if object.is_heap() {
        ec.check_frozen(object)?;
    }
    let single = ec.singleton_class(object)?;
    let method = Method::new(ec, single.0, name, Visibility::Public, body, cref)?;
    ec.add_method(single, name, method)?;
    hook(ec, object, sym::singleton_method_added, Value::sym(name))?;
    Ok(Value::sym(name))
}

/// The class that `class Name < superclass` opens or makes in `scope`. `superclass` undef: none given.
pub fn open_class(ec: &mut Ec, scope: Value, superclass: Value, name: Sym) -> Res<Class> {
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
    if let Some(existing) = existing_constant(ec, scope, name)? {
        let Some(class) = Class::from_value(existing).filter(Class::is_class) else {
            let full = full_name(ec, scope, name);
            return Err(ec.type_error(format!("{full} is not a class")));
        };
        if !superclass.is_undef() && class.superclass().map(|c| c.real().0) != Some(superclass) {
            return Err(ec.type_error(format!("superclass mismatch for class {}", name.text())));
        }
        return Ok(class);
    }
    let parent = if superclass.is_undef() { ec.known(WellKnown::Object) } else { Class(superclass) };
    let class = ec.subclass(parent)?;
    ec.set_constant(scope, name, class.0)?;
    ec.class_inherited(parent, class)?;
    hook(ec, scope.0, sym::const_added, Value::sym(name))?;
    Ok(class)
}

fn existing_constant(ec: &mut Ec, scope: Class, name: Sym) -> Res<Option<Value>> {
    match ec.own_constant(scope, name) {
        Some(v) if crate::consts::is_autoload(v) => crate::load::autoload(ec, scope, name),
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
        self.new_class(parent)
    }

    /// Calls `inherited`.
    ///
    /// # Errors
    /// What the hook raises.
    pub fn class_inherited(&mut self, parent: Class, class: Class) -> Res<()> {
        hook(self, parent.0, sym::inherited, class.0)
    }
}

/// The module that `module Name` opens or makes in `scope`.
pub fn open_module(ec: &mut Ec, scope: Value, name: Sym) -> Res<Class> {
    let scope = ec.scope_of_constant(scope)?;
    if let Some(existing) = existing_constant(ec, scope, name)? {
        let Some(module) = Class::from_value(existing).filter(Class::is_module) else {
            let full = full_name(ec, scope, name);
            return Err(ec.type_error(format!("{full} is not a module")));
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
pub unsafe fn push_class_body(ec: &mut Ec, frame: *mut Frame, class: Class, code: *const Iseq, dst: u16) -> Res<()> {
    // SAFETY: see the function's contract.
    let outer = unsafe { (*frame).cref };
    let cref = ec.new_cref(class, outer)?;
    ec.push_frame(NewFrame {
        iseq: code,
        self_val: class.0,
        method: Value::NIL,
        block: Value::NIL.0,
        cref,
        parent: Value::NIL.0,
        state: state(dst, Cont::Store, frame::CLASS),
    })?;
    Ok(())
}

/// `alias`
pub fn alias_method(ec: &mut Ec, new: Value, old: Value) -> Res<()> {
    let (new, old) = (ec.to_sym(new)?, ec.to_sym(old)?);
    let class = ec.definee()?;
    ec.check_class_frozen(class)?;
    // SAFETY: the current frame is active, and keeps its iseq alive.
    if unsafe { ec.frame.as_ref().and_then(|f| f.iseq.as_ref()).is_some_and(|iseq| iseq.code.internal) } {
        return ec.alias_own(class, new, old);
    }
    ec.alias_method(class, new, old)?;
    ec.method_added(class, new)
}

/// `undef`
pub fn undef_method(ec: &mut Ec, name: Value) -> Res<()> {
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
