//! `super`.

use asterism_compiler::code::{CallSite, flags};
use asterism_compiler::ops;
use asterism_object::class::Class;
use asterism_object::{Sym, Value};
use asterism_symbol::sym;

use super::args::with_args;
use super::plain::{self, GENERAL};
use crate::block::{Block, Env};
use crate::cache::{Entry, InlineCache, Site};
use crate::call::{CallKind, Invoked};
use crate::ec::{Ec, Res};
use crate::error::Exc;
use crate::frame::{self, Cont, Frame, state};
use crate::interp::state::{Execute, Interp, Next};
use crate::iseq::Iseq;
use crate::method::{Body, Method};
use crate::native::Special;

impl<'i> Execute<'i> for ops::Super<'i> {
    #[inline(always)]
    fn execute(self, mut at: Interp<'i>) -> Res<Next> {
        at.save();
        let dst = self.dst();
        // SAFETY: the frame is the current one, a Ruby frame with its pc saved; the operands are those of the call.
        let invoked =
            unsafe { send_super(at.ec, at.frame(), self.base().index(), self.site().index(), dst.index() as u16)? };
        at.settle(invoked, dst)
    }
}

/// Calls the next method up the chain.
///
/// # Errors
/// What it raises; RuntimeError in a method made by `define_method` if the arguments are implicit.
///
/// # Safety
/// `frame` is the current frame, a Ruby frame with its pc saved; the base and the site are those of the call.
#[inline(never)]
pub(crate) unsafe fn send_super(
    ec: &mut Ec,
    frame: *mut Frame,
    base: usize,
    site_index: usize,
    dst: u16,
) -> Res<Invoked> {
    // SAFETY: the caller's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let site = &iseq.code.call_sites[site_index];
        if site.flags & flags::ZSUPER != 0 && in_bmethod(ec, frame) {
            return Err(ec.raise(
                Exc::RuntimeError,
                "implicit argument passing of super from method defined by define_method() is not supported. Specify all arguments explicitly.",
            ));
        }
        let recv = (*frame).self_val;
        let (name, found) = super_at(ec, frame, site, &iseq.call_caches[site_index], recv)?;
        let st = state(dst, Cont::Store, 0);
        with_args(ec, frame, site, base, |ec, args| {
            let mut args = *args;
            // Without a block of its own, super passes the method's.
            if args.block.is_none() && site.flags & flags::BLOCK_ARG == 0 {
                args.block = Block((*frame).block);
            }
            let invoked = match found {
                Some(method) => ec.invoke(recv, method, &args, st),
                None => ec.invoke_missing(recv, name, &args, CallKind::Super, None, st),
            };
            if let Ok(Invoked::Done(_)) = invoked {
                (*frame).block_code = std::ptr::null();
            }
            invoked
        })
    }
}

/// What `super` calls from `frame`. The site remembers it by the receiver's class and the method that calls: that one
/// lies in the word for the defined class.
///
/// # Safety
/// `frame` is the current Ruby frame.
unsafe fn super_at(
    ec: &mut Ec,
    frame: *mut Frame,
    site: &CallSite,
    cache: &Site,
    recv: Value,
) -> Res<(Sym, Option<Method>)> {
    // SAFETY: see the function's contract.
    let current = unsafe { (*frame).method };
    let class = ec.class_of(recv);
    let serial = class.serial();
    if serial != 0 {
        let known = InlineCache::at(cache).and_then(|c| c.find_for_caller(serial, current));
        let known = known.or_else(|| {
            ec.worker.megamorphic.find(cache.address(), serial).copied().filter(|e| e.defined_class.0 == current)
        });
        if let Some(entry) = known {
            return Ok((sym::EMPTY, Some(entry.method)));
        }
    }
    let vm = ec.vm();
    let serial = class.ensure_serial(|| vm.next_serial());
    // SAFETY: see the function's contract.
    let (name, found) = unsafe { ec.super_method(frame)? };
    let method = found.map(|f| f.method);
    if let Some(method) = method {
        method.prepare(ec)?;
        // The interpreter does not ask for the kind, compiled code does.
        let (kind, target) = match method.body() {
            Body::Ruby(iseq) => plain::of_ruby(iseq, site),
            Body::Native(def)
                if !matches!(def.special, Special::New | Special::ProcCall | Special::Switch(_) | Special::Send) =>
            {
                plain::of_native(def, site)
            }
            _ => (GENERAL, 0),
        };
        let entry = Entry { serial, method, defined_class: Class(current), kind, target };
        // SAFETY: see the function's contract; a frame keeps its code.
        let iseq: &Iseq = unsafe { &*(*frame).iseq };
        InlineCache::publish_for_caller(ec, iseq, cache, entry)?;
    }
    Ok((name, method))
}

/// Does `frame` run a method made by `define_method`, or a block in one?
///
/// # Safety
/// `frame` is active on this Ec.
unsafe fn in_bmethod(ec: &Ec, mut frame: *mut Frame) -> bool {
    // SAFETY: `frame` and the creators it names are active, and an Env names its frame only while that is.
    unsafe {
        loop {
            if (*frame).has(frame::BMETHOD) {
                return true;
            }
            if !(*frame).has(frame::BLOCK) {
                return false;
            }
            let around = (*frame).around();
            let outer = match Block(around).frame() {
                Some(outer) => Some(outer),
                None => Env::from_value(Value::from_bits(around)).and_then(|env| env.frame_on(ec)),
            };
            match outer {
                Some(outer) => frame = outer,
                None => return false,
            }
        }
    }
}
