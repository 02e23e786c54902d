//! Classes, modules, constants, class variables and global variables.

use std::ffi::c_int;

use asterism_object::class::Class;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Value, array, string};
use asterism_symbol::{Sym, intern};
use asterism_vm::{Ec, Exc, Res};

use crate::call::named;
use crate::entry::{call_c, call_c_value};
use crate::method::class_arg;
use crate::part::{Variable, keep, part};
use crate::types::{Func, Id, In, Out, Text, or_nil, symbol};

/// The classes, modules and objects that the header's `rb_cObject` and the like stand for, by their paths, in the order of the
/// header's numbers.
pub const KNOWN: &[(&str, &str)] = &[
    ("rb_cObject", "Object"),
    ("rb_cBasicObject", "BasicObject"),
    ("rb_cModule", "Module"),
    ("rb_cClass", "Class"),
    ("rb_mKernel", "Kernel"),
    ("rb_mComparable", "Comparable"),
    ("rb_mEnumerable", "Enumerable"),
    ("rb_cNilClass", "NilClass"),
    ("rb_cTrueClass", "TrueClass"),
    ("rb_cFalseClass", "FalseClass"),
    ("rb_cInteger", "Integer"),
    ("rb_cFloat", "Float"),
    ("rb_cNumeric", "Numeric"),
    ("rb_cRational", "Rational"),
    ("rb_cComplex", "Complex"),
    ("rb_cString", "String"),
    ("rb_cSymbol", "Symbol"),
    ("rb_cArray", "Array"),
    ("rb_cHash", "Hash"),
    ("rb_cRange", "Range"),
    ("rb_cProc", "Proc"),
    ("rb_cMethod", "Method"),
    ("rb_cUnboundMethod", "UnboundMethod"),
    ("rb_cStruct", "Struct"),
    ("rb_cRegexp", "Regexp"),
    ("rb_cMatch", "MatchData"),
    ("rb_cThread", "Thread"),
    ("rb_cBinding", "Binding"),
    ("rb_cTime", "Time"),
    ("rb_cIO", "IO"),
    ("rb_cFile", "File"),
    ("rb_cDir", "Dir"),
    ("rb_cStat", "File::Stat"),
    ("rb_cRandom", "Random"),
    ("rb_cEncoding", "Encoding"),
    ("rb_cEnumerator", "Enumerator"),
    ("rb_cSet", "Set"),
    ("rb_mGC", "GC"),
    ("rb_mProcess", "Process"),
    ("rb_mMath", "Math"),
    ("rb_mErrno", "Errno"),
    ("rb_mFileTest", "FileTest"),
    ("rb_mWaitReadable", "IO::WaitReadable"),
    ("rb_mWaitWritable", "IO::WaitWritable"),
    ("rb_cIOBuffer", "IO::Buffer"),
    ("rb_eException", "Exception"),
    ("rb_eStandardError", "StandardError"),
    ("rb_eSystemExit", "SystemExit"),
    ("rb_eInterrupt", "Interrupt"),
    ("rb_eSignal", "SignalException"),
    ("rb_eFatal", ""),
    ("rb_eArgError", "ArgumentError"),
    ("rb_eEOFError", "EOFError"),
    ("rb_eIndexError", "IndexError"),
    ("rb_eKeyError", "KeyError"),
    ("rb_eRangeError", "RangeError"),
    ("rb_eIOError", "IOError"),
    ("rb_eRuntimeError", "RuntimeError"),
    ("rb_eSecurityError", "SecurityError"),
    ("rb_eSystemCallError", "SystemCallError"),
    ("rb_eThreadError", "ThreadError"),
    ("rb_eTypeError", "TypeError"),
    ("rb_eZeroDivError", "ZeroDivisionError"),
    ("rb_eNotImpError", "NotImplementedError"),
    ("rb_eNoMemError", "NoMemoryError"),
    ("rb_eNoMethodError", "NoMethodError"),
    ("rb_eFloatDomainError", "FloatDomainError"),
    ("rb_eLocalJumpError", "LocalJumpError"),
    ("rb_eSysStackError", "SystemStackError"),
    ("rb_eRegexpError", "RegexpError"),
    ("rb_eEncodingError", "EncodingError"),
    ("rb_eEncCompatError", "Encoding::CompatibilityError"),
    ("rb_eScriptError", "ScriptError"),
    ("rb_eNameError", "NameError"),
    ("rb_eSyntaxError", "SyntaxError"),
    ("rb_eLoadError", "LoadError"),
    ("rb_eStopIteration", "StopIteration"),
    ("rb_eFrozenError", "FrozenError"),
    ("rb_eMathDomainError", "Math::DomainError"),
    ("rb_eNoMatchingPatternError", "NoMatchingPatternError"),
    ("rb_eNoMatchingPatternKeyError", "NoMatchingPatternKeyError"),
    ("rb_eFiberError", "FiberError"),
    ("rb_eIOTimeoutError", "IO::TimeoutError"),
    ("rb_eUncaughtThrowError", "UncaughtThrowError"),
    ("rb_cRactor", "Ractor"),
    ("rb_cArithSeq", "Enumerator::ArithmeticSequence"),
    ("rb_stdin", "$stdin"),
    ("rb_stdout", "$stdout"),
    ("rb_stderr", "$stderr"),
    ("rb_fs", "$;"),
    ("rb_output_fs", "$,"),
    ("rb_rs", "$/"),
    ("rb_default_rs", "$/"),
    ("rb_output_rs", "$\\"),
    ("rb_argv0", "$0"),
    ("ruby_verbose_value", "$VERBOSE"),
    ("ruby_debug_value", "$DEBUG"),
];

