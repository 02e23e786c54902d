//! The lock order of the heap, kept as data, and asserted in debug builds: a thread takes locks only in rising rank.
//!
//! The held ranks of a thread have to be found from anywhere a lock is taken, also on threads that have no mutator, so
//! debug builds keep them in a thread-local; release builds have neither the variable nor the checks.

/// The locks of this crate, in the order in which they may be nested. The object lock is not among them: nothing but
/// the parking lot's own queue lock is taken inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// `Interruptible::unblock`: an unblock function may take what it needs to make its wait end.
    Interrupt = 1,
    /// `World::inner`.
    World = 2,
    /// `ThreadState::handshakes`.
    Handshake = 3,
    /// `OwnerTable::inner`.
    Owners = 4,
    /// The heap's lists of blocks.
    Blocks = 5,
    /// The process-wide block space.
    Space = 6,
}

/// Marks a rank as held until it is dropped.
#[derive(Debug)]
#[must_use]
pub struct Held {
    #[cfg(all(debug_assertions, not(loom)))]
    rank: Rank,
}

#[cfg(all(debug_assertions, not(loom)))]
thread_local! {
    static HELD: std::cell::RefCell<Vec<Rank>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Asserts that the calling thread holds no lock of this rank or a higher one, and notes that it holds this one now.
/// Call it right before the lock is taken and keep what it returns as long as the lock's guard.
#[inline(always)]
pub fn acquire(rank: Rank) -> Held {
    #[cfg(all(debug_assertions, not(loom)))]
    {
        HELD.with_borrow_mut(|held| {
            if let Some(&last) = held.iter().max() {
                assert!(last < rank, "lock order: {rank:?} wanted while {last:?} is held");
            }
            held.push(rank);
        });
        Held { rank }
    }
    #[cfg(not(all(debug_assertions, not(loom))))]
    {
        let _ = rank;
        Held {}
    }
}

#[cfg(all(debug_assertions, not(loom)))]
impl Drop for Held {
    fn drop(&mut self) {
        HELD.with_borrow_mut(|held| {
            if let Some(at) = held.iter().rposition(|&rank| rank == self.rank) {
                held.remove(at);
            }
        });
    }
}

/// Asserts that the calling thread holds no ranked lock, as every wait and every entry into the VM requires.
#[inline(always)]
pub fn assert_none_held() {
    #[cfg(all(debug_assertions, not(loom)))]
    HELD.with_borrow(|held| assert!(held.is_empty(), "a wait with locks held: {held:?}"));
}
