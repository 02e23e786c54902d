//! `Class#new` from bytecode.

use asterism_compiler::code::CallSite;
use asterism_compiler::ops;
use asterism_object::class::{Alloc, Class};
use asterism_object::space::WellKnown;
use asterism_object::{Sym, Value, array, structs, symbol_table};
use asterism_symbol::sym;

use super::args::{has_keywords_only, is_plain, with_args};
use super::call_kind::CallKind;
use super::kind::{Kind, SiteCall};
use super::plain;
use crate::args::CallArgs;
use crate::block::Block;
use crate::cache::{Entry, InlineCache};
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, Frame, state};
use crate::interp::state::{Interp, Next};
use crate::iseq::Iseq;
use crate::method::{Body, Found};
use crate::native::Special;

/// `Class#new`, the general way.
static NEW: &Kind = &Kind::of::<New>();
/// `Class#new` of a plain object whose `initialize` is Ruby code with required parameters only, given exactly, or the core's,
/// given nothing. The entry's method is that `initialize`, its defined class the class, and the target the class's serial.
pub(crate) static NEW_OBJECT: &Kind = &Kind::of::<NewObject>();
/// As `NEW_OBJECT`, whose `initialize` is Ruby code whose parameters get what is written at the site.
pub(crate) static NEW_BOUND: &Kind = &Kind::of::<NewBound>();

struct New;
struct NewObject;
struct NewBound;

impl CallKind for New {
    const NAME: &'static str = "Class#new";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { invoke(ec, call, entry) }
    }
}

impl CallKind for NewObject {
    const NAME: &'static str = "Class#new of a plain object";

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        let (base, site, dst) = (op.base().index(), op.site().index(), op.dst().index() as u16);
        // SAFETY: the current frame is a Ruby frame with its pc saved; the operands are those of the call, whose receiver is a class
        // by the entry.
        unsafe { new_object_at(at.ec, at.frame(), recv, base, site, cache, dst)? };
        at.reload()
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { invoke(ec, call, entry) }
    }
}

impl CallKind for NewBound {
    const NAME: &'static str = "Class#new of a plain object with arguments as they are written";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        if Class(call.recv).serial() != entry.target
            && let Some(cache) = InlineCache::at(&call.iseq().call_caches[call.site])
            && cache.first_kind().is(NEW_BOUND)
        {
            remember(ec, call.iseq(), call.site, call.recv, cache)?;
        }
        // SAFETY: the caller's contract is the same.
        unsafe { invoke(ec, call, entry) }
    }
}

/// Calls `new` the general way.
///
/// # Errors
/// NoMemoryError; what `initialize` raises.
///
/// # Safety
/// As `CallKind::invoke`, of any kind of `Class#new`.
pub(super) unsafe fn invoke(ec: &mut Ec, call: &SiteCall, _entry: &Entry) -> Res<Invoked> {
    // SAFETY: the frame is the current one, its pc saved, and the site's arguments lie behind the call's base.
    unsafe {
        with_args(ec, call.frame, call.site(), call.base(), |ec, args| new_object(ec, Class(call.recv), args, call.st))
    }
}

/// What a call site may remember of `new`, which it found for `class`.
pub(super) fn entry(ec: &mut Ec, class: Value, serial: u64, found: &Found, site: &CallSite) -> Entry {
    let general = Entry { serial, method: found.method, defined_class: found.defined_class, kind: NEW, target: 0 };
    if !has_keywords_only(site) {
        return general;
    }
    if let Some(entry) = struct_entry(ec, Class(class), serial, site) {
        return entry;
    }
    if Class(class).alloc() != Alloc::Object || Class(class).is_singleton() || site.block.is_some() {
        return general;
    }
    if Class(class) == ec.known(WellKnown::BasicObject) {
        ec.note_blank();
    }
    let (class_serial, found) = ec.find_method(Class(class), sym::initialize);
    let Some(Found { method, .. }) = found else { return general };
    let kind = match method.body() {
        // SAFETY: the method keeps its code alive.
        Body::Ruby(iseq) if unsafe { method.ruby_code() } == Some(iseq) => match plain::of_ruby(iseq, site).0 {
            kind if kind.is(plain::RUBY) => NEW_OBJECT,
            kind if kind.is(plain::BOUND) => NEW_BOUND,
            _ => return general,
        },
        Body::Native(def) if def.special == Special::Initialize && site.argc == 0 => NEW_OBJECT,
        _ => return general,
    };
    Entry { method, defined_class: Class(class), kind, target: class_serial, ..general }
}

/// A call at site `site` whose first cache entry is a `NEW_OBJECT`: makes the object and pushes the frame of `initialize`,
/// or stores the object.
///
/// # Errors
/// NoMemoryError; what `initialize` raises.
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved, `base` the call's base register, and `class` a class.
#[inline(never)]
unsafe fn new_object_at(
    ec: &mut Ec,
    frame: *mut Frame,
    class: Value,
    base: usize,
    site: usize,
    cache: InlineCache,
    dst: u16,
) -> Res<()> {
    // SAFETY: see the function's contract; the frame's code is alive, and the cache's method keeps its code alive.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let slot = Frame::regs(frame).add(usize::from(dst));
        if Class(class).serial() == cache.first_target() {
            let method = cache.first_method();
            let object = ec.new_object(class)?;
            let Some(callee) = method.ruby_code() else {
                *slot = object;
                return Ok(());
            };
            let callee = &*callee;
            let new = iseq.above(frame);
            let end = callee.above(new);
            if end.cast() <= ec.fiber.stack_end {
                let how = state(dst, Cont::SelfValue, 0);
                new.write(Frame::of_method(frame, callee, object, method, Block::NONE, how));
                let argc = callee.simple as usize;
                Frame::fill(new, Frame::regs(frame).add(base + 1), argc, argc, end);
                ec.fiber.enter_frame(new);
                return Ok(());
            }
        } else {
            remember(ec, iseq, site, class, cache)?;
        }
        let site = &iseq.code.call_sites[site];
        let st = state(dst, Cont::Store, 0);
        let made = with_args(ec, frame, site, base, |ec, args| new_object(ec, Class(class), args, st))?;
        if let Invoked::Done(object) = made {
            *slot = object;
        }
        Ok(())
    }
}

