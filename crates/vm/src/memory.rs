//! Memory that native code takes outside of the heap: counted against the limits of the VM and its family before it is taken.
//!
//! Whatever takes memory of a size that a program chooses does it through a [`Buffer`], or holds a [`Charge`] while it works. Neither
//! costs anything beyond the allocation where nothing is limited.

use std::ops::{Deref, DerefMut};

use asterism_heap::{Charge, Reason};
use asterism_object::{Value, string};
use asterism_symbol::AnySym;

use crate::{Ec, Res};

/// Less is not worth counting when it is given back at once.
const SMALL: usize = 32 << 10;
/// What a Symbol takes beside its name.
const SYMBOL: usize = 96;
/// So much is asked of the system, too, before it is taken by code that cannot be refused memory.
const LARGE: usize = 4 << 20;

impl Ec {
    /// Counts `bytes` of memory until what is returned is dropped. To be called before they are taken; what is taken then may be
    /// taken by code that cannot be refused memory.
    ///
    /// # Errors
    /// NoMemoryError if a limit or the system does not allow them, even when what is dead has been collected.
    #[inline]
    pub fn charge(&mut self, bytes: usize) -> Res<Charge> {
        if bytes < SMALL { Ok(Charge::default()) } else { self.charge_large(bytes) }
    }

    fn charge_large(&mut self, bytes: usize) -> Res<Charge> {
        let mut charge = self.new_charge();
        self.recharge(&mut charge, bytes)?;
        if bytes >= LARGE && Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
            return Err(self.no_memory());
        }
        Ok(charge)
    }

    /// Sees to it that the limits allow `bytes` more, which are counted when they are taken: collects if they do not.
    ///
    /// # Errors
    /// NoMemoryError.
    pub(crate) fn make_room(&mut self, bytes: usize) -> Res<()> {
        if !self.malloc_allowed(bytes) {
            self.charge(bytes.max(SMALL))?;
        }
        Ok(())
    }

    /// The bytes of a String, copied.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn bytes_of(&mut self, text: Value) -> Res<Buffer> {
        let mut copy = Buffer::new(self);
        copy.append_text(self, text)?;
        Ok(copy)
    }

    /// The Symbol of a String, made if it is new. It may be collected.
    ///
    /// # Errors
    /// NoMemoryError; RuntimeError if there are too many.
    pub fn intern(&mut self, name: Value) -> Res {
        if self.heap().account().is_some() {
            // Counted by the heap when it is made.
            self.make_room(string::len(name) + SYMBOL)?;
        }
        if self.vm().is_booting() {
            // What boot leaves is in the image of further VMs.
            return self.to_sym(name).map(Value::sym);
        }
        match string::intern(self, name) {
            Some(symbol) => Ok(symbol),
            None => Err(self.too_many_symbols()),
        }
    }

    /// What is raised when there is no number for a Symbol.
    #[cold]
    pub fn too_many_symbols(&mut self) -> crate::Raised {
        self.raise(crate::error::Exc::RuntimeError, "symbol table overflow")
    }

    /// The name of a Symbol as a new String.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline]
    pub fn symbol_name(&mut self, v: Value, symbol: AnySym) -> Res {
        let made = symbol.with_name(|bytes, encoding| self.str_enc(bytes, encoding));
        asterism_heap::keep_alive(v.bits());
        made
    }

    /// Counts the Symbol that is about to be made of a String, if there is none of that name: it stays when the VM has ended.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn count_symbol(&mut self, name: Value) -> Res<()> {
        let Some(account) = self.heap().account().cloned() else { return Ok(()) };
        let is_new = |bytes: &[u8], encoding| asterism_symbol::lookup(bytes, encoding).is_none();
        let size =
            string::with_bytes(self, name, |bytes, encoding| is_new(bytes, encoding).then(|| bytes.len() + SYMBOL));
        if let Some(size) = size {
            self.charge(size.max(SMALL))?;
            account.count(size.cast_signed());
        }
        Ok(())
    }

    /// Makes a charge stand for so many bytes from now on.
    ///
    /// # Errors
    /// NoMemoryError, as `charge`; the charge stands for what it stood for then.
    #[inline]
    pub fn recharge(&mut self, charge: &mut Charge, bytes: usize) -> Res<()> {
        if charge.set(bytes) {
            return Ok(());
        }
        let heap = self.heap().clone();
        heap.collect(self, Reason::Memory);
        if charge.set(bytes) { Ok(()) } else { Err(self.no_memory()) }
    }
}

