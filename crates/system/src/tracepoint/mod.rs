//! `TracePoint` and `set_trace_func`: blocks that are told what threads do.
//!
//! A VM has one [`Tracer`], which hands each event to the TracePoints that are enabled and ask for it. It is the tracer of every
//! thread while one of them is enabled for all, else of the threads that they name; nobody has one while none is enabled.
//! What a block asks its TracePoint lies in `moment.rs`, what yields in `tracepoint.rb`.

mod moment;

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use asterism_compiler::Code;
use asterism_compiler::code::Mark;
use asterism_core::proc::method_data;
use asterism_heap::Marker;
use asterism_lock::Mutex;
use asterism_object::class::Alloc;
use asterism_object::data::{self, DataObject};
use asterism_object::space::WellKnown;
use asterism_object::{AtomicValue, Sym, Value, array};
use asterism_symbol::intern;
use asterism_vm::block::Proc;
use asterism_vm::interp::trace::{Event, Tracer};
use asterism_vm::keep::{Keep, Place};
use asterism_vm::method::Body;
use asterism_vm::native::PrimFn;
use asterism_vm::thread::{RubyThread, of_object};
use asterism_vm::{Ec, Exc, Res, frame};

use moment::{EVENTS, bit_of};

/// What a TracePoint object holds.
#[derive(Debug)]
struct TracePoint {
    /// What it is told of, bits of `EVENTS`.
    events: u32,
    /// Called with what happened: it is the Proc of `set_trace_func`.
    raw: bool,
    /// The Proc.
    block: AtomicValue,
    enabled: AtomicBool,
    /// The Thread that it is limited to, or nil. Written by who enables it, as all below.
    thread: AtomicValue,
    /// The number of the Ractor that has enabled it, of whose threads it is told.
    ractor: AtomicU64,
    /// The code that it is limited to.
    target: Mutex<Option<Arc<Target>>>,
    /// The line that it is limited to, or 0.
    line: AtomicU32,
}

/// Code, and what is nested in it.
#[derive(Debug)]
struct Target {
    /// Keeps the others alive, whose addresses they are.
    code: Arc<Code>,
    all: HashSet<usize>,
    /// The method that it is the body of, a block: other methods may have the same one. An address only.
    method: Option<u64>,
}

impl DataObject for TracePoint {
    const NAME: &'static str = "tracepoint";

    fn trace(&self, marker: &mut Marker) {
        self.block.mark(marker);
        self.thread.mark(marker);
    }
}

/// What a VM keeps of them.
#[derive(Default)]
struct Enabled {
    /// Those that are enabled, an Array that is never changed, or 0.
    list: OnceLock<AtomicValue>,
    /// That of `set_trace_func`, or 0.
    function: OnceLock<AtomicValue>,
    /// Held by who changes which threads are traced. No safepoint under it.
    change: Mutex<()>,
}

impl Enabled {
    fn list(&self) -> &AtomicValue {
        self.list.get_or_init(|| AtomicValue::new(Value::NIL))
    }

    fn function(&self) -> &AtomicValue {
        self.function.get_or_init(|| AtomicValue::new(Value::NIL))
    }
}

impl Keep for Enabled {
    const PLACE: Place = Place::TracePoints;

    fn trace(&self, marker: &mut Marker) {
        for word in [self.list(), self.function()] {
            word.mark(marker);
        }
    }
}

static PRIMITIVES: &[(&str, PrimFn)] = &[
    ("tracepoint_new", new),
    ("tracepoint_enable", enable),
    ("tracepoint_disable", disable),
    ("tracepoint_enabled", is_enabled),
    ("tracepoint_restore", restore),
    ("tracepoint_allow_reentry", allow_reentry),
    ("tracepoint_stat", stat),
    ("set_trace_func", set_trace_func),
    ("thread_trace_func", thread_trace_func),
];

/// Defines the class.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let object = ec.known(WellKnown::Object);
    let class = ec.define_class(object, "TracePoint", object)?;
    class.set_alloc(Alloc::Undefined);
    ec.vm().add_primitives(PRIMITIVES);
    ec.define_natives(class, moment::METHODS)
}

