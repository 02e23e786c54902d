//! Evaluating strings, and blocks with another self.

use asterism_compiler::{CodeKind, Options};
use asterism_object::{Sym, Value, string};
use asterism_support::encoding::Encoding;
use asterism_symbol::sym;
use asterism_vm::args::{CallArgs, Keywords};
use asterism_vm::block::{Block, Env};
use asterism_vm::consts::Cref;
use asterism_vm::frame::NewFrame;
use asterism_vm::frame::{self, Cont, state};
use asterism_vm::interp::trace::Event;
use asterism_vm::iseq::Iseq;
use asterism_vm::method::Method;
use asterism_vm::{Args, Ec, Exc, Res};

use super::binding;

/// Where a string is evaluated.
#[derive(Clone, Copy)]
pub struct Scope {
    /// The innermost scope: an Env, or nil.
    pub env: Value,
    /// `self`
    pub self_val: Value,
    /// The method around.
    pub method: Value,
    /// The lexical nesting.
    pub cref: Value,
    /// The method's block; never one that is on the stack.
    pub block: Block,
}

/// What is evaluated.
pub struct Source {
    /// Its bytes.
    pub text: Vec<u8>,
    /// The name of its encoding, if that is not UTF-8.
    pub encoding: Option<&'static str>,
}

/// Calls a block with another self and nesting, and with keyword arguments.
///
/// # Errors
/// What the block raises; LocalJumpError if there is none.
pub fn yield_as(
    ec: &mut Ec,
    block: Block,
    self_val: Value,
    cref: Value,
    argv: &[Value],
    keywords: Option<Value>,
) -> Res {
    let keywords = keywords.map_or(Keywords::None, Keywords::Hash);
    ec.yield_as_with(block, self_val, cref, &CallArgs { argv, keywords, block: Block::NONE })
}

/// The source, file and line among a native's arguments, from the `at`th on.
///
/// # Errors
/// TypeError.
pub fn source_arguments(ec: &mut Ec, args: Args<'_>, at: usize) -> Res<(Source, String, i32)> {
    let source = ec.to_str(args.or_nil(0))?;
    let encoding = Encoding::from_index(usize::from(string::encoding(source)));
    if encoding.is_some_and(|e| !e.is_ascii_compatible()) {
        return Err(ec.arg_error("invalid source encoding"));
    }
    // Counted again where it is compiled.
    let (text, _) = ec.bytes_of(source)?.into_parts();
    // A byte order mark says what it is.
    let encoding = if text.starts_with(b"\xef\xbb\xbf") { Some("UTF-8") } else { encoding.map(|e| e.name()) };
    let source = Source { text, encoding: encoding.filter(|n| *n != "UTF-8") };
    let file = match args.get(at + 1) {
        Some(v) if !v.is_nil() => {
            let file = ec.to_str(v)?;
            string::to_string_lossy(ec, file)
        }
        _ => match ec.caller_location() {
            Some((file, line)) => format!("(eval at {file}:{line})"),
            None => "(eval)".to_string(),
        },
    };
    let line = match args.get(at + 2) {
        Some(v) if !v.is_nil() => ec.to_i64(v)?,
        _ => 1,
    };
    let line = match i32::try_from(line) {
        Ok(line) => line,
        Err(_) => return Err(ec.range_error(format!("integer {line} too big to convert to 'int'"))),
    };
    Ok((source, file, line))
}

/// `instance_eval` and `class_eval` of a string: in the caller's scope, with another self and nesting.
///
/// # Errors
/// SyntaxError; what the code raises.
pub fn eval_as(ec: &mut Ec, args: Args<'_>, self_val: Value, cref: Value) -> Res {
    let (source, file, line) = source_arguments(ec, args, 0)?;
    let scope = binding::scope_of_caller(ec)?;
    run_with(ec, &source, Scope { self_val, cref, ..scope }, &file, line, None, 0)
}

