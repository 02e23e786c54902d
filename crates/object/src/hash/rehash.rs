//! Computing the places of a Hash's keys anew: the keys' `hash` methods run unlocked, the result is installed only if
//! nobody has added or removed an entry meanwhile.

use asterism_heap::Mutator;

use super::table::Table;
use super::{REHASHED, install, modify, set_flag, table};
use crate::error::Result;
use crate::value::Value;

/// A rehash under way. Lives on the stack, which keeps the table it looks at alive.
pub struct Rehash {
    hash_object: Value,
    table: Table,
    counts: (usize, usize),
}

impl Rehash {
    /// Begins to rehash `h`.
    pub fn new(h: Value) -> Rehash {
        let table = table(h);
        Rehash { hash_object: h, table, counts: table.counts() }
    }

    /// How many places there are to look at.
    pub fn places(&self) -> usize {
        self.counts.0
    }

    /// The key at a place, unless it was deleted.
    pub fn key(&self, place: usize) -> Option<Value> {
        if place >= self.counts.0 {
            return None;
        }
        let key = self.table.key(place);
        (!key.is_undef()).then_some(key)
    }

    /// Installs the entries with their new hashes, one for each place; those without one are dropped. What others have
    /// deleted meanwhile stays so, what they have added is there with the hash it has. `false`: the Hash has another table
    /// by now, begin again.
    pub fn commit(&self, m: &mut Mutator, hashes: &[Option<u64>]) -> Result<bool> {
        let h = self.hash_object;
        let (seen, _) = self.counts;
        // With room for what may be added before the lock is taken.
        let room = hashes.iter().flatten().count() + self.table.counts().0.saturating_sub(seen) + 8;
        let fresh = Table::new(m, room)?;
        let guard = modify(m, &h)?;
        let used = table(h).counts().0;
        if table(h) != self.table || used - seen + hashes.iter().flatten().count() > fresh.capacity() {
            return Ok(false);
        }
        for (place, hash) in hashes.iter().enumerate().take(self.counts.0) {
            let key = self.table.key(place);
            if let Some(hash) = hash
                && !key.is_undef()
            {
                fresh.append(*hash, key, self.table.value(place));
            }
        }
        for place in seen..used {
            let key = self.table.key(place);
            if !key.is_undef() {
                fresh.append(self.table.hash(place), key, self.table.value(place));
            }
        }
        set_flag(h, REHASHED, true);
        install(guard.mutator(), h, fresh);
        Ok(true)
    }
}
