//! Vector clocks: what a thread knows of the others.

/// For each thread the time of its that is known of; 0: nothing is.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Clock(Vec<u32>);

impl Clock {
    /// What is known of a thread.
    #[inline(always)]
    pub fn of(&self, thread: u32) -> u32 {
        self.0.get(thread as usize).copied().unwrap_or(0)
    }

    /// Sets what is known of a thread.
    pub fn set(&mut self, thread: u32, time: u32) {
        let at = thread as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = time;
    }

    /// Adds what another clock knows.
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}
