//! How large an Array may be.

use asterism_object::{Value, array};
use asterism_vm::{Ec, Res};

/// Sizes from here on are errors of their own in CRuby; below, memory is what is missing.
pub(super) const ADDRESSABLE: usize = 1 << 60;

/// The size argument of `Array.new`.
pub(super) fn check_size(ec: &mut Ec, v: Value) -> Res<usize> {
    let n = ec.to_i64(v)?;
    match usize::try_from(n) {
        Ok(n) if n <= array::MAX_LEN => Ok(n),
        Ok(n) if n < ADDRESSABLE => Err(ec.no_memory()),
        Ok(_) => Err(ec.arg_error("array size too big")),
        Err(_) => Err(ec.arg_error("negative array size")),
    }
}
