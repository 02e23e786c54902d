//! Binding: a scope that `eval` can work in. It refers to the heap form of the scope; locals that an `eval` in it
//! defines go to a scope of their own, which becomes the Binding's innermost.

use std::sync::atomic::Ordering;

use asterism_heap::Marker;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::{AtomicValue, Sym, Value};
use asterism_vm::block::{Block, Env, Proc};
use asterism_vm::frame::Frame;
use asterism_vm::iseq::Iseq;
use asterism_vm::method::Method;
use asterism_vm::{Args, Arguments, Ec, Exc, NativeDef, Res, Root};

use super::eval::{self, Scope};
use crate::symbol::symbol_array;

/// What a Binding holds. All but the scope is set when it is made.
pub struct Binding {
    env: AtomicValue,
    self_val: AtomicValue,
    method: AtomicValue,
    cref: AtomicValue,
    block: AtomicValue,
    /// File and line, an Array, or nil.
    location: AtomicValue,
}

impl Binding {
    fn empty() -> Binding {
        let word = || AtomicValue::new(Value::NIL);
        Binding { env: word(), self_val: word(), method: word(), cref: word(), block: word(), location: word() }
    }

    fn words(&self) -> [&AtomicValue; 6] {
        [&self.env, &self.self_val, &self.method, &self.cref, &self.block, &self.location]
    }
}

impl DataObject for Binding {
    const NAME: &'static str = "binding";

    fn trace(&self, marker: &mut Marker) {
        for word in Binding::words(self) {
            word.mark(marker);
        }
    }

    fn replica(&self) -> Option<Binding> {
        Some(Binding::empty())
    }

    fn words(&self) -> Vec<&AtomicValue> {
        Binding::words(self).to_vec()
    }
}

static BINDING: &[NativeDef] = &[
    NativeDef::new("local_variable_get", local_variable_get, 1, 1),
    NativeDef::new("local_variable_set", local_variable_set, 2, 2),
    NativeDef::new("local_variable_defined?", local_variable_defined, 1, 1),
    NativeDef::new("local_variables", local_variables, 0, 0),
    NativeDef::new("implicit_parameters", implicit_parameters, 0, 0),
    NativeDef::new("implicit_parameter_get", implicit_parameter_get, 1, 1),
    NativeDef::new("implicit_parameter_defined?", implicit_parameter_defined, 1, 1),
    NativeDef::new("receiver", receiver, 0, 0).leaf(),
    NativeDef::new("eval", binding_eval, 1, 3),
    NativeDef::new("source_location", source_location, 0, 0),
    NativeDef::new("dup", copy, 0, 0),
    NativeDef::new("clone", clone, 0, 0),
];

/// Defines Binding's methods and TOPLEVEL_BINDING.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Binding);
    ec.define_natives(class, BINDING)?;
    let meta = ec.singleton_class(class.0)?;
    ec.undef_method(meta, asterism_symbol::sym::new)?;
    let scope = Scope {
        env: Value::NIL,
        self_val: ec.vm().root(Root::MainObject),
        method: Value::NIL,
        cref: ec.vm().root(Root::TopCref),
        block: Block::NONE,
    };
    let top = make(ec, scope, Value::NIL)?;
    ec.vm().set_root(Root::TopBinding, top);
    let object = ec.known(WellKnown::Object);
    ec.set_constant(object, asterism_symbol::intern("TOPLEVEL_BINDING"), top)
}

fn make(ec: &mut Ec, scope: Scope, location: Value) -> Res {
    let class = ec.class(WellKnown::Binding);
    let made = data::new(ec, class, Binding::empty());
    let made = ec.check(Value::NIL, made)?;
    let values =
        [scope.env, scope.self_val, scope.method, scope.cref, scope.block.value().unwrap_or(Value::NIL), location];
    if let (Some(binding), Some(cell)) = (data::get::<Binding>(&made), made.cell()) {
        for (word, v) in Binding::words(binding).into_iter().zip(values) {
            asterism_object::store(cell, word, v);
        }
    }
    Ok(made)
}

/// The scope of the program's code that called the running native method; its locals move to the heap.
///
/// # Errors
/// NoMemoryError.
pub fn scope_of_caller(ec: &mut Ec) -> Res<Scope> {
    let frame = ec.program_frame();
    // SAFETY: the caller's frame is active.
    unsafe { scope_of_frame(ec, frame) }
}