fn make(ec: &mut Ec, class: Value, events: u32, raw: bool, block: Value) -> Res {
    let word = |v| AtomicValue::new(v);
    let made = TracePoint {
        events,
        raw,
        block: word(block),
        enabled: AtomicBool::new(false),
        thread: word(Value::NIL),
        ractor: AtomicU64::new(0),
        target: Mutex::default(),
        line: AtomicU32::new(0),
    };
    let made = data::new(ec, class, made);
    asterism_heap::keep_alive(block.bits());
    ec.check(Value::NIL, made)
}

/// `tracepoint_new(class, events, block)`
fn new(ec: &mut Ec, args: &[Value]) -> Res {
    let mut events = 0;
    for i in 0..array::len(args[1]) {
        let wanted = array::get(args[1], i as i64);
        let name = match wanted.as_sym() {
            Some(name) => name,
            None => event_name(ec, wanted)?,
        };
        events |= match moment::bits_of_name(&name.text()) {
            Some(bits) => bits,
            None => return Err(ec.arg_error(format!("unknown event: {}", name.text()))),
        };
    }
    if events == 0 {
        events = moment::ALL;
    }
    if args[2].is_nil() {
        return Err(ec.arg_error("must be called with a block"));
    }
    make(ec, args[0], events, false, args[2])
}

/// What names an event and is no Symbol.
fn event_name(ec: &mut Ec, wanted: Value) -> Res<Sym> {
    let to_sym = intern("to_sym");
    if ec.find_method(ec.class_of(wanted), to_sym).1.is_none() {
        let class = ec.class_name_of(wanted);
        return Err(ec.type_error(format!("wrong argument type {class} (expected symbol)")));
    }
    let named = ec.call(wanted, to_sym, &[])?;
    match named.as_sym() {
        Some(name) => Ok(name),
        None => {
            let got = ec.class_name_of(named);
            Err(ec.conversion_mismatch(wanted, "Symbol", to_sym, &got))
        }
    }
}

fn view<'a>(ec: &mut Ec, this: &'a Value) -> Res<&'a TracePoint> {
    match data::get::<TracePoint>(this) {
        Some(point) => Ok(point),
        None => Err(ec.type_error("uninitialized TracePoint")),
    }
}

/// Is it a trace function of a thread that has ended?
fn is_left_over(point: Value) -> bool {
    data::get::<TracePoint>(&point).is_some_and(|point| {
        let thread = point.thread.load(Ordering::Acquire);
        point.raw && of_object(&thread).is_some_and(|thread| !thread.is_alive())
    })
}

/// Adds `point` to those that are enabled, or takes it away.
fn change_list(ec: &mut Ec, point: Value, add: bool) -> Res<()> {
    let vm = ec.vm_arc();
    let list = vm.part::<Enabled>().list();
    loop {
        let old = list.load(Ordering::Acquire);
        let new = ec.array(&[])?;
        // The newest one is told first.
        if add {
            ec.array_push(new, point)?;
        }
        for i in 0..if old.is_nil() { 0 } else { array::len(old) } {
            let other = array::get(old, i as i64);
            if other != point && !is_left_over(other) {
                ec.array_push(new, other)?;
            }
        }
        let new = if array::len(new) == 0 { Value::NIL } else { new };
        if list.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            return Ok(());
        }
    }
}

