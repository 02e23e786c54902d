//! Patterns of file names: `File.fnmatch` and `Dir.glob`.

use std::os::unix::ffi::OsStrExt;

use crate::io::path::os;

/// `File::FNM_NOESCAPE`: a backslash is an ordinary character.
pub const NOESCAPE: i64 = 1;
/// `File::FNM_PATHNAME`: wildcards do not match `/`.
pub const PATHNAME: i64 = 2;
/// `File::FNM_DOTMATCH`: wildcards match a leading dot.
pub const DOTMATCH: i64 = 4;
/// `File::FNM_CASEFOLD`: without regard to case.
pub const CASEFOLD: i64 = 8;
/// `File::FNM_EXTGLOB`: `{a,b}`.
pub const EXTGLOB: i64 = 16;

/// Replaces braces by their alternatives.
pub fn expand_braces(pattern: &[u8], flags: i64) -> Vec<Vec<u8>> {
    let mut depth = 0usize;
    let mut open = None;
    let mut commas = Vec::new();
    let mut i = 0;
    while i < pattern.len() {
        match pattern[i] {
            b'\\' if flags & NOESCAPE == 0 => i += 1,
            b'{' => {
                if depth == 0 {
                    open = Some(i);
                    commas.clear();
                }
                depth += 1;
            }
            b',' if depth == 1 => commas.push(i),
            b'}' if depth > 0 => {
                depth -= 1;
                if depth == 0
                    && let Some(start) = open
                {
                    let mut all = Vec::new();
                    let mut from = start + 1;
                    for end in commas.iter().copied().chain([i]) {
                        let one = [&pattern[..start], &pattern[from..end], &pattern[i + 1..]].concat();
                        all.extend(expand_braces(&one, flags));
                        from = end + 1;
                    }
                    return all;
                }
            }
            _ => {}
        }
        i += 1;
    }
    vec![pattern.to_vec()]
}

/// `File.fnmatch`
pub fn fnmatch(pattern: &[u8], name: &[u8], flags: i64) -> bool {
    if flags & EXTGLOB != 0 {
        return expand_braces(pattern, flags).iter().any(|p| fnmatch(p, name, flags & !EXTGLOB));
    }
    if flags & PATHNAME == 0 {
        return match_part(pattern, name, flags);
    }
    match_path(&split(pattern), &split(name), flags)
}

fn split(path: &[u8]) -> Vec<&[u8]> {
    path.split(|&b| b == b'/').collect()
}

fn match_path(pattern: &[&[u8]], name: &[&[u8]], flags: i64) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some((&b"**", rest)), _) if !rest.is_empty() => {
            let mut name = name;
            loop {
                if match_path(rest, name, flags) {
                    return true;
                }
                match name.split_first() {
                    Some((part, tail)) if flags & DOTMATCH != 0 || part.first() != Some(&b'.') => name = tail,
                    _ => return false,
                }
            }
        }
        (Some((p, pattern)), Some((n, name))) => match_part(p, n, flags) && match_path(pattern, name, flags),
        _ => false,
    }
}

fn lower(b: u8, flags: i64) -> u8 {
    if flags & CASEFOLD != 0 { b.to_ascii_lowercase() } else { b }
}

/// How long the character at the start of `name` is.
fn char_len(name: &[u8]) -> usize {
    use asterism_support::encoding::{Encoding, chars};
    chars::step(Encoding::UTF_8, name).clamp(1, name.len().max(1))
}

/// Matches one part of a path (or all of it, without `PATHNAME`): no recursion, one point to return to.
fn match_part(pattern: &[u8], name: &[u8], flags: i64) -> bool {
    if name.first() == Some(&b'.') && flags & DOTMATCH == 0 && pattern.first().is_some_and(|b| b"*?[".contains(b)) {
        return false;
    }
    let (mut p, mut n) = (0, 0);
    // Behind the last star: its pattern position, and where the text was when it was met.
    let mut star: Option<(usize, usize)> = None;
    loop {
        let step = if p < pattern.len() && pattern[p] == b'*' {
            while p < pattern.len() && pattern[p] == b'*' {
                p += 1;
            }
            star = Some((p, n));
            continue;
        } else if p == pattern.len() {
            if n == name.len() {
                return true;
            }
            None
        } else if n == name.len() {
            None
        } else {
            match_one(&pattern[p..], &name[n..], flags)
        };
        match step {
            Some((in_pattern, in_name)) => {
                p += in_pattern;
                n += in_name;
            }
            None => match star {
                Some((after, at)) if at < name.len() => {
                    let at = at + char_len(&name[at..]);
                    star = Some((after, at));
                    p = after;
                    n = at;
                }
                _ => return false,
            },
        }
    }
}

