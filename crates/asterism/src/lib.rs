//! Asterism as a library: Ruby in a Rust program.
//!
//! A [`Vm`] is an isolated Ruby that runs on the thread that made it. A program may have any number of them, at the same time,
//! on one thread or on many. Values travel by [`IntoRuby`] and [`FromRuby`]; what stays in the VM is held by an [`Object`].
//!
//! ```
//! use std::collections::HashMap;
//!
//! let vm = asterism::Vm::builder().build()?;
//! let words = vm.eval("'to be or not to be'.split.tally")?;
//! let counts: HashMap<String, u32> = words.to()?;
//! assert_eq!(counts["be"], 2);
//! let longest = words.call("max_by", ())?.call("to_a", ())?;
//! assert_eq!(longest.call("size", ())?.to::<usize>()?, 4);
//!
//! let error = vm.eval("Integer('x')").unwrap_err();
//! assert_eq!(error.exception().unwrap().class, "ArgumentError");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The process's signals are the program's own unless [`Builder::signals`] says otherwise, but for three: when threads compute, a
//! handler for the real-time signal SIGRTMIN + 6 is installed, by which a stop of the world gets a processor from them; when a C
//! extension is in a system call that another thread interrupts, one for SIGRTMIN + 7, and when one computes for long while the
//! others collect, one for SIGRTMIN + 5.
//!
//! A [`Session`] is a VM that is run as the `asterism` command runs one: it takes scripts and ends with an exit status.

mod builder;
mod child;
mod convert;
mod error;
mod handles;
mod library;
mod limit;
mod report;
mod session;
mod vm;

pub use asterism_compiler::CommandLine;
pub use asterism_heap::{Shortage, huge_pages};
pub use asterism_jit::{report as jit_report, waits_for_memory};
pub use asterism_system::env::{COPYRIGHT, description};
pub use asterism_system::load::library_dirs;
pub use asterism_system::process::{OBSERVE_PREFIX, die_by_signal, make_room_for_title};
pub use asterism_vm::vm::Memory;
pub use builder::{BuildError, Builder, Jit};
pub use convert::{Arguments, Bytes, FromRuby, IntoRuby, Symbol};
pub use error::{Conversion, Error, Exception};
pub use session::{Ended, ExitStatus, Script, Session};
pub use vm::{Object, Vm};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod vm_tests;
