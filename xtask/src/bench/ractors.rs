//! The tables about Ractors: how much more n of them do than one, and what their messages cost, beside every Ruby that has
//! `Ractor::Port`; and the first as a picture.

use std::collections::BTreeMap;

use super::curves::{Curves, Line};
use super::fiber::Pictures;
use super::peers::Peer;
use super::setup::Bench;
use super::table::{Cell, Table};
use crate::child;

/// Ratios of throughputs by kind of work and number of Ractors, and the milliseconds that one takes.
type Scaling = BTreeMap<String, (f64, Vec<f64>)>;

/// The tables, and the picture with its file name.
pub fn run(bench: &Bench) -> Result<(Vec<Table>, Pictures), String> {
    let peers: Vec<&Peer> = bench.peers.iter().filter(|peer| has_ports(bench, peer)).collect();
    let mut counts = vec![1usize];
    while counts[counts.len() - 1] * 2 <= bench.options.threads {
        counts.push(counts[counts.len() - 1] * 2);
    }
    let mut columns = vec!["work".to_owned()];
    let mut all: Vec<(String, Scaling)> = Vec::new();
    for peer in &peers {
        all.push((peer.name.clone(), scaling(bench, peer, "ractors")?));
    }
    if let Some(ours) = peers.first() {
        all.push((format!("{}, threads", ours.name), scaling(bench, ours, "threads")?));
    }
    for (name, _) in &all {
        columns.push(format!("{name}: 1 (ms)"));
        columns.extend(counts.iter().skip(1).map(|n| format!("{n} / 1")));
    }
    let mut table = Table::new("Throughput of n Ractors over one", columns);
    let kinds: Vec<&String> = all.first().map(|(_, of)| of.keys().collect()).unwrap_or_default();
    for kind in kinds {
        let mut row = vec![Cell::Text(kind.clone())];
        for (_, of) in &all {
            let (one, ratios) = of.get(kind).cloned().unwrap_or((f64::NAN, vec![f64::NAN; counts.len() - 1]));
            row.push(Cell::Number(one, 2));
            row.extend(ratios.iter().map(|&ratio| Cell::Number(ratio, 2)));
        }
        table.rows.push(row);
    }
    table.notes.push("Each does the same work on objects of its own; the best of the rounds.".to_owned());
    let picture = ("ractor_scaling.svg".to_owned(), picture(&counts, &all));
    Ok((vec![table, messages(bench, &peers)?], vec![picture]))
}

/// Has this Ruby the Ractors of Ruby 4.0?
fn has_ports(bench: &Bench, peer: &Peer) -> bool {
    let asked = child::measure(&peer.argv(&["-e", "exit defined?(Ractor::Port) ? true : false"]), bench.root);
    asked.is_ok_and(|asked| asked.success)
}

fn output(bench: &Bench, peer: &Peer, args: &[&str]) -> Result<String, String> {
    let measured = child::measure(&peer.argv(args), bench.root)?;
    if !measured.success {
        return Err(format!("{} {}: {}", peer.name, args.join(" "), String::from_utf8_lossy(&measured.stderr)));
    }
    Ok(String::from_utf8_lossy(&measured.stdout).into_owned())
}

fn scaling(bench: &Bench, peer: &Peer, of: &str) -> Result<Scaling, String> {
    let (most, rounds) = (bench.options.threads.to_string(), (bench.options.runs * 2).to_string());
    let text = output(bench, peer, &["benches/ractor/scaling.rb", of, &most, &rounds])?;
    Ok(text.lines().skip(1).filter_map(scaling_line).collect())
}

/// A line of `scaling.rb`: its kind of work, padded, and numbers.
fn scaling_line(line: &str) -> Option<(String, (f64, Vec<f64>))> {
    let (kind, numbers) = line.split_at_checked(20)?;
    let mut numbers = numbers.split_whitespace().map(str::parse::<f64>);
    let one = numbers.next()?.ok()?;
    Some((kind.trim().to_owned(), (one, numbers.collect::<Result<_, _>>().ok()?)))
}

/// Geometric means over the kinds of work, by number of Ractors.
fn picture(counts: &[usize], all: &[(String, Scaling)]) -> String {
    let mean = |of: &Scaling, n: usize| {
        let logs: Vec<f64> = of.values().filter_map(|(_, ratios)| ratios.get(n)).map(|ratio| ratio.ln()).collect();
        (logs.iter().sum::<f64>() / logs.len() as f64).exp()
    };
    let line = |(name, of): &(String, Scaling)| Line {
        name: name.clone(),
        values: std::iter::once(1.0).chain((0..counts.len() - 1).map(|n| mean(of, n))).collect(),
    };
    Curves {
        title: "What n Ractors do over one, mean of all kinds of work".to_owned(),
        x: "Ractors".to_owned(),
        y: "times the throughput of one".to_owned(),
        labels: counts.iter().map(usize::to_string).collect(),
        lines: all.iter().map(line).collect(),
    }
    .to_svg()
}

fn messages(bench: &Bench, peers: &[&Peer]) -> Result<Table, String> {
    let mut columns = vec!["message".to_owned()];
    let mut times: Vec<BTreeMap<String, (f64, f64)>> = Vec::new();
    for (index, peer) in peers.iter().enumerate() {
        columns.push(format!("{} (µs), best", peer.name));
        columns.push("median".to_owned());
        if index > 0 {
            columns.push(format!("ours / {}", peer.name));
        }
        let text = output(bench, peer, &["benches/ractor/messages.rb"])?;
        times.push(text.lines().filter_map(message_line).collect());
    }
    let mut table = Table::new("Messages between Ractors", columns);
    for (kind, ours) in times.first().into_iter().flatten() {
        let mut row = vec![Cell::Text(kind.clone())];
        for (index, times) in times.iter().enumerate() {
            let (best, median) = times.get(kind).copied().unwrap_or((f64::NAN, f64::NAN));
            row.extend([Cell::Number(best, 2), Cell::Number(median, 2)]);
            if index > 0 {
                row.push(Cell::Number(ours.0 / best, 3));
            }
        }
        table.rows.push(row);
    }
    table.notes.push("What is sent and moved is a String of 1 MB; create: a Ractor is made and joined.".to_owned());
    Ok(table)
}

/// A line of `messages.rb`: its kind, the best and the median time.
fn message_line(line: &str) -> Option<(String, (f64, f64))> {
    let mut words = line.split_whitespace();
    Some((words.next()?.to_owned(), (words.next()?.parse().ok()?, words.next()?.parse().ok()?)))
}

#[cfg(test)]
#[path = "ractors_tests.rs"]
mod tests;