/// Matches one character; how much of pattern and name it took.
fn match_one(pattern: &[u8], name: &[u8], flags: i64) -> Option<(usize, usize)> {
    let width = char_len(name);
    match pattern[0] {
        b'?' => Some((1, width)),
        b'[' => match_set(pattern, &name[..width], flags).map(|n| (n, width)),
        b'\\' if flags & NOESCAPE == 0 && pattern.len() > 1 => {
            (lower(pattern[1], flags) == lower(name[0], flags)).then_some((2, 1))
        }
        c => (lower(c, flags) == lower(name[0], flags)).then_some((1, 1)),
    }
}

/// Matches a character against `[…]`; the length of the set if it fits.
fn match_set(pattern: &[u8], c: &[u8], flags: i64) -> Option<usize> {
    let code = |bytes: &[u8]| -> u32 {
        let text = std::str::from_utf8(bytes).ok().and_then(|s| s.chars().next());
        let code = text.map_or_else(|| u32::from(bytes.first().copied().unwrap_or(0)), u32::from);
        if flags & CASEFOLD != 0 && code < 128 { u32::from((code as u8).to_ascii_lowercase()) } else { code }
    };
    let wanted = code(c);
    let mut i = 1;
    let negated = matches!(pattern.get(1), Some(b'!' | b'^'));
    if negated {
        i += 1;
    }
    let mut found = false;
    let one = |i: &mut usize| -> Option<u32> {
        if pattern.get(*i) == Some(&b'\\') && flags & NOESCAPE == 0 {
            *i += 1;
        }
        let rest = pattern.get(*i..).filter(|r| !r.is_empty())?;
        let n = char_len(rest);
        *i += n;
        Some(code(&rest[..n]))
    };
    let first = i;
    loop {
        if pattern.get(i) == Some(&b']') && i > first {
            break;
        }
        let low = one(&mut i)?;
        let mut high = low;
        if pattern.get(i) == Some(&b'-') && pattern.get(i + 1).is_some_and(|b| *b != b']') {
            i += 1;
            high = one(&mut i)?;
        }
        found |= (low..=high).contains(&wanted);
    }
    (found != negated).then_some(i + 1)
}

fn has_magic(part: &[u8], flags: i64) -> bool {
    flags & CASEFOLD != 0 && part.iter().any(u8::is_ascii_alphabetic) || part.iter().any(|b| b"*?[".contains(b))
}

fn unescape(part: &[u8], flags: i64) -> Vec<u8> {
    if flags & NOESCAPE != 0 {
        return part.to_vec();
    }
    let mut out = Vec::with_capacity(part.len());
    let mut bytes = part.iter();
    while let Some(&b) = bytes.next() {
        match b {
            b'\\' => out.extend(bytes.next()),
            _ => out.push(b),
        }
    }
    out
}

/// The paths that match a pattern, relative to `base` (empty: the current directory).
pub fn glob(pattern: &[u8], flags: i64, base: &[u8], sort: bool) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    for pattern in expand_braces(pattern, flags) {
        let absolute = pattern.first() == Some(&b'/');
        let mut parts: Vec<&[u8]> = Vec::new();
        for part in pattern.split(|&b| b == b'/').skip(usize::from(absolute)) {
            // Two slashes are kept, as an empty part between them, but behind `**`.
            if !(part.is_empty() && parts.last().is_some_and(|p| p == b"**")) {
                parts.push(part);
            }
        }
        let only_dirs = pattern.last() == Some(&b'/');
        if only_dirs && parts.last().is_some_and(|p| p.is_empty()) {
            parts.pop();
        }
        if pattern.is_empty() {
            parts.clear();
        }
        let base = if absolute { b"" } else { base };
        let walk = Walk { flags, base, sort, only_dirs };
        walk.step(if absolute { Some(b"") } else { None }, &[&parts[..]], true, &mut found);
    }
    found
}

/// A path that was found so far is `None` where it is empty, and `Some` of nothing at the root.
struct Walk<'a> {
    flags: i64,
    base: &'a [u8],
    sort: bool,
    /// The pattern ends with a slash.
    only_dirs: bool,
}

