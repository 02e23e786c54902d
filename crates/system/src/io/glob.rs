//! Patterns of file names: `File.fnmatch` and `Dir.glob`.

use std::os::unix::ffi::OsStrExt;

use asterism_heap::Charge;
use asterism_vm::{Ec, Res};

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

/// Calls `found` with each pattern that the braces of `pattern` stand for, until it returns true; did it? There may be
/// more of them than could be kept.
fn each_alternative<E>(
    pattern: &[u8],
    flags: i64,
    found: &mut impl FnMut(&[u8]) -> Result<bool, E>,
) -> Result<bool, E> {
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
                    let mut from = start + 1;
                    for end in commas.iter().copied().chain([i]) {
                        let one = [&pattern[..start], &pattern[from..end], &pattern[i + 1..]].concat();
                        if each_alternative(&one, flags, found)? {
                            return Ok(true);
                        }
                        from = end + 1;
                    }
                    return Ok(false);
                }
            }
            _ => {}
        }
        i += 1;
    }
    found(pattern)
}

/// Looks for what asks for the thread's attention, every so many steps.
struct Attention<'a> {
    ec: &'a mut Ec,
    steps: usize,
}

impl Attention<'_> {
    fn steps(&mut self, n: usize) -> Res<()> {
        self.steps += n;
        if self.steps < 1 << 16 {
            return Ok(());
        }
        self.steps = 0;
        self.ec.poll()
    }
}

/// `File.fnmatch`
///
/// # Errors
/// What other threads or a signal raise into this one, or that it is killed: long patterns are interrupted.
pub fn fnmatch(ec: &mut Ec, pattern: &[u8], name: &[u8], flags: i64) -> Res<bool> {
    let mut attention = Attention { ec, steps: 0 };
    let mut one = |pattern: &[u8]| {
        attention.steps(pattern.len() + name.len())?;
        let steps = &mut |n| attention.steps(n);
        if flags & PATHNAME == 0 {
            match_part(pattern, name, flags, steps)
        } else {
            match_path(&split(pattern), &split(name), flags, steps)
        }
    };
    if flags & EXTGLOB != 0 { each_alternative(pattern, flags, &mut one) } else { one(pattern) }
}

fn split(path: &[u8]) -> Vec<&[u8]> {
    path.split(|&b| b == b'/').collect()
}