/// Bytes or other plain data that native code collects.
#[derive(Debug, Default)]
pub struct Buffer<T = u8> {
    items: Vec<T>,
    charge: Charge,
}

impl<T> Buffer<T> {
    /// An empty one, counted against the limits of this VM.
    #[must_use]
    pub fn new(ec: &Ec) -> Buffer<T> {
        Buffer { items: Vec::new(), charge: ec.new_charge() }
    }

    /// Makes room for `more` items, which can be pushed then.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline]
    pub fn reserve(&mut self, ec: &mut Ec, more: usize) -> Res<()> {
        if self.items.capacity() - self.items.len() >= more || self.grow(more) { Ok(()) } else { self.insist(ec, more) }
    }

    #[cold]
    fn insist(&mut self, ec: &mut Ec, more: usize) -> Res<()> {
        let heap = ec.heap().clone();
        heap.collect(ec, Reason::Memory);
        if self.grow(more) { Ok(()) } else { Err(ec.no_memory()) }
    }

    /// The same where nothing can be collected; whether there is room.
    #[must_use]
    pub fn grow(&mut self, more: usize) -> bool {
        let (len, capacity) = (self.items.len(), self.items.capacity());
        if capacity - len >= more {
            return true;
        }
        let Some(needed) = len.checked_add(more) else { return false };
        // Twice as much, so that what grows step by step is not copied at each; when that is refused, just enough.
        self.set_capacity(needed.max(capacity.saturating_mul(2))) || self.set_capacity(needed)
    }

    fn set_capacity(&mut self, capacity: usize) -> bool {
        let Some(bytes) = capacity.checked_mul(size_of::<T>()) else { return false };
        let before = self.charge.bytes();
        // While they are copied they are there twice.
        if !self.charge.set(before.saturating_add(bytes)) {
            return false;
        }
        let done = self.items.try_reserve_exact(capacity - self.items.len()).is_ok();
        // Less than it stands for is never refused.
        self.charge.set(if done { bytes } else { before }) && done
    }

    /// Its items and what counts them: to be held as long as they are.
    #[must_use]
    pub fn into_parts(self) -> (Vec<T>, Charge) {
        (self.items, self.charge)
    }
}

impl<T: Copy> Buffer<T> {
    /// Appends these if it can have room for them without a collection; whether it could.
    fn take_over(&mut self, items: &[T]) -> bool {
        let fits = self.grow(items.len());
        if fits {
            self.items.extend_from_slice(items);
        }
        fits
    }

    /// Appends these.
    ///
    /// # Errors
    /// NoMemoryError.
    #[inline]
    pub fn append(&mut self, ec: &mut Ec, items: &[T]) -> Res<()> {
        self.reserve(ec, items.len())?;
        self.items.extend_from_slice(items);
        Ok(())
    }
}

impl Buffer {
    /// Appends the bytes of a String.
    ///
    /// # Errors
    /// NoMemoryError.
    pub fn append_text(&mut self, ec: &mut Ec, text: Value) -> Res<()> {
        // Another thread may make it longer before it is looked at again.
        while !string::with_bytes(ec, text, |bytes, _| self.take_over(bytes)) {
            self.reserve(ec, string::len(text))?;
        }
        Ok(())
    }
}

impl<T> Deref for Buffer<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.items
    }
}

impl<T> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.items
    }
}
