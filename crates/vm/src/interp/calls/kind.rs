//! Kinds of calls: what a call site's cache remembers of how a method that was found is called.
//!
//! A cache entry holds the address of its [`Kind`]. What makes one is in `call_kind`.

use asterism_compiler::code::CallSite;
use asterism_object::Value;
use asterism_object::class::Class;

use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::frame::Frame;
use crate::interp::handler::Handler;
use crate::iseq::Iseq;
use crate::method::Method;

/// A kind of calls, as a cache entry names it: there is one of each.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// `CallKind::OPERATORS`
    pub(crate) operators: bool,
    /// `CallKind::call`, as a handler of any instruction that is a call.
    pub(super) call: Handler,
    /// `CallKind::invoke`
    pub(super) invoke: Invoke,
}

/// What `CallKind::invoke` is.
pub(super) type Invoke = unsafe fn(&mut Ec, &SiteCall, &Entry) -> Res<Invoked>;

impl Kind {
    /// Is it that one?
    #[inline(always)]
    pub fn is(&self, other: &'static Kind) -> bool {
        std::ptr::eq(self, other)
    }
}

/// What a cache entry says about a receiver's class; in the order of the words in a cell.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Entry {
    /// The class's serial at the time.
    pub serial: u64,
    /// The method.
    pub method: Method,
    /// Where in the chain it was found.
    pub defined_class: Class,
    /// How to call it.
    pub kind: &'static Kind,
    /// What the kind says: an `Iseq`, a `NativeDef`, a Symbol …
    pub target: u64,
}

/// A call under way at a call site of the current frame, a Ruby frame with its pc saved.
pub(crate) struct SiteCall {
    /// The current frame.
    pub frame: *mut Frame,
    /// The receiver.
    pub recv: Value,
    /// The first argument; of a call (not of an operator) the register behind the one at its base.
    pub args: *const Value,
    /// The call site's index.
    pub site: usize,
    /// What the frame, if one is pushed, returns to.
    pub st: u64,
}

impl SiteCall {
    /// The frame's code.
    pub fn iseq(&self) -> &Iseq {
        // SAFETY: the frame is active, and keeps its code alive.
        unsafe { &*(*self.frame).iseq }
    }

    /// The call site.
    pub fn site(&self) -> &CallSite {
        &self.iseq().code.call_sites[self.site]
    }

    /// The positional arguments, if there are no others before or among them.
    pub fn argv(&self) -> &[Value] {
        // SAFETY: as many arguments as the site has lie one behind the other.
        unsafe { std::slice::from_raw_parts(self.args, usize::from(self.site().argc)) }
    }

    /// The register at the call's base.
    pub fn base(&self) -> usize {
        // SAFETY: both addresses lie in the frame's registers.
        unsafe { self.args.offset_from(Frame::regs(self.frame)) as usize - 1 }
    }
}
