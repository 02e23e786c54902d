//! The word of a fiber: its [`Status`](super::Status), these flags, and from `THREAD_SHIFT` up the number of its thread (0 before
//! `initialize`). One comparison tells whether the commonest switch to it is allowed.

pub(super) const STATUS: u64 = 3;
/// Its last switch was `Fiber.yield`.
pub(super) const YIELDING: u64 = 1 << 2;
/// Suspended, and has what most fibers have nothing of: `State::rare`.
pub(super) const LADEN: u64 = 1 << 3;
/// It was killed while it waited for a fiber it had resumed: it ends when it goes on.
pub(super) const DOOMED: u64 = 1 << 4;
/// Its cell has a drop hook: it has been suspended, so it may own memory outside the heap when it dies. One that runs to
/// its end at once needs none.
pub(super) const HOOKED: u64 = 1 << 5;
/// A thread is about to initialize it.
pub(super) const CLAIMED: u64 = 1 << 6;
/// The exception it ends with is raised in who goes on after it.
pub(super) const THROWS: u64 = 1 << 7;
pub(super) const THREAD_SHIFT: u32 = 8;

/// What the word of a fiber of the thread with this number has of that.
pub(crate) fn mark_of(thread: u64) -> u64 {
    thread << THREAD_SHIFT
}