/// The scope of an active Ruby frame; its locals move to the heap.
///
/// # Safety
/// The frame is active on this Ec.
///
/// # Errors
/// NoMemoryError.
unsafe fn scope_of_frame(ec: &mut Ec, frame: *mut Frame) -> Res<Scope> {
    // SAFETY: as demanded.
    let env = unsafe { ec.heap_env(frame)? };
    if let Some(env) = Env::from_value(env) {
        env.show(ec);
    }
    // SAFETY: the frame is active.
    let (self_val, method, cref, mut block) =
        unsafe { ((*frame).self_val, (*frame).method, (*frame).cref, Block((*frame).block)) };
    if block.frame().is_some() {
        block = Block::of_value(ec.block_to_proc(block)?);
        // SAFETY: as above; the frame's own view of its block becomes the Proc, so that it is made once.
        unsafe { (*frame).block = block.0 };
    }
    let cref = if cref.is_heap() { cref } else { ec.vm().root(Root::TopCref) };
    Ok(Scope { env, self_val, method, cref, block })
}

/// The Binding of the Ruby code that called the running native method.
///
/// # Errors
/// NoMemoryError.
pub fn of_caller(ec: &mut Ec) -> Res {
    let scope = scope_of_caller(ec)?;
    let location = match ec.caller_location() {
        Some((file, line)) => {
            let file = ec.str(file.as_bytes())?;
            ec.array(&[file, Value::fixnum(i64::from(line))])?
        }
        None => Value::NIL,
    };
    make(ec, scope, location)
}

/// The Binding of an active Ruby frame of this thread, at the instruction under way.
///
/// # Errors
/// NoMemoryError.
///
/// # Safety
/// The frame is an active one of this thread.
pub unsafe fn of_frame(ec: &mut Ec, frame: *mut Frame) -> Res {
    // SAFETY: as demanded.
    let scope = unsafe { scope_of_frame(ec, frame)? };
    // SAFETY: the frame is active, as the caller promises, and keeps its code alive.
    let (file, line) = unsafe { ((&*(*frame).iseq).code.file.clone(), (*frame).line()) };
    let file = ec.str(file.as_bytes())?;
    let location = ec.array(&[file, Value::fixnum(i64::from(line))])?;
    make(ec, scope, location)
}

/// The Binding of a Proc.
///
/// # Errors
/// NoMemoryError.
pub fn of_proc(ec: &mut Ec, proc: Proc) -> Res {
    if let Some(env) = Env::from_value(proc.env()) {
        env.show(ec);
    }
    let scope = Scope {
        env: proc.env(),
        self_val: proc.self_val(),
        method: proc.method(),
        cref: proc.cref(),
        block: proc.block(),
    };
    let location = match proc.iseq() {
        // SAFETY: the Proc keeps its code alive.
        Some(iseq) => unsafe {
            let code = (*iseq).code.clone();
            crate::source::location(ec, &code)?
        },
        None => Value::NIL,
    };
    make(ec, scope, location)
}

/// The Binding of a method with a receiver: a scope without locals.
///
/// # Errors
/// NoMemoryError.
pub fn of_method(ec: &mut Ec, receiver: Value, method: Method, place: Value) -> Res {
    let cref = method.cref();
    let scope = Scope { env: Value::NIL, self_val: receiver, method: method.0, cref, block: Block::NONE };
    make(ec, scope, place)
}

/// The scope a Binding refers to.
///
/// # Errors
/// TypeError if it is none.
pub fn scope(ec: &mut Ec, v: Value) -> Res<Scope> {
    match data::get::<Binding>(&v) {
        Some(b) => {
            let [env, self_val, method, cref, block, _] = b.words().map(|w| w.load(Ordering::Acquire));
            Ok(Scope { env, self_val, method, cref, block: Block::of_value(block) })
        }
        None => {
            let name = ec.class_name_of(v);
            Err(ec.type_error(format!("wrong argument type {name} (expected binding)")))
        }
    }
}

