//! Asterism in a program in C: `include/ruby/embed.h`. `docs/EXTENSIONS.md` says how it is linked.
//!
//! - `thread`: CRuby's functions, by which the calling thread gets a VM of its own and calls the C interface;
//! - `vms`: VMs that run programs, each on the thread that runs it or on a new one;
//! - `program`: what a command line says.

#![allow(clippy::missing_safety_doc)] // The functions for C are documented in the header.

mod program;
mod thread;
mod vms;
