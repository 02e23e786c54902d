//! Path arithmetic on bytes: what File's class methods compute without looking at files.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use asterism_vm::{Ec, Res};

/// Bytes as a path.
pub fn os(path: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(path))
}

fn trim_end_slashes(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|&b| b != b'/').map_or(0, |i| i + 1);
    &path[..end]
}

/// `File.dirname`
pub fn dirname(path: &[u8]) -> &[u8] {
    let trimmed = trim_end_slashes(path);
    if trimmed.is_empty() {
        return if path.starts_with(b"/") { b"/" } else { b"." };
    }
    match trimmed.iter().rposition(|&b| b == b'/') {
        None => b".",
        Some(slash) => {
            let dir = trim_end_slashes(&trimmed[..slash]);
            // Of several slashes in front one stays.
            let more = dir.iter().take_while(|&&b| b == b'/').count().saturating_sub(1);
            if dir.is_empty() { b"/" } else { &dir[more..] }
        }
    }
}

/// `File.basename` without a suffix argument.
pub fn basename(path: &[u8]) -> &[u8] {
    let trimmed = trim_end_slashes(path);
    if trimmed.is_empty() {
        return if path.is_empty() { b"" } else { b"/" };
    }
    match trimmed.iter().rposition(|&b| b == b'/') {
        Some(slash) => &trimmed[slash + 1..],
        None => trimmed,
    }
}

/// `File.basename` with a suffix argument.
pub fn basename_without<'a>(path: &'a [u8], suffix: &[u8]) -> &'a [u8] {
    let base = basename(path);
    if suffix == b".*" {
        let ext = extname(base);
        return &base[..base.len() - ext.len()];
    }
    match base.strip_suffix(suffix) {
        Some(stem) if !stem.is_empty() => stem,
        _ => base,
    }
}

/// `File.extname`
pub fn extname(path: &[u8]) -> &[u8] {
    let base = basename(path);
    let Some(start) = base.iter().position(|&b| b != b'.') else {
        return b"";
    };
    match base[start..].iter().rposition(|&b| b == b'.') {
        Some(dot) if start + dot + 1 == base.len() => b".",
        Some(dot) => &base[start + dot..],
        None => b"",
    }
}

/// `File.expand_path` (`home`: `~` is expanded) and `File.absolute_path`.
///
/// # Errors
/// ArgumentError for an unknown user or no home; what getcwd fails with.
pub fn expand(ec: &mut Ec, path: &[u8], base: Option<&[u8]>, home: bool) -> Res<Vec<u8>> {
    let start: Vec<u8>;
    let rest: &[u8];
    if home && path.first() == Some(&b'~') {
        let end = path.iter().position(|&b| b == b'/').unwrap_or(path.len());
        start = home_dir(ec, &path[1..end])?;
        rest = &path[end..];
    } else if path.first() == Some(&b'/') {
        start = Vec::new();
        rest = path;
    } else {
        start = match base {
            Some(base) => expand(ec, base, None, home)?,
            None => current_dir(ec)?,
        };
        rest = path;
    }
    let _path = ec.charge(start.len() + rest.len() + 1)?;
    let mut out = Vec::with_capacity(start.len() + rest.len() + 1);
    for part in start.split(|&b| b == b'/').chain(rest.split(|&b| b == b'/')) {
        match part {
            b"" | b"." => {}
            b".." => out.truncate(out.iter().rposition(|&b| b == b'/').unwrap_or(0)),
            name => {
                out.push(b'/');
                out.extend_from_slice(name);
            }
        }
    }
    if out.is_empty() {
        out.push(b'/');
    }
    Ok(out)
}

/// The home directory of a user, of the current one for an empty name.
///
/// # Errors
/// ArgumentError.
pub fn home_dir(ec: &mut Ec, user: &[u8]) -> Res<Vec<u8>> {
    if user.is_empty() {
        if let Some(home) = crate::env::get(ec, b"HOME") {
            if home.first() != Some(&b'/') {
                return Err(ec.arg_error("non-absolute home"));
            }
            return Ok(home);
        }
        let uid = rustix::process::getuid().as_raw().to_string();
        return match passwd_home(2, uid.as_bytes()) {
            Some(home) => Ok(home),
            None => Err(ec.arg_error("couldn't find HOME environment -- expanding '~'")),
        };
    }
    match passwd_home(0, user) {
        Some(home) => Ok(home),
        None => Err(ec.arg_error([b"user ", user, b" doesn't exist"].concat())),
    }
}

/// The home directory in the first line of /etc/passwd whose field `field` is `wanted`.
fn passwd_home(field: usize, wanted: &[u8]) -> Option<Vec<u8>> {
    let file = std::fs::read("/etc/passwd").ok()?;
    file.split(|&b| b == b'\n').find_map(|line| {
        let fields: Vec<&[u8]> = line.split(|&b| b == b':').collect();
        (fields.get(field) == Some(&wanted)).then(|| fields.get(5).map(|f| f.to_vec()))?
    })
}

/// The current directory.
///
/// # Errors
/// The class of Errno of getcwd(2): Errno::ENOENT if it was removed, Errno::EACCES.
pub fn current_dir(ec: &mut Ec) -> Res<Vec<u8>> {
    match std::env::current_dir() {
        Ok(dir) => Ok(dir.into_os_string().into_encoded_bytes()),
        Err(e) => Err(asterism_core::errno::raise(ec, asterism_core::errno::number_of(&e), "getcwd")),
    }
}

/// `File.join` of parts: one slash between each two.
pub fn push_joined(out: &mut Vec<u8>, part: &[u8], first: bool) {
    if first {
        out.extend_from_slice(part);
        return;
    }
    if part.first() == Some(&b'/') {
        let end = trim_end_slashes(out).len();
        out.truncate(end);
    } else if out.last() != Some(&b'/') {
        out.push(b'/');
    }
    out.extend_from_slice(part);
}
