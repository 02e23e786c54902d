//! Exceptions, and what unwinds over frames of C.

use std::ffi::{c_char, c_int, c_long};

use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_vm::error::Pending;
use asterism_vm::{Ec, Exc, Raised, Res};

use crate::call::named;
use crate::entry::{call_c, call_c_value};
use crate::lock::in_ruby;
use crate::types::{Func, Id, In, Out, Text};

/// What `rb_protect` says of an exception, and of anything else that unwinds.
const TAG_RAISE: c_int = 6;
const TAG_THROW: c_int = 7;
const TAG_FATAL: c_int = 8;
const TAG_BREAK: c_int = 2;
const TAG_RETURN: c_int = 1;

/// Raises an exception object, or the exception of a class.
fn raise(ec: &mut Ec, v: Value) -> Raised {
    if !ec.is_kind_of(v, ec.exc_class(Exc::Exception)) {
        return ec.type_error("exception object expected");
    }
    set_cause(ec, v);
    ec.raise_exception(v)
}

/// The exception that is being handled becomes the cause of one that has none.
fn set_cause(ec: &mut Ec, v: Value) {
    let cause = ec.fiber.errinfo;
    let name = asterism_symbol::sym::cause_ivar;
    if !cause.is_nil() && cause != v && asterism_object::ivars::get(ec, v, name).is_none() {
        // A frozen exception has none.
        let _ = asterism_object::ivars::set(ec, v, name, cause);
    }
}

/// A new exception of a class.
fn make(ec: &mut Ec, class: Value, message: Value) -> Res {
    named(ec, class, "new", &[message])
}

fn errno_exception(ec: &mut Ec, number: c_int, message: Value) -> Res {
    let class = ec.exc_class(Exc::SystemCallError);
    let number = ec.int(i64::from(number))?;
    named(ec, class, "new", &[message, number])
}

fn optional(ec: &mut Ec, text: Text) -> Res {
    if text.is_null() { Ok(Value::NIL) } else { ec.str(text.bytes()) }
}

