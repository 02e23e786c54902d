//! Hashes with Ruby's key equality: when the object crate cannot tell whether two keys are equal, their methods are asked, and the
//! operation is validated and retried.

use asterism_object::{Value, hash};

use crate::ec::{Ec, Res};

impl Ec {
    /// Reads from a Hash with Ruby's key equality; `None` if absent. The default is not consulted.
    ///
    /// # Errors
    /// What a key's `hash` or `eql?` raises; TypeError for a `hash` that is no Integer.
    #[inline]
    pub fn hash_get(&mut self, h: Value, key: Value) -> Res<Option<Value>> {
        match hash::get(self, h, key) {
            hash::Lookup::Found(v) => Ok(Some(v)),
            hash::Lookup::Missing => Ok(None),
            hash::Lookup::NeedsRuby => self.hash_get_slow(h, key),
        }
    }

    fn hash_cursor(&mut self, h: Value, key: Value, hash_value: u64) -> Res<hash::Cursor> {
        let mut cursor = hash::Cursor::new(h, hash_value);
        while let Some(candidate) = cursor.next_candidate() {
            if candidate == key || self.eql(key, candidate)? {
                cursor.accept();
                break;
            }
        }
        Ok(cursor)
    }

    fn hash_get_slow(&mut self, h: Value, key: Value) -> Res<Option<Value>> {
        let hash_value = self.hash_of(key)?;
        Ok(self.hash_cursor(h, key, hash_value)?.found())
    }

    /// Stores into a Hash with Ruby's key equality.
    ///
    /// # Errors
    /// FrozenError; what a key's `hash` or `eql?` raises.
    #[inline]
    pub fn hash_set(&mut self, h: Value, key: Value, value: Value) -> Res<()> {
        let stored = hash::set(self, h, key, value);
        match self.check(h, stored)? {
            hash::Stored::Done => Ok(()),
            hash::Stored::NeedsRuby => {
                let hash_value = self.hash_of(key)?;
                loop {
                    let cursor = self.hash_cursor(h, key, hash_value)?;
                    let done = cursor.commit_set(self, key, value);
                    if self.check(h, done)? {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Stores into a Hash with Ruby's key equality unless the key is there: `false`.
    ///
    /// # Errors
    /// FrozenError; what a key's `hash` or `eql?` raises.
    pub fn hash_add(&mut self, h: Value, key: Value, value: Value) -> Res<bool> {
        let added = hash::add(self, h, key, value);
        if let Some(added) = self.check(h, added)? {
            return Ok(added);
        }
        let hash_value = self.hash_of(key)?;
        loop {
            let cursor = self.hash_cursor(h, key, hash_value)?;
            let done = cursor.commit_add(self, key, value);
            if let Some(added) = self.check(h, done)? {
                return Ok(added);
            }
        }
    }

    /// Stores `new` under a key whose value is `old`; `false` if another thread has changed it.
    ///
    /// # Errors
    /// FrozenError; what a key's `hash` or `eql?` raises.
    pub fn hash_exchange(&mut self, h: Value, key: Value, old: Value, new: Value) -> Res<bool> {
        let done = hash::exchange(self, h, key, old, new);
        if let Some(done) = self.check(h, done)? {
            return Ok(done);
        }
        let hash_value = self.hash_of(key)?;
        let cursor = self.hash_cursor(h, key, hash_value)?;
        let done = cursor.commit_exchange(self, old, new);
        self.check(h, done)
    }

    /// Deletes from a Hash with Ruby's key equality; what was there.
    ///
    /// # Errors
    /// FrozenError; what a key's `hash` or `eql?` raises.
    pub fn hash_delete(&mut self, h: Value, key: Value) -> Res<Option<Value>> {
        let removed = hash::delete(self, h, key);
        match self.check(h, removed)? {
            hash::Lookup::Found(v) => Ok(Some(v)),
            hash::Lookup::Missing => Ok(None),
            hash::Lookup::NeedsRuby => {
                let hash_value = self.hash_of(key)?;
                loop {
                    let cursor = self.hash_cursor(h, key, hash_value)?;
                    let done = cursor.commit_delete(self);
                    if let Some(removed) = self.check(h, done)? {
                        return Ok(removed);
                    }
                }
            }
        }
    }

    /// A copy of a Hash as a plain Hash.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn hash_dup(&mut self, h: Value) -> Res {
        if h.is_nil() {
            return self.new_hash();
        }
        let class = self.class(asterism_object::space::WellKnown::Hash);
        let copy = hash::dup_in(self, class, h);
        self.check(h, copy)
    }
}
