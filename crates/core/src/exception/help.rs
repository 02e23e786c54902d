//! What `detailed_message` says besides the message: names that were perhaps meant.

use std::sync::atomic::{AtomicBool, Ordering};

use asterism_object::data;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, string};
use asterism_symbol::{intern, sym};
use asterism_vm::backtrace::{Backtrace, Location};
use asterism_vm::{Args, Ec, Exc, Res};

use crate::state::State;

/// Which help a VM gives.
#[derive(Default)]
pub struct ErrorHelp {
    /// `--enable=did_you_mean`
    pub suggestions: AtomicBool,
    /// `--enable=error_highlight`
    pub highlights: AtomicBool,
}

fn is_off(ec: &mut Ec, keywords: Option<Value>, name: &str) -> Res<bool> {
    match keywords {
        Some(h) => Ok(ec.hash_get(h, Value::sym(intern(name)))?.is_some_and(|v| !v.truthy())),
        None => Ok(false),
    }
}

/// The text to be put behind the message of `e`. `keywords`: what `detailed_message` was given.
///
/// # Errors
/// What asking the keywords raises.
pub fn text_for(ec: &mut Ec, e: Value, keywords: Option<Value>) -> Res<Vec<u8>> {
    let help = &State::of(ec).error_help;
    let kinds = [Exc::NameError, Exc::KeyError, Exc::NoMatchingPatternKeyError];
    let suggests = help.suggestions.load(Ordering::Relaxed)
        && kinds.iter().any(|k| ec.is_kind_of(e, ec.exc_class(*k)))
        && !is_off(ec, keywords, "did_you_mean")?;
    if !suggests {
        return Ok(Vec::new());
    }
    let object = ec.known(WellKnown::Object);
    let rescued = ec.exc_class(Exc::StandardError);
    let made = ec.rescue(rescued, |ec| match ec.constant_in(object, intern("DidYouMean"), false)? {
        Some(module) => ec.call(module, intern("__text"), &[e]),
        None => Ok(Value::NIL),
    })?;
    match made {
        Ok(text) if text.is_type(Type::String) => Ok(string::to_vec(ec, text)),
        _ => Ok(Vec::new()),
    }
}

/// `NameError#__local_names`: the locals of the code that did not find the name.
pub fn local_names(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let held = super::attribute(ec, this, sym::backtrace_ivar);
    let names: Vec<Sym> = match data::get::<Backtrace>(&held).and_then(|b| b.locations.first()) {
        Some(Location { code: Some(code), .. }) => code.locals.iter().map(|l| l.name).collect(),
        _ => Vec::new(),
    };
    let names: Vec<Sym> = names.into_iter().filter(|n| crate::object::is_identifier(n.bytes())).collect();
    crate::object::symbol_array(ec, &names)
}
