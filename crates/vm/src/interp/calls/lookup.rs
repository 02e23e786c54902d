//! Calls whose site does not remember the receiver's class, or remembers it behind others: they look the method up, and
//! what was found is remembered.

use asterism_compiler::code::CallSite;
use asterism_compiler::opcode::Op;
use asterism_object::{Sym, Value};

use super::args::{kind_of, with_args};
use super::kind::SiteCall;
use super::plain::{self, GENERAL};
use super::warn::{warn_unused_block, warns_of_blocks};
use super::{blocks, fibers, new, walks};
use crate::args::CallArgs;
use crate::cache::{Entry, InlineCache, Site};
use crate::call::{CallKind, Invoked};
use crate::ec::{Ec, Res};
use crate::frame::Frame;
use crate::iseq::Iseq;
use crate::method::{Body, Found, Visibility};
use crate::native::Special;
use crate::refine::refined;

/// What a site may remember of a method it found: asks those who know the kinds of calls.
fn entry_for(ec: &mut Ec, recv: Value, serial: u64, found: &Found, site: &CallSite) -> Entry {
    let (kind, target) = match found.method.body() {
        Body::Ruby(iseq) => walks::of_ruby(iseq, site).unwrap_or_else(|| plain::of_ruby(iseq, site)),
        Body::Native(def) => match def.special {
            Special::New => match fibers::of_new(ec, recv, site) {
                Some(fiber) => fiber,
                None => return new::entry(ec, recv, serial, found, site),
            },
            Special::ProcCall => blocks::of_proc_call(site),
            Special::Switch(kind) => fibers::of_switch(kind, site),
            Special::Send => plain::of_send(site),
            Special::None | Special::Initialize | Special::StructInitialize | Special::FiberInitialize => {
                plain::of_native(def, site)
            }
        },
        _ => plain::of_other(found.method, site),
    };
    Entry { serial, method: found.method, defined_class: found.defined_class, kind, target }
}

/// Makes a call by what its site remembers of the receiver's class, or by a lookup.
///
/// # Errors
/// NoMethodError, or NameError for a bare name, if there is no such method; else as `call_kind::CallKind::invoke`.
///
/// # Safety
/// The call is the one under way in the current frame, a Ruby frame with its pc saved.
pub(super) unsafe fn call(ec: &mut Ec, call: &SiteCall) -> Res<Invoked> {
    let (frame, recv) = (call.frame, call.recv);
    // SAFETY: the caller's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let cache = &iseq.call_caches[call.site];
        let class = ec.class_of(recv);
        if let Some(entry) = known(ec, frame, cache, class.serial()) {
            return (entry.kind.invoke)(ec, call, &entry);
        }
        let site = call.site();
        let kind = kind_of(site);
        let (serial, found) = ec.find_method_in_frame(frame, class, site.name);
        let Some(found) = found.filter(|f| ec.may_call(recv, f, kind)) else {
            let hidden = found.map(|f| f.visibility);
            return with_args(ec, frame, site, call.base(), |ec, args| {
                ec.invoke_missing(recv, site.name, args, kind, hidden, call.st)
            });
        };
        found.method.prepare(ec)?;
        let mut entry = entry_for(ec, recv, serial, &found, site);
        with_own_slot(&mut entry, iseq, call.site);
        if asks_caller(&found, kind) {
            entry.kind = plain::of_protected(entry.kind);
        }
        InlineCache::publish(ec, iseq, cache, entry, is_refined(frame))?;
        if site.block.is_some() && warns_of_blocks(ec) {
            warn_unused_block(ec, &found)?;
        }
        (entry.kind.invoke)(ec, call, &entry)
    }
}

/// An attribute is read and written as such where the site remembers in which slot that variable is.
fn with_own_slot(entry: &mut Entry, iseq: &Iseq, site: usize) {
    let attribute = entry.kind.is(plain::READER) || entry.kind.is(plain::WRITER);
    if attribute && !iseq.is_attr_at(site, Sym(entry.target as u32)) {
        (entry.kind, entry.target) = (GENERAL, 0);
    }
}

/// Does it depend on the caller's `self` whether such a call may see the method?
fn asks_caller(found: &Found, kind: CallKind) -> bool {
    found.visibility == Visibility::Protected && kind == CallKind::Public
}

