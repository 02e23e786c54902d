//! Tests of the clock.

use std::time::Duration;

use super::{Clock, Instant};

#[test]
fn the_counter_and_the_kernels_clock_agree() {
    let clock = Clock::new();
    let began = (clock.now(), clock.at(Instant::now()));
    std::thread::sleep(Duration::from_millis(20));
    let ended = (clock.now(), clock.at(Instant::now()));
    let scale = clock.scale();
    for (counted, told) in [began, ended] {
        // Between two readings the thread may have been suspended.
        assert!(scale.nanoseconds(counted).abs_diff(scale.nanoseconds(told)) < 5_000_000);
    }
    assert!(scale.nanoseconds(ended.0) - scale.nanoseconds(began.0) >= 15_000_000);
    assert!(scale.nanoseconds(scale.now()) >= scale.nanoseconds(ended.1));
}
