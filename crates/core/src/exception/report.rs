//! How exceptions are printed: `detailed_message`, `full_message`, and what a program that dies of one says.

use asterism_object::types::Type;
use asterism_object::{Value, string};
use asterism_symbol::{intern, sym};
use asterism_vm::args::{CallArgs, Keywords};
use asterism_vm::block::Block;
use asterism_vm::call::CallKind;
use asterism_vm::{Args, Ec, Res};

use super::{attribute, backtraces, message_bytes};

const BOLD: &str = "\u{1b}[1m";
const UNDERLINE: &str = "\u{1b}[1;4m";
const RESET: &str = "\u{1b}[m";

/// The first line gets the class; with `highlight` everything is set off.
fn decorate(message: &[u8], class: &str, highlight: bool) -> Vec<u8> {
    if message.is_empty() {
        return if highlight { format!("{UNDERLINE}{class}{RESET}").into_bytes() } else { class.as_bytes().to_vec() };
    }
    let (first, rest) = match message.iter().position(|&b| b == b'\n') {
        Some(at) => (&message[..at], Some(&message[at + 1..])),
        None => (message, None),
    };
    let mut out = Vec::new();
    if highlight {
        out.extend_from_slice(BOLD.as_bytes());
        out.extend_from_slice(first);
        out.extend_from_slice(format!(" ({UNDERLINE}{class}{RESET}{BOLD}){RESET}").as_bytes());
        if let Some(rest) = rest {
            for line in rest.split(|&b| b == b'\n') {
                out.push(b'\n');
                if !line.is_empty() {
                    out.extend_from_slice(BOLD.as_bytes());
                    out.extend_from_slice(line);
                    out.extend_from_slice(RESET.as_bytes());
                }
            }
        }
    } else {
        out.extend_from_slice(first);
        out.extend_from_slice(format!(" ({class})").as_bytes());
        if let Some(rest) = rest {
            out.push(b'\n');
            out.extend_from_slice(rest);
        }
    }
    out
}

fn option(ec: &mut Ec, keywords: Option<Value>, name: asterism_object::Sym) -> Res {
    match keywords {
        Some(h) => Ok(ec.hash_get(h, Value::sym(name))?.unwrap_or(Value::NIL)),
        None => Ok(Value::NIL),
    }
}

fn highlight_option(ec: &mut Ec, keywords: Option<Value>) -> Res<Option<bool>> {
    match option(ec, keywords, sym::highlight)? {
        Value::NIL => Ok(None),
        Value::TRUE => Ok(Some(true)),
        Value::FALSE => Ok(Some(false)),
        v => {
            let shown = ec.inspect_for_error(v)?;
            Err(ec.arg_error([b"expected true or false as highlight: ", &shown[..]].concat()))
        }
    }
}

/// `Exception#detailed_message`
pub fn detailed_message(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (_, keywords) = args.split_keywords();
    let highlight = highlight_option(ec, keywords)?.unwrap_or_else(|| super::help::has_suggestions(ec, this));
    let message = message_bytes(ec, this)?;
    let class = ec.real_class_of(this);
    let runtime = class.0 == ec.exc_class(asterism_vm::Exc::RuntimeError);
    let anonymous = class.name().is_nil();
    let class = ec.class_name(class);
    let mut text = match (message.is_empty(), anonymous) {
        (true, _) if runtime => decorate(&message, "unhandled exception", highlight),
        (false, true) if !highlight => message.clone(),
        _ => decorate(&message, &class, highlight),
    };
    let help = super::help::text_for(ec, this, keywords)?;
    for (i, line) in help.split(|&b| b == b'\n').enumerate() {
        if i > 0 {
            text.push(b'\n');
        }
        if highlight && !line.is_empty() {
            text.extend_from_slice(BOLD.as_bytes());
            text.extend_from_slice(line);
            text.extend_from_slice(RESET.as_bytes());
        } else {
            text.extend_from_slice(line);
        }
    }
    let encoding = message_encoding(ec, this, &text);
    ec.str_enc(&text, encoding)
}

