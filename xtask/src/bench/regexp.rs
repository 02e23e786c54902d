//! The table of regexps. Each program of `benches/regexp` times cases and says what they found, which has to be the same on
//! every Ruby: a line a case, `name TAB seconds TAB digest`.

use std::collections::BTreeMap;

use super::compare::Comparison;
use super::setup::Bench;
use super::table::Table;
use crate::child;

/// Times the cases; those of rebar and rouge if it was said where they are.
pub fn run(bench: &Bench) -> Result<Vec<Table>, String> {
    let options = bench.options;
    let mut groups = vec![
        ("calls", "Regexps: calls on short Strings", vec![]),
        ("texts", "Regexps: long texts", vec![]),
        ("compile", "Regexps: patterns made at run time (seconds, bytes of memory)", vec![]),
    ];
    if let Some(folder) = &options.rebar {
        groups.push(("rebar", "Regexps: rebar", vec![folder.clone()]));
    }
    if let Some(folder) = &options.rouge {
        groups.push(("rouge", "Regexps: rouge", vec![folder.clone()]));
    }
    let mut tables = Vec::new();
    for (group, title, args) in groups {
        if options.wants(group) {
            tables.push(table(bench, group, title, &args)?);
        }
    }
    Ok(tables)
}

fn table(bench: &Bench, group: &str, title: &str, args: &[String]) -> Result<Table, String> {
    let mut comparison = Comparison::new(bench, title, "case").in_microseconds();
    let file = format!("benches/regexp/{group}.rb");
    let args: Vec<&str> = std::iter::once(file.as_str()).chain(args.iter().map(String::as_str)).collect();
    // Cases in their order; times of each peer, and what was found first.
    let mut order: Vec<String> = Vec::new();
    let mut cases: BTreeMap<String, (Vec<Vec<f64>>, String)> = BTreeMap::new();
    for round in 0..bench.options.runs {
        for (index, peer) in bench.peers.iter().enumerate() {
            let measured = child::measure(&peer.argv(&args), bench.root)?;
            let stderr = String::from_utf8_lossy(&measured.stderr);
            if !measured.success {
                let first = stderr.lines().next().unwrap_or_default();
                comparison.table.wrong.push(format!("{group} on {}: a failure {first}", peer.name));
            } else if round == 0 && index == 0 {
                comparison.table.notes.extend(stderr.lines().map(str::to_owned));
            }
            for line in String::from_utf8_lossy(&measured.stdout).lines() {
                let mut parts = line.split('\t');
                let (Some(name), Some(seconds), Some(digest)) = (parts.next(), parts.next(), parts.next()) else {
                    continue;
                };
                let Ok(seconds) = seconds.parse() else { continue };
                let (times, found) = cases.entry(name.to_owned()).or_insert_with(|| {
                    order.push(name.to_owned());
                    (vec![Vec::new(); bench.peers.len()], digest.to_owned())
                });
                if found == digest {
                    times[index].push(seconds);
                } else {
                    let problem = format!("{name} on {}: another result", peer.name);
                    if !comparison.table.wrong.contains(&problem) {
                        comparison.table.wrong.push(problem);
                    }
                }
            }
        }
    }
    for name in order {
        if let Some((times, _)) = cases.remove(&name) {
            comparison.add(name, times);
        }
    }
    Ok(comparison.finish())
}
