//! Calls of Procs.

use asterism_compiler::code::CallSite;

use super::args::is_plain;
use super::kind::{CallKind, Kind, SiteCall};
use super::plain::GENERAL;
use crate::args::CallArgs;
use crate::block::Block;
use crate::cache::Entry;
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::interp::blocks::push_plain_block;

/// `Proc#call` and its aliases.
pub(crate) static PROC_CALL: &Kind = &Kind::of::<ProcCall>();

/// The kind and target of a call of `Proc#call`.
pub(super) fn of_proc_call(site: &CallSite) -> (&'static Kind, u64) {
    if is_plain(site) && site.block.is_none() { (PROC_CALL, 0) } else { (GENERAL, 0) }
}

struct ProcCall;

impl CallKind for ProcCall {
    const NAME: &'static str = "Proc#call";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, _entry: &Entry) -> Res<Invoked> {
        let argv = call.argv();
        // SAFETY: the frame is the current one, a Ruby frame with its pc saved.
        if unsafe { push_plain_block(ec, call.recv, argv, call.st) } {
            return Ok(Invoked::Pushed);
        }
        ec.invoke_block(Block::of_value(call.recv), CallArgs::written(argv), call.st)
    }
}