/// Looks a path of constants up.
fn path_to(ec: &mut Ec, path: &str) -> Res {
    let mut at = ec.class(WellKnown::Object);
    for name in path.split("::") {
        let class = class_arg(ec, at)?;
        at = constant(ec, class, intern(name), true, false)?;
    }
    Ok(at)
}

/// The constant, as `rb_const_get` looks for it.
fn constant(ec: &mut Ec, class: Class, name: Sym, object: bool, own: bool) -> Res {
    let found = if own && !ec.constant_exists_here(class, name)? {
        None
    } else {
        crate::lock::in_ruby(ec, |ec| ec.constant_in(class, name, object))?
    };
    match found {
        Some(v) => Ok(v),
        None => crate::lock::in_ruby(ec, |ec| ec.constant_missing(class, name)),
    }
}

fn superclass_of(ec: &mut Ec, superclass: Value) -> Res<Class> {
    if superclass.bits() == 0 {
        return Ok(ec.known(WellKnown::Object));
    }
    let class = class_arg(ec, superclass)?;
    if !class.is_class() {
        let name = ec.class_name_of(superclass);
        return Err(ec.type_error(format!("superclass must be an instance of Class (given an instance of {name})")));
    }
    Ok(class)
}

/// Defines a class as a constant, or finds the one there is.
fn define_class(ec: &mut Ec, scope: Class, name: Sym, superclass: Value) -> Res {
    let object = ec.known(WellKnown::Object);
    if ec.constant_exists_here(scope, name)? {
        let found = constant(ec, scope, name, false, true)?;
        let text = name.text().into_owned();
        let path = if scope == object { text } else { format!("{}::{text}", ec.class_name(scope)) };
        let Some(class) = Class::from_value(found).filter(Class::is_class) else {
            let shown = ec.class_name_of(found);
            return Err(ec.type_error(format!("{path} is not a class ({shown})")));
        };
        let wanted = superclass_of(ec, superclass)?;
        if asterism_core::module::superclass_of(class) != Some(wanted) {
            return Err(ec.type_error(format!("superclass mismatch for class {path}")));
        }
        keep(ec, found);
        return Ok(found);
    }
    if superclass.bits() == 0 {
        return Err(ec.arg_error(format!("no super class for '{}'", name.text())));
    }
    let superclass = superclass_of(ec, superclass)?;
    let class = ec.new_class(superclass)?;
    ec.set_constant(scope, name, class.0)?;
    keep(ec, class.0);
    named(ec, superclass.0, "inherited", &[class.0])?;
    Ok(class.0)
}

