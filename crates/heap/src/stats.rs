//! What `--gc-stats` and `GC.stat` show.

use std::fmt;
use std::time::Duration;

/// Buckets to a power of two: percentiles are at most an eighth off.
const FINE: u32 = 3;
const BUCKETS: usize = 64 << FINE;

/// Durations, counted in logarithmic buckets.
#[derive(Debug)]
pub(crate) struct Histogram {
    /// None before the first.
    buckets: Box<[u32]>,
    count: u64,
    max_ns: u64,
    total_ns: u64,
}

/// A histogram in a few numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many.
    pub count: u64,
    /// Half are at most this long.
    pub median_ns: u64,
    /// 99 % are at most this long.
    pub p99_ns: u64,
    /// The longest.
    pub max_ns: u64,
    /// All together.
    pub total_ns: u64,
}

impl Histogram {
    pub(crate) fn new() -> Self {
        Self { buckets: Box::default(), count: 0, max_ns: 0, total_ns: 0 }
    }

    pub(crate) fn record(&mut self, duration: Duration) {
        let ns = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        if self.buckets.is_empty() {
            self.buckets = vec![0; BUCKETS].into_boxed_slice();
        }
        let bucket = &mut self.buckets[Self::bucket(ns)];
        *bucket = bucket.saturating_add(1);
        self.count += 1;
        self.max_ns = self.max_ns.max(ns);
        self.total_ns = self.total_ns.saturating_add(ns);
    }

    fn bucket(ns: u64) -> usize {
        let power = 63 - (ns | 1 << FINE).leading_zeros();
        let fine = (ns >> (power - FINE)) & ((1 << FINE) - 1);
        ((power << FINE) as usize) | fine as usize
    }

    /// The largest duration that falls into a bucket.
    fn upper(bucket: usize) -> u64 {
        let power = (bucket >> FINE) as u32;
        let fine = (bucket & ((1 << FINE) - 1)) as u64;
        if power < FINE {
            return (1 << FINE) - 1;
        }
        let first = (1_u64 << power) + (fine << (power - FINE));
        first + ((1_u64 << (power - FINE)) - 1)
    }

    fn percentile(&self, percent: u64) -> u64 {
        let wanted = (self.count * percent).div_ceil(100);
        let mut seen = 0;
        for (bucket, &count) in self.buckets.iter().enumerate() {
            seen += u64::from(count);
            if seen >= wanted && count > 0 {
                return Self::upper(bucket).min(self.max_ns);
            }
        }
        self.max_ns
    }

    pub(crate) fn summary(&self) -> Summary {
        Summary {
            count: self.count,
            median_ns: self.percentile(50),
            p99_ns: self.percentile(99),
            max_ns: self.max_ns,
            total_ns: self.total_ns,
        }
    }
}

/// A heap's numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// Collections so far.
    pub collections: u64,
    /// Bytes of cells allocated since the heap was made, as far as the threads have reported them.
    pub bytes_allocated: u64,
    /// Bytes of cells and malloc'ed bodies that the last collection found alive.
    pub live_bytes: u64,
    /// Cells the last collection found alive.
    pub live_cells: u64,
    /// Bytes of the blocks the heap has.
    pub heap_bytes: u64,
    /// Malloc'ed bytes that were accounted to the heap and not given back.
    pub malloc_bytes: u64,
    /// The world standing still for a collection: from the last thread's stop to the resumption.
    pub pauses: Summary,
    /// Those of minor collections.
    pub minor: Summary,
    /// Those of major collections.
    pub major: Summary,
    /// From wanting the world to stop to its standing still.
    pub time_to_stop: Summary,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |ns: u64| ns as f64 / 1e6;
        let (median, p99, max) = (ms(self.median_ns), ms(self.p99_ns), ms(self.max_ns));
        write!(f, "median {median:.3} ms, p99 {p99:.3} ms, max {max:.3} ms, all {:.1} ms", ms(self.total_ns))
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |bytes: u64| bytes as f64 / (1024.0 * 1024.0);
        let (minor, major) = (self.minor.count, self.major.count);
        writeln!(f, "collections   {}, minor: {minor}, major: {major}", self.collections)?;
        writeln!(f, "pauses        {}", self.pauses)?;
        writeln!(f, "minor pauses  {}", self.minor)?;
        writeln!(f, "major pauses  {}", self.major)?;
        writeln!(f, "time to stop  {}", self.time_to_stop)?;
        writeln!(f, "allocated     {:.1} MiB in cells", mib(self.bytes_allocated))?;
        writeln!(
            f,
            "alive         {:.1} MiB in {} cells, at the last collection",
            mib(self.live_bytes),
            self.live_cells
        )?;
        write!(
            f,
            "held          {:.1} MiB of blocks, {:.1} MiB malloc'ed",
            mib(self.heap_bytes),
            mib(self.malloc_bytes)
        )
    }
}
