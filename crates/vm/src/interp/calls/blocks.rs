//! Calls of Procs.

use asterism_compiler::code::{CallSite, flags};

use super::args::{has_array, is_plain};
use super::call_kind::CallKind;
use super::kind::{Kind, SiteCall};
use super::plain::{GENERAL, General};
use crate::args::CallArgs;
use crate::block::Block;
use crate::cache::Entry;
use crate::call::Invoked;
use crate::ec::{Ec, Res};
use crate::interp::blocks::{push_listed_block, push_plain_block};

/// `Proc#call` and its aliases.
pub(crate) static PROC_CALL: &Kind = &Kind::of::<ProcCall>();

/// The same with an Array of arguments, and nothing else.
pub(crate) static PROC_SPREAD: &Kind = &Kind::of::<ProcSpread>();

/// The kind and target of a call of `Proc#call`.
pub(super) fn of_proc_call(site: &CallSite) -> (&'static Kind, u64) {
    let others = flags::KW_SPLAT | flags::BLOCK_ARG | flags::BLOCK_FORWARD;
    let kind = match site.block {
        None if is_plain(site) => PROC_CALL,
        None if has_array(site) && site.flags & others == 0 => PROC_SPREAD,
        _ => GENERAL,
    };
    (kind, 0)
}

struct ProcCall;
struct ProcSpread;

impl CallKind for ProcCall {
    const NAME: &'static str = "Proc#call";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, _entry: &Entry) -> Res<Invoked> {
        let argv = call.argv();
        // SAFETY: the frame is the current one, a Ruby frame with its pc saved.
        if unsafe { push_plain_block(ec, call.recv, argv, call.st)? } {
            return Ok(Invoked::Pushed);
        }
        ec.invoke_block(Block::of_value(call.recv), &CallArgs::written(argv), call.st)
    }
}

impl CallKind for ProcSpread {
    const NAME: &'static str = "Proc#call with an array of arguments";

    unsafe fn invoke(ec: &mut Ec, call: &SiteCall, entry: &Entry) -> Res<Invoked> {
        // SAFETY: the frame is the current one, a Ruby frame with its pc saved; the Array is the only argument.
        unsafe {
            if push_listed_block(ec, call.recv, *call.args, call.st)? {
                return Ok(Invoked::Pushed);
            }
            General::invoke(ec, call, entry)
        }
    }
}
