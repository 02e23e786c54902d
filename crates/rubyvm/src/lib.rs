//! `RubyVM`: isolated Rubies in one process, joined by channels (Sasada et al., multiple VMs for Ruby, 2012).
//!
//! A VM runs on a native thread of its own. VMs know each other by [`Child`] handles and belong to one [`Family`]; objects go
//! from one to another only as messages (`message`), through channels and as arguments, values and errors.

pub mod channel;
pub mod child;
mod class;
mod enter;
mod family;
mod iseq;
mod jit;
pub mod message;
mod native;
pub mod pack;
pub mod profile;
mod races;
mod reach;
pub mod unpack;

use asterism_system::load::{Feature, provide};
use asterism_vm::{Ec, Res};

pub use enter::{arguments, enter, furnish, outcome};
pub use family::{Family, Launch, Launcher, end_family, name, set_launcher};
pub use iseq::code_object;

/// `require "drb/mvm"`
static FEATURES: &[Feature] =
    &[Feature::ruby("drb/mvm", "drb/mvm.rb", &[("<internal:drb/mvm>", include_str!("drb_mvm.rb"))])];

/// Defines the classes.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    provide(ec, FEATURES);
    let class = class::init(ec)?;
    channel::class::init(ec, class)?;
    iseq::init(ec, class)?;
    jit::init(ec, class)
}
