//! `cargo xtask order`: which functions of the command do programs call?
//!
//! A process holds the pages of machine code that it has touched, and the kernel maps sixteen at a time. Functions that programs call
//! are a third of the command's code, and lay all over it: nearly all of it was held. `crates/cli/functions.txt` names them, those that
//! more programs call first, and `crates/cli/build.rs` has the linker put them next to each other. A name that is missing, or that
//! stands for nothing any more, costs a little memory, so the list need not be made anew at each change.
//!
//! A name is listed without the hash that tells instances of a generic function from each other, for it changes with the compiler. Where
//! there are several instances it is kept: of two hundred, programs call ten.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::repo;

/// Where the list is, from the root.
const LIST: &str = "crates/cli/functions.txt";

/// Runs an empty program and those given under callgrind, and writes the list.
pub fn run(args: &[String]) -> Result<bool, String> {
    let (bin, programs) = match args {
        [flag, path, programs @ ..] if flag == "--bin" => (PathBuf::from(path), programs),
        programs => (repo::root().join("target/release/asterism"), programs),
    };
    let own = symbols(&bin)?;
    // By name: the number of programs that do not call it, and which ones do not.
    let mut functions: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    let count = programs.len() + 1;
    for index in 0..count {
        let program = index.checked_sub(1).map_or("-e 1", |index| &programs[index]);
        for name in called(&bin, program)?.lines().filter_map(function) {
            let bare = without_hash(name);
            let Some(instances) = own.get(bare) else { continue };
            let listed = if *instances > 1 { without_number(name) } else { bare };
            functions.entry(listed.to_owned()).or_insert_with(|| vec![true; count])[index] = false;
        }
    }
    let mut list: Vec<(String, Vec<bool>)> = functions.into_iter().collect();
    list.sort_by_key(|(_, missing)| (missing.iter().filter(|missing| **missing).count(), missing.clone()));
    let text: String = list.iter().flat_map(|(name, _)| [name, "\n"]).collect();
    std::fs::write(repo::root().join(LIST), text).map_err(|error| format!("cannot write {LIST}: {error}"))?;
    println!("{LIST}: {} functions that {count} programs call", list.len());
    Ok(true)
}

/// The functions that a binary defines, and how many instances there are of each.
fn symbols(bin: &Path) -> Result<HashMap<String, usize>, String> {
    let output = Command::new("nm")
        .arg("--defined-only")
        .arg(bin)
        .output()
        .map_err(|error| format!("cannot run nm: {error}"))?;
    let mut instances = HashMap::new();
    let text = String::from_utf8_lossy(&output.stdout);
    let functions = text.lines().filter_map(|line| line.split_once(" t ").or_else(|| line.split_once(" T ")));
    functions.for_each(|(_, name)| *instances.entry(without_hash(name).to_owned()).or_default() += 1);
    Ok(instances)
}

/// What callgrind writes about a program, which is what follows the command: a path, perhaps with arguments.
fn called(bin: &Path, program: &str) -> Result<String, String> {
    let file = std::env::temp_dir().join(format!("order-{}.callgrind", std::process::id()));
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--demangle=no"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(bin)
        .args(program.split(' '))
        .output()
        .map_err(|error| format!("cannot run valgrind: {error}"))?;
    if !output.status.success() {
        return Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    std::fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(text)
}

/// The function that a line of callgrind's names for the first time.
fn function(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("fn=(").or_else(|| line.strip_prefix("cfn=("))?;
    let (_, name) = rest.split_once(") ")?;
    // Each depth of a recursion may have a number.
    Some(name.split('\'').next().unwrap_or(name))
}

/// A symbol without the number that tells copies of it from each other.
fn without_number(symbol: &str) -> &str {
    let symbol = symbol.split(".llvm.").next().unwrap_or(symbol);
    let rest = symbol.trim_end_matches(|c: char| c.is_ascii_digit());
    rest.strip_suffix('.').unwrap_or(symbol)
}

/// A symbol without what follows from the versions of its crate and of the compiler.
fn without_hash(symbol: &str) -> &str {
    const HASH: usize = 16;
    let symbol = without_number(symbol);
    symbol.strip_suffix('E').filter(|_| symbol.starts_with("_ZN")).map_or(symbol, |rest| {
        let (name, hash) = rest.split_at(rest.len().saturating_sub(HASH));
        if name.ends_with("17h") && hash.len() == HASH { name } else { symbol }
    })
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
