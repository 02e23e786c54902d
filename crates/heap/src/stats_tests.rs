//! Tests of the histogram.

use std::time::Duration;

use crate::stats::Histogram;

#[test]
fn percentiles_are_close() {
    let mut histogram = Histogram::new();
    for ns in 1..=100_000 {
        histogram.record(Duration::from_nanos(ns));
    }
    let summary = histogram.summary();
    assert_eq!((summary.count, summary.max_ns), (100_000, 100_000));
    assert!((50_000..=56_250).contains(&summary.median_ns), "{summary:?}");
    assert!((99_000..=100_000).contains(&summary.p99_ns), "{summary:?}");
    assert_eq!(summary.total_ns, 100_000 * 100_001 / 2);
}

#[test]
fn extremes() {
    let mut histogram = Histogram::new();
    assert_eq!(histogram.summary(), crate::Summary::default());
    histogram.record(Duration::ZERO);
    assert_eq!(histogram.summary().p99_ns, 0);
    histogram.record(Duration::MAX);
    assert_eq!(histogram.summary().max_ns, u64::MAX);
    assert_eq!(histogram.summary().p99_ns, u64::MAX);
}