/// Makes the threads traced that have to be, and the others not.
fn change_threads(ec: &mut Ec) {
    let vm = ec.vm_arc();
    let part = vm.part::<Enabled>();
    let _changing = part.change.lock();
    let list = part.list().load(Ordering::Acquire);
    let limits: Vec<(Value, u64)> = (0..if list.is_nil() { 0 } else { array::len(list) })
        .filter_map(|i| {
            let point = array::at(list, i)?;
            let point = data::get::<TracePoint>(&point)?;
            Some((point.thread.load(Ordering::Acquire), point.ractor.load(Ordering::Acquire)))
        })
        .collect();
    let of = |thread: &RubyThread| -> Option<Arc<dyn Tracer>> {
        let (object, of) = (thread.object(), thread.ractor_id());
        let is_told = |(limit, ractor): &(Value, u64)| *limit == object || limit.is_nil() && *ractor == of;
        limits.iter().any(is_told).then(|| Arc::new(Told) as Arc<dyn Tracer>)
    };
    // Threads that begin meanwhile find the first, or are in the list already.
    let all = limits.iter().any(|(limit, _)| limit.is_nil());
    vm.set_tracer(all.then(|| Arc::new(Told) as Arc<dyn Tracer>));
    for thread in vm.threads.living() {
        if Arc::ptr_eq(&thread, &ec.thread.handle) {
            let tracer = of(&thread);
            ec.replace_tracer(tracer);
        } else {
            thread.set_tracer(of(&thread));
        }
    }
}

/// Enables `point`, or no more.
fn switch(ec: &mut Ec, this: Value, on: bool) -> Res<()> {
    let point = view(ec, &this)?;
    if on {
        point.ractor.store(ec.thread.handle.ractor_id(), Ordering::Release);
    }
    point.enabled.store(on, Ordering::Release);
    change_list(ec, this, on)?;
    if !on {
        point.thread.store(Value::NIL, Ordering::Release);
        *point.target.lock() = None;
        point.line.store(0, Ordering::Release);
    }
    change_threads(ec);
    // The end of the method that did it is not told.
    let frame = ec.fiber.frame;
    // SAFETY: a primitive runs with the frame of the prelude's method that calls it as the current one.
    unsafe { (*frame).state |= frame::UNTOLD };
    Ok(())
}

/// `tracepoint_enable(self, target, target_line, target_thread, with a block)`: was it enabled before?
fn enable(ec: &mut Ec, args: &[Value]) -> Res {
    let this = args[0];
    let point = view(ec, &this)?;
    let was = point.enabled.load(Ordering::Acquire);
    let (target, line) = (args[1], args[2]);
    let thread = match args[3].as_sym() {
        Some(name) if &*name.text() == "default" => {
            if args[4].truthy() && target.is_nil() && line.is_nil() {
                ec.thread.object
            } else {
                Value::NIL
            }
        }
        _ => args[3],
    };
    if thread.truthy() {
        if of_object(&thread).is_none() {
            let name = ec.class_name_of(thread);
            return Err(ec.type_error(format!("wrong argument type {name} (expected VM/thread)")));
        }
        if !point.thread.load(Ordering::Acquire).is_nil() {
            return Err(ec.arg_error("can not override target_thread filter"));
        }
    }
    if target.is_nil() && !line.is_nil() {
        return Err(ec.arg_error("only target_line is specified"));
    }
    if target.is_nil() {
        if point.target.lock().is_some() {
            return Err(ec.arg_error("can't nest-enable a targeting TracePoint"));
        }
    } else {
        if was {
            return Err(ec.arg_error("can't nest-enable a targeting TracePoint"));
        }
        limit(ec, point, target, line)?;
    }
    point.thread.store(if thread.truthy() { thread } else { Value::NIL }, Ordering::Release);
    switch(ec, this, true)?;
    Ok(Value::bool(was))
}

/// Limits a TracePoint to code.
fn limit(ec: &mut Ec, point: &TracePoint, target: Value, line: Value) -> Res<()> {
    let line = match line {
        Value::NIL => 0,
        line => {
            let line = ec.to_i64(line)?;
            if point.events & moment::LINE == 0 {
                return Err(ec.arg_error("target_line is specified, but line event is not specified"));
            }
            u32::try_from(line).unwrap_or(u32::MAX)
        }
    };
    let Some(code) = code_of(ec, target)? else {
        return Err(ec.arg_error("specified target is not supported"));
    };
    let mut all = HashSet::new();
    let mut hooks = false;
    let is_method = method_data::method_in(target).is_some();
    collect(&code, &mut all, &mut |code| hooks |= moment::has_events(code, point.events, line, is_method));
    if !hooks {
        return Err(ec.arg_error("can not enable any hooks"));
    }
    let method = method_data::method_in(target).filter(|method| matches!(method.body(), Body::Block(_)));
    let method = method.map(|method| method.0.bits());
    *point.target.lock() = Some(Arc::new(Target { code, all, method }));
    point.line.store(line, Ordering::Release);
    Ok(())
}