fn define_module(ec: &mut Ec, scope: Class, name: Sym) -> Res {
    if ec.constant_exists_here(scope, name)? {
        let found = constant(ec, scope, name, false, true)?;
        if !Class::from_value(found).is_some_and(|c| c.is_module()) {
            let shown = ec.class_name_of(found);
            return Err(ec.type_error(format!("{} is not a module ({shown})", name.text())));
        }
        keep(ec, found);
        return Ok(found);
    }
    let module = ec.new_module()?;
    ec.set_constant(scope, name, module.0)?;
    keep(ec, module.0);
    Ok(module.0)
}

/// The Symbol of a global variable that C names with or without `$`.
fn gvar_name(name: Text) -> Sym {
    let bytes = name.bytes();
    if bytes.starts_with(b"$") { symbol(bytes) } else { symbol(&[b"$", bytes].concat()) }
}

fn gvar_of(ec: &Ec, name: Sym) -> Option<Variable> {
    part(ec).variables.lock().get(&name).copied()
}

/// Reads a variable that C has defined.
fn get_variable(ec: &mut Ec, name: Sym) -> Res {
    let Some(variable) = gvar_of(ec, name) else { return Ok(Value::NIL) };
    if variable.getter.is_null() {
        if variable.address == 0 {
            return Ok(Value::NIL);
        }
        // SAFETY: C code has said that a `VALUE` lies there.
        let v = unsafe { std::ptr::with_exposed_provenance::<Value>(variable.address).read_volatile() };
        return Ok(if v.bits() == 0 { Value::NIL } else { v });
    }
    let words = [Id::of(name).0, variable.address as u64];
    let taken = crate::lock::take(ec);
    // SAFETY: the function is a getter.
    let result = unsafe { call_c_value(ec, variable.getter.0, &words) };
    if taken {
        crate::lock::give(ec);
    }
    result
}

/// Writes one.
fn set_variable(ec: &mut Ec, name: Sym, v: Value) -> Res<()> {
    let Some(variable) = gvar_of(ec, name) else { return Ok(()) };
    if variable.setter.is_null() {
        // SAFETY: as above.
        unsafe { std::ptr::with_exposed_provenance_mut::<Value>(variable.address).write_volatile(v) };
        return Ok(());
    }
    let words = [v.bits(), Id::of(name).0, variable.address as u64];
    let taken = crate::lock::take(ec);
    // SAFETY: the function is a setter.
    let result = unsafe { call_c(ec, variable.setter.0, &words) };
    if taken {
        crate::lock::give(ec);
    }
    result.map(|_| ())
}

fn define_variable(ec: &mut Ec, name: Text, place: In<Value>, getter: Func, setter: Func, read_only: bool) {
    let name = gvar_name(name);
    let address = place.0.expose_provenance();
    part(ec).variables.lock().insert(name, Variable { address, getter, setter });
    let writes =
        if read_only || address == 0 && setter.is_null() { asterism_vm::gvar::read_only } else { set_variable };
    ec.vm().gvars.define(name, Some(get_variable), Some(writes), Value::NIL);
}

fn set_class_variable(ec: &mut Ec, class: Value, name: Text, v: Value) -> Res<()> {
    named(ec, class, "class_variable_set", &[Value::sym(name.sym()), v])?;
    Ok(())
}

fn instance_methods(ec: &mut Ec, argc: c_int, argv: In<Value>, class: Value, name: &'static str) -> Res {
    named(ec, class, name, argv.slice(i64::from(argc)))
}

