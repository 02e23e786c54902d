//! Integer: fixnums and BigInts are one class. Arithmetic in [`arith`], bits in `bits`, order in [`compare`],
//! conversions in [`text`]; what yields is in `integer.rb`.

pub(crate) mod arith;
mod bits;
pub(crate) mod compare;
pub(crate) mod division;
pub(crate) mod text;

use asterism_object::space::WellKnown;
use asterism_vm::{Ec, Res};

/// Defines the class's methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let integer = ec.known(WellKnown::Integer);
    for list in [arith::METHODS, bits::METHODS, compare::METHODS, text::METHODS] {
        ec.define_natives(integer, list)?;
    }
    ec.define_singleton_natives(integer, arith::SINGLETON)?;
    crate::nil::undef_new(ec, integer)
}
