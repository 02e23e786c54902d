//! Instance variables of objects whose cells have no room for them: strings, arrays, procs, native
//! objects … A private header bit tells that an object has any; a sharded map of the VM leads from
//! its address to its symbol table.
//!
//! The map keeps nothing alive: an object's table is marked when the object is, and what belongs to
//! the dead is forgotten inside the pause.

use std::collections::HashMap;

use asterism_heap::{Cell, Liveness};
use asterism_lock::Mutex;

use crate::address_hash::ByAddress;
use crate::value::Value;

const SHARDS: usize = 32;

type Shard = HashMap<u64, Value, ByAddress>;

/// The map. Each shard is protected by its own lock, held for a look-up.
pub struct SideTable {
    shards: Box<[Mutex<Shard>]>,
}

impl SideTable {
    pub(crate) fn new() -> SideTable {
        SideTable { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    fn shard(&self, address: u64) -> &Mutex<Shard> {
        &self.shards[(address >> 6) as usize % SHARDS]
    }

    /// The symbol table of the object at `address`, or 0.
    pub(crate) fn get(&self, address: u64) -> Value {
        self.shard(address).lock().get(&address).copied().unwrap_or(Value::NULL)
    }

    /// Sets it.
    pub(crate) fn set(&self, address: u64, table: Value) {
        self.shard(address).lock().insert(address, table);
    }

    /// All entries: addresses and their symbol tables.
    pub fn entries(&self) -> Vec<(u64, Value)> {
        self.shards.iter().flat_map(|s| s.lock().iter().map(|(&k, &v)| (k, v)).collect::<Vec<_>>()).collect()
    }

    /// Gives the object at `address`, which came from an image, its symbol table.
    pub fn adopt(&self, address: u64, table: Value) {
        self.set(address, table);
    }

    /// Forgets the dead, in the pause.
    pub(crate) fn clear_dead(&self, liveness: &Liveness) {
        for shard in &self.shards {
            shard.lock().retain(|&address, _| {
                // SAFETY: the address was a live cell's at the last clearing, and cells are swept
                // only after this one, so it still is a cell.
                liveness.is_live(unsafe { &*(address as *const Cell) })
            });
        }
    }
}
