//! The classes that wait for something, or ask the operating system: threads, fibers and their scheduler, IO and files, processes
//! and signals, ENV, Time, and loading files. Laid out as `asterism-core` is.

pub mod crypt;
pub mod env;
pub mod fiber;
pub mod gc;
pub mod io;
pub mod io_buffer;
pub mod load;
pub mod process;
pub mod ractor;
pub mod thread;
pub mod time;
pub mod tracepoint;

use asterism_vm::{Ec, Res};

/// Defines the classes' native methods.
///
/// # Errors
/// NoMemoryError.
pub fn init(ec: &mut Ec) -> Res<()> {
    crypt::init(ec)?;
    gc::init(ec)?;
    io::init(ec)?;
    io_buffer::init(ec)?;
    env::init(ec)?;
    load::init(ec)?;
    process::init(ec)?;
    time::init(ec)?;
    thread::init(ec)?;
    tracepoint::init(ec)?;
    ractor::init(ec)?;
    fiber::init(ec)
}
