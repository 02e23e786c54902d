//! What `detailed_message` says besides the message: the code that went wrong, names that were perhaps meant.

use std::sync::atomic::{AtomicBool, Ordering};

use asterism_compiler::Point;
use asterism_lock::Mutex;
use asterism_object::data;
use asterism_object::space::WellKnown;
use asterism_object::types::Type;
use asterism_object::{Sym, Value, array, string};
use asterism_symbol::{intern, sym};
use asterism_vm::backtrace::{Backtrace, Location};
use asterism_vm::consts::is_autoload;
use asterism_vm::method::Method;
use asterism_vm::missing::LOCALS_AROUND;
use asterism_vm::{Args, Ec, Exc, Keep, Place, Res};

/// Which help a VM gives.
#[derive(Default)]
pub struct ErrorHelp {
    /// `--enable=did_you_mean`
    pub suggestions: AtomicBool,
    /// `--enable=error_highlight`
    pub highlights: AtomicBool,
    /// The name and the text of a script that is no file.
    pub script: Mutex<Option<(String, Vec<u8>)>>,
}

impl Keep for ErrorHelp {
    const PLACE: Place = Place::ErrorHelp;
}

/// The longest line that is shown.
const WIDEST: usize = 120;

/// The line that raised `e`, with a mark under what went wrong.
fn snippet(ec: &mut Ec, e: Value, keywords: Option<Value>) -> Res<Vec<u8>> {
    let nothing = Ok(Vec::new());
    if !ec.vm().part::<ErrorHelp>().highlights.load(Ordering::Relaxed) {
        return nothing;
    }
    let name_error = ec.is_kind_of(e, ec.exc_class(Exc::NameError));
    let argument = [Exc::TypeError, Exc::ArgumentError].iter().any(|k| ec.is_kind_of(e, ec.exc_class(*k)));
    if !(name_error || argument) || is_off(ec, keywords, "error_highlight")? {
        return nothing;
    }
    let held = super::attribute(ec, e, sym::backtrace_ivar);
    let first = data::get::<Backtrace>(&held).and_then(|b| b.locations.first().cloned());
    let Some(Location { code: Some(code), line, method, own }) = first else {
        return nothing;
    };
    // A native method stands for the call of it; else the code itself raised.
    let native = own.is_none_or(|own| own.internal);
    let name = match (name_error, native) {
        (true, _) => super::attribute(ec, e, sym::name).as_sym(),
        (false, true) => Method::from_value(method).map(|m| m.name()),
        (false, false) => Some(intern("raise")),
    };
    let Some(name) = name else { return nothing };
    let point = match name.bytes().first() {
        Some(b'@' | b'$') | None => return nothing,
        Some(_) if !name_error => Point::Arguments(name.bytes()),
        Some(c) if c.is_ascii_uppercase() && !ec.is_kind_of(e, ec.exc_class(Exc::NoMethodError)) => {
            Point::Constant(name.bytes())
        }
        Some(_) => Point::Call(name.bytes()),
    };
    let script = ec.vm().part::<ErrorHelp>().script.lock().clone();
    let source = match script {
        Some((script, text)) if script == *code.file => text,
        _ => {
            let path = crate::source::absolute_source(ec, &code.file);
            match ec.blocking(|| std::fs::read(path)) {
                Ok(text) => text,
                Err(_) => return nothing,
            }
        }
    };
    let text = source.split(|&b| b == b'\n').nth((line as usize).saturating_sub(1)).unwrap_or_default();
    if text.len() > WIDEST || !text.is_ascii() {
        return nothing;
    }
    let Some(mut spot) = ec.blocking(|| asterism_compiler::spot(&source, line, point)) else { return nothing };
    // `a.b = 1` is shown with its sign.
    let sign = text[spot.end.min(text.len())..].iter().position(|&b| b != b' ');
    if let (Point::Call(name), Some(at)) = (point, sign)
        && name.ends_with(b"=")
        && name.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
        && text[spot.end + at] == b'='
    {
        spot.end += at + 1;
    }
    if spot.start >= spot.end || spot.end > text.len() {
        return nothing;
    }
    let mut out = b"\n\n".to_vec();
    out.extend_from_slice(text);
    out.push(b'\n');
    out.extend(text[..spot.start].iter().map(|&b| if b == b'\t' { b'\t' } else { b' ' }));
    out.extend(std::iter::repeat_n(b'^', spot.end - spot.start));
    Ok(out)
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
/// What is no StandardError and raised by DidYouMean.
pub fn text_for(ec: &mut Ec, e: Value, keywords: Option<Value>) -> Res<Vec<u8>> {
    let mut text = snippet(ec, e, keywords)?;
    text.extend(suggestions(ec, e, keywords)?);
    Ok(text)
}

/// Are there suggestions for errors like `e`? Their `detailed_message` is that of a module of DidYouMean in CRuby.
pub fn has_suggestions(ec: &mut Ec, e: Value) -> bool {
    let kinds = [Exc::NameError, Exc::KeyError, Exc::LoadError, Exc::NoMatchingPatternKeyError];
    ec.vm().part::<ErrorHelp>().suggestions.load(Ordering::Relaxed)
        && kinds.iter().any(|k| ec.is_kind_of(e, ec.exc_class(*k)))
}

fn suggestions(ec: &mut Ec, e: Value, keywords: Option<Value>) -> Res<Vec<u8>> {
    if !has_suggestions(ec, e) || is_off(ec, keywords, "did_you_mean")? {
        return Ok(Vec::new());
    }
    let object = ec.known(WellKnown::Object);
    // Once it is loaded its module in these classes does it.
    if ec.own_constant(object, intern("DidYouMean")).is_some_and(|held| !is_autoload(held)) {
        return Ok(Vec::new());
    }
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

/// `NameError#local_variables`: the locals of the code that did not find the name.
pub fn local_names(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let held = super::attribute(ec, this, sym::backtrace_ivar);
    let names: Vec<Sym> = match data::get::<Backtrace>(&held).and_then(|b| b.locations.first()) {
        Some(Location { code: Some(code), .. }) => code.locals.iter().map(|l| l.name).collect(),
        _ => Vec::new(),
    };
    let around = super::attribute(ec, this, intern(LOCALS_AROUND));
    let count = if around.is_type(Type::Array) { array::len(around) } else { 0 };
    let around = (0..count).filter_map(|i| array::at(around, i)?.as_sym());
    let mut all: Vec<Sym> = Vec::new();
    for name in names.into_iter().chain(around) {
        if crate::symbol::is_identifier(name.bytes()) && !all.contains(&name) {
            all.push(name);
        }
    }
    crate::symbol::symbol_array(ec, &all)
}
