//! The heap of Asterism: blocks, thread-local allocation, marking, sweeping, safepoints and blocking regions, and the
//! protocols by which threads share objects: ownership, claims, object locks, interrupts.
//!
//! It knows cells (two header words and a payload) and value words with tag bits, and nothing of Ruby. What it needs to
//! know of a VM it asks through `Hooks`. Start reading at `mutator.rs` (what a thread does), then `safepoint.rs` and
//! `thread.rs` (how the world stops), then `collect.rs` (what happens then).
//!
//! Under `cfg(loom)` only the protocol modules exist, on loom's primitives: the models in `tests/` check them as shipped.

// What only the modules left out of a model use is unused there.
#![cfg_attr(loom, allow(dead_code))]

#[cfg(not(loom))]
mod account;
pub mod address_map;
#[cfg(all(test, not(loom)))]
mod address_map_tests;
pub mod barging_lock;
#[cfg(not(loom))]
mod baton;
#[cfg(not(loom))]
mod blocking;
pub mod census;
pub mod channel;
pub mod claim;
mod give_way;
pub mod handover;
pub mod header;
pub mod in_c;
pub mod interrupt;
pub mod object_lock;
pub mod owner;
pub mod patience;
#[cfg(all(test, not(loom)))]
mod patience_tests;
pub mod queue;
#[cfg(all(test, not(loom)))]
mod queue_tests;
pub mod ranks;
#[cfg(not(loom))]
mod references;
pub mod remember;
pub mod safepoint;
pub mod stamp;
pub mod sync;
pub mod thread;
pub mod versioned;
pub mod waiter;

#[cfg(not(loom))]
mod block;
#[cfg(not(loom))]
mod collect;
#[cfg(not(loom))]
mod exclusive;
#[cfg(not(loom))]
mod fork;
#[cfg(not(loom))]
mod generations;
#[cfg(all(test, not(loom)))]
mod generations_tests;
#[cfg(not(loom))]
mod heap;
#[cfg(not(loom))]
pub mod huge_pages;
#[cfg(not(loom))]
pub mod image;
#[cfg(not(loom))]
mod liveness;
#[cfg(not(loom))]
mod lock_stats;
#[cfg(all(test, not(loom)))]
mod lock_stats_tests;
#[cfg(not(loom))]
mod machine;
#[cfg(not(loom))]
mod malloc;
#[cfg(not(loom))]
mod mark;
#[cfg(not(loom))]
mod mutator;
#[cfg(not(loom))]
mod object_id;
#[cfg(not(loom))]
mod profile;
#[cfg(not(loom))]
mod size_class;
#[cfg(not(loom))]
mod sort;
#[cfg(not(loom))]
mod space;
#[cfg(not(loom))]
mod stats;
#[cfg(all(test, not(loom)))]
mod stats_tests;
#[cfg(not(loom))]
mod symbols;
#[cfg(not(loom))]
mod tidy;
#[cfg(not(loom))]
mod trace;
#[cfg(not(loom))]
mod verify;

pub use barging_lock::{BargingLock, Waiting};
pub use census::{Census, Stuck};
pub use channel::{Channel, Locked, Received, Sent, Waits, Woken};
pub use handover::{Pool, Slot};
pub use header::Cell;
pub use interrupt::{Interrupted, Interruptible};
pub use remember::Stores;
pub use thread::{POLL_GC, POLL_HANDSHAKE, POLL_INTERRUPT, POLL_STOP, POLL_TIMER, ThreadState};
pub use waiter::Waiter;

#[cfg(not(loom))]
pub use account::{Account, Charge};
#[cfg(not(loom))]
pub use exclusive::{Exclusive, Kept};
#[cfg(not(loom))]
pub use heap::{Config, Heap, Hooks, OutOfMemory, Shortage};
#[cfg(not(loom))]
pub use liveness::Liveness;
#[cfg(not(loom))]
pub use lock_stats::{LockKind, LockPlace, LockRow, LockSite, LockStats};
#[cfg(not(loom))]
pub use machine::{prefetch_to_change, stack_bounds};
#[cfg(not(loom))]
pub use mark::Marker;
#[cfg(not(loom))]
pub use mutator::{Mutator, keep_alive};
#[cfg(not(loom))]
pub use profile::{Collection, Kind, Reason};
#[cfg(not(loom))]
pub use references::Holding;
#[cfg(not(loom))]
pub use safepoint::StoppedWorld;
#[cfg(not(loom))]
pub use stats::{Stats, Summary};
#[cfg(not(loom))]
pub use trace::{
    Entry, ExtraLane, IdleLane, Lane, Line, Moment, Recorder, Scale, Site, SiteKey, SiteNumber, Span, SpanKind, Traced,
    Track,
};
