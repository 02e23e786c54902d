//! Where features lie: the load path, and the directories of an installed pure-Ruby standard library.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
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
    /// What it puts on the load path.
    pub libs: Vec<Vec<u8>>,
}

/// Where gems are installed: what `GEM_HOME` and `GEM_PATH` say, and where the system's packages put them, those that come with
/// Ruby among them. Each folder has `gems` and `specifications`.
pub fn gem_roots(home: Option<Vec<u8>>, path: Option<Vec<u8>>, user: Option<Vec<u8>>) -> Vec<PathBuf> {
    let named = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
    let mut roots: Vec<PathBuf> = home.as_deref().filter(|home| !home.is_empty()).map(named).into_iter().collect();
    if let Some(path) = path.filter(|path| !path.is_empty()) {
        roots.extend(path.split(|&b| b == b':').filter(|part| !part.is_empty()).map(named));
    }
    roots.push("/usr/share/rubygems-integration/all".into());
    let user = user.map(|user| named(&user).join(".gem/ruby"));
    let known = ["/usr/local/lib/ruby/gems", "/usr/lib/ruby/gems", "/usr/lib64/ruby/gems", "/var/lib/gems"];
    for root in known.into_iter().map(PathBuf::from).chain(user) {
        let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
        roots.extend(entries.map(|e| e.path()).filter(|p| version(p).is_some()));
    }
    roots
}

/// The gems with folders of their own, the newest of each name, by name.
pub fn gems(roots: &[PathBuf]) -> Vec<Gem> {
    let mut gems: Vec<Gem> = Vec::new();
    for root in roots {
        for entry in std::fs::read_dir(root.join("gems")).into_iter().flatten().flatten() {
            let file_name = entry.file_name();
            let full = file_name.as_bytes();
            // An installation that fails leaves a folder without a specification, and RubyGems goes by specifications.
            let Some(specification) = specification(root, full) else {
                continue;
            };
            let Some(dash) = full.iter().rposition(|&b| b == b'-') else {
                continue;
            };
            let numbers = full[dash + 1..].split(|&b| b == b'.');
            let version = numbers.map(|n| std::str::from_utf8(n).ok().and_then(|n| n.parse().ok()).unwrap_or(0));
            let libs: Vec<_> = require_paths(&specification)
                .into_iter()
                .map(|path| entry.path().join(path))
                .filter(|lib| lib.is_dir())
                .map(|lib| lib.into_os_string().into_encoded_bytes())
                .collect();
            if !libs.is_empty() {
                gems.push(Gem { name: full[..dash].to_vec(), version: version.collect(), libs });
            }
        }
    }
    gems.sort_by(|a, b| a.name.cmp(&b.name).then_with(|| b.version.cmp(&a.version)));
    gems.dedup_by(|later, first| later.name == first.name);
    gems
}

/// The text of a gem's specification, which of a default gem lies in a folder of its own.
fn specification(root: &Path, full: &[u8]) -> Option<Vec<u8>> {
    let mut file = full.to_vec();
    file.extend_from_slice(b".gemspec");
    let file = OsStr::from_bytes(&file);
    ["specifications", "specifications/default"]
        .iter()
        .find_map(|folder| std::fs::read(root.join(folder).join(file)).ok())
}

/// What a gem puts on the load path, by the line at the beginning of its specification that RubyGems writes for this:
/// `# stub: name version platform path\0path`.
fn require_paths(specification: &[u8]) -> Vec<PathBuf> {
    let stub = specification.split(|&b| b == b'\n').take(4).find_map(|line| line.strip_prefix(b"# stub: "));
    let paths = stub.and_then(|stub| stub.splitn(4, |&b| b == b' ').nth(3));
    let of = |part: &[u8]| PathBuf::from(OsStr::from_bytes(part));
    match paths {
        Some(paths) => paths.split(|&b| b == 0).map(of).collect(),
        None => vec!["lib".into()],
    }
}