api! {
    /// What the header's names of classes stand for.
    fn rb_asterism_known(ec, number: c_int) -> Value {
        known(ec, number as usize)
    }

    fn rb_define_class(ec, name: Text, superclass: Value) -> Value {
        let object = ec.known(WellKnown::Object);
        define_class(ec, object, name.sym(), superclass)
    }

    fn rb_define_class_under(ec, scope: Value, name: Text, superclass: Value) -> Value {
        let scope = class_arg(ec, scope)?;
        define_class(ec, scope, name.sym(), superclass)
    }

    fn rb_define_class_id_under(ec, scope: Value, name: Id, superclass: Value) -> Value {
        let scope = class_arg(ec, scope)?;
        define_class(ec, scope, name.sym(), superclass)
    }

    fn rb_define_class_id(ec, _name: Id, superclass: Value) -> Value {
        let superclass = superclass_of(ec, superclass)?;
        Ok(ec.new_class(superclass)?.0)
    }

    fn rb_define_module(ec, name: Text) -> Value {
        let object = ec.known(WellKnown::Object);
        define_module(ec, object, name.sym())
    }

    fn rb_define_module_under(ec, scope: Value, name: Text) -> Value {
        let scope = class_arg(ec, scope)?;
        define_module(ec, scope, name.sym())
    }

    fn rb_define_module_id_under(ec, scope: Value, name: Id) -> Value {
        let scope = class_arg(ec, scope)?;
        define_module(ec, scope, name.sym())
    }

    /// A module without a name: CRuby's ignores it too.
    fn rb_define_module_id(ec, _name: Id) -> Value {
        Ok(ec.new_module()?.0)
    }

    fn rb_module_new(ec) -> Value {
        Ok(ec.new_module()?.0)
    }

    fn rb_class_new(ec, superclass: Value) -> Value {
        let class = superclass_of(ec, superclass)?;
        if class.is_singleton() {
            return Err(ec.type_error("can't make subclass of singleton class"));
        }
        if class.0 == ec.class(WellKnown::Class) {
            return Err(ec.type_error("can't make subclass of Class"));
        }
        Ok(ec.new_class(class)?.0)
    }

    fn rb_class_inherited(ec, superclass: Value, class: Value) -> Value {
        let superclass = superclass_of(ec, superclass)?;
        named(ec, superclass.0, "inherited", &[class])
    }

    fn rb_class_inherited_p(ec, class: Value, other: Value) -> Value {
        named(ec, class, "<=", &[other])
    }

    fn rb_class_superclass(ec, class: Value) -> Value {
        named(ec, class, "superclass", &[])
    }

    fn rb_class_get_superclass(ec, class: Value) -> Value {
        let class = class_arg(ec, class)?;
        Ok(asterism_core::module::superclass_of(class).map_or(Value::FALSE, |c| c.0))
    }

    fn rb_class_real(_ec, class: Value) -> Value {
        let mut at = Class::from_value(class);
        while let Some(c) = at {
            if !c.is_singleton() && !c.is_include() {
                return Ok(c.0);
            }
            at = c.superclass();
        }
        Ok(Value::FALSE)
    }

    fn rb_singleton_class(ec, v: Value) -> Value {
        let single = ec.open_singleton(v)?;
        Ok(single.0)
    }

    fn rb_include_module(ec, class: Value, module: Value) {
        if !Class::from_value(module).is_some_and(|m| m.is_module()) {
            let name = ec.class_name_of(module);
            return Err(ec.type_error(format!("wrong argument type {name} (expected Module)")));
        }
        named(ec, module, "append_features", &[class])?;
        Ok(())
    }

    fn rb_prepend_module(ec, class: Value, module: Value) {
        named(ec, module, "prepend_features", &[class])?;
        Ok(())
    }

    fn rb_class_name(ec, class: Value) -> Value {
        let class = class_arg(ec, class)?;
        let class = if class.is_singleton() { ec.real_class_of(class.module()) } else { class };
        let name = ec.class_name(class);
        ec.str(name)
    }

    fn rb_class_path(ec, class: Value) -> Value {
        let class = class_arg(ec, class)?;
        let name = ec.class_name(class);
        ec.str(name)
    }

    fn rb_class_path_cached(ec, class: Value) -> Value {
        named(ec, class, "name", &[])
    }

    fn rb_mod_name(ec, class: Value) -> Value {
        named(ec, class, "name", &[])
    }

    fn rb_set_class_path(ec, class: Value, under: Value, name: Text) {
        let path = if under == ec.class(WellKnown::Object) {
            name.text().into_owned()
        } else {
            let under = class_arg(ec, under)?;
            format!("{}::{}", ec.class_name(under), name.text())
        };
        let path = ec.str(path)?;
        named(ec, class, "set_temporary_name", &[path])?;
        Ok(())
    }

    fn rb_path2class(ec, path: Text) -> Value {
        path_class(ec, path.bytes())
    }

    fn rb_path_to_class(ec, path: Value) -> Value {
        crate::demand::a_string(ec, path)?;
        let path = string::read(ec, path);
        path_class(ec, &path)
    }

    fn rb_define_const(ec, scope: Value, name: Text, v: Value) {
        let scope = class_arg(ec, scope)?;
        ec.set_constant(scope, name.sym(), v)
    }

    fn rb_define_global_const(ec, name: Text, v: Value) {
        let object = ec.known(WellKnown::Object);
        ec.set_constant(object, name.sym(), v)
    }

    fn rb_deprecate_constant_one(ec, scope: Value, name: Text) {
        named(ec, scope, "deprecate_constant", &[Value::sym(name.sym())])?;
        Ok(())
    }

    fn rb_const_set(ec, scope: Value, name: Id, v: Value) {
        let scope = class_arg(ec, scope)?;
        let sym = name.sym();
        if !sym.bytes().first().is_some_and(|b| b.is_ascii_uppercase() || *b >= 128) {
            return Err(ec.name_error(Exc::NameError, format!("wrong constant name {}", sym.text()), scope.0, sym));
        }
        ec.set_constant(scope, sym, v)
    }

    fn rb_const_get(ec, scope: Value, name: Id) -> Value {
        let scope = class_arg(ec, scope)?;
        constant(ec, scope, name.sym(), true, false)
    }

    fn rb_const_get_from(ec, scope: Value, name: Id) -> Value {
        let scope = class_arg(ec, scope)?;
        constant(ec, scope, name.sym(), false, false)
    }

    fn rb_const_get_at(ec, scope: Value, name: Id) -> Value {
        let scope = class_arg(ec, scope)?;
        constant(ec, scope, name.sym(), false, true)
    }

    fn rb_const_defined(ec, scope: Value, name: Id) -> c_int {
        let scope = class_arg(ec, scope)?;
        Ok(c_int::from(ec.constant_exists(scope, name.sym(), true)?))
    }

    fn rb_const_defined_from(ec, scope: Value, name: Id) -> c_int {
        let scope = class_arg(ec, scope)?;
        Ok(c_int::from(ec.constant_exists(scope, name.sym(), false)?))
    }

    fn rb_const_defined_at(ec, scope: Value, name: Id) -> c_int {
        let scope = class_arg(ec, scope)?;
        Ok(c_int::from(ec.constant_exists_here(scope, name.sym())?))
    }

    fn rb_const_remove(ec, scope: Value, name: Id) -> Value {
        named(ec, scope, "remove_const", &[Value::sym(name.sym())])
    }


    fn rb_autoload_load(ec, scope: Value, name: Id) -> Value {
        let scope = class_arg(ec, scope)?;
        constant(ec, scope, name.sym(), false, true)
    }

    fn rb_cvar_defined(ec, class: Value, name: Id) -> Value {
        named(ec, class, "class_variable_defined?", &[Value::sym(name.sym())])
    }

    fn rb_cvar_get(ec, class: Value, name: Id) -> Value {
        named(ec, class, "class_variable_get", &[Value::sym(name.sym())])
    }

    fn rb_cvar_set(ec, class: Value, name: Id, v: Value) {
        named(ec, class, "class_variable_set", &[Value::sym(name.sym()), v])?;
        Ok(())
    }

    fn rb_cv_get(ec, class: Value, name: Text) -> Value {
        named(ec, class, "class_variable_get", &[Value::sym(name.sym())])
    }

    fn rb_cv_set(ec, class: Value, name: Text, v: Value) {
        set_class_variable(ec, class, name, v)
    }

    fn rb_define_class_variable(ec, class: Value, name: Text, v: Value) {
        set_class_variable(ec, class, name, v)
    }

    fn rb_mod_class_variables(ec, argc: c_int, argv: In<Value>, class: Value) -> Value {
        instance_methods(ec, argc, argv, class, "class_variables")
    }

    fn rb_class_instance_methods(ec, argc: c_int, argv: In<Value>, class: Value) -> Value {
        instance_methods(ec, argc, argv, class, "instance_methods")
    }

    fn rb_class_public_instance_methods(ec, argc: c_int, argv: In<Value>, class: Value) -> Value {
        instance_methods(ec, argc, argv, class, "public_instance_methods")
    }

    fn rb_class_private_instance_methods(ec, argc: c_int, argv: In<Value>, class: Value) -> Value {
        instance_methods(ec, argc, argv, class, "private_instance_methods")
    }

    fn rb_class_protected_instance_methods(ec, argc: c_int, argv: In<Value>, class: Value) -> Value {
        instance_methods(ec, argc, argv, class, "protected_instance_methods")
    }

    fn rb_obj_singleton_methods(ec, argc: c_int, argv: In<Value>, v: Value) -> Value {
        instance_methods(ec, argc, argv, v, "singleton_methods")
    }

    fn rb_mod_constants(ec, argc: c_int, argv: In<Value>, v: Value) -> Value {
        instance_methods(ec, argc, argv, v, "constants")
    }

    fn rb_gv_get(ec, name: Text) -> Value {
        let name = gvar_name(name);
        crate::lock::in_ruby(ec, |ec| ec.gvar_get(name))
    }

    fn rb_gv_set(ec, name: Text, v: Value) -> Value {
        let name = gvar_name(name);
        crate::lock::in_ruby(ec, |ec| ec.gvar_set(name, v))?;
        Ok(v)
    }

    fn rb_define_variable(ec, name: Text, place: In<Value>) {
        define_variable(ec, name, place, Func(std::ptr::null()), Func(std::ptr::null()), false);
        Ok(())
    }

    fn rb_define_readonly_variable(ec, name: Text, place: In<Value>) {
        define_variable(ec, name, place, Func(std::ptr::null()), Func(std::ptr::null()), true);
        Ok(())
    }

    /// C: void rb_define_hooked_variable(const char *name, VALUE *var, rb_gvar_getter_t *getter, rb_gvar_setter_t *setter);
    fn rb_define_hooked_variable(ec, name: Text, place: In<Value>, getter: Func, setter: Func) {
        define_variable(ec, name, place, getter, setter, false);
        Ok(())
    }

    /// C: void rb_define_virtual_variable(const char *name, rb_gvar_getter_t *getter, rb_gvar_setter_t *setter);
    fn rb_define_virtual_variable(ec, name: Text, getter: Func, setter: Func) {
        define_variable(ec, name, In(std::ptr::null()), getter, setter, false);
        Ok(())
    }

    fn rb_gvar_var_getter(_ec, _name: Id, place: Out<Value>) -> Value {
        Ok(if place.is_null() { Value::NIL } else { or_nil(place.get()) })
    }

    fn rb_gvar_undef_getter(_ec, _name: Id, _place: Out<Value>) -> Value {
        Ok(Value::NIL)
    }

    fn rb_gvar_val_getter(_ec, _name: Id, place: Value) -> Value {
        Ok(place)
    }

    fn rb_gvar_var_setter(_ec, v: Value, _name: Id, place: Out<Value>) {
        place.set(v);
        Ok(())
    }

    fn rb_gvar_val_setter(_ec, v: Value, _name: Id, place: Out<Value>) {
        place.set(v);
        Ok(())
    }

    /// C: NORETURN(void rb_gvar_readonly_setter(VALUE v, ID id, VALUE *_));
    fn rb_gvar_readonly_setter(ec, _v: Value, name: Id, _place: Out<Value>) {
        let message = format!("{} is a read-only variable", name.sym().text());
        Err(ec.raise(Exc::NameError, message))
    }

    fn rb_alias_variable(ec, new: Id, old: Id) {
        ec.vm().gvars.alias(new.sym(), old.sym());
        ec.vm().gvar_aliases.fetch_add(1, std::sync::atomic::Ordering::AcqRel);
        Ok(())
    }

    fn rb_f_global_variables(ec) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "global_variables", &[])
    }

}