/// `Kernel#eval`
pub fn kernel_eval(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let (source, file, line) = source_arguments(ec, args, 1)?;
    match args.get(1) {
        Some(b) if !b.is_nil() => {
            let scope = binding::scope(ec, b)?;
            run(ec, &source, scope, &file, line, Some(b))
        }
        _ => {
            let frame = ec.program_frame();
            // SAFETY: the frame is active.
            let (flags, native) = unsafe { ((*frame).state, (*frame).is_native()) };
            let scope = binding::scope_of_caller(ec)?;
            // Definitions have the visibility in force around the `eval`.
            let mut keep = if native { 0 } else { flags & frame::VIS_MASK };
            if flags & frame::TOP != 0 && flags & frame::EVAL_CREF == 0 && keep == 0 {
                keep = frame::VIS_PRIVATE;
            }
            run_with(ec, &source, scope, &file, line, None, keep)
        }
    }
}

/// Evaluates `source` in `scope`; locals it defines stay with `binding`, if there is one.
///
/// # Errors
/// SyntaxError; what the code raises.
pub fn run(ec: &mut Ec, source: &Source, scope: Scope, file: &str, line: i32, binding: Option<Value>) -> Res {
    let top = Cref(scope.cref).outer().is_none() && scope.method.is_nil();
    run_with(ec, source, scope, file, line, binding, if top { frame::VIS_PRIVATE } else { 0 })
}

fn run_with(
    ec: &mut Ec,
    source: &Source,
    scope: Scope,
    file: &str,
    line: i32,
    binding: Option<Value>,
    flags: u64,
) -> Res {
    ec.check_stack()?;
    let mut scopes: Vec<Vec<Sym>> = Vec::new();
    let mut label = String::new();
    let mut at = Env::from_value(scope.env);
    let mut method = None;
    while let Some(env) = at {
        if label.is_empty()
            && let Some(iseq) = Iseq::from_value(env.iseq())
        {
            // SAFETY: the Env keeps its code alive.
            label = unsafe { (&*iseq).code.label.to_string() };
        }
        if let Some(iseq) = Iseq::from_value(env.iseq()) {
            // SAFETY: as above.
            let code = unsafe { (*iseq).code.clone() };
            if code.kind == CodeKind::Method {
                method = Some((scopes.len(), code));
            }
        }
        scopes.push(binding::names(env));
        at = Env::from_value(env.parent());
    }
    scopes.reverse();
    let method = method.as_ref().map(|(n, code)| (scopes.len() - 1 - n, &code.params));
    let name = Method::from_value(scope.method).map_or(sym::EMPTY, |m| m.name());
    let options = Options {
        line,
        scopes: &scopes,
        method,
        name,
        label: &label,
        encoding: source.encoding,
        ..Options::new(file, CodeKind::Eval)
    };
    let code = ec.compile(&source.text, &options)?;
    if let Some(name) = asterism_vm::ractor::isolate::out_of_reach(&code, scope.env) {
        let message = format!("can not access variable '{}' from isolated Proc", name.text());
        return Err(ec.raise(Exc::SyntaxError, message));
    }
    let iseq = Iseq::instantiate(ec, &code)?;
    if ec.thread.is_traced() {
        let text = ec.str(&source.text)?;
        ec.tell_tracer(Event::ScriptCompiled(text, iseq))?;
    }
    let Some(raw) = Iseq::from_value(iseq) else {
        return Err(ec.fatal("no iseq"));
    };
    let alone = if binding.is_none() { frame::EVAL_ALONE } else { 0 };
    let pushed = ec.push_frame(NewFrame {
        iseq: raw,
        self_val: scope.self_val,
        method: scope.method,
        block: scope.block.0,
        cref: scope.cref,
        around: scope.env.bits(),
        state: state(0, Cont::Native, frame::EVAL | alone | flags),
    })?;
    if let Some(binding) = binding
        && !code.locals.is_empty()
    {
        // SAFETY: the frame was pushed a moment ago.
        match unsafe { ec.heap_env(pushed) } {
            Ok(env) => binding::extend(binding, env),
            Err(raised) => {
                // SAFETY: the same.
                unsafe { ec.pop_frame(pushed) };
                return Err(raised);
            }
        }
    }
    let result = asterism_vm::interp::execute(ec);
    asterism_heap::keep_alive(iseq.bits());
    result
}
