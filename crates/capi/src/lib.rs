//! The C interface: what Ruby's C extensions are compiled against (`include/`) and call.
//!
//! - `entry`, `stub`: going into C and coming out of it, also by an exception.
//! - `load`: shared objects; `method`, `block`: functions in C as methods and blocks; `data`: memory of C in objects.
//! - `lock`: the lock of extensions that do not say that they can do without.
//! - `outside`: programs in C that Ruby is a part of.
//! - `views`: what C looks at directly.
//! - The rest are the functions, by what they are about. Those with a variable number of arguments are in `c/`, and come down
//!   to the others.

#![allow(missing_docs, clippy::missing_safety_doc)] // The functions for C are documented by CRuby, under the names they have there.
#![allow(improper_ctypes_definitions)]

#[macro_use]
mod macros;

mod array;
mod block;
mod buffer;
mod call;
mod class;
mod copies;
mod coverage;
mod data;
mod demand;
mod encoding;
mod entry;
mod error;
mod hash;
mod inspector;
mod io;
mod ivars;
mod job_table;
mod jobs;
mod known;
mod load;
mod lock;
mod memory;
mod method;
mod misc;
mod number;
mod object;
mod outside;
mod part;
mod private;
mod shared_object;
mod signal;
mod string;
mod stub;
mod symbol;
mod thread;
mod types;
mod views;

pub use data::{free_all, size_in_c};
pub use jobs::run as run_jobs;
pub use known::{disown, own};
pub use load::load;
pub use lock::take_in_earnest;
pub use outside::{attach, detach};
pub use part::{run_at_exit, run_frees};

use asterism_object::Value;
use asterism_object::space::WellKnown;
use asterism_vm::{Args, Ec, NativeDef, Res};

static PROCESS: &[NativeDef] = &[NativeDef::new("__extension_paths", paths, 0, 0).private()];

/// Defines what `RbConfig` asks.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    let process = ec.known(WellKnown::Process);
    ec.define_singleton_natives(process, PROCESS)
}

/// Where the headers are, and the library of names, in the tree that this was built from.
fn paths(ec: &mut Ec, _this: Value, _args: Args<'_>) -> Res {
    let headers = ec.str(concat!(env!("CARGO_MANIFEST_DIR"), "/../../include"))?;
    let names = ec.str(env!("OUT_DIR"))?;
    ec.array(&[headers, names])
}
