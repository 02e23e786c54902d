//! Time: see `moment` for what an object holds. `create` makes them, `zones` knows zone arguments and zone objects, `fields` takes them
//! apart, `arith` compares and moves them, `show` writes them. `stamp` and `exact` have the numbers: mostly they are small, and whole
//! nanoseconds.

mod arith;
mod create;
mod exact;
mod fields;
mod local;
mod moment;
mod parse;
mod show;
mod stamp;
mod zones;

use asterism_object::space::WellKnown;
use asterism_vm::{Ec, Res};

use asterism_core::allocators::set_allocator;
pub(crate) use create::local_at as at;
pub use local::LocalZone;

/// Defines the class's methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let class = ec.known(WellKnown::Time);
    set_allocator(ec, class, moment::allocate);
    let comparable = ec.known(WellKnown::Comparable);
    ec.include_module(class, comparable, false)?;
    ec.define_singleton_natives(class, create::SINGLETON)?;
    for list in [create::INSTANCE, fields::METHODS, arith::METHODS, show::METHODS] {
        ec.define_natives(class, list)?;
    }
    Ok(())
}
