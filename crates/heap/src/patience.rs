//! Spinning before a wait, and `Patience`: whether that pays, learnt from how it went before.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a thread looks for what it waits for before it sleeps: about as long as falling asleep and being woken take.
pub const SPIN: Duration = Duration::from_micros(20);

/// Looks for less than a few microseconds whether something is so.
pub fn glance(is_so: impl Fn() -> bool) -> bool {
    (0..32).any(|_| {
        let found = is_so();
        if !found {
            std::hint::spin_loop();
        }
        found
    })
}

/// Looks until then whether something is so.
pub fn watch(until: Instant, is_so: impl Fn() -> bool) -> bool {
    while !glance(&is_so) {
        if Instant::now() >= until {
            return false;
        }
    }
    true
}

/// Whoever waits spins while that is of use, and a few times in vain; then it lets waits pass, the more the longer spinning
/// stays in vain, and tries once more. Only a hint, which threads may overwrite for each other.
///
/// In one word: how many more times in vain (bits 0 to 7); if that is 0, how many waits are still to pass (8 to 15); how
/// many passed the last time (16 to 23).
#[derive(Debug)]
pub struct Patience(AtomicU32);

/// Most times in vain.
const MOST: u32 = 8;
/// Most waits that pass.
const LONGEST_REST: u32 = 32;

const fn word(tries: u32, left: u32, rest: u32) -> u32 {
    tries | left << 8 | rest << 16
}

const fn parts(word: u32) -> (u32, u32, u32) {
    (word & 0xff, word >> 8 & 0xff, word >> 16)
}

impl Default for Patience {
    fn default() -> Self {
        Self::new()
    }
}

impl Patience {
    /// Nothing is known yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(AtomicU32::new(word(2, 0, 0)))
    }

    /// Before a wait: whether to spin.
    pub fn may_spin(&self) -> bool {
        let (tries, left, rest) = parts(self.0.load(Ordering::Relaxed));
        if tries == 0 {
            let next = if left > 1 { word(0, left - 1, rest) } else { word(1, 0, rest) };
            self.0.store(next, Ordering::Relaxed);
        }
        tries > 0
    }

    /// After spinning: whether that was of use.
    pub fn has_spun(&self, found: bool) {
        let before = self.0.load(Ordering::Relaxed);
        let (tries, _, rest) = parts(before);
        let longer = (2 * rest).clamp(2, LONGEST_REST);
        let after = match (found, tries) {
            (true, _) => word((tries + 1).min(MOST), 0, 0),
            (false, 0 | 1) => word(0, longer, longer),
            (false, _) => word(tries - 1, 0, rest),
        };
        // The line is others' too.
        if after != before {
            self.0.store(after, Ordering::Relaxed);
        }
    }
}
