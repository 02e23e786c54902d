//! Which cell of a VM holds the VM's share of a counted block (`string::buffer`) that other VMs may hold shares of too.
//!
//! A VM has one such cell a block, however often the block comes in: its bytes are accounted once, and a message that
//! goes back and forth makes no garbage of its size. The table keeps nothing alive. An Array with its elements in a block
//! finds the cell that it keeps alive here, since its layout has no word for it.

use std::collections::HashMap;

use asterism_heap::{Cell, Liveness};
use asterism_lock::Mutex;

use crate::address_hash::ByAddress;
use crate::value::Value;

/// Buffer cells by the addresses of their blocks. The lock is held for a look-up.
pub struct Holders(Mutex<HashMap<usize, Value, ByAddress>>);

impl Holders {
    pub(crate) fn new() -> Holders {
        Holders(Mutex::default())
    }

    /// The cell that holds a share of the block.
    pub(crate) fn get(&self, block: usize) -> Option<Value> {
        self.0.lock().get(&block).copied()
    }

    /// Enters a cell that holds a share of the block, unless there is one; the one that is there then.
    pub(crate) fn put(&self, block: usize, holder: Value) -> Value {
        *self.0.lock().entry(block).or_insert(holder)
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// Forgets the dead, in the pause: their blocks live until they are swept, so that no address names two.
    pub(crate) fn clear_dead(&self, liveness: &Liveness) {
        self.0.lock().retain(|_, holder| {
            // SAFETY: it was a live cell at the last clearing, and cells are swept only after this one.
            liveness.is_live(unsafe { &*holder.ptr::<Cell>() })
        });
    }
}
