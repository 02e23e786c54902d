//! What a user sees of an exception that nobody rescued.

use asterism_object::{Value, string};
use asterism_symbol::{intern, sym};
use asterism_vm::Ec;

/// `file:1:in 'foo': message (Class)` and the backtrace, on the standard error stream.
pub fn uncaught(ec: &mut Ec, error: Value) {
    let text = match full_message(ec, error) {
        Some(text) => text,
        None => plain(ec, error).into_bytes(),
    };
    let stderr = ec.gvar_get(intern("$stderr")).unwrap_or(Value::NIL);
    let written = ec.str(&text).and_then(|s| ec.call(stderr, sym::write, &[s]));
    if written.is_err() {
        ec.take_pending();
        // The Ruby-level stream does not work: the process's own does, or nothing.
        eprint!("{}", String::from_utf8_lossy(&text));
    }
}

fn full_message(ec: &mut Ec, error: Value) -> Option<Vec<u8>> {
    let options = ec.new_hash().ok()?;
    ec.hash_set(options, Value::sym(sym::highlight), Value::FALSE).ok()?;
    let args = asterism_vm::args::CallArgs {
        argv: &[],
        keywords: asterism_vm::args::Keywords::Hash(options),
        block: asterism_vm::Block::NONE,
    };
    match ec.call_with(error, sym::full_message, args, asterism_vm::call::CallKind::Private) {
        Ok(text) if text.is_type(asterism_object::types::Type::String) => {
            let mut bytes = string::to_vec(ec, text);
            if bytes.last() != Some(&b'\n') {
                bytes.push(b'\n');
            }
            Some(bytes)
        }
        Ok(_) => None,
        Err(_) => {
            ec.take_pending();
            None
        }
    }
}

/// The report when the exception's own methods fail.
fn plain(ec: &mut Ec, error: Value) -> String {
    let class = ec.class_name_of(error);
    let message = asterism_object::ivars::get(ec, error, sym::message_ivar)
        .filter(|m| m.is_type(asterism_object::types::Type::String))
        .map(|m| string::to_string_lossy(ec, m))
        .unwrap_or_else(|| class.clone());
    let lines = asterism_vm::backtrace::of(ec, error);
    let mut text = match lines.first() {
        Some(first) => format!("{first}: {message} ({class})\n"),
        None => format!("asterism: {message} ({class})\n"),
    };
    for line in lines.iter().skip(1) {
        text.push_str("\tfrom ");
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// What unwinds, in a line.
pub fn describe_pending(ec: &mut Ec) -> String {
    match ec.pending_exception() {
        Some(error) => plain(ec, error),
        None => "something that is no exception unwound".into(),
    }
}
