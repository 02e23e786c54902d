//! The clock of a recorder, which threads read twice for each span: the processor's counter, where the kernel's own clock is that, in a
//! third of the time that the kernel's takes. Whoever writes the spans makes nanoseconds of it.

use std::time::Instant;

/// A moment by a recorder's clock: what the counter has counted since it began, or nanoseconds with a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment(pub(super) u64);

/// Marks nanoseconds.
const NANOSECONDS: u64 = 1 << 63;

/// The clock of a recorder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    began: Instant,
    /// What the counter was then; without one the kernel's clock is read.
    counter: Option<u64>,
}

impl Clock {
    pub(super) fn new() -> Clock {
        if !counter::is_the_kernels() {
            return Clock { began: Instant::now(), counter: None };
        }
        let (began, counter) = both();
        Clock { began, counter: Some(counter) }
    }

    #[inline]
    pub(super) fn now(&self) -> Moment {
        match self.counter {
            // Another processor's counter may be a little behind.
            Some(began) => Moment(counter::read().saturating_sub(began)),
            None => self.at(Instant::now()),
        }
    }

    pub(super) fn at(&self, instant: Instant) -> Moment {
        let nanoseconds = instant.saturating_duration_since(self.began).as_nanos();
        Moment(u64::try_from(nanoseconds).unwrap_or(u64::MAX) | NANOSECONDS)
    }

    /// For moments until now.
    pub(super) fn scale(&self) -> Scale {
        let Some(began) = self.counter else { return Scale { now: self.at(Instant::now()), factor: 0 } };
        let (now, counter) = both();
        let now = self.at(now);
        let counted = counter.saturating_sub(began).max(1);
        let factor = (u128::from(now.0 & !NANOSECONDS) << Scale::SHIFT) / u128::from(counted);
        Scale { now, factor: u64::try_from(factor).unwrap_or(u64::MAX) }
    }
}

/// Makes nanoseconds of moments.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    now: Moment,
    /// Nanoseconds for each step of the counter, times 2 to the power of `SHIFT`.
    factor: u64,
}

impl Scale {
    const SHIFT: u32 = 32;

    /// When it was made.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.now
    }

    /// Nanoseconds from the beginning of the recorder to this moment.
    #[inline]
    #[must_use]
    pub fn nanoseconds(&self, moment: Moment) -> u64 {
        if moment.0 & NANOSECONDS != 0 {
            return moment.0 & !NANOSECONDS;
        }
        ((u128::from(moment.0) * u128::from(self.factor)) >> Scale::SHIFT) as u64
    }
}

/// What both clocks say at one time: of several readings the one between which the thread was not suspended.
fn both() -> (Instant, u64) {
    let mut best = (Instant::now(), counter::read(), u64::MAX);
    for _ in 0..8 {
        let before = counter::read();
        let now = Instant::now();
        let took = counter::read().saturating_sub(before);
        if took < best.2 {
            best = (now, before + took / 2, took);
        }
    }
    (best.0, best.1)
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod counter {
    /// Does the kernel trust it, so that it is the same on all processors and never stops?
    pub(super) fn is_the_kernels() -> bool {
        std::fs::read("/sys/devices/system/clocksource/clocksource0/current_clocksource")
            .is_ok_and(|name| name.trim_ascii() == b"tsc")
    }

    #[inline]
    pub(super) fn read() -> u64 {
        // SAFETY: every processor of this kind has the instruction, and it touches no memory.
        unsafe { std::arch::x86_64::_rdtsc() }
    }
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
mod counter {
    pub(super) fn is_the_kernels() -> bool {
        false
    }

    pub(super) fn read() -> u64 {
        0
    }
}

#[cfg(test)]
#[path = "clock_tests.rs"]
mod tests;
