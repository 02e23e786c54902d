//! The commonest kinds of calls: of methods written in Ruby, of native ones, of attributes.

use std::marker::PhantomData;

use asterism_compiler::code::{CallSite, flags};
use asterism_compiler::{Bound as ParamGets, ops};
use asterism_object::types::Type;
use asterism_object::{Sym, Value, array, ivars};

use super::args::{block_of, has_array, has_keywords_only, has_values_only, is_plain, kind_of, with_args};
use super::call_kind::CallKind;
use super::general;
use super::kind::{Kind, SiteCall};
use crate::args::CallArgs;
use crate::block::{Block, LAMBDA, Proc};
use crate::cache::{Entry, InlineCache};
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::{Cont, Frame, NewFrame, state};
use crate::interp::slots;
use crate::interp::state::{Interp, Next};
use crate::iseq::Iseq;
use crate::method::{Body, Method, Visibility};
use crate::native::{Arguments, NativeDef};
use crate::ractor;

/// Ruby code with required parameters only, given exactly; the target is its `Iseq`.
pub(crate) static RUBY: &Kind = &Kind::of::<Ruby>();
/// As `RUBY`, with a literal block.
pub(crate) static RUBY_BLOCK: &Kind = &Kind::of::<RubyBlock>();
/// Ruby code whose parameters get what is written at the site (`Params::bound_by`); the target is its `Iseq`.
pub(crate) static BOUND: &Kind = &Kind::of::<Bound>();
/// Ruby code with required parameters only, given an Array of arguments, and perhaps keywords; the target is its `Iseq`.
pub(crate) static SPREAD: &Kind = &Kind::of::<Spread>();
/// As `BOUND`, of a method that `define_method` made of a block.
pub(crate) static BLOCK_METHOD: &Kind = &Kind::of::<BlockMethod>();
/// `send` with a name, and nothing but positional arguments and perhaps a block.
pub(crate) static SEND: &Kind = &Kind::of::<Send>();
/// As `GENERAL`, of a protected method with a receiver, for which the caller's `self` is to be of the method's class.
pub(super) static PROTECTED: &Kind = &Kind::of::<Protected<General>>();
/// The same as `RUBY`.
pub(crate) static PROTECTED_RUBY: &Kind = &Kind::of::<Protected<Ruby>>();
/// The same as `READER`.
pub(crate) static PROTECTED_READER: &Kind = &Kind::of::<Protected<Reader>>();
/// Any call: only the lookup is saved.
pub(crate) static GENERAL: &Kind = &Kind::of::<General>();
/// A native method that needs its frame; the target is its definition.
pub(crate) static NATIVE: &Kind = &Kind::of::<Native>();
/// A native method that does not; the target is its definition.
pub(crate) static LEAF: &Kind = &Kind::of::<Leaf>();
/// An attribute reader; the target is the variable's name.
pub(crate) static READER: &Kind = &Kind::of::<Reader>();
/// An attribute writer; the target is the variable's name.
pub(crate) static WRITER: &Kind = &Kind::of::<Writer>();

/// The kind and target of a call of Ruby code, as it is written at `site`.
pub(super) fn of_ruby(iseq: *const Iseq, site: &CallSite) -> (&'static Kind, u64) {
    // SAFETY: the method that the caller has keeps its code alive.
    let (simple, params) = unsafe { ((*iseq).simple, &(&*iseq).code.params) };
    let exact = is_plain(site) && simple == u32::from(site.argc);
    match site.block {
        _ if !exact && params.bound_by(site).is_some() => (BOUND, iseq as u64),
        _ if simple != u32::MAX && has_array(site) => (SPREAD, iseq as u64),
        _ if !exact => (GENERAL, 0),
        Some(_) => (RUBY_BLOCK, iseq as u64),
        None => (RUBY, iseq as u64),
    }
}

/// The kind and target of a call of a native method.
pub(super) fn of_native(def: &'static NativeDef, site: &CallSite) -> (&'static Kind, u64) {
    let target = std::ptr::from_ref(def) as u64;
    match has_values_only(site) && def.accepts(usize::from(site.argc)) {
        true if def.leaf && is_plain(site) && site.block.is_none() => (LEAF, target),
        true => (NATIVE, target),
        false => (GENERAL, 0),
    }
}

