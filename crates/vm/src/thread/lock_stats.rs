//! What is counted of locks and waits, with names: for `--lock-stats` and `RubyVM.locks`.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use asterism_heap::{LockKind, LockPlace, LockRow, LockSite};
use asterism_object::class::Class;
use asterism_object::{Value, data};

use super::mutex::Mutex;
use crate::ec::Ec;

impl Ec {
    /// The site of a lock that the running line makes, or waits for; `None` unless locks are counted.
    #[inline]
    pub fn lock_site(&mut self, kind: LockKind) -> Option<Arc<LockSite>> {
        self.vm().heap().lock_stats()?;
        self.lock_site_at(kind, "")
    }

    #[cold]
    fn lock_site_at(&mut self, kind: LockKind, what: &str) -> Option<Arc<LockSite>> {
        let line = match self.caller_location() {
            Some((file, line)) => format!("{what}{file}:{line}"),
            None => format!("{what}(no Ruby code)"),
        };
        Some(self.vm().heap().lock_stats()?.site(kind, LockPlace::Text(line)))
    }

    /// Counts a wait for something that is no lock; those for a Mutex count with it.
    #[cold]
    pub fn count_wait(&mut self, waits: Value, begun: Instant) {
        let time = begun.elapsed();
        if data::get::<Mutex>(&waits).is_some() {
            return;
        }
        let what = format!("{} at ", self.class_name_of(waits));
        if let Some(site) = self.lock_site_at(LockKind::Wait, &what) {
            site.waited(true, time);
        }
    }

    /// What was counted until now, the worst first, each with the name of its site; `None` unless locks are counted.
    pub fn lock_rows(&mut self) -> Option<(Duration, Vec<(LockRow, String)>)> {
        let heap = self.vm().heap().clone();
        let stats = heap.lock_stats()?;
        let mut rows = stats.rows();
        let stops = heap.stats().time_to_stop;
        if stops.count > 0 {
            rows.push(LockRow {
                kind: LockKind::Stop,
                place: LockPlace::Text("collections".to_string()),
                taken: stops.count,
                spun: 0,
                parked: stops.count,
                waited: Duration::from_nanos(stops.total_ns),
                longest: Duration::from_nanos(stops.max_ns),
            });
            rows.sort_by_key(|row| std::cmp::Reverse((row.waited, row.taken)));
        }
        let named = rows.into_iter().map(|row| {
            let name = match &row.place {
                LockPlace::Text(text) => text.clone(),
                LockPlace::Class(word, line) => {
                    // SAFETY: it is the class word of a cell of this heap, which the table has kept alive since (`trace_vm_roots`).
                    let name = match Class::from_value(unsafe { Value::from_bits(*word) }) {
                        Some(class) => self.class_name(class),
                        None => "(internal)".to_string(),
                    };
                    match line {
                        Some((file, line)) => format!("{name} at {file}:{line}"),
                        None => name,
                    }
                }
            };
            (row, name)
        });
        Some((stats.age(), named.collect()))
    }

    /// The same as a table.
    pub fn lock_table(&mut self) -> Option<String> {
        let (age, rows) = self.lock_rows()?;
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let seconds = age.as_secs_f64();
        let mut text = format!("locks in {seconds:.3} s\n");
        let _ = writeln!(
            text,
            "{:<10} {:>10} {:>10} {:>10} {:>9} {:>9} {:>11} {:>11}  site",
            "kind", "taken", "contended", "taken/s", "spun", "parked", "waited ms", "longest ms"
        );
        for (row, name) in rows {
            let _ = writeln!(
                text,
                "{:<10} {:>10} {:>10} {:>10.0} {:>9} {:>9} {:>11.3} {:>11.3}  {name}",
                row.kind.name(),
                row.taken,
                row.contended(),
                row.taken as f64 / seconds.max(1e-9),
                row.spun,
                row.parked,
                ms(row.waited),
                ms(row.longest)
            );
        }
        Some(text)
    }
}
