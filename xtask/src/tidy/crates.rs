//! The direction of dependencies between the crates: everything points down, each crate reads alone.

use super::Report;

/// Each crate with the ones it may depend on.
const ALLOWED: [(&str, &[&str]); 15] = [
    ("symbol", &[]),
    ("support", &[]),
    ("fiber", &[]),
    ("heap", &[]),
    ("object", &["heap", "support", "symbol"]),
    // Compiled code is shared by all VMs: the compiler knows no object and no heap.
    ("compiler", &["support", "symbol"]),
    ("vm", &["compiler", "fiber", "heap", "object", "support", "symbol"]),
    ("core", &["compiler", "heap", "object", "support", "symbol", "vm"]),
    ("system", &["compiler", "core", "heap", "object", "support", "symbol", "vm"]),
    ("rubyvm", &["compiler", "core", "heap", "object", "symbol", "system", "vm"]),
    ("stdlib", &["core", "heap", "object", "support", "symbol", "system", "vm"]),
    ("asterism", &["compiler", "core", "heap", "object", "rubyvm", "stdlib", "symbol", "system", "vm"]),
    ("cli", &["asterism", "compiler"]),
    ("xtask", &[]),
    ("fuzz", &["asterism"]),
];

/// Checks one manifest.
pub fn check(file: &str, text: &str, report: &mut Report) {
    let Some(folder) = file.strip_suffix("/Cargo.toml") else {
        return;
    };
    let name = folder.strip_prefix("crates/").unwrap_or(folder);
    if name.contains('/') {
        return;
    }
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
        report.fault(file, 0, "a crate that the order in xtask/src/tidy/crates.rs does not know");
        return;
    };
    let mut section = String::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']).to_owned();
            if let Some((kind, dependency)) = section.rsplit_once('.')
                && kind.ends_with("dependencies")
            {
                check_dependency(file, index + 1, name, dependency, allowed, report);
            }
        } else if section.ends_with("dependencies") {
            let dependency = line.split(['.', '=', ' ']).next().unwrap_or_default();
            check_dependency(file, index + 1, name, dependency, allowed, report);
        }
    }
}

fn check_dependency(file: &str, line: usize, name: &str, dependency: &str, allowed: &[&str], report: &mut Report) {
    let ours = match dependency.trim_matches('"') {
        "asterism" => "asterism",
        other => match other.strip_prefix("asterism-") {
            Some(short) => short,
            None => return,
        },
    };
    if !allowed.contains(&ours) {
        report.fault(file, line, &format!("{name} must not depend on {ours}"));
    }
}
