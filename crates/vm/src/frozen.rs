//! Objects that may not be changed, and Strings that may be and will not.

use std::sync::atomic::Ordering;

use asterism_object::{Value, ownership, string};

use crate::ec::{Ec, Res};

impl Ec {
    /// Freezes; the object.
    ///
    /// # Errors
    /// None today; freezing may come to need memory (NoMemoryError).
    pub fn freeze(&mut self, v: Value) -> Res {
        ownership::freeze(self, v);
        Ok(v)
    }

    /// FrozenError if the object is frozen; a warning, if that is wanted, for a String that will be in the future.
    ///
    /// # Errors
    /// FrozenError; what `Warning.warn` raises.
    #[inline]
    pub fn check_frozen(&mut self, v: Value) -> Res<()> {
        if ownership::is_frozen(v) {
            return Err(self.frozen_error(v));
        }
        if string::chilled(v).is_some() { self.thaw(v) } else { Ok(()) }
    }

    #[cold]
    fn thaw(&mut self, v: Value) -> Res<()> {
        let was = string::thaw(self, v);
        if !self.vm().warns_of_deprecated.load(Ordering::Relaxed) {
            return Ok(());
        }
        let what = match was {
            Some(string::Chilled::Literal) => "literal string".to_string(),
            Some(string::Chilled::Name) => format!("string returned by :{}.to_s", string::to_string_lossy(self, v)),
            // Another thread has been warned.
            None => return Ok(()),
        };
        // A leaf method may ask for this.
        let leaf = std::mem::replace(&mut self.fiber.leaf, Value::NULL);
        let told = crate::warning::warn_deprecated(self, &format!("{what} will be frozen in the future"));
        self.fiber.leaf = leaf;
        told
    }
}
