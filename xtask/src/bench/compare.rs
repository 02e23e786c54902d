//! A table with a row for each program and the columns of each Ruby: its median time, and for every peer the ratio to it.

use super::setup::{Bench, geometric_mean, median};
use super::table::{Cell, Table};

/// The table under way.
pub struct Comparison {
    /// The table; what goes wrong is added to it directly.
    pub table: Table,
    peers: Vec<String>,
    /// For each peer, ours / theirs of the programs so far.
    ratios: Vec<Vec<f64>>,
    /// What a second is shown as, and the digits behind the point.
    unit: (f64, usize),
}

impl Comparison {
    /// An empty table titled `title`, whose first column is named `first`.
    pub fn new(bench: &Bench, title: &str, first: &str) -> Self {
        let peers: Vec<String> = bench.peers.iter().map(|peer| peer.name.clone()).collect();
        let mut columns = vec![first.to_owned()];
        for (index, peer) in peers.iter().enumerate() {
            columns.push(format!("{peer} (s)"));
            if index > 0 {
                columns.push(format!("ours / {peer}"));
            }
        }
        let ratios = vec![Vec::new(); peers.len()];
        Self { table: Table::new(title, columns), peers, ratios, unit: (1.0, 3) }
    }

    /// The same, with times in microseconds.
    pub fn in_microseconds(mut self) -> Self {
        for column in &mut self.table.columns {
            *column = column.replace("(s)", "(µs)");
        }
        self.unit = (1e6, 3);
        self
    }

    /// Adds the row of the program `name`: the seconds of its runs on each Ruby, ours first; none where it failed.
    pub fn add(&mut self, name: String, mut times: Vec<Vec<f64>>) {
        let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
        eprintln!(
            "{name}: {}",
            medians.iter().map(|time| format!("{:.3}", time * self.unit.0)).collect::<Vec<_>>().join("  ")
        );
        let mut row = vec![Cell::Text(name)];
        for (index, &time) in medians.iter().enumerate() {
            row.push(Cell::Number(time * self.unit.0, self.unit.1));
            if index > 0 {
                let ratio = medians[0] / time;
                if ratio.is_finite() {
                    self.ratios[index].push(ratio);
                }
                row.push(Cell::Number(ratio, 2));
            }
        }
        self.table.rows.push(row);
    }

    /// The table with a note on each peer: the mean of the ratios and the highest.
    pub fn finish(mut self) -> Table {
        for (peer, ratios) in self.peers.iter().zip(&self.ratios).skip(1) {
            if let Some(highest) = ratios.iter().copied().max_by(f64::total_cmp) {
                self.table.notes.push(format!(
                    "Geometric mean of ours / {peer}: **{:.2}** over {}; the highest is {highest:.2}.",
                    geometric_mean(ratios),
                    ratios.len()
                ));
            }
        }
        self.table
    }
}
