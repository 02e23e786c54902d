//! Where features lie: the load path, and the directories of an installed pure-Ruby standard library.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use asterism_object::types::Type;
use asterism_object::{array, string};
use asterism_vm::vm::Root;
use asterism_vm::{Ec, Res};

use crate::io::path;

/// The directories of the newest standard library that is installed, site directories first.
pub fn library_dirs() -> Vec<Vec<u8>> {
    let mut roots: Vec<PathBuf> = ["/usr/local/lib/ruby", "/usr/lib/ruby"].iter().map(PathBuf::from).collect();
    if let Ok(list) = std::fs::read_dir("/usr/lib64/ruby") {
        drop(list);
        roots.push("/usr/lib64/ruby".into());
    }
    let mut newest: Option<((u32, u32, u32), PathBuf)> = None;
    for root in &roots {
        let Ok(entries) = std::fs::read_dir(root) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let Some(version) = version(&path) else {
                continue;
            };
            if path.join("fileutils.rb").is_file() && newest.as_ref().is_none_or(|(v, _)| version > *v) {
                newest = Some((version, path));
            }
        }
    }
    let mut dirs = Vec::new();
    let mut add = |path: PathBuf| {
        if path.is_dir() {
            dirs.push(path.as_os_str().as_bytes().to_vec());
        }
    };
    let name = newest.as_ref().and_then(|(_, p)| p.file_name()).map(|n| n.to_owned());
    for base in ["/usr/local/lib/site_ruby", "/usr/lib/ruby/site_ruby", "/usr/lib/ruby/vendor_ruby"] {
        if let Some(name) = &name {
            add(Path::new(base).join(name));
        }
        add(base.into());
    }
    if let Some((_, path)) = newest {
        add(path);
    }
    dirs
}

fn version(path: &Path) -> Option<(u32, u32, u32)> {
    let mut parts = path.file_name()?.to_str()?.split('.').map(|p| p.parse().ok());
    let version = (parts.next()??, parts.next()??, parts.next()??);
    parts.next().is_none().then_some(version)
}

/// A gem that is installed, by its folder's name.
pub struct Gem {
    /// As `gem` is given it.
    pub name: Vec<u8>,
    version: Vec<u64>,
    /// Its `lib`.
    pub lib: Vec<u8>,
}

/// The gems with a `lib` of their own, the newest of each name, by name. No specification is read.
pub fn gems() -> Vec<Gem> {
    let mut folders: Vec<PathBuf> = vec!["/usr/share/rubygems-integration/all/gems".into()];
    for root in ["/usr/local/lib/ruby/gems", "/usr/lib/ruby/gems", "/usr/lib64/ruby/gems", "/var/lib/gems"] {
        let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
        folders.extend(entries.map(|e| e.path()).filter(|p| version(p).is_some()).map(|p| p.join("gems")));
    }
    let mut gems: Vec<Gem> = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let file_name = entry.file_name();
            let full = file_name.as_bytes();
            let Some(dash) = full.iter().rposition(|&b| b == b'-') else {
                continue;
            };
            let numbers = full[dash + 1..].split(|&b| b == b'.');
            let version = numbers.map(|n| std::str::from_utf8(n).ok().and_then(|n| n.parse().ok()).unwrap_or(0));
            let lib = entry.path().join("lib");
            if lib.is_dir() {
                let version = version.collect();
                gems.push(Gem { name: full[..dash].to_vec(), version, lib: lib.as_os_str().as_bytes().to_vec() });
            }
        }
    }
    gems.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| b.version.cmp(&a.version)));
    gems.dedup_by(|later, first| later.name == first.name);
    gems
}

/// The `lib` of the gem that has a feature which the load path has not.
pub fn gem_of_feature(gems: &[Gem], name: &[u8]) -> Option<Vec<u8>> {
    if is_direct(name) || name.ends_with(b".so") {
        return None;
    }
    let file = if name.ends_with(b".rb") { name.to_vec() } else { [name, b".rb"].concat() };
    gems.iter().find(|g| is_file(&[&g.lib, &b"/"[..], &file].concat())).map(|g| g.lib.clone())
}

fn is_file(path: &[u8]) -> bool {
    path::os(path).is_file()
}

/// Absolute, or relative to the current or the home directory: not to be sought in the load path.
fn is_direct(name: &[u8]) -> bool {
    name.starts_with(b"/") || name.starts_with(b"./") || name.starts_with(b"../") || name.starts_with(b"~")
}

/// The file of a feature: `.rb` is added unless it is there.
pub fn find_feature(ec: &mut Ec, name: &[u8]) -> Res<Option<Vec<u8>>> {
    let file = if name.ends_with(b".rb") {
        name.to_vec()
    } else if name.ends_with(b".so") {
        // Extensions for CRuby cannot be loaded.
        return Ok(None);
    } else {
        [name, b".rb"].concat()
    };
    find(ec, &file, false)
}

/// The file `load` means: in the load path, else relative to the current directory.
pub fn find_file(ec: &mut Ec, name: &[u8]) -> Res<Option<Vec<u8>>> {
    find(ec, name, true)
}

fn find(ec: &mut Ec, file: &[u8], current_dir_too: bool) -> Res<Option<Vec<u8>>> {
    if !is_direct(file) {
        let list = ec.vm().root(Root::LoadPath);
        let mut i = 0;
        while let Some(dir) = array::at(list, i) {
            i += 1;
            let dir = if dir.is_type(Type::String) {
                string::to_vec(ec, dir)
            } else {
                asterism_core::errno::path_arg(ec, dir)?
            };
            let full = path::expand(ec, file, Some(&dir), false)?;
            if ec.blocking(|| is_file(&full)) {
                return Ok(Some(full));
            }
        }
        if !current_dir_too {
            return Ok(None);
        }
    }
    let full = path::expand(ec, file, None, true)?;
    Ok(if ec.blocking(|| is_file(&full)) { Some(full) } else { None })
}
