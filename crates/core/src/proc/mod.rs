//! Proc, Method, UnboundMethod, Binding, and what of Kernel makes or runs them.

pub mod binding;
pub mod eval;
pub mod method_data;
pub mod method_object;
pub mod parameters;
mod unbound;

use asterism_compiler::code::KeywordRest;
use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_vm::block::{self, Proc};
use asterism_vm::native::Special;
use asterism_vm::{ANY, Args, Ec, NativeDef, Res};

use crate::object::forward;
use crate::source::location;
pub use method_object::copy_method_object;

static PROC: &[NativeDef] = &[
    NativeDef::new("call", call, 0, ANY).special(Special::ProcCall),
    NativeDef::new("()", call, 0, ANY).special(Special::ProcCall),
    NativeDef::new("[]", call, 0, ANY).special(Special::ProcCall),
    NativeDef::new("===", call, 0, ANY).special(Special::ProcCall),
    NativeDef::new("yield", call, 0, ANY).special(Special::ProcCall),
    NativeDef::new("to_proc", to_proc, 0, 0).leaf(),
    NativeDef::new("lambda?", lambda_p, 0, 0).leaf(),
    NativeDef::new("arity", arity, 0, 0).leaf(),
    NativeDef::new("parameters", parameters, 0, 0).keywords(&["lambda"]),
    NativeDef::new("source_location", source_location, 0, 0).leaf(),
    NativeDef::new("binding", proc_binding, 0, 0),
    NativeDef::new("==", equal, 1, 1).leaf(),
    NativeDef::new("eql?", equal, 1, 1).leaf(),
    NativeDef::new("hash", hash, 0, 0).leaf(),
    NativeDef::new("ruby2_keywords", ruby2_keywords, 0, 0),
    NativeDef::new("inspect", inspect, 0, 0),
    NativeDef::new("to_s", inspect, 0, 0),
];

static PROC_SINGLETON: &[NativeDef] = &[NativeDef::new("new", new, 0, ANY)];

static KERNEL: &[NativeDef] = &[
    NativeDef::new("proc", proc, 0, 0),
    NativeDef::new("lambda", lambda, 0, 0),
    NativeDef::new("block_given?", block_given, 0, 0).leaf(),
    NativeDef::new("binding", binding::kernel_binding, 0, 0),
    NativeDef::new("eval", eval::kernel_eval, 1, 4),
    NativeDef::new("local_variables", binding::kernel_local_variables, 0, 0),
    NativeDef::new("__method__", method_name, 0, 0),
    NativeDef::new("__callee__", callee_name, 0, 0),
    NativeDef::new("__dir__", dir, 0, 0),
];

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Proc);
    ec.define_natives(class, PROC)?;
    ec.define_singleton_natives(class, PROC_SINGLETON)?;
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_module_functions(kernel, KERNEL)?;
    method_object::init(ec)?;
    unbound::init(ec)?;
    binding::init(ec)
}

fn call(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    ec.call_proc(this, &forward(args, 0))
}

fn to_proc(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(this)
}

fn view(ec: &mut Ec, this: Value) -> Res<Proc> {
    match Proc::from_value(this) {
        Some(p) => Ok(p),
        None => Err(ec.type_error("not a proc")),
    }
}

fn new(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let Some(block) = args.block() else {
        return Err(ec.arg_error("tried to create Proc object without a block"));
    };
    let mut made = ec.block_to_proc(block)?;
    if this != ec.class(WellKnown::Proc) {
        let p = view(ec, made)?;
        made = p.copy(ec, this, p.flags())?.0;
        let call = asterism_vm::args::CallArgs { block: asterism_vm::Block::of_value(made), ..forward(args, 0) };
        ec.call_with(made, asterism_symbol::sym::initialize, &call, asterism_vm::call::CallKind::Private)?;
    }
    Ok(made)
}

fn proc(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    match args.block() {
        Some(block) => ec.block_to_proc(block),
        None => Err(ec.arg_error("tried to create Proc object without a block")),
    }
}

fn lambda(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let Some(block) = args.block() else {
        return Err(ec.arg_error("tried to create Proc object without a block"));
    };
    if let Some(frame) = block.frame() {
        // SAFETY: a stack block's frame is active: the block is passed by its call under way.
        let code = unsafe { (*frame).block_code };
        if !code.is_null() {
            // SAFETY: the same; the frame's code holds that of its blocks.
            return unsafe { ec.make_proc(frame, code, true) };
        }
    }
    let made = ec.block_to_proc(block)?;
    let p = view(ec, made)?;
    if p.is_lambda() {
        return Ok(made);
    }
    Err(ec.arg_error("the lambda method requires a literal block"))
}

fn block_given(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let frame = ec.program_frame();
    // SAFETY: the frame is active.
    Ok(Value::bool(unsafe { (*frame).block } != Value::NIL.bits()))
}

fn lambda_p(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::bool(Proc::from_value(this).is_some_and(|p| p.is_lambda())))
}

fn arity(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(Value::fixnum(Proc::from_value(this).map_or(0, |p| i64::from(parameters::proc_arity(ec, p)))))
}

fn parameters(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let p = view(ec, this)?;
    let (_, keywords) = args.split_keywords();
    let mut strict = p.is_lambda();
    if let Some(h) = keywords
        && let Some(v) = ec.hash_get(h, Value::sym(asterism_symbol::sym::lambda))?
        && !v.is_nil()
    {
        strict = v.truthy();
    }
    if let Some(iseq) = p.iseq() {
        // SAFETY: the Proc keeps its code alive.
        let code = unsafe { (*iseq).code.clone() };
        return parameters::of_code(ec, &code, strict);
    }
    if p.symbol().is_some() {
        return parameters::of_symbol(ec, strict);
    }
    if let Some((_, data)) = p.native_body()
        && let Some(method) = method_data::method_in(data)
    {
        return parameters::of_method(ec, method);
    }
    let arity = parameters::proc_arity(ec, p);
    parameters::of_arity(ec, arity)
}