/// The kind of calls of protected methods that are else of `kind`, where that is to be asked; the target is the same.
pub(super) fn of_protected(kind: &'static Kind) -> &'static Kind {
    if kind.is(RUBY) {
        PROTECTED_RUBY
    } else if kind.is(READER) {
        PROTECTED_READER
    } else {
        PROTECTED
    }
}

/// The kind and target of a call of `send`.
pub(super) fn of_send(site: &CallSite) -> (&'static Kind, u64) {
    (if has_values_only(site) && site.argc > 0 { SEND } else { GENERAL }, 0)
}

/// The kind and target of a call of what is neither.
pub(super) fn of_other(method: Method, site: &CallSite) -> (&'static Kind, u64) {
    match method.body() {
        Body::AttrReader(name) if is_plain(site) && site.argc == 0 => (READER, u64::from(name.0)),
        Body::AttrWriter(name) if is_plain(site) && site.argc == 1 => (WRITER, u64::from(name.0)),
        // What another Ractor has defined is to be asked for its Proc.
        Body::Block(proc) if method.ractor() == ractor::MAIN => of_block_method(proc, site),
        _ => (GENERAL, 0),
    }
}

/// The kind and target of a call of a method that `proc` is the body of. Of one that takes a block, that would have to be made a Proc.
fn of_block_method(proc: Value, site: &CallSite) -> (&'static Kind, u64) {
    let Some(proc) = Proc::from_value(proc).filter(|proc| proc.flags() & !LAMBDA == 0) else { return (GENERAL, 0) };
    let Some(iseq) = proc.iseq() else { return (GENERAL, 0) };
    // SAFETY: the Proc, which the method keeps, keeps its code alive.
    let params = unsafe { &(&*iseq).code.params };
    match has_keywords_only(site) {
        true if !params.block && site.block.is_none() && params.bound_by(site).is_some() => (BLOCK_METHOD, iseq as u64),
        _ => (GENERAL, 0),
    }
}

struct Ruby;
struct RubyBlock;
struct Bound;
struct Spread;
struct BlockMethod;
pub(super) struct General;

impl CallKind for Ruby {
    const NAME: &'static str = "ruby";

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        push(op, recv, cache, at, Block::NONE)
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { push_bound(ec, call, entry) }
    }
}

impl CallKind for RubyBlock {
    const NAME: &'static str = "ruby with a block";

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        let Some(code) = at.iseq().made_block(op.site().index()) else { return at.by(general) };
        let frame = at.frame();
        // SAFETY: the current frame is active.
        unsafe { (*frame).block_code = code };
        push(op, recv, cache, at, Block::of_frame(frame))
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { push_bound(ec, call, entry) }
    }
}

/// Pushes the frame of the method in the cache's first entry, whose target is its code, with a block.
#[inline(always)]
fn push<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>, block: Block) -> Res<Next> {
    let frame = at.frame();
    // SAFETY: the cache's target is code that its method keeps alive, and which takes as many arguments as the site has; the new
    // frame lies below the stack's end.
    unsafe {
        let callee: &Iseq = &*(cache.first_target() as *const Iseq);
        let new = at.iseq().above(frame);
        let end = callee.above(new);
        if end.cast() > at.ec.fiber.stack_end {
            return at.by(general);
        }
        let st = state(op.dst().index() as u16, Cont::Store, 0);
        new.write(Frame::of_method(frame, callee, recv, cache.first_method(), block, st));
        let argc = callee.simple as usize;
        Frame::fill(new, at.from(op.base()).add(1), argc, argc, end);
        at.ec.fiber.enter_frame(new);
        Ok(Next::At(new, callee.entry()))
    }
}

impl CallKind for Bound {
    const NAME: &'static str = "ruby with arguments as they are written";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { push_bound(ec, call, entry) }
    }
}

/// Pushes the frame of the entry's method, which `iseq` is the code of.
///
/// # Errors
/// NoMemoryError, SystemStackError.
#[inline(always)]
fn push_method(ec: &mut Ec, call: &SiteCall, entry: &Entry, iseq: *const Iseq, block: Block) -> Res<*mut Frame> {
    ec.push_frame(NewFrame {
        iseq,
        self_val: call.recv,
        method: entry.method.0,
        block: block.0,
        cref: entry.method.cref(),
        around: Value::NIL.bits(),
        state: call.st,
    })
}

