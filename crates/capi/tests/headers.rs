//! The headers declare what the interface has, and it has what they declare.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[path = "../exports.rs"]
mod exports;

/// The names of functions that the headers have prototypes of.
fn declared(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("the headers") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            declared(&path, names);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a header");
        for line in text.lines() {
            if let Some(variable) = line.strip_prefix("extern ").and_then(|rest| rest.strip_suffix(';')) {
                let name = variable.split(' ').next_back().unwrap_or("");
                let name = name.split('[').next().unwrap_or("");
                if (name.starts_with("rb_") && name != "rb_asterism_types") || name.starts_with("ruby_") {
                    names.insert(name.to_owned());
                }
                continue;
            }
            let line = line.strip_prefix("NORETURN(").unwrap_or(line);
            if !line.ends_with(';') || line.starts_with([' ', '#', '/', '}']) || line.starts_with("typedef") {
                continue;
            }
            let Some((before, _)) = line.split_once('(') else { continue };
            let name = before.split_whitespace().last().unwrap_or("").trim_start_matches('*');
            if ["rb_", "ruby_", "st_"].iter().any(|start| name.starts_with(start)) {
                names.insert(name.to_owned());
            }
        }
    }
}

#[test]
fn every_function_is_declared() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let all = [root.clone(), root.join("../embed")].into_iter().flat_map(|folder| exports::names(&folder));
    let exported: BTreeSet<String> = all.filter(|name| name != "rb_asterism_types").collect();
    assert!(exported.contains("rb_funcall") && exported.contains("ruby_setup"), "the sources are elsewhere");
    let mut named = BTreeSet::new();
    declared(&root.join("../../include"), &mut named);
    let missing: Vec<_> = exported.difference(&named).collect();
    assert!(missing.is_empty(), "not declared in the headers: {missing:?}");
    let unknown: Vec<_> = named.difference(&exported).collect();
    assert!(unknown.is_empty(), "declared and not there: {unknown:?}");
}
