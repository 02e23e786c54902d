//! The core classes that need nothing of the operating system. One folder a class: `<class>/mod.rs` is its Rust part,
//! `<class>/<class>.rb` its Ruby part (listed in `prelude.rs`). What waits, reads or writes lies in `asterism-system`.

pub mod allocators;
pub mod array;
pub mod encoding;
mod enumerator;
pub mod errno;
pub mod exception;
pub mod float;
pub mod hash;
pub mod integer;
pub mod kernel;
pub mod math;
pub mod module;
pub mod nil;
pub mod numeric;
pub mod object;
pub mod objspace;
pub mod primitives;
pub mod proc;
pub mod random;
pub mod range;
pub mod regexp;
pub mod source;
pub mod string;
pub mod structs;
pub mod support_error;
pub mod symbol;
pub mod warning;

use asterism_vm::{Ec, Res};

/// Defines the classes' native methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    object::init(ec)?;
    kernel::init(ec)?;
    enumerator::init(ec)?;
    module::init(ec)?;
    proc::init(ec)?;
    exception::init(ec)?;
    nil::init(ec)?;
    symbol::init(ec)?;
    string::init(ec)?;
    encoding::init(ec)?;
    integer::init(ec)?;
    float::init(ec)?;
    numeric::init(ec)?;
    math::init(ec)?;
    random::init(ec)?;
    array::init(ec)?;
    hash::init(ec)?;
    range::init(ec)?;
    structs::init(ec)?;
    regexp::init(ec)?;
    errno::init(ec)?;
    warning::init(ec)?;
    objspace::init(ec)?;
    primitives::init(ec)
}