/// Pushes the frame of the code that is the entry's target, whose parameters get what is written at the site.
///
/// # Errors
/// What making a Proc of a block argument raises; NoMemoryError, SystemStackError.
///
/// # Safety
/// As `CallKind::invoke`.
unsafe fn push_bound(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
    // SAFETY: the method keeps its code; the site's values lie from `args` on, its block argument behind them, and the code has a
    // register for each parameter.
    unsafe {
        let (callee, site) = (&*(entry.target as *const Iseq), call.site());
        let values = usize::from(site.argc) + site.keywords.len();
        let block = match is_plain(site) && site.block.is_none() {
            true => Block::NONE,
            false => block_of(ec, call.frame, site, call.base() + 1 + values)?,
        };
        let frame = push_method(ec, call, entry, callee, block)?;
        let (mut slot, mut failed) = (Frame::regs(frame), None);
        callee.code.params.bind(site, |bound| {
            let v = match bound {
                ParamGets::Value(n) => *call.args.add(n),
                ParamGets::Missing => Value::UNDEF,
                ParamGets::NoKeywords => Value::NIL,
                ParamGets::Rest(range) => {
                    let rest = std::slice::from_raw_parts(call.args.add(range.start), range.len());
                    callee.rest_of(ec, rest).unwrap_or_else(|raised| {
                        failed = Some(raised);
                        Value::NIL
                    })
                }
            };
            *slot = v;
            slot = slot.add(1);
        });
        match failed {
            Some(raised) => {
                ec.pop_frame(frame);
                Err(raised)
            }
            None => Ok(Invoked::Pushed),
        }
    }
}

impl CallKind for Spread {
    const NAME: &'static str = "ruby with an array of arguments";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { General::invoke(ec, call, entry) }
    }
}

impl CallKind for BlockMethod {
    const NAME: &'static str = "a method made of a block";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same.
        unsafe { General::invoke(ec, call, entry) }
    }
}

impl CallKind for General {
    const NAME: &'static str = "general";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        let frame = call.frame;
        // SAFETY: the frame is the current one, its pc saved, and the site's arguments lie behind the call's base.
        unsafe {
            if let Some(iseq) = takes_array(call, entry) {
                let block = block_of(ec, frame, call.site(), call.base() + 2)?;
                *Frame::regs(push_method(ec, call, entry, iseq, block)?) = *call.args;
                return Ok(Invoked::Pushed);
            }
            with_args(ec, frame, call.site(), call.base(), |ec, args| {
                let block = args.block;
                let invoked = ec.invoke(call.recv, entry.method, args, call.st);
                if let Ok(Invoked::Done(_)) = invoked
                    && block.frame() == Some(frame)
                {
                    (*frame).block_code = std::ptr::null();
                }
                invoked
            })
        }
    }
}

/// Calls of kind `K` of protected methods.
struct Protected<K>(PhantomData<K>);

impl<K: CallKind> CallKind for Protected<K> {
    const NAME: &'static str = "protected";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the caller's contract is the same; the frame is active.
        unsafe {
            if ec.is_one_of((*call.frame).self_val, entry.method.owner()) {
                return K::invoke(ec, call, entry);
            }
            let site = call.site();
            with_args(ec, call.frame, site, call.base(), |ec, args| {
                ec.invoke_missing(call.recv, site.name, args, kind_of(site), Some(Visibility::Protected), call.st)
            })
        }
    }
}

/// The code of the entry's method, if the call's only argument is an Array of the site's own that becomes all that it takes.
///
/// # Safety
/// As `CallKind::invoke`.
unsafe fn takes_array(call: &SiteCall, entry: &Entry) -> Option<*const Iseq> {
    // SAFETY: the caller's contract; a method keeps its code alive.
    unsafe {
        let Body::Ruby(iseq) = entry.method.body() else { return None };
        let site = call.site();
        if !(*iseq).takes_array() || !has_array(site) || site.flags & flags::KW_SPLAT != 0 {
            return None;
        }
        let last = array::private_slice(&*call.args).last();
        last.is_none_or(|last| !last.is_type(Type::Hash)).then_some(iseq)
    }
}

struct Send;