/// The encoding of what is made of an exception's message.
fn message_encoding(ec: &mut Ec, e: Value, text: &[u8]) -> u8 {
    let message = attribute(ec, e, sym::message_ivar);
    if message.is_type(Type::String) && !text.is_ascii() { string::encoding(message) } else { asterism_symbol::UTF_8 }
}

/// The exception's own `detailed_message`, as bytes. `options`: what `full_message` was given, or nil.
fn detailed(ec: &mut Ec, e: Value, highlight: bool, options: Value) -> Res<Vec<u8>> {
    let class = ec.class_of(e);
    if ec.find_method(class, sym::detailed_message).1.is_some() {
        let h = if options.is_nil() { ec.new_hash()? } else { ec.hash_dup(options)? };
        ec.hash_set(h, Value::sym(sym::highlight), Value::bool(highlight))?;
        ec.hash_delete(h, Value::sym(sym::order))?;
        let call = CallArgs { argv: &[], keywords: Keywords::Hash(h), block: Block::NONE };
        let text = ec.call_with(e, sym::detailed_message, &call, CallKind::Private)?;
        if text.is_type(Type::String) {
            return Ok(string::to_vec(ec, text));
        }
        if ec.respond_to(text, sym::to_str, true)? {
            let text = ec.to_str(text)?;
            return Ok(string::to_vec(ec, text));
        }
    }
    let class = ec.class_name_of(e);
    Ok(decorate(b"", &class, highlight))
}

/// One exception with its backtrace, without its causes.
fn one(ec: &mut Ec, e: Value, highlight: bool, options: Value) -> Res<(Vec<u8>, Vec<Vec<u8>>)> {
    let text = detailed(ec, e, highlight, options)?;
    let lines = backtraces::lines_of(ec, e)?;
    Ok((text, lines))
}

fn write_top(out: &mut Vec<u8>, place: &[u8], text: &[u8]) {
    out.extend_from_slice(place);
    out.extend_from_slice(b": ");
    if text.is_empty() {
        out.extend_from_slice(b"unhandled exception");
    }
    out.extend_from_slice(text);
}

/// Of a SystemStackError's backtrace that is longer than this, only the ends are shown, as CRuby does.
const LONG: usize = 18;
/// How many lines of its beginning, behind the first.
const HEAD: usize = 8;
/// How many of its end, the last one left out included.
const TAIL: usize = 5;

fn write_from(out: &mut Vec<u8>, lines: &[Vec<u8>], shorten: bool, limit: Option<i64>) {
    let total = lines.len() + 1;
    let limit = limit.and_then(|n| usize::try_from(n).ok());
    if let Some(limit) = limit
        && limit < lines.len()
    {
        write_from(out, &lines[..limit], false, None);
        // One line more would take no less room than to say that it is left out.
        if lines.len() == limit + 1 {
            write_from(out, &lines[limit..], false, None);
        } else {
            out.extend_from_slice(format!("\t ... {} levels...\n", lines.len() - limit).as_bytes());
        }
        return;
    }
    let cut = if shorten && total > LONG { HEAD + 1..total - TAIL + 1 } else { 0..0 };
    for (i, line) in lines.iter().enumerate() {
        if cut.contains(&(i + 1)) {
            if i + 1 == cut.start {
                out.extend_from_slice(format!("\t ... {} levels...\n", cut.len()).as_bytes());
            }
            continue;
        }
        out.extend_from_slice(b"\tfrom ");
        out.extend_from_slice(line);
        out.push(b'\n');
    }
}

