//! Arrays as functions in C see them: a pointer to the elements.

use asterism_heap::Mutator;

use super::{Array, HELD, change};
use crate::error::Result;
use crate::value::Value;

/// The address of the first element of an Array that is not frozen. C may store there what it likes: the Array is treated as
/// one that holds references from now on, and whoever gives the address away sees to it that the elements are marked as long
/// as C may store, and that the Array is remembered afterwards (`remember`).
pub fn elements(m: &mut Mutator, v: Value) -> Result<*mut Value> {
    let guard = change(m, &v)?;
    guard.set_header_bits(HELD);
    let body = Array::of(v).body();
    let (start, _) = body.bounds();
    Ok(std::ptr::from_ref(body.slot(start)).cast_mut().cast())
}

/// C has stored in the Array: the next minor collection looks at it.
pub fn remember(m: &mut Mutator, v: Value) {
    drop(m.exclusive(Array::of(v).cell()));
}
