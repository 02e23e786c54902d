//! Where the repository is and which files belong to it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository this binary was built from.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Every file git knows or would add, relative to the root, sorted.
pub fn files(root: &Path) -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cannot run git: {error}"))?;
    if !output.status.success() {
        return Err(format!("git ls-files: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let mut files: Vec<String> = output
        .stdout
        .split(|&byte| byte == 0)
        .filter(|name| !name.is_empty())
        .map(|name| String::from_utf8_lossy(name).into_owned())
        .filter(|name| root.join(name).is_file())
        .collect();
    files.sort();
    files.dedup();
    Ok(files)
}

/// Reads a file of the repository as text.
pub fn read(root: &Path, name: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(name)).map_err(|error| format!("{name}: {error}"))
}

/// All Ruby files below a folder, sorted; names that start with `_` are helpers and left out.
pub fn ruby_files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(directory) = pending.pop() {
        let entries = std::fs::read_dir(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", directory.display()))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if name != "fixtures" {
                    pending.push(path);
                }
            } else if name.ends_with(".rb") && !name.starts_with('_') {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Our release binary, unless the caller named another one.
pub fn binary(root: &Path, given: Option<&str>) -> Result<PathBuf, String> {
    if let Some(path) = given {
        let path = PathBuf::from(path);
        // Some are run in folders of their own; a bare name is looked for as the shell does.
        return Ok(if path.is_file() { std::path::absolute(&path).unwrap_or(path) } else { path });
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let path = target.join("release").join("asterism");
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!("{} is missing: run `cargo build --release` first, or give --bin PATH", path.display()))
    }
}