/// Makes `env` the innermost scope of a Binding.
pub fn extend(v: Value, env: Value) {
    if let (Some(b), Some(cell)) = (data::get::<Binding>(&v), v.cell()) {
        asterism_object::store(cell, &b.env, env);
    }
}

fn is_plain(name: Sym) -> bool {
    crate::symbol::is_identifier(name.bytes()) && !is_numbered(name)
}

/// `_1` to `_9`
fn is_numbered(name: Sym) -> bool {
    matches!(name.bytes(), [b'_', b'1'..=b'9'])
}

/// The names of the locals of a scope, in slot order.
pub fn names(env: Env) -> Vec<Sym> {
    match Iseq::from_value(env.iseq()) {
        // SAFETY: the Env keeps its code alive.
        Some(iseq) => unsafe { (&*iseq).code.locals.iter().map(|l| l.name).collect() },
        None => Vec::new(),
    }
}

fn find(env: Value, name: Sym) -> Option<(Env, usize)> {
    let mut at = Env::from_value(env);
    while let Some(env) = at {
        if let Some(i) = names(env).iter().rposition(|n| *n == name)
            && i < env.count()
        {
            return Some((env, i));
        }
        at = Env::from_value(env.parent());
    }
    None
}

fn all_names(env: Value) -> Vec<Sym> {
    let mut list = Vec::new();
    let mut at = Env::from_value(env);
    while let Some(env) = at {
        for name in names(env) {
            if is_plain(name) && !list.contains(&name) {
                list.push(name);
            }
        }
        at = Env::from_value(env.parent());
    }
    list
}

fn local_name(ec: &mut Ec, this: Value, v: Value) -> Res<Sym> {
    let name = ec.to_sym(v)?;
    if is_numbered(name) {
        let message = format!("numbered parameter '{}' is not a local variable", name.text());
        return Err(ec.name_error(Exc::NameError, message, this, name));
    }
    if is_plain(name) && !name.bytes()[0].is_ascii_uppercase() {
        return Ok(name);
    }
    let shown = ec.any_to_s(this);
    let message = format!("wrong local variable name '{}' for {shown}", name.text());
    Err(ec.name_error(Exc::NameError, message, this, name))
}

fn local_variable_get(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = local_name(ec, this, args[0])?;
    let scope = scope(ec, this)?;
    match find(scope.env, name) {
        Some((env, i)) => Ok(clean(env.slot(i).load(Ordering::Acquire))),
        None => {
            let shown = ec.any_to_s(this);
            let message = format!("local variable '{}' is not defined for {shown}", name.text());
            Err(ec.name_error(Exc::NameError, message, this, name))
        }
    }
}

/// Slots of parameters that were not given hold undef until the body has run its defaults.
fn clean(v: Value) -> Value {
    if v.is_undef() { Value::NIL } else { v }
}

fn local_variable_set(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = local_name(ec, this, args[0])?;
    let mut scope_now = scope(ec, this)?;
    if find(scope_now.env, name).is_none() {
        let source = eval::Source { text: [name.bytes(), b" = nil"].concat(), encoding: None };
        eval::run(ec, &source, scope_now, "(eval)", 1, Some(this))?;
        scope_now = scope(ec, this)?;
    }
    match find(scope_now.env, name) {
        Some((env, i)) => {
            if let Some(cell) = env.0.cell() {
                asterism_object::store(cell, env.slot(i), args[1]);
            }
            Ok(args[1])
        }
        None => Err(ec.fatal("a local variable that was not made")),
    }
}

fn local_variable_defined(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = local_name(ec, this, args[0])?;
    let scope = scope(ec, this)?;
    Ok(Value::bool(find(scope.env, name).is_some()))
}

fn local_variables(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let scope = scope(ec, this)?;
    let names = all_names(scope.env);
    symbol_array(ec, &names)
}

/// The implicit parameters of the innermost scope: names and slots.
fn implicit(env: Value) -> Vec<(Sym, usize)> {
    let Some(iseq) = Env::from_value(env).and_then(|e| Iseq::from_value(e.iseq())) else {
        return Vec::new();
    };
    // SAFETY: the Env keeps its code alive.
    match unsafe { (&*iseq).code.params.numbered } {
        0 => Vec::new(),
        255 => vec![(asterism_symbol::intern("it"), 0)],
        n => (1..=n).map(|i| (asterism_symbol::intern(&format!("_{i}")), usize::from(i) - 1)).collect(),
    }
}

