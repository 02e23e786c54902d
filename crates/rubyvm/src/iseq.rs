//! `RubyVM::InstructionSequence`: compiled source as an object.

use std::sync::Arc;

use asterism_compiler::{Code, CodeKind, Options, disassemble};
use asterism_core::proc::method_object;
use asterism_heap::{Marker, Stores};
use asterism_object::class::{Alloc, Class};
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::{AtomicValue, Value};
use asterism_symbol::intern;
use asterism_vm::block::Proc;
use asterism_vm::interp::trace::Event;
use asterism_vm::iseq::Iseq;
use asterism_vm::{ANY, Args, Ec, Exc, NativeDef, Res, Root};

use super::pack::text;

/// What an InstructionSequence object holds: the code, and what the VM made of it, an Iseq, so that its literals are there.
struct Compiled(Arc<Code>, AtomicValue);

impl DataObject for Compiled {
    const NAME: &'static str = "iseq";
    const STORES: Stores = Stores::None;

    fn trace(&self, marker: &mut Marker) {
        self.1.mark(marker);
    }
}

static METHODS: &[NativeDef] = &[
    NativeDef::new("eval", eval, 0, 0),
    NativeDef::new("disasm", disasm, 0, 0),
    NativeDef::new("disassemble", disasm, 0, 0),
    NativeDef::new("path", path, 0, 0),
    NativeDef::new("label", label, 0, 0),
    NativeDef::new("first_lineno", first_lineno, 0, 0),
    NativeDef::new("__kind", kind, 0, 0).private(),
    NativeDef::new("to_binary", unsupported, 0, ANY),
];

static TRACEPOINT: &[NativeDef] = &[NativeDef::new("instruction_sequence", compiled_script, 0, 0)];

static SINGLETON: &[NativeDef] = &[
    NativeDef::new("__compile", compile, 3, 3).private(),
    NativeDef::new("load_from_binary", unsupported, 0, ANY),
    NativeDef::new("of", of, 1, 1),
];

/// Defines the class.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec, rubyvm: Class) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(rubyvm, "InstructionSequence", object)?;
    class.set_alloc(Alloc::Undefined);
    ec.define_natives(class, METHODS)?;
    if let Some(tracepoint) = ec.own_constant(object, intern("TracePoint")).and_then(Class::from_value) {
        ec.define_natives(tracepoint, TRACEPOINT)?;
    }
    ec.define_singleton_natives(class, SINGLETON)
}

fn unsupported(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    Err(ec.not_implemented("instruction sequences of this VM have no such form"))
}

/// The code of a Proc, a Method or an UnboundMethod; nil if that is native, and of anything else.
fn of(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let body = args[0];
    let code = if let Some(proc) = Proc::from_value(body) {
        // SAFETY: the Proc keeps its code alive.
        proc.iseq().map(|iseq| unsafe { (*iseq).code.clone() })
    } else {
        let [method, unbound] = [WellKnown::Method, WellKnown::UnboundMethod].map(|class| ec.class(class));
        let is_method = ec.is_kind_of(body, method) || ec.is_kind_of(body, unbound);
        if is_method { method_object::parts(ec, body)?.code() } else { None }
    };
    asterism_heap::keep_alive(body.bits());
    let Some(code) = code else { return Ok(Value::NIL) };
    wrap(ec, this, code, Value::NIL)
}

/// What kind of code it is, by CRuby's names.
fn kind(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let name = match code(ec, this)?.kind {
        CodeKind::Main => "main",
        CodeKind::File => "top",
        CodeKind::Method => "method",
        CodeKind::Block => "block",
        CodeKind::Class => "class",
        CodeKind::Eval => "eval",
    };
    Ok(Value::sym(intern(name)))
}

/// `TracePoint#instruction_sequence`
fn compiled_script(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let Some(moment) = ec.thread.traced_moment() else {
        return Err(ec.raise(Exc::RuntimeError, "access from outside"));
    };
    let iseq = match moment.event {
        Event::ScriptCompiled(_, iseq) => iseq,
        _ => Value::NIL,
    };
    let Some(compiled) = Iseq::from_value(iseq) else {
        return Err(ec.raise(Exc::RuntimeError, "not supported by this event"));
    };
    // SAFETY: what is being told keeps the iseq alive.
    let code = unsafe { (*compiled).code.clone() };
    let class = class(ec);
    wrap(ec, class, code, iseq)
}

/// The object that stands for the code of a frame, which has the Iseq.
///
/// # Errors
/// NoMemoryError.
pub fn code_object(ec: &mut Ec, code: Arc<Code>) -> Res {
    let class = class(ec);
    wrap(ec, class, code, Value::NIL)
}

/// `RubyVM::InstructionSequence`
fn class(ec: &mut Ec) -> Value {
    let object = ec.known(WellKnown::Object);
    let rubyvm = ec.own_constant(object, intern("RubyVM")).and_then(Class::from_value);
    rubyvm.and_then(|rubyvm| ec.own_constant(rubyvm, intern("InstructionSequence"))).unwrap_or(object.0)
}

/// An object of `class` for code, and what the VM made of it.
fn wrap(ec: &mut Ec, class: Value, code: Arc<Code>, iseq: Value) -> Res {
    let made = data::new(ec, class, Compiled(code, AtomicValue::new(iseq)));
    ec.check(Value::NIL, made)
}

/// `__compile(source, file, line)`
fn compile(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let source = text(ec, args[0])?;
    let file = text(ec, args[1])?;
    let file = String::from_utf8_lossy(&file).into_owned();
    let line = i32::try_from(ec.to_i64(args[2])?).unwrap_or(1);
    let code = ec.compile(&source, &Options { line, is_detached: true, ..Options::new(&file, CodeKind::File) })?;
    let iseq = Iseq::instantiate(ec, &code)?;
    wrap(ec, this, code, iseq)
}

fn code(ec: &mut Ec, this: Value) -> Res<Arc<Code>> {
    match data::get::<Compiled>(&this) {
        Some(compiled) => Ok(compiled.0.clone()),
        None => Err(ec.type_error("uninitialized InstructionSequence")),
    }
}

fn eval(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let code = code(ec, this)?;
    // What is not a whole source finds its parameters and the variables around it in frames that are not there.
    if !matches!(code.kind, CodeKind::Main | CodeKind::File) {
        return Err(ec.type_error("attempt to evaluate non-top InstructionSequence"));
    }
    let (main, cref) = (ec.vm().root(Root::MainObject), ec.vm().root(Root::TopCref));
    ec.run_top(&code, main, cref)
}

fn disasm(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let code = code(ec, this)?;
    ec.str(disassemble(&code))
}

fn path(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let code = code(ec, this)?;
    ec.str(code.file.as_bytes())
}

fn label(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let code = code(ec, this)?;
    ec.str(code.label.as_bytes())
}

fn first_lineno(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let line = code(ec, this)?.line;
    ec.int(i64::from(line))
}