fn path_class(ec: &mut Ec, path: &[u8]) -> Res {
    let text = String::from_utf8_lossy(path).into_owned();
    if text.is_empty() || text.starts_with('#') {
        return Err(ec.arg_error(format!("can't retrieve anonymous class {text}")));
    }
    let mut at = ec.known(WellKnown::Object);
    let mut so_far = String::new();
    for name in text.split("::") {
        so_far = if so_far.is_empty() { name.to_owned() } else { format!("{so_far}::{name}") };
        let sym = intern(name);
        let first = at == ec.known(WellKnown::Object);
        let exists = if first { ec.constant_exists(at, sym, true) } else { ec.constant_exists_below(at, sym) };
        if !exists? {
            return Err(ec.arg_error(format!("undefined class/module {so_far}")));
        }
        let found = constant(ec, at, sym, true, false)?;
        let Some(class) = Class::from_value(found) else {
            return Err(ec.type_error(format!("{so_far} does not refer to class/module")));
        };
        at = class;
    }
    Ok(at.0)
}

/// A class or object of the table, which is looked up once a VM if it is a class.
///
/// # Errors
/// NameError if a program has removed the constant, TypeError if a part of its path is no class or module; what its
/// `autoload` or `const_missing` raises; `fatal` for a number that there is not.
pub fn known(ec: &mut Ec, number: usize) -> Res {
    let kept = part(ec).known.get(number).map_or(Value::NULL, |slot| slot.load(std::sync::atomic::Ordering::Acquire));
    if kept.bits() != 0 {
        return Ok(kept);
    }
    let Some((_, path)) = KNOWN.get(number) else {
        return Err(ec.fatal("no such class"));
    };
    if path.starts_with('$') {
        return ec.gvar_get(intern(path));
    }
    let v = if path.is_empty() { ec.vm().root(asterism_vm::vm::Root::Fatal) } else { path_to(ec, path)? };
    let v = if v.is_type(Type::Array) { array::get(v, 0) } else { v };
    part(ec).known[number].store(v, std::sync::atomic::Ordering::Release);
    Ok(v)
}

/// The same by the header's name.
///
/// # Errors
/// As [`known`]; `fatal` for a name that there is not.
pub fn known_by_name(ec: &mut Ec, name: &str) -> Res {
    known(ec, KNOWN.iter().position(|known| known.0 == name).unwrap_or(usize::MAX))
}

methods! {
    fn rb_mod_ancestors(v) = "ancestors";
    fn rb_mod_included_modules(v) = "included_modules";
    fn rb_mod_include_p(v, other) = "include?";
    fn rb_class_descendants(v) = "subclasses";
    fn rb_class_subclasses(v) = "subclasses";
    fn rb_class_attached_object(v) = "attached_object";
    fn rb_mod_remove_const(v, name) = "remove_const";
    fn rb_mod_remove_cvar(v, name) = "remove_class_variable";
}