fn last_errno() -> c_int {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// Sets what `rb_errinfo` says. `$!` is that too unless it is what Ruby code around handles.
fn set_errinfo(ec: &mut Ec, v: Value) {
    if ec.fiber.errinfo.is_nil() || ec.fiber.errinfo == ec.fiber.foreign_errinfo {
        ec.fiber.errinfo = v;
    }
    ec.fiber.foreign_errinfo = v;
}

/// Keeps what unwinds, and says what it is.
fn catch(ec: &mut Ec) -> Res<c_int> {
    let tag = match ec.thread.pending {
        Pending::Exception(e) => {
            set_errinfo(ec, e);
            TAG_RAISE
        }
        Pending::Throw(..) => TAG_THROW,
        Pending::Break(..) => TAG_BREAK,
        Pending::Return(..) => TAG_RETURN,
        _ => TAG_FATAL,
    };
    ec.thread.foreign.caught = ec.pending_token()?;
    Ok(tag)
}

/// Calls `function(data)`; what it raises.
///
/// # Safety
/// `function` takes a word.
unsafe fn call1(ec: &mut Ec, function: Func, data: Value) -> Res {
    let frame = ec.fiber.frame;
    // SAFETY: the caller's contract.
    let result = unsafe { call_c_value(ec, function.0, &[data.bits()]) };
    ec.fiber.frame = frame;
    result
}

fn rescue(ec: &mut Ec, body: Func, data: Value, handler: Func, handler_data: Value, classes: &[Value]) -> Res {
    let (frame, errinfo, left) = (ec.fiber.frame, ec.fiber.errinfo, ec.fiber.foreign_errinfo);
    // SAFETY: the function is one for `rb_rescue2`.
    let result = unsafe { call1(ec, body, data) };
    let Err(raised) = result else { return result };
    let Some(e) = ec.pending_exception() else { return Err(raised) };
    let token = ec.pending_token()?;
    let mut found = false;
    for &class in classes {
        if in_ruby(ec, |ec| ec.call(class, asterism_symbol::sym::EQQ, &[e]))?.truthy() {
            found = true;
            break;
        }
    }
    if !found {
        return Err(ec.rethrow(token));
    }
    ec.fiber.frame = frame;
    if handler.is_null() {
        (ec.fiber.errinfo, ec.fiber.foreign_errinfo) = (errinfo, left);
        return Ok(Value::NIL);
    }
    set_errinfo(ec, e);
    // SAFETY: as above.
    let result = unsafe { call_c_value(ec, handler.0, &[handler_data.bits(), e.bits()]) };
    (ec.fiber.errinfo, ec.fiber.foreign_errinfo) = (errinfo, left);
    result
}

/// Ends the innermost iteration whose block is in C.
fn iter_break(ec: &mut Ec, v: Value) -> Raised {
    let tag = ec.thread.foreign.iteration;
    if tag.is_nil() {
        return ec.raise(Exc::LocalJumpError, "rb_iter_break outside of a block in C");
    }
    ec.unwind_with(Pending::Throw(tag, v))
}

api! {
    fn rb_exc_new(ec, class: Value, text: In<u8>, len: c_long) -> Value {
        let message = crate::string::new(ec, text.slice(len), asterism_symbol::BINARY)?;
        make(ec, class, message)
    }

    fn rb_exc_new_cstr(ec, class: Value, text: Text) -> Value {
        let message = crate::string::new(ec, text.bytes(), asterism_symbol::UTF_8)?;
        make(ec, class, message)
    }

    fn rb_exc_new_str(ec, class: Value, message: Value) -> Value {
        let message = ec.to_str(message)?;
        make(ec, class, message)
    }

    /// C: NORETURN(void rb_exc_raise(VALUE exc));
    fn rb_exc_raise(ec, v: Value) {
        Err(raise(ec, v))
    }

    /// C: NORETURN(void rb_exc_fatal(VALUE exc));
    fn rb_exc_fatal(ec, v: Value) {
        Err(raise(ec, v))
    }

    /// Raises an exception of a class with a message made by the C part.
    /// C: NORETURN(void rb_asterism_raise(VALUE klass, VALUE message));
    fn rb_asterism_raise(ec, class: Value, message: Value) {
        let e = make(ec, class, message)?;
        Err(raise(ec, e))
    }

    /// C: NORETURN(void rb_asterism_name_error(VALUE klass, ID name, VALUE recv, VALUE message));
    fn rb_asterism_name_error(ec, class: Value, name: Id, recv: Value, message: Value) {
        let e = make(ec, class, message)?;
        ec.ivar_put(e, asterism_symbol::intern("@name"), Value::sym(name.sym()))?;
        let _ = recv;
        Err(raise(ec, e))
    }

    /// C: NORETURN(void rb_asterism_frozen_error(VALUE recv, VALUE message));
    fn rb_asterism_frozen_error(ec, recv: Value, message: Value) {
        let class = ec.exc_class(Exc::FrozenError);
        let hash = ec.new_hash()?;
        ec.hash_set(hash, Value::sym(asterism_symbol::intern("receiver")), recv)?;
        let call = asterism_vm::args::CallArgs {
            argv: &[message],
            keywords: asterism_vm::args::Keywords::Hash(hash),
            block: asterism_vm::Block::NONE,
        };
        let e = in_ruby(ec, |ec| ec.call_with(class, asterism_symbol::intern("new"), &call, asterism_vm::call::CallKind::Private))?;
        Err(raise(ec, e))
    }

    /// C: NORETURN(void rb_bug_string(const char *text));
    fn rb_bug_string(_ec, text: Text) {
        eprintln!("[BUG] {}", text.text());
        std::process::abort()
    }

    /// C: NORETURN(void rb_sys_fail(const char *mesg));
    fn rb_sys_fail(ec, text: Text) {
        let number = last_errno();
        let message = optional(ec, text)?;
        let e = errno_exception(ec, number, message)?;
        Err(raise(ec, e))
    }

    /// C: NORETURN(void rb_sys_fail_str(VALUE mesg));
    fn rb_sys_fail_str(ec, message: Value) {
        let number = last_errno();
        let e = errno_exception(ec, number, message)?;
        Err(raise(ec, e))
    }

    /// C: NORETURN(void rb_syserr_fail(int err, const char *mesg));
    fn rb_syserr_fail(ec, number: c_int, text: Text) {
        let message = optional(ec, text)?;
        let e = errno_exception(ec, number, message)?;
        Err(raise(ec, e))
    }

    /// C: NORETURN(void rb_syserr_fail_str(int err, VALUE mesg));
    fn rb_syserr_fail_str(ec, number: c_int, message: Value) {
        let e = errno_exception(ec, number, message)?;
        Err(raise(ec, e))
    }

    fn rb_syserr_new(ec, number: c_int, text: Text) -> Value {
        let message = optional(ec, text)?;
        errno_exception(ec, number, message)
    }

    fn rb_syserr_new_str(ec, number: c_int, message: Value) -> Value {
        errno_exception(ec, number, message)
    }

    /// C: NORETURN(void rb_mod_sys_fail(VALUE mod, const char *mesg));
    fn rb_mod_sys_fail(ec, module: Value, text: Text) {
        let number = last_errno();
        let message = optional(ec, text)?;
        let e = errno_exception(ec, number, message)?;
        named(ec, e, "extend", &[module])?;
        Err(raise(ec, e))
    }

    /// C: NORETURN(void rb_mod_sys_fail_str(VALUE mod, VALUE mesg));
    fn rb_mod_sys_fail_str(ec, module: Value, message: Value) {
        let number = last_errno();
        let e = errno_exception(ec, number, message)?;
        named(ec, e, "extend", &[module])?;
        Err(raise(ec, e))
    }

    /// C: NORETURN(void rb_mod_syserr_fail(VALUE mod, int err, const char *mesg));
    fn rb_mod_syserr_fail(ec, module: Value, number: c_int, text: Text) {
        let message = optional(ec, text)?;
        let e = errno_exception(ec, number, message)?;
        named(ec, e, "extend", &[module])?;
        Err(raise(ec, e))
    }

    /// C: NORETURN(void rb_mod_syserr_fail_str(VALUE mod, int err, VALUE mesg));
    fn rb_mod_syserr_fail_str(ec, module: Value, number: c_int, message: Value) {
        let e = errno_exception(ec, number, message)?;
        named(ec, e, "extend", &[module])?;
        Err(raise(ec, e))
    }

    /// C: NORETURN(void rb_notimplement(void));
    fn rb_notimplement(ec) {
        Err(ec.unimplemented_method())
    }

    /// C: NORETURN(void rb_invalid_str(const char *str, const char *type));
    fn rb_invalid_str(ec, text: Text, ty: Text) {
        let shown = ec.str(text.bytes())?;
        let shown = ec.inspect(shown)?;
        let shown = string::to_string_lossy(ec, shown);
        Err(ec.arg_error(format!("invalid value for {}: {shown}", ty.text())))
    }

    /// C: NORETURN(void rb_interrupt(void));
    fn rb_interrupt(ec) {
        Err(ec.raise(Exc::Interrupt, ""))
    }

    /// C: NORETURN(void rb_exit(int status));
    fn rb_exit(ec, status: c_int) {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        let status = ec.int(i64::from(status))?;
        named(ec, main, "exit", &[status])?;
        Ok(())
    }

    /// C: NORETURN(void rb_iter_break(void));
    fn rb_iter_break(ec) {
        Err(iter_break(ec, Value::NIL))
    }

    /// C: NORETURN(void rb_iter_break_value(VALUE val));
    fn rb_iter_break_value(ec, v: Value) {
        Err(iter_break(ec, v))
    }

    /// C: NORETURN(void rb_eof_error(void));
    fn rb_eof_error(ec) {
        Err(ec.raise(Exc::EOFError, "end of file reached"))
    }

    /// C: NORETURN(void rb_error_frozen_object(VALUE obj));
    fn rb_error_frozen_object(ec, v: Value) {
        Err(ec.frozen_error(v))
    }

    /// C: NORETURN(void rb_error_frozen(const char *what));
    fn rb_error_frozen(ec, what: Text) {
        Err(ec.raise(Exc::FrozenError, format!("can't modify frozen {}", what.text())))
    }

    fn rb_check_frozen(ec, v: Value) {
        if v.is_heap() && !asterism_object::ownership::is_frozen(v) {
            return Ok(());
        }
        Err(ec.frozen_error(v))
    }

    fn rb_errinfo(ec) -> Value {
        Ok(ec.fiber.foreign_errinfo)
    }

    fn rb_set_errinfo(ec, v: Value) {
        if !v.is_nil() && !ec.is_kind_of(v, ec.exc_class(Exc::Exception)) {
            return Err(ec.type_error("assigning non-exception ?!"));
        }
        set_errinfo(ec, v);
        Ok(())
    }

    /// C: VALUE rb_protect(VALUE (*func)(VALUE), VALUE data, int *state);
    fn rb_protect(ec, function: Func, data: Value, state: Out<c_int>) -> Value {
        // SAFETY: the function is one for `rb_protect`.
        match unsafe { call1(ec, function, data) } {
            Ok(v) => {
                state.set(0);
                Ok(v)
            }
            Err(raised) => {
                if matches!(ec.thread.pending, Pending::Home(_)) {
                    return Err(raised);
                }
                let tag = catch(ec)?;
                state.set(tag);
                Ok(Value::NIL)
            }
        }
    }

    /// C: NORETURN(void rb_jump_tag(int state));
    fn rb_jump_tag(ec, state: c_int) {
        let token = if state == TAG_RAISE { ec.fiber.foreign_errinfo } else { ec.thread.foreign.caught };
        if state == TAG_RAISE && token.is_nil() {
            let token = ec.thread.foreign.caught;
            return Err(ec.rethrow(token));
        }
        Err(ec.rethrow(token))
    }

    /// C: VALUE rb_ensure(VALUE (*b_proc)(VALUE), VALUE data1, VALUE (*e_proc)(VALUE), VALUE data2);
    fn rb_ensure(ec, body: Func, data: Value, ensure: Func, ensure_data: Value) -> Value {
        // SAFETY: the function is one for `rb_ensure`.
        let result = unsafe { call1(ec, body, data) };
        let (errinfo, left) = (ec.fiber.errinfo, ec.fiber.foreign_errinfo);
        let token = match &result {
            Ok(v) => *v,
            Err(_) => ec.pending_token()?,
        };
        if result.is_err() && !token.is_type(Type::Unwind) {
            set_errinfo(ec, token);
        }
        if !ensure.is_null() {
            // SAFETY: as above.
            unsafe { call_c(ec, ensure.0, &[ensure_data.bits()]) }?;
        }
        (ec.fiber.errinfo, ec.fiber.foreign_errinfo) = (errinfo, left);
        match result {
            Ok(v) => Ok(v),
            Err(_) => Err(ec.rethrow(token)),
        }
    }

    /// C: VALUE rb_rescue(VALUE (*b_proc)(VALUE), VALUE data1, VALUE (*r_proc)(VALUE, VALUE), VALUE data2);
    fn rb_rescue(ec, body: Func, data: Value, handler: Func, handler_data: Value) -> Value {
        let standard = ec.exc_class(Exc::StandardError);
        rescue(ec, body, data, handler, handler_data, &[standard])
    }

    /// What `rb_rescue2` does with its classes.
    /// C: VALUE rb_asterism_rescue(VALUE (*b_proc)(VALUE), VALUE data1, VALUE (*r_proc)(VALUE, VALUE), VALUE data2, const VALUE *classes, int n);
    fn rb_asterism_rescue(ec, body: Func, data: Value, handler: Func, handler_data: Value, classes: In<Value>, n: c_int) -> Value {
        rescue(ec, body, data, handler, handler_data, classes.slice(i64::from(n)))
    }

    /// C: VALUE rb_catch(const char *tag, VALUE (*func)(VALUE, VALUE, int, const VALUE *, VALUE), VALUE data);
    fn rb_catch(ec, tag: Text, function: Func, data: Value) -> Value {
        let tag = Value::sym(tag.sym());
        catch_with(ec, tag, function, data)
    }

    /// C: VALUE rb_catch_obj(VALUE tag, VALUE (*func)(VALUE, VALUE, int, const VALUE *, VALUE), VALUE data);
    fn rb_catch_obj(ec, tag: Value, function: Func, data: Value) -> Value {
        catch_with(ec, tag, function, data)
    }

    /// C: NORETURN(void rb_throw(const char *tag, VALUE val));
    fn rb_throw(ec, tag: Text, v: Value) {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "throw", &[Value::sym(tag.sym()), v])?;
        Ok(())
    }

    /// C: NORETURN(void rb_throw_obj(VALUE tag, VALUE val));
    fn rb_throw_obj(ec, tag: Value, v: Value) {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "throw", &[tag, v])?;
        Ok(())
    }

    fn rb_make_exception(ec, argc: c_int, argv: In<Value>) -> Value {
        let args = argv.slice(i64::from(argc));
        if args.is_empty() {
            return Ok(Value::NIL);
        }
        in_ruby(ec, |ec| asterism_core::kernel::raise::make(ec, &asterism_vm::Arguments::new(args)))
    }

    fn rb_make_backtrace(ec) -> Value {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        let zero = ec.int(0)?;
        named(ec, main, "caller", &[zero])
    }

    fn rb_backtrace(ec) {
        let locations = asterism_vm::backtrace::collect(ec, 0);
        for location in locations {
            let line = asterism_vm::backtrace::line_text(ec, &location);
            eprintln!("\tfrom {line}");
        }
        Ok(())
    }

    fn rb_sourcefile(ec) -> In<c_char> {
        let file = ec.caller_location().map(|(file, _)| file.to_string()).unwrap_or_default();
        let name = crate::types::symbol(file.as_bytes());
        Ok(crate::symbol::c_name(ec, name))
    }

    fn rb_sourceline(ec) -> c_int {
        Ok(ec.caller_location().map_or(0, |(_, line)| line as c_int))
    }

    fn rb_source_location_cstr(ec, line: Out<c_int>) -> In<c_char> {
        let Some((file, at)) = ec.caller_location() else { return Ok(In(std::ptr::null())) };
        line.set(at as c_int);
        let name = crate::types::symbol(file.as_bytes());
        Ok(crate::symbol::c_name(ec, name))
    }


    fn rb_eval_string_protect(ec, source: Text, state: Out<c_int>) -> Value {
        let source = ec.str(source.bytes())?;
        match eval(ec, source) {
            Ok(v) => {
                state.set(0);
                Ok(v)
            }
            Err(_) => {
                let tag = catch(ec)?;
                state.set(tag);
                Ok(Value::NIL)
            }
        }
    }

    fn rb_load_protect(ec, name: Value, _wrap: c_int, state: Out<c_int>) {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        match named(ec, main, "load", &[name]) {
            Ok(_) => state.set(0),
            Err(_) => {
                let tag = catch(ec)?;
                state.set(tag);
            }
        }
        Ok(())
    }

    fn rb_load(ec, name: Value, wrap: c_int) {
        let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
        named(ec, main, "load", &[name, Value::bool(wrap != 0)])?;
        Ok(())
    }

    fn rb_provide(ec, name: Text) {
        let list = ec.vm().root(asterism_vm::vm::Root::LoadedFeatures);
        let name = ec.str(name.bytes())?;
        ec.array_push(list, name)
    }

    fn rb_provided(ec, name: Text) -> c_int {
        let list = ec.vm().root(asterism_vm::vm::Root::LoadedFeatures);
        let name = ec.str(name.bytes())?;
        Ok(c_int::from(named(ec, list, "include?", &[name])?.truthy()))
    }

    /// Writes a warning, unless `$VERBOSE` is nil, or `level` 2: unless it is true.
    fn rb_asterism_warn(ec, message: Value, level: c_int) {
        let verbose = ec.vm().verbose.load(std::sync::atomic::Ordering::Relaxed);
        if verbose < level as u64 {
            return Ok(());
        }
        let mut text = String::new();
        if let Some((file, line)) = ec.caller_location() {
            text = format!("{file}:{line}: ");
        }
        text.push_str("warning: ");
        let mut bytes = text.into_bytes();
        bytes.extend(string::to_vec(ec, message));
        bytes.push(b'\n');
        let object = ec.known(asterism_object::space::WellKnown::Object);
        let warning = ec.own_constant(object, asterism_symbol::intern("Warning")).unwrap_or(Value::NIL);
        let line = ec.str(bytes)?;
        named(ec, warning, "warn", &[line])?;
        Ok(())
    }

    fn rb_warning_category_enabled_p(ec, category: c_int) -> c_int {
        let name = match category {
            1 => "deprecated",
            2 => "experimental",
            3 => "performance",
            _ => return Ok(1),
        };
        let object = ec.known(asterism_object::space::WellKnown::Object);
        let warning = ec.own_constant(object, asterism_symbol::intern("Warning")).unwrap_or(Value::NIL);
        Ok(c_int::from(named(ec, warning, "[]", &[Value::sym(asterism_symbol::intern(name))])?.truthy()))
    }

    fn ruby_script(ec, name: Text) {
        let name = ec.str(name.bytes())?;
        ec.vm().set_root(asterism_vm::vm::Root::ScriptName, name);
        Ok(())
    }

}

/// Evaluates a String at top level.
///
/// # Errors
/// SyntaxError; TypeError if it is no String; what the code raises.
pub fn eval(ec: &mut Ec, source: Value) -> Res {
    let binding = ec.vm().root(asterism_vm::vm::Root::TopBinding);
    let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
    if binding.is_nil() {
        named(ec, main, "instance_eval", &[source])
    } else {
        named(ec, main, "eval", &[source, binding])
    }
}

/// `Kernel#catch` with a block in C.
fn catch_with(ec: &mut Ec, tag: Value, function: Func, data: Value) -> Res {
    let proc = crate::block::new(ec, function, data.bits(), false)?;
    let main = ec.vm().root(asterism_vm::vm::Root::MainObject);
    in_ruby(ec, |ec| ec.call_block(main, asterism_symbol::intern("catch"), &[tag], asterism_vm::Block::of_value(proc)))
}