/// The entry of a site that `frame` calls from for a class with that serial: one in the site's cache, or one that the thread has.
///
/// # Safety
/// The frame is active.
#[inline(always)]
unsafe fn known(ec: &Ec, frame: *mut Frame, site: &Site, serial: u64) -> Option<Entry> {
    if serial == 0 {
        return None;
    }
    let cached = InlineCache::at(site).and_then(|cache| cache.find(serial));
    cached.or_else(|| {
        // SAFETY: the caller's contract.
        ec.worker.megamorphic.find(site.address(), serial).copied().filter(|_| unsafe { !is_refined(frame) })
    })
}

/// Are there refinements where `frame` calls from?
///
/// # Safety
/// The frame is active.
#[inline]
unsafe fn is_refined(frame: *mut Frame) -> bool {
    // SAFETY: the caller's contract.
    refined(unsafe { (*frame).cref }).is_some()
}

/// An operator whose fast path did not apply: calls the method with these arguments.
///
/// # Errors
/// NoMethodError if there is no such method; what a native one raises; ArgumentError, SystemStackError, NoMemoryError
/// for one that is pushed.
///
/// # Safety
/// `frame` is the current frame, a Ruby frame with its pc saved, and the site one of its code.
#[inline(always)]
unsafe fn send_operator(
    ec: &mut Ec,
    frame: *mut Frame,
    site: usize,
    recv: Value,
    argv: &[Value],
    st: u64,
) -> Res<Invoked> {
    let call = SiteCall { frame, recv, args: argv.as_ptr(), site, st };
    // SAFETY: the caller's contract; the arguments of an operator are those the site has.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let cache = &iseq.call_caches[site];
        let class = ec.class_of(recv);
        if let Some(entry) = known(ec, frame, cache, class.serial()) {
            if entry.kind.operators {
                return (entry.kind.invoke)(ec, &call, &entry);
            }
            return ec.invoke(recv, entry.method, &CallArgs::written(argv), st);
        }
        send_anew(ec, &call, kind_of(call.site()))
    }
}

/// Looks up the method of a call with arguments that its site alone says of, and calls it; the site remembers it.
///
/// # Errors
/// As `send_operator`.
///
/// # Safety
/// The frame of the call is active, and has its pc saved; what the method returns is for the current frame.
unsafe fn send_anew(ec: &mut Ec, call: &SiteCall, kind: CallKind) -> Res<Invoked> {
    let (&SiteCall { frame, recv, st, .. }, site) = (call, call.site());
    // SAFETY: the caller's contract.
    unsafe {
        let iseq: &Iseq = &*(*frame).iseq;
        let (class, args) = (ec.class_of(recv), &CallArgs::written(call.argv()));
        let (serial, found) = ec.find_method_in_frame(frame, class, site.name);
        let Some(found) = found.filter(|f| ec.may_call(recv, f, kind)) else {
            return ec.invoke_missing(recv, site.name, args, kind, found.map(|f| f.visibility), st);
        };
        found.method.prepare(ec)?;
        let mut entry = entry_for(ec, recv, serial, &found, site);
        with_own_slot(&mut entry, iseq, call.site);
        if matches!(found.method.body(), Body::Native(def) if def.special == Special::New) {
            // What a site keeps of `new` is its `initialize`, which is not what an operator or a Symbol of that name calls.
            let (method, defined_class) = (found.method, found.defined_class);
            entry = Entry { method, defined_class, kind: plain::GENERAL, target: 0, ..entry };
        }
        if !asks_caller(&found, kind) {
            InlineCache::publish(ec, iseq, &iseq.call_caches[call.site], entry, is_refined(frame))?;
        }
        ec.invoke(recv, found.method, args, st)
    }
}

