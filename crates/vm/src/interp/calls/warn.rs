//! The warning about a block that is passed to a method which ignores it.

use std::sync::atomic::Ordering;

use crate::ec::{Ec, Res};
use crate::method::{Body, Found};

/// Is it given at all?
pub(super) fn warns_of_blocks(ec: &Ec) -> bool {
    ec.vm().verbose.load(Ordering::Relaxed) > 1 || ec.vm().strict_unused_block.load(Ordering::Relaxed)
}

/// A call that passes a literal block was looked up: warns if the method certainly does nothing with one. Once a
/// method, or with `Warning[:strict_unused_block]` once a call site, which is looked up once.
#[cold]
pub(super) fn warn_unused_block(ec: &mut Ec, found: &Found) -> Res<()> {
    let Body::Ruby(iseq) = found.method.body() else { return Ok(()) };
    // SAFETY: the method keeps its code alive.
    let iseq = unsafe { &*iseq };
    let code = &iseq.code;
    if code.uses_block || code.params.block || code.internal || ec.vm().verbose.load(Ordering::Relaxed) == 0 {
        return Ok(());
    }
    let before = iseq.warned_of_block.swap(true, Ordering::Relaxed);
    if before && !ec.vm().strict_unused_block.load(Ordering::Relaxed) {
        return Ok(());
    }
    let name = crate::backtrace::qualified_name(ec, found.method);
    let name = name.unwrap_or_else(|| found.method.name().text().into_owned());
    let place = format!("{}:{}", code.file, code.line);
    crate::warning::warn(ec, &format!("the block passed to '{name}' defined at {place} may be ignored"))
}