fn implicit_name(ec: &mut Ec, this: Value, v: Value) -> Res<Sym> {
    let name = ec.to_sym(v)?;
    if is_numbered(name) || name.bytes() == b"it" {
        return Ok(name);
    }
    let message = format!("'{}' is not an implicit parameter", name.text());
    Err(ec.name_error(Exc::NameError, message, this, name))
}

fn implicit_parameters(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let names: Vec<Sym> = implicit(scope(ec, this)?.env).into_iter().map(|(name, _)| name).collect();
    symbol_array(ec, &names)
}

fn implicit_parameter_defined(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = implicit_name(ec, this, args[0])?;
    Ok(Value::bool(implicit(scope(ec, this)?.env).iter().any(|(n, _)| *n == name)))
}

fn implicit_parameter_get(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let name = implicit_name(ec, this, args[0])?;
    let env = scope(ec, this)?.env;
    let slot = implicit(env).into_iter().find(|(n, _)| *n == name).map(|(_, slot)| slot);
    match (Env::from_value(env), slot) {
        (Some(env), Some(slot)) if slot < env.count() => Ok(clean(env.slot(slot).load(Ordering::Acquire))),
        _ => {
            let shown = ec.any_to_s(this);
            let message = format!("implicit parameter '{}' is not defined for {shown}", name.text());
            Err(ec.name_error(Exc::NameError, message, this, name))
        }
    }
}

/// Lets TOPLEVEL_BINDING see the locals of the main script, whose frame this is, behind those it was given before.
///
/// # Safety
/// The frame is active on this Ec.
///
/// # Errors
/// NoMemoryError.
pub unsafe fn share_main_scope(ec: &mut Ec, frame: *mut asterism_vm::frame::Frame) -> Res<()> {
    let binding = ec.vm().root(Root::TopBinding);
    let before = scope(ec, binding)?.env;
    // SAFETY: as demanded.
    let env = unsafe { ec.heap_env_in(frame, before)? };
    extend(binding, env);
    Ok(())
}

fn receiver(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    Ok(scope(ec, this)?.self_val)
}

fn binding_eval(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let scope = scope(ec, this)?;
    let (source, file, line) = eval::source_arguments(ec, args, 0)?;
    eval::run(ec, &source, scope, &file, line, Some(this))
}

fn source_location(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    match data::get::<Binding>(&this) {
        Some(b) => Ok(b.location.load(Ordering::Acquire)),
        None => Err(ec.type_error("uninitialized Binding")),
    }
}

fn copy(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let scope = scope(ec, this)?;
    let location = source_location(ec, this, &Arguments::new(&[]))?;
    let made = make(ec, scope, location)?;
    let names = ec.call(this, asterism_symbol::intern("instance_variables"), &[])?;
    for i in 0..asterism_object::array::len(names) {
        let Some(name) = asterism_object::array::at(names, i).and_then(Value::as_sym) else { continue };
        let value = asterism_object::ivars::get(ec, this, name).unwrap_or(Value::NIL);
        ec.ivar_put(made, name, value)?;
    }
    Ok(made)
}

fn clone(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let made = copy(ec, this, args)?;
    crate::object::copy::copy_singleton(ec, this, made)?;
    if asterism_object::ownership::is_frozen(this) { ec.freeze(made) } else { Ok(made) }
}

/// `Kernel#binding`
pub fn kernel_binding(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let frame = ec.fiber.ruby_frame();
    if frame == ec.program_frame() {
        return of_caller(ec);
    }
    // SAFETY: the innermost Ruby frame is active.
    unsafe {
        // A method of the library asks for its own; one that yields to `&:binding` has another receiver.
        if (*frame).self_val == this {
            return of_frame(ec, frame);
        }
    }
    Err(ec.raise(Exc::RuntimeError, "Cannot create Binding object for non-Ruby caller"))
}

/// `Kernel#local_variables`
pub fn kernel_local_variables(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let frame = ec.program_frame();
    // SAFETY: the caller's frame is active.
    let env = unsafe { ec.heap_env(frame)? };
    let names = all_names(env);
    symbol_array(ec, &names)
}
