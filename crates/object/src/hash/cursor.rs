//! Look-ups whose `eql?` is a Ruby call: the VM steps over candidates and calls outside any lock.

use asterism_heap::Mutator;

use super::table::{Probe, Table};
use super::{append_checked, exchange_at, own_key, table};
use crate::error::Result;
use crate::ownership::modify;
use crate::value::Value;

/// A look-up under way. It holds values: it must stay on the stack.
pub struct Cursor {
    hash_object: Value,
    hash: u64,
    table: Table,
    used: usize,
    probe: Probe,
    /// The candidate last handed out.
    candidate: Option<(usize, Value)>,
    accepted: bool,
}

impl Cursor {
    /// A look-up in `h` of a key with this hash (see `key_hash`).
    pub fn new(h: Value, hash: u64) -> Cursor {
        let table = table(h);
        // The count is read before the walk: what is appended during it makes a commit start over.
        let used = table.counts().0;
        let probe = Probe::new(table, hash);
        Cursor { hash_object: h, hash, table, used, probe, candidate: None, accepted: false }
    }

    /// Starts over, after a commit that was refused.
    pub fn restart(&mut self) {
        *self = Cursor::new(self.hash_object, self.hash);
    }

    /// The next key with the same hash. Compare it with the key looked for (the same object is
    /// always equal) and `accept` it if it is equal.
    pub fn next_candidate(&mut self) -> Option<Value> {
        self.candidate = self.probe.next();
        self.candidate.map(|(_, key)| key)
    }

    /// The last candidate is the key.
    pub fn accept(&mut self) {
        self.accepted = self.candidate.is_some();
    }

    fn entry(&self) -> Option<(usize, Value)> {
        if self.accepted { self.candidate } else { None }
    }

    /// The value of the accepted key.
    pub fn found(&self) -> Option<Value> {
        self.entry().map(|(entry, _)| self.table.value(entry))
    }

    /// The accepted key as it is stored.
    pub fn found_key(&self) -> Option<Value> {
        self.entry().map(|(_, key)| key)
    }

    /// Stores `value` under the accepted key, or appends `key`. `false`: the table has changed,
    /// `restart` and walk again.
    pub fn commit_set(&self, m: &mut Mutator, key: Value, value: Value) -> Result<bool> {
        let h = self.hash_object;
        if let Some((entry, _)) = self.entry() {
            let _guard = modify(m, &h)?;
            if table(h) != self.table || self.table.key(entry).is_undef() {
                return Ok(false);
            }
            self.table.set_value(entry, value);
            return Ok(true);
        }
        let key = own_key(m, h, key)?;
        append_checked(m, h, self.table, self.used, self.hash, key, value)
    }

    /// Appends `key`: `Some(false)` if a key was accepted, `None` if the table has changed: `restart` and walk again.
    pub fn commit_add(&self, m: &mut Mutator, key: Value, value: Value) -> Result<Option<bool>> {
        if self.accepted {
            return Ok(Some(false));
        }
        Ok(self.commit_set(m, key, value)?.then_some(true))
    }

    /// Stores `new` under the accepted key if its value is still `old`, or the Hash is this thread's own; else `false`.
    pub fn commit_exchange(&self, m: &mut Mutator, old: Value, new: Value) -> Result<bool> {
        let h = self.hash_object;
        let guard = modify(m, &h)?;
        Ok(self.entry().is_some_and(|(entry, _)| {
            table(h) == self.table
                && !self.table.key(entry).is_undef()
                && exchange_at(&guard, self.table, entry, old, new)
        }))
    }

    /// Deletes the accepted key: `Some(its value)`, `Some(None)` if there is none, `None` if the
    /// table has changed: `restart` and walk again.
    pub fn commit_delete(&self, m: &mut Mutator) -> Result<Option<Option<Value>>> {
        let h = self.hash_object;
        let _guard = modify(m, &h)?;
        let Some((entry, _)) = self.entry() else {
            return Ok(Some(None));
        };
        if table(h) != self.table || self.table.key(entry).is_undef() {
            return Ok(None);
        }
        Ok(Some(Some(self.table.delete(entry))))
    }
}