/// The frame that called the method of `frame` with the literal block `&:name`, if it did, and the site for the calls of `name`.
///
/// # Safety
/// `frame` is active.
pub(crate) unsafe fn symbol_site(frame: *mut Frame, name: Sym) -> Option<(*mut Frame, usize)> {
    // SAFETY: the frames below an active one are active; a Ruby frame has code, which its pc lies in or behind.
    unsafe {
        let caller = (*frame).prev;
        if caller.is_null() || (*caller).is_native() || is_refined(caller) {
            return None;
        }
        let code = &(&*(*caller).iseq).code;
        let bytes = ((*caller).pc as usize).wrapping_sub(code.words.as_ptr() as usize);
        let word = *code.words.get((bytes / size_of::<u64>()).wrapping_sub(1))?;
        Op::from_u8(word as u8).filter(|op| matches!(op, Op::Call | Op::CallSelf | Op::Super))?;
        // The last word of a longer instruction may look like that, and lead to a site of the same name at most.
        let site = code.call_sites.get((word >> 48) as usize)?;
        let symbol = usize::from(site.symbol?);
        (code.call_sites[symbol].name == name).then_some((caller, symbol))
    }
}

impl Ec {
    /// The call of `name` on what is yielded to a block that is that Symbol, by the current frame's method. Where the literal `&:name` was
    /// written in the call of that method, it has a site of its own.
    ///
    /// # Errors
    /// NoMethodError if there is no such method; as `send_operator`.
    ///
    /// # Safety
    /// `frame` is the current frame, a Ruby frame with its pc saved.
    pub(crate) unsafe fn call_symbol(&mut self, frame: *mut Frame, recv: Value, name: Sym, st: u64) -> Res<Invoked> {
        // SAFETY: the caller's contract; the frames below an active one are active.
        unsafe {
            let Some((frame, index)) = symbol_site(frame, name) else {
                return self.invoke_named(recv, name, &CallArgs::written(&[]), CallKind::Sent, st);
            };
            let iseq: &Iseq = &*(*frame).iseq;
            let call = SiteCall { frame, recv, args: Frame::regs(frame), site: index, st };
            let serial = self.class_of(recv).serial();
            match known(self, frame, &iseq.call_caches[index], serial) {
                Some(entry) => self.invoke(recv, entry.method, &CallArgs::written(&[]), st),
                None => send_anew(self, &call, CallKind::Sent),
            }
        }
    }

    /// `call` of what the operands say, by value: a `SiteCall` of the caller's own would keep its machine frame from going.
    ///
    /// # Errors
    /// As `call`.
    ///
    /// # Safety
    /// As `call`; `args` is the register behind the call's base.
    #[inline(never)]
    pub(crate) unsafe fn call_at(
        &mut self,
        frame: *mut Frame,
        recv: Value,
        args: *const Value,
        site: usize,
        st: u64,
    ) -> Res<Invoked> {
        // SAFETY: the caller's contract.
        unsafe { call(self, &SiteCall { frame, recv, args, site, st }) }
    }

    /// `send_operator` with no argument, by value: an array of the caller's own would keep its machine frame from going.
    ///
    /// # Errors
    /// As `send_operator`.
    ///
    /// # Safety
    /// As `send_operator`.
    #[inline(never)]
    pub(crate) unsafe fn send_operator0(
        &mut self,
        frame: *mut Frame,
        site: usize,
        recv: Value,
        st: u64,
    ) -> Res<Invoked> {
        // SAFETY: the caller's contract.
        unsafe { send_operator(self, frame, site, recv, &[], st) }
    }

    /// `send_operator` with one argument, by value: an array of the caller's own would keep its machine frame from going.
    ///
    /// # Errors
    /// As `send_operator`.
    ///
    /// # Safety
    /// As `send_operator`.
    #[inline(never)]
    pub(crate) unsafe fn send_operator1(
        &mut self,
        frame: *mut Frame,
        site: usize,
        recv: Value,
        arg: Value,
        st: u64,
    ) -> Res<Invoked> {
        // SAFETY: the caller's contract.
        unsafe { send_operator(self, frame, site, recv, &[arg], st) }
    }

    /// `send_operator` with two arguments, by value: an array of the caller's own would keep its machine frame from going.
    ///
    /// # Errors
    /// As `send_operator`.
    ///
    /// # Safety
    /// As `send_operator`.
    #[inline(never)]
    pub(crate) unsafe fn send_operator2(
        &mut self,
        frame: *mut Frame,
        site: usize,
        recv: Value,
        first: Value,
        second: Value,
        st: u64,
    ) -> Res<Invoked> {
        // SAFETY: the caller's contract.
        unsafe { send_operator(self, frame, site, recv, &[first, second], st) }
    }
}