/// The code of a Method, UnboundMethod, Proc or InstructionSequence.
fn code_of(ec: &mut Ec, target: Value) -> Res<Option<Arc<Code>>> {
    let of_proc = |proc: Proc| {
        // SAFETY: the Proc keeps its code alive.
        proc.iseq().map(|iseq| unsafe { (*iseq).code.clone() })
    };
    let found = if let Some(method) = method_data::method_in(target) {
        method.prepare(ec)?;
        match method.body() {
            // SAFETY: the method keeps its code alive.
            Body::Ruby(iseq) => Some(unsafe { (*iseq).code.clone() }),
            Body::Block(proc) => Proc::from_value(proc).and_then(of_proc),
            _ => None,
        }
    } else if let Some(proc) = Proc::from_value(target) {
        of_proc(proc)
    } else {
        None
    };
    Ok(found.filter(|code| !code.internal))
}

fn collect(code: &Arc<Code>, all: &mut HashSet<usize>, each: &mut dyn FnMut(&Code)) {
    all.insert(Arc::as_ptr(code) as usize);
    each(code);
    for child in &code.children {
        collect(child, all, each);
    }
}

/// `tracepoint_disable(self)`: was it enabled before?
fn disable(ec: &mut Ec, args: &[Value]) -> Res {
    let this = args[0];
    let was = view(ec, &this)?.enabled.load(Ordering::Acquire);
    if was {
        switch(ec, this, false)?;
    }
    Ok(Value::bool(was))
}

/// `tracepoint_restore(self, on)`: after the block of `enable` or `disable`.
fn restore(ec: &mut Ec, args: &[Value]) -> Res {
    switch(ec, args[0], args[1].truthy())?;
    Ok(Value::NIL)
}

/// `tracepoint_enabled(self, with a target)`
fn is_enabled(ec: &mut Ec, args: &[Value]) -> Res {
    let this = args[0];
    let point = view(ec, &this)?;
    let limited = !args[1].truthy() || point.target.lock().is_some();
    Ok(Value::bool(point.enabled.load(Ordering::Acquire) && limited))
}

/// `tracepoint_allow_reentry(allowed)`: whether it was before. RuntimeError if nothing is being told.
fn allow_reentry(ec: &mut Ec, args: &[Value]) -> Res {
    match ec.reenter_tracer(args[0].truthy()) {
        Some(before) => Ok(Value::bool(before)),
        None => Err(ec.raise(Exc::RuntimeError, "No need to allow reentrance.")),
    }
}

/// For debugging: how many are enabled.
fn stat(ec: &mut Ec, _args: &[Value]) -> Res {
    let list = ec.vm().part::<Enabled>().list().load(Ordering::Acquire);
    let all = 0..if list.is_nil() { 0 } else { array::len(list) };
    let count = all.filter(|i| !is_left_over(array::get(list, *i as i64))).count();
    let stat = ec.new_hash()?;
    ec.hash_set(stat, Value::sym(intern("enabled")), Value::fixnum(count as i64))?;
    Ok(stat)
}

/// A hidden TracePoint for the Proc of a trace function.
fn function(ec: &mut Ec, proc: Value) -> Res {
    if Proc::from_value(proc).is_none() {
        return Err(ec.type_error("trace_func needs to be Proc"));
    }
    let class = ec.class(WellKnown::Object);
    make(ec, class, moment::FUNCTION, true, proc)
}

/// `set_trace_func(proc)`
fn set_trace_func(ec: &mut Ec, args: &[Value]) -> Res {
    let vm = ec.vm_arc();
    let made = if args[0].is_nil() { Value::NIL } else { function(ec, args[0])? };
    let old = vm.part::<Enabled>().function().swap(made, Ordering::AcqRel);
    if !old.is_nil() {
        switch(ec, old, false)?;
    }
    if !made.is_nil() {
        switch_on_function(ec, made)?;
    }
    Ok(args[0])
}

