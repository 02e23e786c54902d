//! Which native function an address of this process lies in, by the symbol tables of the files that are mapped there.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// A part of a file that is mapped with permission to execute.
#[derive(Debug)]
struct Mapping {
    begin: u64,
    end: u64,
    /// Where in the file it begins.
    offset: u64,
    file: String,
}

/// A function of a file: its first address there, behind its last, its name.
type Symbol = (u64, u64, String);

/// A part of a file that is loaded: offset in the file, address, size.
type Segment = (u64, u64, u64);

/// What a file says.
#[derive(Default, Debug)]
struct Table {
    /// By address.
    symbols: Vec<Symbol>,
    segments: Vec<Segment>,
}

/// The functions of the files of this process.
#[derive(Default, Debug)]
pub struct Symbols {
    mappings: Vec<Mapping>,
    tables: HashMap<String, Table>,
}

impl Symbols {
    /// As the process is now. Where the system does not tell, no function is found.
    #[must_use]
    pub fn of_process() -> Symbols {
        let mut symbols = Symbols::default();
        symbols.refresh();
        symbols
    }

    /// Looks again which files are mapped. A file's table is read once.
    pub fn refresh(&mut self) {
        let text = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        self.mappings = text.lines().filter_map(mapping).collect();
    }

    /// The function at an address, and the file's name; `None` if that is not known: code made at run time.
    pub fn find(&mut self, address: u64) -> Option<(String, String)> {
        let mapping = self.mappings.iter().find(|m| (m.begin..m.end).contains(&address))?;
        let table = self.tables.entry(mapping.file.clone()).or_insert_with(|| read(&mapping.file).unwrap_or_default());
        let at = address - mapping.begin + mapping.offset;
        let &(offset, base, _) = table.segments.iter().find(|s| (s.0..s.0 + s.2).contains(&at))?;
        let address = at - offset + base;
        let after = table.symbols.partition_point(|s| s.0 <= address);
        let short = mapping.file.rsplit('/').next().unwrap_or_default().to_string();
        match table.symbols[..after].last() {
            Some((_, end, name)) if address < *end => Some((demangle(name), short)),
            _ => Some((format!("({short})"), short)),
        }
    }
}

/// A line of `/proc/self/maps`.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.split_ascii_whitespace();
    let (begin, end) = words.next()?.split_once('-')?;
    if !words.next()?.contains('x') {
        return None;
    }
    let offset = u64::from_str_radix(words.next()?, 16).ok()?;
    let file = words.nth(2).filter(|file| file.starts_with('/'))?.to_string();
    Some(Mapping { begin: u64::from_str_radix(begin, 16).ok()?, end: u64::from_str_radix(end, 16).ok()?, offset, file })
}

fn bytes<const N: usize>(data: &[u8], at: usize) -> Option<[u8; N]> {
    data.get(at..at + N)?.try_into().ok()
}

fn word(data: &[u8], at: usize) -> Option<u64> {
    bytes(data, at).map(u64::from_le_bytes)
}

fn half(data: &[u8], at: usize) -> Option<u64> {
    bytes(data, at).map(|b| u64::from(u32::from_le_bytes(b)))
}

fn short(data: &[u8], at: usize) -> Option<u64> {
    bytes(data, at).map(|b| u64::from(u16::from_le_bytes(b)))
}

/// Longest section that is read: the names of a large program without optimisation are a few dozen megabytes.
const LONGEST: u64 = 1 << 30;

fn part(file: &mut File, offset: u64, size: u64) -> Option<Vec<u8>> {
    if size > LONGEST {
        return None;
    }
    let mut data = vec![0; size as usize];
    file.seek(SeekFrom::Start(offset)).ok()?;
    file.read_exact(&mut data).ok()?;
    Some(data)
}

/// A section's type, offset, size and linked section.
type Section = (u64, u64, u64, u64);

const SYMTAB: u64 = 2;
const DYNSYM: u64 = 11;
const LOAD: u64 = 1;
const FUNCTION: u8 = 2;

/// Reads an ELF file of 64 bits, low byte first.
fn read(path: &str) -> Option<Table> {
    let mut file = File::open(path).ok()?;
    let head = part(&mut file, 0, 64)?;
    if head.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let programs = part(&mut file, word(&head, 32)?, short(&head, 54)? * short(&head, 56)?)?;
    let mut segments = Vec::new();
    for one in programs.chunks_exact(short(&head, 54)?.max(56) as usize) {
        if half(one, 0)? == LOAD {
            segments.push((word(one, 8)?, word(one, 16)?, word(one, 32)?));
        }
    }
    let sections = part(&mut file, word(&head, 40)?, short(&head, 58)? * short(&head, 60)?)?;
    let section = |one: &[u8]| Some((half(one, 4)?, word(one, 24)?, word(one, 32)?, half(one, 40)?));
    let sections: Vec<Section> =
        sections.chunks_exact(short(&head, 58)?.max(64) as usize).map(section).collect::<Option<_>>()?;
    let find = |kind: u64| sections.iter().find(|s| s.0 == kind).copied();
    let Some((_, offset, size, names)) = find(SYMTAB).or_else(|| find(DYNSYM)) else {
        return Some(Table { symbols: Vec::new(), segments });
    };
    let entries = part(&mut file, offset, size)?;
    let &(_, offset, size, _) = sections.get(names as usize)?;
    let names = part(&mut file, offset, size)?;
    let mut symbols = Vec::new();
    for one in entries.chunks_exact(24) {
        let (name, at, size) = (half(one, 0)? as usize, word(one, 8)?, word(one, 16)?);
        if one[4] & 15 != FUNCTION || size == 0 {
            continue;
        }
        let name = names.get(name..)?.split(|&b| b == 0).next()?;
        symbols.push((at, at + size, String::from_utf8_lossy(name).into_owned()));
    }
    symbols.sort_unstable();
    Some(Table { symbols, segments })
}

/// A name of Rust's as it stands in the source; others stay as they are.
pub(super) fn demangle(name: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(name))
}
