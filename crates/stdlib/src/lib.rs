//! The libraries of the standard library that CRuby has in C, one folder a library. `require` finds them by name
//! (`features`); nothing of them is there before.

mod console;
mod coverage;
pub mod date;
pub mod digest;
mod etc;
mod fcntl;
mod features;
pub mod generic_io;
mod json;
mod objspace;
mod openssl;
mod prism;
pub mod psych;
mod pty;
mod ripper;
pub mod socket;
pub mod strscan;
pub mod text_escape;
pub mod zlib;

use asterism_vm::Ec;

/// Lets `require` find the libraries.
pub fn init(ec: &mut Ec) {
    asterism_system::load::provide(ec, features::FEATURES);
}