/// Part for part of the pattern: where in the name a match of all before it can end.
fn match_path(pattern: &[&[u8]], name: &[&[u8]], flags: i64, steps: &mut impl FnMut(usize) -> Res<()>) -> Res<bool> {
    let mut ends = vec![false; name.len() + 1];
    ends[0] = true;
    for (i, part) in pattern.iter().enumerate() {
        steps(name.len())?;
        if *part == b"**" && i + 1 < pattern.len() {
            for (j, n) in name.iter().enumerate() {
                let visible = flags & DOTMATCH != 0 || n.first() != Some(&b'.');
                ends[j + 1] |= ends[j] && visible;
            }
            continue;
        }
        for (j, n) in name.iter().enumerate().rev() {
            ends[j + 1] = ends[j] && match_part(part, n, flags, steps)?;
        }
        ends[0] = false;
    }
    Ok(ends[name.len()])
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
fn match_part(pattern: &[u8], name: &[u8], flags: i64, steps: &mut impl FnMut(usize) -> Res<()>) -> Res<bool> {
    if name.first() == Some(&b'.') && flags & DOTMATCH == 0 && pattern.first().is_some_and(|b| b"*?[".contains(b)) {
        return Ok(false);
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
                return Ok(true);
            }
            None
        } else if n == name.len() {
            None
        } else {
            steps(if pattern[p] == b'[' { pattern.len() - p } else { 1 })?;
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
                _ => return Ok(false),
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
///
/// # Errors
/// What is raised into the thread, NoMemoryError.
pub fn glob(ec: &mut Ec, pattern: &[u8], flags: i64, base: &[u8], sort: bool) -> Res<Vec<Vec<u8>>> {
    let mut found = Found { paths: Vec::new(), bytes: 0, counted: 0, charge: ec.new_charge() };
    each_alternative(pattern, flags, &mut |pattern: &[u8]| {
        ec.poll()?;
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
        walk.step(ec, if absolute { Some(b"") } else { None }, &[&parts[..]], true, &mut found)?;
        Ok(false)
    })?;
    Ok(found.paths)
}

/// What was found so far, and the memory that is counted for it.
struct Found {
    paths: Vec<Vec<u8>>,
    bytes: usize,
    counted: usize,
    charge: Charge,
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
    fn list(&self, ec: &mut Ec, dir: Option<&[u8]>, here: bool) -> Vec<(Vec<u8>, bool)> {
        let mut names: Vec<(Vec<u8>, bool)> = ec.blocking(|| {
            let entries = std::fs::read_dir(os(&self.real(dir))).into_iter().flatten().flatten();
            entries.map(|e| (e.file_name().as_bytes().to_vec(), e.file_type().is_ok_and(|t| t.is_dir()))).collect()
        });
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
    fn step(&self, ec: &mut Ec, dir: Option<&[u8]>, tails: &[&[&[u8]]], first: bool, found: &mut Found) -> Res<()> {
        ec.poll()?;
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
            self.add(ec, dir.unwrap_or_default().to_vec(), &self.real(dir), found)?;
        }
        if let [tail] = all[..]
            && let plain = tail.iter().take_while(|part| !has_magic(part, self.flags)).count()
            && plain > 0
        {
            // Names up to a pattern or the end are one path to the system.
            let (names, rest) = tail.split_at(plain);
            let path = names.iter().fold(dir.map(<[u8]>::to_vec), |dir, part| {
                Some(Self::join(dir.as_deref(), &unescape(part, self.flags)))
            });
            let path = path.unwrap_or_default();
            let real = self.real(Some(&path));
            if !rest.is_empty() {
                if ec.blocking(|| os(&real).is_dir()) {
                    self.step(ec, Some(&path), &[rest], first, found)?;
                }
            } else if ec.blocking(|| std::fs::symlink_metadata(os(&real)).is_ok()) {
                self.add(ec, path, &real, found)?;
            }
            return Ok(());
        }
        if all.iter().all(|tail| tail.is_empty()) {
            return Ok(());
        }
        let here = first
            && (self.flags & DOTMATCH != 0
                || !all.iter().any(|tail| tail.split_first().is_some_and(|(part, rest)| self.recurses(part, rest))));
        for (name, is_dir) in self.list(ec, dir, here) {
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
                } else if match_part(part, &name, self.flags, &mut |_| Ok(()))? {
                    if rest.is_empty() {
                        matched = true;
                    } else {
                        deeper.push(rest);
                    }
                }
            }
            let real = self.real(Some(&path));
            if matched {
                self.add(ec, path.clone(), &real, found)?;
            }
            if !deeper.is_empty() && (is_dir || ec.blocking(|| os(&real).is_dir())) {
                self.step(ec, Some(&path), &deeper, false, found)?;
            }
        }
        Ok(())
    }

    fn add(&self, ec: &mut Ec, path: Vec<u8>, real: &[u8], found: &mut Found) -> Res<()> {
        const PIECE: usize = 64 << 10;
        let path = match self.only_dirs {
            false => path,
            true if ec.blocking(|| os(real).is_dir()) => [&path[..], b"/"].concat(),
            true => return Ok(()),
        };
        // The text, its place in the list twice over, and what the allocator adds.
        found.bytes += path.len() + 64;
        if found.bytes > found.counted {
            found.counted = found.bytes + PIECE;
            ec.recharge(&mut found.charge, found.counted)?;
        }
        found.paths.push(path);
        Ok(())
    }
}