impl CallKind for Send {
    const NAME: &'static str = "send";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        let Some((&name, argv)) = call.argv().split_first() else { return Err(ec.fatal("a send without a name")) };
        let name = if ec.is_refined_here() { None } else { ec.sent_name(name)? };
        let Some(name) = name else {
            // SAFETY: the caller's contract is the same.
            return unsafe { General::invoke(ec, call, entry) };
        };
        // SAFETY: the frame is the current one, and the call's block, if it has one, is literal or behind the arguments.
        unsafe {
            let block = block_of(ec, call.frame, call.site(), call.base() + 2 + argv.len())?;
            let args = CallArgs { block, ..CallArgs::written(argv) };
            let invoked = ec.invoke_named(call.recv, name, &args, crate::call::CallKind::Private, call.st);
            if let Ok(Invoked::Done(_)) = invoked {
                (*call.frame).block_code = std::ptr::null();
            }
            invoked
        }
    }
}

struct Native;

impl CallKind for Native {
    const NAME: &'static str = "native";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the target of this kind is a definition; the frame is the current one, and a plain call's block, if it has one,
        // is literal or behind the arguments.
        unsafe {
            let def = &*(entry.target as *const NativeDef);
            let argv = call.argv();
            let block = block_of(ec, call.frame, call.site(), call.base() + 1 + argv.len())?;
            let result = ec.call_native_framed(def, entry.method, call.recv, &Arguments::with(argv, block, false));
            (*call.frame).block_code = std::ptr::null();
            result.map(Invoked::Done)
        }
    }
}

struct Leaf;

impl CallKind for Leaf {
    const POLLED: bool = true;
    const NAME: &'static str = "leaf";
    const OPERATORS: bool = true;

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        // SAFETY: the target of this kind is a definition, which accepts the site's arguments; they lie behind the call's base.
        let v = unsafe {
            let def = &*(cache.first_target() as *const NativeDef);
            let argc = usize::from(at.iseq().code.call_sites.get_unchecked(op.site().index()).argc);
            call_leaf(at.ec, def, cache.first_method(), recv, at.from(op.base()).add(1), argc)?
        };
        at.store(op.dst(), v)
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        let argv = call.argv();
        // SAFETY: the target of this kind is a definition, which accepts the site's arguments.
        let v = unsafe {
            let def = &*(entry.target as *const NativeDef);
            call_leaf(ec, def, entry.method, call.recv, argv.as_ptr(), argv.len())?
        };
        Ok(Invoked::Done(v))
    }
}

/// Calls a native method that needs no frame.
///
/// # Errors
/// What the native method raises.
///
/// # Safety
/// `argc` arguments lie from `args` on, and the method accepts as many.
#[inline(never)]
unsafe fn call_leaf(
    ec: &mut Ec,
    def: &'static NativeDef,
    method: Method,
    recv: Value,
    args: *const Value,
    argc: usize,
) -> Res {
    ec.fiber.leaf = method.0;
    // SAFETY: the caller's contract.
    let result = (def.func)(ec, recv, &Arguments::new(unsafe { std::slice::from_raw_parts(args, argc) }));
    ec.fiber.leaf = Value::NULL;
    result
}

struct Reader;

impl CallKind for Reader {
    const POLLED: bool = true;
    const NAME: &'static str = "reader";

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        let iseq = at.iseq();
        let v = slots::read_attr(at.ec, iseq, op.site().index(), recv, Sym(cache.first_target() as u32))?;
        at.store(op.dst(), v)
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        let name = Sym(entry.target as u32);
        let value = ivars::get(ec, call.recv, name);
        ec.check_ivar(call.recv, name, value)?;
        Ok(Invoked::Done(value.unwrap_or(Value::NIL)))
    }
}

struct Writer;

impl CallKind for Writer {
    const POLLED: bool = true;
    const NAME: &'static str = "writer";

    #[inline(always)]
    fn call<'i>(op: ops::Call<'i>, recv: Value, cache: InlineCache, at: Interp<'i>) -> Res<Next> {
        // SAFETY: a site with such an entry has an argument, behind the call's base.
        let v = unsafe { *at.from(op.base()).add(1) };
        let iseq = at.iseq();
        slots::write_attr(at.ec, iseq, op.site().index(), recv, Sym(cache.first_target() as u32), v)?;
        at.store(op.dst(), v)
    }

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: a site with such an entry has an argument.
        let v = unsafe { *call.args };
        ec.ivar_put(call.recv, Sym(entry.target as u32), v)?;
        Ok(Invoked::Done(v))
    }
}