/// `thread_trace_func(thread, proc, replace)`: adds a trace function for a thread; with `replace`, or nil, others are gone.
fn thread_trace_func(ec: &mut Ec, args: &[Value]) -> Res {
    let made = if args[1].is_nil() { Value::NIL } else { function(ec, args[1])? };
    if args[2].truthy() {
        let list = ec.vm().part::<Enabled>().list().load(Ordering::Acquire);
        for i in 0..if list.is_nil() { 0 } else { array::len(list) } {
            let other = array::get(list, i as i64);
            if data::get::<TracePoint>(&other).is_some_and(|p| p.raw && p.thread.load(Ordering::Acquire) == args[0]) {
                switch(ec, other, false)?;
            }
        }
    }
    if let Some(point) = data::get::<TracePoint>(&made) {
        point.thread.store(args[0], Ordering::Release);
        switch_on_function(ec, made)?;
    }
    Ok(args[1])
}

/// Enables that of a trace function. It is told of the end of the method that does so, as in CRuby.
fn switch_on_function(ec: &mut Ec, point: Value) -> Res<()> {
    switch(ec, point, true)?;
    let frame = ec.fiber.frame;
    // SAFETY: as in `switch`.
    unsafe { (*frame).state &= !frame::UNTOLD };
    Ok(())
}

/// The tracer of a VM's threads.
#[derive(Debug)]
struct Told;

impl Tracer for Told {
    fn event(&self, ec: &mut Ec, event: Event) -> Res<()> {
        let list = ec.vm().part::<Enabled>().list().load(Ordering::Acquire);
        if list.is_nil() {
            return Ok(());
        }
        for i in 0..array::len(list) {
            let this = array::get(list, i as i64);
            let Some(point) = data::get::<TracePoint>(&this) else { continue };
            if point.events & bit_of(event) == 0 || !point.enabled.load(Ordering::Acquire) {
                continue;
            }
            let thread = point.thread.load(Ordering::Acquire);
            let is_told = if thread.is_nil() {
                point.ractor.load(Ordering::Acquire) == ec.thread.handle.ractor_id()
            } else {
                thread == ec.thread.object
            };
            if !is_told || !is_in_target(ec, point, event) {
                continue;
            }
            let block = point.block.load(Ordering::Acquire);
            if point.raw {
                let args = moment::function_arguments(ec)?;
                ec.call_proc(block, &asterism_vm::args::CallArgs::plain(array::private_slice(&args)))?;
                asterism_heap::keep_alive(args.bits());
            } else {
                ec.call_proc(block, &asterism_vm::args::CallArgs::plain(&[this]))?;
            }
        }
        asterism_heap::keep_alive(list.bits());
        Ok(())
    }
}

/// Does the event happen where the TracePoint looks?
fn is_in_target(ec: &Ec, point: &TracePoint, event: Event) -> bool {
    let target = point.target.lock().clone();
    let Some(target) = target else { return true };
    let line = point.line.load(Ordering::Acquire);
    if line != 0 && event != Event::Line(line) {
        return false;
    }
    // Native methods are called from code, and belong to none.
    if matches!(event, Event::NativeCall(_) | Event::NativeReturn(..)) {
        return false;
    }
    // SAFETY: the current frame is active, and keeps its code alive.
    unsafe {
        let Some(iseq) = (*ec.fiber.frame).iseq.as_ref() else { return false };
        let is_other_method =
            |method: u64| Arc::ptr_eq(&iseq.code, &target.code) && (*ec.fiber.frame).method.bits() != method;
        target.all.contains(&(Arc::as_ptr(&iseq.code) as usize)) && !target.method.is_some_and(is_other_method)
    }
}

/// The lines on which statements of `code` begin.
fn lines(code: &Code) -> impl Iterator<Item = u32> + '_ {
    code.marks.iter().map(|mark| mark.line).filter(|line| *line != Mark::RESCUED)
}

const _: () = assert!(EVENTS.len() <= 32);
