//! Instance variables of objects whose cells have no room for them: strings, arrays, procs, native
//! objects … A private header bit tells that an object has any; maps of the VM lead from its address
//! to its symbol table.
//!
//! The maps keep nothing alive: an object's table is marked when the object is, and what belongs to
//! the dead is forgotten inside the pause.

use asterism_heap::address_map::{AddressMap, choose};
use asterism_heap::{Cell, Liveness};

use crate::value::Value;

const MAP_BITS: u32 = 4;

/// The maps, of which an object's address chooses one. They are read without a lock; an object is added under its map's.
pub struct SideTable {
    maps: Box<[AddressMap]>,
}

impl SideTable {
    pub(crate) fn new() -> SideTable {
        SideTable { maps: (0..1 << MAP_BITS).map(|_| AddressMap::default()).collect() }
    }

    fn map(&self, address: u64) -> &AddressMap {
        &self.maps[choose(address, MAP_BITS)]
    }

    /// The symbol table of the object at `address`, or 0.
    pub(crate) fn get(&self, address: u64) -> Value {
        // SAFETY: `set` put it there; the table is marked as long as the object at `address` is live.
        self.map(address).get(address).map_or(Value::NULL, |table| unsafe { Value::from_bits(table) })
    }

    /// Sets it.
    pub(crate) fn set(&self, address: u64, table: Value) {
        self.map(address).put(address, table.bits());
    }

    /// All entries: addresses and their symbol tables.
    pub fn entries(&self) -> Vec<(u64, Value)> {
        // SAFETY: as in `get`.
        let entry = |(address, table)| (address, unsafe { Value::from_bits(table) });
        self.maps.iter().flat_map(AddressMap::entries).map(entry).collect()
    }

    /// Gives the object at `address`, which came from an image, its symbol table.
    pub fn adopt(&self, address: u64, table: Value) {
        self.set(address, table);
    }

    /// Forgets the dead, in the pause.
    pub(crate) fn clear_dead(&self, liveness: &Liveness) {
        for map in &self.maps {
            // SAFETY: a `Liveness` is there in the pause alone, in which one thread clears and the mutators stand still.
            unsafe {
                map.retain(|address| {
                    // SAFETY: the address was a live cell's at the last clearing, and cells are swept
                    // only after this one, so it still is a cell.
                    liveness.is_live(&*(address as *const Cell))
                });
            }
        }
    }
}
