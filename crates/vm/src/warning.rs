//! Warnings, which go to `Warning.warn`.

use asterism_object::class::Class;
use asterism_object::{Sym, Value, string};

use crate::ec::{Ec, Res};

/// `file:line: warning: message` on `$stderr`, unless warnings are off.
///
/// # Errors
/// As [`warn_at`].
pub fn warn(ec: &mut Ec, message: &str) -> Res<()> {
    match ec.caller_location() {
        Some((file, line)) => warn_at(ec, &file, line as i32, message),
        None => warn_at(ec, "asterism", 0, message),
    }
}

/// As `warn`, of what is going away: shown if such warnings are wanted.
///
/// # Errors
/// What `Warning.warn` or `Warning[]` raises; NoMemoryError.
pub fn warn_deprecated(ec: &mut Ec, message: &str) -> Res<()> {
    warn_of(ec, "deprecated", message)
}

/// As `warn`, of what may still change: shown if such warnings are wanted.
///
/// # Errors
/// What `Warning.warn` or `Warning[]` raises; NoMemoryError.
pub fn warn_experimental(ec: &mut Ec, message: &str) -> Res<()> {
    warn_of(ec, "experimental", message)
}

/// Tells that a method takes the place of one that CRuby's interpreter takes for known, if such warnings are wanted. Here it
/// turns off a fast path of that operator at most, but programs that look for such definitions look for this.
///
/// # Errors
/// What `Warning.warn` or `Warning[]` raises; NoMemoryError.
pub(crate) fn warn_performance(ec: &mut Ec, class: Class, name: Sym) -> Res<()> {
    if !crate::basic_ops::changes::is_optimized(ec, class, name) || !is_wanted(ec, "performance")? {
        return Ok(());
    }
    // The first of `undef` and `def` tells.
    if !ec.vm().basic_ops.tell(class, name) {
        return Ok(());
    }
    let owner = ec.class_name(class);
    let message = format!("Redefining '{owner}#{}' disables interpreter and JIT optimizations", name.text());
    warn_of(ec, "performance", &message)
}

/// A warning of a category, if it is wanted.
fn warn_of(ec: &mut Ec, category: &str, message: &str) -> Res<()> {
    if !is_wanted(ec, category)? {
        return Ok(());
    }
    let category = Value::sym(asterism_symbol::intern(category));
    let place = ec.caller_location();
    let text = match place {
        Some((file, line)) => format!("{file}:{line}: warning: {message}\n"),
        None => format!("warning: {message}\n"),
    };
    emit(ec, &text, Some(category))
}

/// Are warnings of a category wanted?
fn is_wanted(ec: &mut Ec, category: &str) -> Res<bool> {
    let category = Value::sym(asterism_symbol::intern(category));
    let Some(warning) = warning_module(ec) else { return Ok(false) };
    Ok(ec.call(warning, asterism_symbol::sym::AREF, &[category])?.truthy())
}

fn warning_module(ec: &mut Ec) -> Option<Value> {
    let object = ec.known(asterism_object::space::WellKnown::Object);
    ec.own_constant(object, asterism_symbol::intern("Warning"))
}

/// Warns of a line of a file.
///
/// # Errors
/// What `Warning.warn` raises; NoMemoryError.
pub fn warn_at(ec: &mut Ec, file: &str, line: i32, message: &str) -> Res<()> {
    emit(ec, &format!("{file}:{line}: warning: {message}\n"), None)
}

/// Hands a warning to `Warning.warn`.
fn emit(ec: &mut Ec, text: &str, category: Option<Value>) -> Res<()> {
    if ec.vm().verbose.load(std::sync::atomic::Ordering::Relaxed) == 0 {
        return Ok(());
    }
    let text = ec.str(text)?;
    let Some(warning) = warning_module(ec) else {
        eprint!("{}", string::to_string_lossy(ec, text));
        return Ok(());
    };
    let name = asterism_symbol::intern("warn");
    let class = ec.class_of(warning);
    let takes_category = ec.find_method(class, name).1.is_some_and(|f| f.method.arity() != 1);
    let argv = [text];
    let mut call = crate::args::CallArgs::plain(&argv);
    let h;
    if let Some(category) = category.filter(|_| takes_category) {
        h = ec.new_hash()?;
        ec.hash_set(h, Value::sym(asterism_symbol::intern("category")), category)?;
        call.keywords = crate::args::Keywords::Hash(h);
    }
    ec.call_with(warning, name, &call, crate::call::CallKind::Private)?;
    Ok(())
}
