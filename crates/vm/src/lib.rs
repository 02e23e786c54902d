//! The virtual machine: frames, calls, caches, exceptions, classes, threads, and the interpreter.
//!
//! Entry points: [`Vm::create`] makes a VM and the context ([`Ec`]) of its first thread; [`Ec::run_file`] runs a
//! script. Core classes live in `asterism-core` and are written against [`Ec`] and [`native`].

pub mod args;
mod autoload;
pub mod backtrace;
pub mod basic_ops;
pub mod block;
pub mod cache;
pub mod call;
pub mod class_ops;
mod const_cache;
pub mod consts;
pub mod convert;
mod core_methods;
pub mod coverage;
pub mod ec;
pub mod error;
pub mod fiber;
pub mod foreign;
mod fork;
pub mod frame;
mod frozen;
pub mod gvar;
mod hash_ops;
pub mod image;
pub mod interp;
pub mod iseq;
pub mod jit;
pub mod keep;
pub mod load;
mod megamorphic;
pub mod memory;
pub mod method;
pub mod missing;
mod more_stack;
pub mod native;
mod once;
mod pending;
pub mod profile;
pub mod promises;
pub mod races;
pub mod ractor;
mod raised;
pub mod recursion;
pub mod redefined;
pub mod refine;
pub mod signature;
pub mod stack;
pub mod thread;
pub mod timeline;
pub mod vm;
mod walls;
mod warning;
mod worker;

pub use block::Block;
pub use ec::{Ec, Raised, Res};
pub use error::Exc;
pub use keep::{Keep, Place};
pub use native::{ANY, Args, Arguments, NativeDef};
pub use vm::{CoreHooks, Options, Root, Vm};
pub use worker::Worker;

/// A number that differs from process to process and call to call: for hash seeds.
pub fn random_seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}