fn source_location(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match Proc::from_value(this).and_then(|p| p.iseq()) {
        // SAFETY: the Proc keeps its code alive.
        Some(iseq) => unsafe {
            let code = (*iseq).code.clone();
            location(ec, &code)
        },
        None => Ok(Value::NIL),
    }
}

fn proc_binding(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let p = view(ec, this)?;
    if p.iseq().is_none() {
        if let Some((_, data)) = p.native_body()
            && let Some(binding) = method_object::binding_of(ec, data)?
        {
            return Ok(binding);
        }
        return Err(ec.arg_error("Can't create Binding from C level Proc"));
    }
    // SAFETY: the Proc keeps its code alive.
    if p.iseq().is_some_and(|iseq| unsafe { &*iseq }.code.internal) {
        return Err(ec.arg_error("Can't create Binding from C level Proc"));
    }
    if p.is_isolated() {
        return Err(ec.arg_error("Can't create Binding from isolated Proc"));
    }
    binding::of_proc(ec, p)
}

fn equal(_ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    if this == args[0] {
        return Ok(Value::TRUE);
    }
    let (Some(a), Some(b)) = (Proc::from_value(this), Proc::from_value(args[0])) else {
        return Ok(Value::FALSE);
    };
    let flags = block::LAMBDA | block::NATIVE | block::SYMBOL;
    let same_code = match (a.iseq(), b.iseq()) {
        (Some(x), Some(y)) => x == y,
        (None, None) => match (a.native_body(), b.native_body()) {
            (Some((f, _)), Some((g, _))) => std::ptr::fn_addr_eq(f, g),
            (None, None) => a.symbol() == b.symbol(),
            _ => false,
        },
        _ => false,
    };
    let same =
        same_code && a.flags() & flags == b.flags() & flags && a.env() == b.env() && a.self_val() == b.self_val();
    Ok(Value::bool(same))
}

fn hash(_ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let Some(p) = Proc::from_value(this) else {
        return Ok(Value::fixnum(0));
    };
    let code = p.iseq().map_or_else(|| p.symbol().map_or(0, |s| Value::sym(s).bits()), |i| i as u64);
    let h = asterism_object::builtin::mix(code ^ asterism_object::builtin::mix(p.env().bits() ^ p.self_val().bits()));
    Ok(Value::fixnum((h >> 2) as i64))
}

fn ruby2_keywords(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    ec.check_frozen(this)?;
    let proc = view(ec, this)?;
    // SAFETY: the Proc keeps its code alive.
    let params = proc.iseq().map(|iseq| unsafe { (*iseq).code.clone() });
    match params {
        Some(code)
            if code.params.rest && code.params.keywords.is_empty() && code.params.keyword_rest == KeywordRest::None =>
        {
            proc.set_ruby2_keywords();
        }
        _ => asterism_vm::load::warn(
            ec,
            "Skipping set of ruby2_keywords flag for proc (proc accepts keywords or post arguments or proc does not accept argument splat)",
        )?,
    }
    Ok(this)
}

fn inspect(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let p = view(ec, this)?;
    let plain = format!("#<{}:0x{:016x}>", ec.class_text_of(this)?, this.bits());
    let mut text = plain.strip_suffix('>').unwrap_or(&plain).to_string();
    if let Some(iseq) = p.iseq() {
        // SAFETY: the Proc keeps its code alive.
        let code = unsafe { (*iseq).code.clone() };
        text.push_str(&format!(" {}:{}", code.file, code.line));
    } else if let Some(name) = p.symbol() {
        text.push_str(&format!("(&{})", Value::sym(name).as_sym().map(|s| symbol_text(&s)).unwrap_or_default()));
    }
    if p.is_lambda() {
        text.push_str(" (lambda)");
    }
    text.push('>');
    let encoding = if text.is_ascii() { asterism_symbol::BINARY } else { asterism_symbol::UTF_8 };
    ec.str_enc(text.as_bytes(), encoding)
}

fn symbol_text(s: &asterism_object::Sym) -> String {
    let encoding = asterism_support::encoding::Encoding::from_index(usize::from(s.name().encoding));
    let shown = asterism_support::inspect::inspect_symbol(
        encoding.unwrap_or(asterism_support::encoding::Encoding::UTF_8),
        s.bytes(),
    );
    String::from_utf8_lossy(&shown).into_owned()
}

/// The name of the method the caller's code belongs to.
fn caller_method(ec: &Ec) -> Option<asterism_vm::method::Method> {
    let frame = ec.fiber.ruby_frame();
    // SAFETY: the frame is active.
    asterism_vm::method::Method::from_value(unsafe { (*frame).method })
}

fn method_name(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(caller_method(ec).map_or(Value::NIL, |m| Value::sym(m.original_name())))
}

fn callee_name(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Ok(caller_method(ec).map_or(Value::NIL, |m| Value::sym(m.name())))
}

fn dir(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let Some((file, _)) = ec.caller_location() else {
        return Ok(Value::NIL);
    };
    if file.starts_with("(eval") {
        return Ok(Value::NIL);
    }
    if &*file == "-e" {
        return ec.str(".");
    }
    let file = crate::source::absolute_source(ec, &file);
    let path = std::path::Path::new(&file);
    let full = std::fs::canonicalize(path).ok();
    let shown = match full.as_deref().and_then(std::path::Path::parent) {
        Some(parent) => parent.to_string_lossy().into_owned(),
        None => path.parent().map(|p| p.to_string_lossy().into_owned()).unwrap_or_default(),
    };
    ec.str(shown)
}
