//! Arguments of a call, from the registers they lie in.

use asterism_compiler::code::{CallSite, flags};
use asterism_object::types::Type;
use asterism_object::{array, hash};

use crate::args::{CallArgs, Keywords};
use crate::block::Block;
use crate::call::CallKind;
use crate::ec::{Ec, Res};
use crate::frame::Frame;
use crate::refine;

/// The literal, passed or forwarded block of a call in `frame`.
///
/// # Safety
/// `frame` is the current Ruby frame; `after` is the register behind the arguments.
#[inline(always)]
pub(crate) unsafe fn block_of(ec: &mut Ec, frame: *mut Frame, site: &CallSite, after: usize) -> Res<Block> {
    if site.block.is_none() && site.flags & (flags::BLOCK_ARG | flags::BLOCK_FORWARD) == 0 {
        return Ok(Block::NONE);
    }
    // SAFETY: the caller's contract.
    unsafe { given_block(ec, frame, site, after) }
}

/// As `block_of`, of a call that has one.
///
/// # Safety
/// As `block_of`.
unsafe fn given_block(ec: &mut Ec, frame: *mut Frame, site: &CallSite, after: usize) -> Res<Block> {
    // SAFETY: see the function's contract.
    unsafe {
        if let Some(child) = site.block {
            let iseq = &*(*frame).iseq;
            (*frame).block_code = iseq.child(ec, usize::from(child))?;
            return Ok(Block::of_frame(frame));
        }
        if site.flags & flags::BLOCK_ARG != 0 {
            let v = *Frame::regs(frame).add(after);
            if let Some(cref) = refine::refined((*frame).cref) {
                return ec.block_argument_refined(v, cref);
            }
            return ec.block_argument(v);
        }
        if site.flags & flags::BLOCK_FORWARD != 0 {
            // In a block only `super` forwards, and that passes the home method's block.
            return Ok(Block((*frame).block));
        }
        Ok(Block::NONE)
    }
}

/// Collects the arguments of a call and hands them to `body`.
///
/// # Safety
/// `frame` is the current Ruby frame with its pc saved; `base` is the call's base register.
#[inline]
pub(crate) unsafe fn with_args<R>(
    ec: &mut Ec,
    frame: *mut Frame,
    site: &CallSite,
    base: usize,
    body: impl FnOnce(&mut Ec, &CallArgs<'_>) -> Res<R>,
) -> Res<R> {
    // SAFETY: see the function's contract; the registers of a call area are below `registers` (checked by the
    // compiler's verifier), and nobody changes them while the call is under way.
    unsafe {
        let regs = Frame::regs(frame);
        let argc = usize::from(site.argc);
        let first = regs.add(base + 1);
        let mut after = base + 1 + argc;
        let mut keywords = if site.flags & flags::SPLAT == 0 { Keywords::Never } else { Keywords::None };
        if !site.keywords.is_empty() {
            keywords =
                Keywords::Named(&site.keywords, std::slice::from_raw_parts(regs.add(after), site.keywords.len()));
            after += site.keywords.len();
        } else if site.flags & flags::KW_SPLAT != 0 {
            let v = *regs.add(after);
            if !v.is_nil() {
                let h = ec.to_hash(v)?;
                *regs.add(after) = h;
                keywords = Keywords::Hash(h);
            }
            after += 1;
        }
        let block = block_of(ec, frame, site, after)?;
        let argv = if site.flags & flags::SPLAT != 0 {
            let argv = array::private_slice(&*first);
            // ruby2_keywords: a flagged Hash at the end stands for keyword arguments.
            if keywords.is_empty()
                && let Some((&last, rest)) = argv.split_last()
                && last.is_type(Type::Hash)
                && hash::is_kw(last)
            {
                keywords = Keywords::Hash(last);
                rest
            } else {
                argv
            }
        } else {
            std::slice::from_raw_parts(first, argc)
        };
        body(ec, &CallArgs { argv, keywords, block })
    }
}

/// How the call site's visibility rules are.
#[inline]
pub(super) fn kind_of(site: &CallSite) -> CallKind {
    if site.flags & flags::VCALL != 0 {
        CallKind::Variable
    } else if site.flags & flags::FCALL != 0 {
        CallKind::Private
    } else {
        CallKind::Public
    }
}

/// Positional arguments in registers, exactly as written, and a block of any kind.
pub(crate) fn has_values_only(site: &CallSite) -> bool {
    site.flags & (flags::SPLAT | flags::KW_SPLAT) == 0 && site.keywords.is_empty()
}

/// All positional arguments in one Array, keywords in a Hash if there are any, and a block of any kind.
pub(crate) fn has_array(site: &CallSite) -> bool {
    site.flags & flags::SPLAT != 0 && site.keywords.is_empty()
}

/// As `is_plain`, but that there may be keywords.
pub(crate) fn has_keywords_only(site: &CallSite) -> bool {
    site.flags & (flags::SPLAT | flags::KW_SPLAT | flags::BLOCK_ARG | flags::BLOCK_FORWARD) == 0
}

/// Only positional arguments in registers, exactly as written.
pub(crate) fn is_plain(site: &CallSite) -> bool {
    has_keywords_only(site) && site.keywords.is_empty()
}