/// The gem that has a feature which the load path has not: a Ruby file, or a C extension that was compiled against our headers.
pub fn gem_of_feature<'a>(gems: &'a [Gem], name: &[u8]) -> Option<&'a Gem> {
    if is_direct(name) {
        return None;
    }
    let files: &[Vec<u8>] = match name {
        [.., b'.', b'r', b'b'] | [.., b'.', b's', b'o'] => &[name.to_vec()],
        _ => &[[name, b".rb"].concat(), [name, b".so"].concat()],
    };
    let has = |lib: &Vec<u8>, file: &Vec<u8>| {
        let path = [lib, &b"/"[..], file].concat();
        is_file(&path) && (!file.ends_with(b".so") || is_ours(&path))
    };
    files.iter().find_map(|file| gems.iter().find(|gem| gem.libs.iter().any(|lib| has(lib, file))))
}

/// Can a program be read from it? From pipes and devices too, as CRuby has it.
fn is_file(path: &[u8]) -> bool {
    std::fs::metadata(path::os(path)).is_ok_and(|meta| {
        let kind = meta.file_type();
        kind.is_file() || kind.is_fifo() || kind.is_char_device()
    })
}

/// Absolute, or relative to the current or the home directory: not to be sought in the load path.
fn is_direct(name: &[u8]) -> bool {
    name.starts_with(b"/") || name.starts_with(b"./") || name.starts_with(b"../") || name.starts_with(b"~")
}

/// The file of a feature: `.rb` is added unless it is there.
pub fn find_feature(ec: &mut Ec, name: &[u8]) -> Res<Option<Vec<u8>>> {
    if name.ends_with(b".rb") {
        return find(ec, name);
    }
    if name.ends_with(b".so") {
        return find_extension(ec, name);
    }
    match find(ec, &[name, b".rb"].concat())? {
        Some(path) => Ok(Some(path)),
        None => find_extension(ec, &[name, b".so"].concat()),
    }
}

/// What our headers put into each extension: CRuby's own, which may lie in the same directories, cannot be loaded.
const MARK: &[u8] = b"asterism_extension_abi_1";
/// So many bytes of a library are searched for it.
const LARGEST_LIBRARY: u64 = 256 << 20;

/// The C extension of this name that was compiled against our headers.
fn find_extension(ec: &mut Ec, name: &[u8]) -> Res<Option<Vec<u8>>> {
    let Some(path) = find(ec, name)? else { return Ok(None) };
    let ours = ec.blocking(|| is_ours(&path));
    Ok(ours.then_some(path))
}

/// Does a library have the mark?
fn is_ours(path: &[u8]) -> bool {
    std::fs::File::open(path::os(path)).is_ok_and(|file| has_mark(file.take(LARGEST_LIBRARY)))
}

/// The same of its bytes, of which it keeps few.
fn has_mark(mut library: impl Read) -> bool {
    let mut bytes = vec![0; 64 << 10];
    let mut kept = 0;
    loop {
        let Ok(n @ 1..) = library.read(&mut bytes[kept..]) else { return false };
        let end = kept + n;
        if memchr::memmem::find(&bytes[..end], MARK).is_some() {
            return true;
        }
        // The mark may have begun.
        kept = end.min(MARK.len() - 1);
        bytes.copy_within(end - kept..end, 0);
    }
}

/// The file `load` means, and whether it is called as its path is: that of the load path, else the one relative to the current
/// directory, which is called as it was asked for.
pub fn find_file(ec: &mut Ec, name: &[u8]) -> Res<Option<(Vec<u8>, bool)>> {
    if let Some(path) = find(ec, name)? {
        return Ok(Some((path, true)));
    }
    // What says where it is was looked for there.
    let here = if is_direct(name) { None } else { find_here(ec, name)? };
    Ok(here.map(|path| (path, false)))
}

fn find(ec: &mut Ec, file: &[u8]) -> Res<Option<Vec<u8>>> {
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
                // The folder itself counts, by whatever links it is reached.
                let dir = path::expand(ec, &dir, None, true)?;
                return match ec.blocking(|| std::fs::canonicalize(path::os(&dir))) {
                    Ok(real) => path::expand(ec, file, Some(real.as_os_str().as_bytes()), false).map(Some),
                    Err(_) => Ok(Some(full)),
                };
            }
        }
        return Ok(None);
    }
    find_here(ec, file)
}

/// The file of that name, which if it is relative is so to the current directory.
fn find_here(ec: &mut Ec, file: &[u8]) -> Res<Option<Vec<u8>>> {
    let full = path::expand(ec, file, None, true)?;
    Ok(if ec.blocking(|| is_file(&full)) { Some(full) } else { None })
}
