//! String.

use asterism_object::space::WellKnown;
use asterism_vm::{Ec, Res};

pub mod basic;
pub mod dedup;
mod encode;
pub mod format;
mod index;
mod normalize;
mod number;
mod pack;
pub mod pieces;
mod search;
mod transform;
mod trim;
pub mod update;
pub mod util;

/// Defines the classes' methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::String);
    let comparable = ec.known(WellKnown::Comparable);
    ec.include_module(class, comparable, false)?;
    for list in [
        basic::METHODS,
        index::METHODS,
        search::METHODS,
        transform::PAIRS,
        transform::METHODS,
        trim::PAIRS,
        pieces::METHODS,
        number::METHODS,
        encode::METHODS,
        normalize::METHODS,
        format::METHODS,
        pack::METHODS,
    ] {
        ec.define_natives(class, list)?;
    }
    ec.define_singleton_natives(class, basic::SINGLETON)?;
    let array = ec.known(WellKnown::Array);
    ec.define_natives(array, pack::ARRAY)?;
    let kernel = ec.known(WellKnown::Kernel);
    ec.define_module_functions(kernel, format::KERNEL)
}
