//! What making an engine may take: a pattern of a few bytes can stand for very much.

use std::cell::Cell;

use crate::error::{Error, Result};

/// What making an engine may take.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// Bytes, about.
    pub most: usize,
    /// Whether nobody waits for it any more; asked again and again.
    pub ended: &'a (dyn Fn() -> bool + Sync),
}

impl Bounds<'_> {
    /// None.
    pub const NONE: Bounds<'static> = Bounds { most: usize::MAX, ended: &|| false };
}

/// What is left of it, while an engine is being made.
pub struct Room<'a> {
    bounds: Bounds<'a>,
    taken: Cell<usize>,
    /// Steps until `ended` is asked.
    quiet: Cell<u32>,
}

/// Steps between two questions.
const QUIET: u32 = 4096;

impl<'a> Room<'a> {
    /// All of it.
    pub fn new(bounds: Bounds<'a>) -> Room<'a> {
        Room { bounds, taken: Cell::new(0), quiet: Cell::new(QUIET) }
    }

    /// Takes so many bytes.
    ///
    /// # Errors
    /// `Error::Memory` if they are too many, `Error::Ended` if nobody waits for the engine any more.
    #[inline]
    pub fn take(&self, bytes: usize) -> Result<()> {
        let taken = self.taken.get().saturating_add(bytes);
        self.taken.set(taken);
        if taken > self.bounds.most {
            return Err(Error::Memory);
        }
        // What is large takes long.
        self.work(1 + (bytes >> 10))
    }

    /// Counts so many steps.
    ///
    /// # Errors
    /// `Error::Ended` if nobody waits for the engine any more.
    #[inline]
    pub fn work(&self, steps: usize) -> Result<()> {
        let quiet = self.quiet.get().saturating_sub(u32::try_from(steps).unwrap_or(u32::MAX));
        self.quiet.set(quiet);
        if quiet == 0 { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&self) -> Result<()> {
        self.quiet.set(QUIET);
        if (self.bounds.ended)() { Err(Error::Ended) } else { Ok(()) }
    }
}