impl Walk<'_> {
    /// The path for the system.
    fn real(&self, path: Option<&[u8]>) -> Vec<u8> {
        match path {
            None if self.base.is_empty() => b".".to_vec(),
            None => self.base.to_vec(),
            Some(b"") => b"/".to_vec(),
            Some(path) if self.base.is_empty() => path.to_vec(),
            Some(path) => [self.base, b"/", path].concat(),
        }
    }

    /// Names and whether each is a directory (not through a link), `.` among them if it is to be.
    fn list(&self, dir: Option<&[u8]>, here: bool) -> Vec<(Vec<u8>, bool)> {
        let Ok(entries) = std::fs::read_dir(os(&self.real(dir))) else {
            return Vec::new();
        };
        let mut names: Vec<(Vec<u8>, bool)> = entries
            .flatten()
            .map(|e| (e.file_name().as_bytes().to_vec(), e.file_type().is_ok_and(|t| t.is_dir())))
            .collect();
        if here {
            names.push((b".".to_vec(), true));
        }
        if self.sort {
            names.sort();
        }
        names
    }

    fn join(dir: Option<&[u8]>, name: &[u8]) -> Vec<u8> {
        match dir {
            None => name.to_vec(),
            Some(dir) => [dir, b"/", name].concat(),
        }
    }

    /// Is it a `**` that stands for directories?
    fn recurses(&self, part: &[u8], rest: &[&[u8]]) -> bool {
        part == b"**" && (self.only_dirs || !rest.is_empty())
    }

    /// Finds what matches any of the pattern tails inside `dir`, in the order of the names. `first`: no name in `dir` was
    /// found by a pattern, and `.` is a name like others there (but for `**` without `DOTMATCH`).
    fn step(&self, dir: Option<&[u8]>, tails: &[&[&[u8]]], first: bool, found: &mut Vec<Vec<u8>>) {
        // `**/` also stands for nothing.
        let mut all: Vec<&[&[u8]]> = Vec::new();
        for tail in tails {
            let mut tail = *tail;
            loop {
                if !all.contains(&tail) {
                    all.push(tail);
                }
                match tail.split_first() {
                    Some((part, rest)) if self.recurses(part, rest) => tail = rest,
                    _ => break,
                }
            }
        }
        if all.iter().any(|tail| tail.is_empty()) && (dir.is_some() || !self.base.is_empty()) {
            self.add(dir.unwrap_or_default().to_vec(), &self.real(dir), found);
        }
        if let [tail] = all[..]
            && let Some((part, rest)) = tail.split_first()
            && !has_magic(part, self.flags)
        {
            let path = Self::join(dir, &unescape(part, self.flags));
            let real = self.real(Some(&path));
            if !rest.is_empty() {
                if os(&real).is_dir() {
                    self.step(Some(&path), &[rest], first, found);
                }
            } else if std::fs::symlink_metadata(os(&real)).is_ok() {
                self.add(path, &real, found);
            }
            return;
        }
        if all.iter().all(|tail| tail.is_empty()) {
            return;
        }
        let here = first
            && (self.flags & DOTMATCH != 0
                || !all.iter().any(|tail| tail.split_first().is_some_and(|(part, rest)| self.recurses(part, rest))));
        for (name, is_dir) in self.list(dir, here) {
            let path = Self::join(dir, &name);
            let mut matched = false;
            let mut deeper: Vec<&[&[u8]]> = Vec::new();
            for tail in &all {
                let Some((&part, rest)) = tail.split_first() else {
                    continue;
                };
                if self.recurses(part, rest) {
                    let hidden = name.first() == Some(&b'.');
                    if is_dir && name != b"." && (!hidden || self.flags & DOTMATCH != 0) {
                        deeper.push(tail);
                    }
                } else if match_part(part, &name, self.flags) {
                    if rest.is_empty() {
                        matched = true;
                    } else {
                        deeper.push(rest);
                    }
                }
            }
            let real = self.real(Some(&path));
            if matched {
                self.add(path.clone(), &real, found);
            }
            if !deeper.is_empty() && (is_dir || os(&real).is_dir()) {
                self.step(Some(&path), &deeper, false, found);
            }
        }
    }

    fn add(&self, path: Vec<u8>, real: &[u8], found: &mut Vec<Vec<u8>>) {
        if !self.only_dirs {
            found.push(path);
        } else if os(real).is_dir() {
            found.push([&path[..], b"/"].concat());
        }
    }
}
