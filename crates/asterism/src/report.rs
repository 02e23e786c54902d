//! What a user sees of an exception that nobody rescued.

use asterism_object::{Value, string};
use asterism_symbol::sym;
use asterism_vm::Ec;

/// `file:1:in 'foo': message (Class)` and the backtrace, on the standard error stream.
pub fn uncaught(ec: &mut Ec, error: Value) {
    let text = asterism_core::exception::report::report_uncaught(ec, error);
    asterism_core::kernel::exit::write_stderr(ec, &text);
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
