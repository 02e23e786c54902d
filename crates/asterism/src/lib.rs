//! Asterism as a library: make a VM, run Ruby programs in it, end it.
//!
//! ```
//! let mut vm = asterism::Builder::new().build().expect("a VM");
//! let status = vm.run(b"puts [1, 2, 3].sum", "example.rb");
//! assert_eq!(vm.finish(status).code(), 0);
//! ```

mod child;
mod report;
mod run;

pub use asterism_compiler::CommandLine;
pub use asterism_core::env::{COPYRIGHT, description};
pub use asterism_core::process::die_by_signal;
pub use run::{BuildError, Builder, Ended, ExitStatus, Script, Vm};

#[cfg(test)]
mod tests;
