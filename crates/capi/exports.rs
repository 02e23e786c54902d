//! Which functions the C interface has: what its sources say. A part of two build scripts and of a test.

use std::path::Path;

/// The names, in order; `capi` is the crate's folder.
pub fn names(capi: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![capi.join("src"), capi.join("c")];
    while let Some(folder) = folders.pop() {
        let Ok(files) = std::fs::read_dir(folder) else { continue };
        for file in files.map(|f| f.expect("a file").path()) {
            if file.is_dir() {
                folders.push(file);
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("a source");
            names.extend(text.lines().filter_map(|line| exported(line, &file)));
        }
    }
    names.sort();
    names.dedup();
    names
}

/// The name that a line of a source exports.
fn exported(line: &str, file: &Path) -> Option<String> {
    let before = if file.extension().is_some_and(|e| e == "c") {
        if line.starts_with(|c: char| !c.is_ascii_alphabetic()) || line.starts_with("static") {
            return None;
        }
        line.split(['(', '=', ';', '[']).next()?.split_whitespace().last()?.trim_start_matches('*')
    } else if let Some(rest) = line.strip_prefix("    fn ") {
        // A use of `api!` or `methods!`; functions of an `impl` begin with other names.
        rest.split('(').next()?
    } else if let Some(rest) = line.strip_prefix("pub unsafe extern \"C\" fn ") {
        rest.split('(').next()?
    } else if let Some(rest) = line.strip_prefix("pub static ") {
        rest.split(':').next()?
    } else {
        return None;
    };
    ["rb_", "ruby_", "st_"].iter().any(|start| before.starts_with(start)).then(|| before.to_owned())
}
