//! Whether a VM is slower for having others in its process: `benches/vms/beside.rb`.

use super::setup::Bench;
use super::table::{Cell, Table};
use crate::child;

/// VMs that wait meanwhile.
const COUNT: &str = "100";
/// How often they come and go.
const ROUNDS: &str = "7";

/// The table.
pub fn run(bench: &Bench) -> Result<Vec<Table>, String> {
    let columns = ["", "alone (ms)", "beside others (ms)", "speed beside / alone"].map(str::to_owned).to_vec();
    let mut table = Table::new("One VM beside many", columns);
    let argv = bench.peers[0].argv(&["benches/vms/beside.rb", COUNT, ROUNDS]);
    let measured = child::measure(&argv, bench.root)?;
    if !measured.success {
        table.wrong.push("beside.rb failed".to_owned());
    }
    for line in String::from_utf8_lossy(&measured.stdout).lines() {
        let mut words = line.split([':', ' ']).filter(|word| !word.is_empty());
        let name = words.next().unwrap_or_default().to_owned();
        let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
        if let [alone, beside] = numbers[..] {
            let ratio = Cell::Number(alone / beside, 3);
            table.rows.push(vec![Cell::Text(name), Cell::Number(alone, 2), Cell::Number(beside, 2), ratio]);
        }
    }
    table.notes.push(format!(
        "Medians of the same work, done alone and beside {COUNT} VMs that wait, in turn, in one process."
    ));
    Ok(vec![table])
}