/// The exception and its causes, innermost call first.
fn full(ec: &mut Ec, e: Value, highlight: bool, fallback: &[u8], options: Value) -> Res<Vec<u8>> {
    let mut out = Vec::new();
    let mut at = e;
    let mut shown: Vec<u64> = Vec::new();
    while !at.is_nil() && !shown.contains(&at.bits()) {
        if !shown.is_empty() && out.last() != Some(&b'\n') {
            out.push(b'\n');
        }
        shown.push(at.bits());
        let (text, lines) = one(ec, at, highlight, options)?;
        match lines.split_first() {
            Some((first, rest)) => {
                write_top(&mut out, first, &text);
                if out.last() != Some(&b'\n') {
                    out.push(b'\n');
                }
                let shorten = ec.is_kind_of(at, ec.exc_class(asterism_vm::Exc::SystemStackError));
                let limit = ec.vm().options.backtrace_limit;
                write_from(&mut out, rest, shorten, limit);
            }
            None => write_top(&mut out, fallback, &text),
        }
        at = attribute(ec, at, sym::cause_ivar);
        if at.is_nil() || !ec.is_kind_of(at, ec.exc_class(asterism_vm::Exc::Exception)) {
            break;
        }
    }
    Ok(out)
}

/// `order: :bottom`: outermost call first.
fn reversed(ec: &mut Ec, e: Value, highlight: bool, fallback: &[u8], options: Value) -> Res<Vec<u8>> {
    let (text, lines) = one(ec, e, highlight, options)?;
    let mut out = Vec::new();
    let head = "Traceback (most recent call last):";
    out.extend_from_slice(
        if highlight { format!("{BOLD}Traceback{RESET} (most recent call last):\n") } else { format!("{head}\n") }
            .as_bytes(),
    );
    let width = lines.len().saturating_sub(1).to_string().len();
    for (i, line) in lines.iter().enumerate().skip(1).rev() {
        out.extend_from_slice(format!("\t{i:>width$}: from ").as_bytes());
        out.extend_from_slice(line);
        out.push(b'\n');
    }
    out.extend_from_slice(lines.first().map_or(fallback, Vec::as_slice));
    out.extend_from_slice(b": ");
    out.extend_from_slice(&text);
    Ok(out)
}

/// `Exception#full_message`
pub fn full_message(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let (_, keywords) = args.split_keywords();
    let highlight = match highlight_option(ec, keywords)? {
        Some(on) => on,
        None => {
            let class = ec.exc_class(asterism_vm::Exc::Exception);
            ec.call(class, intern("to_tty?"), &[])?.truthy()
        }
    };
    let order = option(ec, keywords, sym::order)?;
    let fallback = match asterism_vm::backtrace::collect(ec, 1).first() {
        Some(place) => asterism_vm::backtrace::line_text(ec, place).into_bytes(),
        None => script_name(ec)?,
    };
    let options = keywords.unwrap_or(Value::NIL);
    let bottom = match order.as_sym().map(|s| s.text().into_owned()).as_deref() {
        Some("bottom") => true,
        Some("top") => false,
        None if order.is_nil() => false,
        _ => {
            let shown = ec.inspect_for_error(order)?;
            return Err(ec.arg_error([b"expected :top or :bottom as order: ", &shown[..]].concat()));
        }
    };
    let mut text = if bottom {
        reversed(ec, this, highlight, &fallback, options)?
    } else {
        full(ec, this, highlight, &fallback, options)?
    };
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    ec.str(text)
}

fn script_name(ec: &mut Ec) -> Res<Vec<u8>> {
    let name = ec.gvar_get(intern("$0"))?;
    if name.is_type(Type::String) {
        return Ok(string::to_vec(ec, name));
    }
    Ok(b"asterism".to_vec())
}

/// What is printed on stderr for an exception that ends the program. It never raises: what goes wrong in
/// asking the exception is left out.
pub fn report_uncaught(ec: &mut Ec, exc: Value) -> Vec<u8> {
    let fallback = script_name(ec).unwrap_or_else(|_| b"asterism".to_vec());
    let text = match full(ec, exc, false, &fallback, Value::NIL) {
        Ok(text) => text,
        Err(_) => {
            // Its own `message` or `backtrace` raised: the class alone, then.
            ec.take_pending();
            let class = ec.class_name_of(exc);
            let mut out = Vec::new();
            write_top(&mut out, &fallback, class.as_bytes());
            out
        }
    };
    let mut text = text;
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    text
}
