//! Of a mutator: blocking regions in which it keeps its turn to run, and the lane in which it notes how long it waits.

use crate::mutator::Mutator;
use crate::trace::{IdleLane, SiteNumber, Track};
use crate::{machine, ranks};

impl Mutator {
    /// Where the thread's spans go, if they are noted.
    #[inline]
    pub fn lane(&mut self) -> Option<&mut Track> {
        self.lane.get(self.heap.traced())
    }

    /// The number by which the thread is shown in a trace.
    pub fn set_lane_number(&mut self, number: u64) {
        self.lane.number = number;
    }

    /// The thread, which has noted nothing yet, may use the lane that the one before it on the native thread has left.
    pub fn reuse_lane(&mut self, idle: IdleLane) {
        self.lane.reuse(self.heap.traced(), idle);
    }

    /// The thread notes no more; what the next one of the native thread may use.
    pub fn end_lane(&mut self) -> IdleLane {
        self.lane.end()
    }

    /// Another thread stops the world: waits until that is over, and may help meanwhile.
    pub(crate) fn stand_still(&mut self) {
        let begun = self.lane().map(|lane| lane.now());
        self.blocking_keeping(|| {});
        if let (Some(begun), Some(lane)) = (begun, self.lane()) {
            lane.add_plain(SiteNumber::STOPPED, begun, lane.now());
        }
    }

    /// As `blocking`, for what waits for no thread that would have to run first, or computes: where one thread runs at a time, no other
    /// one does meanwhile.
    pub(crate) fn blocking_keeping<R>(&mut self, f: impl FnOnce() -> R) -> R {
        struct Leave<'a>(&'a mut Mutator);
        impl Drop for Leave<'_> {
            fn drop(&mut self) {
                self.0.state().leave_keeping(self.0.heap().world());
                self.0.resync();
            }
        }
        ranks::assert_none_held();
        machine::with_spilled_registers(|stack_pointer| {
            self.state().enter_keeping(self.heap().world(), stack_pointer);
            let _leave = Leave(self);
            f()
        })
    }
}