/// The class has changed since the site remembered it; or it is another one, and then the site goes the general way.
#[cold]
fn remember(ec: &mut Ec, iseq: &Iseq, site: usize, class: Value, cache: InlineCache) -> Res<()> {
    let old = cache.entry(0);
    let serial = old.serial;
    let entry = if old.defined_class.0 == class {
        let call_site = &iseq.code.call_sites[site];
        let meta = ec.class_of(class);
        let (now, found) = ec.find_method(meta, call_site.name);
        let is_new = |f: &Found| matches!(f.method.body(), Body::Native(def) if def.special == Special::New);
        match found.filter(is_new) {
            Some(found) if now == serial => entry(ec, class, serial, &found, call_site),
            _ => return Ok(()),
        }
    } else {
        Entry { kind: NEW, ..old }
    };
    // It takes the place of the one it was made of.
    InlineCache::publish(ec, iseq, &iseq.call_caches[site], entry, true)
}

/// `Class#new` from bytecode: allocates, then `initialize` runs in the same loop.
///
/// # Errors
/// NoMemoryError; what `initialize` raises.
pub(crate) fn new_object(ec: &mut Ec, class: Class, args: &CallArgs<'_>, st: u64) -> Res<Invoked> {
    let object = if class.alloc() == Alloc::Object && !class.is_singleton() {
        ec.new_object(class.0)?
    } else {
        ec.allocate(class)?
    };
    let found = ec.find_method(class, sym::initialize).1;
    let Some(found) = found else {
        return Err(ec.fatal("no initialize"));
    };
    // The destination of the caller's continuation stays; only what is stored changes.
    let cont = if st >> 16 & 0xff == Cont::Native as u64 { Cont::NativeSelf } else { Cont::SelfValue };
    let st = st & !(0xff << 16) | (cont as u64) << 16;
    match ec.invoke(object, found.method, args, st)? {
        Invoked::Done(_) => Ok(Invoked::Done(object)),
        Invoked::Pushed => Ok(Invoked::Pushed),
    }
}

/// `new` of a Struct whose `initialize` is the core's, given no more values than it has members. The entry's method is that
/// `initialize`, its defined class the class, and the target what `target` makes.
pub(crate) static NEW_STRUCT: &Kind = &Kind::of::<NewStruct>();

/// The low bits of an entry's target are the number of members; above them lies the class's serial.
const COUNT_BITS: u32 = 12;

struct NewStruct;

impl CallKind for NewStruct {
    const NAME: &'static str = "Class#new of a Struct";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        if let Some(made) = new_struct(ec, Class(call.recv), call.argv(), entry.target)? {
            return Ok(Invoked::Done(made));
        }
        if let Some(cache) = InlineCache::at(&call.iseq().call_caches[call.site])
            && cache.first_kind().is(NEW_STRUCT)
        {
            remember(ec, call.iseq(), call.site, call.recv, cache)?;
        }
        // SAFETY: the caller's contract is the same.
        unsafe { invoke(ec, call, entry) }
    }
}

/// An instance of `class` with these members, if that is still what an entry's target says; `None`: nothing was done.
///
/// # Errors
/// NoMemoryError.
#[inline]
pub(crate) fn new_struct(ec: &mut Ec, class: Class, values: &[Value], target: u64) -> Res<Option<Value>> {
    let serial = class.serial();
    if serial == 0 || serial != target >> COUNT_BITS {
        return Ok(None);
    }
    let count = (target & ((1 << COUNT_BITS) - 1)) as usize;
    let made = structs::new_with(ec, class.0, count, values);
    ec.check(Value::NIL, made).map(Some)
}

/// What a call site may remember of `new`, which it found for `class`, if that is a Struct.
fn struct_entry(ec: &mut Ec, class: Class, serial: u64, site: &CallSite) -> Option<Entry> {
    if class.alloc() != Alloc::Struct || class.is_singleton() || !is_plain(site) || site.block.is_some() {
        return None;
    }
    let (class_serial, initialize) = ec.find_method(class, sym::initialize);
    let initialize = initialize?;
    let is_core = matches!(initialize.method.body(), Body::Native(def) if def.special == Special::StructInitialize);
    let count = array::len(hidden(class, sym::members_ivar)?);
    let by_keyword = hidden(class, sym::keyword_init_ivar).is_some_and(Value::truthy);
    let fits =
        class_serial != 0 && class_serial << COUNT_BITS >> COUNT_BITS == class_serial && count >> COUNT_BITS == 0;
    if !is_core || by_keyword || usize::from(site.argc) > count || !fits {
        return None;
    }
    let target = class_serial << COUNT_BITS | count as u64;
    let method = initialize.method;
    Some(Entry { serial, method, defined_class: class, kind: NEW_STRUCT, target })
}

/// A hidden instance variable of a class or of its nearest ancestor that has it.
fn hidden(class: Class, name: Sym) -> Option<Value> {
    class.chain().find_map(|c| if c.is_include() { None } else { symbol_table::get(c.ivars(), name) })
}
