//! The special global variables that belong to the process, the command line and the I/O of a VM.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, string};
use asterism_symbol::{intern, sym};
use asterism_vm::vm::Root;
use asterism_vm::{Ec, Exc, Res};

use asterism_vm::gvar::read_only;

/// Defines them.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let argv = ec.array(&[])?;
    ec.vm().set_root(Root::Argv, argv);
    let object = ec.known(WellKnown::Object);
    ec.set_constant(object, intern("ARGV"), argv)?;
    let newline = ec.str("\n")?;
    ec.freeze(newline)?;
    let name = ec.str("asterism")?;
    ec.vm().set_root(Root::ScriptName, name);
    let gvars = &ec.vm().gvars;
    gvars.define(intern("$*"), Some(|ec, _| Ok(ec.vm().root(Root::Argv))), Some(read_only), Value::NIL);
    gvars.define(
        intern("$$"),
        Some(|_, _| Ok(Value::fixnum(i64::from(std::process::id())))),
        Some(read_only),
        Value::NIL,
    );
    gvars.define(
        intern("$_"),
        Some(|ec, _| Ok(ec.last_line())),
        Some(|ec, _, line| ec.set_last_line(line)),
        Value::NIL,
    );
    for name in ["$0", "$PROGRAM_NAME"] {
        gvars.define(intern(name), Some(|ec, _| Ok(ec.vm().root(Root::ScriptName))), Some(set_script_name), Value::NIL);
    }
    for name in ["$VERBOSE", "$-v", "$-w"] {
        gvars.define(intern(name), Some(get_verbose), Some(set_verbose), Value::NIL);
    }
    gvars.define(intern("$-W"), Some(get_warning_level), Some(read_only), Value::NIL);
    for name in ["$DEBUG", "$-d"] {
        gvars.define(intern(name), Some(get_debug), Some(set_debug), Value::NIL);
    }
    gvars.define(intern("$/"), None, Some(set_separator), newline);
    gvars.define(intern("$-0"), Some(|ec, _| ec.gvar_get(intern("$/"))), Some(set_separator), Value::NIL);
    for name in ["$,", "$\\"] {
        gvars.define(intern(name), None, Some(set_string_or_nil), Value::NIL);
    }
    gvars.define(intern("$;"), None, Some(set_field_separator), Value::NIL);
    gvars.alias(intern("$-F"), intern("$;"));
    for name in ["$stdout", "$stderr"] {
        gvars.define(intern(name), None, Some(set_output), Value::NIL);
    }
    gvars.define(intern("$stdin"), None, Some(set_input), Value::NIL);
    gvars.alias(intern("$>"), intern("$stdout"));
    for name in ["$-a", "$-l", "$-p"] {
        gvars.define(intern(name), None, Some(read_only), Value::FALSE);
    }
    gvars.define(intern("$-i"), None, None, Value::NIL);
    let argf = |ec: &mut Ec, _| {
        let object = ec.known(WellKnown::Object);
        Ok(ec.own_constant(object, intern("ARGF")).unwrap_or(Value::NIL))
    };
    gvars.define(intern("$<"), Some(argf), Some(read_only), Value::NIL);
    let filename = |ec: &mut Ec, _| {
        let argf = ec.gvar_get(intern("$<"))?;
        ec.call(argf, intern("filename"), &[])
    };
    gvars.define(intern("$FILENAME"), Some(filename), Some(read_only), Value::NIL);
    gvars.define(intern("$="), Some(get_ignored), Some(set_ignored), Value::NIL);
    // The compiler reads these itself; an alias comes here.
    gvars.define(intern("$&"), Some(|ec, _| match_variable(ec, 0)), Some(read_only), Value::NIL);
    gvars.define(intern("$`"), Some(|ec, _| match_variable(ec, 1)), Some(read_only), Value::NIL);
    gvars.define(intern("$'"), Some(|ec, _| match_variable(ec, 2)), Some(read_only), Value::NIL);
    gvars.define(intern("$+"), Some(|ec, _| match_variable(ec, 3)), Some(read_only), Value::NIL);
    Ok(())
}

/// See [`crate::env::set_arguments`].
pub fn set_arguments(ec: &mut Ec, script: &str, args: &[Vec<u8>]) -> Res<()> {
    let argv = ec.vm().root(Root::Argv);
    for arg in args {
        let arg = ec.str(arg)?;
        ec.array_push(argv, arg)?;
    }
    let name = ec.str(script)?;
    ec.vm().set_root(Root::ScriptName, name);
    Ok(())
}

/// Stores the value of a variable whose setter only checks.
pub fn store(ec: &mut Ec, name: Sym, value: Value) {
    ec.vm().gvars.get(name).value.store(value, Ordering::Release);
}

fn set_script_name(ec: &mut Ec, _name: Sym, value: Value) -> Res<()> {
    let text = ec.to_str(value)?;
    let copy = string::frozen_copy(ec, text);
    let copy = ec.check(text, copy)?;
    // Which remembers the first name.
    let process = ec.known(WellKnown::Process);
    ec.call(process.0, intern("argv0"), &[])?;
    ec.vm().set_root(Root::ScriptName, copy);
    // A VM that may not change the process has the name for itself.
    if ec.may_change_process("setproctitle") {
        crate::process::title::set(&string::to_vec(ec, copy));
    }
    Ok(())
}

