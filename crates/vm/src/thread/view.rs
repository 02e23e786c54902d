//! A thread as others see it.

/// What is seen of a thread from outside.
pub struct ThreadView {
    /// As `Thread#inspect` shows it.
    pub shown: String,
    /// Its name, or the place of its block; none if it is the main thread.
    pub name: Option<String>,
    /// The native thread's number in the system, 0 before it has begun.
    pub native: u32,
    /// As `Thread#inspect` names it.
    pub status: &'static str,
    /// The Ractor it belongs to, if it is not the main one.
    pub ractor: Option<u64>,
    /// What it waits for, and who holds that.
    pub waits: Option<String>,
    /// Its backtrace.
    pub lines: Vec<String>,
}
