//! `RubyVM::Channel`: a queue of messages between VMs, threads and fibers. It belongs to no VM and lives as long as anyone
//! can reach it. `class` has its methods.

pub mod class;

use std::sync::Arc;

use asterism_heap::{Marker, Stores};
use asterism_object::data::{DataObject, Shared};
use asterism_vm::fiber::scheduler::Parked;

use super::message::Message;
use super::reach::Registry;

/// A channel.
pub struct Channel {
    pub(super) queue: asterism_heap::Channel<Message, Parked>,
    /// Tells it from the process's others.
    pub(super) id: u64,
    pub(super) registry: Arc<Registry>,
}

/// What a Channel object holds.
pub struct ChannelObject(pub Arc<Channel>);

impl Drop for ChannelObject {
    fn drop(&mut self) {
        if Arc::strong_count(&self.0) > 1 {
            self.0.registry.suspect();
        }
    }
}

impl DataObject for ChannelObject {
    const NAME: &'static str = "channel";
    const SHARED: Shared = Shared::Always;
    const STORES: Stores = Stores::None;

    fn trace(&self, _marker: &mut Marker) {}
}