/// Where the running Ractor's `$VERBOSE` is.
fn verbose(ec: &Ec) -> &AtomicU64 {
    ec.thread.ractor.as_ref().map_or(&ec.vm().verbose, |ractor| &ractor.verbose)
}

/// Where the running Ractor's `$DEBUG` is.
fn debug(ec: &Ec) -> &AtomicBool {
    ec.thread.ractor.as_ref().map_or(&ec.vm().debug, |ractor| &ractor.debug)
}

fn get_verbose(ec: &mut Ec, _name: Sym) -> Res {
    Ok(match verbose(ec).load(Ordering::Relaxed) {
        0 => Value::NIL,
        1 => Value::FALSE,
        _ => Value::TRUE,
    })
}

fn set_verbose(ec: &mut Ec, _name: Sym, value: Value) -> Res<()> {
    let level = match value {
        Value::NIL => 0,
        Value::FALSE => 1,
        _ => 2,
    };
    verbose(ec).store(level, Ordering::Relaxed);
    Ok(())
}

fn get_warning_level(ec: &mut Ec, _name: Sym) -> Res {
    Ok(Value::fixnum(verbose(ec).load(Ordering::Relaxed) as i64))
}

fn get_debug(ec: &mut Ec, _name: Sym) -> Res {
    Ok(Value::bool(debug(ec).load(Ordering::Relaxed)))
}

fn set_debug(ec: &mut Ec, _name: Sym, value: Value) -> Res<()> {
    debug(ec).store(value.truthy(), Ordering::Relaxed);
    Ok(())
}

fn check_string(ec: &mut Ec, name: Sym, value: Value) -> Res<()> {
    if value.is_nil() || value.is_type(Type::String) {
        return Ok(());
    }
    Err(ec.type_error(format!("value of {} must be String", name.text())))
}

fn set_string_or_nil(ec: &mut Ec, name: Sym, value: Value) -> Res<()> {
    check_string(ec, name, value)?;
    if !value.is_nil() {
        deprecated(ec, name)?;
    }
    store(ec, name, value);
    Ok(())
}

fn set_separator(ec: &mut Ec, name: Sym, value: Value) -> Res<()> {
    check_string(ec, name, value)?;
    let mut value = value;
    if !value.is_nil() {
        deprecated(ec, name)?;
        let plain = ec.class_of(value).0 == ec.class(WellKnown::String)
            && asterism_object::ivars::count(ec, value) == 0
            && asterism_object::ownership::is_frozen(value);
        if !plain {
            let copy = string::frozen_copy(ec, value);
            value = ec.check(value, copy)?;
        }
    }
    store(ec, intern("$/"), value);
    Ok(())
}

fn get_ignored(ec: &mut Ec, name: Sym) -> Res {
    asterism_vm::load::warn(ec, &format!("variable {} is no longer effective", name.text()))?;
    Ok(Value::FALSE)
}

fn set_ignored(ec: &mut Ec, name: Sym, _value: Value) -> Res<()> {
    asterism_vm::load::warn(ec, &format!("variable {} is no longer effective; ignored", name.text()))
}

fn match_variable(ec: &mut Ec, part: u32) -> Res {
    let backref = ec.backref();
    if backref.is_nil() { Ok(Value::NIL) } else { (ec.vm().hooks.match_part)(ec, backref, part) }
}

fn set_field_separator(ec: &mut Ec, name: Sym, value: Value) -> Res<()> {
    if !(value.is_nil() || value.is_type(Type::String) || ec.is_kind_of(value, ec.class(WellKnown::Regexp))) {
        return Err(ec.type_error(format!("value of {} must be String or Regexp", name.text())));
    }
    if !value.is_nil() {
        asterism_core::string::pieces::look_at_field_separator();
        deprecated(ec, name)?;
    }
    store(ec, intern("$;"), value);
    Ok(())
}

/// Warns of a variable that is going away, where such warnings are wanted.
fn deprecated(ec: &mut Ec, name: Sym) -> Res<()> {
    if asterism_core::warning::is_enabled(ec, intern("deprecated")) {
        asterism_vm::load::warn_deprecated(ec, &format!("non-nil '{}' is deprecated", name.text()))?;
    }
    Ok(())
}

fn set_input(ec: &mut Ec, name: Sym, value: Value) -> Res<()> {
    if !crate::ractor::set_own_stream(ec, name, value) {
        store(ec, name, value);
    }
    Ok(())
}

fn set_output(ec: &mut Ec, name: Sym, value: Value) -> Res<()> {
    if !ec.respond_to(value, sym::write, false)? {
        let class = ec.class_text_of(value)?;
        let message = format!("{} must have write method, {class} given", name.text());
        return Err(ec.raise(Exc::TypeError, message));
    }
    let name = if name == intern("$>") { intern("$stdout") } else { name };
    if !crate::ractor::set_own_stream(ec, name, value) {
        store(ec, name, value);
    }
    Ok(())
}
